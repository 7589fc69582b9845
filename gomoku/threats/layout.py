"""Layout of the work arrays of the threat searches."""

from __future__ import annotations

MOST_ATTACKS = 200
"""More attacking moves than any board has room for pairs of stones."""

# Work array of a search by fours.
NODES, NODE_LIMIT, LIMIT, BEST, FIRST_ONLY, SALT, ABORTED, TABLE_MASK = range(8)
PATH = 8
FOUND = PATH + 2 * MOST_ATTACKS + 2
VCF_LENGTH = FOUND + 2 * MOST_ATTACKS + 2

# Work array of a search by threats: first the search by fours that it calls, then its own words.
VCT_NODES = VCF_LENGTH
VCT_NODE_LIMIT = VCF_LENGTH + 1
VCT_LIMIT = VCF_LENGTH + 2
THREAT_DEPTH = VCF_LENGTH + 3
FOUR_NODES = VCF_LENGTH + 4
VCT_SALT = VCF_LENGTH + 5
VCT_MASK = VCF_LENGTH + 6
VCT_ABORTED = VCF_LENGTH + 7
DEFENCES = VCF_LENGTH + 8
"""One bit a point: replies that might refute a threat (see ``mark_defences``)."""
WORK_LENGTH = DEFENCES + 8

MOST_MOVES = 512
"""Room for the moves of one node of the proof search."""

INFINITE = 1 << 28
"""A proof or disproof number that means: settled."""
