"""A move of 军棋: from one point to another."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from junqi.geometry import POINT_NAMES, parse_point
from qikit.errors import InvalidMove

_PATTERN = re.compile(r"([A-Z]\d\d)\s*[-–—→>]\s*([A-Z]\d\d)")


class Move(NamedTuple):
    """A frozen pair of points. The way taken along the rails makes no difference.

    >>> move = Move.parse("s11-w15")
    >>> str(move), move.from_point, move.to_point
    ('S11-W15', 0, 94)
    """

    from_point: int
    to_point: int

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read ``S11-W15``; lower case and full-width forms too.

        Raises:
            InvalidMove: malformed, or a point that no board has.
        """
        found = _PATTERN.fullmatch(unicodedata.normalize("NFKC", text[:64]).strip().upper())
        if found is None:
            raise InvalidMove(
                f"着法格式不对 (not a move such as S11-W15): {text[:64]!r}", text=text
            )
        move = cls(parse_point(found[1]), parse_point(found[2]))
        if move.from_point == move.to_point:
            raise InvalidMove(f"起点和终点相同 (a move ends elsewhere): {text!r}", text=text)
        return move

    def __str__(self) -> str:
        return f"{POINT_NAMES[self.from_point]}-{POINT_NAMES[self.to_point]}"
