"""Drawing worlds, over flat arrays: kernels of `junqi.belief.sampler`.

A world gives every hidden piece a kind such that each side has its army and the whole public record
happens again. Fights between two hidden sides *link* pieces; as each fight removes at least one of
the two, linked pieces form trees. All other open pieces of a side hang together by the army alone,
and a table over "how many of each class of kinds are left" counts the ways to give them out.

Where the linked pieces can be what they are in few ways, these are listed with the number of worlds
each stands for, and every draw is exact and independent of the one before. Else a chain goes on
from world to world. One step of it leaves the uniform distribution over all worlds as it is,
because each of its parts does:

1. *redraw*: the pieces of a block (a tree, or a piece with all that it fought) are drawn anew, the
   other linked ones kept and the free ones left open: along the tree with the weights that the
   tables give the first piece taken from a side, accepted by Metropolis and Hastings, who make up
   for the second and third of the same side;
2. *fill*: the free pieces are drawn, every way with the same probability;
3. *exchange*: two pieces of a side exchange their kinds where every fight allows it;
4. *twins*: two equals that left the board together both become another kind, by exchanges on
   both sides at once.
"""

from numba import int64

from junqi.layout import A_SIDE
from junqi.pieces import UNMOVABLE
from qikit.bits import ctz
from qikit.jit import jit
from qikit.lanes import add, clear, gather, lane, multiply

KINDS = 12
SIDES = 4
GOLDEN = -7046029254386353131
MIX_1 = -4658895280553007687
MIX_2 = -7723592293110705685
ONE_IN_2_53 = 1.0 / (1 << 53)
EXCHANGES = 2
"""Exchanges that a step tries for every linked piece."""
AT_ONCE = 48
"""Pieces that a step redraws, about: where blocks hold more, they take turns."""
EVERYTHING = 8
"""Steps from one that redraws all linked pieces at once to the next."""
TINY = 1e-300
TRIES = 1_000_000
"""Worlds in a row in which a side that could move cannot, before the search is given up."""

# A plan is the arrays
#   sides    [seat] (index of its full table, open pieces, linked ones among them, classes,
#            open pieces without those at the end that may all be the same)
#   kinds    [CAPS ... + 12 * seat + class or kind], see below
#   choices  [slot] set of classes that a free piece may be
#   blocks   rows (first row, rows, first piece of evidence, the end of it)
#   rows     (slot, parent's row in the block or -1, lanes that tell what fits it, seat); parents
#            stand first
#   evidence (row in the block, slot outside it, lanes that tell what fits it)
#   near     [slot] (number, then pairs: slot that it fought, row of masks that tells what fits it)
#   masks    [row + kind there] set of kinds here
#   bounds   [slot] set of kinds that it may be by itself
#   twins    rows of two slots that left together
#   lanes    rows of 12 numbers, one a kind, 1 or 0; first what each slot may be by itself, then
#            [seat, class] what belongs to it, then what fits: [kind there, kind here] where a row
#            of ``rows`` or ``evidence`` says, and 12 rows on for ``rows`` turned round
#   tables   [n] 1 / n, then for each side [sum of step * number left] ways to go on
# A slot is 25 * seat + k, the linked pieces of a side first, then its free ones.
CAPS, STRIDES, CLASSES, STEPS, AMOUNTS = 0, 48, 96, 144, 192
"""[class] open pieces, step in the table; [kind] its class, the step of that, open pieces."""
CLASS_LANES = SIDES * A_SIDE
FIT_LANES = CLASS_LANES + SIDES * KINDS


@jit(inline=True)
def random_bits(rng):
    """64 random bits; SplitMix64 whose state is ``rng[0]``."""
    rng[0] += GOLDEN
    z = rng[0]
    z = (z ^ ((z >> 30) & ((1 << 34) - 1))) * MIX_1
    z = (z ^ ((z >> 27) & ((1 << 37) - 1))) * MIX_2
    return z ^ ((z >> 31) & ((1 << 33) - 1))


@jit(inline=True)
def random(rng):
    """Uniform in [0, 1)."""
    return ((random_bits(rng) >> 11) & ((1 << 53) - 1)) * ONE_IN_2_53


@jit(inline=True)
def below(number, rng):
    """Uniform among the numbers from 0 to ``number`` - 1, which are few."""
    return (((random_bits(rng) >> 32) & 0x7FFFFFFF) * number) >> 31


