"""The board of 跳棋: the six-pointed star of 121 holes; nothing that moves.

Holes count from 0 at the north tip row by row, left to right; names are row letter a..q and place
in the row (``a1``, ``e1``..``e13``, ``i5`` = centre). Cube coordinates ``x + y + z = 0`` have their
origin in the centre and z pointing south. Camps A..F = 0..5 go clockwise from the north.

Kernels see a set of holes as four words, one for each *class* of cube coordinates modulo 2: a jump
keeps the class, so inside a word a jump is a shift by :data:`JUMP_SHIFTS`, and the hole jumped over
is the same bit, moved by :data:`STEP_SHIFTS`, of the class :data:`STEP_CLASSES`. The strides leave
enough air between rows that no shift of a hole ever lands on another hole by wrapping round.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
"""Holes in each of the 17 rows, north to south."""
_FIRST_COLUMN = (12, 11, 10, 9, 0, 1, 2, 3, 4, 3, 2, 1, 0, 9, 10, 11, 12)
"""Doubled column of the first hole of each row."""

HOLES = range(121)
ROW_LETTERS = "abcdefghijklmnopq"
HOLE_NAMES = tuple(
    f"{ROW_LETTERS[row]}{place + 1}" for row, width in enumerate(ROWS) for place in range(width)
)
HOLE_ROWS = tuple(row for row, width in enumerate(ROWS) for _ in range(width))
HOLE_COLUMNS = tuple(
    _FIRST_COLUMN[row] + 2 * place for row, width in enumerate(ROWS) for place in range(width)
)
"""Doubled column 0..24 of each hole, for drawing."""

CAMPS = range(6)
CAMP_LETTERS = "ABCDEF"
CAMP_NAMES_ZH = ("北", "东北", "东南", "南", "西南", "西北")

# axis vectors (dx, dz) and their opposites: direction d and d + 3 are opposite
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
CENTRE = HOLE_NAMES.index("i5")


def _cubes() -> tuple[tuple[int, int, int], ...]:
    cubes = []
    for row, column in zip(HOLE_ROWS, HOLE_COLUMNS, strict=True):
        z = row - 8
        x = (column - 12 - z) // 2
        cubes.append((x, -x - z, z))
    return tuple(cubes)


CUBES = _cubes()
"""Cube coordinates (x, y, z) of each hole."""
HOLE_OF_CUBE = {cube: hole for hole, cube in enumerate(CUBES)}


def neighbour(hole: int, direction: int, distance: int = 1) -> int | None:
    """The hole ``distance`` places away in ``direction`` (0..5), or ``None`` beyond the edge."""
    x, _, z = CUBES[hole]
    dx, dz = DIRECTIONS[direction]
    x, z = x + dx * distance, z + dz * distance
    return HOLE_OF_CUBE.get((x, -x - z, z))


NEIGHBOURS: NDArray[np.int16] = np.array(
    [
        [-1 if (n := neighbour(hole, d)) is None else n for d in range(len(DIRECTIONS))]
        for hole in HOLES
    ],
    np.int16,
)
"""[hole, direction] -> hole or -1."""


@cache
def camp_of(hole: int) -> int | None:
    """The camp in which a hole lies; ``None`` in the hexagon.

    >>> camp_of(0), camp_of(CENTRE), camp_of(parse_hole("e13"))
    (0, None, 1)
    """
    x, y, z = CUBES[hole]
    for camp, depth in enumerate((-z, x, -y, z, -x, y)):
        if depth > 4:
            return camp
    return None


@cache
def home(camp: int, pieces: int = 10) -> frozenset[int]:
    """Start holes of ``camp``: its ten holes, or with 15 pieces also the five that touch them.

    >>> sorted(HOLE_NAMES[h] for h in home(0, 15) - home(0))
    ['e5', 'e6', 'e7', 'e8', 'e9']
    """
    own = {hole for hole in HOLES if camp_of(hole) == camp}
    if pieces == 15:
        own |= {
            hole
            for hole in HOLES
            if camp_of(hole) is None
            and any(n >= 0 and camp_of(int(n)) == camp for n in NEIGHBOURS[hole])
        }
    return frozenset(own)


def opposite(camp: int) -> int:
    """The camp straight across, which is the goal.

    >>> opposite(0), opposite(4)
    (3, 1)
    """
    return (camp + 3) % 6


def rotate_hole(hole: int, sixths: int = 1) -> int:
    """The hole after turning the board clockwise by ``sixths`` of a full turn (camp A to B).

    >>> HOLE_NAMES[rotate_hole(0)], HOLE_NAMES[rotate_hole(0, 3)]
    ('e13', 'q1')
    """
    x, y, z = CUBES[hole]
    for _ in range(sixths % 6):
        x, y, z = -z, -x, -y
    return HOLE_OF_CUBE[x, y, z]


def mirror_hole(hole: int) -> int:
    """The left-right image of a hole.

    >>> HOLE_NAMES[mirror_hole(parse_hole("e1"))]
    'e13'
    """
    x, y, z = CUBES[hole]
    return HOLE_OF_CUBE[y, x, z]


def hole_name(hole: int) -> str:
    """Name of a hole.

    >>> hole_name(60)
    'i5'
    """
    return HOLE_NAMES[hole]


_BY_NAME = {name: hole for hole, name in enumerate(HOLE_NAMES)}


def parse_hole(name: str) -> int:
    """The hole of a name, either case.

    Raises:
        ValueError: there is no such hole.

    >>> parse_hole("I5")
    60
    """
    try:
        return _BY_NAME[name.lower()]
    except KeyError:
        raise ValueError(f"没有这个孔 (not a hole a1..q1): {name!r}") from None


def hole_number(hole: int | str) -> int:
    """The number 0..120 of a hole given by number or by name.

    Raises:
        ValueError: there is no such hole.

    >>> hole_number("I5"), hole_number(60)
    (60, 60)
    """
    if isinstance(hole, str):
        return parse_hole(hole)
    if not isinstance(hole, (int, np.integer)) or not 0 <= hole < len(HOLES):
        raise ValueError(f"没有这个孔 (not a hole 0..120 or a1..q1): {hole!r}")
    return int(hole)


def distance(first: int, second: int) -> int:
    """Steps between two holes on an empty board without edges.

    >>> distance(0, 120)
    16
    """
    return max(abs(a - b) for a, b in zip(CUBES[first], CUBES[second], strict=True))


TIPS = tuple(rotate_hole(0, camp) for camp in CAMPS)
"""The outermost hole of each camp."""


def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    cubes = np.array(CUBES)
    tips = cubes[[TIPS[opposite(camp)] for camp in CAMPS]]
    away = np.abs(cubes[None] - tips[:, None]).max(axis=2)
    axis = np.stack([-cubes[:, 2], cubes[:, 0], -cubes[:, 1]])
    rows = np.concatenate([8 + axis, 8 - axis])  # rows left to the goal's tip
    return away.astype(np.uint8), rows.astype(np.uint8)


GOAL_DISTANCE, GOAL_ROWS = _tables()
"""[camp, hole] -> steps, and rows along the camp's axis, to the tip of the camp's goal."""

# ---- holes as bits of four words -------------------------------------------------------------

_X_STRIDE, _Z_STRIDE = 1, 8
JUMP_SHIFTS = (1, 8, 7)
"""Left shift of a jump along axis 0, 1, 2 (right shift for the opposite direction)."""

_HALVES = [((x >> 1), (z >> 1)) for x, _, z in CUBES]
_LOWEST = min(x * _X_STRIDE + z * _Z_STRIDE for x, z in _HALVES)

HOLE_CLASS: NDArray[np.uint8] = np.array([(x & 1) + 2 * (z & 1) for x, _, z in CUBES], np.uint8)
HOLE_BIT: NDArray[np.uint8] = np.array(
    [x * _X_STRIDE + z * _Z_STRIDE - _LOWEST for x, z in _HALVES], np.uint8
)
BIT_HOLE: NDArray[np.int16] = np.full(256, -1, np.int16)
"""[64 * class + bit] -> hole."""
BIT_HOLE[64 * HOLE_CLASS.astype(int) + HOLE_BIT] = np.arange(121)

STEP_CLASSES = tuple(tuple(c ^ flip for flip in (1, 2, 3)) for c in range(4))
"""[class][axis] -> class of the neighbours along that axis."""
STEP_SHIFTS = tuple(
    (
        _X_STRIDE * (c & 1),
        _Z_STRIDE * (c >> 1),
        _Z_STRIDE * (c >> 1) - _X_STRIDE * (1 - (c & 1)),
    )
    for c in range(4)
)
"""[class][axis] -> left shift (may be negative) of a step forward along that axis."""


def words(holes: frozenset[int] | set[int] | tuple[int, ...] | range) -> list[int]:
    """A set of holes as its four words.

    >>> [bin(word).count("1") for word in words(HOLES)]
    [37, 28, 28, 28]
    """
    out = [0, 0, 0, 0]
    for hole in holes:
        out[HOLE_CLASS[hole]] |= 1 << int(HOLE_BIT[hole])
    return out


def holes_of(four: list[int] | NDArray[np.int64]) -> list[int]:
    """The holes of four words, in ascending order.

    >>> holes_of(words({5, 90}))
    [5, 90]
    """
    return [h for h in HOLES if int(four[HOLE_CLASS[h]]) >> int(HOLE_BIT[h]) & 1]


BOARD_WORDS = tuple(words(HOLES))
