"""XQF: every version and its keys, first-move variations, encodings, damaged files."""

from __future__ import annotations

import random
import struct
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qikit import InvalidRecord
from tests.xiangqi.game_trees import games, seeded, shape
from xiangqi import Board, Game, Move, xqf
from xiangqi.records import read

VERSIONS = (0x00, 0x01, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12)
TAGS = tuple(xqf._FIELDS)


@settings(max_examples=150, deadline=None)
@given(games(TAGS), st.sampled_from(VERSIONS), st.binary(min_size=8, max_size=8))
def test_what_is_written_is_read(game: Game, version: int, secret: bytes) -> None:
    data, losses = xqf.write(game, version=version, secret=secret)
    [again] = xqf.read(data, "gb18030")
    assert again == game
    assert again.defects == []
    assert losses == []
    assert read(data, "gb18030") == [game]


@pytest.mark.parametrize("version", VERSIONS)
def test_keys_by_a_plain_reading_of_the_description(version: int) -> None:
    """The same file read once more, byte by byte, by the formulas of the format's description."""
    rng = random.Random(version)
    for _ in range(20):
        game = seeded(rng.randrange(1000), 25)
        data = xqf.write(game, version=version, secret=rng.randbytes(8)).data
        b = list(data[:16])
        assert sum(b[12:16]) % 256 == 0 or version < 0x0B
        if version >= 0x0B:
            points = (54 * b[13] * b[13] + 221) * b[13] % 256
            start = (54 * b[14] * b[14] + 221) * points % 256
            goal = (54 * b[15] * b[15] + 221) * start % 256
            size = (b[12] * 256 + b[13]) % 32000 + 767
            key = [b[8 + i] | (b[12 + i] & b[3]) for i in range(4)]
        else:
            points = start = goal = size = 0
            key = [0] * 4
        text = b"[(C) Copyright Mr. Dong Shiwei.]"
        body = [(byte - (key[i % 4] & text[i % 32])) % 256 for i, byte in enumerate(data[1024:])]
        pieces = [(byte - points) % 256 for byte in data[16:48]]
        if version >= 0x0C:
            pieces = [pieces[(i - points - 1) % 32] for i in range(32)]
        assert pieces[:9] == [0, 10, 20, 30, 40, 50, 60, 70, 80]
        assert pieces[27:] == [6, 26, 46, 66, 86]
        moves = []
        at = 0
        while at < len(body):
            moves.append(((body[at] - 24 - start) % 256, (body[at + 1] - 32 - goal) % 256))
            tag = body[at + 2]
            at += 4
            if version < 0x0B or tag & 0x20:
                at += 4 + struct.unpack("<i", bytes(body[at : at + 4]))[0] - size
        assert [
            Move(*(9 * (point % 10) + point // 10 for point in pair)) for pair in moves[1:]
        ] == [node.move for node in game.root.walk() if node.move]


def test_variations_at_the_first_move() -> None:
    game = Game()
    for text in ("h2e2", "c3c4", "b0c2"):
        game.root.add(text, f"{text}！").add("h9g7")
    for version in VERSIONS:
        [again] = xqf.read(xqf.write(game, version=version, secret=bytes(range(8))).data)
        assert again == game


def test_independent_reader(tmp_path: Path) -> None:
    """The library cchess reads the same lines out of our files."""
    cchess = pytest.importorskip("cchess", reason="the library cchess is not installed")

    def lines(first: object, before: list[str]) -> list[list[str]]:
        found = []
        for move in [first, *first.get_siblings()]:  # type: ignore[attr-defined]
            path = [*before, move.to_iccs()]
            found += lines(move.next_move, path) if move.next_move else [path]
        return found

    rng = random.Random(3)
    for seed in range(100):
        game = seeded(seed, 1 + seed % 50)
        data = xqf.write(game, version=rng.choice(VERSIONS[2:]), secret=rng.randbytes(8)).data
        path = tmp_path / f"{seed}.xqf"
        path.write_bytes(data)
        found = cchess.Game.read_from(str(path))
        ends = [node for node in game.root.walk() if not node.variations]
        assert sorted(lines(found.first_move, [])) == sorted(
            [str(move) for move in node.moves()] for node in ends
        )
        assert found.init_board.to_fen().split()[0] == game.board().fen().split()[0]
        assert found.info["result"] == game.result


def test_the_side_to_move_is_that_of_the_first_piece_moved() -> None:
    start = Board("4k4/9/9/9/9/9/9/9/4P4/3K5 b")
    game = Game.from_moves(["e9e8"], start)
    data = bytearray(xqf.write(game).data)
    assert data[0x32] == 1
    data[0x32] = 0
    assert xqf.read(bytes(data))[0].board().turn == 1
    assert xqf.read(xqf.write(Game(start)).data)[0].board().turn == 1


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("王天一", "gb18030"),
        ("許銀川", "big5"),
        ("柳大华", "utf-8"),
        ("La\u0323i Ly\u0301 Huynh", "cp1258"),
    ],
)
def test_encodings_are_found_out_and_overridden(text: str, encoding: str) -> None:
    game = Game.from_moves(["h2e2"], headers={"Red": text})
    game.root.variations[0].comment = f"{text} (1-0)"
    data = xqf.write(game, encoding=encoding).data
    assert xqf.read(data) == [game]
    assert xqf.read(data, encoding) == [game]
    with pytest.raises(InvalidRecord, match="没有这种文字编码"):
        xqf.read(data, "no-such-codec")
    assert xqf.read(data, "latin-1")[0].moves() == game.moves()


