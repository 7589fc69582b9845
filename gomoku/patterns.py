"""The constants that kernels work with: pattern tables by rule, shape counters, weights.

A *pattern* says what a stone of one colour on the middle point of eleven cells of a line makes of
them. The tables are built once in a process by a kernel and shared by all boards.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gomoku import geometry as g
from gomoku.rules import Rules
from qikit import kernels

# What one more stone makes of a line, weakest first.
DEAD, OVERLINE, ONE_CLOSED, ONE_OPEN, TWO_CLOSED, TWO_OPEN = range(6)
THREE_CLOSED, THREE_OPEN, FOUR_CLOSED, FOUR_STRAIGHT, FOUR_DOUBLE, FIVE = range(6, 12)

_COUNTERS = {
    FIVE: ((g.FIVE, 1),),
    FOUR_DOUBLE: ((g.FOUR, 2), (g.WIN_FOUR, 1)),
    FOUR_STRAIGHT: ((g.FOUR, 1), (g.WIN_FOUR, 1)),
    FOUR_CLOSED: ((g.FOUR, 1),),
    THREE_OPEN: ((g.THREE, 1),),
    THREE_CLOSED: ((g.BROKEN_THREE, 1),),
    TWO_OPEN: ((g.TWO, 1),),
    OVERLINE: ((g.OVERLINE, 1),),
}

WEIGHTS = (0, 0, 1, 2, 4, 9, 14, 40, 60, 400, 400, 2000)
"""Worth of a point for a colour, by pattern: the plain evaluation that a static move uses."""


@cache
def table(rules: Rules) -> NDArray[np.uint8]:
    """Patterns of every neighbourhood: black's in the low four bits, white's in the high four."""
    patterns = np.zeros(g.PATTERN_KEYS, np.uint8)
    kernels.load("gomoku.kernel").build_patterns(
        patterns, int(rules.black), int(rules.white), int(rules.forbidden)
    )
    return patterns


@cache
def constants(size: int) -> NDArray[np.int64]:
    """Line table, shape counters, weights and Zobrist keys of a board size, in one array."""
    array = np.zeros(g.CONSTANTS_LENGTH, np.int64)
    array[g.LINE_OF : g.LINE_OF + 8 * g.POINTS] = g.line_table(size)
    for black in range(12):
        for white in range(12):
            code = black | white << 4
            counters = sum(
                amount << (4 * (g.KINDS * color + kind))
                for color, pattern in ((0, black), (1, white))
                for kind, amount in _COUNTERS.get(pattern, ())
            )
            array[g.COUNTERS + code] = counters
            array[g.WEIGHTS + code] = WEIGHTS[black] - WEIGHTS[white]
    zobrist = g.zobrist_table()
    for y in range(size):
        for x in range(size):
            start = g.ZOBRIST + 2 * g.point(x, y, size)
            array[start : start + 2] = zobrist[y, x]
    return array
