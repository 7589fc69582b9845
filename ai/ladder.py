"""The ladder of levels: matches of neighbours and of anchors, one scale for all, a picture.

Results are kept in a JSON file, so that a stopped measurement goes on and the picture can be drawn
again. The scale is the logistic model of Elo (Bradley and Terry), a draw being half a win, fitted
to all games at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ai.levels import LEVELS
from ai.match import Score, match
from ai.openings import openings
from ai.player import Budget, Player


@dataclass(frozen=True)
class Meeting:
    """Games of two players, in pairs with colours swapped.

    Attributes:
        first: name of a player.
        second: name of the other.
        points: of the first player, in the order played.
    """

    first: str
    second: str
    points: tuple[float, ...] = ()

    @property
    def score(self) -> Score:
        """What the games say about the first player."""
        return Score.of(self.points)


def fixtures(games: int, most: int, anchors: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Who is to meet whom, in how many games.

    Args:
        games: of each step from one level to the next; the other meetings have fewer.
        most: nodes a move that no level may exceed.
        anchors: other engines; they play with 1000, 10 000 and 100 000 nodes a move.

    >>> list(fixtures(60, 200_000, []))[-3:]
    [('level 10 at 200000 nodes', 'level 9', 60), ('level 10 at 200000 nodes', 'level 1', 20), \
('level 1', 'greedy', 40)]
    """
    levels = [
        f"level {one.number}" + (f" at {most} nodes" if one.nodes > most else "") for one in LEVELS
    ]
    for lower, higher in pairwise(levels):
        yield higher, lower, games
    yield levels[-1], levels[0], min(games, 20)
    yield levels[0], "greedy", min(games, 40)
    for anchor in anchors:
        for nodes, numbers in ((1_000, (6, 7, 8)), (10_000, (8, 9)), (100_000, (9, 10))):
            for number in numbers:
                yield levels[number - 1], f"{anchor} at {nodes} nodes", min(games, 20)


def budget(name: str) -> Budget:
    """The limit that a player's name tells.

    >>> budget("level 10 at 200000 nodes").nodes, budget("greedy").nodes
    (200000, None)
    """
    found = re.search(r" at (\d+) nodes$", name)
    return Budget(nodes=int(found[1])) if found else Budget()


def ratings(meetings: Sequence[Meeting], zero: str) -> dict[str, tuple[float, float]]:
    """Elo of every player and half the width of its 95 % interval, from all games at once.

    A tenth of a drawn game of each pair that met keeps lopsided results finite. The interval is
    that of the difference to ``zero``.

    >>> games = [Meeting("b", "a", (1.0, 0.0, 1.0, 1.0)), Meeting("c", "b", (1.0, 0.5, 1.0, 0.5))]
    >>> {name: round(elo) for name, (elo, _) in ratings(games, "a").items()}
    {'a': 0, 'b': 185, 'c': 370}
    """
    names = sorted({name for one in meetings for name in (one.first, one.second)} - {zero})
    place = {name: k for k, name in enumerate(names)}
    design, games, won = [], [], []
    for one in meetings:
        row = np.zeros(len(names))
        for name, sign in ((one.first, 1.0), (one.second, -1.0)):
            if name in place:
                row[place[name]] = sign
        design.append(row)
        games.append(len(one.points) + 0.1)
        won.append(sum(one.points) + 0.05)
    matrix, total, scored = np.array(design), np.array(games), np.array(won)
    strength: NDArray[np.float64] = np.zeros(len(names))
    information = np.eye(len(names))
    for _ in range(100):
        expected = 1 / (1 + np.exp(-matrix @ strength))
        information = matrix.T @ (matrix * (total * expected * (1 - expected))[:, None])
        step = np.linalg.solve(
            information + 1e-9 * np.eye(len(names)), matrix.T @ (scored - total * expected)
        )
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    spread = np.sqrt(np.diag(np.linalg.pinv(information)))
    scale = 400 / np.log(10)
    found = {zero: (0.0, 0.0)}
    for name, k in place.items():
        found[name] = (float(scale * strength[k]), float(1.96 * scale * spread[k]))
    return found


class Ladder:
    """Meetings in a file.

    Args:
        path: the JSON file; it need not exist yet.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.meetings: list[Meeting] = []
        if self.path.exists():
            for one in json.loads(self.path.read_text("utf-8"))["meetings"]:
                points = tuple(_POINTS[sign] for sign in one["points"])
                self.meetings.append(Meeting(one["first"], one["second"], points))

    def add(self, first: str, second: str, points: Sequence[float]) -> Meeting:
        """Append games to those of two players, and write the file."""
        known = {(one.first, one.second): one for one in self.meetings}
        old = known.get((first, second), Meeting(first, second))
        new = known[first, second] = Meeting(first, second, (*old.points, *points))
        self.meetings = list(known.values())
        lines = ",\n  ".join(
            json.dumps(
                {
                    "first": each.first,
                    "second": each.second,
                    "points": "".join(_SIGNS[point] for point in each.points),
                },
                ensure_ascii=False,
            )
            for each in self.meetings
        )
        part = self.path.with_suffix(".part")
        part.write_text(f'{{"meetings": [\n  {lines}\n]}}\n', "utf-8")
        part.replace(self.path)
        return new

    def played(self, first: str, second: str) -> int:
        """How many games of two players there are."""
        return sum(
            len(one.points) for one in self.meetings if (one.first, one.second) == (first, second)
        )

    def measure(
        self, first: str, second: str, games: int, player: Callable[[str], Player]
    ) -> Iterator[Meeting]:
        """Play what is missing to ``games``, a pair at a time; ``player`` makes one by name."""
        done = self.played(first, second)
        if done >= games:
            return
        names = (first, second)
        players, budgets = [player(name) for name in names], [budget(name) for name in names]
        pair: list[float] = []
        for result in match(players, openings(), budgets, games + games % 2, first=done):
            pair.append(result.points)
            if len(pair) == 2:
                yield self.add(first, second, pair)
                pair = []


_SIGNS = {1.0: "+", 0.5: "=", 0.0: "-"}
_POINTS = {sign: point for point, sign in _SIGNS.items()}


def draw(meetings: Sequence[Meeting], zero: str, target: str | Path) -> None:
    """Write the picture of the ladder; the file's ending decides the format (svg, png, pdf).

    Raises:
        ModuleNotFoundError: matplotlib is not installed (extra ``[plot]``).
    """
    try:
        library, figures = import_module("matplotlib"), import_module("matplotlib.figure")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "画图需要 matplotlib：pip install 'qiyuan-games[plot]' (matplotlib is not installed)"
        ) from error
    found = sorted(ratings(meetings, zero).items(), key=lambda item: item[1])
    names = [name for name, _ in found]
    with library.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ladder", "font.size": 9}):
        figure = figures.Figure(figsize=(7, 0.3 * len(names) + 1), layout="constrained")
        axes = figure.subplots()
        for place, (name, (elo, margin)) in enumerate(found):
            colour = "#0b5fa5" if name.startswith("level") else "#777777"
            axes.errorbar(elo, place, xerr=margin, fmt="o", color=colour, capsize=3)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel(f"Elo above {zero}, 95 % intervals of the difference")
        axes.grid(axis="x", alpha=0.3)
        axes.set_axisbelow(True)
        figure.savefig(target, metadata={"Date": None})
