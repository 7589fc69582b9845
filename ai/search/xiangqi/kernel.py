"""Principal variation search for 象棋 over a state of :mod:`xiangqi.kernel`.

Reach it through ``qikit.kernels.load("ai.search.xiangqi.kernel")``.
:class:`ai.search.xiangqi.Brain` owns the arrays and drives the deepening. Layout of ``work``:
:mod:`ai.search.xiangqi.layout`.

Entry points:

``search(work, table, net, sums, links, stop, ply, depth, alpha, beta, cut) -> score``
    Value of the position for the side to move. At ply 0 only the moves of ``ROOT`` are looked at.
    The line is at ``LINES``. A stopped search answers without meaning and sets ``STOPPED``.
``judge(work, net, sums, ply) -> score``
    The static evaluation of the position at ``ply``, which the search has come to (0 = the root).
``wins_exchange(work, move, threshold) -> 0 | 1``
    Whether a move wins at least ``threshold`` in the exchanges on its point (pins are ignored).

``table`` is int64[2 * n] shared by threads without locks: an entry is ``key ^ data, data``, so one
that two threads tore is not found. ``net`` int16[NET_ROWS, HIDDEN] holds the network's weights,
``sums`` int16[2 * PLIES, HIDDEN] its accumulators, ``links`` int16[2048, 2048] the continuation
history. Scores are hundredths of a pawn; ``MATE - ply`` is a mate at that ply.

What is searched: null move, reverse futility, razoring, ProbCut, late move pruning and reductions,
exchange and history pruning, singular and check extensions; captures, checks and evasions at the
end. A position that returns is a draw, or lost for the side that must change its moves
(:mod:`ai.search.xiangqi.loops.kernel`). The natural limit is a draw. Who has no move has lost.
"""

from __future__ import annotations

from numba import int16, int32, int64, uint64

from ai.search.xiangqi.exchange.kernel import wins, worth
from ai.search.xiangqi.layout import (
    BEFORE,
    BIAS_ROW,
    BUCKET,
    CAPTURE,
    CHECKED,
    CHECKS,
    COUNTER,
    CUTS,
    DEEPEST,
    ENTRY,
    EVAL,
    EXCLUDED,
    FRAME,
    FRESH,
    FROM_TO,
    GENERATION,
    HAS_NETWORK,
    HIDDEN,
    KEYS,
    KILLER,
    KILLER2,
    LINES,
    MATE,
    MATED_IN,
    MOVE,
    MOVES,
    NATURAL_LIMIT,
    NATURES,
    NODE_LIMIT,
    NODES,
    NOISE,
    NOISE_SEED,
    OUTPUT_BIAS,
    OUTPUT_DIVISOR,
    OUTPUT_ROW,
    PAST,
    PIECE_TO,
    PLIES,
    QUIET,
    REDUCTIONS,
    ROOT,
    ROOT_COUNT,
    ROOT_DEPTH,
    ROW_OF,
    SCORES,
    SPAN,
    SQUARES,
    STACK,
    STOPPED,
    STRETCH,
    TABLE_MASK,
    TRIED,
    UNDOS,
    UNIT,
    UNKNOWN,
    VALUES,
)
from ai.search.xiangqi.loops.kernel import judged
from qikit.bits import load_volatile, popcount
from qikit.jit import jit
from xiangqi.kernel import (
    ADVISOR_SLOT,
    BOARD,
    CANNON_SLOT,
    CHARIOT_SLOT,
    COL,
    ELEPHANT_SLOT,
    HORSE_SLOT,
    KEY,
    OCCUPIED,
    PAWN_SLOT,
    PIECE,
    SLOT,
    TURN,
    _legs,
    _reach,
    generate,
    in_check,
    make,
    unmake,
)
from xiangqi.pieces import CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.tables import (
    ALL,
    CANNONS,
    CHARIOT_COL,
    DEAD,
    FIELD,
    FILE,
    HORSE_HIGH,
    HORSE_LOW,
    LEG,
    NOWHERE,
    RANK,
    TURN_KEY,
)

EXACT, LOWER, UPPER = 3, 2, 1
_PALACE = sum(1 << 9 * rank + file for rank in range(3) for file in (3, 4, 5))


# ---------------------------------------------------------------- exchanges


@jit("int64(int64[::1], int64, int64)")
def wins_exchange(work, move, threshold):
    return int64(wins(work, move, threshold))


# ---------------------------------------------------------------- evaluation


@jit(inline=True)
def _mirrored(work, view):
    """Whether the half of the board on the right is seen on the left: the own general is there."""
    file = int64(FILE[uint64(work[uint64(SLOT + 16 * view)])])
    return int64(file < 4 if view else file > 4)


@jit(inline=True)
def _feature(code, sq, view, mirrored):
    """Row of a piece in the network: as seen by ``view``, own pieces first."""
    file, rank = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
    if view:
        file, rank = 8 - file, 9 - rank
    if mirrored:
        file = 8 - file
    return ((code >> 3 ^ view) * 7 + (code & 7) - 1) * 90 + 9 * rank + file


