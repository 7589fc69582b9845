"""Claims of a player: granted or refused, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arbiter.fouls import Foul, foul_article
from arbiter.overriding import Override
from arbiter.repetition import judge, line
from arbiter.ruling import Event, Ruling, Verdict
from qikit.errors import GameError
from xiangqi.board import Board
from xiangqi.game import Game
from xiangqi.geometry import COLOR_NAMES_ZH
from xiangqi.repetition import Article, RuleBook, rule_book

_FORM = re.compile(
    r"\s*(?P<side>[A-Za-z]+|[红紅黑])方?\s*(?:@\s*(?P<ply>[0-9]{1,5}))?\s*[=＝]\s*(?P<what>\S+)\s*",
    re.ASCII,
)
_SIDES = {"red": 0, "r": 0, "w": 0, "红": 0, "紅": 0, "black": 1, "b": 1, "黑": 1}


class Claimed(StrEnum):
    """What a player asks for.

    >>> Claimed.MUST_CHANGE.zh
    '对方应变着'
    """

    REPETITION = "repetition"
    NATURAL_LIMIT = "natural_limit"
    MUST_CHANGE = "must_change"

    @property
    def zh(self) -> str:
        """In Chinese."""
        return {
            "repetition": "循环反复，请求裁定",
            "natural_limit": "自然限着到限，请求判和",
            "must_change": "对方应变着",
        }[self.value]


_ARTICLE_KEYS = {
    "natural_limit": Claimed.NATURAL_LIMIT,
    "repetition_draw": Claimed.REPETITION,
    "both_allowed": Claimed.REPETITION,
    "both_forbidden": Claimed.REPETITION,
    "mutual_check": Claimed.REPETITION,
    "both_chase": Claimed.REPETITION,
    "must_change": Claimed.MUST_CHANGE,
    "forfeit": Claimed.MUST_CHANGE,
    "forbidden": Claimed.MUST_CHANGE,
    "unilateral_check": Claimed.MUST_CHANGE,
    "perpetual_chase": Claimed.MUST_CHANGE,
    "pinned_chariot": Claimed.MUST_CHANGE,
    "higher_rank": Claimed.MUST_CHANGE,
    "weight": Claimed.MUST_CHANGE,
    "no_third_repetition": Claimed.MUST_CHANGE,
}
"""What a claim by an article of a rule book asks for, by the article's key."""


@dataclass(frozen=True)
class Ground:
    """What may be claimed under a rule book.

    Attributes:
        what: the claim.
        meaning: when it holds and what follows, in Chinese.
    """

    what: Claimed
    meaning: str

    def to_dict(self) -> dict[str, str]:
        """JSON form."""
        return {"what": self.what.value, "zh": self.what.zh, "meaning": self.meaning}


def grounds(rules: str | RuleBook) -> tuple[Ground, ...]:
    """What a player may claim under a rule book, with its numbers.

    Raises:
        ValueError: no such rule book.

    >>> [ground.what.value for ground in grounds("club2008")]
    ['repetition', 'must_change', 'natural_limit']
    >>> grounds("club2008")[2].meaning
    '连续 60 回合没有吃子，判和。审核不属实，提出方犯规一次（S0-XQ-34）。'
    """
    book = rule_book(rules)
    loops = book.ruling_after_loops
    found = [
        Ground(
            Claimed.REPETITION,
            f"同一循环走满 {loops} 次（同一局面第 {loops + 1} 次出现），由裁判判和、判变着或判负。",
        ),
        Ground(
            Claimed.MUST_CHANGE,
            "对方在循环中走的是禁止着法，自己的是允许着法，请裁判责令对方变着或判负。",
        ),
    ]
    limit = book.natural_limit_plies
    if limit is not None:
        article = foul_article("false_limit_claim", book)
        foul = f"审核不属实，提出方犯规一次（{article.id}）。" if article else ""
        rounds = f"连续 {limit // 2} 回合没有吃子，判和。{foul}"
        found.append(Ground(Claimed.NATURAL_LIMIT, rounds))
    return tuple(found)


