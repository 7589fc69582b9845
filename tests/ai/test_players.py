"""The player protocol: budgets, stopping, and the two simple players."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

import qikit
from ai import Budget, Choice, Clock, GreedyPlayer, Player, RandomPlayer, evaluation
from qikit import Capability, StopFlag
from xiangqi import Board, Move


def players(game: str) -> list[Player]:
    return [RandomPlayer(seed=1), GreedyPlayer(evaluation(game), seed=1)]


@pytest.mark.parametrize("game", qikit.names())
@pytest.mark.parametrize("which", [0, 1], ids=["random", "greedy"])
def test_simple_players_play_every_game(game: str, which: int) -> None:
    info = qikit.game(game)
    if Capability.MOVES | Capability.START not in info.capabilities:
        pytest.skip(f"{info.name_zh} has no move lists or no start without a set-up")
    player = players(game)[which]
    board = info.board()
    for _ in range(40):
        if board.outcome() is not None:
            break
        before = board.key
        choice = player.choose(board, Budget(depth=1))
        assert choice is not None
        assert board.key == before, "the board is left as it was found"
        assert choice.move in board.legal_moves
        advice = player.hint(board)
        assert advice is not None
        assert advice.move in board.legal_moves
        board.push(choice.move)


@pytest.mark.parametrize("which", [0, 1], ids=["random", "greedy"])
def test_no_legal_move_no_choice(which: int) -> None:
    lost = Board("3k5/4P4/9/9/9/9/9/9/9/5K3 b")
    assert players("xiangqi")[which].choose(lost) is None
    assert players("xiangqi")[which].hint(lost) is None
    assert players("xiangqi")[which].choose(Board(), moves=[]) is None


@pytest.mark.parametrize("which", [0, 1], ids=["random", "greedy"])
def test_only_the_moves_allowed(which: int) -> None:
    move = Move.parse("a3a4")
    choice = players("xiangqi")[which].choose(Board(), moves=[move])
    assert choice is not None
    assert choice.move == move


def test_greedy_takes_what_is_worth_most_and_mates() -> None:
    greedy = GreedyPlayer(evaluation("xiangqi"))
    choice = greedy.choose(Board("3k5/c8/9/9/R3p4/9/9/9/4A4/4K4 w"))
    assert choice is not None
    assert (str(choice.move), choice.score) == ("a5a8", 900.0 + 200.0 - 100.0)
    in_one = Board("3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w")
    choice = greedy.choose(in_one)
    assert choice is not None
    assert choice.mate == 1
    in_one.push(choice.move)
    assert in_one.outcome() is not None


def test_greedy_hint_is_always_the_same() -> None:
    greedy = GreedyPlayer(evaluation("xiangqi"))
    assert {greedy.hint(Board()) for _ in range(5)} == {greedy.hint(Board())}


def test_material_of_both_seats_is_opposite() -> None:
    material = evaluation("xiangqi")
    board = Board()
    assert material(board, 0) == material(board, 1) == 0
    odd = Board("3k5/9/9/9/4P4/9/9/9/9/R3K4 w")
    assert material(odd, 0) == -material(odd, 1) == 900 + 200
    assert material(odd.swap_colors(), 1) == material(odd, 0)


def test_budget_of_nodes_and_report() -> None:
    seen: list[Choice] = []
    greedy = GreedyPlayer(evaluation("xiangqi"))
    choice = greedy.choose(Board(), Budget(nodes=7), report=seen.append)
    assert choice is not None
    assert choice == seen[-1]
    assert choice.nodes <= 7


class Slow(GreedyPlayer):
    """A player whose evaluation takes a while."""

    def __init__(self, seconds: float) -> None:
        def evaluate(board: Board, seat: int) -> float:
            time.sleep(seconds)
            return 0.0

        super().__init__(evaluate)


def test_stop_from_another_thread_and_by_the_clock() -> None:
    flag = StopFlag()
    threading.Timer(0.05, flag.set).start()
    began = time.perf_counter()
    assert Slow(0.02).choose(Board(), stop=flag) is not None
    assert time.perf_counter() - began < 0.8, "44 moves would take 0.88 s"
    began = time.perf_counter()
    assert Slow(0.02).choose(Board(), Budget(time=0.05)) is not None
    assert time.perf_counter() - began < 0.8


def test_budgets_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="nodes=-1"):
        Budget(nodes=-1)


@pytest.mark.parametrize(
    ("clock", "seat", "seconds"),
    [
        (Clock((60.0, 30.0), moves_to_go=10), 1, 3.0),
        (Clock((60.0, 30.0)), 0, 2.0),
        (Clock((60.0, 30.0), (10.0, 0.0), 60), 0, 9.0),
        (Clock((1.0, 1.0), (10.0, 0.0)), 0, 1.0),
        (Clock((-5.0, 1.0)), 0, 0.001),
    ],
)
def test_share_of_a_clock(clock: Clock, seat: int, seconds: float) -> None:
    assert Budget.from_clock(clock, seat, reserve=0.0).share == pytest.approx(seconds)


def test_ai_needs_no_onnxruntime_for_the_simple_players() -> None:
    code = (
        "import sys, ai, ai.client, ai.protocols.xiangqi\n"
        "sys.exit(any(name in sys.modules for name in ('onnxruntime', 'numba', 'fastapi')))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
