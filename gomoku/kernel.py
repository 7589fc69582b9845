"""Kernels of 五子棋: line patterns kept up to date, 禁手, counts, and the threat searches.

``s`` is the state of a board, ``t`` the pattern table of its rule, ``k`` the constants of its size
(layout in :mod:`gomoku.geometry`). A stone is put and taken by the same function, last in first
out: the counters of an occupied point stay as they were when it was filled.
"""

from numba import int64, uint64

from gomoku.geometry import (
    BLACK,
    BLACK_CELL,
    COUNT,
    COUNTERS,
    EMPTY_CELL,
    FIVE,
    FOUR,
    KEY,
    KINDS,
    LINE_OF,
    MARGIN,
    OVERLINE,
    PATTERN_KEYS,
    RENJU,
    SET_WORDS,
    SETS,
    SIZE,
    SUMS,
    THREE,
    VALUE,
    WEIGHTS,
    WORDS,
    ZOBRIST,
)
from qikit.bits import ctz
from qikit.jit import jit

NIBBLES = 0x11111111111111
"""The lowest bit of each of the 14 counters of a point."""

P_OVERLINE, P_ONE_CLOSED, P_ONE_OPEN, P_TWO_CLOSED, P_TWO_OPEN = 1, 2, 3, 4, 5
P_THREE_CLOSED, P_THREE_OPEN, P_FOUR, P_STRAIGHT, P_DOUBLE, P_FIVE = 6, 7, 8, 9, 10, 11


# --- patterns --------------------------------------------------------------------------------


@jit(inline=True)
def _cell(key, i):
    """Cell ``i`` (-5..5 without 0) of a neighbourhood."""
    place = i + MARGIN if i < 0 else i + MARGIN - 1
    return (key >> (2 * place)) & 3


@jit(inline=True)
def _fill(key, i, own):
    place = i + MARGIN if i < 0 else i + MARGIN - 1
    return key | (own << (2 * place))


@jit()
def _classify(t, key, own, win, forbidden):
    """Pattern of a stone of cell code ``own`` in the middle; keys with more stones are known."""
    shift = 4 * (own - 1)
    left = 0
    while left < MARGIN and _cell(key, -left - 1) == own:
        left += 1
    right = 0
    while right < MARGIN and _cell(key, right + 1) == own:
        right += 1
    run = left + right + 1
    if run >= 6:
        if win == 0 or win == 3:
            return P_FIVE
        return P_OVERLINE if forbidden else 0
    if run == 5:
        enemy = 3 - own
        closed = _cell(key, -left - 1) == enemy and _cell(key, right + 1) == enemy
        return 0 if closed and win >= 2 else P_FIVE
    completions = 0
    for end in (-left - 1, right + 1):
        if _cell(key, end) == 0 and (t[_fill(key, end, own)] >> shift) & 15 == P_FIVE:
            completions += 1
    if completions == 2:
        return P_STRAIGHT if run == 4 else P_DOUBLE
    if completions == 1:
        return P_FOUR
    best = 0
    for i in range(-MARGIN, MARGIN + 1):
        if i == 0 or _cell(key, i) != 0:
            continue
        then = int64((t[_fill(key, i, own)] >> shift) & 15)
        rank = 0
        if then == P_STRAIGHT or (then == P_DOUBLE and not forbidden):
            rank = P_THREE_OPEN
        elif then in (P_FOUR, P_DOUBLE):
            rank = P_THREE_CLOSED
        elif P_ONE_OPEN < then <= P_THREE_OPEN:
            rank = then - 2
        elif then in (P_ONE_CLOSED, P_ONE_OPEN):
            rank = then
        best = max(best, rank)
    return best