@jit()
def _refresh(work, net, sums, at, view):
    mirrored = _mirrored(work, view)
    total, row = sums[at], net[BIAS_ROW]
    for i in range(HIDDEN):
        total[i] = row[i]
    for slot in range(32):
        sq = work[uint64(SLOT + slot)]
        if sq != DEAD:
            row = net[_feature(work[uint64(BOARD + sq)] & PIECE, sq, view, mirrored)]
            for i in range(HIDDEN):
                total[i] += row[i]


@jit()
def _advance(net, sums, at, view, mirrored, undo, code):
    """Accumulator of a position from that of the one before the move ``undo``."""
    before, after = sums[at - 2], sums[at]
    gone = net[_feature(code, undo & 127, view, mirrored)]
    come = net[_feature(code, undo >> 7 & 127, view, mirrored)]
    taken = undo >> 14 & PIECE
    if taken:
        lost = net[_feature(taken, undo >> 7 & 127, view, mirrored)]
        for i in range(HIDDEN):
            after[i] = int16(before[i] - gone[i] + come[i] - lost[i])
    else:
        for i in range(HIDDEN):
            after[i] = int16(before[i] - gone[i] + come[i])


@jit(inline=True)
def _dot(total, row):
    s = int32(0)
    for i in range(HIDDEN):
        v = int32(min(max(total[i], int16(0)), int16(UNIT)))
        v = int32(int32(v * v) >> int32(8))
        s = int32(s + int32(v * int32(row[i])))
    return int64(s)


@jit()
def _bring_up(work, net, sums, ply, view):
    """Make the accumulator of ``view`` at ``ply`` valid.

    An entry's FRESH word is 0, or 1 + whether it was made for the mirrored board.
    """
    want = 1 + _mirrored(work, view)
    p = ply
    while p > 0 and ply - p < 6:
        at = STACK + ENTRY * (p + BEFORE)
        if work[uint64(at + FRESH + view)]:
            break
        undo = work[uint64(UNDOS + PAST + p)]
        code = work[uint64(at - ENTRY + ROW_OF)] >> 7
        if undo >= 0 and code == KING + 8 * view:
            p = int64(-1)  # the own general moved: all rows may have changed
            break
        p -= 1
    if p < 0 or work[uint64(STACK + ENTRY * (p + BEFORE) + FRESH + view)] != want:
        _refresh(work, net, sums, 2 * ply + view, view)
    else:
        while p < ply:
            p += 1
            at = STACK + ENTRY * (p + BEFORE)
            undo = work[uint64(UNDOS + PAST + p)]
            if undo < 0:
                before, after = sums[2 * p + view - 2], sums[2 * p + view]
                for i in range(HIDDEN):
                    after[i] = before[i]
            else:
                code = work[uint64(at - ENTRY + ROW_OF)] >> 7
                _advance(net, sums, 2 * p + view, view, want - 1, undo, code)
            work[uint64(at + FRESH + view)] = want
    work[uint64(STACK + ENTRY * (ply + BEFORE) + FRESH + view)] = want


@jit()
def _activity(work):
    """What squares alone do not tell, for Red: mobility, attack on the palace, safety."""
    score = int64(0)
    for side in range(2):
        base = SLOT + 16 * side
        theirs = SLOT + 16 * (1 - side)
        own_low = work[uint64(OCCUPIED + 2 * side)]
        own_high = work[uint64(OCCUPIED + 2 * side + 1)]
        palace_low = int64(0) if side == 0 else _PALACE
        palace_high = _PALACE << 18 if side == 0 else int64(0)
        value = int64(0)
        rooks, horses = int64(0), int64(0)
        for i in range(HORSE_SLOT, CHARIOT_SLOT):
            sq = work[uint64(base + i)]
            if sq == DEAD:
                continue
            horses += 1
            legs = uint64(sq << 4 | _legs(work, int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])))
            low, high = HORSE_LOW[legs] & ~own_low, HORSE_HIGH[legs] & ~own_high
            n = popcount(low) + popcount(high)
            value += 7 * n - 26 - 9 * max(2 - n, int64(0))
            value += 6 * (popcount(low & palace_low) + popcount(high & palace_high))
        for i in range(CHARIOT_SLOT, CANNON_SLOT):
            sq = work[uint64(base + i)]
            if sq == DEAD:
                continue
            rooks += 1
            low, high = _reach(work, sq, int64(ROOK))
            low &= ~own_low
            high &= ~own_high
            value += 3 * (popcount(low) + popcount(high)) - 27
            value += 5 * (popcount(low & palace_low) + popcount(high & palace_high))
        for i in range(CANNON_SLOT, PAWN_SLOT):
            sq = work[uint64(base + i)]
            if sq == DEAD:
                continue
            low, high = _reach(work, sq, int64(ROOK))
            low &= ~own_low
            high &= ~own_high
            value += popcount(low) + popcount(high) - 8
        # a hollow cannon (空头炮): nothing stands between it and the general
        k = work[uint64(theirs)]
        f, r = int64(FILE[uint64(k)]), int64(RANK[uint64(k)])
        c = work[uint64(COL + f)]
        first = int64(CHARIOT_COL[uint64(r << 10 | c >> ALL & 1023)])
        if first & c >> CANNONS & c >> FIELD * side:
            value += 50 + 35 * rooks
        # lost guards weigh by what attacks them: advisors against chariots and horses, elephants
        # against cannons
        guards, elephants, cannons = int64(0), int64(0), int64(0)
        for i in range(2):
            guards += int64(work[uint64(theirs + ADVISOR_SLOT + i)] == DEAD)
            elephants += int64(work[uint64(theirs + ELEPHANT_SLOT + i)] == DEAD)
            cannons += int64(work[uint64(base + CANNON_SLOT + i)] != DEAD)
        value += guards * (16 * rooks + 9 * horses) + elephants * (12 * cannons + 5 * horses)
        score += -value if side else value
    return score