@dataclass(frozen=True)
class Claim:
    """Who claims what, and when.

    Attributes:
        side: the claimant, 0 Red, 1 Black.
        what: what he asks for.
        ply: moves played at that moment; None = at the end of the record.
        article: id of the article that he named, if he named one.
    """

    side: int
    what: Claimed
    ply: int | None = None
    article: str = ""

    @classmethod
    def parse(cls, text: str, rules: str | RuleBook = "club2008") -> Claim:
        """Read ``SIDE=WHAT`` or ``SIDE@PLY=WHAT``; what is one of :class:`Claimed` or an article.

        Raises:
            GameError: the text is not of that form, or the book has no such article.

        >>> Claim.parse("红@120=natural_limit").ply
        120
        >>> Claim.parse("black=S0-XQ-40").what
        <Claimed.MUST_CHANGE: 'must_change'>
        """
        book = rule_book(rules)
        match = _FORM.fullmatch(text)
        side = _SIDES.get(match["side"].lower()) if match else None
        if match is None or side is None:
            raise GameError(
                f"提出要写成 红方@着数=事由，例如 红@120=natural_limit"
                f" (write SIDE@PLY=WHAT): {text!r}",
                text=text,
            )
        word = match["what"]
        ply = int(match["ply"]) if match["ply"] else None
        if word in list(map(str, Claimed)):
            return cls(side, Claimed(word), ply)
        for key, what in _ARTICLE_KEYS.items():
            if key in book.articles and book.article(key).id.lower() == word.lower():
                return cls(side, what, ply, book.article(key).id)
        ids = dict.fromkeys(book.article(k).id for k in _ARTICLE_KEYS if k in book.articles)
        raise GameError(
            f"不能据此提出 (no such ground): {word!r}；可写 (one of) "
            f"{', '.join(Claimed)}，或条文 {', '.join(ids)}",
            text=text,
        )


class Answer(StrEnum):
    """What becomes of a claim."""

    GRANTED = "granted"
    REFUSED = "refused"
    PENDING = "pending"

    @property
    def zh(self) -> str:
        """In Chinese."""
        return {"granted": "成立", "refused": "不成立", "pending": "待裁判认定"}[self.value]


@dataclass(frozen=True)
class ClaimRuling:
    """The answer to a claim.

    Attributes:
        claim: the claim.
        ply: moves played at that moment.
        answer: granted, refused, or pending on what the arbiter finds the moves to be.
        reason: why, in Chinese.
        ruling: how the game stood at that moment.
        event: the moment of the game that the answer rests on, if any.
        foul: what the claimant has to answer for: a natural limit that proves not reached.
    """

    claim: Claim
    ply: int
    answer: Answer
    reason: str
    ruling: Ruling
    event: Event | None = None
    foul: Foul | None = None

    @property
    def articles(self) -> tuple[Article, ...]:
        """The articles that the answer rests on."""
        if self.event is not None:
            return self.event.articles
        return (self.foul.article,) if self.foul else ()

    def text(self) -> str:
        """The answer in Chinese."""
        claim = self.claim
        by = f"依据 {claim.article} " if claim.article else ""
        who = COLOR_NAMES_ZH[claim.side]
        head = f"第 {self.ply} 着走完，{who}方{by}提出：{claim.what.zh}。"
        head += f"{self.answer.zh}：{self.reason}。"
        return head + (f"{self.foul.sentence()}，对局继续。" if self.foul else "")

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "side": ("red", "black")[self.claim.side],
            "ply": self.ply,
            "claimed": self.claim.what.value,
            "article": self.claim.article,
            "answer": self.answer.value,
            "reason": self.reason,
            "verdict": self.event.verdict.value if self.event else None,
            "rule_ids": [article.id for article in self.articles],
            "foul": self.foul.to_dict() if self.foul else None,
            "text": self.text(),
        }


