"""Every defect of a position at once; a board can be made of all of them (studies use them)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag, auto

from junqi.geometry import HEADQUARTERS, BoardMap
from junqi.pieces import COUNTS, FLAG, KINDS, MINE


class Status(IntFlag):
    """Defects of a position; ``VALID`` is none.

    >>> Status.NO_FLAG in (Status.NO_FLAG | Status.TOO_MANY)
    True
    """

    VALID = 0
    TOO_MANY = auto()
    """A side has more pieces of a kind than an army (S3B-JQ-8)."""
    NO_FLAG = auto()
    """A side that is not out has no flag."""
    FLAG_MISPLACED = auto()
    """A flag stands outside its own headquarters (S3B-JQ-6)."""
    MINE_MISPLACED = auto()
    """A mine stands outside the last two rows of its side (S3B-JQ-6), and it cannot have moved."""
    TOO_FEW_SEATS = auto()
    """One of the teams has nobody on the board."""


def position_status(
    board: BoardMap, pieces: Sequence[tuple[int, int, int]], alive: Sequence[int]
) -> Status:
    """The defects of a position given as (seat, kind, point)."""
    found = Status.VALID
    for seat in range(board.seats):
        kinds = [kind for owner, kind, _ in pieces if owner == seat]
        if any(kinds.count(kind) > COUNTS[kind] for kind in KINDS):
            found |= Status.TOO_MANY
        if seat in alive and FLAG not in kinds:
            found |= Status.NO_FLAG
    for seat, kind, point in pieces:
        zone, offset = divmod(point, 30)
        own = zone == board.zones[seat]
        if kind == FLAG and not (own and offset in HEADQUARTERS):
            found |= Status.FLAG_MISPLACED
        if kind == MINE and not (own and offset >= 20):
            found |= Status.MINE_MISPLACED
    if len({seat & 1 for seat in alive}) < 2:
        found |= Status.TOO_FEW_SEATS
    return found
