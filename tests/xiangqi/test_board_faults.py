"""Faults of public programs that concern the board: generation, results, positions, speed."""

from __future__ import annotations

import pytest

from qikit import InvalidPosition, StopFlag, Termination
from tests.xiangqi.positions import rows
from xiangqi import RED, Board, Status, position_status
from xiangqi.fen import parse_fen

FAULTS = {row["id"]: row for row in rows("xiangqi_bugs.jsonl")}


@pytest.mark.parametrize("number", ["xq14", "xq15"])
def test_counts(number: str) -> None:
    fault = FAULTS[number]
    board = Board(fault["input"]["fen"])
    for depth, nodes in fault["right"]["perft"].items():
        if nodes < 10_000_000:
            assert board.perft(int(depth)) == nodes


def test_counts_of_the_second_position_of_xq14() -> None:
    assert FAULTS["xq14"]["note"].endswith("= 38, 1128, 43929, 1339047, 53112976")
    board = Board("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w")
    assert [board.perft(depth) for depth in range(1, 5)] == [38, 1128, 43929, 1339047]


def test_the_stalemated_side_loses() -> None:
    fault = FAULTS["xq16"]
    board = Board(fault["input"]["fen"])
    assert board.is_check() is fault["right"]["in_check"]
    assert len(board.legal_moves) == fault["right"]["legal_moves"]
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.STALEMATE
    assert outcome.winner == RED
    assert outcome.result() == fault["right"]["result"]


@pytest.mark.parametrize("number", ["xq09", "xq10"])
def test_short_positions_load(number: str) -> None:
    fault = FAULTS[number]
    board = Board(fault["input"]["fen"])
    assert board.fen() == fault["right"]["fen"]
    if "legal_moves" in fault["right"]:
        assert len(board.legal_moves) == fault["right"]["legal_moves"]


def test_an_advisor_over_the_river_is_told() -> None:
    fen = FAULTS["xq11"]["input"]["fen"]
    setup = parse_fen(fen)
    assert Status.ADVISOR_MISPLACED in position_status(setup.codes.tolist(), setup.turn)
    with pytest.raises(InvalidPosition, match="e5"):
        Board(fen)


def test_the_count_without_capture_comes_from_the_moves() -> None:
    """xq24: a GUI sends the position after the last capture and the moves since; field 5 is 0."""
    board = Board("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    for _ in range(30):
        for move in ("a0a1", "d9d8", "a1a0", "d8d9"):
            assert not board.is_natural_limit()
            board.push_uci(move)
    assert board.halfmove_clock == 120
    assert board.is_natural_limit()
    assert not Board(board.fen(), rules="no-draws").is_natural_limit()
    assert Board("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 80 41", rules="event40").is_natural_limit()


@pytest.mark.parametrize("number", ["xq17", "xq18", "xq19", "xq20", "xq21", "xq22"])
def test_disputed_lines_are_legal(number: str) -> None:
    fault = FAULTS[number]["input"]
    board = Board(fault["fen"])
    for move in fault["moves"]:
        board.push_uci(move)
    assert len(board.move_stack) == len(fault["moves"])


def test_counting_is_compiled_and_can_be_stopped() -> None:
    """xq27: perft(6) from Python took hours elsewhere; here a user may also change their mind."""
    with StopFlag().after(0.05) as stop, pytest.raises(InterruptedError):
        Board().perft(9, stop=stop)
