"""Forced mates: known by the tests' own exhaustive search, to be found by the brain."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ai import Budget
from ai.search.xiangqi import Brain
from tests.twins.xiangqi_mates import mate_in
from xiangqi import Board, Move

FILE = Path(__file__).parents[1] / "data" / "xiangqi_mates.txt"
MATES = [
    (fen, int(moves))
    for fen, _, moves in (
        line.partition(";") for line in FILE.read_text("utf-8").splitlines() if line[0] != "#"
    )
]
SAMPLE = sorted(Random(1).sample(MATES, 40))


def find(brain: Brain, fen: str, moves: int, budget: Budget) -> bool:
    """Whether the brain finds a forced mate and its line ends with it.

    A mate may be a move longer than the shortest, since checks deep in a line are pruned.
    """
    brain.forget()
    thought = brain.think(Board(fen), budget)[0]
    if thought.mate is None or not 0 < thought.mate <= moves + 1:
        return False
    board = Board(fen)
    for code in thought.line:
        board.push(Move(code & 127, code >> 7))
    return len(thought.line) == 2 * thought.mate - 1 and not len(board.legal_moves)


def test_there_are_enough() -> None:
    assert len(MATES) >= 200
    assert {moves for _, moves in MATES} >= {2, 3, 4}


def test_the_twin_confirms_a_sample() -> None:
    for fen, moves in SAMPLE[::2]:
        assert mate_in(Board(fen), moves) == moves


def test_a_sample_is_solved() -> None:
    brain = Brain(hash_size=4)
    missed = [one for one in SAMPLE if not find(brain, *one, Budget(nodes=200_000))]
    assert not missed


@pytest.mark.full
def test_the_twin_confirms_all() -> None:
    assert [one for one in MATES if mate_in(Board(one[0]), one[1]) != one[1]] == []


@pytest.mark.full
def test_all_are_solved_in_a_second() -> None:
    brain = Brain(hash_size=16)
    missed = [one for one in MATES if not find(brain, *one, Budget(time=1.0))]
    assert not missed
