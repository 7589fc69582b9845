"""The referee's board: set-ups, elimination, partners, draws, taking back, texts, refusals."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from junqi import (
    PRESETS,
    Board,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    Move,
    Rules,
    Status,
    Termination,
    breaches,
    parse_point,
    random_army,
)
from junqi.board import Board as SameBoard
from tests.junqi.positions import game, scattered

ARMY = "icgdiebefkhacgdfhkjigljhj"
FLAGS = "0l@S62,1l@E62,2l@N62,3l@W62"
SCOUTS = "0h@S13,1h@E13,2h@N13,3h@W13"


def changed(army: str, **letters: str) -> str:
    """The army with some places exchanged: ``p0="k"`` swaps place 0 with the first k."""
    made = list(army)
    for place, letter in letters.items():
        i, j = int(place[1:]), made.index(letter)
        made[i], made[j] = made[j], made[i]
    return "".join(made)


def test_set_up_rules_are_checked_and_named() -> None:
    assert breaches(ARMY) == ()
    assert "炸弹不能放在第一排" in str(breaches(changed(ARMY, p2="k"))[0])
    assert "地雷只能放在最后两排" in str(breaches(changed(ARMY, p6="j"))[0])
    assert "军旗必须放在大本营" in str(breaches(changed(ARMY, p20="l"))[0])
    assert len(breaches("a" * 25)) == 12
    assert "24 枚" in str(breaches(ARMY[:24])[0])
    with pytest.raises(InvalidPosition, match=r"东方布阵.*S3B-JQ-6"):
        Board.from_armies([ARMY, changed(ARMY, p2="k"), ARMY, ARMY])
    with pytest.raises(InvalidPosition, match="4 支"):
        Board.from_armies([ARMY] * 2)
    several = changed(changed(ARMY, p2="k"), p6="j")
    with pytest.raises(InvalidPosition) as caught:
        Board.from_armies([several] * 2, "luzhan60")
    assert "炸弹" in str(caught.value)
    assert "地雷" in str(caught.value)


def test_random_armies_are_lawful() -> None:
    rng = Random(1)
    assert all(breaches(random_army(rng)) == () for _ in range(300))


def test_presets() -> None:
    assert Rules.preset("standard") == Rules()
    assert not Rules.preset("event_s3b").flag_reveal
    assert Board.from_armies([ARMY] * 2, rules="luzhan").map.name == "luzhan60"
    assert set(PRESETS) == {"standard", "event_s3b", "luzhan", "ccgc"}
    for bad in ({"board": "x"}, {"mode": "half"}, {"quiet_limit": -1}, {"timeout_limit": 0}):
        with pytest.raises(ValueError, match=r"\("):
            Rules(**bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such preset"):
        Rules.preset("nothing")
    with pytest.raises(ValueError, match="no such switch"):
        Rules.preset("standard", nothing=1)


def test_the_flag_falls_and_the_partner_plays_on() -> None:
    board = Board(f"siguo129 0 {FLAGS},{SCOUTS},0b@E52,1c@E33,1i@C11,3g@W33")
    for move in ("S13-S23", "E13-E23", "N13-N23", "W13-W23"):
        board.push(move)
    board.push("E52-E62")
    assert board.alive == (0, 2, 3)
    assert board.piece_at("E62") == "0b"
    assert not any(text[0] == "1" for text in board.piece_map().values())
    assert board.outcome() is None
    assert board.turn == 2
    assert board.events[-1].to_dict()["out"] == [[1, "flag"]]
    board.pop()
    assert board.alive == (0, 1, 2, 3)
    assert board.piece_at("C11") == "1i"


def test_a_bomb_takes_a_flag_and_both_leave() -> None:
    board = Board("luzhan60 0 0l@S62,0k@N52,0h@S13,1l@N62,1h@N13")
    board.push("N52-N62")
    assert board.piece_at("N62") is None
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.FLAG_CAPTURED, 0)


def test_without_moves_seats_go_out_one_after_the_other() -> None:
    """Both enemies boxed in or without pieces: out in turn, and the mover's team has won."""
    board = Board(f"siguo129 0 {FLAGS},0h@S13,2h@N13,1j@E61,3j@W61")
    assert board.alive == (0, 1, 2, 3)
    board.push("S13-S23")
    assert board.alive == (0, 2, 3)
    assert board.turn == 2
    board.push("N13-N23")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.NO_MOVABLE_PIECE, 0)


