"""Faults met in public programs (data/xiangqi_bugs.jsonl): none of them is ours."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import arbiter
from qikit import AmbiguousMove
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import rows
from xiangqi import CLUB2008, Board, Game, Move, Status
from xiangqi.notation import parse_any, parse_chinese, parse_san, san, wxf
from xiangqi.pgn import dumps, loads

ROWS = {row["id"]: row for row in rows("xiangqi_bugs.jsonl")}

ELSEWHERE = {
    "xq25": ("tests/ai/test_xiangqi_protocol.py", "test_handshakes"),
    "xq26": (
        "tests/ai/test_xiangqi_protocol.py",
        "test_illegal_move_in_the_list_is_told_and_not_played",
    ),
}
"""Rows whose answer other tests check, and where."""

NOT_YET = {
    "xq13": "text in XQF files: the binary formats come with the arbiter's issue"
    " (the choice of an encoding for text files is tested in test_records.py)",
    "xq23": "the score of a search: there is no search in this package",
}
"""Rows out of reach of what the package does so far, and why."""


def test_every_row_has_a_place() -> None:
    here = set(re.findall(r"def test_(xq[0-9]+(?:_xq[0-9]+)*)", Path(__file__).read_text("utf-8")))
    tested = {name for names in here for name in names.split("_")}
    assert sorted([*tested, *ELSEWHERE, *NOT_YET]) == sorted(ROWS)
    for file, name in ELSEWHERE.values():
        path = Path(__file__).parents[2] / file
        assert f"def {name}(" in path.read_text("utf-8"), (file, name)


@pytest.mark.parametrize("row", ["xq01", "xq02"])
def test_xq01_xq02_numbered_pawns(row: str) -> None:
    case = ROWS[row]
    board = Board(case["input"]["fen"])
    assert str(parse_chinese(board, case["input"]["notation"])) == case["right"]["move"]
    assert board.chinese(Move.parse(case["right"]["move"])) == case["input"]["notation"]


def test_xq03_pawns_on_two_files() -> None:
    case = ROWS["xq03"]
    board = Board(case["input"]["fen"])
    for text, right in case["right"].items():
        assert str(parse_any(board, text)) == right["move"]
        assert str(parse_any(board, right["letter_form"])) == right["move"]
        assert board.chinese(Move.parse(right["move"])) == text


def test_xq04_rear_pawn_of_the_left_file() -> None:
    """The generals of the row's position face each other, which no board of ours loads: Red's is
    put one file aside, behind the pawns of that file, where it changes no name."""
    case = ROWS["xq04"]
    assert case["input"]["fen"].count("4K4") == 1
    board, right = Board(case["input"]["fen"].replace("4K4", "5K3")), case["right"]
    move = Move.parse(case["input"]["move"])
    assert board.chinese(move) == right["chinese"]
    assert wxf(board, move).replace("=", ".") == right["wxf_1997"]
    assert wxf(board, move, "2018") == right["wxf_2018_style"]
    for text in right.values():
        assert parse_any(board, text) == move


def test_xq05_two_doubled_files() -> None:
    case = ROWS["xq05"]
    board = Board(case["input"]["fen"])
    for name, (order_first, file_first, zh) in case["right"].items():
        move = Move.parse(name)
        written = wxf(board, move, "2018"), wxf(board, move).replace("=", "."), board.chinese(move)
        assert written == (order_first, file_first, zh)
        for text in (order_first, file_first, zh):
            assert parse_any(board, text) == move


def test_xq06_ambiguity_at_the_last_move_is_reported() -> None:
    case = ROWS["xq06"]
    text = f'[FEN "{case["input"]["fen"]}"]\n{case["input"]["moves_text"]}'
    [game] = loads(text)
    assert len(game.moves()) == 9
    [defect] = game.defects
    assert (defect.ply, defect.text) == (10, "Cb6")
    assert "b7b5" in defect.reason
    assert "b1b5" in defect.reason
    with pytest.raises(AmbiguousMove) as caught:
        parse_san(game.end().board(), "Cb6", 1)
    assert set(caught.value.candidates) == {"b7b5", "b1b5"}


def test_xq07_two_chariots_to_one_point() -> None:
    board = Board("4k4/9/9/9/9/8R/9/9/8R/3K5 w")
    written = [san(board, Move.parse(move)) for move in ("i4i2", "i1i2")]
    assert written == ["R4i2", "R1i2"]
    board = Board("4k4/9/9/9/9/9/9/R7R/9/3K5 w")
    assert san(board, Move.parse("i2e2")) == "Rie2+"
    for text, move in (("R4i2", "i4i2"), ("R1i2", "i1i2")):
        board = Board("4k4/9/9/9/9/8R/9/9/8R/3K5 w")
        assert str(parse_any(board, text)) == move


def test_xq08_xboard_san() -> None:
    case = ROWS["xq08"]
    [game] = loads(case["input"]["moves_text"])
    assert [str(move) for move in game.moves()] == case["right"]["moves"]
    assert game.defects == []


def test_xq09_xq10_short_fen() -> None:
    for row in ("xq09", "xq10"):
        case = ROWS[row]
        board = Board(case["input"]["fen"])
        assert board.fen() == case["right"]["fen"]
    assert len(board.legal_moves) == case["right"]["legal_moves"]


def test_xq11_impossible_point() -> None:
    with pytest.raises(ValueError, match="仕不能站在 e5") as caught:
        Board(ROWS["xq11"]["input"]["fen"])
    assert caught.value.text == ROWS["xq11"]["input"]["fen"]
    assert Status.ADVISOR_MISPLACED.is_fatal


def test_xq12_wrong_fen_tag_names_the_move() -> None:
    case = ROWS["xq12"]
    tags, moves = case["input"]["tags"], case["input"]["moves"]

    def record(fen: str) -> Game:
        text = "".join(f'[{name} "{value}"]\n' for name, value in (tags | {"FEN": fen}).items())
        [game] = loads(text + " ".join(moves))
        return game

    game = record(tags["FEN"])
    first = case["right"]["first_illegal_ply_index"]
    assert len(game.moves()) == first
    assert (game.defects[0].ply, game.defects[0].text) == (first + 1, moves[first])
    assert "炮吃子只能隔一个棋子，中间有 2 个：e3 的兵、e6 的卒" in game.defects[0].reason
    game = record(case["right"]["with_fen"]["fen"])
    assert [str(move) for move in game.moves()] == moves
    assert game.defects == []
    assert loads(dumps(game))[0].moves() == game.moves()


def test_xq14_xq15_perft() -> None:
    """To 80,000 nodes; the perft suite goes on to full depth."""
    for row in ("xq14", "xq15"):
        board = Board(ROWS[row]["input"]["fen"])
        for depth, nodes in ROWS[row]["right"]["perft"].items():
            if nodes < 80_000:
                assert board.perft(int(depth)) == nodes
    second = Board("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w")
    assert [second.perft(depth) for depth in (1, 2, 3)] == [38, 1128, 43929]


def test_xq16_stalemate_loses() -> None:
    case = ROWS["xq16"]
    board = Board(case["input"]["fen"])
    assert board.is_check() == case["right"]["in_check"]
    assert len(board.legal_moves) == case["right"]["legal_moves"]
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.result() == case["right"]["result"]


def played(row: str) -> Board:
    """The row's line on a board; every move of it is legal."""
    board = Board(ROWS[row]["input"]["fen"])
    for text in ROWS[row]["input"]["moves"]:
        board.push_uci(text)
    return board


