"""Self-play of 象棋 in one call: a whole game with the search of :mod:`ai.search.xiangqi.kernel`.

``self_play(work, table, net, sums, links, stop, nodes, most, random, records) -> n``
    Plays on from the root position, about ``nodes`` a move and ``most`` plies at most, and writes
    a row of ``records`` (int16[most, COLUMNS]) for each position that is not yet decided (columns:
    :mod:`ai.training.xiangqi.rows`). ``random`` int64[1] is the state of the generator, never 0.
    Now and then, early in the game, a move is drawn instead of chosen. A stopped game gives 0 rows.
"""

from __future__ import annotations

from numba import int64, uint64

from ai.search.xiangqi.kernel import _play, _returned, search
from ai.search.xiangqi.layout import (
    BEFORE,
    CHECKED,
    CHECKS,
    ENTRY,
    FRESH,
    KEYS,
    LINES,
    MATE,
    NATURES,
    NODE_LIMIT,
    NODES,
    PAST,
    QUIET,
    ROOT,
    ROOT_COUNT,
    ROOT_DEPTH,
    SPAN,
    STACK,
    STOPPED,
    UNDOS,
)
from ai.training.xiangqi.rows import BEST, CALM, PLY, RESULT, SIDE, VALUE
from qikit.bits import load_volatile
from qikit.jit import jit
from xiangqi.kernel import BOARD, PIECE, TURN, generate

DECIDED = 1800
"""A game that stands so for four plies is over."""
QUIET_PLIES = 70
"""A game without a capture for so long is drawn here."""


@jit(inline=True)
def _draw(random, below):
    x = random[0]
    x ^= x << 13
    x ^= x >> 7 & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    random[0] = x
    return (x >> 20 & 0xFFFFFFFF) % below


@jit()
def _step(work, move):
    """Play a move for good: the next ply becomes the root."""
    _play(work, int64(0), move)
    root = STACK + ENTRY * BEFORE
    for i in range(root, root + ENTRY):
        work[uint64(i)] = work[uint64(i + ENTRY)]
    work[root + FRESH] = 0
    work[root + FRESH + 1] = 0
    work[root + SPAN] = min(work[root + SPAN], int64(PAST - 1))
    for i in range(PAST + 1):
        work[uint64(KEYS + i)] = work[uint64(KEYS + i + 1)]
        work[uint64(CHECKS + i)] = work[uint64(CHECKS + i + 1)]
        work[uint64(UNDOS + i)] = work[uint64(UNDOS + i + 1)]
        work[uint64(NATURES + i)] = work[uint64(NATURES + i + 1)]


@jit(
    "int64(int64[::1],int64[::1],int16[:,::1],int16[:,::1],int16[:,::1],int64[::1],"
    "int64,int64,int64[::1],int16[:,::1])"
)
def self_play(work, table, net, sums, links, stop, nodes, most, random, records):
    rows = int64(0)
    decided = int64(0)
    winner = int64(2)
    zero = int64(0)
    root = STACK + ENTRY * BEFORE
    for ply in range(most):
        if load_volatile(stop):
            return int64(0)
        us = work[TURN]
        back = _returned(work, zero)
        if back or work[root + QUIET] >= QUIET_PLIES:
            if back > 1:
                winner = us if back == 2 else 1 - us
            break
        n = generate(work, work, ROOT)
        if n == 0:
            winner = 1 - us
            break
        if ply < 24 and ply > 0 and _draw(random, int64(10)) == 0:
            _step(work, work[uint64(ROOT + _draw(random, n))])
            continue
        work[ROOT_COUNT] = n
        work[NODES] = 0
        work[NODE_LIMIT] = 8 * nodes
        work[STOPPED] = 0
        score = zero
        best = work[ROOT]
        for depth in range(1, 40):
            work[ROOT_DEPTH] = depth
            value = search(
                work,
                table,
                net,
                sums,
                links,
                stop,
                zero,
                int64(depth),
                int64(-MATE),
                int64(MATE),
                zero,
            )
            if work[STOPPED]:
                break
            score = value
            best = work[LINES]
            for i in range(n):  # the best move first, the others as they were
                if work[uint64(ROOT + i)] == best:
                    for j in range(i, 0, -1):
                        work[uint64(ROOT + j)] = work[uint64(ROOT + j - 1)]
                    work[ROOT] = best
                    break
            if work[NODES] >= nodes or abs(score) > MATE - 256:
                break
        if load_volatile(stop):
            return int64(0)
        quiet = not work[uint64(BOARD + (best >> 7))] & PIECE
        if abs(score) < DECIDED and rows < records.shape[0]:
            row = records[rows]
            for sq in range(SIDE):
                row[sq] = work[uint64(BOARD + sq)] & PIECE
            row[SIDE] = us
            row[VALUE] = score
            row[PLY] = ply
            row[BEST] = best
            row[CALM] = quiet and not work[root + CHECKED]
            rows += 1
        decided = decided + 1 if abs(score) >= DECIDED else zero
        if decided >= 4:
            winner = us if score > 0 else 1 - us
            break
        _step(work, best)
    for i in range(rows):
        row = records[i]
        row[RESULT] = 0 if winner == 2 else 1 if winner == row[SIDE] else -1
    return rows
