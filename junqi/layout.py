"""Where things stand in the flat int64 arrays that kernels work on."""

from __future__ import annotations

POINTS = 129
"""Points of the four-player board; the two-player board uses the numbers of zones S and N."""
PIECES = 100
"""Piece numbers: ``25 * seat + k``, k in the order of the points where the game began."""
A_SIDE = 25

# ---- map: one array a board ------------------------------------------------------------------
SEATS = 0
"""Number of seats; also the bit set of all of them is ``(1 << seats) - 1``."""
TYPE = 1
"""[point] one of the three types."""
STATION, CAMP, HQ = 0, 1, 2
FIRST = TYPE + POINTS
"""[point] where the point's program begins; it ends where the next one's begins. A program is
pairs (target, where to go on if something stands there): road steps, then lines as a tree."""
ROADS_END = FIRST + POINTS + 1
"""[point] where the road steps end and the lines begin."""
NEAR = ROADS_END + POINTS
"""[point] where the list of neighbours along rails begins; it ends where the next one's begins."""
RAIL = NEAR + POINTS + 1
"""[point] number among the points on rails, -1 = not on one."""
RAIL_POINT = RAIL + POINTS
"""[number] the point."""
LINKS = RAIL_POINT + 2 * 37
"""[number] two words: neighbours along rails, as bits of those numbers."""
RAIL_WORD = 37
"""Bits in the first of two words."""
LISTS = LINKS + 4 * RAIL_WORD
"""Programs and neighbour lists begin here."""

# ---- state: one array a position, nothing secret in it ---------------------------------------
CELLS = 0
"""[point] number of the piece that stands there, -1 = empty."""
WHERE = CELLS + POINTS
"""[piece] its point, -1 = it has left the board."""
TURN = WHERE + PIECES
ALIVE = TURN + 1
"""Bit set of the seats that are not out."""
QUIET = TURN + 2
"""Plies since a piece was removed in combat."""
SHOWN = TURN + 3
"""Bit set of the seats whose flag has been shown."""
RESULT = TURN + 4
"""-1 = goes on, 0 or 1 = that team has won, DRAWN."""
DRAWN = 2
CAUSE = TURN + 5
"""Why it ended, one of the causes."""
PLY = TURN + 6
"""Moves made; timeouts do not count."""
TIMEOUTS = TURN + 7
"""[seat] so far."""
PLAY_SIZE = TIMEOUTS + 4
"""What a search has to copy ends here."""
MARKS = PLAY_SIZE
"""[piece] what everybody has seen of it, as bits."""
MOVED, TURNED, SHOWED, STUCK = 1, 2, 4, 8
"""It has moved; it has turned a corner of a rail (an engineer); it is a shown flag; it could have
moved when its side was out for want of a move (so it is a mine or a flag)."""
STATE_SIZE = MARKS + PIECES

BY_FLAG, BY_NO_MOVE, BY_TIMEOUT, BY_RESIGNATION, BY_QUIET, BY_AGREEMENT = 1, 2, 3, 4, 5, 6
"""Causes: of a seat being out, and of the end."""

# ---- event: one array, what everybody sees ----------------------------------------------------
ACT = 0
MOVE, TIMEOUT, RESIGN, AGREE = 0, 1, 2, 3
SEAT = 1
FROM, TO = 2, 3
OUTCOME = 4
"""0 = plain move, 1 = attacker stays, 2 = defender stays, 3 = both leave."""
ATTACKER, DEFENDER = 5, 6
"""Piece numbers, -1 = none."""
FELL = 7
"""Bit set of the seats whose 司令 fell and so show their flags."""
OUTS = 8
"""How many seats went out, then pairs (seat, cause)."""
EVENT_SIZE = OUTS + 1 + 2 * 4

# ---- switches: one array a rule set -----------------------------------------------------------
MINE_SURVIVES = 0
FLAG_REVEAL = 1
QUIET_LIMIT = 2
TIMEOUT_LIMIT = 3
SWITCHES_SIZE = 4

MOVES_SIZE = 2560
"""Room for the moves of one position, even with 25 engineers."""
