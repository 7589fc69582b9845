"""Move generation, make and unmake, attacks and perft of 象棋 over one flat array.

Reach it through ``qikit.kernels.load("xiangqi.kernel")``. A *state* is ``int64[STATE_SIZE]`` and
holds everything about a position, so ``state.copy()`` copies it; no kernel allocates. Kernels do
not check positions or moves unless they say so: :class:`xiangqi.Board` does.

Entry points (all numbers int64, ``state`` contiguous int64[STATE_SIZE]):

``setup(codes, turn, state) -> code``
    Fill ``state`` from uint8[90] piece codes and the side to move: READY, or why not.
``legal_moves(state, moves) -> n``
    The list is ``moves[:n]``; ``moves`` is int64[FRAME].
``is_legal(state, move) -> 0 | 1``
    Of any int64. Like the next two it works in ``state`` itself, and restores it.
``make(state, move) -> undo``, ``unmake(state, undo)``
    Any move of any piece between two points, even one that takes a general; the side to move
    changes. ``unmake`` is the exact inverse.
``checkers(state, color) -> (low, high)``
    What attacks the general of ``color``, the other general facing it included; (0, 0) = no check.
``attackers(state, color, point) -> (low, high)``
    Pieces of ``color`` that could capture on ``point`` if an enemy stood there. Pins are not
    considered, facing generals are no attack.
``targets(state, point) -> (low, high)``
    Where the piece on ``point`` can go by its own way of moving, own pieces excluded.
``perft(state, depth, mode, moves, ply, tally, stop) -> nodes``
    ``moves`` int64[FRAME * depth], ``ply`` 0, ``tally`` int64[2], ``stop`` a StopFlag's array.

A move is ``from | to << 7``. ``undo`` is an int64 to be handed back. Bit sets are two halves:
bit n of ``low`` is point n, bit n of ``high`` is point 45 + n. Modes of perft: ``BULK`` counts the
last ply without building it, ``LIST`` builds the legal list of the last ply, ``MAKE`` makes and
unmakes each of its moves, ``TALLY`` does so and adds captures and checks to ``tally``. A perft that
``stop`` interrupts returns a number without meaning. The caller gives FRAME words of ``moves`` a
ply; -1 says that they are not there.

Other kernels call ``generate(state, moves, at)`` (the list at ``moves[at:]``, FRAME words),
``in_check(state, color)``, ``make`` and ``unmake``. ``generate`` is for positions that arise in
play: where the side that is not to move is in check it lists captures of the general too. (The
entry points cope with that: taking the general is not a legal move, and a side without a general
has none.) A null move is ``state[TURN] = 1 - state[TURN]; state[KEY] ^= TURN_KEY``.

Layout of the state:

===============  ===============================================================================
``ROW + rank``   rank word: a bit a file from bit 0 for red pieces, 12 black, 24 all, 36 chariots,
                 48 cannons
``COL + file``   file word: the same by rank; generals count as chariots
``OCCUPIED``     halves of the occupied points: red low, red high, black low, black high
``PAWNS``        halves of the pawns, same order
``SLOT + 16c``   points of the pieces of colour c: general, 2 advisors, 2 elephants, 2 horses,
                 2 chariots, 2 cannons, 5 pawns; a piece that is not there stands on point 90
``BOARD + sq``   piece code in bits 0-3 (``PIECE`` mask), slot from bit 4
``TURN``         side to move
``KEY``          Zobrist key (63 bits) of placement and side
===============  ===============================================================================

How it is fast: what a piece reaches comes from tables (:mod:`xiangqi.tables`) by the words of its
lines; the words of the general's rank and file tell by the first, second and third piece from it
whether there is a check, a pin (also by a cannon behind two screens, or by the other general) or a
cannon without a screen before it (hollow cannon, 空头炮). Only in check are moves tested by making
them, and then only those that can answer the check.
"""

from __future__ import annotations

from numba import int64, uint64

from qikit.bits import ctz, load_volatile, popcount
from qikit.jit import jit
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.tables import (
    ADVISOR_STEPS,
    ALL,
    CANNON_COL,
    CANNON_ROW,
    CANNONS,
    CHARIOT_COL,
    CHARIOT_ROW,
    CHARIOTS,
    COL_PATTERN,
    DEAD,
    ELEPHANT_STEPS,
    FIELD,
    FILE,
    FILE_A,
    FILE_I,
    GENERAL_STEPS,
    HALF,
    HIGH,
    HORSE_HIGH,
    HORSE_LOW,
    LEG,
    LOW,
    NOWHERE,
    PAWN_ENEMIES,
    PAWN_HIGH,
    PAWN_LOW,
    RANK,
    ROW_PATTERN,
    SPREAD,
    THIRD_COL,
    THIRD_ROW,
    TURN_KEY,
    ZOBRIST,
)

