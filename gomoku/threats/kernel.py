"""Kernels of the threat searches: wins by fours (VCF), wins by fours and threes (VCT).

A win by fours is a walk, not a fight: every reply is forced, so the search only asks which
positions can be reached. Stones are never taken away, so a position tells how many moves led to
it, and no position needs to be entered twice. Wins by threats are an and-or tree, searched by
proof numbers (df-pn); stones are never taken away, so it has no cycles.
"""

from numba import int64

from gomoku.geometry import (
    BLACK,
    BROKEN_THREE,
    EMPTY_CELL,
    FIVE,
    FOUR,
    KEY,
    KINDS,
    LINE_OF,
    MARGIN,
    RENJU,
    SET_WORDS,
    SETS,
    SIZE,
    SUMS,
    THREE,
    TWO,
    WHITE,
    WIN_FOUR,
    WORDS,
    ZOBRIST,
)
from gomoku.kernel import _counter, _forbidden, _put, _stone_at, _take
from gomoku.threats.layout import (
    ABORTED,
    BEST,
    DEFENCES,
    FIRST_ONLY,
    FOUND,
    FOUR_NODES,
    INFINITE,
    LIMIT,
    MOST_MOVES,
    NODE_LIMIT,
    NODES,
    PATH,
    SALT,
    TABLE_MASK,
    THREAT_DEPTH,
    VCT_ABORTED,
    VCT_LIMIT,
    VCT_MASK,
    VCT_NODE_LIMIT,
    VCT_NODES,
    VCT_SALT,
)
from qikit.bits import ctz, load_volatile, popcount
from qikit.jit import jit


@jit(inline=True)
def _set_size(s, kind, color):
    start = SETS + (KINDS * color + kind) * SET_WORDS
    n = int64(0)
    for i in range(SET_WORDS):
        n += popcount(s[start + i])
    return n


@jit(inline=True)
def _set_first(s, kind, color):
    """Lowest point of a set, or -1."""
    start = SETS + (KINDS * color + kind) * SET_WORDS
    for i in range(SET_WORDS):
        bits = s[start + i]
        if bits:
            return int64(64 * i + ctz(bits))
    return int64(-1)


@jit(inline=True)
def _set_word(s, kind, color, i):
    return s[SETS + (KINDS * color + kind) * SET_WORDS + i]


# --- wins by fours -----------------------------------------------------------------------------


@jit()
def _record(w, depth, p):
    """Keep the path with ``p`` as its last attack; only shorter wins are looked for from now on."""
    w[PATH + 2 * depth] = p
    for i in range(2 * depth + 1):
        w[FOUND + i] = w[PATH + i]
    w[BEST] = depth + 1
    w[LIMIT] = depth


@jit()
def _wins_outright(s, t, k, p, color, renju_black):
    """Whether the four on ``p`` has two ways to become five (and is legal)."""
    sums = s[SUMS + p]
    if renju_black:
        return _counter(sums, color, WIN_FOUR) == 1 and _forbidden(s, t, k, p) == 0
    return _counter(sums, color, WIN_FOUR) != 0 or _counter(sums, color, FOUR) >= 2


@jit()
def _vcf(s, t, k, w, seen, stop, color, depth):
    """Search wins by fours of ``color``, to move, ``depth`` attacks having been made."""
    if depth >= w[LIMIT]:
        return int64(0)
    w[NODES] += 1
    if w[NODES] > w[NODE_LIMIT] or (w[NODES] & 1023 == 0 and load_volatile(stop)):
        w[ABORTED] = 1
        return int64(0)
    p = _set_first(s, FIVE, color)
    if p >= 0:
        _record(w, depth, p)
        return int64(1)
    enemy = 1 - color
    forced = int64(-1)
    threats = _set_size(s, FIVE, enemy)
    if threats:
        if threats > 1:
            return int64(0)
        forced = _set_first(s, FIVE, enemy)
    renju = s[RENJU] != 0
    renju_black = renju and color == BLACK
    for i in range(SET_WORDS):
        bits = _set_word(s, FOUR, color, i)
        while bits:
            p = int64(64 * i + ctz(bits))
            bits &= bits - 1
            if (forced < 0 or p == forced) and _wins_outright(s, t, k, p, color, renju_black):
                _record(w, depth, p)
                return int64(1)
    renju_white = renju and color == WHITE
    if depth + 1 >= w[LIMIT] and not renju_white:
        return int64(0)
    found = int64(0)
    for i in range(SET_WORDS):
        bits = _set_word(s, FOUR, color, i)
        while bits:
            p = int64(64 * i + ctz(bits))
            bits &= bits - 1
            if forced >= 0 and p != forced:
                continue
            if renju_black and _forbidden(s, t, k, p) != 0:
                continue
            _put(s, t, k, p, color)
            e = _set_first(s, FIVE, color)
            if renju_white and _forbidden(s, t, k, e) != 0:
                _record(w, depth, p)
                found = int64(1)
            elif depth + 1 < w[LIMIT]:
                key = s[KEY] ^ k[ZOBRIST + 2 * e + enemy] ^ w[SALT]
                slot = key & w[TABLE_MASK]
                if seen[slot] != key:
                    seen[slot] = key
                    w[PATH + 2 * depth] = p
                    w[PATH + 2 * depth + 1] = e
                    _put(s, t, k, e, enemy)
                    found |= _vcf(s, t, k, w, seen, stop, color, depth + 1)
                    _take(s, t, k, e, enemy)
            _take(s, t, k, p, color)
            if w[ABORTED] or (found and w[FIRST_ONLY]):
                return found
    return found


