"""Matches between players of 象棋: pairs of games from one opening with colours swapped.

The arbiter of the house decides on loops; a game that reaches the natural limit or ``MOST_PLIES``
is drawn. Budgets are per move; with a :class:`Control` both sides have a clock for the whole game
besides, and whoever oversteps it has lost. :class:`Score` tells the result with its 95 % interval.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ai.player import Budget, Clock, Player

MOST_PLIES = 400
"""A longer game is drawn."""


@dataclass(frozen=True)
class Result:
    """One game.

    Attributes:
        opening: number of the opening.
        red: 0 if the first player had Red, else 1.
        winner: colour that won, ``None`` = draw.
        reason: why the game ended, in English.
        moves: the moves, the opening included.
        seconds: thinking time of each player, the first one's first.
    """

    opening: int
    red: int
    winner: int | None
    reason: str
    moves: tuple[str, ...] = field(repr=False)
    seconds: tuple[float, float]

    @property
    def points(self) -> float:
        """Of the first player: 1, 0.5 or 0."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == self.red else 0.0


@dataclass(frozen=True)
class Control:
    """Time for a game and for each move made, in seconds.

    Raises:
        ValueError: no time at all, or less than none.

    >>> Control.parse("60+0.5")
    Control(time=60.0, increment=0.5)
    """

    time: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not (0 < self.time < math.inf and 0 <= self.increment < math.inf):
            raise ValueError(f"用时要大于零 (a clock needs time): {self.time}+{self.increment}")

    @classmethod
    def parse(cls, text: str) -> Control:
        """``SECONDS`` or ``SECONDS+INCREMENT``.

        Raises:
            ValueError: not of this form.
        """
        time, plus, increment = text.partition("+")
        try:
            parts = float(time), float(increment) if plus else 0.0
        except ValueError:
            raise ValueError(f"用时应写作 秒+每步加秒 (seconds+increment): {text!r}") from None
        return cls(*parts)


@dataclass(frozen=True)
class Score:
    """What some games say about the first player.

    >>> score = Score.of([1.0, 0.5, 1.0, 0.0])
    >>> score.wins, score.draws, score.losses, score.mean
    (2, 1, 1, 0.625)
    """

    wins: int
    draws: int
    losses: int
    mean: float
    margin: float
    """Half width of the 95 % interval of the mean; games in pairs where they come in pairs."""

    @classmethod
    def of(cls, points: Sequence[float]) -> Score:
        """The score of games in the order played (the two of a pair one after the other)."""
        n = len(points)
        mean = sum(points) / n if n else 0.5
        pairs = [(a + b) / 2 for a, b in zip(points[::2], points[1::2], strict=False)]
        spread = math.inf
        if len(pairs) > 1:
            variance = sum((pair - mean) ** 2 for pair in pairs) / (len(pairs) - 1)
            spread = 1.96 * math.sqrt(variance / len(pairs))
        return cls(points.count(1.0), points.count(0.5), points.count(0.0), mean, spread)

    @property
    def elo(self) -> float:
        """Difference in Elo points that the mean stands for (infinite at 0 and 1)."""
        return elo(self.mean)

    def __str__(self) -> str:
        low, high = elo(self.mean - self.margin), elo(self.mean + self.margin)
        return (
            f"+{self.wins} ={self.draws} -{self.losses}: {100 * self.mean:.1f} % "
            f"± {100 * self.margin:.1f}, Elo {self.elo:+.0f} [{low:+.0f}, {high:+.0f}]"
        )


def elo(mean: float) -> float:
    """Elo difference of an expected score.

    >>> round(elo(0.75))
    191
    """
    if mean <= 0:
        return -math.inf
    if mean >= 1:
        return math.inf
    return 400 * math.log10(mean / (1 - mean))


def likelihood_ratio(points: Sequence[float], elo0: float, elo1: float) -> float:
    """Log likelihood ratio of two Elo hypotheses given games in pairs (normal approximation).

    >>> likelihood_ratio([1.0, 1.0, 1.0, 0.5] * 20, 0, 20) > 2.94
    True
    """
    pairs = [(a + b) / 2 for a, b in zip(points[::2], points[1::2], strict=False)]
    if len(pairs) < 2:
        return 0.0
    mean = sum(pairs) / len(pairs)
    variance = max(sum((pair - mean) ** 2 for pair in pairs) / len(pairs), 1e-3)
    s0, s1 = (1 / (1 + 10 ** (-value / 400)) for value in (elo0, elo1))
    return len(pairs) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)


