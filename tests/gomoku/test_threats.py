"""The threat solver: reference rows, the twin on small searches, proofs against the verifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import gomoku
from gomoku import Board, Move, Proof, Solver, Step
from gomoku.threats.verifier import fault
from qikit.stop import StopFlag
from tests.gomoku.data import board_of, cluster, ids, rows, twin_stones
from tests.twins import gomoku as twin

RULES = ("freestyle", "standard", "renju", "caro_overline", "caro_exact")
SOLVER = Solver()


@pytest.mark.parametrize("row", rows("vcf"), ids=ids)
def test_vcf_rows(row: dict[str, Any]) -> None:
    board = board_of(row)
    before = board.copy()
    expected = row["expected"]
    if row["kind"] == "none":
        answer = SOLVER.vcf(board, expected["no_vcf_up_to"])
        assert answer.proof is None
        assert answer.exhausted
        return
    proof = SOLVER.vcf(board).proof
    assert proof is not None
    assert board == before
    assert proof.attack_moves == expected["min_attack_moves"]
    assert str(proof.first) in expected["winning_first_moves"]
    assert fault(proof) is None
    shorter = SOLVER.vcf(board, expected["min_attack_moves"] - 1)
    assert shorter.proof is None
    assert shorter.exhausted
    if expected["min_attack_moves"] <= 15:
        assert first_moves(board, expected["min_attack_moves"]) == set(
            expected["winning_first_moves"]
        )


def first_moves(board: Board, attacks: int) -> set[str]:
    """All first moves that win by fours with no more than ``attacks`` attacking stones."""
    found = set()
    attacker = board.turn
    forced = board.five_points(1 - attacker)
    for move in board.four_points(attacker):
        if forced and move not in forced:
            continue
        if attacker == gomoku.BLACK and board.forbidden_code(move):
            continue
        after = board.copy()
        after.push_unchecked(move)
        fives = after.five_points(attacker)
        blocked = [p for p in fives if not (after.turn == gomoku.BLACK and after.forbidden_code(p))]
        if len(fives) > 1 or not blocked:
            found.add(str(move))
        elif attacks > 1:
            after.push_unchecked(blocked[0])
            if SOLVER.vcf(after, attacks - 1, shortest=False).proof is not None:
                found.add(str(move))
    return found


@pytest.mark.parametrize("row", [r for r in rows("vct") if r["kind"] == "win"], ids=ids)
def test_vct_rows(row: dict[str, Any]) -> None:
    board = board_of(row)
    before = board.copy()
    expected = row["expected"]
    depth = expected["threat_depth"]
    answer = SOLVER.vct(board, expected["min_attack_moves"], threat_depth=depth)
    assert board == before
    assert answer.proof is not None
    assert answer.proof.attack_moves <= expected["min_attack_moves"]
    assert fault(answer.proof) is None
    line = answer.proof.line
    game = board.copy()
    for move in line:
        game.push(move)


@pytest.mark.parametrize("row", [r for r in rows("vct") if r["kind"] == "published"], ids=ids)
def test_published_rows_are_benchmarks(row: dict[str, Any]) -> None:
    """Published solutions of 13 and 18 attacks: whatever is answered, it must not be wrong."""
    answer = SOLVER.vct(board_of(row), 20, max_nodes=5_000)
    if answer.proof is not None:
        assert fault(answer.proof) is None


@pytest.mark.full
def test_published_win_of_13_attacks() -> None:
    """White's win by wider threats (two fours deep); the first move is the published one."""
    row = next(r for r in rows("vct") if r["id"] == "vct-qt-04")
    proof = SOLVER.vct(board_of(row), 30, threat_depth=2).proof
    assert proof is not None
    assert str(proof.first) == row["expected"]["published_line"][0]
    assert fault(proof) is None


