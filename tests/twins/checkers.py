"""跳棋 written down slowly: cube coordinates, sets and breadth-first search, no table, no bit.

Positions are dicts from cube coordinates to camp letters. Written from the rules page alone; knows
nothing of the package but hole names for reading positions.
"""

from __future__ import annotations

from itertools import product

RADIUS = 4
DIRECTIONS = [(1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1)]
AXES = {"A": (2, -1), "B": (0, 1), "C": (1, -1), "D": (2, 1), "E": (0, -1), "F": (1, 1)}
"""Camp -> (coordinate, sign) that grows outwards into the camp."""
ACROSS = dict(zip("ABCDEF", "DEFABC", strict=True))


def outwards(cube, camp):
    axis, sign = AXES[camp]
    return sign * cube[axis]


def is_hole(cube):
    """The star is the union of two large triangles."""
    return sum(cube) == 0 and (max(cube) <= RADIUS or min(cube) >= -RADIUS)


BOARD = [(x, -x - z, z) for z, x in product(range(-8, 9), range(-8, 9)) if is_hole((x, -x - z, z))]
NAMES = {}
for _z in range(-8, 9):
    _row = sorted((c for c in BOARD if c[2] == _z), key=lambda c: c[0] - c[1])
    for _place, _cube in enumerate(_row, 1):
        NAMES[_cube] = f"{chr(ord('a') + _z + 8)}{_place}"
CUBES = {name: cube for cube, name in NAMES.items()}


def camp_of(cube):
    return next((camp for camp in AXES if outwards(cube, camp) > RADIUS), None)


def home(camp, size=10):
    least = RADIUS + 1 if size == 10 else RADIUS
    return {c for c in BOARD if outwards(c, camp) >= least and camp_of(c) in (None, camp)}


def goal(camp, size=10):
    return home(ACROSS[camp], size)


def add(a, b, times=1):
    return tuple(p + q * times for p, q in zip(a, b, strict=True))


def read(text):
    """(position, side to move, seats, pieces) of a position text."""
    rows, mover, seats, pieces = text.split()[:4]
    position = {}
    for letter, row in zip("abcdefghijklmnopq", rows.split("/"), strict=True):
        place, number = 1, ""
        for sign in row + " ":
            if sign.isdigit():
                number += sign
                continue
            place += int(number or 0)
            number = ""
            if sign != " ":
                position[CUBES[f"{letter}{place}"]] = sign
                place += 1
    return position, mover, seats, int(pieces)


class Rules:
    """Switches by the names of the package's rules."""

    def __init__(self, **switches):
        self.jump = "short"
        self.side_camps = "free"
        self.goal_lock = False
        self.backward = "free"
        self.win = "strict"
        self.idle = "off"
        self.idle_slack = 1
        self.idle_guests = 1
        self.idle_no_retreat = False
        self.__dict__.update(switches)


def allowed(rules, camp, start, end):
    if rules.side_camps == "forbidden" and camp_of(end) not in (None, camp, ACROSS[camp]):
        return False
    return rules.backward != "never" or outwards(end, camp) <= outwards(start, camp)


def hops(position, rules, camp, cube):
    """Landing cubes (empty or not) one jump away; the jumping piece is not in the position."""
    for direction in DIRECTIONS:
        for length in range(2, 17):
            end = add(cube, direction, length)
            if not is_hole(end):
                break
            between = [add(cube, direction, k) in position for k in range(1, length)]
            if rules.jump == "short":
                good = between == [True]
            elif rules.jump == "long":
                good = between.count(True) == 1 and between == between[::-1]
            else:
                good = any(between) and between == between[::-1]
            if good and allowed(rules, camp, cube, end):
                yield end


def landings(position, rules, camp, start):
    """All cubes that jump chains can reach, by breadth-first search."""
    rest = {c: p for c, p in position.items() if c != start}
    seen, waiting = {start}, [start]
    while waiting:
        cube = waiting.pop(0)
        for end in hops(rest, rules, camp, cube):
            if end not in rest and end not in seen:
                seen.add(end)
                waiting.append(end)
    return seen - {start}, seen, rest


def targets(position, rules, camp, start, size=10):
    """Cubes where the piece may end its turn, without the idle-move rule."""
    ends, visited, rest = landings(position, rules, camp, start)
    for direction in DIRECTIONS:
        end = add(start, direction)
        if is_hole(end) and end not in rest and allowed(rules, camp, start, end):
            ends.add(end)
    field = goal(camp, size)
    if rules.win == "swap" and start not in field and all(c in position for c in field):
        foreign = {c for c in field if position[c] != camp}
        for cube in visited:
            ends |= foreign & set(hops(rest, rules, camp, cube))
        for direction in DIRECTIONS:
            end = add(start, direction)
            if end in foreign and allowed(rules, camp, start, end):
                ends.add(end)
    if rules.side_camps != "free":
        ends = {c for c in ends if camp_of(c) in (None, camp, ACROSS[camp])}
    if rules.goal_lock and start in field:
        ends &= field
    if rules.backward != "free":
        ends = {c for c in ends if outwards(c, camp) <= outwards(start, camp)}
    return ends


