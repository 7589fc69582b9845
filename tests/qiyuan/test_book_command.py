"""``qiyuan book``: built from files and folders, with what was skipped; looked into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ai.openings.book import PLIES
from qikit import InvalidRecord
from qiyuan.commands.book import command
from qiyuan.commands.match import command as match_command
from xiangqi import Game, records

PGN = """[Event "a"]
[Result "1-0"]

1. 炮二平五 马8进7 2. 马二进三 1-0

[Event "b"]
[Result "1/2-1/2"]

1. 炮二平五 炮8平5 1/2-1/2

[Event "c"]

1. 炮二平五 马8进8 *

[Event "d"]
[FEN "4k4/9/9/9/9/9/9/9/4A4/4K4 w"]

1. e1d0 *
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments)], standalone_mode=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "棋谱"
    (made / "deep").mkdir(parents=True)
    (made / "a.pgn").write_text(PGN, "gb18030")
    record = Game.from_moves(["b2e2", "b9c7"], result="0-1")  # the image of 炮二平五 马8进7
    (made / "deep" / "b.xqf").write_bytes(records.to_bytes([record], "xqf").data)
    (made / "noise.doc").write_text("这不是棋谱，只是一段话。", "utf-8")
    return made


def test_a_folder_becomes_a_book(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "my.qybook"
    done = run("build", folder, "--out", out)
    assert done.exit_code == 0, done.output
    assert "3 局 games，跳过 3 skipped" in done.stdout
    for reason in (
        "a.pgn 第 3 局：第 2 着",
        "a.pgn 第 4 局：不是从开局开始",
        "noise.doc：文件里没有找到棋局",
    ):
        assert reason in done.stderr
    shown = run("show", out).stdout.splitlines()
    assert shown[0].startswith(f"{out}：3 局 games，前 {PLIES} 着")
    assert shown[2].split() == ["炮二平五", "h2e2", "3", "1", "1", "1", "50.0", "%"]
    found = json.loads(run("show", out, "--moves", "炮二平五", "--json").stdout)
    assert [(one["zh"], one["games"], one["score"]) for one in found["moves"]] == [
        ("马8进7", 2, 0.5), ("炮8平5", 1, 0.5),
    ]  # fmt: skip
    fen = found["fen"]
    assert json.loads(run("show", out, fen, "--json").stdout) == found
    assert "库里没有这个局面" in run("show", out, "--moves", "a0a1").stdout


def test_a_book_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    out = folder / "my.qybook"
    assert run("build", folder, "--out", out, "--min-games", 2).exit_code == 0
    again = run("build", folder, "--out", out)
    assert isinstance(again.exception, InvalidRecord)
    assert "--force" in str(again.exception)
    done = run("build", folder, "--out", out, "--plies", 1, "--force")
    assert "3 skipped" not in done.output.split("，")[0]
    assert "跳过 2 skipped" in done.stdout  # a book of one ply needs no second move
    assert "my.qybook" not in done.stderr
    assert "前 1 着" in run("show", out).stdout


def test_nothing_to_use_makes_no_book(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("只是一段话。", "utf-8")
    out = tmp_path / "a.qybook"
    for source in (tmp_path / "a.txt", tmp_path / "none"):
        assert isinstance(run("build", source, "--out", out).exception, InvalidRecord)
    assert not out.exists()
    (tmp_path / "b").write_bytes(b"SQLite format 3\0")
    assert isinstance(run("show", tmp_path / "b").exception, InvalidRecord)


def test_a_match_takes_its_openings_from_records(folder: Path, tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    arguments = ["random", "greedy", "--games", "4", "--nodes", "10", "--pgn", str(pgn)]
    arguments += ["--openings", str(folder / "a.pgn"), "--opening-plies", "2"]
    done = CliRunner().invoke(match_command, arguments, standalone_mode=False)
    assert done.exit_code == 0, done.output
    begun = [[str(move) for move in game.moves()[:2]] for game in records.read(pgn)]
    assert begun == [["h2e2", "h9g7"]] * 2 + [["h2e2", "h7e7"]] * 2
