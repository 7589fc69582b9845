"""Closed forms: runs, impacts, coupled friction, the cue, stacks, discs that fly off."""

from __future__ import annotations

from math import atan, cos, pi, sin, sqrt

import numpy as np
import pytest

from carrom import PRESETS, Disc, InvalidMove, InvalidPosition, Params, Stroke, simulate
from carrom.cue import impulse, miscue_offset
from carrom.friction import curves, force, terminal_ratio, torque
from tests.carrom.layouts import deepest_gap
from tests.twins import carrom as twin

SMOOTH = Params(mu_dd=0.0, mu_w=0.0, pockets=False)
G = 9.81


def piece(name: str, x: float, y: float, vx: float = 0.0, vy: float = 0.0, w: float = 0.0) -> Disc:
    return Disc(name, 0.019, 0.012, x, y, vx, vy, w)


@pytest.mark.parametrize("v", [1e-6, 0.01, 0.3, 0.9])
def test_run_and_time(v: float) -> None:
    shot = simulate([piece("A", -0.3, 0.0, v)], SMOOTH)
    assert shot.final[0].x + 0.3 == pytest.approx(v * v / (2 * 0.1 * G), abs=1e-15)
    assert shot.t_end == pytest.approx(v / (0.1 * G), rel=1e-14)
    assert shot.energy_lost.slide == pytest.approx(shot.E0, rel=1e-14)


@pytest.mark.parametrize("e", [0.0, 0.5, 0.75, 1.0])
def test_rail(e: float) -> None:
    """v' = e sqrt(v^2 - 2 mu g d)."""
    params = Params(mu_dd=0.0, mu_w=0.0, pockets=False, e_w=e)
    shot = simulate([piece("A", 0.0, 0.0, 1.3)], params)
    v = e * sqrt(1.3**2 - 2 * 0.1 * G * 0.481)
    assert shot.final[0].x == pytest.approx(0.481 - v * v / (2 * 0.1 * G), abs=1e-14)


@pytest.mark.parametrize(("m1", "m2", "e"), [(0.021, 0.012, 0.85), (0.012, 0.021, 1.0)])
def test_head_on(m1: float, m2: float, e: float) -> None:
    """(m1 - e m2) and (1 + e) m1 over m1 + m2."""
    params = Params(mu_dd=0.0, pockets=False, rails=False, e_dd=e)
    shot = simulate(
        [Disc("A", 0.02, m1, -0.5, 0.0, 1.5), Disc("B", 0.02, m2, 0.0, 0.0)],
        params,
    )
    u = sqrt(1.5**2 - 2 * 0.1 * G * 0.46)
    v1, v2 = (m1 - e * m2) / (m1 + m2) * u, (1 + e) * m1 / (m1 + m2) * u
    stop = 2 * 0.1 * G
    assert shot.final[0].x == pytest.approx(-0.04 + v1 * abs(v1) / stop, abs=1e-14)
    assert shot.final[1].x == pytest.approx(v2 * v2 / stop, abs=1e-14)


@pytest.mark.parametrize("part", [0.1, 0.3, 0.6, 0.9, 0.99])
def test_right_angle_and_line_of_centres(part: float) -> None:
    b = part * 0.038
    params = Params(mu_dd=0.0, pockets=False, rails=False, e_dd=1.0)
    shot = simulate([piece("A", -0.2, b, 1.0), piece("B", 0.0, 0.0)], params)
    hit = np.array([-sqrt(0.038**2 - b * b), b])
    a = np.array([shot.final[0].x, shot.final[0].y]) - hit
    c = np.array([shot.final[1].x, shot.final[1].y])
    assert abs(a @ c) / sqrt((a @ a) * (c @ c)) < 1e-12
    assert c / np.hypot(*c) == pytest.approx(-hit / 0.038, abs=1e-13)