ROW = 1  # words before and after stay 0: elephants on the edge look there for their eyes
COL = 13
OCCUPIED = 24
PAWNS = 28
SLOT = 32
ADVISOR_SLOT, ELEPHANT_SLOT, HORSE_SLOT, CHARIOT_SLOT, CANNON_SLOT, PAWN_SLOT = 1, 3, 5, 7, 9, 11
KEY = 64
TURN = 65
TRASH = 66  # the "slot" of empty points: writing a captured piece's slot needs no branch
BOARD = 72
STATE_SIZE = 168
PIECE = 15
EMPTY = (TRASH - SLOT) << 4

MAX_MOVES = 128
"""No army has more: 4 * 17 of chariots and cannons, 16 of horses, 35 of all others."""
FRAME = 192
"""Words of a move list; what follows MAX_MOVES is the generator's own."""

BULK, LIST, MAKE, TALLY = range(4)
"""Modes of perft."""

READY, BAD_GENERALS, TOO_MANY_PIECES, BAD_CODE = range(4)
"""Answers of setup: done; not just one general a side, in its palace; more of a kind than an army
has; a code that is no piece. Every other placement is played on, however odd."""

# Words of a frame behind the moves: points closed by hollow cannons; points that answer a check
# and the own screen that may leave; then the pinned pieces, each with the points it may go to.
_CLOSED = MAX_MOVES
_ANSWER = MAX_MOVES + 2
_SCREEN = MAX_MOVES + 4
_PINS = MAX_MOVES + 5
_PIN = MAX_MOVES + 6

IN_CHECK, BOUND = 1, 2  # what _lines tells of a general


@jit()
def _in_palace(sq, color):
    rank = int64(RANK[sq])
    return 3 <= int64(FILE[sq]) <= 5 and (rank >= 7 if color else rank <= 2)


@jit("int64(uint8[::1], int64, int64[::1])")
def setup(codes, turn, state):
    for i in range(STATE_SIZE):
        state[i] = 0
    state[TURN] = int64(turn != 0)
    state[KEY] = TURN_KEY if turn else 0
    state[TRASH] = DEAD
    for i in range(32):
        state[SLOT + i] = DEAD
    for sq in range(91):
        state[BOARD + sq] = EMPTY
    for color in range(2):
        n = 16 * color
        for kind in range(KING, PAWN + 1):
            end = n + (1 if kind == KING else 5 if kind == PAWN else 2)
            for sq in range(90):
                code = int64(codes[sq])
                if code != kind + 8 * color:
                    continue
                if n == end:
                    return BAD_GENERALS if kind == KING else TOO_MANY_PIECES
                state[SLOT + n] = sq
                state[BOARD + sq] = code | n << 4
                n += 1
                state[ROW + int64(RANK[sq])] |= ROW_PATTERN[code] << int64(FILE[sq])
                state[COL + int64(FILE[sq])] |= COL_PATTERN[code] << int64(RANK[sq])
                state[OCCUPIED + 2 * color] |= LOW[sq]
                state[OCCUPIED + 2 * color + 1] |= HIGH[sq]
                if kind == PAWN:
                    state[PAWNS + 2 * color] |= LOW[sq]
                    state[PAWNS + 2 * color + 1] |= HIGH[sq]
                state[KEY] ^= ZOBRIST[code << 7 | sq]
            n = end
        general = state[SLOT + 16 * color]
        if general == DEAD or not _in_palace(general, color):
            return BAD_GENERALS
    for sq in range(90):
        if codes[sq] and state[BOARD + sq] == EMPTY:
            return BAD_CODE
    return READY


@jit("int64(int64[::1], int64)", inline=True)
def make(state, move):
    f = move & 127
    t = move >> 7 & 127
    piece = state[uint64(BOARD + f)]
    taken = state[uint64(BOARD + t)]
    _toggle(state, f, t, piece, taken)
    state[uint64(SLOT + (taken >> 4))] = DEAD
    state[uint64(SLOT + (piece >> 4))] = t
    state[uint64(BOARD + f)] = EMPTY
    state[uint64(BOARD + t)] = piece
    return f | t << 7 | taken << 14


@jit("void(int64[::1], int64)", inline=True)
def unmake(state, undo):
    f = undo & 127
    t = undo >> 7 & 127
    piece = state[uint64(BOARD + t)]
    taken = undo >> 14
    _toggle(state, f, t, piece, taken)
    state[uint64(SLOT + (taken >> 4))] = t
    state[TRASH] = DEAD
    state[uint64(SLOT + (piece >> 4))] = f
    state[uint64(BOARD + t)] = taken
    state[uint64(BOARD + f)] = piece