def sprt(points: Sequence[float], elo0: float, elo1: float, error: float = 0.05) -> bool | None:
    """Wald's test: True = ``elo1`` is accepted, False = ``elo0`` is, ``None`` = play on."""
    bound = math.log((1 - error) / error)
    ratio = likelihood_ratio(points, elo0, elo1)
    return None if abs(ratio) < bound else ratio > 0


def play(
    players: Sequence[Player],
    opening: Sequence[str],
    budgets: Sequence[Budget],
    *,
    red: int = 0,
    number: int = 0,
    rules: Any = "club2008",
    control: Control | None = None,
) -> Result:
    """One game; ``red`` is the index of the player with the red pieces."""
    from xiangqi import Board

    board = Board()
    for text in opening:
        board.push(text)
    for player in players:
        begin = getattr(player, "new_game", None)
        if begin is not None:
            begin()
    used = [0.0, 0.0]
    left = [control.time, control.time] if control else [math.inf, math.inf]
    seen: dict[int, int] = {}
    while True:
        ended = _ended(board, seen, rules)
        if ended is not None:
            winner, reason = ended
            break
        side, who = board.turn, red if board.turn == 0 else 1 - red
        budget = budgets[who]
        if control:
            clock = Clock((left[0], left[1]), (control.increment,) * 2)
            budget = replace(Budget.from_clock(clock, side), nodes=budget.nodes, depth=budget.depth)
        began = time.perf_counter()
        choice = players[who].choose(board, budget)
        spent = time.perf_counter() - began
        used[who] += spent
        left[side] -= spent
        if left[side] < 0:
            winner, reason = 1 - side, f"time of {players[who].name}"
            break
        if control:
            left[side] += control.increment
        if choice is None or not board.is_legal(choice.move):
            winner, reason = 1 - board.turn, f"no legal move from {players[who].name}"
            break
        board.push(choice.move)
    moves = tuple(str(move) for move in board.move_stack)
    return Result(number, red, winner, reason, moves, (used[0], used[1]))


def _ended(board: Any, seen: dict[int, int], rules: Any) -> tuple[int | None, str] | None:
    outcome = board.outcome()
    if outcome is not None:
        return outcome.winner, outcome.termination.value
    if board.is_natural_limit():
        return None, "natural limit"
    if len(board.move_stack) >= MOST_PLIES:
        return None, f"{MOST_PLIES} plies"
    seen[board.key] = seen.get(board.key, 0) + 1
    if seen[board.key] < 3:
        return None
    from arbiter import Verdict, judge

    verdict = judge(board, rules).verdict
    if verdict in (Verdict.RED_LOSES, Verdict.BLACK_LOSES):
        return (1 if verdict is Verdict.RED_LOSES else 0), "repetition lost"
    if verdict is Verdict.DRAW or seen[board.key] >= 6:
        return None, "repetition"
    return None


def match(
    players: Sequence[Player],
    openings: Sequence[Sequence[str]],
    budgets: Sequence[Budget],
    games: int,
    *,
    rules: Any = "club2008",
    first: int = 0,
    control: Control | None = None,
    report: Callable[[Result], None] | None = None,
) -> Iterator[Result]:
    """Games ``first`` to ``games - 1`` of a match, one after the other.

    Games 2n and 2n + 1 have the same opening; the first player has Red in the even ones.
    """
    for number in range(first, games):
        opening = number // 2 % len(openings)
        result = play(
            players,
            openings[opening],
            budgets,
            red=number % 2,
            number=opening,
            rules=rules,
            control=control,
        )
        if report is not None:
            report(result)
        yield result


def to_pgn(result: Result, names: Sequence[str], event: str = "match") -> str:
    """The game as PGN text with coordinate moves."""
    from xiangqi.game import Game
    from xiangqi.records import dumps

    game = Game()
    red, black = names[result.red], names[1 - result.red]
    score = "1/2-1/2" if result.winner is None else ("1-0", "0-1")[result.winner]
    game.headers.update(Event=event, Red=red, Black=black, Result=score, Termination=result.reason)
    game.result = score
    board = game.board()
    node = game.root
    for text in result.moves:
        node = node.add(board.push(text))
    return str(dumps(game, notation="iccs"))
