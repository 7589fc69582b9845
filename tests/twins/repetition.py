"""The Asian rule of chase written down slowly: the oracle of `xiangqi.repetition`.

Written from the rule, over the slow generator: captures and retakes are really made, pieces carry
numbers, and a loop is played round and round until every piece is back on its own point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.twins import xiangqi as game

Points = tuple[str, ...]


def threats(points: Points, of_red: bool) -> set[int]:
    """Points of the pieces that attack the general of one side, a facing general among them."""
    pos = game.Position(points, True)
    found = set(game.checkers(pos, of_red))
    if game.facing(points):
        found.add(game.general(points, not of_red))
    return found


def moved(points: Points, start: int, goal: int) -> Points:
    return game.make(game.Position(points, True), (start, goal)).points


def stands(points: Points, start: int, goal: int, before: Points) -> bool:
    """Whether a capture leaves the mover's general in no check that is not there ``before``."""
    of_red = points[start].isupper()
    after = moved(points, start, goal)
    known = set() if points[start] in "Kk" else threats(before, of_red)
    return not threats(after, of_red) - known


def between(a: int, b: int) -> list[int]:
    """Points strictly inside the stretch of a line from a to b."""
    if a % 9 == b % 9:
        return list(range(min(a, b) + 9, max(a, b), 9))
    if a // 9 == b // 9:
        return list(range(min(a, b) + 1, max(a, b)))
    return []


def roots(points: Points, attacker: int, victim: int) -> set[int]:
    """Pieces that can take back after the capture (真根)."""
    after = moved(points, attacker, victim)
    found = set()
    for sq, letter in enumerate(after):
        if letter == "." or letter.isupper() == after[victim].isupper():
            continue
        if victim not in game.targets(after, sq) or not stands(after, sq, victim, points):
            continue
        behind = letter in "Cc" and attacker in between(sq, victim)
        if not (behind and points[attacker] in "Rr"):
            found.add(sq)
    return found


def attacks(points: Points, by_red: bool) -> Iterator[tuple[int, int, str, frozenset[int]]]:
    """Attacker, victim, what comes of it, true roots, for everything that one side attacks."""
    for a, attacker in enumerate(points):
        if attacker == "." or attacker.isupper() != by_red:
            continue
        for v in game.targets(points, a):
            victim = points[v]
            if victim == ".":
                continue
            kind, prey = attacker.upper(), victim.upper()
            if prey == "K":
                yield a, v, "check", frozenset()
            elif prey == "P" and game.own_half(v // 9, victim.isupper()):
                yield a, v, "exempt_victim", frozenset()
            elif kind in "KP":
                yield a, v, "exempt_attacker", frozenset()
            elif not stands(points, a, v, points):
                yield a, v, "attacker_pinned", frozenset()
            else:
                held = frozenset(roots(points, a, v))
                takes = a in game.targets(points, v) and stands(points, v, a, points)
                if prey == "R" and kind in "NC":
                    yield a, v, "gain_chariot", held
                elif kind == prey and takes:
                    yield a, v, "offer", held
                elif held:
                    yield a, v, "rooted", held
                else:
                    yield a, v, "gain_like" if kind == prey else "gain", held


def gains(points: Points, by_red: bool) -> set[tuple[int, int]]:
    return {(a, v) for a, v, what, _ in attacks(points, by_red) if what.startswith("gain")}


def shields_from_horse(points: Points, sq: int) -> bool:
    """Whether a chariot keeps a horse from giving check to its general."""
    of_red = points[sq].isupper()
    bare = (*points[:sq], ".", *points[sq + 1 :])
    new = threats(bare, of_red) - threats(points, of_red)
    return points[sq] in "Rr" and any(points[checker] in "Nn" for checker in new)


def ranks(fen: str, cycle: Sequence[str]) -> tuple[int, int]:
    """Rank of what Red and Black do on all their moves: 3 check, 2 chase of a chariot that
    shields its general from a horse, 1 chase, 0 neither. Pieces are numbered and followed."""
    pos = game.position(fen)
    start = number = {sq: sq for sq, letter in enumerate(pos.points) if letter != "."}
    checks: dict[bool, list[bool]] = {True: [], False: []}
    chased: dict[bool, list[set[int]]] = {True: [], False: []}
    pinned: dict[bool, list[set[int]]] = {True: [], False: []}
    while checks[True] == [] or number != start:
        for text in cycle:
            move = game.move(text)
            assert move in game.legal_moves(pos), (fen, text)
            side, before = pos.red_to_move, pos
            earlier = {(number[a], number[v]) for a, v in gains(before.points, side)}
            pos = game.make(pos, move)
            number = {(move[1] if sq == move[0] else sq): n for sq, n in number.items()}
            now = {(number[a], number[v]): v for a, v in gains(pos.points, side)}
            new = {v: victim for (a, victim), v in now.items() if (a, victim) not in earlier}
            checks[side].append(game.in_check(pos))
            chased[side].append(set(new.values()))
            pinned[side].append({n for v, n in new.items() if shields_from_horse(pos.points, v)})
    assert pos == game.position(fen)

    def rank(side: bool) -> int:
        if all(checks[side]):
            return 3
        if set.intersection(*pinned[side]):
            return 2
        return 1 if set.intersection(*chased[side]) else 0

    return rank(True), rank(False)


def verdict(fen: str, cycle: Sequence[str]) -> str:
    """The ruling on a loop without smaller loops inside."""
    red, black = ranks(fen, cycle)
    return "draw" if red == black else "red_loses" if red > black else "black_loses"
