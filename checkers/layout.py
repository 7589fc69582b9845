"""Where things stand in the flat int64 arrays that kernels work on."""

from __future__ import annotations

# ---- state: one array a position -------------------------------------------------------------
OWN = 0
"""6 camps x 4 words: the pieces of each camp of origin."""
OCCUPIED = 24
"""4 words: all pieces."""
EXPELLED = 28
"""6 camps x 4 words: pieces that left their camp under the idle-move duty and may not return."""
STATE_SIZE = 52

# ---- masks: 6 camps x 4 sets x 4 words, from the rules ----------------------------------------
HOME, GOAL, STOP, PASS = 0, 4, 8, 12
"""Start camp; goal; holes where a turn may end; holes that a turn may touch at all."""
MASKS_A_CAMP = 16
MASKS_SIZE = 6 * MASKS_A_CAMP

# ---- switches: one array a rule set -----------------------------------------------------------
JUMP = 0
SHORT, LONG, SYMMETRIC = 0, 1, 2
GOAL_LOCK = 1
BACKWARD = 2
FREE, END_NOT_BEHIND, NEVER = 0, 1, 2
WIN = 3
STRICT, FULL, OWNER, SWAP = 0, 1, 2, 3
IDLE = 4
"""1 = the idle-move duty filters turns."""
IDLE_SLACK = 5
IDLE_GUESTS = 6
IDLE_NO_RETREAT = 7
NO_TURN_LOSES = 8
REVERSED = 9
"""1 = turns run backwards in time (solvers that search from the goal)."""
SWITCHES_SIZE = 10

PASS_CODE = -1
"""The code of a pass; any other turn is ``from + 128 * to``."""
