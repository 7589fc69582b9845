"""Counts of legal move sequences against the reference file, in all the ways that perft counts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qikit import kernels
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import START, rows
from tests.xiangqi.test_kernel import pairs, state_of

kernel = kernels.load("xiangqi.kernel")
ROWS = rows("xiangqi_perft.jsonl")
CAP = 5_000_000
WALK_CAP = 400_000  # for the modes that build or make every last move
GO = np.zeros(1, np.int64)


def perft(state: np.ndarray, depth: int, mode: int) -> tuple[int, list[int]]:
    moves, tally = np.zeros(depth * kernel.FRAME, np.int64), np.zeros(2, np.int64)
    before = state.copy()
    nodes = kernel.perft(state, depth, mode, moves, 0, tally, GO)
    assert (state == before).all()
    return nodes, tally.tolist()


def check(row: dict, cap: int, walk_cap: int, tally_cap: int) -> None:
    state = state_of(twin.position(row["fen"]))
    for depth, expected in enumerate(row["perft"], 1):
        if expected <= cap:
            assert perft(state, depth, kernel.BULK)[0] == expected, depth
        if expected <= walk_cap:
            assert perft(state, depth, kernel.LIST)[0] == expected, depth
            assert perft(state, depth, kernel.MAKE)[0] == expected, depth
    for depth, both in enumerate(zip(row["captures"], row["checks"], strict=True), 1):
        if row["perft"][depth - 1] <= tally_cap:
            expected = row["perft"][depth - 1]
            assert perft(state, depth, kernel.TALLY) == (expected, list(both)), depth


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_counts(row: dict) -> None:
    check(row, CAP, WALK_CAP, WALK_CAP)


@pytest.mark.full
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_counts_to_full_depth(row: dict) -> None:
    check(row, 1 << 62, 20_000_000, 1 << 62)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_divide_and_status(row: dict) -> None:
    state = state_of(twin.position(row["fen"]))
    divide = {}
    for start, to in pairs(state):
        undo = kernel.make(state, start | to << 7)
        divide[twin.name((start, to))] = len(pairs(state))
        kernel.unmake(state, undo)
    assert divide == row["divide_d2"]
    checked = kernel.checkers(state, int(state[kernel.TURN])) != (0, 0)
    names = ("ok", "check") if divide else ("stalemate", "checkmate")
    assert names[checked] == row["status"]


def test_threads_share_nothing() -> None:
    """Splits of one position counted at the same time, each with its own arrays."""
    state = state_of(twin.position(START))

    def count(move: tuple[int, int]) -> int:
        mine = state.copy()
        kernel.make(mine, move[0] | move[1] << 7)
        return perft(mine, 3, kernel.BULK)[0]

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(count, pairs(state))) == 3290240
