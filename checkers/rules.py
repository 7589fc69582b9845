"""Every switch of 跳棋 as one frozen value, with the presets that events and programs use.

The page of switches, with who uses which, is docs/checkers.md. Rule ids are those of the event
texts (``S0-TQ-9``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from checkers import layout
from checkers.geometry import CAMP_LETTERS, CAMPS, HOLES, camp_of, home, opposite, words

SEATINGS = {1: "A", 2: "AD", 3: "ACE", 4: "ABDE", 6: "ABCDEF"}
"""Camps of a game of so many seats, in clockwise order (1 = one army alone, for solvers)."""

JUMPS = ("short", "long", "symmetric")
SIDE_CAMPS = ("free", "pass", "forbidden")
BACKWARD = ("free", "end_not_behind", "never")
WINS = ("strict", "full", "owner", "swap")
IDLE_MODES = ("off", "enforce", "arbiter")
NO_TURN = ("pass", "lose")
MOST = 1_000_000_000
"""Largest value of a switch that counts."""
_YES_OR_NO = ("goal_lock", "idle_no_retreat", "equal_turns", "play_on")
_NUMBERS = (
    "idle_slack",
    "idle_guests",
    "leave_by",
    "repetition",
    "progress_limit",
    "ply_cap",
    "round_cap",
    "overruns_allowed",
)


def _shown(value: object) -> str:
    """The value in a sentence; numbers of thousands of digits cannot be written at all."""
    huge = isinstance(value, int) and abs(value) > 10**40
    return "一个几十位以上的数 (dozens of digits)" if huge else repr(value)


@dataclass(frozen=True)
class Rules:
    """The switches of one rule set. Start from a preset and change what differs.

    >>> Rules.preset("club2008").win
    'strict'
    >>> Rules.preset("club2008", jump="long").jump
    'long'

    Raises:
        ValueError: a value that the switch does not have, or switches that exclude each other.
    """

    seats: int = 2
    """Seats of ``Board()`` without a position: 1 (an army alone), 2, 3, 4 or 6."""
    pieces: int = 10
    """Pieces a seat of ``Board()``: 10, or 15 (camp and the five holes that touch it)."""
    teams: tuple[str, ...] = ()
    """Camps that play together (``("AD", "BE", "CF")``); empty: every seat for itself."""
    jump: str = "short"
    """``short`` over a touching piece (相邻跳); ``long`` over one piece to its mirror hole (空跳);
    ``symmetric`` over any pattern that reads the same from both ends."""
    side_camps: str = "free"
    """Camps neither own nor goal: ``free``, ``pass`` (no turn may end there), ``forbidden``."""
    goal_lock: bool = False
    """A turn that starts in the goal must end in it."""
    backward: str = "free"
    """``free``; ``end_not_behind``: a turn may not end farther back along the camp's axis than it
    began; ``never``: no leg of it may go back."""
    win: str = "strict"
    """``strict``: all goal holes mine. ``full``: no goal hole empty and at least one mine.
    ``owner``: all mine but for those still held by the camp that started there, one at least mine.
    ``swap``: strict, and while no goal hole is empty a turn may end on one that is held by
    somebody else: the two pieces change places."""
    idle: str = "off"
    """The idle-move rule 不能行闲棋 (S0-TQ-9): ``enforce`` filters turns, ``arbiter`` lets them
    pass and flags them (the second flag loses), ``off``."""
    idle_slack: int = 1
    """The duty is on when at most so many holes of the own camp are empty ..."""
    idle_guests: int = 1
    """... and the opponent holds at least so many of them, and nobody else any."""
    idle_no_retreat: bool = False
    """Near the end no turn may raise the own total distance if another would not (second reading
    of S0-TQ-9)."""
    leave_by: int = 0
    """A seat with a piece in its own camp after so many own turns has lost; 0 = never."""
    no_turn: str = "pass"
    """A seat without a turn: ``pass`` or ``lose``."""
    equal_turns: bool = False
    """When a seat has finished, those after it in the round still get their turn; finishing in the
    same round is a draw."""
    play_on: bool = False
    """After the first seat has finished the others play for places."""
    repetition: int = 0
    """The same position with the same side to move for the nth time is a draw; 0 = never."""
    progress_limit: int = 0
    """Draw when every seat has made so many own turns without a new least total distance."""
    ply_cap: int = 0
    """Draw after so many turns of all seats together; 0 = off."""
    round_cap: int = 0
    """Draw after so many turns of every seat; 0 = off."""
    move_seconds: float = 0.0
    """Time for each move in events; 0 = none. Counted by a clock, not by the board."""
    overruns_allowed: int = 3
    """Overruns without consequence; the next one loses (S3A-GN-2)."""

    def __post_init__(self) -> None:
        for name, allowed in (
            ("seats", tuple(SEATINGS)),
            ("pieces", (10, 15)),
            ("jump", JUMPS),
            ("side_camps", SIDE_CAMPS),
            ("backward", BACKWARD),
            ("win", WINS),
            ("idle", IDLE_MODES),
            ("no_turn", NO_TURN),
        ):
            value: Any = getattr(self, name)
            # True == 1 and 2.0 == 2, but neither is a value of a switch
            if value not in allowed or type(value) is not type(allowed[0]):
                raise ValueError(
                    f"规则项 {name} 不能是 {_shown(value)} (not a value of it); "
                    f"可用 (known): {', '.join(map(str, allowed))}"
                )
        if self.pieces == 15 and self.seats > 2:
            raise ValueError(
                "15 子只用于两人 (15 pieces: two seats only); "
                f"seats={self.seats}, pieces={self.pieces}"
            )
        if not isinstance(self.teams, tuple) or not all(isinstance(t, str) for t in self.teams):
            raise ValueError(
                "队伍要写成字母的元组 (teams are a tuple of camp letters such as ('AD', 'BE')): "
                f"{self.teams!r}"
            )
        letters = "".join(self.teams)
        if (
            "" in self.teams
            or len(set(letters)) != len(letters)
            or not set(letters) <= set(CAMP_LETTERS)
        ):
            raise ValueError(
                f"队伍写法不对 (teams name each camp A..F at most once): {self.teams!r}"
            )
        for name in _YES_OR_NO:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(
                    f"规则项 {name} 只能是 True 或 False (true or false): {getattr(self, name)!r}"
                )
        for name in _NUMBERS:
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST:
                raise ValueError(
                    f"规则项 {name} 要 0 到 {MOST} 的整数 (a whole number from 0 to {MOST}): "
                    f"{_shown(number)}"
                )
        seconds = self.move_seconds
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, (int, float))
            or not 0 <= seconds <= MOST
        ):
            raise ValueError(
                f"规则项 move_seconds 要 0 到 {MOST} 的秒数 (seconds from 0 to {MOST}): "
                f"{_shown(seconds)}"
            )

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """A named rule set, with single switches changed.

        Raises:
            ValueError: no preset of that name, or an impossible change.

        >>> Rules.preset("party").play_on
        True
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise ValueError(
                f"没有规则 {name!r} (no such preset); 现有 (known): {', '.join(PRESETS)}"
            )
        values = {**PRESETS[name], **changes}
        known = cls.__dataclass_fields__
        for key in values:
            if key not in known:
                raise ValueError(
                    f"没有规则项 {key!r} (no such switch); 现有 (known): {', '.join(known)}"
                )
        return cls(**values)

    def having(self, **changes: Any) -> Self:
        """The same rules with some switches changed."""
        return replace(self, **changes)

    @cached_property
    def switches(self) -> NDArray[np.int64]:
        """The switches as kernels read them (layout.py)."""
        out = np.zeros(layout.SWITCHES_SIZE, np.int64)
        out[layout.JUMP] = JUMPS.index(self.jump)
        out[layout.GOAL_LOCK] = self.goal_lock
        out[layout.BACKWARD] = BACKWARD.index(self.backward)
        out[layout.WIN] = WINS.index(self.win)
        out[layout.IDLE] = self.idle == "enforce"
        out[layout.IDLE_SLACK] = self.idle_slack
        out[layout.IDLE_GUESTS] = self.idle_guests
        out[layout.IDLE_NO_RETREAT] = self.idle_no_retreat
        out[layout.NO_TURN_LOSES] = self.no_turn == "lose"
        out.flags.writeable = False
        return out

    def masks(self, pieces: int) -> NDArray[np.int64]:
        """Home, goal, stop and pass sets of every camp as kernels read them (layout.py)."""
        return _masks(self.side_camps, pieces)


