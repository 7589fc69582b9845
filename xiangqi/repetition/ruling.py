"""A ruling on a loop as data: natures of the plies, findings on the sides, verdict, sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from xiangqi.geometry import COLOR_NAMES_ZH, square_name
from xiangqi.move import Move
from xiangqi.repetition.book import Article, RuleBook
from xiangqi.repetition.evidence import Attack, Stone
from xiangqi.repetition.loops import Loop


class Verdict(StrEnum):
    """The ruling on a loop if it were repeated for ever.

    Under books that first oblige a side to change, ``RED_LOSES`` means that Red is that side.

    >>> Verdict.RED_LOSES == "red_loses", Verdict.loss(1).zh
    (True, '黑方负')
    """

    RED_LOSES = "red_loses"
    BLACK_LOSES = "black_loses"
    DRAW = "draw"
    UNDECIDED = "undecided"

    @classmethod
    def loss(cls, side: int) -> Verdict:
        """Loss of a side."""
        return cls.BLACK_LOSES if side else cls.RED_LOSES

    @property
    def loser(self) -> int | None:
        """The side that loses, or None."""
        return {"red_loses": 0, "black_loses": 1}.get(self.value)

    @property
    def zh(self) -> str:
        """The verdict in Chinese."""
        return _VERDICT_ZH[self.value]


_VERDICT_ZH = {
    "red_loses": "红方负",
    "black_loses": "黑方负",
    "draw": "和棋",
    "undecided": "需裁判认定",
}


class Nature(StrEnum):
    """What a single move is.

    >>> Nature.CHECK.zh, Nature.CHECK == "check"
    ('将', True)
    """

    CHECK = "check"
    MATE_THREAT = "mate_threat"
    CHASE = "chase"
    JOINT_CHASE = "joint_chase"
    IDLE = "idle"

    @property
    def zh(self) -> str:
        """The term of the Chinese rules."""
        return {
            "check": "将",
            "mate_threat": "杀",
            "chase": "捉",
            "joint_chase": "联合捉",
            "idle": "闲",
        }[self.value]


@dataclass(frozen=True)
class PlyRuling:
    """One move of a loop with its nature and the evidence for it.

    Attributes:
        ply: number of the move in the game, from 1.
        side: 0 Red, 1 Black.
        move: the move.
        text: the move in Chinese notation.
        nature: what the move is; of several purposes the heaviest.
        certain: False where the nature is only what direct attacks show and the rule book asks
            for more than was looked at (threats of mate, gains by a line of play).
        victims: pieces newly attacked with gain, where they stand after the move.
        reasons: everything the mover attacks after the move, each with all roots and why they
            hold or not; checks included.
        note: why the nature is what it is, where the reasons do not say it, in Chinese.
        light: whether a chase needs several pieces or is one of a piece short of roots (the light
            class of the 2020 rules).
        pawn_attack: whether an idle move is a pawn's own attack, which counts as a chase while
            the other side makes only forbidden moves (1999).
    """

    ply: int
    side: int
    move: Move
    text: str
    nature: Nature
    certain: bool = True
    victims: tuple[Stone, ...] = ()
    reasons: tuple[Attack, ...] = ()
    note: str = ""
    light: bool = False
    pawn_attack: bool = False

    def sentences(self) -> list[str]:
        """The evidence in Chinese, most important first."""
        order = sorted(self.reasons, key=lambda a: (a.outcome != 1, not (a.gains and a.new)))
        return ([self.note] if self.note else []) + [attack.text() for attack in order]

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "ply": self.ply,
            "side": ("red", "black")[self.side],
            "move": str(self.move),
            "text": self.text,
            "nature": self.nature.value,
            "certain": self.certain,
            "victims": [victim.to_dict() for victim in self.victims],
            "reasons": [reason.to_dict() for reason in self.reasons],
            "note": self.note,
            "light": self.light,
            "pawn_attack": self.pawn_attack,
        }


@dataclass(frozen=True)
class SideFinding:
    """What one side does throughout a loop.

    Attributes:
        kind: ``perpetual_check``, ``pinned_chariot``, ``perpetual_chase``, ``forbidden``,
            ``forbidden_light``, ``allowed`` or ``unknown``.
        zh: the same in Chinese.
        victims: the pieces chased on every move, where they stand when the loop begins.
    """

    kind: str
    zh: str
    victims: tuple[Stone, ...] = ()

    def __str__(self) -> str:
        names = "、".join(map(str, self.victims))
        return f"{self.zh}：{names}" if names else self.zh


@dataclass(frozen=True)
class Reading:
    """One of several answers to a loop that the book leaves to the arbiter.

    Attributes:
        condition: on what the answer depends, in Chinese.
        verdict: the answer in that case.
    """

    condition: str
    verdict: Verdict

    def __str__(self) -> str:
        side = self.verdict.loser
        zh = "不变判和" if side is None else f"{COLOR_NAMES_ZH[side]}方应变着，不变判负"
        return f"若{self.condition}，则{zh}"


@dataclass(frozen=True)
class Decision:
    """What a rule book concludes from natures.

    Attributes:
        verdict: the conclusion.
        findings: Red's and Black's.
        articles: the articles that lead to it, the deciding one first.
        readings: the possible answers where the verdict is ``undecided``.
    """

    verdict: Verdict
    findings: tuple[SideFinding, ...]
    articles: tuple[Article, ...]
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class LoopRuling:
    """The ruling on a loop.

    Attributes:
        verdict: the ruling if the loop were repeated for ever.
        plies: every move of the span with nature, victims and reasons.
        book: the rule book.
        findings: what Red and what Black does throughout.
        articles: the articles that decide.
        readings: the possible answers where the verdict is ``undecided``.
        loops: the minimal loops of the span, as indices into ``plies``.
        agreed: whether each of them alone would be ruled like the whole span.
        fen: position before the first ply.
    """

    verdict: Verdict
    plies: tuple[PlyRuling, ...]
    book: RuleBook
    findings: tuple[SideFinding, ...]
    articles: tuple[Article, ...]
    readings: tuple[Reading, ...]
    loops: tuple[Loop, ...]
    agreed: bool
    fen: str

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Ids of the deciding articles."""
        return tuple(article.id for article in self.articles)

    def sentence(self) -> str:
        """The ruling in one Chinese sentence."""
        sides = "；".join(
            f"{COLOR_NAMES_ZH[side]}方{finding}" for side, finding in enumerate(self.findings)
        )
        return f"{sides}。{self.verdict.zh}"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "verdict": self.verdict.value,
            "rules": self.book.id,
            "rules_hash": self.book.hash,
            "rule_ids": list(self.rule_ids),
            "articles": [{"id": article.id, "zh": article.zh} for article in self.articles],
            "sides": [
                {
                    "side": ("red", "black")[side],
                    "kind": finding.kind,
                    "zh": finding.zh,
                    "victims": [victim.to_dict() for victim in finding.victims],
                }
                for side, finding in enumerate(self.findings)
            ],
            "readings": [
                {"condition": reading.condition, "verdict": reading.verdict.value}
                for reading in self.readings
            ],
            "fen": self.fen,
            "agreed": self.agreed,
            "loops": [[self.plies[i].ply for i in loop] for loop in self.loops],
            "plies": [ply.to_dict() for ply in self.plies],
            "sentence": self.sentence(),
        }


def ply_line(ply: PlyRuling) -> str:
    """A move with its nature, for a list.

    >>> ply_line(PlyRuling(7, 0, Move.parse("h8h9"), "车二进一", Nature.CHECK))
    '7. 红 车二进一 (h8-h9)：将'
    """
    start, goal = map(square_name, ply.move)
    doubt = "" if ply.certain else "？"
    return (
        f"{ply.ply}. {COLOR_NAMES_ZH[ply.side]} {ply.text} ({start}-{goal})：{ply.nature.zh}{doubt}"
    )
