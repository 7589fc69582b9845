"""Worth of pieces by the point they stand on: the evaluation that needs no network.

Made from a few sentences of general knowledge (a horse wants the middle and the enemy's half, a
pawn wants to cross and go near the palace without reaching the last rank, ...), not from another
program's table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xiangqi.geometry import COLORS, RED, SQUARES
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK

MATERIAL = {KING: 0, ADVISOR: 105, BISHOP: 105, KNIGHT: 415, ROOK: 930, CANNON: 440, PAWN: 45}
"""Centipawns in the middle game; a crossed pawn is worth about two and a half of these."""


def _middle(file: int) -> int:
    return 4 - abs(file - 4)


def _horse(file: int, rank: int) -> tuple[int, int]:
    value = 4 * _middle(file) + (0, -6, 4, 8, 12, 18, 24, 26, 10, -6)[rank]
    if file in (0, 8):
        value -= 12
    if rank == 0:
        value -= 18
    if (file, rank) == (4, 1):  # before its own general, legs tied
        value -= 30
    if rank in (7, 8) and file in (2, 3, 5, 6):  # the horse that looks into the palace
        value += 12
    return value, value + 10


def _chariot(file: int, rank: int) -> tuple[int, int]:
    value = (-8, 4, 4, 8, 14, 16, 16, 16, 14, 8)[rank] + 2 * _middle(file)
    if file in (3, 5):
        value += 8
    if (file, rank) in ((0, 0), (8, 0)):
        value -= 14
    return value, value // 2 + 20


def _cannon(file: int, rank: int) -> tuple[int, int]:
    value = (2, 2, 6, 2, 4, 4, 0, -2, -6, 8)[rank]
    if file == 4:
        value += 16 if rank in (2, 3, 4, 5) else 6
    if rank == 9:
        value += 4 * (abs(file - 4) == 4) + 6 * (file in (2, 6))
    if file in (2, 6) and rank == 2:
        value -= 4
    return value, value // 2 - 25


def _pawn(file: int, rank: int) -> tuple[int, int]:
    if rank < 5:
        value = 8 * (rank - 3) + 4 * (file == 4) + 4 * (file in (2, 6))
        return value, value
    near = 3 * _middle(file)
    reach = (45, 62, 80, 78, -10)[rank - 5]
    value = reach + 2 * near if rank < 9 else reach + near
    return value, value + 35 + near


def _advisor(file: int, rank: int) -> tuple[int, int]:
    return (6 if rank == 1 else 0), 0


def _elephant(file: int, rank: int) -> tuple[int, int]:
    if file == 4:
        return 14, 8
    return (-8 if file in (0, 8) else 0), (-4 if file in (0, 8) else 0)


def _general(file: int, rank: int) -> tuple[int, int]:
    value = (8 if file == 4 else 0) - 16 * rank
    return value, value // 4


_PLACES = {
    KING: _general,
    ADVISOR: _advisor,
    BISHOP: _elephant,
    KNIGHT: _horse,
    ROOK: _chariot,
    CANNON: _cannon,
    PAWN: _pawn,
}


def square_values() -> NDArray[np.int64]:
    """Value for Red by ``code << 7 | point``: int64[2048], ``middle game << 32`` + endgame."""
    table = np.zeros(2048, np.int64)
    for color in COLORS:
        sign = 1 if color == RED else -1
        for kind, place in _PLACES.items():
            for sq in SQUARES:
                file, rank = sq % 9, sq // 9
                middle, end = place(file, rank if color == RED else 9 - rank)
                middle, end = MATERIAL[kind] + middle, MATERIAL[kind] + end
                table[(kind + 8 * color) << 7 | sq] = sign * ((middle << 32) + end)
    return table