def decide_claim(
    board_or_game: Board | Game,
    claim: Claim,
    rules: str | RuleBook = "club2008",
    *,
    overrides: Iterable[Override] = (),
) -> ClaimRuling:
    """Whether a claim holds at its moment; what was played later does not count.

    Args:
        board_or_game: the game.
        claim: who, when, what.
        rules: id of a rule book, or a book.
        overrides: natures that the arbiter found; those of later plies do not count either.

    Raises:
        ValueError: no such rule book.
        GameError: the game has no such ply.

    >>> board = Board("3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1")
    >>> for move in "d9e9 d4e4 e9d9 e4d4".split() * 4:
    ...     _ = board.push(move)
    >>> print(decide_claim(board, Claim.parse("black@12=must_change")).answer.zh)
    不成立
    >>> print(decide_claim(board, Claim.parse("black=must_change")).answer.zh)
    成立
    """
    book = rule_book(rules)
    start, moves = line(board_or_game)
    ply = len(moves) if claim.ply is None else claim.ply
    if ply > len(moves):
        raise GameError(
            f"没有第 {ply} 着，这局棋只有 {len(moves)} 着 (the game has {len(moves)} plies)"
        )
    for move in moves[:ply]:
        start.push_unchecked(move)
    ruling = judge(start, book, overrides=[o for o in overrides if o.ply <= ply])
    event = ruling.event
    if event is not None and event.is_final and event.ply < ply:
        over = f"对局在第 {event.ply} 着走完时已经结束，{event.verdict.zh}"
        return ClaimRuling(claim, ply, Answer.REFUSED, over, ruling, event)
    if claim.what is Claimed.NATURAL_LIMIT:
        return _natural_limit(claim, ply, ruling)
    return _repetition(claim, ply, ruling)


def _natural_limit(claim: Claim, ply: int, ruling: Ruling) -> ClaimRuling:
    limit, quiet = ruling.book.natural_limit_plies, ruling.quiet_plies
    counted = f"连续 {quiet // 2} 回合{'又一着' * (quiet % 2)}没有吃子"
    if limit is None:
        why = f"{ruling.book.zh}没有自然限着"
        return ClaimRuling(claim, ply, Answer.REFUSED, why, ruling)
    if quiet >= limit:
        event = next(e for e in reversed(ruling.events) if e.on_claim or e.is_final)
        why = f"{counted}，满 {limit // 2} 回合，判和"
        return ClaimRuling(claim, ply, Answer.GRANTED, why, ruling, event)
    article = foul_article("false_limit_claim", ruling.book)
    foul = Foul(claim.side, ply, article) if article else None
    why = f"审核不属实，{counted}，不满 {limit // 2} 回合"
    return ClaimRuling(claim, ply, Answer.REFUSED, why, ruling, None, foul)


def _repetition(claim: Claim, ply: int, ruling: Ruling) -> ClaimRuling:
    event = _standing(ruling, ply)
    if event is None:
        needed = ruling.book.ruling_after_loops + 1
        why = (
            f"这时没有应作的循环裁定：局面第 {ruling.occurrences} 次出现，"
            f"同一循环要反复到第 {needed} 次出现"
            if ruling.occurrences < needed
            else "这时没有应作的循环裁定：局面虽然多次出现，其间走的不是同样的循环"
        )
        return ClaimRuling(claim, ply, Answer.REFUSED, why, ruling)
    verdict, own = event.verdict, event.verdict.side
    if verdict is Verdict.UNDECIDED:
        why = "；".join(map(str, event.loop.readings)) if event.loop else verdict.zh
        return ClaimRuling(claim, ply, Answer.PENDING, why, ruling, event)
    in_vain = own == claim.side or (own is None and claim.what is Claimed.MUST_CHANGE)
    answer = Answer.REFUSED if in_vain else Answer.GRANTED
    return ClaimRuling(claim, ply, answer, event.text().rstrip("。"), ruling, event)


def _standing(ruling: Ruling, ply: int) -> Event | None:
    """The ruling on repetition that is due now or was made and still stands."""
    due = (event for event in reversed(ruling.events) if event.loop or event.cause)
    return next((event for event in due if event is ruling.event or event.ply == ply), None)
