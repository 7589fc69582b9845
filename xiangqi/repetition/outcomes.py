"""The numbers in which the kernel says what comes of an attack and of a defence.

Plain integers, because kernels freeze them; `evidence.py` gives them names and sentences.
"""

from __future__ import annotations

# What comes of an attack (fourth column of an attack row).
CHECK = 1
"""The target is the general."""
GAIN = 2
"""A piece without a root can be taken."""
GAIN_CHARIOT = 3
"""A horse or cannon can take a chariot, whose root does not matter."""
GAIN_LIKE = 4
"""A piece of the same kind without a root, which cannot take back first."""
GAIN_BY_GUARD = 5
"""An advisor or elephant can take a chariot, horse or cannon (only where a rule book says so)."""
ROOTED = 6
"""The target has a true root (真根)."""
OFFER = 7
"""Pieces of the same kind face each other and the target can take: an offer of exchange (兑)."""
ATTACKER_PINNED = 8
"""Taking would expose the taker's own general; detail: the piece that would give check."""
EXEMPT_ATTACKER = 9
"""Generals and pawns may attack for ever."""
EXEMPT_VICTIM = 10
"""A pawn that has not crossed the river is no target."""

GAINS = (GAIN, GAIN_CHARIOT, GAIN_LIKE, GAIN_BY_GUARD)

# What comes of a defence (third column of a defence row), judged after the simulated capture.
ROOT = 1
"""The defender can take back."""
LEG_BLOCKED = 2
"""A horse whose leg is blocked; detail: the blocking point."""
EYE_BLOCKED = 3
"""An elephant whose eye is blocked; detail: the blocking point."""
WAY_BLOCKED = 4
"""A chariot with one piece between; detail: that piece."""
NO_SCREEN = 5
"""A cannon with nothing between."""
TOO_MANY_SCREENS = 6
"""A cannon with two pieces between; detail: the one nearer to the target."""
EXPOSES_GENERAL = 7
"""Taking back would expose the defender's own general; detail: the piece that would give check."""
SQUARE_GUARDED = 8
"""The general may not step onto the point; detail: a piece that guards it."""
BEHIND_CHARIOT = 9
"""A cannon on the line behind the capturing chariot, which alone makes it a defender."""

ROW = 6
"""Columns of a row: an attack is (0, attacker, target, outcome, detail, horse that pins the target
or -1), a defence, below its attack, (1, defender, outcome, detail, 0, 0)."""
ROWS = 1536
"""Rows that no position can exceed: 16 attackers with 8 targets, each with up to 15 defenders, is
beyond what 32 pieces can do at once; the kernel stops before the last row all the same."""
