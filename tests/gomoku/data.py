"""Reading the reference files of the gomoku room."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import gomoku
from tests.twins.gomoku import Point, Stones

FOLDER = Path(__file__).parent.parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    """Rows of ``gomoku_<name>.jsonl``."""
    text = (FOLDER / f"gomoku_{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def ids(row: dict[str, Any]) -> str:
    """Name of a row in a test report."""
    return str(row["id"])


def board_of(row: dict[str, Any]) -> gomoku.Board:
    """The position of a row, whichever way it is written."""
    if "moves" in row:
        board = gomoku.Board(size=row["size"], rules=row["rule"])
        for move in row["moves"]:
            board.push(move)
        return board
    stones = row["board"]
    return gomoku.Board.from_stones(
        stones["black"], stones["white"], row["to_move"], rules=row["rule"], size=row["size"]
    )


def twin_stones(board: gomoku.Board) -> Stones:
    """The stones of a board as the twin wants them."""
    return {(m.x, m.y): "bw"[c] for c in (0, 1) for m in board.stones(c)}


def cluster(
    seed: int, size: int, black: int, white: int, spread: int
) -> tuple[list[Point], list[Point]]:
    """Random stones in a square of the board: crowded, so that lines meet."""
    rng = random.Random(seed)
    span = min(size, spread)
    left, low = rng.randrange(size - span + 1), rng.randrange(size - span + 1)
    cells = [(left + i, low + j) for i in range(span) for j in range(span)]
    chosen = rng.sample(cells, min(black + white, len(cells)))
    return chosen[:black], chosen[black:]