def to_tip(cube, camp):
    """Steps to the tip of the camp's goal."""
    axis, sign = AXES[ACROSS[camp]]
    tip = next(c for c in BOARD if sign * c[axis] == 8)
    return max(abs(a - b) for a, b in zip(cube, tip, strict=True))


def turns(position, rules, camp, size=10, expelled=frozenset()):
    """Legal turns as pairs of cubes, the idle-move rule included when it is enforced."""
    pairs = {
        (start, end)
        for start, owner in position.items()
        if owner == camp
        for end in targets(position, rules, camp, start, size)
    }
    if rules.idle == "off":
        return pairs
    own = home(camp, size)
    pairs = {(s, e) for s, e in pairs if not (s in expelled and e in own)}
    if on_duty(position, rules, camp, size):
        out = {(s, e) for s, e in pairs if s in own and e not in own}
        if out:
            return out
        if rules.idle_no_retreat:
            good = {(s, e) for s, e in pairs if to_tip(e, camp) <= to_tip(s, camp)}
            return good or pairs
    return pairs


def on_duty(position, rules, camp, size=10):
    held = [position.get(c) for c in home(camp, size)]
    return (
        (held.count(camp) > 0 or rules.idle_no_retreat)
        and held.count(None) <= rules.idle_slack
        and held.count(ACROSS[camp]) >= rules.idle_guests
        and all(owner in (None, camp, ACROSS[camp]) for owner in held)
    )


def leaves_home(position, rules, camp, turn, size=10):
    """Whether the turn takes a piece out of its home under the duty."""
    own = home(camp, size)
    return (
        rules.idle != "off"
        and on_duty(position, rules, camp, size)
        and turn[0] in own
        and turn[1] not in own
    )


def play(position, turn):
    start, end = turn
    after = dict(position)
    mover, other = after.pop(start), after.pop(end, None)
    after[end] = mover
    if other is not None:
        after[start] = other
    return after


def finished(position, rules, camp, size=10):
    held = [position.get(c) for c in goal(camp, size)]
    if camp not in held:
        return False
    if rules.win == "full":
        return None not in held
    if rules.win == "owner":
        return set(held) <= {camp, ACROSS[camp]}
    return set(held) == {camp}


def perft(position, rules, seats, seat, depth, size=10, expelled=None):
    """Sequences of turns; a seat without a turn passes, a filled goal ends the game."""
    if depth == 0:
        return 1
    camp, following = seats[seat], (seat + 1) % len(seats)
    expelled = expelled or {c: frozenset() for c in seats}
    total, pairs = 0, turns(position, rules, camp, size, expelled[camp])
    for turn in pairs:
        after = play(position, turn)
        if depth > 1 and any(finished(after, rules, c, size) for c in seats):
            continue
        marked = set(expelled[camp])
        if turn[0] in marked or leaves_home(position, rules, camp, turn, size):
            marked = (marked - {turn[0]}) | {turn[1]}
        then = {**expelled, camp: frozenset(marked)}
        total += perft(after, rules, seats, following, depth - 1, size, then)
    return total if pairs else perft(position, rules, seats, following, depth - 1, size, expelled)


# ---- one army alone ---------------------------------------------------------------------------


def army_turns(army, rules, camp):
    """Armies (frozen sets of cubes) after one turn. Turns can be undone under plain switches."""
    position = dict.fromkeys(army, camp)
    for start in army:
        for end in targets(position, rules, camp, start, len(army)):
            yield (army - {start}) | {end}


def layers_home(rules, camp, size, depth):
    """Army -> distance for all within ``depth`` turns of the full goal (reversible switches)."""
    start = frozenset(goal(camp, size))
    distance, layer = {start: 0}, [start]
    for turns_left in range(1, depth + 1):
        following = []
        for army in layer:
            for near in army_turns(army, rules, camp):
                if near not in distance:
                    distance[near] = turns_left
                    following.append(near)
        layer = following
    return distance


def solo(army, rules, camp, near_home, depth):
    """Exact distance: layers from the army until they meet ``near_home`` (of that depth)."""
    seen, layer, done = {army}, [army], 0
    while True:
        known = [near_home[a] for a in layer if a in near_home]
        if known:
            return done + min(known)
        following = []
        for one in layer:
            for other in army_turns(one, rules, camp):
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        layer, done = following, done + 1
        if done > depth:
            return None