@jit("void(uint8[::1], int64, int64, int64)")
def build_patterns(t, win_black, win_white, forbidden):
    """Fill the table: a neighbourhood with a stone more has a larger key, so count down."""
    for key in range(PATTERN_KEYS - 1, -1, -1):
        valid = True
        for i in range(1, MARGIN):
            if _cell(key, i) == 3 and _cell(key, i + 1) != 3:
                valid = False
            if _cell(key, -i) == 3 and _cell(key, -i - 1) != 3:
                valid = False
        if valid:
            black = _classify(t, int64(key), 1, win_black, forbidden)
            white = _classify(t, int64(key), 2, win_white, 0)
            t[key] = black | (white << 4)


# --- putting and taking stones -----------------------------------------------------------------


@jit(inline=True)
def _key(word, place):
    """Neighbourhood of a cell of a line: the five cells on either side of it."""
    near = word >> (2 * place)
    return (near & 0x3FF) | ((near >> 2) & 0xFFC00)


@jit(inline=True)
def _toggle(s, q, before, after):
    """Move a point between the point sets when one of its counters becomes or leaves zero."""
    a = (before | (before >> 1) | (before >> 2) | (before >> 3)) & NIBBLES
    b = (after | (after >> 1) | (after >> 2) | (after >> 3)) & NIBBLES
    change = a ^ b
    bit = int64(1) << (q & 63)
    word = SETS + (q >> 6)
    while change:
        s[uint64(word + (ctz(change) >> 2) * SET_WORDS)] ^= bit
        change &= change - 1


@jit(inline=True)
def _renew(s, t, k, q, key, flipped):
    """Renew an empty point whose neighbourhood on a line changes; returns the change of worth."""
    a = int64(t[uint64(key)])
    b = int64(t[uint64(flipped)])
    if a == b:
        return int64(0)
    before = s[uint64(SUMS + q)]
    after = before - k[uint64(COUNTERS + a)] + k[uint64(COUNTERS + b)]
    s[uint64(SUMS + q)] = after
    _toggle(s, q, before, after)
    return k[uint64(WEIGHTS + b)] - k[uint64(WEIGHTS + a)]


@jit(inline=True)
def _direction(s, t, k, p, d, stone, delta):
    """Flip a stone in one line word and renew the points round it on that line."""
    line = WORDS + k[uint64(LINE_OF + 8 * p + d)]
    place = k[uint64(LINE_OF + 8 * p + 4 + d)]
    old = s[uint64(line)]
    s[uint64(line)] = old ^ (stone << (2 * (place + MARGIN)))
    # the shapes that were possible on the point itself leave the evaluation, or come back
    own = k[uint64(WEIGHTS + int64(t[uint64(_key(old, place))]))]
    value = own if (old >> (2 * (place + MARGIN))) & 3 else -own
    # beyond an edge, or beyond stones of both colours, nothing can change
    seen = int64(0)
    for j in range(1, MARGIN + 1):
        i = place + j
        cell = (old >> (2 * (i + MARGIN))) & 3
        if cell == EMPTY_CELL:
            key = _key(old, i)
            value += _renew(s, t, k, p + j * delta, key, key ^ (stone << (2 * (MARGIN - j))))
        else:
            seen |= cell
            if seen == 3:
                break
    seen = int64(0)
    for j in range(1, MARGIN + 1):
        i = place - j
        cell = (old >> (2 * (i + MARGIN))) & 3
        if cell == EMPTY_CELL:
            key = _key(old, i)
            value += _renew(s, t, k, p - j * delta, key, key ^ (stone << (2 * (MARGIN + j - 1))))
        else:
            seen |= cell
            if seen == 3:
                break
    return value


@jit()
def _flip(s, t, k, p, color):
    size = s[SIZE]
    stone = color + 1
    _toggle(s, p, s[uint64(SUMS + p)], int64(0))
    value = _direction(s, t, k, p, 0, stone, int64(1))
    value += _direction(s, t, k, p, 1, stone, size)
    value += _direction(s, t, k, p, 2, stone, size + 1)
    value += _direction(s, t, k, p, 3, stone, size - 1)
    s[VALUE] += value
    s[KEY] ^= k[uint64(ZOBRIST + 2 * p + color)]


