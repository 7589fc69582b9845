"""Attacks, roots and reasons: the kernel against the slow rule, and the sentences."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.twins import repetition as twin
from tests.twins import xiangqi as game
from tests.xiangqi import positions
from xiangqi import legality
from xiangqi.geometry import parse_square
from xiangqi.pieces import Piece
from xiangqi.repetition import outcomes, survey
from xiangqi.repetition.evidence import DEFENCE_NAMES, OUTCOME_NAMES, Attack


def crowded(seed: int, count: int):
    """Positions with many attacks that no game would show: pieces strewn over the board."""
    rng = random.Random(seed)
    while count:
        points = ["."] * 90
        points[rng.choice([3, 4, 5, 12, 13, 14, 21, 22, 23])] = "K"
        points[rng.choice([66, 67, 68, 75, 76, 77, 84, 85, 86])] = "k"
        for letter in "RRNNCCPPPrrnncccpppp":
            free = [sq for sq in range(90) if points[sq] == "."]
            points[rng.choice(free)] = letter
        for letter, places in (
            ("A", [3, 5, 13, 21, 23]),
            ("B", [2, 6, 18, 22]),
            ("B", [26, 38, 42, 22]),
        ):
            for own, turn in ((letter, False), (letter.lower(), True)):
                sq = rng.choice(places)
                sq = 89 - sq if turn else sq
                if points[sq] == ".":
                    points[sq] = own
        if not game.facing(tuple(points)) or rng.random() < 0.1:
            count -= 1
            yield game.Position(tuple(points), rng.random() < 0.5)


def compare(pos: game.Position) -> int:
    codes, count = np.array(positions.codes(pos), np.uint8), 0
    for side in (0, 1):
        found = {
            (a.attacker.square, a.victim.square): (
                OUTCOME_NAMES[a.outcome],
                frozenset(d.defender.square for d in a.defences if d.holds),
            )
            for a in survey(codes, side)
        }
        wanted = {(a, v): (what, held) for a, v, what, held in twin.attacks(pos.points, side == 0)}
        assert found == wanted, game.placement(pos)
        count += len(found)
    assert codes.tolist() == positions.codes(pos)
    return count


def test_attacks_and_roots_equal_the_slow_rule_in_play():
    assert sum(compare(pos) for pos in positions.sample(20080101, 25, 100, 5)) > 500


def test_attacks_and_roots_equal_the_slow_rule_in_crowds():
    assert sum(compare(pos) for pos in crowded(5, 250)) > 3000


def test_false_roots_are_explained_as_the_board_explains_illegal_moves():
    """A blocked defender is one whose retake the rules of movement forbid, by the same cause."""
    rules = {
        outcomes.LEG_BLOCKED: "S0-XQ-10",
        outcomes.EYE_BLOCKED: "S0-XQ-9",
        outcomes.WAY_BLOCKED: "S0-XQ-11",
        outcomes.NO_SCREEN: "S0-XQ-12",
        outcomes.TOO_MANY_SCREENS: "S0-XQ-12",
    }
    seen = set()
    for pos in crowded(11, 80):
        codes = positions.codes(pos)
        for attack in (a for side in (0, 1) for a in survey(np.array(codes, np.uint8), side)):
            after = list(codes)
            after[attack.victim.square] = after[attack.attacker.square]
            after[attack.attacker.square] = 0
            for defence in attack.defences:
                if defence.outcome not in rules:
                    continue
                seen.add(defence.outcome)
                defender = defence.defender
                refusal = legality.explain(
                    after, defender.piece.color, defender.square, attack.victim.square
                )
                assert refusal is not None
                assert refusal.rule == rules[defence.outcome]
                if defence.cause is not None and defence.outcome != outcomes.TOO_MANY_SCREENS:
                    assert refusal.squares == (defence.cause.square,)
    assert seen == set(rules)


def place(text: str) -> np.ndarray:
    """Piece codes of ``"Ke0 kd9 Rf3"``."""
    codes = np.zeros(90, np.uint8)
    for word in text.split():
        codes[parse_square(word[1:])] = Piece.from_symbol(word[0]).code
    return codes


def only(text: str, attacker: str, victim: str, **options: bool) -> Attack:
    pair = (parse_square(attacker), parse_square(victim))
    codes = place(text)
    side = codes[pair[0]] >> 3
    [found] = [attack for attack in survey(codes, int(side), **options) if attack.pair == pair]
    return found


@pytest.mark.parametrize(
    ("text", "attacker", "victim", "outcome", "defences", "words"),
    [
        ("Ke0 kd9 Rf3 nd3", "f3", "d3", "gain", [], "没有子保护"),
        ("Ke0 kd9 Rf3 nd3 rd5", "f3", "d3", "rooted", ["root"], "是真根"),
        ("Ke0 kd9 Rf3 nd3 ne5", "f3", "d3", "rooted", ["root"], "是真根"),
        ("Ke0 kd9 Rf3 nd3 ne5 pe4", "f3", "d3", "gain", ["leg_blocked"], "马腿被黑卒(e4)挡住"),
        ("Kd0 ke9 Ri5 ng5 be7", "i5", "g5", "rooted", ["root"], ""),
        ("Kd0 ke9 Ri5 ng5 be7 pf6", "i5", "g5", "gain", ["eye_blocked"], "象眼被黑卒(f6)塞住"),
        ("Kd0 ke9 Ri5 ng5 be7 Re1", "i5", "g5", "gain", ["exposes_general"], "被红车(e1)将军"),
        ("Ke0 ke9 Ri5 ng5 be7", "i5", "g5", "gain", ["exposes_general"], "将帅照面"),
        ("Kf0 ke9 Ri5 nd5 rd8 pd7", "i5", "d5", "gain", ["way_blocked"], "去路被黑卒(d7)挡住"),
        ("Kf0 ke9 Ri5 nd5 cd8", "i5", "d5", "gain", ["no_screen"], "没有炮架"),
        ("Kf0 ke9 Ri5 nd5 cd9 pd7", "i5", "d5", "rooted", ["root"], ""),
        ("Kf0 ke9 Ri5 nd5 cd9 pd8 pd7", "i5", "d5", "gain", ["too_many_screens"], "隔了两个子"),
        ("Ke0 kd9 Ra8 nd8", "a8", "d8", "rooted", ["root"], "黑将(d9)可以吃回"),
        ("Ke0 kd9 Ra8 nd8 Rd1", "a8", "d8", "gain", ["square_guarded"], "该点受红车(d1)控制"),
        ("Kd0 ke9 Ra9 nd9", "a9", "d9", "gain", ["square_guarded"], "将帅照面"),
        # A cannon that could retake only along the line which the chariot has just left.
        ("Ke0 kd9 ca4 pb4 Rd4 ng4", "d4", "g4", "gain", ["behind_chariot"], "身后"),
        ("Ke0 kd9 cg1 pg2 ng4 Ri4", "i4", "g4", "rooted", ["root"], ""),
        # A check that stands already would have been answered first: the root holds.
        ("Kf0 ke9 Re5 nd4 Ri4 rd3", "i4", "d4", "rooted", ["root"], ""),
        ("Ke0 kd9 Ne1 re8 rc2", "e1", "c2", "attacker_pinned", [], "被黑车(e8)将军"),
        ("Ke0 ke9 Re5 na5", "e5", "a5", "attacker_pinned", [], "将帅照面"),
        ("Ke0 kd9 Rh4 ra4", "h4", "a4", "offer", [], "兑"),
        ("Kd0 ke9 re7 Ri7 Re1", "i7", "e7", "gain_like", [], "吃则被红车(e1)将军"),
        ("Kf0 ke9 Ne3 nd5 pd4", "e3", "d5", "gain_like", [], "对方不能先吃"),
        ("Ke0 kd9 Cb4 pd4 rg4 rg8", "b4", "g4", "gain_chariot", ["root"], "有根也算捉"),
        ("Ke0 kd9 ne1", "e0", "e1", "exempt_attacker", [], "不算捉"),
        ("Ke0 kd9 Pa6 na7", "a6", "a7", "exempt_attacker", [], "不算捉"),
        ("Ke0 kd9 Ri6 pa6", "i6", "a6", "exempt_victim", [], "未过河"),
        ("Ke0 kd9 Ri4 pa4", "i4", "a4", "gain", [], ""),
        ("Kf0 ke9 Be2 rc4 ra4", "e2", "c4", "rooted", ["root"], ""),
        ("Ke0 kd9 Rd4", "d4", "d9", "check", [], "红车(d4)将军"),
    ],
)
def test_one_reason_each(text, attacker, victim, outcome, defences, words):
    attack = only(text, attacker, victim)
    assert OUTCOME_NAMES[attack.outcome] == outcome
    assert [DEFENCE_NAMES[d.outcome] for d in attack.defences] == defences
    assert words in attack.text()


def test_a_chariot_that_shields_its_general_from_a_horse_is_marked():
    attack = only("Kd0 ke9 Ng8 rf8 Rf2", "f2", "f8")
    assert str(attack.pinning_horse) == "红马(g8)"
    assert only("Kd0 ke9 Ng7 rf8 Rf2", "f2", "f8").pinning_horse is None


def test_guards_that_attack_a_chariot_gain_only_where_the_book_says_so():
    wide = only("Kf0 ke9 Be2 rc4 ra4", "e2", "c4", guards_gain=True)
    assert OUTCOME_NAMES[wide.outcome] == "gain_by_guard"


def test_every_attack_renders_and_serialises():
    for pos in crowded(3, 20):
        for attack in survey(np.array(positions.codes(pos), np.uint8), 1):
            data = attack.to_dict()
            assert data["text"] == attack.text()
            assert data["text"].startswith("黑")