def test_a_bad_byte_costs_one_character() -> None:
    game = Game.from_moves(["h2e2", "h9g7"])
    game.root.variations[0].comment = "先手好棋，继续进攻"
    data = xqf.write(game).data.replace("棋".encode("gb18030"), b"\xff\xff")
    [again] = xqf.read(data)
    comment = again.root.variations[0].comment
    assert comment.startswith("先手好")
    assert comment.endswith("继续进攻")
    assert "�" in comment
    assert "无法解码" in again.defects[0].reason
    assert len(again.moves()) == 2


def test_texts_are_cut_between_characters_and_losses_are_told() -> None:
    game = Game(headers={"Red": "一二三四五六七八九", "Round": "1", "Title": "x" * 63})
    game.closing = "红胜"
    node = game.root.add("h2e2")
    node.nags = (1,)
    data, losses = xqf.write(game)
    [again] = xqf.read(data)
    assert again.headers == {"Title": "x" * 63, "Red": "一二三四五六七"}
    assert [loss[:3] for loss in losses] == ["Red", "Rou", "着法后"]
    assert again.root.variations[0].comment == "红胜"
    clocked = Game(Board("4k4/9/9/9/9/9/9/9/9/3K5 w - - 7 30"))
    assert xqf.write(clocked).losses == ["FEN 的计数 (the counters of the FEN)"]


def test_refusals() -> None:
    with pytest.raises(InvalidRecord, match="没有字符 '车'"):
        xqf.write(Game(headers={"Red": "车"}), encoding="latin-1")
    with pytest.raises(InvalidRecord, match="没有这种文字编码"):
        xqf.write(Game(), encoding="no-such-codec")
    for version, secret in ((0x13, bytes(8)), (-1, bytes(8)), (0x12, bytes(7))):
        with pytest.raises(ValueError, match="XQF 版本"):
            xqf.write(Game(), version=version, secret=secret)
    for data in (b"", b"XQ", b"XQ\x12" + bytes(20), b"PGN", b"XQ\x12" + bytes(2000)):
        with pytest.raises(InvalidRecord):
            xqf.read(data)


def line(plies: int) -> Game:
    """A long game of shuttling chariots."""
    return Game.from_moves([("a0a1", "a9a8", "a1a0", "a8a9")[i % 4] for i in range(plies)])


