"""A ruling on a game as data, with the sentences that an arbiter reads out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arbiter.correction import Correction
from arbiter.overriding import Overruled
from qikit.outcome import Outcome, Termination
from xiangqi.geometry import COLOR_NAMES_ZH
from xiangqi.repetition import Article, LoopRuling, RuleBook

COLOR_NAMES_EN = ("Red", "Black")


class Verdict(StrEnum):
    """How a game stands.

    >>> Verdict.must_change(1), Verdict.loss(0), Verdict.DRAW == "draw"
    (<Verdict.BLACK_MUST_CHANGE: 'black_must_change'>, <Verdict.RED_LOSES: 'red_loses'>, True)
    """

    ONGOING = "ongoing"
    RED_MUST_CHANGE = "red_must_change"
    BLACK_MUST_CHANGE = "black_must_change"
    RED_LOSES = "red_loses"
    BLACK_LOSES = "black_loses"
    DRAW = "draw"
    UNDECIDED = "undecided"

    @classmethod
    def loss(cls, side: int) -> Verdict:
        """Loss of a side."""
        return cls.BLACK_LOSES if side else cls.RED_LOSES

    @classmethod
    def must_change(cls, side: int) -> Verdict:
        """The announcement that a side has to change."""
        return cls.BLACK_MUST_CHANGE if side else cls.RED_MUST_CHANGE

    @property
    def side(self) -> int | None:
        """The side that loses or has to change, or None."""
        return {"red": 0, "black": 1}.get(self.value.partition("_")[0])

    @property
    def zh(self) -> str:
        """The verdict in Chinese."""
        return _ZH[self]

    @property
    def en(self) -> str:
        """The verdict in English."""
        return _EN[self]


_ZH = {
    Verdict.ONGOING: "对局继续",
    Verdict.RED_MUST_CHANGE: "红方必须变着，再重复一次循环即判负",
    Verdict.BLACK_MUST_CHANGE: "黑方必须变着，再重复一次循环即判负",
    Verdict.RED_LOSES: "判红方负，黑方胜",
    Verdict.BLACK_LOSES: "判黑方负，红方胜",
    Verdict.DRAW: "判和棋",
    Verdict.UNDECIDED: "需裁判认定",
}
_EN = {
    Verdict.ONGOING: "the game goes on",
    Verdict.RED_MUST_CHANGE: "Red must change; one more loop loses",
    Verdict.BLACK_MUST_CHANGE: "Black must change; one more loop loses",
    Verdict.RED_LOSES: "Red loses",
    Verdict.BLACK_LOSES: "Black loses",
    Verdict.DRAW: "draw",
    Verdict.UNDECIDED: "the arbiter has to decide",
}


@dataclass(frozen=True)
class Event:
    """A moment of a game at which a ruling was due.

    Attributes:
        ply: number of moves played, the last of them led to it (0 = the start position).
        verdict: the ruling.
        termination: why, in the words of :class:`~qikit.outcome.Termination`.
        articles: the articles that decide.
        occurrences: how often the position had occurred, for repetition; else 1.
        quiet_plies: plies without a capture at that moment.
        on_claim: whether a player has to claim it.
        loop: the ruling on the loop, for repetition.
        cause: what happened, in Chinese, where the termination does not say it.
    """

    ply: int
    verdict: Verdict
    termination: Termination
    articles: tuple[Article, ...]
    occurrences: int = 1
    quiet_plies: int = 0
    on_claim: bool = False
    loop: LoopRuling | None = None
    cause: str = ""

    @property
    def is_final(self) -> bool:
        """Whether the game is over with it."""
        over = (Verdict.RED_LOSES, Verdict.BLACK_LOSES, Verdict.DRAW)
        return self.verdict in over and not self.on_claim

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Ids of the deciding articles."""
        return tuple(article.id for article in self.articles)

    def sentence(self) -> str:
        """What happened and what follows, in Chinese, short enough to be read aloud."""
        return f"{self._moment()}，{self._cause()}，{self._consequence()}。"

    def text(self) -> str:
        """The sentence, and behind it the articles that it rests on."""
        return f"{self.sentence()}依据 {self._citation()}。"

    def _moment(self) -> str:
        when = f"第 {self.ply} 着走完" if self.ply else "开始局面"
        if self.loop is None:
            return when
        return f"{when}，同一局面第 {self.occurrences} 次出现"

    def _cause(self) -> str:
        if self.loop is not None:
            sides = (
                f"{COLOR_NAMES_ZH[side]}方{finding}"
                for side, finding in enumerate(self.loop.findings)
            )
            return "，".join(sides)
        if self.termination is Termination.NATURAL_LIMIT:
            rounds, odd = divmod(self.quiet_plies, 2)
            return f"连续 {rounds} 回合{'又一着' * odd}没有吃子"
        if self.cause:
            return self.cause
        side = self.verdict.side
        who = "" if side is None else f"{COLOR_NAMES_ZH[side]}方"
        return {
            Termination.CHECKMATE: f"{who}被将死",
            Termination.STALEMATE: f"{who}无着可走（困毙）",
        }.get(self.termination, "双方都没有可以过河的子力")

    def _citation(self) -> str:
        return "；".join(f"{article.id}（{article.zh}）" for article in self.articles)

    def _consequence(self) -> str:
        if self.on_claim:
            return "经一方提出，判和棋"
        if self.loop is not None and self.verdict is Verdict.UNDECIDED:
            return "；".join(["需裁判认定", *map(str, self.loop.readings)])
        return self.headline

    @property
    def headline(self) -> str:
        """What follows, in a few Chinese words."""
        if self.cause:
            return f"{COLOR_NAMES_ZH[self.verdict.side or 0]}方这一着不许走，须另走一着"
        return self.verdict.zh

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "ply": self.ply,
            "verdict": self.verdict.value,
            "termination": self.termination.value,
            "rule_ids": list(self.rule_ids),
            "articles": [{"id": article.id, "zh": article.zh} for article in self.articles],
            "occurrences": self.occurrences,
            "quiet_plies": self.quiet_plies,
            "final": self.is_final,
            "on_claim": self.on_claim,
            "text": self.text(),
            "loop": self.loop.to_dict() if self.loop else None,
        }


