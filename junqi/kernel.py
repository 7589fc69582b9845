"""Generation, judging and counting of moves over flat arrays (layout.py).

A state holds nothing secret: pieces are numbers, and what kind a number is stands in the separate
array ``kind``. So the same state serves every world that the players think possible.
"""

from numba import int64

from junqi.layout import (
    A_SIDE,
    ACT,
    AGREE,
    ALIVE,
    ATTACKER,
    BY_AGREEMENT,
    BY_FLAG,
    BY_NO_MOVE,
    BY_QUIET,
    BY_RESIGNATION,
    BY_TIMEOUT,
    CAMP,
    CAUSE,
    CELLS,
    DEFENDER,
    DRAWN,
    FELL,
    FIRST,
    FLAG_REVEAL,
    FROM,
    HQ,
    LINKS,
    MARKS,
    MINE_SURVIVES,
    MOVE,
    MOVED,
    NEAR,
    OUTCOME,
    OUTS,
    PLAY_SIZE,
    PLY,
    QUIET,
    QUIET_LIMIT,
    RAIL,
    RAIL_POINT,
    RAIL_WORD,
    RESIGN,
    RESULT,
    ROADS_END,
    SEAT,
    SEATS,
    SHOWN,
    STUCK,
    TIMEOUT,
    TIMEOUT_LIMIT,
    TIMEOUTS,
    TO,
    TURN,
    TURNED,
    TYPE,
    WHERE,
)
from junqi.pieces import COMMANDER, DUEL, ENGINEER, FLAG, MINE
from qikit.bits import ctz
from qikit.jit import jit

FIRST_WORD = (1 << RAIL_WORD) - 1


