"""Matches: results, pairs, intervals, the arbiter's rulings, PGN."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest

from ai import Budget, Choice, GreedyPlayer, RandomPlayer, evaluation
from ai.client import Engine, EnginePlayer
from ai.match import Control, Score, elo, match, play, sprt, to_pgn
from ai.openings import openings
from ai.player import UNLIMITED, Clock, Report
from ai.search.xiangqi import Brain, SearchPlayer
from ai.search.xiangqi.network import shipped
from qikit import StopFlag
from xiangqi import Board, Move
from xiangqi.records import loads


class Script:
    """Plays its moves over and over."""

    def __init__(self, *moves: str) -> None:
        self.name = "script"
        self._moves = moves
        self._made = 0

    def choose(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        self._made += 1
        return Choice(Move.parse(self._moves[(self._made - 1) % len(self._moves)]))

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        return None


def test_openings_are_legal_and_all_different() -> None:
    keys = set()
    for moves in openings():
        board = Board()
        for text in moves:
            board.push_uci(text)
        assert not {board.key, board.mirror().key} & keys
        keys.add(board.key)
    assert len(keys) >= 50


@pytest.mark.full
def test_openings_are_balanced() -> None:
    brain = Brain(hash_size=16, network=shipped())
    for moves in openings():
        board = Board()
        for text in moves:
            board.push_uci(text)
        brain.forget()
        assert abs(brain.think(board, Budget(nodes=60_000))[0].score) < 100


def test_pairs_swap_colours() -> None:
    players = [GreedyPlayer(evaluation("xiangqi"), seed=1), RandomPlayer(seed=2)]
    results = list(match(players, openings(), [Budget()] * 2, 4))
    assert [(r.opening, r.red) for r in results] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for result in results:
        assert result.moves[:8] == openings()[result.opening]
        board = Board()
        for text in result.moves:
            board.push_uci(text)
        assert result.points in (0.0, 0.5, 1.0)


def _fresh() -> list[Any]:
    return [GreedyPlayer(evaluation("xiangqi"), seed=1), RandomPlayer(seed=2)]


def test_a_match_goes_on_where_it_stopped() -> None:
    later = list(match(_fresh(), openings(), [Budget()] * 2, 3, first=2))
    assert [(r.opening, r.red) for r in later] == [(1, 0)]


def test_the_stronger_player_wins() -> None:
    players = [SearchPlayer(hash_size=1), GreedyPlayer(evaluation("xiangqi"), seed=1)]
    points = [r.points for r in match(players, openings(), [Budget(nodes=1500)] * 2, 6)]
    assert Score.of(points).wins == 6


def test_an_idle_loop_is_drawn_by_the_arbiter() -> None:
    result = play([Script("a0a1", "a1a0"), Script("a9a8", "a8a9")], (), [Budget()] * 2)
    assert result.winner is None
    assert result.reason == "repetition"


def test_a_move_that_is_not_legal_loses() -> None:
    result = play([Script("a0a9"), Script("a9a8")], (), [Budget()] * 2)
    assert result.winner == 1
    assert result.reason.startswith("no legal move")


class Clocked(Script):
    """Notes the clocks it is given; thinks ``delay`` seconds from its second move on."""

    def __init__(self, delay: float, *moves: str) -> None:
        super().__init__(*moves)
        self.delay = delay
        self.seen: list[tuple[float, ...]] = []

    def choose(self, board: Any, budget: Budget = UNLIMITED, **options: Any) -> Choice | None:
        assert budget.clock is not None
        assert budget.time is not None
        self.seen.append(budget.clock.remaining)
        if len(self.seen) > 1:
            time.sleep(self.delay)
        return super().choose(board, budget)


def test_who_oversteps_the_clock_has_lost() -> None:
    quick, slow = Clocked(0.0, "a0a1", "a1a0"), Clocked(1.2, "a9a8", "a8a9")
    result = play([quick, slow], (), [Budget()] * 2, control=Control(1.0, 0.1))
    assert (result.winner, result.reason, len(result.moves)) == (0, "time of script", 3)
    assert quick.seen[0] == (1.0, 1.0)
    assert 1.0 < slow.seen[1][1] <= 1.1, "the increment is added"


def test_an_engine_divides_its_own_time() -> None:
    board = Board()
    with Engine([sys.executable, "-m", "qiyuan", "engine"]) as engine:
        budget = Budget.from_clock(Clock((2.0, 1.0), (0.1, 0.1)), 0)
        assert EnginePlayer(engine).choose(board, budget) is not None
        assert any("go wtime 2000 btime 1000 winc 100 binc 100" in line for line in engine._talk)


@pytest.mark.parametrize("text", ["", "+", "3+", "a+1", "0", "-1+2", "1+-1", "inf", "nan+1"])
def test_bad_clocks_are_named(text: str) -> None:
    with pytest.raises(ValueError, match="用时"):
        Control.parse(text)


def test_scores_and_intervals() -> None:
    score = Score.of([1.0, 0.0] * 50)
    assert score.mean == 0.5
    assert score.margin == 0.0, "each pair gave the same"
    uneven = Score.of([1.0, 1.0, 0.0, 0.0] * 25)
    assert uneven.margin == pytest.approx(1.96 * math.sqrt(0.25 * 50 / 49 / 50), rel=1e-6)
    assert elo(0.5) == 0
    assert elo(0.0) == -math.inf
    assert "+50 =0 -50" in str(score)


def test_sequential_test_decides_both_ways_and_waits() -> None:
    assert sprt([1.0, 0.5, 1.0, 1.0] * 30, 0, 20) is True
    assert sprt([0.0, 0.5, 0.0, 0.5] * 30, 0, 20) is False
    assert sprt([1.0, 0.0], 0, 20) is None


def test_pgn_is_read_back() -> None:
    result = play(_fresh(), openings()[0], [Budget()] * 2, red=1)
    game = loads(to_pgn(result, ["one", "two"]))[0]
    assert [str(move) for move in game.moves()] == list(result.moves)
    assert game.headers["Red"] == "two"
    assert game.headers["Termination"] == result.reason


def test_self_play_commits_no_offence() -> None:
    """Quick games of the search against itself: the arbiter never blames a side for a loop."""
    _no_offence(games=6, nodes=150)


@pytest.mark.full
def test_five_hundred_games_commit_no_offence() -> None:
    _no_offence(games=500, nodes=150)


def _no_offence(games: int, nodes: int) -> None:
    players = [SearchPlayer(hash_size=1, seed=n) for n in (1, 2)]
    reasons = [r.reason for r in match(players, openings(), [Budget(nodes=nodes)] * 2, games)]
    assert "repetition lost" not in reasons
    assert not any(reason.startswith("no legal") for reason in reasons)
