"""What a side attacks in a position and what comes of it: the inner part of every chase rule.

The board is a mailbox of 90 piece codes (kind + 8 for Black, 0 = empty). Each capture is made on
it, each possible retake too, and the general looked for; all evidence that a report needs is
written down on the way, so that the sentence an arbiter reads and the verdict cannot differ.

A retake or capture is refused when it leaves the own general in a *new* check: a check that stood
before the capture is ignored, because in the game it would have had to be answered first. A
general itself never steps onto an attacked point.
"""

from qikit.jit import jit
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.repetition.outcomes import (
    ATTACKER_PINNED,
    BEHIND_CHARIOT,
    CHECK,
    EXEMPT_ATTACKER,
    EXEMPT_VICTIM,
    EXPOSES_GENERAL,
    EYE_BLOCKED,
    GAIN,
    GAIN_BY_GUARD,
    GAIN_CHARIOT,
    GAIN_LIKE,
    LEG_BLOCKED,
    NO_SCREEN,
    OFFER,
    ROOT,
    ROOTED,
    SQUARE_GUARDED,
    TOO_MANY_SCREENS,
    WAY_BLOCKED,
)

NO_WAY = 0


@jit()
def _between(codes, start, goal):
    """Number of pieces strictly between two points of one line, -1 if they share none."""
    if start == goal:
        return -1
    if start // 9 == goal // 9:
        step = 1
    elif start % 9 == goal % 9:
        step = 9
    else:
        return -1
    if goal < start:
        step = -step
    count = 0
    at = start + step
    while at != goal:
        if codes[at]:
            count += 1
        at += step
    return count


@jit()
def _lies_between(sq, start, goal):
    """Whether ``sq`` lies strictly inside the stretch of a file or rank from start to goal."""
    if start // 9 == goal // 9:
        return sq // 9 == goal // 9 and min(start, goal) < sq < max(start, goal)
    same_file = start % 9 == goal % 9 == sq % 9
    return same_file and min(start, goal) < sq < max(start, goal)


@jit()
def _nearest(codes, start, goal):
    """First occupied point on the line from ``goal`` back to ``start``; there is one."""
    step = 1 if start // 9 == goal // 9 else 9
    if start < goal:
        step = -step
    at = goal + step
    while at != start and not codes[at]:
        at += step
    return at


