"""From boards to races: one seat's distance, and two armies that have passed each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from checkers.board import Board
from checkers.geometry import GOAL_ROWS
from checkers.move import Move
from checkers.notation import EMPTY
from checkers.paths import shortest_path
from checkers.race.reach import Ground
from checkers.race.solver import Distance, distance
from qikit.errors import InvalidPosition
from qikit.outcome import Termination

DEFAULT_BUDGET = 2_000_000
"""Armies that a layer of an exact search may hold, some 20 bytes each."""
PROVED = "proved"


def solo_distance(
    board: Board, seat: int | None = None, *, budget: int = DEFAULT_BUDGET
) -> Distance:
    """The least number of turns in which a seat's army fills its goal if nobody is in the way.

    The jump kind, side camps, goal lock and backward rule of the board hold; other armies are
    taken off. ``side_camps="free"`` is the whole star, ``"forbidden"`` the 81-hole diamond.

    Args:
        board: the position.
        seat: whose army; None = the side to move.
        budget: most armies that a layer of the exact search may hold. Distances up to about 11
            are exact with the default; beyond it the line is good and the lower bound honest.

    Raises:
        InvalidPosition: the army cannot fill its goal (too few or too many pieces).

    >>> board = Board("1/2/3/4/13/12/11/10/9/10/11/12/8A4/AAA1/AAA/AA/A A A 10")
    >>> solo_distance(board).turns
    1
    """
    chosen = board.turn if seat is None else seat
    try:
        return distance(
            board.holes(chosen),
            board.camps[chosen],
            Ground.of(board.rules, board.pieces),
            budget,
        )
    except ValueError as error:
        raise InvalidPosition(str(error), position=board.fen()) from None


def has_passed(board: Board) -> bool:
    """Whether two opposite armies have passed: every piece is nearer to its own goal's tip, along
    the common axis, than any piece of the other army is to the tip of its own start camp.
    """
    if len(board.camps) != 2:
        return False
    ahead = GOAL_ROWS[board.camps[0]]
    mine, theirs = board.holes(0), board.holes(1)
    return bool(mine and theirs) and max(ahead[h] for h in mine) < min(ahead[h] for h in theirs)


@dataclass(frozen=True)
class Race:
    """The result of a race between two armies that have passed each other.

    Attributes:
        winner: the seat that wins, or None for a draw (``equal_turns``).
        exact: whether the result is proved against every defence: the winner's line cannot be
            touched in time, and the loser needs more turns than it gets.
        distances: each seat's :class:`Distance`.
        line: both lines interleaved up to the finish.
        why: what the proof rests on, or what it lacks.
    """

    winner: int | None
    exact: bool
    distances: tuple[Distance, Distance]
    line: tuple[Move, ...]
    why: str


def _untouched(board: Board, seat: int, line: tuple[Move, ...], waits: int) -> bool:
    """Whether the other army cannot touch this line, ``waits`` turns of it being in between.

    With short jumps an army's foremost row advances by at most one row a turn unless pieces of
    the other army stand within reach, because the last landing needs a bridge behind it. So after
    t turns the other army lies at or behind row f + t, and as long as that leaves one empty row
    to everything the line still uses, no piece of either army can help or hinder the other.
    """
    if board.rules.jump != "short":
        return False
    camp = board.camps[seat]
    rows = 16 - GOAL_ROWS[camp].astype(int)  # grows towards the goal
    owners = [camp if h == camp else EMPTY for h in board.owners]
    used = []  # the hindmost row of the army and its way at each turn of the line
    for move in line:
        way = shortest_path(owners, board.rules, move)
        used.append(
            min(*(rows[h] for h in way), *(rows[h] for h, c in enumerate(owners) if c >= 0))
        )
        owners[move.to_hole], owners[move.from_hole] = camp, EMPTY
    front = max(int(rows[h]) for h in board.holes(1 - seat))
    first = board.turn == seat
    for t in range(1, waits + 1):
        rest = used[t if first else t - 1 :]
        if rest and front + t > min(rest) - 2:
            return False
    return True


def solve_race(board: Board, *, budget: int = DEFAULT_BUDGET) -> Race:
    """Who finishes first when both armies run, and whether that is proved.

    Raises:
        InvalidPosition: not two opposite armies that have passed, or an army is incomplete.

    >>> board = Board("D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A D AD 10")
    >>> result = solve_race(board)
    >>> result.winner, result.exact, [str(move) for move in result.line]
    (1, True, ['e8:d4'])
    """
    if not has_passed(board):
        raise InvalidPosition(
            "两军还没有相互越过 (the armies have not passed each other)", position=board.fen()
        )
    if board.outcome() is not None or board.finished:
        raise InvalidPosition("已有一方到家 (an army is home already)", position=board.fen())
    both = (solo_distance(board, 0, budget=budget), solo_distance(board, 1, budget=budget))
    mover = board.turn
    # the time at which a seat makes its n-th turn from now, in plies; equal turns count rounds
    delay = (0, 1) if mover == 0 else (1, 0)

    def finish(seat: int, turns: int) -> int:
        ply = 2 * (turns - 1) + delay[seat]
        return (ply + mover) // 2 if board.rules.equal_turns else ply

    ends = [finish(seat, both[seat].turns) for seat in (0, 1)]
    earliest = [finish(seat, both[seat].lower_bound) for seat in (0, 1)]
    winner = None if ends[0] == ends[1] else int(ends[1] < ends[0])
    if winner is None:
        sure = both[0].exact and both[1].exact
        safe = all(
            _untouched(board, s, both[s].line, both[s].turns - 1 + (s != mover)) for s in (0, 1)
        )
    else:
        sure = ends[winner] < earliest[1 - winner]
        waits = both[winner].turns - 1 + (winner != mover)
        safe = _untouched(board, winner, both[winner].line, waits)
    plies = [
        move if move is not None else Move.PASS
        for pair in zip_longest(both[mover].line, both[1 - mover].line)
        for move in pair
    ]
    seats = (0, 1) if winner is None else (winner,)
    length = 1 + max(2 * (both[seat].turns - 1) + delay[seat] for seat in seats)
    if board.rules.equal_turns and winner == 0:
        length += 1  # the other side still has its turn of the round
    line = tuple(plies[:length])
    if not sure:
        why = "the distances are not exact enough"
    elif not safe:
        why = "the armies may still meet"
    elif _stopped_early(board, line):
        why = "a draw limit of the rules comes first"
    else:
        why = PROVED
    return Race(winner, why == PROVED, both, line, why)


def _stopped_early(board: Board, line: tuple[Move, ...]) -> bool:
    """Whether a limit of the rules ends the game before the line does."""
    ahead = board.copy()
    for move in line:
        if ahead.outcome() is not None:
            return True
        ahead.push_unchecked(move)
    outcome = ahead.outcome()
    return outcome is None or outcome.termination is not Termination.GOAL_FILLED
