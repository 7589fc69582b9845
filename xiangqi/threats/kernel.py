"""Forcing searches: mate by continuous checks, exchanges on a point, what can be won by force.

All work on a state of :mod:`xiangqi.kernel` and leave it as it was. ``moves`` gives ``FRAME`` words
a ply (int64[FRAME * PLIES]); ``tally`` is int64[2]: nodes used and nodes allowed. A search that
runs out of nodes answers as if nothing more were there; ``tally[0] > tally[1]`` tells.

Values are those of the Chinese rules (车 = 2 马 = 2 炮, 马 = 炮, 士 = 相): chariot 10, horse and
cannon 5, advisor and elephant 2, crossed pawn 1, general and uncrossed pawn nothing.
"""

from numba import int64

from qikit.jit import jit
from xiangqi.kernel import (
    BOARD,
    FRAME,
    KEY,
    PIECE,
    TURN,
    generate,
    in_check,
    is_legal,
    make,
    unmake,
)
from xiangqi.tables import TURN_KEY

MATE = 10_000
QUIET_PLIES = 6  # captures are followed so far beyond the last ply that may check
FLIGHT_PLIES = 8  # and answers to checks so far
PLIES = 40
TABLE = 1 << 14
COLUMNS = 8


@jit()
def _value(code, sq):
    """Worth of a piece on a point."""
    kind = code & 7
    if kind == 5:
        return int64(10)
    if kind == 4 or kind == 6:
        return int64(5)
    if kind == 2 or kind == 3:
        return int64(2)
    if kind == 7:
        return int64(sq < 45) if code >> 3 else int64(sq >= 45)
    return int64(0)


@jit()
def _code(state, sq):
    return state[BOARD + sq] & PIECE


@jit("int64(int64[::1], int64, int64[::1], int64, int64[::1], int64[:,::1])")
def mate_by_checks(state, depth, moves, ply, tally, table):
    """First move of a mate by checks alone in at most ``depth`` own moves, or -1.

    At the root a quiet move that leaves the other side without a move is a mate as well, since
    that side has lost (困毙). ``table`` (TABLE, 2) remembers what has failed and must be zeroed
    by the caller for every new question.
    """
    tally[0] += 1
    if tally[0] > tally[1] or (ply + 2) * FRAME > moves.size:
        return int64(-1)
    slot = state[KEY] & (TABLE - 1)
    if table[slot, 0] == state[KEY] and table[slot, 1] >= depth:
        return int64(-1)
    us = state[TURN]
    at = ply * FRAME
    n = generate(state, moves, at)
    for i in range(at, at + n):
        move = moves[i]
        undo = make(state, move)
        found = False
        if in_check(state, 1 - us):
            answers = generate(state, moves, at + FRAME)
            found = answers == 0 or depth > 1
            for j in range(at + FRAME, at + FRAME + answers):
                if not found:
                    break
                reply = make(state, moves[j])
                found = mate_by_checks(state, depth - 1, moves, ply + 2, tally, table) >= 0
                unmake(state, reply)
        elif ply == 0:
            found = generate(state, moves, at + FRAME) == 0
        unmake(state, undo)
        if found:
            return move
    table[slot, 0] = state[KEY]
    table[slot, 1] = depth
    return int64(-1)


@jit("int64(int64[::1], int64, int64[::1], int64)")
def exchange(state, goal, moves, ply):
    """What the side to move wins by capturing on ``goal``, both sides free to stop; at least 0."""
    at = ply * FRAME
    if at + FRAME > moves.size:
        return int64(0)
    best = int64(0)
    gain = _value(_code(state, goal), goal)
    n = generate(state, moves, at)
    for i in range(at, at + n):
        if moves[i] >> 7 == goal:
            undo = make(state, moves[i])
            best = max(best, gain - exchange(state, goal, moves, ply + 1))
            unmake(state, undo)
    return best


@jit("int64(int64[::1], int64, int64[::1])")
def exchange_by(state, move, moves):
    """What a capture wins after all retakes on its point; the move need not be legal."""
    goal = move >> 7 & 127
    gain = _value(_code(state, goal), goal)
    undo = make(state, move)
    gain -= exchange(state, goal, moves, int64(0))
    unmake(state, undo)
    return gain


@jit("int64(int64[::1],int64,int64,int64,int64,int64,int64,int64,int64[::1],int64,int64[::1])")
def material(state, side, alpha, beta, depth, checks, shield, last, moves, ply, tally):
    """Material that the side to move wins by force, from its own view.

    Both sides may capture, check (``checks`` quiet checks in a line, to ``depth`` plies) or stop;
    who is in check answers with every legal move, and being mated costs ``MATE``. (A side that
    may stop is not asked for a move, so a stalemate costs nothing here.)

    Args:
        side: the side whose threats are in question. What its general and pawns take counts
            nothing, except as a retake on ``last``: their attacks are allowed for ever.
        shield: a point where nothing may be captured while its first piece stands there, as
            ``point | code << 7``, or -1.
        last: point of the move before.
    """
    tally[0] += 1
    us = state[TURN]
    checked = in_check(state, us)
    best = int64(-2 * MATE)
    out = tally[0] > tally[1] or (ply + 1) * FRAME > moves.size
    if not checked:
        best = int64(0)
        if best >= beta or depth <= -QUIET_PLIES or out:
            return best
        alpha = max(alpha, best)
    elif depth <= -FLIGHT_PLIES or out:
        return int64(0)
    at = ply * FRAME
    n = generate(state, moves, at)
    if n == 0:
        return int64(ply - MATE) if checked else best
    for rank in range(3):  # pieces, then small captures, then the rest
        for i in range(at, at + n):
            move = moves[i]
            goal = move >> 7
            taken = _code(state, goal)
            worth = _value(taken, goal)
            if (0 if worth >= 5 else 1 if taken else 2) != rank:
                continue
            if shield >= 0 and goal == shield & 127 and taken == shield >> 7:
                continue
            kind = _code(state, move & 127) & 7
            if us == side and (kind == 1 or kind == 7) and goal != last:
                worth = int64(0)
            left = checks
            quiet = not taken and not checked
            if quiet:
                if checks <= 0 or depth <= 0:
                    continue
                left -= 1
            undo = make(state, move)
            if quiet and not in_check(state, 1 - us):
                unmake(state, undo)
                continue
            score = worth - material(
                state,
                side,
                worth - beta,
                worth - alpha,
                depth - 1,
                left,
                shield,
                goal,
                moves,
                ply + 1,
                tally,
            )
            unmake(state, undo)
            if score > best:
                best = score
                alpha = max(alpha, best)
                if alpha >= beta:
                    return best
    return best


