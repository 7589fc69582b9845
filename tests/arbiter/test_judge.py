"""The procedure on whole games: every ruling at its ply."""

from __future__ import annotations

import json
import random

import pytest

import arbiter
from qikit.outcome import Termination
from tests.xiangqi.positions import reference_fens, rows
from xiangqi import threats
from xiangqi.board import Board
from xiangqi.game import Game
from xiangqi.move import Move
from xiangqi.repetition import natures, rule_book, rule_books

CLUB = rule_book("club2008")
CHECK = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1"
CHECKING = ["d9e9", "d4e4", "e9d9", "e4d4"]
DETOUR = ["d9e9", "d4a4", "e9d9", "a4d4"]
"""The same position again, with one move that gives no check."""
CHASE = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1"
CHASING = ["a5a3", "f3g5", "a3a5", "g5f3"]
ASIDE = ["a5a4", "f3g5", "a4a5", "g5f3"]
"""A detour that attacks the horse once only."""
WARNED = rule_book("axf").with_values(ruling_after_loops=3, grace_loops=1, mixed_loops_count=False)
"""Chases as in the Asian rules, ruled with a warning as in the club rules."""


def judge(fen, moves, rules="club2008"):
    board = Board(fen)
    for move in moves:
        board.push(move)
    return arbiter.judge(board, rules)


def stands(fen, moves, rules="club2008"):
    """Ply and verdict of every event, and how the game stands."""
    ruling = judge(fen, moves, rules)
    return [(e.ply, e.verdict.value) for e in ruling.events], ruling.verdict.value


def first_change(fen, moves, rules):
    """The ply at which the verdict stops being ``ongoing``, playing move by move."""
    board = Board(fen)
    for ply, move in enumerate(moves, 1):
        board.push(move)
        verdict = arbiter.judge(board, rules).verdict
        if verdict != "ongoing":
            return ply, verdict.value
    return None


# ---------------------------------------------------------------- perpetual check


@pytest.mark.parametrize(
    ("rules", "ply"),
    [
        ("club2008", 16),  # S0-XQ-37: loses on completing the fourth loop, not announced
        (CLUB.with_values(perpetual_check_after_loops=3), 12),  # the other reading
        ("axf", 8),  # third occurrence
        ("wxf2018", 8),
        ("cxa1999", 12),  # the fourth occurrence loses
        ("cxa2011", 12),
        ("cxa2020", 12),
        ("xqbase", 12),
        ("fairy_axf", 8),
        ("pikafish", 8),
    ],
)
def test_unilateral_perpetual_check_loses_at_its_ply(rules, ply):
    assert first_change(CHECK, CHECKING * 5, rules) == (ply, "red_loses")
    ruling = judge(CHECK, CHECKING * 5, rules)
    assert (ruling.ply, ruling.first_due, ruling.plies_after) == (ply, ply, 20 - ply)
    assert ruling.outcome().termination is Termination.PERPETUAL_CHECK
    assert ruling.outcome().winner == 1


def test_perpetual_check_is_found_wherever_it_begins():
    """Two idle moves lead into the loop, entered at another of its points."""
    fen = "3k5/9/9/9/9/9/3R5/9/9/5K3 b - - 0 1"
    lead = ["d9e9", "d3e3", "e9d9", "e3e4", "d9d8"]
    loop = ["e4d4", "d8e8", "d4e4", "e8d8"]
    assert first_change(fen, lead + loop * 5, "club2008") == (5 + 16, "red_loses")


def test_a_book_may_announce_perpetual_check_too():
    book = CLUB.with_values(perpetual_check_warned=True)
    assert stands(CHECK, CHECKING * 3, book) == ([(12, "red_must_change")], "red_must_change")
    assert stands(CHECK, [*CHECKING * 3, *CHECKING[:3]], book)[1] == "red_must_change"
    events, verdict = stands(CHECK, CHECKING * 5, book)
    assert events == [(12, "red_must_change"), (16, "red_loses")]
    assert verdict == "red_loses"
    assert judge(CHECK, CHECKING * 4, book).rule_ids[0] == "S0-XQ-41"


