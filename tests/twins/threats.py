"""What a side wins by force, searched plainly: the oracle of `xiangqi.threats`.

Full minimax without bounds or tables over the slow generator. Values are those of the Chinese
rules; what the general and pawns of the side in question take counts only as a retake.
"""

from __future__ import annotations

from tests.twins import xiangqi as game

WORTH = {"R": 10, "N": 5, "C": 5, "A": 2, "B": 2, "K": 0, ".": 0}
MATE = 10_000


class TooLarge(Exception):
    """The plain search would take too long."""


def worth(points, sq: int) -> int:
    letter = points[sq]
    if letter in "Pp":
        return int(not game.own_half(sq // 9, letter == "P"))
    return WORTH[letter.upper()]


def mates_by_checks(pos: game.Position, depth: int, root: bool = True) -> bool:
    """Whether checks alone mate within ``depth`` own moves, or one move stalemates."""
    for move in game.legal_moves(pos):
        after = game.make(pos, move)
        replies = game.legal_moves(after)
        if game.in_check(after):
            if not replies:
                return True
            if depth > 1 and all(
                mates_by_checks(game.make(after, reply), depth - 1, False) for reply in replies
            ):
                return True
        elif root and not replies:
            return True
    return False


def exchange(pos: game.Position, goal: int) -> int:
    """What the side to move wins by capturing on ``goal``, both free to stop."""
    best = 0
    for move in game.legal_moves(pos):
        if move[1] == goal:
            gain = worth(pos.points, goal) - exchange(game.make(pos, move), goal)
            best = max(best, gain)
    return best


class Search:
    """Forced material with a count of nodes."""

    def __init__(self, of_red: bool, quiet: int, flight: int, limit: int) -> None:
        self.of_red, self.quiet, self.flight = of_red, quiet, flight
        self.left = limit

    def value(self, pos: game.Position, depth: int, checks: int, last: int, ply: int = 0) -> int:
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        checked = game.in_check(pos)
        if not checked and depth <= -self.quiet:
            return 0
        if checked and depth <= -self.flight:
            return 0
        moves = game.legal_moves(pos)
        if not moves:
            # a side that may stop is not asked for a move
            return ply - MATE if checked else 0
        scores = [] if checked else [0]
        for move in moves:
            after = game.make(pos, move)
            quiet = not game.is_capture(pos, move) and not checked
            if quiet and (checks <= 0 or depth <= 0 or not game.in_check(after)):
                continue
            gain = worth(pos.points, move[1])
            exempt = pos.points[move[0]] in "KkPp" and move[1] != last
            if pos.red_to_move == self.of_red and exempt:
                gain = 0
            scores.append(gain - self.value(after, depth - 1, checks - quiet, move[1], ply + 1))
        return max(scores)
