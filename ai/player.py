"""What a player is: it chooses a move within a budget and can be stopped from another thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from qikit import StopFlag


@dataclass(frozen=True)
class Clock:
    """Clocks of the seats, in seconds.

    Attributes:
        remaining: time left, by seat.
        increment: time added for each move made, by seat.
        moves_to_go: moves until the next time control, ``None`` = this is the last one.
    """

    remaining: tuple[float, ...]
    increment: tuple[float, ...] = (0.0, 0.0)
    moves_to_go: int | None = None


@dataclass(frozen=True)
class Budget:
    """How much thinking is allowed; whichever limit is met first ends it, ``None`` = no limit.

    Attributes:
        time: seconds of wall time.
        nodes: positions looked at.
        depth: plies of full-width search.
        share: seconds that this move should take on the average; a player whose mind is made up
            may take less, one in doubt more (never more than ``time``). ``None`` = take it all.
        clock: the clocks that the time was taken from, for players that divide it themselves.

    Raises:
        ValueError: a limit below zero.

    >>> Budget(time=0.5, depth=4)
    Budget(time=0.5, nodes=None, depth=4, share=None)
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    share: float | None = None
    clock: Clock | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("time", "nodes", "depth", "share"):
            value = getattr(self, name)
            if value is not None and not value >= 0:  # neither is NaN
                raise ValueError(f"思考限度不能为负 (a budget cannot be negative): {name}={value}")

    def after(self, seconds: float) -> Budget:
        """What is left of it when some time is gone; a millisecond at least.

        >>> Budget(time=0.5, nodes=9).after(0.125)
        Budget(time=0.375, nodes=9, depth=None, share=None)
        """

        def left(limit: float | None) -> float | None:
            return None if limit is None else max(limit - seconds, 0.001)

        return replace(self, time=left(self.time), share=left(self.share))

    @classmethod
    def from_clock(cls, clock: Clock, seat: int, *, reserve: float = 0.05) -> Budget:
        """An even share of the time left: for 30 moves where the clock does not say how many.

        In doubt it may become three shares, but never more than a third of what is left for
        several moves. With one move to go (a byo-yomi period) the whole period is the share.
        ``reserve`` seconds always stay on the clock (lag, process start).

        >>> budget = Budget.from_clock(Clock((60.0, 30.0), moves_to_go=10), 0, reserve=0.0)
        >>> budget.share, budget.time
        (6.0, 18.0)
        """
        left = max(clock.remaining[seat] - reserve, 0.0)
        moves = max(clock.moves_to_go or 30, 1)
        share = max(min(left / moves + 0.8 * clock.increment[seat], left), 0.001)
        most = left if moves == 1 else max(left / min(moves, 3), min(share, left))
        return cls(time=max(min(3 * share, most), 0.001), share=share, clock=clock)


UNLIMITED = Budget()
"""No limit: think until stopped."""


@dataclass(frozen=True)
class Choice:
    """A move and what the player thought of it.

    Attributes:
        move: the move.
        score: value of the position after it for the side that moves, in hundredths of a pawn
            (or of whatever the game counts in); ``None`` = the player has no opinion.
        mate: the mover wins by force in that many own moves; negative: loses in so many.
        line: expected continuation, ``move`` first.
        depth: plies searched.
        nodes: positions looked at.
        rank: 1 for the best line, 2 for the second best, ... where several are reported.
        seconds: wall time of the thinking, ``None`` = not measured.
    """

    move: Any
    score: float | None = None
    mate: int | None = None
    line: tuple[Any, ...] = ()
    depth: int = 0
    nodes: int = 0
    rank: int = 1
    seconds: float | None = None


Report = Callable[[Choice], None]
"""Receives the best choice so far, on the thread that thinks."""


class Player(Protocol):
    """Chooses moves. One player thinks about one position at a time."""

    @property
    def name(self) -> str:
        """Name for people and logs."""
        ...

    def choose(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        """The move to play, or ``None`` where there is none.

        Args:
            board: the position; left as it was found.
            budget: limits; an empty budget means: until ``stop``, or until nothing is left to do.
            stop: when set (from any thread), the best move so far is returned at once.
            moves: only these (legal) moves may be chosen; default all.
            report: called with every better choice.
        """
        ...

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The move to advise to a person: the best that the player can find, whatever its level."""
        ...
