"""Defects of positions: all at once, the fatal ones refused."""

from __future__ import annotations

import pytest

from qikit import InvalidPosition
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import reference_fens, sample
from xiangqi import Board, Status, defects, position_status
from xiangqi.fen import parse_fen


def status_of(fen: str) -> Status:
    setup = parse_fen(fen)
    return position_status(setup.codes.tolist(), setup.turn)


S = Status


@pytest.mark.parametrize(
    ("fen", "status"),
    [
        ("9/9/9/9/9/9/9/9/9/4K4 w", S.NO_BLACK_GENERAL),
        ("4k4/9/9/9/9/9/9/9/9/9 w", S.NO_RED_GENERAL),
        ("9/9/9/9/9/9/9/9/9/9 w", S.NO_RED_GENERAL | S.NO_BLACK_GENERAL),
        ("3k1k3/9/9/9/9/9/9/9/9/4K4 w", S.TOO_MANY_BLACK_GENERALS),
        ("4k4/9/9/9/9/9/9/9/9/3K1K3 w", S.TOO_MANY_RED_GENERALS),
        ("3k5/9/9/9/9/9/4K4/9/9/9 w", S.GENERAL_OUTSIDE_PALACE),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", S.FACING_GENERALS),
        ("4k4/9/9/9/4A4/9/9/9/9/4K4 w", S.ADVISOR_MISPLACED),
        ("3k5/9/9/9/9/9/9/9/9/4KB3 w", S.ELEPHANT_MISPLACED),
        ("3k5/9/9/9/2B6/9/9/9/9/4K4 w", S.ELEPHANT_MISPLACED),
        ("3k5/9/9/9/9/9/9/9/9/4KRRR1 w", S.TOO_MANY_OF_A_KIND),
        ("3k5/9/PPPPPP3/9/9/9/9/9/9/4K4 w", S.TOO_MANY_OF_A_KIND),
        ("3k5/9/9/9/9/9/9/9/3R5/4K4 w", S.OPPONENT_IN_CHECK),
        ("3k5/9/9/9/9/9/9/9/3R5/4K4 b", S.VALID),
        ("3k5/9/9/9/9/9/9/9/P8/4K4 w", S.PAWN_BEHIND_START),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", S.PAWN_BEHIND_START),
        ("3k4p/9/9/9/9/9/9/9/9/4K4 w", S.PAWN_BEHIND_START),
        ("3k5/9/9/9/9/1P7/9/9/9/4K4 w", S.PAWN_UNREACHABLE),
        ("3k5/9/9/9/9/P8/P8/9/9/4K4 w", S.PAWN_UNREACHABLE),
        ("3k5/9/9/p8/p8/9/9/9/9/4K4 w", S.PAWN_UNREACHABLE),
        ("P2k5/9/9/9/9/9/9/9/9/4K4 w", S.VALID),
        ("3k5/9/9/1P7/1P7/9/9/9/9/4K4 w", S.VALID),
    ],
)
def test_single_defects(fen: str, status: Status) -> None:
    assert status_of(fen) == status
    improbable = S.PAWN_BEHIND_START | S.PAWN_UNREACHABLE
    if status & ~improbable:
        assert status.is_fatal
        with pytest.raises(InvalidPosition):
            Board(fen)
    else:
        assert not status.is_fatal
        board = Board(fen)
        assert board.status() == status
        assert board.is_valid() == (status == S.VALID)
        assert [d.status for d in board.defects()] == list(status)


def test_every_defect_is_named_at_once() -> None:
    fen = "4k4/9/9/9/4A4/9/9/4P4/RRR6/3K1K3 w"
    assert status_of(fen) == (
        S.TOO_MANY_RED_GENERALS | S.ADVISOR_MISPLACED | S.TOO_MANY_OF_A_KIND | S.PAWN_BEHIND_START
    )
    with pytest.raises(InvalidPosition) as raised:
        Board(fen)
    message = str(raised.value)
    for part in ("红方有 2 个帅：d0、f0", "仕不能站在 e5", "红方有 3 个车，最多 2 个"):
        assert part in message
    assert "起始线" not in message
    assert raised.value.text == fen


def test_the_side_left_in_check_is_named() -> None:
    setup = parse_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 w")
    (defect,) = defects(setup.codes.tolist(), setup.turn)
    assert defect.zh == "轮到红方走棋，对方的将却已被 d1 的车将军"
    assert defect.squares == (12, 84)


def test_positions_of_games_have_no_defect() -> None:
    for pos in sample(11, games=12, every=5, plies=80):
        if twin.placement(pos).split()[0].count("/") == 9:
            status = status_of(twin.placement(pos))
            assert not status.is_fatal, twin.placement(pos)


def test_reference_positions_load() -> None:
    for fen in reference_fens():
        assert not status_of(fen).is_fatal, fen
