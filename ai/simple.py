"""Two players for every game with move lists: one plays at random, one looks one ply ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ai.evaluation import Evaluation, indifferent
from ai.player import UNLIMITED, Budget, Choice, Report
from qikit import StopFlag


class RandomPlayer:
    """Any legal move, all equally likely.

    Args:
        seed: the same seed gives the same moves in the same positions; ``None`` = never the same.
    """

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

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
        candidates = list(board.legal_moves if moves is None else moves)
        if not candidates:
            return None
        move = self._random.choice(candidates)
        return Choice(move, line=(move,))

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """A random move: this player knows no better."""
        return self.choose(board, budget, stop=stop)


class GreedyPlayer:
    """The move after which the position looks best: a win if there is one, else by ``evaluate``.

    It does not see the reply. Among equal moves it picks one at random.

    Args:
        evaluate: value of a position for a seat, see :mod:`ai.evaluation`.
        seed: as for :class:`RandomPlayer`.
    """

    name = "greedy"

    def __init__(self, evaluate: Evaluation = indifferent, seed: int | None = None) -> None:
        self._evaluate = evaluate
        self._random = Random(seed)

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
        candidates = list(board.legal_moves if moves is None else moves)
        self._random.shuffle(candidates)
        return self._best(board, candidates, budget, stop or StopFlag(), report)

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The best move after one ply; always the same one in the same position."""
        return self._best(board, list(board.legal_moves), budget, stop or StopFlag(), None)

    def _best(
        self,
        board: Any,
        candidates: list[Any],
        budget: Budget,
        stop: StopFlag,
        report: Report | None,
    ) -> Choice | None:
        best: Choice | None = None
        if budget.time is not None:
            stop.after(budget.share or budget.time)
        try:
            for count, move in enumerate(candidates, start=1):
                score, mate = self._value(board, move)
                if best is None or _rank(score, mate) > _rank(best.score, best.mate):
                    best = Choice(move, score, mate, (move,), depth=1, nodes=count)
                    if report is not None:
                        report(best)
                if stop.is_set() or count == budget.nodes:
                    break
        finally:
            stop.cancel()
        return best

    def _value(self, board: Any, move: Any) -> tuple[float | None, int | None]:
        seat = board.turn
        board.push(move)
        try:
            outcome = board.outcome()
            if outcome is None:
                return self._evaluate(board, seat), None
            if outcome.winner is None:
                return 0.0, None
            return None, 1 if outcome.winner == seat else -1
        finally:
            board.pop()


def _rank(score: float | None, mate: int | None) -> float:
    return (score or 0.0) if mate is None else float("inf") * mate
