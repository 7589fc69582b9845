"""Records: SGF, psq, RenLib, plain lists; what is written is read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gomoku
from gomoku import Board, Move, records, renlib, sgf
from gomoku.game import Game, Node
from gomoku.notation import parse_moves
from qikit import InvalidMove, InvalidPosition, InvalidRecord, Termination
from tests.gomoku.data import FOLDER, rows


def tree(node: Node) -> list[object]:
    return [node.move, node.comment, [tree(child) for child in node.variations]]


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Small games with variations, comments and set-up stones."""
    rule = draw(st.sampled_from(("freestyle", "standard", "renju", "caro_exact")))
    size = draw(st.sampled_from((9, 15, 19, 20)))
    start = Board(size=size, rules=rule)
    if draw(st.booleans()):
        start = Board.from_stones(
            ["a1", "c3"], ["b2"], draw(st.integers(0, 1)), rules=rule, size=size
        )
    game = Game(start, {"Black": draw(st.text("ab]\\[:\n", max_size=8)), "Event": "杯赛"})
    nodes = [(game.root, start.copy())]
    for _ in range(draw(st.integers(0, 14))):
        node, board = nodes[draw(st.integers(0, len(nodes) - 1))]
        moves = [m for m in board.empty_points() if node.child(m) is None][: size * 3]
        if board.is_over() or not moves:
            continue
        move = moves[draw(st.integers(0, len(moves) - 1))]
        child = node.add_unchecked(move, draw(st.text("ab]\\;()中", max_size=6)))
        after = board.copy()
        after.push_unchecked(move)
        nodes.append((child, after))
    return game


@settings(max_examples=60, deadline=None)
@given(games())
def test_sgf_round_trip(game: Game) -> None:
    again = sgf.loads(sgf.dumps(game))
    assert len(again) == 1
    assert again[0].defects == []
    assert again[0].start == game.start
    assert tree(again[0].root) == tree(game.root)
    assert again[0].headers.get("Black", "") == game.headers["Black"]


def test_sgf_reads_what_others_write() -> None:
    text = (
        "\ufeff( ;GaMe[4] SiZe[15]\nPB[甲]RE[B+Resign]C[起\\]点]"
        ";B[h8];W[hg];B[zz];W[];B[hh];B[ii](;W[jj])(;W[kk]))(;GM[4];B[aa])"
    )
    first, second = records.loads(text)
    assert first.headers == {"Black": "甲"}
    assert first.result == "1-0"
    assert first.root.comment == "起]点"
    assert [str(m) for m in first.mainline()] == ["h8", "h9", "i7", "j6"]
    reasons = " ".join(d.reason for d in first.defects)
    assert "zz" in " ".join(d.text for d in first.defects)
    assert "轮不到" in reasons
    assert [str(m) for m in second.mainline()] == ["a15"]


def test_sgf_of_another_game_is_told() -> None:
    game = sgf.loads("(;GM[1]SZ[99]RU[Japanese];B[aa])")[0]
    assert len(game.defects) == 3
    with pytest.raises(InvalidRecord):
        sgf.loads("nothing")


def test_deep_trees_are_no_problem() -> None:
    game = Game(Board(size=20))
    board = game.start.copy()
    node = game.root
    for move in board.empty_points():
        node.add_unchecked(Move(19 - move.x, 19 - move.y))
        node = node.add_unchecked(move)
        node.parent.variations.reverse()  # type: ignore[union-attr]
    assert sgf.dumps(game).count("(") > 390


def test_psq_round_trip_and_gm04() -> None:
    """The bug row: under freestyle black's six in a column wins; y is counted from the top."""
    row = next(r for r in rows("bugs") if r["id"] == "gm04")
    trigger = row["trigger"]
    moves = [*trigger["moves_xy1"], trigger["then"]]
    text = "Piskvorky 20x20, 11:11, 0\n" + "".join(f"{x},{y},100\n" for x, y in moves)
    game = records.loads(text + "a.zip\nb.zip\n-1\n")[0]
    assert game.defects == []
    outcome = game.end().outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (0, Termination.FIVE_IN_A_ROW)
    assert game.result == "1-0"
    assert {str(m) for line in game.end().winning_lines() for m in line} == {
        f"f{21 - y}" for y in range(7, 13)
    }
    assert [node.time for node in game.root.mainline()] == [0.1] * 13
    again = records.loads(records.dumps(game, "psq"))[0]
    assert again.mainline() == game.mainline()
    assert again.headers == game.headers


def test_psq_defects() -> None:
    game = records.loads("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n99,1,0\n9,9,0\n-1\n")[0]
    assert [str(m) for m in game.mainline()] == ["h8", "i7"]
    assert len(game.defects) == 2
    with pytest.raises(InvalidRecord, match="15x16"):
        records.loads("Piskvorky 15x16, 0:0, 0\n")


