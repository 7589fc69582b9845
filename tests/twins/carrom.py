"""Slow plain twin of the carrom kernel, written from the rules page and not from the kernel.

Contacts are found by sampling every gap on a fine grid and bisecting; coupled friction is
integrated step by step with the force and torque taken by quadrature over the disc's area. The
cluster rule is the stated one: fastest closing contact first, equal ones together by a linear
system, no restitution below 1e-5 m/s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

GRID = 2e-4
"""Sampling step of the gaps, s."""
RAILS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "bottom": (0.0, -1.0), "top": (0.0, 1.0)}


@dataclass
class Body:
    id: str
    R: float
    m: float
    p: np.ndarray
    v: np.ndarray
    w: float
    hole: int | None = None


def _moved(body: Body, dt: Any, a: float) -> np.ndarray:
    """Places after the times ``dt`` (array), plain Coulomb friction."""
    speed = float(np.hypot(*body.v))
    t = np.minimum(np.asarray(dt, float), speed / a)
    s = speed * t - 0.5 * a * t * t
    way = body.v / speed if speed > 0 else np.zeros(2)
    return body.p[None, :] + s[:, None] * way[None, :]


def _advance(body: Body, dt: float, a: float, ki: float) -> None:
    speed = float(np.hypot(*body.v))
    body.p = _moved(body, [dt], a)[0]
    body.v = body.v * (max(0.0, speed - a * dt) / speed) if speed > 0 else body.v
    lost = (2.0 / 3.0) * a / (ki * body.R) * dt
    body.w = float(np.sign(body.w)) * max(0.0, abs(body.w) - lost)


def simulate(discs: list[dict[str, Any]], params: dict[str, Any]) -> dict[str, Any]:
    """Final places and events of a shot under plain Coulomb friction."""
    assert params["friction"] == "coulomb"
    a, ki, half = params["mu"] * params["g"], params["kI"], params["L"] / 2
    bodies = [
        Body(
            d["id"],
            d["R"],
            d["m"],
            np.array([d["x"], d["y"]]),
            np.array([d["vx"], d["vy"]]),
            d["w"],
        )
        for d in discs
    ]
    at = half - params["rp"]
    holes = [np.array(h) for h in ((-at, -at), (at, -at), (at, at), (-at, at))]
    events: list[dict[str, Any]] = []
    now = 0.0
    while True:
        live = [b for b in bodies if b.hole is None]
        longest = max((float(np.hypot(*b.v)) / a for b in live), default=0.0)
        if longest == 0.0:
            break
        gaps: list[tuple[Any, Any]] = []  # (label, gap as a function of an array of times)
        for i, b in enumerate(live):
            if params["rails"]:
                for name, n in RAILS.items():
                    gaps.append(
                        (
                            (b, name),
                            lambda t, b=b, n=n: half - b.R - _moved(b, t, a) @ np.array(n),
                        )
                    )
            if params["pockets"]:
                for k, hole in enumerate(holes):
                    gaps.append(
                        (
                            (b, k),
                            lambda t, b=b, hole=hole: (
                                np.hypot(*(_moved(b, t, a) - hole).T) - params["rp"]
                            ),
                        )
                    )
            for c in live[i + 1 :]:
                if np.any(b.v) or np.any(c.v):
                    gaps.append(
                        (
                            (b, c),
                            lambda t, b=b, c=c: (
                                np.hypot(*(_moved(b, t, a) - _moved(c, t, a)).T) - b.R - c.R
                            ),
                        )
                    )
        grid = np.append(np.arange(0.0, longest, GRID), longest)
        best, which = np.inf, None
        for label, gap in gaps:
            found = _first_zero(gap, grid[grid <= best + GRID])
            if found < best:
                best, which = found, label
        if which is None:
            for b in live:
                _advance(b, longest, a, ki)
            break
        for b in live:
            _advance(b, best, a, ki)
        now += best
        one, other = which
        if isinstance(other, int):
            events.append({"t": now, "type": "pocket", "a": one.id, "b": other})
            one.hole, one.v, one.w = other, np.zeros(2), 0.0
        else:
            _cluster(live, params, now, events)
    return {
        "events": events,
        "final": {b.id: (b.hole, float(b.p[0]), float(b.p[1])) for b in bodies},
    }


def _first_zero(gap: Any, grid: np.ndarray) -> float:
    """First time at which a gap goes from open to closed."""
    if len(grid) < 2:
        return np.inf
    values = gap(grid)
    # a dip between grid points: look closer round every low local minimum
    inner = values[1:-1]
    dips = np.nonzero((inner <= values[:-2]) & (inner <= values[2:]) & (inner < 2e-3))[0] + 1
    for k in dips:
        fine = np.linspace(grid[k - 1], grid[k + 1], 401)
        if gap(fine).min() < 0 <= values[k]:
            grid = np.sort(np.concatenate([grid, fine]))
    values = gap(grid)
    closed = np.nonzero((values[1:] < 0) & (values[:-1] >= 0))[0]
    # a gap of 0 at the start that closes at once
    start = gap(np.array([0.0, 1e-9]))
    if abs(start[0]) < 1e-12 and start[1] < start[0] - 1e-14:
        return 0.0
    if len(closed) == 0:
        return np.inf
    low, high = grid[closed[0]], grid[closed[0] + 1]
    for _ in range(200):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if gap(np.array([middle]))[0] >= 0:
            low = middle
        else:
            high = middle
    return float(high)


def _cluster(live: list[Body], params: dict[str, Any], now: float, events: list[Any]) -> None:
    half, ki = params["L"] / 2, params["kI"]
    contacts: list[tuple[Body, Body | None, np.ndarray, str]] = []
    for i, b in enumerate(live):
        for c in live[i + 1 :]:
            d = c.p - b.p
            if np.hypot(*d) - b.R - c.R < 1e-10:
                contacts.append((b, c, d / np.hypot(*d), c.id))
        if params["rails"]:
            for name, n in RAILS.items():
                if half - b.R - b.p @ np.array(n) < 1e-10:
                    contacts.append((b, None, np.array(n), name))

    def closing(contact: Any) -> float:
        b, c, n, _ = contact
        return float(((b.v) - (c.v if c is not None else 0.0)) @ n)

    for _ in range(10_000):
        speeds = [closing(k) for k in contacts]
        top = max(speeds, default=0.0)
        if top <= 1e-6:
            return
        tied = [k for k, u in zip(contacts, speeds, strict=True) if u >= top * (1 - 1e-9)]
        matrix = np.zeros((len(tied), len(tied)))
        wanted = np.zeros(len(tied))
        for r, (b, c, n, _name) in enumerate(tied):
            e = params["e_dd"] if c is not None else params["e_w"]
            wanted[r] = (1 + (e if top >= 1e-5 else 0.0)) * closing(tied[r])
            for s, (p, q, k, _other) in enumerate(tied):
                share = (b is p) / b.m - (b is q) / b.m
                if c is not None:
                    share += (c is q) / c.m - (c is p) / c.m
                matrix[r, s] = share * float(n @ k)
        impulses = np.linalg.solve(matrix, wanted)
        pushes = []
        for (b, c, n, name), jn in zip(tied, impulses, strict=True):
            t = np.array([-n[1], n[0]])
            rim = b.R * b.w + (c.R * c.w if c is not None else 0.0)
            slip = float(((c.v if c is not None else 0.0) - b.v) @ t) - rim
            inverse = 1 / b.m + (1 / c.m if c is not None else 0.0)
            mu = params["mu_dd"] if c is not None else params["mu_w"]
            jt = float(np.clip(-slip / ((1 + 1 / ki) * inverse), -mu * jn, mu * jn))
            pushes.append((b, c, n, t, name, jn, jt))
        for b, c, n, t, name, jn, jt in pushes:
            kind = "disc-disc" if c is not None else "disc-rail"
            events.append({"t": now, "type": kind, "a": b.id, "b": name, "Jn": jn, "Jt": jt})
            b.v = b.v - (jn * n + jt * t) / b.m
            b.w -= jt / (ki * b.m * b.R)
            if c is not None:
                c.v = c.v + (jn * n + jt * t) / c.m
                c.w -= jt / (ki * c.m * c.R)


# -- coupled friction ----------------------------------------------------------------------------

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(400)


def force_and_torque(eps: float) -> tuple[float, float]:
    """F and T of the disc by quadrature of the friction of its surface elements.

    The element at (x, y) of the unit disc moves with (eps - y, x) when the rim turns with 1; the
    integration runs in polar coordinates round the point that stands still, (0, eps), where the
    integrand is smooth.
    """
    # centre of rotation c = (0, eps): velocity is perpendicular to the line from it, so an element
    # at distance d and angle phi pulls with a unit vector; integrate d dd analytically
    n = 4000
    if eps <= 1.0:
        phi = 2 * np.pi * (np.arange(n) + 0.5) / n
        lower = np.zeros(n)
        weight = 2 * np.pi / n
        upper = -eps * np.sin(phi) + np.sqrt(1 - (eps * np.cos(phi)) ** 2)
        weights = np.full(n, weight)
    else:
        # lines that cut the disc: |cos phi| < 1/eps, downwards
        edge = np.arcsin(1 / eps)
        # substitute to smooth the square root at the ends
        turn = edge * np.sin(0.5 * np.pi * _NODES)
        weights = _WEIGHTS * edge * 0.5 * np.pi * np.cos(0.5 * np.pi * _NODES)
        phi = -0.5 * np.pi + turn
        root = np.sqrt(np.maximum(0.0, 1 - (eps * np.cos(phi)) ** 2))
        lower, upper = -eps * np.sin(phi) - root, -eps * np.sin(phi) + root
    area = 0.5 * (upper**2 - lower**2)
    cubic = (upper**3 - lower**3) / 3
    # unit velocity of the element: left normal of the line from the centre of rotation
    force = float(np.sum(weights * area * -np.sin(phi)) / np.pi)
    # torque about the disc's centre: r x unit velocity, r = c + d (cos, sin)
    torque = float(np.sum(weights * (cubic + eps * np.sin(phi) * area)) / np.pi)
    return abs(force), abs(torque)


def coupled_run(v: float, rim: float, ki: float, steps: int = 4000) -> tuple[float, float]:
    """Way and time (mu g = 1) of a disc that slides with ``v`` and whose rim turns with ``rim``.

    Runge-Kutta of order 4 over steps that shrink with the speeds, until both are a 1e-9th; what is
    left is added from the terminal motion.
    """
    start = v + rim
    way = t = 0.0

    def slope(v: float, rim: float) -> tuple[float, float]:
        f, q = force_and_torque(v / rim)
        return -f, -q / ki

    scale = start
    for _ in range(steps):
        h = 0.012 * (v + rim)
        a1, b1 = slope(v, rim)
        a2, b2 = slope(v + 0.5 * h * a1, rim + 0.5 * h * b1)
        a3, b3 = slope(v + 0.5 * h * a2, rim + 0.5 * h * b2)
        a4, b4 = slope(v + h * a3, rim + h * b3)
        way += h * (v + h * (a1 + a2 + a3) / 6)
        v += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6
        rim += h * (b1 + 2 * b2 + 2 * b3 + b4) / 6
        t += h
        scale = v + rim
        if scale < 1e-7 * start:
            break
    f, q = force_and_torque(v / rim)
    rest = (v + rim) / (f + q / ki)
    return way + 0.5 * v * rest, t + rest
