"""The two boards as graphs: points, roads, rail lines, and the tables that kernels walk.

A zone has six rows of five points; row 1 is the front and column 1 the owner's left. Point number
= 30 * zone + 5 * row + column (from 0); the nine centre points follow. Both boards use the same
numbers, so a point has one name everywhere: ``S11`` to ``W65``, ``C11`` to ``C33``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from operator import index
from reprlib import repr as short
from typing import Any

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.layout import CAMP, HQ, POINTS, STATION
from qikit.errors import InvalidMove

ZONES = "SENW"
"""Zone letters in the order of play: counter-clockwise on the screen."""
ZONE_NAMES_ZH = "南东北西"
CENTRE = 120
CAMPS = frozenset({6, 8, 12, 16, 18})
"""Offsets of the camps inside a zone."""
HEADQUARTERS = (26, 28)
"""Offsets of the headquarters inside a zone."""
SETUP_ORDER = tuple(offset for offset in range(30) if offset not in CAMPS)
"""Offsets in the order of an army's 25 letters: front to back, left to right, camps skipped."""

Line = tuple[int, ...]


def _name(point: int) -> str:
    if point >= CENTRE:
        return f"C{(point - CENTRE) // 3 + 1}{(point - CENTRE) % 3 + 1}"
    zone, offset = divmod(point, 30)
    return f"{ZONES[zone]}{offset // 5 + 1}{offset % 5 + 1}"


POINT_NAMES = tuple(_name(point) for point in range(POINTS))
_NUMBERS = {name: point for point, name in enumerate(POINT_NAMES)}


def point_name(point: int) -> str:
    """The name of a point.

    >>> point_name(0), point_name(124)
    ('S11', 'C22')
    """
    return POINT_NAMES[point]


def parse_point(text: str) -> int:
    """The point of that name.

    Raises:
        InvalidMove: no such point.

    >>> parse_point("W65")
    119
    """
    point = _NUMBERS.get(text.strip().upper())
    if point is None:
        raise InvalidMove(
            f"没有这个点 (no such point, S11 … W65 or C11 … C33): {text!r}", text=text
        )
    return point


def _whole(number: Any) -> int | None:
    """A whole number of Python's or NumPy's as plain int; None for all else, truth values too."""
    try:
        return None if isinstance(number, bool) else index(number)
    except TypeError:
        return None


def seat_number(seat: object, seats: int) -> int:
    """A seat as plain int: the one check of all that takes a seat.

    Args:
        seat: a whole number, NumPy's too; no truth value, fraction or text.
        seats: how many seats there are.

    Raises:
        ValueError: no such seat.

    >>> seat_number(np.int8(3), 4)
    3
    >>> seat_number(True, 4)
    Traceback (most recent call last):
        ...
    ValueError: 没有座位 True (no such seat): 座位是 0 到 3 的整数 (a whole number 0..3)
    """
    number = _whole(seat)
    if number is None or number not in range(seats):
        most = seats - 1
        raise ValueError(
            f"没有座位 {short(seat)} (no such seat): "
            f"座位是 0 到 {most} 的整数 (a whole number 0..{most})"
        )
    return number


def point_number(point: int | str) -> int:
    """The number of a point that is given by number or name.

    Raises:
        InvalidMove: no such point.

    >>> point_number("W65"), point_number(119)
    (119, 119)
    """
    if isinstance(point, str):
        return parse_point(point)
    number = _whole(point)
    if number is None or number not in range(len(POINT_NAMES)):
        raise InvalidMove(f"没有这个点 (no such point): {short(point)}", text=short(point))
    return number


