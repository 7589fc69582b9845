"""Levels for people, hints with reasons, reviews of games."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

from ai import Budget, GreedyPlayer, evaluation
from ai.hint import hint
from ai.levels import LEVELS, SEES_MATES, STEADY, AdaptingPlayer, LevelPlayer, level
from ai.match import play
from ai.openings import openings
from ai.review import Mark, annotate, review
from ai.search.xiangqi import SearchPlayer, policy
from qikit import StopFlag
from tests.ai.test_xiangqi_mates import MATES
from xiangqi import Board, Move
from xiangqi.fen import Setup
from xiangqi.game import Game


@pytest.fixture(scope="module")
def searcher() -> SearchPlayer:
    return SearchPlayer(hash_size=2)


def test_there_are_ten_levels_in_order() -> None:
    assert [one.number for one in LEVELS] == list(range(1, 11))
    assert LEVELS[0].zh == "初学"
    assert LEVELS[-1].zh == "最强"
    assert len({one.zh for one in LEVELS}) == 10
    noises = [one.noise for one in LEVELS]
    assert noises == sorted(noises, reverse=True)
    with pytest.raises(ValueError, match="没有这个等级"):
        level("神仙")


@pytest.mark.parametrize("number", [1, 5, 10])
def test_levels_play_legal_moves_and_keep_within_the_budget(
    number: int, searcher: SearchPlayer
) -> None:
    player = LevelPlayer(number, seed=1, searcher=searcher)
    board, random = Board(), Random(number)
    while board.outcome() is None and len(board.move_stack) < 20:
        choice = player.choose(board, Budget(nodes=500))
        assert choice is not None
        assert choice.nodes <= 500
        board.push(choice.move)
        if len(board.legal_moves):
            board.push(random.choice(list(board.legal_moves)))


def test_same_seed_same_game(searcher: SearchPlayer) -> None:
    games = []
    for _ in range(2):
        players = [LevelPlayer(n, seed=n, searcher=SearchPlayer(hash_size=1)) for n in (2, 3)]
        budgets = [Budget(nodes=200)] * 2
        board = Board()
        while len(board.move_stack) < 16 and board.outcome() is None:
            who = board.turn
            choice = players[who].choose(board, budgets[who])
            assert choice is not None
            board.push(choice.move)
        games.append([str(move) for move in board.move_stack])
    assert games[0] == games[1]


def sharp_positions(searcher: SearchPlayer) -> list[Board]:
    """Along forced mates of the suite: each position of the attacker and of the defender, and
    the defender before a mate in one that is threatened."""
    found = []
    for fen, moves in Random(3).sample(MATES, 16):
        board = Board(fen)
        for _ in range(2 * moves - 1):
            found.append(board.copy())
            if mates_in_one(board) and not board.is_check():
                found.append(Board.from_setup(Setup(board.codes, 1 - board.turn)))
            choice = searcher.hint(board, Budget(nodes=20_000))
            assert choice is not None
            board.push(choice.move)
            if not len(board.legal_moves):
                break
    return found


def mates_in_one(board: Board) -> set[Move]:
    """By the rules alone."""
    found = set()
    for move in list(board.legal_moves):
        board.push(move)
        if board.outcome() is not None and not len(board.legal_moves):
            found.add(move)
        board.pop()
    return found


def test_middle_levels_neither_miss_nor_hang_a_mate_in_one(searcher: SearchPlayer) -> None:
    """Levels from ``SEES_MATES`` up see it through their noise and whatever comes to their mind."""
    missed, hung = 0, 0
    for board in sharp_positions(searcher):
        mating = mates_in_one(board)
        safe = []
        for move in list(board.legal_moves):
            board.push(move)
            if not mates_in_one(board):
                safe.append(move)
            board.pop()
        missed += bool(mating)
        hung += 0 < len(safe) < len(board.legal_moves)
        for number in range(SEES_MATES, 11):
            player = LevelPlayer(number, seed=number, searcher=searcher)
            choice = player.choose(board, Budget(nodes=300))
            assert choice is not None
            if mating:
                assert choice.move in mating
            elif safe:
                assert choice.move in safe
    assert missed >= 10
    assert hung >= 10


def test_few_moves_come_to_the_mind_of_weak_levels(searcher: SearchPlayer) -> None:
    """What a level plays is what its policy likes: over many seeds, likely moves more often."""
    net = policy.shipped()
    assert net is not None
    board = Board()
    for text in openings()[3]:
        board.push(text)
    moves = list(board.legal_moves)
    chances = dict(zip(moves, net.probabilities(board, moves).tolist(), strict=True))
    means = []
    for number in (1, 3, 5):
        played = []
        for seed in range(40):
            choice = LevelPlayer(number, seed=seed, searcher=searcher).choose(board)
            assert choice is not None
            played.append(chances[choice.move])
        means.append(sum(played) / len(played))
    assert sum(chances.values()) / len(moves) < means[0] < means[1] < means[2] * 1.5
    assert means[2] > 2 / len(moves)


def test_levels_play_without_a_policy(
    searcher: SearchPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ai.levels.shipped", lambda: None)
    choice = LevelPlayer(2, seed=1, searcher=searcher).choose(Board())
    assert choice is not None
    assert choice.move in Board().legal_moves


def test_a_steady_player_takes_its_time_but_stops_at_once(searcher: SearchPlayer) -> None:
    player = LevelPlayer(1, seed=1, steady=True, searcher=searcher)
    began = time.monotonic()
    player.choose(Board())
    assert time.monotonic() - began >= STEADY
    stop = StopFlag()
    stop.set()
    began = time.monotonic()
    assert player.choose(Board(), stop=stop) is not None
    assert time.monotonic() - began < STEADY


def test_the_adapting_player_moves_towards_its_partner(searcher: SearchPlayer) -> None:
    player = AdaptingPlayer(start=6.0, seed=1, searcher=searcher)
    greedy = GreedyPlayer(evaluation("xiangqi"), seed=1)
    play([greedy, player], openings()[0], [Budget(), Budget(nodes=300)])
    assert player.strength < 6.0, "it stood better and became weaker"
    for _ in range(30):
        player.finished(won=False)
    assert player.strength == 10.0


@pytest.mark.parametrize(
    ("fen", "said"),
    [
        ("3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w", "将死"),
        ("2bakab2/9/9/9/R3n4/9/9/9/4A4/4K4 w", "马"),
        ("4kab2/4a4/4b4/9/4N4/9/9/n8/4A4/R3KA3 w", "车"),
    ],
)
def test_hints_tell_their_reason(fen: str, said: str, searcher: SearchPlayer) -> None:
    found = hint(Board(fen), Budget(nodes=5000), searcher=searcher)
    assert found is not None
    assert said in found.text
    assert found.text.startswith("建议走")
    assert found.choice.move in Board(fen).legal_moves


def test_every_hint_has_a_reason(searcher: SearchPlayer) -> None:
    random = Random(5)
    for _ in range(12):
        board = Board()
        for _ in range(random.randrange(60)):
            moves = list(board.legal_moves)
            if len(moves) < 2:
                break
            board.push(random.choice(moves))
        found = hint(board, Budget(nodes=300), searcher=searcher)
        if found is None:
            assert not len(board.legal_moves)
        else:
            assert all(found.reasons)
            before = board.fen()
            assert board.fen() == before


def test_hint_where_there_is_no_move(searcher: SearchPlayer) -> None:
    assert hint(Board("3k5/4P4/9/9/9/9/9/9/9/5K3 b"), searcher=searcher) is None


def test_review_finds_the_blunder_and_the_better_move(searcher: SearchPlayer) -> None:
    board = Board()
    for text in ("a0a1", "a9a8", "a1f1", "a8f8", "f1f8"):  # the chariot stands unprotected
        board.push(text)
    game = Game.from_board(board)
    remarks = review(game, Budget(nodes=3000), searcher=searcher)
    assert [remark.ply for remark in remarks] == list(range(1, 6))
    assert remarks[3].mark is Mark.BLUNDER
    assert "应走" in remarks[3].text
    assert remarks[3].best.move != Move.parse("a8f8")
    assert remarks[4].mark is Mark.GOOD
    annotate(game, remarks)
    assert "败着" in list(game.mainline())[3].comment


def test_a_level_counts_what_goes_before_its_search(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = SearchPlayer(hash_size=1)
    searcher.get_ready()
    given: list[float | None] = []

    def slow(*_: Any, **__: Any) -> set[Any]:
        time.sleep(0.2)
        return set()

    def choose(_: Any, budget: Budget, **__: Any) -> None:
        given.append(budget.time)

    monkeypatch.setattr("ai.search.xiangqi.player.offences", slow)
    monkeypatch.setattr(searcher, "choose", choose)
    LevelPlayer(5, searcher=searcher).choose(Board(), Budget(time=1.0))
    assert given[0] is not None
    assert given[0] < 0.81
