"""Opening procedures: each rule played through, and what each must refuse."""

from __future__ import annotations

from typing import Any

import pytest

from gomoku import BLACK, WHITE, Board, Move
from gomoku.openings import OPENING_RULES, Opening, images_of, name_of, named_openings
from qikit import IllegalMove
from tests.gomoku.data import ids, rows


def play(rule: str, *answers: Any) -> Opening:
    opening = Opening(rule)
    for answer in answers:
        opening.answer(answer)
    return opening


@pytest.mark.parametrize("row", [r for r in rows("counts") if r["kind"] == "opening"], ids=ids)
def test_names_of_the_26_openings(row: dict[str, Any]) -> None:
    board = Board()
    for move in row["moves"]:
        board.push(move)
    expected = row["expected"]
    for symmetry in range(8):
        found = name_of(board.transform(symmetry))
        assert found is not None
        assert (found.code, found.name, found.name_zh) == (
            expected["code"],
            expected["name"],
            expected["name_zh"],
        )


def test_the_26_openings_are_all() -> None:
    """h8, a neighbour, anywhere in the 5x5: 26 different ones under the symmetries."""
    keys = set()
    for second in ("h9", "i9"):
        for x in range(5, 10):
            for y in range(5, 10):
                board = Board()
                board.push("h8")
                board.push(second)
                if board.stone_at(Move(x, y)) is None:
                    board.push(Move(x, y))
                    keys.add(board.canonical_key())
    assert len(keys) == len(named_openings()) == 26


def test_swap() -> None:
    opening = play("swap", "h8", "a1", "o15")
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person) == ("choose", 1)
    assert play("swap", "h8", "a1", "o15", "stay").black == 0
    done = play("swap", "h8", "a1", "o15", "swap")
    assert done.is_over
    assert (done.black, done.white, done.board.turn) == (1, 0, WHITE)


@pytest.mark.parametrize(
    ("answers", "black", "stones"),
    [
        (["white"], 0, 3),
        (["black"], 1, 3),
        (["two more", "a1", "b1", "white"], 1, 5),
        (["two more", "a1", "b1", "black"], 0, 5),
    ],
)
def test_swap2(answers: list[str], black: int, stones: int) -> None:
    opening = play("swap2", "h8", "h9", "j10", *answers)
    assert opening.is_over
    assert opening.black == black
    assert opening.board.stone_count == stones
    assert opening.board.turn == WHITE


def test_swap2_asks_the_first_person_for_the_colour() -> None:
    opening = play("swap2", "h8", "h9", "j10", "two more", "a1", "b1")
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person) == ("choose", 0)


def test_sanshou_with_two_fifth_stones() -> None:
    opening = play("sanshou-2", "h8", "h9", "i9", "swap", "g7")
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person, opening.ask.count) == ("offer", 1, 2)
    opening.answer(["g9", "j8"])
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person) == ("keep", 0)
    with pytest.raises(IllegalMove, match="a1"):
        opening.answer("a1")
    opening.answer("j8")
    assert opening.is_over
    assert str(opening.board.peek()) == "j8"
    assert opening.board.turn == WHITE


def test_symmetric_offers_are_refused() -> None:
    opening = play("sanshou-2", "h8", "h9", "h7", "stay", "h10")
    assert images_of(opening.board, Move.parse("g8")) == {Move.parse("g8"), Move.parse("i8")}
    for offer in (["g8", "i8"], ["g8", "g8"], ["g8"], ["h8", "g8"]):
        with pytest.raises(IllegalMove, match="offer"):
            opening.answer(offer)
    opening.answer("g8 j8")
    assert opening.ask is not None
    assert opening.ask.kind == "keep"


def test_sanshou_n_declares_with_the_opening() -> None:
    opening = play("sanshou-n", "h8", "h9", "i9")
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person) == ("declare", 0)
    with pytest.raises(IllegalMove, match="1 至"):
        opening.answer(0)
    for answer in (3, "stay", "g7"):
        opening.answer(answer)
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person, opening.ask.count) == ("offer", 0, 3)


def test_soosorv_8() -> None:
    opening = play("soosorv-8", "h8", "i9", "j10", "swap", "a1")
    assert opening.ask is not None
    # after the swap the first person is white: it put the fourth stone and declares
    assert (opening.ask.kind, opening.ask.person, opening.ask.numbers) == ("declare", 0, (1, 8))
    with pytest.raises(IllegalMove):
        opening.answer(9)
    opening.answer(2)
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person) == ("choose", 1)
    opening.answer("swap")
    assert opening.black == 0
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.person, opening.ask.count) == ("offer", 0, 2)


def test_taraguchi_10_by_swaps() -> None:
    opening = play("taraguchi-10", "h8", "stay", "h9", "swap", "i10", "stay")
    assert opening.black == 1
    assert opening.ask is not None
    assert (opening.ask.person, opening.board.turn) == (0, WHITE)
    with pytest.raises(IllegalMove, match="7×7"):
        opening.answer("a1")
    opening.answer("k8")
    assert opening.ask is not None
    assert opening.ask.choices == ("stay", "swap", "offer")
    opening.answer("swap")
    assert opening.black == 0
    with pytest.raises(IllegalMove, match="9×9"):
        opening.answer("a1")
    for answer in ("l8", "stay"):
        opening.answer(answer)
    assert opening.is_over
    assert opening.board.turn == WHITE


def test_taraguchi_10_by_offers() -> None:
    opening = play("taraguchi-10", "h8", "stay", "h9", "stay", "i10", "stay", "k8", "offer")
    assert opening.ask is not None
    assert (opening.ask.kind, opening.ask.count) == ("offer", 10)
    offer = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1"]
    opening.answer(offer)
    opening.answer("c1")
    assert opening.is_over
    assert opening.board.stone_count == 5


@pytest.mark.parametrize(("rule", "inside"), [("pro", "j10"), ("long-pro", "k11")])
def test_pro(rule: str, inside: str) -> None:
    opening = play(rule, "h8", "h9")
    with pytest.raises(IllegalMove, match="以外"):
        opening.answer(inside)
    opening.answer("l8")
    assert opening.is_over


@pytest.mark.parametrize("rule", OPENING_RULES)
def test_undo_and_copy(rule: str) -> None:
    """Every procedure is walked through; each state is rebuilt from its answers."""
    opening = Opening(rule)
    states = []
    while opening.ask is not None:
        ask = opening.ask
        states.append((ask, opening.board.fen(), opening.black))
        answer: Any
        if ask.kind in ("place", "keep"):
            answer = ask.points[len(states) % len(ask.points)]
        elif ask.kind == "choose":
            answer = ask.choices[-1]
        elif ask.kind == "declare":
            answer = ask.numbers[0]
        else:
            answer = [Move(x, 14) for x in range(ask.count)]
        opening.answer(answer)
    again = opening.copy()
    assert again.board == opening.board
    for ask, fen, black in reversed(states):
        opening = opening.undo()
        assert (opening.ask, opening.board.fen(), opening.black) == (ask, fen, black)
    with pytest.raises(IllegalMove, match="已经结束"):
        again.answer("a1")


def test_unknown_rule_and_small_board() -> None:
    with pytest.raises(ValueError, match="swap2"):
        Opening("swap3")
    with pytest.raises(ValueError, match="5"):
        Opening("swap2", size=5)
    assert BLACK == 0
