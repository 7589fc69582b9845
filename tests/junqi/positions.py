"""Positions and games for the tests: random ones from seeds, and the rows of the data files."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from junqi import Board, Rules, board_map, point_name, random_army
from junqi.pieces import COUNTS, LETTERS

DATA = Path(__file__).parents[1] / "data"


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file of the reference data."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def armies(rng: Random, board: str) -> list[str]:
    return [random_army(rng) for _ in range(board_map(board).seats)]


def game(seed: int, plies: int, board: str = "siguo129", **rules: Any) -> Board:
    """A random game, fond of fighting, with a timeout now and then."""
    rng = Random(f"junqi {seed} {board}")
    made = Board.from_armies(armies(rng, board), board, rules=Rules(board=board, **rules))
    while made.ply < plies and made.outcome() is None:
        moves = list(made.legal_moves)
        fights = [move for move in moves if made.piece_at(move.to_point)]
        made.push(rng.choice(fights if fights and rng.random() < 0.4 else moves))
        if rng.random() < 0.01 and made.outcome() is None:
            made.timeout()
    return made


def scattered(rng: Random, board: str) -> tuple[list[str], int]:
    """Tokens of pieces thrown on the board, flags and mines where they may stand; seat to move."""
    table = board_map(board)
    seats = list(range(table.seats))
    if table.seats == 4 and rng.random() < 0.3:
        seats.remove(rng.choice(seats))
    taken: set[int] = set()
    tokens = []
    for seat in seats:
        amount = rng.randint(2, 25)
        letters = [LETTERS[kind] for kind in range(11) for _ in range(COUNTS[kind])]
        rng.shuffle(letters)
        for letter in ["l", *letters[: amount - 1]]:
            if letter == "l":
                places = [p for p in table.home(seat) if p % 30 in (26, 28)]
            elif letter == "j":
                places = [p for p in table.home(seat) if p % 30 >= 20]
            else:
                places = list(table.points)
            free = [p for p in places if p not in taken]
            if free:
                point = rng.choice(free)
                taken.add(point)
                tokens.append(f"{seat}{letter}@{point_name(point)}")
    living = sorted({int(token[0]) for token in tokens})
    return tokens, rng.choice(living)
