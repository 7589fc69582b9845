"""A brain: the arrays of a search, and the deepening that drives the kernel."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.player import UNLIMITED, Budget
from ai.search.xiangqi import layout
from ai.search.xiangqi.squares import square_values
from qikit import StopFlag
from qikit.kernels import load
from xiangqi.repetition.book import RuleBook, rule_book

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Thought:
    """A line and its value.

    Attributes:
        move: the move, ``from | to << 7``.
        score: hundredths of a pawn for the side to move, mates included (``layout.MATE - plies``).
        line: moves of the expected continuation, ``move`` first.
        depth: plies of the finished (or, at the end, the broken off) iteration.
        deepest: plies of the longest line looked at.
        nodes: positions looked at so far, by all threads.
        seconds: wall time so far.
        rank: 1 for the best line, 2 for the second best, ...
    """

    move: int
    score: int
    line: tuple[int, ...]
    depth: int
    deepest: int
    nodes: int
    seconds: float
    rank: int = 1

    @property
    def mate(self) -> int | None:
        """Own moves to mate, negative = to be mated, ``None`` = no forced mate seen."""
        if self.score > layout.MATED_IN:
            return (layout.MATE - self.score + 1) // 2
        if self.score < -layout.MATED_IN:
            return -((layout.MATE + self.score + 1) // 2) or -1
        return None


@cache
def _reductions() -> Array:
    """Late move reductions by ``depth << 6 | number of the move``, in 1/1024 plies."""
    table = np.zeros((64, 64), np.int64)
    for depth in range(1, 64):
        for number in range(1, 64):
            table[depth, number] = int(1024 * (0.35 + math.log(depth) * math.log(number) / 2.0))
    return table.ravel()


def patience(same: int, gain: int, choices: int) -> float:
    """Part of its share of time after which a search begins no deeper iteration.

    Args:
        same: iterations in a row that kept the best move.
        gain: change of its value in the last one, hundredths of a pawn.
        choices: moves that may be played.

    >>> patience(9, 0, 40) < patience(0, 0, 40) < patience(0, -80, 40)
    True
    >>> patience(0, 0, 1)
    0.0
    """
    if choices == 1:
        return 0.0
    doubt = 1.3 - 0.12 * min(same, 6)
    return doubt * (1.0 + min(max(-gain, 0), 100) / 100)


class _Thread:
    """What one thread of the search owns."""

    def __init__(self) -> None:
        self.work: Array = np.zeros(layout.WORK_SIZE, np.int64)
        self.sums = np.zeros((2 * layout.PLIES + 2, layout.HIDDEN), np.int16)
        self.links = np.zeros((layout.CONTINUATION_ROWS, layout.CONTINUATION_ROWS), np.int16)
        work = self.work
        work[layout.REDUCTIONS : layout.REDUCTIONS + 4096] = _reductions()
        work[layout.VALUES : layout.VALUES + 2048] = square_values()

    def forget(self) -> None:
        """Begin a new game: no history of moves."""
        self.work[layout.PIECE_TO :] = 0
        self.links[:] = 0

    def fade(self) -> None:
        """Begin a new move: what was learnt counts half."""
        self.work[layout.PIECE_TO : layout.COUNTER] //= 2


class Brain:
    """Thinks about positions of 象棋; remembers from one to the next.

    One thread at a time asks it.

    Args:
        hash_size: MiB of the transposition table, shared by the threads.
        threads: how many search at the same time.
        network: weights as :func:`ai.search.xiangqi.network.read` gives them; ``None`` = the
            evaluation by piece and square.
        rules: the rule book on repetition.

    >>> from xiangqi import Board
    >>> thought = Brain(hash_size=1).think(Board("3k5/9/9/9/9/9/9/4C4/4A4/4K3R w"), Budget(depth=4))
    >>> thought[0].mate is None or thought[0].mate > 0
    True
    """

    def __init__(
        self,
        hash_size: int = 16,
        threads: int = 1,
        network: Any = None,
        rules: str | RuleBook = "club2008",
    ) -> None:
        self._kernel: Any = load("ai.search.xiangqi.kernel")
        self._threads = [_Thread() for _ in range(threads)]
        self._generation = 0
        self._blur = (0, 0)
        self._family = 0
        self.network = network
        self.threads = threads
        self._net = (
            np.zeros((layout.NET_ROWS, layout.HIDDEN), np.int16)
            if network is None
            else network.weights
        )
        self.resize(hash_size)
        self.rules = rules

    def resize(self, hash_size: int) -> None:
        """A new, empty transposition table of at most ``hash_size`` MiB."""
        buckets = 1 << max(int(math.log2(max(hash_size, 1) * 2**20 / (16 * layout.BUCKET))), 4)
        words = 2 * layout.BUCKET * buckets
        raw = np.zeros(words + 8, np.int64)
        start = (-raw.ctypes.data % 64) // 8  # a bucket is a cache line
        self.hash_size = hash_size
        self._table = raw[start : start + words]
        self._mask = buckets - 1

    def forget(self) -> None:
        """Forget everything: a new game."""
        self._table[:] = 0
        for thread in self._threads:
            thread.forget()

    @property
    def rules(self) -> str | RuleBook:
        """The rule book on repetition; with another one the table is emptied."""
        return self._rules

    @rules.setter
    def rules(self, rules: str | RuleBook) -> None:
        self._rules = rules
        family = layout.FAMILIES[rule_book(rules).family]
        if family != self._family:
            self._family = family
            self._table[:] = 0

    # ------------------------------------------------------------ positions

    def _set_up(self, thread: _Thread, board: Any, past: list[tuple[int, bool, int]]) -> None:
        work = thread.work
        state = board._state
        work[: state.size] = state
        control = {
            layout.NODES: 0,
            layout.STOPPED: 0,
            layout.DEEPEST: 0,
            layout.GENERATION: self._generation,
            layout.TABLE_MASK: self._mask,
            layout.NATURAL_LIMIT: board.rules.natural_limit_plies or 1 << 40,
            layout.HAS_NETWORK: int(self.network is not None),
            layout.NOISE: 0,
            layout.LOOPS: self._family,
        }
        for word, value in control.items():
            work[word] = value
        if self.network is not None:
            work[layout.VALUES : layout.VALUES + 2048] = self.network.values
            work[layout.OUTPUT_DIVISOR] = self.network.divisor
            work[layout.OUTPUT_BIAS : layout.OUTPUT_BIAS + layout.BUCKETS] = self.network.biases
        end = layout.STACK + layout.ENTRY * (layout.PLIES + layout.BEFORE + 2)
        stack = work[layout.STACK : end].reshape(-1, layout.ENTRY)
        stack[:] = 0
        stack[: layout.BEFORE, layout.EVAL] = layout.UNKNOWN
        root = stack[layout.BEFORE]
        root[layout.CHECKED] = board.is_check()
        root[layout.QUIET] = board.halfmove_clock
        root[layout.SPAN] = len(past)
        codes = board.codes
        squares = np.flatnonzero(codes)
        values = work[layout.VALUES + (codes[squares].astype(np.int64) << 7 | squares)]
        root[layout.SQUARES] = values.sum()
        at = layout.PAST
        work[layout.KEYS + at] = board.key
        work[layout.CHECKS + at] = root[layout.CHECKED]
        work[layout.UNDOS : layout.NATURES] = -1
        work[layout.NATURES : layout.MOVES] = 0
        for key, checked, move in past:
            work[layout.UNDOS + at] = move
            at -= 1
            work[layout.KEYS + at], work[layout.CHECKS + at] = key, checked

    @staticmethod
    def _past(board: Any) -> list[tuple[int, bool, int]]:
        """The positions before this one back to the last capture: key, check, and the move
        that was made there."""
        back = board.copy()
        plies = min(back.halfmove_clock, len(back.move_stack), layout.PAST - 1)
        past = []
        for _ in range(plies):
            move = back.pop()
            past.append((back.key, back.is_check(), move.from_square | move.to_square << 7))
        return past

    def evaluate(self, board: Any) -> int:
        """Static evaluation for the side to move, hundredths of a pawn."""
        thread = self._threads[0]
        self._set_up(thread, board, [])
        return int(self._kernel.judge(thread.work, self._net, thread.sums, 0))

    def prepare(self, board: Any) -> None:
        """Put a position before the first thread, for a kernel that drives the search itself."""
        self._generation = self._generation + 1 & 63
        self._set_up(self._threads[0], board, self._past(board))

    def wins_exchange(self, board: Any, move: Any, threshold: int) -> bool:
        """Whether a move wins at least ``threshold`` in the exchanges on its point."""
        state = self._threads[0].work
        state[: board._state.size] = board._state
        code = move.from_square | move.to_square << 7
        return bool(self._kernel.wins_exchange(state, code, threshold))

    # ------------------------------------------------------------ thinking

    def think(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        lines: int = 1,
        noise: int = 0,
        seed: int = 0,
        report: Callable[[Thought], None] | None = None,
    ) -> list[Thought]:
        """The best lines, best first; none where there is no move.

        Args:
            board: the position; left as it was found.
            budget: limits; the clock is looked at by a watchdog, so it holds within milliseconds.
            stop: ends the thinking from another thread.
            moves: the only moves to look at; default all.
            lines: how many best lines are wanted (MultiPV).
            noise: half width of an error added to every judgement, hundredths of a pawn: the same
                for the same position and ``seed``.
            seed: see ``noise``.
            report: called with each line of each finished iteration, and with new best moves.
        """
        began = time.monotonic()
        allowed = list(board.legal_moves if moves is None else moves)
        if not allowed:
            return []
        stop = stop or StopFlag()
        self._generation = self._generation + 1 & 63
        if (noise, seed) != self._blur:  # judgements in the table were made by other eyes
            self._blur = (noise, seed)
            self._table[:] = 0
        past = self._past(board)
        root = [move.from_square | move.to_square << 7 for move in allowed]
        for thread in self._threads:
            thread.fade()
            self._set_up(thread, board, past)
            thread.work[layout.NOISE], thread.work[layout.NOISE_SEED] = noise, seed
            thread.work[layout.NODE_LIMIT] = 1 << 62
        if budget.nodes is not None:
            self._threads[0].work[layout.NODE_LIMIT] = max(budget.nodes, 1)
        if budget.time is not None:
            stop.after(budget.time)
        halt = StopFlag()
        helpers = [
            threading.Thread(target=self._help, args=(thread, root, halt, number), daemon=True)
            for number, thread in enumerate(self._threads[1:], start=1)
        ]
        for helper in helpers:
            helper.start()
        try:
            return self._deepen(root, budget, stop, min(lines, len(root)), began, report)
        finally:
            stop.cancel()
            halt.set()
            for helper in helpers:
                helper.join()

    def _call(self, thread: _Thread, stop: StopFlag, depth: int, alpha: int, beta: int) -> int:
        thread.work[layout.ROOT_DEPTH] = depth
        return int(
            self._kernel.search(
                thread.work,
                self._table,
                self._net,
                thread.sums,
                thread.links,
                stop.array,
                0,
                depth,
                alpha,
                beta,
                0,
            )
        )

    def _help(self, thread: _Thread, root: list[int], halt: StopFlag, number: int) -> None:
        """Search the same tree a little differently, for the sake of the common table."""
        order = list(root)
        score = 0
        for depth in range(1 + number % 2, layout.PLIES // 2):
            score, line = self._aspire(thread, halt, order, depth, score)
            if line:
                order.remove(line[0])
                order.insert(0, line[0])
            if thread.work[layout.STOPPED]:
                return

    def _aspire(
        self, thread: _Thread, stop: StopFlag, order: list[int], depth: int, guess: int
    ) -> tuple[int, tuple[int, ...]]:
        """One iteration, with a window about the guess that opens where it was wrong."""
        work = thread.work
        work[layout.ROOT_COUNT] = len(order)
        work[layout.ROOT : layout.ROOT + len(order)] = order
        width = 24 if depth > 4 and abs(guess) < layout.MATED_IN else 2 * layout.MATE
        alpha, beta = max(guess - width, -layout.MATE), min(guess + width, layout.MATE)
        best: tuple[int, tuple[int, ...]] = (guess, ())
        fails = 0
        while True:
            score = self._call(thread, stop, max(depth - fails, 1), alpha, beta)
            stopped = bool(work[layout.STOPPED])
            line = self._line(work)
            if line and line[0] in order and (not stopped or work[layout.LINES]):
                best = (score if not stopped else best[0], line)
                if not stopped or line[0] != order[0]:
                    order.remove(line[0])
                    order.insert(0, line[0])
                    work[layout.ROOT : layout.ROOT + len(order)] = order
            if stopped:
                return best
            if score <= alpha and alpha > -layout.MATE:
                beta = (alpha + beta) // 2
                alpha = max(score - width, -layout.MATE)
                fails = 0
            elif score >= beta and beta < layout.MATE:
                beta = min(score + width, layout.MATE)
                fails = min(fails + 1, 3)
            else:
                return score, line
            width *= 3

    @staticmethod
    def _line(work: Array) -> tuple[int, ...]:
        line = []
        for move in work[layout.LINES : layout.LINES + layout.PLIES]:
            if not move:
                break
            line.append(int(move))
        return tuple(line)

    def _deepen(
        self,
        root: list[int],
        budget: Budget,
        stop: StopFlag,
        lines: int,
        began: float,
        report: Callable[[Thought], None] | None,
    ) -> list[Thought]:
        main = self._threads[0]
        found: list[Thought] = [
            Thought(move, 0, (move,), 0, 0, 0, 0.0, rank)
            for rank, move in enumerate(root[:lines], start=1)
        ]
        deepest_allowed = min(budget.depth or layout.PLIES // 2, layout.PLIES // 2)
        order = list(root)
        same, before = 0, 0
        for depth in range(1, deepest_allowed + 1):
            taken: list[Thought] = []
            for rank in range(1, lines + 1):
                rest = [m for m in order if m not in {thought.move for thought in taken}]
                old = {thought.move: thought for thought in found}
                guess = old[rest[0]].score if rest[0] in old else found[rank - 1].score
                score, line = self._aspire(main, stop, rest, depth, guess)
                if line:
                    taken.append(
                        Thought(
                            line[0],
                            score,
                            line,
                            depth,
                            int(main.work[layout.DEEPEST]),
                            sum(int(t.work[layout.NODES]) for t in self._threads),
                            time.monotonic() - began,
                            rank,
                        )
                    )
                    if report is not None:
                        report(taken[-1])
                if main.work[layout.STOPPED]:
                    break
            first = found[0].move
            moved = {thought.move for thought in taken}
            found = (taken + [thought for thought in found if thought.move not in moved])[:lines]
            found.sort(key=lambda thought: -thought.score) if not main.work[
                layout.STOPPED
            ] else None
            order.sort(
                key=lambda m: next((k for k, t in enumerate(found) if t.move == m), len(found))
            )
            if main.work[layout.STOPPED] or self._decided(found, depth, budget):
                break
            same = same + 1 if found[0].move == first else 0
            if budget.share is not None and time.monotonic() - began > budget.share * patience(
                same, found[0].score - before, len(root)
            ):
                break
            before = found[0].score
        return found

    @staticmethod
    def _decided(found: list[Thought], depth: int, budget: Budget) -> bool:
        """Whether more depth cannot change anything: a mate within the depth."""
        best = found[0]
        return best.mate is not None and 2 * abs(best.mate) + 2 <= depth and len(found) == 1