def library(*nodes: bytes, minor: int = 4) -> bytes:
    return b"\xffRenLib\xff\x03" + bytes([minor]) + b"\xff" * 10 + b"".join(nodes)


def node(name: str, flags: int) -> bytes:
    move = Move.parse(name)
    return bytes([16 * (14 - move.y) + move.x + 1, flags])


DOWN, RIGHT, COMMENT, MARK = 0x80, 0x40, 0x08, 0x10


def test_renlib_tree(tmp_path: Path) -> None:
    """h8 (h9 i9 j10 | i9 j9) with a root node, a comment of odd length and a mark."""
    data = library(
        bytes([0, 0]),
        node("h8", COMMENT),
        "天元\b第二行".encode("gb18030") + b"\0",
        node("h9", DOWN),
        node("i9", MARK),
        node("j10", RIGHT),
        node("i9", 0),
        node("j9", RIGHT),
    )
    path = tmp_path / "small.lib"
    path.write_bytes(data)
    game = records.read(path)[0]
    assert game.defects == []
    assert game.start.rules is gomoku.RENJU
    h8 = game.root.variations[0]
    assert str(h8.move) == "h8"
    assert h8.comment == "天元\n第二行"
    assert [[str(m) for m in leaf.moves()] for leaf in leaves(game.root)] == [
        ["h8", "h9", "i9", "j10"],
        ["h8", "i9", "j9"],
    ]
    assert h8.variations[0].variations[0].comment == "*"


def leaves(start: Node) -> list[Node]:
    if not start.variations:
        return [start]
    return [leaf for child in start.variations for leaf in leaves(child)]


def test_renlib_old_comment_and_board_text() -> None:
    data = library(
        node("h8", 0x20),
        b"ab" + bytes([ord("c") | 0x80, 0]),
        node("h9", 0x01),
        bytes([0, 1]),
        b"A\0",
        node("i9", RIGHT),
        minor=0,
    )
    game = renlib.read(data)
    assert [n.comment for n in game.root.mainline()] == ["abc", "[A]", ""]


def test_renlib_bad_nodes_are_left_out_with_what_follows() -> None:
    data = library(node("h8", DOWN), node("h8", 0), node("i9", RIGHT), node("g7", RIGHT)) + b"\x01"
    game = renlib.read(data)
    assert [[str(m) for m in leaf.moves()] for leaf in leaves(game.root)] == [["h8"], ["g7"]]
    assert [d.reason for d in game.defects] == ["此点已有棋子 (occupied)", "文件不完整 (cut off)"]
    with pytest.raises(InvalidRecord, match="版"):
        renlib.read(b"\xffRenLib\xff\x04\x00" + b"\xff" * 10)
    with pytest.raises(InvalidRecord):
        renlib.read(b"MZ")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=80))
def test_renlib_never_crashes(tail: bytes) -> None:
    game = renlib.read(library(tail))
    for leaf in leaves(game.root):
        board = game.start.copy()
        for move in leaf.moves():
            board.push_unchecked(move)


def test_an_empty_board_with_a_sibling_is_an_empty_board() -> None:
    """Both flags on the root, which stands alone."""
    game = renlib.read(library(b"\x00\xc0"))
    assert list(game.mainline()) == []


def test_a_cut_header_is_named() -> None:
    whole = library(b"")
    for length in range(8, len(whole)):
        with pytest.raises(InvalidRecord, match="不完整"):
            renlib.read(whole[:length])


@settings(max_examples=200, deadline=None)
@given(st.text("(;)[]BWCABRUSZ\\ah8,\n0123456789Piskvorky x:", max_size=60))
def test_texts_never_crash(text: str) -> None:
    try:
        for game in records.loads(text):
            game.end()
    except InvalidRecord:
        pass


def test_plain_lists() -> None:
    games = records.loads((FOLDER / "gomoku_openings.txt").read_text("utf-8"))
    assert len(games) == 40
    assert all(3 <= len(game.mainline()) <= 6 and not game.defects for game in games)
    assert parse_moves("1.h8 2.i9, 3.j10") == parse_moves("h8i9j10") == parse_moves("7,7 8,8 9,9")
    with pytest.raises(InvalidMove, match="zz"):
        parse_moves("h8 zz")
    with pytest.raises(InvalidRecord, match="第 2 行"):
        records.loads("h8\nxyz\n")


