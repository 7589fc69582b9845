"""Shots and events a second, beside pooltool-billiards and pymunk where they are installed.

    python -m carrom.benchmark

All times are CPU time of this process, the least of several rounds; the rounds of all programs
alternate, so that a ratio compares like with like on a busy machine. The number of events is
checked: a fast wrong answer is an error, not a record.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carrom import layout
from carrom.equipment import Params
from carrom.physics import Disc, simulate, simulate_many

Array = NDArray[np.float64]

PARAMS = Params(mu_dd=0.0, mu_w=0.0, pockets=False)
"""Table of the reference shot ``break20_gap1mm``."""
EVENTS, T_END = 46, 1.8811260276595003
"""What the reference shot must give."""
PYMUNK_STEP = 50e-6
BATCH = 400


def break20() -> tuple[Disc, ...]:
    """The 20-disc break: the mother at 3 m/s into a hexagon of 19 pieces, 1 mm apart."""
    discs = [Disc("M", 0.025, 0.021, 0.02, -0.4, 0.10469849010750323, 2.998172481057287)]
    step = 0.039
    spots = [(0, 0)]
    for ring in (1, 2):
        for side in range(6):
            for k in range(ring):
                # axial coordinates of the hexagon
                directions = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
                q = ring * directions[side][0] + k * directions[(side + 2) % 6][0]
                r = ring * directions[side][1] + k * directions[(side + 2) % 6][1]
                spots.append((q, r))
    for k, (q, r) in enumerate(spots):
        x, y = step * (q + 0.5 * r), 0.1 + step * math.sqrt(3) / 2 * r
        discs.append(Disc(f"h{k:02d}", 0.019, 0.012, x, y))
    return tuple(discs)


def _ours() -> Callable[[], int]:
    discs = break20()
    start = np.array([[[d.x, d.y, d.vx, d.vy, d.w] for d in discs]] * BATCH)
    radii, masses = np.array([d.R for d in discs]), np.array([d.m for d in discs])

    def run() -> int:
        _, totals = simulate_many(start, radii, masses, PARAMS)
        if not (totals[:, layout.O_EVENTS] == EVENTS).all():
            raise AssertionError(f"the break must give {EVENTS} events")
        return BATCH

    return run


def _ours_with_events() -> Callable[[], int]:
    discs = break20()

    def run() -> int:
        for _ in range(100):
            shot = simulate(discs, PARAMS)
        if shot.n_events != EVENTS or abs(shot.t_end - T_END) > 1e-9:
            raise AssertionError(f"wrong break: {shot.n_events} events, t_end {shot.t_end}")
        return 100

    return run


def _pymunk() -> Callable[[], int] | None:
    try:
        pymunk: Any = import_module("pymunk")
    except ImportError:
        return None
    discs = break20()

    def run() -> int:
        space = pymunk.Space()
        space.gravity = (0, 0)
        space.collision_slop = 0.0
        half = PARAMS.L / 2
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        for k in range(4):
            rail = pymunk.Segment(space.static_body, corners[k], corners[(k + 1) % 4], 0)
            # pymunk multiplies the two elasticities
            rail.elasticity, rail.friction = PARAMS.e_w / math.sqrt(PARAMS.e_dd), 0.0
            space.add(rail)
        for d in discs:
            body = pymunk.Body(d.m, 0.5 * d.m * d.R**2)
            body.position, body.velocity = (d.x, d.y), (d.vx, d.vy)
            shape = pymunk.Circle(body, d.R)
            shape.elasticity, shape.friction = math.sqrt(PARAMS.e_dd), 0.0
            slide = pymunk.PivotJoint(space.static_body, body, (0, 0), (0, 0))
            slide.max_bias, slide.max_force = 0, PARAMS.mu * d.m * PARAMS.g
            turn = pymunk.GearJoint(space.static_body, body, 0.0, 1.0)
            turn.max_bias = 0
            turn.max_force = 2 / 3 * PARAMS.mu * d.m * PARAMS.g * d.R
            space.add(body, shape, slide, turn)
        for _ in range(round(T_END / PYMUNK_STEP)):
            space.step(PYMUNK_STEP)
        return 1

    return run


def _pooltool() -> Callable[[], int] | None:
    try:
        pt: Any = import_module("pooltool")
    except ImportError:
        return None
    table = pt.Table.default()
    balls = pt.get_rack(pt.GameType.EIGHTBALL, table)
    cue = pt.Cue(cue_ball_id="cue")
    system = pt.System(table=table, balls=balls, cue=cue)
    system.strike(V0=8.0, phi=pt.aim.at_ball(system, "1"))

    def run() -> int:
        done = pt.simulate(system, inplace=False)
        if len(done.events) < 50:
            raise AssertionError("no break")
        run.events = len(done.events)  # type: ignore[attr-defined]
        return 1

    return run


def measure(rounds: int = 5) -> dict[str, dict[str, float] | None]:
    """Shots a CPU second of every program (``None`` where it is not installed).

    Args:
        rounds: times that every program is measured; the best counts.

    Returns:
        ``carrom`` (many shots in one call), ``carrom_events`` (one by one, with the event list),
        ``pymunk``, ``pooltool``: ``shots`` a second and, where known, ``events`` a second.
    """
    makers: dict[str, Callable[[], Callable[[], int] | None]] = {
        "carrom": _ours,
        "carrom_events": _ours_with_events,
        "pymunk": _pymunk,
        "pooltool": _pooltool,
    }
    programs = {name: make() for name, make in makers.items()}
    best: dict[str, float] = {}
    for program in programs.values():
        if program is not None:
            program()  # compiles
    for _ in range(rounds):
        for name, program in programs.items():
            if program is None:
                continue
            start = time.process_time()
            shots = program()
            best[name] = max(best.get(name, 0.0), shots / (time.process_time() - start))
    out: dict[str, dict[str, float] | None] = {}
    for name, program in programs.items():
        if program is None:
            out[name] = None
            continue
        events = EVENTS if name.startswith("carrom") else getattr(program, "events", 0)
        out[name] = {"shots": best[name], "events": best[name] * events}
    return out


def main() -> None:
    """Print the table."""
    result = measure()
    ours = result["carrom"]
    assert ours is not None
    titles = {
        "carrom": "carrom，20 子开球，成批 (many shots a call)",
        "carrom_events": "carrom，20 子开球，逐次带事件 (one by one, with events)",
        "pymunk": "pymunk，同一开球，步长 50 µs",
        "pooltool": "pooltool-billiards，八球开球 (eight-ball break)",
    }
    for name, title in titles.items():
        row = result[name]
        if row is None:
            sys.stdout.write(f"{title}: 未安装 (not installed)\n")
            continue
        events = f", {row['events']:.0f} 事件/秒 events/s" if row["events"] else ""
        ratio = f", carrom / {name} = {ours['shots'] / row['shots']:.0f}" if row is not ours else ""
        sys.stdout.write(f"{title}: {row['shots']:.1f} 次/秒 shots/s{events}{ratio}\n")


if __name__ == "__main__":
    main()