@dataclass(frozen=True)
class Ruling:
    """The ruling on a game.

    Attributes:
        verdict: how the game stands: the first final ruling decides it; without one, how it stands
            after its last move.
        event: the moment that the verdict rests on, None where the game is simply going on.
        events: every moment at which a ruling was due, in order.
        plies: moves of the game.
        book: the rule book.
        occurrences: how often the last position has occurred.
        quiet_plies: plies without a capture at the end.
        overrides: natures that the arbiter found, in place of the program's.
        corrections: moves of the record that were put right before.
    """

    verdict: Verdict
    event: Event | None
    events: tuple[Event, ...]
    plies: int
    book: RuleBook
    occurrences: int
    quiet_plies: int
    overrides: tuple[Overruled, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def loop(self) -> LoopRuling | None:
        """The ruling on the loop that the verdict rests on."""
        return self.event.loop if self.event else None

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Ids of the deciding articles."""
        return self.event.rule_ids if self.event else ()

    @property
    def ply(self) -> int:
        """Moves played when the verdict fell due; of a game that goes on, all its moves."""
        return self.event.ply if self.event else self.plies

    @property
    def first_due(self) -> int | None:
        """Moves played when a ruling was due for the first time, or None."""
        return self.events[0].ply if self.events else None

    @property
    def plies_after(self) -> int:
        """Moves that were still played after the ruling that decides the game."""
        return self.plies - self.event.ply if self.event and self.event.is_final else 0

    def outcome(self) -> Outcome | None:
        """The end of the game, None while it goes on or waits for the arbiter or for a claim."""
        if self.event is None or not self.event.is_final:
            return None
        side = self.verdict.side
        winner = None if side is None else 1 - side
        return Outcome(self.event.termination, winner, self.rule_ids[0])

    @property
    def headline(self) -> str:
        """How the game stands, in a few Chinese words."""
        return self.event.headline if self.event else self.verdict.zh

    def changes(self) -> list[str]:
        """What an arbiter changed by hand, in Chinese: the record first, then findings."""
        return [c.sentence() for c in self.corrections] + [o.sentence() for o in self.overrides]

    def text(self) -> str:
        """The ruling in a few sentences, Chinese first, readable aloud."""
        if self.event is None:
            zh = [f"第 {self.plies} 着走完，对局继续，没有应作的裁定。"]
            if self.events:
                zh.append("此前曾有应作的裁定：")
        else:
            zh = [self.event.text()]
        zh += [event.text() for event in self.events if event is not self.event]
        if self.plies_after:
            zh.append(f"裁定成立以后，棋谱上还有 {self.plies_after} 着。")
        zh += [f"{sentence}。" for sentence in self.changes()]
        en = f"{self.verdict.en[0].upper()}{self.verdict.en[1:]}"
        cited = f" ({', '.join(dict.fromkeys(self.rule_ids))})" if self.rule_ids else ""
        return "\n".join([*zh, f"{en}{cited}; {self.book.en}, after ply {self.ply}."])

    def to_dict(self) -> dict[str, Any]:
        """JSON form, stamped with program version and rule book."""
        return {
            "verdict": self.verdict.value,
            "ply": self.ply,
            "rule_ids": list(self.rule_ids),
            "first_due": self.first_due,
            "plies": self.plies,
            "plies_after": self.plies_after,
            "occurrences": self.occurrences,
            "quiet_plies": self.quiet_plies,
            "text": self.text(),
            "loop": self.loop.to_dict() if self.loop else None,
            "events": [event.to_dict() for event in self.events],
            "overrides": [override.to_dict() for override in self.overrides],
            "corrections": [correction.to_dict() for correction in self.corrections],
            "rules": {"id": self.book.id, "zh": self.book.zh, "hash": self.book.hash},
            "program": {"name": DISTRIBUTION, "version": program_version()},
        }


DISTRIBUTION = "qiyuan-games"


def program_version() -> str:
    """Version of the installed program, as stamped on rulings."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
