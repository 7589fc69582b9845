"""Growing sets of armies turn by turn, with exact ranks as keys in an open hash table.

One army of camp A stands alone on the board (other camps are turned there first). Time runs
backwards with the switch ``REVERSED``; the masks say where the army may stop and pass.
"""

from numba import int64

from checkers.geometry import BIT_HOLE, GOAL_ROWS, HOLE_BIT, HOLE_CLASS
from checkers.kernel import targets
from checkers.layout import OCCUPIED
from checkers.race.ranking import BINOMIAL
from qikit.bits import ctz, popcount
from qikit.jit import jit

UNKNOWN = 255


@jit()
def set_army(state, pieces, rank, hole_at):
    """Put the army of a rank on the board."""
    for c in range(4):
        state[c] = 0
        state[OCCUPIED + c] = 0
    place = int64(hole_at.size)
    rest = rank
    for i in range(pieces, 0, -1):
        while BINOMIAL[place, i] > rest:
            place -= 1
        rest -= BINOMIAL[place, i]
        hole = hole_at[place]
        bit = int64(1) << int64(HOLE_BIT[hole])
        state[HOLE_CLASS[hole]] |= bit
        state[OCCUPIED + HOLE_CLASS[hole]] |= bit


@jit(inline=True)
def army_rank(state, place_of, without, extra):
    """The rank of the army on the board with the hole ``without`` left for ``extra``."""
    rank = int64(0)
    i = int64(0)
    for c in range(4):
        word = state[c]
        if HOLE_CLASS[without] == c:
            word ^= int64(1) << int64(HOLE_BIT[without])
        if HOLE_CLASS[extra] == c:
            word |= int64(1) << int64(HOLE_BIT[extra])
        while word:
            i += 1
            rank += BINOMIAL[place_of[64 * c + ctz(word)], i]
            word &= word - 1
    return rank


@jit(inline=True)
def slot_of(keys, rank):
    """The slot of a rank in the hash table, or the empty one where it belongs."""
    mask = int64(keys.size - 1)
    mixed = rank * int64(0x1E3779B97F4A7C15)
    slot = (mixed ^ (mixed >> 29)) & mask
    while keys[slot] >= 0 and keys[slot] != rank:
        slot = (slot + 1) & mask
    return slot


@jit(
    "void(int64[::1], int64[::1], int64[::1], int64, int64, int16[::1], int16[::1], int64[::1], "
    "int64[::1], uint8[::1], int64, int64[::1], int64[::1], int64[::1])"
)
def expand(
    state,
    masks,
    rules,
    scoring_camp,
    pieces,
    place_of,
    hole_at,
    source,
    keys,
    turns,
    depth,
    out,
    scores,
    counts,
):
    """Play every turn of the armies ``source[counts[0]:]`` and keep the new ones.

    Args:
        scoring_camp: the camp whose goal the score looks at (A forwards, D backwards in time).
        source: ranks of the armies.
        keys: hash table of ranks, -1 = empty slot; its size is a power of two.
        turns: number of turns of each slot's army.
        depth: turns of the new armies.
        out: ranks of the new armies.
        scores: their scores: rows left to the tip of the goal, summed, and those of the last piece.
        counts: [sources done, armies in out, armies in the table]. The kernel returns early when
            ``out`` or the table is nearly full; call it again after making room.
    """
    limit = keys.size - keys.size // 4
    while counts[0] < source.size:
        if counts[1] + 2048 > out.size or counts[2] + 2048 > limit:
            return
        set_army(state, pieces, source[counts[0]], hole_at)
        counts[0] += 1
        total = int64(0)
        for c in range(4):
            word = state[c]
            while word:
                total += GOAL_ROWS[scoring_camp, BIT_HOLE[64 * c + ctz(word)]]
                word &= word - 1
        for c in range(4):
            rest = state[c]
            while rest:
                origin = int64(BIT_HOLE[64 * c + ctz(rest)])
                rest &= rest - 1
                four = targets(state, masks, rules, int64(0), origin, int64(0))
                last = int64(0)
                for k in range(4):
                    word = state[k]
                    while word:
                        hole = int64(BIT_HOLE[64 * k + ctz(word)])
                        word &= word - 1
                        if hole != origin:
                            last = max(last, int64(GOAL_ROWS[scoring_camp, hole]))
                base = total - int64(GOAL_ROWS[scoring_camp, origin])
                for k in range(4):
                    word = four[k]
                    while word:
                        target = int64(BIT_HOLE[64 * k + ctz(word)])
                        word &= word - 1
                        rank = army_rank(state, place_of, origin, target)
                        slot = slot_of(keys, rank)
                        if keys[slot] >= 0:
                            continue
                        keys[slot] = rank
                        turns[slot] = depth
                        rows = int64(GOAL_ROWS[scoring_camp, target])
                        out[counts[1]] = rank
                        scores[counts[1]] = base + rows + max(last, rows)
                        counts[1] += 1
                        counts[2] += 1


