"""Where things stand in the arrays of the search: shared by the kernel and by Python.

``work`` is one int64 array a thread. It begins with a state of :mod:`xiangqi.kernel`, so that the
same array is the position, the move lists and everything that a search remembers except the
transposition table, which threads share. All offsets are in words.
"""

from __future__ import annotations

PLIES = 96
"""Deepest line; beyond it positions are only evaluated."""
PAST = 256
"""Plies of the game before the root that are kept for repetition."""
FRAME = 192  # words of a move list, as xiangqi.kernel has it (a test holds them together)

# Control words
NODES = 168
NODE_LIMIT = 169
STOPPED = 170
ROOT_DEPTH = 171
GENERATION = 172
TABLE_MASK = 173
NATURAL_LIMIT = 174
HAS_NETWORK = 175
ROOT_COUNT = 176
DEEPEST = 177
OUTPUT_DIVISOR = 178
OUTPUT_BIAS = 180  # one word a bucket
NOISE = 188  # half width of the noise in judgement, centipawns; 0 = none
NOISE_SEED = 189
LOOPS = 190  # one of FAMILIES

CHINESE, ASIAN = 1, 2
FAMILIES = {"chinese": CHINESE, "asian": ASIAN}
"""Who must change: who checks, chases or threatens mate with every move; who checks, or chases one
and the same piece, with every move."""

ROOT = 192
"""Moves that may be played at the root, best first, at most 128."""

STACK = ROOT + 128
ENTRY = 16
BEFORE = 8  # entries before the root, so that looking back needs no question
# Words of a stack entry
MOVE, ROW_OF, EVAL, CHECKED, KILLER, KILLER2, EXCLUDED, QUIET = range(8)
SPAN, SQUARES, FRESH, FRESH2, CUTS, STRETCH = range(8, 14)

KEYS = STACK + ENTRY * (PLIES + BEFORE + 2)
CHECKS = KEYS + PAST + PLIES + 2
UNDOS = CHECKS + PAST + PLIES + 2
"""Undo (in the game: the move) that led to a position; negative for a null move."""
NATURES = UNDOS + PAST + PLIES + 2
"""What that move was, once somebody asked; else 0."""
MOVES = NATURES + PAST + PLIES + 2
SCORES = MOVES + FRAME * (PLIES + 2)
TRIED = SCORES + 128 * (PLIES + 2)
LINES = TRIED + 128 * (PLIES + 2)
REDUCTIONS = LINES + PLIES * PLIES + PLIES
VALUES = REDUCTIONS + 64 * 64
"""Worth of a piece on a point by ``code << 7 | point``, middle game << 32 + endgame, for Red."""
PIECE_TO = VALUES + 2048
FROM_TO = PIECE_TO + 2048
CAPTURE = FROM_TO + 2 * 16384
COUNTER = CAPTURE + 16384
WORK_SIZE = COUNTER + 2048

CONTINUATION_ROWS = 2048
"""Shape of the continuation history: int16, by (piece and point) of a move and of the next."""

# Transposition table: ENTRIES of two words (key ^ data, data), BUCKET of them for a key
BUCKET = 4

# Scores
MATE = 30000
MATED_IN = MATE - 256
"""A score beyond this is a forced mate."""
UNKNOWN = 32001
"""No static evaluation (the side to move is in check)."""

# Network
HIDDEN = 128
FEATURES = 2 * 7 * 90
BUCKETS = 4
BIAS_ROW = FEATURES
OUTPUT_ROW = FEATURES + 1
NET_ROWS = OUTPUT_ROW + 2 * BUCKETS
UNIT = 255
"""An activation of 1.0 in the integers of the network."""
