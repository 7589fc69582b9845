"""A picture of a position of 五子棋."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gomoku.geometry import BLACK, COLUMN_NAMES

if TYPE_CHECKING:
    from gomoku.board import Board

_CELL = 30
_EDGE = 34


def _stars(size: int) -> list[tuple[int, int]]:
    """Marked points: the centre (天元) and four more on boards that have room for them."""
    centre = size // 2
    points = [(centre, centre)] if size % 2 else []
    if size >= 13:
        points += [(x, y) for x in (3, size - 4) for y in (3, size - 4)]
    return points


def picture(board: Board, *, numbers: bool = False, forbidden: bool = True) -> str:
    """SVG text of a position; row 1 at the bottom, the last move and winning runs marked.

    Args:
        numbers: write the move number on each stone that was played.
        forbidden: mark the points that renju forbids to black, when black is to move.
    """
    size = board.size
    span = _CELL * (size - 1)
    total = span + 2 * _EDGE

    def at(x: int, y: int) -> tuple[int, int]:
        return _EDGE + x * _CELL, _EDGE + (size - 1 - y) * _CELL

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {total}" '
        f'width="{total}" height="{total}" role="img">',
        f"<title>五子棋（{board.rules.name_zh}），第 {board.ply} 手</title>",
        f'<rect width="{total}" height="{total}" fill="#e9c46a"/>',
    ]
    grid = "".join(
        f"M{_EDGE} {_EDGE + i * _CELL}h{span}M{_EDGE + i * _CELL} {_EDGE}v{span}"
        for i in range(size)
    )
    out.append(f'<path d="{grid}" stroke="#5c4413" fill="none"/>')
    for x, y in _stars(size):
        cx, cy = at(x, y)
        out.append(f'<circle cx="{cx}" cy="{cy}" r="4" fill="#5c4413"/>')
    for i in range(size):
        cx, _ = at(i, 0)
        _, cy = at(0, i)
        style = 'font-size="12" font-family="sans-serif" fill="#5c4413" text-anchor="middle"'
        out.append(f'<text x="{cx}" y="{total - 8}" {style}>{COLUMN_NAMES[i]}</text>')
        out.append(f'<text x="11" y="{cy + 4}" {style}>{i + 1}</text>')
    order = {move: n for n, move in enumerate(board.move_stack, 1) if not move.is_pass}
    last = board.move_stack[-1] if board.move_stack else None
    for color in (0, 1):
        fill, ink = ("#111", "#fff") if color == BLACK else ("#fff", "#111")
        for move in board.stones(color):
            cx, cy = at(move.x, move.y)
            out.append(f'<circle cx="{cx}" cy="{cy}" r="13" fill="{fill}" stroke="#111"/>')
            if numbers and move in order:
                out.append(
                    f'<text x="{cx}" y="{cy + 4}" font-size="12" font-family="sans-serif" '
                    f'fill="{ink}" text-anchor="middle">{order[move]}</text>'
                )
            elif move == last:
                out.append(f'<circle cx="{cx}" cy="{cy}" r="4" fill="#d62828"/>')
    for line in board.winning_lines():
        (x1, y1), (x2, y2) = at(*line[0]), at(*line[-1])
        out.append(
            f'<path d="M{x1} {y1}L{x2} {y2}" stroke="#d62828" stroke-width="4" opacity="0.7"/>'
        )
    if forbidden and board.turn == BLACK and not board.is_over():
        for move in board.forbidden_points():
            cx, cy = at(move.x, move.y)
            out.append(
                f'<path d="M{cx - 7} {cy - 7}l14 14m0 -14l-14 14" stroke="#d62828" '
                'stroke-width="2.5"/>'
            )
    out.append("</svg>")
    return "\n".join(out)