@jit(inline=True)
def _toggle(state, f, t, piece, taken):
    """The part of a move that is its own inverse: words, halves, key and turn."""
    piece &= PIECE
    taken &= PIECE
    ff, rf = int64(FILE[uint64(f)]), int64(RANK[uint64(f)])
    ft, rt = int64(FILE[uint64(t)]), int64(RANK[uint64(t)])
    row, col = ROW_PATTERN[uint64(piece)], COL_PATTERN[uint64(piece)]
    state[uint64(ROW + rf)] ^= row << ff
    state[uint64(COL + ff)] ^= col << rf
    state[uint64(ROW + rt)] ^= (row ^ ROW_PATTERN[uint64(taken)]) << ft
    state[uint64(COL + ft)] ^= (col ^ COL_PATTERN[uint64(taken)]) << rt
    low_t, high_t = LOW[uint64(t)], HIGH[uint64(t)]
    low, high = LOW[uint64(f)] ^ low_t, HIGH[uint64(f)] ^ high_t
    _flip(state, piece, low, high)
    if taken:
        _flip(state, taken, low_t, high_t)
    state[KEY] ^= (
        ZOBRIST[uint64(piece << 7 | f)]
        ^ ZOBRIST[uint64(piece << 7 | t)]
        ^ ZOBRIST[uint64(taken << 7 | t)]
        ^ TURN_KEY
    )
    state[TURN] = 1 - state[TURN]  # (an xor of 1 would become a byte store: slow to read back)


@jit(inline=True)
def _flip(state, code, low, high):
    """Set or clear points of a piece in the halves of its colour."""
    half = 2 * (code >> 3)
    state[uint64(OCCUPIED + half)] ^= low
    state[uint64(OCCUPIED + half + 1)] ^= high
    if code & 7 == PAWN:
        state[uint64(PAWNS + half)] ^= low
        state[uint64(PAWNS + half + 1)] ^= high


# ---------------------------------------------------------------- attacks


@jit(inline=True)
def _danger(state, t, k, us):
    """Whether ``t`` would be attacked if the general of ``us``, now on ``k``, stood there.

    Its old place counts as empty; the other general on an open file counts as an attack.
    """
    them = 1 - us
    ft, rt = int64(FILE[uint64(t)]), int64(RANK[uint64(t)])
    fk, rk = int64(FILE[uint64(k)]), int64(RANK[uint64(k)])
    w = state[uint64(ROW + rt)] & ~(int64(rt == rk) << (fk + ALL))
    c = state[uint64(COL + ft)] & ~(int64(ft == fk) << (rk + ALL))
    at_row = uint64(ft << 9 | w >> ALL & 511)
    at_col = uint64(rt << 10 | c >> ALL & 1023)
    theirs = w >> FIELD * them
    hit = int64(CHARIOT_ROW[at_row]) & w >> CHARIOTS & theirs
    hit |= int64(CANNON_ROW[at_row]) & w >> CANNONS & theirs
    theirs = c >> FIELD * them
    hit |= int64(CHARIOT_COL[at_col]) & c >> CHARIOTS & theirs
    hit |= int64(CANNON_COL[at_col]) & c >> CANNONS & theirs
    hit |= PAWN_ENEMIES[uint64(91 * us + t)] & state[uint64(PAWNS + 2 * them + us)]
    if hit:
        return True
    for i in range(16 * them + HORSE_SLOT, 16 * them + CHARIOT_SLOT):
        leg = int64(LEG[uint64(state[uint64(SLOT + i)] << 7 | t)])
        if leg != NOWHERE and (leg == k or not state[uint64(BOARD + leg)] & PIECE):
            return True
    return False


@jit()
def in_check(state, us):
    """Whether the general of ``us`` is attacked or faces the other one (False if it is gone)."""
    k = state[uint64(SLOT + 16 * us)]
    return k != DEAD and _danger(state, k, k, us)


@jit(inline=True)
def _row_halves(rank, bits):
    """Places of a rank as halves."""
    if rank < 5:
        return bits << 9 * rank, int64(0)
    return int64(0), bits << 9 * (rank - 5)


@jit(inline=True)
def _col_halves(file, bits):
    """Places of a file as halves."""
    return SPREAD[uint64(bits & 31)] << file, SPREAD[uint64(bits >> 5 & 31)] << file


