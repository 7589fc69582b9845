"""A move of 象棋: from one point to another."""

from __future__ import annotations

import re
from typing import NamedTuple

from qikit.errors import InvalidMove
from xiangqi.geometry import SQUARE_NAMES, parse_square

_ICCS = re.compile(r"([a-i][0-9])[-–—]?([a-i][0-9])", re.IGNORECASE | re.ASCII)


class Move(NamedTuple):
    """A frozen pair of points. Text form: ICCS without a dash, as in UCCI.

    >>> move = Move.parse("H2-E2")
    >>> str(move), move.from_square, move.to_square
    ('h2e2', 25, 22)
    """

    from_square: int
    to_square: int

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read ``h2e2`` or ``H2-E2``, ranks 0..9. Other notations need a position: ``board.parse``.

        Raises:
            InvalidMove: not of that form, or both points are the same.
        """
        match = _ICCS.fullmatch(text.strip())
        if match is None or match[1].lower() == match[2].lower():
            raise InvalidMove(f"走法格式不对 (not a coordinate move): {text!r}", text=text)
        return cls(parse_square(match[1]), parse_square(match[2]))

    def uci(self) -> str:
        """The same as ``str(move)``: ``h2e2``."""
        return SQUARE_NAMES[self.from_square] + SQUARE_NAMES[self.to_square]

    def __str__(self) -> str:
        return self.uci()
