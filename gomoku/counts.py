"""Exact counts of 五子棋: positions up to symmetry, windows of five, sequences of moves."""

from __future__ import annotations

from collections import Counter
from math import comb, factorial, perm

from gomoku import geometry as g


def positions(size: int, plies: int) -> int:
    """Sets of stones after ``plies`` single stones, black first, wins not regarded.

    >>> positions(15, 3)
    5619600
    """
    black, white = (plies + 1) // 2, plies // 2
    points = size * size
    return comb(points, black) * comb(points - black, white)


def _cycles(image: tuple[int, ...]) -> Counter[int]:
    """Lengths of the cycles of a permutation, with how many there are of each."""
    lengths: Counter[int] = Counter()
    seen = [False] * len(image)
    for start in range(len(image)):
        length = 0
        at = start
        while not seen[at]:
            seen[at] = True
            at = image[at]
            length += 1
        if length:
            lengths[length] += 1
    return lengths


def _fixed(cycles: Counter[int], black: int, white: int) -> int:
    """Sets of stones that a permutation maps to themselves: whole cycles take one colour."""
    ways = {(0, 0): 1}
    for length, number in cycles.items():
        after: dict[tuple[int, int], int] = {}
        for (b, w), count in ways.items():
            for i in range(min(number, (black - b) // length) + 1):
                for j in range(min(number - i, (white - w) // length) + 1):
                    key = b + i * length, w + j * length
                    choices = comb(number, i) * comb(number - i, j)
                    after[key] = after.get(key, 0) + count * choices
        ways = after
    return ways.get((black, white), 0)


def positions_up_to_symmetry(size: int, plies: int) -> int:
    """Sets of stones after ``plies`` stones, images under the 8 symmetries counted once.

    Burnside's lemma: the mean over the symmetries of the number of sets that each leaves alone.

    >>> positions_up_to_symmetry(15, 3)
    703934
    """
    black, white = (plies + 1) // 2, plies // 2
    images = g.symmetries(size)
    return sum(_fixed(_cycles(image), black, white) for image in images) // len(images)


def five_windows(size: int) -> tuple[frozenset[int], ...]:
    """All sets of five points in a row.

    >>> len(five_windows(15)), len(five_windows(20))
    (572, 1152)
    """
    return tuple(frozenset(line[i : i + 5]) for line in g.lines(size) for i in range(len(line) - 4))


def disjoint_window_pairs(size: int) -> int:
    """Ordered pairs of windows of five without a common point.

    >>> disjoint_window_pairs(15)
    292288
    """
    windows = five_windows(size)
    through: dict[int, list[int]] = {}
    for number, window in enumerate(windows):
        for p in window:
            through.setdefault(p, []).append(number)
    touching = sum(len({n for p in window for n in through[p]}) for window in windows)
    return len(windows) ** 2 - touching


def wins_at_ply(size: int, ply: int) -> int:
    """Freestyle move sequences that end with a five at exactly this ply, for plies up to 10.

    Raises:
        ValueError: a later ply, for which no closed form is given.

    >>> wins_at_ply(15, 9)
    156444499411200
    """
    if ply > 10:
        raise ValueError(f"只给出前 10 手的公式 (closed forms reach ply 10): {ply}")
    if ply < 9:
        return 0
    free = size * size - 5
    windows = len(five_windows(size))
    if ply == 9:
        return windows * factorial(5) * perm(free, 4)
    black_had_five = disjoint_window_pairs(size) * factorial(5) ** 2
    return windows * factorial(5) * perm(free, 5) - black_had_five


def sequences(size: int, plies: int) -> int:
    """Freestyle move sequences of ``plies`` plies when the first five ends a game, up to 11.

    Raises:
        ValueError: more plies than the closed forms reach.

    >>> sequences(15, 2)
    50400
    """
    total = perm(size * size, plies)
    for ply in range(9, plies):
        total -= wins_at_ply(size, ply) * perm(size * size - ply, plies - ply)
    return total
