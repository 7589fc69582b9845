"""Claims of players: granted, refused, pending; and the foul of a wrong one."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arbiter import Claim, Override, correction, decide_claim
from arbiter.claims import Claimed
from qikit.errors import GameError
from tests.arbiter.games import ASIDE, CHASE, CHASING, CHECK, CHECKING, played
from xiangqi.repetition import Nature, rule_book

CLUB = rule_book("club2008")
WARNED = rule_book("axf").with_values(ruling_after_loops=3, grace_loops=1, mixed_loops_count=False)
QUIET = "5k2r/9/9/9/9/9/9/9/R8/3K5 w - - {} 60"
SHUFFLE = ["a1a2", "i9i8", "a2a3", "i8i7", "a3a4", "i7i6"]


def answer(board, text, rules="club2008", **how):
    ruling = decide_claim(board, Claim.parse(text, rules), rules, **how)
    assert ruling.text()
    assert ruling.to_dict()["answer"] == ruling.answer
    return ruling


@pytest.mark.parametrize(
    ("claim", "granted"),
    [("red@2=natural_limit", True), ("black@3=S0-XQ-24", True), ("红=natural_limit", True)],
)
def test_the_natural_limit_is_granted(claim, granted):
    ruling = answer(played(QUIET.format(118), SHUFFLE), claim)
    assert (ruling.answer == "granted") == granted
    assert ruling.foul is None
    assert ruling.event.verdict == "draw"


def test_a_wrong_claim_of_the_natural_limit_is_a_foul():
    ruling = answer(played(QUIET.format(118), SHUFFLE), "black@1=natural_limit")
    assert ruling.answer == "refused"
    assert (ruling.foul.side, ruling.foul.article.id) == (1, "S0-XQ-34")
    assert "连续 59 回合又一着没有吃子，不满 60 回合" in ruling.text()
    assert ruling.to_dict()["foul"]["rule_id"] == "S0-XQ-34"


def test_no_foul_where_the_book_has_none():
    board = played(QUIET.format(10), SHUFFLE)
    assert answer(board, "red=natural_limit", "axf").foul is None
    none = CLUB.with_values(natural_limit_rounds=0)
    ruling = answer(board, "red=natural_limit", none)
    assert (ruling.answer, ruling.foul) == ("refused", None)


def test_a_capture_ends_the_claim_of_the_limit():
    board = played("5k3/9/8R/8r/9/9/9/9/9/3K5 w - - 118 60", ["d0d1", "f9f8", "i7i6"])
    assert answer(board, "red@2=natural_limit").answer == "granted"
    assert answer(board, "red=natural_limit").answer == "refused"


def test_the_opponent_must_change():
    board = played(CHASE, CHASING * 4)
    early = answer(board, "black@11=must_change", WARNED)
    assert early.answer == "refused"
    assert "第 3 次出现" in early.reason
    due = answer(board, "black@12=must_change", WARNED)
    assert (due.answer, due.event.verdict) == ("granted", "red_must_change")
    assert answer(board, "black@13=must_change", WARNED).answer == "granted"
    assert answer(board, "red@12=must_change", WARNED).answer == "refused"
    assert answer(board, "black@16=repetition", WARNED).event.verdict == "red_loses"


def test_a_ruling_that_was_left_does_not_stand():
    board = played(CHASE, [*CHASING * 3, *ASIDE[:1]])
    assert answer(board, "black=must_change", WARNED).answer == "refused"


def test_a_claim_after_the_game_is_over():
    board = played(CHECK, CHECKING * 5)
    ruling = answer(board, "black@18=must_change")
    assert ruling.answer == "refused"
    assert "第 16 着走完时已经结束" in ruling.reason
    assert answer(board, "black@16=S0-XQ-37").answer == "granted"
    assert answer(board, "red@16=repetition").answer == "refused"


def test_a_draw_by_repetition_is_for_both_and_no_case_of_must_change():
    book = rule_book("axf").with_values(ruling_after_loops=3)
    board = played(CHASE, ASIDE * 3)
    for side in ("red", "black"):
        assert answer(board, f"{side}@12=repetition", book).answer == "granted"
        assert answer(board, f"{side}@12=must_change", book).answer == "refused"


def test_a_claim_sees_the_arbiters_findings():
    board = played(CHASE, CHASING * 4)
    idle = [Override(o, Nature.IDLE, "理由") for o in (1, 2)]
    assert answer(board, "black@12=must_change", WARNED, overrides=idle).answer == "refused"
    late = [Override(13, Nature.IDLE, "后来的着法")]
    assert answer(board, "black@12=must_change", WARNED, overrides=late).answer == "granted"


def test_claims_are_read():
    assert Claim.parse("红方@12=must_change") == Claim(0, Claimed.MUST_CHANGE, 12)
    assert Claim.parse("B = S0-XQ-38") == Claim(1, Claimed.REPETITION, None, "S0-XQ-38")
    assert Claim.parse("w=axf-perpetual-chase", "axf").article == "AXF-perpetual-chase"


@pytest.mark.parametrize(
    "text", ["", "red", "red=", "green=repetition", "red=S0-XQ-99", "red@x=repetition"]
)
def test_claims_that_cannot_be_read(text):
    with pytest.raises(GameError):
        Claim.parse(text)


def test_a_ply_that_there_is_not():
    with pytest.raises(GameError, match="没有第 9 着"):
        decide_claim(played(CHASE, CHASING), Claim(0, Claimed.REPETITION, 9))


def test_the_third_identical_move_is_claimed():
    book = CLUB.with_values(no_third_repetition="move")
    board = played("3k5/9/9/9/9/9/9/9/4p4/R4K3 w", ["a0a1", "d9d8", "a1a0", "d8d9"] * 2 + ["a0a1"])
    assert answer(board, "black=S3B-XQ-5", book).answer == "granted"
    assert answer(board, "red=must_change", book).answer == "refused"
    assert answer(board, "black@8=must_change", book).answer == "refused"


@given(st.text(max_size=40), st.sampled_from([Claim.parse, Override.parse, correction.parse]))
@example("红@0=repetition", Claim.parse)
@example("99999=捉@:x", Override.parse)
def test_mistyped_texts_are_told_in_a_sentence(text, read):
    with suppress(GameError):
        read(text)
