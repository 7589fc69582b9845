"""The chain that draws linked worlds: where it goes, how fast it forgets, what it is made of."""

from __future__ import annotations

from collections import Counter
from random import Random

import numba
import numpy as np
import pytest

from junqi import Board
from junqi.belief import sampler as sampling
from junqi.measure import random_game, resemblance
from qikit import lanes
from qikit.errors import InvalidPosition
from tests.junqi.test_worlds import enumerated, far_off, small_game

SMALL = [
    ("luzhan60", 58, 12, 4, {}),
    ("luzhan60", 74, 12, 4, {"mine_survives": False}),
    ("luzhan60", 87, 12, 4, {}),
    ("siguo129", 77, 14, 2, {}),
    ("luzhan60", 42, 12, 4, {}),
    ("luzhan60", 46, 12, 4, {"mine_survives": False}),
    ("luzhan60", 50, 12, 4, {}),
    ("luzhan60", 92, 12, 4, {"flag_reveal": False}),
    ("luzhan60", 16, 8, 5, {}),
    ("siguo129", 13, 12, 2, {}),
]
"""Games in which a spectator finds most of the pieces linked and few or none to exchange with."""


@pytest.mark.parametrize(
    ("board", "seed", "plies", "free", "rules"),
    [
        pytest.param(*case, marks=[pytest.mark.full] if k > 3 else [])  # type: ignore[arg-type]
        for k, case in enumerate(SMALL)
    ],
)
def test_a_spectators_worlds_are_as_likely_as_enumeration_says(
    board: str,
    seed: int,
    plies: int,
    free: int,
    rules: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = small_game(seed, board, plies, free, **rules)
    worlds = enumerated(made, None)
    assert tuple(made.kinds.tolist()) in worlds
    draws = max(4000, 40 * len(worlds))
    for ways in (sampling.WAYS, 0):
        monkeypatch.setattr(sampling, "WAYS", ways)
        view = made.view(None)
        assert view.sampler.chain == (not ways)
        # chi-square takes draws for independent: of a chain in so small a space, one in many
        every = 1 if ways else 100
        counts = Counter(map(tuple, view.sample_worlds(every * draws, seed)[::every].tolist()))
        assert set(counts) == set(worlds)
        assert len(worlds) == 1 or abs(far_off(counts, worlds, draws)) < 4.5, made.fen()


def test_small_games_of_players_without_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chain against enumeration where it has some room."""
    monkeypatch.setattr(sampling, "WAYS", 0)
    chains = 0
    for seed in (1, 3, 4):
        made = small_game(seed, "siguo129", 9, 3)
        for seat in (0, 3):
            view = made.view(seat)
            chains += view.sampler.chain
            worlds = enumerated(made, seat)
            draws = max(4000, 40 * len(worlds))
            counts = Counter(map(tuple, view.sample_worlds(20 * draws, seed)[::20].tolist()))
            assert set(counts) == set(worlds)
            assert len(worlds) == 1 or abs(far_off(counts, worlds, draws)) < 4.5, made.fen()
    assert chains >= 2


def test_the_small_games_are_tightly_linked() -> None:
    """The test of the test."""
    linked, equals = [], 0
    for board, seed, plies, free, rules in SMALL:
        sampler = small_game(seed, board, plies, free, **rules).view(None).sampler
        linked.append(sampler.linked)
        equals += len(sampler._twins)
    assert max(linked) == 7  # of ten pieces, two of them flags
    assert sum(number >= 4 for number in linked) >= 8
    assert equals >= 8


@pytest.fixture(scope="module")
def combative() -> Board:
    """A late game in which a player finds dozens of pieces linked."""
    for seed in range(100):
        board = random_game(Random(f"combative {seed}"), "siguo129", "dark")
        if board.outcome() is None and board.view(0).sampler.linked >= 30:
            return board
    raise AssertionError("no such game")


@pytest.mark.parametrize("seat", [0, None])
def test_worlds_forget_their_predecessors(combative: Board, seat: int | None) -> None:
    view = combative.view(seat)
    worlds = view.sample_worlds(8000, 5)
    pieces = np.unique(view.constraints.fights[:, :2])
    assert resemblance(worlds[:, pieces]).mean() < 0.35
    # what resembles its predecessor longest has forgotten it before a new series begins
    assert resemblance(worlds[:: sampling.BURN][:, pieces]).max() < 0.35
    standing = np.repeat(worlds[:200], 5, axis=0)  # the test of the test
    assert resemblance(standing[:, pieces]).mean() > 0.7


def test_every_series_is_another_sample(combative: Board) -> None:
    """First worlds of many series are spread as the worlds of one long series are."""
    view = combative.view(1)
    first = np.concatenate([view.sample_worlds(1, seed) for seed in range(1000)])
    long = view.sample_worlds(16_000, 1)
    for kind in range(12):
        ours, theirs = (first == kind).mean(axis=0), (long == kind).mean(axis=0)
        spread = np.sqrt(theirs * (1 - theirs) * (1 / len(first) + 8 / len(long)))
        assert (np.abs(ours - theirs) <= 5 * spread + 0.005).all()


@pytest.mark.parametrize("mode", ["dark", "allies"])
@pytest.mark.parametrize("name", ["siguo129", "luzhan60"])
def test_worlds_of_combative_games_play_the_record_again(name: str, mode: str) -> None:
    for seed in range(4):
        board = random_game(Random(f"again {seed}"), name, mode)
        for seat in (*range(board.map.seats), None):
            view = board.view(seat)
            worlds = view.sample_worlds(200, seed)
            assert view.first_inconsistent(worlds) is None, board.fen()
            assert view.first_inconsistent(view.sample_worlds(1, seed)) is None


@pytest.mark.full
def test_worlds_of_many_games_play_the_record_again() -> None:
    for seed in range(300):
        name, mode = (("siguo129", "dark"), ("siguo129", "allies"), ("luzhan60", "dark"))[seed % 3]
        board = random_game(Random(f"many {seed}"), name, mode)
        for seat in (*range(board.map.seats), None):
            view = board.view(seat)
            assert view.first_inconsistent(view.sample_worlds(1000, seed)) is None, board.fen()


def test_no_world_is_said_so(combative: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every search for a first world fails, a sentence says so."""
    monkeypatch.setattr(sampling, "SEARCHES", 0)
    with pytest.raises(InvalidPosition, match="找不到"):
        combative.view(0).sample_world(1)


def test_a_number_of_worlds(combative: Board) -> None:
    assert combative.view(0).sample_worlds(0, 1).shape == (0, 100)
    with pytest.raises(ValueError, match="负数"):
        combative.view(0).sample_worlds(-1, 1)


def test_rows_of_twelve_against_numpy() -> None:
    @numba.njit
    def run(out, one, other, fit):  # type: ignore[no-untyped-def]
        lanes.multiply(out, 0, one, 1, other, 2)
        lanes.multiply(out, 1, one, 0, other, 0)
        lanes.gather(out, 1, fit, 12, one, 2)
        lanes.clear(out, 2)
        lanes.add(out, 2, one, 1, 3.5)
        lanes.add(out, 2, other, 0, -2.0)
        return lanes.lane(one, 2, 7)

    rng = np.random.default_rng(1)
    one, other, fit = rng.random((3, 12)), rng.random((3, 12)), rng.random((24, 12))
    out = rng.random((4, 12))
    untouched = out[3].copy()
    assert run(out, one, other, fit) == one[2, 7]
    assert (out[0] == one[1] * other[2]).all()
    assert np.allclose(out[1], one[0] * other[0] * (one[2] @ fit[12:]), rtol=1e-12)
    assert np.allclose(out[2], 3.5 * one[1] - 2.0 * other[0], rtol=1e-12)
    assert (out[3] == untouched).all()
