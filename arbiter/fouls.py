"""Fouls of procedure (犯规): what an arbiter writes down against a player; three lose the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xiangqi.geometry import COLOR_NAMES_ZH
from xiangqi.repetition import Article, RuleBook

FOULS_LOSE = 3
"""Fouls in one game that lose it (S0-XQ-19)."""

CLUB_FOULS = {
    "disturbance": Article("S0-XQ-32", "在对方走棋时无故提出异议或干扰对方"),
    "repeated_offer": Article("S0-XQ-33", "提和被拒后连续提和"),
    "false_limit_claim": Article("S0-XQ-34", "提出自然限着而审核不属实"),
    "touched_immovable": Article("S0-XQ-35", "触摸自己不可能走动的棋子"),
    "touched_untakable": Article("S0-XQ-36", "触摸对方无法吃掉的棋子"),
}
"""The fouls of the club rules, by what happened."""


def foul_article(kind: str, book: RuleBook) -> Article | None:
    """The article under which something is a foul; None where the rule book's event has none.

    The club rules stand behind every book whose natural limit they word.

    >>> from xiangqi.repetition import rule_book
    >>> str(foul_article("false_limit_claim", rule_book("club2008")))
    'S0-XQ-34 提出自然限着而审核不属实'
    >>> foul_article("false_limit_claim", rule_book("axf")) is None
    True
    """
    if kind in book.articles:
        return book.article(kind)
    limit = book.articles.get("natural_limit")
    return CLUB_FOULS[kind] if limit and limit.id.startswith("S0-") else None


@dataclass(frozen=True)
class Foul:
    """A foul as it is written down.

    Attributes:
        side: who committed it, 0 Red, 1 Black.
        ply: moves played when it happened.
        article: the article.
    """

    side: int
    ply: int
    article: Article

    def sentence(self) -> str:
        """In Chinese."""
        who = COLOR_NAMES_ZH[self.side]
        return f"{who}方在第 {self.ply} 着走完后犯规一次：{self.article.id}（{self.article.zh}）"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "side": ("red", "black")[self.side],
            "ply": self.ply,
            "rule_id": self.article.id,
            "text": self.sentence(),
        }
