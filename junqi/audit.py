"""Proof by trial that a view tells nothing that its player must not know.

:func:`audit` plays random games, draws worlds that a player cannot rule out, plays the whole record
again in each of them, and compares what the player is shown there with what it is shown in truth.
:func:`timing` measures whether asking for a view takes longer for some worlds than for others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import fmean, variance

from junqi.armies import random_army
from junqi.board import Board
from junqi.events import Act, Event
from junqi.geometry import board_map
from junqi.rules import MODES, Rules
from junqi.view import View

Progress = Callable[[int], object]


def random_games(seed: int) -> Iterator[tuple[Board, int | None]]:
    """Positions of random games without end: board and the seat (None = spectator) to look at.

    Both boards and the modes with something to hide take turns; players like to fight, and run out
    of time now and then.
    """
    rng = Random(f"audit {seed}")
    while True:
        name = rng.choice(("siguo129", "siguo129", "luzhan60"))
        rules = Rules(
            board=name,
            mode=rng.choice([mode for mode in MODES if mode != "open"]),
            mine_survives=rng.random() < 0.8,
            flag_reveal=rng.random() < 0.8,
        )
        seats = board_map(name).seats
        board = Board.from_armies([random_army(rng) for _ in range(seats)], name, rules=rules)
        length = rng.randrange(150)
        while board.outcome() is None and board.ply < length:
            moves = list(board.legal_moves)
            fights = [move for move in moves if board.piece_at(move.to_point)]
            board.push_unchecked(rng.choice(fights if fights and rng.random() < 0.4 else moves))
            if rng.random() < 0.01 and board.outcome() is None:
                board.timeout()
        yield board, rng.choice([*range(seats), None])


def played_again(world: Board, events: tuple[Event, ...]) -> Board:
    """A game from the set-ups of ``world`` in which the players do the same as in the record.

    Raises:
        IllegalMove: a move is not legal in that world.
    """
    board = Board.from_armies(world.armies, world.map.name, world.root().turn, world.rules)
    for event in events:
        if event.act is Act.TIMEOUT:
            board.timeout()
        elif event.act is Act.RESIGN:
            board.resign(event.seat)
        elif event.move is not None:
            board.push(event.move)
    return board


def appearance(view: View, *, pictures: bool) -> tuple[object, ...]:
    """All that a player can get out of a view, as values to compare."""
    shown: tuple[object, ...] = (
        view.to_bytes(),
        view.state.tobytes(),
        view.kinds.tobytes(),
        view.key,
        hash(view),
        repr(view),
        view.legal_moves,
        view.outcome(),
        view.events,
    )
    if pictures:
        shown += (str(view), view.svg(), view.sample_worlds(3, 1).tobytes())
    return shown


@dataclass(frozen=True)
class Leak:
    """A view that differs between two worlds which look the same to the player."""

    position: str
    seat: int | None
    world: str


@dataclass(frozen=True)
class AuditReport:
    """What an audit found.

    Attributes:
        positions: positions looked at.
        worlds: worlds played again.
        different: worlds among them that were not the truth.
        leaks: views that differed; an empty tuple is what it should be.
    """

    positions: int
    worlds: int
    different: int
    leaks: tuple[Leak, ...]


def audit(
    positions: int = 1000, worlds: int = 200, seed: int = 0, progress: Progress | None = None
) -> AuditReport:
    """Compare views over worlds that a player cannot tell apart.

    Args:
        positions: how many positions of random games.
        worlds: how many sampled worlds for each.
        seed: of the games and of the sampling.
        progress: called with the number of positions done since the last call.
    """
    different, leaks = 0, []
    for index, (board, seat) in enumerate(random_games(seed)):
        if index == positions:
            break
        view = board.view(seat)
        plain, full = (appearance(view, pictures=pictures) for pictures in (False, True))
        for row, kinds in enumerate(view.sample_worlds(worlds, seed + index)):
            world = view.world(kinds)
            again = played_again(world, board.events)
            expected = plain if row else full
            if appearance(again.view(seat), pictures=not row) != expected:
                leaks.append(Leak(board.root().fen(), seat, world.root().fen()))
            different += not (kinds == board.kinds).all()
        if progress is not None:
            progress(1)
    return AuditReport(positions, positions * worlds, different, tuple(leaks))


def timing(positions: int = 10, questions: int = 2000, seed: int = 0) -> list[float]:
    """Welch's t between asking for a view of one fixed world and of ever other ones, by position.

    The fixed and the random class alternate at random, each game object is made anew for every
    question, and the slowest tenth (interruptions) is left out. Absolute values below 4.5 are what
    chance gives.

    Args:
        positions: how many positions of random games.
        questions: timed questions for each.
        seed: of everything.
    """
    found = []
    for index, (board, seat) in enumerate(random_games(seed)):
        if index == positions:
            break
        view = board.view(seat)
        drawn = view.sample_worlds(questions + 1, seed + index)
        rng = Random(f"timing {seed} {index}")
        times: tuple[list[int], list[int]] = ([], [])
        for row in range(1, questions + 1):
            group = rng.randrange(2)
            world = view.world(drawn[row if group else 0].copy())
            began = time.perf_counter_ns()
            asked = world.view(seat)
            asked.to_bytes()
            times[group].append(time.perf_counter_ns() - began)
        limit = sorted(times[0] + times[1])[int(0.9 * questions)]
        fixed, other = ([value for value in group if value < limit] for group in times)
        spread = variance(fixed) / len(fixed) + variance(other) / len(other)
        found.append((fmean(fixed) - fmean(other)) / spread**0.5)
    return found
