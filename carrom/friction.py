"""Friction of a flat disc that slides and spins: the universal curve of the coupled law.

A uniform disc pressed evenly on the board and sliding with ``v`` while its rim turns with ``R w``
feels the force ``mu m g F(eps)`` against ``v`` and the torque ``mu m g R T(eps)`` against ``w``,
``eps = v / (R |w|)`` (Farkas, Bartels, Unger, Wolf, Phys. Rev. Lett. 90, 248302, 2003; Goyal,
Ruina, Papadopoulos, Wear 143, 1991). The force is always straight against the velocity, so the
path is straight, and the law is unchanged by ``(v, w, t, x) -> (c v, c w, c t, c^2 x)``. Hence all
motions are scaled pieces of two curves that meet in the terminal ratio, one for discs that slide
faster than that ratio and one for discs that spin faster: one table serves every disc and board.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SERIES = 70
"""Terms of the power series; enough for x <= 0.5 in double precision."""


def _hypergeometric(a: float, b: float, c: float, x: Array) -> Array:
    term = np.ones_like(x)
    total = np.ones_like(x)
    for n in range(_SERIES):
        term = term * ((a + n) * (b + n) / ((c + n) * (1.0 + n))) * x
        total = total + term
    return total


def _elliptic(m: Array) -> tuple[Array, Array]:
    """Complete elliptic integrals K and E of the parameter ``m`` (modulus squared), by the AGM."""
    a = np.ones_like(m)
    b = np.sqrt(1.0 - m)
    total = 0.5 * m
    power = 0.5
    for _ in range(12):
        a, b, c = 0.5 * (a + b), np.sqrt(a * b), 0.5 * (a - b)
        power *= 2.0
        total = total + power * c * c
    first = np.pi / (2.0 * a)
    return first, first * (1.0 - total)


def force(eps: Array) -> Array:
    """F(eps): force as a part of ``mu m g``; eps >= 0.

    >>> [round(float(f), 9) for f in force(np.array([0.0, 1.0, 1e9]))]
    [0.0, 0.848826363, 1.0]
    """
    eps = np.asarray(eps, float)
    small = eps <= 1.0
    x = np.where(small, eps * eps, 1.0 / np.maximum(eps, 1.0) ** 2)
    near = x > 0.5
    k, e = _elliptic(np.where(near & (x < 1.0), x, 0.5))
    safe = np.where(near, eps, 1.0)
    closed = np.where(
        small,
        ((safe**2 + 1.0) * e + (safe**2 - 1.0) * k) / safe,
        (safe**2 + 1.0) * e - (safe**2 - 1.0) * k,
    ) * (4.0 / (3.0 * np.pi))
    closed = np.where(x >= 1.0, 8.0 / (3.0 * np.pi), closed)
    series = _hypergeometric(0.5, -0.5, 2.0, np.where(near, 0.0, x))
    return np.where(near, closed, np.where(small, eps, 1.0) * series)


def torque(eps: Array) -> Array:
    """T(eps): torque as a part of ``mu m g R``; eps >= 0.

    >>> [round(float(t), 9) for t in torque(np.array([0.0, 1.0, 1e9]))]
    [0.666666667, 0.282942121, 0.0]
    """
    eps = np.asarray(eps, float)
    small = eps <= 1.0
    x = np.where(small, eps * eps, 1.0 / np.maximum(eps, 1.0) ** 2)
    near = x > 0.5
    k, e = _elliptic(np.where(near & (x < 1.0), x, 0.5))
    safe = np.where(near, eps, 1.0)
    closed = np.where(
        small,
        (4.0 - 2.0 * safe**2) * e + (safe**2 - 1.0) * k,
        safe * ((4.0 - 2.0 * safe**2) * e + (2.0 * safe**2 - 5.0 + 3.0 / safe**2) * k),
    ) * (4.0 / (9.0 * np.pi))
    closed = np.where(x >= 1.0, 8.0 / (9.0 * np.pi), closed)
    series = np.where(
        small,
        (2.0 / 3.0) * _hypergeometric(0.5, -1.5, 1.0, np.where(near, 0.0, x)),
        _hypergeometric(0.5, 0.5, 3.0, np.where(near, 0.0, x)) / (4.0 * np.maximum(eps, 1.0)),
    )
    return np.where(near, closed, series)


def terminal_ratio(ki: float) -> float:
    """The ratio v / (R w) towards which every sliding and spinning disc tends.

    Args:
        ki: moment of inertia over m R^2 (0.5 for a solid disc).

    >>> round(terminal_ratio(0.5), 9)
    0.653001789
    """
    low, high = 1e-3, 1e3
    for _ in range(200):
        middle = 0.5 * (low + high)
        eps = np.array([middle])
        # V/W grows where F/V < T/(kI W)
        if float(force(eps)[0]) * ki < middle * float(torque(eps)[0]):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


# Columns of a curve: remaining time, speed, rim speed, way left, and the slopes of the speeds.
Q, SPEED, RIM, WAY, SPEED_SLOPE, RIM_SLOPE = range(6)
COLUMNS = 6
_GAUSS, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_GAUSS, _WEIGHTS = 0.5 * (_GAUSS + 1.0), 0.5 * _WEIGHTS
# integrals of the Lagrange polynomials from 0 to each Gauss point
_POWERS = np.vander(_GAUSS, increasing=True)
_PRIMITIVE = (_GAUSS[:, None] ** np.arange(1, 11) / np.arange(1, 11)) @ np.linalg.inv(_POWERS)


def _curve(ki: float, start: float, steps: Array) -> Array:
    """One branch from the terminal ratio outwards, as rows of the columns above.

    The independent variable is ``y = ln(eps / eps*)``. With ``r`` = rim speed (mu g = 1):
    d eps/dq = (F - eps T/kI) / r and dr/dq = T/kI, q = time left; so ln r, q and the way left are
    integrals over y, taken cell by cell with ten Gauss points.
    """
    edge = start * np.exp(steps)
    width = np.diff(steps)
    y = steps[:-1, None] + width[:, None] * _GAUSS[None, :]
    eps = start * np.exp(y)
    f, t = force(eps), torque(eps) / ki
    drift = f - eps * t  # = r d eps/dq
    slope = t * eps / drift  # d ln r / dy
    inside = (slope @ _PRIMITIVE.T) * width[:, None]
    whole = (slope @ _WEIGHTS) * width
    at_edge = np.concatenate([[0.0], np.cumsum(whole)])
    # the scale is free: the middle of the branch gets rim speed 1, so that nothing overflows
    shift = at_edge[len(at_edge) // 2]
    r = np.exp(at_edge[:-1, None] + inside - shift)
    dq = r * eps / drift  # dq/dy
    q = np.cumsum((dq @ _WEIGHTS) * width)
    way = np.cumsum(((dq * eps * r) @ _WEIGHTS) * width)
    rim = np.exp(at_edge - shift)
    # the innermost row lies on the terminal motion up to its small start: v = F* q, way = v q / 2
    ends = np.array([start * np.exp(steps[0])])
    f0, t0 = float(force(ends)[0]), float(torque(ends)[0]) / ki
    first = float(rim[0]) / t0
    q = np.concatenate([[first], first + q])
    way0 = 0.5 * f0 * first * first
    way = np.concatenate([[way0], way0 + way])
    out = np.empty((len(edge), COLUMNS))
    out[:, Q], out[:, SPEED], out[:, RIM], out[:, WAY] = q, edge * rim, rim, way
    out[:, SPEED_SLOPE], out[:, RIM_SLOPE] = force(edge), torque(edge) / ki
    return out


@cache
def curves(ki: float) -> Array:
    """The table of the kernels for moment of inertia ``ki``: both branches, one after the other.

    Returns:
        float64 array (2, n, 6): branch 0 slides faster than the terminal ratio, branch 1 spins
        faster; n rows from the terminal motion outwards, columns Q .. RIM_SLOPE in units mu g = 1.
    """
    star = terminal_ratio(ki)
    inner = np.exp(np.linspace(np.log(1e-9), np.log(0.05), 400))
    # both laws have a logarithmic kink at eps = 1: a row lies on it and rows crowd towards it
    kink = float(np.log(1.0 / star))
    crowd = np.linspace(0.0, 1.0, 241) ** 3
    outer = np.concatenate(
        [
            0.05 + (kink - 0.05) * (1.0 - crowd[-2::-1]),
            kink + crowd[1:],
            np.linspace(kink + 1.0, np.log(1e5 / star), 920)[1:],
        ]
    )
    slide = _curve(ki, star, np.concatenate([inner, outer]))
    spins = np.linspace(0.05, np.log(star / 1e-6), len(outer) + 1)[1:]
    spin = _curve(ki, star, -np.concatenate([inner, spins]))
    return np.ascontiguousarray(np.stack([slide, spin]))