def test_last_movable_pieces_kill_each_other() -> None:
    """S3B-JQ-10: the side whose turn comes first is out, so the attacker's team wins."""
    board = Board("luzhan60 0 0l@S62,0h@S13,1l@N62,1h@N13")
    board.push("S13-N13")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_allies_neither_fight_nor_make_way() -> None:
    board = Board(f"siguo129 0 {FLAGS},0d@S13,2h@C22,1h@E13,3h@W13")
    refusal = board.why_illegal(Move.parse("S13-C22"))
    assert refusal is not None
    assert "盟友" in refusal.zh
    assert Move.parse("S13-C12") not in board.legal_moves
    assert Move.parse("S13-C32") in board.legal_moves


def test_two_commanders_show_two_flags_unless_the_rules_say_no() -> None:
    position = f"siguo129 0 {FLAGS},0a@S13,0h@S24,1h@E24,2h@N24,3a@C32,3h@W24"
    board = Board(position)
    board.push("S13-C32")
    assert board.flags_shown == (True, False, False, True)
    assert board.events[-1].shown == ((0, parse_point("S62")), (3, parse_point("W62")))
    assert board.view(1).candidates("W62") == "l"
    letter = Board(position, "event_s3b")
    letter.push("S13-C32")
    assert letter.flags_shown == (False,) * 4
    assert "shown" not in letter.events[-1].to_dict()


def test_resignation_in_turn_and_out_of_turn() -> None:
    board = Board(f"siguo129 0 {FLAGS},{SCOUTS}")
    board.resign(2)
    assert (board.alive, board.turn) == ((0, 1, 3), 0)
    board.resign(0)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.RESIGNATION, 1)
    for act in (board.timeout, lambda: board.resign(1), lambda: board.offer_draw(1)):
        with pytest.raises(IllegalMove, match="over"):
            act()
    board.take_back()
    board.take_back()
    assert board.alive == (0, 1, 2, 3)
    with pytest.raises(IllegalMove):
        board.take_back()
    board.resign(0)
    assert board.turn == 1
    with pytest.raises(IllegalMove, match="out"):
        board.resign(0)


def test_a_draw_needs_everybody_and_a_move_cancels_it() -> None:
    board = Board(f"siguo129 0 {FLAGS},{SCOUTS}")
    assert not board.offer_draw(0)
    assert not board.offer_draw(1)
    board.push("S13-S23")
    assert board.draw_accepted == frozenset()
    assert not any(board.offer_draw(seat) for seat in (1, 2, 3))
    board.refuse_draw(0)
    assert board.draw_accepted == frozenset()
    assert [board.offer_draw(seat) for seat in (3, 2, 1, 0)] == [False, False, False, True]
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.AGREEMENT, None)


def test_a_timeout_is_no_move() -> None:
    board = Board(f"siguo129 0 {FLAGS},{SCOUTS}")
    board.push("S13-S23")
    board.timeout()
    assert (board.quiet, board.ply, board.turn, board.timeouts) == (1, 1, 2, (0, 1, 0, 0))
    assert board.pop() == Move.parse("S13-S23")
    assert (board.turn, board.timeouts) == (0, (0,) * 4)


def test_quiet_limit_counts_plies_of_the_table() -> None:
    board = Board(f"siguo129 0 {FLAGS},{SCOUTS} quiet=69")
    board.push("S13-S23")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.rule) == (Termination.NATURAL_LIMIT, "S3B-JQ-11")
    assert Board(f"siguo129 0 {FLAGS},{SCOUTS} quiet=70").outcome() == outcome
    assert Board(f"siguo129 0 {FLAGS},{SCOUTS} quiet=70", Rules(quiet_limit=0)).outcome() is None


def test_refusals_are_given_exactly_for_what_is_not_legal() -> None:
    for seed in range(12):
        rng = Random(seed)
        name = ("siguo129", "luzhan60")[seed % 2]
        tokens, turn = scattered(rng, name)
        board = Board.from_tokens(tokens, name, turn)
        legal = set(board.legal_moves)
        if board.outcome() is not None:
            continue
        starts = rng.sample(range(129), 30) + [m.from_point for m in legal][:20]
        for start in starts:
            for target in range(129):
                move = Move(start, target)
                if start != target:
                    assert (board.why_illegal(move) is None) == (move in legal), (tokens, move)