@jit(inline=True)
def pick(weights, i, rng):
    """A kind with the probabilities of a row; 12 where all are 0. No branch to foresee."""
    a0 = lane(weights, i, 0)
    a1 = a0 + lane(weights, i, 1)
    a2 = a1 + lane(weights, i, 2)
    a3 = a2 + lane(weights, i, 3)
    b0 = lane(weights, i, 4)
    b1 = b0 + lane(weights, i, 5)
    b2 = b1 + lane(weights, i, 6)
    b3 = a3 + (b2 + lane(weights, i, 7))
    c0 = lane(weights, i, 8)
    c1 = c0 + lane(weights, i, 9)
    c2 = c1 + lane(weights, i, 10)
    c3 = b3 + (c2 + lane(weights, i, 11))
    aim = random(rng) * c3
    first = int64(aim >= a0) + int64(aim >= a1) + int64(aim >= a2) + int64(aim >= a3)
    second = int64(aim >= a3 + b0) + int64(aim >= a3 + b1) + int64(aim >= a3 + b2)
    third = int64(aim >= b3) + int64(aim >= b3 + c0) + int64(aim >= b3 + c1)
    return first + second + third + int64(aim >= b3 + c2) + int64(aim >= c3)


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


# ---- listing -----------------------------------------------------------------------------------


@jit(
    "int64(int64[:,::1], int64[::1], int64[:,::1], float64[:,::1], float64[::1], int64[:,::1],"
    " float64[:,::1], int64, int8[:,::1], float64[::1])"
)
def list_linked(sides, kinds, rows, lanes, tables, room, vectors, patience, listed, totals):
    """List all that the linked pieces can be; returns in how many ways, -1 = too many.

    Args:
        rows: the rows of the block of all linked pieces.
        room, vectors: to work in.
        patience: kinds to try in all.
        listed: [way, row] kind.
        totals: [way] worlds that it and those before it stand for, up to a common factor.
    """
    spots = room[0]
    tried = room[1]
    many = room[2]
    have = vectors[0]
    ways = vectors[1]
    for seat in range(SIDES):
        spots[seat] = sides[seat, 0]
        for c in range(KINDS):
            have[KINDS * seat + c] = kinds[AMOUNTS + KINDS * seat + c]
            many[KINDS * seat + c] = kinds[CAPS + KINDS * seat + c]
    count = rows.shape[0]
    found = int64(0)
    total = 0.0
    i = int64(0)
    tried[0] = -1
    ways[0] = 1.0
    while i >= 0:
        seat = rows[i, 3]
        kind = tried[i]
        if kind >= 0:
            have[KINDS * seat + kind] += 1.0
            many[kinds[CLASSES + KINDS * seat + kind]] += 1
            spots[seat] += kinds[STEPS + KINDS * seat + kind]
        while True:
            kind += 1
            if kind == KINDS:
                break
            if have[KINDS * seat + kind] <= 0.0 or lanes[rows[i, 0], kind] == 0.0:
                continue
            if rows[i, 1] < 0 or lanes[rows[i, 2] + tried[rows[i, 1]], kind] > 0.0:
                break
        if kind == KINDS:
            i -= 1
            continue
        patience -= 1
        if patience < 0:
            return int64(-1)
        tried[i] = kind
        c = kinds[CLASSES + KINDS * seat + kind]
        share = ways[i] * have[KINDS * seat + kind] * tables[many[c]]
        have[KINDS * seat + kind] -= 1.0
        many[c] -= 1
        spots[seat] -= kinds[STEPS + KINDS * seat + kind]
        if tables[spots[seat]] <= 0.0:
            continue
        if i + 1 < count:
            i += 1
            tried[i] = -1
            ways[i] = share
            continue
        for seat in range(SIDES):
            share *= tables[spots[seat]]
        if share > 0.0:
            if found == listed.shape[0]:
                return int64(-1)
            total += share
            totals[found] = total
            for j in range(count):
                listed[found, j] = tried[j]
            found += 1
    return found


@jit(inline=True)
def draw_listed(rows, listed, totals, world, rng):
    """Draw the linked pieces from the list."""
    aim = random(rng) * totals[totals.shape[0] - 1]
    low = int64(0)
    high = totals.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if aim < totals[middle]:
            high = middle
        else:
            low = middle + 1
    first = rows.shape[0] - listed.shape[1]  # the last block is all linked pieces
    for i in range(listed.shape[1]):
        world[rows[first + i, 0]] = listed[low, i]


# ---- one step ----------------------------------------------------------------------------------


