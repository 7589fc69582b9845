"""The match of two games and the clock for each move."""

from __future__ import annotations

import pytest

from checkers import Board, Rules
from checkers.match import Match, MoveClock
from qikit import Outcome, Termination


def test_first_move_alternates_and_points_follow() -> None:
    match = Match()
    first = match.board()
    assert first.fen() == Board().fen()
    with pytest.raises(ValueError, match="还没有下完"):
        match.record_board(first)
    north = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A"
    won = Board(f"{north} A AD 10")
    won.push("m8:o2")
    match.record_board(won)
    second = match.board()
    assert second.fen().endswith("D DA 10")
    assert second.turn == 0
    assert match.player_of(second, 0) == 1
    lost = Board(f"{north} D DA 10")
    lost.push("e8:d4")
    match.record_board(lost)
    assert match.scores() == (1.0, 1.0)
    assert match.is_over()
    with pytest.raises(ValueError, match="两局"):
        match.board()
    with pytest.raises(ValueError, match="两局"):
        match.record(Outcome(Termination.REPETITION, None))


def test_the_fourth_overrun_loses() -> None:
    clock_time = [0.0]
    clock = MoveClock(Rules.preset("event20"), now=lambda: clock_time[0])
    for turn in range(7):
        assert clock.outcome() is None
        clock.start(turn % 2)
        clock_time[0] += 20.5 if turn % 2 == 0 else 20.0
        assert clock.elapsed() > 0
        assert clock.stop() == (turn % 2 == 0)
    outcome = clock.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "S3A-GN-2")
    assert clock.overruns == [4, 0]
    assert not clock.stop()


def test_no_limit_no_overrun_and_restart_stops() -> None:
    clock_time = [0.0]
    clock = MoveClock(Rules(), now=lambda: clock_time[0])
    clock.start(0)
    clock_time[0] = 9999.0
    clock.start(1)
    assert clock.overruns == [0, 0]
    timed = MoveClock(Rules(move_seconds=1), seats=3, now=lambda: clock_time[0])
    timed.start(2)
    clock_time[0] += 5
    timed.start(0)
    assert timed.overruns == [0, 0, 1]