def test_slow_contacts_keep_their_restitution() -> None:
    """Head-on at 0.01 m/s keeps e; an oblique rail at 0.02 m/s is left again."""
    shot = simulate([piece("A", -0.0381, 0.0, 0.02), piece("B", 0.0, 0.0)], SMOOTH)
    u = shot.events[0].approach
    assert u < 0.02
    assert shot.final[1].x == pytest.approx((0.925 * u) ** 2 / (2 * 0.1 * G), rel=1e-9)
    oblique = simulate([piece("A", 0.0, 0.4809, 0.02, 0.02)], SMOOTH)
    assert oblique.n_events == 1
    assert oblique.final[0].y < 0.481 - 1e-5


# -- coupled friction ----------------------------------------------------------------------------


@pytest.mark.parametrize("eps", [1e-6, 1e-3, 0.1, 0.5, 0.653, 0.72, 0.999, 1.0, 1.001, 1.5, 7, 1e4])
def test_force_and_torque_by_quadrature(eps: float) -> None:
    f, t = twin.force_and_torque(eps)
    assert float(force(np.array([eps]))[0]) == pytest.approx(f, rel=1e-11, abs=1e-12)
    assert float(torque(np.array([eps]))[0]) == pytest.approx(t, rel=1e-9, abs=1e-10)


def test_limits_of_force_and_torque() -> None:
    fast = 40.0
    f, t = float(force(np.array([fast]))[0]), float(torque(np.array([fast]))[0])
    assert f == pytest.approx(1 - 1 / (8 * fast**2) - 1 / (64 * fast**4), abs=1e-11)
    assert t == pytest.approx(
        (1 + 1 / (12 * fast**2) + 3 / (128 * fast**4)) / (4 * fast), abs=1e-11
    )
    assert terminal_ratio(0.5) == pytest.approx(0.653001789, abs=5e-10)


FACTORS = {
    20: (1.000626, 1.002612),
    5: (1.010084, 1.028093),
    2: (1.064713, 1.121685),
    1: (1.274794, 1.340298),
    0.653001789: (1.623289, 1.623289),
    0.3: (3.020439, 2.779948),
    0.1: (8.628804, 7.607787),
}


@pytest.mark.parametrize("eps", FACTORS)
def test_run_lengths_with_spin(eps: float) -> None:
    v = 0.15
    shot = simulate(
        [piece("A", -0.2, 0.0, v, 0.0, v / eps / 0.019)],
        Params(friction="farkas", pockets=False),
    )
    length, time = FACTORS[eps]
    way = shot.final[0].x + 0.2
    assert way / (v * v / (2 * 0.1 * G)) == pytest.approx(length, abs=6e-7)
    assert shot.t_end / (v / (0.1 * G)) == pytest.approx(time, abs=6e-7)
    assert shot.final[0].y == 0.0


@pytest.mark.parametrize("eps", [0.1, 0.7, 2.0])
def test_runs_with_spin_against_the_twin(eps: float) -> None:
    v = 0.2
    way, time = twin.coupled_run(v, v / eps, 0.5)
    shot = simulate(
        [piece("A", -0.3, 0.0, v, 0.0, -v / eps / 0.019)],
        Params(friction="farkas", pockets=False),
    )
    assert shot.final[0].x + 0.3 == pytest.approx(way / (0.1 * G), abs=2e-9)
    assert shot.t_end == pytest.approx(time / (0.1 * G), abs=2e-8)


def test_pure_spin_stops() -> None:
    """After t = 3 R w / (4 mu g), in its place; under either law."""
    for friction in ("coulomb", "farkas"):
        shot = simulate(
            [piece("A", 0.0, 0.0, 0.0, 0.0, 50.0)], Params(friction=friction, pockets=False)
        )
        assert shot.t_end == pytest.approx(3 * 0.019 * 50 / (4 * 0.1 * G), rel=1e-12)
        assert (shot.final[0].x, shot.final[0].y) == (0.0, 0.0)


