"""The board as the policy network is shown it.

``see(state, sight, planes)``
    Fill ``planes`` (int64[3, 90]) from a state of :mod:`xiangqi.kernel`, each point where it
    stands in the sight (see :mod:`ai.search.xiangqi.policy`): the piece (0 none, 1-7 the mover's
    kinds, 8-14 the partner's); how many pieces of the partner attack the point, and how many of
    the mover's guard it, at most 2 (pins are ignored).
"""

from __future__ import annotations

from numba import int64

from qikit.bits import popcount
from qikit.jit import jit
from xiangqi.kernel import BOARD, PIECE, TURN, attackers


@jit("void(int64[::1], int64, int64[:,::1])")
def see(state, sight, planes):
    us = state[TURN]
    for sq in range(90):
        at = 89 - sq if us else sq
        if sight & 2:
            at += 8 - 2 * (at % 9)
        code = state[BOARD + sq] & PIECE
        planes[0, at] = (code & 7) + 7 * ((code >> 3) ^ us) if code else 0
        for plane in range(1, 3):
            low, high = attackers(state, us if plane == 2 else 1 - us, int64(sq))
            planes[plane, at] = min(popcount(low) + popcount(high), int64(2))
