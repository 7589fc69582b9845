"""The generator against the slow twin: moves, attacks, make and unmake, keys, odd positions."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from qikit import kernels
from qikit.stop import StopFlag
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import START, codes, reference_fens, sample

kernel = kernels.load("xiangqi.kernel")


def state_of(pos: twin.Position) -> np.ndarray:
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    board = np.array(codes(pos), np.uint8)
    assert kernel.setup(board, 0 if pos.red_to_move else 1, state) == kernel.READY
    return state


def pairs(state: np.ndarray) -> list[tuple[int, int]]:
    moves = np.zeros(kernel.FRAME, np.int64)
    n = kernel.legal_moves(state, moves)
    return sorted((int(move) & 127, int(move) >> 7) for move in moves[:n])


def points(halves: tuple[int, int]) -> list[int]:
    low, high = halves
    return [sq for sq in range(90) if (low | high << 45) >> sq & 1]


def odd(seed: int, number: int) -> Iterator[twin.Position]:
    """Pieces of any kind on any point, as composers and careless editors put them."""
    rng = random.Random(seed)
    for _ in range(number):
        points = ["."] * 90
        general = rng.choice([sq for sq in range(90) if twin.own_palace(sq % 9, sq // 9, True)])
        other = rng.choice([sq for sq in range(90) if twin.own_palace(sq % 9, sq // 9, False)])
        points[general], points[other] = "K", "k"
        places = rng.sample([sq for sq in range(90) if points[sq] == "."], 30)
        for army in ("AABBNNRRCCPPPPP", "aabbnnrrccppppp"):
            for letter in rng.sample(army, rng.choice((2, 5, 9, 15))):
                points[places.pop()] = letter
        yield twin.Position(tuple(points), rng.random() < 0.5)


def positions() -> Iterator[twin.Position]:
    yield from map(twin.position, reference_fens())
    yield from sample(seed=11, games=16)
    yield from odd(seed=12, number=400)


def test_legal_moves_are_the_twins() -> None:
    for pos in positions():
        state = state_of(pos)
        before = state.copy()
        assert pairs(state) == twin.legal_moves(pos), twin.placement(pos)
        assert (state == before).all()


def test_legality_of_every_pair_of_points() -> None:
    for pos in (*sample(seed=13, games=4, every=20), *odd(seed=14, number=10)):
        state = state_of(pos)
        before = state.copy()
        legal = set(twin.legal_moves(pos))
        for start in range(128):
            for to in range(128):
                found = kernel.is_legal(state, start | to << 7)
                assert bool(found) == ((start, to) in legal), (twin.placement(pos), start, to)
        for nonsense in (-1, 1 << 14 | 1, 1 << 40, -(1 << 60)):
            assert not kernel.is_legal(state, nonsense)
        assert (state == before).all()


def test_attackers_targets_and_checkers_are_the_twins() -> None:
    for pos in (*sample(seed=15, games=4, every=20), *odd(seed=16, number=40)):
        state = state_of(pos)
        for sq in range(90):
            for color in (0, 1):
                found = points(kernel.attackers(state, color, sq))
                assert found == twin.attackers(pos, color == 0, sq), (twin.placement(pos), sq)
            expected = sorted(twin.targets(pos.points, sq)) if pos.points[sq] != "." else []
            assert points(kernel.targets(state, sq)) == expected
        for color in (0, 1):
            expected = twin.checkers(pos, color == 0)
            if twin.facing(pos.points):
                expected = sorted([*expected, twin.general(pos.points, color == 1)])
            assert points(kernel.checkers(state, color)) == expected


def test_points_off_the_board_have_nothing() -> None:
    state = state_of(twin.position(START))
    for sq in (-1, 90, 1 << 40, -(1 << 60)):
        assert kernel.targets(state, sq) == (0, 0)
        assert kernel.attackers(state, 0, sq) == (0, 0)
    assert kernel.attackers(state, 2, 0) == kernel.checkers(state, -1) == (0, 0)


def test_make_and_unmake_on_random_walks() -> None:
    rng = random.Random(17)
    moves = np.zeros(kernel.FRAME, np.int64)
    for fen in (START, *rng.sample(reference_fens(), 20)):
        pos = twin.position(fen)
        state = state_of(pos)
        trail: list[tuple[np.ndarray, int]] = []
        for _ in range(150):
            n = kernel.legal_moves(state, moves)
            if not n:
                break
            move = int(moves[rng.randrange(n)])
            before = state.copy()
            undo = kernel.make(state, move)
            trail.append((before, undo))
            pos = twin.make(pos, (move & 127, move >> 7))
            fresh = state_of(pos)
            board = state[kernel.BOARD : kernel.BOARD + 90] & kernel.PIECE
            assert board.tolist() == codes(pos)
            # All but the slots, whose order tells the history, is a function of the position.
            assert (state[: kernel.SLOT] == fresh[: kernel.SLOT]).all()
            assert state[kernel.KEY] == fresh[kernel.KEY]
            assert state[kernel.TURN] == fresh[kernel.TURN]
        for before, undo in reversed(trail):
            kernel.unmake(state, undo)
            assert (state == before).all()


def test_keys_tell_placement_and_side() -> None:
    seen: dict[int, twin.Position] = {}
    for pos in positions():
        for turn in (True, False):
            key = int(state_of(pos._replace(red_to_move=turn))[kernel.KEY])
            assert 0 <= key < 1 << 63
            assert seen.setdefault(key, pos._replace(red_to_move=turn)).points == pos.points
            assert seen[key].red_to_move == turn


def play_anything(rng: random.Random, pos: twin.Position) -> None:
    """Boards play illegal moves on request, even one that takes a general."""
    state = state_of(pos)
    trail = []
    for _ in range(40):
        board = state[kernel.BOARD : kernel.BOARD + 90] & kernel.PIECE
        start = int(rng.choice(np.flatnonzero(board)))
        to = rng.choice([sq for sq in range(90) if sq != start])
        trail.append((state.copy(), kernel.make(state, start | to << 7)))
        general = state[kernel.SLOT + 16 * state[kernel.TURN]]
        moves = pairs(state)
        assert general != 90 or not moves
    for before, undo in reversed(trail):
        kernel.unmake(state, undo)
        assert (state == before).all()


def test_any_move_can_be_made_and_taken_back() -> None:
    rng = random.Random(18)
    for pos in odd(seed=19, number=100):
        play_anything(rng, pos)


def test_setup_refuses_what_it_cannot_hold() -> None:
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    board = np.array(codes(twin.position(START)), np.uint8)

    def answer(**changes: int) -> int:
        changed = board.copy()
        for name, code in changes.items():
            changed["abcdefghi".index(name[0]) + 9 * int(name[1])] = code
        return kernel.setup(changed, 0, state)

    assert answer() == kernel.READY
    assert answer(e0=0) == answer(e4=1) == answer(e9=0) == answer(e4=9) == kernel.BAD_GENERALS
    assert answer(e0=0, e3=1) == answer(e0=0, e7=1) == answer(e9=0, e6=9) == kernel.BAD_GENERALS
    assert answer(e4=7) == answer(e5=15) == answer(e4=5) == kernel.TOO_MANY_PIECES
    for code in (8, 16, 17, 255):
        assert answer(e4=code) == kernel.BAD_CODE


def test_short_buffers_are_refused() -> None:
    state = state_of(twin.position(START))
    short = np.zeros(kernel.FRAME - 1, np.int64)
    none = np.zeros(1, np.int64)
    assert kernel.legal_moves(state, short) == -1
    assert kernel.perft(state, 1, kernel.BULK, short, 0, np.zeros(2, np.int64), none) == -1


def test_stop_interrupts_a_deep_perft() -> None:
    state = state_of(twin.position(START))
    before = state.copy()
    moves, tally = np.zeros(12 * kernel.FRAME, np.int64), np.zeros(2, np.int64)
    flag = StopFlag()
    thread = threading.Thread(
        target=kernel.perft, args=(state, 12, kernel.BULK, moves, 0, tally, flag.array)
    )
    thread.start()
    time.sleep(0.05)
    assert thread.is_alive()
    flag.set()
    thread.join(30)
    assert not thread.is_alive()
    assert (state == before).all()


PROBE = """
import random
import numpy as np
from qikit import kernels
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import START, reference_fens
from tests.xiangqi.test_kernel import odd, pairs, play_anything, state_of
kernel = kernels.load("xiangqi.kernel")
moves = np.zeros(4 * kernel.FRAME, np.int64)
tally, stop = np.zeros(2, np.int64), np.zeros(1, np.int64)
for fen in (START, *random.Random(20).sample(reference_fens(), 12)):
    state = state_of(twin.position(fen))
    counts = {kernel.perft(state, 3, mode, moves, 0, tally, stop) for mode in range(4)}
    assert len(counts) == 1, fen
