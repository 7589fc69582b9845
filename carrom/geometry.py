"""The board: holes, corner circles, rows, fortress spots; seats as exact half turns.

Seat 0 sits at the bottom edge, seat 1 at the top. A player's own view is the board turned so that
the own base edge lies at the bottom; turning negates both coordinates, which is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, sqrt

from carrom.equipment import Equipment

SEATS = (0, 1)
SEAT_NAMES_ZH = ("下方", "上方")
MOTHER = "M"
FORTRESSES = ("F0", "F1")
_LETTERS = "AB"

CLEARANCE = 1e-7
"""Gap (m) left round a disc that the referee lays down."""

_COMPASS = ((1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0))

Point = tuple[float, float]
Obstacle = tuple[float, float, float]
"""x, y and radius of a disc in the way."""


def turned(x: float, y: float, seat: int) -> Point:
    """The point in the view of ``seat``, or back; half a turn for seat 1.

    >>> turned(0.1, -0.4, 1)
    (-0.1, 0.4)
    """
    return (x, y) if seat == 0 else (-x, -y)


def piece_ids(seat: int, count: int) -> tuple[str, ...]:
    """Names of the row's pieces of a seat, from the owner's left.

    >>> piece_ids(1, 3)
    ('B1', 'B2', 'B3')
    """
    return tuple(f"{_LETTERS[seat]}{k + 1}" for k in range(count))


def owner(piece: str) -> int | None:
    """Seat that a disc belongs to; ``None`` for the mother.

    >>> owner("A3"), owner("F1"), owner("M")
    (0, 1, None)
    """
    if piece == MOTHER:
        return None
    return int(piece[1]) if piece in FORTRESSES else _LETTERS.index(piece[0])


def home(piece: str, equipment: Equipment) -> Point:
    """Start place of a piece, in board coordinates."""
    seat = owner(piece)
    assert seat is not None
    half = equipment.params.L / 2
    if piece in FORTRESSES:
        return turned(0.0, equipment.fortress_y - half, seat)
    k = int(piece[1:]) - 1
    step = 2 * equipment.piece_radius + equipment.row_gap
    x = (k - (equipment.pieces - 1) / 2) * step
    return turned(x, -(half - equipment.piece_radius), seat)


def base_middle(seat: int, equipment: Equipment) -> Point:
    """Middle of the seat's base edge, where a penalty piece is put (S0-KL-5)."""
    return turned(0.0, -(equipment.params.L / 2 - equipment.piece_radius), seat)


def circle_centre(seat: int, equipment: Equipment) -> Point:
    """Centre of the corner circle at the striker's right (S0-KL-13), in board coordinates.

    >>> from carrom.equipment import PRESETS
    >>> circle_centre(0, PRESETS["club"])
    (0.38, -0.38)
    """
    at = equipment.params.L / 2 - equipment.circle_inset
    return turned(at, -at, seat)


def hole_centres(equipment: Equipment) -> tuple[Point, ...]:
    """Centres of the four holes: bottom-left, bottom-right, top-right, top-left."""
    at = equipment.params.L / 2 - equipment.params.rp
    return ((-at, -at), (at, -at), (at, at), (-at, at))


def before_base_line(y: float, seat: int, equipment: Equipment) -> bool:
    """Whether a centre at ``y`` (board) has not crossed the base line of ``seat`` (first side)."""
    own = y if seat == 0 else -y
    return own < -(equipment.params.L / 2) + equipment.base_line


def is_free(x: float, y: float, radius: float, others: Iterable[Obstacle], e: Equipment) -> bool:
    """Whether a disc laid at the point overlaps nothing and does not hang over a hole."""
    half = e.params.L / 2
    if max(abs(x), abs(y)) + radius > half + 1e-12:
        return False
    if any(hypot(x - hx, y - hy) <= e.params.rp for hx, hy in hole_centres(e)):
        return False
    return all(hypot(x - ox, y - oy) >= radius + r for ox, oy, r in others)


def _crossings(a: Obstacle, b: Obstacle) -> list[Point]:
    """Points in which two circles (centre, radius) cut each other."""
    (ax, ay, ar), (bx, by, br) = a, b
    dx, dy = bx - ax, by - ay
    d = hypot(dx, dy)
    if d == 0.0 or d > ar + br or d < abs(ar - br):
        return []
    along = (d * d + ar * ar - br * br) / (2 * d)
    across = sqrt(max(0.0, ar * ar - along * along))
    ux, uy = dx / d, dy / d
    mx, my = ax + along * ux, ay + along * uy
    return [(mx - across * uy, my + across * ux), (mx + across * uy, my - across * ux)]


def nearest_free(
    x: float,
    y: float,
    radius: float,
    others: Iterable[Obstacle],
    equipment: Equipment,
    seat: int,
    *,
    along_edge: bool = False,
) -> Point:
    """The free place for a disc that is nearest to (x, y), exactly.

    Of places equally near, the one on the right of ``seat`` is taken.

    Args:
        others: the discs on the board.
        along_edge: look along the seat's base edge first (penalty pieces).
    """
    blocks = list(others)
    half = equipment.params.L / 2
    tx, ty = turned(x, y, seat)
    own = [(*turned(ox, oy, seat), radius + r + CLEARANCE) for ox, oy, r in blocks]
    own += [(hx, hy, equipment.params.rp + CLEARANCE) for hx, hy in hole_centres(equipment)]
    limit = half - radius
    edge: list[Point] = [(tx, ty)]
    for ox, oy, reach in own:
        inside = reach * reach - (ty - oy) ** 2
        if inside >= 0:
            edge += [(ox + sqrt(inside), ty), (ox - sqrt(inside), ty)]
    wide: list[Point] = []
    for i, (ox, oy, reach) in enumerate(own):
        d = hypot(tx - ox, ty - oy)
        if d > 0:
            wide.append((ox + (tx - ox) / d * reach, oy + (ty - oy) / d * reach))
        else:  # every direction is equally near
            wide += [(tx + dx * reach, ty + dy * reach) for dx, dy in _COMPASS]
        for other in own[i + 1 :]:
            wide += _crossings((ox, oy, reach), other)
        for wall in (-limit, limit):
            if abs(wall - oy) <= reach:
                side = sqrt(reach * reach - (wall - oy) ** 2)
                wide += [(ox + side, wall), (ox - side, wall)]
            if abs(wall - ox) <= reach:
                side = sqrt(reach * reach - (wall - ox) ** 2)
                wide += [(wall, oy + side), (wall, oy - side)]
    for candidates in (edge, wide) if along_edge else ([(tx, ty)], wide):
        ordered = sorted(candidates, key=lambda p: (hypot(p[0] - tx, p[1] - ty), -p[0], p[1]))
        for px, py in ordered:
            bx, by = turned(px, py, seat)
            if is_free(bx, by, radius, blocks, equipment):
                return bx, by
    raise AssertionError("a board has room for its own pieces")
