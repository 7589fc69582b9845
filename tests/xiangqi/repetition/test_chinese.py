"""Natures and verdicts of the Chinese family, held against the official loops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.xiangqi.repetition import cases
from xiangqi import threats
from xiangqi.repetition import Nature, chinese, judge_loop, natures, rule_book

LETTERS = {
    Nature.CHECK: "J",
    Nature.MATE_THREAT: "S",
    Nature.CHASE: "Z",
    Nature.JOINT_CHASE: "L",
    Nature.IDLE: "X",
}
CLUB = rule_book("club2008")


def ruling(row, book):
    return judge_loop(*cases.case(row), book)


def found(row, book="cxa2020"):
    return "".join(LETTERS[ply.nature] for ply in ruling(row, book).plies)


NATURES_THAT_DIFFER = {
    # The mating move takes a like piece that could take first: the book calls it chase or idle.
    "cxa2020-F17": "JXSS",
    "cxa2020-F29x1": "SSSSSS",
    # A pawn's attack that the cannon behind it makes stronger: pawns' attacks are left out.
    "cxa2020-R11": "XXXX",
    # The chariot wins a horse and loses a cannon elsewhere: the book leaves that chase out.
    "cxa2020-R38": "ZZZL",
    # The same elephant falls with and without the check before it.
    "cxa2020-R41": "ZZXZ",
    # Horse taken on a rooted point by three pieces, with loss elsewhere: joint for us.
    "cxa2020-R49": "ZZZL",
}
"""Official loops where a nature differs, with what is found: every one is looked at."""


def test_natures_of_the_official_loops():
    rows = [row for row in cases.rows("cxa2020") if row.get("natures")]
    differ = {row["id"]: n for row in rows if (n := found(row)) != row["natures"]}
    assert differ == NATURES_THAT_DIFFER
    pairs = [(a, b) for row in rows for a, b in zip(found(row), row["natures"], strict=True)]
    assert len(pairs) == 198
    assert sum(a == b for a, b in pairs) == 190


@pytest.mark.parametrize("book", ["cxa2020", "cxa1999"])
def test_verdicts_of_the_official_loops(book):
    wrong = {
        row["id"]
        for row in cases.rows(book)
        if row["cycle"] and ruling(row, book).verdict != row["expected"][book]
    }
    assert wrong == ({"cxa2020-F29x1"} if book == "cxa2020" else set())


def test_verdicts_of_the_club_where_they_are_reliable():
    wrong, right = [], 0
    for row in cases.loops():
        wanted = {**row.get("expected_derived", {}), **row["expected"]}.get("club2008")
        reliable = row.get("club2008_confidence", "exact").startswith(("exact", "high", "medium"))
        if wanted is None or not reliable:
            continue
        if ruling(row, "club2008").verdict == wanted:
            right += 1
        else:
            wrong.append(row["id"])
    assert wrong == ["cxa2020-F29x1"]
    assert right >= 50


def test_every_finding_says_why():
    for row in cases.rows("cxa2020"):
        for ply in ruling(row, "cxa2020").plies:
            assert ply.certain
            if ply.nature in (Nature.MATE_THREAT, Nature.CHASE, Nature.JOINT_CHASE):
                assert ply.note.endswith(("是杀", "是捉", "是联合捉"))
                assert all(victim.piece.color != ply.side for victim in ply.victims)


def test_holding_the_key_square_is_a_setting():
    """图18: Red's only chariot holds the draw and happens to hit an elephant."""
    row = next(r for r in cases.loops() if r["id"] == "cxa2020-F18")
    assert ruling(row, "cxa2020").verdict == "draw"
    assert "要点" in ruling(row, "cxa2020").plies[2].note
    assert ruling(row, rule_book("cxa2020").with_values(key_square=False)).verdict == "red_loses"


def test_a_pawn_attack_is_idle_but_remembered():
    """Red's pawn goes to and fro beside a bare horse; Black's general waits."""
    fen = "5k3/9/9/2n1P4/9/9/9/9/9/3K5 w - - 0 1"
    loop = judge_loop(fen, "", "e6d6 f9f8 d6e6 f8f9", "club2008")
    assert [LETTERS[ply.nature] for ply in loop.plies] == ["X", "X", "X", "X"]
    assert [ply.pawn_attack for ply in loop.plies] == [True, False, False, False]
    assert loop.verdict == "draw"


