"""A player of 五子棋 that solves threats exactly and judges quiet positions by their shapes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from ai.player import UNLIMITED, Budget, Choice, Report
from qikit import StopFlag

if TYPE_CHECKING:
    from gomoku import Board, Move, Solver

_FOUR_NODES = 50_000
_THREAT_NODES = 8_000
_DEFENCES = 12
"""Quiet moves that are looked at when the enemy threatens a win by fours."""


class ThreatPlayer:
    """Wins by fours and threats where it can, parries the enemy's, else takes the best shapes.

    Args:
        seed: chooses among quiet moves that are nearly as good as the best; ``None`` = never the
            same game twice, which keeps a person from winning by one learnt line.
        memory: bytes that the solver's tables may take.
    """

    name = "threats"

    def __init__(self, seed: int | None = None, *, memory: int | None = None) -> None:
        self._random = Random(seed)
        self._memory = memory
        self._solver: Solver | None = None

    def choose(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        """See :meth:`ai.player.Player.choose`."""
        return self._choose(board, budget, stop or StopFlag(), moves, report, self._random)

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The best move; always the same one in the same position."""
        return self._choose(board, budget, stop or StopFlag(), None, None, None)

    def _choose(
        self,
        board: Board,
        budget: Budget,
        stop: StopFlag,
        moves: Sequence[Move] | None,
        report: Report | None,
        random: Random | None,
    ) -> Choice | None:
        allowed = list(board.legal_moves if moves is None else moves)
        if not allowed:
            return None
        if budget.time is not None:
            stop.after(budget.share or budget.time)
        try:
            search = _Search(self._ready(stop), board, allowed, budget, report, random)
            return search.choose()
        finally:
            stop.cancel()

    def _ready(self, stop: StopFlag) -> Solver:
        from gomoku import Solver

        if self._solver is None:
            self._solver = Solver(stop, memory=self._memory)
        self._solver.stop = stop
        return self._solver


class _Search:
    """The choice of one move."""

    def __init__(
        self,
        solver: Solver,
        board: Board,
        allowed: list[Move],
        budget: Budget,
        report: Report | None,
        random: Random | None,
    ) -> None:
        self._solver = solver
        self._board = board
        self._allowed = set(allowed)
        self._report = report
        self._random = random
        self._nodes = 0
        self._limit = budget.nodes

    def choose(self) -> Choice:
        board, me = self._board, self._board.turn
        quiet = self._by_worth()
        self._tell(Choice(quiet[0]))
        for move in board.five_points(me):
            if move in self._allowed:
                return Choice(move, mate=1, line=(move,), nodes=self._nodes)
        parries = [move for move in board.five_points(1 - me) if move in self._allowed]
        if parries:
            return self._win(by_threats=False) or Choice(parries[0], nodes=self._nodes)
        won = self._win(by_threats=False)
        if won is not None:
            return won
        safe = self._parry(quiet)
        if safe is None:
            return self._win(by_threats=True) or self._quiet(quiet)
        return self._win(by_threats=True) or self._quiet(safe)

    def _tell(self, choice: Choice) -> None:
        if self._report is not None:
            self._report(choice)

    def _budget(self, most: int) -> int:
        if self._limit is None:
            return most
        return max(min(most, self._limit - self._nodes), 1)

    def _win(self, *, by_threats: bool) -> Choice | None:
        """A proved win whose first move is allowed."""
        solver, board = self._solver, self._board
        if solver.stop.is_set():
            return None
        if by_threats:
            first, nodes = solver.vct_move(board, 16, max_nodes=self._budget(_THREAT_NODES))
            self._nodes += nodes
            if first is None or first not in self._allowed:
                return None
            return Choice(first, line=(first,), nodes=self._nodes)
        answer = solver.vcf(board, max_nodes=self._budget(_FOUR_NODES))
        self._nodes += answer.nodes
        proof = answer.proof
        if proof is None or proof.first not in self._allowed:
            return None
        mate = proof.attack_moves + 1
        return Choice(proof.first, mate=mate, line=proof.line, depth=mate, nodes=self._nodes)

    def _parry(self, quiet: list[Move]) -> list[Move] | None:
        """Moves after which the enemy has no win by fours; ``None`` if it threatens none now."""
        board, me = self._board, self._board.turn
        if self._enemy_wins(board.seen_by(1 - me)) is False:
            return None
        threat = self._solver.vcf(board.seen_by(1 - me), max_nodes=self._budget(_FOUR_NODES)).proof
        line = threat.line if threat is not None else ()
        tried = [move for move in (*line, *quiet[:_DEFENCES]) if move in self._allowed]
        tried += [move for move in board.four_points(me) if move in self._allowed]
        safe = []
        after = board.copy()
        for move in dict.fromkeys(tried):
            if self._solver.stop.is_set():
                break
            after.push_unchecked(move)
            if not self._enemy_wins(after):
                safe.append(move)
            after.pop()
        order = {move: place for place, move in enumerate(quiet)}
        return sorted(safe, key=lambda move: order[move]) or [*line[:1], *quiet]

    def _enemy_wins(self, board: Board) -> bool:
        """Whether the side to move in ``board`` has a win by fours, as far as can be seen."""
        if self._solver.stop.is_set():
            return False
        answer = self._solver.vcf(board, max_nodes=self._budget(_FOUR_NODES // 4), shortest=False)
        self._nodes += answer.nodes
        return answer.proof is not None

    def _by_worth(self) -> list[Move]:
        """Allowed moves, best shapes first; the middle of the board where shapes are equal."""
        board, me = self._board, self._board.turn
        worth = board.worth()
        middle = (board.size - 1) / 2

        def value(move: Move) -> float:
            if move.is_pass:
                return -1.0
            own, other = worth[move.y, move.x, me], worth[move.y, move.x, 1 - me]
            far = max(abs(move.x - middle), abs(move.y - middle))
            return float(10 * own + 9 * other) - far / board.size

        self._values = {move: value(move) for move in self._allowed}
        return sorted(self._allowed, key=lambda move: (-self._values[move], move))

    def _quiet(self, moves: list[Move]) -> Choice:
        """The best of quiet moves, or one nearly as good, that does not lose to fours at once."""
        board = self._board
        moves = [move for move in moves if move in self._allowed]
        best = self._values[moves[0]]
        near = [m for m in moves[:6] if self._values[m] >= 0.93 * best]
        if self._random is not None and len(near) > 1:
            self._random.shuffle(near)
        ordered = list(dict.fromkeys([*near, *moves[:_DEFENCES]]))
        after = board.copy()
        for move in ordered:
            after.push_unchecked(move)
            loses = self._enemy_wins(after)
            after.pop()
            if not loses:
                return Choice(move, self._values[move], line=(move,), depth=1, nodes=self._nodes)
        return Choice(ordered[0], line=(ordered[0],), nodes=self._nodes)
