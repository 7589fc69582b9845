"""The prover of forced mates against plain exhaustive minimax."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from qikit import StopFlag
from tests.twins import xiangqi as rules
from tests.twins import xiangqi_minimax as plain
from tests.xiangqi.positions import codes
from xiangqi import Board
from xiangqi.mates import Prover, Unproved
from xiangqi.status import position_status

DATA = Path(__file__).parents[1] / "data"
PALACE = (3, 4, 5, 12, 13, 14, 21, 22, 23)
TWO_CHARIOTS = "4k4/9/9/9/9/9/9/R8/1R7/3K5 w"


def scattered(random: Random, red: str, black: str) -> rules.Position | None:
    """Attackers anywhere beyond the river, Red to move; None where that is no position."""
    points = ["."] * 90
    points[random.choice(PALACE)] = "K"
    points[89 - random.choice(PALACE)] = "k"
    for letter in red + black:
        half = range(45, 90) if letter.isupper() else range(45)
        free = [sq for sq in half if points[sq] == "."]
        points[random.choice(free)] = letter
    pos = rules.Position(tuple(points), True)
    return None if position_status(codes(pos), 0).is_fatal else pos


def agree(seed: int, count: int, most: int) -> dict[int | None, int]:
    """Compare on random positions of few pieces; returns how often each distance was found."""
    random, prover = Random(seed), Prover(1 << 12)  # small: entries are overwritten all the time
    twin = plain.Minimax()
    found: dict[int | None, int] = {}
    while sum(found.values()) < count:
        forces = random.choice(["RN", "RC", "RR", "NC", "RP", "NP", "NN"])
        pos = scattered(random, forces, random.choice(["", "r", "c", "n", "p", "rp"]))
        if pos is None:
            continue
        board = Board(rules.placement(pos))
        state = board._state.copy()
        moves = prover.distance(board, most)
        assert (board._state == state).all()
        wanted = next((n for n in range(1, most + 1) if twin.mates(pos, n)), None)
        assert moves == wanted, board.fen()
        found[moves] = found.get(moves, 0) + 1
        if moves is not None:
            first = prover.mate(board, moves)
            assert first is not None
            other = prover.mate(board, moves, barred=first)
            assert (other is not None) == twin.mates(pos, moves, tuple(first)), board.fen()
            assert other != first
    return found


def test_the_twin_counts_right() -> None:
    for line in (DATA / "xiangqi_perft.jsonl").read_text("utf-8").splitlines()[::3]:
        one = json.loads(line)
        pos = rules.position(one["fen"])
        for depth, wanted in enumerate(one["perft"][:2], start=1):
            assert plain.perft(plain.points(pos), pos.red_to_move, depth) == wanted, one["id"]


def test_distances_and_other_keys() -> None:
    found = agree(1, 80, 2)
    assert found[1] >= 10
    assert found[2] >= 5


@pytest.mark.full
def test_many_distances_and_other_keys() -> None:
    found = agree(2, 1500, 3)
    assert min(found[1], found[2], found[3]) >= 30
    agree(3, 100, 4)


def test_a_stalemate_is_won() -> None:
    """Nothing checks and nothing moves: a quiet move ends the game (困毙)."""
    prover = Prover()
    board = Board("3k5/9/9/9/3P5/9/9/9/R8/4K4 w")
    assert prover.distance(board, 3) == 1
    board.push(prover.mate(board, 1))
    assert board.is_stalemate()


def test_every_move_gets_its_distance() -> None:
    prover = Prover()
    board = Board(TWO_CHARIOTS)
    choices = prover.choices(board, 3)
    assert set(choices) == set(board.legal_moves)
    for move, moves in choices.items():
        board.push(move)
        left = prover.resistance(board, 2)
        board.pop()
        assert moves == (None if left is None else left + 1)
    assert min(moves for moves in choices.values() if moves) == 2
    board.push("a2a8")
    assert set(prover.defences(board, 3).values()) == {1}


def test_black_attacks_as_well() -> None:
    board = Board(TWO_CHARIOTS).swap_colors()
    assert board.turn == 1
    assert Prover().distance(board, 3) == 2


def test_what_is_not_known_is_not_claimed() -> None:
    board = Board("2bakab2/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB2 w")
    with pytest.raises(Unproved):
        Prover().mate(board, 4, nodes=2000)
    stop = StopFlag()
    stop.set()
    with pytest.raises(Unproved):
        Prover().mate(board, 4, stop=stop)
    for most in (-1, 21):
        with pytest.raises(ValueError, match="步数"):
            Prover().mate(board, most)
    assert Prover().mate(board, 0) is None


def test_a_barred_move_is_not_played() -> None:
    board = Board("3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w")
    first = Prover().mate(board, 1)
    assert {str(first), str(Prover().mate(board, 1, barred=first))} == {"b0b9", "a8e8"}
