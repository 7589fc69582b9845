"""``qiyuan match``: levels, players and engines against each other from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from qiyuan.commands.match import command
from xiangqi.records import loads


def test_levels_play_and_the_games_are_kept(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    arguments = ["3", "初学", "--games", "2", "--nodes", "100", "--pgn", str(pgn), "--json"]
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert found["wins"] + found["draws"] + found["losses"] == 2
    assert len(loads(pgn.read_text("utf-8"))) == 2


def test_own_openings_and_sequential_test(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("h2e2 h9g7\n", "utf-8")
    arguments = ["search", "random", "--games", "40", "--nodes", "300", "--openings", str(book)]
    result = CliRunner().invoke(command, [*arguments, "--sprt", "0", "400"], standalone_mode=False)
    assert result.exit_code == 0, result.output
    assert "SPRT 0/400: True" in result.stdout


@pytest.mark.parametrize(
    ("player", "said"), [("神仙", "没有这个等级"), ("uci:no-such-program", "cannot start")]
)
def test_unknown_players_are_told(player: str, said: str) -> None:
    result = CliRunner().invoke(command, [player, "1", "--games", "2"])
    assert result.exit_code != 0
    assert said in result.output
