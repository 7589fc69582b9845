"""Attack tables of the kernel: what a piece reaches, looked up instead of walked.

Everything here is computed once from :mod:`xiangqi.geometry`, imported only by kernels (which
freeze it into their code) and indexed flat. A *half* is an int64 with one bit a point: points
0..44 in the low half, 45..89 in the high half. Point 90 (``DEAD``) is where captured pieces
stand: its file is 9, its rank 10, and every table has nothing there.

A *line* is a rank (9 bits, by file) or a file (10 bits, by rank). From a place on a line and the
occupied places of it, the line tables tell which places are empty up to the first piece or are

* ``CHARIOT_*``: the first piece on either side (what a chariot reaches),
* ``CANNON_*``: the second piece on either side (what a cannon reaches over one screen),
* ``THIRD_*``: only the third piece on either side, without the empty places.

Whether the place itself is occupied does not matter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qikit.zobrist import keys
from xiangqi.geometry import COLORS, RED, SQUARES, crossed_river, in_palace
from xiangqi.pieces import CANNON, KING, PIECE_TYPES, ROOK

Words = NDArray[np.int64]

DEAD = 90
NOWHERE = 127
"""Entry of ``LEG`` where no horse move leads from one point to the other."""
HALF = (1 << 45) - 1
FILE_A = sum(1 << 9 * rank for rank in range(5))
"""The first file in a half (both halves have five ranks)."""
FILE_I = FILE_A << 8

FIELD = 12
"""Fields of a line word: Red from bit 0, Black from FIELD, then all pieces, chariots, cannons.

