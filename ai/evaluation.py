"""Small evaluations for the simple players: what a position is worth to a seat, in centipawns."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Evaluation = Callable[[Any, int], float]
"""``evaluate(board, seat)``: value for ``seat``, whoever is to move; no search behind it."""


def indifferent(board: Any, seat: int) -> float:
    """All positions are worth the same: only the end of the game counts."""
    return 0.0


@cache
def _xiangqi_table() -> NDArray[np.int64]:
    """Value for Red of every piece code on every point, shape (16, 90)."""
    from xiangqi.geometry import COLORS, RED, SQUARES, crossed_river
    from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK, Piece

    worth = {ADVISOR: 200, BISHOP: 200, KNIGHT: 400, CANNON: 450, ROOK: 900, PAWN: 100}
    table = np.zeros((16, len(SQUARES)), np.int64)
    for color in COLORS:
        for kind, value in worth.items():
            for sq in SQUARES:
                doubled = kind == PAWN and crossed_river(sq, color)
                signed = value * (2 if doubled else 1) * (1 if color == RED else -1)
                table[Piece(kind, color).code, sq] = signed
    return table


def xiangqi_material(board: Any, seat: int) -> float:
    """Material of 象棋: 车 900, 炮 450, 马 400, 士 and 象 200, 兵 100 and 200 across the river."""
    table = _xiangqi_table()
    total = int(table[board.codes, np.arange(table.shape[1])].sum())
    return float(total if seat == 0 else -total)


@cache
def _checkers_table() -> NDArray[np.float64]:
    """Value of a piece of each camp on each hole, in hundredths of a row, shape (6, 121)."""
    from checkers.geometry import CAMPS, CUBES, GOAL_ROWS

    cubes = np.array(CUBES)
    table = np.zeros((len(CAMPS), len(CUBES)))
    for camp in CAMPS:
        rows = GOAL_ROWS[camp].astype(float)
        left, right = np.delete(cubes, (2, 0, 1)[camp % 3], axis=1).T  # coordinates across
        beside = np.abs(left - right) / 2
        table[camp] = -100 * (rows + 0.02 * rows**2 + 0.15 * beside)
    return table


def checkers_progress(board: Any, seat: int) -> float:
    """跳棋: rows left, those of stragglers counting more, and distance from the middle line.

    Own value less the mean of the other seats.
    """
    table = _checkers_table()
    worth = [
        float(table[camp, list(board.holes(other))].sum()) for other, camp in enumerate(board.camps)
    ]
    others = worth[:seat] + worth[seat + 1 :]
    return worth[seat] - (sum(others) / len(others) if others else 0.0)


_BY_GAME: dict[str, Evaluation] = {"checkers": checkers_progress, "xiangqi": xiangqi_material}


def evaluation(game: str) -> Evaluation:
    """The evaluation of a game by its registered name; :func:`indifferent` where there is none."""
    return _BY_GAME.get(game, indifferent)
