"""Faults met in public physics engines and games (tests/data/carrom_bugs.jsonl), one test each.

Every id of the file has an entry in CASES; most run here, the rest name the test that covers them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import pytest

from carrom import Disc, Params, Table, simulate
from tests.carrom import test_closed_forms as closed_forms
from tests.carrom import test_invariants as invariants
from tests.carrom import test_referee as referee
from tests.carrom import test_shots as shots
from tests.carrom.layouts import deepest_gap

DATA = Path(__file__).parents[1] / "data" / "carrom_bugs.jsonl"
BUGS = {row["id"]: row for row in map(json.loads, DATA.read_text("utf-8").splitlines())}
SMOOTH = Params(mu_dd=0.0, mu_w=0.0, pockets=False)


def piece(name: str, x: float, y: float, vx: float = 0.0, vy: float = 0.0) -> Disc:
    return Disc(name, 0.019, 0.012, x, y, vx, vy)


def missed_contact() -> None:
    """The trigger in our terms: a 15-piece triangle, the mother at 3.262213 m/s and 81.83468."""
    turn = radians(81.83468)
    for shift in np.linspace(-0.01, 0.01, 41):
        discs = [
            Disc(
                "M",
                0.025,
                0.021,
                -0.05 + float(shift),
                -0.25,
                3.262213 * cos(turn),
                3.262213 * sin(turn),
            )
        ]
        for row in range(5):
            discs += [
                piece(f"p{row}{k}", 0.0381 * (k - row / 2), 0.2 + 0.0331 * row)
                for k in range(row + 1)
            ]
        assert deepest_gap(simulate(discs, SMOOTH)) > -1e-7


def corner() -> None:
    for angle in (45.0, 45.0 + 1e-10, 45.0 - 1e-6):
        for speed in (1.3, 2.0, 4.0):
            turn = radians(angle)
            shot = simulate([piece("A", 0, 0, speed * cos(turn), speed * sin(turn))], SMOOTH)
            final = shot.final[0]
            assert max(abs(final.x), abs(final.y)) <= 0.481 + 1e-9
            assert final.x == pytest.approx(final.y, abs=1e-5)
            assert shot.n_events >= 2
    struck = simulate([piece("A", 0.481, 0.0, 1.0, 0.0)], SMOOTH)
    assert struck.events[0].t == 0.0
    assert struck.events[0].b == "right"
    assert struck.final[0].x == pytest.approx(0.481 - 0.75**2 / (2 * 0.981), abs=1e-12)


def quartic_degenerate() -> None:
    """Equal decelerations, and nearly equal ones, against the chase on one line."""
    wanted = simulate(shots.BY_ID["pair_same_decel"]["discs"], SMOOTH)
    for bend in (0.0, 1e-18, 1e-15, 1e-12, 1e-9, 1e-7):
        discs = [piece("A", -0.4, 0.0, 1.1, 1.1 * bend), piece("B", -0.2, 0.0, 0.6, 0.0)]
        shot = simulate(discs, SMOOTH)
        assert shot.n_events == 1
        for one, other in zip(shot.final, wanted.final, strict=True):
            assert one.x == pytest.approx(other.x, abs=1e-9 + 10 * bend)


def false_zero() -> None:
    apart = [piece("A", 0.0, 0.0, -0.5, 0.0), piece("B", 0.038, 0.0, 0.5, 0.0)]
    assert simulate(apart, SMOOTH).n_events == 0
    beside = [piece("A", 0.0, 0.0, 0.0, 0.5), piece("B", 0.038, 0.0, 0.0, 0.5)]
    assert simulate(beside, SMOOTH).n_events == 0
    resting = [piece("A", 0.0, 0.0), piece("B", 0.038, 0.0)]
    assert simulate(resting, SMOOTH).n_events == 0


def params() -> None:
    for mu in (0, -0.1, float("nan"), float("inf")):
        closed_forms.test_friction_must_be_positive(mu)


def throw_direction() -> None:
    """Every two-disc reference shot at 37 turns without rails, and the exact symmetries with."""
    invariants.test_any_turn_without_rails()
    for row in shots.SHOTS:
        if row["kind"] != "pair":
            continue
        params = replace(Params.of(row["params"]), rails=False)
        discs = [Disc.of(d) for d in row["discs"]]
        plain = simulate(discs, params)
        slack = 1e-13 * max(10.0, row["reference_quality"]["amplification"])
        for k in range(37):
            c, s = cos(2 * np.pi * k / 37), sin(2 * np.pi * k / 37)
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
                assert other.x == pytest.approx(c * one.x - s * one.y, abs=slack), row["id"]
                assert other.y == pytest.approx(s * one.x + c * one.y, abs=slack), row["id"]


def rail_angle() -> None:
    """Ten bounces with smooth rails keep the tangential speed exactly as friction leaves it."""
    lively = replace(SMOOTH, e_w=1.0)
    shot = simulate([piece("A", 0.0, 0.0, 2.5, 2.4)], lively)
    assert sum(e.type == "disc-rail" for e in shot.events) >= 5
    way = (2.5**2 + 2.4**2) / (2 * 0.981)
    # unfold the reflections: with e = 1 and no friction the path is one straight line
    unit = np.array([2.5, 2.4]) / np.hypot(2.5, 2.4)
    for at, end in zip((shot.final[0].x, shot.final[0].y), way * unit, strict=True):
        folded = (end + 0.481) % (4 * 0.481)
        folded = folded if folded <= 2 * 0.481 else 4 * 0.481 - folded
        assert at == pytest.approx(folded - 0.481, abs=1e-12)


def mirror_stuck() -> None:
    """An overlap of a micrometre parts, without energy from nowhere."""
    for speed in (0.0, 0.01, 1.0):
        discs = [piece("A", 0.0, 0.0, speed, 0.0), piece("B", 0.038 - 1e-6, 0.0)]
        shot = simulate(discs, SMOOTH)
        assert shot.n_events <= 2
        assert abs(shot.energy_lost.total - shot.E0) < 1e-16
        assert shot.energy_lost.impact >= 0
        gap = shot.final[1].x - shot.final[0].x - 0.038
        assert gap >= -1e-6 - 1e-12
        assert speed == 0.0 or gap > 0


def race() -> None:
    shots.test_the_vee_is_symmetric()
    row = shots.BY_ID["vee_symmetric"]
    assert len({simulate(row["discs"], row["params"]).digest() for _ in range(100)}) == 1


def one_step_fouls() -> None:
    """The planner's prediction is the played result, for both seats."""
    chance = random.Random(11)
    table = Table()
    seats = set()
    for _ in range(300):
        if table.outcome() is not None:
            table = Table(first=1)
        stroke = table.random_stroke(chance, aimed=True)
        seats.add(table.turn)
        foreseen = table.predict(stroke)
        assert table.strike(stroke) == foreseen
    assert seats == {0, 1}