@pytest.mark.parametrize("eps", [1e-5, 3e-4, 0.02, 0.4, 0.65, 0.66, 1.0, 3.0, 300.0, 1e7])
def test_states_along_a_coupled_path(eps: float) -> None:
    """Speed is the slope of the way, spin follows its own law, at any start ratio."""
    v = 0.3 if eps > 0.1 else 0.1 * eps
    shot = simulate(
        [piece("A", -0.4, 0.0, v, 0.0, v / eps / 0.019)],
        Params(friction="farkas", pockets=False, rails=False),
    )
    times = np.linspace(0.0, shot.t_end, 2001)
    states = shot.states(times)[:, 0]
    slope = np.gradient(states[:, 0], times)
    assert slope[3:-3] == pytest.approx(states[3:-3, 2], abs=3e-5 * v)
    rim = states[:, 3] * 0.019
    inside = slice(1, -20)
    ratio = states[inside, 2] / rim[inside]
    fall = -np.gradient(states[:, 2], times)[inside] / (0.1 * G)
    assert fall[5:] == pytest.approx(force(ratio)[5:], abs=2e-3)
    slow = -np.gradient(rim, times)[inside] / (0.1 * G)
    assert slow[5:] == pytest.approx(2 * torque(ratio)[5:], abs=2e-3)
    assert np.all(np.diff(states[:, 0]) >= 0)


def test_the_curves_are_one_table() -> None:
    table = curves(0.5)
    assert table is curves(0.5)
    for branch in table:
        assert np.all(np.diff(branch[:, :4], axis=0) > 0)


def test_spinning_discs_meet_where_they_touch() -> None:
    """Coupled friction, both discs moving and spinning: the event lies at gap 0."""
    rng = np.random.default_rng(9)
    hits = 0
    for _ in range(150):
        discs = [
            piece("A", -0.2, float(rng.uniform(-0.05, 0.05)), 0.9, 0.1, float(rng.uniform(9, 90))),
            piece("B", 0.1, 0.0, -0.4, float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-90, 90))),
        ]
        shot = simulate(discs, Params(friction="farkas", rails=False, pockets=False))
        assert deepest_gap(shot) > -1e-9
        if shot.events:
            hits += 1
            a, b = shot.states([shot.events[0].t])[0, :, :2]
            assert np.hypot(*(a - b)) == pytest.approx(0.038, abs=1e-13)
        else:
            states = shot.states(np.linspace(0.0, shot.t_end, 4000))
            gaps = np.hypot(*(states[:, 0, :2] - states[:, 1, :2]).T)
            assert gaps.min() > 0.038 - 1e-9
    assert hits > 50


# -- the cue -------------------------------------------------------------------------------------

CLUB = PRESETS["club"]


def test_centre_stroke() -> None:
    given = impulse(Stroke(0.38, -0.38, -3.0, 4.0, 2.0), CLUB)
    speed = 1.6 * 2.0 * 0.3 / (0.3 + 0.021)
    assert (given.vx, given.vy) == pytest.approx((-0.6 * speed, 0.8 * speed), rel=1e-14)
    assert given.w == 0.0
    assert not given.miscue


@pytest.mark.parametrize("part", [-0.36, -0.2, 0.1, 0.3])
def test_offset_stroke(part: float) -> None:
    """w = 2 J b / (m R^2), J = (1+e) V / (1/M + 1/m + 2 b^2/(m R^2))."""
    b, m, r = part * 0.025, 0.021, 0.025
    given = impulse(Stroke(0.38, -0.38, 0.0, 1.0, 2.0, b), CLUB)
    j = 1.6 * 2.0 / (1 / 0.3 + 1 / m + 2 * b * b / (m * r * r))
    assert given.vy == pytest.approx(j / m, rel=1e-13)
    assert given.w == pytest.approx(2 * j * b / (m * r * r), rel=1e-13)
    assert not given.miscue


