"""Pictures of a table and of a shot, as SVG.

Colours differ in lightness too, and pieces carry a mark, so that the sides can be told apart
without colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from carrom.equipment import Equipment
from carrom.geometry import FORTRESSES, MOTHER, circle_centre, hole_centres, owner
from carrom.physics import Shot

if TYPE_CHECKING:
    from carrom.board import Table

UNIT = 600.0
"""Pixels of a metre."""
FRAME = 0.05
"""Width of the wooden frame, m."""
WOOD, FELT, LINE, HOLE = "#7a4a21", "#f0d9a8", "#8a6a3a", "#2a2018"
FILLS = ("#c0392b", "#1f4e79")
"""Pieces of seat 0 (light mark on red) and seat 1 (on dark blue)."""
MOTHER_FILL = "#fdf6e3"
PATHS = ("#8e1f14", "#123456", "#5b5b5b")
"""Lines of a shot: seat 0, seat 1, mother."""
ET.register_namespace("", "http://www.w3.org/2000/svg")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class _Picture:
    """An SVG under construction; takes board coordinates in metres."""

    def __init__(self, half: float, title: str) -> None:
        self.edge = half + FRAME
        size = _number(2 * self.edge * UNIT)
        self.root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": size,
                "height": size,
                "viewBox": f"0 0 {size} {size}",
                "font-family": "Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif",
            },
        )
        ET.SubElement(self.root, "title").text = title

    def at(self, x: float, y: float) -> tuple[str, str]:
        return _number((x + self.edge) * UNIT), _number((self.edge - y) * UNIT)

    def rect(self, half: float, fill: str) -> None:
        x, y = self.at(-half, half)
        side = _number(2 * half * UNIT)
        ET.SubElement(
            self.root, "rect", {"x": x, "y": y, "width": side, "height": side, "fill": fill}
        )

    def circle(self, x: float, y: float, radius: float, **style: str) -> ET.Element:
        cx, cy = self.at(x, y)
        looks = {name.replace("_", "-"): value for name, value in style.items()}
        attributes = {"cx": cx, "cy": cy, "r": _number(radius * UNIT)} | looks
        return ET.SubElement(self.root, "circle", attributes)

    def line(self, points: Iterable[tuple[float, float]], **style: str) -> None:
        text = " ".join(",".join(self.at(x, y)) for x, y in points)
        looks = {name.replace("_", "-"): value for name, value in style.items()}
        ET.SubElement(self.root, "polyline", {"points": text, "fill": "none"} | looks)

    def text(self, x: float, y: float, words: str, size: float, fill: str) -> None:
        cx, cy = self.at(x, y)
        ET.SubElement(
            self.root,
            "text",
            {
                "x": cx,
                "y": cy,
                "font-size": _number(size * UNIT),
                "text-anchor": "middle",
                "dominant-baseline": "central",
                "fill": fill,
            },
        ).text = words

    def board(self, e: Equipment) -> None:
        half = e.params.L / 2
        self.rect(half + FRAME, WOOD)
        self.rect(half, FELT)
        at = half - e.circle_inset
        base = half - e.base_line
        for side in (-1, 1):
            self.line([(-at, side * base), (at, side * base)], stroke=LINE, stroke_width="1.5")
            self.line([(side * at, -at), (side * at, at)], stroke=LINE, stroke_width="1")
        self.circle(0, 0, 2 * e.circle_radius, fill="none", stroke=LINE, stroke_width="1.5")
        self.line([(-half, 0), (half, 0)], stroke=LINE, stroke_width="1", stroke_dasharray="2 6")
        for sx in (-1, 1):
            for sy in (-1, 1):
                self.circle(
                    sx * at, sy * at, e.circle_radius, fill=FELT, stroke=LINE, stroke_width="1"
                )
        for seat in (0, 1):
            x, y = circle_centre(seat, e)
            self.circle(x, y, e.circle_radius, fill=FELT, stroke=FILLS[seat], stroke_width="2.5")
        if e.params.pockets:
            for x, y in hole_centres(e):
                self.circle(x, y, e.params.rp, fill=HOLE)

    def disc(self, name: str, x: float, y: float, radius: float, *, faint: bool = False) -> None:
        seat = side_of(name)
        fill = MOTHER_FILL if seat is None else FILLS[seat]
        dot = self.circle(x, y, radius, fill=fill, stroke="#222222", stroke_width="1.2")
        if faint:
            dot.set("fill-opacity", "0.35")
            dot.set("stroke-opacity", "0.5")
            return
        self.circle(x, y, 0.78 * radius, fill="none", stroke="#ffffff88", stroke_width="1")
        mark = "母" if name == MOTHER else "堡" if name in FORTRESSES else name
        ink = "#222222" if seat is None else "#ffffff"
        self.text(x, y, mark, radius * (1.0, 0.85, 0.65)[len(mark) - 1], ink)

    def done(self) -> str:
        return ET.tostring(self.root, encoding="unicode")


def table_svg(table: Table) -> str:
    """Picture of a table: board, marks, pieces; stacked pieces a little shifted.

    >>> from carrom import Table
    >>> table_svg(Table()).startswith("<svg")
    True
    """
    e = table.equipment
    picture = _Picture(e.params.L / 2, "康乐棋")
    picture.board(e)
    places = table.position.pieces
    for name in sorted(places, key=lambda name: places[name].on is not None):
        place = places[name]
        shift = 0.006 if place.on is not None else 0.0
        picture.disc(name, place.x + shift, place.y + shift, e.piece_radius)
    return picture.done()


def shot_svg(shot: Shot, equipment: Equipment | None = None, *, points: int = 120) -> str:
    """Picture of a shot: where discs started (faint) and ended, their paths, and the impacts.

    Args:
        shot: the shot.
        equipment: marks of the board; default the club's, with the shot's own table.
        points: places drawn along the shot besides those of the events.

    >>> from carrom import simulate
    >>> shot = simulate([{"id": "M", "R": 0.025, "m": 0.021, "x": 0.0, "y": 0.0, "vy": 1.0}])
    >>> "polyline" in shot_svg(shot)
    True
    """
    marks = Equipment() if equipment is None else equipment
    fits = abs(marks.params.L - shot.params.L) < 1e-9
    picture = _Picture(shot.params.L / 2, "康乐棋：一次击打")
    if fits:
        picture.board(marks)
    else:
        half = shot.params.L / 2
        picture.rect(half + FRAME, WOOD)
        picture.rect(half, FELT)
        if shot.params.pockets:
            at = half - shot.params.rp
            for x, y in ((-at, -at), (at, -at), (at, at), (-at, at)):
                picture.circle(x, y, shot.params.rp, fill=HOLE)
    times = np.unique(
        np.concatenate(
            [np.linspace(0.0, shot.t_end, points), [event.t for event in shot.events], [0.0]]
        )
    )
    states = shot.states(times)
    ends: Mapping[str, tuple[bool, float, float]] = {
        f.id: (f.pocketed or f.off, f.x, f.y) for f in shot.final
    }
    for k, disc in enumerate(shot.discs):
        gone, x, y = ends[disc.id]
        if gone or (x, y) != (disc.x, disc.y):
            picture.disc(disc.id, disc.x, disc.y, disc.R, faint=True)
            track = states[:, k, :2]
            keep = np.concatenate([[True], np.any(np.diff(track, axis=0) != 0, axis=1)])
            seat = side_of(disc.id)
            picture.line(
                [(float(px), float(py)) for px, py in track[keep]],
                stroke=PATHS[2 if seat is None else seat],
                stroke_width="2" if seat is None else "1.6",
                stroke_opacity="0.8",
            )
    for disc in shot.discs:
        gone, x, y = ends[disc.id]
        if not gone:
            picture.disc(disc.id, x, y, disc.R)
        else:
            cross = 0.6 * disc.R
            for side in (-1, 1):
                picture.line(
                    [(x - cross, y - side * cross), (x + cross, y + side * cross)],
                    stroke="#ffffff",
                    stroke_width="2.5",
                )
    index = {disc.id: k for k, disc in enumerate(shot.discs)}
    for event in shot.events:
        if event.type not in ("disc-disc", "disc-rail"):
            continue
        row = states[int(np.searchsorted(times, event.t))]
        a = index[event.a]
        x, y = float(row[a, 0]), float(row[a, 1])
        radius = shot.discs[a].R
        if event.type == "disc-disc":
            b = index[str(event.b)]
            part = radius / (radius + shot.discs[b].R)
            x, y = x + part * (float(row[b, 0]) - x), y + part * (float(row[b, 1]) - y)
        else:
            dx, dy = {"left": (-1, 0), "right": (1, 0), "bottom": (0, -1), "top": (0, 1)}[
                str(event.b)
            ]
            x, y = x + dx * radius, y + dy * radius
        picture.circle(x, y, 0.004, fill="#f1c40f", stroke="#222222", stroke_width="0.8")
    return picture.done()


def side_of(name: str) -> int | None:
    """Side whose colour a disc gets; discs of other names than a game's count as seat 0's."""
    if name == MOTHER:
        return None
    known = name in FORTRESSES or (name[:1] in ("A", "B") and name[1:].isdigit())
    return owner(name) if known else 0
