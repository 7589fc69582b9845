"""Deep counts on threads: the same numbers, whoever counts which branch."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from perft.counting import count
from xiangqi import Board

POSITIONS = [
    Board().fen(),
    "rnb1kabnr/4a4/1c5c1/p1p1p3p/6p2/9/P1P1P1P1P/1C1C5/9/RN1K1ABNR w - - 0 1",
    "3k5/9/9/9/9/9/9/3n5/R8/4K4 w - - 0 1",
    "3k5/9/9/9/9/9/9/9/3pp4/4K4 w - - 0 1",
    "3k5/4P4/9/9/9/9/9/9/9/5K3 b - - 0 1",
]


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_equals_the_boards_own_count(fen: str, threads: int) -> None:
    board = Board(fen)
    for depth in range(5):
        counted = count(board, depth, threads=threads)
        assert counted.nodes == board.perft(depth)
        if depth:
            assert counted.split == board.divide(depth)
    assert board.fen() == Board(fen).fen(), "the caller's board is left alone"


def test_progress_reaches_its_end() -> None:
    steps: list[tuple[int, int]] = []
    count(Board(), 4, threads=2, progress=lambda done, total: steps.append((done, total)))
    total = steps[-1][1]
    assert steps == [(n, total) for n in range(1, total + 1)]
    assert total >= 40


@pytest.mark.parametrize(("depth", "threads"), [(-1, 1), (2, 0)])
def test_senseless_arguments(depth: int, threads: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        count(Board(), depth, threads=threads)


class Odd:
    """A game that lists moves after its end but counts none: splitting there would be wrong."""

    def __init__(self, ply: int = 0) -> None:
        self.ply = ply

    @property
    def legal_moves(self) -> list[int]:
        return [0, 1, 2]

    def push(self, move: int) -> None:
        self.ply += 1

    def pop(self) -> None:
        self.ply -= 1

    def copy(self) -> Odd:
        return Odd(self.ply)

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        return 0 if self.ply >= 2 else 3 * Odd(self.ply + 1).perft(depth - 1)


@pytest.mark.parametrize("depth", range(7))
def test_never_splits_where_the_game_is_over(depth: int) -> None:
    assert count(Odd(), depth).nodes == Odd().perft(depth)


class Failing(Odd):
    def copy(self) -> Failing:
        return Failing(self.ply)

    def perft(self, depth: int) -> int:
        if depth > 1:
            raise RuntimeError("kernel fault")
        return super().perft(depth)


def test_fault_of_a_thread_reaches_the_caller() -> None:
    with pytest.raises(RuntimeError, match="kernel fault"):
        count(Failing(), 4, threads=2)


def test_interrupted_caller_lets_the_threads_end() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        count(Board(), 5, threads=2, progress=interrupt)
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_boards_without_unchecked_pushes() -> None:
    plain: Any = Odd()
    assert not hasattr(plain, "push_unchecked")
    assert count(plain, 1).split == {0: 1, 1: 1, 2: 1}
