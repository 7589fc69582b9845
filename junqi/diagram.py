"""A position as lines of text."""

from __future__ import annotations

from collections.abc import Mapping

from junqi.geometry import BoardMap, coordinates, type_of
from junqi.layout import CAMP, HQ
from junqi.pieces import LETTERS


def text_diagram(board: BoardMap, pieces: Mapping[int, tuple[int, int]]) -> str:
    """The board with South at the bottom: owner digit and piece letter on each point.

    Args:
        board: the board.
        pieces: point -> (seat, kind); kind -1 = unknown, written ``?``.

    An empty station is ``·``, a camp ``o``, a headquarters ``#``.

    >>> from junqi.geometry import board_map
    >>> print(text_diagram(board_map("luzhan60"), {0: (0, 8), 62: (1, -1)}).splitlines()[6])
    0i ·  ·  ·  ·
    """
    where = {coordinates(point): point for point in board.points}
    rows = sorted({y for _, y in where})
    columns = sorted({x for x, _ in where})
    lines = []
    for y in rows:
        cells = []
        for x in columns:
            point = where.get((x, y))
            if point is None:
                cells.append("  ")
            elif point in pieces:
                seat, kind = pieces[point]
                cells.append(f"{seat}{LETTERS[kind] if kind >= 0 else '?'}")
            else:
                cells.append({CAMP: "o ", HQ: "# "}.get(type_of(point), "· "))
        lines.append(" ".join(cells).rstrip())
    return "\n".join(lines)
