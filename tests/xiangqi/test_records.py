"""Files: what they are, in which encoding, and the public records as they must come out."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from qikit import InvalidRecord
from xiangqi import Game
from xiangqi.encoding import decode
from xiangqi.records import FORMATS, NOTATIONS, dumps, loads, read, write

RECORDS = Path(__file__).parents[2] / ".." / "shared" / "data" / "xiangqi_records"
needs_records = pytest.mark.skipif(
    not RECORDS.is_dir(),
    reason="the public game records (../shared/data/xiangqi_records) are not here",
)
CODECS = {
    "GB18030": "gb18030",
    "UTF-8": "utf-8",
    "UTF-8 with BOM": "utf-8-sig",
    "ASCII": "ascii",
}


@cache
def expected() -> dict[str, list[dict]]:
    """What the PGN files must give, by file, games in order."""
    files: dict[str, list[dict]] = {}
    if RECORDS.is_dir():
        for line in (RECORDS / "expected.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["format"] == "PGN":
                files.setdefault(row["file"], []).append(row)
    return files


def summary(game: Game) -> dict:
    """A game in the words of expected.jsonl."""
    nodes = list(game.root.walk())
    return {
        "headers": {name: value for name, value in game.headers.items() if value},
        "result": game.result,
        "fen": game.board().fen(),
        "moves": [str(move) for move in game.moves()],
        "fen_after": game.end().board().fen(counters=False),
        "nodes": len(nodes) - 1,
        "variations": sum(max(0, len(node.variations) - 1) for node in nodes),
        "remarks": sum(bool(node.comment) for node in nodes),
        "remarks_on_main_line": [
            node.ply for node in (game.root, *game.mainline()) if node.comment
        ],
    }


@needs_records
def test_all_public_pgn_files_are_listed() -> None:
    assert set(expected()) == {f"pgn/{path.name}" for path in (RECORDS / "pgn").iterdir()}
    assert sum(map(len, expected().values())) == 40


@needs_records
@pytest.mark.parametrize("file", sorted(expected()))
def test_public_pgn(file: str) -> None:
    games = read(RECORDS / file)
    rows = expected()[file]
    assert len(games) == len(rows)
    for game, row in zip(games, rows, strict=True):
        got = summary(game)
        for name in got:
            default = {"remarks": 0, "remarks_on_main_line": []}.get(name)
            value = "*" if row.get(name) == "none given" else row.get(name, default)
            assert got[name] == value, name
        assert "first_illegal_ply" not in row
        assert game.defects == []
        assert game.closing == ("红胜" if file == "pgn/puzzle_245.pgn" else "")
    encoding = decode((RECORDS / file).read_bytes()).encoding
    assert encoding == CODECS[rows[0]["encoding"]]


@needs_records
@pytest.mark.parametrize("notation", NOTATIONS)
def test_public_games_written_in_every_notation(notation: str) -> None:
    for file in sorted(expected()):
        for game in read(RECORDS / file):
            [again] = loads(dumps(game, notation))
            assert again.defects == []
            assert again.moves() == game.moves()
            assert [node.comment for node in again.root.walk()] == [
                node.comment for node in game.root.walk()
            ]
            assert (again.result, again.closing) == (game.result, game.closing)


@needs_records
def test_three_notations_agree_and_our_writers_write_what_stands_there() -> None:
    """The same nine games in Chinese, WXF and ICCS; one file has a wrong move (game 2, ply 71)."""
    chinese, wxf, iccs = (
        read(RECORDS / f"pgn/three_notations_{name}.pgn") for name in ("zh", "wxf", "iccs")
    )
    for number, (a, b, c) in enumerate(zip(chinese, wxf, iccs, strict=True), 1):
        assert a.moves() == b.moves()
        differing = [
            ply
            for ply, pair in enumerate(zip(a.moves(), c.moves(), strict=True), 1)
            if pair[0] != pair[1]
        ]
        assert differing == ([71] if number == 2 else [])
    text = (RECORDS / "pgn/three_notations_zh.pgn").read_text("utf-8")
    words = [word for word in text.split() if len(word) == 4 and word[2] in "进退平"]
    boards = [game.board() for game in chinese]
    written = []
    for game, board in zip(chinese, boards, strict=True):
        for move in game.moves():
            written.append(
                board.chinese(move).translate(str.maketrans("123456789", "１２３４５６７８９"))
            )
            board.push_unchecked(move)
    assert written == words


SAMPLE = '[Event "第一届"]\n[Red "甲"]\n[Black "乙"]\n{评注：红方先行} 1. 炮二平五 马８进７ 1-0\n'
SAMPLE_TRADITIONAL = (
    '[Event "第一屆"]\n[Red "甲"]\n[Black "乙"]\n{評註：紅方先行} 1. 炮二平五 馬８進７ 1-0\n'
)


@pytest.mark.parametrize(
    ("text", "encoding", "found"),
    [
        (SAMPLE, "utf-8", "utf-8"),
        (SAMPLE, "utf-8-sig", "utf-8-sig"),
        (SAMPLE, "utf-16", "utf-16"),
        (SAMPLE, "gb18030", "gb18030"),
        (SAMPLE, "gbk", "gb18030"),
        (SAMPLE_TRADITIONAL, "gb18030", "gb18030"),
        (SAMPLE_TRADITIONAL, "big5", "big5hkscs"),
        (SAMPLE_TRADITIONAL, "cp950", "big5hkscs"),
        (SAMPLE_TRADITIONAL, "utf-8", "utf-8"),
        ("h2e2 h9g7", "ascii", "ascii"),
        ("紅先勝", "big5", "big5hkscs"),
        ("红先胜", "gb18030", "gb18030"),
    ],
)
def test_encodings_are_found_out(text: str, encoding: str, found: str) -> None:
    for ending in ("\n", "\r\n"):
        data = text.replace("\n", ending).encode(encoding)
        assert decode(data) == (text.replace("\n", ending), found, 0)
        assert decode(data, encoding).text == text.replace("\n", ending)


def test_a_bad_byte_costs_one_character() -> None:
    for encoding in ("utf-8", "gb18030", "big5"):
        text = SAMPLE_TRADITIONAL if encoding == "big5" else SAMPLE
        data = text.encode(encoding).replace("行".encode(encoding), b"\xff")
        [game] = read(data)
        assert len(game.moves()) == 2, encoding
        assert "�" in game.root.comment
        assert any("无法解码" in defect.reason for defect in game.defects)
        assert game.headers["Red"] == "甲"


def test_gbk_bytes_that_look_like_a_brace() -> None:
    """Some characters of GBK end in the byte of ``}``: the file is decoded before it is scanned."""
    brace = b"\x81\x7d".decode("gb18030")
    [game] = read(f"1. 炮二平五 {{{brace}评}} 马8进7".encode("gb18030"))
    assert next(game.mainline()).comment == f"{brace}评"
    assert len(game.moves()) == 2


def test_the_encoding_can_be_given() -> None:
    data = SAMPLE.encode("gb18030")
    assert read(data, "gb18030")[0].headers["Red"] == "甲"
    assert len(read(data, "latin-1")[0].headers) == 3
    for name in ("nonsense", "rot13", "hex", "undefined", ""):
        with pytest.raises(InvalidRecord, match="没有这种文字编码"):
            read(data, name)


@pytest.mark.parametrize("data", [b"", b"hello world", b"\x00\x01\x02\xff", "只有文字".encode()])
def test_files_without_a_game(data: bytes) -> None:
    with pytest.raises(InvalidRecord, match="没有找到棋局"):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"XQ\x12" + bytes(1100),
        b"CCBridge Record\0" + bytes(300),
        b"CCBridgeLibrary\0" + bytes(300),
        b'<?xml version="1.0"?><ChineseChessRecord></ChineseChessRecord>',
        b"[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]",
    ],
)
def test_other_formats_are_known_by_their_content(data: bytes) -> None:
    form = next(form for form in FORMATS if form.recognise(data))
    assert form.name.split("（")[0] in ("XQF", "CBR", "CBL", "CBF", "DhtmlXQ")
    if form.read is None:
        with pytest.raises(InvalidRecord, match=form.name.split("（")[0]):
            read(data)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5hkscs"])
def test_written_files_read_the_same(tmp_path: Path, encoding: str) -> None:
    notation = "traditional" if encoding == "big5hkscs" else "chinese"
    games = [
        Game.from_moves(["h2e2", "h9g7"], headers={"Game": "Chinese Chess", "Red": "甲"}),
        Game.from_moves(["b2e2"], "4k4/9/9/9/9/9/9/1C7/9/3K5 w", result="1-0"),
    ]
    path = tmp_path / "games.any"
    write(path, games, notation=notation, encoding=encoding)
    again = read(str(path))
    assert [game.moves() for game in again] == [game.moves() for game in games]
    assert again[0].headers == games[0].headers
    assert again[1].board().fen() == games[1].board().fen()
    write(path, games[0])
    assert read(path)[0] == games[0]