def test_wandering_back_to_a_position_is_no_round_of_the_loop():
    """The position occurs four times after two rounds of checks only: nothing is due."""
    moves = DETOUR + CHECKING * 2
    assert stands(CHECK, moves) == ([], "ongoing")
    assert first_change(CHECK, DETOUR + CHECKING * 5, "club2008") == (20, "red_loses")


def test_rounds_are_not_forgotten_by_leaving_the_loop_for_a_while():
    """Three rounds of checks, an idle detour back to the position, then the fourth round."""
    moves = CHECKING * 3 + DETOUR + CHECKING
    assert first_change(CHECK, moves, "club2008") == (20, "red_loses")


def test_checks_and_idle_moves_in_turn_are_no_perpetual_check():
    """The same two rounds in turn: several checks, one idle move (S0-XQ-43), as one long loop."""
    ruling = judge(CHECK, (CHECKING + DETOUR) * 3)
    assert (ruling.ply, ruling.verdict) == (24, "draw")
    assert ruling.loop.findings[0].kind == "allowed"
    asian = judge(CHECK, (CHECKING + DETOUR) * 3, "axf")
    assert (asian.ply, asian.verdict) == (8, "draw")


def test_mutual_perpetual_check_is_drawn_after_three_rounds():
    fen = "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 0 1"
    loop = ["e3d3", "d6e6", "d3e3", "e6d6"]
    fen = next(r["fen"] for r in rows("xiangqi_repetition.jsonl") if r["id"] == "fsf-16")
    loop = next(r["cycle"] for r in rows("xiangqi_repetition.jsonl") if r["id"] == "fsf-16")
    assert first_change(fen, loop * 5, "club2008") == (12, "draw")
    assert judge(fen, loop * 3).rule_ids == ("S0-XQ-39",)
    assert first_change(fen, loop * 5, "axf") == (8, "draw")


# ---------------------------------------------------------------- announce, one more loop, loss


def test_a_warned_side_loses_by_one_more_loop():
    events, verdict = stands(CHASE, CHASING * 6, WARNED)
    assert events == [(12, "red_must_change"), (16, "red_loses")]
    assert verdict == "red_loses"
    assert judge(CHASE, CHASING * 3, WARNED).outcome() is None


def test_a_warned_side_that_changes_plays_on():
    events, verdict = stands(CHASE, CHASING * 3 + ASIDE[:1], WARNED)
    assert events == [(12, "red_must_change")]
    assert verdict == "ongoing"


def test_a_warning_is_remembered_when_the_side_comes_back_to_the_loop():
    events, verdict = stands(CHASE, CHASING * 3 + ASIDE + CHASING, WARNED)
    assert events == [(12, "red_must_change"), (20, "red_loses")]
    assert verdict == "red_loses"


def test_a_capture_wipes_the_slate():
    fen = "4k4/9/9/9/R8/9/5n3/8p/9/3K4R w - - 0 1"
    moves = CHASING * 2 + ["i0i2", "f3g5", "i2i0", "g5f3"] + CHASING * 2
    assert judge(fen, moves, WARNED).verdict == "ongoing"
    assert len(judge(fen, moves, WARNED).events) == 0


def test_grace_may_be_longer_or_none():
    two = WARNED.with_values(grace_loops=2)
    assert stands(CHASE, CHASING * 6, two)[0] == [(12, "red_must_change"), (20, "red_loses")]
    none = WARNED.with_values(grace_loops=0)
    assert stands(CHASE, CHASING * 6, none)[0] == [(12, "red_loses")]
    assert stands(CHASE, CHASING * 6, "axf")[0] == [(8, "red_loses")]


@pytest.mark.parametrize("rules", ["club2008", "cxa1999", "cxa2011", "cxa2020"])
def test_a_perpetual_chase_is_announced_by_the_chinese_books(rules):
    assert stands(CHASE, CHASING * 5, rules)[0] == [(12, "red_must_change"), (16, "red_loses")]
    assert stands(CHASE, CHASING * 4 + ASIDE[:1], rules)[1] == "red_loses"
    assert stands(CHASE, CHASING * 3 + ASIDE[:1], rules)[1] == "ongoing"


@pytest.mark.parametrize(
    ("rules", "ply"),
    [("axf", 8), ("wxf2018", 8), ("xqbase", 12), ("fairy_axf", 8), ("pikafish", 8)],
)
def test_a_perpetual_chase_loses_at_once_elsewhere(rules, ply):
    assert stands(CHASE, CHASING * 4, rules)[0] == [(ply, "red_loses")]


