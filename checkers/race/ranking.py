"""Armies as numbers: a set of holes is its rank among all sets of that size (an exact key).

Holes count in the order of the kernel's words (class, then bit); the rank is the sum of binomial
coefficients C(place of the i-th piece, i). All 121 holes and up to 15 pieces fit into an int64.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

import numpy as np
from numpy.typing import NDArray

from checkers.geometry import HOLE_BIT, HOLE_CLASS, HOLES

MOST_PIECES = 15
BINOMIAL: NDArray[np.int64] = np.array(
    [[comb(n, k) for k in range(MOST_PIECES + 1)] for n in range(len(HOLES) + 1)], np.int64
)
"""[n, k] -> number of sets of k out of n."""

_ORDER = sorted(HOLES, key=lambda h: 64 * int(HOLE_CLASS[h]) + int(HOLE_BIT[h]))


def places(region: Iterable[int]) -> NDArray[np.int16]:
    """[64 * class + bit] -> place of the hole among those of the region, -1 outside."""
    inside = set(region)
    out = np.full(256, -1, np.int16)
    for place, hole in enumerate(h for h in _ORDER if h in inside):
        out[64 * int(HOLE_CLASS[hole]) + int(HOLE_BIT[hole])] = place
    return out


def holes_in_order(region: Iterable[int]) -> NDArray[np.int16]:
    """Place -> hole, the inverse of :func:`places`."""
    inside = set(region)
    return np.array([h for h in _ORDER if h in inside], np.int16)


def rank(holes: Iterable[int], place_of: NDArray[np.int16]) -> int:
    """The rank of a set of holes, all of which lie in the region.

    >>> everywhere = places(HOLES)
    >>> rank(unrank(123456789, 10, holes_in_order(HOLES)), everywhere)
    123456789
    """
    found = sorted(int(place_of[64 * int(HOLE_CLASS[h]) + int(HOLE_BIT[h])]) for h in holes)
    return sum(comb(place, i) for i, place in enumerate(found, 1))


def unrank(number: int, pieces: int, hole_at: NDArray[np.int16]) -> tuple[int, ...]:
    """The set of holes of a rank, ascending."""
    found, place = [], len(hole_at)
    for i in range(pieces, 0, -1):
        while comb(place, i) > number:
            place -= 1
        found.append(int(hole_at[place]))
        number -= comb(place, i)
    return tuple(sorted(found))
