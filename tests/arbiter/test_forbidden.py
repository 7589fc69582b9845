"""Moves that are forbidden to the side to move, against playing every one of them out."""

from __future__ import annotations

import pytest

import arbiter
from arbiter import forbidden_moves
from tests.arbiter.games import ASIDE, CHASE, CHASING, CHECK, CHECKING, played
from tests.arbiter.test_judge import WARNED
from tests.xiangqi.positions import rows
from xiangqi.board import Board
from xiangqi.repetition import rule_book


def bans(board, rules="club2008"):
    return {str(ban.move): ban for ban in forbidden_moves(board, rules)}


def test_nothing_is_forbidden_without_repetition():
    assert forbidden_moves(Board()) == ()
    assert bans(played(CHECK, CHECKING * 2)) == {}


def test_the_check_that_would_lose():
    found = bans(played(CHECK, (CHECKING * 4)[:-1]))
    assert list(found) == ["e4d4"]
    assert (found["e4d4"].verdict, found["e4d4"].reply) == ("red_loses", None)
    assert "第 16 着走完" in found["e4d4"].reason


def test_the_last_move_before_the_other_side_completes_the_loop():
    """The loop begins with Red's check, so that it is Black's reply that completes it."""
    loop = ["d4e4", "e9d9", "e4d4", "d9e9"]
    board = played("4k4/9/9/9/9/3R5/9/9/9/5K3 w", (loop * 4)[:-2])
    found = bans(board)
    assert list(found) == ["e4d4"]
    assert str(found["e4d4"].reply) == "d9e9"
    assert "对方可以应" in found["e4d4"].reason


def test_a_side_that_was_told_to_change():
    board = played(CHASE, CHASING * 3)
    found = bans(board, WARNED)
    assert list(found) == ["a5a3"]
    assert found["a5a3"].verdict == "red_must_change"
    for move in CHASING[:2]:
        board.push(move)
    found = bans(board, WARNED)
    assert found["a3a5"].verdict == "red_loses"
    assert str(found["a3a5"].reply) == "g5f3"
    assert found["a3a5"].rule_ids[0] == "AXF-repetition"


def test_the_other_side_is_free():
    board = played(CHASE, [*CHASING * 3, CHASING[0]])
    assert bans(board, WARNED) == {}


def test_a_game_that_is_over_forbids_nothing():
    assert bans(played(CHECK, CHECKING * 4)) == {}


def test_coming_back_to_a_loop_after_a_warning():
    board = played(CHASE, [*CHASING * 3, *ASIDE, *CHASING[:2]])
    assert list(bans(board, WARNED)) == ["a3a5"]


@pytest.mark.parametrize("rules", ["axf", WARNED], ids=["axf", "warned"])
def test_what_is_forbidden_at_once_is_what_loses_when_played(rules):
    """`judge` on the game with each move played is the slow twin."""
    seen = replies = 0
    for row in rows("xiangqi_repetition.jsonl")[:: 2 if rules == "axf" else 8]:
        if row["expected"].get("axf") not in ("red_loses", "black_loses") or not row["cycle"]:
            continue
        rounds = 2 if rules == "axf" else 4
        game = played(row["fen"], row["setup"] + row["cycle"] * rounds)
        for short in (1, 2):
            board = game.copy()
            for _ in range(short):
                board.pop()
            lost = {str(m) for m in board.legal_moves if loses(board, m, rules)}
            found = bans(board, rules)
            at_once = {m for m, ban in found.items() if ban.ruling.is_final and not ban.reply}
            assert at_once == lost, row["id"]
            for text, ban in found.items():
                if ban.reply:
                    side, after = board.turn, board.copy()
                    after.push(text)
                    after.push(ban.reply)
                    assert arbiter.judge(after, rules).outcome().winner == 1 - side
                    replies += 1
            seen += len(lost)
    assert seen
    assert replies


def loses(board, move, rules):
    """Whether a quiet move that returns to an earlier position loses by the rules at once."""
    if board.is_capture(move):
        return False
    after = board.copy()
    after.push_unchecked(move)
    if arbiter.judge(board, rules).outcome() is not None:
        return False
    ruling = arbiter.judge(after, rules)
    outcome = ruling.outcome()
    return bool(outcome and ruling.loop and outcome.winner == 1 - board.turn)


# ---------------------------------------------------------------- no third identical move running


def house(reading):
    return rule_book("club2008").with_values(no_third_repetition=reading)


KINGS = "3k5/9/9/9/9/9/9/9/4p4/R4K3 w"
SHUTTLE = ["a0a1", "d9d8", "a1a0", "d8d9"]


def test_the_third_identical_move():
    assert "a0a1" not in bans(played(KINGS, SHUTTLE), house("move"))
    found = bans(played(KINGS, SHUTTLE * 2), house("move"))
    assert list(found) == ["a0a1"]
    assert found["a0a1"].rule_ids == ("S3B-XQ-5",)
    assert bans(played(KINGS, SHUTTLE * 2), "club2008") == {}


def test_the_third_position():
    """The position after ``a0a1`` has stood once a round; the second reading bans the third."""
    found = bans(played(KINGS, SHUTTLE * 2), house("position"))
    assert list(found) == ["a0a1"]
    board = played(KINGS, [*SHUTTLE, *SHUTTLE[:3]])
    assert list(bans(board, house("position"))) == ["d8d9"]
    assert bans(board, house("move")) == {}


def test_an_interrupted_shuttle_begins_anew():
    board = played(KINGS, [*SHUTTLE, "a0a2", "d9d8", "a2a0", "d8d9", *SHUTTLE])
    assert bans(board, house("move")) == {}


def test_the_only_legal_move_is_no_offence():
    fen = "3k5/9/9/9/9/9/9/4R4/9/4K1R2 b"
    shuttle = ["d9d8", "g0g1", "d8d9", "g1g0"]
    board = played(fen, shuttle * 2)
    assert [str(move) for move in board.legal_moves] == ["d9d8"]
    assert bans(board, house("move")) == bans(board, house("position")) == {}
    board = played(fen, [*shuttle * 2, "d9d8"])
    assert list(bans(board, house("move"))) == ["g0g1"]


@pytest.mark.parametrize(("reading", "plies"), [("move", [9, 10]), ("position", [8])])
def test_a_game_in_which_it_was_played(reading, plies):
    """Each such move is told of; the game goes on, as the player has to choose another."""
    board = played(KINGS, [*SHUTTLE * 2, *SHUTTLE[:2]])
    ruling = arbiter.judge(board, house(reading))
    due = [event.ply for event in ruling.events]
    assert due[: len(plies)] == plies
    event = ruling.events[0]
    assert event.rule_ids == ("S3B-XQ-5",)
    assert event.verdict in ("red_must_change", "black_must_change")
    assert "须另走一着" in event.text()
    assert arbiter.judge(board, "club2008").events == ()
    assert ruling.outcome() is None


def test_an_impossible_reading_is_refused():
    with pytest.raises(ValueError, match="off, move, position"):
        bans(played(KINGS, SHUTTLE), house("both"))
