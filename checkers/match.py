"""A match of two games with the first move alternating (S0-TQ-1), and the clock for each move.

Time comes from outside: the clock asks a function, so a server, a test and a table with a
stopwatch use the same code.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from checkers.board import Board
from checkers.notation import Setup
from checkers.rules import Rules
from qikit.outcome import Outcome, Termination

GAMES = 2
"""Games of a match (S0-TQ-1)."""


@dataclass
class Match:
    """Two games between two players (0 and 1); each begins one of them.

    Attributes:
        rules: of both games.
        outcomes: the games played, as outcomes whose winner is a player.

    >>> match = Match()
    >>> match.first_player(0), match.first_player(1)
    (0, 1)
    >>> match.record(Outcome(Termination.GOAL_FILLED, 0))
    >>> match.record(Outcome(Termination.REPETITION, None))
    >>> match.scores(), match.is_over()
    ((1.5, 0.5), True)
    """

    rules: Rules = field(default_factory=lambda: Rules.preset("club2008"))
    outcomes: list[Outcome] = field(default_factory=list)

    def first_player(self, game: int) -> int:
        """Who begins a game (counted from 0)."""
        return game % 2

    def board(self) -> Board:
        """The start of the next game. Player 0 always sits in the north (camp A).

        Raises:
            ValueError: all games have been played.
        """
        if self.is_over():
            raise ValueError("两局都已下完 (both games have been played)")
        setup = Board.start(2, self.rules.pieces, self.rules).setup()
        if self.first_player(len(self.outcomes)) == 1:
            camps = (setup.camps[1], setup.camps[0])
            setup = Setup(setup.owners, 0, camps, setup.pieces)
        return Board.from_setup(setup, self.rules)

    def player_of(self, board: Board, seat: int) -> int:
        """The player on a seat of one of the match's boards."""
        return 0 if board.camps[seat] == 0 else 1

    def record_board(self, board: Board) -> None:
        """Take over the result of a finished board.

        Raises:
            ValueError: the game is not over.
        """
        outcome = board.outcome()
        if outcome is None:
            raise ValueError("这一局还没有下完 (the game is not over)")
        winner = None if outcome.winner is None else self.player_of(board, outcome.winner)
        self.record(Outcome(outcome.termination, winner, outcome.rule))

    def record(self, outcome: Outcome) -> None:
        """Take over a result whose winner is a player.

        Raises:
            ValueError: all games have been played.
        """
        if self.is_over():
            raise ValueError("两局都已下完 (both games have been played)")
        self.outcomes.append(outcome)

    def is_over(self) -> bool:
        """Whether both games have been played."""
        return len(self.outcomes) >= GAMES

    def scores(self) -> tuple[float, float]:
        """Points: 1 for a win, 0.5 for a draw, 0 for a loss (S0-TQ-2)."""
        points = [0.0, 0.0]
        for outcome in self.outcomes:
            if outcome.winner is None:
                points = [points[0] + 0.5, points[1] + 0.5]
            else:
                points[outcome.winner] += 1.0
        return points[0], points[1]


class MoveClock:
    """So many seconds for each turn; overruns are counted, one too many loses (S3A-GN-2).

    Args:
        rules: ``move_seconds`` and ``overruns_allowed``.
        seats: number of seats.
        now: seconds from any fixed moment.

    >>> ticks = iter([0.0, 25.0])
    >>> clock = MoveClock(Rules.preset("event20"), now=lambda: next(ticks))
    >>> clock.start(0)
    >>> clock.stop(), clock.overruns
    (True, [1, 0])
    """

    def __init__(
        self, rules: Rules, seats: int = 2, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.rules = rules
        self.overruns = [0] * seats
        self._now = now
        self._seat: int | None = None
        self._began = 0.0

    def start(self, seat: int) -> None:
        """A seat's time begins; a seat that was running is stopped first."""
        if self._seat is not None:
            self.stop()
        self._seat, self._began = seat, self._now()

    def elapsed(self) -> float:
        """Seconds of the running turn; 0 while nobody's time runs."""
        return 0.0 if self._seat is None else self._now() - self._began

    def stop(self) -> bool:
        """The turn is made (the hand has left the piece). Returns whether it was an overrun.

        Exactly the allowed time is not over it. Without a limit nothing is.
        """
        if self._seat is None:
            return False
        seat, limit = self._seat, self.rules.move_seconds
        over = 0 < limit < self._now() - self._began
        self.overruns[seat] += over
        self._seat = None
        return over

    def outcome(self) -> Outcome | None:
        """The loss on time, once a seat has more overruns than allowed; two seats only.

        >>> clock = MoveClock(Rules.preset("event20"))
        >>> clock.overruns = [4, 0]
        >>> clock.outcome()
        Outcome(termination=<Termination.TIME_FORFEIT: 'time_forfeit'>, winner=1, rule='S3A-GN-2')
        """
        for seat, count in enumerate(self.overruns):
            if count > self.rules.overruns_allowed:
                winner = 1 - seat if len(self.overruns) == 2 else None
                return Outcome(Termination.TIME_FORFEIT, winner, "S3A-GN-2")
        return None
