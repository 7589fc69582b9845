"""DhtmlXQ: fields, lines that leave lines, misspelt brackets, what comes of damage."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qikit import InvalidRecord
from tests.xiangqi.game_trees import games, shape, texts
from xiangqi import Game
from xiangqi.dhtmlxq import dumps, loads, read, write
from xiangqi.records import read as read_any

TAGS = ("Title", "Event", "Site", "Date", "Round", "Red", "RedTeam", "Opening", "Author", "Custom")


@settings(max_examples=150, deadline=None)
@given(games(TAGS, 60), texts(20))
def test_what_is_written_is_read(game: Game, closing: str) -> None:
    game.closing = closing
    losses: list[str] = []
    [again] = loads(dumps(game, losses))
    if losses:  # nothing but the side to move of a game without moves
        assert not game.moves()
        assert losses[0].startswith("先行方")
    else:
        assert again == game
    assert again.defects == []


@settings(max_examples=100, deadline=None)
@given(st.lists(games(TAGS, 40), min_size=1, max_size=4), st.sampled_from(["utf-8", "gb18030"]))
def test_several_games_in_a_file(several: list[Game], encoding: str) -> None:
    data, _ = write(several, encoding=encoding)
    again = read(data, encoding)
    assert [shape(game) for game in again] == [shape(game) for game in several]
    assert [game.headers for game in again] == [game.headers for game in several]


def field(name: str, value: str, end: str = "") -> str:
    return f"[DhtmlXQ_{name}]{value}[/DhtmlXQ_{end or name}]\n"


def test_lines_leave_lines_in_any_order() -> None:
    text = (
        field("move_1_2_2", "1022")  # leaves line 1 at its second ply
        + field("move_0_1_1", "77477062")
        + field("move_0_1_3", "1747")
        + field("movelist", "77477062")
        + field("comment1_2", "一")
        + field("comment2_2", "二||三")
        + field("comment2_1", "属于线 1")
        + field("comment0", "之前")
        + field("comment1_9", "无处可放")
        + field("move_7_1_8", "7747")
        + field("move_1_9_9", "7747")
    )
    [game] = loads(text)
    assert shape(game) == [
        ("", "之前", 3),
        ("h2e2", "", 1),
        ("h9g7", "", 0),
        ("h2e2", "属于线 1", 2),
        ("h9g7", "一", 0),
        ("b9c7", "二\n三", 0),
        ("b2e2", "", 0),
    ]
    reasons = " ".join(str(defect) for defect in game.defects)
    assert "comment1_9" in reasons
    assert "无处可放" in reasons
    assert "move_7_1_8" in reasons
    assert "move_1_9_9" in reasons


def test_brackets_of_the_wild() -> None:
    text = (
        "论坛文字 [b]粗[/b] [dhtmlxq]\n"
        "[DhtmlXQ_title]甲[乙]丙[/DhtmlXQ_titel]\n"
        "[DHTMLXQ_Red]丁\n"
        "[DhtmlXQ_blacktime]5[/DhtmlXQ_time][DhtmlXQ_blacktime]6[/DhtmlXQ_time]\n"
        "[DhtmlXQ_result]红方超时负[/DhtmlXQ_result]\n"
        "[DhtmlXQ_movelist] 7747\n 7062 [/DhtmlXQ_movelist]\n"
        "[/DhtmlXQ] 其余 [DhtmlXQHTML][DhtmlXQ_title]二[/DhtmlXQ_title][/DhtmlXQHTML]"
    )
    first, second = loads(text)
    assert first.headers == {
        "Title": "甲[乙]丙",
        "Red": "丁",
        "BlackTime": "5",
        "ResultText": "红方超时负",
    }
    assert len(first.moves()) == 2
    assert [defect.text for defect in first.defects] == ["blacktime: 6"]
    assert second.headers == {"Title": "二"}


@pytest.mark.parametrize(
    ("moves", "played", "words"),
    [
        ("77477", 1, "1 个字符没有读"),
        ("7747706x", 1, "4 个字符没有读"),
        ("77477747", 1, "不合规则|没有棋子"),
        ("9947", 0, "不在棋盘上"),
        ("", 0, ""),
    ],
)
def test_damaged_moves(moves: str, played: int, words: str) -> None:
    [game] = loads(field("title", "x") + field("movelist", moves))
    assert len(game.moves()) == played
    assert bool(game.defects) == bool(words)
    if words:
        assert any(word in game.defects[0].reason for word in words.split("|"))


def test_damaged_positions() -> None:
    [game] = loads(field("title", "x") + field("binit", "09" * 32) + field("movelist", "7747"))
    assert "两个棋子" in game.defects[0].reason
    assert "1 着没有读" in game.defects[-1].reason
    assert game.headers == {"Title": "x"}
    with pytest.raises(InvalidRecord, match="局面不能对弈"):
        loads(field("binit", "99" * 32))
    games = loads(f"[DhtmlXQ]{field('binit', '99' * 32)}[/DhtmlXQ]{field('title', 'x')}")
    assert len(games) == 1
    assert "旁边一局" in games[0].defects[0].reason
    with pytest.raises(InvalidRecord, match="没有 DhtmlXQ"):
        read(b"[DhtmlXQ][/DhtmlXQ]")


def test_remarks_that_look_like_brackets_or_breaks() -> None:
    game = Game(headers={"Title": "[DhtmlXQ_red]", "Remark": "x", "Comment1": "y", "甲": "z"})
    node = game.root.add("h2e2", "[/DhtmlXQ] a||b|\n|c")
    losses: list[str] = []
    [again] = loads(dumps(game, losses))
    assert again.root.variations[0].comment == "［/DhtmlXQ] a｜｜b｜\n｜c"
    assert again.headers == {"Title": "［DhtmlXQ_red]"}
    assert [loss.split("：")[0] for loss in losses] == ["Remark", "Comment1", "甲"]
    assert node.comment.startswith("[/")


def test_a_long_chain_of_lines_take_no_long_time() -> None:
    chain = "".join(field(f"move_{i}_2_{i + 1}", "1022") for i in range(20_000))
    looking_back = "".join(field(f"comment{i}_1", "x") for i in range(0, 20_000, 10))
    began = time.process_time()
    [game] = loads(field("movelist", "77477062") + chain + looking_back)
    assert time.process_time() - began < 20
    assert len(game.root.variations[0].variations) == 20_001
    cycle = field("move_1_1_2", "1927") + field("move_2_1_1", "1927") + field("title", "x")
    [game] = loads(cycle)
    assert len(game.defects) == 2


def test_detection_needs_no_first_line() -> None:
    page = b"<html>" + b" " * 5000 + field("movelist", "7747").encode() + b"</html>"
    assert len(read_any(page)[0].moves()) == 1
