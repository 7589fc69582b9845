"""Shortest races of one army alone, and races of two armies that have passed each other.

Exactness rests on layers grown backwards from the full goal (all armies within L turns of it) and
on layers grown forwards from the position until they meet: the first meeting is the distance. Past
what fits into the budget a beam from both ends gives a line, the layers a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from threading import RLock

import numpy as np

from checkers.geometry import camp_of, home, rotate_hole
from checkers.move import Move
from checkers.race.endtable import PIECES, load_table
from checkers.race.reach import UNKNOWN, Engine, Ground, Ranks, Reach, Turns

BELL = "Bell 2009"
"""G. I. Bell, The shortest game of Chinese Checkers and related problems, Integers 9 (2009): ten
men need 27 turns from the start camp to the opposite one."""
_BELL_TURNS = 27
SEARCH = "search"

EXACT_ARMIES = 150_000
"""Backward layers that would hold more armies are grown only when a position needs them."""
_EXACT_GROWTH = 7
"""About how many times larger each further layer is."""
BEAM_WIDTHS = (300, 1000, 4000)
_BACKWARD_WIDTH = 1500
_BACKWARD_DEPTH = 18
_MOST_TURNS = 120


@dataclass(frozen=True)
class Distance:
    """How far an army is from home when nobody is in the way.

    Attributes:
        turns: turns of ``line``; the least possible number if ``exact``.
        exact: whether fewer turns are proved impossible.
        lower_bound: proved least number of turns.
        line: turns that fill the goal.
        proof: what the lower bound rests on: ``"search"``, or the name of a publication.
    """

    turns: int
    exact: bool
    lower_bound: int
    line: tuple[Move, ...]
    proof: str


class Solver:
    """Everything that is known on one ground; grows as positions ask for it.

    Threads that ask at the same time wait for each other.
    """

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.engine = Engine(ground)
        self.goal = self.engine.rank(ground.goal)
        self._lock = RLock()

    @cached_property
    def exact(self) -> Reach:
        """All armies within ``exact.depth`` turns of the goal; it may grow later."""
        reach = Reach(self.engine, self.goal, reverse=True)
        while len(reach.last) and len(reach.last) * _EXACT_GROWTH < EXACT_ARMIES:
            reach.grow()
        return reach

    @cached_property
    def beam_home(self) -> Reach:
        """A beam backwards from the goal: upper bounds for armies far away."""
        reach = Reach(self.engine, self.goal, reverse=True)
        while reach.depth < _BACKWARD_DEPTH and len(reach.last):
            reach.grow(_BACKWARD_WIDTH)
        return reach

    @property
    def _table_fits(self) -> bool:
        ground = self.ground
        return (
            ground.pieces == PIECES
            and ground.jump == "short"
            and not ground.goal_lock
            and ground.backward == "free"
        )

    def bounds(self, ranks: Ranks, *, far: bool) -> Turns:
        """Upper bounds on the turns to the goal, UNKNOWN where none is known."""
        best = self.exact.find(ranks)
        if far:
            best = np.minimum(best, self.beam_home.find(ranks))
            table = load_table() if self._table_fits else None
            if table is not None:
                best = np.minimum(best, self.engine.look_up(ranks, *table))
        return best

    def _descend(self, number: int, *, far: bool) -> list[int]:
        """Codes of turns that follow the upper bounds down to the goal."""
        codes = []
        left = int(self.bounds(np.array([number], np.int64), far=far)[0])
        while left:
            ranks, turns = self.engine.successors(number)
            values = self.bounds(ranks, far=far)
            best = int(np.argmin(values))
            number, left = int(ranks[best]), int(values[best])
            codes.append(int(turns[best]))
        return codes

    def solve(self, army: Iterable[int], budget: int) -> tuple[list[int], int, str]:
        """Codes of the best line found, the proved lower bound and its proof.

        Args:
            army: holes of the army, as camp A.
            budget: most armies that a layer of the exact search may hold.
        """
        with self._lock:
            return self._solve(army, budget)

    def _solve(self, army: Iterable[int], budget: int) -> tuple[list[int], int, str]:
        holes = frozenset(army)
        number = self.engine.rank(holes)
        known = self.exact.find(np.array([number], np.int64))[0]
        if known != UNKNOWN:
            return self._descend(number, far=False), int(known), SEARCH
        outside = len(holes - self.ground.goal)
        bound = max(self.exact.depth + 1, outside)
        proof = SEARCH
        if (
            self.ground.pieces == PIECES
            and self.ground.jump == "short"
            and holes == home(0, PIECES)
        ):
            bound, proof = _BELL_TURNS, BELL
        line: list[int] | None = None
        for width in BEAM_WIDTHS:
            found = self._beam(number, width, len(line) if line is not None else _MOST_TURNS)
            line = found if found is not None else line
            if line is not None and len(line) == bound:
                return line, bound, proof
            if width == BEAM_WIDTHS[0] and proof == SEARCH:
                better, bound = self._meet(number, bound, line, budget)
                line = better if better is not None else line
                if line is not None and len(line) == bound:
                    return line, bound, proof
        if line is None:
            raise ValueError("没有找到回家的路线 (no line found): " + str(sorted(holes)))
        return line, bound, proof

    def _beam(self, number: int, width: int, limit: int) -> list[int] | None:
        """A line of fewer than ``limit`` turns through a beam of a width, if it finds one."""
        reach = Reach(self.engine, number)
        best, meeting = limit, -1
        while len(reach.last) and reach.depth + self.exact.depth < best:
            ranks = reach.grow(width)
            values = self.bounds(ranks, far=True).astype(int)
            k = int(np.argmin(values)) if len(values) else 0
            if len(values) and values[k] != UNKNOWN and reach.depth + values[k] < best:
                best, meeting = reach.depth + int(values[k]), int(ranks[k])
        if meeting < 0:
            return None
        return reach.walk_back(meeting) + self._descend(meeting, far=True)

    def _meet(
        self, number: int, bound: int, line: list[int] | None, budget: int
    ) -> tuple[list[int] | None, int]:
        """Exact layers forwards until they meet the exact layers, the line, or the budget."""
        target = len(line) if line is not None else _MOST_TURNS
        reach, exact = Reach(self.engine, number), self.exact
        growth = 30.0
        while exact.depth + reach.depth + 1 < target:
            # an army with more strays than turns left cannot belong to a shorter line
            reach.last = self.engine.near(reach.last, target - 1 - reach.depth)
            if not len(reach.last):
                return None, target
            here, there = len(reach.last) * growth, len(exact.last) * _EXACT_GROWTH
            if min(here, there) > budget:
                break
            if here <= there:
                before = len(reach.last)
                ranks = reach.grow()
                growth = max(2.0, len(ranks) / before)
            else:
                exact.grow()
                ranks = reach.last
            values = exact.find(ranks)
            hits = np.flatnonzero(values != UNKNOWN)
            if len(hits):
                meeting = int(ranks[hits[np.argmin(values[hits])]])
                found = reach.walk_back(meeting) + self._descend(meeting, far=False)
                return found, len(found)
        return None, max(bound, min(target, exact.depth + reach.depth + 1))


@cache
def solver(ground: Ground) -> Solver:
    """The solver of a ground, shared by all who ask."""
    return Solver(ground)


def distance(holes: Iterable[int], camp: int, ground: Ground, budget: int) -> Distance:
    """The distance of an army of any camp on a ground.

    Raises:
        ValueError: the army does not have as many pieces as its goal has holes, stands where it
            never can, or no line is found.
    """
    army = frozenset(holes)
    if len(army) != ground.pieces:
        raise ValueError(
            f"一方要有 {ground.pieces} 个棋子才能占满阵地，这里有 {len(army)} 个 "
            f"(the goal needs {ground.pieces} pieces)"
        )
    turned = frozenset(rotate_hole(hole, -camp) for hole in army)
    if ground.side_camps == "forbidden" and any(camp_of(h) not in (None, 0, 3) for h in turned):
        raise ValueError("棋子站在不能进入的营地里 (a piece stands in a forbidden camp)")
    codes, bound, proof = solver(ground).solve(turned, budget)
    line = tuple(
        Move(rotate_hole(code & 127, camp), rotate_hole(code >> 7, camp)) for code in codes
    )
    return Distance(len(line), len(line) == bound, bound, line, proof)
