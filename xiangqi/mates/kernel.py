"""Mates against every defence, quiet moves included: an exact search bounded by own moves.

``mates(state, most, barred, moves, ply, tally, table, answers, stop) -> move``
    First move with which the side to move leaves the other one without a move, by mate or
    stalemate (困毙), within ``most`` own moves whatever it answers; 0 where there is none; -1 where
    the nodes ran out, a frame is missing, or ``stop`` was set. The state is left as it was. The
    first move may not be ``barred`` (0 = every move may be).

    ``moves`` int64[FRAME * PLIES], ``ply`` 0; ``tally`` int64[2]: nodes used and allowed;
    ``table`` int64[2 ** k, 2], to be zeroed for a new attacker only; ``answers`` int64[64], what
    refuted last at each ply; ``stop`` a StopFlag's array.

Nothing is left out: both sides have all their legal moves. Along a shortest mate the distance
falls with every move, so no position of it repeats, and no rule on repetition can spoil it.
"""

from numba import int64

from qikit.bits import load_volatile
from qikit.jit import jit
from xiangqi.kernel import (
    FRAME,
    KEY,
    TURN,
    count,
    generate,
    in_check,
    is_legal,
    make,
    unmake,
)
from xiangqi.tables import TURN_KEY

MOST = 20
"""Own moves that fit a table's word and the frames."""
PLIES = 2 * MOST + 3
MOVE = (1 << 14) - 1
QUIET = 200  # sorts behind every number of answers


@jit()
def _mate_in_one(state, barred, moves, at):
    us = state[TURN]
    n = generate(state, moves, at)
    # what the other side could do if nothing had moved: mostly one of these still goes, so that
    # a quiet move need not be followed by a list of its own
    state[TURN] = 1 - us
    state[KEY] ^= TURN_KEY
    others = generate(state, moves, at + FRAME)
    state[TURN] = us
    state[KEY] ^= TURN_KEY
    for i in range(at, at + n):
        move = moves[i]
        if move == barred:
            continue
        undo = make(state, move)
        stuck = True
        if not in_check(state, 1 - us):
            for j in range(at + FRAME, at + FRAME + others):
                if is_legal(state, moves[j]):
                    stuck = False
                    break
        stuck = stuck and count(state, moves, at + 2 * FRAME) == 0
        unmake(state, undo)
        if stuck:
            return move
    return int64(0)


@jit()
def _order(state, moves, at, n, first):
    """Sort: the hinted move, checks by how few answers they leave, quiet moves."""
    us = state[TURN]
    for i in range(at, at + n):
        move = moves[i]
        rank = int64(QUIET)
        if move == first:
            rank = int64(0)
        else:
            undo = make(state, move)
            if in_check(state, 1 - us):
                rank = count(state, moves, at + FRAME) + 1
            unmake(state, undo)
        word = move | rank << 14
        j = i
        while j > at and moves[j - 1] > word and moves[j - 1] >> 14 > rank:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = word


@jit("int64(int64[::1],int64,int64,int64[::1],int64,int64[::1],int64[:,::1],int64[::1],int64[::1])")
def mates(state, most, barred, moves, ply, tally, table, answers, stop):
    tally[0] += 1
    if tally[0] > tally[1] or (ply + 3) * FRAME > moves.size or load_volatile(stop):
        tally[0] = tally[1] + 1
        return int64(-1)
    at = ply * FRAME
    if most <= 1:
        return _mate_in_one(state, barred, moves, at) if most == 1 else int64(0)
    slot = state[KEY] & (table.shape[0] - 1)
    word = table[slot, 1] if table[slot, 0] == state[KEY] else int64(0)
    won, none = word & 31, word >> 5 & 31
    if none >= most:
        return int64(0)
    if barred == 0 and 0 < won <= most:
        return word >> 10
    n = generate(state, moves, at)
    _order(state, moves, at, n, word >> 10)
    found = int64(0)
    for i in range(at, at + n):
        move = moves[i] & MOVE
        if move == barred:
            continue
        undo = make(state, move)
        below = at + FRAME
        replies = generate(state, moves, below)
        held = False
        for j in range(below, below + replies):
            if moves[j] == answers[ply & 63]:
                moves[j] = moves[below]
                moves[below] = answers[ply & 63]
        if most > 2:
            for j in range(below, below + replies):
                back = make(state, moves[j])
                key = state[KEY]
                unmake(state, back)
                near = key & (table.shape[0] - 1)
                if table[near, 0] == key and table[near, 1] >> 5 & 31 >= most - 1:
                    held = True
                    break
        if not held:
            for j in range(below, below + replies):
                back = make(state, moves[j])
                goes = mates(state, most - 1, int64(0), moves, ply + 2, tally, table, answers, stop)
                unmake(state, back)
                if goes < 0:
                    unmake(state, undo)
                    return int64(-1)
                if goes == 0:
                    held = True
                    answers[ply & 63] = moves[j]
                    break
        unmake(state, undo)
        if not held:
            found = move
            break
    if barred:
        return found
    if found:
        table[slot, 1] = found << 10 | none << 5 | most
    else:
        table[slot, 1] = word & ~(31 << 5) | most << 5
    table[slot, 0] = state[KEY]
    return found
