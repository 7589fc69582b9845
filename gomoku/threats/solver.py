"""Solvers: wins by continuous fours (VCF, 连续冲四胜) and by fours and threes (VCT, 连续进攻胜)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gomoku import geometry as g
from gomoku.board import Board
from gomoku.geometry import WHITE
from gomoku.move import Move
from gomoku.threats import layout as w
from gomoku.threats.proof import Proof, Step
from qikit import kernels
from qikit.stop import StopFlag

_FOUR_TABLE = 1 << 16
_TABLE = 1 << 20
_SMALLEST_TABLE = 1 << 12
_FOUR_NODES = 1000
"""Positions that one search by fours inside a search by threats may enter."""
_AGAIN_NODES = 200_000
"""Nodes for proving a position once more whose proof the table has lost."""

T = TypeVar("T")


def _limit(value: int, name: str) -> int:
    """A limit that fits into the work array.

    Raises:
        ValueError: it is no whole number.
    """
    try:
        return max(min(index(value), 1 << 60), -1)
    except TypeError:
        raise ValueError(f"{name} 须为整数 (not a whole number): {value!r:.40}") from None


@dataclass(frozen=True)
class Answer:
    """What a search found.

    Attributes:
        proof: the win, or ``None``.
        exhausted: without a proof: whether there is none within the limits (for VCF: none at all
            of that many attacks; for VCT: none in its class of moves), as against given up.
        nodes: positions entered.
    """

    proof: Proof | None
    exhausted: bool
    nodes: int


class Solver:
    """Searches with their tables; keep one to solve many positions (one thread at a time).

    Args:
        stop: a flag that ends a running search.
        memory: bytes that the tables may take (with little memory searches take longer).
    """

    def __init__(self, stop: StopFlag | None = None, *, memory: int | None = None) -> None:
        self.stop = stop if stop is not None else StopFlag()
        self._entries = _TABLE
        if memory is not None:
            # a position takes one word among the visited ones and three in the proof table
            while self._entries > _SMALLEST_TABLE and 32 * self._entries > memory:
                self._entries //= 2
        self._kernel: Any = kernels.load("gomoku.threats.kernel")
        self._work: NDArray[np.int64] = np.zeros(w.WORK_LENGTH, np.int64)
        self._visited: NDArray[np.int64] | None = None
        self._short = np.zeros(min(_FOUR_TABLE, self._entries), np.int64)
        self._table: NDArray[np.int64] | None = None
        self._moves: NDArray[np.int64] | None = None
        self._salt = 0x1F3D5B79

    def _next_salt(self) -> int:
        """Makes what earlier searches left in the tables meaningless."""
        self._salt = (self._salt * 6364136223846793005 + 1442695040888963407) & (2**62 - 1)
        return self._salt & ~1

    # --- fours ------------------------------------------------------------------------------

    def vcf(
        self,
        board: Board,
        max_attack_moves: int | None = None,
        *,
        max_nodes: int = 20_000_000,
        shortest: bool = True,
    ) -> Answer:
        """Search a win by fours of the side to move; see :func:`solve_vcf`."""
        most = w.MOST_ATTACKS
        if max_attack_moves is not None:
            most = min(_limit(max_attack_moves, "max_attack_moves"), most)
        max_nodes = _limit(max_nodes, "max_nodes")
        if board.is_over() or most <= 0:
            return Answer(None, True, 0)
        if self._visited is None:
            self._visited = np.zeros(self._entries, np.int64)
        _, state, patterns, constants = board.copy().kernel_arrays()
        work = self._work
        work[w.TABLE_MASK] = self._entries - 1
        work[w.FIRST_ONLY] = not shortest
        work[w.BEST] = work[w.ABORTED] = 0
        nodes = 0
        limit = min(2, most)
        while True:
            work[w.NODES] = 0
            work[w.NODE_LIMIT] = max_nodes - nodes
            work[w.LIMIT] = limit
            work[w.SALT] = self._next_salt()
            self._kernel.vcf(
                state, patterns, constants, work, self._visited, self.stop.array, board.turn
            )
            nodes += int(work[w.NODES])
            if work[w.BEST]:
                proof = Proof(board.copy(), self._chain(board.size), nodes)
                return Answer(proof, True, nodes)
            if work[w.ABORTED]:
                return Answer(None, False, nodes)
            if limit == most:
                return Answer(None, True, nodes)
            limit = min(2 * limit, most)

    def _chain(self, size: int) -> Step:
        """The line of fours that stands in the work array."""
        points = [int(p) for p in self._work[w.FOUND : w.FOUND + 2 * self._work[w.BEST] - 1]]
        moves = [Move.of(p, size) for p in points]
        step = Step(moves.pop())
        while moves:
            reply = moves.pop()
            step = Step(moves.pop(), {reply: step})
        return step

    # --- threats ----------------------------------------------------------------------------

    def vct(
        self,
        board: Board,
        max_attack_moves: int = 20,
        *,
        threat_depth: int = 1,
        max_nodes: int = 200_000,
    ) -> Answer:
        """Search a win by fours and threats of the side to move; see :func:`solve_vct`."""
        if board.is_over() or _limit(max_attack_moves, "max_attack_moves") <= 0:
            return Answer(None, True, 0)
        verdict, nodes = self._search(board, max_attack_moves, threat_depth, max_nodes)
        if verdict != 1:
            return Answer(None, verdict == 0, nodes)
        root = self._written(_Builder(self, board.copy()).attack)
        if root is None:
            return Answer(None, False, nodes)
        return Answer(Proof(board.copy(), root, nodes), True, nodes)

    def vct_move(
        self,
        board: Board,
        max_attack_moves: int = 20,
        *,
        threat_depth: int = 1,
        max_nodes: int = 200_000,
    ) -> tuple[Move | None, int]:
        """First move of a win as :meth:`vct` finds it, and the nodes; no proof is written down."""
        if board.is_over() or _limit(max_attack_moves, "max_attack_moves") <= 0:
            return None, 0
        verdict, nodes = self._search(board, max_attack_moves, threat_depth, max_nodes)
        if verdict != 1:
            return None, nodes
        return self._written(_Builder(self, board.copy()).first), nodes

    def _written(self, part: Callable[[], T]) -> T | None:
        """What a builder reads out of the table; ``None`` where too much of it has been lost."""
        stop, self.stop = self.stop, StopFlag()  # what is proved is written down to the end
        # short wins that were found once must be found again, whatever the tables hold by then
        self._work[w.FOUR_NODES] = 20 * _FOUR_NODES
        try:
            return part()
        except _Lost:
            return None
        finally:
            self.stop = stop

    def _search(
        self, board: Board, max_attack_moves: int, threat_depth: int, max_nodes: int
    ) -> tuple[int, int]:
        """Verdict of the proof search (1 won, 0 not won in this class, -1 given up) and nodes."""
        attacks = _limit(max_attack_moves, "max_attack_moves")
        threat_depth = min(_limit(threat_depth, "threat_depth"), w.MOST_ATTACKS)
        max_nodes = _limit(max_nodes, "max_nodes")
        if self._table is None or self._moves is None:
            self._table = np.zeros(3 * self._entries, np.int64)
            self._moves = np.zeros(w.MOST_MOVES * (2 * w.MOST_ATTACKS + 4), np.int64)
        work = self._work
        work[w.TABLE_MASK] = len(self._short) - 1
        work[w.SALT] = self._next_salt()
        work[w.VCT_SALT] = self._next_salt()
        work[w.VCT_MASK] = self._entries - 1
        work[w.VCT_LIMIT] = min(attacks, w.MOST_ATTACKS)
        work[w.THREAT_DEPTH] = threat_depth
        work[w.FOUR_NODES] = _FOUR_NODES
        work[w.VCT_NODES] = 0
        work[w.VCT_NODE_LIMIT] = max_nodes
        return self._prove(board.copy(), 0), int(work[w.VCT_NODES])

    def _prove(self, board: Board, depth: int) -> int:
        _, state, patterns, constants = board.kernel_arrays()
        verdict = self._kernel.vct(
            state,
            patterns,
            constants,
            self._work,
            self._short,
            self._table,
            self._moves,
            self.stop.array,
            board.turn,
            depth,
        )
        return int(verdict)

    def _expand(self, board: Board, name: str, color: int, depth: int) -> list[int] | None:
        """Points of a node of the proof tree; ``None`` where the node is settled."""
        assert self._moves is not None
        _, state, patterns, constants = board.kernel_arrays()
        n = getattr(self._kernel, name)(
            state,
            patterns,
            constants,
            self._work,
            self._short,
            self._moves,
            self.stop.array,
            color,
            depth,
        )
        return None if n < 0 else [int(p) for p in self._moves[:n]]


class _Lost(Exception):
    """A proved position whose proof is no longer in the table and could not be found again."""


class _Builder:
    """Reads a proof out of the table after a search by threats has succeeded."""

    def __init__(self, solver: Solver, board: Board) -> None:
        self._solver = solver
        self._board = board
        self._color = board.turn
        self._known: dict[tuple[int, int], Step] = {}

    def _refuted(self) -> bool:
        """Whether the table says that the defender, to move, has lost."""
        solver = self._solver
        key = int(self._board.kernel_arrays()[1][g.KEY]) ^ int(solver._work[w.VCT_SALT])
        return bool(
            solver._kernel.refuted(self._board.kernel_arrays()[1], solver._work, solver._table, key)
        )

    def attack(self, depth: int = 0) -> Step:
        """The winning step of the attacker, to move."""
        board, solver = self._board, self._solver
        known = self._known.get((board.key, depth))
        if known is None:
            known = self._known[board.key, depth] = self._attack(board, solver, depth)
        return known

    def _attack(self, board: Board, solver: Solver, depth: int) -> Step:
        move = self._proved_move(depth)
        if move is None:
            return solver._chain(board.size)
        board.push_unchecked(move)
        try:
            return self._after(move, depth + 1)
        finally:
            board.pop()

    def first(self) -> Move:
        """The first winning move."""
        return self._proved_move(0) or self._solver._chain(self._board.size).move

    def _proved_move(self, depth: int) -> Move | None:
        """A move whose win stands in the table; ``None`` where a line of fours in ``work`` wins."""
        board, solver = self._board, self._solver
        points = solver._expand(board, "attacks", self._color, depth)
        if points is None:
            return None
        for again in (False, True):
            if again:
                # the table has lost what it knew: prove this position once more
                work = solver._work
                work[w.VCT_NODE_LIMIT] = work[w.VCT_NODES] + _AGAIN_NODES
                solver._prove(board, depth)
            for p in points:
                move = Move.of(p, board.size)
                board.push_unchecked(move)
                refuted = self._refuted()
                board.pop()
                if refuted:
                    return move
        raise _Lost

    def _after(self, move: Move, depth: int) -> Step:
        """The step of a move that stands on the board; the defender is to move."""
        board, solver = self._board, self._solver
        work = solver._work
        size = board.size
        if board.five_points(self._color):
            points = solver._expand(board, "defences", self._color, depth)
            if points is None:
                return Step(move)
            return Step(move, {Move.of(points[0], size): self._reply(points[0], depth)})
        # the threat: what the attacker plays against replies that do not touch it
        kept = set(solver._expand(board, "defences", self._color, depth) or [])
        limit = min(int(work[w.THREAT_DEPTH]), int(work[w.VCT_LIMIT]) - depth)
        if not self._short(limit):
            raise _Lost
        otherwise = solver._chain(size)
        _, state, patterns, constants = board.kernel_arrays()
        solver._kernel.mark_defences(state, patterns, constants, work, self._color)
        marked = [int(word) & 0xFFFFFFFFFFFFFFFF for word in work[w.DEFENCES : w.DEFENCES + 7]]
        replies = {}
        for p in range(size * size):
            if not marked[p >> 6] >> (p & 63) & 1:
                continue
            reply = Move.of(p, size)
            if board.turn != WHITE and board.forbidden_code(reply):
                continue
            if p not in kept:
                board.push_unchecked(reply)
                found = self._short(limit)
                board.pop()
                if found:
                    replies[reply] = solver._chain(size)
                    continue
            replies[reply] = self._reply(p, depth)
        return Step(move, replies, otherwise)

    def _short(self, limit: int) -> bool:
        """Find the attacker's short win by fours once more; its line goes to the work array."""
        solver = self._solver
        work = solver._work
        work[w.NODES] = work[w.BEST] = work[w.ABORTED] = 0
        work[w.NODE_LIMIT] = work[w.FOUR_NODES]
        work[w.LIMIT] = limit
        work[w.FIRST_ONLY] = 1
        work[w.SALT] = solver._next_salt()
        _, state, patterns, constants = self._board.kernel_arrays()
        solver._kernel.vcf(
            state, patterns, constants, work, solver._short, solver.stop.array, self._color
        )
        return bool(work[w.BEST])

    def _reply(self, p: int, depth: int) -> Step:
        board = self._board
        board.push_unchecked(Move.of(p, board.size))
        try:
            return self.attack(depth)
        finally:
            board.pop()


