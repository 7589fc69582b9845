"""Forbidden moves without a loop, and loops of the opening that Red has to leave."""

from __future__ import annotations

import arbiter
from tests.twins import xiangqi as twin
from xiangqi.board import Board
from xiangqi.repetition import rule_book

FEN = "4k4/9/9/9/9/9/9/R8/9/3K5 w - - 0 1"
WALK = [
    *("a2e2", "e9f9", "e2f2", "f9e9", "f2f9", "e9e8", "f9f8", "e8e9", "f8e8", "e9f9"),
    *("e8e9", "f9f8", "e9e8", "f8f7", "e8f8", "f7e7", "f8f7", "e7e8", "f7e7", "e8f8"),
]
"""Ten checks by a lone chariot in which no position returns."""
IDLE = ["a0a1", "a9a8", "a1a0", "a8a9"]
CHASE = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1"
CHASING = ["a5a3", "f3g5", "a3a5", "g5f3"]


def ruling(fen, moves, rules):
    board = Board(fen)
    for move in moves:
        board.push_uci(move)
    return arbiter.judge(board, rules)


def events(fen, moves, rules):
    return [(event.ply, event.verdict.value) for event in ruling(fen, moves, rules).events]


def test_the_walk_is_what_it_says():
    pos = twin.position(FEN)
    seen = {twin.placement(pos)}
    for number, text in enumerate(WALK):
        move = twin.move(text)
        assert move in twin.legal_moves(pos)
        pos = twin.make(pos, move)
        assert twin.placement(pos) not in seen
        seen.add(twin.placement(pos))
        assert number % 2 or twin.in_check(pos)


def test_nine_rounds_without_a_loop_must_be_left():
    assert events(FEN, WALK[:16], "cxa2020") == []
    assert events(FEN, WALK, "cxa2020") == [(17, "red_must_change")]
    text = ruling(FEN, WALK[:17], "cxa2020").text()
    assert "连续 9 回合" in text
    assert "CXA2020-reference-8" in text
    assert events(FEN, WALK, rule_book("cxa2020").with_values(pursuit_rounds=5))[0][0] == 9
    assert events(FEN, WALK, "club2008") == []


def test_an_idle_move_begins_the_count_anew():
    """The fifth check is left out: Red's general moves instead."""
    moves = [*WALK[:6], "d0d1", "e8e7"]
    assert events(FEN, moves, rule_book("cxa2020").with_values(pursuit_rounds=4)) == []
    assert events(FEN, WALK[:8], rule_book("cxa2020").with_values(pursuit_rounds=4)) == [
        (7, "red_must_change")
    ]


def test_a_drawn_loop_of_the_opening_may_be_left_to_red():
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    moves = IDLE * 4
    assert events(start, moves, "club2008") == [(12, "draw")]
    early = rule_book("club2008").with_values(early_rounds=25)
    assert events(start, moves, early) == [(12, "red_must_change"), (16, "red_loses")]
    late = rule_book("club2008").with_values(early_rounds=0)
    assert events(start, moves, late) == [(12, "draw")]


def test_a_forbidden_loop_of_the_opening_is_ruled_by_its_offender():
    early = rule_book("club2008").with_values(early_rounds=25)
    assert events(CHASE, CHASING * 5, early) == events(CHASE, CHASING * 5, "club2008")
