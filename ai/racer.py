"""跳棋: any player, but once the armies have passed each other the shortest way home."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ai.player import UNLIMITED, Budget, Choice, Player, Report
from qikit import StopFlag

_ARMIES = 200_000
"""Size of the exact search of a race: a fraction of a second."""


class RacingPlayer:
    """Plays like ``inner`` until two armies have passed, then runs the shortest line found.

    Args:
        inner: who plays before that, and in games of more than two seats.
    """

    name = "racer"

    def __init__(self, inner: Player) -> None:
        self._inner = inner

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
        run = self._run(board)
        if run is not None and (moves is None or run.move in moves):
            return run
        return self._inner.choose(board, budget, stop=stop, moves=moves, report=report)

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The first turn of the shortest line, or the inner player's hint."""
        return self._run(board) or self._inner.hint(board, budget, stop=stop)

    def _run(self, board: Any) -> Choice | None:
        from checkers import InvalidPosition, has_passed, solo_distance

        if board.outcome() is not None or not (len(board.camps) == 1 or has_passed(board)):
            return None
        try:
            distance = solo_distance(board, budget=_ARMIES)
        except InvalidPosition:  # an incomplete army races nowhere
            return None
        if not distance.line or distance.line[0] not in board.legal_moves:
            return None
        return Choice(distance.line[0], line=distance.line, depth=distance.turns)