@jit(inline=True)
def count_left(sides, kinds, world, spots, have, many):
    """What the linked pieces leave to the free ones.

    Args:
        spots: [seat] index into its table.
        have: [seat, kind] pieces left; floating point, as they are multiplied with weights.
        many: [seat, class] pieces left.
    """
    for seat in range(SIDES):
        spot = sides[seat, 0]
        for c in range(KINDS):
            have[KINDS * seat + c] = kinds[AMOUNTS + KINDS * seat + c]
            many[KINDS * seat + c] = kinds[CAPS + KINDS * seat + c]
        for slot in range(A_SIDE * seat, A_SIDE * seat + sides[seat, 2]):
            kind = world[slot]
            have[KINDS * seat + kind] -= 1.0
            many[kinds[CLASSES + KINDS * seat + kind]] -= 1
            spot -= kinds[STEPS + KINDS * seat + kind]
        spots[seat] = spot


@jit(inline=True)
def redraw(
    block, sides, kinds, blocks, rows, evidence, lanes, tables,
    world, spots, have, many, weights, flow, shares, fresh, before, rng,
):  # fmt: skip
    """Draw the pieces of a block anew, the other linked ones kept, or leave it as it is.

    Args:
        weights, flow: rows of 12 numbers to work in: a row a seat; a row a piece.
        shares, fresh, before: numbers to work in.
    """
    base = blocks[block, 0]
    count = blocks[block, 1]
    ratio = 1.0
    seats = 0
    # all go back to their sides
    for i in range(count):
        seat = rows[base + i, 3]
        kind = world[rows[base + i, 0]]
        c = kinds[CLASSES + KINDS * seat + kind]
        if not (seats >> seat) & 1:
            seats |= 1 << seat
            before[seat] = spots[seat]
        have[KINDS * seat + kind] += 1.0
        many[c] += 1
        spots[seat] += kinds[STEPS + KINDS * seat + kind]
        shares[i] = have[KINDS * seat + kind] * tables[many[c]]
    # how many worlds each kind leaves to a side, up to a common factor
    for seat in range(SIDES):
        if (seats >> seat) & 1:
            clear(weights, seat)
            scale = 1.0 / tables[spots[seat]]
            for c in range(sides[seat, 3]):
                ways = (
                    tables[spots[seat] - kinds[STRIDES + KINDS * seat + c]]
                    * scale
                    * tables[many[KINDS * seat + c]]
                )
                add(weights, seat, lanes, CLASS_LANES + KINDS * seat + c, ways)
            multiply(weights, seat, weights, seat, have, seat)
    # from the leaves to the roots: how many each kind of a piece leaves below it
    for i in range(count):
        multiply(flow, i, lanes, rows[base + i, 0], weights, rows[base + i, 3])
    for e in range(blocks[block, 2], blocks[block, 3]):
        i = evidence[e, 0]
        multiply(flow, i, flow, i, lanes, evidence[e, 2] + world[evidence[e, 1]])
    for i in range(count - 1, 0, -1):
        if rows[base + i, 1] >= 0:
            gather(flow, rows[base + i, 1], lanes, rows[base + i, 2] + KINDS, flow, i)
    # from the roots to the leaves: draw
    for i in range(count):
        if rows[base + i, 1] >= 0:
            multiply(flow, i, flow, i, lanes, rows[base + i, 2] + fresh[rows[base + i, 1]])
        kind = pick(flow, i, rng)
        if kind >= KINDS:  # rounding has left nothing
            ratio = 0.0
            kind = 0
        fresh[i] = kind
    # how much the drawing disfavours the new pieces, over how much it would the old ones
    for i in range(count):
        seat = rows[base + i, 3]
        kind = fresh[i]
        c = kinds[CLASSES + KINDS * seat + kind]
        share = have[KINDS * seat + kind] * tables[many[c]]
        weight = weights[KINDS * seat + world[rows[base + i, 0]]]
        ratio *= share * weight / (shares[i] * max(weights[KINDS * seat + kind], TINY))
        have[KINDS * seat + kind] -= 1.0
        many[c] -= 1
        spots[seat] -= kinds[STEPS + KINDS * seat + kind]
    if ratio > 0.0:
        for seat in range(SIDES):
            if (seats >> seat) & 1:
                ratio *= tables[spots[seat]] / tables[before[seat]]
    if random(rng) < ratio:
        for i in range(count):
            world[rows[base + i, 0]] = fresh[i]
        return
    for i in range(count):
        seat = rows[base + i, 3]
        kind = world[rows[base + i, 0]]
        have[KINDS * seat + kind] -= 1.0
        many[kinds[CLASSES + KINDS * seat + kind]] -= 1
        spots[seat] -= kinds[STEPS + KINDS * seat + kind]
        kind = fresh[i]
        have[KINDS * seat + kind] += 1.0
        many[kinds[CLASSES + KINDS * seat + kind]] += 1
        spots[seat] += kinds[STEPS + KINDS * seat + kind]


