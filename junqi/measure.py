"""Speed of generation and of sampling, each with its answers checked: ``qiyuan junqi bench``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from junqi.armies import random_army
from junqi.belief.sampler import Sampler
from junqi.board import Board
from junqi.geometry import board_map
from junqi.rules import Rules
from junqi.view import View


@dataclass(frozen=True)
class Speed:
    """What was measured.

    Attributes:
        name: what was done.
        count: how often.
        cpu: seconds of processor time, on one core.
        note: what the check said and how hard the positions were.
        least: the slowest of several rates.
    """

    name: str
    count: int
    cpu: float
    note: str = ""
    least: float | None = None

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


ENOUGH = 100_000
"""Worlds a second that every view is meant to exceed."""
LENGTHS = (20, 60, 120, 200, 300, 400)
FIGHTING = (0.1, 0.3, 0.5, 0.8, 1.0)
"""How often players of the random games attack where they can."""


def sampling(worlds: int = 20_000, seed: int = 0, games: int = 6) -> Iterator[Speed]:
    """Worlds drawn for all players and a spectator of random games; every world is checked.

    Args:
        worlds: how many for each view.
        seed: of the games and of the drawing.
        games: random games of each board and mode, from early to late, from timid to combative.

    Raises:
        AssertionError: the record does not happen again in a world.
    """
    for name, mode in (("luzhan60", "dark"), ("siguo129", "allies"), ("siguo129", "dark")):
        players, spectators = _Sampled(), _Sampled()
        for number in range(games):
            board = random_game(Random(f"sampling {seed} {name} {mode} {number}"), name, mode)
            for seat in range(board.map.seats):
                players.add(board.view(seat), worlds, seed)
            spectators.add(board.view(None), worlds, seed)
        yield players.speed(f"{name} {mode} 玩家 players: 世界 worlds")
        yield spectators.speed(f"{name} {mode} 旁观 spectators: 世界 worlds")


def random_game(rng: Random, name: str, mode: str) -> Board:
    """A game of random length between players who like to fight more or less."""
    length, fighting = rng.choice(LENGTHS), rng.choice(FIGHTING)
    rules = Rules(board=name, mode=mode)
    board = Board.from_armies([random_army(rng) for _ in range(board_map(name).seats)], rules=rules)
    while board.outcome() is None and board.ply < length:
        moves = list(board.legal_moves)
        fights = [move for move in moves if board.piece_at(move.to_point)]
        board.push_unchecked(rng.choice(fights if fights and rng.random() < fighting else moves))
        if rng.random() < 0.01 and board.outcome() is None:
            board.timeout()
    return board


def resemblance(worlds: NDArray[np.int8]) -> NDArray[np.float64]:
    """How much successive worlds resemble each other: [piece] correlation at lag 1.

    Over the twelve "is it of that kind" of a piece together; pieces that are the same in all worlds
    are left out. Independent worlds give 0, give or take 1 / sqrt(number of worlds).
    """
    both, alone = np.zeros(worlds.shape[1]), np.zeros(worlds.shape[1])
    for kind in range(12):
        is_kind = (worlds == kind).astype(np.float32)
        is_kind -= is_kind.mean(axis=0)
        both += (is_kind[1:] * is_kind[:-1]).mean(axis=0)
        alone += (is_kind * is_kind).mean(axis=0)
    return both[alone > 0] / alone[alone > 0]


class _Sampled:
    """Rates of some views, as they come."""

    def __init__(self) -> None:
        self.worlds, self.cpu = 0, 0.0
        self.rates: list[float] = []
        self.building: list[float] = []
        self.linked: list[int] = []
        self.mean: list[float] = []
        self.slowest: list[float] = []

    def add(self, view: View, worlds: int, seed: int) -> None:
        """Draw worlds for a view, and check them."""
        fixed = view.constraints
        began = time.process_time()
        sampler = Sampler(fixed)
        built = time.process_time()
        drawn = sampler.draw(worlds, seed)
        spent = time.process_time() - built
        assert view.first_inconsistent(drawn) is None, repr(view)
        self.worlds += worlds
        self.cpu += spent
        self.rates.append(worlds / spent)
        self.building.append(built - began)
        self.linked.append(sampler.linked)
        alike = resemblance(drawn[:, np.unique(fixed.fights[:, :2])])
        self.mean.append(float(alike.mean()) if len(alike) else 0.0)
        self.slowest.append(float(alike.max()) if len(alike) else 0.0)

    def speed(self, name: str) -> Speed:
        """All of it in one line."""
        rates = sorted(self.rates)
        below = sum(rate < ENOUGH for rate in rates)
        note = (
            f"{len(rates)} 个视图 views: 最慢 least {rates[0]:,.0f}, "
            f"5 % {rates[len(rates) // 20]:,.0f}, 一半 median {rates[len(rates) // 2]:,.0f}, "
            f"不足 below {ENOUGH:,}: {below}; 准备 set-up {1e3 * max(self.building):.0f} ms; "
            f"相连棋子 linked pieces {min(self.linked)}..{max(self.linked)}; "
            "其前后世界之相关，最差视图 their correlation in successive worlds, worst view: "
            f"平均 mean {max(self.mean):.2f}, 最慢一子 slowest piece {max(self.slowest):.2f}"
        )
        return Speed(name, self.worlds, self.cpu, note, rates[0])
