"""A player of 象棋 that searches and keeps to a rule book on repetition."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ai.player import UNLIMITED, Budget, Choice, Report
from ai.search.xiangqi.brain import Brain, Thought
from ai.search.xiangqi.network import Network, shipped
from ai.search.xiangqi.policy import shipped as shipped_policy
from qikit import StopFlag
from xiangqi.repetition.book import rule_book

HURRY = 0.5
"""Seconds for a move below which the arbiter's searches would cost too much of them."""


def offences(
    board: Any, moves: Sequence[Any], rules: Any = "club2008", *, rounds: int = 1
) -> set[Any]:
    """Those of the moves that complete a loop for which the rule book blames the side to move.

    The arbiter waits for several rounds; a player that never closes the first one never comes
    near a ruling. It takes some hundredths of a second where a loop can be closed.

    Args:
        board: the position.
        moves: legal moves.
        rules: rule book on repetition.
        rounds: look only at moves by which the position comes back for the so-manieth time.

    >>> from xiangqi import Board, Move
    >>> board = Board("3k5/9/9/9/9/3R5/9/9/9/5K3 b")
    >>> for text in "d9e9 d4e4 e9d9".split():
    ...     _ = board.push(text)
    >>> offences(board, list(board.legal_moves)) == {Move.parse("e4d4")}
    True
    >>> offences(board, list(board.legal_moves), rounds=2)
    set()
    """
    past: dict[int, int] = {}
    times: Counter[int] = Counter()
    back = board.copy()
    for plies in range(1, min(back.halfmove_clock, len(back.move_stack)) + 1):
        back.pop()
        past.setdefault(back.key, plies)
        times[back.key] += 1
    if len(past) < 3:
        return set()
    from xiangqi.repetition import Verdict, judge_loop

    blamed = Verdict.BLACK_LOSES if board.turn else Verdict.RED_LOSES
    start, played = board.root().fen(), board.move_stack
    found = set()
    for move in moves:
        if board.is_capture(move):
            continue
        board.push_unchecked(move)
        key = board.key
        board.pop()
        if times[key] >= rounds:
            cut = len(played) - past[key]
            ruling = judge_loop(start, played[:cut], [*played[cut:], move], rules)
            if ruling.verdict is blamed:
                found.add(move)
    return found


class SearchPlayer:
    """The strongest player of the house.

    Args:
        hash_size: MiB of the transposition table.
        threads: how many search together.
        lines: how many best lines to report (MultiPV).
        noise: error of judgement, see :meth:`ai.search.xiangqi.Brain.think`.
        seed: of the noise.
        rules: rule book on repetition.
        network: the evaluation; ``None`` = by piece and square; default: the one that ships.
    """

    name = "search"

    def __init__(
        self,
        *,
        hash_size: int = 16,
        threads: int = 1,
        lines: int = 1,
        noise: int = 0,
        seed: int | None = None,
        rules: Any = "club2008",
        network: Network | str | None = "shipped",
    ) -> None:
        self.lines = lines
        self.noise = noise
        self.seed = seed or 0
        self._rules = rules
        self._network = network
        self._size = (hash_size, threads)
        self._node_limit: int | None = None
        self._brain: Brain | None = None

    @property
    def brain(self) -> Brain:
        """What thinks; made at first use, since it compiles or loads kernels."""
        if self._brain is None:
            network = shipped() if isinstance(self._network, str) else self._network
            self._brain = Brain(*self._size, network, self._rules)
        return self._brain

    def get_ready(self) -> None:
        """Load everything that thinking needs."""
        self.brain  # noqa: B018
        shipped_policy()

    def configure(
        self, *, hash_size: int, threads: int, lines: int, skill: int = 20, rules: Any = "club2008"
    ) -> None:
        """Set what engine protocols let people set; ``skill`` 20 is full strength, 0 the weakest.

        Each step below 20 takes a third of the nodes away and blurs the judgement.
        """
        self.lines, self._rules = lines, rules
        self._node_limit = None if skill >= 20 else round(400 * 1.5**skill)
        self.noise = 0 if skill >= 20 else 8 * (20 - skill)
        if self._size != (hash_size, threads):
            self._size, self._brain = (hash_size, threads), None
        if self._brain is not None:
            self._brain.rules = rules

    def new_game(self) -> None:
        """Forget the game before."""
        if self._brain is not None:
            self._brain.forget()

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
        choices = self.choices(board, budget, stop=stop, moves=moves, report=report)
        return choices[0] if choices else None

    def choices(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        lines: int | None = None,
        report: Report | None = None,
    ) -> list[Choice]:
        """The best moves, best first; offences against the rule book only where all are."""
        began = time.monotonic()
        allowed = self.lawful(board, list(board.legal_moves if moves is None else moves), budget)
        ordered = self._by_policy(board, allowed)
        budget = budget.after(time.monotonic() - began)
        if self._node_limit is not None:
            budget = replace(budget, nodes=min(budget.nodes or self._node_limit, self._node_limit))
        thoughts = self.brain.think(
            board,
            budget,
            stop=stop,
            moves=ordered,
            lines=lines or self.lines,
            noise=self.noise,
            seed=self.seed,
            report=None if report is None else lambda thought: report(as_choice(thought)),
        )
        return [as_choice(thought) for thought in thoughts]

    def lawful(self, board: Any, moves: list[Any], budget: Budget = UNLIMITED) -> list[Any]:
        """Those of the moves that are no offence against the rule book; all where all are.

        In a hurry a loop's first round is left to what the search makes of it, unless the book
        rules after one; the arbiter himself is asked before the second.
        """
        hurried = budget.time is not None and budget.time < HURRY
        rounds = min(rule_book(self._rules).ruling_after_loops, 2) if hurried else 1
        blamed = offences(board, moves, self._rules, rounds=rounds)
        return [move for move in moves if move not in blamed] or moves

    @staticmethod
    def _by_policy(board: Any, moves: list[Any]) -> list[Any]:
        """The moves, likeliest first where there is a policy: the order of the first iteration."""
        policy = shipped_policy()
        if policy is None or len(moves) < 2:
            return moves
        liked = policy.logits(board, moves).tolist()
        order = sorted(range(len(moves)), key=liked.__getitem__, reverse=True)
        return [moves[k] for k in order]

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The best move, without noise."""
        noise, self.noise = self.noise, 0
        try:
            return self.choose(board, budget, stop=stop)
        finally:
            self.noise = noise


def as_choice(thought: Thought) -> Choice:
    """A thought in the words of players."""
    from xiangqi import Move

    line = tuple(Move(move & 127, move >> 7) for move in thought.line)
    return Choice(
        line[0],
        float(thought.score),
        thought.mate,
        line,
        thought.depth,
        thought.nodes,
        thought.rank,
        thought.seconds,
    )
