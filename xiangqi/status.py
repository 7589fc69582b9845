"""Every defect of a position at once, and which of them make play impossible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag, auto

from xiangqi.attacks import attackers, facing
from xiangqi.geometry import (
    BLACK,
    COLOR_NAMES_ZH,
    COLORS,
    RED,
    SQUARE_NAMES,
    SQUARES,
    crossed_river,
    in_palace,
)
from xiangqi.pieces import ADVISOR, BISHOP, KING, PAWN, PIECE_TYPES, Piece

ARMY = (0, 1, 2, 2, 2, 2, 2, 5)
"""How many pieces of each kind a side has at most."""


class Status(IntFlag):
    """Defects of a position; ``VALID`` is none.

    Fatal (no play is possible, ``Board(fen)`` refuses): every flag but the two about pawns.
    Improbable only (no game leads there, studies use it, the board loads it):
    ``PAWN_BEHIND_START`` and ``PAWN_UNREACHABLE``.

    >>> Status.NO_RED_GENERAL.is_fatal, Status.PAWN_BEHIND_START.is_fatal, Status.VALID.is_fatal
    (True, False, False)
    """

    VALID = 0
    NO_RED_GENERAL = auto()
    """Red has no general (红方没有帅)."""
    NO_BLACK_GENERAL = auto()
    """Black has no general (黑方没有将)."""
    TOO_MANY_RED_GENERALS = auto()
    """Red has more than one general."""
    TOO_MANY_BLACK_GENERALS = auto()
    """Black has more than one general."""
    GENERAL_OUTSIDE_PALACE = auto()
    """A general stands where it can never stand (S0-XQ-6)."""
    ADVISOR_MISPLACED = auto()
    """An advisor stands on none of the five points that it can reach (S0-XQ-8)."""
    ELEPHANT_MISPLACED = auto()
    """An elephant stands on none of the seven points that it can reach (S0-XQ-9)."""
    TOO_MANY_OF_A_KIND = auto()
    """More than two advisors, elephants, horses, chariots, cannons or five pawns a side."""
    FACING_GENERALS = auto()
    """The generals face each other on an open file (S0-XQ-7)."""
    OPPONENT_IN_CHECK = auto()
    """The side that is not to move is in check: it has left its general en prise (S0-XQ-14)."""
    PAWN_BEHIND_START = auto()
    """A pawn stands behind the rank on which it began; pawns never go back (S0-XQ-13)."""
    PAWN_UNREACHABLE = auto()
    """A pawn that has not crossed stands on a file where none begins, or behind another
    that has not crossed either (S0-XQ-13)."""

    @property
    def is_fatal(self) -> bool:
        """Whether any defect makes play impossible."""
        return bool(self & FATAL)


IMPROBABLE = Status.PAWN_BEHIND_START | Status.PAWN_UNREACHABLE
FATAL = Status(sum(Status)) & ~IMPROBABLE


@dataclass(frozen=True)
class Defect:
    """One defect of a position.

    Attributes:
        status: the one flag.
        zh: what is wrong and where, in Chinese.
        en: the same in English.
        squares: the points concerned.
    """

    status: Status
    zh: str
    en: str
    squares: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.zh} ({self.en})"


def position_status(codes: Sequence[int], turn: int) -> Status:
    """All defects as flags; see :func:`defects`."""
    status = Status.VALID
    for defect in defects(codes, turn):
        status |= defect.status
    return status


def defects(codes: Sequence[int], turn: int) -> tuple[Defect, ...]:
    """Every defect of a position, fatal or not.

    Args:
        codes: piece codes of the 90 points, 0 = empty.
        turn: side to move.

    >>> codes = [0] * 90
    >>> codes[4], codes[85], codes[40] = 1, 9, 2
    >>> for defect in defects(codes, 0): print(defect)
    仕不能站在 e4 (an advisor cannot stand on e4)
    """
    codes = [int(code) for code in codes]
    found: list[Defect] = []
    for color in COLORS:
        found += _generals(codes, color)
        found += _numbers(codes, color)
    for sq, code in enumerate(codes):
        if code & 7 == PAWN or _FAULTS[code][sq]:
            found += _place(codes, sq)
    if facing(codes):
        found.append(
            Defect(
                Status.FACING_GENERALS,
                "将帅照面",
                "the generals face each other on an open file",
                tuple(codes.index(KING + 8 * color) for color in COLORS),
            )
        )
    for sq, code in enumerate(codes):
        if code == KING + 8 * (1 - turn):
            found += _left_in_check(codes, turn, sq)
    return tuple(found)


def _generals(codes: list[int], color: int) -> list[Defect]:
    number = codes.count(KING + 8 * color)
    if number == 1:
        return []
    piece = Piece(KING, color)
    side, side_en = COLOR_NAMES_ZH[color], ("Red", "Black")[color]
    if not number:
        flag = (Status.NO_RED_GENERAL, Status.NO_BLACK_GENERAL)[color]
        return [Defect(flag, f"{side}方没有{piece.zh}", f"{side_en} has no general")]
    squares = tuple(sq for sq in SQUARES if codes[sq] == piece.code)
    names = "、".join(SQUARE_NAMES[sq] for sq in squares)
    return [
        Defect(
            (Status.TOO_MANY_RED_GENERALS, Status.TOO_MANY_BLACK_GENERALS)[color],
            f"{side}方有 {number} 个{piece.zh}：{names}",
            f"{side_en} has {number} generals",
            squares,
        )
    ]


def _numbers(codes: list[int], color: int) -> list[Defect]:
    found = []
    for kind in PIECE_TYPES[1:]:
        number = codes.count(kind + 8 * color)
        if number > ARMY[kind]:
            piece = Piece(kind, color)
            found.append(
                Defect(
                    Status.TOO_MANY_OF_A_KIND,
                    f"{COLOR_NAMES_ZH[color]}方有 {number} 个{piece.zh}，最多 {ARMY[kind]} 个",
                    f"{number} pieces {piece.symbol()}, at most {ARMY[kind]}",
                    tuple(sq for sq in SQUARES if codes[sq] == piece.code),
                )
            )
    return found


def advisor_point(sq: int, color: int) -> bool:
    """Whether an advisor of ``color`` can stand on the point: the five of its palace."""
    return in_palace(sq, color) and (sq % 9 + sq // 9 + color) % 2 == 1


def elephant_point(sq: int, color: int) -> bool:
    """Whether an elephant of ``color`` can stand on the point: the seven of its half."""
    file, rank = sq % 9, sq // 9
    if color == BLACK:
        rank = 9 - rank
    return rank in (0, 2, 4) and file % 4 == (2 if rank in (0, 4) else 0)


def _fault_of_place(code: int, sq: int) -> Status:
    """What is wrong with a piece on a point, whatever else is on the board."""
    kind, color = code & 7, code >> 3
    if kind == KING and not in_palace(sq, color):
        return Status.GENERAL_OUTSIDE_PALACE
    if kind == ADVISOR and not advisor_point(sq, color):
        return Status.ADVISOR_MISPLACED
    if kind == BISHOP and not elephant_point(sq, color):
        return Status.ELEPHANT_MISPLACED
    if kind == PAWN and not crossed_river(sq, color):
        if (sq // 9 if color == RED else 9 - sq // 9) < 3:
            return Status.PAWN_BEHIND_START
        if sq % 9 % 2:
            return Status.PAWN_UNREACHABLE
    return Status.VALID


_FAULTS = tuple(tuple(_fault_of_place(code, sq) for sq in SQUARES) for code in range(16))
_PLACE_ZH = {
    Status.GENERAL_OUTSIDE_PALACE: "{piece}在九宫以外的 {point}",
    Status.ADVISOR_MISPLACED: "{piece}不能站在 {point}",
    Status.ELEPHANT_MISPLACED: "{piece}不能站在 {point}",
    Status.PAWN_BEHIND_START: "{piece}在起始线之后的 {point}",
    Status.PAWN_UNREACHABLE: "{piece}未过河，不可能走到 {point}",
}
_PLACE_EN = {
    Status.GENERAL_OUTSIDE_PALACE: "a general outside its palace on {point}",
    Status.ADVISOR_MISPLACED: "an advisor cannot stand on {point}",
    Status.ELEPHANT_MISPLACED: "an elephant cannot stand on {point}",
    Status.PAWN_BEHIND_START: "a pawn behind its starting rank on {point}",
    Status.PAWN_UNREACHABLE: "a pawn that has not crossed the river cannot reach {point}",
}


def _place(codes: list[int], sq: int) -> list[Defect]:
    code = codes[sq]
    fault = _FAULTS[code][sq]
    if not fault and code & 7 == PAWN and not crossed_river(sq, code >> 3):
        ahead = range(sq + 9, 45, 9) if code >> 3 == RED else range(sq - 9, 44, -9)
        if any(codes[p] == code for p in ahead):  # each file has one pawn and they go straight
            fault = Status.PAWN_UNREACHABLE
    if not fault:
        return []
    names = {"piece": Piece.from_code(code).zh, "point": SQUARE_NAMES[sq]}
    return [
        Defect(fault, _PLACE_ZH[fault].format(**names), _PLACE_EN[fault].format(**names), (sq,))
    ]


def _left_in_check(codes: list[int], turn: int, king: int) -> list[Defect]:
    attacking = attackers(codes, turn, king)
    if not attacking:
        return []
    names = "、".join(f"{SQUARE_NAMES[sq]} 的{Piece.from_code(codes[sq]).zh}" for sq in attacking)
    return [
        Defect(
            Status.OPPONENT_IN_CHECK,
            f"轮到{COLOR_NAMES_ZH[turn]}方走棋，对方的{Piece.from_code(codes[king]).zh}"
            f"却已被 {names}将军",
            f"{('Black', 'Red')[turn]} is in check and not to move",
            (*attacking, king),
        )
    ]
