"""Moves as text: every notation there and back, known texts, peers, and what errors say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qikit import AmbiguousMove, IllegalMove, InvalidMove
from tests.xiangqi.boards import boards
from xiangqi import Board, Move
from xiangqi.notation import (
    chinese,
    iccs,
    is_move_text,
    parse_any,
    parse_chinese,
    parse_coordinates,
    parse_san,
    parse_wxf,
    san,
    split_moves,
    uci,
    wxf,
)
from xiangqi.notation.folding import fold, normal

Write = Callable[[Board, Move], str]
Read = Callable[[Board, str], Move]

CONVENTIONS: dict[str, tuple[Write, Read]] = {
    "iccs": (lambda board, move: iccs(move), parse_coordinates),
    "uci": (lambda board, move: uci(move), parse_coordinates),
    "uci 1-10": (
        lambda board, move: uci(move, 1),
        lambda board, text: parse_coordinates(board, text, 1),
    ),
    "chinese": (chinese, parse_chinese),
    "traditional": (
        lambda board, move: chinese(board, move, traditional=True, full_width=True),
        parse_chinese,
    ),
    "wxf 1997": (
        lambda board, move: wxf(board, move, "1997"),
        lambda board, text: parse_wxf(board, text, "1997"),
    ),
    "wxf 2018": (
        lambda board, move: wxf(board, move, "2018"),
        lambda board, text: parse_wxf(board, text, "2018"),
    ),
    "san": (san, lambda board, text: parse_san(board, text, 0)),
    "san 1-10": (
        lambda board, move: san(board, move, 1),
        lambda board, text: parse_san(board, text, 1),
    ),
}
NEED_AN_OPTION = ("uci 1-10", "san 1-10")


def there_and_back(board: Board) -> None:
    """Every legal move written, told apart from all others, and read again."""
    for name, (write, read) in CONVENTIONS.items():
        texts: dict[str, Move] = {}
        for move in board.legal_moves:
            text = write(board, move)
            where = f"{name} {text} {move} {board.fen()}"
            assert texts.setdefault(text, move) == move, where
            assert is_move_text(text), where
            assert read(board, text) == move, where
            if name in NEED_AN_OPTION:
                continue
            try:
                assert parse_any(board, text) == move, where
            except AmbiguousMove as error:  # two styles of WXF number the pawns otherwise
                candidates = error.candidates
                assert name.startswith("wxf"), where
                assert str(move) in candidates, where


def test_there_and_back() -> None:
    for board in boards(1, 300):
        there_and_back(board)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_there_and_back_on_10000_positions(seed: int) -> None:
    for board in boards(seed, 250):
        there_and_back(board)


PAWNS_ON_TWO_FILES = "4k4/3P1P3/4P4/3P1P3/9/9/9/9/9/3K5 w"
THREE_AND_TWO = "4k4/3P5/3P1P3/3P1P3/9/9/9/9/9/3K5 w"
FOUR_ON_ONE = "5k3/4P4/4P4/4P4/4P4/9/P8/9/9/3K5 w"
FIVE_ON_ONE = "1P1k5/1P7/1P7/1P7/1P7/9/9/9/9/4K4 w"
PAIRS = "3ak4/4a4/4R4/4R4/2C6/2C6/N8/4B4/N8/2B1K4 w"
ADVISORS = "3ak4/9/3ab4/9/2b6/9/9/9/4P4/3K5 b"


@pytest.mark.parametrize(
    ("fen", "move", "zh", "wxf_1997", "wxf_2018"),
    [
        (PAWNS_ON_TWO_FILES, "f8e8", "一兵平五", "4+=5", "14=5"),
        (PAWNS_ON_TWO_FILES, "f6e6", "二兵平五", "4-=5", "24=5"),
        (PAWNS_ON_TWO_FILES, "d8e8", "三兵平五", "6+=5", "16=5"),
        (PAWNS_ON_TWO_FILES, "d6e6", "四兵平五", "6-=5", "26=5"),
        (PAWNS_ON_TWO_FILES, "e7e8", "兵五进一", "P5+1", "P5+1"),
        (THREE_AND_TWO, "f7e7", "一兵平五", "4+=5", "14=5"),
        (THREE_AND_TWO, "d8e8", "三兵平五", "6+=5", "16=5"),
        (THREE_AND_TWO, "d7e7", "四兵平五", "66=5", "26=5"),
        (THREE_AND_TWO, "d6e6", "五兵平五", "6-=5", "36=5"),
        (FOUR_ON_ONE, "e8d8", "一兵平六", "++=6", "15=6"),
        (FOUR_ON_ONE, "e7d7", "二兵平六", "P+=6", "25=6"),
        (FOUR_ON_ONE, "e6d6", "三兵平六", "P-=6", "35=6"),
        (FOUR_ON_ONE, "e5d5", "四兵平六", "--=6", "45=6"),
        (FOUR_ON_ONE, "a3a4", "兵九进一", "P9+1", "P9+1"),
        (FIVE_ON_ONE, "b9a9", "一兵平九", "++=9", "18=9"),
        (FIVE_ON_ONE, "b7a7", "三兵平九", "P8=9", "38=9"),
        (FIVE_ON_ONE, "b5c5", "五兵平七", "--=7", "58=7"),
        (PAIRS, "e7e8", "前车进一", "R++1", "R++1"),
        (PAIRS, "e6d6", "后车平六", "R-=6", "R-=6"),
        (PAIRS, "c5c9", "前炮进四", "C++4", "C++4"),
        (PAIRS, "c4d4", "后炮平六", "C-=6", "C-=6"),
        (PAIRS, "a3b5", "前马进八", "H++8", "H++8"),
        (PAIRS, "a1b3", "后马进八", "H-+8", "H-+8"),
        (PAIRS, "e2g4", "相五进三", "E5+3", "E5+3"),
        (ADVISORS, "d9e8", "士4进5", "A4+5", "A4+5"),
        (ADVISORS, "d7e8", "士4退5", "A4-5", "A4-5"),
        (ADVISORS, "c5a7", "象3退1", "E3-1", "E3-1"),
    ],
)
def test_known_names(fen: str, move: str, zh: str, wxf_1997: str, wxf_2018: str) -> None:
    board = Board(fen)
    played = Move.parse(move)
    assert played in board.legal_moves
    assert chinese(board, played) == zh
    assert wxf(board, played) == wxf_1997
    assert wxf(board, played, "2018") == wxf_2018


def test_three_pawns_on_one_file() -> None:
    board = Board("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w")
    for move, zh, old, new in (
        ("e8f8", "前兵平四", "P+=4", "15=4"),
        ("e7f7", "中兵平四", "P5=4", "25=4"),
        ("e6f6", "后兵平四", "P-=4", "35=4"),
    ):
        assert chinese(board, Move.parse(move)) == zh
        assert wxf(board, Move.parse(move)) == old
        assert wxf(board, Move.parse(move), "2018") == new
        for text in (zh, old, new):
            assert str(parse_any(board, text)) == move


ONE_MOVE = {
    "h2e2": "炮二平五 砲二平五 包二平五 炮2平5 炮２平５ 炮二平5 C2=5 C2.5 c2.5 Ｃ２＝５ h2e2 H2-E2"
    " H2E2 h2-e2 h2–e2 Ｈ２－Ｅ２ Che2 Ch2e2 C2平5 炮二平五！ C2=5!? 62=5",
    "h0g2": "马二进三 馬二進三 傌二進三 马2进3 N2+3 H2+3 h2+3 Hg2 Hhg2",
    "i0i2": "車一進二 俥一进二 硨一進二 R1+2 Ri2",
}
"""The same move of the usual array in many hands."""

READINGS = [
    *(("", text, move) for move, texts in ONE_MOVE.items() for text in texts.split()),
    ("", "士四进五", "f0e1"),
    ("", "仕四進五", "f0e1"),
    ("", "A4+5", "f0e1"),
    ("", "将五进一", "e0e1"),
    ("", "帥五進一", "e0e1"),
    ("", "象三进五", "g0e2"),
    ("", "B3+5", "g0e2"),
    ("", "卒七进一", "c3c4"),
    ("", "c4", "c3c4"),
    ("", "Pc4", "c3c4"),
    ("", "h3h10", "h2h9"),
    ("", "Chxh10", "h2h9"),
    # both bases of SAN: no red horse reaches g3 when ranks count from 0
    ("", "Hg3", "h0g2"),
    # two on a file
    (PAIRS, "前炮进四", "c5c9"),
    (PAIRS, "前炮七进四", "c5c9"),
    (PAIRS, "炮前进四", "c5c9"),
    (PAIRS, "+C+4", "c5c9"),
    (PAIRS, "-C=6", "c4d4"),
    (PAIRS, "＋Ｃ＋４", "c5c9"),
    (PAIRS, "6++4", "c5c9"),
    (PAIRS, "C7+4", "c5c9"),  # by its file, where only one of the two can go so
    (PAIRS, "炮七进四", "c5c9"),
    (ADVISORS, "前士退5", "d7e8"),
    (ADVISORS, "後士進5", "d9e8"),
    (ADVISORS, "A+-5", "d7e8"),
    # pawns
    (PAWNS_ON_TWO_FILES, "前六平五", "d8e8"),
    (PAWNS_ON_TWO_FILES, "后六平五", "d6e6"),
    (PAWNS_ON_TWO_FILES, "前兵六平五", "d8e8"),
    (PAWNS_ON_TWO_FILES, "前兵四平五", "f8e8"),
    (PAWNS_ON_TWO_FILES, "Pa.5", "f8e8"),
    (PAWNS_ON_TWO_FILES, "Pd=5", "d6e6"),
    (PAWNS_ON_TWO_FILES, "4-.5", "f6e6"),
    (FOUR_ON_ONE, "前兵平六", "e8d8"),
    (FOUR_ON_ONE, "后兵平六", "e5d5"),
    (FOUR_ON_ONE, "Pc.6", "e6d6"),
    (FOUR_ON_ONE, "-P=6", "e5d5"),
    (FIVE_ON_ONE, "后兵平七", "b5c5"),
    ("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w", "二兵平四", "e7f7"),
    ("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w", "中五平四", "e7f7"),
    ("3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w", "P..4", "e7f7"),
]


@pytest.mark.parametrize(("fen", "text", "move"), READINGS, ids=lambda value: value[:12])
def test_readings(fen: str, text: str, move: str) -> None:
    board = Board(fen) if fen else Board()
    assert str(parse_any(board, text)) == move
    assert str(board.parse(text)) == move


def test_a_text_that_two_styles_read_differently_is_ambiguous() -> None:
    """``33.4``: the middle pawn of file 3 (1997), or the third pawn of file 3 (2018)."""
    board = Board("3k5/6P2/2P3P2/2P3P2/9/9/9/9/9/4K4 w")
    with pytest.raises(AmbiguousMove) as caught:
        parse_any(board, "33.4")
    assert set(caught.value.candidates) == {"g6f6", "g7f7"}
    assert str(parse_wxf(board, "33.4", "1997")) == "g7f7"
    assert str(parse_wxf(board, "33.4", "2018")) == "g6f6"
    one_blocked = Board("3k5/6P2/2P3P2/2P2NP2/9/9/9/9/9/4K4 w")
    assert str(parse_any(one_blocked, "33.4")) == "g7f7"


def test_front_pawns_of_two_files_are_ambiguous() -> None:
    with pytest.raises(AmbiguousMove) as caught:
        parse_chinese(Board(PAWNS_ON_TWO_FILES), "前兵平五")
    assert set(caught.value.candidates) == {"f8e8", "d8e8"}


def test_san_ambiguity_names_the_candidates() -> None:
    board = Board("3k5/9/9/9/9/9/R7R/9/9/4K4 w")
    with pytest.raises(AmbiguousMove) as caught:
        parse_san(board, "Re3")
    assert set(caught.value.candidates) == {"a3e3", "i3e3"}
    assert caught.value.text == "Re3"
    assert caught.value.position == board.fen()


def test_mixed_case_is_san() -> None:
    board = Board("r1b1kaP2/9/nc2ca3/9/9/1C7/1p7/6p1N/4K4/RN1A1AB2 b")
    assert str(parse_any(board, "A7e8")) == "f7e8"


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("h3e3", IllegalMove, "h3 上没有棋子"),
        ("马二进四", IllegalMove, "马腿被 g0 的相挡住"),
        ("Ｈ２＋４", IllegalMove, "马腿被 g0 的相挡住"),
        ("兵五平四", IllegalMove, "过河以前不能横走"),
        ("炮二进八", IllegalMove, "没有棋子能这样走"),
        ("Rb9", IllegalMove, "没有棋子能这样走"),
        ("Hxg2", IllegalMove, "没有棋子能这样走"),
        ("马五进四", IllegalMove, "没有棋子能这样走"),
        ("a0a0", IllegalMove, "必须走动"),
        ("h7e7", IllegalMove, "对方的棋子"),
        ("炮炮炮炮", InvalidMove, "不是中文着法"),
        ("你好", InvalidMove, "不是中文着法"),
        ("zz", InvalidMove, "看不懂"),
        ("", InvalidMove, "看不懂"),
        ("j0a0", InvalidMove, "看不懂"),
        ("h2e22", InvalidMove, "看不懂"),
        ("C2*5", InvalidMove, "看不懂"),
        ("h1h10", IllegalMove, "h0"),
    ],
)
def test_errors(text: str, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says) as caught:
        parse_any(Board(), text)
    assert caught.value.text == text
    assert caught.value.position == Board().fen()


def test_bases() -> None:
    board = Board()
    assert str(parse_coordinates(board, "h3e3", base=1)) == "h2e2"
    assert str(parse_any(board, "h3e3", base=1)) == "h2e2"
    for text, base in (("h0e0", 1), ("h10e10", 0)):
        with pytest.raises(InvalidMove, match="横线"):
            parse_coordinates(board, text, base)
    with pytest.raises(InvalidMove, match="横线"):
        parse_san(board, "Rb0", 1)


def test_writers_check_their_arguments() -> None:
    board = Board()
    for write in (chinese, wxf, san):
        with pytest.raises(InvalidMove, match="没有棋子"):
            write(board, Move.parse("e4e5"))
    with pytest.raises(ValueError, match="1997"):
        wxf(board, Move.parse("h2e2"), "2000")  # type: ignore[arg-type]
    assert chinese(board, Move.parse("h7e7")) == "炮8平5"  # the side not to move
    assert chinese(board, Move.parse("h7e7"), full_width=True) == "炮８平５"
    assert chinese(board, Move.parse("h9g7"), traditional=True) == "馬8進7"


def test_traditional_names() -> None:
    board = Board()
    texts = [
        chinese(board, Move.parse(move), traditional=True)
        for move in ("h2e2", "h0g2", "i0i1", "e0e1", "d0e1", "c0e2", "a3a4", "h7e7", "i9i8", "e9e8")
    ]
    assert texts == [
        "炮二平五",
        "傌二進三",
        "俥一進一",
        "帥五進一",
        "仕六進五",
        "相七進五",
        "兵九進一",
        "砲8平5",
        "車9進1",
        "將5進1",
    ]


def test_san_marks() -> None:
    board = Board("3k5/4P4/9/9/9/9/9/9/4R4/5K3 w")
    assert san(board, Move.parse("e1d1")) == "Rd1#"
    board = Board("3k5/9/9/9/9/9/9/9/4R4/5K3 w")
    assert san(board, Move.parse("e1d1")) == "Rd1+"
    board = Board("4k4/9/9/9/9/R8/9/9/R3P4/4K4 w")
    assert san(board, Move.parse("a4a3")) == "R4a3"
    assert san(board, Move.parse("a1a0")) == "Ra0"  # the other chariot cannot go there
    assert san(board, Move.parse("a1b1")) == "Rb1"


def test_folding() -> None:
    assert fold(normal("－Ｐ＋１")) == "-P+1"
    assert fold(normal("後馬進３")) == "rN+3"
    assert split_moves("炮二平五馬８進７".replace("８", "8").replace("７", "7")) == [
        "炮二平五",
        "馬8進7",
    ]
    assert split_moves("") == []
    assert split_moves("前炮五退二一兵平五") == ["前炮五退二", "一兵平五"]


def test_peer_wxf_and_san() -> None:
    """Fairy-Stockfish names the moves alike, but for what is told below."""
    pyffish = pytest.importorskip("pyffish", reason="the peer pyffish is not installed")
    compared = 0
    for board in boards(2, 60):
        fen = board.fen()
        for move in board.legal_moves:
            theirs = pyffish.get_san(
                "xiangqi", fen, uci(move, 1), False, pyffish.NOTATION_XIANGQI_WXF
            )
            ours = wxf(board, move, "2018")
            # It leaves the sign out where only one piece of the file can make such a move.
            if theirs != ours:
                assert ours[1] in "+-", (theirs, ours, fen)
                assert theirs[0] == ours[0], (theirs, ours, fen)
            assert parse_wxf(board, theirs, "2018") == move, (theirs, ours, fen)
            theirs = pyffish.get_san("xiangqi", fen, uci(move, 1), False, pyffish.NOTATION_SAN)
            # It writes P for pawns; WinBoard, whose files we read, leaves it out and always gives
            # the file of a capturing pawn.
            ours = san(board, move, 1)
            if theirs.startswith("P"):
                assert ours in (theirs[1:], "abcdefghi"[move.from_square % 9] + theirs[1:])
            else:
                assert theirs == ours, (theirs, ours, fen)
            assert parse_san(board, theirs, 1) == move, (theirs, fen)
            compared += 1
    assert compared > 1000


def test_peer_chinese() -> None:
    """cchess names the moves alike, but for pawns on two files or four on one, where it numbers
    none or some of them (its open fault); it is installed by hand where this is to be run."""
    cchess = pytest.importorskip("cchess", reason="the peer cchess is not installed")
    compared = 0
    for board in boards(4, 60):
        for move in board.legal_moves:
            theirs = normal(cchess.ChessBoard(board.fen()).move_iccs(str(move)).to_text())
            ours = chinese(board, move)
            assert theirs == ours or (ours[1] in "兵卒" and theirs[1] in "兵卒"), board.fen()
            compared += 1
    assert compared > 1000
