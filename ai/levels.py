"""Ten strengths of 象棋 for people, from 初学 to 最强, and one that adapts to its partner.

A level thinks less and judges less exactly than the one above. The error of judgement is the same
for a position as long as it stands on the board and another one after the next move, so a weak
level plays like a person who misjudges positions, not like a strong one who sometimes plays at
random. Forced mates within its depth are never misjudged.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ai.player import UNLIMITED, Budget, Choice, Report
from ai.search.xiangqi import SearchPlayer
from qikit import StopFlag


@dataclass(frozen=True)
class Level:
    """One strength.

    Attributes:
        number: 1 (weakest) to 10.
        zh: its name.
        en: the same in English.
        depth: plies of its thinking, ``None`` = as many as the nodes allow.
        nodes: positions it looks at for a move.
        noise: half width of its error of judgement, hundredths of a pawn.
        seconds: longest time for a move.
    """

    number: int
    zh: str
    en: str
    depth: int | None
    nodes: int
    noise: int
    seconds: float = 3.0

    def __str__(self) -> str:
        return f"{self.number} {self.zh} ({self.en})"


LEVELS = (
    Level(1, "初学", "first steps", 1, 2_000, 9_000),
    Level(2, "入门", "beginner", 1, 2_000, 1_500),
    Level(3, "新手", "novice", 1, 2_000, 650),
    Level(4, "爱好", "casual", 2, 3_000, 320),
    Level(5, "业余", "amateur", 3, 6_000, 170),
    Level(6, "熟手", "practised", 4, 12_000, 90),
    Level(7, "好手", "skilled", 5, 20_000, 50),
    Level(8, "强手", "strong", None, 8_000, 12),
    Level(9, "高手", "expert", None, 40_000, 0),
    Level(10, "最强", "full strength", None, 1_000_000, 0),
)
"""All levels, weakest first."""

STEADY = 0.3
"""Seconds before which a steady player does not answer a person."""


def level(name: int | str) -> Level:
    """A level by number or by name.

    Raises:
        ValueError: there is none such.

    >>> level("初学").number, level(10).zh
    (1, '最强')
    """
    for one in LEVELS:
        if name in (one.number, one.zh, one.en, str(one.number)):
            return one
    names = "、".join(one.zh for one in LEVELS)
    raise ValueError(f"没有这个等级 (no such level): {name!r}；有 {names}")


class LevelPlayer:
    """Plays at a level.

    Args:
        strength: a level, its number or its name.
        seed: the same seed plays the same games; ``None`` = never the same.
        steady: wait until ``STEADY`` seconds have passed, so that answers to a person come evenly.
        searcher: what thinks; by default one of its own.
    """

    def __init__(
        self,
        strength: Level | int | str,
        *,
        seed: int | None = None,
        steady: bool = False,
        searcher: SearchPlayer | None = None,
    ) -> None:
        self.level = strength if isinstance(strength, Level) else level(strength)
        self._random = Random(seed)
        self._steady = steady
        self._searcher = searcher or SearchPlayer()

    @property
    def name(self) -> str:
        """Name of the level."""
        return self.level.zh

    def new_game(self) -> None:
        """Forget the game before."""
        self._searcher.new_game()

    def choose(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        """See :meth:`ai.player.Player.choose`; a budget above the level's own changes nothing."""
        began = time.monotonic()
        own = self.level
        limit = Budget(
            time=min(own.seconds, own.seconds if budget.time is None else budget.time),
            nodes=min(own.nodes, budget.nodes or own.nodes),
            depth=_least(own.depth, budget.depth),
        )
        searcher = self._searcher
        searcher.noise, searcher.seed = own.noise, self._random.getrandbits(60)
        try:
            choice = searcher.choose(board, limit, stop=stop, moves=moves, report=report)
        finally:
            searcher.noise = 0
        if self._steady and budget.time is None:
            rest = began + STEADY - time.monotonic()
            while rest > 0 and not (stop is not None and stop.is_set()):
                time.sleep(min(rest, 0.02))
                rest = began + STEADY - time.monotonic()
        return choice

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The best move, whatever the level; within a second where the budget is empty."""
        if budget == UNLIMITED:
            budget = Budget(time=1.0)
        return self._searcher.hint(board, budget, stop=stop)


def _least(one: int | None, other: int | None) -> int | None:
    given = [value for value in (one, other) if value is not None]
    return min(given) if given else None


class AdaptingPlayer(LevelPlayer):
    """Plays about as well as its partner (因人而异).

    After each own move it looks at the position with open eyes: where it stands clearly better it
    becomes a little weaker, where it stands worse a little stronger; a finished game counts as
    well. ``strength`` is between 1 and 10 and lies between the levels.

    >>> player = AdaptingPlayer(start=5, seed=1)
    >>> player.finished(won=True); player.strength
    4.5
    """

    def __init__(
        self,
        start: float = 4.0,
        *,
        seed: int | None = None,
        steady: bool = False,
        searcher: SearchPlayer | None = None,
    ) -> None:
        super().__init__(1, seed=seed, steady=steady, searcher=searcher)
        self.strength = min(max(start, 1.0), 10.0)

    @property
    def name(self) -> str:
        """Its name for people."""
        return "因人而异"

    def finished(self, won: bool | None) -> None:
        """Tell it how a game ended: it won, lost, or (``None``) drew."""
        if won is not None:
            self._move_by(-0.5 if won else 0.5)

    def _move_by(self, steps: float) -> None:
        self.strength = min(max(self.strength + steps, 1.0), 10.0)

    def choose(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        """See :meth:`ai.player.Player.choose`."""
        whole = int(self.strength)
        higher = self._random.random() < self.strength - whole
        self.level = LEVELS[min(whole - 1 + higher, 9)]
        choice = super().choose(board, budget, stop=stop, moves=moves, report=report)
        if choice is not None and len(board.move_stack) > 8:
            self._look_back(board, choice)
        return choice

    def _look_back(self, board: Any, choice: Choice) -> None:
        after = board.copy()
        after.push(choice.move)
        seen = self._searcher.hint(after, Budget(nodes=4000))
        if seen is None:
            return
        ahead = -1000.0 if seen.mate is not None and seen.mate > 0 else -(seen.score or 0.0)
        if ahead > 150:
            self._move_by(-0.15)
        elif ahead < -60:
            self._move_by(0.15)
