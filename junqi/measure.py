"""Speed of generation and of sampling, each with its answers checked: ``qiyuan junqi bench``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from junqi.armies import random_army
from junqi.board import Board
from junqi.geometry import board_map
from junqi.rules import Rules


@dataclass(frozen=True)
class Speed:
    """What was measured.

    Attributes:
        name: what was done.
        count: how often.
        cpu: seconds of processor time, on one core.
        note: what the check said and how hard the positions were.
    """

    name: str
    count: int
    cpu: float
    note: str = ""

    @property
    def rate(self) -> float:
        """How often in a second."""
        return self.count / self.cpu


ARMY = "icgdiebefkhacgdfhkjigljhj"
COUNTS = {"siguo129": (4, 16_623_200), "luzhan60": (4, 1_156_951)}
"""Board -> depth and number of move sequences from a start with :data:`ARMY` on every seat."""


def generation() -> Iterator[Speed]:
    """Legal moves listed in counting from the starts; the counts are checked.

    Raises:
        AssertionError: a count is wrong.
    """
    for name, (depth, expected) in COUNTS.items():
        board = Board.from_armies([ARMY] * board_map(name).seats, name)
        board.perft(1)
        began = time.process_time()
        counted = board.perft(depth)
        spent = time.process_time() - began
        assert counted == expected, (name, counted, expected)
        yield Speed(f"{name} 着法 legal moves listed", counted, spent, f"perft {depth} = {counted}")


def sampling(worlds: int = 20_000, seed: int = 0) -> Iterator[Speed]:
    """Worlds drawn for the players of random games, set-up included; every world is checked.

    Raises:
        AssertionError: the record does not happen again in a world.
    """
    for name, mode in (("siguo129", "dark"), ("siguo129", "allies"), ("luzhan60", "dark")):
        for plies in (20, 60, 120, 200):
            rng = Random(f"sampling {seed} {name} {plies}")
            rules = Rules(board=name, mode=mode)
            board = Board.from_armies(_armies(rng, name), rules=rules)
            while board.ply < plies:
                if board.outcome() is not None:  # a game that ended early is begun anew
                    board = Board.from_armies(_armies(rng, name), rules=rules)
                moves = list(board.legal_moves)
                fights = [move for move in moves if board.piece_at(move.to_point)]
                board.push_unchecked(rng.choice(fights if fights and rng.random() < 0.4 else moves))
            cpu, linked = 0.0, []
            for seat in range(board.map.seats):
                view = board.view(seat)
                began = time.process_time()
                drawn = view.sample_worlds(worlds, seed)
                cpu += time.process_time() - began
                linked.append(view.sampler.linked)
                assert view.first_inconsistent(drawn) is None, board.fen()
            count = worlds * board.map.seats
            note = f"互相关联的棋子 linked pieces {min(linked)}..{max(linked)}"
            yield Speed(f"{name} {mode} 第 {plies} 着 ply: 世界 worlds", count, cpu, note)


def _armies(rng: Random, name: str) -> list[str]:
    return [random_army(rng) for _ in range(board_map(name).seats)]
