"""禁手 explained: which rules a black stone would break, and the lines of points that show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from gomoku.geometry import BLACK_CELL, DIRECTIONS, EMPTY_CELL, on_board
from gomoku.move import Move

if TYPE_CHECKING:
    from gomoku.board import Board


class ForbiddenKind(Enum):
    """The three things that renju forbids to black, in the order in which they are judged."""

    OVERLINE = ("overline", "长连")
    DOUBLE_FOUR = ("double_four", "四四")
    DOUBLE_THREE = ("double_three", "三三")

    zh: str

    def __new__(cls, value: str, zh: str) -> ForbiddenKind:
        member = object.__new__(cls)
        member._value_ = value
        member.zh = zh
        return member


@dataclass(frozen=True)
class ForbiddenLine:
    """One line of stones that is part of the reason.

    Attributes:
        kind: the rule that this line belongs to.
        stones: the stones of the overline, the four or the three, the new stone among them.
        completions: empty points: those that make the four a five, or the three a straight four.
    """

    kind: ForbiddenKind
    stones: tuple[Move, ...]
    completions: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Forbidden:
    """Why black may not play on a point.

    Attributes:
        point: the point in question.
        kinds: every rule that the stone would break, first the one that is judged first.
        lines: the overlines, fours and real threes that it would make.
    """

    point: Move
    kinds: tuple[ForbiddenKind, ...]
    lines: tuple[ForbiddenLine, ...]

    def sentence(self) -> str:
        """The reason as players read it.

        >>> import gomoku
        >>> board = gomoku.Board.from_stones(["f8", "g8", "h6", "h7"], [], "black", rules="renju")
        >>> board.forbidden("h8").sentence()
        'h8 是三三禁手：活三 f8 g8 h8（e8、i8 成活四）；活三 h6 h7 h8（h5、h9 成活四）'
        """
        words = {
            ForbiddenKind.OVERLINE: "长连",
            ForbiddenKind.DOUBLE_FOUR: "四",
            ForbiddenKind.DOUBLE_THREE: "活三",
        }
        parts = []
        for line in self.lines:
            text = f"{words[line.kind]} {' '.join(map(str, line.stones))}"
            if line.completions:
                goal = "五" if line.kind is ForbiddenKind.DOUBLE_FOUR else "活四"
                text += f"（{'、'.join(map(str, line.completions))} 成{goal}）"
            parts.append(text)
        names = "、".join(kind.zh for kind in self.kinds)
        return f"{self.point} 是{names}禁手：{'；'.join(parts)}"


Cell = Callable[[int, int], int]


def _run(cell: Cell, x: int, y: int, dx: int, dy: int) -> tuple[list[Move], list[Move]]:
    """Black's run through a stone, and the two cells next to its ends (those on the board)."""
    stones = [Move(x, y)]
    ends = []
    for sign in (-1, 1):
        cx, cy = x + sign * dx, y + sign * dy
        while cell(cx, cy) == BLACK_CELL:
            stones.append(Move(cx, cy))
            cx, cy = cx + sign * dx, cy + sign * dy
        ends.append(Move(cx, cy))
    stones.sort(key=lambda stone: (stone.x * dx, stone.y * dy))
    return stones, ends


def explain(board: Board, move: Move) -> Forbidden | None:
    """What forbids black the empty point ``move``, or ``None`` if nothing does."""
    if not board.forbidden_code(move):
        return None
    size = board.size

    def cell(x: int, y: int) -> int:
        if not on_board(x, y, size):
            return -1
        if (x, y) == move or (x, y) == extra:
            return BLACK_CELL
        return board.cell(x, y)

    overlines: list[ForbiddenLine] = []
    fours: list[ForbiddenLine] = []
    threes: list[ForbiddenLine] = []
    for d, (dx, dy) in enumerate(DIRECTIONS):
        extra: tuple[int, int] | None = None
        stones, ends = _run(cell, move.x, move.y, dx, dy)
        if len(stones) > 5:
            overlines.append(ForbiddenLine(ForbiddenKind.OVERLINE, tuple(stones)))
            continue
        by_set: dict[tuple[Move, ...], list[Move]] = {}
        for end in ends:
            if cell(end.x, end.y) != EMPTY_CELL:
                continue
            extra = end
            five, _ = _run(cell, move.x, move.y, dx, dy)
            extra = None
            if len(five) == 5:
                by_set.setdefault(tuple(m for m in five if m != end), []).append(end)
        fours += [
            ForbiddenLine(ForbiddenKind.DOUBLE_FOUR, four, tuple(sorted(completions)))
            for four, completions in by_set.items()
        ]
        eyes = board.three_eyes(move, d)
        if eyes:
            extra = eyes[0]
            four_stones, _ = _run(cell, move.x, move.y, dx, dy)
            extra = None
            three = tuple(m for m in four_stones if m != eyes[0])
            threes.append(ForbiddenLine(ForbiddenKind.DOUBLE_THREE, three, eyes))
    kinds = []
    shown: list[ForbiddenLine] = []
    for kind, found, least in (
        (ForbiddenKind.OVERLINE, overlines, 1),
        (ForbiddenKind.DOUBLE_FOUR, fours, 2),
        (ForbiddenKind.DOUBLE_THREE, threes, 2),
    ):
        if len(found) >= least:
            kinds.append(kind)
            shown += found
    return Forbidden(move, tuple(kinds), tuple(shown))
