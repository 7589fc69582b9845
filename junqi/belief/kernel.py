"""What is certain, and whether a record happens again in a world; over flat arrays."""

from numba import int64

from junqi.kernel import act, can_move, straight
from junqi.layout import (
    A_SIDE,
    ACT,
    CELLS,
    EVENT_SIZE,
    FELL,
    FROM,
    MARKS,
    MOVE,
    OUTCOME,
    OUTS,
    PIECES,
    RESULT,
    SEAT,
    SHOWED,
    STATE_SIZE,
    TO,
    TURN,
)
from junqi.pieces import ENGINEER, FLAG, MINE, UNMOVABLE
from qikit.bits import ctz
from qikit.jit import jit

KINDS = 12


# ---- what is certain ---------------------------------------------------------------------------


@jit(inline=True)
def place(domains, counts, seat, assigned, used, cause, queue):
    """Give every piece of a seat a kind so that the counts are met; False if that cannot be."""
    first = A_SIDE * seat
    for kind in range(KINDS):
        used[kind] = 0
    for k in range(A_SIDE):
        assigned[k] = -1
    for k in range(A_SIDE):
        if domains[first + k] == 0:
            continue
        # breadth first over kinds: who takes this piece's kind may pass another kind on
        seen = domains[first + k]
        head = 0
        tail = 0
        left = seen
        while left != 0:
            kind = ctz(left)
            left &= left - 1
            cause[kind] = -1
            queue[tail] = kind
            tail += 1
        found = -1
        while head < tail:
            kind = queue[head]
            head += 1
            if used[kind] < counts[seat, kind]:
                found = kind
                break
            for q in range(A_SIDE):
                if assigned[q] == kind:
                    left = domains[first + q] & ~seen
                    seen |= left
                    while left != 0:
                        other = ctz(left)
                        left &= left - 1
                        cause[other] = q
                        queue[tail] = other
                        tail += 1
        if found < 0:
            return False
        used[found] += 1
        while cause[found] >= 0:
            q = cause[found]
            assigned[q], found = found, assigned[q]
        assigned[k] = found
    short = False
    for kind in range(KINDS):
        short |= used[kind] != counts[seat, kind]
    return not short


@jit(inline=True)
def narrow_side(domains, counts, seat, room):
    """Drop every kind that no way of meeting the counts gives a piece; -1 = none meets them."""
    assigned = room[0]
    used = room[1]
    reach = room[2]
    if not place(domains, counts, seat, assigned, used, room[3], room[4]):
        return int64(-1)
    first = A_SIDE * seat
    for kind in range(KINDS):
        reach[kind] = int64(1) << kind
    for k in range(A_SIDE):
        if assigned[k] >= 0:
            reach[assigned[k]] |= domains[first + k]
    for middle in range(KINDS):
        for kind in range(KINDS):
            if (reach[kind] >> middle) & 1:
                reach[kind] |= reach[middle]
    changed = int64(0)
    for k in range(A_SIDE):
        if assigned[k] >= 0:
            kept = int64(0)
            left = domains[first + k]
            while left != 0:
                kind = ctz(left)
                left &= left - 1
                if (reach[kind] >> assigned[k]) & 1:
                    kept |= int64(1) << kind
            if kept != domains[first + k]:
                domains[first + k] = kept
                changed = 1
    return changed


@jit(
    "int64(int64[::1], int64[:,::1], int64, int64[:,::1], int64[:,:,::1], int64[:,::1],"
    " int64[:,::1])"
)
def narrow(domains, counts, seats, fights, support, chances, room):
    """Drop kinds until nothing more is certain; 0 where no world is left, else 1.

    Args:
        domains: [piece] set of kinds, 0 = no such piece.
        counts: [seat, kind] pieces of each kind.
        seats: number of seats.
        fights: rows (attacker, defender, relation).
        support: [relation, 0, kind of attacker] kinds of the defender that fit; [relation, 1, kind
            of defender] kinds of the attacker.
        chances: rows (number, pieces ...) of which one at least can move.
        room: five rows of 25 numbers to work in.
    """
    again = True
    while again:
        again = False
        for i in range(fights.shape[0]):
            relation = fights[i, 2]
            for side in range(2):
                one = fights[i, side]
                other = fights[i, 1 - side]
                kept = int64(0)
                left = domains[one]
                while left != 0:
                    kind = ctz(left)
                    left &= left - 1
                    if support[relation, side, kind] & domains[other]:
                        kept |= int64(1) << kind
                if kept != domains[one]:
                    domains[one] = kept
                    again = True
                    if kept == 0:
                        return int64(0)
        for i in range(chances.shape[0]):
            able = int64(0)
            last = int64(-1)
            for k in range(chances[i, 0]):
                piece = chances[i, 1 + k]
                if domains[piece] & ~UNMOVABLE:
                    able += 1
                    last = piece
            if able == 0:
                return int64(0)
            if able == 1 and domains[last] & UNMOVABLE:
                domains[last] &= ~UNMOVABLE
                again = True
        for seat in range(seats):
            changed = narrow_side(domains, counts, seat, room)
            if changed < 0:
                return int64(0)
            if changed:
                again = True
    return int64(1)


# ---- checking ----------------------------------------------------------------------------------


@jit(
    "int64(int8[:,::1], int64[::1], int64[:,::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1])"
)
def replay(worlds, root, events, geo, switches, kind, state, event):
    """Play the record in every world; returns the first row where it happens otherwise, or -1.

    Args:
        worlds: kinds by row.
        root: state in which the record begins.
        events: rows as in layout.py, as they were seen.
        kind, state, event: room to work in.
    """
    for row in range(worlds.shape[0]):
        for p in range(PIECES):
            kind[p] = worlds[row, p]
        for i in range(STATE_SIZE):
            state[i] = root[i]
        if state[RESULT] < 0 and not can_move(state, kind, geo, state[TURN]):
            return row
        for i in range(events.shape[0]):
            for j in range(EVENT_SIZE):
                event[j] = events[i, j]
            if event[ACT] == MOVE:
                start = event[FROM]
                what = kind[state[CELLS + start]]
                if what in (MINE, FLAG):
                    return row
                if what != ENGINEER and not straight(state, geo, event[SEAT], start, event[TO]):
                    return row
            act(state, kind, geo, switches, event, False, True)
            if event[OUTCOME] != events[i, OUTCOME] or event[FELL] != events[i, FELL]:
                return row
            for j in range(OUTS, OUTS + 1 + 2 * events[i, OUTS]):
                if event[j] != events[i, j]:
                    return row
        for p in range(PIECES):
            if (root[MARKS + p] | state[MARKS + p]) & SHOWED and kind[p] != FLAG:
                return row
    return int64(-1)
