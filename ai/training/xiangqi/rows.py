"""Columns of a position to learn from: 90 piece codes (int16), then what the self-play found."""

from __future__ import annotations

SIDE, VALUE, RESULT, PLY, BEST, CALM = range(90, 96)
"""Side to move; search value and result (-1, 0, 1) for it; ply; best move ``from | to << 7``;
1 for a position without check whose best move takes nothing."""
COLUMNS = 96