The bits beside a field stay 0, so that a place off the line reads as empty.
"""
ALL, CHARIOTS, CANNONS = 2 * FIELD, 3 * FIELD, 4 * FIELD

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))

FILE = np.array([sq % 9 for sq in SQUARES] + [9], np.uint8)
RANK = np.array([sq // 9 for sq in SQUARES] + [10], np.uint8)
LOW = np.array([1 << sq if sq < 45 else 0 for sq in SQUARES] + [0], np.int64)
"""Bit of a point in the low half, 0 where it lies in the high one."""
HIGH = np.array([1 << sq - 45 if sq >= 45 else 0 for sq in SQUARES] + [0], np.int64)
SPREAD = np.array([sum((n >> i & 1) << 9 * i for i in range(5)) for n in range(32)], np.int64)
"""Five places of a file as points of a half, on the first file."""


def _offset(sq: int, files: int, ranks: int) -> int | None:
    file, rank = sq % 9 + files, sq // 9 + ranks
    return 9 * rank + file if 0 <= file < 9 and 0 <= rank < 10 else None


def _line_tables(length: int, bits: int) -> list[NDArray[np.uint16]]:
    """Chariot, cannon and third-piece masks, indexed ``place << bits | occupied``."""
    tables = [np.zeros((length + 1) << bits, np.uint16) for _ in range(3)]
    ones = np.arange(1 << bits)
    for place in range(length):
        for step in (1, -1):
            pieces_met = np.zeros(1 << bits, np.int64)
            at = place + step
            while 0 <= at < length:
                occupied = ones >> at & 1
                pieces_met += occupied
                here = np.uint16(1 << at)
                empty_before = (pieces_met == 0) & (occupied == 0)
                for wanted, table in enumerate(tables, 1):
                    mask = (pieces_met == wanted) & (occupied == 1)
                    if wanted < 3:
                        mask |= empty_before
                    table[place << bits : (place + 1) << bits][mask] |= here
                at += step
    return tables


CHARIOT_ROW, CANNON_ROW, THIRD_ROW = _line_tables(9, 9)
CHARIOT_COL, CANNON_COL, THIRD_COL = _line_tables(10, 10)


def _halves(points: list[int]) -> tuple[int, int]:
    return (
        sum(1 << sq for sq in points if sq < 45),
        sum(1 << sq - 45 for sq in points if sq >= 45),
    )


def _horse() -> tuple[Words, Words, NDArray[np.uint8]]:
    """Targets by ``point << 4 | legs`` in both halves, and the leg by ``horse << 7 | target``.

    Bits of ``legs``: 1 left, 4 right, 2 down, 8 up: two bits cut from the rank word and two from
    the file word, interleaved.
    """
    low, high = np.zeros(91 << 4, np.int64), np.zeros(91 << 4, np.int64)
    leg_of = np.full(91 << 7, NOWHERE, np.uint8)
    bit_of = {(-1, 0): 1, (1, 0): 4, (0, -1): 2, (0, 1): 8}
    for sq in SQUARES:
        for (files, ranks), bit in bit_of.items():
            leg = _offset(sq, files, ranks)
            points = []
            for side in (1, -1):
                to = _offset(sq, 2 * files + side * ranks, 2 * ranks + side * files)
                if to is not None and leg is not None:
                    points.append(to)
                    leg_of[sq << 7 | to] = leg
            lo, hi = _halves(points)
            for legs in range(16):
                if not legs & bit:
                    low[sq << 4 | legs] |= lo
                    high[sq << 4 | legs] |= hi
    return low, high, leg_of


HORSE_LOW, HORSE_HIGH, LEG = _horse()


def _own_half(points: list[int], color: int) -> int:
    """Points on the own side of the river, as a half."""
    return _halves([sq for sq in points if not crossed_river(sq, color)])[color]


def _elephant() -> Words:
    """Targets by ``91 * color + point << 4 | eyes`` in the half of the own side.

    Bits of ``eyes``: 1 left and 4 right on the rank above, 2 left and 8 right on the one below.
    """
    table = np.zeros(2 * 91 << 4, np.int64)
    bit_of = {(-1, 1): 1, (1, 1): 4, (-1, -1): 2, (1, -1): 8}
    for color in COLORS:
        for sq in SQUARES:
            for (files, ranks), bit in bit_of.items():
                to = _offset(sq, 2 * files, 2 * ranks)
                for eyes in range(16):
                    if to is not None and not eyes & bit:
                        table[91 * color + sq << 4 | eyes] |= _own_half([to], color)
    return table


ELEPHANT_STEPS = _elephant()


def _palace_steps(steps: tuple[tuple[int, int], ...]) -> Words:
    """Targets by ``91 * color + point`` in the half of the own side."""
    table = np.zeros(2 * 91, np.int64)
    for color in COLORS:
        for sq in SQUARES:
            points = [to for step in steps if (to := _offset(sq, *step)) is not None]
            inside = [to for to in points if in_palace(to, color)]
            table[91 * color + sq] = _own_half(inside, color)
    return table


GENERAL_STEPS = _palace_steps(STRAIGHT)
ADVISOR_STEPS = _palace_steps(DIAGONAL)


def _pawn_steps(sq: int, color: int) -> list[int]:
    steps = [(0, 1 if color == RED else -1)]
    if crossed_river(sq, color):
        steps += [(1, 0), (-1, 0)]
    return [to for step in steps if (to := _offset(sq, *step)) is not None]


def _pawn() -> tuple[Words, Words, Words]:
    """By ``91 * color + point``: targets; where enemy pawns across the river attack it from."""
    low, high, enemies = (np.zeros(2 * 91, np.int64) for _ in range(3))
    for color in COLORS:
        for sq in SQUARES:
            steps = _pawn_steps(sq, color)
            low[91 * color + sq], high[91 * color + sq] = _halves(steps)
            for to in steps:
                enemies[91 * (1 - color) + to] |= _own_half([sq], 1 - color)
    return low, high, enemies


PAWN_LOW, PAWN_HIGH, PAWN_ENEMIES = _pawn()


def _patterns() -> tuple[Words, Words]:
    """What a piece code sets in a rank word and in a file word, for place 0 of the line.

    Generals count as chariots in file words, which makes facing generals an ordinary check.
    """
    row, col = np.zeros(16, np.int64), np.zeros(16, np.int64)
    for color in COLORS:
        for kind in PIECE_TYPES:
            word = 1 << FIELD * color | 1 << ALL
            if kind == CANNON:
                word |= 1 << CANNONS
            if kind == ROOK:
                word |= 1 << CHARIOTS
            row[kind + 8 * color] = word
            col[kind + 8 * color] = word | (1 << CHARIOTS if kind == KING else 0)
    return row, col


ROW_PATTERN, COL_PATTERN = _patterns()


def _zobrist() -> tuple[Words, int]:
    """Keys by ``code << 7 | point`` (0 for an empty point) and the key of Black to move."""
    words = keys(0x7869616E677169, 15 * 90)  # "xiangqi"
    table = np.zeros(16 << 7, np.int64)
    for color in COLORS:
        for kind in PIECE_TYPES:
            code = kind + 8 * color
            table[code << 7 : (code << 7) + 90] = words[90 * (code - 1) : 90 * code]
    return table, int(words[90 * 7])


ZOBRIST, TURN_KEY = _zobrist()
