"""Columns of the arrays that the kernels share with the classes above them; nothing else.

All lengths in metres, masses in kilograms, times in seconds, angles in radians, anticlockwise.
"""

from __future__ import annotations

# -- disc: the path of one disc since its velocity last changed ------------------------------
X, Y = 0, 1
"""Where the path starts."""
UX, UY = 2, 3
"""Unit direction of the path (a flat disc runs straight, spinning or not)."""
V, W = 4, 5
"""Speed and spin (rad/s) at the start of the path."""
T0 = 6
"""Time at which the path starts."""
R, M = 7, 8
"""Radius and mass."""
ACC = 9
"""Deceleration by friction, mu g unless something lies on the disc."""
T_STOP, S_STOP = 10, 11
"""Time and path length at which the disc stands still."""
SCALE, Q0, H0, BRANCH = 12, 13, 14, 15
"""Place on the universal curve of coupled friction; BRANCH 0 = plain Coulomb."""
VX, VY = 16, 17
"""Velocity at the start of the path."""
STATE, HOLE = 18, 19
"""One of ON, POCKETED, OFF, LIFTED; number of the hole."""
CARRIES = 20
"""Index of the disc that lies on this one, or -1."""
DISC = 21

ON, POCKETED, OFF, LIFTED = 0.0, 1.0, 2.0, 3.0

# -- now: the state of a disc at the time of the event being worked on -----------------------
NX, NY, NVX, NVY, NW, N_S, N_V, N_LEFT = range(8)
"""Place, velocity, spin, length of path done, speed, length of path left."""
PVX, PVY, PW = 8, 9, 10
"""Velocity and spin before the impacts of this instant."""
CHANGED, IN_CLUSTER = 11, 12
NOW = 13

# -- contact ---------------------------------------------------------------------------------
C_A, C_B, C_NX, C_NY, C_GAP, C_APPROACH = range(6)
"""Disc, other disc (or RAIL_0 - number of the rail), normal from a to b, gap, closing speed."""
C_JN, C_TIED = 6, 7
CONTACT = 8
RAIL_0 = -2
"""C_B of the first rail; the rails are left, right, bottom, top."""

# -- event -----------------------------------------------------------------------------------
E_T, E_TYPE, E_A, E_B, E_APPROACH, E_JN, E_JT = range(7)
E_DE = 7
"""Kinetic energy taken out by the impact, J."""
EVENT = 8

DISC_DISC, DISC_RAIL, POCKET, FLY_OFF, UNSTACK, PRESS = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0

# -- path log: one row for each new path -----------------------------------------------------
L_T, L_DISC, L_X, L_Y, L_VX, L_VY, L_W, L_ACC, L_STATE = range(9)
LOG = 9

# -- parameters of a table -------------------------------------------------------------------
P_HALF = 0
"""Half the side of the board; infinite without rails."""
P_MUG = 1
P_E_DD, P_MU_DD, P_E_W, P_MU_W, P_KI, P_RP = range(2, 8)
P_POCKETS, P_RAILS, P_FARKAS = 8, 9, 10
P_FLY = 11
"""Closing speed at which a disc jumps the rail; infinite when discs never fly."""
P_STACK_G = 12
"""Friction of disc on disc in a stack times g."""
P_HOLE_AT = 13
"""Distance of the centre of a hole from the axes."""
PARAMS = 14

# -- results of a shot -----------------------------------------------------------------------
O_EVENTS, O_LOG, O_T_END, O_IMPACT, O_SLIDE, O_POCKET, O_OFF, O_DEEPEST, O_PRESSES = range(9)
OUT = 9
"""Numbers of events and of log rows (also of those that found no room), time when all rest, energy
lost by impact, sliding, pocketing and flying off, the deepest gap met, presses worked off."""
