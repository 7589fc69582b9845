"""The board: outcomes, counts, moves, keys, texts."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gomoku
from gomoku import Board, Move, counts
from gomoku import geometry as g
from qikit import GameError, IllegalMove, InvalidMove, InvalidPosition, Termination
from tests.gomoku.data import board_of, cluster, ids, rows, twin_stones
from tests.twins import gomoku as twin

RULES = ("freestyle", "standard", "renju", "caro_overline", "caro_exact")


@pytest.mark.parametrize("row", rows("outcomes"), ids=ids)
def test_outcome_rows(row: dict[str, Any]) -> None:
    board = board_of(row)
    color = gomoku.BLACK if row["to_move"] == "black" else gomoku.WHITE
    board.push_unchecked(Move.parse(row["point"]))
    outcome = board.outcome()
    if outcome is None:
        result = "continue"
    elif outcome.winner is None:
        result = "draw"
        assert board.stone_count == board.size**2 - row["expected"]["empty_left"]
    elif outcome.termination is Termination.FORBIDDEN_MOVE:
        result = "forbidden_loss"
    else:
        assert outcome.winner == color
        result = "win"
    assert result == row["expected"]["result"]


@pytest.mark.parametrize("row", [r for r in rows("counts") if r["kind"] != "opening"], ids=ids)
def test_count_rows(row: dict[str, Any]) -> None:
    expected = row["expected"]
    if row["kind"] == "positions":
        size, plies = row["size"], row["plies"]
        assert counts.positions(size, plies) == expected["positions"]
        up_to = counts.positions_up_to_symmetry(size, plies)
        assert up_to == expected["positions_up_to_symmetry"]
    elif row["kind"] == "sequences":
        assert len(counts.five_windows(15)) == expected["five_windows"]
        assert counts.disjoint_window_pairs(15) == expected["ordered_disjoint_window_pairs"]
        assert counts.wins_at_ply(15, 9) == int(expected["first_wins_at_ply_9"])
        assert counts.wins_at_ply(15, 10) == int(expected["wins_at_ply_10"])
        for plies, number in expected["move_sequences"].items():
            assert counts.sequences(15, int(plies)) == int(number)
    elif row["kind"] == "legal":
        board = board_of(row)
        assert len(board.empty_points()) == expected["empty"]
        assert len(board.legal_moves) == expected["legal_black_moves"]
        assert len(board.forbidden_points()) == expected["forbidden"]
    else:
        assert row["kind"] == "value"
        pytest.skip("a result from the literature: no program of ours can decide it")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_perft_against_twin(rule: str, seed: int) -> None:
    """Crowded little boards, where games end inside the tree."""
    rng = np.random.default_rng(seed)
    board = Board(size=6, rules=rule)
    while board.stone_count < 27 - seed and not board.is_over():
        moves = list(board.legal_moves)
        board.push(moves[rng.integers(len(moves))])
    stones = twin_stones(board)
    turn = "bw"[board.turn]
    for depth in (1, 2, 3):
        expected = 0 if board.is_over() else twin.perft(stones, turn, depth, 6, rule)
        assert board.perft(depth) == expected
        if not board.is_over():
            assert sum(board.divide(depth).values()) == expected


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(RULES),
    st.sampled_from((5, 6, 9, 15, 19, 20)),
    st.integers(0, 2**32 - 1),
)
def test_random_games(rule: str, size: int, seed: int) -> None:
    """Wins are the twin's, push and pop restore, keys and texts agree with fresh boards."""
    rng = np.random.default_rng(seed)
    board = Board(size=size, rules=rule)
    states = []
    low = max(0, size // 2 - 4)
    high = min(size, low + 8)
    while not board.is_over() and board.ply < 50:
        near = [m for m in board.legal_moves if low <= m.x < high and low <= m.y < high]
        if not near:
            break
        states.append((board.fen(), board.key, board._state.copy()))
        move = near[rng.integers(len(near))]
        color = board.turn
        board.push(move)
        stones = twin_stones(board)
        over = board.outcome()
        won = over is not None and over.termination is Termination.FIVE_IN_A_ROW
        assert won == twin.wins(stones, (move.x, move.y), rule)
        assert not won or (over is not None and over.winner == color)
    again = Board(board.fen())
    assert again == board
    assert again.key == board.key
    live = [
        board._state[g.SUMS + m.point(size)] == again._state[g.SUMS + m.point(size)]
        for m in board.empty_points()
    ]
    assert all(live)
    assert (board._state[g.SETS : g.VALUE + 1] == again._state[g.SETS : g.VALUE + 1]).all()
    for fen, key, state in reversed(states):
        board.pop()
        assert board.fen() == fen
        assert board.key == key
        assert (board._state == state).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(8))
