"""A turn of 跳棋: from one hole to another, or a pass."""

from __future__ import annotations

import unicodedata
from typing import ClassVar, NamedTuple

from checkers.geometry import HOLE_NAMES, parse_hole
from qikit.errors import IllegalMove, InvalidMove

STEP, JUMP, ENDS = "-", ">", ":"
_MARKS = {"—": STEP, "–": STEP, "－": STEP, "→": JUMP}


def parse_turn(text: str) -> tuple[list[int], str]:
    """Holes and kind of a written turn: ``d1-e5`` step, ``c1>e5>g5`` jumps, ``c1:e5`` ends only.

    Upper case and full-width forms are read too.

    Raises:
        InvalidMove: not of that form, an unknown hole (named), or no two different ends.
        IllegalMove: steps and jumps in one turn (S0-TQ-7) or more than one step (S0-TQ-5).

    >>> parse_turn("Ｃ１＞E5>g5")
    ([3, 14, 39], '>')
    """
    plain = unicodedata.normalize("NFKC", text)
    for mark, plain_mark in _MARKS.items():
        plain = plain.replace(mark, plain_mark)
    plain = "".join(plain.split()).lower()
    marks = [sign for sign in plain if sign in (STEP, JUMP, ENDS)]
    names = plain.replace(STEP, ENDS).replace(JUMP, ENDS).split(ENDS)
    if not marks or "" in names:
        raise InvalidMove(
            f"着法格式不对 (not a turn such as d1-e5, c1>e5>g5 or c1:e5): {text!r}", text=text
        )
    holes = []
    for name in names:
        try:
            holes.append(parse_hole(name))
        except ValueError as error:
            raise InvalidMove(f"着法 {text!r}：{error}", text=text) from None
    if STEP in marks and JUMP in marks:
        raise IllegalMove(
            f"一着棋不能又走又跳 (a turn is one step or jumps only): {text!r}",
            text=text,
            rule="S0-TQ-7",
        )
    if marks[0] == STEP and len(marks) > 1:
        raise IllegalMove(f"走只能走一步 (one step a turn): {text!r}", text=text, rule="S0-TQ-5")
    if ENDS in marks and len(marks) > 1:
        raise InvalidMove(f"冒号只连起点和终点 (two holes round a colon): {text!r}", text=text)
    if holes[0] == holes[-1]:
        raise InvalidMove(f"起点和终点相同 (a turn ends elsewhere): {text!r}", text=text)
    return holes, marks[0]


_HOLES = len(HOLE_NAMES)


class _Ends(NamedTuple):
    from_hole: int
    to_hole: int


class Move(_Ends):
    """A frozen pair of holes. The position after a turn does not depend on the way taken.

    Raises:
        InvalidMove: not two numbers of holes (0..120), nor a pass (-1, -1).

    >>> move = Move.parse("C1>E5>G5")
    >>> str(move), move.from_hole, move.to_hole
    ('c1:g5', 3, 39)
    >>> str(Move.PASS), bool(Move.PASS), Move.parse("pass") == Move.PASS
    ('pass', False, True)
    """

    __slots__ = ()

    def __new__(cls, from_hole: int, to_hole: int) -> Move:
        try:
            known = (0 <= from_hole < _HOLES and 0 <= to_hole < _HOLES) or (
                from_hole == to_hole == -1
            )
        except TypeError:
            known = False
        if not known:
            raise InvalidMove(
                "着法是两个孔的编号 (a turn is two holes 0..120, or -1, -1 for a pass): "
                f"{from_hole!r}, {to_hole!r}"
            )
        return super().__new__(cls, from_hole, to_hole)

    PASS: ClassVar[Move]
    """The turn of a seat that cannot move."""

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read any written turn (see :func:`parse_turn`) or ``pass`` (停).

        Whether the legs of a written way are possible is for ``board.parse`` to say.

        Raises:
            InvalidMove: malformed.
            IllegalMove: no position allows such a turn.
        """
        if text.strip().lower() in ("pass", "停", "停一着"):
            return cls.PASS
        holes, _ = parse_turn(text)
        return cls(holes[0], holes[-1])

    @property
    def code(self) -> int:
        """The number that kernels use: ``from + 128 * to``, -1 for a pass."""
        return -1 if self.from_hole < 0 else self.from_hole + 128 * self.to_hole

    @classmethod
    def from_code(cls, code: int) -> Move:
        """The turn of a kernel's number."""
        return cls.PASS if code < 0 else cls(code & 127, code >> 7)

    def __bool__(self) -> bool:
        return self.from_hole >= 0

    def __str__(self) -> str:
        if not self:
            return "pass"
        return f"{HOLE_NAMES[self.from_hole]}:{HOLE_NAMES[self.to_hole]}"


Move.PASS = Move(-1, -1)
