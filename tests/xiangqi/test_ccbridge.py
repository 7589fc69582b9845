"""CBR and CBL, on files that are built here from the description of the formats."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings

from qikit import InvalidRecord
from tests.xiangqi.game_trees import games, seeded, shape
from tests.xiangqi.record_files import cbl, cbr, heading
from xiangqi import Board, Game, ccbridge
from xiangqi.records import read


@settings(max_examples=100, deadline=None)
@given(games(("Title", "Event", "Red", "Black"), 15))
def test_a_record_reads_as_it_was_built(game: Game) -> None:
    [again] = read(cbr(game))
    assert again == game
    assert again.defects == []


def test_a_library_with_headings_and_repeated_games() -> None:
    several = [seeded(1), seeded(2), seeded(2)]
    data = cbl(
        [heading("甲组"), cbr(several[0]), cbr(several[1]), heading("乙组"), cbr(several[2])]
    )
    found = read(data)
    assert [shape(game) for game in found] == [shape(game) for game in several]
    assert [game.headers.pop("Section") for game in found] == ["甲组", "甲组", "乙组"]
    assert found == several
    items = ccbridge.library(data)
    assert [item for item in items if isinstance(item, ccbridge.Heading)] == [
        ccbridge.Heading("甲组", ""),
        ccbridge.Heading("乙组", ""),
    ]
    with pytest.raises(InvalidRecord, match="2 个标题"):
        read(cbl([heading("甲组"), heading("乙组")]))
    with pytest.raises(InvalidRecord, match="只有标题 '甲组'"):
        read(heading("甲组"))


def test_a_damaged_record_does_not_cost_its_neighbours() -> None:
    data = cbl([cbr(seeded(1)), cbr(seeded(2)), cbr(seeded(3))])
    at = data.index(b"CCBridge Record\0", 101953)
    cut = data[: at + 100] + data[at + 4096 :]
    first, third = read(cut)
    assert shape(first) == shape(seeded(1))
    assert shape(third) == shape(seeded(3))
    assert "残缺" in third.defects[0].reason
    [first, second] = read(data[: at + 4096 + 50])
    assert "残缺" in second.defects[-1].reason
    [no_board, *_] = read(data[: at + 2120] + bytes([0x77]) * 90 + data[at + 2210 :])[1:]
    assert no_board.headers["Title"] == "第2局"
    assert "没有读" in no_board.defects[-1].reason
    assert "0x77" in no_board.defects[0].text


def test_a_cut_record_gives_what_is_left() -> None:
    game = seeded(7, 40)
    data = cbr(game)
    for size in range(2210, len(data)):
        [again] = read(data[:size])
        assert again.moves() == game.moves()[: len(again.moves())]
        assert again.defects
    for size in (16, 100, 2000, 2209):
        with pytest.raises(InvalidRecord, match="字节"):
            read(data[:size])


@pytest.mark.parametrize("forged", [2**31 - 1, -1, 50_000])
def test_a_forged_size_costs_the_remark_not_the_moves(forged: int) -> None:
    game = Game.from_moves(["h2e2", "h9g7", "h0g2", "i9h9"])
    next(game.mainline()).comment = "评注"
    data = cbr(game)
    at = data.index("评注".encode("utf-16-le"))
    damaged = data[: at - 4] + struct.pack("<i", forged) + data[at:] + bytes(900)
    [again] = read(damaged)
    assert again.moves() == game.moves()
    assert next(again.mainline()).comment == "评注"
    assert [defect.text for defect in again.defects] == [str(forged)]


def test_the_side_to_move_and_the_result() -> None:
    game = Game.from_moves(["e9e8"], Board("4k4/9/9/9/9/9/9/9/4P4/3K5 b"), result="0-1")
    data = bytearray(cbr(game))
    assert read(bytes(data)) == [game]
    data[2116] = 1
    [again] = read(bytes(data))
    assert again.moves() == game.moves()
    assert "先行方" in again.defects[0].reason
    data[2116], data[2076] = 2, 9
    assert "结果代码" in read(bytes(data))[0].defects[0].reason


def test_broken_utf16_costs_one_character() -> None:
    game = Game(headers={"Title": "甲乙丙"})
    data = cbr(game).replace("乙".encode("utf-16-le"), b"\x00\xd8")
    [again] = read(data)
    assert again.headers["Title"] == "甲�丙"
    assert "无法解码" in again.defects[0].reason