def test_point_sets_against_twin(rule: str, seed: int) -> None:
    """The sets that the kernel keeps: where a stone makes a five, where it makes a four."""
    size = 11 if seed % 2 else 9
    black, white = cluster(seed, size, 9 + seed, 7 + seed % 3, 8)
    board = Board.from_stones(
        [Move(*p) for p in black], [Move(*p) for p in white], "black", rules=rule, size=size
    )
    stones = twin_stones(board)
    for color, letter in enumerate("bw"):
        fives = {tuple(move) for move in board.five_points(color)}
        assert fives == twin.five_points(stones, letter, size, rule)
        fours = {tuple(move) for move in board.four_points(color)}
        assert fours == twin.four_points(stones, letter, size, rule)


def test_kernels_from_the_cache_in_another_process() -> None:
    """Self-recursive kernels once failed when they came from the cache (numba issue 6061)."""
    code = (
        "import gomoku; b = gomoku.Board(rules='renju');"
        "[b.push(m) for m in 'h8 h9 g7 i7 f6 e5 g9 g10'.split()];"
        "b.forbidden_points(); gomoku.solve_vct(b, 4, max_nodes=50); print(b.perft(2))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == str(217 * 216)


@pytest.mark.parametrize("symmetry", range(8))
def test_symmetries(symmetry: int) -> None:
    board = Board(size=9, rules="renju")
    for move in ["e5", "e6", "f5", "d4", "g6", "c3"]:
        board.push(move)
    image = board.transform(symmetry)
    assert image.canonical_key() == board.canonical_key()
    assert image.perft(2) == board.perft(2)
    assert (image.key == board.key) == (symmetry == 0)


def test_moves_on_big_boards_may_join_old_overlines() -> None:
    """Exact five: overlines stay on the board and may grow beyond any table of nine."""
    black = [Move(x, 9) for x in (*range(6), *range(7, 20))]
    board = Board.from_stones(black, [], "black", rules="standard", size=20)
    board.push(Move(6, 9))
    assert board.outcome() is None
    assert len(Board.from_stones(black, [], "black", size=20).winning_lines()) == 2


def test_pass_rules() -> None:
    with pytest.raises(IllegalMove, match="停一手"):
        Board(rules="renju").push("pass")
    board = Board(rules=replace(gomoku.RENJU, passes=True))
    assert Move.parse("pass") in board.legal_moves
    board.push("pass")
    board.push("pass")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert board.pop().is_pass
    assert board.outcome() is None


def test_move_limit_draws() -> None:
    board = Board(rules=replace(gomoku.RENJU, move_limit=2))
    board.push("h8")
    board.push("a1")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.MOVE_LIMIT
    assert outcome.winner is None


def test_black_with_only_forbidden_points_has_lost() -> None:
    rows = ["wwwwbw", "wwwwbw", "wwbwwb", "bwwbww", "wbwwwb", "bbb1bb"]
    board = Board("/".join(rows) + " b renju")
    assert [kind.zh for kind in board.forbidden("d1").kinds] == ["长连"]  # type: ignore[union-attr]
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.FORBIDDEN_MOVE
    assert outcome.winner == gomoku.WHITE
    assert len(board.legal_moves) == 0


def test_bad_input_is_told() -> None:
    board = Board()
    with pytest.raises(InvalidMove, match="p1"):
        board.push("p1")
    with pytest.raises(InvalidMove, match="z9"):
        board.push("z9")
    board.push("h8")
    with pytest.raises(IllegalMove, match="h8 已有棋子"):
        board.push("h8")
    with pytest.raises(InvalidPosition, match="21"):
        Board(size=21)
    with pytest.raises(InvalidPosition, match="两枚"):
        Board.from_stones(["h8"], ["h8"], "white")
    with pytest.raises(InvalidPosition, match="第 5 行有 4 点"):
        Board("4/5/5/5/5 b")
    with pytest.raises(InvalidPosition, match="'x'"):
        Board("x4/5/5/5/5 b")
    with pytest.raises(ValueError, match="gobang"):
        Board(rules="gobang")
    with pytest.raises(IndexError):
        Board().pop()


def test_pickle_and_copy_are_independent() -> None:
    board = Board(rules="renju")
    board.push("h8")
    twin_board = pickle.loads(pickle.dumps(board))
    clone = board.copy()
    board.push("h9")
    assert twin_board == clone != board
    twin_board.push("a1")
    assert twin_board.move_stack == [Move(7, 7), Move(0, 0)]


def test_status_lists_every_defect() -> None:
    black = [Move(x, 0) for x in range(5)]
    white = [Move(x, 2) for x in range(5)]
    status = Board.from_stones(black, [*white, Move(9, 9)], "black").status()
    assert status == (
        gomoku.Status.UNBALANCED | gomoku.Status.TWO_WINNERS | gomoku.Status.WINNER_TO_MOVE
    )


def test_diagram_has_row_one_at_the_bottom() -> None:
    board = Board(size=5)
    board.push("b1")
    board.push("c2")
    assert str(board).splitlines()[-2:] == [" 1 . X . . .", "   a b c d e"]


def test_svg_is_xml_and_marks_forbidden_points() -> None:
    from xml.etree import ElementTree

    board = Board.from_stones(["f8", "g8", "h6", "h7"], [], "black", rules="renju")
    text = board._repr_svg_()
    ElementTree.fromstring(text)
    assert "有禁手" in text
    assert text.count("l14 14m0 -14") == 1


def test_copy_module() -> None:
    board = Board()
    board.push("h8")
    for clone in (copy.copy(board), copy.deepcopy(board)):
        clone.push("h9")
        assert board.move_stack == [Move(7, 7)]
        assert board.stone_at("h9") is None


def test_one_way_to_name_a_move() -> None:
    board = Board(rules="renju")
    for move in ("h8", "7,7", (7, 7), [7, 7], Move(7, 7), (np.int64(7), np.int64(7))):
        assert board.is_legal(move)  # type: ignore[arg-type]
        assert move in board.legal_moves
        assert board.stone_at(move) is None  # type: ignore[arg-type]
        assert board.forbidden(move) is None  # type: ignore[arg-type]
        assert board.push(move) == Move(7, 7)  # type: ignore[arg-type]
        board.pop()
        assert Board.from_stones([move], [], 1).stone_at("h8") == 0  # type: ignore[list-item]


BAD_MOVES = (None, 7, (7.5, 3), (10**30, 1), (99, 99), (-1, 5), (-1, -1), (1, 2, 3), b"h8", "z9")


@pytest.mark.parametrize("move", BAD_MOVES, ids=repr)
def test_what_is_no_move(move: Any) -> None:
    board = Board(rules="renju")
    assert not board.is_legal(move)
    assert move not in board.legal_moves
    with pytest.raises(GameError):
        board.push(move)
    with pytest.raises(InvalidMove):
        board.stone_at(move)
    with pytest.raises(InvalidMove):
        board.forbidden(move)
    with pytest.raises(GameError):
        Board.from_stones([move], [], "black")


def test_wrong_types_are_told() -> None:
    for size in (15.0, "15", None, 10**30):
        with pytest.raises(InvalidPosition, match="out of range"):
            Board(size=size)  # type: ignore[arg-type]
    with pytest.raises(InvalidPosition, match="局面应为文本"):
        Board(15)  # type: ignore[arg-type]
    for rules in (["renju"], None, 4):
        with pytest.raises(ValueError, match="no such rule set"):
            Board(rules=rules)  # type: ignore[arg-type]
    for symmetry in (8, -1, "1"):
        with pytest.raises(ValueError, match="no such symmetry"):
            Board().transform(symmetry)  # type: ignore[arg-type]
    assert Board(size=5).perft(10**30) == 0


def test_a_finished_game_stays_finished() -> None:
    won = Board()
    for move in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"]:
        won.push(move)
    root = Board.from_stones(["h8", "i8", "j8", "k8", "l8"], ["a1", "a2", "a3", "a4"], "white")
    drawn = Board(rules=replace(gomoku.RENJU, passes=True))
    drawn.push("pass")
    drawn.push("pass")
    for board in (won, root, drawn):
        before = board.outcome()
        assert before is not None
        for move in ("a5", "o15", "b1"):
            board.push_unchecked(Move.parse(move))
            assert board.outcome() == before
        assert board.transform(3).outcome() == board.copy().outcome() == before
        for _ in range(3):
            board.pop()
        assert board.outcome() == before