@jit(inline=True)
def _put(s, t, k, p, color):
    _flip(s, t, k, p, color)
    s[COUNT] += 1


@jit(inline=True)
def _take(s, t, k, p, color):
    _flip(s, t, k, p, color)
    s[COUNT] -= 1


@jit(inline=True)
def _stone_at(s, k, p):
    """Cell code of a point."""
    return (
        s[uint64(WORDS + k[uint64(LINE_OF + 8 * p)])]
        >> (2 * (k[uint64(LINE_OF + 8 * p + 4)] + MARGIN))
    ) & 3


@jit("void(int64[::1], uint8[::1], int64[::1])")
def reset(s, t, k):
    """Counters and point sets of the empty board; ``s`` holds its line words and its size."""
    size = s[SIZE]
    for q in range(size * size):
        for d in range(4):
            key = _key(s[WORDS + k[LINE_OF + 8 * q + d]], k[LINE_OF + 8 * q + 4 + d])
            pattern = int64(t[key])
            s[SUMS + q] += k[COUNTERS + pattern]
            s[VALUE] += k[WEIGHTS + pattern]
        _toggle(s, q, int64(0), s[SUMS + q])


@jit("void(int64[::1], uint8[::1], int64[::1], int64, int64)")
def put(s, t, k, p, color):
    """Put a stone on an empty point."""
    _put(s, t, k, p, color)


@jit("void(int64[::1], uint8[::1], int64[::1], int64, int64)")
def take(s, t, k, p, color):
    """Take the stone that was put last."""
    _take(s, t, k, p, color)


@jit("int64(int64[::1], uint8[::1], int64[::1], int64[::1], int64)")
def churn(s, t, k, moves, rounds):
    """Put and take a list of stones again and again (the make/unmake benchmark)."""
    n = moves.shape[0]
    total = int64(0)
    for _ in range(rounds):
        for i in range(n):
            _put(s, t, k, moves[i], int64(i & 1))
        total += s[VALUE]
        for i in range(n - 1, -1, -1):
            _take(s, t, k, moves[i], int64(i & 1))
    return total


# --- 禁手 --------------------------------------------------------------------------------------


@jit(inline=True)
def _counter(sums, color, kind):
    return (sums >> (4 * (KINDS * color + kind))) & 15


@jit(inline=True)
def _pattern(s, t, k, p, d, color):
    key = _key(s[WORDS + k[LINE_OF + 8 * p + d]], k[LINE_OF + 8 * p + 4 + d])
    return (int64(t[key]) >> (4 * color)) & 15


@jit()
def _eye(s, t, k, p, d, step):
    """Point that makes a straight four with black's stone on ``p``, on one side; or -1."""
    size = s[SIZE]
    delta = int64(1)
    if d == 1:
        delta = size
    elif d == 2:
        delta = size + 1
    elif d == 3:
        delta = size - 1
    word = s[WORDS + k[LINE_OF + 8 * p + d]]
    i = k[LINE_OF + 8 * p + 4 + d]
    e = p
    for _ in range(4):
        i += step
        e += step * delta
        cell = (word >> (2 * (i + MARGIN))) & 3
        if cell == BLACK_CELL:
            continue
        if cell == EMPTY_CELL and _pattern(s, t, k, e, d, BLACK) == P_STRAIGHT:
            return e
        break
    return int64(-1)


