"""A picture of a position as SVG: colour-blind-safe colours, the side's character on each piece.

The four colours keep a CAM02-UCS distance of 31 in the worst pair of the worst kind of colour
blindness; 南东北西 on the pieces tells the sides apart without any colour. A piece whose kind is
not given shows nothing but its side: what the viewer must not see is not in the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from junqi import geometry
from junqi.geometry import (
    ZONE_NAMES_ZH,
    BoardMap,
    point_name,
    type_of,
)
from junqi.layout import CAMP, HQ
from junqi.pieces import NAMES_ZH

COLORS = ("#C8400A", "#7FD1C2", "#123A7A", "#F5D22E")
"""Piece colours of zones S, E, N, W."""
INK = ("#FFFFFF", "#101010", "#FFFFFF", "#101010")
"""Colour of the characters on them."""
BOARD, LINE, SPOT = "#F5EBD8", "#6B5B45", "#FFFDF6"
LAST = "#B0006A"
FONT = "'Noto Sans CJK SC','Source Han Sans SC','Microsoft YaHei','PingFang SC',sans-serif"

PITCH = 48.0
WIDE, HIGH = 42.0, 32.0
"""Size of a piece."""


def _place(board: BoardMap, point: int, bottom: int) -> tuple[float, float]:
    """Column and row of a point from the middle of the board, ``bottom``'s zone below."""
    x, y = geometry.coordinates(point)
    dx, dy = x - 8, y - 8
    for _ in range(board.zones[bottom]):
        dx, dy = -dy, dx
    if board.seats == 2:  # the two fronts are one gap apart, not a whole centre
        return dx, dy - 2.25 * (1 if dy > 0 else -1)
    return dx, dy


def picture_size(board: BoardMap) -> tuple[float, float]:
    """Width and height of the picture.

    >>> from junqi.geometry import board_map
    >>> picture_size(board_map("siguo129"))
    (864.0, 864.0)
    """
    across, down = (18.0, 18.0) if board.seats == 4 else (6.0, 13.5)
    return across * PITCH, down * PITCH


def point_place(board: BoardMap, point: int, bottom: int = 0) -> tuple[float, float]:
    """Centre of a point in the picture (x right, y down).

    >>> from junqi.geometry import board_map
    >>> point_place(board_map("siguo129"), 124)
    (432.0, 432.0)
    """
    width, height = picture_size(board)
    x, y = _place(board, point, bottom)
    return width / 2 + x * PITCH, height / 2 + y * PITCH


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _line(parent: ET.Element, a: tuple[float, float], b: tuple[float, float]) -> None:
    ends = {"x1": a[0], "y1": a[1], "x2": b[0], "y2": b[1]}
    ET.SubElement(parent, "line", {key: _number(value) for key, value in ends.items()})


def _box(
    parent: ET.Element, centre: tuple[float, float], size: tuple[float, float], **style: str
) -> ET.Element:
    values = {
        "x": centre[0] - size[0] / 2,
        "y": centre[1] - size[1] / 2,
        "width": size[0],
        "height": size[1],
    }
    attributes = {key: _number(value) for key, value in values.items()}
    attributes |= {key.replace("_", "-"): value for key, value in style.items()}
    return ET.SubElement(parent, "rect", attributes)


def _text(parent: ET.Element, x: float, y: float, text: str, size: float, fill: str) -> None:
    element = ET.SubElement(
        parent,
        "text",
        {"x": _number(x), "y": _number(y), "font-size": _number(size), "fill": fill},
    )
    element.text = text