def random_board(seed: int) -> Board:
    """A crowded random position without a win on the board, either side to move."""
    rule = RULES[seed % len(RULES)]
    black, white = cluster(seed, 15, 6 + seed % 8, 6 + (seed // 3) % 7, 7 + seed % 4)
    board = Board(rules=rule)
    for color, points in ((0, black), (1, white)):
        for p in points:
            move = Move(*p)
            if move not in board.five_points(color):
                board._add(move, color)
    board.turn = board._root_turn = seed // 7 % 2
    return board


def check_random(seed: int, *, vct: bool) -> int:
    """Solve one random position both ways; returns how many proofs there were."""
    board = random_board(seed)
    before = board._state.copy()
    proofs = []
    for answer in (
        SOLVER.vcf(board, max_nodes=20_000, shortest=seed % 2 == 0),
        SOLVER.vct(board, 8, threat_depth=1 + seed % 2, max_nodes=300) if vct else None,
    ):
        assert (board._state == before).all()
        if answer is not None and answer.proof is not None:
            reason = fault(answer.proof)
            assert reason is None, f"seed {seed}: {reason}\n{board}"
            proofs.append(answer.proof)
    return len(proofs)


def test_random_proofs_sample() -> None:
    assert sum(check_random(seed, vct=seed % 5 == 0) for seed in range(250)) > 100


@pytest.mark.full
def test_random_proofs_whole() -> None:
    for seed in range(10_000):
        check_random(seed, vct=True)


@pytest.mark.parametrize("seed", range(1000, 1015))
def test_vcf_is_complete_and_shortest(seed: int) -> None:
    """The twin tries every four against every defence."""
    rule = RULES[seed % len(RULES)]
    black, white = cluster(seed, 9, 8, 6, 7)
    board = Board.from_stones(
        [Move(*p) for p in black], [Move(*p) for p in white], seed % 2, rules=rule, size=9
    )
    if board.is_over():
        return
    stones = twin_stones(board)
    expected = twin.shortest_vcf(stones, "bw"[board.turn], 3, 9, rule)
    answer = SOLVER.vcf(board, 3)
    if expected is None:
        assert answer.proof is None
        assert answer.exhausted
    else:
        assert answer.proof is not None
        assert answer.proof.attack_moves == expected[0]
        assert tuple(answer.proof.first) in expected[1]


def test_verifier_finds_faults() -> None:
    board = Board.from_stones(["f8", "g8", "h8", "e5", "e6", "e7"], ["i8", "e4"], "black")
    proof = gomoku.solve_vcf(board)
    assert proof is not None
    assert proof.verify()
    assert not replace(proof, root=Step(Move.parse("a1"))).verify()
    assert not replace(proof, root=Step(Move.parse("f8"))).verify()
    counter = Board.from_stones(
        ["f8", "g8", "h8", "e5", "e6", "e7"], ["a1", "a2", "a3", "a4"], "black"
    )
    text = fault(Proof(counter, Step(Move.parse("e8")), 0))
    assert text is not None
    assert "反成五" in text
    renju = Board.from_stones(["f8", "g8", "h6", "h7"], [], "black", rules="renju")
    assert "禁手" in str(fault(Proof(renju, Step(Move.parse("h8")), 0)))


def test_white_wins_by_black_s_forbidden_point() -> None:
    """gm02 turned round: black's only block is a 三三, so white's four wins (抓禁手)."""
    board = Board(rules="renju")
    for move in ["h8", "g6", "f6", "g5", "f7", "g4", "h7", "a2", "g2", "a1"]:
        board.push(move)
    board.push("g8")
    proof = gomoku.solve_vcf(board)
    assert proof is not None
    assert str(proof.first) == "g3"
    assert proof.attack_moves == 1
    assert proof.verify()
    free = Board(rules="freestyle")
    for played in board.move_stack:
        free.push(played)
    found = gomoku.solve_vcf(free, max_attack_moves=1)
    assert found is None


def test_limits_are_told() -> None:
    row = next(r for r in rows("vcf") if r["expected"].get("min_attack_moves") == 87)
    board = board_of(row)
    answer = SOLVER.vcf(board, max_nodes=500)
    assert answer.proof is None
    assert not answer.exhausted
    stop = StopFlag()
    stop.set()
    stopped = Solver(stop).vcf(board)
    assert stopped.proof is None
    assert not stopped.exhausted


def test_a_finished_game_has_no_win() -> None:
    board = Board()
    for move in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"]:
        board.push(move)
    assert SOLVER.vcf(board).proof is None
    assert SOLVER.vct(board).proof is None


def test_limits_without_measure() -> None:
    board = Board.from_stones(["f8", "g8", "h8"], ["a1", "a3"], "black")
    assert gomoku.solve_vcf(board, 10**30, max_nodes=10**30) is not None
    assert gomoku.solve_vct(board, 10**30, threat_depth=10**30, max_nodes=10**30) is not None
    assert gomoku.solve_vcf(board, -(10**30)) is None
    for limit in (float("nan"), float("inf"), "3"):
        with pytest.raises(ValueError, match="not a whole number"):
            gomoku.solve_vcf(board, limit)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="not a whole number"):
            gomoku.solve_vct(board, max_nodes=limit)  # type: ignore[arg-type]
