"""Propagation of what is certain, and sampling of worlds, over flat arrays.

A world gives every hidden piece a kind such that each side has its army and the whole public record
happens again. Per side, counts of completions stand in a table over "how many of each class of
kinds are left", so one walk through it draws a side exactly uniformly. Pieces of two hidden sides
that fought each other tie their sides together; such pieces form trees (each fight removes one of
the two), are drawn first along the trees, and a Metropolis chain of independent proposals makes up
for what the drawing favours.
"""

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
GOLDEN = -7046029254386353131
MIX_1 = -4658895280553007687
MIX_2 = -7723592293110705685
ONE_IN_2_53 = 1.0 / (1 << 53)
TRIES = 1_000_000
"""Proposals in a row that may come to a dead end before the search for a world is given up."""


@jit(inline=True)
def random(rng):
    """Uniform in [0, 1); SplitMix64 whose state is ``rng[0]``."""
    rng[0] += GOLDEN
    z = rng[0]
    z = (z ^ ((z >> 30) & ((1 << 34) - 1))) * MIX_1
    z = (z ^ ((z >> 27) & ((1 << 37) - 1))) * MIX_2
    z = z ^ ((z >> 31) & ((1 << 33) - 1))
    return ((z >> 11) & ((1 << 53) - 1)) * ONE_IN_2_53


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


# ---- counting completions ----------------------------------------------------------------------


@jit("void(float64[::1], int64[::1], int64, int64[::1], int64[::1], int64[::1])")
def tabulate(table, choices, pieces, caps, strides, digits):
    """Fill a side's table: ways to give the last pieces the classes that are left.

    Args:
        table: [sum of stride * number left], long enough for all classes full.
        choices: [place in the order] set of classes of the piece.
        pieces: number of pieces.
        caps: [class] pieces in all; they sum to ``pieces``.
        strides: [class].
        digits: [class] room to work in.
    """
    classes = caps.shape[0]
    for c in range(classes):
        digits[c] = 0
    total = int64(0)
    table[0] = 1.0
    for index in range(1, table.shape[0]):
        c = 0
        while digits[c] == caps[c]:
            total -= digits[c]
            digits[c] = 0
            c += 1
        digits[c] += 1
        total += 1
        left = choices[pieces - total]
        ways = 0.0
        while left != 0:
            k = ctz(left)
            left &= left - 1
            if digits[k] > 0:
                ways += table[index - strides[k]]
        table[index] = ways


# ---- drawing -----------------------------------------------------------------------------------
#
# A plan is the arrays
#   sides   [seat] rows (base of its table, index of the full table, open pieces, linked pieces)
#   caps, strides, members   [seat, class] pieces; step in the table; set of kinds
#   classes, amounts         [seat, kind] its class; pieces
#   order, choices           [seat, place] piece, linked ones first; set of classes it may have
#   links   rows (piece, row of the piece it is tied to or -1, set of kinds)
#   forward [link, kind of that piece] kinds that fit; ahead [link, kind] how well the rest fits
# and a draw keeps, in room,
#   left, amounts_left   [seat, class], [seat, kind] what is not given away yet
#   spots   [seat] index into the tables


@jit(inline=True)
def draw_linked(
    sides, strides, classes, links, forward, ahead, tables, left, values, spots, world, rng
):
    """Draw the linked pieces along their trees; 0 at a dead end.

    Returns how many worlds stand for this draw over the probability of drawing it.
    """
    weight = 1.0
    for k in range(links.shape[0]):
        piece = links[k, 0]
        seat = piece // A_SIDE
        allowed = links[k, 2]
        if links[k, 1] >= 0:
            allowed &= forward[k, world[links[links[k, 1], 0]]]
        spot = spots[seat]
        total = 0.0
        rest = allowed
        while rest != 0:
            kind = ctz(rest)
            rest &= rest - 1
            c = classes[seat, kind]
            values[kind] = 0.0
            if left[seat, c] > 0:
                values[kind] = tables[spot - strides[seat, c]] * ahead[k, kind]
                total += values[kind]
        if total <= 0.0:
            return 0.0
        aim = random(rng) * total
        chosen = int64(-1)
        share = 0.0
        rest = allowed
        while rest != 0:
            kind = ctz(rest)
            rest &= rest - 1
            value = values[kind]
            if value > 0.0:
                chosen = kind
                share = value
                if aim < value:
                    break
                aim -= value
        c = classes[seat, chosen]
        weight *= total / share
        world[piece] = chosen
        left[seat, c] -= 1
        spots[seat] = spot - strides[seat, c]
    for seat in range(sides.shape[0]):
        weight *= tables[spots[seat]]
    return weight