@pytest.mark.parametrize("row", ["xq17", "xq18"])
def test_xq17_xq18_perpetual_check_and_chase_lose(row: str) -> None:
    verdict = arbiter.judge(played(row), rules="axf").verdict.value
    assert verdict == {"0-1": "red_loses", "1-0": "black_loses"}[ROWS[row]["right"]["result"]]


@pytest.mark.parametrize("row", ["xq19", "xq20", "xq21"])
def test_xq19_xq20_xq21_disputed_lines_are_legal_and_the_rules_selectable(row: str) -> None:
    board = played(row)
    assert ROWS[row]["right"]["legal"]
    for rules in ("axf", "club2008"):
        assert arbiter.judge(board, rules=rules).verdict.value


def test_xq22_long_run_of_checks() -> None:
    """The line is legal. The row says that nothing repeats; by the slow generator the position
    after ply 10 stands four times (plies 10, 14, 18, 22), with other moves between: a ban that
    asks for a repeated position finds one, and no ban comes before the third occurrence."""
    case = ROWS["xq22"]
    pos = twin.position(case["input"]["fen"])
    seen = [pos]
    for text in case["input"]["moves"]:
        pos = twin.make(pos, twin.move(text))
        seen.append(pos)
    [(most, times)] = Counter(seen).most_common(1)
    assert (times, [ply for ply, at in enumerate(seen) if at == most]) == (4, [10, 14, 18, 22])
    board = played("xq22")
    for _ in range(len(seen) - 1 - 17):
        board.pop()
    assert arbiter.judge(board, rules="axf").verdict.value == "ongoing"


def test_xq24_natural_limit_is_an_option_and_counts_the_moves_of_a_list() -> None:
    board = Board("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 117 90")
    for text in ("a1a2", "d9d8", "a2a1"):
        assert not board.is_natural_limit()
        board.push(text)
    assert board.halfmove_clock == 120
    assert board.is_natural_limit()
    assert CLUB2008.natural_limit_rounds == 60
    longer = Board(board.fen(), rules=replace(CLUB2008, natural_limit_rounds=70))
    assert not longer.is_natural_limit()


def test_xq27_compiled_perft_from_python() -> None:
    board = Board()
    assert board.perft(4) == 3_290_240
    assert sum(board.divide(3).values()) == 79_666
