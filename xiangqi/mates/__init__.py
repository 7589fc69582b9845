"""Mates against every defence, quiet moves and stalemates (困毙) included, proved by search.

>>> from xiangqi import Board
>>> prover = Prover()
>>> board = Board("4k4/9/9/9/9/9/9/R8/1R7/3K5 w")
>>> prover.distance(board, 3)
2
>>> sorted(str(move) for move, moves in prover.choices(board, 3).items() if moves == 2)
['a2a8', 'a2e2', 'a2f2', 'b1b8', 'b1e1', 'b1f1']
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qikit import StopFlag, kernels
from xiangqi.board import Board
from xiangqi.move import Move

MOST = 20
"""Own moves that a question may span."""
NODES = 50_000_000
"""Positions a question may look at, unless told otherwise."""


class Unproved(RuntimeError):
    """The search was stopped or looked at as many positions as it may: nothing is known."""


class Prover:
    """Answers questions about forced mates, and remembers what it found for the next ones.

    A position is taken as it stands, without the moves before it: along a shortest mate no position
    repeats, so that no rule on repetition can spoil it. One thread at a time.

    Args:
        size: words of memory for positions seen, a power of two.
    """

    def __init__(self, size: int = 1 << 18) -> None:
        self._size = size
        self._kernel: Any = None

    def _load(self) -> Any:
        if self._kernel is None:
            base = kernels.load("xiangqi.kernel")
            self._kernel = kernels.load("xiangqi.mates.kernel")
            self._moves = np.empty(base.FRAME * self._kernel.PLIES, np.int64)
            self._table = np.zeros((self._size, 2), np.int64)
            self._answers = np.zeros(64, np.int64)
            self._tally = np.zeros(2, np.int64)
        return self._kernel

    def mate(
        self,
        board: Board,
        most: int,
        *,
        barred: Move | None = None,
        nodes: int = NODES,
        stop: StopFlag | None = None,
    ) -> Move | None:
        """First move of a mate within ``most`` own moves of the side to move; None: there is none.

        Args:
            barred: a first move that is not wanted.

        Raises:
            Unproved: see there.
            ValueError: ``most`` is not 0 to 20.
        """
        if not 0 <= most <= MOST:
            raise ValueError(f"步数要在 0 到 {MOST} 之间 (bad number of moves): {most}")
        kernel = self._load()
        self._tally[:] = 0, nodes
        found = kernel.mates(
            board._state,
            most,
            0 if barred is None else barred.from_square | barred.to_square << 7,
            self._moves,
            0,
            self._tally,
            self._table,
            self._answers,
            (stop or StopFlag()).array,
        )
        if found < 0:
            raise Unproved(f"没有证完 (not proved): {self._tally[1]}")
        return Move(found & 127, found >> 7) if found else None

    def distance(
        self, board: Board, most: int, *, nodes: int = NODES, stop: StopFlag | None = None
    ) -> int | None:
        """Own moves in which the side to move mates against every defence; None: over ``most``.

        Raises:
            Unproved, ValueError: as :meth:`mate`.
        """
        for moves in range(1, most + 1):
            if self.mate(board, moves, nodes=nodes, stop=stop) is not None:
                return moves
        return None

    def choices(
        self, board: Board, most: int, *, nodes: int = NODES, stop: StopFlag | None = None
    ) -> dict[Move, int | None]:
        """Every legal move of the attacker with the own moves it needs, itself included.

        Raises:
            Unproved, ValueError: as :meth:`mate`.
        """
        found: dict[Move, int | None] = {}
        for move in board.legal_moves:
            board.push_unchecked(move)
            try:
                left = self.resistance(board, most - 1, nodes=nodes, stop=stop)
            finally:
                board.pop()
            found[move] = None if left is None else left + 1
        return found

    def resistance(
        self, board: Board, most: int, *, nodes: int = NODES, stop: StopFlag | None = None
    ) -> int | None:
        """Own moves that the attacker still needs, the defender being to move; 0: it is mated.

        Raises:
            Unproved, ValueError: as :meth:`mate`.
        """
        longest = 0
        for moves in self.defences(board, most, nodes=nodes, stop=stop, all_of_them=False).values():
            if moves is None:
                return None
            longest = max(longest, moves)
        return longest

    def defences(
        self,
        board: Board,
        most: int,
        *,
        nodes: int = NODES,
        stop: StopFlag | None = None,
        all_of_them: bool = True,
    ) -> dict[Move, int | None]:
        """Every legal move of the defender with the own moves that the attacker then needs.

        Args:
            all_of_them: else nothing is looked at behind the first defence that holds.

        Raises:
            Unproved, ValueError: as :meth:`mate`.
        """
        found: dict[Move, int | None] = {}
        for move in board.legal_moves:
            board.push_unchecked(move)
            try:
                found[move] = self.distance(board, most, nodes=nodes, stop=stop)
            finally:
                board.pop()
            if found[move] is None and not all_of_them:
                break
        return found
