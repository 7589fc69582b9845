"""Every switch of 军棋 as one frozen value, with named presets, and matches of several games.

Rule ids are those of the event text (``S3B-JQ-11``); what the text leaves open is said at the
switch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.geometry import BOARD_NAMES

MOST_PLIES_COUNTED = 1_000_000
"""The largest limit that a switch takes; more would overrun the kernels' numbers."""

MODES = {"dark": "四暗", "allies": "双明", "open": "全明"}
"""Who sees whose pieces: the own ones only; partners each other's; everybody all."""


@dataclass(frozen=True)
class Rules:
    """The switches of one rule set. Start from a preset and change what differs.

    >>> Rules.preset("event_s3b").flag_reveal, Rules.preset("standard").quiet_limit
    (False, 70)

    Raises:
        ValueError: a value that the switch does not have.
    """

    board: str = "siguo129"
    """``siguo129`` for four seats (teams 0+2 and 1+3), ``luzhan60`` for two."""
    mode: str = "dark"
    """``dark`` 四暗, ``allies`` 双明 or ``open`` 全明."""
    mine_survives: bool = True
    """A mine stays when any other than an engineer runs into it; off: both leave."""
    flag_reveal: bool = True
    """The death of a 司令 shows that side's flag to everybody."""
    quiet_limit: int = 70
    """Draw after so many plies of the whole table without a removed piece; 0 = never."""
    timeout_limit: int = 5
    """The timeout that puts a player out, counted over the game (S3B-JQ-10)."""
    move_seconds: float = 20.0
    """Time for each move. Counted by a clock, not by the board."""

    def __post_init__(self) -> None:
        for name, allowed in (("board", BOARD_NAMES), ("mode", tuple(MODES))):
            value: Any = getattr(self, name)
            if value not in allowed:
                raise ValueError(
                    f"规则项 {name} 不能是 {value!r} (not a value of it); "
                    f"可用 (known): {', '.join(allowed)}"
                )
        for name in ("mine_survives", "flag_reveal"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(
                    f"规则项 {name} 只能是真或假 (true or false): {str(getattr(self, name))[:40]}"
                )
        for name in ("quiet_limit", "timeout_limit"):
            number: Any = getattr(self, name)
            if type(number) is not int or number > MOST_PLIES_COUNTED:
                raise ValueError(
                    f"规则项 {name} 应为不超过 {MOST_PLIES_COUNTED} 的整数 "
                    f"(a whole number up to that): {str(number)[:40]}"
                )
        seconds: Any = self.move_seconds
        if type(seconds) not in (int, float) or not 0 < seconds < float("inf"):
            raise ValueError(
                f"每步时间应为正数 (move_seconds: a positive number): {str(seconds)[:40]}"
            )
        if self.quiet_limit < 0 or self.timeout_limit < 1:
            raise ValueError(
                "步数上限不能为负，超时次数至少为 1 (quiet_limit >= 0, timeout_limit >= 1): "
                f"{self.quiet_limit}, {self.timeout_limit}"
            )

    @classmethod
    def preset(cls, name: str, /, **changes: Any) -> Self:
        """A named rule set, with single switches changed.

        Raises:
            ValueError: no preset of that name, no such switch, or an impossible value.

        >>> Rules.preset("luzhan").board
        'luzhan60'
        """
        if name not in PRESETS:
            raise ValueError(
                f"没有规则 {name!r} (no such preset); 现有 (known): {', '.join(PRESETS)}"
            )
        values = {**PRESETS[name], **changes}
        known = cls.__dataclass_fields__
        for key in values:
            if key not in known:
                raise ValueError(
                    f"没有规则项 {key!r} (no such switch); 现有 (known): {', '.join(known)}"
                )
        return cls(**values)

    def having(self, **changes: Any) -> Self:
        """The same rules with some switches changed."""
        return replace(self, **changes)

    def changes(self) -> dict[str, Any]:
        """The switches that differ from ``Rules()``, for a record's header.

        >>> Rules.preset("ccgc").changes()
        {'board': 'luzhan60', 'quiet_limit': 31}
        """
        plain = Rules()
        return {
            name: getattr(self, name)
            for name in self.__dataclass_fields__
            if getattr(self, name) != getattr(plain, name)
        }

    @cached_property
    def switches(self) -> NDArray[np.int64]:
        """The switches as kernels read them (layout.py); not to be changed."""
        out = np.zeros(layout.SWITCHES_SIZE, np.int64)
        out[layout.MINE_SURVIVES] = self.mine_survives
        out[layout.FLAG_REVEAL] = self.flag_reveal
        out[layout.QUIET_LIMIT] = self.quiet_limit
        out[layout.TIMEOUT_LIMIT] = self.timeout_limit
        return out


PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "event_s3b": {"flag_reveal": False},
    "luzhan": {"board": "luzhan60"},
    "ccgc": {"board": "luzhan60", "quiet_limit": 31},
}
"""Preset name -> the switches in which it differs from ``Rules()``. ``event_s3b`` follows the event
text to the letter (S3B-JQ-12: it knows no showing of flags); ``luzhan`` is 陆战棋; ``ccgc`` the
two-player game of the computer game contest."""


def rules_named(rules: Rules | str | None) -> Rules:
    """The rules themselves, a preset by name, or ``standard`` for None.

    Raises:
        ValueError: no preset of that name.
    """
    return rules if isinstance(rules, Rules) else Rules.preset(rules or "standard")