@jit()
def _leg(start, goal):
    """The point that must be empty for a horse to jump."""
    if abs(goal // 9 - start // 9) == 2:
        return start + 9 if goal > start else start - 9
    return start + 1 if goal % 9 > start % 9 else start - 1


@jit()
def _reach(codes, start, goal):
    """How the piece on ``start`` stands to a capture on ``goal``: NO_WAY, ROOT or what blocks it.

    What stands on ``goal`` does not matter; it is taken for an enemy.
    """
    code = codes[start]
    kind, color = code & 7, code >> 3
    files = abs(goal % 9 - start % 9)
    ranks = abs(goal // 9 - start // 9)
    if kind in (ROOK, CANNON):
        count = _between(codes, start, goal)
        if count < 0:
            return NO_WAY
        if kind == ROOK:
            return ROOT if count == 0 else (WAY_BLOCKED if count == 1 else NO_WAY)
        if count == 1:
            return ROOT
        return NO_SCREEN if count == 0 else (TOO_MANY_SCREENS if count == 2 else NO_WAY)
    if kind == KNIGHT:
        if files * ranks != 2:
            return NO_WAY
        return LEG_BLOCKED if codes[_leg(start, goal)] else ROOT
    if kind == PAWN:
        forward = goal - start if color == 0 else start - goal
        if forward == 9:
            return ROOT
        crossed = start >= 45 if color == 0 else start < 45
        return ROOT if crossed and ranks == 0 and files == 1 else NO_WAY
    if kind == BISHOP:
        home = goal < 45 if color == 0 else goal >= 45
        if files != 2 or ranks != 2 or not home:
            return NO_WAY
        return EYE_BLOCKED if codes[(start + goal) // 2] else ROOT
    # King and advisor stay in the palace.
    file, rank = goal % 9, goal // 9
    palace = 3 <= file <= 5 and (rank <= 2 if color == 0 else rank >= 7)
    if not palace:
        return NO_WAY
    if kind == KING:
        return ROOT if files + ranks == 1 else NO_WAY
    return ROOT if kind == ADVISOR and files == 1 and ranks == 1 else NO_WAY


@jit()
def _general(codes, color):
    for sq in range(90):
        if codes[sq] == KING + 8 * color:
            return sq
    return -1


@jit()
def _attacks_general(codes, sq, general):
    """Whether the piece on ``sq`` gives check; a facing general counts, it forbids a move alike."""
    if codes[sq] & 7 == KING:
        return sq % 9 == general % 9 and _between(codes, sq, general) == 0
    return _reach(codes, sq, general) == ROOT


@jit()
def _mark_checkers(codes, color, known):
    general = _general(codes, color)
    for sq in range(90):
        known[sq] = 0
        if general >= 0 and codes[sq] and codes[sq] >> 3 != color:
            known[sq] = _attacks_general(codes, sq, general)


@jit()
def _new_checker(codes, color, known):
    """A piece that attacks the general of ``color`` and is not marked in ``known``, or -1."""
    general = _general(codes, color)
    if general < 0:
        return -1
    for sq in range(90):
        code = codes[sq]
        if code and code >> 3 != color and not known[sq] and _attacks_general(codes, sq, general):
            return sq
    return -1


@jit()
def _retake(codes, start, goal, enemy, known, nothing):
    """The piece, if any, that would give check after a retake: -1 = the retake stands."""
    taken, code = codes[goal], codes[start]
    codes[goal] = code
    codes[start] = 0
    checker = _new_checker(codes, enemy, nothing if code & 7 == KING else known)
    codes[start] = code
    codes[goal] = taken
    return checker


@jit()
def _pinning_horse(codes, side, victim, general, known):
    """The horse of ``side`` that would give check if the piece on ``victim`` were gone, or -1."""
    code = codes[victim]
    codes[victim] = 0
    found = -1
    for sq in range(90):
        horse = codes[sq] == KNIGHT + 8 * side and not known[sq] and general >= 0
        if horse and _reach(codes, sq, general) == ROOT:
            found = sq
    codes[victim] = code
    return found


@jit()
def _write_defence(out, n, defender, outcome, detail):
    out[n, 0] = 1
    out[n, 1] = defender
    out[n, 2] = outcome
    out[n, 3] = detail
    out[n, 4] = 0
    out[n, 5] = 0


@jit("int64(uint8[::1], int64, int64, int64[:,::1], uint8[:,::1])")
def attacks(codes, side, guards_gain, out, known):
    """Every attack of ``side``, as if it were to move, with every defence.

    Args:
        codes: (90,) piece codes; changed and restored.
        side: 0 Red, 1 Black.
        guards_gain: 1 if an advisor or elephant attacking a chariot, horse or cannon always gains.
        out: (ROWS, 6) receives the rows described in `outcomes.py`.
        known: (3, 90) scratch.

    Returns:
        The number of rows written.
    """
    enemy = 1 - side
    general = _general(codes, enemy)
    _mark_checkers(codes, side, known[0])
    _mark_checkers(codes, enemy, known[1])
    for sq in range(90):
        known[2, sq] = 0
    n = 0
    for a in range(90):
        attacker = codes[a]
        if not attacker or attacker >> 3 != side:
            continue
        kind = attacker & 7
        for v in range(90):
            victim = codes[v]
            if not victim or victim >> 3 != enemy or _reach(codes, a, v) != ROOT:
                continue
            if n + 17 > out.shape[0]:
                return n
            head = n
            n += 1
            out[head, 0] = 0
            out[head, 1] = a
            out[head, 2] = v
            out[head, 4] = -1
            out[head, 5] = -1
            if v == general:
                out[head, 3] = CHECK
                continue
            if victim & 7 == PAWN and (v >= 45 if enemy == 1 else v < 45):
                out[head, 3] = EXEMPT_VICTIM
                continue
            if kind in (KING, PAWN):
                out[head, 3] = EXEMPT_ATTACKER
                continue
            codes[v] = attacker
            codes[a] = 0
            checker = _new_checker(codes, side, known[0])
            rooted = False
            if checker < 0:
                for d in range(90):
                    defender = codes[d]
                    if not defender or defender >> 3 != enemy:
                        continue
                    way = _reach(codes, d, v)
                    if way == NO_WAY:
                        continue
                    detail = -1
                    if way == ROOT:
                        if kind == ROOK and defender & 7 == CANNON and _lies_between(a, d, v):
                            way = BEHIND_CHARIOT
                            detail = a
                        else:
                            detail = _retake(codes, d, v, enemy, known[1], known[2])
                            if detail < 0:
                                rooted = True
                            elif defender & 7 == KING:
                                way = SQUARE_GUARDED
                            else:
                                way = EXPOSES_GENERAL
                    elif way == LEG_BLOCKED:
                        detail = _leg(d, v)
                    elif way == EYE_BLOCKED:
                        detail = (d + v) // 2
                    elif way in (WAY_BLOCKED, TOO_MANY_SCREENS):
                        detail = _nearest(codes, d, v)
                    _write_defence(out, n, d, way, detail)
                    n += 1
            codes[a] = attacker
            codes[v] = victim
            if victim & 7 == ROOK:
                out[head, 5] = _pinning_horse(codes, side, v, general, known[1])
            if checker >= 0:
                out[head, 3] = ATTACKER_PINNED
                out[head, 4] = checker
            elif victim & 7 == ROOK and (kind in (KNIGHT, CANNON)):
                out[head, 3] = GAIN_CHARIOT
            elif guards_gain and (kind in (ADVISOR, BISHOP)) and victim & 7 != PAWN:
                out[head, 3] = GAIN_BY_GUARD
            elif rooted:
                out[head, 3] = ROOTED
            elif victim & 7 != kind:
                out[head, 3] = GAIN
            else:
                out[head, 3] = GAIN_LIKE
            if victim & 7 == kind and checker < 0 and _reach(codes, v, a) == ROOT:
                pinned_by = _retake(codes, v, a, enemy, known[1], known[2])
                if pinned_by < 0:
                    out[head, 3] = OFFER
                elif out[head, 3] == GAIN_LIKE:
                    out[head, 4] = pinned_by
    return n
