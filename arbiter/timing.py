"""Time controls of the events' rules, as an arbiter's clock has to be set for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xiangqi.repetition import Article


@dataclass(frozen=True)
class TimeControl:
    """How much time the players have, and what an overrun means.

    Attributes:
        id: short name.
        zh: the setting in Chinese.
        article: the article it comes from, in our words.
        base: main time of each side, seconds.
        period: seconds for each move once the main time is used up; 0 = none. A move made in time
            gives the whole period again; one that is used up is an overrun, and the next begins.
        periods: how many overruns lose the game; None = they are only counted.
        increment: seconds added after each move while the main time lasts.
        overrun: what an overrun means that does not lose yet, in Chinese.
        flag: what follows when the time is up, in Chinese.
    """

    id: str
    zh: str
    article: Article
    base: int = 0
    period: int = 0
    periods: int | None = 1
    increment: int = 0
    overrun: str = ""
    flag: str = "超时判负"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "id": self.id,
            "zh": self.zh,
            "article": {"id": self.article.id, "zh": self.article.zh},
            "base": self.base,
            "period": self.period,
            "periods": self.periods,
            "increment": self.increment,
            "overrun": self.overrun,
            "flag": self.flag,
        }


TIME_CONTROLS = (
    TimeControl(
        "s2",
        "每方 30 分钟",
        Article("S2-XQ-3", "每局双方用时合计 60 分钟，即各 30 分钟；中途放钟，已用时间双方平分"),
        base=30 * 60,
    ),
    TimeControl(
        "s3a",
        "每步 20 秒，第四次超时判负",
        Article("S3A-GN-2", "每步不超过 20 秒，累计超时超过三次判负"),
        period=20,
        periods=4,
        overrun="记超时一次",
    ),
    TimeControl(
        "s3b_slow",
        "慢棋：每步 5 分钟",
        Article("S3B-XQ-2", "慢棋原则上每步不超过 5 分钟"),
        period=5 * 60,
        periods=None,
        overrun="警告",
    ),
    TimeControl(
        "s3b_quick",
        "快棋：每步 20 秒，第三次警告判负",
        Article("S3B-XQ-3", "快棋每步 20 秒，超时警告，第三次警告判负"),
        period=20,
        periods=3,
        overrun="警告",
    ),
    TimeControl(
        "s4",
        "每方 40 分钟，以后每步 10 秒",
        Article("S4-XQ-3", "每方 40 分钟，用完后每步 10 秒，超时判负"),
        base=40 * 60,
        period=10,
    ),
    TimeControl(
        "s4_quick",
        "加赛快棋：每方 5 分钟，以后每步 5 秒",
        Article("S4-XQ-4", "加赛快棋每方 5 分钟，用完后每步 5 秒，超时判负"),
        base=5 * 60,
        period=5,
    ),
)
"""By event. The readings: S2-XQ-3 shares the 60 minutes (two times 30); the quick game of S4-XQ-4
is 5 minutes each; S3A loses on the fourth overrun, S3B on the third."""


def time_control(name: str) -> TimeControl:
    """A time control by its id.

    Raises:
        ValueError: there is none.

    >>> time_control("s4").article.id, time_control("s3a").periods
    ('S4-XQ-3', 4)
    """
    for control in TIME_CONTROLS:
        if control.id == name:
            return control
    names = ", ".join(control.id for control in TIME_CONTROLS)
    raise ValueError(f"没有这种用时 (no such time control): {name!r}；有 (there are) {names}")
