"""What everybody at the table sees happen: moves with their outcome, and what is not a move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.geometry import POINT_NAMES, parse_point
from junqi.move import Move
from qikit.errors import InvalidRecord
from qikit.outcome import Termination


class Act(Enum):
    """What happened."""

    MOVE = "move"
    TIMEOUT = "timeout"
    RESIGN = "resign"
    AGREE = "draw"


class Fight(Enum):
    """How a move ended, as all players are told; ``value`` is the word of records."""

    MOVE = "move"
    CAPTURE = "capture"
    REPELLED = "repelled"
    BOTH = "both"


class Cause(Enum):
    """Why a seat is out."""

    FLAG = "flag"
    NO_MOVE = "no_move"
    TIMEOUT = "timeout"
    RESIGNATION = "resignation"


ACTS, FIGHTS, CAUSES = tuple(Act), tuple(Fight), (None, *Cause)
"""By the numbers of layout.py."""

ENDINGS = {
    layout.BY_FLAG: (Termination.FLAG_CAPTURED, "S3B-JQ-10"),
    layout.BY_NO_MOVE: (Termination.NO_MOVABLE_PIECE, "S3B-JQ-10"),
    layout.BY_TIMEOUT: (Termination.TIME_FORFEIT, "S3B-JQ-10"),
    layout.BY_RESIGNATION: (Termination.RESIGNATION, "S3B-JQ-10"),
    layout.BY_QUIET: (Termination.NATURAL_LIMIT, "S3B-JQ-11"),
    layout.BY_AGREEMENT: (Termination.AGREEMENT, "agreement"),
}


@dataclass(frozen=True)
class Event:
    """One thing that happened, without any secret in it.

    Attributes:
        act: what it was.
        seat: who did it.
        move: from and to; None where nobody moved.
        fight: how the move ended; None where nobody moved.
        shown: flags shown by it, as (seat, point): that seat's 司令 fell. Point -1 where the side
            has no flag (positions made by hand).
        out: who went out by it and why, in order.

    >>> Event.from_dict({"seat": 0, "from": "S11", "to": "C11", "outcome": "move"}).move
    Move(from_point=0, to_point=120)
    """

    act: Act
    seat: int
    move: Move | None = None
    fight: Fight | None = None
    shown: tuple[tuple[int, int], ...] = ()
    out: tuple[tuple[int, Cause], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The event as a line of a record holds it."""
        data: dict[str, Any] = {"seat": self.seat}
        if self.move is not None and self.fight is not None:
            data["from"], data["to"] = (POINT_NAMES[point] for point in self.move)
            data["outcome"] = self.fight.value
        else:
            data["event"] = self.act.value
        if self.shown:
            data["shown"] = [
                [seat, POINT_NAMES[point] if point >= 0 else None] for seat, point in self.shown
            ]
        if self.out:
            data["out"] = [[seat, cause.value] for seat, cause in self.out]
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Event:
        """Read what :meth:`to_dict` wrote; other keys are left alone.

        Raises:
            InvalidRecord: not an event.
        """
        try:
            seat = _seat(data["seat"])
            shown = tuple(
                (_seat(owner), -1 if name is None else parse_point(name))
                for owner, name in data.get("shown", ())
            )
            out = tuple((_seat(gone), Cause(cause)) for gone, cause in data.get("out", ()))
            if "event" in data:
                act = Act(data["event"])
                if act is Act.MOVE:
                    raise ValueError("a move has from and to")
                return cls(act, seat, None, None, shown, out)
            move = Move(parse_point(data["from"]), parse_point(data["to"]))
            return cls(Act.MOVE, seat, move, Fight(data["outcome"]), shown, out)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidRecord(
                f"这一行不是军棋的着法或事件 (not an event): {str(data)[:120]}: {error}",
                text=str(data)[:400],
            ) from None

    def write(self, event: NDArray[np.int64]) -> None:
        """Fill a kernel's event array with this."""
        event[layout.ACT] = ACTS.index(self.act)
        event[layout.SEAT] = self.seat
        event[layout.FROM], event[layout.TO] = self.move or (-1, -1)
        event[layout.OUTCOME] = 0 if self.fight is None else FIGHTS.index(self.fight)
        event[layout.FELL] = sum(1 << seat for seat, _ in self.shown)
        event[layout.OUTS] = len(self.out)
        at = layout.OUTS + 1
        for seat, cause in self.out[:4]:
            event[at], event[at + 1] = seat, CAUSES.index(cause)
            at += 2


def _seat(number: object) -> int:
    """A seat of the larger board; JSON's 0.7, true and "1" name none."""
    if type(number) is not int or number not in range(4):
        raise ValueError(f"not a seat: {str(number)[:40]}")
    return number


def outs_of(event: NDArray[np.int64]) -> tuple[tuple[int, Cause], ...]:
    """Who went out, from a kernel's event array."""
    pairs = event[layout.OUTS + 1 : layout.OUTS + 1 + 2 * int(event[layout.OUTS])].tolist()
    return tuple(
        (seat, cause)
        for seat, number in zip(pairs[::2], pairs[1::2], strict=True)
        if (cause := CAUSES[number]) is not None
    )