def test_miscue() -> None:
    limit = miscue_offset(CLUB)
    assert limit / 0.025 == pytest.approx(sin(atan(0.4)), rel=1e-14)
    grip = impulse(Stroke(0.38, -0.38, 0.0, 1.0, 2.0, limit * 0.9999999), CLUB)
    slip = impulse(Stroke(0.38, -0.38, 0.0, 1.0, 2.0, limit * 1.0000001), CLUB)
    assert (grip.miscue, slip.miscue) == (False, True)
    assert slip.vy == pytest.approx(grip.vy, rel=1e-5)
    assert slip.w == pytest.approx(grip.w, rel=1e-5)
    for part in (0.5, 0.8, 0.99):
        for side in (-1, 1):
            given = impulse(Stroke(0.38, -0.38, 0.0, 1.0, 2.0, side * part * 0.025), CLUB)
            assert given.miscue
            assert given.vx * side < 0  # pushed away from the tip
            energy = 0.5 * 0.021 * (given.vx**2 + given.vy**2 + 0.5 * 0.025**2 * given.w**2)
            assert energy < 0.5 * 0.3 * 2.0**2
    with pytest.raises(InvalidMove, match="打不到"):
        impulse(Stroke(0.38, -0.38, 0.0, 1.0, 2.0, 0.025), CLUB)


def test_mother_laid_touching() -> None:
    """Both go at once: the two-body impact at t = 0."""
    shot = simulate(
        [Disc("M", 0.025, 0.021, 0.0, 0.0, 0.0, 1.0), piece("A", 0.0, 0.044)],
        Params(mu_dd=0.0, pockets=False, rails=False),
    )
    assert shot.events[0].t == 0.0
    total = 0.021 + 0.012
    v = 1.85 * 0.021 / total
    assert shot.final[1].y - 0.044 == pytest.approx(v * v / (2 * 0.1 * G), rel=1e-12)


# -- flying off and stacks -----------------------------------------------------------------------


@pytest.mark.parametrize(("v", "flies"), [(5.3, False), (5.6, True)])
def test_fly_off_at_a_rail(v: float, flies: bool) -> None:
    params = Params(pockets=False, fly_speed=5.4)
    shot = simulate([piece("A", 0.48, 0.0, v)], params)
    assert shot.final[0].off is flies
    assert ("fly-off" in [e.type for e in shot.events]) is flies
    assert shot.energy_lost.total == pytest.approx(shot.E0, rel=1e-14)
    assert shot.final[0].to_dict().get("off", False) is flies
    assert not simulate([piece("A", 0.48, 0.0, v)], SMOOTH).final[0].off


def test_fly_off_of_a_piece_near_a_rail() -> None:
    params = Params(pockets=False, fly_speed=5.4, mu_dd=0.0)
    near = simulate([piece("A", 0.3, 0.0, 8.0), piece("B", 0.479, 0.0)], params)
    assert near.place("B").off
    assert not near.place("A").off
    far = simulate([piece("A", 0.1, 0.0, 5.6), piece("B", 0.2, 0.0)], params)
    assert not far.place("A").off


def test_the_lower_piece_slides_out() -> None:
    params = Params(mu_dd=0.0, pockets=False, mu_stack=0.2)
    discs = [
        Disc("M", 0.025, 0.021, -0.2, 0.0, 1.5),
        piece("A", 0.0, 0.0),
        Disc("B", 0.019, 0.012, 0.0, 0.0, on="A"),
    ]
    shot = simulate(discs, params)
    kinds = [e.type for e in shot.events]
    assert kinds[:2] == ["disc-disc", "unstack"]
    # deceleration [mu (m1 + m2) + mu' m2] g / m1 while covered, over the length R
    u = 1.85 * 0.021 / 0.033 * shot.events[0].approach
    slow = (0.1 * 2 + 0.2) * G
    left = sqrt(u * u - 2 * slow * 0.019)
    assert shot.events[1].t - shot.events[0].t == pytest.approx((u - left) / slow, rel=1e-9)
    assert shot.place("A").x > 0.019
    b = shot.place("B")
    assert b.on is None
    assert deepest_gap(shot) > -1e-7
    assert abs(shot.energy_lost.total - shot.E0) < 1e-15
    # slow: the pile moves a little and stays a pile
    lazy = simulate([Disc("M", 0.025, 0.021, -0.1, 0.0, 0.4), *discs[1:]], params)
    assert lazy.place("B").on == "A"
    assert 0 < lazy.place("A").x < 0.019
    assert lazy.place("B").x == 0.0


