"""What everybody at the table sees happen: moves with their outcome, and what is not a move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from reprlib import repr as short
from typing import Any

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.fields import value_of
from junqi.geometry import POINT_NAMES, parse_point, seat_number
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
_UNMOVED = {act.value: act for act in ACTS if act is not Act.MOVE}

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

    Raises:
        ValueError: there is no such seat.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", _seat(self.seat))

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
            InvalidRecord: not an event; the sentence names the field.
        """
        if not isinstance(data, dict):
            raise InvalidRecord(f"不是着法或事件 (not an event): {short(data)}", text=short(data))
        seat = value_of(data, "seat", "座位 0 到 3", "a seat 0..3", _seat)
        shown = value_of(
            data, "shown", " [[座位, 点], ...]", "pairs of seat and point", _shown_of, ()
        )
        causes = ", ".join(cause.value for cause in Cause)
        out = value_of(
            data, "out", " [[座位, 原因], ...]", f"pairs of seat and cause: {causes}", _out_of, ()
        )
        if "event" in data:
            act = value_of(
                data, "event", "、".join(_UNMOVED), ", ".join(_UNMOVED), _UNMOVED.__getitem__
            )
            return cls(act, seat, None, None, shown, out)
        start, end = (
            value_of(data, name, "点名，如 S11", "a point such as S11", parse_point)
            for name in ("from", "to")
        )
        fights = [fight.value for fight in FIGHTS]
        fight = value_of(data, "outcome", "、".join(fights), ", ".join(fights), Fight)
        return cls(Act.MOVE, seat, Move(start, end), fight, shown, out)

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


_seat = partial(seat_number, seats=4)
"""A seat of the larger board."""


def _shown_of(pairs: Any) -> tuple[tuple[int, int], ...]:
    return tuple((_seat(owner), -1 if name is None else parse_point(name)) for owner, name in pairs)


def _out_of(pairs: Any) -> tuple[tuple[int, Cause], ...]:
    return tuple((_seat(gone), Cause(cause)) for gone, cause in pairs)


def outs_of(event: NDArray[np.int64]) -> tuple[tuple[int, Cause], ...]:
    """Who went out, from a kernel's event array."""
    pairs = event[layout.OUTS + 1 : layout.OUTS + 1 + 2 * int(event[layout.OUTS])].tolist()
    return tuple(
        (seat, cause)
        for seat, number in zip(pairs[::2], pairs[1::2], strict=True)
        if (cause := CAUSES[number]) is not None
    )