def coordinates(point: int) -> tuple[int, int]:
    """x to the right and y down, 0..16, South at the bottom.

    >>> coordinates(0), coordinates(30), coordinates(124)
    ((6, 11), (11, 10), (8, 8))
    """
    if point >= CENTRE:
        return 6 + 2 * ((point - CENTRE) % 3), 6 + 2 * ((point - CENTRE) // 3)
    zone, offset = divmod(point, 30)
    dx, dy = offset % 5 - 2, offset // 5 + 3
    for _ in range(zone):
        dx, dy = dy, -dx
    return 8 + dx, 8 + dy


def type_of(point: int) -> int:
    """``STATION``, ``CAMP`` or ``HQ``."""
    if point >= CENTRE:
        return STATION
    offset = point % 30
    return CAMP if offset in CAMPS else HQ if offset in HEADQUARTERS else STATION


def _column(zone: int, column: int) -> Line:
    """A zone's column from the rear rail to the front."""
    return tuple(30 * zone + 5 * row + column for row in (4, 3, 2, 1, 0))


def _opposite_columns(zone: int, other: int, between: tuple[Line, Line]) -> Iterator[Line]:
    """The two lines that join the outer columns of opposite zones."""
    for column, points in ((0, between[0]), (4, between[1])):
        yield (*_column(zone, column), *points, *_column(other, 4 - column)[::-1])


def _centre(*cells: tuple[int, int]) -> Line:
    return tuple(CENTRE + 3 * y + x for y, x in cells)


@dataclass(frozen=True)
class BoardMap:
    """One board.

    Attributes:
        name: ``siguo129`` or ``luzhan60``.
        name_zh: the game's name.
        zones: the zone (0..3 = S, E, N, W) of each seat.
        lines: rail lines as points in order.
    """

    name: str
    name_zh: str
    zones: tuple[int, ...]
    lines: tuple[Line, ...]

    @property
    def seats(self) -> int:
        """Number of seats, two or four; seats of the same parity are a team."""
        return len(self.zones)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The points of this board."""
        own = [point for zone in self.zones for point in range(30 * zone, 30 * zone + 30)]
        return (*own, *(range(CENTRE, POINTS) if self.seats == 4 else ()))

    @cached_property
    def rails(self) -> frozenset[tuple[int, int]]:
        """Links along rails, the lower number first."""
        return frozenset((min(pair), max(pair)) for line in self.lines for pair in pairwise(line))

    @cached_property
    def roads(self) -> frozenset[tuple[int, int]]:
        """Links that are road only: neighbours inside a zone, and the diagonals of camps."""
        found = set()
        for zone in self.zones:
            for offset in range(30):
                row, column = divmod(offset, 5)
                for r, c in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if row + r > 5 or not 0 <= column + c < 5:
                        continue
                    other = offset + 5 * r + c
                    if (r and c) and not {offset, other} & CAMPS:
                        continue
                    found.add((30 * zone + offset, 30 * zone + other))
        return frozenset(found) - self.rails

    def home(self, seat: int) -> tuple[int, ...]:
        """The 25 points where a seat's army is set up, in the order of its letters.

        Raises:
            ValueError: no such seat.
        """
        zone = self.zones[seat_number(seat, self.seats)]
        return tuple(30 * zone + offset for offset in SETUP_ORDER)

    def seat_of(self, point: int) -> int | None:
        """The seat in whose zone a point lies; None for the centre."""
        return None if point >= CENTRE else self.zones.index(point // 30)

    def seat_name(self, seat: int) -> str:
        """What people call a seat: ``南``.

        Raises:
            ValueError: no such seat.
        """
        return ZONE_NAMES_ZH[self.zones[seat_number(seat, self.seats)]]

    def neighbours(self, links: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
        """Every point's neighbours by some links, sorted."""
        found: dict[int, list[int]] = {point: [] for point in self.points}
        for a, b in links:
            found[a].append(b)
            found[b].append(a)
        return {point: sorted(near) for point, near in found.items()}

    @cached_property
    def tables(self) -> NDArray[np.int64]:
        """The map as kernels read it (layout.py); not to be changed."""
        roads, near = self.neighbours(self.roads), self.neighbours(self.rails)
        lists: list[int] = []
        head = np.full(layout.LISTS, -1, np.int64)
        head[layout.SEATS] = self.seats
        for point in range(POINTS):
            head[layout.TYPE + point] = type_of(point)
            head[layout.FIRST + point] = layout.LISTS + len(lists)
            for other in roads.get(point, ()):
                lists += [other, layout.LISTS + len(lists) + 2]
            head[layout.ROADS_END + point] = layout.LISTS + len(lists)
            _plant(_branches(self.lines, point), lists)
        head[layout.FIRST + POINTS] = layout.LISTS + len(lists)
        for point in range(POINTS):
            head[layout.NEAR + point] = layout.LISTS + len(lists)
            lists += near.get(point, [])
        head[layout.NEAR + POINTS] = layout.LISTS + len(lists)
        on_rails = [point for point in self.points if near[point]]
        for number, point in enumerate(on_rails):
            head[layout.RAIL + point] = number
            head[layout.RAIL_POINT + number] = point
        for number, point in enumerate(on_rails):
            words = [0, 0]
            for other in near[point]:
                word, bit = divmod(int(head[layout.RAIL + other]), layout.RAIL_WORD)
                words[word] |= 1 << bit
            head[layout.LINKS + 2 * number : layout.LINKS + 2 * number + 2] = words
        return np.concatenate([head, np.array(lists, np.int64)])


_Tree = dict[int, "_Tree"]


def _branches(lines: tuple[Line, ...], point: int) -> _Tree:
    """The lines through a point as one tree: what two of them share is walked once."""
    tree: _Tree = {}
    for line in lines:
        if point in line:
            at = line.index(point)
            for way in (line[at + 1 :], line[:at][::-1]):
                node = tree
                for step in way:
                    node = node.setdefault(step, {})
    return tree


def _plant(tree: _Tree, lists: list[int]) -> None:
    """Append the tree in preorder; the second number of a pair leads past the branch."""
    for step, branch in tree.items():
        at = len(lists)
        lists += [step, 0]
        _plant(branch, lists)
        lists[at + 1] = layout.LISTS + len(lists)


def _siguo() -> BoardMap:
    rows = [tuple(30 * z + 5 * row + c for c in range(5)) for z in range(4) for row in (0, 4)]
    south_north = _opposite_columns(
        0, 2, (_centre((2, 0), (1, 0), (0, 0)), _centre((2, 2), (1, 2), (0, 2)))
    )
    west_east = _opposite_columns(
        3, 1, (_centre((0, 0), (0, 1), (0, 2)), _centre((2, 0), (2, 1), (2, 2)))
    )
    middle = [
        (2, *_centre((2, 1), (1, 1), (0, 1)), 62),
        (92, *_centre((1, 0), (1, 1), (1, 2)), 32),
    ]
    arcs = [(*_column(z, 4), *_column((z + 1) % 4, 0)[::-1]) for z in range(4)]
    return BoardMap(
        "siguo129", "四国军棋", (0, 1, 2, 3), (*rows, *south_north, *west_east, *middle, *arcs)
    )


def _luzhan() -> BoardMap:
    rows = [tuple(30 * z + 5 * row + c for c in range(5)) for z in (0, 2) for row in (0, 4)]
    return BoardMap(
        "luzhan60", "陆战棋", (0, 2), (*rows, *_opposite_columns(0, 2, ((), ())), (2, 62))
    )


BOARD_NAMES = ("siguo129", "luzhan60")


@cache
def board_map(name: str) -> BoardMap:
    """The board of that name.

    Raises:
        ValueError: no such board.

    >>> board_map("siguo129").seats, len(board_map("luzhan60").points)
    (4, 60)
    """
    if name == "siguo129":
        return _siguo()
    if name == "luzhan60":
        return _luzhan()
    raise ValueError(f"没有棋盘 {name!r} (no such board); 现有 (known): {', '.join(BOARD_NAMES)}")
