"""Static exchange evaluation over a state of :mod:`xiangqi.kernel`."""

from __future__ import annotations

from numba import int64, uint64

from qikit.jit import jit
from xiangqi.kernel import (
    ADVISOR_SLOT,
    BOARD,
    COL,
    ELEPHANT_SLOT,
    HORSE_SLOT,
    PIECE,
    ROW,
    SLOT,
    _eyes,
)
from xiangqi.pieces import CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.tables import (
    ADVISOR_STEPS,
    ALL,
    CANNON_COL,
    CANNON_ROW,
    CANNONS,
    CHARIOT_COL,
    CHARIOT_ROW,
    CHARIOTS,
    DEAD,
    ELEPHANT_STEPS,
    FIELD,
    FILE,
    GENERAL_STEPS,
    LEG,
    NOWHERE,
    RANK,
)

_WHOLE = 1 | 1 << FIELD | 1 << ALL | 1 << CHARIOTS | 1 << CANNONS  # a place in all fields of a line


@jit(inline=True)
def worth(code, sq):
    """Worth of a piece in an exchange."""
    kind = code & 7
    if kind == ROOK:
        return int64(930)
    if kind == CANNON or kind == KNIGHT:  # noqa: SIM109 (numba compiles this to less)
        return int64(430)
    if kind == PAWN:
        crossed = sq < 45 if code >> 3 else sq >= 45
        return int64(130) if crossed else int64(50)
    if kind == KING:
        return int64(5000)
    return int64(110) if kind else int64(0)


@jit()
def wins(work, move, threshold):
    """Whether a move wins at least ``threshold`` on its point (pins are ignored)."""
    f = move & 127
    t = move >> 7 & 127
    piece = work[uint64(BOARD + f)] & PIECE
    swap = worth(work[uint64(BOARD + t)] & PIECE, t) - threshold
    if swap < 0:
        return False
    swap = worth(piece, f) - swap
    if swap <= 0:
        return True
    ft, rt = int64(FILE[uint64(t)]), int64(RANK[uint64(t)])
    ff, rf = int64(FILE[uint64(f)]), int64(RANK[uint64(f)])
    w, c = work[uint64(ROW + rt)], work[uint64(COL + ft)]
    if rf == rt:
        w &= ~(_WHOLE << ff)
    if ff == ft:
        c &= ~(_WHOLE << rf)
    for side in range(2):  # generals are no chariots here
        k = work[uint64(SLOT + 16 * side)]
        if int64(FILE[uint64(k)]) == ft:
            c &= ~(int64(1) << (int64(RANK[uint64(k)]) + CHARIOTS))
    # Attackers off the lines, a small number of each kind a side
    used_pawns = int64(0)
    horses = int64(0)  # two bits a side
    guards = int64(0)  # advisors and elephants, four bits a side
    general = int64(0)
    for side in range(2):
        base = SLOT + 16 * side
        for i in range(2):
            sq = work[uint64(base + HORSE_SLOT + i)]
            leg = int64(LEG[uint64(sq << 7 | t)])
            if leg != NOWHERE and sq != f and (leg == f or not work[uint64(BOARD + leg)] & PIECE):
                horses += int64(1) << 2 * side
        home = t - 45 * side
        if 0 <= home < 45:
            for i in range(2):
                sq = work[uint64(base + ADVISOR_SLOT + i)]
                if sq != f and ADVISOR_STEPS[uint64(91 * side + sq)] >> home & 1:
                    guards += int64(1) << 4 * side
                sq = work[uint64(base + ELEPHANT_SLOT + i)]
                if sq != f and sq != DEAD:
                    eyes = _eyes(work, int64(FILE[uint64(sq)]), int64(RANK[uint64(sq)]))
                    if ELEPHANT_STEPS[uint64(91 * side + sq << 4 | eyes)] >> home & 1:
                        guards += int64(1) << 4 * side
            k = work[uint64(base)]
            if k != f and GENERAL_STEPS[uint64(91 * side + k)] >> home & 1:
                general |= int64(1) << side
    us = int64(piece >> 3)
    side = us
    answer = True
    while True:
        side = 1 - side
        at_row = uint64(ft << 9 | w >> ALL & 511)
        at_col = uint64(rt << 10 | c >> ALL & 1023)
        row_own, col_own = w >> FIELD * side, c >> FIELD * side
        cost = int64(0)
        on_row, on_col = int64(0), int64(0)
        # pawns: beside it when across the river, and behind it
        pawn = PAWN | side << 3
        for way in range(3):
            if used_pawns >> (3 * side + way) & 1:
                continue
            if way == 2:
                sq = t + 9 if side else t - 9
                if sq < 0 or sq >= 90:
                    continue
            else:
                if (t >= 45) == (side == 1):
                    continue
                sq = t - 1 if way else t + 1
                if (ft == 0 and way == 1) or (ft == 8 and way == 0):
                    continue
            if sq != f and work[uint64(BOARD + sq)] & PIECE == pawn:
                used_pawns |= int64(1) << (3 * side + way)
                cost = 50 if way == 2 and (t >= 45) == (side == 1) else 130
                if way == 2:
                    on_col = int64(1) << int64(RANK[uint64(sq)])
                else:
                    on_row = int64(1) << int64(FILE[uint64(sq)])
                break
        if not cost:
            if guards >> 4 * side & 15:
                guards -= int64(1) << 4 * side
                cost = int64(110)
            elif horses >> 2 * side & 3:
                horses -= int64(1) << 2 * side
                cost = int64(430)
            else:
                on_row = int64(CANNON_ROW[at_row]) & w >> CANNONS & row_own
                on_col = int64(CANNON_COL[at_col]) & c >> CANNONS & col_own
                if on_row | on_col:
                    cost = int64(430)
                else:
                    on_row = int64(CHARIOT_ROW[at_row]) & w >> CHARIOTS & row_own
                    on_col = int64(CHARIOT_COL[at_col]) & c >> CHARIOTS & col_own
                    if on_row | on_col:
                        cost = int64(930)
                    elif general >> side & 1:
                        general &= ~(int64(1) << side)
                        cost = int64(5000)
                    else:
                        break
                if on_row:
                    on_row &= -on_row
                    on_col = int64(0)
                else:
                    on_col &= -on_col
        if on_row:
            w &= ~(on_row * _WHOLE)
        if on_col:
            c &= ~(on_col * _WHOLE)
        answer = not answer
        swap = cost - swap
        if swap < int64(answer):
            break
    return answer