@jit(inline=True)
def _reach(state, sq, code):
    """Where a piece of ``code`` on ``sq`` can go, own pieces not yet excluded."""
    kind = code & 7
    color = code >> 3
    f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
    if ROOK <= kind <= CANNON:
        w, c = state[uint64(ROW + r)], state[uint64(COL + f)]
        at_row = uint64(f << 9 | w >> ALL & 511)
        at_col = uint64(r << 10 | c >> ALL & 1023)
        if kind == ROOK:
            row, col = int64(CHARIOT_ROW[at_row]), int64(CHARIOT_COL[at_col])
        else:
            row, col = int64(CANNON_ROW[at_row]), int64(CANNON_COL[at_col])
        low, high = _col_halves(f, col)
        row_low, row_high = _row_halves(r, row)
        return low | row_low, high | row_high
    if kind == KNIGHT:
        legs = _legs(state, f, r)
        return HORSE_LOW[uint64(sq << 4 | legs)], HORSE_HIGH[uint64(sq << 4 | legs)]
    side = 91 * color + sq
    if kind == PAWN:
        return PAWN_LOW[uint64(side)], PAWN_HIGH[uint64(side)]
    own = int64(0)
    if kind == BISHOP:
        own = ELEPHANT_STEPS[uint64(side << 4 | _eyes(state, f, r))]
    elif kind == ADVISOR:
        own = ADVISOR_STEPS[uint64(side)]
    elif kind == KING:
        own = GENERAL_STEPS[uint64(side)]
    return own & (color - 1), own & -color


@jit(inline=True)
def _legs(state, f, r):
    """Occupied neighbours of a point, coded as ``HORSE_LOW`` wants them."""
    w, c = state[uint64(ROW + r)], state[uint64(COL + f)]
    return w >> (ALL - 1 + f) & 5 | (c >> (ALL - 1 + r) & 5) << 1


@jit(inline=True)
def _eyes(state, f, r):
    """Occupied diagonal neighbours of a point, coded as ``ELEPHANT`` wants them."""
    up, down = state[uint64(ROW + r + 1)], state[uint64(ROW + r - 1)]
    return up >> (ALL - 1 + f) & 5 | (down >> (ALL - 1 + f) & 5) << 1


@jit("UniTuple(int64, 2)(int64[::1], int64)", inline=True)
def targets(state, sq):
    if sq < 0 or sq >= 90:
        return int64(0), int64(0)
    code = state[uint64(BOARD + sq)] & PIECE
    low, high = _reach(state, sq, code)
    own = OCCUPIED + 2 * (code >> 3)
    return low & ~state[uint64(own)], high & ~state[uint64(own + 1)]


@jit("UniTuple(int64, 2)(int64[::1], int64, int64)")
def attackers(state, color, sq):
    low, high = int64(0), int64(0)
    if sq < 0 or sq >= 90 or color < 0 or color > 1:
        return low, high
    # Chariots and cannons are seen from the point, everybody else looks for himself.
    f, r = int64(FILE[sq]), int64(RANK[sq])
    w, c = state[ROW + r], state[COL + f]
    at_row, at_col = f << 9 | w >> ALL & 511, r << 10 | c >> ALL & 1023
    row = int64(CHARIOT_ROW[at_row]) & w >> CHARIOTS | int64(CANNON_ROW[at_row]) & w >> CANNONS
    col = int64(CHARIOT_COL[at_col]) & c >> CHARIOTS | int64(CANNON_COL[at_col]) & c >> CANNONS
    low, high = _col_halves(f, col & c >> FIELD * color)
    row_low, row_high = _row_halves(r, row & w >> FIELD * color)
    low |= row_low
    high |= row_high
    k = state[SLOT + 16 * color]  # generals stand among the chariots of file words
    low &= ~LOW[k]
    high &= ~HIGH[k]
    for i in range(16 * color, 16 * color + 16):
        at = state[SLOT + i]
        if at == DEAD:
            continue
        code = state[BOARD + at] & PIECE
        if ROOK <= code & 7 <= CANNON:
            continue
        to_low, to_high = _reach(state, at, code)
        if to_low & LOW[sq] or to_high & HIGH[sq]:
            low |= LOW[at]
            high |= HIGH[at]
    return low, high


@jit("UniTuple(int64, 2)(int64[::1], int64)")
def checkers(state, color):
    low, high = int64(0), int64(0)
    if color < 0 or color > 1:
        return low, high
    k = state[SLOT + 16 * color]
    if k == DEAD:
        return low, high
    low, high = attackers(state, 1 - color, k)
    other = state[SLOT + 16 * (1 - color)]
    f, r = int64(FILE[k]), int64(RANK[k])
    c = state[COL + f]
    if int64(FILE[other]) == f and (
        int64(CHARIOT_COL[r << 10 | c >> ALL & 1023]) >> int64(RANK[other]) & 1
    ):
        low |= LOW[other]
        high |= HIGH[other]
    return low, high


# ---------------------------------------------------------------- legality


