"""Repetition inside the tree: who must change, by the family of the chosen rule book.

The arbiter's natures are searched and take milliseconds; a tree meets thousands of loops a second.
Here a nature is told by static exchanges alone, and only when a position returns: a move *attacks*
when its side could now take something with gain that it could not take with gain before (a pair of
attacker and victim; generals and pawns may attack for ever, so may everybody a pawn before the
river, and like pieces that face each other are an offer), or, in the Chinese family, when mate
would follow at once. How often that agrees with the arbiter is measured by
``tests/ai/test_xiangqi_loops.py``. The root keeps to the arbiter's own word
(:func:`ai.search.xiangqi.player.offences`).
"""

from __future__ import annotations

from numba import int64, uint64

from ai.search.xiangqi.exchange.kernel import wins
from ai.search.xiangqi.layout import (
    ASIAN,
    CHECKS,
    CHINESE,
    FRAME,
    LOOPS,
    MOVES,
    NATURES,
    PAST,
    UNDOS,
)
from qikit.bits import ctz
from qikit.jit import jit
from xiangqi.kernel import (
    BOARD,
    EMPTY,
    KEY,
    OCCUPIED,
    PAWN_SLOT,
    PAWNS,
    PIECE,
    SLOT,
    TURN,
    _reach,
    generate,
    in_check,
    is_legal,
    make,
    unmake,
)
from xiangqi.pieces import KING, KNIGHT
from xiangqi.tables import DEAD, HIGH, LEG, LOW, TURN_KEY

KNOWN, THREAT, VICTIMS = 1, 2, 8  # bits of a nature; from VICTIMS on one bit a piece of the other


@jit(inline=True)
def _prey(work, them):
    """What may be chased, as halves: no general, no pawn before the river."""
    low, high = work[uint64(OCCUPIED + 2 * them)], work[uint64(OCCUPIED + 2 * them + 1)]
    if them:
        high &= ~work[uint64(PAWNS + 3)]
    else:
        low &= ~work[uint64(PAWNS)]
    k = work[uint64(SLOT + 16 * them)]
    return low & ~LOW[uint64(k)], high & ~HIGH[uint64(k)]


@jit(inline=True)
def _offered(work, sq, victim):
    """Whether the victim could as well take its attacker: an exchange, no chase."""
    kind = work[uint64(BOARD + sq)] & 7
    if work[uint64(BOARD + victim)] & 7 != kind:
        return False
    if kind != KNIGHT:
        return True
    return not work[uint64(BOARD + int64(LEG[uint64(victim << 7 | sq)]))] & PIECE


@jit(inline=True)
def _over(work):
    """Give the turn to the other side."""
    work[TURN] = 1 - work[TURN]
    work[KEY] ^= TURN_KEY


@jit()
def _gains(work, us, at):
    """List the captures of a side that win something at ``at``; returns how many."""
    n = int64(0)
    prey_low, prey_high = _prey(work, 1 - us)
    for slot in range(SLOT + 16 * us + 1, SLOT + 16 * us + PAWN_SLOT):
        sq = work[uint64(slot)]
        if sq == DEAD:
            continue
        low, high = _reach(work, sq, work[uint64(BOARD + sq)] & PIECE)
        low &= prey_low
        high &= prey_high
        while low | high:
            if low:
                victim = ctz(low)
                low &= low - 1
            else:
                victim = 45 + ctz(high)
                high &= high - 1
            move = sq | victim << 7
            if not _offered(work, sq, victim) and wins(work, move, int64(1)):
                work[uint64(at + n)] = move
                n += 1
    return n


@jit()
def _mates(work, us, at):
    """Whether a side that were to move could give mate at once."""
    _over(work)
    answer = False
    n = generate(work, work, at)
    for i in range(n):
        undo = make(work, work[uint64(at + i)])
        if in_check(work, 1 - us) and generate(work, work, at + FRAME) == 0:
            answer = True
        unmake(work, undo)
        if answer:
            break
    _over(work)
    return answer


@jit()
def nature(work, undo, evades, family, at):
    """What a move is that has just been made, apart from a check.

    Args:
        undo: of the move.
        evades: whether it answered a check.
        family: one of ``layout.FAMILIES``.
        at: two free frames.
    """
    f, t = undo & 127, undo >> 7 & 127
    code = work[uint64(BOARD + t)] & PIECE
    us = code >> 3
    if evades and code & 7 == KING:
        return int64(KNOWN)  # idle whatever it threatens
    found = int64(KNOWN)
    n = _gains(work, us, at)
    if n:
        unmake(work, undo)
        kept = int64(0)
        for i in range(n):
            move = work[uint64(at + i)]
            sq, victim = move & 127, move >> 7
            if sq == t:
                sq = f
            low, high = _reach(work, sq, work[uint64(BOARD + sq)] & PIECE)
            held = low & LOW[uint64(victim)] | high & HIGH[uint64(victim)]
            if not (held and wins(work, sq | victim << 7, int64(1))):
                work[uint64(at + kept)] = move
                kept += 1
        make(work, undo & 16383)
        _over(work)
        for i in range(kept):
            move = work[uint64(at + i)]
            if is_legal(work, move):
                slot = (work[uint64(BOARD + (move >> 7))] >> 4) & 15
                found |= int64(1) << (VICTIMS + slot)
        _over(work)
    if found == KNOWN and family == CHINESE and _mates(work, us, at):
        found |= THREAT
    return found


@jit("int64(int64[::1], int64, int64)")
def judged(work, ply, length):
    """The loop of the last ``length`` plies: 1 draw, 2 / 3 the side to move has won / lost."""
    family = work[LOOPS]
    at = MOVES + FRAME * (ply + 1)
    # of the side that has just moved, and of the other one
    checks, attacks, victims = int64(3), int64(3), int64(-1) << VICTIMS
    others = victims
    back = int64(0)
    while back < length and attacks:
        here = PAST + ply - back
        bit = int64(1) << (back & 1)
        undo = work[uint64(UNDOS + here)] & 16383 | EMPTY << 14  # nothing is taken in a loop
        if attacks & bit:
            check = work[uint64(CHECKS + here)]
            if not check:
                checks &= ~bit
            if not check or family == ASIAN:
                what = work[uint64(NATURES + here)]
                if not what:
                    what = nature(work, undo, work[uint64(CHECKS + here - 1)], family, at)
                    work[uint64(NATURES + here)] = what
                if family == CHINESE:
                    if what == KNOWN:
                        attacks &= ~bit
                elif back & 1:
                    others &= what
                    if not (others or checks & bit):
                        attacks &= ~bit
                else:
                    victims &= what
                    if not (victims or checks & bit):
                        attacks &= ~bit
        unmake(work, undo)
        back += 1
    while back:
        back -= 1
        make(work, work[uint64(UNDOS + PAST + ply - back)] & 16383)
    theirs = (attacks & 1) + (checks & attacks & 1)
    mine = (attacks >> 1) + (checks & attacks) // 2
    if theirs == mine:
        return int64(1)
    return int64(2) if theirs > mine else int64(3)