@jit()
def _evaluate(work, net, sums, ply):
    """What the position at ``ply`` is worth to the side to move."""
    us = work[TURN]
    pieces = popcount(
        work[OCCUPIED] | work[OCCUPIED + 2],
    ) + popcount(work[OCCUPIED + 1] | work[OCCUPIED + 3])
    packed = work[uint64(STACK + ENTRY * (ply + BEFORE) + SQUARES)]
    end = (packed + 0x80000000 & 0xFFFFFFFF) - 0x80000000
    middle = packed - end >> 32
    phase = min(max(pieces - 12, int64(0)), int64(16))
    score = middle * phase + end * (16 - phase)
    if not work[HAS_NETWORK]:
        score += 16 * _activity(work)
    score = ((-score if us else score) >> 4) + 12
    if work[HAS_NETWORK]:
        _bring_up(work, net, sums, ply, int64(0))
        _bring_up(work, net, sums, ply, int64(1))
        bucket = min((pieces - 1) >> 3, int64(3))
        own = _dot(sums[2 * ply + us], net[OUTPUT_ROW + 2 * bucket])
        other = _dot(sums[2 * ply + 1 - us], net[OUTPUT_ROW + 2 * bucket + 1])
        score += (own + other + work[uint64(OUTPUT_BIAS + bucket)]) // work[OUTPUT_DIVISOR]
    noise = work[NOISE]
    if noise:
        mixed = (work[KEY] ^ work[NOISE_SEED]) * int64(0x2545F4914F6CDD1D)
        mixed ^= mixed >> 29
        mixed = (mixed * int64(0x1B03738712FAD5C9)) >> 20 & 0xFFFFFF
        score += ((mixed & 4095) + (mixed >> 12) - 4095) * noise >> 12
    # the nearer the natural limit, the nearer a draw
    quiet = work[uint64(STACK + ENTRY * (ply + BEFORE) + QUIET)]
    score = score * (240 - min(quiet, int64(120))) // 240
    return min(max(score, int64(-20000)), int64(20000))


@jit("int64(int64[::1], int16[:,::1], int16[:,::1], int64)")
def judge(work, net, sums, ply):
    return _evaluate(work, net, sums, ply)


# ---------------------------------------------------------------- moves and memory


@jit()
def _play(work, ply, move):
    """Make a move at ``ply`` and fill the entry of the next ply; returns the undo."""
    undo = make(work, move)
    at = STACK + ENTRY * (ply + BEFORE)
    f, t = undo & 127, undo >> 7 & 127
    code = work[uint64(BOARD + t)] & PIECE
    taken = undo >> 14 & PIECE
    work[uint64(at + MOVE)] = move
    work[uint64(at + ROW_OF)] = code << 7 | t
    child = at + ENTRY
    squares = work[uint64(at + SQUARES)]
    squares += work[uint64(VALUES + (code << 7 | t))] - work[uint64(VALUES + (code << 7 | f))]
    if taken:
        squares -= work[uint64(VALUES + (taken << 7 | t))]
        work[uint64(child + QUIET)] = 0
        work[uint64(child + SPAN)] = 0
    else:
        work[uint64(child + QUIET)] = work[uint64(at + QUIET)] + 1
        work[uint64(child + SPAN)] = work[uint64(at + SPAN)] + 1
    work[uint64(child + SQUARES)] = squares
    work[uint64(child + FRESH)] = 0
    work[uint64(child + FRESH + 1)] = 0
    work[uint64(child + EXCLUDED)] = 0
    work[uint64(child + STRETCH)] = work[uint64(at + STRETCH)]
    work[uint64(KEYS + PAST + ply + 1)] = work[KEY]
    checked = int64(in_check(work, work[TURN]))
    work[uint64(child + CHECKED)] = checked
    work[uint64(CHECKS + PAST + ply + 1)] = checked
    work[uint64(UNDOS + PAST + ply + 1)] = undo
    work[uint64(NATURES + PAST + ply + 1)] = 0
    return undo


