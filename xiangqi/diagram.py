"""Text diagrams: one with Chinese pieces on the lines of the board, one in ASCII."""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.geometry import COLOR_NAMES_ZH, FILE_NAMES, RED
from xiangqi.pieces import Piece

RED_FILES = "九八七六五四三二一"
"""Red's names of the files a..i, counted from Red's right."""
BLACK_FILES = "１２３４５６７８９"
"""Black's names of the files a..i, counted from Black's right."""


def chinese_diagram(
    codes: Sequence[int],
    turn: int | None = None,
    *,
    flipped: bool = False,
    coordinates: bool = True,
) -> str:
    """The board with its lines, Red's pieces as ``(车)`` and Black's as ``[车]``.

    Chinese signs take two columns in every monospaced font with full-width characters, so that
    all lines of the board are equally wide.

    Args:
        codes: piece codes of the 90 points.
        turn: side to move, named in the last line; None leaves it out.
        flipped: Black at the bottom.
        coordinates: ICCS letters and digits beside the Chinese file names.
    """
    files = range(8, -1, -1) if flipped else range(9)
    ranks = range(10) if flipped else range(9, -1, -1)
    top, bottom = (RED_FILES, BLACK_FILES) if flipped else (BLACK_FILES, RED_FILES)
    lines = ["   " + "  ".join(top[file] for file in files)]
    for n, rank in enumerate(ranks):
        lead = f"{rank} " if coordinates else "  "
        row = "".join(_cell(int(codes[9 * rank + file])) for file in files)
        if row.startswith("-"):
            row = " " + row[1:]
        lines.append(lead + row.removesuffix("-"))
        if n < 9:
            lines.append("  " + _below(n))
    lines.append("   " + "  ".join(bottom[file] for file in files))
    if coordinates:
        lines.append("   " + "  ".join(f"{FILE_NAMES[file]} " for file in files))
    if turn is not None:
        lines.append(f"  轮到{COLOR_NAMES_ZH[turn]}方走棋")
    return "\n".join(line.rstrip() for line in lines)


def _cell(code: int) -> str:
    if not code:
        return "-＋-"
    piece = Piece.from_code(code)
    return f"({piece.zh})" if piece.color == RED else f"[{piece.zh}]"


def _below(row: int) -> str:
    """The lines between a row and the next one: files, palace diagonals, river."""
    if row == 4:
        return " ｜      楚  河      汉  界      ｜"
    gaps = ["  "] * 8
    if row in (0, 7):
        gaps[3], gaps[4] = "＼", "／"
    elif row in (1, 8):
        gaps[3], gaps[4] = "／", "＼"
    return " ｜" + "".join(gap + "｜" for gap in gaps)


def ascii_diagram(codes: Sequence[int], *, flipped: bool = False) -> str:
    """Ten rows of FEN letters and dots, as python-chess prints a board."""
    rows = []
    for rank in range(9, -1, -1):
        points = (int(code) for code in codes[9 * rank : 9 * rank + 9])
        rows.append([Piece.from_code(code).symbol() if code else "." for code in points])
    if flipped:
        rows = [row[::-1] for row in rows[::-1]]
    return "\n".join(" ".join(row) for row in rows)


def piece_list(codes: Sequence[int], color: int) -> str:
    """The pieces of one side with their points, for readers who cannot see the picture.

    >>> piece_list([1, 0, 5], 0)
    '帅 a0、车 c0'
    """
    placed = sorted(
        (int(code) & 7, sq) for sq, code in enumerate(codes) if code and code >> 3 == color
    )
    return "、".join(
        f"{Piece(kind, color).zh} {FILE_NAMES[sq % 9]}{sq // 9}" for kind, sq in placed
    )
