"""Boards on which the notations have something to tell apart: random play and crowded pawns."""

from __future__ import annotations

import random
from collections.abc import Iterator

from xiangqi import PAWN, Board

PIECES = "RRNNCCBBAA"


def boards(seed: int, count: int) -> Iterator[Board]:
    """Positions of random games, half of them, and composed ones with pawns on shared files."""
    rng = random.Random(seed)
    for number in range(count):
        yield composed(rng) if number % 2 else played(rng)


def played(rng: random.Random) -> Board:
    """A position of a random game in which pawns like to move."""
    board = Board()
    for _ in range(rng.randrange(300)):
        moves = list(board.legal_moves)
        if not moves:
            board.pop()
            return board
        pawns = [move for move in moves if board.codes[move.from_square] & 7 == PAWN]
        board.push_unchecked(rng.choice(pawns if pawns and rng.random() < 0.5 else moves))
    return board


def composed(rng: random.Random) -> Board:
    """A valid position with three to five pawns a side, most of them on two files."""
    while True:
        points = {}
        for red in (True, False):
            files = rng.sample(range(9), 2)
            for _ in range(rng.randint(3, 5)):
                file = rng.choice(files) if rng.random() < 0.9 else rng.randrange(9)
                rank = rng.randint(5, 9) if rng.random() < 0.8 else rng.choice((3, 4))
                points[9 * (rank if red else 9 - rank) + file] = "P" if red else "p"
            for letter in rng.sample(PIECES, rng.randint(2, 6)):
                points.setdefault(rng.randrange(90), letter if red else letter.lower())
            points[rng.choice((3, 4, 5)) + (0 if red else 81)] = "K" if red else "k"
        board = _board(points, rng.choice("wb"))
        if board is not None and len(board.legal_moves):
            return board


def _board(points: dict[int, str], side: str) -> Board | None:
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(points.get(9 * rank + file, ".") for file in range(9))
        for run in range(9, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    try:
        return Board(f"{'/'.join(rows)} {side}")
    except ValueError:
        return None