@jit()
def _pass(work, ply):
    """A null move at ``ply``; it is its own inverse but for the entry."""
    at = STACK + ENTRY * (ply + BEFORE)
    child = at + ENTRY
    work[TURN] = 1 - work[TURN]
    work[KEY] ^= TURN_KEY
    work[uint64(at + MOVE)] = 0
    work[uint64(at + ROW_OF)] = 0
    work[uint64(child + QUIET)] = work[uint64(at + QUIET)] + 1
    work[uint64(child + SPAN)] = 0
    work[uint64(child + SQUARES)] = work[uint64(at + SQUARES)]
    work[uint64(child + FRESH)] = 0
    work[uint64(child + FRESH + 1)] = 0
    work[uint64(child + EXCLUDED)] = 0
    work[uint64(child + STRETCH)] = work[uint64(at + STRETCH)]
    work[uint64(child + CHECKED)] = 0
    work[uint64(KEYS + PAST + ply + 1)] = work[KEY]
    work[uint64(CHECKS + PAST + ply + 1)] = 0
    work[uint64(UNDOS + PAST + ply + 1)] = -1


@jit()
def _returned(work, ply):
    """Whether the position has stood before: 0 no, 1 draw, 2 / 3 the side to move has won / lost.

    What the loop is worth is the matter of :mod:`ai.search.xiangqi.loops.kernel`. A loop from
    before the root that the side to move must change is not lost for it: how else it could have
    moved here has not been looked at yet.
    """
    span = work[uint64(STACK + ENTRY * (ply + BEFORE) + SPAN)]
    here = KEYS + PAST + ply
    span = min(span, PAST + ply)
    key = work[KEY]
    i = int64(4)
    while i <= span:
        if work[uint64(here - i)] == key:
            back = judged(work, ply, i)
            return int64(0) if back == 3 and i > ply else back
        i += 2
    return int64(0)


@jit(inline=True)
def _remember(work, table, key, move, score, value, depth, bound, ply):
    """Write into the table: over the same position, else over the shallowest and oldest entry."""
    if score > MATED_IN:
        score += ply
    elif score < -MATED_IN:
        score -= ply
    generation = work[GENERATION]
    first = (key & work[TABLE_MASK]) * (2 * BUCKET)
    best, worst = first, int64(1 << 30)
    for i in range(first, first + 2 * BUCKET, 2):
        data = table[uint64(i + 1)]
        if table[uint64(i)] ^ data == key:
            if not move:
                move = data & 16383
            if bound != EXACT and data >> 56 & 63 == generation and depth + 3 < (data >> 46 & 255):
                return
            best = i
            break
        rank = (data >> 46 & 255) - 4 * ((generation - (data >> 56 & 63)) & 63)
        if rank < worst:
            best, worst = i, rank
    data = (
        move
        | (score + 32768) << 14
        | (value + 32768) << 30
        | depth << 46
        | bound << 54
        | generation << 56
    )
    table[uint64(best)] = key ^ data
    table[uint64(best + 1)] = data


@jit(inline=True)
def _recall(work, table, key):
    """Data of a position, or 0."""
    first = (key & work[TABLE_MASK]) * (2 * BUCKET)
    found = int64(0)
    for i in range(first, first + 2 * BUCKET, 2):
        data = table[uint64(i + 1)]
        if table[uint64(i)] ^ data == key:
            found = data
    return found


@jit(inline=True)
def _from_table(score, ply):
    if score > MATED_IN:
        return score - ply
    if score < -MATED_IN:
        return score + ply
    return score


@jit(inline=True)
def _next(work, ply, i, n):
    """Bring the best of the moves from ``i`` on to place ``i`` and return it."""
    moves, scores = MOVES + FRAME * ply, SCORES + 128 * ply
    best = i
    top = work[uint64(scores + i)]
    for j in range(i + 1, n):
        if work[uint64(scores + j)] > top:
            top = work[uint64(scores + j)]
            best = j
    move = work[uint64(moves + best)]
    if best != i:
        work[uint64(moves + best)] = work[uint64(moves + i)]
        work[uint64(scores + best)] = work[uint64(scores + i)]
        work[uint64(moves + i)] = move
        work[uint64(scores + i)] = top
    return move


@jit(inline=True)
def _has_officers(work, us):
    """Whether a side has a chariot, horse or cannon: only then passing is a bad move."""
    for i in range(SLOT + 16 * us + HORSE_SLOT, SLOT + 16 * us + PAWN_SLOT):
        if work[uint64(i)] != DEAD:
            return True
    return False


@jit()
def _rate(work, links, ply, n, best):
    """Scores by which the moves at ``ply`` are tried."""
    at = STACK + ENTRY * (ply + BEFORE)
    moves, scores = MOVES + FRAME * ply, SCORES + 128 * ply
    us = work[TURN]
    killer, killer2 = work[uint64(at + KILLER)], work[uint64(at + KILLER2)]
    counter = work[uint64(COUNTER + work[uint64(at - ENTRY + ROW_OF)])]
    row1 = links[work[uint64(at - ENTRY + ROW_OF)]]
    row2 = links[work[uint64(at - 2 * ENTRY + ROW_OF)]]
    row4 = links[work[uint64(at - 4 * ENTRY + ROW_OF)]]
    for i in range(n):
        move = work[uint64(moves + i)]
        f, t = move & 127, move >> 7
        code = work[uint64(BOARD + f)] & PIECE
        taken = work[uint64(BOARD + t)] & PIECE
        if move == best:
            score = int64(1 << 40)
        elif taken:
            score = (1 << 30) + 16 * worth(taken, t) - (worth(code, f) >> 3)
            score += work[uint64(CAPTURE + (code << 10 | t << 3 | taken & 7))]
        elif move == killer:
            score = int64((1 << 28) + 2)
        elif move == killer2:
            score = int64((1 << 28) + 1)
        elif move == counter:
            score = int64(1 << 28)
        else:
            place = code << 7 | t
            score = work[uint64(PIECE_TO + place)] + work[uint64(FROM_TO + (us << 14 | move))]
            score += 2 * int64(row1[place]) + int64(row2[place]) + int64(row4[place])
        work[uint64(scores + i)] = score