def test_a_pawn_attack_counts_while_the_other_side_is_forbidden():
    """Figure 13 of 1999 was found without its position: the table by itself."""
    fen = "5k3/9/9/2n1P4/9/9/9/9/9/3K5 w - - 0 1"
    plies = judge_loop(fen, "", "e6d6 f9f8 d6e6 f8f9", "club2008").plies
    chase = [
        replace(plies[0], pawn_attack=True),
        replace(plies[1], nature=Nature.CHASE),
        replace(plies[2], pawn_attack=True),
        replace(plies[3], nature=Nature.CHASE),
    ]
    loop = tuple(range(4))
    assert chinese.decide((), chase, loop, CLUB).verdict == "draw"
    strict = CLUB.with_values(mutual_pawn_attacks=False)
    assert chinese.decide((), chase, loop, strict).verdict == "black_loses"
    idle = [chase[0], chase[1], replace(plies[2], pawn_attack=False), chase[3]]
    assert chinese.decide((), idle, loop, CLUB).verdict == "black_loses"


def test_joint_chases_are_idle_in_the_club_and_light_in_2020():
    row = next(r for r in cases.loops() if r["id"] == "cxa2020-F27")
    assert found(row) == "ZLZL"
    assert [f.kind for f in ruling(row, "club2008").findings] == ["forbidden", "allowed"]
    assert [f.kind for f in ruling(row, "cxa2020").findings] == ["forbidden", "forbidden_light"]
    assert ruling(row, "cxa2020").verdict == ruling(row, "club2008").verdict == "red_loses"


@pytest.fixture
def blind(monkeypatch):
    """Searches that may use no node: what is not a check cannot be told."""
    monkeypatch.setattr(threats, "NODES", 0)
    monkeypatch.setattr(threats, "MATE_NODES", 0)
    natures.forget()
    yield
    natures.forget()


@pytest.mark.usefixtures("blind")
def test_what_cannot_be_searched_is_undecided_with_every_reading():
    row = next(r for r in cases.loops() if r["id"] == "syn-check-idle")
    result = ruling(row, "club2008")
    assert result.verdict == "undecided"
    assert {reading.verdict for reading in result.readings} >= {"red_loses", "draw"}
    assert "红方应变着" in " ".join(map(str, result.readings))
    assert [ply.certain for ply in result.plies] == [True, True, False, False]


def natures_of(fen, cycle, book):
    result = judge_loop(fen, "", cycle, book)
    return "".join(LETTERS[ply.nature] for ply in result.plies), result.verdict.value


@pytest.mark.parametrize("book", ["club2008", "cxa1999", "cxa2020"])
def test_a_horse_chases_a_rooted_chariot_though_checks_win_the_horse_back(book):
    """A horse for a chariot is a gain also where the horse is lost."""
    fen = "1R7/3k5/9/9/9/9/9/3n5/1R7/3A1K3 w"
    assert natures_of(fen, "b1e1 d2f3 e1b1 f3d2", book) == ("XZXZ", "black_loses")


@pytest.mark.parametrize("book", ["club2008", "cxa2020"])
def test_pursuing_an_elephant_is_no_holding_of_a_key_square(book):
    fen = "r2k5/9/9/9/9/9/9/B8/9/5K1RN w"
    assert natures_of(fen, "a2c0 a9c9 c0a2 c9a9", book) == ("XZXZ", "black_loses")


def test_an_idle_move_says_why_a_gain_that_one_sees_is_none():
    fen = "9/3k5/4b3b/9/2N5p/c8/9/9/R4K2p/1n7 w"
    first = judge_loop(fen, "", "f1f2 d8d9 f2f1 d9d8", "club2008").plies[0]
    assert first.nature == Nature.IDLE
    assert "红车(a1)吃黑卒(i1)则另有损失，得不偿失，不算捉" in first.note


def test_a_quiet_mate_is_called_a_stalemate():
    """e1e2 threatens e2e8, after which Black has no move."""
    fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w"
    ply = judge_loop(fen, "", "e1e2 d9d8 e2e1 d8d9", "club2008").plies[0]
    assert ply.nature == Nature.MATE_THREAT
    assert "困毙" in ply.note
