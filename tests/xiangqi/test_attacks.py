"""Attacks over piece codes against the slow generator."""

from __future__ import annotations

from itertools import product

from tests.twins import xiangqi as twin
from tests.xiangqi.positions import codes, sample
from xiangqi.attacks import attackers, between, checkers, facing, find_king


def test_attackers_and_checkers() -> None:
    for pos in sample(30, games=10, every=13):
        numbers = codes(pos)
        for color, sq in product((0, 1), range(90)):
            expected = tuple(twin.attackers(pos, color == 0, sq))
            assert attackers(numbers, color, sq) == expected, (twin.placement(pos), color, sq)
        for color in (0, 1):
            assert checkers(numbers, color) == tuple(twin.checkers(pos, color == 0))
            assert find_king(numbers, color) == twin.general(pos.points, color == 0)


def test_facing() -> None:
    seen = set()
    for file, other, blocker in product((3, 4, 5), (3, 4, 5), range(90)):
        points = ["."] * 90
        points[9 + file], points[81 + other] = "K", "k"
        if points[blocker] == ".":
            points[blocker] = "r"
        pos = twin.Position(tuple(points), True)
        seen.add(facing(codes(pos)))
        assert facing(codes(pos)) == twin.facing(pos.points)
    assert seen == {True, False}


def test_between() -> None:
    assert between(0, 4) == (1, 2, 3)
    assert between(4, 0) == (3, 2, 1)
    assert between(45, 9) == (36, 27, 18)
    assert between(5, 5) == between(5, 6) == between(0, 80) == ()