@jit(inline=True)
def _grow(work, at, bonus):
    """Move a history word towards the sign of ``bonus``; it stays within 8192."""
    old = work[uint64(at)]
    work[uint64(at)] = old + bonus - (old * abs(bonus) >> 13)


@jit(inline=True)
def _grow_link(row, place, bonus):
    old = int64(row[place])
    row[place] = int16(old + bonus - (old * abs(bonus) >> 13))


@jit()
def _learn_quiet(work, links, ply, move, bonus):
    at = STACK + ENTRY * (ply + BEFORE)
    place = (work[uint64(BOARD + (move & 127))] & PIECE) << 7 | move >> 7
    _grow(work, PIECE_TO + place, bonus)
    _grow(work, FROM_TO + (work[TURN] << 14 | move), bonus)
    _grow_link(links[work[uint64(at - ENTRY + ROW_OF)]], place, bonus)
    _grow_link(links[work[uint64(at - 2 * ENTRY + ROW_OF)]], place, bonus)
    _grow_link(links[work[uint64(at - 4 * ENTRY + ROW_OF)]], place, bonus)


@jit()
def _learn_capture(work, move, bonus):
    code = work[uint64(BOARD + (move & 127))] & PIECE
    taken = work[uint64(BOARD + (move >> 7))] & 7
    _grow(work, CAPTURE + (code << 10 | move >> 7 << 3 | taken), bonus)


@jit()
def _learn(work, links, ply, move, depth, quiets, captures):
    """A move was too good: remember it, and that those tried before it were not."""
    at = STACK + ENTRY * (ply + BEFORE)
    bonus = min(16 * depth * depth + 128 * depth - 64, int64(2400))
    tried = TRIED + 128 * ply
    if work[uint64(BOARD + (move >> 7))] & PIECE:
        _learn_capture(work, move, bonus)
    else:
        if work[uint64(at + KILLER)] != move:
            work[uint64(at + KILLER2)] = work[uint64(at + KILLER)]
            work[uint64(at + KILLER)] = move
        work[uint64(COUNTER + work[uint64(at - ENTRY + ROW_OF)])] = move
        _learn_quiet(work, links, ply, move, bonus)
        for i in range(quiets):
            _learn_quiet(work, links, ply, work[uint64(tried + i)], -bonus)
    for i in range(captures):
        _learn_capture(work, work[uint64(tried + 127 - i)], -bonus)


@jit()
def _count(work, stop, ply):
    """One more node; whether the search has to end."""
    if work[STOPPED]:
        return int64(1)
    work[NODES] += 1
    work[DEEPEST] = max(work[DEEPEST], ply)
    if work[NODES] & 127 == 0 and load_volatile(stop):
        work[STOPPED] = 1
    if work[NODES] >= work[NODE_LIMIT]:
        work[STOPPED] = 1
    return work[STOPPED]


@jit(inline=True)
def _may_check(work, move, k):
    """Cheap sign that a quiet move may give check to the general on ``k`` by itself."""
    t = move >> 7
    kind = work[uint64(BOARD + (move & 127))] & 7
    if kind == KNIGHT:
        return int64(LEG[uint64(t << 7 | k)]) != NOWHERE
    if kind == ROOK or kind == CANNON or kind == PAWN:  # noqa: SIM109
        return FILE[uint64(t)] == FILE[uint64(k)] or RANK[uint64(t)] == RANK[uint64(k)]
    return False


# ---------------------------------------------------------------- search


