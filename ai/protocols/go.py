"""The arguments of ``go``, in the words of UCI and of UCCI at once (no word means two things)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ai.player import Budget, Clock

_UCI = {
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
}
_UCCI = {"time", "increment", "opptime", "oppmovestogo", "oppincrement"}
_NUMBERS = _UCI | _UCCI
_FLAGS = {"ponder", "infinite", "draw"}


@dataclass
class Go:
    """One ``go`` command.

    Attributes:
        numbers: the numeric arguments as given (times still in the protocol's unit).
        searchmoves: root moves to look at, as texts; empty = all.
        defects: what could not be read, one sentence each.

    >>> go = Go.parse("ponder depth 4 searchmoves h2e2 b2e2".split())
    >>> go.ponder, go.numbers, go.searchmoves
    (True, {'depth': 4}, ['h2e2', 'b2e2'])
    """

    numbers: dict[str, int] = field(default_factory=dict)
    ponder: bool = False
    infinite: bool = False
    draw: bool = False
    searchmoves: list[str] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)

    @classmethod
    def parse(cls, words: Sequence[str]) -> Go:
        """Read the words after ``go``; never raises, see :attr:`defects`."""
        go = cls()
        waiting = list(reversed(words))
        while waiting:
            word = waiting.pop()
            if word in _FLAGS:
                setattr(go, word, True)
            elif word == "searchmoves":
                while waiting and waiting[-1] not in _NUMBERS and waiting[-1] not in _FLAGS:
                    go.searchmoves.append(waiting.pop())
            elif word not in _NUMBERS:
                go.defects.append(f"go: unknown word {word!r}")
            elif not waiting:
                go.defects.append(f"go: {word} without a number")
            else:
                go._take(word, waiting.pop())
        return go

    def _take(self, word: str, value: str) -> None:
        if word == "depth" and value == "infinite":
            self.infinite = True
            return
        try:
            self.numbers[word] = min(int(value[:19]), 1 << 62)
        except ValueError:
            self.defects.append(f"go: {word} needs a number, not {value!r}")

    def budget(self, seat: int, *, second: float = 1000.0, reserve: float = 0.03) -> Budget:
        """The budget of the player on ``seat`` (0 = Red = white in ``wtime``).

        Args:
            seat: who moves.
            second: units of time in a second (UCCI without ``usemillisec`` counts in seconds).
            reserve: seconds kept back for the way between the programs.

        >>> Go.parse("wtime 60000 btime 1000 movestogo 10".split()).budget(0, reserve=0.0).share
        6.0
        >>> Go.parse("time 60 movestogo 10".split()).budget(1, second=1, reserve=0.0).share
        6.0
        """
        number = self.numbers.get
        depth = number("depth")
        if depth is None and "mate" in self.numbers:
            depth = 2 * self.numbers["mate"] - 1
        time: float | None = None
        share: float | None = None
        mine, bonus = ("wtime", "winc") if seat == 0 else ("btime", "binc")
        left = number("time", number(mine))
        if "movetime" in self.numbers:
            time = max(self.numbers["movetime"] / second - reserve, 0.001)
        elif left is not None:
            gain = max(number("increment", number(bonus, 0)) or 0, 0) / second
            clock = Clock((left / second,), (gain,), number("movestogo"))
            timed = Budget.from_clock(clock, 0, reserve=reserve)
            time, share = timed.time, timed.share
        nodes = number("nodes")
        if self.infinite:
            return Budget()
        return Budget(
            time=time,
            nodes=None if nodes is None else max(nodes, 1),
            depth=None if depth is None else max(depth, 1),
            share=share,
        )