@pytest.mark.parametrize("rules", rule_books())
def test_the_natural_limit_of_every_book(rules):
    limit = rule_book(rules).natural_limit_plies
    assert limit in (100, 120)
    before = judge(QUIET.format(limit - 3), SHUFFLE[:2], rules)
    assert (before.verdict, before.events) == ("ongoing", ())
    at = judge(QUIET.format(limit - 3), SHUFFLE[:3], rules)
    assert (at.verdict, at.ply) == ("draw", 3)
    assert (at.outcome() is None) == rule_book(rules).natural_limit_on_claim


# ---------------------------------------------------------------- what the arbiter has to decide


@pytest.fixture
def blind(monkeypatch):
    """Searches that may use no node: what is not a check cannot be told."""
    monkeypatch.setattr(threats, "NODES", 0)
    monkeypatch.setattr(threats, "MATE_NODES", 0)
    natures.forget()
    yield
    natures.forget()


@pytest.mark.usefixtures("blind")
def test_an_undecided_loop_is_reported_once_and_while_it_lasts():
    assert first_change(CHASE, CHASING * 5, "club2008") == (12, "undecided")
    assert stands(CHASE, CHASING * 5) == ([(12, "undecided")], "undecided")
    ruling = judge(CHASE, CHASING * 5)
    assert ruling.outcome() is None
    assert len(ruling.loop.readings) == 2
    assert "需裁判认定" in ruling.text()


@pytest.mark.usefixtures("blind")
def test_a_game_that_left_an_undecided_loop_goes_on():
    ruling = judge(CHASE, CHASING * 3 + ASIDE[:1])
    assert ruling.verdict == "ongoing"
    assert ruling.first_due == 12
    assert ruling.loop is None
    assert "此前" in ruling.text()


@pytest.mark.usefixtures("blind")
def test_coming_back_to_an_undecided_loop_is_reported_again():
    ruling = judge(CHASE, CHASING * 3 + ASIDE + CHASING)
    assert [event.ply for event in ruling.events] == [12, 20]


# ---------------------------------------------------------------- other ends


@pytest.mark.parametrize(
    "row", [r for r in rows("xiangqi_repetition.jsonl") if not r["cycle"]], ids=lambda r: r["id"]
)
def test_counters_of_the_reference_cases(row):
    for rules in ("club2008", "axf"):
        if rules in row["expected"]:
            ruling = judge(row["fen"], row["moves"], rules)
            assert ruling.verdict == row["expected"][rules]
            assert ruling.ply == len(row["moves"])


QUIET = "5k2r/9/9/9/9/9/9/9/R8/3K5 w - - {} 60"
SHUFFLE = ["a1a2", "i9i8", "a2a3", "i8i7", "a3a4", "i7i6"]


def test_the_natural_limit_waits_for_a_claim():
    ruling = judge(QUIET.format(118), SHUFFLE)
    assert (ruling.verdict, ruling.ply, ruling.plies_after) == ("draw", 2, 0)
    assert ruling.event.on_claim
    assert ruling.outcome() is None
    assert "经一方提出" in ruling.text()


def test_a_capture_ends_the_claim():
    ruling = judge("5k3/9/8R/8r/9/9/9/9/9/3K5 w - - 118 60", ["d0d1", "f9f8", "i7i6"])
    assert ruling.verdict == "ongoing"
    assert ruling.first_due == 2


def test_the_natural_limit_may_come_by_itself():
    book = CLUB.with_values(natural_limit_on_claim=False)
    ruling = judge(QUIET.format(118), SHUFFLE, book)
    assert (ruling.ply, ruling.plies_after) == (2, 4)
    assert ruling.outcome().termination is Termination.NATURAL_LIMIT


def test_forty_rounds_and_no_limit():
    forty = CLUB.with_values(natural_limit_rounds=40)
    assert judge(QUIET.format(78), SHUFFLE, forty).ply == 2
    none = CLUB.with_values(natural_limit_rounds=0)
    assert judge(QUIET.format(500), SHUFFLE, none).verdict == "ongoing"


