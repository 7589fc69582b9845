"""What must hold for every shot: finite events, no overlap, energy, momentum, symmetry, repetition.

The default run takes a seeded sample; ``-m full`` plays the 20,000 shots with touching pieces.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest

from carrom import Disc, Params, Shot, simulate
from tests.carrom.layouts import deepest_gap, jumps, random_discs, random_params
from tests.twins import carrom as twin

ROOT = Path(__file__).parents[2]


def sound(shot: Shot, *, momentum: bool = True) -> None:
    """All invariants of one shot."""
    assert shot.n_events < 20_000
    assert deepest_gap(shot) > -1e-7
    assert shot.deepest > -1e-7
    assert abs(shot.energy_lost.total - shot.E0) <= 1e-14 * max(1.0, shot.E0)
    assert shot.energy_lost.impact >= -1e-14 * max(1.0, shot.E0)  # rounding, at e = 1
    assert shot.energy_lost.slide >= -1e-15
    if momentum:
        for jump in jumps(shot):
            assert abs(jump["dp"] - jump["push"]).max() <= 1e-15 + 2e-14 * jump["size"]
            assert jump["de"] <= 1e-15 * max(1.0, shot.E0)


def sweep(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    for k in range(count):
        params = random_params(rng)
        discs = random_discs(rng, params, int(rng.integers(2, 15)), 1 if k % 4 else 3)
        sound(simulate(discs, params))


def test_random_shots_with_touching_pieces() -> None:
    sweep(1, 400)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 120))
def test_20000_random_shots_with_touching_pieces(seed: int) -> None:
    sweep(seed, 1000)


def sweep_coupled(seed: int, count: int) -> None:
    """Coupled friction, with stacks and discs that fly off."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        params = replace(
            random_params(rng, "farkas" if k % 3 else "coulomb"),
            fly_speed=float(rng.choice([1.5, 3.0, 5.4])),
        )
        discs = random_discs(rng, params, int(rng.integers(3, 16)), 1 if k % 2 else 4)
        if k % 4 < 2:
            below = discs[-1]
            discs.append(Disc("top", 0.019, 0.012, below.x, below.y, on=below.id))
        sound(simulate(discs, params), momentum=False)


def test_random_shots_with_coupled_friction() -> None:
    sweep_coupled(2, 120)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(200, 205))
def test_5000_random_shots_with_coupled_friction(seed: int) -> None:
    sweep_coupled(seed, 1000)


def test_the_twin_plays_the_same_shots() -> None:
    rng = np.random.default_rng(3)
    compared = 0
    for _ in range(8):
        params = random_params(rng)
        discs = random_discs(rng, params, 4, 2, touching=False)
        shot = simulate(discs, params)
        slow = twin.simulate([d.to_dict() for d in discs], params.to_dict())
        assert [e.type for e in shot.events] == [e["type"] for e in slow["events"]]
        for final in shot.final:
            hole, x, y = slow["final"][final.id]
            assert (hole is not None) == final.pocketed
            if hole is None:
                # chance of chaos: tiny differences grow at every impact
                assert abs(x - final.x) + abs(y - final.y) < 1e-7
        compared += shot.n_events
    assert compared > 20


# -- symmetries ----------------------------------------------------------------------------------


def moved(discs: list[Disc], a: int, b: int, c: int, d: int) -> list[Disc]:
    """Discs under the matrix (a b; c d); a mirror turns the spin round."""
    sign = a * d - b * c
    return [
        replace(
            q,
            x=a * q.x + b * q.y,
            y=c * q.x + d * q.y,
            vx=a * q.vx + b * q.vy,
            vy=c * q.vx + d * q.vy,
            w=sign * q.w,
        )
        for q in discs
    ]


@pytest.mark.parametrize("friction", ["coulomb", "farkas"])
def test_turns_and_mirrors_are_exact(friction: str) -> None:
    """A quarter turn, half a turn and a mirror give the same bits, pieces touching or not."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        params = random_params(rng, friction)
        discs = random_discs(rng, params, 8, 2)
        plain = simulate(discs, params)
        for matrix in ((0, -1, 1, 0), (-1, 0, 0, -1), (-1, 0, 0, 1), (0, 1, 1, 0)):
            image = simulate(moved(discs, *matrix), params)
            a, b, c, d = matrix
            assert image.n_events == plain.n_events
            for one, other in zip(plain.final, image.final, strict=True):
                assert one.pocketed == other.pocketed
                assert (a * one.x + b * one.y, c * one.x + d * one.y) == (other.x, other.y)


def test_seats_are_half_turns() -> None:
    """Half a turn with the discs of both sides exchanged: the same, whatever their order."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        params = random_params(rng)
        discs = random_discs(rng, params, 9, 1, touching=False)
        plain = simulate(discs, params)
        turned = moved(discs, -1, 0, 0, -1)
        image = simulate([turned[0], *turned[5:], *turned[1:5]], params)
        for final in plain.final:
            other = image.place(final.id)
            assert (final.pocketed, -final.x, -final.y) == (other.pocketed, other.x, other.y)


