"""Loops in a closed walk of positions: cutting out minimal ones, following pieces round them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from xiangqi.move import Move

Loop = tuple[int, ...]
"""Indices of the moves of a loop, in order."""


def minimal_loops(positions: Sequence[Hashable], moves: Sequence[Move]) -> tuple[Loop, ...]:
    """The different loops inside a closed walk in which no position repeats but for the ends.

    Whenever a position that lies on the stack returns, the part above it is cut out. Which loops
    come out can depend on where the walk begins, so every beginning is tried: which loops there
    are does not change when the walk is rotated. A loop that is run through several times counts
    once, with the moves of its first run.

    Args:
        positions: the position (with the side to move) before each move.
        moves: the moves; after the last one the first position stands again.

    >>> a, b = Move(0, 1), Move(1, 0)
    >>> minimal_loops("pqpr", [a, b, b, a])
    ((0, 1), (2, 3))
    >>> minimal_loops("pqpq", [a, b, a, b])
    ((0, 1),)
    >>> minimal_loops("pqpqpr", [a, b, a, b, a, b])
    ((0, 1), (4, 5))
    """
    n = len(moves)
    edges: dict[tuple[Hashable, Move], int] = {}
    first = [edges.setdefault(edge, i) for i, edge in enumerate(zip(positions, moves, strict=True))]
    if len(set(positions)) == n:
        return (tuple(range(n)),)
    found: dict[Loop, Loop] = {}  # a loop by the first occurrences of its moves: its first run
    for start in range(n):
        stack: list[int] = []
        depth = {positions[start]: 0}
        for i in range(start, start + n):
            stack.append(i % n)
            reached = positions[(i + 1) % n]
            cut = depth.get(reached)
            if cut is None:
                depth[reached] = len(stack)
                continue
            run = stack[cut:]
            found.setdefault(_rotated([first[j] for j in run]), _rotated(run))
            for inner in run[1:]:
                del depth[positions[inner]]
            del stack[cut:]
    return tuple(sorted(found.values()))


def _rotated(loop: list[int]) -> Loop:
    """The loop begun with its smallest index."""
    at = loop.index(min(loop))
    return tuple(loop[at:] + loop[:at])


def pursued(
    moves: Sequence[Move], attacked: Sequence[Iterable[int] | None], own: Sequence[bool]
) -> frozenset[int]:
    """The pieces that are attacked after every own move, however often the loop is run through.

    A piece is followed by its point. When two pieces of one kind change places in the course of
    a loop, the position is the same and the pieces are not: such a piece counts only if those
    that take its place in later rounds are attacked throughout as well.

    Args:
        moves: the moves of the loop, both sides.
        attacked: for each own move the points attacked after it; None for the other side's moves.
        own: whether a move is the pursuer's.

    Returns:
        Points of those pieces at the beginning of the loop.

    >>> pursued([Move(0, 1), Move(50, 51), Move(1, 0), Move(51, 50)], [[50], None, [51], None],
    ...         [True, False, True, False])
    frozenset({50})
    """
    where: dict[int, int] | None = None
    taken: dict[int, int] = {}  # moves of the pursued side so far: point at the beginning -> now
    for move, points, is_own in zip(moves, attacked, own, strict=True):
        if is_own:
            if where is None:
                began = {now: start for start, now in taken.items()}
                where = {began.get(sq, sq): sq for sq in points or ()}
            else:
                allowed = frozenset(points or ())
                where = {start: now for start, now in where.items() if now in allowed}
        else:
            places = taken if where is None else where
            for start, now in places.items():
                if now == move.from_square:
                    places[start] = move.to_square
                    break
            else:
                if where is None:
                    taken[move.from_square] = move.to_square
    kept = where or {}
    while any(now not in kept for now in kept.values()):
        kept = {start: now for start, now in kept.items() if now in kept}
    return frozenset(kept)