def test_a_forbidden_move_stays_in_the_record() -> None:
    game = records.loads("f8 a1 g8 a2 h6 a3 h7 a4 h8", rules="renju")[0]
    assert game.defects == []
    assert game.result == "0-1"
    outcome = game.end().outcome()
    assert outcome is not None
    assert outcome.termination is Termination.FORBIDDEN_MOVE
    later = records.loads("f8 a1 g8 a2 h6 a3 h7 a4 h8 o15", rules="renju")[0]
    assert later.result == "*"


def test_moves_after_the_end_are_left_out() -> None:
    game = records.loads("(;GM[4];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae];W[be])")[0]
    assert len(game.mainline()) == 9
    assert "五连" in game.defects[0].reason


def test_dumps_formats() -> None:
    game = Game.of_moves(["h8", "h9"])
    assert records.dumps(game, "moves") == "h8 h9\n"
    with pytest.raises(ValueError, match="pgn"):
        records.dumps(game, "pgn")
    with pytest.raises(ValueError, match="psq"):
        records.dumps(Game(Board("5/5/2b2/5/5 w")), "psq")


def test_what_is_off_the_board_is_no_pass() -> None:
    """Damaged moves were once read as passes, two of which are a draw."""
    assert not Move(-1, 5).is_pass
    text = "Piskvorky 15x15, 0:0, 0\n8,8,0\n0,5,0\n-1,5,0\n0,16,0\n"
    game = records.loads(text)[0]
    assert (game.mainline(), game.result) == ([Move(7, 7)], "*")
    assert [defect.text for defect in game.defects] == ["0,5,0", "-1,5,0", "0,16,0"]
    for where in (0x10, 0x20, 0xF0, 0xF1):
        data = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + bytes([0x78, 0, where, 0x40])
        game = renlib.read(data)
        assert game.mainline() == [Move(7, 7)]
        assert "off the board" in game.defects[0].reason


@pytest.mark.parametrize("text", ["(;B[", "(;B[hh", "(;B[hh]", "(;B[hh](;W[hg]", "(;B", "(;PB[甲"])
def test_cut_sgf_is_told(text: str) -> None:
    game = records.loads(text)[0]
    assert [move.is_pass for move in game.mainline()] in ([], [False], [False, False])
    assert "cut off" in game.defects[-1].reason
    assert game.result == "*"


def test_cut_sgf_keeps_the_remark() -> None:
    game = sgf.loads("(;B[hh]C[half a rem")[0]
    assert game.root.variations[0].comment == "half a rem"
    assert game.defects[-1].text == "C[half a rem"


def test_second_values_of_sgf_are_told() -> None:
    game = sgf.loads("(;SZ[15][19]PB[a][b];B[hh][gg]C[x][y])")[0]
    assert [defect.text for defect in game.defects] == ["PB[b]", "SZ[19]", "B[gg]"]
    assert game.root.variations[0].comment == "x\ny"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *(("B+", "1-0"), ("B+R", "1-0"), ("b+12.5", "1-0"), ("B", "1-0"), ("1-0", "1-0")),
        *(("W+Resign", "0-1"), ("White", "0-1"), ("0-1", "0-1")),
        *(("0", "1/2-1/2"), ("Draw", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"), ("D", "1/2-1/2")),
        *(("?", "*"), ("Void", "*"), ("", "*")),
    ],
)
def test_sgf_results(text: str, result: str) -> None:
    game = sgf.loads(f"(;RE[{text}];B[hh])")[0]
    assert (game.result, game.defects) == (result, [])


@pytest.mark.parametrize("text", ["01", "Black?", "0-0", "Bx", "won"])
def test_unknown_sgf_results_are_told(text: str) -> None:
    game = sgf.loads(f"(;RE[{text}];B[hh])")[0]
    assert (game.result, game.defects[0].text) == ("*", f"RE[{text}]")


def test_numbers_without_end() -> None:
    nines = "9" * 5000
    game = sgf.loads(f"(;SZ[{nines}];B[hh])")[0]
    assert game.start.size == 15
    assert "unknown board size" in game.defects[0].reason
    with pytest.raises(InvalidRecord, match="not supported"):
        records.loads(f"Piskvorky {nines}x{nines}, 0:0, 0\n")
    game = records.loads(f"Piskvorky 15x15, 0:0, 0\n8,8,{nines}\n{nines},1,0\n")[0]
    assert game.mainline() == [Move(7, 7)]
    assert len(game.defects) == 2
    with pytest.raises(InvalidPosition, match="过长的数"):
        Board(f"5/5/5/5/{nines} b")


def test_byte_order_mark_of_a_text() -> None:
    assert records.loads("\ufeffPiskvorky 15x15, 0:0, 0\n8,8,0\n")[0].mainline() == [Move(7, 7)]
    assert records.loads("\ufeffh8i9")[0].mainline() == [Move(7, 7), Move(8, 8)]
