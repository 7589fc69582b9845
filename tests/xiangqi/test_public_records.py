"""The public XQF, CBR, CBL, CBF and DhtmlXQ records as they must come out."""

from __future__ import annotations

import gzip
import json
from functools import cache

import pytest

from tests.xiangqi.game_trees import bracketed, shape
from tests.xiangqi.test_records import RECORDS, needs_records, summary
from xiangqi import Game, ccbridge
from xiangqi.records import dumps, loads, read, to_bytes

TAGS = {
    "title": "Title",
    "event": "Event",
    "date": "Date",
    "place": "Site",
    "red": "Red",
    "black": "Black",
    "commentator": "Annotator",
    "author": "Author",
    "type": "Type",
    "Name": "Title",
    "Contest": "Event",
    "Commentator": "Annotator",
}
"""Names of fields in expected.jsonl and the tags that we make of them."""


@cache
def expected() -> dict[str, list[dict]]:
    """What each file must give, games in order; headings of a library are rows too."""
    files: dict[str, list[dict]] = {}
    if RECORDS.is_dir():
        for line in (RECORDS / "expected.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["format"] != "PGN":
                files.setdefault(row["file"], []).append(row)
    return files


def check(game: Game, row: dict, section: str) -> None:
    illegal = row.get("illegal", [])
    got = summary(game)
    want = {name: row[name] for name in ("fen", "fen_after", "variations")}
    want["moves"] = row["moves"][: row.get("first_illegal_ply", 0) - 1 if illegal else None]
    want["nodes"] = row["nodes"] - len(illegal)
    want["headers"] = {
        TAGS.get(name, name): value for name, value in row["headers"].items() if name != "result"
    }
    if section:
        want["headers"]["Section"] = section
    if row["format"] == "XQF":
        got["headers"].pop("RecordType", None)
    if "result_code" in row:
        want["result"] = ("*", "1-0", "0-1", "1/2-1/2")[row["result_code"]]
    elif "result" in row:
        want["result"] = row["result"]
    if "remarks" in row:
        want["remarks"] = row["remarks"]
        want["remarks_on_main_line"] = row["remarks_on_main_line"]
    for name, value in want.items():
        assert got[name] == value, name
    if "tree" in row and not illegal:
        assert bracketed(game) == row["tree"]
    elif "tree" in row:
        assert bracketed(game) == row["tree"].removesuffix(f" {illegal[-1]['move']}")
    assert [(defect.ply, defect.text) for defect in game.defects] == [
        (item["ply"], item["move"]) for item in illegal
    ]


@needs_records
def test_all_public_files_are_listed() -> None:
    files = {
        str(path.relative_to(RECORDS)) for path in RECORDS.glob("*/*") if path.parent.name != "pgn"
    }
    assert set(expected()) == files
    assert sum(map(len, expected().values())) == 38 + 13


@needs_records
@pytest.mark.parametrize("file", sorted(expected()))
def test_public_record(file: str) -> None:
    games = read(RECORDS / file)
    rows = iter(expected()[file])
    section = ""
    for game in games:
        for row in rows:
            if "fen" in row:
                check(game, row, section)
                break
            section = row["headers"]["title"]
    assert next(rows, None) is None


@needs_records
def test_headings_of_a_library_keep_their_titles() -> None:
    data = gzip.decompress((RECORDS / "cbr/cup1989.cbl.gz").read_bytes())
    items = ccbridge.library(data)
    titles = [item.title for item in items if isinstance(item, ccbridge.Heading)]
    [rows] = [rows for file, rows in expected().items() if file.endswith(".cbl.gz")]
    assert titles == [row["headers"]["title"] for row in rows if "fen" not in row]
    assert items[0].remark.startswith("评注从略。")
    assert len(items) == len(rows) == 38
    assert read(data) == read(RECORDS / "cbr/cup1989.cbl.gz")


@needs_records
def test_one_game_in_two_files() -> None:
    """Two versions of XQF agree, and XQF with the PGN of the same program."""
    [old], [new] = read(RECORDS / "xqf/cup1997_v0a.xqf"), read(RECORDS / "xqf/cup1997_v12.xqf")
    assert old.moves() == new.moves()
    [xqf], [pgn] = (
        read(RECORDS / "xqf/sample_handicap9.xqf"),
        read(RECORDS / "pgn/sample_handicap9.pgn"),
    )
    assert xqf.moves() == pgn.moves()
    assert xqf.board() == pgn.board()
    assert xqf.result == pgn.result


@needs_records
@pytest.mark.parametrize("file", sorted(expected()))
def test_public_games_written_in_our_formats_read_the_same(file: str) -> None:
    for game in read(RECORDS / file):
        for form in ("xqf", "dhtmlxq"):
            [again] = read(to_bytes(game, form).data)
            assert shape(again) == shape(game)
            assert again.board() == game.board()
            assert again.result == game.result
            assert again.defects == []
        [again] = loads(dumps(game))
        assert shape(again) == shape(game)
        [line] = read(to_bytes(game, "moves").data)
        assert line.moves() == game.moves()
