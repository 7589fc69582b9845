"""Which material can win: the draw by position of S0-XQ-21 as far as it needs no arbiter."""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.pieces import CANNON, KNIGHT, PAWN, ROOK

CROSSING = (KNIGHT, ROOK, CANNON, PAWN)
"""Kinds that can cross the river (攻子); generals, advisors and elephants never attack."""


def has_crossing_material(codes: Sequence[int], color: int) -> bool:
    """Whether ``color`` has a piece that can cross the river."""
    return any(kind + 8 * color in codes for kind in CROSSING)


def is_dead_drawn(codes: Sequence[int]) -> bool:
    """Whether neither side has a piece that can cross the river, so that nobody can give check.

    The only material draw that needs no judgement. One cannon against bare defenders, a worn-out
    pawn on the last rank and the like are the arbiter's to declare: a mate or a stalemate by the
    loser's own moves is still possible there.

    >>> is_dead_drawn([1, 2, 3, 9, 11]), is_dead_drawn([1, 7, 9])
    (True, False)
    """
    return not (has_crossing_material(codes, 0) or has_crossing_material(codes, 1))