@jit(inline=True)
def may_enter(state, geo, seat, point):
    """Whether a piece of ``seat`` may go to ``point``: empty, or an enemy's and no camp."""
    piece = state[CELLS + point]
    if piece < 0:
        return True
    return ((piece // A_SIDE) ^ seat) & 1 == 1 and geo[TYPE + point] != CAMP


@jit(inline=True)
def has_way(state, geo, seat, point):
    """Whether a movable piece of ``seat`` on ``point`` could move."""
    if geo[TYPE + point] == HQ:
        return False
    i = geo[FIRST + point]
    while i < geo[ROADS_END + point]:
        if may_enter(state, geo, seat, geo[i]):
            return True
        i += 2
    for j in range(geo[NEAR + point], geo[NEAR + point + 1]):
        if may_enter(state, geo, seat, geo[j]):
            return True
    return False


@jit(inline=True)
def can_move(state, kind, geo, seat):
    """Whether ``seat`` has a legal move."""
    for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
        point = state[WHERE + piece]
        able = point >= 0 and kind[piece] != MINE and kind[piece] != FLAG
        if able and has_way(state, geo, seat, point):
            return True
    return False


@jit(inline=True)
def walk(state, geo, seat, point, start, end, moves, count):
    """Follow the program from ``start`` to ``end`` and append moves; returns their number."""
    i = start
    while i < end:
        to = geo[i]
        piece = state[CELLS + to]
        if piece < 0:
            moves[count] = point + 256 * to
            count += 1
            i += 2
        else:
            if ((piece // A_SIDE) ^ seat) & 1 == 1 and geo[TYPE + to] != CAMP:
                moves[count] = point + 256 * to
                count += 1
            i = geo[i + 1]
    return count


@jit(inline=True)
def flood(geo, number, free0, free1):
    """Points on rails (two words) that touch ``number`` or a free one connected with it."""
    seen0 = int64(0)
    seen1 = int64(0)
    new0 = int64(0)
    new1 = int64(0)
    at = number
    while True:
        near0 = geo[LINKS + 2 * at] & ~seen0
        near1 = geo[LINKS + 2 * at + 1] & ~seen1
        seen0 |= near0
        seen1 |= near1
        new0 |= near0 & free0
        new1 |= near1 & free1
        if new0 != 0:
            at = ctz(new0)
            new0 &= new0 - 1
        elif new1 != 0:
            at = RAIL_WORD + ctz(new1)
            new1 &= new1 - 1
        else:
            return seen0, seen1


@jit(inline=True)
def on_rails(state, geo, seat):
    """Points on rails that somebody holds, and those that the own team holds: two words each."""
    held0 = int64(0)
    held1 = int64(0)
    own0 = int64(0)
    own1 = int64(0)
    for piece in range(A_SIDE * geo[SEATS]):
        point = state[WHERE + piece]
        if point >= 0 and geo[RAIL + point] >= 0:
            number = geo[RAIL + point]
            own = ((piece // A_SIDE) ^ seat) & 1 ^ 1
            if number < RAIL_WORD:
                held0 |= int64(1) << number
                own0 |= own << number
            else:
                held1 |= int64(1) << (number - RAIL_WORD)
                own1 |= own << (number - RAIL_WORD)
    return held0, held1, own0, own1


@jit()
def generate(state, kind, geo, seat, moves):
    """Write the legal moves of ``seat`` as ``from + 256 * to``; returns their number."""
    count = int64(0)
    known = False
    held0 = int64(0)
    held1 = int64(0)
    own0 = int64(0)
    own1 = int64(0)
    for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
        point = state[WHERE + piece]
        if point < 0:
            continue
        what = kind[piece]
        if what in (MINE, FLAG) or geo[TYPE + point] == HQ:
            continue
        number = geo[RAIL + point]
        turns = what == ENGINEER and number >= 0
        end = geo[ROADS_END + point] if turns else geo[FIRST + point + 1]
        count = walk(state, geo, seat, point, geo[FIRST + point], end, moves, count)
        if turns:
            if not known:
                held0, held1, own0, own1 = on_rails(state, geo, seat)
                known = True
            seen0, seen1 = flood(geo, number, ~held0 & FIRST_WORD, ~held1 & FIRST_WORD)
            seen0 &= ~own0
            seen1 &= ~own1
            while seen0 != 0:
                moves[count] = point + 256 * geo[RAIL_POINT + ctz(seen0)]
                count += 1
                seen0 &= seen0 - 1
            while seen1 != 0:
                moves[count] = point + 256 * geo[RAIL_POINT + RAIL_WORD + ctz(seen1)]
                count += 1
                seen1 &= seen1 - 1
    return count


@jit()
def straight(state, geo, seat, point, target):
    """Whether any movable piece of ``seat`` could go from ``point`` to ``target``."""
    i = geo[FIRST + point]
    while i < geo[FIRST + point + 1]:
        if geo[i] == target:
            return may_enter(state, geo, seat, target)
        i = i + 2 if state[CELLS + geo[i]] < 0 else geo[i + 1]
    return False


@jit(inline=True)
def take_off(state, piece):
    """Remove a piece from the board."""
    state[CELLS + state[WHERE + piece]] = -1
    state[WHERE + piece] = -1


@jit(inline=True)
def put_out(state, seat, cause, event):
    """A seat is out: its pieces leave; a team with nobody left has lost."""
    state[ALIVE] &= ~(int64(1) << seat)
    for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
        if state[WHERE + piece] >= 0:
            take_off(state, piece)
    at = OUTS + 1 + 2 * event[OUTS]
    event[at] = seat
    event[at + 1] = cause
    event[OUTS] += 1
    team = seat & 1
    if (state[ALIVE] & (int64(5) << team)) == 0 and state[RESULT] < 0:
        state[RESULT] = 1 - team
        state[CAUSE] = cause


@jit(inline=True)
def next_seat(state, geo, seat):
    """The next seat in the order of play that is not out."""
    for _ in range(geo[SEATS]):
        seat = (seat + 1) % geo[SEATS]
        if (state[ALIVE] >> seat) & 1:
            return seat
    return seat


@jit(inline=True)
def mark_stuck(state, geo, seat):
    """Note the pieces of a seat without moves that could go if they were of a movable kind."""
    for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
        point = state[WHERE + piece]
        if point >= 0 and has_way(state, geo, seat, point):
            state[MARKS + piece] |= STUCK


@jit(inline=True)
def settle_turn(state, kind, geo, event, told, full):
    """From ``state[TURN]`` on, put out every seat that cannot move when its turn comes.

    ``told`` >= 0: do not look at kinds, the event says who (that many outs in all).
    """
    while state[RESULT] < 0:
        seat = state[TURN]
        if told >= 0:
            at = OUTS + 1 + 2 * event[OUTS]
            stuck = event[OUTS] < told and event[at] == seat and event[at + 1] == BY_NO_MOVE
        else:
            stuck = not can_move(state, kind, geo, seat)
        if not stuck:
            return
        if full:
            mark_stuck(state, geo, seat)
        put_out(state, seat, BY_NO_MOVE, event)
        state[TURN] = next_seat(state, geo, seat)


@jit(inline=True)
def fight(state, kind, switches, event):
    """Fill in the outcome of a move and whose 司令 fell; returns whether a flag was hit."""
    attacker, defender = event[ATTACKER], event[DEFENDER]
    event[FELL] = 0
    if defender < 0:
        event[OUTCOME] = 0
        return False
    outcome = int64(DUEL[switches[MINE_SURVIVES], kind[attacker], kind[defender]])
    event[OUTCOME] = outcome
    if switches[FLAG_REVEAL]:
        if outcome != 1 and kind[attacker] == COMMANDER:
            event[FELL] |= int64(1) << (attacker // A_SIDE)
        if outcome != 2 and kind[defender] == COMMANDER:
            event[FELL] |= int64(1) << (defender // A_SIDE)
    return kind[defender] == FLAG


@jit()
def act(state, kind, geo, switches, event, following, full):
    """Bring an event about: a legal move, a timeout of the seat to move, a resignation, a draw.

    Not ``following``: who stays, what is shown and who goes out is judged by ``kind`` and written
    into the event. ``following``: the event tells, and ``kind`` is not looked at. ``full`` keeps
    the marks too (a search that copies PLAY_SIZE numbers must leave it off).

    Returns 0, or 1 where a followed event tells of outs that cannot be.
    """
    told = int64(-1)
    hit = False
    if following:
        told = event[OUTS]
    event[OUTS] = 0
    what = event[ACT]
    seat = event[SEAT]
    if what == MOVE:
        start, target = event[FROM], event[TO]
        attacker, defender = state[CELLS + start], state[CELLS + target]
        event[ATTACKER] = attacker
        event[DEFENDER] = defender
        if following:
            hit = told > 0 and event[OUTS + 2] == BY_FLAG
            if hit and (defender < 0 or event[OUTS + 1] != defender // A_SIDE):
                return int64(1)
        else:
            hit = fight(state, kind, switches, event)
        outcome = event[OUTCOME]
        if full:
            state[MARKS + attacker] |= MOVED
            if not straight(state, geo, seat, start, target):
                state[MARKS + attacker] |= TURNED
        if outcome != 2 and defender >= 0:
            take_off(state, defender)
        if outcome >= 2:
            take_off(state, attacker)
        else:
            state[CELLS + start] = -1
            state[CELLS + target] = attacker
            state[WHERE + attacker] = target
        state[SHOWN] |= event[FELL]
        state[QUIET] = state[QUIET] + 1 if outcome == 0 else 0
        state[PLY] += 1
        if hit:
            put_out(state, defender // A_SIDE, BY_FLAG, event)
        state[TURN] = next_seat(state, geo, seat)
    elif what == TIMEOUT:
        state[TIMEOUTS + seat] += 1
        if state[TIMEOUTS + seat] >= switches[TIMEOUT_LIMIT]:
            put_out(state, seat, BY_TIMEOUT, event)
        state[TURN] = next_seat(state, geo, seat)
    elif what == RESIGN:
        put_out(state, seat, BY_RESIGNATION, event)
        if state[TURN] == seat:
            state[TURN] = next_seat(state, geo, seat)
        elif state[RESULT] < 0:
            return int64(0)  # "no move" is asked only when a turn comes
    elif what == AGREE:
        state[RESULT] = DRAWN
        state[CAUSE] = BY_AGREEMENT
    settle_turn(state, kind, geo, event, told, full)
    limit = switches[QUIET_LIMIT]
    if state[RESULT] < 0 and limit > 0 and what == MOVE and state[QUIET] >= limit:
        state[RESULT] = DRAWN
        state[CAUSE] = BY_QUIET
    if following and event[OUTS] != told:
        return int64(1)
    return int64(0)


@jit("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)")
def apply(state, kind, geo, switches, event, following, full):
    """Entry point of :func:`act`."""
    return act(state, kind, geo, switches, event, following != 0, full != 0)


@jit("void(int64[::1], int64[::1], int64[::1], int64[::1])")
def open_turn(state, kind, geo, event):
    """At the root of a game: put out the seats that cannot move, as when a turn comes."""
    event[OUTS] = 0
    settle_turn(state, kind, geo, event, int64(-1), True)


@jit("int64(int64[::1], int64[::1], int64[::1], int64, int64[::1])")
def legal(state, kind, geo, seat, moves):
    """Entry point of :func:`generate`."""
    return generate(state, kind, geo, seat, moves)


@jit("int64(int64[::1], int64[::1], int64, int64, int64)")
def reaches(state, geo, seat, point, target):
    """Entry point of :func:`straight`."""
    return int64(straight(state, geo, seat, point, target))


@jit("int64(int64[::1], int64[::1], int64, int64[::1])")
def movable(state, geo, seat, out):
    """Write the pieces of ``seat`` that could move if of a movable kind; returns their number."""
    count = int64(0)
    for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
        point = state[WHERE + piece]
        if point >= 0 and has_way(state, geo, seat, point):
            out[count] = piece
            count += 1
    return count


@jit(
    "int64(int64[:,::1], int64[::1], int64[::1], int64[::1], int64[:,::1], int64[::1], int64,"
    " int64)"
)
def perft(states, kind, geo, switches, moves, event, level, depth):
    """Move sequences of ``depth`` plies from ``states[level]``; the last ply is listed, not made.

    Rows ``level + 1`` ... of ``states`` and ``moves`` are room to work in.
    """
    state = states[level]
    if state[RESULT] >= 0:
        return int64(0)
    count = generate(state, kind, geo, state[TURN], moves[level])
    if depth <= 1:
        return count
    total = int64(0)
    for i in range(count):
        code = moves[level, i]
        after = states[level + 1]
        for j in range(PLAY_SIZE):
            after[j] = state[j]
        event[ACT] = MOVE
        event[SEAT] = state[TURN]
        event[FROM] = code & 255
        event[TO] = code >> 8
        act(after, kind, geo, switches, event, False, False)
        total += perft(states, kind, geo, switches, moves, event, level + 1, depth - 1)
    return total
