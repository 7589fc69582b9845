"""What a view knows for certain of every hidden piece.

A piece's candidates are the kinds that it may be. They follow from the set-up rules, from what was
seen (it moved; it turned a corner; its flag was shown; it could have moved when its side was out
for want of a move), from every fight with its outcome, and from the number of pieces of each kind.
All of it is certain: no candidate that is dropped belongs to any world that the record allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.armies import ALLOWED
from junqi.events import FIGHTS, Cause, Event
from junqi.geometry import HEADQUARTERS
from junqi.layout import A_SIDE, PIECES
from junqi.ledger import Ledger
from junqi.pieces import ANY, COMMANDER, DUEL, ENGINEER, FLAG, KINDS, MINE, UNMOVABLE
from qikit.errors import InvalidPosition
from qikit.kernels import load

_MOVABLE = tuple(kind for kind in KINDS if not UNMOVABLE >> kind & 1)


def relation(outcome: int, fell_attacker: bool, fell_defender: bool, hit: bool) -> int:
    """The number of what was seen of a fight: row of :func:`support`."""
    return 8 * outcome + 4 * fell_attacker + 2 * fell_defender + hit


@cache
def support(mine_survives: bool, flag_reveal: bool) -> NDArray[np.int64]:
    """Which kinds fit what was seen of a fight.

    Returns:
        [relation, 0, kind of the attacker] set of kinds of the defender, and [relation, 1, kind of
        the defender] set of kinds of the attacker.
    """
    table = np.zeros((32, 2, len(KINDS)), np.int64)
    for attacker in _MOVABLE:
        for defender in KINDS:
            outcome = int(DUEL[int(mine_survives), attacker, defender])
            row = relation(
                outcome,
                flag_reveal and attacker == COMMANDER and FIGHTS[outcome].value != "capture",
                flag_reveal and defender == COMMANDER and FIGHTS[outcome].value != "repelled",
                defender == FLAG,
            )
            table[row, 0, attacker] |= 1 << defender
            table[row, 1, defender] |= 1 << attacker
    return table


@dataclass(frozen=True)
class Constraints:
    """What is certain of a game's hidden pieces.

    Attributes:
        candidates: [piece number] set of kinds, 0 = no such piece.
        rosters: [seat, kind] pieces with which the side began.
        fights: rows (attacker, defender, relation) between pieces whose kinds are not settled.
        support: see :func:`support`.
        chances: sets of pieces of which one at least can move.
    """

    candidates: NDArray[np.int64]
    rosters: NDArray[np.int64]
    fights: NDArray[np.int64]
    support: NDArray[np.int64]
    chances: tuple[tuple[int, ...], ...]


def _placed(ledger: Ledger, piece: int) -> int:
    """The kinds that a piece may be by its place at the root."""
    seat, k = divmod(piece, A_SIDE)
    if ledger.drawn_up:
        return ALLOWED[k]
    zone, offset = divmod(ledger.points[seat][k], 30)
    kinds = ANY
    if zone != ledger.map.zones[seat] or offset < 20:
        kinds &= ~(1 << MINE)
    if zone != ledger.map.zones[seat] or offset not in HEADQUARTERS:
        kinds &= ~(1 << FLAG)
    return kinds


def _fights(ledger: Ledger) -> list[tuple[int, int, int]]:
    found = []
    for before, event in zip(ledger.undo, ledger.events, strict=True):
        if event.move is None or event.fight is None:
            continue
        attacker, defender = (int(before.state[layout.CELLS + point]) for point in event.move)
        if defender >= 0:
            found.append((attacker, defender, _seen(event, attacker, defender)))
    return found


def _seen(event: Event, attacker: int, defender: int) -> int:
    assert event.fight is not None
    fallen = {seat for seat, _ in event.shown}
    hit = (defender // A_SIDE, Cause.FLAG) in event.out
    return relation(
        FIGHTS.index(event.fight), attacker // A_SIDE in fallen, defender // A_SIDE in fallen, hit
    )


def chance_rows(chances: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    """Chances as kernels read them: rows (number, pieces ...)."""
    rows = np.zeros((len(chances), 1 + A_SIDE), np.int64)
    for row, chance in zip(rows, chances, strict=True):
        row[0] = len(chance)
        row[1 : 1 + len(chance)] = chance
    return rows


def constraints(ledger: Ledger, kinds: NDArray[np.int64]) -> Constraints:
    """What follows for certain from the public side and the kinds that are known (-1 = hidden).

    Raises:
        InvalidPosition: nothing fits: the position was made by hand and breaks the set-up rules.
    """
    rules, seats = ledger.rules, ledger.map.seats
    marks = ledger.state[layout.MARKS : layout.MARKS + PIECES].tolist()
    candidates = np.zeros(PIECES, np.int64)
    rosters = np.zeros((4, len(KINDS)), np.int64)
    for seat in range(seats):
        rosters[seat] = ledger.rosters[seat]
        own = sum(1 << kind for kind in KINDS if ledger.rosters[seat][kind])
        for piece in range(A_SIDE * seat, A_SIDE * seat + len(ledger.points[seat])):
            if kinds[piece] >= 0:
                candidates[piece] = 1 << int(kinds[piece])
                continue
            possible, mark = own & _placed(ledger, piece), marks[piece]
            if mark & layout.MOVED:
                possible &= ~UNMOVABLE
            if mark & layout.TURNED:
                possible &= 1 << ENGINEER
            if mark & layout.SHOWED:
                possible &= 1 << FLAG
            if mark & layout.STUCK:
                possible &= UNMOVABLE
            candidates[piece] = possible
    fights = np.array(_fights(ledger), np.int64).reshape(-1, 3)
    table = support(rules.mine_survives, rules.flag_reveal)
    now = ledger.chance_now()
    chances = tuple(ledger.chances) + (() if now is None else (now,))
    kernel = load("junqi.belief.kernel")
    room = np.zeros((5, A_SIDE), np.int64)
    fits = kernel.narrow(candidates, rosters, seats, fights, table, chance_rows(chances), room)
    if not fits:
        raise InvalidPosition(
            "没有一种布子符合已知的情况：局面违反布阵规则 "
            "(no world fits: the position breaks the set-up rules)"
        )
    candidates.flags.writeable = False
    open_fights = [row for row in fights.tolist() if not _settled(candidates, row, table)]
    open_chances = tuple(
        chance
        for chance in chances
        if not any(not int(candidates[piece]) & UNMOVABLE for piece in chance)
    )
    return Constraints(
        candidates, rosters, np.array(open_fights, np.int64).reshape(-1, 3), table, open_chances
    )


def _settled(candidates: NDArray[np.int64], fight: list[int], table: NDArray[np.int64]) -> bool:
    """Whether any pair of the candidates fits the fight."""
    attacker, defender, row = fight
    others = int(candidates[defender])
    return all(
        not int(candidates[attacker]) >> kind & 1 or others & ~int(table[row, 0, kind]) == 0
        for kind in KINDS
    )