@jit()
def _forbidden(s, t, k, p):
    """0 legal, 1 长连, 2 四四, 3 三三: the first rule that stops black on an empty point.

    A three is real if a stone on its eye makes a straight four, no five, and is not itself
    forbidden on the board that already holds ``p``; so the function calls itself.
    """
    sums = s[SUMS + p]
    if _counter(sums, BLACK, FIVE):
        return int64(0)
    if _counter(sums, BLACK, OVERLINE):
        return int64(1)
    if _counter(sums, BLACK, FOUR) >= 2:
        return int64(2)
    left = _counter(sums, BLACK, THREE)
    if left < 2:
        return int64(0)
    lines = int64(0)
    for d in range(4):
        if _pattern(s, t, k, p, d, BLACK) == P_THREE_OPEN:
            lines |= int64(1) << d
    threes = int64(0)
    _put(s, t, k, p, int64(BLACK))
    for d in range(4):
        if not (lines >> d) & 1:
            continue
        if threes >= 2 or threes + left < 2:
            break
        left -= 1
        for side in range(2):
            e = _eye(s, t, k, p, int64(d), int64(1 - 2 * side))
            if e < 0 or _counter(s[SUMS + e], BLACK, FIVE):
                continue
            if _forbidden(s, t, k, e) == 0:
                threes += 1
                break
    _take(s, t, k, p, int64(BLACK))
    return int64(3) if threes >= 2 else int64(0)


@jit("int64(int64[::1], uint8[::1], int64[::1], int64)")
def forbidden(s, t, k, p):
    """First rule that forbids black the empty point ``p``: 0 none, 1 长连, 2 四四, 3 三三."""
    return _forbidden(s, t, k, p)


@jit("int64(int64[::1], uint8[::1], int64[::1], int64, int64, int64)")
def eye(s, t, k, p, d, step):
    """Eye, on one side (``step`` 1 or -1), of the three through black's stone ``p``; or -1."""
    return _eye(s, t, k, p, d, step)


@jit("int64(int64[::1], uint8[::1], int64[::1], int64, int64, int64)")
def pattern(s, t, k, p, d, color):
    """Pattern of a stone of ``color`` on ``p`` in direction ``d``."""
    return _pattern(s, t, k, p, d, color)


@jit("int64(int64[::1], uint8[::1], int64[::1], int64[::1])")
def forbidden_points(s, t, k, out):
    """Count the points forbidden to black; ``out`` gets ``4 * point + reason`` of each."""
    size = s[SIZE]
    n = int64(0)
    for p in range(size * size):
        if _stone_at(s, k, p) == EMPTY_CELL:
            reason = _forbidden(s, t, k, int64(p))
            if reason:
                out[n] = 4 * p + reason
                n += 1
    return n


@jit("void(int64[::1], uint8[::1], int64[::1], int64[::1])")
def worth(s, t, k, out):
    """Worth of every empty point: ``out[2 * point + color]``, 0 for occupied points."""
    size = s[SIZE]
    for p in range(size * size):
        black = int64(0)
        white = int64(0)
        if _stone_at(s, k, p) == EMPTY_CELL:
            for d in range(4):
                key = _key(s[WORDS + k[LINE_OF + 8 * p + d]], k[LINE_OF + 8 * p + 4 + d])
                pattern = int64(t[key])
                black += k[WEIGHTS + (pattern & 15)]
                white -= k[WEIGHTS + (pattern & 240)]
        out[2 * p] = black
        out[2 * p + 1] = white


# --- counts ------------------------------------------------------------------------------------


@jit()
def _perft(s, t, k, color, depth):
    """Move sequences of ``depth`` plies; a game that ends sooner counts where it is that long."""
    points = s[SIZE] * s[SIZE]
    renju = s[RENJU] != 0 and color == BLACK
    if depth == 1 and not renju:
        return points - s[COUNT]
    total = int64(0)
    for p in range(points):
        q = int64(p)
        if _stone_at(s, k, q) != EMPTY_CELL:
            continue
        if renju and _forbidden(s, t, k, q):
            continue
        if depth == 1:
            total += 1
        elif _counter(s[SUMS + q], color, FIVE) == 0:
            _put(s, t, k, q, color)
            total += _perft(s, t, k, 1 - color, depth - 1)
            _take(s, t, k, q, color)
    return total


@jit("int64(int64[::1], uint8[::1], int64[::1], int64, int64)")
def perft(s, t, k, color, depth):
    """Legal move sequences of exactly ``depth`` >= 1 plies from a game that is not over."""
    return _perft(s, t, k, color, depth)