_MASKS: dict[tuple[str, int], NDArray[np.int64]] = {}


def _masks(side_camps: str, pieces: int) -> NDArray[np.int64]:
    known = _MASKS.get((side_camps, pieces))
    if known is not None:
        return known
    out = np.zeros(layout.MASKS_SIZE, np.int64)
    for camp in CAMPS:
        open_holes = {h for h in HOLES if camp_of(h) in (None, camp, opposite(camp))}
        for base, holes in (
            (layout.HOME, home(camp, pieces)),
            (layout.GOAL, home(opposite(camp), pieces)),
            (layout.STOP, set(HOLES) if side_camps == "free" else open_holes),
            (layout.PASS, open_holes if side_camps == "forbidden" else set(HOLES)),
        ):
            start = layout.MASKS_A_CAMP * camp + base
            out[start : start + 4] = words(holes)
    out.flags.writeable = False
    _MASKS[side_camps, pieces] = out
    return out


_DRAWS = {"repetition": 3, "progress_limit": 60, "ply_cap": 400}

PRESETS: dict[str, dict[str, Any]] = {
    "club2008": {"idle": "enforce", **_DRAWS},
    "event20": {"idle": "enforce", **_DRAWS, "move_seconds": 20.0, "overruns_allowed": 3},
    "fair": {"win": "full", "equal_turns": True, **_DRAWS},
    "long": {"jump": "long", "side_camps": "pass", "idle": "enforce", **_DRAWS},
    "big15": {"pieces": 15, "win": "full", **_DRAWS},
    "party": {
        "seats": 6,
        "side_camps": "pass",
        "win": "full",
        "play_on": True,
        "round_cap": 200,
    },
    "traditional": {"goal_lock": True, "win": "swap", "ply_cap": 400},
    "openspiel": {"ply_cap": 1000},
}
"""Preset name -> the switches in which it differs from ``Rules()``."""
