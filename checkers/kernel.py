"""Generation and counting of turns over flat arrays (layout.py); short jumps as word shifts.

A turn is a pair (from, to): landing sets come from flood fills, never from lists of chains. With
short jumps nobody can stand between two holes of one class that a piece connects and be the piece
itself, so the moving piece need not be lifted; the other jump kinds walk tables with it lifted.
"""

from numba import int64

from checkers.geometry import (
    BIT_HOLE,
    BOARD_WORDS,
    GOAL_DISTANCE,
    GOAL_ROWS,
    HOLE_BIT,
    HOLE_CLASS,
    NEIGHBOURS,
)
from checkers.layout import (
    BACKWARD,
    END_NOT_BEHIND,
    EXPELLED,
    FREE,
    FULL,
    GOAL,
    GOAL_LOCK,
    HOME,
    IDLE,
    IDLE_GUESTS,
    IDLE_NO_RETREAT,
    IDLE_SLACK,
    JUMP,
    MASKS_A_CAMP,
    NEVER,
    NO_TURN_LOSES,
    OCCUPIED,
    OWN,
    OWNER,
    PASS,
    REVERSED,
    SHORT,
    STOP,
    STRICT,
    SWAP,
    SYMMETRIC,
    WIN,
)
from qikit.bits import ctz, popcount
from qikit.jit import jit

W0, W1, W2, W3 = BOARD_WORDS
DUTY_NONE, DUTY_LEAVE, DUTY_NO_RETREAT = 0, 1, 2


@jit(inline=True)
def move_bits(word, shift):
    """A word shifted left by ``shift``, right where it is negative."""
    if shift >= 0:
        return word << shift
    return word >> -shift


@jit(inline=True)
def bridges(c, a0, a1, a2, a3):
    """For class ``c``: edges along the three axes whose middle hole is in the sets a0..a3.

    Bit u of the answer's word k stands for the edge from u to u + JUMP_SHIFTS[k].
    """
    if c == 0:
        return a1, a2, move_bits(a3, 1)
    if c == 1:
        return a0 >> 1, a3, a2
    if c == 2:
        return a3, a0 >> 8, a1 >> 7
    return a2 >> 1, a1 >> 8, a0 >> 8


@jit(inline=True)
def spread(seen, e0, e1, e2):
    """All holes one jump away from those seen, empty or not."""
    return (
        ((seen & e0) << 1)
        | ((seen >> 1) & e0)
        | ((seen & e1) << 8)
        | ((seen >> 8) & e1)
        | ((seen & e2) << 7)
        | ((seen >> 7) & e2)
    )


@jit(inline=True)
def flood(seed, free, e0, e1, e2):
    """Holes that jump chains from ``seed`` can visit, with the seed; ``free`` = landing holes."""
    seen = seed
    new = spread(seen, e0, e1, e2) & free & ~seen
    while new != 0:
        seen |= new
        new = spread(new, e0, e1, e2) & free & ~seen
    return seen


@jit(inline=True)
def around0(b0, b1, b2, b3):
    """Neighbours in class 0 of the sets b1, b2, b3."""
    return b1 | (b1 << 1) | b2 | (b2 << 8) | (b3 << 1) | (b3 << 8)


@jit(inline=True)
def around1(b0, b1, b2, b3):
    """Neighbours in class 1 of the sets b0, b2, b3."""
    return b0 | (b0 >> 1) | b3 | (b3 << 8) | b2 | (b2 << 7)


@jit(inline=True)
def around2(b0, b1, b2, b3):
    """Neighbours in class 2 of the sets b0, b1, b3."""
    return b3 | (b3 << 1) | b0 | (b0 >> 8) | b1 | (b1 >> 7)


@jit(inline=True)
def around3(b0, b1, b2, b3):
    """Neighbours in class 3 of the sets b0, b1, b2."""
    return b2 | (b2 >> 1) | b1 | (b1 >> 8) | (b0 >> 1) | (b0 >> 8)