def test_any_turn_without_rails() -> None:
    params = Params(rails=False, pockets=False, mu_dd=0.1)
    discs = [
        Disc("M", 0.025, 0.021, -0.3, 0.0, 1.2, 0.1, 40.0),
        Disc("B", 0.019, 0.012, 0.0, 0.01),
    ]
    plain = simulate(discs, params)
    for k in range(37):
        c, s = cos(2 * pi * k / 37), sin(2 * pi * k / 37)
        turned = [
            replace(
                d,
                x=c * d.x - s * d.y,
                y=s * d.x + c * d.y,
                vx=c * d.vx - s * d.vy,
                vy=s * d.vx + c * d.vy,
            )
            for d in discs
        ]
        for one, other in zip(plain.final, simulate(turned, params).final, strict=True):
            assert other.x == pytest.approx(c * one.x - s * one.y, abs=1e-13)
            assert other.y == pytest.approx(s * one.x + c * one.y, abs=1e-13)


@pytest.mark.parametrize("friction", ["coulomb", "farkas"])
def test_faster_film(friction: str) -> None:
    """Speeds and spins times c with friction times c^2: the same paths."""
    rng = np.random.default_rng(6)
    for _ in range(40):
        params = replace(random_params(rng, friction), e_dd=0.85, e_w=0.75)
        discs = random_discs(rng, params, 6, 2, touching=False)
        quick = [replace(d, vx=2 * d.vx, vy=2 * d.vy, w=2 * d.w) for d in discs]
        one = simulate(discs, params)
        other = simulate(quick, replace(params, mu=4 * params.mu))
        assert other.n_events == one.n_events
        for a, b in zip(one.final, other.final, strict=True):
            assert abs(a.x - b.x) + abs(a.y - b.y) < 1e-7


# -- the same bits -------------------------------------------------------------------------------

MANY = """
import hashlib
import numpy as np
from carrom import simulate
from tests.carrom.layouts import random_discs, random_params

def digests(friction, seed=7, count=100):
    rng, words = np.random.default_rng(seed), hashlib.sha256()
    for _ in range(count):
        params = random_params(rng, friction)
        words.update(simulate(random_discs(rng, params, 8, 2), params).digest().encode())
    return words.hexdigest()
"""


def digest_in_new_process(friction: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"{MANY}\nprint(digests({friction!r}))"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("friction", ["coulomb", "farkas"])
def test_same_bits_in_other_processes_and_threads(friction: str) -> None:
    space: dict[str, object] = {}
    exec(MANY, space)
    digests = space["digests"]
    assert callable(digests)
    here = digests(friction)
    assert digest_in_new_process(friction) == here
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(digests, [friction] * 3)) == [here] * 3


@pytest.mark.full
def test_same_bits_from_a_cold_compiler(tmp_path: Path) -> None:
    warm = digest_in_new_process("farkas")
    assert digest_in_new_process("farkas", QIYUAN_CACHE_DIR=str(tmp_path)) == warm


def test_hundred_repeats() -> None:
    rng = np.random.default_rng(8)
    params = Params()
    discs = random_discs(rng, params, 12, 3)
    assert len({simulate(discs, params).digest() for _ in range(100)}) == 1


GOLDEN = "53d149dd2fb79bbb9531f9ac9c1397baa892a92b9cc40b2e3efb9ec8cb5a1e36"


def test_golden_shots() -> None:
    """200 shots given by rational numbers: the same places to 1e-9 m on every machine."""
    words = hashlib.sha256()
    for k in range(200):
        discs = [Disc("M", 0.025, 0.021, 0.35, -0.375, -(k % 17) / 8 - 0.25, (k % 11) / 4 + 0.25)]
        discs += [
            Disc(f"p{i}", 0.019, 0.012, -0.25 + 0.046875 * i + k / 4096, 0.25 - 0.0625 * (i % 3))
            for i in range(10)
        ]
        for final in simulate(discs, Params(mu_dd=0.0, mu_w=0.0)).final:
            words.update(f"{final.id} {final.pocketed} {final.x:.9f} {final.y:.9f}\n".encode())
    assert words.hexdigest() == GOLDEN
