"""Loops told by exchanges in the tree, against the arbiter who searches every nature."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from ai import Budget
from ai.search.xiangqi import Brain, layout
from ai.search.xiangqi.network import shipped
from qikit.kernels import load
from tests.xiangqi.repetition.cases import loops
from xiangqi import Board, Move
from xiangqi.repetition import judge_loop

CHASE = ("4k4/9/9/9/R8/9/5n3/9/9/3K5 w", "a5a3 f3g5 a3a5 g5f3")


@pytest.fixture(scope="module")
def brain() -> Brain:
    return Brain(hash_size=2, network=shipped())


def told(brain: Brain, board: Board, plies: int) -> str:
    """What the tree makes of the last plies of a board."""
    brain.prepare(board)
    work = brain._threads[0].work
    kernel: Any = load("ai.search.xiangqi.loops.kernel")
    state = work[: layout.NODES].copy()
    answer = int(kernel.judged(work, 0, plies))
    assert np.array_equal(work[: layout.NODES], state)
    loser = {1: None, 2: 1 - board.turn, 3: board.turn}[answer]
    return "draw" if loser is None else ("red_loses", "black_loses")[loser]


@pytest.mark.parametrize(("rules", "least"), [("club2008", 105), ("axf", 125), ("cxa2020", 105)])
def test_diagrams(brain: Brain, rules: str, least: int) -> None:
    """The diagrams of the rule books are made of hard cases."""
    brain.rules, right = rules, 0
    for row in loops():
        board = Board(row["fen"])
        for text in [*row["setup"], *row["cycle"]]:
            board.push(text)
        ruling = judge_loop(row["fen"], row["setup"], row["cycle"], rules)
        right += told(brain, board, len(row["cycle"])) == ruling.verdict.value
    assert right >= least, right


def natural_loops(brain: Brain, count: int, seed: int) -> list[tuple[str, list[Move]]]:
    """Loops of four plies that come up in play: a move, the best answer, and both back."""
    random, found = Random(seed), []
    brain.rules = "club2008"
    while len(found) < count:
        brain.forget()
        board = Board()
        for _ in range(random.randrange(6, 90)):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = random.choice(moves)
            if random.random() < 0.6:
                move = best(brain, board, Budget(nodes=60))
            board.push(move)
        for _ in range(6):
            loop = one_loop(brain, board.fen(), random)
            if loop:
                found.append((board.fen(), loop))
    return found[:count]


def best(brain: Brain, board: Board, budget: Budget) -> Move:
    code = brain.think(board, budget)[0].move
    return Move(code & 127, code >> 7)


def one_loop(brain: Brain, fen: str, random: Random) -> list[Move] | None:
    board = Board(fen)
    quiet = [move for move in board.legal_moves if not board.is_capture(move)]
    if not quiet:
        return None
    moves = [random.choice(quiet)]
    board.push(moves[0])
    if not len(board.legal_moves):
        return None
    moves.append(best(brain, board, Budget(nodes=300)))
    if board.is_capture(moves[1]):
        return None
    board.push(moves[1])
    for move in moves[:2]:
        back = Move(move.to_square, move.from_square)
        if back not in board.legal_moves:
            return None
        moves.append(back)
        board.push(back)
    return moves


@pytest.mark.parametrize("rules", ["club2008", "axf"])
@pytest.mark.parametrize("count", [500, pytest.param(2000, marks=pytest.mark.full)])
def test_natural_loops(brain: Brain, rules: str, count: int) -> None:
    table: Counter[tuple[str, str]] = Counter()
    cases = natural_loops(brain, count, seed=5)
    brain.rules = rules
    for fen, moves in cases:
        board = Board(fen)
        for move in moves:
            board.push(move)
        ruling = judge_loop(fen, [], [str(move) for move in moves], rules)
        table[ruling.verdict.value, told(brain, board, len(moves))] += 1
    seen = {key: n for key, n in table.items() if key[1] != "draw"}
    lost = sum(n for (ruled, _), n in table.items() if ruled != "draw")
    right = sum(n for (ruled, said), n in seen.items() if ruled == said)
    assert lost >= count // 100
    assert right >= 0.9 * sum(seen.values()), table  # an accusation is nearly always right
    assert right >= 0.55 * lost, table  # mates and gains that come later are not seen


def test_perpetual_chase_is_lost_for_who_closes_it(brain: Brain) -> None:
    fen, loop = CHASE
    for rules in ("club2008", "axf"):
        brain.rules = rules
        board = Board(fen)
        for text in loop.split():
            board.push(text)
        again = brain.think(board, Budget(depth=2), moves=[Move.parse("a5a3")])[0]
        assert again.score < -layout.MATED_IN
        other = brain.think(board, Budget(depth=2), moves=[Move.parse("a5a4")])[0]
        assert other.score > -layout.MATED_IN


@pytest.mark.parametrize(
    ("fen", "loop"), [CHASE, ("3k5/9/9/9/3R5/9/9/9/9/5K3 b", "d9e9 d5e5 e9d9 e5d5 d9e9")]
)
def test_who_must_change_may_still_do_so(brain: Brain, fen: str, loop: str) -> None:
    """Who goes back has won nothing yet, and advice says so."""
    for rules in ("club2008", "axf"):
        brain.rules = rules
        board, moves = Board(fen), loop.split()
        for text in moves[:-1]:
            board.push(text)
        found = brain.think(board, Budget(depth=4), moves=[Move.parse(moves[-1])])[0]
        assert found.score < layout.MATED_IN
