"""What a side could win by force: mates by continuous checks, exchanges, gains against every reply.

>>> from xiangqi import Board
>>> scene = Scene(Board("3k5/9/4R4/9/9/9/4r4/9/9/4K4 w - - 0 1").codes, 0)
>>> passing, lines = scene.survey()
>>> [(str(line.move), line.exchange, line.value) for line in lines]
[('e7e3', 10, 10)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qikit import kernels
from qikit.errors import InvalidPosition
from xiangqi.move import Move
from xiangqi.pieces import KING, PAWN

MATED = 1_000
"""A forced value beyond this, either way, means that somebody is mated."""
DEPTH, CHECKS = 6, 2
"""Bounds of the forced lines: plies that may check, and quiet checks in a line."""
MATE_DEPTH, MATE_NODES, NODES = 8, 300_000, 300_000


@dataclass(frozen=True, slots=True)
class Line:
    """A capture or check and what comes of it.

    Attributes:
        move: the first move.
        victim: piece code of what it takes, 0 for a quiet check.
        exchange: material won on the point of capture after all retakes there.
        value: material won by force, both sides free to capture, check or stop.
        checks: whether it gives check.
        rooted: whether the other side can retake.
        recaught: whether checks win the capturing piece back.
        offered: whether the victim is of the attacker's kind and can safely take it first (兑).
    """

    move: Move
    victim: int
    exchange: int
    value: int
    checks: bool
    rooted: bool
    recaught: bool
    offered: bool


class _Scratch(local):
    """Arrays of the kernels, one set a thread."""

    def __init__(self) -> None:
        kernel = kernels.load("xiangqi.kernel")
        threats = kernels.load("xiangqi.threats.kernel")
        self.kernel, self.threats = kernel, threats
        self.moves = np.empty(kernel.FRAME * threats.PLIES, np.int64)
        self.own = np.empty(kernel.FRAME, np.int64)
        self.rows = np.empty((kernel.FRAME, threats.COLUMNS), np.int64)
        self.table = np.empty((threats.TABLE, 2), np.int64)
        self.tally = np.empty(2, np.int64)


class Scene:
    """A position as it would be if ``side`` were to move, legal play or not.

    Args:
        codes: (90,) uint8 piece codes.
        side: who is to move.

    Raises:
        InvalidPosition: the kernel cannot hold the position.
    """

    bounded = False
    """Whether a search on this scene ran out of nodes, so that more might have been found."""

    def __init__(self, codes: NDArray[np.uint8], side: int) -> None:
        self._use = _shared()
        self.codes, self.side = codes, side
        self.state = np.zeros(self._use.kernel.STATE_SIZE, np.int64)
        if self._use.kernel.setup(np.ascontiguousarray(codes, np.uint8), side, self.state):
            raise InvalidPosition("局面无法分析 (position cannot be analysed)")

    def legal(self) -> list[int]:
        """Legal moves as ``from | to << 7``."""
        count = self._use.kernel.legal_moves(self.state, self._use.own)
        moves: list[int] = self._use.own[:count].tolist()
        return moves

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return any(self._use.kernel.checkers(self.state, self.side))

    def physical(self) -> set[tuple[int, int]]:
        """Pairs of points (attacker, victim): what the side to move hits, pins not considered."""
        pairs: set[tuple[int, int]] = set()
        for sq in np.flatnonzero((self.codes != 0) & (self.codes >> 3 == self.side)).tolist():
            low, high = self._use.kernel.targets(self.state, sq)
            bits = low | high << 45
            pairs.update((sq, v) for v in range(90) if bits >> v & 1 and self.codes[v])
        return pairs

    def without(self, sq: int) -> Scene:
        """The same with the piece on ``sq`` taken off."""
        codes = self.codes.copy()
        codes[sq] = 0
        return Scene(codes, self.side)

    def after(self, move: int) -> Scene:
        """The position after a move."""
        codes = self.codes.copy()
        codes[move >> 7] = codes[move & 127]
        codes[move & 127] = 0
        return Scene(codes, 1 - self.side)

    def mate(self, depth: int = MATE_DEPTH) -> Move | None:
        """First move of a mate by continuous checks, or a quiet one that stalemates."""
        use = self._use
        use.tally[:] = 0, MATE_NODES
        use.table[:, 0] = 0
        found = use.threats.mate_by_checks(self.state, depth, use.moves, 0, use.tally, use.table)
        self.bounded |= bool(use.tally[0] > use.tally[1])
        return Move(found & 127, found >> 7) if found >= 0 else None

    def exchange(self, move: int) -> int:
        """What a capture wins after all retakes on its point."""
        gain: int = self._use.threats.exchange_by(self.state, move, self._use.moves)
        return gain

    def hangs(self, sq: int) -> bool:
        """Whether the other side, were it to move, would win the piece on ``sq`` outright."""
        other = Scene(self.codes, 1 - self.side)
        return bool(self._use.threats.exchange(other.state, sq, self._use.moves, 0) > 0)

    def survey(self, shield: int = -1) -> tuple[int, tuple[Line, ...]]:
        """What passing wins (0 or less), and every capture and check with what it wins.

        Args:
            shield: a point whose piece nobody may capture, or -1.
        """
        use = self._use
        guarded = shield | int(self.codes[shield]) << 7 if shield >= 0 else -1
        use.tally[:] = 0, NODES
        count = use.threats.survey(
            self.state, DEPTH, CHECKS, guarded, use.rows, use.moves, use.own, use.table, use.tally
        )
        self.bounded |= bool(use.tally[0] > use.tally[1])
        rows = use.rows[:count].tolist()
        lines = tuple(
            Line(Move(m & 127, m >> 7), victim, gain, value, *map(bool, flags))
            for m, victim, gain, value, *flags in rows[1:]
        )
        return rows[0][3], lines

    def first_wins(self, move: Move) -> frozenset[tuple[int, int]]:
        """Pairs of points (capturer, victim), as they stand now, that best play after ``move``
        lets this side take first.

        A set, because equally good answers may give up different pieces: what is found must not
        depend on the order of moves.
        """
        return frozenset(_Wins(self).after(move))


class _Wins:
    """Walks every line of best play until the side in question takes something."""

    LIMIT = 600

    def __init__(self, scene: Scene) -> None:
        self.use, self.side = scene._use, scene.side
        self.state = scene.state.copy()
        self.left = self.LIMIT

    def after(self, move: Move) -> Iterator[tuple[int, int]]:
        origin = list(range(90))
        yield from self._play(move.from_square | move.to_square << 7, DEPTH, CHECKS, -1, origin)

    def _worth(self, move: int, last: int) -> int:
        goal = move >> 7
        taken = int(self.state[self.use.kernel.BOARD + goal]) & 15
        kind = int(self.state[self.use.kernel.BOARD + (move & 127)]) & 7
        mine = int(self.state[self.use.kernel.TURN]) == self.side
        if mine and kind in (KING, PAWN) and goal != last:
            return 0
        return WORTH[taken & 7] if taken & 7 != PAWN else int((goal < 45) == bool(taken >> 3))

    def _play(
        self, move: int, depth: int, checks: int, last: int, origin: list[int]
    ) -> Iterator[tuple[int, int]]:
        start, goal = move & 127, move >> 7
        mine = int(self.state[self.use.kernel.TURN]) == self.side
        if mine and self._worth(move, last) > 0:
            yield origin[start], origin[goal]
            return
        undo = self.use.kernel.make(self.state, move)
        moved = origin.copy()
        moved[goal] = origin[start]
        yield from self._best(depth, checks, goal, moved)
        self.use.kernel.unmake(self.state, undo)

    def _value(self, depth: int, checks: int, last: int) -> int:
        use = self.use
        use.tally[:] = 0, NODES
        value: int = use.threats.material(
            self.state,
            self.side,
            -20_000,
            20_000,
            depth,
            checks,
            -1,
            last,
            use.moves,
            0,
            use.tally,
        )
        return value

    def _best(
        self, depth: int, checks: int, last: int, origin: list[int]
    ) -> Iterator[tuple[int, int]]:
        use = self.use
        self.left -= 1
        if self.left < 0:
            return
        turn = int(self.state[use.kernel.TURN])
        checked = any(use.kernel.checkers(self.state, turn))
        best = self._value(depth, checks, last)
        if not checked and best <= 0:
            return
        count = use.kernel.legal_moves(self.state, use.own)
        for move in use.own[:count].tolist():
            taken = int(self.state[use.kernel.BOARD + (move >> 7)]) & 15
            quiet = not taken and not checked
            if quiet and (checks <= 0 or depth <= 0):
                continue
            worth = self._worth(move, last)
            undo = use.kernel.make(self.state, move)
            skip = quiet and not any(use.kernel.checkers(self.state, 1 - turn))
            if not skip:
                # the ply count of mates differs from the search's by the depth walked so far
                score = worth - self._value(depth - 1, checks - quiet, move >> 7)
            use.kernel.unmake(self.state, undo)
            if not skip and (score == best or (abs(score - best) <= DEPTH and abs(best) > MATED)):
                yield from self._play(move, depth - 1, checks - quiet, last, origin)


WORTH = (0, 0, 2, 2, 5, 10, 5, 1)
"""Value of a kind of piece; an uncrossed pawn has none."""

_threads = local()


def _shared() -> Any:
    if not hasattr(_threads, "scratch"):
        _threads.scratch = _Scratch()
    return _threads.scratch