@jit(inline=True)
def fill(seat, sides, kinds, choices, tables, world, spot, have, many, ends, bag, rng):
    """Draw the free pieces of a side, every way with the same probability.

    Uses up ``have`` and ``many``.
    """
    first = A_SIDE * seat
    for c in range(sides[seat, 3]):  # a bag a class, one after the other
        ends[c] = many[KINDS * seat + c] + (ends[c - 1] if c else 0)
    for kind in range(KINDS):
        c = kinds[CLASSES + KINDS * seat + kind] - KINDS * seat
        for _ in range(int64(have[KINDS * seat + kind])):
            ends[c] -= 1
            bag[ends[c]] = kind
    for slot in range(first + sides[seat, 2], first + sides[seat, 4]):
        aim = random(rng) * tables[spot]
        rest = choices[slot]
        chosen = int64(0)
        while rest != 0:
            c = ctz(rest)
            rest &= rest - 1
            if many[KINDS * seat + c] > 0:
                value = tables[spot - kinds[STRIDES + KINDS * seat + c]]
                if value > 0.0:
                    chosen = c
                    if aim < value:
                        break
                    aim -= value
        at = ends[chosen] + below(many[KINDS * seat + chosen], rng)
        many[KINDS * seat + chosen] -= 1
        spot -= kinds[STRIDES + KINDS * seat + chosen]
        world[slot] = bag[at]
        bag[at] = bag[ends[chosen] + many[KINDS * seat + chosen]]
    # the last ones may be the same: whatever is left, in any order
    slot = first + sides[seat, 4]
    for c in range(sides[seat, 3]):
        for at in range(ends[c], ends[c] + many[KINDS * seat + c]):
            other = first + sides[seat, 4] + below(slot - first - sides[seat, 4] + 1, rng)
            world[slot] = world[other]
            world[other] = bag[at]
            slot += 1


@jit(inline=True)
def bound(slot, without, near, masks, bounds, world):
    """The kinds that a piece may be as long as those that it fought stay what they are.

    Args:
        without: one that is not asked; -1 = none.
    """
    kinds = bounds[slot]
    for j in range(1, 2 * near[slot, 0], 2):
        other = near[slot, j]
        if other != without:
            kinds &= masks[near[slot, j + 1] + world[other]]
    return kinds


@jit(inline=True)
def around(slot, near, masks, bounds, now, world):
    """Bring ``now``, the bounds of all pieces, up to date where a piece has changed."""
    for j in range(1, 2 * near[slot, 0], 2):
        other = near[slot, j]
        now[other] = bound(other, int64(-1), near, masks, bounds, world)


@jit(inline=True)
def exchange(one, other, near, masks, bounds, now, world):
    """Exchange the kinds of two pieces of a side where that fits."""
    a = world[one]
    b = world[other]
    if (now[one] >> b) & (now[other] >> a) & 1 and a != b:
        world[one] = b
        world[other] = a
        around(one, near, masks, bounds, now, world)
        around(other, near, masks, bounds, now, world)


@jit(inline=True)
def exchange_twins(one, other, sides, kinds, near, masks, bounds, now, world, rng):
    """Exchange the kind of two equals with two pieces of their sides that are equal as well.

    The third piece may be any of its side; the fourth is one of those on the other side that are
    what the third is, so it is found the less easily the more of them there are.
    """
    a = world[one]
    if world[other] != a:
        return
    seat = other // A_SIDE
    third = one // A_SIDE * A_SIDE + below(sides[one // A_SIDE, 1], rng)
    b = world[third]
    new = kinds[AMOUNTS + KINDS * seat + b]
    old = kinds[AMOUNTS + KINDS * seat + a]
    if b == a or new == 0 or not (bounds[third] >> a) & 1:
        return
    if new < old and below(old, rng) >= new:
        return
    if not (bound(one, other, near, masks, bounds, world) >> b) & 1:
        return
    if not (bound(other, one, near, masks, bounds, world) >> b) & 1:
        return
    left = below(new, rng)
    fourth = A_SIDE * seat
    while world[fourth] != b or left > 0:
        if world[fourth] == b:
            left -= 1
        fourth += 1
    world[one] = b
    world[other] = b
    world[third] = a
    world[fourth] = a
    if (
        (bound(one, int64(-1), near, masks, bounds, world) >> b)
        & (bound(other, int64(-1), near, masks, bounds, world) >> b)
        & (bound(third, int64(-1), near, masks, bounds, world) >> a)
        & (bound(fourth, int64(-1), near, masks, bounds, world) >> a)
        & 1
    ):
        around(one, near, masks, bounds, now, world)
        around(other, near, masks, bounds, now, world)
        around(third, near, masks, bounds, now, world)
        around(fourth, near, masks, bounds, now, world)
    else:
        world[one] = a
        world[other] = a
        world[third] = b
        world[fourth] = b


