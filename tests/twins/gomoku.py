"""Plain slow twin of the gomoku room, written from the rules page and nothing else.

A board is a dict from (x, y) to "b" or "w"; points are looked at one by one, nothing is kept.
"""

from __future__ import annotations

from itertools import product

Point = tuple[int, int]
Stones = dict[Point, str]

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def inside(p: Point, size: int) -> bool:
    return 0 <= p[0] < size and 0 <= p[1] < size


def run(stones: Stones, p: Point, d: Point) -> list[Point]:
    """The unbroken string of one colour through the stone on p, in order along d."""
    color = stones[p]
    found = [p]
    for sign in (1, -1):
        q = (p[0] + sign * d[0], p[1] + sign * d[1])
        while stones.get(q) == color:
            found.append(q)
            q = (q[0] + sign * d[0], q[1] + sign * d[1])
    return sorted(found)


def beyond(line: list[Point], d: Point) -> tuple[Point, Point]:
    """The points before the first and after the last of a sorted run."""
    first, last = line[0], line[-1]
    return (first[0] - d[0], first[1] - d[1]), (last[0] + d[0], last[1] + d[1])


def wins(stones: Stones, p: Point, rule: str) -> bool:
    """Whether the stone just put on p wins."""
    color = stones[p]
    enemy = "w" if color == "b" else "b"
    for d in DIRECTIONS:
        line = run(stones, p, d)
        n = len(line)
        closed = all(stones.get(q) == enemy for q in beyond(line, d))
        if rule == "freestyle" or (rule == "renju" and color == "w"):
            won = n >= 5
        elif rule in ("standard", "renju"):
            won = n == 5
        elif rule == "caro_exact":
            won = n == 5 and not closed
        else:
            won = n >= 6 or (n == 5 and not closed)
        if won:
            return True
    return False


def wins_on_line(stones: Stones, p: Point, d: Point, rule: str) -> bool:
    """Whether the run through p on one line wins."""
    color = stones[p]
    enemy = "w" if color == "b" else "b"
    line = run(stones, p, d)
    only = dict.fromkeys(line, color)
    only |= {q: enemy for q in beyond(line, d) if stones.get(q) == enemy}
    return wins(only, p, rule)


def four_points(stones: Stones, color: str, size: int, rule: str) -> set[Point]:
    """Empty points where a stone makes a four: one more stone on that line would win with it."""
    found = set()
    for p in product(range(size), range(size)):
        if p in stones:
            continue
        then = {**stones, p: color}
        for d in DIRECTIONS:
            if wins_on_line(then, p, d, rule):
                continue
            for distance in (-4, -3, -2, -1, 1, 2, 3, 4):
                e = (p[0] + distance * d[0], p[1] + distance * d[1])
                if not inside(e, size) or e in then:
                    continue
                after = {**then, e: color}
                if p in run(after, e, d) and wins_on_line(after, e, d, rule):
                    found.add(p)
    return found


def _black_run(stones: Stones, p: Point, d: Point) -> int:
    return len(run(stones, p, d))


def fours(stones: Stones, p: Point, d: Point, size: int) -> set[frozenset[Point]]:
    """Different sets of four black stones with p on line d that one stone makes exactly five."""
    found = set()
    for distance in range(-4, 5):
        e = (p[0] + distance * d[0], p[1] + distance * d[1])
        if not inside(e, size) or e in stones:
            continue
        then = {**stones, e: "b"}
        line = run(then, p, d)
        if len(line) == 5 and e in line:
            found.add(frozenset(line) - {e})
    return found


def straight_four_points(stones: Stones, p: Point, d: Point, size: int) -> list[Point]:
    """Empty points where a black stone gives a straight four on line d that contains p."""
    found = []
    for distance in range(-3, 4):
        e = (p[0] + distance * d[0], p[1] + distance * d[1])
        if not inside(e, size) or e in stones:
            continue
        then = {**stones, e: "b"}
        line = run(then, p, d)
        if len(line) != 4 or e not in line:
            continue
        ends = beyond(line, d)
        if all(
            inside(q, size) and q not in then and _black_run({**then, q: "b"}, q, d) == 5
            for q in ends
        ):
            found.append(e)
    return found


def forbidden(stones: Stones, p: Point, size: int) -> set[str]:
    """Every rule that a black stone on the empty point p would break under renju."""
    board = {**stones, p: "b"}
    lengths = [_black_run(board, p, d) for d in DIRECTIONS]
    if 5 in lengths:
        return set()
    kinds = set()
    if max(lengths) > 5:
        kinds.add("overline")
    if sum(len(fours(board, p, d, size)) for d in DIRECTIONS) >= 2:
        kinds.add("double_four")
    threes = 0
    for d in DIRECTIONS:
        for e in straight_four_points(board, p, d, size):
            then = {**board, e: "b"}
            if any(_black_run(then, e, way) == 5 for way in DIRECTIONS):
                continue
            if not forbidden(board, e, size):
                threes += 1
                break
    if threes >= 2:
        kinds.add("double_three")
    return kinds


def perft(stones: Stones, color: str, depth: int, size: int, rule: str) -> int:
    """Move sequences of exactly this many plies; a win ends a game."""
    if depth == 0:
        return 1
    total = 0
    for p in product(range(size), range(size)):
        if p in stones:
            continue
        if rule == "renju" and color == "b" and forbidden(stones, p, size):
            continue
        then = {**stones, p: color}
        if depth > 1 and wins(then, p, rule):
            continue
        total += perft(then, "w" if color == "b" else "b", depth - 1, size, rule)
    return total


def five_points(stones: Stones, color: str, size: int, rule: str) -> set[Point]:
    """Empty points where the colour wins at once."""
    return {
        p
        for p in product(range(size), range(size))
        if p not in stones and wins({**stones, p: color}, p, rule)
    }


def shortest_vcf(
    stones: Stones, color: str, most: int, size: int, rule: str
) -> tuple[int, set[Point]] | None:
    """Least number of attacking moves of a win by fours, and all first moves that need no more.

    Tries every four against every defence; ``None`` if there is no such win within ``most`` moves.
    """
    for limit in range(1, most + 1):
        firsts = {
            p
            for p in product(range(size), range(size))
            if p not in stones and _attack_wins(stones, p, color, limit, size, rule)
        }
        if firsts:
            return limit, firsts
    return None


def _attack_wins(stones: Stones, p: Point, color: str, limit: int, size: int, rule: str) -> bool:
    enemy = "w" if color == "b" else "b"
    if rule == "renju" and color == "b" and forbidden(stones, p, size):
        return False
    then = {**stones, p: color}
    if wins(then, p, rule):
        return True
    if _near_wins(then, enemy, size, rule):
        return False
    threats = _near_wins(then, color, size, rule)
    if not threats:
        return False
    defences = [
        q
        for q in threats
        if len(threats) == 1 and not (rule == "renju" and enemy == "b" and forbidden(then, q, size))
    ]
    if not defences:
        return True
    if limit == 1:
        return False
    after = {**then, defences[0]: enemy}
    return any(
        _attack_wins(after, q, color, limit - 1, size, rule)
        for q in product(range(size), range(size))
        if q not in after
    )


def _near_wins(stones: Stones, color: str, size: int, rule: str) -> set[Point]:
    """As five_points, but looks only beside stones of the colour."""
    near = {
        (x + dx, y + dy)
        for (x, y), c in stones.items()
        if c == color
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    }
    return {
        p
        for p in near
        if inside(p, size) and p not in stones and wins({**stones, p: color}, p, rule)
    }