@jit()
def _caught(state, goal, depth, moves, ply):
    """Whether the side to move wins the piece on ``goal`` by checks and then a capture."""
    at = ply * FRAME
    if at + 3 * FRAME > moves.size:
        return False
    us = state[TURN]
    n = generate(state, moves, at)
    for i in range(at, at + n):
        move = moves[i]
        if move >> 7 == goal:
            continue
        undo = make(state, move)
        caught = in_check(state, 1 - us)
        if caught:
            answers = generate(state, moves, at + FRAME)
            for j in range(at + FRAME, at + FRAME + answers):
                answer = moves[j]
                where = answer >> 7 if answer & 127 == goal else goal
                reply = make(state, answer)
                # an answer that takes the checking piece has paid for the hunted one
                caught = (
                    not (answer >> 7 == move >> 7 and _value(reply >> 14 & PIECE, goal) > 0)
                ) and (
                    exchange(state, where, moves, ply + 2) > 0
                    or (depth > 1 and _caught(state, where, depth - 1, moves, ply + 2))
                )
                unmake(state, reply)
                if not caught:
                    break
        unmake(state, undo)
        if caught:
            return True
    return False


@jit()
def _offered(state, move, moves, tally, table):
    """Whether the victim of a capture is of the attacker's kind and can take it first, safely."""
    start, goal = move & 127, move >> 7
    if (_code(state, start) ^ _code(state, goal)) & 7:
        return False
    state[TURN] ^= 1
    state[KEY] ^= TURN_KEY
    back = goal | start << 7
    can = is_legal(state, back) != 0
    if can:
        undo = make(state, back)
        tally[0] = 0
        for i in range(TABLE):
            table[i, 0] = 0
        can = mate_by_checks(state, int64(2), moves, int64(0), tally, table) < 0
        unmake(state, undo)
    state[TURN] ^= 1
    state[KEY] ^= TURN_KEY
    return can


@jit(
    "int64(int64[::1],int64,int64,int64,int64[:,::1],int64[::1],int64[::1],int64[:,::1],int64[::1])"
)
def survey(state, depth, checks, shield, rows, moves, own, table, tally):
    """Every legal capture and check of the side to move, with what each wins.

    Args:
        depth, checks, shield: see :func:`material`.
        rows: (FRAME, COLUMNS) receives move, victim's code or 0, gain of the exchange on the
            point, what the move wins by force, 1 if it checks, 1 if the victim is retaken
            (rooted), 1 if checks win the capturing piece back, 1 if the victim offers an exchange.
            Row 0 is about passing: only the forced value counts.
        own: int64[FRAME] scratch beside ``moves``.

    Returns:
        Number of rows.
    """
    us = state[TURN]
    n = generate(state, own, int64(0))
    nodes = tally[0]
    state[TURN] ^= 1
    state[KEY] ^= TURN_KEY
    for k in range(COLUMNS):
        rows[0, k] = 0
    rows[0, 3] = -material(
        state,
        us,
        int64(-2 * MATE),
        int64(2 * MATE),
        depth,
        checks,
        shield,
        int64(-1),
        moves,
        int64(0),
        tally,
    )
    state[TURN] ^= 1
    state[KEY] ^= TURN_KEY
    nodes = max(nodes, tally[0])
    count = 1
    for i in range(n):
        move = own[i]
        goal = move >> 7
        taken = _code(state, goal)
        gain = exchange_by(state, move, moves) if taken else int64(0)
        undo = make(state, move)
        checking = in_check(state, 1 - us)
        if taken or checking:
            rows[count, 0] = move
            rows[count, 1] = taken
            rows[count, 2] = gain
            rows[count, 4] = checking
            rows[count, 5] = 0
            rows[count, 6] = 0
            rows[count, 7] = 0
            if taken:
                answers = generate(state, moves, int64(0))
                for j in range(answers):
                    if moves[j] >> 7 == goal:
                        rows[count, 5] = 1
                if gain > 0:
                    rows[count, 6] = _caught(state, goal, int64(2), moves, int64(0))
            tally[0] = 0
            rows[count, 3] = _value(taken, goal) - material(
                state,
                us,
                int64(-2 * MATE),
                int64(2 * MATE),
                depth,
                checks,
                shield,
                goal,
                moves,
                int64(0),
                tally,
            )
            nodes = max(nodes, tally[0])
            count += 1
        unmake(state, undo)
        if taken and gain > 0:
            rows[count - 1, 7] = _offered(state, move, moves, tally, table)
    tally[0] = nodes
    return count