@jit(inline=True)
def has(array, base, hole):
    """Whether the four words at ``base`` hold the hole."""
    return (array[base + HOLE_CLASS[hole]] >> int64(HOLE_BIT[hole])) & 1


@jit(inline=True)
def flip(array, base, hole):
    """Add the hole to the four words at ``base``, or take it out."""
    array[base + HOLE_CLASS[hole]] ^= int64(1) << int64(HOLE_BIT[hole])


@jit(inline=True)
def goes_back(rules, camp, start, end):
    """Whether ``end`` lies behind ``start`` for the camp (ahead of it when time runs backwards)."""
    before, after = int64(GOAL_ROWS[camp, start]), int64(GOAL_ROWS[camp, end])
    return after < before if rules[REVERSED] else after > before


@jit()
def swap_right(state, masks, rules, camp):
    """Whether no goal hole is empty, so that the camp may change places with a blocker."""
    if rules[WIN] != SWAP:
        return False
    m = MASKS_A_CAMP * camp + GOAL
    empty = int64(0)
    for c in range(4):
        empty |= masks[m + c] & ~state[OCCUPIED + c]
    return empty == 0


@jit()
def jump_landing(state, rules, origin, hole, direction, reach):
    """The hole of the next jump from ``hole`` that is longer than ``reach`` holes, or -1.

    The piece of ``origin`` is lifted. The landing hole itself is not looked at.
    """
    kind = rules[JUMP]
    if kind != SYMMETRIC:
        if reach:
            return int64(-1), int64(0)
        over = int64(hole)
        gap = int64(0)
        while True:
            over = int64(NEIGHBOURS[over, direction])
            gap += 1
            if over < 0 or (kind == SHORT and gap > 1):
                return int64(-1), int64(0)
            if over != origin and has(state, OCCUPIED, over):
                break
        land = over
        for k in range(gap):
            land = int64(NEIGHBOURS[land, direction])
            if land < 0:
                return int64(-1), int64(0)
            if k < gap - 1 and land != origin and has(state, OCCUPIED, land):
                return int64(-1), int64(0)
        return land, 2 * gap
    land = int64(hole)
    length = int64(0)
    while True:
        land = int64(NEIGHBOURS[land, direction])
        length += 1
        if land < 0:
            return int64(-1), int64(0)
        if length < 2 or length <= reach:
            continue
        left, right = int64(hole), land
        opposite = direction + 3 if direction < 3 else direction - 3
        any_piece, same = False, True
        for _ in range(length // 2):
            left = int64(NEIGHBOURS[left, direction])
            right = int64(NEIGHBOURS[right, opposite])
            a = left != origin and has(state, OCCUPIED, left)
            b = right != origin and has(state, OCCUPIED, right)
            any_piece |= a
            same &= a == b
        if any_piece and same:
            return land, length


@jit()
def walk(state, masks, rules, camp, origin):
    """Landing holes (four words) of the piece on ``origin`` by tables: any jump kind and switch."""
    m = MASKS_A_CAMP * camp
    swap = swap_right(state, masks, rules, camp) and not has(masks, m + GOAL, origin)
    never_back = rules[BACKWARD] == NEVER
    v0 = v1 = v2 = v3 = int64(0)
    f0 = f1 = f2 = f3 = int64(0)  # landed on, jumps from there still to be looked at
    extra0 = extra1 = extra2 = extra3 = int64(0)
    hole = int64(origin)
    while True:
        for direction in range(6):
            reach = int64(0)
            step = hole == origin
            while True:
                if step:
                    land = int64(NEIGHBOURS[hole, direction])
                else:
                    land, reach = jump_landing(state, rules, origin, hole, direction, reach)
                    if land < 0:
                        break
                if (
                    land >= 0
                    and has(masks, m + PASS, land)
                    and land != origin
                    and not (never_back and goes_back(rules, camp, hole, land))
                ):
                    c = int64(HOLE_CLASS[land])
                    bit = int64(1) << int64(HOLE_BIT[land])
                    held = has(state, OCCUPIED, land)
                    if held:
                        if (
                            swap
                            and has(masks, m + GOAL, land)
                            and not has(state, OWN + 4 * camp, land)
                        ):
                            extra0 |= bit if c == 0 else 0
                            extra1 |= bit if c == 1 else 0
                            extra2 |= bit if c == 2 else 0
                            extra3 |= bit if c == 3 else 0
                    elif step:
                        extra0 |= bit if c == 0 else 0
                        extra1 |= bit if c == 1 else 0
                        extra2 |= bit if c == 2 else 0
                        extra3 |= bit if c == 3 else 0
                    elif c == 0:
                        f0 |= bit & ~v0
                        v0 |= bit
                    elif c == 1:
                        f1 |= bit & ~v1
                        v1 |= bit
                    elif c == 2:
                        f2 |= bit & ~v2
                        v2 |= bit
                    else:
                        f3 |= bit & ~v3
                        v3 |= bit
                step = False
        if f0:
            hole = int64(BIT_HOLE[ctz(f0)])
            f0 &= f0 - 1
        elif f1:
            hole = int64(BIT_HOLE[64 + ctz(f1)])
            f1 &= f1 - 1
        elif f2:
            hole = int64(BIT_HOLE[128 + ctz(f2)])
            f2 &= f2 - 1
        elif f3:
            hole = int64(BIT_HOLE[192 + ctz(f3)])
            f3 &= f3 - 1
        else:
            return (v0 | extra0), (v1 | extra1), (v2 | extra2), (v3 | extra3)


@jit(inline=True)
def leap(state, masks, camp, origin):
    """Landing holes (four words) of the piece on ``origin`` with short jumps, by word shifts."""
    m = MASKS_A_CAMP * camp + PASS
    o0, o1, o2, o3 = (
        state[OCCUPIED],
        state[OCCUPIED + 1],
        state[OCCUPIED + 2],
        state[OCCUPIED + 3],
    )
    r0, r1, r2, r3 = masks[m] & ~o0, masks[m + 1] & ~o1, masks[m + 2] & ~o2, masks[m + 3] & ~o3
    zero = int64(0)
    bit = int64(1) << int64(HOLE_BIT[origin])
    c = int64(HOLE_CLASS[origin])
    b0 = bit if c == 0 else zero
    b1 = bit if c == 1 else zero
    b2 = bit if c == 2 else zero
    b3 = bit if c == 3 else zero
    t0 = around0(b0, b1, b2, b3) & r0
    t1 = around1(b0, b1, b2, b3) & r1
    t2 = around2(b0, b1, b2, b3) & r2
    t3 = around3(b0, b1, b2, b3) & r3
    e0, e1, e2 = bridges(c, o0, o1, o2, o3)
    free = r0 if c == 0 else r1 if c == 1 else r2 if c == 2 else r3
    seen = flood(bit, free, e0, e1, e2) & ~bit
    if c == 0:
        t0 |= seen
    elif c == 1:
        t1 |= seen
    elif c == 2:
        t2 |= seen
    else:
        t3 |= seen
    return t0, t1, t2, t3


@jit(inline=True)
def keep(word, c, rules, camp, origin, by_rows):
    """The holes of a class's word that are not behind (or not farther away than) the origin."""
    rest = word
    while rest:
        bit = rest & -rest
        rest ^= bit
        hole = int64(BIT_HOLE[64 * c + ctz(bit)])
        if by_rows:
            if goes_back(rules, camp, origin, hole):
                word ^= bit
        elif GOAL_DISTANCE[camp, hole] > GOAL_DISTANCE[camp, origin]:
            word ^= bit
    return word


@jit()
def targets(state, masks, rules, camp, origin, duty):
    """Four words: the holes where the piece on ``origin`` may end its turn under ``duty``."""
    m = MASKS_A_CAMP * camp
    if duty == DUTY_LEAVE and not has(masks, m + HOME, origin):
        return int64(0), int64(0), int64(0), int64(0)
    if rules[JUMP] == SHORT and rules[BACKWARD] != NEVER and rules[WIN] != SWAP:
        t0, t1, t2, t3 = leap(state, masks, camp, origin)
    else:
        t0, t1, t2, t3 = walk(state, masks, rules, camp, origin)
    t0 &= masks[m + STOP]
    t1 &= masks[m + STOP + 1]
    t2 &= masks[m + STOP + 2]
    t3 &= masks[m + STOP + 3]
    if rules[GOAL_LOCK]:
        inside = has(masks, m + GOAL, origin)
        if rules[REVERSED]:
            if not inside:
                t0 &= ~masks[m + GOAL]
                t1 &= ~masks[m + GOAL + 1]
                t2 &= ~masks[m + GOAL + 2]
                t3 &= ~masks[m + GOAL + 3]
        elif inside:
            t0 &= masks[m + GOAL]
            t1 &= masks[m + GOAL + 1]
            t2 &= masks[m + GOAL + 2]
            t3 &= masks[m + GOAL + 3]
    if duty == DUTY_LEAVE or (rules[IDLE] and has(state, EXPELLED + 4 * camp, origin)):
        t0 &= ~masks[m + HOME]
        t1 &= ~masks[m + HOME + 1]
        t2 &= ~masks[m + HOME + 2]
        t3 &= ~masks[m + HOME + 3]
    if rules[BACKWARD] == END_NOT_BEHIND:
        t0 = keep(t0, 0, rules, camp, origin, True)
        t1 = keep(t1, 1, rules, camp, origin, True)
        t2 = keep(t2, 2, rules, camp, origin, True)
        t3 = keep(t3, 3, rules, camp, origin, True)
    if duty == DUTY_NO_RETREAT:
        t0 = keep(t0, 0, rules, camp, origin, False)
        t1 = keep(t1, 1, rules, camp, origin, False)
        t2 = keep(t2, 2, rules, camp, origin, False)
        t3 = keep(t3, 3, rules, camp, origin, False)
    return t0, t1, t2, t3


@jit()
def any_target(state, masks, rules, camp, set_base, duty):
    """Whether a piece of the camp in the mask set at ``set_base`` has a turn under ``duty``."""
    for c in range(4):
        rest = state[OWN + 4 * camp + c] & masks[set_base + c]
        while rest:
            origin = int64(BIT_HOLE[64 * c + ctz(rest)])
            rest &= rest - 1
            t0, t1, t2, t3 = targets(state, masks, rules, camp, origin, duty)
            if t0 | t1 | t2 | t3:
                return True
    return False


@jit()
def duty_on(state, masks, rules, camp):
    """Whether the opponent stands before filling the camp's home and only the camp can yield."""
    m = MASKS_A_CAMP * camp + HOME
    guest = OWN + 4 * (camp + 3 if camp < 3 else camp - 3)
    size = empty = mine = guests = int64(0)
    for c in range(4):
        home = masks[m + c]
        size += popcount(home)
        empty += popcount(home & ~state[OCCUPIED + c])
        mine += popcount(home & state[OWN + 4 * camp + c])
        guests += popcount(home & state[guest + c])
    return (
        empty <= rules[IDLE_SLACK]
        and guests >= rules[IDLE_GUESTS]
        and empty + mine + guests == size
        and (mine > 0 or rules[IDLE_NO_RETREAT] != 0)
    )


@jit("int64(int64[::1], int64[::1], int64[::1], int64)")
def duty_of(state, masks, rules, camp):
    """What the idle-move rule asks of the camp now: DUTY_NONE, DUTY_LEAVE or DUTY_NO_RETREAT."""
    if not duty_on(state, masks, rules, camp):
        return DUTY_NONE
    m = MASKS_A_CAMP * camp
    if any_target(state, masks, rules, camp, m + HOME, int64(DUTY_LEAVE)):
        return DUTY_LEAVE
    if rules[IDLE_NO_RETREAT] and any_target(
        state, masks, rules, camp, m + PASS, int64(DUTY_NO_RETREAT)
    ):
        return DUTY_NO_RETREAT
    return DUTY_NONE


@jit("int64(int64[::1], int64[::1], int64[::1], int64, int64, int64[::1])")
def turns(state, masks, rules, camp, duty, out):
    """Write the codes of all turns of the camp under ``duty``, return how many; no pass."""
    count = 0
    for c in range(4):
        rest = state[OWN + 4 * camp + c]
        while rest:
            origin = int64(BIT_HOLE[64 * c + ctz(rest)])
            rest &= rest - 1
            four = targets(state, masks, rules, camp, origin, duty)
            for k in range(4):
                word = four[k]
                while word:
                    if count >= out.size:
                        return count
                    out[count] = origin + 128 * int64(BIT_HOLE[64 * k + ctz(word)])
                    word &= word - 1
                    count += 1
    return count


@jit(inline=True)
def step_pairs(a, b, shift_ab, shift_ba, free_a, free_b):
    """Number of steps between two classes along one axis, from the sets a and b to free holes."""
    return (
        popcount(move_bits(a, shift_ab) & free_b)
        + popcount(move_bits(b, -shift_ab) & free_a)
        + (popcount(move_bits(b, shift_ba) & free_a) + popcount(move_bits(a, -shift_ba) & free_b))
    )


@jit(inline=True)
def count_jumps(c, own, o0, o1, o2, o3, free, stop):
    """Number of (from, to) pairs by short jumps of the pieces ``own`` of class ``c``."""
    if own == 0:
        return int64(0)
    e0, e1, e2 = bridges(c, o0, o1, o2, o3)
    movers = own & spread(free, e0, e1, e2)
    count = int64(0)
    while movers:
        seed = movers & -movers
        movers ^= seed
        count += popcount(flood(seed, free, e0, e1, e2) & stop)
    return count


@jit()
def count_short(state, masks, camp):
    """Number of turns with short jumps and no other switch than the side camps."""
    s = OWN + 4 * camp
    m = MASKS_A_CAMP * camp
    a0, a1, a2, a3 = state[s], state[s + 1], state[s + 2], state[s + 3]
    o0, o1, o2, o3 = (
        state[OCCUPIED],
        state[OCCUPIED + 1],
        state[OCCUPIED + 2],
        state[OCCUPIED + 3],
    )
    r0 = masks[m + PASS] & ~o0
    r1 = masks[m + PASS + 1] & ~o1
    r2 = masks[m + PASS + 2] & ~o2
    r3 = masks[m + PASS + 3] & ~o3
    s0, s1 = r0 & masks[m + STOP], r1 & masks[m + STOP + 1]
    s2, s3 = r2 & masks[m + STOP + 2], r3 & masks[m + STOP + 3]
    count = (
        step_pairs(a0, a1, 0, 1, s0, s1)
        + step_pairs(a0, a2, 0, 8, s0, s2)
        + step_pairs(a0, a3, -1, 8, s0, s3)
        + step_pairs(a1, a3, 0, 8, s1, s3)
        + step_pairs(a1, a2, 0, 7, s1, s2)
        + step_pairs(a2, a3, 0, 1, s2, s3)
    )
    return (
        count
        + count_jumps(0, a0, o0, o1, o2, o3, r0, s0)
        + count_jumps(1, a1, o0, o1, o2, o3, r1, s1)
        + count_jumps(2, a2, o0, o1, o2, o3, r2, s2)
        + count_jumps(3, a3, o0, o1, o2, o3, r3, s3)
    )


@jit()
def count(state, masks, rules, camp, duty):
    """Number of turns of the camp under ``duty``; no pass."""
    e = EXPELLED + 4 * camp
    if (
        rules[JUMP] == SHORT
        and rules[BACKWARD] == FREE
        and not rules[GOAL_LOCK]
        and duty == DUTY_NONE
        and rules[WIN] != SWAP
        and not (rules[IDLE] and (state[e] | state[e + 1] | state[e + 2] | state[e + 3]))
    ):
        return count_short(state, masks, camp)
    total = int64(0)
    for c in range(4):
        rest = state[OWN + 4 * camp + c]
        while rest:
            origin = int64(BIT_HOLE[64 * c + ctz(rest)])
            rest &= rest - 1
            t0, t1, t2, t3 = targets(state, masks, rules, camp, origin, duty)
            total += popcount(t0) + popcount(t1) + popcount(t2) + popcount(t3)
    return total


@jit()
def owner(state, hole):
    """The camp of origin of the piece on the hole, or -1."""
    for camp in range(6):
        if has(state, OWN + 4 * camp, hole):
            return camp
    return -1


@jit("int64(int64[::1], int64, int64, int64, int64)")
def make(state, camp, origin, target, duty):
    """Play a turn; the answer tells :func:`unmake` what to undo beside it."""
    undo = int64(0)
    other = int64(-1)
    if has(state, OCCUPIED, target):
        other = owner(state, target)
        flip(state, OWN + 4 * other, target)
        flip(state, OWN + 4 * other, origin)
        if has(state, EXPELLED + 4 * other, target):
            flip(state, EXPELLED + 4 * other, target)
            flip(state, EXPELLED + 4 * other, origin)
            undo |= 32
        undo |= 4 * (other + 1)
    else:
        flip(state, OCCUPIED, origin)
        flip(state, OCCUPIED, target)
    flip(state, OWN + 4 * camp, origin)
    flip(state, OWN + 4 * camp, target)
    if has(state, EXPELLED + 4 * camp, origin):
        flip(state, EXPELLED + 4 * camp, origin)
        flip(state, EXPELLED + 4 * camp, target)
        undo |= 1
    elif duty == DUTY_LEAVE:
        flip(state, EXPELLED + 4 * camp, target)
        undo |= 2
    return undo


@jit("void(int64[::1], int64, int64, int64, int64)")
def unmake(state, camp, origin, target, undo):
    """Take a turn back, given the answer of :func:`make`."""
    if undo & 3:
        flip(state, EXPELLED + 4 * camp, target)
        if undo & 1:
            flip(state, EXPELLED + 4 * camp, origin)
    flip(state, OWN + 4 * camp, origin)
    flip(state, OWN + 4 * camp, target)
    other = ((undo >> 2) & 7) - 1
    if other >= 0:
        flip(state, OWN + 4 * other, target)
        flip(state, OWN + 4 * other, origin)
        if undo & 32:
            flip(state, EXPELLED + 4 * other, target)
            flip(state, EXPELLED + 4 * other, origin)
    else:
        flip(state, OCCUPIED, origin)
        flip(state, OCCUPIED, target)


@jit("int64(int64[::1], int64[::1], int64[::1], int64)")
def has_finished(state, masks, rules, camp):
    """Whether the camp's goal counts as filled under the win test of the rules."""
    m = MASKS_A_CAMP * camp + GOAL
    s = OWN + 4 * camp
    t = OWN + 4 * (camp + 3 if camp < 3 else camp - 3)
    win = rules[WIN]
    inside = int64(0)
    for c in range(4):
        goal = masks[m + c]
        good = state[s + c]
        inside |= goal & good
        if win == FULL:
            good = state[OCCUPIED + c]
        elif win == OWNER:
            good |= state[t + c]
        if goal & ~good:
            return 0
    return 1 if inside else 0


@jit()
def any_finished(state, masks, rules, seats, seat):
    """Whether the turn just played by ``seat`` ended the game."""
    if has_finished(state, masks, rules, seats[seat]):
        return True
    if rules[WIN] == STRICT:  # nobody else's pieces moved
        return False
    done = int64(0)
    for k in range(seats.size):
        done |= has_finished(state, masks, rules, seats[k])
    return done != 0


@jit("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64, int64[::1])")
def perft(state, masks, rules, seats, seat, depth, buffer):
    """Number of sequences of ``depth`` turns; the game ends at the first filled goal.

    A seat without a turn passes, which is one turn, or has lost (``NO_TURN_LOSES``). The turns of
    the last ply are counted without being listed, unless ``buffer`` has room for a list: then
    they are written there, as programs do that count their lists.
    """
    camp = seats[seat]
    duty = duty_of(state, masks, rules, camp) if rules[IDLE] else int64(DUTY_NONE)
    if depth <= 1:
        if buffer.size:
            total = turns(state, masks, rules, camp, duty, buffer)
        else:
            total = count(state, masks, rules, camp, duty)
        return total if total or rules[NO_TURN_LOSES] else int64(1)
    following = seat + 1 if seat + 1 < seats.size else int64(0)
    total = int64(0)
    found = False
    for c in range(4):
        rest = state[OWN + 4 * camp + c]
        while rest:
            origin = int64(BIT_HOLE[64 * c + ctz(rest)])
            rest &= rest - 1
            four = targets(state, masks, rules, camp, origin, duty)
            for k in range(4):
                word = four[k]
                while word:
                    target = int64(BIT_HOLE[64 * k + ctz(word)])
                    word &= word - 1
                    found = True
                    undo = make(state, camp, origin, target, duty)
                    if not any_finished(state, masks, rules, seats, seat):
                        total += perft(state, masks, rules, seats, following, depth - 1, buffer)
                    unmake(state, camp, origin, target, undo)
    if not found and not rules[NO_TURN_LOSES]:
        total = perft(state, masks, rules, seats, following, depth - 1, buffer)
    return total


@jit("int64(int64[::1], int64[::1], int64[::1], int64, int64, int64, int64[::1], int64[::1])")
def chains(state, masks, rules, camp, origin, hole, visited, out):
    """Count jump chains of the piece on ``origin`` that go on from ``hole`` and use no hole twice.

    ``out[h]`` grows by the number of chains that end on h; the answer is their sum. ``visited``
    marks (with 1) the holes of the chain so far. This is exponential: for comparison with programs
    that list chains, not for play.
    """
    m = MASKS_A_CAMP * camp + PASS
    total = int64(0)
    for direction in range(6):
        reach = int64(0)
        while True:
            land, reach = jump_landing(state, rules, origin, hole, direction, reach)
            if land < 0:
                break
            if visited[land] or has(state, OCCUPIED, land) or not has(masks, m, land):
                continue
            if rules[BACKWARD] == NEVER and goes_back(rules, camp, hole, land):
                continue
            visited[land] = 1
            out[land] += 1
            total += 1 + chains(state, masks, rules, camp, origin, land, visited, out)
            visited[land] = 0
    return total


@jit("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64, int64[::1], int64[::1])")
def perft_paths(state, masks, rules, seats, seat, depth, visited, out):
    """Like :func:`perft`, but a turn counts once for every chain that makes it.

    Args:
        visited: 121 zeros of scratch.
        out: ``121 * (depth + 1)`` numbers of scratch.
    """
    camp = seats[seat]
    duty = duty_of(state, masks, rules, camp) if rules[IDLE] else int64(DUTY_NONE)
    following = seat + 1 if seat + 1 < seats.size else int64(0)
    ways = out[121 * depth : 121 * depth + 121]
    total = int64(0)
    found = False
    for c in range(4):
        rest = state[OWN + 4 * camp + c]
        while rest:
            origin = int64(BIT_HOLE[64 * c + ctz(rest)])
            rest &= rest - 1
            four = targets(state, masks, rules, camp, origin, duty)
            ways[:] = 0
            visited[origin] = 1
            chains(state, masks, rules, camp, origin, origin, visited, ways)
            visited[origin] = 0
            for direction in range(6):
                if NEIGHBOURS[origin, direction] >= 0:
                    ways[NEIGHBOURS[origin, direction]] += 1
            for k in range(4):
                word = four[k]
                while word:
                    target = int64(BIT_HOLE[64 * k + ctz(word)])
                    word &= word - 1
                    found = True
                    if depth <= 1:
                        total += ways[target]
                        continue
                    undo = make(state, camp, origin, target, duty)
                    if not any_finished(state, masks, rules, seats, seat):
                        total += ways[target] * perft_paths(
                            state, masks, rules, seats, following, depth - 1, visited, out
                        )
                    unmake(state, camp, origin, target, undo)
    if not found and not rules[NO_TURN_LOSES]:
        if depth <= 1:
            return int64(1)
        total = perft_paths(state, masks, rules, seats, following, depth - 1, visited, out)
    return total
