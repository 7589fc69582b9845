"""A move of 五子棋: one stone on one point, or a pass where the rules allow it."""

from __future__ import annotations

import re
from typing import NamedTuple

from gomoku.geometry import COLUMN_NAMES, MAX_SIZE, on_board, point
from qikit.errors import InvalidMove

_NAME = re.compile(r"([a-t])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)


class Move(NamedTuple):
    """Column and row of a stone, both from 0 at the lower left. Text form: ``h8``.

    >>> move = Move.parse("H8")
    >>> str(move), move.x, move.y, move.point(15)
    ('h8', 7, 7, 112)
    >>> str(Move.PASS)
    'pass'
    """

    x: int
    y: int

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read ``h8`` (column a.., row from 1 at the bottom) or ``pass``.

        Raises:
            InvalidMove: not of that form.
        """
        stripped = text.strip()
        if stripped.lower() in ("pass", "--", "停"):
            return PASS
        match = _NAME.fullmatch(stripped)
        if match is None or int(match[2]) > MAX_SIZE:
            raise InvalidMove(
                f"落点格式不对，应为列字母加行号，如 h8 (not a point such as h8): {text!r:.60}",
                text=text,
            )
        return cls(COLUMN_NAMES.index(match[1].lower()), int(match[2]) - 1)

    @classmethod
    def of(cls, index: int, size: int) -> Move:
        """The move to a point of a board of that size."""
        return cls(index % size, index // size)

    def point(self, size: int) -> int:
        """Index of the point on a board of that size."""
        return point(self.x, self.y, size)

    @property
    def is_pass(self) -> bool:
        """Whether no stone is played: true of ``Move.PASS`` alone, not of points off the board."""
        return self.x == -1 and self.y == -1

    def __str__(self) -> str:
        if self.is_pass:
            return "pass"
        if not on_board(self.x, self.y, MAX_SIZE):
            return f"({self.x}, {self.y})"
        return f"{COLUMN_NAMES[self.x]}{self.y + 1}"


PASS = Move(-1, -1)
Move.PASS = PASS  # type: ignore[attr-defined]
