"""``qiyuan match``: levels, players and engines against each other from the command line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ai import Budget
from qiyuan.commands.match import command, make_player
from tests.ai.test_client import scripted
from xiangqi import Board, Move
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
    assert "SPRT 0/400: 接受 ELO1" in result.stdout


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("神仙", "没有这个等级"),
        ("uci:no-such-program", "cannot start"),
        ("uci:", "no program is named"),
    ],
)
def test_unknown_players_are_told(player: str, said: str) -> None:
    result = CliRunner().invoke(command, [player, "1", "--games", "2"])
    assert result.exit_code != 0
    assert said in result.output


@pytest.mark.parametrize(
    "words",
    [
        ["--games", "-1"],
        ["--time", "-1"],
        ["--time", "nan"],
        ["--nodes", "-5"],
        ["--rules", "foo"],
        ["--sprt", "50", "0"],
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_first_game(words: list[str]) -> None:
    result = CliRunner().invoke(command, ["1", "2", *words])
    assert result.exit_code == 2, result.output
    assert words[0] in result.output


def test_an_engine_that_dies_breaks_the_match_off(tmp_path: Path) -> None:
    engine = "uci:" + shlex.join(map(str, scripted(tmp_path, "sys.exit(7)")))
    result = CliRunner().invoke(command, [engine, "random", "--games", "2", "--nodes", "9"])
    assert result.exit_code == 1
    assert "the match broke off" in result.output
    assert "exit status 7" in result.output


def test_an_answer_that_is_no_move_loses(tmp_path: Path) -> None:
    engine = "uci:" + shlex.join(map(str, scripted(tmp_path, "say('bestmove zzzz')")))
    arguments = [engine, "random", "--games", "2", "--nodes", "9", "--json"]
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert result.stderr.count("no legal move") == 2, result.output
    found = json.loads(result.stdout, parse_constant=pytest.fail)  # no Infinity in JSON
    assert (found["losses"], found["elo"], found["margin"]) == (2, None, None)


@pytest.mark.parametrize("name", ["search", "10"])
def test_players_of_the_house_keep_to_the_rules_of_the_match(name: str) -> None:
    board = Board("3k1a3/4a4/9/p1N3n2/4p1b1c/4c2R1/P8/4C4/4A4/2B1K1p2 w")
    for text in ("h4i4", "i5h5", "i4h4"):
        board.push(text)
    moves = [Move.parse("h5i5"), Move.parse("a6a5")]  # to save the cannon, or to lose it
    for rules, text in (("club2008", "a6a5"), ("axf", "h5i5")):
        found = make_player(name, 1, rules).choose(board, Budget(nodes=2000), moves=moves)
        assert str(found.move) == text
