"""Every defect of a position at once; a board can be made of all of them (studies use them)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import IntFlag, auto

from checkers.geometry import HOLES, camp_of, home, opposite
from checkers.notation import EMPTY
from checkers.rules import Rules


class Status(IntFlag):
    """Defects of a position; ``VALID`` is none.

    >>> Status.TOO_FEW_PIECES in (Status.TOO_FEW_PIECES | Status.SIDE_CAMP_HELD)
    True
    """

    VALID = 0
    TOO_FEW_PIECES = auto()
    """A seat has fewer pieces than it began with: no piece ever leaves the board (S0-TQ-6)."""
    TOO_MANY_PIECES = auto()
    """A seat has more pieces than it began with."""
    ALONE = auto()
    """Only one army plays: a race against the clock, no game."""
    SIDE_CAMP_HELD = auto()
    """A piece stands in a camp where no turn may end under the rules of the board."""
    SEVERAL_FINISHED = auto()
    """More than one seat has filled its goal without the position saying who was first."""
    EXPELLED_AT_HOME = auto()
    """A piece that is said to have made way, and may not return, stands in its own camp."""


def position_status(
    owners: Sequence[int],
    camps: Sequence[int],
    pieces: int,
    rules: Rules,
    ranked: int = 0,
    expelled: Collection[int] = (),
) -> Status:
    """The defects of a position.

    Args:
        owners: 121 camps of origin, -1 = empty.
        camps: camps that play.
        pieces: 10 or 15.
        rules: the switches.
        ranked: number of seats already known to have finished.
        expelled: holes of pieces that may not return to their own camp.
    """
    found = Status.VALID
    counts = [list(owners).count(camp) for camp in camps]
    if min(counts) < pieces:
        found |= Status.TOO_FEW_PIECES
    if max(counts) > pieces:
        found |= Status.TOO_MANY_PIECES
    if len(camps) == 1:
        found |= Status.ALONE
    if rules.side_camps != "free" and any(
        owners[h] != EMPTY and camp_of(h) not in (None, owners[h], opposite(owners[h]))
        for h in HOLES
    ):
        found |= Status.SIDE_CAMP_HELD
    full = sum(all(owners[h] == camp for h in home(opposite(camp), pieces)) for camp in camps)
    if full > max(1, ranked):
        found |= Status.SEVERAL_FINISHED
    # an arbiter only flags a return, and a change of places can carry a piece home
    bound = rules.idle != "arbiter" and rules.win != "swap"
    if bound and any(hole in home(owners[hole], pieces) for hole in expelled):
        found |= Status.EXPELLED_AT_HOME
    return found
