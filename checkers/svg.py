"""A picture of a position as SVG: colour-blind-safe colours, and a shape on every piece.

The six colours form a ladder of lightness (CAM02-UCS distance of the worst pair 33 in normal
sight, 22 for tritanopes); shapes tell the camps apart without any colour. Camp ground takes the
colour of the camp, pieces that of their owner, and both turn together with the view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from checkers.geometry import (
    CAMP_LETTERS,
    CAMP_NAMES_ZH,
    HOLE_COLUMNS,
    HOLE_NAMES,
    HOLE_ROWS,
    HOLES,
    camp_of,
)

COLORS = ("#D1490C", "#FFFFFF", "#5AB4F0", "#0B3C8C", "#FFD23F", "#101010")
"""Piece colours of camps A..F; opposite camps lie far apart in lightness."""
INK = ("#FFFFFF", "#101010", "#101010", "#FFFFFF", "#101010", "#FFFFFF")
"""Colour of the mark on each piece."""
SHAPES = ("circle", "square", "triangle", "cross", "diamond", "bar")
"""Mark on the pieces of camps A..F."""
BOARD, LINE, HOLE = "#F5EBD8", "#6B5B45", "#FFFDF6"
LAST = "#B0006A"

PITCH = 40.0
_ROW_PITCH = PITCH * math.sqrt(3) / 2
SIZE = 14 * PITCH + 2 * PITCH
_CENTRE = SIZE / 2


def hole_point(hole: int, rotation: int = 0) -> tuple[float, float]:
    """Centre of a hole in the picture (x right, y down), the board turned by sixths clockwise.

    >>> hole_point(60)
    (320.0, 320.0)
    """
    x = (HOLE_COLUMNS[hole] - 12) * PITCH / 2
    y = (HOLE_ROWS[hole] - 8) * _ROW_PITCH
    angle = math.pi / 3 * rotation
    turned_x = x * math.cos(angle) - y * math.sin(angle)
    turned_y = x * math.sin(angle) + y * math.cos(angle)
    return round(_CENTRE + turned_x, 2), round(_CENTRE + turned_y, 2)


def nearest_hole(x: float, y: float, rotation: int = 0) -> int:
    """The hole nearest to a point of the picture: what a finger on a small screen means.

    >>> nearest_hole(330, 310)
    60
    """
    return min(HOLES, key=lambda h: math.dist((x, y), hole_point(h, rotation)))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _mark(parent: ET.Element, camp: int, x: float, y: float) -> None:
    """Draw the shape of a camp, about 14 units wide, on a piece."""
    ink, shape, r = INK[camp], SHAPES[camp], 7.0
    if shape == "circle":
        ring = {"cx": _number(x), "cy": _number(y), "r": "5.5", "fill": "none"}
        ET.SubElement(parent, "circle", {**ring, "stroke": ink, "stroke-width": "3"})
    elif shape in ("cross", "bar"):
        lines = [(x - r, y, x + r, y)] + ([(x, y - r, x, y + r)] if shape == "cross" else [])
        for x1, y1, x2, y2 in lines:
            ends = {"x1": _number(x1), "y1": _number(y1), "x2": _number(x2), "y2": _number(y2)}
            ET.SubElement(parent, "line", {**ends, "stroke": ink, "stroke-width": "4"})
    else:
        polygons: dict[str, list[tuple[float, float]]] = {
            "square": [(-5.5, -5.5), (5.5, -5.5), (5.5, 5.5), (-5.5, 5.5)],
            "triangle": [(0, -7.5), (7, 5), (-7, 5)],
            "diamond": [(0, -8), (7, 0), (0, 8), (-7, 0)],
        }
        corners = polygons[shape]
        ET.SubElement(
            parent,
            "polygon",
            {"points": _points([(x + a, y + b) for a, b in corners]), "fill": ink},
        )


def board_svg(
    owners: Sequence[int],
    *,
    path: Sequence[int] = (),
    targets: Sequence[int] = (),
    selected: int | None = None,
    rotation: int = 0,
    size: int | None = None,
    coordinates: bool = False,
) -> str:
    """The picture of a position.

    Args:
        owners: 121 camps of origin, -1 = empty.
        path: holes of the last turn, drawn as an arrow leg by leg.
        targets: holes to mark as reachable.
        selected: hole of the piece that is picked up.
        rotation: sixths of a clockwise turn (3 puts camp A at the bottom).
        size: width and height in pixels; None leaves it to the page.
        coordinates: write the name beside every hole.

    Returns:
        One ``<svg>`` element as text.

    >>> board_svg([-1] * 121).count("<circle")
    121
    """
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_number(SIZE)} {_number(SIZE)}",
            "role": "img",
        },
    )
    if size is not None:
        root.set("width", str(size))
        root.set("height", str(size))
    ET.SubElement(root, "title").text = "跳棋棋盘"
    ET.SubElement(root, "rect", {"width": _number(SIZE), "height": _number(SIZE), "fill": BOARD})
    ground = ET.SubElement(root, "g", {"fill-opacity": "0.35", "stroke": LINE})
    for camp in range(6):
        corners = _camp_corners(camp, rotation)
        ET.SubElement(ground, "polygon", {"points": _points(corners), "fill": COLORS[camp]})
    holes = ET.SubElement(root, "g", {"stroke": LINE, "stroke-width": "1.5", "fill": HOLE})
    for hole in HOLES:
        x, y = hole_point(hole, rotation)
        spot = {"cx": _number(x), "cy": _number(y), "r": "15"}
        ET.SubElement(holes, "circle", {**spot, "data-hole": HOLE_NAMES[hole]})
    for hole in targets:
        x, y = hole_point(hole, rotation)
        ET.SubElement(
            root,
            "circle",
            {"cx": _number(x), "cy": _number(y), "r": "9", "fill": LAST, "fill-opacity": "0.6"},
        )
    for hole, camp in enumerate(owners):
        if camp >= 0:
            x, y = hole_point(hole, rotation)
            piece = ET.SubElement(
                root, "g", {"data-piece": f"{CAMP_LETTERS[camp]}{HOLE_NAMES[hole]}"}
            )
            ET.SubElement(piece, "title").text = f"{CAMP_NAMES_ZH[camp]}方 {HOLE_NAMES[hole]}"
            disc = {"cx": _number(x), "cy": _number(y), "r": "16", "fill": COLORS[camp]}
            picked = hole == selected
            rim = {
                "stroke": LAST if picked else "#101010",
                "stroke-width": "5" if picked else "1.5",
            }
            ET.SubElement(piece, "circle", {**disc, **rim})
            _mark(piece, camp, x, y)
    if len(path) > 1:
        _arrow(root, [hole_point(hole, rotation) for hole in path])
    if coordinates:
        names = ET.SubElement(root, "g", {"font-size": "9", "text-anchor": "middle", "fill": LINE})
        for hole in HOLES:
            x, y = hole_point(hole, rotation)
            text = ET.SubElement(names, "text", {"x": _number(x), "y": _number(y + 24)})
            text.text = HOLE_NAMES[hole]
    return ET.tostring(root, encoding="unicode")


def _camp_corners(camp: int, rotation: int) -> list[tuple[float, float]]:
    """Corners of a camp's triangle: its three outermost holes, moved a little outwards."""
    mine = [hole_point(hole, rotation) for hole in HOLES if camp_of(hole) == camp]
    cx = sum(x for x, _ in mine) / len(mine)
    cy = sum(y for _, y in mine) / len(mine)
    far = sorted(mine, key=lambda p: -math.dist(p, (cx, cy)))[:3]
    far.sort(key=lambda p: math.atan2(p[1] - cy, p[0] - cx))
    return [(cx + (x - cx) * 1.45, cy + (y - cy) * 1.45) for x, y in far]


def _arrow(root: ET.Element, points: list[tuple[float, float]]) -> None:
    """A line through the points with a head at the last one."""
    (x0, y0), (x1, y1) = points[-2:]
    length = math.dist((x0, y0), (x1, y1))
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    tip = (x1 - 4 * ux, y1 - 4 * uy)
    neck = (x1 - 16 * ux, y1 - 16 * uy)
    style = {"stroke": LAST, "stroke-width": "4", "stroke-linejoin": "round", "fill": "none"}
    ET.SubElement(root, "polyline", {"points": _points([*points[:-1], neck]), **style})
    head = [
        tip,
        (neck[0] - 7 * uy, neck[1] + 7 * ux),
        (neck[0] + 7 * uy, neck[1] - 7 * ux),
    ]
    ET.SubElement(root, "polygon", {"points": _points(head), "fill": LAST})
