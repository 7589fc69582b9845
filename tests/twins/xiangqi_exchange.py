"""Exchanges on a point, the slow way: a board as a dict, rays walked step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

WORTH = {1: 5000, 2: 110, 3: 110, 4: 430, 5: 930, 6: 430}
Men = dict[tuple[int, int], tuple[int, int]]
"""(file, rank) -> (kind, colour)."""


def men(board: Any) -> Men:
    return {(sq % 9, sq // 9): (p.piece_type, p.color) for sq, p in board.piece_map().items()}


def worth(man: tuple[int, int], rank: int) -> int:
    kind, color = man
    if kind == 7:
        return 130 if (rank >= 5) == (color == 0) else 50
    return WORTH[kind]


def hits(board: Men, at: tuple[int, int], goal: tuple[int, int]) -> bool:
    """Whether the man on ``at`` can take on ``goal`` by its own way of moving."""
    kind, color = board[at]
    dx, dy = goal[0] - at[0], goal[1] - at[1]
    ahead = 1 if color == 0 else -1
    home = goal[1] <= 4 if color == 0 else goal[1] >= 5
    palace = 3 <= goal[0] <= 5 and (goal[1] <= 2 if color == 0 else goal[1] >= 7)
    if kind == 1:
        return palace and abs(dx) + abs(dy) == 1
    if kind == 2:
        return palace and abs(dx) == abs(dy) == 1
    if kind == 3:
        eye = (at[0] + dx // 2, at[1] + dy // 2)
        return home and abs(dx) == abs(dy) == 2 and eye not in board
    if kind == 4:
        if sorted((abs(dx), abs(dy))) != [1, 2]:
            return False
        leg = (at[0] + dx // 2, at[1]) if abs(dx) == 2 else (at[0], at[1] + dy // 2)
        return leg not in board
    if kind == 7:
        across = at[1] >= 5 if color == 0 else at[1] <= 4
        return (dx, dy) == (0, ahead) or (across and abs(dx) == 1 and dy == 0)
    if (dx == 0) == (dy == 0):
        return False
    screens = sum(spot in board for spot in _between(at, goal))
    return screens == (0 if kind == 5 else 1)


def _between(at: tuple[int, int], goal: tuple[int, int]) -> Iterator[tuple[int, int]]:
    sx = (goal[0] > at[0]) - (goal[0] < at[0])
    sy = (goal[1] > at[1]) - (goal[1] < at[1])
    x, y = at[0] + sx, at[1] + sy
    while (x, y) != goal:
        yield x, y
        x, y = x + sx, y + sy


def gain(board: Men, start: tuple[int, int], goal: tuple[int, int]) -> int:
    """What a move wins when both sides go on taking on its point with their least man, or stop."""
    after = dict(board)
    man = after.pop(start)
    won = worth(board[goal], goal[1]) if goal in board else 0
    stays = worth(man, start[1])
    after[goal] = man
    return won - _retake(after, goal, stays)


def _retake(board: Men, goal: tuple[int, int], prize: int) -> int:
    side = 1 - board[goal][1]
    takers = [at for at, man in board.items() if man[1] == side and hits(board, at, goal)]
    if not takers:
        return 0
    at = min(takers, key=lambda spot: worth(board[spot], spot[1]))
    after = dict(board)
    man = after.pop(at)
    after[goal] = man
    return max(0, prize - _retake(after, goal, worth(man, at[1])))
