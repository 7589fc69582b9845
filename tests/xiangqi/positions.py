"""Positions for tests: seeded random play by the slow generator, never by the code under test."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.twins import xiangqi as twin

DATA = Path(__file__).parents[1] / "data"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"


@cache
def rows(name: str) -> tuple[dict, ...]:
    """The rows of a JSON Lines file of the reference data."""
    return tuple(json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines())


@cache
def reference_fens() -> tuple[str, ...]:
    """All positions of the perft and repetition files, each once."""
    fens = [row["fen"] for row in rows("xiangqi_perft.jsonl")]
    fens += [row["fen"] for row in rows("xiangqi_repetition.jsonl") if "fen" in row]
    return tuple(dict.fromkeys(fens))


def walk(rng: random.Random, plies: int, fen: str = START) -> Iterator[twin.Position]:
    """Positions of a random game, captures preferred so that it thins out; ends with the game."""
    pos = twin.position(fen)
    for _ in range(plies):
        yield pos
        moves = twin.legal_moves(pos)
        if not moves:
            return
        captures = [move for move in moves if twin.is_capture(pos, move)]
        pos = twin.make(pos, rng.choice(captures if captures and rng.random() < 0.3 else moves))
    yield pos


def sample(seed: int, games: int, plies: int = 120, every: int = 7) -> Iterator[twin.Position]:
    """Every ``every``-th position of random games from the start and from reference positions."""
    rng = random.Random(seed)
    for number in range(games):
        fen = START if number % 2 else rng.choice(reference_fens())
        for ply, pos in enumerate(walk(rng, plies, fen)):
            if ply % every == 0:
                yield pos


def codes(pos: twin.Position) -> list[int]:
    """The position as piece codes of the package."""
    return [(" KABNRCP kabnrcp".index(letter) if letter != "." else 0) for letter in pos.points]
