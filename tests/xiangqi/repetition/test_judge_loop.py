"""Rulings on loops: the reference cases, their images, random loops against the slow rule."""

from __future__ import annotations

import json

import pytest

from qikit.errors import GameError, IllegalMove, InvalidRecord
from tests.twins import repetition as twin
from tests.twins import xiangqi as game
from tests.xiangqi.repetition import cases
from tests.xiangqi.repetition.cases import Case
from xiangqi.geometry import square_name
from xiangqi.repetition import judge_loop, rule_book

OTHER = {"red_loses": "black_loses", "black_loses": "red_loses"}
BOOKS = ("axf", "wxf2018", "club2008", "cxa1999", "cxa2020")


def parametrize(rows):
    return pytest.mark.parametrize("row", rows, ids=lambda row: row["id"])


def verdict(case: Case, book: str) -> str:
    return judge_loop(*case, book).verdict.value


@pytest.mark.parametrize("book", ["axf", "wxf2018"])
def test_all_asian_verdicts_of_the_reference_cases(book):
    wrong = {
        row["id"]: found
        for row in cases.rows(book)
        if (found := verdict(cases.case(row), book)) != row["expected"][book]
    }
    assert wrong == {}
    assert len(cases.rows(book)) == {"axf": 97, "wxf2018": 74}[book]


@pytest.mark.parametrize("book", BOOKS)
@parametrize(cases.loops())
def test_verdicts_do_not_change_with_colour_mirror_or_entry(row, book):
    case = cases.case(row)
    wanted = verdict(case, book)
    assert verdict(cases.mirrored(case), book) == wanted
    assert verdict(cases.swapped(case), book) == OTHER.get(wanted, wanted)
    for plies in range(1, len(case.cycle)):
        assert verdict(cases.rotated(case, plies), book) == wanted, plies


@pytest.mark.parametrize("book", BOOKS)
def test_a_loop_run_through_twice_is_ruled_like_once(book):
    for row in cases.loops()[::3]:
        fen, setup, cycle = cases.case(row)
        assert verdict(Case(fen, setup, cycle * 2), book) == verdict(Case(fen, setup, cycle), book)


def test_random_loops_are_ruled_as_the_slow_rule_rules():
    found = {"draw": 0, "red_loses": 0, "black_loses": 0}
    for fen, setup, cycle in cases.sample(31, 100):
        wanted = twin.verdict(fen, cycle)
        assert verdict(Case(fen, setup, cycle), "axf") == wanted, (fen, cycle)
        found[wanted] += 1
    assert min(found.values()) >= 5, found


def test_natures_victims_and_reasons_of_a_ruling():
    row = next(r for r in cases.loops() if r["id"] == "ts-28.2")
    ruling = judge_loop(*cases.case(row))
    assert [ply.nature for ply in ruling.plies] == ["chase", "idle", "chase", "idle"]
    assert [[str(v) for v in ply.victims] for ply in ruling.plies] == [
        ["黑马(f3)"],
        [],
        ["黑马(g5)"],
        [],
    ]
    assert ruling.rule_ids == ("AXF-perpetual-chase",)
    assert ruling.sentence() == "红方长捉：黑马(f3)；黑方为允许着法。红方负"
    assert ruling.plies[0].sentences() == ["红车(a3)攻黑马(f3)：无真根，算捉。没有子保护"]
    assert [ply.ply for ply in ruling.plies] == [1, 2, 3, 4]
    assert [ply.text for ply in ruling.plies][:2] == ["车九退二", "马6退7"]


def test_ranks_of_the_asian_rules():
    by_id = {row["id"]: row for row in cases.loops()}

    def rules(name):
        return judge_loop(*cases.case(by_id[name])).rule_ids

    assert rules("axf-D40-n56") == ("AXF-pinned-chariot",)
    assert rules("fsf-08") == ("AXF-perpetual-check", "AXF-rank")
    assert rules("fsf-16") == ("AXF-perpetual-check",)
    assert rules("mini-rep-001") == ("AXF-allowed",)


def test_disputed_positions_follow_the_literal_text_unless_the_book_is_changed():
    wide = rule_book("axf").with_values(guards_gain=True)
    for row in cases.loops():
        if row["id"].startswith("fsf55"):
            assert verdict(cases.case(row), "axf") == "draw"
            assert judge_loop(*cases.case(row), wide).verdict == "red_loses"


def test_the_victim_must_stay_the_same_piece_when_the_loop_goes_on():
    """Two chariots change places in one round: within it Red is always after the first of them,
    in the next round always after the second. No piece is chased for ever."""
    fen = "5kp2/2r6/9/5r3/2N6/4C4/9/9/9/2CK5 w - - 0 1"
    cycle = ["c5d7", "f6c6", "e4c4", "c8f8", "d7c5", "c6c8", "c4e4", "f8f6"]
    ruling = judge_loop(fen, [], cycle)
    first = ["f6", "c6", "c6", "c8"]  # the first chariot when Red has moved
    for ply, point in zip(ruling.plies[::2], first, strict=True):
        assert point in [square_name(victim.square) for victim in ply.victims]
    assert ruling.verdict == twin.verdict(fen, cycle) == "draw"


def test_an_unarmed_loop_is_drawn_by_the_club_rules():
    ruling = judge_loop("5k3/9/9/9/9/9/9/9/9/3K5 w", [], "d0d1 f9f8 d1d0 f8f9", "club2008")
    assert ruling.verdict == "draw"
    assert all(ply.certain and ply.nature == "idle" for ply in ruling.plies)
    assert ruling.rule_ids == ("S0-XQ-38", "S0-XQ-23")


def test_an_empty_loop_is_drawn():
    for row in cases.rows("axf"):
        if not row["cycle"]:
            assert verdict(cases.case(row), "axf") == row["expected"]["axf"]


def test_the_ruling_is_data():
    for row in cases.loops()[::7]:
        for book in BOOKS:
            ruling = judge_loop(*cases.case(row), book)
            data = json.loads(json.dumps(ruling.to_dict(), ensure_ascii=False))
            assert data["verdict"] == ruling.verdict
            assert data["rules_hash"] == rule_book(book).hash
            assert len(data["plies"]) == len(row["cycle"])
            assert game.position(ruling.fen).points  # the position before the loop


def test_moves_in_any_notation():
    fen = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1"
    assert judge_loop(fen, "", "车九退二 马6退7 R9+2 g5f3").verdict == "red_loses"


@pytest.mark.parametrize(
    ("fen", "setup", "cycle", "error", "words"),
    [
        ("nonsense", "", "", GameError, "FEN"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "", "", GameError, "照面"),
        ("3k5/9/9/9/R8/9/9/9/9/4K4 w", "", "a5a4", InvalidRecord, "不成循环"),
        ("3k5/9/9/9/R8/9/9/9/9/4K4 w", "", "a5a4 d9d8 a4a5 d8d7", InvalidRecord, "不成循环"),
        ("3k5/9/9/9/R8/9/9/9/9/4K4 w", "a5a4 d9d8", "a4b5", IllegalMove, "第 3 着"),
        ("3k5/9/9/9/R8/9/9/9/9/4K4 w", "xyz", "", GameError, "第 1 着"),
    ],
)
def test_bad_input_is_named(fen, setup, cycle, error, words):
    with pytest.raises(error, match=words):
        judge_loop(fen, setup, cycle)


def test_unknown_rule_book():
    with pytest.raises(ValueError, match="club2008"):
        judge_loop("3k5/9/9/9/R8/9/9/9/9/4K4 w", "", "", "fide")
