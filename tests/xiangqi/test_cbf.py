"""CBF: the XML of 象棋桥, and XML that means harm."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from qikit import InvalidRecord
from tests.xiangqi.game_trees import games, seeded
from tests.xiangqi.record_files import cbf
from xiangqi import Game
from xiangqi.records import read


def line(seed: int = 3) -> Game:
    """A game of one line."""
    tree = seeded(seed, 60)
    game = Game.from_moves(tree.moves(), headers=dict(tree.headers), result=tree.result)
    for node, other in zip(game.mainline(), tree.mainline(), strict=True):
        node.comment = other.comment
    return game


@settings(max_examples=100, deadline=None)
@given(games(("Title", "Event", "Red", "Black", "ECCO", "Annotator"), 60))
def test_the_main_line_reads_as_it_was_built(game: Game) -> None:
    [again] = read(cbf(game))
    assert again.headers.pop("RecordResult") == str(
        ("*", "1-0", "0-1", "1/2-1/2").index(game.result)
    )
    assert again.headers == game.headers
    assert again.result == game.result
    assert again.board() == game.board()
    assert again.moves() == game.moves()
    assert [node.comment for node in again.mainline()] == [
        node.comment.replace("]]>", "]] >") for node in game.mainline()
    ]
    assert again.defects == []


def test_entities_are_refused() -> None:
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
        + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 or str()};" * 10}">' for i in range(1, 10))
        + "]><ChineseChessRecord><Head><Name>&a9;</Name></Head></ChineseChessRecord>"
    )
    outside = (
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        "<ChineseChessRecord><Head><Name>&f;</Name></Head></ChineseChessRecord>"
    )
    for text in (bomb, outside):
        with pytest.raises(InvalidRecord, match="DOCTYPE"):
            read(text.encode())


def test_deep_nesting_and_many_elements_end_soon() -> None:
    began = time.process_time()
    for inner in ("<a>" * 200_000, "<a>" * 200_000 + "</a>" * 200_000):
        with pytest.raises(InvalidRecord, match="太多"):
            read(f"<ChineseChessRecord>{inner}".encode())
    names = "".join(f"<a{i}>x</a{i}>" for i in range(100_000))
    with pytest.raises(InvalidRecord, match="太多"):
        read(f"<ChineseChessRecord><Head>{names}".encode())
    [game] = read(b"<ChineseChessRecord><Head><Name>x</Name></Head>" + b"<" * 500_000)
    assert game.headers == {"Title": "x"}
    assert time.process_time() - began < 20


def test_a_cut_file_gives_what_is_left() -> None:
    game = line()
    data = cbf(game)
    first = data.index(b"<Move ")
    lengths = set()
    for size in range(first + 30, len(data) - 5):
        [again] = read(data[:size])
        assert again.moves() == game.moves()[: len(again.moves())]
        assert again.headers["Red"] == "甲"
        assert again.defects, size
        lengths.add(len(again.moves()))
    assert lengths == set(range(len(game.moves()) + 1))


def test_a_broken_place_does_not_cost_the_rest() -> None:
    game = line()
    data = cbf(game)
    for old, new in (
        (b"<Red>", b"<Red<"),
        (b"</Red>", b"</Rad>"),
        (b"</Head>", b"<Head>"),
        ("甲".encode(), b"&x;&"),
        (b"<MoveList>", b"<MoveList"),
    ):
        assert data.count(old) >= 1
        [again] = read(data.replace(old, new, 1))
        assert again.moves() == game.moves(), (old, new)
        assert again.headers["Title"] == game.headers["Title"]
        assert again.defects


def test_other_encodings() -> None:
    game = line()
    text = cbf(game).decode()
    for encoding in ("gb18030", "gbk", "gb2312", "utf-16", "big5", "utf-8-sig"):
        header = text.replace("UTF-8", encoding if encoding != "utf-8-sig" else "UTF-8")
        if encoding == "big5":
            header = header.replace("局", "甲").replace("开", "甲")
        [again] = read(header.encode(encoding, "replace"))
        assert again.moves() == game.moves(), encoding
        if encoding != "big5":
            assert again.headers["Red"] == "甲"
    wrong = text.replace("UTF-8", "no-such-codec").encode()
    assert read(wrong)[0].headers["Red"] == "甲"
    data = text.replace("UTF-8", "UTF-8").encode("gb18030")  # declares what it is not
    assert read(data)[0].headers["Red"] == "甲"
    assert read(data, "gb18030")[0].headers["Red"] == "甲"
    broken = cbf(game).replace("甲".encode(), b"\xff")
    [again] = read(broken)
    assert again.headers["Red"] == "�"
    assert again.moves() == game.moves()
    assert "无法解码" in again.defects[0].reason


def test_moves_that_are_none() -> None:
    game = Game.from_moves(["h2e2", "h9g7", "h0g2"])
    data = cbf(game)
    for value, left in ((b"70-62", 1), (b"77-47", 0)):
        [again] = read(data.replace(value, b"xx-yy"))
        assert len(again.moves()) == left
        assert again.defects[0].text == "xx-yy"
        assert again.defects[0].ply == left + 1
    [again] = read(data.replace(b'"70-62"', b'"70-62" end="1"'))
    assert len(again.moves()) == 2
    assert "还有 1 着" in again.defects[0].reason
    fen = game.board().fen().encode()
    [again] = read(data.replace(fen, b"9/9 w"))
    assert "3 着没有读" in again.defects[0].reason
    [again] = read(data.replace(fen, fen.replace(b" w ", b" b ")))
    assert again.moves() == game.moves()
    assert "先行方" in again.defects[0].reason
    with pytest.raises(InvalidRecord, match="没有棋局"):
        read(b"<ChineseChessRecord></ChineseChessRecord>")
