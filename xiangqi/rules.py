"""The rule options that a board needs to know; how loops are judged is `xiangqi.repetition`'s."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """Options of a competition that bear on a single position.

    Attributes:
        name: stable id of the preset.
        zh: its name for people.
        natural_limit_rounds: rounds (one move of each side) without a capture after which a draw
            can be had (自然限着), or None. The board counts them (``halfmove_clock``); whether a
            draw is claimed or ordered is the arbiter's business.
        draw_without_crossing_material: a position in which neither side has a piece that can
            cross the river is drawn at once (S0-XQ-21).

    >>> CLUB2008.natural_limit_plies
    120
    """

    name: str
    zh: str
    natural_limit_rounds: int | None = 60
    draw_without_crossing_material: bool = True

    def __post_init__(self) -> None:
        if self.natural_limit_rounds is not None and self.natural_limit_rounds < 1:
            raise ValueError(
                "自然限着至少为 1 回合 (natural_limit_rounds must be at least 1 or None): "
                f"{self.natural_limit_rounds}"
            )

    @property
    def natural_limit_plies(self) -> int | None:
        """The natural limit in single moves."""
        return None if self.natural_limit_rounds is None else 2 * self.natural_limit_rounds


CLUB2008 = Rules("club2008", "活动中心象棋规则", natural_limit_rounds=60)
"""S0-XQ: the default; natural limit 60 rounds (S0-XQ-24)."""
EVENT40 = Rules("event40", "自然限着四十回合", natural_limit_rounds=40)
"""S2-XQ-4: natural limit 40 rounds."""
NO_DRAWS = Rules(
    "no-draws", "不自动判和", natural_limit_rounds=None, draw_without_crossing_material=False
)
"""For analysis: nothing but mate and stalemate ends a game."""

PRESETS = {rules.name: rules for rules in (CLUB2008, EVENT40, NO_DRAWS)}


def rules_named(rules: Rules | str | None) -> Rules:
    """The preset of that name; ``Rules`` pass through, None is the default.

    Raises:
        ValueError: no such preset.

    >>> rules_named("event40").natural_limit_rounds
    40
    """
    if rules is None:
        return CLUB2008
    if isinstance(rules, Rules):
        return rules
    try:
        return PRESETS[rules]
    except KeyError:
        raise ValueError(
            f"没有名为 {rules!r} 的规则 (no such rules); 现有 (known): {', '.join(PRESETS)}"
        ) from None