@jit(inline=True)
def _lines(state, k, us):
    """What stands against the general on ``k``: ``IN_CHECK``, ``BOUND`` (pins, hollow cannons)."""
    them = 1 - us
    f, r = int64(FILE[uint64(k)]), int64(RANK[uint64(k)])
    w, c = state[uint64(ROW + r)], state[uint64(COL + f)]
    at_row = uint64(f << 9 | w >> ALL & 511)
    at_col = uint64(r << 10 | c >> ALL & 1023)
    theirs = w >> FIELD * them
    chariots, cannons = w >> CHARIOTS & theirs, w >> CANNONS & theirs
    first, second = int64(CHARIOT_ROW[at_row]), int64(CANNON_ROW[at_row])
    check = first & chariots | second & cannons
    bound = second & chariots | (first | int64(THIRD_ROW[at_row])) & cannons
    theirs = c >> FIELD * them
    chariots, cannons = c >> CHARIOTS & theirs, c >> CANNONS & theirs
    first, second = int64(CHARIOT_COL[at_col]), int64(CANNON_COL[at_col])
    check |= first & chariots | second & cannons
    bound |= second & chariots | (first | int64(THIRD_COL[at_col])) & cannons
    check |= PAWN_ENEMIES[uint64(91 * us + k)] & state[uint64(PAWNS + 2 * them + us)]
    for i in range(16 * them + HORSE_SLOT, 16 * them + CHARIOT_SLOT):
        leg = int64(LEG[uint64(state[uint64(SLOT + i)] << 7 | k)])
        if leg != NOWHERE:
            blocker = state[uint64(BOARD + leg)] & PIECE
            if not blocker:
                check |= 1
            elif blocker >> 3 == us:
                bound |= 1
    return int64(check != 0) * IN_CHECK | int64(bound != 0) * BOUND


@jit()
def _pin(moves, at, sq, low, high):
    """Note that the piece on ``sq`` may go only to the given points."""
    n = moves[at + _PINS]
    for i in range(n):
        if moves[at + _PIN + 3 * i] == sq:
            moves[at + _PIN + 3 * i + 1] &= low
            moves[at + _PIN + 3 * i + 2] &= high
            return
    moves[at + _PIN + 3 * n] = sq
    moves[at + _PIN + 3 * n + 1] = low
    moves[at + _PIN + 3 * n + 2] = high
    moves[at + _PINS] = n + 1


@jit(inline=True)
def _find_bounds(state, k, us, moves, at):
    """Write pins, closed points and the answers to one check behind the move list at ``at``."""
    moves[at + _CLOSED] = 0
    moves[at + _CLOSED + 1] = 0
    moves[at + _PINS] = 0
    them = 1 - us
    f, r = int64(FILE[uint64(k)]), int64(RANK[uint64(k)])
    for is_col in range(2):
        place, line, word = f, r, state[uint64(ROW + r)]
        if is_col:
            place, line, word = r, f, state[uint64(COL + f)]
        occupied, own, theirs = word >> ALL & 1023, word >> FIELD * us, word >> FIELD * them
        chariots, cannons = word >> CHARIOTS & theirs & 1023, word >> CANNONS & theirs & 1023
        behind = (int64(1) << place) - 1
        attacking = chariots | cannons
        while attacking:
            enemy = attacking & -attacking
            attacking ^= enemy
            between = (enemy - 1) & ~behind & ~(int64(1) << place)
            if enemy <= behind:
                between = behind & ~(enemy | enemy - 1)
            screens = between & occupied
            number = popcount(screens)
            if number > 2:
                continue
            low, high = _line_halves(is_col, line, between | enemy)
            if chariots & enemy:
                if number == 0:
                    _answer(moves, at, low, high, int64(DEAD))
                elif number == 1 and screens & own:
                    _pin(moves, at, _point(is_col, line, screens), low, high)
            elif number == 0:
                # a hollow cannon: whoever steps between becomes its screen
                low, high = _line_halves(is_col, line, between)
                moves[at + _CLOSED] |= low
                moves[at + _CLOSED + 1] |= high
            elif number == 1:
                screen = _point(is_col, line, screens) if screens & own else int64(DEAD)
                _answer(moves, at, low, high, screen)
            else:
                # two screens: an own one stays between and does not take the other one
                low, high = _line_halves(is_col, line, (between | enemy) ^ screens)
                screens &= own
                while screens:
                    _pin(moves, at, _point(is_col, line, screens), low, high)
                    screens &= screens - 1
    for i in range(16 * them + HORSE_SLOT, 16 * them + CHARIOT_SLOT):
        horse = uint64(state[uint64(SLOT + i)])
        leg = int64(LEG[horse << uint64(7) | uint64(k)])
        if leg != NOWHERE:
            blocker = state[uint64(BOARD + leg)] & PIECE
            if not blocker:
                low, high = LOW[horse] | LOW[uint64(leg)], HIGH[horse] | HIGH[uint64(leg)]
                _answer(moves, at, low, high, int64(DEAD))
            elif blocker >> 3 == us:
                _pin(moves, at, leg, LOW[horse], HIGH[horse])
    pawns = PAWN_ENEMIES[uint64(91 * us + k)] & state[uint64(PAWNS + 2 * them + us)]
    if pawns:
        _answer(moves, at, pawns & (us - 1), pawns & -us, int64(DEAD))


