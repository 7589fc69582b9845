"""The ways a turn can take: the shortest one for animation, and whether a written one exists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from checkers.geometry import DIRECTIONS, GOAL_ROWS, HOLE_NAMES, NEIGHBOURS, camp_of, opposite
from checkers.move import JUMP, STEP, Move
from checkers.notation import EMPTY
from checkers.rules import Rules


def _lines(origin: int) -> Iterator[list[int]]:
    """The holes straight away from ``origin`` in each direction, nearest first."""
    for direction in range(len(DIRECTIONS)):
        line, hole = [], int(NEIGHBOURS[origin, direction])
        while hole >= 0:
            line.append(hole)
            hole = int(NEIGHBOURS[hole, direction])
        yield line


def _open_to(rules: Rules, camp: int, start: int, end: int) -> bool:
    """Whether the switches let a leg of the camp's piece go from ``start`` to ``end``."""
    if rules.side_camps == "forbidden" and camp_of(end) not in (None, camp, opposite(camp)):
        return False
    return not (rules.backward == "never" and GOAL_ROWS[camp, end] > GOAL_ROWS[camp, start])


def jumps(owners: Sequence[int], rules: Rules, camp: int, hole: int) -> Iterator[int]:
    """Holes one jump away from ``hole`` that the camp's piece may land on, empty or not.

    Args:
        owners: the board with the jumping piece lifted off.
        rules: the switches.
        camp: the camp of the piece.
        hole: where the jump begins.
    """
    for line in _lines(hole):
        filled = [owners[h] != EMPTY for h in line]
        for length in range(2, len(line) + 1):
            between = filled[: length - 1]
            if rules.jump == "short":
                good = length == 2 and between[0]
            elif rules.jump == "long":
                middle = length // 2 - 1
                good = length % 2 == 0 and between[middle] and sum(between) == 1
            else:
                good = any(between) and between == between[::-1]
            if good and _open_to(rules, camp, hole, line[length - 1]):
                yield line[length - 1]


def steps(rules: Rules, camp: int, hole: int) -> Iterator[int]:
    """Neighbours of ``hole`` that the camp's piece may step to, empty or not."""
    for neighbour in NEIGHBOURS[hole]:
        if neighbour >= 0 and _open_to(rules, camp, hole, int(neighbour)):
            yield int(neighbour)


def shortest_path(owners: Sequence[int], rules: Rules, move: Move) -> tuple[int, ...]:
    """Holes of the way with the fewest legs, start and end with it; empty if there is none.

    A step has two holes; so has one jump. Where several ways are equally short the one through
    lower holes is taken. The end hole may be held by another piece (right to swap).
    """
    origin, target = move
    camp = owners[origin]
    if target in steps(rules, camp, origin):
        return (origin, target)
    lifted = list(owners)
    lifted[origin] = EMPTY
    before = {origin: origin}
    layer = [origin]
    while layer and target not in before:
        following = []
        for hole in layer:
            for land in jumps(lifted, rules, camp, hole):
                if land not in before and (lifted[land] == EMPTY or land == target):
                    before[land] = hole
                    following.append(land)
        layer = sorted(following)
    if target not in before:
        return ()
    path = [target]
    while path[-1] != origin:
        path.append(before[path[-1]])
    return tuple(reversed(path))


def broken_leg(
    owners: Sequence[int], rules: Rules, holes: Sequence[int], mark: str
) -> tuple[int, int] | None:
    """The first leg of a written way that is no such step or jump; None if all are good."""
    camp = owners[holes[0]]
    lifted = list(owners)
    lifted[holes[0]] = EMPTY
    for start, end in pairwise(holes):
        ways = steps(rules, camp, start) if mark == STEP else jumps(lifted, rules, camp, start)
        if end not in ways or (lifted[end] != EMPTY and end != holes[-1]):
            return start, end
    return None


def turn_text(owners: Sequence[int], rules: Rules, move: Move) -> str:
    """A turn with its shortest way: ``d1-e5`` or ``c1>e5>g5``; ends only if there is no way."""
    if not move:
        return str(move)
    path = shortest_path(owners, rules, move)
    if not path:
        return str(move)
    step = len(path) == 2 and path[1] in NEIGHBOURS[path[0]]
    return (STEP if step else JUMP).join(HOLE_NAMES[hole] for hole in path)
