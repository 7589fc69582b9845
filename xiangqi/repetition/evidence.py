"""What a move attacks and why a root does or does not hold: data that renders to sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt

from qikit import kernels
from xiangqi.geometry import COLOR_NAMES_ZH, square_name
from xiangqi.pieces import KING, Piece
from xiangqi.repetition import outcomes

Codes = npt.NDArray[np.uint8]

OUTCOME_NAMES = {
    outcomes.CHECK: "check",
    outcomes.GAIN: "gain",
    outcomes.GAIN_CHARIOT: "gain_chariot",
    outcomes.GAIN_LIKE: "gain_like",
    outcomes.GAIN_BY_GUARD: "gain_by_guard",
    outcomes.ROOTED: "rooted",
    outcomes.OFFER: "offer",
    outcomes.ATTACKER_PINNED: "attacker_pinned",
    outcomes.EXEMPT_ATTACKER: "exempt_attacker",
    outcomes.EXEMPT_VICTIM: "exempt_victim",
}
DEFENCE_NAMES = {
    outcomes.ROOT: "root",
    outcomes.LEG_BLOCKED: "leg_blocked",
    outcomes.EYE_BLOCKED: "eye_blocked",
    outcomes.WAY_BLOCKED: "way_blocked",
    outcomes.NO_SCREEN: "no_screen",
    outcomes.TOO_MANY_SCREENS: "too_many_screens",
    outcomes.EXPOSES_GENERAL: "exposes_general",
    outcomes.SQUARE_GUARDED: "square_guarded",
    outcomes.BEHIND_CHARIOT: "behind_chariot",
}


@dataclass(frozen=True, slots=True)
class Stone:
    """A piece on a point.

    >>> str(Stone(Piece(5, 0), 7))
    '红车(h0)'
    """

    piece: Piece
    square: int

    def __str__(self) -> str:
        return f"{COLOR_NAMES_ZH[self.piece.color]}{self.piece.zh}({square_name(self.square)})"

    def to_dict(self) -> dict[str, str]:
        """FEN letter and ICCS point."""
        return {"piece": self.piece.symbol(), "square": square_name(self.square)}


@dataclass(frozen=True, slots=True)
class Defence:
    """A piece that guards the attacked one, or seems to, judged after the capture was made.

    Attributes:
        defender: the guarding piece.
        outcome: one of the defence numbers of `outcomes.py`.
        cause: the piece or point that makes the root a false one (假根), if there is one.
    """

    defender: Stone
    outcome: int
    cause: Stone | None = None

    @property
    def holds(self) -> bool:
        """Whether it is a true root (真根)."""
        return self.outcome == outcomes.ROOT

    def text(self) -> str:
        """The reason as a Chinese clause."""
        who, cause = self.defender, self.cause
        match self.outcome:
            case outcomes.ROOT:
                return f"{who}可以吃回，是真根"
            case outcomes.LEG_BLOCKED:
                why = f"马腿被{cause}挡住"
            case outcomes.EYE_BLOCKED:
                why = f"{who.piece.zh}眼被{cause}塞住"
            case outcomes.WAY_BLOCKED:
                why = f"去路被{cause}挡住"
            case outcomes.NO_SCREEN:
                why = "中间没有炮架"
            case outcomes.TOO_MANY_SCREENS:
                why = f"中间隔了两个子（{cause}等）"
            case outcomes.EXPOSES_GENERAL if cause and cause.piece.piece_type == KING:
                why = "吃回则将帅照面"
            case outcomes.EXPOSES_GENERAL:
                why = f"吃回则被{cause}将军"
            case outcomes.SQUARE_GUARDED if cause and cause.piece.piece_type == KING:
                why = "吃回则将帅照面"
            case outcomes.SQUARE_GUARDED:
                why = f"该点受{cause}控制"
            case _:
                why = f"它在吃子的{cause}身后，车走开才通，不能算根"
        return f"{who}是假根：{why}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "defender": self.defender.to_dict(),
            "outcome": DEFENCE_NAMES[self.outcome],
            "holds": self.holds,
            "cause": self.cause.to_dict() if self.cause else None,
            "text": self.text(),
        }


@dataclass(frozen=True, slots=True)
class Attack:
    """One piece attacks another, as if the attacking side were to move.

    Attributes:
        attacker: the attacking piece.
        victim: the attacked piece.
        outcome: one of the attack numbers of `outcomes.py`.
        defences: every guard of the victim with the reason why it holds or not.
        cause: what pins the attacker, or keeps a victim of the same kind from taking first.
        pinning_horse: the horse to which the victim, a chariot, shields its general, if any.
        new: whether the same attack was not already a gain before the move.
    """

    attacker: Stone
    victim: Stone
    outcome: int
    defences: tuple[Defence, ...] = ()
    cause: Stone | None = None
    pinning_horse: Stone | None = None
    new: bool = False

    @property
    def gains(self) -> bool:
        """Whether taking wins something under the rule of chase."""
        return self.outcome in outcomes.GAINS

    @property
    def pair(self) -> tuple[int, int]:
        """Points of attacker and victim."""
        return self.attacker.square, self.victim.square

    def text(self) -> str:
        """The finding as a Chinese sentence, roots included."""
        a, v = self.attacker, self.victim
        head = f"{a}攻{v}"
        match self.outcome:
            case outcomes.CHECK:
                return f"{a}将军"
            case outcomes.EXEMPT_ATTACKER:
                return f"{head}：将（帅）、兵（卒）攻子不算捉"
            case outcomes.EXEMPT_VICTIM:
                return f"{head}：捉未过河的兵（卒）不算捉"
            case outcomes.ATTACKER_PINNED if self.cause and self.cause.piece.piece_type == KING:
                return f"{head}：吃子则将帅照面，不算捉"
            case outcomes.ATTACKER_PINNED:
                return f"{head}：攻方受牵制，吃子则被{self.cause}将军，不算捉"
            case outcomes.OFFER:
                return f"{head}：同类子对面，对方可以先吃，是兑子邀请，不算捉"
            case outcomes.GAIN_CHARIOT:
                finding = f"马、炮攻车，有根也算捉{self._old()}"
            case outcomes.GAIN_BY_GUARD:
                finding = f"士、相攻强子，有根也算捉{self._old()}"
            case outcomes.GAIN_LIKE:
                why = f"（吃则被{self.cause}将军）" if self.cause else ""
                finding = f"同类子而对方不能先吃{why}，又无真根，算捉{self._old()}"
            case outcomes.GAIN:
                finding = f"无真根，算捉{self._old()}"
            case _:
                finding = "有真根，不算捉"
        roots = "；".join(defence.text() for defence in self.defences)
        return f"{head}：{finding}" + (f"。{roots}" if roots else "。没有子保护" * self.gains)

    def _old(self) -> str:
        return "" if self.new else "，但走这着之前已经如此，不是新的捉"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "attacker": self.attacker.to_dict(),
            "victim": self.victim.to_dict(),
            "outcome": OUTCOME_NAMES[self.outcome],
            "gains": self.gains,
            "new": self.new,
            "cause": self.cause.to_dict() if self.cause else None,
            "pinning_horse": self.pinning_horse.to_dict() if self.pinning_horse else None,
            "defences": [defence.to_dict() for defence in self.defences],
            "text": self.text(),
        }


class _Scratch(local):
    """Arrays of the kernel, one set a thread."""

    def __init__(self) -> None:
        self.rows = np.empty((outcomes.ROWS, outcomes.ROW), np.int64)
        self.known = np.empty((3, 90), np.uint8)
        self.codes = np.empty(90, np.uint8)


_scratch = _Scratch()


def survey(codes: Codes, side: int, *, guards_gain: bool = False) -> tuple[Attack, ...]:
    """Every attack of ``side`` in a position, as if it were to move, with every defence.

    Args:
        codes: (90,) uint8 piece codes, left unchanged.
        side: 0 Red, 1 Black.
        guards_gain: an advisor or elephant attacking a chariot, horse or cannon always gains.
    """
    np.copyto(_scratch.codes, codes)
    rows = _scratch.rows
    count = kernels.load("xiangqi.repetition.kernel").attacks(
        _scratch.codes, side, int(guards_gain), rows, _scratch.known
    )
    return tuple(_attacks(codes.tolist(), rows[:count].tolist()))


def _attacks(codes: list[int], rows: list[list[int]]) -> Iterator[Attack]:
    def stone(sq: int) -> Stone:
        return Stone(_PIECES[codes[sq]], sq)

    def cause(sq: int) -> Stone | None:
        return stone(sq) if sq >= 0 else None

    heads = [n for n, row in enumerate(rows) if row[0] == 0]
    for head, end in pairwise([*heads, len(rows)]):
        _, attacker, victim, outcome, detail, horse = rows[head]
        yield Attack(
            stone(attacker),
            stone(victim),
            outcome,
            tuple(Defence(stone(d), o, cause(c)) for _, d, o, c, _, _ in rows[head + 1 : end]),
            cause(detail),
            cause(horse),
        )


_PIECES = {code: Piece.from_code(code) for code in range(1, 16) if code & 7}