@jit("int64(int64[::1], uint8[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64)")
def vcf(s, t, k, w, seen, stop, color):
    """Search a win by fours of ``color``, to move; the line is left in ``w``. 1 = found."""
    return _vcf(s, t, k, w, seen, stop, color, int64(0))


# --- wins by threats ---------------------------------------------------------------------------

ATTACKER_WINS, DEFENDER_HOLDS = -1, -2


@jit()
def _short_vcf(s, t, k, w, seen, stop, color, limit, nodes):
    """Search a win by fours inside a larger search: any win of at most ``limit`` attacks."""
    w[NODES] = 0
    w[NODE_LIMIT] = nodes
    w[LIMIT] = limit
    w[BEST] = 0
    w[FIRST_ONLY] = 1
    w[ABORTED] = 0
    w[SALT] = w[SALT] * 6364136223846793005 + 1442695040888963407
    return _vcf(s, t, k, w, seen, stop, color, int64(0))


@jit()
def _attacks(s, t, k, w, seen, stop, color, depth, moves, base):
    """Attacking moves of a position, or how it is settled.

    A move attacks if it makes a four, or if its side, moving again at once, would have a win by
    fours of at most ``THREAT_DEPTH`` attacks. Fours come first.
    """
    left = w[VCT_LIMIT] - depth
    if left <= 0:
        return int64(DEFENDER_HOLDS)
    enemy = 1 - color
    threats = _set_size(s, FIVE, enemy)
    if threats > 1 and _set_first(s, FIVE, color) < 0:
        return int64(DEFENDER_HOLDS)
    if _short_vcf(s, t, k, w, seen, stop, color, left, w[FOUR_NODES]):
        return int64(ATTACKER_WINS)
    forced = _set_first(s, FIVE, enemy)
    renju_black = s[RENJU] != 0 and color == BLACK
    n = int64(0)
    for quiet in range(2):
        for i in range(SET_WORDS):
            four_bits = _set_word(s, FOUR, color, i)
            bits = four_bits
            if quiet:
                bits = _set_word(s, THREE, color, i) | _set_word(s, BROKEN_THREE, color, i)
                if w[THREAT_DEPTH] > 1:
                    bits |= _set_word(s, TWO, color, i)
                bits &= ~four_bits
            if forced >= 0:
                # a four of the enemy leaves one point; it need not have any shape of ours
                bits = int64(0)
                if forced >> 6 == i:
                    bit = int64(1) << (forced & 63)
                    bits = bit & ~four_bits if quiet else bit & four_bits
            while bits:
                p = int64(64 * i + ctz(bits))
                bits &= bits - 1
                if n >= MOST_MOVES - 1:
                    break
                if renju_black and _forbidden(s, t, k, p) != 0:
                    continue
                if quiet:
                    _put(s, t, k, p, color)
                    threat = _short_vcf(
                        s, t, k, w, seen, stop, color, w[THREAT_DEPTH], w[FOUR_NODES]
                    )
                    _take(s, t, k, p, color)
                    if not threat:
                        continue
                moves[base + n] = p
                n += 1
    return n if n else int64(DEFENDER_HOLDS)


@jit()
def _mark_lines(s, k, w, p):
    """Mark all points of the four lines through ``p`` within five steps."""
    size = s[SIZE]
    for d in range(4):
        delta = int64(1)
        if d == 1:
            delta = size
        elif d == 2:
            delta = size + 1
        elif d == 3:
            delta = size - 1
        word = s[WORDS + k[LINE_OF + 8 * p + d]]
        for side in range(2):
            step = 1 - 2 * side
            i = k[LINE_OF + 8 * p + 4 + d]
            q = p
            for _ in range(MARGIN):
                i += step
                q += step * delta
                if (word >> (2 * (i + MARGIN))) & 3 == 3:
                    break
                w[DEFENCES + (q >> 6)] |= int64(1) << (q & 63)
    w[DEFENCES + (p >> 6)] |= int64(1) << (p & 63)