@jit(
    "int64(int64[::1],int64[::1],int16[:,::1],int16[:,::1],int16[:,::1],int64[::1],"
    "int64,int64,int64,int64)"
)
def quiesce(work, table, net, sums, links, stop, ply, depth, alpha, beta):
    if _count(work, stop, ply):
        return int64(0)
    at = STACK + ENTRY * (ply + BEFORE)
    work[uint64(LINES + PLIES * ply)] = 0
    if ply >= PLIES - 2:
        return _evaluate(work, net, sums, ply)
    if work[uint64(at + QUIET)] >= work[NATURAL_LIMIT]:
        return int64(0)
    back = _returned(work, ply)
    if back:
        return int64(0) if back == 1 else MATE - ply if back == 2 else ply - MATE
    checked = work[uint64(at + CHECKED)]
    key = work[KEY]
    data = _recall(work, table, key)
    remembered = int64(0)
    if data:
        remembered = data & 16383
        score = _from_table((data >> 14 & 65535) - 32768, ply)
        bound = data >> 54 & 3
        if beta - alpha == 1 and (
            bound == EXACT
            or (bound == LOWER and score >= beta)
            or (bound == UPPER and score <= alpha)
        ):
            return score
    old_alpha = alpha
    best = int64(ply - MATE)
    value = int64(UNKNOWN)
    if not checked:
        if data and (data >> 30 & 65535) - 32768 != UNKNOWN:
            value = (data >> 30 & 65535) - 32768
        else:
            value = _evaluate(work, net, sums, ply)
        best = value
        if data:
            score = _from_table((data >> 14 & 65535) - 32768, ply)
            bound = data >> 54 & 3
            if bound & (LOWER if score > best else UPPER):
                best = score
        if best >= beta:
            return best
        alpha = max(alpha, best)
    moves = MOVES + FRAME * ply
    n = generate(work, work, moves)
    if n == 0:
        return int64(ply - MATE)
    floor = best
    us = work[TURN]
    k = work[uint64(SLOT + 16 * (1 - us))]
    scores = SCORES + 128 * ply
    if checked:
        _rate(work, links, ply, n, remembered)
    else:
        kept = int64(0)
        for i in range(n):
            move = work[uint64(moves + i)]
            t = move >> 7
            taken = work[uint64(BOARD + t)] & PIECE
            if taken:
                code = work[uint64(BOARD + (move & 127))] & PIECE
                score = 16 * worth(taken, t) - (worth(code, int64(0)) >> 3) + (1 << 20)
                score += work[uint64(CAPTURE + (code << 10 | t << 3 | taken & 7))]
            elif depth >= 0 and _may_check(work, move, k):
                score = int64(0)
            else:
                continue
            if move == remembered:
                score += int64(1 << 30)
            work[uint64(moves + kept)] = move
            work[uint64(scores + kept)] = score
            kept += 1
        n = kept
    chosen = int64(0)
    for i in range(n):
        move = _next(work, ply, i, n)
        t = move >> 7
        taken = work[uint64(BOARD + t)] & PIECE
        if not checked:
            if taken:
                gain = floor + 180 + worth(taken, t)
                if gain <= alpha:
                    best = max(best, gain)
                    continue
            if not wins(work, move, int64(0)):
                continue
        elif best > -MATED_IN and i > 2 and not taken:
            continue  # a few quiet evasions are enough here
        undo = _play(work, ply, move)
        if not checked and not taken and not work[uint64(at + ENTRY + CHECKED)]:
            unmake(work, undo)
            continue
        score = -quiesce(work, table, net, sums, links, stop, ply + 1, depth - 1, -beta, -alpha)
        unmake(work, undo)
        if work[STOPPED]:
            return int64(0)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                chosen = move
                if score >= beta:
                    break
    bound = LOWER if best >= beta else UPPER if best <= old_alpha else EXACT
    _remember(work, table, key, chosen, best, value, int64(0), int64(bound), ply)
    return best