def board_svg(
    board: BoardMap,
    pieces: Mapping[int, tuple[int, int]],
    *,
    last: Sequence[int] = (),
    targets: Sequence[int] = (),
    selected: int | None = None,
    bottom: int = 0,
    size: int | None = None,
    coordinates: bool = False,
) -> str:
    """The picture of a position.

    Args:
        board: the board.
        pieces: point -> (seat, kind) of what the viewer sees; kind -1 = hidden from the viewer.
        last: the two points of the last move, marked at both ends.
        targets: points to mark as reachable.
        selected: point of the piece that is picked up.
        bottom: the seat whose zone is drawn at the bottom.
        size: width in pixels; None leaves it to the page.
        coordinates: write the name beside every point.

    Returns:
        One ``<svg>`` element as text.

    >>> from junqi.geometry import board_map
    >>> board_svg(board_map("luzhan60"), {0: (0, 8)}).count("工兵")
    2
    """
    width, height = picture_size(board)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_number(width)} {_number(height)}",
            "role": "img",
        },
    )
    if size is not None:
        root.set("width", str(size))
        root.set("height", str(round(size * height / width)))
    ET.SubElement(root, "title").text = f"{board.name_zh}棋盘"
    ET.SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": BOARD})
    places = {point: point_place(board, point, bottom) for point in board.points}
    _draw_links(root, board, places)
    _draw_points(root, places)
    labels = {"text-anchor": "middle", "font-family": FONT}
    for point, (seat, kind) in sorted(pieces.items()):
        _draw_piece(root, places[point], board.zones[seat], kind, point, point == selected)
    for point in last:
        _box(
            root, places[point], (WIDE + 5, HIGH + 5),
            rx="6", fill="none", stroke=LAST, stroke_width="3.5",
        )  # fmt: skip
    for point in targets:
        x, y = places[point]
        spot = {"cx": _number(x), "cy": _number(y), "r": "9", "fill": LAST, "fill-opacity": "0.6"}
        ET.SubElement(root, "circle", spot)
    if coordinates:
        names = ET.SubElement(root, "g", {**labels, "fill": LINE})
        for point, (x, y) in places.items():
            _text(names, x, y + 23, point_name(point), 8, LINE)
    return ET.tostring(root, encoding="unicode")


def _draw_links(
    root: ET.Element, board: BoardMap, places: Mapping[int, tuple[float, float]]
) -> None:
    roads = ET.SubElement(root, "g", {"stroke": LINE, "stroke-width": "1.5"})
    for a, b in sorted(board.roads):
        _line(roads, places[a], places[b])
    for color, wide, dash in (("#101010", "6", ""), (SPOT, "3", "7 7")):
        rails = ET.SubElement(root, "g", {"stroke": color, "stroke-width": wide})
        if dash:
            rails.set("stroke-dasharray", dash)
        for a, b in sorted(board.rails):
            _line(rails, places[a], places[b])


def _draw_points(root: ET.Element, places: Mapping[int, tuple[float, float]]) -> None:
    spots = ET.SubElement(root, "g", {"stroke": LINE, "stroke-width": "1.5", "fill": SPOT})
    for point, centre in places.items():
        kind = type_of(point)
        if kind == CAMP:
            spot = {"cx": _number(centre[0]), "cy": _number(centre[1]), "r": "23"}
            element = ET.SubElement(spots, "circle", {**spot, "stroke-width": "3"})
        elif kind == HQ:
            element = _box(spots, centre, (49, 39), rx="19", stroke_width="3")
        else:
            element = _box(spots, centre, (32, 20), rx="3")
        element.set("data-point", point_name(point))


def _draw_piece(
    root: ET.Element,
    centre: tuple[float, float],
    zone: int,
    kind: int,
    point: int,
    picked: bool,
) -> None:
    side, name = ZONE_NAMES_ZH[zone], NAMES_ZH[kind] if kind >= 0 else ""
    piece = ET.SubElement(
        root,
        "g",
        {"data-piece": point_name(point), "text-anchor": "middle", "font-family": FONT},
    )
    ET.SubElement(piece, "title").text = f"{side}方{name or '暗子'} {point_name(point)}"
    _box(
        piece, centre, (WIDE, HIGH), rx="5", fill=COLORS[zone],
        stroke=LAST if picked else "#101010", stroke_width="4.5" if picked else "1.5",
    )  # fmt: skip
    x, y = centre
    if name:
        _text(piece, x + 4, y + 6, name, 15, INK[zone])
        _text(piece, x - 16, y - 6, side, 8.5, INK[zone])
    else:
        _text(piece, x, y + 7, side, 19, INK[zone])
