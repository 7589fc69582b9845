"""The board against the slow twin: 20,000 random positions, and what a play leads to."""

from __future__ import annotations

from random import Random

import pytest

from junqi import Board, Rules
from tests.junqi.positions import armies, rows, scattered
from tests.twins import junqi as twin

BOARDS = ("siguo129", "luzhan60")


def twin_of(board: Board) -> twin.Position:
    """The same position for the twin."""
    setup = board.setup()
    outcome = board.outcome()
    position = twin.Position(
        board.map.name,
        {
            point: (int(text[0]), text[1])
            for point in twin.TABLES[board.map.name].names
            if (text := board.piece_at(point))
        },
        board.turn,
        [seat in setup.alive for seat in range(4)],
        board.quiet,
        [*board.flags_shown, False, False][:4],
        mine_survives=board.rules.mine_survives,
        flag_reveal=board.rules.flag_reveal,
        quiet_limit=board.rules.quiet_limit,
    )
    if outcome is not None:
        position.result = ["draw", None] if outcome.winner is None else ["win", outcome.winner]
    return position


def face(board: Board) -> tuple[object, ...]:
    position = twin_of(board)
    turn = position.turn if position.result is None else None
    return (position.cells, position.alive, position.quiet, position.shown, position.result, turn)


def face_of_twin(position: twin.Position) -> tuple[object, ...]:
    turn = position.turn if position.result is None else None
    return (position.cells, position.alive, position.quiet, position.shown, position.result, turn)


def compare(board: Board, rng: Random) -> None:
    """Same moves, and the same position after one of them, chosen with a liking for fights."""
    position = twin_of(board)
    expected = twin.moves(position)
    moves = list(board.legal_moves)
    assert sorted(map(str, moves)) == sorted(expected), board.fen()
    if moves:
        fights = [move for move in moves if board.piece_at(move.to_point)]
        move = rng.choice(fights if fights and rng.random() < 0.5 else moves)
        before = board.fen()
        board.push(move)
        assert face(board) == face_of_twin(twin.play(position, str(move))), (before, move)


def run(first: int, last: int) -> None:
    for seed in range(first, last):
        rng = Random(seed)
        rules = Rules(
            mine_survives=rng.random() < 0.7, flag_reveal=rng.random() < 0.8, quiet_limit=70
        )
        name = BOARDS[rng.random() < 0.4]
        tokens, turn = scattered(rng, name)
        board = Board.from_tokens(tokens, name, turn, rules)
        for _ in range(2):
            compare(board, rng)


def test_a_sample_of_random_positions() -> None:
    run(0, 200)


@pytest.mark.full
def test_twenty_thousand_random_positions() -> None:
    run(0, 10_000)


@pytest.mark.parametrize("name", BOARDS)
def test_whole_games(name: str) -> None:
    """Every ply of some games from set-ups, to the end or to ply 90."""
    for seed in range(2):
        rng = Random(f"{name} {seed}")
        board = Board.from_armies(armies(rng, name), name)
        while board.outcome() is None and board.ply < 90:
            compare(board, rng)


def test_the_twin_counts_right() -> None:
    """The twin itself against the reference counts, two plies deep."""
    for row in rows("junqi_perft.jsonl"):
        if row["kind"] != "perft" or row["perft"][1] > 5000:
            continue
        rules = Rules(quiet_limit=0)
        if "tokens" in row["setup"]:
            board = Board.from_tokens(row["setup"]["tokens"], row["board"], row["turn"], rules)
        else:
            board = Board.from_armies(row["setup"]["armies"], row["board"], row["turn"], rules)
        position = twin_of(board)
        assert sorted(twin.moves(position)) == row["moves_d1"]
        nodes = sum(len(twin.moves(twin.play(position, move))) for move in twin.moves(position))
        assert nodes == row["perft"][1], row["id"]