def test_a_pile_crowded_in_is_set_down_free() -> None:
    rng = np.random.default_rng(10)
    for _ in range(60):
        angle = float(rng.uniform(0, 2 * pi))
        around = [
            piece(f"p{k}", 0.0385 * cos(angle + k * pi / 3), 0.0385 * sin(angle + k * pi / 3))
            for k in range(6)
            if rng.random() < 0.7
        ]
        turn = float(rng.uniform(0, 2 * pi))
        mother = Disc(
            "M", 0.025, 0.021, -0.3 * cos(turn), -0.3 * sin(turn), 4 * cos(turn), 4 * sin(turn)
        )
        pile = [piece("A", 0.0, 0.0), Disc("B", 0.019, 0.012, 0.0, 0.0, on="A")]
        shot = simulate([mother, *pile, *around], Params())
        assert deepest_gap(shot) > -1e-7
        assert abs(shot.energy_lost.total - shot.E0) < 1e-14


# -- input that makes no sense -------------------------------------------------------------------


@pytest.mark.parametrize("mu", [0, 0.0, -0.1, float("nan"), float("inf"), True, "0.1", None])
def test_friction_must_be_positive(mu: object) -> None:
    with pytest.raises(InvalidPosition, match="mu"):
        Params(mu=mu)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"e_dd": 1.1},
        {"e_w": -0.1},
        {"mu_w": float("nan")},
        {"L": 0.0},
        {"kI": 2.0},
        {"friction": "viscous"},
        {"friction": "farkas", "kI": 1.0},
        {"fly_speed": 0.0},
        {"rp": 0.3},
        {"nothing": 1},
    ],
)
def test_parameters_that_make_no_physics(change: dict[str, object]) -> None:
    with pytest.raises(InvalidPosition):
        Params.of(change)


@pytest.mark.parametrize(
    "discs",
    [
        [],
        [piece("A", 0, 0)] * 2,
        [piece("A", 0, 0), piece("B", 0.01, 0)],
        [piece("A", 0.49, 0)],
        [piece("A", float("nan"), 0)],
        [piece("A", 0, 0, float("inf"))],
        [Disc("A", -0.019, 0.012, 0, 0)],
        [Disc("A", 0.019, 0.0, 0, 0)],
        [Disc("A", 0.019, 0.012, 0, 0, on="B")],
        [piece("A", 0, 0), Disc("B", 0.019, 0.012, 0, 0, vx=1.0, on="A")],
        [{"id": "A", "R": 0.019, "m": 0.012, "x": 0.0}],
        [{"id": "A", "R": 0.019, "m": 0.012, "x": 0.0, "y": 0.0, "z": 1.0}],
        [piece(f"p{k}", 0, 0) for k in range(65)],
    ],
)
def test_discs_that_make_no_position(discs: list[object]) -> None:
    with pytest.raises(InvalidPosition):
        simulate(discs)  # type: ignore[arg-type]


def test_presets_tell_their_sources() -> None:
    for name, equipment in PRESETS.items():
        assert equipment.name == name
        assert {fact.grade for fact in equipment.facts.values()} <= {"S", "I", "A"}
        told = set(equipment.facts)
        assert {"L", "mu", "e_dd", "mother_radius", "piece_radius", "rp", "pieces"} <= told
        assert all(fact.source for fact in equipment.facts.values())
