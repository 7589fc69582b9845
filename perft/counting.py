"""Deep counts: split into branches, on one or more threads, with progress and Ctrl-C.

The counting itself is ``board.perft`` of the game, whose kernel runs without the GIL.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Path = tuple[Any, ...]
Progress = Callable[[int, int], None]
"""``progress(done, total)`` in branches, on the caller's thread."""

_BRANCHES = 40
_BRANCHES_OF_DEEP = 1000
_DEEP = 7


@dataclass(frozen=True)
class Count:
    """A count and what it cost.

    Attributes:
        nodes: legal move sequences of exactly the depth asked.
        split: the same by first move, in the order of ``board.legal_moves``.
        wall: seconds that went by.
        cpu: seconds of processor time of the whole process, all threads.
    """

    nodes: int
    wall: float
    cpu: float
    threads: int
    split: dict[Any, int] = field(repr=False)


def count(board: Any, depth: int, *, threads: int = 1, progress: Progress | None = None) -> Count:
    """Count with ``threads`` threads; equals ``board.perft(depth)``.

    Raises:
        ValueError: a negative depth, or fewer than one thread.
        KeyboardInterrupt: Ctrl-C; running branches end in the background.

    >>> from xiangqi import Board
    >>> count(Board(), 3, threads=2).nodes
    79666
    """
    if depth < 0 or threads < 1:
        raise ValueError(f"深度不小于 0，线程不少于 1 (depth {depth}, threads {threads})")
    wall, cpu = time.perf_counter(), time.process_time()
    if depth == 0:
        return Count(1, 0.0, 0.0, threads, {})
    paths = _branches(board, depth)
    answers = _Crew(board, depth, paths, threads).work(progress)
    split = dict.fromkeys(board.legal_moves, 0)
    for path, nodes in zip(paths, answers, strict=True):
        split[path[0]] += nodes
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Count(sum(answers), wall, cpu, threads, split)


def _branches(board: Any, depth: int) -> list[Path]:
    """Paths from the root whose subtrees make up the whole: enough of them to share out."""
    enough = _BRANCHES_OF_DEEP if depth >= _DEEP else _BRANCHES
    scout = board.copy()
    paths: list[Path] = [(move,) for move in board.legal_moves]
    while paths and len(paths[0]) < depth - 2 and len(paths) < enough:
        longer: list[Path] = []
        for path in paths:
            _walk(scout, path)
            moves = list(scout.legal_moves)
            followed = scout.perft(1) == len(moves)
            _walk_back(scout, path)
            if not followed:  # a game that is over lists moves but counts none, for example
                return paths
            longer += [(*path, move) for move in moves]
        paths = longer
    return paths


def _walk(board: Any, path: Path) -> None:
    push = getattr(board, "push_unchecked", board.push)
    for move in path:
        push(move)


def _walk_back(board: Any, path: Path) -> None:
    for _ in path:
        board.pop()


class _Crew:
    """Threads that take branches one after another, each with a board of its own."""

    def __init__(self, board: Any, depth: int, paths: list[Path], threads: int) -> None:
        self._board, self._depth, self._paths = board, depth, paths
        self._threads = threads
        self._next = iter(range(len(paths)))
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._done: queue.SimpleQueue[tuple[int, int | BaseException]] = queue.SimpleQueue()

    def work(self, progress: Progress | None) -> list[int]:
        """The counts of the branches, in their order."""
        answers = [0] * len(self._paths)
        for _ in range(self._threads):
            # daemons: after Ctrl-C the program ends without waiting for a deep branch
            threading.Thread(target=self._take, args=(self._board.copy(),), daemon=True).start()
        try:
            for finished in range(1, len(answers) + 1):
                index, answer = self._done.get()
                if isinstance(answer, BaseException):
                    raise answer
                answers[index] = answer
                if progress is not None:
                    progress(finished, len(answers))
        finally:
            self._cancelled.set()
        return answers

    def _take(self, board: Any) -> None:
        while not self._cancelled.is_set():
            with self._lock:
                index = next(self._next, None)
            if index is None:
                return
            path = self._paths[index]
            try:
                _walk(board, path)
                answer: int | BaseException = board.perft(self._depth - len(path))
                _walk_back(board, path)
            except BaseException as error:
                answer = error
            self._done.put((index, answer))