@jit()
def _mark_defences(s, t, k, w, color):
    """Mark every reply that might refute the line of fours of ``color`` that stands in ``w``.

    A stone elsewhere changes no five, four or reply of the line, makes no four itself, and so
    leaves the line as good as it was. Where the line leans on a 三三 verdict, whose recursion may
    reach far, all points are marked.
    """
    enemy = 1 - color
    renju = s[RENJU] != 0
    for i in range(SET_WORDS):
        w[DEFENCES + i] = _set_word(s, FOUR, enemy, i) | _set_word(s, FIVE, enemy, i)
    attacks = w[BEST]
    everywhere = False
    for j in range(attacks):
        p = w[FOUND + 2 * j]
        if renju and color == BLACK and _counter(s[SUMS + p], BLACK, THREE) >= 2:
            everywhere = True
        _mark_lines(s, k, w, p)
        _put(s, t, k, p, color)
        if j + 1 < attacks:
            e = w[FOUND + 2 * j + 1]
            _mark_lines(s, k, w, e)
            _put(s, t, k, e, enemy)
        elif renju and color == WHITE and _set_size(s, FIVE, color) == 1:
            e = _set_first(s, FIVE, color)
            _mark_lines(s, k, w, e)
            if _counter(s[SUMS + e], BLACK, THREE) >= 2:
                everywhere = True
    for j in range(attacks - 1, -1, -1):
        if j + 1 < attacks:
            _take(s, t, k, w[FOUND + 2 * j + 1], enemy)
        _take(s, t, k, w[FOUND + 2 * j], color)
    points = s[SIZE] * s[SIZE]
    for q in range(points):
        bit = int64(1) << (q & 63)
        if _stone_at(s, k, int64(q)) != EMPTY_CELL:
            w[DEFENCES + (q >> 6)] &= ~bit
        elif everywhere:
            w[DEFENCES + (q >> 6)] |= bit


@jit()
def _defences(s, t, k, w, seen, stop, color, depth, moves, base):
    """Replies to an attack of ``color`` that do not lose at once, or how it is settled."""
    enemy = 1 - color
    renju_black = s[RENJU] != 0 and enemy == BLACK
    completions = _set_size(s, FIVE, color)
    if completions:
        e = _set_first(s, FIVE, color)
        if completions > 1 or (renju_black and _forbidden(s, t, k, e) != 0):
            return int64(ATTACKER_WINS)
        moves[base] = e
        return int64(1)
    limit = min(w[THREAT_DEPTH], w[VCT_LIMIT] - depth)
    if limit <= 0 or not _short_vcf(s, t, k, w, seen, stop, color, limit, w[FOUR_NODES]):
        return int64(DEFENDER_HOLDS)
    _mark_defences(s, t, k, w, color)
    n = int64(0)
    for i in range(SET_WORDS):
        bits = w[DEFENCES + i]
        while bits:
            q = int64(64 * i + ctz(bits))
            bits &= bits - 1
            if renju_black and _forbidden(s, t, k, q) != 0:
                continue
            _put(s, t, k, q, enemy)
            lost = _set_size(s, FIVE, enemy) == 0 and _short_vcf(
                s, t, k, w, seen, stop, color, limit, w[FOUR_NODES]
            )
            _take(s, t, k, q, enemy)
            if not lost and n < MOST_MOVES - 1:
                moves[base + n] = q
                n += 1
    return n if n else int64(ATTACKER_WINS)


@jit(inline=True)
def _slot(w, table, key):
    """Place of a position in the table: where it is, or the less worked-on of two places."""
    first = 3 * (key & w[VCT_MASK])
    if table[first] == key:
        return first
    second = 3 * ((key ^ 1) & w[VCT_MASK])
    if table[second] == key:
        return second
    return first if table[first + 2] <= table[second + 2] else second


