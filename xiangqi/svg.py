"""A picture of a position as SVG, in the form that an arbiter would print.

Nothing depends on colour: Red's pieces are light with a double ring, Black's are dark with a
single one, and the two sides have different characters where the sets have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from xml.etree import ElementTree as ET

from xiangqi.diagram import BLACK_FILES, RED_FILES, piece_list
from xiangqi.geometry import BLACK, COLOR_NAMES_ZH, FILE_NAMES, RED, SQUARES, square_name
from xiangqi.pieces import NAMES_ZH, Piece

TRADITIONAL = (" 帥仕相傌俥炮兵", " 將士象馬車砲卒")
SCRIPTS = {"simplified": (NAMES_ZH, "楚河", "汉界"), "traditional": (TRADITIONAL, "楚河", "漢界")}

_STEP, _MARGIN, _RADIUS = 50, 58, 22
_FONT = "Noto Serif CJK SC, Source Han Serif SC, STSong, SimSun, serif"
_INK, _RED_INK, _PAPER, _MARK = "#1a1a1a", "#a31515", "#fffdf5", "#0b57a4"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CAMPS = (*range(27, 36, 2), *range(54, 63, 2), 19, 25, 64, 70)
"""Points that carry the little corners: where pawns and cannons begin."""


@dataclass(frozen=True)
class Arrow:
    """An arrow between two points.

    Attributes:
        tail: point where it begins.
        head: point where it ends.
        color: any SVG colour.
    """

    tail: int
    head: int
    color: str = _MARK


def board_svg(
    codes: Sequence[int],
    turn: int | None = None,
    *,
    last_move: tuple[int, int] | None = None,
    arrows: Iterable[Arrow | tuple[int, int]] = (),
    marks: Iterable[int] = (),
    check: int | None = None,
    flipped: bool = False,
    coordinates: bool = False,
    script: str = "simplified",
    caption: str = "",
    size: int | None = None,
) -> str:
    """A position as an SVG document (a string that begins with ``<svg``).

    Args:
        codes: piece codes of the 90 points, 0 = empty.
        turn: side to move, told in the description; None leaves it out.
        last_move: its two points: a dashed ring where it came from, corners where it went.
        arrows: :class:`Arrow` or pairs of points.
        marks: points to frame with a square.
        check: point of a general in check: a rayed ring.
        flipped: Black at the bottom.
        coordinates: letters a-i and digits 0-9 as well as the Chinese file numbers.
        script: ``"simplified"`` or ``"traditional"`` (帥俥傌 / 將車馬, no character twice).
        caption: a line below the board.
        size: width in pixels; without it the picture fills what it is put in.

    Raises:
        ValueError: a point off the board or an unknown script.

    >>> text = board_svg([1] + [0] * 89, caption="<例>")
    >>> text.startswith("<svg"), "&lt;例&gt;" in text, "帅" in text
    (True, True, True)
    """
    if script not in SCRIPTS:
        raise ValueError(f"字体只有 (no such script; known): {', '.join(SCRIPTS)}: {script!r}")
    drawn = [arrow if isinstance(arrow, Arrow) else Arrow(*arrow) for arrow in arrows]
    marks = tuple(marks)
    points = [*marks, *(last_move or ()), *(p for a in drawn for p in (a.tail, a.head))]
    for sq in points if check is None else [*points, check]:
        if sq not in SQUARES:
            raise ValueError(f"没有这个交叉点 (not a point 0..89): {sq!r}")
    codes = [int(code) for code in codes]

    width = 8 * _STEP + 2 * _MARGIN
    height = 9 * _STEP + 2 * _MARGIN + (34 if caption else 0)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "aria-label": _clean(caption) or "象棋局面",
        },
    )
    if size is not None:
        root.set("width", str(size))
        root.set("height", str(round(size * height / width)))
    ET.SubElement(root, "title").text = _clean(caption) or "象棋局面"
    ET.SubElement(root, "desc").text = _description(codes, turn, last_move, check)
    ET.SubElement(
        root, "rect", {"width": str(width), "height": str(height), "fill": _PAPER, "class": "paper"}
    )
    _draw_lines(root)
    names, *river = SCRIPTS[script]
    _draw_river(root, river, flipped)
    _draw_labels(root, flipped, coordinates)
    for sq in SQUARES:
        if codes[sq]:
            _draw_piece(root, sq, Piece.from_code(codes[sq]), names, flipped)
    if last_move is not None:
        _draw_last_move(root, last_move, flipped)
    for sq in marks:
        x, y = _place(sq, flipped)
        _shape(
            root,
            "rect",
            {"x": x - 24, "y": y - 24, "width": 48, "height": 48, "class": "mark"},
            _MARK,
            2.5,
        )
    if check is not None:
        _draw_check(root, check, flipped)
    for arrow in drawn:
        _draw_arrow(root, arrow, flipped)
    if caption:
        _text(root, width / 2, height - 14, _clean(caption), 18, _INK, "caption")
    return ET.tostring(root, encoding="unicode")


def _clean(text: str) -> str:
    """Characters that XML 1.0 cannot hold are replaced; the rest is escaped by ElementTree."""
    return _NOT_XML.sub("\ufffd", text)


def _description(
    codes: Sequence[int],
    turn: int | None,
    last_move: tuple[int, int] | None,
    check: int | None,
) -> str:
    parts = [f"{COLOR_NAMES_ZH[color]}方：{piece_list(codes, color)}。" for color in (RED, BLACK)]
    if last_move is not None:
        parts.append(f"上一步：{square_name(last_move[0])} 到 {square_name(last_move[1])}。")
    if check is not None:
        parts.append(f"{square_name(check)} 被将军。")
    if turn is not None:
        parts.append(f"轮到{COLOR_NAMES_ZH[turn]}方走棋。")
    return "".join(parts)


def _place(sq: int, flipped: bool) -> tuple[float, float]:
    """Centre of a point in the picture."""
    file, rank = sq % 9, sq // 9
    column, row = (8 - file, rank) if flipped else (file, 9 - rank)
    return _MARGIN + _STEP * column, _MARGIN + _STEP * row


def _shape(
    parent: ET.Element,
    tag: str,
    attributes: dict[str, object],
    stroke: str,
    width: float,
    fill: str = "none",
) -> ET.Element:
    values = {name: _number(value) for name, value in attributes.items()}
    return ET.SubElement(
        parent, tag, {**values, "stroke": stroke, "stroke-width": _number(width), "fill": fill}
    )


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _path(
    parent: ET.Element, data: str, css_class: str, stroke: str = _INK, width: float = 1.2
) -> None:
    _shape(parent, "path", {"d": data, "class": css_class}, stroke, width)


def _text(
    parent: ET.Element,
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str,
    css_class: str,
) -> None:
    ET.SubElement(
        parent,
        "text",
        {
            "x": _number(float(x)),
            "y": _number(float(y)),
            "font-size": _number(float(size)),
            "font-family": _FONT,
            "fill": fill,
            "text-anchor": "middle",
            "class": css_class,
        },
    ).text = text


def _draw_lines(root: ET.Element) -> None:
    left, top = _MARGIN, _MARGIN
    right, bottom = left + 8 * _STEP, top + 9 * _STEP
    north, south = top + 4 * _STEP, top + 5 * _STEP
    lines = [f"M{left} {top + _STEP * row}H{right}" for row in range(10)]
    for column in range(1, 8):
        x = left + _STEP * column
        lines.append(f"M{x} {top}V{north}M{x} {south}V{bottom}")
    lines.append(f"M{left} {top}V{bottom}M{right} {top}V{bottom}")
    a, b = left + 3 * _STEP, left + 5 * _STEP
    for y in (top, bottom - 2 * _STEP):
        lines.append(f"M{a} {y}L{b} {y + 2 * _STEP}M{b} {y}L{a} {y + 2 * _STEP}")
    _path(root, "".join(lines), "lines")
    _path(
        root,
        f"M{left - 6} {top - 6}H{right + 6}V{bottom + 6}H{left - 6}Z",
        "frame",
        width=2.5,
    )
    corners = []
    for sq in _CAMPS:
        px, py = _place(sq, False)
        for dx in (-1, 1):
            if not left <= px + dx * _STEP <= right:
                continue
            for dy in (-1, 1):
                corners.append(
                    f"M{px + 4 * dx:g} {py + 12 * dy:g}V{py + 4 * dy:g}H{px + 12 * dx:g}"
                )
    _path(root, "".join(corners), "camps")


def _draw_river(root: ET.Element, words: Sequence[str], flipped: bool) -> None:
    y = _MARGIN + 4.5 * _STEP + 9
    for word, middle in zip(words[::-1] if flipped else words, (2, 6), strict=True):
        for letter, dx in zip(word, (-20, 20), strict=True):
            x = _MARGIN + _STEP * middle + dx
            _text(root, x, y, letter, 26, _INK, "river")


def _draw_labels(root: ET.Element, flipped: bool, coordinates: bool) -> None:
    order = range(8, -1, -1) if flipped else range(9)
    top, bottom = (RED_FILES, BLACK_FILES) if flipped else (BLACK_FILES, RED_FILES)
    end = _MARGIN + 9 * _STEP
    for column, file in enumerate(order):
        x = _MARGIN + _STEP * column
        _text(root, x, _MARGIN - 38, top[file], 14, _INK, "file")
        _text(root, x, end + 46, bottom[file], 14, _INK, "file")
        if coordinates:
            _text(root, x + 17, end + 46, FILE_NAMES[file], 11, "#555", "coordinate")
    if coordinates:
        for row in range(10):
            rank = row if flipped else 9 - row
            y = _MARGIN + _STEP * row + 4
            _text(root, _MARGIN - 40, y, str(rank), 11, "#555", "coordinate")


def _draw_piece(
    root: ET.Element, sq: int, piece: Piece, names: Sequence[str], flipped: bool
) -> None:
    x, y = _place(sq, flipped)
    side = ("red", "black")[piece.color]
    group = ET.SubElement(root, "g", {"class": f"piece {side}", "data-square": square_name(sq)})
    if piece.color == RED:
        ink, fill = _RED_INK, "#fff"
        _shape(group, "circle", {"cx": x, "cy": y, "r": _RADIUS}, ink, 2, fill)
        _shape(group, "circle", {"cx": x, "cy": y, "r": _RADIUS - 4}, ink, 1)
    else:
        ink, fill = "#fff", _INK
        _shape(group, "circle", {"cx": x, "cy": y, "r": _RADIUS}, _INK, 2, fill)
    _text(group, x, y + 9, names[piece.color][piece.piece_type], 25, ink, "name")
    group[-1].set("font-weight", "bold")


def _draw_last_move(root: ET.Element, move: tuple[int, int], flipped: bool) -> None:
    x, y = _place(move[0], flipped)
    _shape(
        root,
        "circle",
        {"cx": x, "cy": y, "r": 15, "stroke-dasharray": "5 4", "class": "last-from"},
        _MARK,
        2.5,
    )
    x, y = _place(move[1], flipped)
    corners = "".join(
        f"M{x + 25 * dx:g} {y + 15 * dy:g}V{y + 25 * dy:g}H{x + 15 * dx:g}"
        for dx in (-1, 1)
        for dy in (-1, 1)
    )
    _path(root, corners, "last-to", _MARK, 3)


def _draw_check(root: ET.Element, sq: int, flipped: bool) -> None:
    x, y = _place(sq, flipped)
    rays = []
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1), (0.7071, 0.7071), (-0.7071, 0.7071),
                   (0.7071, -0.7071), (-0.7071, -0.7071)):  # fmt: skip
        rays.append(f"M{x + 28 * dx:.1f} {y + 28 * dy:.1f}L{x + 34 * dx:.1f} {y + 34 * dy:.1f}")
    _shape(root, "circle", {"cx": x, "cy": y, "r": 26, "class": "check"}, "#c40000", 3)
    _path(root, "".join(rays), "check", "#c40000", 3)


def _draw_arrow(root: ET.Element, arrow: Arrow, flipped: bool) -> None:
    (x0, y0), (x1, y1) = _place(arrow.tail, flipped), _place(arrow.head, flipped)
    length = hypot(x1 - x0, y1 - y0)
    color = _clean(arrow.color)
    if not length:
        _shape(root, "circle", {"cx": x0, "cy": y0, "r": 25, "class": "arrow"}, color, 4)
        return
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    tip_x, tip_y = x1 - 8 * ux, y1 - 8 * uy
    base_x, base_y = tip_x - 16 * ux, tip_y - 16 * uy
    group = ET.SubElement(root, "g", {"class": "arrow", "opacity": "0.8"})
    _path(group, f"M{x0:.1f} {y0:.1f}L{base_x:.1f} {base_y:.1f}", "shaft", color, 5)
    head = (
        f"M{tip_x:.1f} {tip_y:.1f}L{base_x - 8 * uy:.1f} {base_y + 8 * ux:.1f}"
        f"L{base_x + 8 * uy:.1f} {base_y - 8 * ux:.1f}Z"
    )
    _shape(group, "path", {"d": head}, color, 1, color)
