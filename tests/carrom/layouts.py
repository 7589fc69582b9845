"""Random starts for the tests of the physics: touching, on rails, free."""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt
from typing import Any

import numpy as np

from carrom import Disc, Params, Shot

MOTHER_R, PIECE_R = 0.025, 0.019


def random_params(rng: np.random.Generator, friction: str = "coulomb") -> Params:
    """Coefficients from a few values each, elastic and sticky ones among them."""
    return Params(
        mu_dd=float(rng.choice([0.0, 0.05, 0.1])),
        mu_w=float(rng.choice([0.0, 0.1, 0.2])),
        e_dd=float(rng.choice([0.5, 0.85, 0.95, 1.0])),
        e_w=float(rng.choice([0.75, 1.0])),
        friction=friction,
    )


def random_discs(
    rng: np.random.Generator,
    params: Params,
    count: int = 8,
    moving: int = 1,
    *,
    touching: bool = True,
) -> list[Disc]:
    """A mother and pieces; with ``touching`` most lie against another disc, a rail or both."""
    half = params.L / 2
    places: list[tuple[float, float, float]] = []

    def fits(x: float, y: float, r: float) -> bool:
        slack = 1e-12 if touching else -1e-3
        if max(abs(x), abs(y)) + r > half + slack:
            return False
        if params.pockets and hypot(abs(x) - half + params.rp, abs(y) - half + params.rp) < 0.04:
            return False
        return all(hypot(x - px, y - py) >= r + pr - slack for px, py, pr in places)

    while len(places) < count:
        r = PIECE_R if places else MOTHER_R
        limit = half - r
        side = 1.0 if rng.random() < 0.5 else -1.0
        kind = rng.random() if places and touching else 0.0
        if kind < 0.35:
            x, y = (float(v) for v in rng.uniform(-limit, limit, 2))
            if touching and rng.random() < 0.3:
                x, y = (x, side * limit) if rng.random() < 0.5 else (side * limit, y)
        else:
            px, py, pr = places[int(rng.integers(len(places)))]
            reach = pr + r
            if kind < 0.85:
                angle = float(rng.uniform(0, 2 * pi))
                if rng.random() < 0.3:
                    angle = float(rng.integers(12)) * pi / 6
                x, y = px + reach * cos(angle), py + reach * sin(angle)
            else:  # against a disc and a rail
                y = side * limit
                inside = reach**2 - (y - py) ** 2
                if inside < 0:
                    continue
                x = px + (sqrt(inside) if rng.random() < 0.5 else -sqrt(inside))
        if fits(x, y, r):
            places.append((x, y, r))
    discs = []
    for k, (x, y, r) in enumerate(places):
        vx = vy = w = 0.0
        if k < moving:
            angle, speed = rng.uniform(0, 2 * pi), rng.uniform(0.1, 8.0) * rng.random()
            vx, vy = float(speed * cos(angle)), float(speed * sin(angle))
            w = float(rng.uniform(-80, 80)) if rng.random() < 0.5 else 0.0
        mass = 0.021 if k == 0 else 0.012
        discs.append(Disc("M" if k == 0 else f"p{k}", r, mass, x, y, vx, vy, w))
    return discs


def deepest_gap(shot: Shot, step: float = 1e-3) -> float:
    """Smallest gap between discs, or disc and rail, at any event and every ``step`` seconds."""
    times = np.unique(
        np.concatenate(
            [np.arange(0.0, shot.t_end + step, step), [event.t for event in shot.events]]
        )
    )
    states = shot.states(times)
    x, y, on = states[:, :, 0], states[:, :, 1], states[:, :, 4] == 0.0
    radius = np.array([d.R for d in shot.discs])
    worst = 0.0
    for i in range(len(radius)):
        if shot.params.rails:
            edge = shot.params.L / 2 - radius[i] - np.maximum(abs(x[:, i]), abs(y[:, i]))
            worst = min(worst, float(np.where(on[:, i], edge, 0.0).min()))
        for j in range(i + 1, len(radius)):
            gap = np.hypot(x[:, i] - x[:, j], y[:, i] - y[:, j]) - radius[i] - radius[j]
            worst = min(worst, float(np.where(on[:, i] & on[:, j], gap, 0.0).min()))
    return worst


def jumps(shot: Shot) -> list[dict[str, Any]]:
    """What each instant with impacts changed, from the path log (plain Coulomb friction).

    ``dp``: change of the discs' momentum; ``push``: impulse of the rails on them; ``de``: change
    of kinetic energy; ``size``: the largest impulse.
    """
    from carrom import layout as c

    a = shot.params.mu * shot.params.g
    last: dict[int, np.ndarray] = {}
    out: dict[float, dict[str, Any]] = {}
    normals = {"left": (-1, 0), "right": (1, 0), "bottom": (0, -1), "top": (0, 1)}
    gone = {(e.t, e.a) for e in shot.events if e.type in ("pocket", "fly-off")}
    for row in shot.path:
        k, t = int(row[c.L_DISC]), float(row[c.L_T])
        disc = shot.discs[k]
        if k in last and (t, disc.id) not in gone:
            old = last[k]
            dt = t - old[c.L_T]
            v = old[[c.L_VX, c.L_VY]]
            speed = float(np.hypot(*v))
            v = v * (max(0.0, speed - a * dt) / speed) if speed else v
            lost = 2 / 3 * a * dt / (shot.params.kI * disc.R)
            w = float(np.sign(old[c.L_W])) * max(0.0, abs(old[c.L_W]) - lost)
            new = row[[c.L_VX, c.L_VY]]
            entry = out.setdefault(
                t, {"dp": np.zeros(2), "push": np.zeros(2), "de": 0.0, "size": 0.0}
            )
            entry["dp"] += disc.m * (new - v)
            inertia = shot.params.kI * disc.m * disc.R**2
            entry["de"] += 0.5 * disc.m * float(new @ new - v @ v)
            entry["de"] += 0.5 * inertia * float(row[c.L_W] ** 2 - w**2)
        last[k] = row
    for event in shot.events:
        if event.t in out and event.type in ("disc-disc", "disc-rail", "press"):
            out[event.t]["size"] = max(out[event.t]["size"], event.Jn)
            if event.b in normals:
                nx, ny = normals[str(event.b)]
                out[event.t]["push"] -= np.array(
                    [event.Jn * nx - event.Jt * ny, event.Jn * ny + event.Jt * nx]
                )
    return list(out.values())
