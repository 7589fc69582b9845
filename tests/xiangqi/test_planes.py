"""Planes for learning: laid out as documented, and invertible."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twins import xiangqi as twin
from tests.xiangqi.positions import codes, sample
from xiangqi.planes import PLANES, TURN_PLANE, from_planes, to_planes

LETTERS = "KABNRCPkabnrcp"


def test_layout() -> None:
    for pos in sample(50, games=6, every=11):
        turn = 0 if pos.red_to_move else 1
        planes = to_planes(codes(pos), turn)
        assert planes.shape == (PLANES, 10, 9)
        assert planes.dtype == np.uint8
        for plane, letter in enumerate(LETTERS):
            expected = [[int(pos.points[9 * r + f] == letter) for f in range(9)] for r in range(10)]
            assert planes[plane].tolist() == expected
        assert (planes[TURN_PLANE] == pos.red_to_move).all()


def test_relative_is_seen_by_the_side_to_move() -> None:
    for pos in sample(51, games=6, every=11):
        planes = to_planes(codes(pos), 0 if pos.red_to_move else 1, relative=True)
        points = pos.points if pos.red_to_move else [p.swapcase() for p in pos.points[::-1]]
        for plane, letter in enumerate(LETTERS):
            expected = [[int(points[9 * r + f] == letter) for f in range(9)] for r in range(10)]
            assert planes[plane].tolist() == expected


def test_inverse() -> None:
    for pos in sample(52, games=6, every=11):
        turn = 0 if pos.red_to_move else 1
        for relative in (False, True):
            planes = to_planes(codes(pos), turn, relative=relative)
            numbers, side = from_planes(planes, relative=relative)
            assert (numbers.tolist(), side) == (codes(pos), turn)
            assert numbers.dtype == np.uint8


def test_what_are_no_planes() -> None:
    good = to_planes(codes(twin.position("3k5/9/9/9/9/9/9/9/9/4K4 w")), 0)
    two = good.copy()
    two[:7, 3, 3] = 1
    mixed = good.copy()
    mixed[TURN_PLANE, 0, 0] = 0
    for planes, reason in (
        (good[:14], "shape"),
        (good * 2, "0 and 1"),
        (two, "two pieces"),
        (mixed, "plane 14"),
    ):
        with pytest.raises(ValueError, match=reason if reason != "shape" else "of that shape"):
            from_planes(planes)
