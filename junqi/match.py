"""Matches: two games or more with the first move swapped, until one team leads (S3B-JQ-1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from junqi.geometry import seat_number
from qikit.outcome import Outcome


@dataclass
class Match:
    """A match of two teams (or two players).

    Sides keep their seats; what changes from game to game is who begins: seats 0 and 1 in turn, and
    so the two teams.

    Attributes:
        first: seat that begins the first game, drawn by lot.
        games: games that are played at least; an even number, so that each team begins as often.
        outcomes: results so far.

    Raises:
        ValueError: an odd number of games, or a first seat that is neither 0 nor 1.

    >>> from qikit import Termination
    >>> match = Match(first=1)
    >>> match.next_first()
    1
    >>> match.add(Outcome(Termination.FLAG_CAPTURED, 0)); match.next_first()
    0
    >>> match.add(Outcome(Termination.NATURAL_LIMIT, None)); match.score(), match.winner()
    ((1.5, 0.5), 0)
    """

    first: int = 0
    games: int = 2
    outcomes: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise ValueError(
                f"一场至少两局、局数为双 (an even number of games, two or more): {self.games}"
            )
        self.first = seat_number(self.first, 2)

    def next_first(self) -> int | None:
        """The seat that begins the next game; None when the match is decided."""
        if self.winner() is not None:
            return None
        return (self.first + len(self.outcomes)) % 2

    def add(self, outcome: Outcome) -> None:
        """Enter the result of a game.

        Raises:
            ValueError: the match is decided already.
        """
        if self.winner() is not None:
            raise ValueError("这场已经分出胜负 (the match is decided)")
        self.outcomes.append(outcome)

    def score(self) -> tuple[float, float]:
        """Points of the two teams: 1 for a win, a half for a draw."""
        points = [0.0, 0.0]
        for outcome in self.outcomes:
            for team in (0, 1):
                points[team] += 0.5 if outcome.winner is None else float(outcome.winner == team)
        return points[0], points[1]

    def winner(self) -> int | None:
        """The team that has won: ahead after the agreed games, or after any further game."""
        if len(self.outcomes) < self.games:
            return None
        one, other = self.score()
        return None if one == other else int(other > one)