def threshold_mismatch() -> None:
    row = BUGS["threshold-mismatch"]
    shot = simulate(row["discs"], row["params"])
    assert 0 < shot.n_events <= 17
    assert deepest_gap(shot) > -1e-7


CASES: dict[str, Callable[[], None]] = {
    "missed-contact-154": missed_contact,
    "corner-217": corner,
    "quartic-degenerate-263": quartic_degenerate,
    "false-zero-354": false_zero,
    "cradle-257": shots.test_only_the_last_of_the_cradle_leaves,
    "params-264": params,
    "throw-direction-205": throw_direction,
    "slow-sticks-box2d": closed_forms.test_slow_contacts_keep_their_restitution,
    "rail-angle-p2-156": rail_angle,
    "mirror-stuck-19": mirror_stuck,
    "break-desync-48": lambda: invariants.test_same_bits_in_other_processes_and_threads("coulomb"),
    "race-11663": race,
    "simd-23523": invariants.test_golden_shots,
    "foul-cancelled-6": referee.test_settlement_of_every_combination,
    "one-step-fouls-15": one_step_fouls,
    "asymmetric-board-5-20": referee.test_seats_are_exact_half_turns,
    "threshold-mismatch": threshold_mismatch,
}


@pytest.mark.parametrize("name", BUGS)
def test_bug(name: str) -> None:
    CASES[name]()


def test_every_bug_has_a_case() -> None:
    assert set(CASES) == set(BUGS)
