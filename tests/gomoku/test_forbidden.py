"""禁手: the reference rows, the twin on random positions, and peer programs where they exist."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import gomoku
from gomoku import Move
from qikit import IllegalMove
from tests.gomoku.data import board_of, cluster, ids, rows, twin_stones
from tests.twins import gomoku as twin

ROWS = rows("forbidden")


@pytest.mark.parametrize("row", [r for r in ROWS if r["kind"] == "point"], ids=ids)
def test_point(row: dict[str, Any]) -> None:
    board = board_of(row)
    expected = row["expected"]
    found = board.forbidden(row["point"])
    assert (found is not None) == expected["forbidden"]
    kinds = {kind.value for kind in found.kinds} if found else set()
    assert kinds == set(expected["kinds"])
    point = Move.parse(row["point"])
    assert (point in board.five_points(gomoku.BLACK)) == expected["makes_five"]


@pytest.mark.parametrize("row", [r for r in ROWS if r["kind"] == "set"], ids=ids)
def test_whole_board(row: dict[str, Any]) -> None:
    board = board_of(row)
    found = {}
    for point in board.forbidden_points():
        reason = board.forbidden(point)
        assert reason is not None
        found[str(point)] = reason.kinds[0].value
    assert found == row["expected"]["forbidden_points"]


def compare_with_twin(seed: int) -> int:
    """Compare every empty point of one random position; returns how many are forbidden."""
    black, white = cluster(seed, 15, 10 + seed % 9, 4 + seed % 7, 7 + seed % 4)
    board = gomoku.Board.from_stones(
        [Move(*p) for p in black], [Move(*p) for p in white], "black", rules="renju"
    )
    before = board.copy()
    stones = twin_stones(board)
    count = 0
    for p in product(range(15), range(15)):
        if p in stones:
            continue
        expected = twin.forbidden(stones, p, 15)
        found = board.forbidden(Move(*p))
        kinds = {kind.value for kind in found.kinds} if found else set()
        assert kinds == expected, f"seed {seed}, {Move(*p)}\n{board}"
        count += bool(expected)
    assert board == before
    return count


def test_twin_sample() -> None:
    assert sum(compare_with_twin(seed) for seed in range(120)) > 100


@pytest.mark.full
def test_twin_whole() -> None:
    for seed in range(5000):
        compare_with_twin(seed)


def test_lines_are_the_reason() -> None:
    board = gomoku.Board.from_stones(
        ["d8", "e8", "f8", "j8", "k8", "l8"], [], "black", rules="renju"
    )
    reason = board.forbidden("h8")
    assert reason is not None
    assert [kind.zh for kind in reason.kinds] == ["四四"]
    assert [" ".join(map(str, line.stones)) for line in reason.lines] == [
        "d8 e8 f8 h8",
        "h8 j8 k8 l8",
    ]
    assert [" ".join(map(str, line.completions)) for line in reason.lines] == ["g8", "i8"]


def test_forbidden_point_is_refused_with_the_reason() -> None:
    board = gomoku.Board.from_stones(["f8", "g8", "h6", "h7"], [], "black", rules="renju")
    with pytest.raises(IllegalMove, match="三三禁手") as caught:
        board.push("h8")
    assert caught.value.rule == "RIF 9.2"
    assert Move.parse("h8") not in board.legal_moves


def test_other_rules_forbid_nothing() -> None:
    for rule in ("freestyle", "standard", "caro_exact", "caro_overline"):
        board = gomoku.Board.from_stones(["f8", "g8", "h6", "h7"], [], "black", rules=rule)
        assert board.forbidden("h8") is None
        assert board.forbidden_points() == ()