@pytest.mark.parametrize("version", [0x0A, 0x12])
def test_a_cut_file_gives_what_is_left(version: int) -> None:
    game = line(40)
    data = xqf.write(game, version=version, secret=b"12345678").data
    seen = set()
    for size in range(48, len(data)):
        [again] = xqf.read(data[:size])
        played = again.moves()
        assert played == game.moves()[: len(played)]
        assert any("中断" in defect.reason for defect in again.defects), size
        seen.add(len(played))
    assert seen == set(range(41 if version == 0x0A else 40))


@pytest.mark.parametrize("version", [0x0A, 0x12])
@pytest.mark.parametrize("forged", [2**31 - 1, -1, -(2**31), 100_000, 10**9])
def test_a_forged_size_costs_the_remark_not_the_moves(version: int, forged: int) -> None:
    game = line(60)
    game.root.variations[0].add("h9g7").comment = "变着"
    marked = game.root.variations[0].variations[0]
    marked.comment = "这里有一条评注"
    data = bytearray(xqf.write(game, version=version, secret=b"12345678").data)
    keys = xqf.Keys.of(bytes(data[:1024]))
    body = bytearray(xqf._shifted(bytes(data[1024:]), keys.stream, -1))
    at = bytes(body).index(marked.comment.encode("gb18030"))
    body[at - 4 : at] = struct.pack("<I", (forged + keys.size) & 0xFFFFFFFF)
    data[1024:] = xqf._shifted(bytes(body), keys.stream, 1)
    began = time.process_time()
    [again] = xqf.read(bytes(data), "gb18030")
    assert time.process_time() - began < 5
    assert again.moves() == game.moves()
    assert len(shape(again)) == len(shape(game))
    assert any("评注长度" in defect.reason for defect in again.defects)
    assert again.root.variations[0].variations[0].comment.startswith("这里有一条评注")


def test_an_illegal_move_takes_its_branch_only() -> None:
    game = line(10)
    third = list(game.mainline())[2]
    third.parent.add("b0c2")
    wrong = third.parent.add_unchecked(Move(0, 80))
    wrong.add_unchecked(Move(0, 1))
    third.parent.add("h0g2")
    [again] = xqf.read(xqf.write(game).data)
    assert again.moves() == game.moves()
    [defect] = again.defects
    assert (defect.ply, defect.text) == (3, "a0i8")
    assert "其后 1 着没有读" in defect.reason
    wrong.remove()
    assert shape(again) == shape(game)


def test_an_illegal_move_of_the_main_line() -> None:
    game = line(4)
    end = game.end()
    wrong = end.add_unchecked(Move(0, 80))
    wrong.add_unchecked(Move(89, 80)).add_unchecked(Move(0, 1))
    [again] = xqf.read(xqf.write(game).data)
    assert len(again.moves()) == 4
    [defect] = again.defects
    assert (defect.ply, defect.text, defect.rest) == (5, "a0i8", ("i9i8", "a0b0"))
    assert "主线" not in defect.reason
    end.add("h0g2")
    [again] = xqf.read(xqf.write(game).data)
    assert len(again.moves()) == 5
    assert "变着成为主线" in again.defects[0].reason


def test_a_deep_tree_does_not_recurse() -> None:
    game = line(20_000)
    for ply, node in enumerate(list(game.mainline())):
        node.parent.add_unchecked(Move.parse("h9g7" if ply % 2 else "h0g2"))
    [again] = xqf.read(xqf.write(game).data)
    assert len(shape(again)) == len(shape(game))
    assert again.defects == []


def test_unknown_versions_and_wrong_check_sums_are_told() -> None:
    data = bytearray(xqf.write(line(4), version=0x12, secret=b"abcdefgh").data)
    data[2] = 0x15
    [game] = xqf.read(bytes(data))
    assert len(game.moves()) == 4
    assert game.defects[0].text == "0x15"
    data[2], data[13] = 0x12, data[13] ^ 0x55
    try:
        [game] = xqf.read(bytes(data))
    except InvalidRecord:
        return
    assert any("校验和" in defect.reason for defect in game.defects)
