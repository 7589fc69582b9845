"""Sets of armies with the number of turns to each, grown layer by layer over the kernels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from checkers import layout
from checkers.geometry import CAMPS, HOLES, home, opposite
from checkers.race.ranking import holes_in_order, places, rank, unrank
from checkers.rules import Rules
from qikit.kernels import load

UNKNOWN = 255
Ranks = NDArray[np.int64]
Turns = NDArray[np.uint8]

_PLACE_OF = places(HOLES)
_HOLE_AT = holes_in_order(HOLES)
_SOUTH = opposite(CAMPS[0])


class Ground(NamedTuple):
    """The board of a race: the switches that matter to an army alone, and its size."""

    jump: str
    side_camps: str
    goal_lock: bool
    backward: str
    pieces: int

    @classmethod
    def of(cls, rules: Rules, pieces: int) -> Ground:
        """The ground of a board's rules."""
        return cls(rules.jump, rules.side_camps, rules.goal_lock, rules.backward, pieces)

    @property
    def goal(self) -> frozenset[int]:
        """The holes that camp A has to fill."""
        return home(_SOUTH, self.pieces)

    def rules(self) -> Rules:
        """The switches as a rule set."""
        return Rules(
            jump=self.jump,
            side_camps=self.side_camps,
            goal_lock=self.goal_lock,
            backward=self.backward,
        )

    def within(self, region: Iterable[int]) -> NDArray[np.int64]:
        """Masks that keep the army of camp A inside a region."""
        from checkers.geometry import words

        masks = self.rules().masks(self.pieces).copy()
        inside = words(set(region))
        for base in (layout.STOP, layout.PASS):
            masks[base : base + 4] &= inside
        return masks


class Engine:
    """The kernels with the arrays that they need on one ground."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.pieces = ground.pieces
        self.masks = ground.rules().masks(ground.pieces).copy()
        self.forward = ground.rules().switches.copy()
        self.backward = self.forward.copy()
        self.backward[layout.REVERSED] = 1
        self.state = np.zeros(layout.STATE_SIZE, np.int64)

    @cached_property
    def kernel(self) -> ModuleType:
        return load("checkers.race.kernel")

    def rank(self, holes: Iterable[int]) -> int:
        """The rank of an army."""
        return rank(holes, _PLACE_OF)

    def army(self, number: int) -> tuple[int, ...]:
        """The holes of a rank."""
        return unrank(number, self.pieces, _HOLE_AT)

    def successors(self, number: int, *, reverse: bool = False) -> tuple[Ranks, Ranks]:
        """Ranks after every turn of an army (or before it), and the turns' codes."""
        out = np.empty(2 * 4096, np.int64)
        switches = self.backward if reverse else self.forward
        count = self.kernel.successors(
            self.state, self.masks, switches, self.pieces, _PLACE_OF, _HOLE_AT, number, out
        )
        pairs = out[: 2 * count].reshape(-1, 2)
        return pairs[:, 0].copy(), pairs[:, 1].copy()

    def near(self, ranks: Ranks, turns_left: int) -> Ranks:
        """The armies with at most so many pieces outside the goal (each needs a turn)."""
        goal = np.append(self.masks[layout.GOAL : layout.GOAL + 4], max(turns_left, 0))
        kept = ranks.copy()
        return kept[: self.kernel.strays(self.state, goal, self.pieces, _HOLE_AT, kept)]

    def look_up(self, ranks: Ranks, place_of: NDArray[np.int16], values: Turns) -> Turns:
        """Values of a table over a region (`checkers.race.endtable`)."""
        out = np.empty(len(ranks), np.uint8)
        self.kernel.look_up(self.pieces, _HOLE_AT, place_of, self.state, ranks, values, out)
        return out


class Reach:
    """Armies reached from one army, in a growing hash table.

    Args:
        engine: the ground.
        start: rank of the first army.
        reverse: grow backwards in time.
    """

    def __init__(self, engine: Engine, start: int, *, reverse: bool = False) -> None:
        self.engine = engine
        self.reverse = reverse
        self._keys = np.full(1 << 16, -1, np.int64)
        self._turns = np.zeros(1 << 16, np.uint8)
        self._counts = np.zeros(3, np.int64)
        self.last: Ranks = np.array([start], np.int64)
        self.depth = 0
        self._insert_start(start)

    def _insert_start(self, start: int) -> None:
        old_keys, old_turns = np.array([start], np.int64), np.zeros(1, np.uint8)
        self.engine.kernel.rehash(old_keys, old_turns, self._keys, self._turns)
        self._counts[2] = 1

    def __len__(self) -> int:
        return int(self._counts[2])

    def grow(self, width: int | None = None) -> Ranks:
        """Play one turn from the last layer; keep the ``width`` armies of best score as the next.

        Every new army enters the table, whether kept or not.

        Returns:
            The ranks of all new armies.
        """
        engine = self.engine
        self.depth += 1
        switches = engine.backward if self.reverse else engine.forward
        camp = _SOUTH if self.reverse else CAMPS[0]
        new_ranks: list[Ranks] = []
        new_scores: list[Ranks] = []
        out = np.empty(1 << 17, np.int64)
        scores = np.empty(1 << 17, np.int64)
        self._counts[0] = 0
        while self._counts[0] < len(self.last):
            if 4 * (self._counts[2] + 4096) > 3 * len(self._keys):
                self._double()
            self._counts[1] = 0
            engine.kernel.expand(
                engine.state,
                engine.masks,
                switches,
                camp,
                engine.pieces,
                _PLACE_OF,
                _HOLE_AT,
                self.last,
                self._keys,
                self._turns,
                self.depth,
                out,
                scores,
                self._counts,
            )
            made = int(self._counts[1])
            new_ranks.append(out[:made].copy())
            new_scores.append(scores[:made].copy())
        ranks = np.concatenate(new_ranks) if new_ranks else np.empty(0, np.int64)
        self.last = ranks
        if width is not None and len(ranks) > width:
            order = np.argsort(np.concatenate(new_scores), kind="stable")
            self.last = ranks[order[:width]]
        return ranks

    def _double(self) -> None:
        keys = np.full(2 * len(self._keys), -1, np.int64)
        turns = np.zeros(len(keys), np.uint8)
        self.engine.kernel.rehash(self._keys, self._turns, keys, turns)
        self._keys, self._turns = keys, turns

    def find(self, ranks: Ranks) -> Turns:
        """Turns to each army, UNKNOWN where it has not been reached."""
        out = np.empty(len(ranks), np.uint8)
        self.engine.kernel.find(self._keys, self._turns, ranks, out)
        return out

    def walk_back(self, number: int) -> list[int]:
        """Codes of the turns from the first army to one that has been reached, in playing order.

        For a forward reach only.
        """
        codes: list[int] = []
        left = int(self.find(np.array([number], np.int64))[0])
        while left:
            ranks, turns = self.engine.successors(number, reverse=not self.reverse)
            before = int(np.flatnonzero(self.find(ranks) == left - 1)[0])
            code = int(turns[before])
            codes.append((code >> 7) + 128 * (code & 127))
            number, left = int(ranks[before]), left - 1
        return codes[::-1]