@jit(inline=True)
def _line_halves(is_col, line, bits):
    """Places of a rank or file as halves."""
    if is_col:
        return _col_halves(line, bits)
    return _row_halves(line, bits)


@jit(inline=True)
def _point(is_col, line, bits):
    """Point of the first of the places of a rank or file."""
    return line + 9 * ctz(bits) if is_col else 9 * line + ctz(bits)


@jit(inline=True)
def _answer(moves, at, low, high, screen):
    """Note what answers a check: going to these points, or the own screen's leaving.

    Of several checks any one will do, since this is only a sieve.
    """
    moves[at + _ANSWER] = low
    moves[at + _ANSWER + 1] = high
    moves[at + _SCREEN] = screen


@jit()
def _keep_legal(state, k, us, moves, at, n, flags):
    """Keep the legal ones of the ``n`` moves of other pieces than the general at ``moves[at:]``."""
    _find_bounds(state, k, us, moves, at)
    kept = at
    if flags & IN_CHECK:
        low, high = moves[at + _ANSWER], moves[at + _ANSWER + 1]
        screen = moves[at + _SCREEN]
        for i in range(at, at + n):
            move = moves[uint64(i)]
            t = uint64(move >> 7)
            if LOW[t] & low or HIGH[t] & high or move & 127 == screen:
                undo = make(state, move)
                legal = not _danger(state, k, k, us)
                unmake(state, undo)
                if legal:
                    moves[uint64(kept)] = move
                    kept += 1
        return kept - at
    low, high = ~moves[at + _CLOSED], ~moves[at + _CLOSED + 1]
    pins = moves[at + _PINS]
    for i in range(at, at + n):
        move = moves[uint64(i)]
        to_low, to_high = low, high
        for j in range(pins):
            if moves[uint64(at + _PIN + 3 * j)] == move & 127:
                to_low &= moves[uint64(at + _PIN + 3 * j + 1)]
                to_high &= moves[uint64(at + _PIN + 3 * j + 2)]
        t = uint64(move >> 7)
        moves[uint64(kept)] = move
        kept += int64((LOW[t] & to_low | HIGH[t] & to_high) != 0)
    return kept - at


@jit()
def _illegal(state, k, us, moves, at):
    """How many moves of other pieces than the general are illegal, not in check."""
    _find_bounds(state, k, us, moves, at)
    closed_low, closed_high = moves[at + _CLOSED], moves[at + _CLOSED + 1]
    hollow = closed_low | closed_high
    pins = moves[at + _PINS]
    n = int64(0)
    for i in range(15 if hollow else pins):
        sq = moves[uint64(at + _PIN + 3 * i)]
        if hollow:
            sq = state[uint64(SLOT + 16 * us + 1 + i)]
        not_low, not_high = closed_low, closed_high
        for j in range(pins):
            pin = at + _PIN + 3 * j
            if moves[uint64(pin)] == sq:
                not_low |= ~moves[uint64(pin + 1)]
                not_high |= ~moves[uint64(pin + 2)]
        low, high = targets(state, sq)
        n += popcount(low & not_low) + popcount(high & not_high)
    return n


# ---------------------------------------------------------------- generation


@jit(inline=True)
def _add(moves, n, f, bits, base):
    """Moves from ``f`` to the points of a half that starts at point ``base``."""
    while bits:
        moves[uint64(n)] = f | (ctz(bits) + base) << 7
        n += 1
        bits &= bits - 1
    return n


@jit(inline=True)
def _add_pawns(moves, n, bits, base, step):
    """Moves of pawns to the points of a half, each from ``step`` behind its target."""
    while bits:
        t = ctz(bits) + base
        moves[uint64(n)] = t - step | t << 7
        n += 1
        bits &= bits - 1
    return n