@jit()
def _prove(s, t, k, w, seen, table, moves, stop, color, attacking, depth, phi_limit, delta_limit):
    """df-pn. ``phi`` of a node: work to win it for the side to move there; ``delta``: to lose it.

    Returns nothing: the numbers of the node stand in the table when it comes back.
    """
    mover = color if attacking else 1 - color
    key = s[KEY] ^ w[VCT_SALT] ^ attacking
    w[VCT_NODES] += 1
    start = w[VCT_NODES]
    base = MOST_MOVES * (2 * depth + 1 - attacking)
    if attacking:
        n = _attacks(s, t, k, w, seen, stop, color, depth, moves, base)
    else:
        n = _defences(s, t, k, w, seen, stop, color, depth, moves, base)
    phi = int64(0)
    delta = int64(INFINITE)
    if n < 0:
        if (n == ATTACKER_WINS) != (attacking == 1):
            phi = int64(INFINITE)
            delta = int64(0)
        slot = _slot(w, table, key)
        table[slot] = key
        table[slot + 1] = (phi << 32) | delta
        table[slot + 2] = 1
        return
    while True:
        best = int64(-1)
        best_phi = int64(0)
        phi = int64(INFINITE)
        second = int64(INFINITE)
        delta = int64(0)
        for i in range(n):
            p = moves[base + i]
            child = s[KEY] ^ k[ZOBRIST + 2 * p + mover] ^ w[VCT_SALT] ^ (1 - attacking)
            slot = _slot(w, table, child)
            child_phi = int64(1)
            child_delta = int64(1)
            if table[slot] == child:
                child_phi = table[slot + 1] >> 32
                child_delta = table[slot + 1] & 0xFFFFFFFF
            if child_delta < phi:
                second = phi
                phi = child_delta
                best = p
                best_phi = child_phi
            elif child_delta < second:
                second = child_delta
            delta = min(delta + child_phi, int64(INFINITE))
        if w[VCT_NODES] > w[VCT_NODE_LIMIT] or load_volatile(stop):
            w[VCT_ABORTED] = 1
        if phi >= phi_limit or delta >= delta_limit or w[VCT_ABORTED] or phi == 0:
            break
        child_phi_limit = delta_limit + best_phi - delta
        child_delta_limit = min(phi_limit, second + 1 + (second >> 2))
        _put(s, t, k, best, mover)
        _prove(
            s,
            t,
            k,
            w,
            seen,
            table,
            moves,
            stop,
            color,
            1 - attacking,
            depth + attacking,
            child_phi_limit,
            child_delta_limit,
        )
        _take(s, t, k, best, mover)
    slot = _slot(w, table, key)
    table[slot] = key
    table[slot + 1] = (phi << 32) | delta
    table[slot + 2] = w[VCT_NODES] - start + 1


@jit(
    "int64(int64[::1], uint8[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int64, int64)"
)
def vct(s, t, k, w, seen, table, moves, stop, color, depth):
    """Try to prove a win of ``color``, to move, after ``depth`` attacks.

    1 proved, 0 disproved in the class of moves that the work array names, -1 given up.
    """
    w[VCT_ABORTED] = 0
    _prove(
        s,
        t,
        k,
        w,
        seen,
        table,
        moves,
        stop,
        color,
        int64(1),
        depth,
        int64(INFINITE),
        int64(INFINITE),
    )
    return _verdict(s, w, table, s[KEY] ^ w[VCT_SALT] ^ 1)


@jit()
def _verdict(s, w, table, key):
    slot = _slot(w, table, key)
    if table[slot] == key:
        phi = table[slot + 1] >> 32
        delta = table[slot + 1] & 0xFFFFFFFF
        if phi == 0:
            return int64(1)
        if delta == 0:
            return int64(0)
    return int64(-1)


@jit(
    "int64(int64[::1], uint8[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64, int64)"
)
def attacks(s, t, k, w, seen, moves, stop, color, depth):
    """Attacking moves of a position (see ``_attacks``), left in ``moves``."""
    return _attacks(s, t, k, w, seen, stop, color, depth, moves, int64(0))


@jit(
    "int64(int64[::1], uint8[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64, int64)"
)
def defences(s, t, k, w, seen, moves, stop, color, depth):
    """Replies to an attack of ``color`` (see ``_defences``), left in ``moves``."""
    return _defences(s, t, k, w, seen, stop, color, depth, moves, int64(0))


@jit("void(int64[::1], uint8[::1], int64[::1], int64[::1], int64)")
def mark_defences(s, t, k, w, color):
    """Points that might refute the line of fours in ``w``, left there as a bit set."""
    _mark_defences(s, t, k, w, color)


@jit("int64(int64[::1], int64[::1], int64[::1], int64)")
def refuted(s, w, table, key):
    """Whether the table says that the side to move in the position ``key`` has lost: 1 yes."""
    slot = _slot(w, table, key)
    return int64(table[slot] == key and table[slot + 1] & 0xFFFFFFFF == 0)
