"""Text pictures of a position."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.geometry import CAMP_LETTERS, HOLE_COLUMNS, HOLE_ROWS, ROW_LETTERS


def text_diagram(owners: Sequence[int]) -> str:
    """The star with camp letters and dots, row letters in front.

    Args:
        owners: 121 camps of origin, -1 = empty.

    >>> print(text_diagram([0] * 10 + [-1] * 111).splitlines()[3])
    d          A A A A
    """
    lines = [[" "] * 25 for _ in ROW_LETTERS]
    for camp, row, column in zip(owners, HOLE_ROWS, HOLE_COLUMNS, strict=True):
        lines[row][column] = "." if camp < 0 else CAMP_LETTERS[camp]
    return "\n".join(
        f"{letter} {''.join(line)}".rstrip()
        for letter, line in zip(ROW_LETTERS, lines, strict=True)
    )