@jit()
def generate(state, moves, at):
    """Legal moves at ``moves[at:at + MAX_MOVES]``; returns their number."""
    us = state[TURN]
    mine = 16 * us
    k = state[uint64(SLOT + mine)]
    if k == DEAD:
        return int64(0)
    own_low, own_high = state[uint64(OCCUPIED + 2 * us)], state[uint64(OCCUPIED + 2 * us + 1)]
    home = 45 * us
    own_home = own_high if us else own_low
    n = at
    for i in range(mine + CHARIOT_SLOT, mine + PAWN_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        w, c = state[uint64(ROW + r)], state[uint64(COL + f)]
        at_row = uint64(f << 9 | w >> ALL & 511)
        at_col = uint64(r << 10 | c >> ALL & 1023)
        if i < mine + CANNON_SLOT:
            row, col = int64(CHARIOT_ROW[at_row]), int64(CHARIOT_COL[at_col])
        else:
            row, col = int64(CANNON_ROW[at_row]), int64(CANNON_COL[at_col])
        row &= ~(w >> FIELD * us)
        col &= ~(c >> FIELD * us)
        n = _add(moves, n, sq, row, 9 * r)
        while col:
            moves[uint64(n)] = sq | (9 * ctz(col) + f) << 7
            n += 1
            col &= col - 1
    for i in range(mine + HORSE_SLOT, mine + CHARIOT_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        legs = uint64(sq << 4 | _legs(state, f, r))
        n = _add(moves, n, sq, HORSE_LOW[legs] & ~own_low, 0)
        n = _add(moves, n, sq, HORSE_HIGH[legs] & ~own_high, 45)
    for i in range(mine + ELEPHANT_SLOT, mine + HORSE_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        eyes = uint64(91 * us + sq << 4 | _eyes(state, f, r))
        n = _add(moves, n, sq, ELEPHANT_STEPS[eyes] & ~own_home, home)
    for i in range(mine + ADVISOR_SLOT, mine + ELEPHANT_SLOT):
        sq = state[uint64(SLOT + i)]
        n = _add(moves, n, sq, ADVISOR_STEPS[uint64(91 * us + sq)] & ~own_home, home)
    low, high = state[uint64(PAWNS + 2 * us)], state[uint64(PAWNS + 2 * us + 1)]
    if us:
        n = _add_pawns(moves, n, (low >> 9 | (high & 511) << 36) & ~own_low, 0, -9)
        n = _add_pawns(moves, n, high >> 9 & ~own_high, 45, -9)
        n = _add_pawns(moves, n, (low & ~FILE_A) >> 1 & ~own_low, 0, -1)
        n = _add_pawns(moves, n, (low & ~FILE_I) << 1 & ~own_low, 0, 1)
    else:
        n = _add_pawns(moves, n, low << 9 & HALF & ~own_low, 0, 9)
        n = _add_pawns(moves, n, (high << 9 & HALF | low >> 36) & ~own_high, 45, 9)
        n = _add_pawns(moves, n, (high & ~FILE_A) >> 1 & ~own_high, 45, -1)
        n = _add_pawns(moves, n, (high & ~FILE_I) << 1 & ~own_high, 45, 1)
    flags = _lines(state, k, us)
    if flags:
        n = at + _keep_legal(state, k, us, moves, at, n - at, flags)
    steps = GENERAL_STEPS[uint64(91 * us + k)] & ~own_home
    while steps:
        t = ctz(steps) + home
        steps &= steps - 1
        if not _danger(state, t, k, us):
            moves[uint64(n)] = k | t << 7
            n += 1
    return n - at


@jit(inline=True)
def count(state, moves, at):
    """Number of legal moves, mostly without building them; ``moves[at:at + FRAME]`` is scratch."""
    us = state[TURN]
    mine = 16 * us
    k = state[uint64(SLOT + mine)]
    if k == DEAD:
        return int64(0)
    flags = _lines(state, k, us)
    if flags & IN_CHECK:
        return generate(state, moves, at)
    own_low, own_high = state[uint64(OCCUPIED + 2 * us)], state[uint64(OCCUPIED + 2 * us + 1)]
    own_home = own_high if us else own_low
    n = int64(0)
    for i in range(mine + CHARIOT_SLOT, mine + CANNON_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        w, c = state[uint64(ROW + r)], state[uint64(COL + f)]
        row = int64(CHARIOT_ROW[uint64(f << 9 | w >> ALL & 511)])
        col = int64(CHARIOT_COL[uint64(r << 10 | c >> ALL & 1023)])
        n += popcount(row & ~(w >> FIELD * us)) + popcount(col & ~(c >> FIELD * us))
    for i in range(mine + CANNON_SLOT, mine + PAWN_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        w, c = state[uint64(ROW + r)], state[uint64(COL + f)]
        row = int64(CANNON_ROW[uint64(f << 9 | w >> ALL & 511)])
        col = int64(CANNON_COL[uint64(r << 10 | c >> ALL & 1023)])
        n += popcount(row & ~(w >> FIELD * us)) + popcount(col & ~(c >> FIELD * us))
    for i in range(mine + HORSE_SLOT, mine + CHARIOT_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        legs = uint64(sq << 4 | _legs(state, f, r))
        n += popcount(HORSE_LOW[legs] & ~own_low) + popcount(HORSE_HIGH[legs] & ~own_high)
    for i in range(mine + ELEPHANT_SLOT, mine + HORSE_SLOT):
        sq = state[uint64(SLOT + i)]
        f, r = int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)])
        n += popcount(ELEPHANT_STEPS[uint64(91 * us + sq << 4 | _eyes(state, f, r))] & ~own_home)
    for i in range(mine + ADVISOR_SLOT, mine + ELEPHANT_SLOT):
        n += popcount(ADVISOR_STEPS[uint64(91 * us + state[uint64(SLOT + i)])] & ~own_home)
    low, high = state[uint64(PAWNS + 2 * us)], state[uint64(PAWNS + 2 * us + 1)]
    if us:
        n += popcount((low >> 9 | (high & 511) << 36) & ~own_low) + popcount(high >> 9 & ~own_high)
        n += popcount((low & ~FILE_A) >> 1 & ~own_low) + popcount((low & ~FILE_I) << 1 & ~own_low)
    else:
        n += popcount(low << 9 & HALF & ~own_low)
        n += popcount((high << 9 & HALF | low >> 36) & ~own_high)
        n += popcount((high & ~FILE_A) >> 1 & ~own_high)
        n += popcount((high & ~FILE_I) << 1 & ~own_high)
    home = 45 * us
    steps = GENERAL_STEPS[uint64(91 * us + k)] & ~own_home
    while steps:
        t = ctz(steps) + home
        steps &= steps - 1
        if not _danger(state, t, k, us):
            n += 1
    if flags:
        n -= _illegal(state, k, us, moves, at)
    return n


@jit()
def _without_captures_of(state, sq, moves, at, n):
    """Drop moves to ``sq``, where the other general stands."""
    kept = at
    for i in range(at, at + n):
        if moves[i] >> 7 != sq:
            moves[kept] = moves[i]
            kept += 1
    return kept - at


@jit()
def _generate_anywhere(state, moves, at):
    """As ``generate``, also right where the side that is not to move is in check."""
    n = generate(state, moves, at)
    them = 1 - state[TURN]
    if in_check(state, them):
        n = _without_captures_of(state, state[uint64(SLOT + 16 * them)], moves, at, n)
    return n


@jit("int64(int64[::1], int64[::1])")
def legal_moves(state, moves):
    if moves.size < FRAME:
        return int64(-1)
    return _generate_anywhere(state, moves, int64(0))


@jit("int64(int64[::1], int64)")
def is_legal(state, move):
    f = move & 127
    t = move >> 7
    us = state[TURN]
    if f >= 90 or t < 0 or t >= 90 or state[uint64(SLOT + 16 * us)] == DEAD:
        return int64(0)
    code = state[uint64(BOARD + f)] & PIECE
    if not code or code >> 3 != us or state[uint64(BOARD + t)] & 7 == KING:
        return int64(0)
    low, high = targets(state, f)
    if not (low & LOW[uint64(t)] | high & HIGH[uint64(t)]):
        return int64(0)
    undo = make(state, move)
    legal = not in_check(state, us)
    unmake(state, undo)
    return int64(legal)


# ---------------------------------------------------------------- perft


@jit("int64(int64[::1], int64, int64, int64[::1], int64, int64[::1], int64[::1])")
def perft(state, depth, mode, moves, ply, tally, stop):
    if depth <= 0:
        return int64(1)
    at = ply * FRAME
    if moves.size < at + depth * FRAME:
        return int64(-1)
    n = generate(state, moves, at) if ply else _generate_anywhere(state, moves, at)
    if depth > 1:
        if load_volatile(stop):
            return int64(0)
        nodes = int64(0)
        for i in range(at, at + n):
            undo = make(state, moves[uint64(i)])
            if depth == 2 and mode == BULK:
                nodes += count(state, moves, at + FRAME)
            else:
                nodes += perft(state, depth - 1, mode, moves, ply + 1, tally, stop)
            unmake(state, undo)
        return nodes
    if mode == MAKE:
        for i in range(at, at + n):
            unmake(state, make(state, moves[uint64(i)]))
    elif mode == TALLY:
        for i in range(at, at + n):
            undo = make(state, moves[uint64(i)])
            tally[0] += int64(undo >> 14 & PIECE != 0)
            tally[1] += int64(in_check(state, state[TURN]))
            unmake(state, undo)
    return n