@jit(inline=True)
def fill(
    sides, strides, members, order, choices, amounts, links, tables, left, after, spots, world, rng
):
    """Draw all other pieces, every way with the same probability."""
    for seat in range(sides.shape[0]):
        for kind in range(KINDS):
            after[seat, kind] = amounts[seat, kind]
    for k in range(links.shape[0]):
        after[links[k, 0] // A_SIDE, world[links[k, 0]]] -= 1
    for seat in range(sides.shape[0]):
        spot = spots[seat]
        for at in range(sides[seat, 3], sides[seat, 2]):
            aim = random(rng) * tables[spot]
            rest = choices[seat, at]
            chosen = int64(-1)
            while rest != 0:
                c = ctz(rest)
                rest &= rest - 1
                if left[seat, c] > 0:
                    value = tables[spot - strides[seat, c]]
                    if value > 0.0:
                        chosen = c
                        if aim < value:
                            break
                        aim -= value
            kinds = members[seat, chosen]
            kind = ctz(kinds)
            kinds &= kinds - 1
            if kinds != 0:  # several kinds alike so far: any of the pieces left, equally likely
                pick = int64(random(rng) * left[seat, chosen])
                while pick >= after[seat, kind] and kinds != 0:
                    pick -= after[seat, kind]
                    kind = ctz(kinds)
                    kinds &= kinds - 1
            after[seat, kind] -= 1
            left[seat, chosen] -= 1
            spot -= strides[seat, chosen]
            world[order[seat, at]] = kind


@jit(inline=True)
def reset(sides, caps, left, spots):
    """Nothing is given away yet."""
    for seat in range(sides.shape[0]):
        spots[seat] = sides[seat, 1]
        for c in range(KINDS):
            left[seat, c] = caps[seat, c]


@jit(inline=True)
def holds(chances, world):
    """Whether each chance has a piece that can move."""
    for i in range(chances.shape[0]):
        able = False
        for k in range(chances[i, 0]):
            if not (UNMOVABLE >> world[chances[i, 1 + k]]) & 1:
                able = True
        if not able:
            return False
    return True


@jit(
    "int64(int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1],"
    " int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], float64[:,::1], float64[::1],"
    " int64[:,::1], int64[::1], int64[:,:,::1], int64[:,::1], float64[::1], int64, int64[::1],"
    " int8[:,::1])"
)
def sample(
    sides, caps, strides, members, classes, amounts,
    order, choices, links, forward, ahead, tables,
    chances, given, room, worlds_room, values, pace, rng, out,
):  # fmt: skip
    """Draw worlds into the rows of ``out``; returns how many (fewer only where none is found).

    Args:
        given: [piece] kinds that are certain, -1 = no such piece.
        room: [0] and [1]: 4 by 12 numbers to work in.
        worlds_room: two rows of 100 and one of 4 numbers to work in.
        values: 12 numbers to work in.
        pace: proposals between two worlds where pieces are linked; 0 = find out, about two
            accepted ones.
        rng: the state of the random numbers.
    """
    left = room[0]
    after = room[1]
    world = worlds_room[0]
    kept = worlds_room[1]
    spots = worlds_room[2]
    pieces = given.shape[0]
    linked = links.shape[0] > 0
    # the pieces of no link are drawn at once only where a world may be refused for them
    whole = not linked or chances.shape[0] > 0
    kept_pieces = pieces if whole else links.shape[0]
    for p in range(pieces):
        world[p] = given[p]
        kept[p] = given[p]
    current = 0.0
    settled = int64(0) if linked else int64(1)
    steps = pace
    accepted = int64(0)
    trial = int64(0)
    row = int64(0)
    since = int64(0)
    while row < out.shape[0]:
        weight = 0.0
        tries = int64(0)
        while weight <= 0.0:
            tries += 1
            if tries > TRIES:
                return row
            reset(sides, caps, left, spots)
            weight = draw_linked(
                sides, strides, classes, links, forward, ahead,
                tables, left, values, spots, world, rng,
            )  # fmt: skip
            if weight > 0.0 and whole:
                fill(
                    sides, strides, members, order, choices, amounts,
                    links, tables, left, after, spots, world, rng,
                )  # fmt: skip
                if not holds(chances, world):
                    weight = 0.0
        if not linked:
            for p in range(pieces):
                out[row, p] = world[p]
            row += 1
            continue
        trial += 1
        if random(rng) * current < weight:
            current = weight
            accepted += 1
            for k in range(kept_pieces):
                p = k if whole else links[k, 0]
                kept[p] = world[p]
        if settled == 0:
            if trial >= 200:
                settled = 1
                if steps <= 0:
                    steps = min(int64(64), 1 + (2 * trial) // max(accepted, int64(1)))
            continue
        since += 1
        if since >= steps:
            since = 0
            if not whole:
                reset(sides, caps, left, spots)
                for k in range(links.shape[0]):
                    p = links[k, 0]
                    c = classes[p // A_SIDE, kept[p]]
                    left[p // A_SIDE, c] -= 1
                    spots[p // A_SIDE] -= strides[p // A_SIDE, c]
                fill(
                    sides, strides, members, order, choices, amounts,
                    links, tables, left, after, spots, kept, rng,
                )  # fmt: skip
            for p in range(pieces):
                out[row, p] = kept[p]
            row += 1
    return row


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