@pytest.mark.parametrize(
    ("move", "words", "rule"),
    [
        ("S62-S52", "军旗不能移动", "S3B-JQ-6"),
        ("S64-S54", "大本营", "S3B-JQ-5"),
        ("E13-E23", "该南方走", "S3B-JQ-4"),
        ("C22-C21", "没有棋子", "S3B-JQ-4"),
        ("S13-E22", "不是相邻的公路", "S3B-JQ-2"),
        ("S13-C12", "C22 的棋子挡住", "S3B-JQ-3"),
        ("S51-S44", "不是相邻的公路", "S3B-JQ-2"),
        ("S13-S55", "只有工兵能拐弯", "S3B-JQ-3"),
        ("S32-S33", "行营", "S3B-JQ-4"),
    ],
)
def test_refusals_say_which_rule(move: str, words: str, rule: str) -> None:
    board = Board(
        f"siguo129 0 {FLAGS},0d@S13,0e@S64,0e@S51,0f@S32,1h@E13,1g@C22,1i@S33,2h@N13,3h@W13"
    )
    if "C22-" in move:
        board = Board(f"siguo129 0 {FLAGS},{SCOUTS}")
    with pytest.raises(IllegalMove, match=words) as caught:
        board.push(move)
    assert caught.value.rule == rule
    assert caught.value.text == move
    assert "l@" not in caught.value.position  # what a player reads holds no ranks


@pytest.mark.parametrize("text", ["S11", "S11-S11", "X11-S12", "S71-S12", "S11 W15 x", "S16-S11"])
def test_no_moves(text: str) -> None:
    with pytest.raises(InvalidMove):
        Move.parse(text)


def test_moves_of_the_other_board() -> None:
    board = Board.from_armies([ARMY] * 2, "luzhan60")
    with pytest.raises(IllegalMove, match="不在棋盘上"):
        board.push("S11-W15")


def test_status_tells_every_defect() -> None:
    assert Board.from_armies([ARMY] * 4).status() == Status.VALID
    assert game(1, 80).is_valid()
    board = Board("luzhan60 0 0a@S11,0a@S12,0j@S13,1l@S33,1h@N13")
    assert board.status() == (
        Status.TOO_MANY | Status.NO_FLAG | Status.FLAG_MISPLACED | Status.MINE_MISPLACED
    )
    alone = Board("siguo129 0 0l@S62,0h@S13,2l@N62,2h@N13")
    assert Status.TOO_FEW_SEATS in alone.status()
    assert alone.outcome() is not None


@pytest.mark.parametrize(
    "text",
    [
        "siguo129 0",
        "siguo130 0 0l@S62",
        "siguo129 4 0l@S62",
        "siguo129 0 0x@S62,1l@E62",
        "siguo129 0 0l@S62,0h@S62,1l@E62",
        "siguo129 0 0l@S62,1l@E62 quiet=x",
        "siguo129 0 0l@S62,1l@E62 loud=3",
        "siguo129 0 0l@S62,1l@E62 alive=03",
        "siguo129 2 0l@S62,1l@E62",
        "siguo129 0 0l@S62,1l@E62 timeouts=1",
        "luzhan60 0 0l@S62,1l@E62",
        "luzhan60 0 0l@S62,2l@N62",
        "luzhan60 0 abc/def",
        "siguo129 0 " + ",".join(f"0h@S{r}{c}" for r in range(1, 7) for c in range(1, 6)),
    ],
)
def test_no_positions(text: str) -> None:
    with pytest.raises(InvalidPosition):
        Board(text)


def test_texts_are_inverse() -> None:
    for seed in range(6):
        for name in ("siguo129", "luzhan60"):
            board = game(seed, 40 * seed, name)
            again = Board(board.fen())
            assert again.fen() == board.fen()
            assert again == board
            assert again.key == board.key
    assert Board.from_armies([ARMY] * 4).fen() == "siguo129 0 " + "/".join([ARMY] * 4)
    assert SameBoard is Board


def test_boards_can_be_sent_to_another_process() -> None:
    board = game(4, 60)
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert again.view(2) == board.view(2)
    assert pickle.loads(pickle.dumps(board.view(1))) == board.view(1)


def test_counts_are_the_same_after_taking_back() -> None:
    board = game(2, 50)
    before = (board.fen(), board.key, board.perft(2))
    for _ in range(20):
        board.pop()
    root = board.root()
    assert not root.events
    again = root.copy()
    for event in game(2, 50).events:
        if event.move is not None:
            again.push(event.move)
        else:
            again.timeout()
    assert (again.fen(), again.key, again.perft(2)) == before