@jit("void(int64[::1], uint8[::1], int64[::1], uint8[::1])")
def find(keys, turns, ranks, out):
    """Look ranks up in a hash table; UNKNOWN where one is missing."""
    for i in range(ranks.size):
        slot = slot_of(keys, ranks[i])
        out[i] = turns[slot] if keys[slot] >= 0 else UNKNOWN


@jit("void(int64[::1], uint8[::1], int64[::1], uint8[::1])")
def rehash(old_keys, old_turns, keys, turns):
    """Move a hash table into a larger one."""
    for i in range(old_keys.size):
        if old_keys[i] >= 0:
            slot = slot_of(keys, old_keys[i])
            keys[slot] = old_keys[i]
            turns[slot] = old_turns[i]


@jit("int64(int64[::1], int64[::1], int64[::1], int64, int16[::1], int16[::1], int64, int64[::1])")
def successors(state, masks, rules, pieces, place_of, hole_at, rank, out):
    """Ranks and codes (``out[2 i]``, ``out[2 i + 1]``) after every turn of one army; how many."""
    set_army(state, pieces, rank, hole_at)
    count = int64(0)
    for c in range(4):
        rest = state[c]
        while rest:
            origin = int64(BIT_HOLE[64 * c + ctz(rest)])
            rest &= rest - 1
            four = targets(state, masks, rules, int64(0), origin, int64(0))
            for k in range(4):
                word = four[k]
                while word and 2 * count + 1 < out.size:
                    target = int64(BIT_HOLE[64 * k + ctz(word)])
                    word &= word - 1
                    out[2 * count] = army_rank(state, place_of, origin, target)
                    out[2 * count + 1] = origin + 128 * target
                    count += 1
    return count


@jit("void(int64, int16[::1], int16[::1], int64[::1], int64[::1], uint8[::1], uint8[::1])")
def look_up(pieces, hole_at, region_place_of, state, ranks, values, out):
    """Values of a table over a region for armies ranked over the whole board; UNKNOWN outside."""
    for i in range(ranks.size):
        set_army(state, pieces, ranks[i], hole_at)
        inside = True
        for c in range(4):
            word = state[c]
            while word:
                inside &= region_place_of[64 * c + ctz(word)] >= 0
                word &= word - 1
        out[i] = UNKNOWN
        if inside:
            rank = int64(0)
            k = int64(0)
            for c in range(4):
                word = state[c]
                while word:
                    k += 1
                    rank += BINOMIAL[region_place_of[64 * c + ctz(word)], k]
                    word &= word - 1
            out[i] = values[rank]


@jit(
    "int64(int64[::1], int64[::1], int64[::1], int64, int16[::1], int16[::1], uint8[::1], "
    "int64, int64, int64)"
)
def sweep(state, masks, rules, pieces, place_of, hole_at, values, depth, low, high):
    """Table building: armies ``low <= rank < high`` at ``depth`` turns reach their neighbours.

    Returns the number of armies that got a value.
    """
    fresh = int64(0)
    for number in range(low, high):
        if values[number] != depth:
            continue
        set_army(state, pieces, number, hole_at)
        for c in range(4):
            rest = state[c]
            while rest:
                origin = int64(BIT_HOLE[64 * c + ctz(rest)])
                rest &= rest - 1
                four = targets(state, masks, rules, int64(0), origin, int64(0))
                for k in range(4):
                    word = four[k]
                    while word:
                        target = int64(BIT_HOLE[64 * k + ctz(word)])
                        word &= word - 1
                        rank = army_rank(state, place_of, origin, target)
                        if values[rank] == UNKNOWN:
                            values[rank] = depth + 1
                            fresh += 1
    return fresh


@jit("int64(int64[::1], int64[::1], int64, int16[::1], int64[::1])")
def strays(state, goal, pieces, hole_at, ranks):
    """Compact ``ranks`` in place to the armies with no more pieces outside the goal than goal[4].

    A piece outside the goal needs at least one turn, so the others are too far. Returns how many
    stay.
    """
    kept = int64(0)
    for i in range(ranks.size):
        set_army(state, pieces, ranks[i], hole_at)
        outside = int64(0)
        for c in range(4):
            outside += popcount(state[c] & ~goal[c])
        if outside <= goal[4]:
            ranks[kept] = ranks[i]
            kept += 1
    return kept
