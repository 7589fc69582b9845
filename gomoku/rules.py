"""Rule options of 五子棋: what wins, what black may not play, when a game is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from gomoku.geometry import BLACK


class Win(IntEnum):
    """Which runs of one colour win (only runs through the stone just played count)."""

    FIVE_OR_MORE = 0
    EXACTLY_FIVE = 1
    OPEN_FIVE = 2
    """Exactly five, unless enemy stones close both ends (an edge closes nothing)."""
    OPEN_FIVE_OR_MORE = 3
    """Six or more always; five unless enemy stones close both ends."""


@dataclass(frozen=True)
class Rules:
    """One rule set.

    Attributes:
        name: short id, the one used in files and protocols' tables.
        name_zh: what players read; the screen and every saved file name the rule in force.
        black: runs that win for black.
        white: runs that win for white.
        forbidden: whether 三三, 四四 and 长连 are forbidden to black (renju).
        passes: whether a player may pass (RIF; two passes in a row are a draw).
        move_limit: stones and passes after which the game is drawn (Gomocup renju: 200).
        rule_id: the text that the rule comes from.

    >>> RENJU.forbidden, FREESTYLE.name_zh
    (True, '无禁手')
    """

    name: str
    name_zh: str
    black: Win
    white: Win
    forbidden: bool = False
    passes: bool = False
    move_limit: int | None = None
    rule_id: str = ""

    def win(self, color: int) -> Win:
        """Runs that win for ``color``."""
        return self.black if color == BLACK else self.white


FREESTYLE = Rules("freestyle", "无禁手", Win.FIVE_OR_MORE, Win.FIVE_OR_MORE, rule_id="S3B-WZ-4")
STANDARD = Rules("standard", "恰五", Win.EXACTLY_FIVE, Win.EXACTLY_FIVE, rule_id="Gomocup rule 1")
RENJU = Rules(
    "renju", "有禁手", Win.EXACTLY_FIVE, Win.FIVE_OR_MORE, forbidden=True, rule_id="RIF 9"
)
CARO_OVERLINE = Rules(
    "caro_overline",
    "越南规则（长连胜）",
    Win.OPEN_FIVE_OR_MORE,
    Win.OPEN_FIVE_OR_MORE,
    rule_id="Gomocup rule 8",
)
CARO_EXACT = Rules(
    "caro_exact", "越南规则（恰五）", Win.OPEN_FIVE, Win.OPEN_FIVE, rule_id="Gomocup rule 9"
)

PRESETS = {rules.name: rules for rules in (FREESTYLE, STANDARD, RENJU, CARO_OVERLINE, CARO_EXACT)}
"""Named rule sets."""


def resolve(rules: Rules | str) -> Rules:
    """The rule set of that name, or the rule set itself.

    Raises:
        ValueError: no rule set has that name.

    >>> resolve("renju").forbidden
    True
    """
    if isinstance(rules, Rules):
        return rules
    try:
        return PRESETS[rules]
    except (KeyError, TypeError):  # TypeError: not even a key
        raise ValueError(
            f"没有名为 {rules!r:.60} 的规则 (no such rule set); 现有 (known): {', '.join(PRESETS)}"
        ) from None
