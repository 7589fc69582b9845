"""Faults met in public programs (gomoku_bugs.jsonl): each row that a machine can check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gomoku
from ai.threat_player import ThreatPlayer
from gomoku import Board, Game, Solver, counts, records
from tests.gomoku.data import rows

ROWS = {row["id"]: row for row in rows("bugs")}


def board_of_moves(row: dict[str, Any]) -> Board:
    board = Board(rules=row["trigger"]["rule"])
    for move in row["trigger"]["moves"]:
        board.push(move)
    return board


def of_stones(row: dict[str, Any], rule: str, turn: str = "black") -> Board:
    trigger = row["trigger"]
    return Board.from_stones(trigger["black"], trigger.get("white", []), turn, rules=rule)


def gm01(row: dict[str, Any]) -> None:
    """i14 is no forced win: no VCF of 12 attacks, and no VCT of 5 begins there."""
    board = board_of_moves(row)
    solver = Solver()
    vcf = solver.vcf(board, 12)
    assert vcf.proof is None
    assert vcf.exhausted
    vct = solver.vct(board, 5)
    assert vct.proof is None
    assert vct.exhausted


def gm02(row: dict[str, Any]) -> None:
    """Black is lost, but a legal move comes; gm03 is the same position."""
    assert ROWS["gm03"]["trigger"]["see"] == "gm02"
    board = board_of_moves(row)
    assert [str(p) for p in board.five_points(gomoku.WHITE)] == [row["right"]["white_five_point"]]
    reason = board.forbidden("g7")
    assert reason is not None
    assert [kind.value for kind in reason.kinds] == ["double_three"]
    assert [str(p) for p in board.forbidden_points()] == ["g7"]
    choice = ThreatPlayer(1).choose(board)
    assert choice is not None
    assert choice.move in board.legal_moves


def gm05(row: dict[str, Any]) -> None:
    """A three whose eye also makes a five is none."""
    assert of_stones(row, "renju").forbidden(row["trigger"]["point"]) is None
    assert row["right"]["forbidden"] is False


def gm06(row: dict[str, Any]) -> None:
    """The judgement of eyes that judge each other ends."""
    reason = of_stones(row, "renju").forbidden(row["trigger"]["point"])
    assert reason is not None
    assert reason.kinds[0].value == row["right"]["kind"]


def gm07(row: dict[str, Any]) -> None:
    """Fives that end on the last row and column."""
    board = of_stones(row, "freestyle")
    board.push(row["trigger"]["point"])
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == gomoku.BLACK


def gm08(row: dict[str, Any]) -> None:
    """Joining three and two makes six: a win, nothing, forbidden, by rule and colour."""
    right = row["right"]
    point = row["trigger"]["point"]
    for rule, expected in (("freestyle", right["freestyle"]), ("standard", right["standard"])):
        board = of_stones(row, rule)
        board.push(point)
        assert ("continue" if board.outcome() is None else "win") == expected
    reason = of_stones(row, "renju").forbidden(point)
    assert reason is not None
    assert right["renju_black"] == f"forbidden {reason.kinds[0].value}"
    white = Board.from_stones([], row["trigger"]["black"], "white", rules="renju")
    white.push(point)
    outcome = white.outcome()
    assert outcome is not None
    assert outcome.winner == gomoku.WHITE


def gm10(row: dict[str, Any]) -> None:
    """Three-stone positions up to symmetry."""
    right = row["right"]
    assert counts.positions_up_to_symmetry(15, 3) == right["up_to_symmetry"]
    assert counts.positions(15, 3) == right["raw"]


def gm15(row: dict[str, Any]) -> None:
    """With a seed the same game, without one another game."""
    games = []
    for seed in (5, 5, 6, 7, 8):
        player = ThreatPlayer(seed)
        board = Board()
        for move in ("h8", "i9"):
            board.push(move)
        for _ in range(4):
            choice = player.choose(board)
            assert choice is not None
            board.push(choice.move)
        games.append(board.move_stack)
    assert games[0] == games[1]
    assert len({tuple(game) for game in games}) > 1
    hints = {ThreatPlayer().hint(Board("5/5/2b2/5/5 w")) for _ in range(2)}
    assert len({choice.move for choice in hints if choice is not None}) == 1


def gm16(row: dict[str, Any]) -> None:
    """The rule in force is named in pictures and files."""
    for rule in ("freestyle", "renju"):
        board = Board(rules=rule)
        assert board.rules.name_zh in board._repr_svg_()
        assert f"RU[{rule}]" in records.dumps(Game.of_moves(["h8"], rules=rule))
        assert board.fen().endswith(rule)


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "gm01": gm01,
    "gm02": gm02,
    "gm03": gm02,
    "gm05": gm05,
    "gm06": gm06,
    "gm07": gm07,
    "gm08": gm08,
    "gm10": gm10,
    "gm15": gm15,
    "gm16": gm16,
}
ELSEWHERE = {
    "gm04": "test_records: psq, black's six under freestyle",
    "gm09": "test_gomocup_protocol: BOARD",
    "gm11": "test_gomocup_protocol: BEGIN",
    "gm12": "test_gomocup_protocol: a command right behind a move",
    "gm13": "test_gomocup_protocol: INFO before START",
    "gm14": "there is no opening book whose hits could be reported",
}


@pytest.mark.parametrize("name", CHECKS)
def test_row(name: str) -> None:
    CHECKS[name](ROWS["gm02" if name == "gm03" else name])


def test_every_row_is_looked_at() -> None:
    assert sorted([*CHECKS, *ELSEWHERE]) == sorted(ROWS)
