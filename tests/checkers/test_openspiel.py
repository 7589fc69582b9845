"""A differential run against OpenSpiel's chinese_checkers: same turns, same ends."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from checkers import Board, Move
from checkers.geometry import GOAL_DISTANCE
from qikit import Termination

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (pip install open-spiel) is missing")

_LEG = re.compile(r"(\d+)(=>|->)(\d+)")
_END_OF_TURN = 726


def peer_turns(state: Any) -> dict[Move, list[int]]:
    """Turn -> micro-actions, by walking every chain of hops; the pass is ``Move.PASS``."""
    found: dict[Move, list[int]] = {}
    seat = state.current_player()
    for action in state.legal_actions():
        leg = _LEG.search(state.action_to_string(action))
        if leg is None:
            found[Move.PASS] = [action]
            continue
        start = int(leg[1])
        waiting = [(state, [action], int(leg[3]))]
        while waiting:
            before, actions, hole = waiting.pop()
            if Move(start, hole) in found:
                continue
            after = before.clone()
            after.apply_action(actions[-1])
            if hole != start:
                ended = after.is_terminal() or after.current_player() != seat
                found[Move(start, hole)] = actions if ended else [*actions, _END_OF_TURN]
                if ended:
                    continue
            for further in after.legal_actions():
                leg = _LEG.search(after.action_to_string(further))
                if leg is not None:
                    waiting.append((after, [*actions, further], int(leg[3])))
    return found


def compare(seats: int, positions: int, seed: int) -> None:
    rng = random.Random(seed)
    game = pyspiel.load_game(f"chinese_checkers(players={seats})")
    state, board = game.new_initial_state(), Board.start(seats, rules="openspiel")
    greed = rng.random()
    for _ in range(positions):
        turns = peer_turns(state)
        assert set(board.legal_moves) == set(turns), board.fen()
        assert board.turn == state.current_player()
        moves = sorted(turns)
        camp = board.camps[board.turn]
        if moves[0] and rng.random() < greed:
            nearer = [int(GOAL_DISTANCE[camp, b]) - int(GOAL_DISTANCE[camp, a]) for a, b in moves]
            moves = [m for m, gain in zip(moves, nearer, strict=True) if gain == min(nearer)]
        move = rng.choice(moves)
        board.push(move)
        for action in turns[move]:
            state.apply_action(action)
        outcome = board.outcome()
        assert state.is_terminal() == (outcome is not None)
        if outcome is not None:
            winner = max(range(seats), key=lambda seat: state.returns()[seat])
            if outcome.termination is Termination.GOAL_FILLED:
                assert outcome.winner == winner
            state, board = game.new_initial_state(), Board.start(seats, rules="openspiel")
            greed = rng.random()
        elif board.ply > 200:
            state, board = game.new_initial_state(), Board.start(seats, rules="openspiel")
            greed = rng.random()


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_turns_agree(seats: int) -> None:
    compare(seats, positions=80, seed=seats)


@pytest.mark.full
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_turns_agree_in_2000_positions(seats: int) -> None:
    compare(seats, positions=500, seed=100 + seats)
