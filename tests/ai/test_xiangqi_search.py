"""The search of 象棋: exchanges, rules of repetition, limits, threads, and that it finds things."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Any

import numpy as np
import pytest

from ai import Budget
from ai.search.xiangqi import Brain, SearchPlayer, layout, offences
from ai.search.xiangqi.squares import square_values
from qikit import StopFlag
from qikit.kernels import load
from tests.twins import xiangqi_exchange as twin
from xiangqi import Board, Move

MIDDLE_GAMES = (
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
    "2bakab2/9/n1c1c1n2/p1p1p1p1p/9/2P1r4/P3P1P1P/N1C1C1N2/9/1RBAKAB1R w - - 0 1",
)


@pytest.fixture(scope="module")
def brain() -> Brain:
    return Brain(hash_size=4, network=None)


def random_boards(count: int, seed: int) -> list[Board]:
    random, boards = Random(seed), []
    while len(boards) < count:
        board = Board()
        for _ in range(random.randrange(5, 90)):
            moves = list(board.legal_moves)
            if not moves:
                break
            takes = [move for move in moves if board.is_capture(move)]
            board.push_unchecked(random.choice(takes or moves if random.random() < 0.2 else moves))
        if len(board.legal_moves):
            boards.append(board)
    return boards


def as_code(move: Move) -> int:
    return move.from_square | move.to_square << 7


def test_layout_agrees_with_the_board_kernel() -> None:
    kernel: Any = load("xiangqi.kernel")
    assert kernel.FRAME == layout.FRAME
    assert kernel.STATE_SIZE <= layout.NODES


def test_exchanges_agree_with_the_slow_twin(brain: Brain) -> None:
    """The kernel leaves legs and eyes as they were before the exchange; nothing else differs."""
    kernel: Any = load("ai.search.xiangqi.kernel")
    asked, wrong = 0, []
    for board in random_boards(120, seed=3):
        brain.prepare(board)
        work = brain._threads[0].work
        before = work.copy()
        men = twin.men(board)
        for move in board.legal_moves:
            f, t = move.from_square, move.to_square
            value = twin.gain(men, (f % 9, f // 9), (t % 9, t // 9))
            for threshold in (value, value + 1):
                asked += 1
                if kernel.wins_exchange(work, as_code(move), threshold) != (value >= threshold):
                    wrong.append((board.fen(), str(move), value, threshold))
        assert np.array_equal(work, before)
    assert asked > 5000
    assert len(wrong) < asked / 300, wrong[:10]


def test_square_values_are_antisymmetric() -> None:
    """What is worth something to Red is worth the same to Black on the turned board."""
    table = square_values()
    for kind in range(1, 8):
        for sq in range(90):
            assert table[kind << 7 | sq] == -table[(kind + 8) << 7 | (89 - sq)]


def test_evaluation_is_the_same_for_both_sides(brain: Brain) -> None:
    for played in random_boards(40, seed=4):
        board = Board(played.fen(counters=False))
        value = brain.evaluate(board)
        assert brain.evaluate(board.swap_colors()) == value
        assert brain.evaluate(board.mirror()) == value


def test_state_is_restored_by_finished_and_stopped_searches(brain: Brain) -> None:
    for nodes in (50, 777, 5000):
        board = Board(MIDDLE_GAMES[0])
        brain.think(board, Budget(nodes=nodes))
        state = brain._threads[0].work[: board._state.size]
        assert np.array_equal(state[:66], board._state[:66])
        assert np.array_equal(state[72:163], board._state[72:163])


def test_node_and_depth_budgets_hold(brain: Brain) -> None:
    thoughts = brain.think(Board(), Budget(nodes=1000))
    assert thoughts[0].nodes <= 1000
    assert brain.think(Board(), Budget(depth=3))[0].depth == 3
    assert Move(*divmod_move(thoughts[0].move)) in Board().legal_moves


def divmod_move(move: int) -> tuple[int, int]:
    return move & 127, move >> 7


def test_the_same_question_has_the_same_answer() -> None:
    answers = []
    for _ in range(2):
        fresh = Brain(hash_size=1, network=None)
        thoughts = fresh.think(Board(MIDDLE_GAMES[1]), Budget(nodes=20_000), lines=2)
        answers.append([(t.move, t.score, t.line, t.nodes) for t in thoughts])
    assert answers[0] == answers[1]


def test_several_lines_are_different_and_sorted(brain: Brain) -> None:
    thoughts = brain.think(Board(MIDDLE_GAMES[0]), Budget(depth=6), lines=4)
    assert len({t.move for t in thoughts}) == 4
    assert [t.score for t in thoughts] == sorted((t.score for t in thoughts), reverse=True)
    board = Board(MIDDLE_GAMES[0])
    for thought in thoughts:
        line = board.copy()
        for move in thought.line:
            line.push(Move(move & 127, move >> 7))


def test_only_the_given_moves_are_played(brain: Brain) -> None:
    only = [Move.parse("a0a1"), Move.parse("i0i1")]
    for lines in (1, 5):
        thoughts = brain.think(Board(), Budget(nodes=2000), moves=only, lines=lines)
        assert {t.move for t in thoughts} <= {as_code(move) for move in only}
    assert brain.think(Board(), Budget(nodes=10), moves=[]) == []


def _stop_and_note(stop: StopFlag, at: list[float]) -> None:
    at.append(time.perf_counter())
    stop.set()


def test_stop_and_time_are_obeyed(brain: Brain) -> None:
    delays = []
    for _ in range(5):
        stop = StopFlag()
        at: list[float] = []
        threading.Timer(0.1, _stop_and_note, (stop, at)).start()
        brain.think(Board(), stop=stop)
        delays.append(time.perf_counter() - at[0])
    assert min(delays) < 0.05, delays
    began = time.perf_counter()
    brain.think(Board(), Budget(time=0.05))
    assert time.perf_counter() - began < 2.0


def test_threads_share_the_work_and_end() -> None:
    pair = Brain(hash_size=4, threads=2, network=None)
    before = threading.active_count()
    thoughts = pair.think(Board(MIDDLE_GAMES[0]), Budget(time=0.3))
    assert threading.active_count() == before
    assert all(int(thread.work[layout.NODES]) > 0 for thread in pair._threads)
    assert Move(*divmod_move(thoughts[0].move)) in Board(MIDDLE_GAMES[0]).legal_moves


@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w", "b0b9"),
        ("3k5/4P4/9/3P5/9/9/9/9/9/5K3 w", "d6d7"),  # no check needed: a side without moves has lost
        ("4k4/9/9/9/9/9/9/1r7/r8/3K5 b", None),
    ],
)
def test_mate_in_one(brain: Brain, fen: str, best: str | None) -> None:
    board = Board(fen)
    thought = brain.think(board, Budget(depth=4))[0]
    assert thought.mate == 1
    move = Move(*divmod_move(thought.move))
    assert best is None or str(move) == best
    board.push(move)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == 1 - board.turn


PERPETUAL = "3k5/9/9/9/9/3R5/9/9/9/5K3 b"


def test_perpetual_check_is_lost_in_the_tree(brain: Brain) -> None:
    board = Board(PERPETUAL)
    for text in ["d9e9", "d4e4", "e9d9"]:
        board.push(text)
    thought = brain.think(board, Budget(depth=3), moves=[Move.parse("e4d4")])[0]
    assert thought.score < -layout.MATED_IN, "the side that checks all the way round has lost"


def test_other_repetition_is_a_draw_in_the_tree(brain: Brain) -> None:
    board = Board("3k5/9/9/9/9/r8/9/9/4A4/R3K4 w")
    for text in ["a0b0", "a4b4", "b0a0"]:
        board.push(text)
    thought = brain.think(board, Budget(depth=3), moves=[Move.parse("b4a4")])[0]
    assert thought.score == 0


def test_player_never_completes_a_forbidden_loop() -> None:
    board = Board(PERPETUAL)
    for text in ["d9e9", "d4e4", "e9d9"]:
        board.push(text)
    player = SearchPlayer(hash_size=1, network=None)
    assert offences(board, list(board.legal_moves)) == {Move.parse("e4d4")}
    choice = player.choose(board, Budget(nodes=3000))
    assert choice is not None
    assert str(choice.move) != "e4d4"
    forced = player.choose(board, Budget(nodes=300), moves=[Move.parse("e4d4")])
    assert forced is not None, "a move must be made all the same"


def test_a_hurried_player_leaves_the_first_round_to_the_search() -> None:
    board = Board(PERPETUAL)
    for text in ["d9e9", "d4e4", "e9d9"]:
        board.push(text)
    player = SearchPlayer(hash_size=1, network=None)
    moves = list(board.legal_moves)
    assert set(moves) - set(player.lawful(board, moves)) == {Move.parse("e4d4")}
    assert player.lawful(board, moves, Budget(time=0.1)) == moves
    choice = player.choose(board, Budget(time=0.1))
    assert choice is not None
    assert str(choice.move) != "e4d4"
    for text in ["e4d4", "d9e9", "d4e4", "e9d9"]:
        board.push(text)
    assert Move.parse("e4d4") not in player.lawful(board, moves, Budget(time=0.1))


def test_what_goes_before_the_search_is_taken_off_the_time(monkeypatch: Any) -> None:
    player, given = SearchPlayer(hash_size=1, network=None), []
    player.get_ready()

    def slow(*_: Any, **__: Any) -> set[Move]:
        time.sleep(0.2)
        return set()

    def think(_: Board, budget: Budget, **__: Any) -> list[Any]:
        given.append(budget.time)
        return []

    monkeypatch.setattr("ai.search.xiangqi.player.offences", slow)
    monkeypatch.setattr(player.brain, "think", think)
    assert player.choose(Board(), Budget(time=1.0)) is None
    assert given[0] < 0.81


def test_natural_limit_is_a_draw(brain: Brain) -> None:
    near = Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 118 80")
    assert abs(brain.think(near, Budget(depth=6))[0].score) < 20
    far = Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 80")
    assert brain.think(far, Budget(depth=6))[0].score > 300


def test_noise_repeats_and_changes_judgement(brain: Brain) -> None:
    def scores(seed: int) -> list[int]:
        return [
            t.score for t in brain.think(Board(), Budget(depth=1), lines=5, noise=300, seed=seed)
        ]

    assert scores(1) == scores(1)
    assert scores(1) != scores(2)