@pytest.mark.parametrize(
    ("fen", "moves", "verdict", "rule", "termination"),
    [
        ("3k5/9/9/9/9/9/9/9/1R7/R3K4 w", ["a0a9"], "ongoing", None, None),
        ("3k5/1R7/9/9/9/9/9/9/9/R3K4 w", ["a0a9"], "black_loses", "S0-XQ-14",
         Termination.CHECKMATE),
        ("3k5/9/4P4/9/9/9/9/9/9/5K3 w", ["e7e8"], "black_loses", "S0-XQ-15",
         Termination.STALEMATE),
        ("3k5/9/9/9/9/9/9/9/5r3/5K3 w", ["f0f1"], "draw", "S0-XQ-21",
         Termination.INSUFFICIENT_MATERIAL),
    ],
)  # fmt: skip
def test_ends_without_repetition(fen, moves, verdict, rule, termination):
    ruling = judge(fen, moves)
    assert ruling.verdict == verdict
    outcome = ruling.outcome()
    assert (outcome and outcome.termination) == termination
    assert ruling.rule_ids == ((rule,) if rule else ())


def test_an_empty_game_goes_on():
    ruling = arbiter.judge(Board())
    assert (ruling.verdict, ruling.ply, ruling.events) == ("ongoing", 0, ())


# ---------------------------------------------------------------- inputs and outputs


def test_a_game_is_judged_by_its_main_line():
    game = Game.from_moves(CHECKING * 4, CHECK)
    game.root.next.add("d4d5").add("e9e8")
    ruling = arbiter.judge(game)
    assert (ruling.verdict, ruling.ply) == ("red_loses", 16)


def test_judging_leaves_the_board_alone():
    board = Board(CHECK)
    for move in CHECKING:
        board.push(move)
    before = board.fen(), board.move_stack
    arbiter.judge(board)
    assert (board.fen(), board.move_stack) == before


def test_whole_games_of_all_reference_loops():
    """Played out, each loop is ruled at the ply at which the book says, as the loop itself is."""
    for row in rows("xiangqi_repetition.jsonl"):
        if "axf" not in row["expected"] or not row["cycle"]:
            continue
        ruling = judge(row["fen"], row["setup"] + row["cycle"] * 4, "axf")
        if ruling.rule_ids == ("AXF-material",):
            continue
        assert ruling.verdict == row["expected"]["axf"], row["id"]
        assert ruling.ply <= len(row["moves"]), row["id"]


def test_the_ruling_is_data_and_stamped():
    data = json.loads(json.dumps(judge(CHECK, CHECKING * 4).to_dict(), ensure_ascii=False))
    assert data["verdict"] == "red_loses"
    assert data["rules"] == {"id": "club2008", "zh": CLUB.zh, "hash": CLUB.hash}
    assert data["program"]["name"] == "qiyuan-games"
    assert data["loop"]["plies"][1]["nature"] == "check"
    assert data["events"][0]["text"].startswith("第 16 着走完，同一局面第 5 次出现，红方长将")


def test_unknown_rules_are_refused():
    with pytest.raises(ValueError, match="axf"):
        arbiter.judge(Board(), "fide")


def shuttling_game(seed: int, plies: int = 120) -> Board:
    """A random game in which moves are often taken back, so that positions recur."""
    rng = random.Random(seed)
    board = Board(rng.choice(reference_fens()))
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        back = board.move_stack[-2][::-1] if len(board.move_stack) > 1 else None
        again = Move(*back) if back else None
        quiet = [move for move in moves if not board.is_capture(move)] or moves
        board.push(again if again in moves and rng.random() < 0.75 else rng.choice(quiet))
    return board


@pytest.mark.parametrize("rules", ["club2008", "axf", WARNED], ids=["club2008", "axf", "warned"])
def test_a_ruling_does_not_depend_on_what_is_played_later(rules):
    """A game is over at the first move after which its beginning alone is over."""
    for seed in range(12):
        game = shuttling_game(seed)
        ruling = arbiter.judge(game, rules)
        board = game.root()
        over = arbiter.judge(board, rules).outcome()
        for move in game.move_stack:
            if over is not None:
                break
            board.push_unchecked(move)
            over = arbiter.judge(board, rules).outcome()
        assert over == ruling.outcome()
        if over is not None:
            assert len(board.move_stack) == ruling.ply
