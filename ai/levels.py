"""Ten strengths of 象棋 for people, from 初学 to 最强, and one that adapts to its partner.

A level below 强手 plays as a person does: a few moves come to its mind, drawn from the policy
network (the weaker, the stranger the moves), and of these it takes the one whose outcome it likes
best. It looks ahead a little and judges inexactly: quiet replies escape it, recaptures do not. The
error of judgement is the same for a position as long as it stands on the board and another one
after the next move. From 爱好 upward a level neither misses nor allows a mate in one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from random import Random
from typing import Any

from ai.player import UNLIMITED, Budget, Choice, Report
from ai.search.xiangqi import SearchPlayer
from ai.search.xiangqi.policy import shipped
from qikit import StopFlag


@dataclass(frozen=True)
class Level:
    """One strength.

    Attributes:
        number: 1 (weakest) to 10.
        zh: its name.
        en: the same in English.
        ideas: how many moves come to its mind, ``None`` = all.
        whim: temperature at which they are drawn from the policy: 0 = the likeliest ones.
        depth: plies of its thinking, ``None`` = as many as the nodes allow.
        nodes: positions it looks at for a move.
        noise: half width of its error of judgement, hundredths of a pawn.
        seconds: longest time for a move.
    """

    number: int
    zh: str
    en: str
    ideas: int | None
    whim: float
    depth: int | None
    nodes: int
    noise: int
    seconds: float = 3.0

    def __str__(self) -> str:
        return f"{self.number} {self.zh} ({self.en})"


LEVELS = (
    Level(1, "初学", "first steps", 2, 5.0, 1, 2_000, 600),
    Level(2, "入门", "beginner", 3, 2.0, 1, 2_000, 400),
    Level(3, "新手", "novice", 3, 1.4, 1, 2_000, 190),
    Level(4, "爱好", "casual", 4, 1.4, 2, 3_000, 155),
    Level(5, "业余", "amateur", 8, 1.5, 4, 6_000, 80),
    Level(6, "熟手", "practised", 18, 1.5, 5, 16_000, 35),
    Level(7, "好手", "skilled", 24, 1.5, None, 4_000, 35),
    Level(8, "强手", "strong", None, 0.0, None, 8_000, 12),
    Level(9, "高手", "expert", None, 0.0, None, 30_000, 0),
    Level(10, "最强", "full strength", None, 0.0, None, 1_000_000, 0),
)
"""All levels, weakest first."""

SEES_MATES = 4
"""The first level that sees every mate in one, its own and the partner's."""

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
        own, searcher = self.level, self._searcher
        limit = Budget(
            time=min(own.seconds, own.seconds if budget.time is None else budget.time),
            nodes=min(own.nodes, budget.nodes or own.nodes),
            depth=_least(own.depth, budget.depth),
        )

        def look(among: list[Any]) -> Choice | None:
            ideas, left = self._ideas(board, among), limit.after(time.monotonic() - began)
            return searcher.choose(board, left, stop=stop, moves=ideas, report=report)

        legal = list(board.legal_moves if moves is None else moves)
        allowed = searcher.lawful(board, legal, limit)
        sees = own.number >= SEES_MATES
        allowed = (sees and mating(board, allowed)) or allowed
        searcher.noise, searcher.seed = own.noise, self._random.getrandbits(60)
        try:
            choice = look(allowed)
            if sees and choice is not None and allows_mate(board, choice.move):
                sound = [move for move in allowed if not allows_mate(board, move)]
                if sound:
                    choice = look(sound)
        finally:
            searcher.noise = 0
        if self._steady and budget.time is None:
            rest = began + STEADY - time.monotonic()
            while rest > 0 and not (stop is not None and stop.is_set()):
                time.sleep(min(rest, 0.02))
                rest = began + STEADY - time.monotonic()
        return choice

    def _ideas(self, board: Any, moves: list[Any]) -> list[Any]:
        """The moves that come to its mind; all of them where there is no policy."""
        own, policy = self.level, shipped()
        if own.ideas is None or len(moves) <= own.ideas or policy is None:
            return moves
        # adding Gumbel noise to the logits draws without replacement
        wish = [
            logit - own.whim * log(-log(self._random.random() or 0.5))
            for logit in policy.logits(board, moves).tolist()
        ]
        order = sorted(range(len(moves)), key=wish.__getitem__, reverse=True)
        return [moves[k] for k in order[: own.ideas]]

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The best move, whatever the level; within a second where the budget is empty."""
        if budget == UNLIMITED:
            budget = Budget(time=1.0)
        return self._searcher.hint(board, budget, stop=stop)


def mating(board: Any, moves: Sequence[Any]) -> list[Any]:
    """Those of some legal moves that leave the partner without a move, which wins.

    >>> from xiangqi import Board
    >>> board = Board("3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w")
    >>> "b0b9" in map(str, mating(board, list(board.legal_moves)))
    True
    """
    found = []
    for move in moves:
        board.push_unchecked(move)
        if not len(board.legal_moves):
            found.append(move)
        board.pop()
    return found


def allows_mate(board: Any, move: Any) -> bool:
    """Whether the partner can mate with the very next move."""
    board.push_unchecked(move)
    answer = bool(mating(board, list(board.legal_moves)))
    board.pop()
    return answer


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