@jit(
    "int64(int64[::1],int64[::1],int16[:,::1],int16[:,::1],int16[:,::1],int64[::1],"
    "int64,int64,int64,int64,int64)"
)
def search(work, table, net, sums, links, stop, ply, depth, alpha, beta, cut):
    if depth <= 0 and ply:
        return quiesce(work, table, net, sums, links, stop, ply, int64(0), alpha, beta)
    if _count(work, stop, ply):
        return int64(0)
    at = STACK + ENTRY * (ply + BEFORE)
    line = LINES + PLIES * ply
    work[uint64(line)] = 0
    checked = work[uint64(at + CHECKED)]
    pv = int64(beta - alpha > 1)
    if ply:
        if ply >= PLIES - 2:
            return _evaluate(work, net, sums, ply)
        back = _returned(work, ply)
        if back:
            return int64(0) if back == 1 else MATE - ply if back == 2 else ply - MATE
        if work[uint64(at + QUIET)] >= work[NATURAL_LIMIT] and not checked:
            return int64(0)
        alpha = max(alpha, ply - MATE)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    key = work[KEY]
    excluded = work[uint64(at + EXCLUDED)]
    data = int64(0) if excluded else _recall(work, table, key)
    remembered, bound, known = int64(0), int64(0), int64(0)
    known_depth = int64(-1)
    if data:
        remembered = data & 16383
        bound = data >> 54 & 3
        known = _from_table((data >> 14 & 65535) - 32768, ply)
        known_depth = data >> 46 & 255
        if (
            not pv
            and known_depth >= depth
            and (
                bound == EXACT
                or (bound == LOWER and known >= beta)
                or (bound == UPPER and known <= alpha)
            )
            and work[uint64(at + QUIET)] < work[NATURAL_LIMIT] - 20
        ):
            if (
                bound & LOWER
                and known >= beta
                and remembered
                and not work[uint64(BOARD + (remembered >> 7))] & PIECE
                and work[uint64(BOARD + (remembered & 127))] & PIECE
            ):
                _learn_quiet(work, links, ply, remembered, min(120 * depth, int64(1000)))
            return known
    us = work[TURN]
    work[uint64(at + 2 * ENTRY + KILLER)] = 0
    work[uint64(at + 2 * ENTRY + KILLER2)] = 0
    work[uint64(at + 2 * ENTRY + CUTS)] = 0
    static = int64(UNKNOWN)
    value = int64(0)
    improving = int64(0)
    if checked:
        work[uint64(at + EVAL)] = UNKNOWN
    else:
        if excluded:
            static = work[uint64(at + EVAL)]
        elif data and (data >> 30 & 65535) - 32768 != UNKNOWN:
            static = (data >> 30 & 65535) - 32768
        else:
            static = _evaluate(work, net, sums, ply)
        work[uint64(at + EVAL)] = static
        value = static
        if data and bound & (LOWER if known > static else UPPER):
            value = known
        before = work[uint64(at - 2 * ENTRY + EVAL)]
        if before == UNKNOWN:
            before = work[uint64(at - 4 * ENTRY + EVAL)]
        improving = int64(before != UNKNOWN and static > before)
        officers = _has_officers(work, us)
        if not pv and not excluded:
            if depth <= 3 and value + 220 * depth + 100 < alpha:
                score = quiesce(
                    work, table, net, sums, links, stop, ply, int64(0), alpha, alpha + 1
                )
                if score <= alpha:
                    return score
            if (
                depth <= 8
                and value - 90 * (depth - improving) >= beta
                and beta > -MATED_IN
                and value < MATED_IN
            ):
                return (2 * value + beta) // 3 if value > beta else value
            if (
                depth >= 3
                and work[uint64(at - ENTRY + MOVE)]
                and value >= beta
                and static >= beta - 18 * depth + 120
                and officers
                and beta > -MATED_IN
            ):
                reduced = depth - (4 + depth // 4 + min((value - beta) // 180, int64(3)))
                _pass(work, ply)
                score = -search(
                    work,
                    table,
                    net,
                    sums,
                    links,
                    stop,
                    ply + 1,
                    reduced,
                    -beta,
                    1 - beta,
                    1 - cut,
                )
                work[TURN] = 1 - work[TURN]
                work[KEY] ^= TURN_KEY
                if work[STOPPED]:
                    return int64(0)
                if score >= beta:
                    return beta if score > MATED_IN else score
    if not remembered and depth >= 4 and (pv or cut):
        depth -= 1
    moves = MOVES + FRAME * ply
    scores = SCORES + 128 * ply
    if ply == 0:
        n = work[ROOT_COUNT]
        for i in range(n):
            work[uint64(moves + i)] = work[uint64(ROOT + i)]
            work[uint64(scores + i)] = -i
    else:
        n = generate(work, work, moves)
        if n == 0:
            return int64(ply - MATE)
        _rate(work, links, ply, n, remembered)
        if not pv and not checked and depth >= 5 and -MATED_IN < beta < MATED_IN and not excluded:
            goal = beta + 190 - 50 * improving
            if not (data and known_depth >= depth - 3 and known < goal):
                # a capture that is far too good already at less depth
                for i in range(n):
                    move = work[uint64(moves + i)]
                    if not work[uint64(BOARD + (move >> 7))] & PIECE:
                        continue
                    if not wins(work, move, goal - static):
                        continue
                    undo = _play(work, ply, move)
                    score = -quiesce(
                        work, table, net, sums, links, stop, ply + 1, int64(0), -goal, 1 - goal
                    )
                    if score >= goal:
                        score = -search(
                            work,
                            table,
                            net,
                            sums,
                            links,
                            stop,
                            ply + 1,
                            depth - 4,
                            -goal,
                            1 - goal,
                            1 - cut,
                        )
                    unmake(work, undo)
                    if work[STOPPED]:
                        return int64(0)
                    if score >= goal:
                        _remember(
                            work, table, key, move, score, static, depth - 3, int64(LOWER), ply
                        )
                        return score
    best = int64(-MATE)
    chosen = int64(0)
    old_alpha = alpha
    count, quiets, captures = int64(0), int64(0), int64(0)
    tried = TRIED + 128 * ply
    remembered_takes = remembered and work[uint64(BOARD + (remembered >> 7))] & PIECE
    row1 = links[work[uint64(at - ENTRY + ROW_OF)]]
    row2 = links[work[uint64(at - 2 * ENTRY + ROW_OF)]]
    i = int64(-1)
    while i + 1 < n:
        i += 1
        move = _next(work, ply, i, n)
        if move == excluded:
            continue
        t = move >> 7
        taken = work[uint64(BOARD + t)] & PIECE
        code = work[uint64(BOARD + (move & 127))] & PIECE
        place = code << 7 | t
        bad = int64(0)
        if taken and ply and move != remembered:
            if work[uint64(scores + i)] >= 1 << 29:
                if not wins(work, move, int64(0)):
                    # losing captures come after the quiet moves
                    work[uint64(scores + i)] -= 1 << 31
                    i -= 1
                    continue
            else:
                bad = int64(1)
        count += 1
        history = int64(0)
        if not taken:
            history = (
                work[uint64(PIECE_TO + place)]
                + work[uint64(FROM_TO + (us << 14 | move))]
                + 2 * int64(row1[place])
                + int64(row2[place])
            )
        reduction = work[uint64(REDUCTIONS + (min(depth, int64(63)) << 6 | min(count, int64(63))))]
        if ply and best > -MATED_IN:
            left = max(depth - 1 - (reduction >> 10), int64(0))
            if not taken:
                if not checked:
                    if count > (3 + depth * depth) >> (1 - improving):
                        continue
                    if left <= 4 and history < -3500 * depth:
                        continue
                    if (
                        left <= 7
                        and static + 110 + 95 * left + (history >> 7) <= alpha
                        and not _may_check(work, move, work[uint64(SLOT + 16 * (1 - us))])
                    ):
                        continue
                if left <= 8 and not wins(work, move, -22 * left * left - 10):
                    continue
            elif bad and depth <= 8 and not wins(work, move, -120 * depth):
                continue
        stretch = int64(0)
        if (
            ply
            and depth >= 7
            and move == remembered
            and not excluded
            and bound & LOWER
            and known_depth >= depth - 3
            and -MATED_IN < known < MATED_IN
            and ply < 2 * work[ROOT_DEPTH]
        ):
            target = known - 2 * depth
            work[uint64(at + EXCLUDED)] = move
            score = search(
                work,
                table,
                net,
                sums,
                links,
                stop,
                ply,
                (depth - 1) >> 1,
                target - 1,
                target,
                cut,
            )
            work[uint64(at + EXCLUDED)] = 0
            if work[STOPPED]:
                return int64(0)
            # that search used this ply's lists: make them anew, the remembered move first
            generate(work, work, moves)
            _rate(work, links, ply, n, remembered)
            _next(work, ply, i, n)
            if score < target:
                stretch = int64(1)
                if not pv and score < target - 30 and work[uint64(at + STRETCH)] < 6:
                    stretch = int64(2)
            elif target >= beta:
                return target
            elif known >= beta:
                stretch = int64(-2)
            elif cut:
                stretch = int64(-1)
        undo = _play(work, ply, move)
        gives = work[uint64(at + ENTRY + CHECKED)]
        if stretch == 0 and gives and ply < 2 * work[ROOT_DEPTH] and not bad:
            stretch = int64(1)
        if stretch == 2:
            work[uint64(at + ENTRY + STRETCH)] += 1
        new_depth = depth - 1 + stretch
        score = int64(0)
        full = True
        if depth >= 2 and count > 1 + pv + int64(ply == 0) and (not taken or bad or cut):
            r = reduction
            if not taken:
                r -= (history * 1024) // 14000
                if move == work[uint64(at + KILLER)]:
                    r -= 1024
                if remembered_takes:
                    r += 800
            if cut:
                r += 1400
            if pv:
                r -= 1024
            if not improving:
                r += 500
            if gives or checked:
                r -= 1024
            if work[uint64(at + ENTRY + CUTS)] > 3:
                r += 700
            reduced = min(max(new_depth - (r >> 10), int64(1)), new_depth)
            score = -search(
                work,
                table,
                net,
                sums,
                links,
                stop,
                ply + 1,
                reduced,
                -alpha - 1,
                -alpha,
                int64(cut | 1),
            )
            full = score > alpha and reduced < new_depth
            if full and score > best + 60 + 2 * new_depth:
                new_depth += int64(stretch < 1)
        elif pv and count == 1:
            full = False
        if full:
            score = -search(
                work,
                table,
                net,
                sums,
                links,
                stop,
                ply + 1,
                new_depth,
                -alpha - 1,
                -alpha,
                1 - cut,
            )
        if pv and (count == 1 or score > alpha):
            score = -search(
                work,
                table,
                net,
                sums,
                links,
                stop,
                ply + 1,
                new_depth,
                -beta,
                -alpha,
                cut - cut,
            )
        unmake(work, undo)
        if work[STOPPED]:
            return int64(0)
        if score > best:
            best = score
            if score > alpha:
                chosen = move
                if pv:
                    below = line + PLIES
                    work[uint64(line)] = move
                    j = int64(0)
                    while j < PLIES - 2 and work[uint64(below + j)]:
                        work[uint64(line + j + 1)] = work[uint64(below + j)]
                        j += 1
                    work[uint64(line + j + 1)] = 0
                if score >= beta:
                    break
                alpha = score
        if taken:
            if captures < 32:
                work[uint64(tried + 127 - captures)] = move
                captures += 1
        elif quiets < 64:
            work[uint64(tried + quiets)] = move
            quiets += 1
    if count == 0:
        return alpha if excluded else ply - MATE
    if best >= beta:
        work[uint64(at + CUTS)] += 1
        _learn(work, links, ply, chosen, depth + int64(best > beta + 80), quiets, captures)
    if not excluded:
        bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
        _remember(work, table, key, chosen, best, static, max(depth, int64(0)), int64(bound), ply)
    return best
