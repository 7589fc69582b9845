"""Explanations of illegal moves: present exactly for them, and naming the right rule."""

from __future__ import annotations

import random

import pytest

from tests.twins import xiangqi as twin
from tests.xiangqi.positions import codes, reference_fens, sample
from xiangqi.legality import explain


def assert_explained(pos: twin.Position) -> None:
    legal = set(twin.legal_moves(pos))
    numbers, turn = codes(pos), 0 if pos.red_to_move else 1
    for start in range(90):
        for goal in range(90):
            refusal = explain(numbers, turn, start, goal)
            name = twin.name((start, goal))
            assert (refusal is None) == ((start, goal) in legal), (twin.placement(pos), name)
            if refusal is not None:
                assert refusal.rule.startswith("S0-XQ-")
                assert refusal.zh
                assert refusal.en


def test_explained_exactly_when_illegal() -> None:
    rng = random.Random(20)
    for fen in rng.sample(reference_fens(), 25):
        assert_explained(twin.position(fen))
    for pos in sample(21, games=6, every=23):
        assert_explained(pos)


@pytest.mark.parametrize(
    ("fen", "move", "rule", "zh"),
    [
        ("4k4/9/9/9/9/9/4c4/4N4/9/3K5 w", "e2d4", "S0-XQ-10", "马腿被 e3 的炮挡住"),
        ("4k4/9/9/9/9/9/9/4N4/9/3K5 w", "e2e4", "S0-XQ-10", "马走日字：先直走一格，再斜走一格"),
        ("4k4/9/9/9/9/9/9/9/3r5/2B1K4 w", "c0e2", "S0-XQ-9", "相眼被 d1 的车塞住"),
        ("4k4/9/9/9/9/2B6/9/9/9/3K5 w", "c4a6", "S0-XQ-9", "相不能过河"),
        ("4k4/9/9/9/9/2B6/9/9/9/3K5 w", "c4c5", "S0-XQ-9", "相走田字，每步斜走两格"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w", "a0f0", "S0-XQ-11", "车的去路被 e0 的帅挡住"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w", "a0b1", "S0-XQ-11", "车只能沿直线或横线走"),
        (
            "3kr4/9/9/9/9/9/9/9/4C4/5K3 w",
            "e1e9",
            "S0-XQ-12",
            "炮吃子必须隔一个棋子，与 e9 的车之间没有炮架",
        ),
        (
            "3kr4/4p4/4p4/9/9/9/9/9/4C4/5K3 w",
            "e1e9",
            "S0-XQ-12",
            "炮吃子只能隔一个棋子，中间有 2 个：e7 的卒、e8 的卒",
        ),
        (
            "3k5/4p4/9/9/9/9/9/9/4C4/5K3 w",
            "e1e9",
            "S0-XQ-12",
            "炮不吃子时不能越子，去路被 e8 的卒挡住",
        ),
        ("3k5/9/9/4P4/9/9/9/9/9/5K3 w", "e6e5", "S0-XQ-13", "兵不能后退"),
        ("3k5/9/9/9/9/9/4P4/9/9/5K3 w", "e3d3", "S0-XQ-13", "兵过河以前不能横走"),
        ("3k5/9/9/9/9/9/4P4/9/9/5K3 w", "e3e5", "S0-XQ-13", "兵每步只能走一格"),
        ("3k5/4p4/9/9/9/9/9/9/9/5K3 b", "e8d8", "S0-XQ-13", "卒过河以前不能横走"),
        ("3k5/9/9/9/9/9/9/9/9/5K3 w", "f0g0", "S0-XQ-6", "帅不能走出九宫"),
        ("3k5/9/9/9/9/9/9/9/9/5K3 w", "f0e1", "S0-XQ-6", "帅每步只能直走或横走一格"),
        ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "e1e2", "S0-XQ-8", "仕每步只能斜走一格"),
        ("3k5/9/5a3/9/9/9/9/9/9/5K3 b", "f7g6", "S0-XQ-8", "士不能走出九宫"),
        ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "e1f0", "S0-XQ-17", "f0 上有己方的帅，不能吃自己的棋子"),
        ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "a0a1", "S0-XQ-17", "a0 上没有棋子"),
        ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "d9d8", "S0-XQ-5", "轮到红方走棋，d9 的将是对方的棋子"),
        (
            "4k4/9/9/9/4N4/9/9/9/9/4K4 w",
            "e5f7",
            "S0-XQ-7",
            "将帅不能照面：走后 e0 的帅与 e9 的将之间没有棋子",
        ),
        ("3k5/9/9/4r4/9/9/9/9/9/4K3C w", "i0i1", "S0-XQ-14", "走后帅仍被 e6 的车将军，必须应将"),
        ("3k5/9/9/4r4/9/9/9/9/9/5K3 w", "f0e0", "S0-XQ-14", "走后帅会被 e6 的车吃掉，不能送将"),
    ],
)
def test_names_the_rule(fen: str, move: str, rule: str, zh: str) -> None:
    pos = twin.position(fen)
    refusal = explain(codes(pos), 0 if pos.red_to_move else 1, *twin.move(move))
    assert refusal is not None
    assert (refusal.rule, refusal.zh) == (rule, zh)
    assert str(refusal) == f"{zh}（{rule}）({refusal.en})"