for pos in odd(21, 60):
    state = state_of(pos)
    assert pairs(state) == twin.legal_moves(pos)
    for sq in range(90):
        kernel.targets(state, sq), kernel.attackers(state, 0, sq), kernel.attackers(state, 1, sq)
    for move in pairs(state):
        assert kernel.is_legal(state, move[0] | move[1] << 7)
for pos in odd(24, 20):
    play_anything(random.Random(25), pos)
print("right")
"""


def run_probe(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_a_second_process_runs_from_the_cache() -> None:
    """Recursive kernels have been known to crash when they come from the cache (numba 6061)."""
    done = run_probe()
    assert (done.returncode, done.stdout.strip()) == (0, "right"), done.stderr
    assert "xiangqi.kernel" not in done.stderr  # nothing was compiled


def test_no_array_is_left(tmp_path: Path) -> None:
    done = run_probe(NUMBA_BOUNDSCHECK="1", QIYUAN_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout.strip()) == (0, "right"), done.stderr


def test_tables_hold_what_the_twin_walks() -> None:
    """Each piece on each point of an empty board, also where play never brings it."""
    for kind in range(2, 8):
        for color in (0, 1):
            for sq in range(90):
                points_ = ["."] * 90
                points_[sq] = (" KABNRCP", " kabnrcp")[color][kind]
                points_[4 if sq != 4 else 3] = "K"
                points_[85 if sq != 85 else 84] = "k"
                pos = twin.Position(tuple(points_), color == 0)
                found = points(kernel.targets(state_of(pos), sq))
                assert found == sorted(twin.targets(pos.points, sq))


@pytest.mark.full
def test_legal_moves_are_the_twins_everywhere() -> None:
    for pos in (*sample(seed=22, games=150, every=1), *odd(seed=23, number=5000)):
        assert pairs(state_of(pos)) == twin.legal_moves(pos), twin.placement(pos)
