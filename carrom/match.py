"""A match (S0-KL-1, S0-KL-2): two games, the first strike alternates, 1 for a win, half for a draw.

>>> match = Match()
>>> match.table.turn, match.score, match.is_over()
(0, (0.0, 0.0), False)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carrom.board import Table
from carrom.cue import Stroke
from carrom.equipment import Equipment
from carrom.referee import Faults, Ruling
from carrom.rules import Rules
from qikit.errors import IllegalMove
from qikit.outcome import Outcome

GAMES = 2
"""Games of a match (二局制)."""


class Match:
    """Games between the same two players; seats stay, the first strike changes.

    Args:
        rules, equipment: as for :class:`Table`.
        first: seat that strikes first in the first game.
    """

    def __init__(
        self,
        rules: Rules | Mapping[str, Any] | str | None = None,
        equipment: Equipment | Mapping[str, Any] | str | None = None,
        *,
        first: int = 0,
    ) -> None:
        self.tables: list[Table] = [Table(rules, equipment, first=first)]
        self._first = first

    @property
    def table(self) -> Table:
        """The game being played, or the last one."""
        return self.tables[-1]

    @property
    def results(self) -> tuple[Outcome, ...]:
        """Outcomes of the games that are over."""
        return tuple(o for o in (table.outcome() for table in self.tables) if o is not None)

    @property
    def score(self) -> tuple[float, float]:
        """Points of both seats."""
        points = [0.0, 0.0]
        for outcome in self.results:
            for seat in (0, 1):
                points[seat] += 0.5 if outcome.winner is None else float(outcome.winner == seat)
        return points[0], points[1]

    def is_over(self) -> bool:
        """Whether both games are over."""
        return len(self.results) == GAMES

    def winner(self) -> int | None:
        """Seat with more points, or ``None`` (not over, or level: the event's rules decide)."""
        a, b = self.score
        if not self.is_over() or a == b:
            return None
        return int(b > a)

    def strike(self, stroke: Stroke | str, faults: Faults = ()) -> Ruling:
        """Play a stroke in the game being played; the next game starts when one ends.

        Raises:
            IllegalMove: the match is over, or the stroke is not allowed.
        """
        if self.is_over():
            raise IllegalMove("两局已经打完 (the match is over)", text=str(stroke), rule="S0-KL-1")
        if self.table.outcome() is not None:
            self._next_game()
        ruling = self.table.strike(stroke, faults)
        if ruling.outcome is not None and not self.is_over():
            self._next_game()
        return ruling

    def _next_game(self) -> None:
        first = (self._first + len(self.tables)) % 2
        self.tables.append(Table(self.table.rules, self.table.equipment, first=first))