def solve_vcf(
    board: Board,
    max_attack_moves: int | None = None,
    *,
    max_nodes: int = 20_000_000,
    shortest: bool = True,
) -> Proof | None:
    """A win by continuous fours of the side to move, or ``None``.

    The search is complete: ``None`` means that there is no such win within ``max_attack_moves``
    (``None``: of any length), unless it ran into ``max_nodes``; :meth:`Solver.vcf` tells which.

    Args:
        max_attack_moves: attacking stones at most.
        max_nodes: positions to enter at most.
        shortest: look for the win with the fewest attacking stones, not for any.

    >>> import gomoku
    >>> board = gomoku.Board.from_stones(["f8", "g8", "h8"], ["a1", "a3"], "black")
    >>> str(gomoku.solve_vcf(board).first)
    'e8'
    """
    return Solver().vcf(board, max_attack_moves, max_nodes=max_nodes, shortest=shortest).proof


def solve_vct(
    board: Board,
    max_attack_moves: int = 20,
    *,
    threat_depth: int | None = None,
    max_nodes: int = 200_000,
) -> Proof | None:
    """A win by fours and threats of the side to move, or ``None``.

    A threat is a move after which its side, moving again at once, would have a win by at most
    ``threat_depth`` fours (1 = an open three or the like). The other side may reply anywhere.
    ``None`` means no win in that class, or the node limit; :meth:`Solver.vct` tells which.

    Args:
        max_attack_moves: attacking stones at most, on every line.
        threat_depth: ``None`` tries 1, then 3.
        max_nodes: nodes of the proof search at most, for each depth of threats.

    >>> import gomoku
    >>> board = gomoku.Board.from_stones("g7 g8 h9 i9".split(), ["a1", "a3", "o1", "o3"], "black")
    >>> proof = gomoku.solve_vct(board)
    >>> proof.verify()
    True
    """
    solver = Solver()
    for depth in (1, 3) if threat_depth is None else (threat_depth,):
        answer = solver.vct(board, max_attack_moves, threat_depth=depth, max_nodes=max_nodes)
        if answer.proof is not None:
            return answer.proof
    return None