@jit(inline=True)
def holds(chances, world):
    """Whether each chance (a row: number, slots ...) has a piece that can move."""
    for i in range(chances.shape[0]):
        able = False
        for k in range(chances[i, 0]):
            if not (UNMOVABLE >> world[chances[i, 1 + k]]) & 1:
                able = True
        if not able:
            return False
    return True


@jit(
    "int64(int64[:,::1], int64[::1], int64[::1], int64[:,::1], int64[:,::1], int64[:,::1],"
    " int64[:,::1], int64[::1], int64[::1], int64[:,::1], float64[:,::1], float64[::1],"
    " int8[:,::1], float64[::1], int64[:,::1], int64[::1], int64[::1], int64[:,::1],"
    " float64[:,::1], int64, int64[::1], int8[:,::1])"
)
def sample(
    sides, kinds, choices, blocks, rows, evidence,
    near, masks, bounds, twins, lanes, tables,
    listed, totals, chances, piece, world, room, vectors, burn, rng, out,
):  # fmt: skip
    """Draw worlds into the rows of ``out``; returns how many (fewer only where none is found).

    Args:
        listed, totals: see :func:`list_linked`; empty where a chain is to be gone.
        piece: [slot] its number.
        world: [slot] the kinds of the world to start from, -1 = not an open piece. Changed.
        room, vectors: to work in.
        burn: steps to the first world; from one world to the next it is one.
        rng: the state of the random numbers.
        out: [world, piece] kinds. What is certain stands there already.
    """
    spots = room[0]
    fresh = room[1]
    before = room[2]
    now = room[3]
    ends = room[4]
    bag = room[5]
    many = room[6]
    have = vectors[0]
    weights = vectors[1]
    flow = vectors[2]
    shares = vectors[3]
    chain = blocks.shape[0] > 0 and totals.shape[0] == 0
    # the last block is all linked pieces: hardly ever accepted if they are many, but it leads from
    # every world to every other
    parts = max(int64(0), blocks.shape[0] - 1)
    turns = 1 + (blocks[parts, 0] // AT_ONCE if chain else int64(0))
    row = int64(0)
    refused = int64(0)
    steps = burn
    moment = int64(0)
    for slot in range(world.shape[0]):
        now[slot] = bounds[slot]
    while row < out.shape[0]:
        for _ in range(steps):
            if totals.shape[0] > 0:
                draw_listed(rows, listed, totals, world, rng)
            count_left(sides, kinds, world, spots, have, many)
            if chain:
                moment += 1
                block = moment % turns
                while block < parts or (block == parts and moment % EVERYTHING == 0):
                    redraw(
                        block, sides, kinds, blocks, rows, evidence, lanes, tables,
                        world, spots, have, many, weights, flow, shares, fresh, before, rng,
                    )  # fmt: skip
                    if block < parts:
                        block = min(block + turns, parts)
                    else:
                        break
            for seat in range(SIDES):
                fill(
                    seat, sides, kinds, choices, tables, world, spots[seat],
                    have, many, ends, bag, rng,
                )  # fmt: skip
            if chain:
                for seat in range(SIDES):
                    for slot in range(A_SIDE * seat, A_SIDE * seat + sides[seat, 2]):
                        now[slot] = bound(slot, int64(-1), near, masks, bounds, world)
                for _ in range(EXCHANGES):
                    for seat in range(SIDES):
                        first = A_SIDE * seat
                        for slot in range(first, first + sides[seat, 2]):
                            other = first + below(sides[seat, 1], rng)
                            exchange(slot, other, near, masks, bounds, now, world)
                for i in range(2 * twins.shape[0]):
                    exchange_twins(
                        twins[i >> 1, i & 1], twins[i >> 1, 1 - (i & 1)],
                        sides, kinds, near, masks, bounds, now, world, rng,
                    )  # fmt: skip
        steps = int64(1)
        if not holds(chances, world):
            refused += 1
            if refused > TRIES:
                return row
            continue
        refused = 0
        for seat in range(SIDES):
            for slot in range(A_SIDE * seat, A_SIDE * seat + sides[seat, 1]):
                out[row, piece[slot]] = world[slot]
        row += 1
    return row
