"""The board of 五子棋: points, lines, symmetries, and the layout of the kernels' arrays.

A point is ``y * size + x`` with ``x`` = column a.. from the left and ``y`` = row 1.. from the
bottom, both counted from 0; the letter i is used. A line is one of the four directions: row,
column, rising and falling diagonal; it never wraps round an edge.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from qikit.zobrist import keys

BLACK, WHITE = 0, 1
COLORS = (BLACK, WHITE)
COLOR_NAMES = ("black", "white")
COLOR_NAMES_ZH = ("黑", "白")
MIN_SIZE, MAX_SIZE, DEFAULT_SIZE = 5, 20, 15
COLUMN_NAMES = "abcdefghijklmnopqrst"

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""Steps (dx, dy) of the four directions: row, column, rising and falling diagonal."""

# A line is one int64: two bits a cell, five cells of margin on both sides.
EMPTY_CELL, BLACK_CELL, WHITE_CELL, OUTSIDE = 0, 1, 2, 3
MARGIN = 5
LINES = 40
POINTS = MAX_SIZE * MAX_SIZE

# Counters kept for every point and colour, four bits each: in how many of the four directions a
# stone of the colour there would make the shape (two fours on one line count twice).
FIVE, FOUR, WIN_FOUR, THREE, OVERLINE, BROKEN_THREE, TWO = range(7)
KINDS = 7
SET_WORDS = (POINTS + 63) // 64

# The state of a board: one int64 array.
WORDS = 0
SUMS = WORDS + 4 * LINES
SETS = SUMS + POINTS
KEY = SETS + 2 * KINDS * SET_WORDS
COUNT = KEY + 1
VALUE = KEY + 2
SIZE = KEY + 3
RENJU = KEY + 4
STATE_LENGTH = KEY + 6

# The constants of a board size and a rule: one int64 array.
LINE_OF = 0
COUNTERS = LINE_OF + 8 * POINTS
WEIGHTS = COUNTERS + 256
ZOBRIST = WEIGHTS + 256
CONSTANTS_LENGTH = ZOBRIST + 2 * POINTS

PATTERN_KEYS = 1 << (4 * MARGIN)
"""Neighbourhoods of a point on a line: five cells either side, two bits each."""

TURN_KEY = int(keys(20408, 1)[0])
"""Folded into the key of a board when white is to move."""


def point(x: int, y: int, size: int = DEFAULT_SIZE) -> int:
    """Index of the point in column ``x`` and row ``y``, both from 0.

    >>> point(7, 7)
    112
    """
    return y * size + x


def point_name(index: int, size: int = DEFAULT_SIZE) -> str:
    """Column letter and row number of a point.

    >>> point_name(112)
    'h8'
    """
    return f"{COLUMN_NAMES[index % size]}{index // size + 1}"


def on_board(x: int, y: int, size: int) -> bool:
    """Whether column ``x`` and row ``y`` lie on a board of that size."""
    return 0 <= x < size and 0 <= y < size


def line_position(direction: int, x: int, y: int, size: int) -> tuple[int, int]:
    """Number of the line through a point in a direction, and how many cells from its start.

    >>> line_position(0, 3, 5, 15), line_position(3, 14, 2, 15)
    ((5, 3), (16, 0))
    """
    if direction == 0:
        return y, x
    if direction == 1:
        return x, y
    if direction == 2:
        return x - y + size - 1, min(x, y)
    return x + y, min(y, size - 1 - x)


@cache
def lines(size: int) -> tuple[tuple[int, ...], ...]:
    """Every line of the board with at least five points, as points in order.

    >>> len(lines(15)), len(lines(5))
    (72, 12)
    """
    found = []
    for dx, dy in DIRECTIONS:
        for y in range(size):
            for x in range(size):
                if on_board(x - dx, y - dy, size):
                    continue
                cells = []
                cx, cy = x, y
                while on_board(cx, cy, size):
                    cells.append(point(cx, cy, size))
                    cx, cy = cx + dx, cy + dy
                if len(cells) >= 5:
                    found.append(tuple(cells))
    return tuple(found)


@cache
def symmetries(size: int) -> tuple[tuple[int, ...], ...]:
    """The 8 symmetries of the square; ``symmetries(size)[k][point]`` is the image of a point.

    The first one is the identity, the second the left-right mirror.

    >>> [s[0] for s in symmetries(5)]
    [0, 4, 20, 24, 0, 20, 4, 24]
    """
    maps = []
    for transpose in (False, True):
        for flip_y in (False, True):
            for flip_x in (False, True):
                image = []
                for index in range(size * size):
                    x, y = index % size, index // size
                    if flip_x:
                        x = size - 1 - x
                    if flip_y:
                        y = size - 1 - y
                    image.append(point(y, x, size) if transpose else point(x, y, size))
                maps.append(tuple(image))
    return tuple(maps)


@cache
def empty_words(size: int) -> NDArray[np.int64]:
    """Line words of the empty board: all that is no point of the board is ``OUTSIDE``."""
    words = np.full(4 * LINES, (1 << (2 * (MAX_SIZE + 2 * MARGIN))) - 1, np.int64)
    for d in range(4):
        for y in range(size):
            for x in range(size):
                line, i = line_position(d, x, y, size)
                words[d * LINES + line] &= ~(OUTSIDE << (2 * (i + MARGIN)))
    words.setflags(write=False)
    return words


@cache
def line_table(size: int) -> NDArray[np.int64]:
    """For each point eight numbers: index of its word in each direction, and its place there."""
    table = np.zeros((POINTS, 8), np.int64)
    for y in range(size):
        for x in range(size):
            for d in range(4):
                line, i = line_position(d, x, y, size)
                table[point(x, y, size), d] = d * LINES + line
                table[point(x, y, size), 4 + d] = i
    return table.reshape(-1)


@cache
def zobrist_table() -> NDArray[np.int64]:
    """Keys of a stone by column, row and colour; the same on boards of every size."""
    return keys(58, MAX_SIZE, MAX_SIZE, 2)
