"""Forced mates by plain exhaustive minimax: every move of both sides, quiet ones included.

The rules are written out here once more, over a list of 90 points, and share nothing with the
package; numba only makes the loops fast enough for mates of many moves. Positions already looked
at are remembered under a key of all their points.
"""

from __future__ import annotations

import numba
import numpy as np

from tests.twins import xiangqi as rules

KINDS = "KABNRCP"
WIDTH = 128


@numba.njit
def _step(points, red, to):
    """Whether a side may go to a point as far as its own pieces are concerned."""
    return points[to] == 0 or (points[to] > 0) != red


@numba.njit
def _add(out, n, at, to):
    out[n, 0] = at
    out[n, 1] = to
    return n + 1


@numba.njit
def pseudo_moves(points, red, out):
    """Moves that may leave the own general attacked; rows (from, to) of ``out``."""
    n = 0
    low, high = (0, 2) if red else (7, 9)
    for at in range(90):
        piece = points[at]
        if piece == 0 or (piece > 0) != red:
            continue
        kind, file, rank = abs(piece), at % 9, at // 9
        if kind == 1 or kind == 5 or kind == 6:
            for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                f, r, screen = file + df, rank + dr, False
                while 0 <= f <= 8 and 0 <= r <= 9:
                    to = 9 * r + f
                    if kind == 1:
                        if 3 <= f <= 5 and low <= r <= high and _step(points, red, to):
                            n = _add(out, n, at, to)
                        break
                    if screen:
                        if points[to] != 0:
                            if (points[to] > 0) != red:
                                n = _add(out, n, at, to)
                            break
                    elif points[to] == 0:
                        n = _add(out, n, at, to)
                    elif kind == 6:
                        screen = True
                    else:
                        if (points[to] > 0) != red:
                            n = _add(out, n, at, to)
                        break
                    f, r = f + df, r + dr
        elif kind == 2 or kind == 3:
            far = kind - 1
            for df in (-far, far):
                for dr in (-far, far):
                    f, r = file + df, rank + dr
                    if not (0 <= f <= 8 and 0 <= r <= 9):
                        continue
                    if kind == 2 and not (3 <= f <= 5 and low <= r <= high):
                        continue
                    if kind == 3 and (
                        (r > 4) == red or points[9 * (rank + dr // 2) + file + df // 2]
                    ):
                        continue
                    if _step(points, red, 9 * r + f):
                        n = _add(out, n, at, 9 * r + f)
        elif kind == 4:
            for df in (-2, -1, 1, 2):
                for dr in (abs(df) - 3, 3 - abs(df)):
                    f, r = file + df, rank + dr
                    if not (0 <= f <= 8 and 0 <= r <= 9):
                        continue
                    leg = at + df // 2 if abs(df) == 2 else at + 9 * (dr // 2)
                    if points[leg] == 0 and _step(points, red, 9 * r + f):
                        n = _add(out, n, at, 9 * r + f)
        else:
            ahead = rank + 1 if red else rank - 1
            if 0 <= ahead <= 9 and _step(points, red, 9 * ahead + file):
                n = _add(out, n, at, 9 * ahead + file)
            if (rank >= 5) == red:
                for f in (file - 1, file + 1):
                    if 0 <= f <= 8 and _step(points, red, 9 * rank + f):
                        n = _add(out, n, at, 9 * rank + f)
    return n


@numba.njit
def attacked(points, red):
    """Whether the general of a side is attacked, or faces the other one."""
    sign = 1 if red else -1
    king = -1
    for at in range(90):
        if points[at] == sign:
            king = at
    file, rank = king % 9, king // 9
    for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        f, r, seen = file + df, rank + dr, 0
        while 0 <= f <= 8 and 0 <= r <= 9:
            piece = -sign * points[9 * r + f]
            if points[9 * r + f] != 0:
                if seen == 0 and (piece == 5 or (piece == 1 and df == 0)):
                    return True
                if seen == 1 and piece == 6:
                    return True
                seen += 1
            f, r = f + df, r + dr
    for df in (-2, -1, 1, 2):
        for dr in (abs(df) - 3, 3 - abs(df)):
            f, r = file + df, rank + dr
            if 0 <= f <= 8 and 0 <= r <= 9 and sign * points[9 * r + f] == -4:
                # the leg is beside the horse, towards the general
                leg = 9 * r + f - df // 2 if abs(df) == 2 else 9 * (r - dr // 2) + f
                if points[leg] == 0:
                    return True
    for df, dr in ((-1, 0), (1, 0), (0, sign)):
        f, r = file + df, rank + dr
        if 0 <= f <= 8 and 0 <= r <= 9 and sign * points[9 * r + f] == -7:
            return True
    return False


@numba.njit
def perft(points, red, depth):
    out = np.empty((WIDTH, 2), np.int64)
    nodes = 0
    for i in range(pseudo_moves(points, red, out)):
        a, b = out[i]
        taken = points[b]
        points[b], points[a] = points[a], 0
        if not attacked(points, red):
            nodes += 1 if depth == 1 else perft(points, not red, depth - 1)
        points[a], points[b] = points[b], taken
    return nodes


@numba.njit
def _stuck(points, red):
    out = np.empty((WIDTH, 2), np.int64)
    for i in range(pseudo_moves(points, red, out)):
        a, b = out[i]
        taken = points[b]
        points[b], points[a] = points[a], 0
        safe = not attacked(points, red)
        points[a], points[b] = points[b], taken
        if safe:
            return False
    return True


@numba.njit
def _key(points, words):
    key = words[90, 0]
    for at in range(90):
        key ^= words[at, points[at] + 7]
    return key


@numba.njit
def mates(points, red, moves, barred_from, barred_to, memory, words, held):
    """Whether the side to move can leave the other without a move within ``moves`` own moves,
    the first of them not being the barred one. Checks are tried first, and against each move the
    answer that held last; all others follow."""
    if moves == 0:
        return False
    free = barred_from < 0
    key = _key(points, words)
    slot = key & (memory.shape[0] - 1)
    if free and memory[slot, 0] == key and memory[slot, 1] >= moves:
        return False
    out = np.empty((WIDTH, 2), np.int64)
    back = np.empty((WIDTH, 2), np.int64)
    count = pseudo_moves(points, red, out)
    turn = np.empty(WIDTH, np.int64)  # 0 = checks, 1 = quiet, 2 = not allowed
    for i in range(count):
        a, b = out[i]
        taken = points[b]
        points[b], points[a] = points[a], 0
        turn[i] = 2 if attacked(points, red) else 0 if attacked(points, not red) else 1
        points[a], points[b] = points[b], taken
        if a == barred_from and b == barred_to:
            turn[i] = 2
    for now in (0, 1):
        for i in range(count):
            if turn[i] != now:
                continue
            a, b = out[i]
            taken = points[b]
            points[b], points[a] = points[a], 0
            won = True
            if moves == 1:
                won = _stuck(points, not red)
            else:
                replies = pseudo_moves(points, not red, back)
                for j in range(replies):
                    if back[j, 0] == held[moves, 0] and back[j, 1] == held[moves, 1]:
                        back[j, 0], back[j, 1] = back[0]
                        back[0, 0], back[0, 1] = held[moves]
                for j in range(replies):
                    c, d = back[j]
                    prey = points[d]
                    points[d], points[c] = points[c], 0
                    if not attacked(points, not red):
                        won = mates(points, red, moves - 1, -1, -1, memory, words, held)
                    points[c], points[d] = points[d], prey
                    if not won:
                        held[moves, 0], held[moves, 1] = c, d
                        break
            points[a], points[b] = points[b], taken
            if won:
                return True
    if free:
        memory[slot, 0] = key
        memory[slot, 1] = moves
    return False


class Minimax:
    """Questions about one position after the other; the attacker stays the same side."""

    def __init__(self, red_attacks: bool = True) -> None:
        self.red = red_attacks
        self.memory = np.zeros((1 << 20, 2), np.int64)
        self.held = np.full((32, 2), -1, np.int64)
        self.words = np.random.default_rng(1).integers(1, 1 << 62, (91, 15))

    def mates(self, pos: rules.Position, moves: int, barred: rules.Move = (-1, -1)) -> bool:
        """Whether the side to move mates (or stalemates) within so many own moves."""
        assert pos.red_to_move == self.red
        return bool(
            mates(points(pos), self.red, moves, *barred, self.memory, self.words, self.held)
        )


def points(pos: rules.Position) -> np.ndarray:
    """The position as numbers: Red's kinds 1 to 7, Black's negative, 0 = empty."""
    numbers = [
        0 if one == "." else (KINDS.index(one.upper()) + 1) * (1 if one.isupper() else -1)
        for one in pos.points
    ]
    return np.array(numbers, np.int64)
