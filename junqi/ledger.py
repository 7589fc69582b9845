"""The public side of a game: where pieces stand, what happened, what everybody has seen.

Nothing in here knows a rank. The referee's :class:`~junqi.Board` keeps one beside its secret list
of kinds; a player who is told the events keeps one too, and both are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.events import ENDINGS, Act, Event, Fight
from junqi.geometry import POINT_NAMES, BoardMap, board_map, seat_number, type_of
from junqi.layout import A_SIDE, PIECES
from junqi.move import Move
from junqi.pieces import COUNTS, ENGINEER, FLAG, MINE
from junqi.rules import Rules
from qikit.errors import IllegalMove, InvalidRecord
from qikit.kernels import load
from qikit.outcome import Outcome

Roster = tuple[int, ...]
"""How many pieces of each of the 12 kinds a side began with: public, unlike their places."""


@dataclass(frozen=True)
class _Before:
    """What undoing an event puts back."""

    state: NDArray[np.int64]
    chances: int
    accepted: frozenset[int]


class Ledger:
    """The public side of a game.

    Args:
        rules: the switches.
        points: for each seat the points of its pieces at the root, ascending.
        rosters: for each seat how many of each kind it has.
        turn: the seat to move.
        alive: seats that are not out.
        drawn_up: the armies stand as they were set up, so the set-up rules tell of their places.

    Raises:
        ValueError: no such seat to move.
    """

    __slots__ = (
        "accepted",
        "chances",
        "drawn_up",
        "events",
        "map",
        "points",
        "rosters",
        "rules",
        "state",
        "undo",
    )

    rules: Rules
    map: BoardMap
    points: tuple[tuple[int, ...], ...]
    rosters: tuple[Roster, ...]
    drawn_up: bool
    state: NDArray[np.int64]
    """See layout.py."""
    events: list[Event]
    """What happened since the root."""
    chances: list[tuple[int, ...]]
    """Sets of pieces of which one at least can move: their side had its turn and was not out."""
    accepted: frozenset[int]
    """Seats that have offered or accepted a draw."""

    def __init__(
        self,
        rules: Rules,
        points: Sequence[Sequence[int]],
        rosters: Sequence[Roster],
        turn: int,
        alive: Sequence[int],
        drawn_up: bool,
    ) -> None:
        self.rules = rules
        self.map = board_map(rules.board)
        self.points = tuple(tuple(own) for own in points)
        self.rosters = tuple(rosters)
        self.drawn_up = drawn_up
        state = np.zeros(layout.STATE_SIZE, np.int64)
        state[layout.CELLS : layout.WHERE + PIECES] = -1
        for seat, own in enumerate(self.points):
            for k, point in enumerate(own):
                state[layout.CELLS + point] = A_SIDE * seat + k
                state[layout.WHERE + A_SIDE * seat + k] = point
        state[layout.TURN] = seat_number(turn, self.map.seats)
        state[layout.ALIVE] = sum(1 << seat for seat in alive)
        state[layout.RESULT] = -1
        self.state = state
        self.events = []
        self.chances = []
        self.accepted = frozenset()
        self.undo: list[_Before] = []

    @classmethod
    def of_armies(cls, rules: Rules, turn: int = 0) -> Self:
        """The public side of a game that begins with a whole army on every seat."""
        board = board_map(rules.board)
        seats = range(board.seats)
        homes = [board.home(seat) for seat in seats]
        return cls(rules, homes, [COUNTS] * board.seats, turn, seats, True)

    @property
    def kernel(self) -> Any:
        """The compiled functions on states."""
        return load("junqi.kernel")

    # ---- looking ------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(self.state[layout.TURN])

    @property
    def alive(self) -> tuple[int, ...]:
        """Seats that are not out."""
        mask = int(self.state[layout.ALIVE])
        return tuple(seat for seat in range(self.map.seats) if mask >> seat & 1)

    @property
    def quiet(self) -> int:
        """Plies since a piece was removed in combat."""
        return int(self.state[layout.QUIET])

    @property
    def timeouts(self) -> tuple[int, ...]:
        """Timeouts of each seat."""
        counts = self.state[layout.TIMEOUTS : layout.TIMEOUTS + self.map.seats]
        return tuple(counts.tolist())

    @property
    def flags_shown(self) -> tuple[bool, ...]:
        """For each seat whether its flag has been shown."""
        mask = int(self.state[layout.SHOWN])
        return tuple(bool(mask >> seat & 1) for seat in range(self.map.seats))

    def outcome(self) -> Outcome | None:
        """How the game ended; the winner is a team (seats of its parity)."""
        result = int(self.state[layout.RESULT])
        if result < 0:
            return None
        termination, rule = ENDINGS[int(self.state[layout.CAUSE])]
        return Outcome(termination, None if result == layout.DRAWN else result, rule)

    def piece_at(self, point: int) -> int | None:
        """The number of the piece on a point; None also where there is no such point."""
        if point not in range(layout.POINTS):
            return None
        piece = int(self.state[layout.CELLS + point])
        return None if piece < 0 else piece

    def chance_now(self) -> tuple[int, ...] | None:
        """The pieces of the seat to move of which one at least can move; None after the end."""
        going = self.state[layout.RESULT] < 0 or self.state[layout.CAUSE] == layout.BY_QUIET
        return self._chance() if going else None

    def _chance(self) -> tuple[int, ...]:
        out = np.empty(A_SIDE, np.int64)
        count = self.kernel.movable(self.state, self.map.tables, self.turn, out)
        return tuple(out[:count].tolist())

    def legal_moves(self, kinds: NDArray[np.int64], seat: int) -> list[Move]:
        """The legal moves of a seat whose kinds are known; none after the end or out of turn."""
        if self.state[layout.RESULT] >= 0 or self.turn != seat:
            return []
        codes = np.empty(layout.MOVES_SIZE, np.int64)
        count = self.kernel.legal(self.state, kinds, self.map.tables, seat, codes)
        return [Move(code & 255, code >> 8) for code in codes[:count].tolist()]

    def is_legal(self, kinds: NDArray[np.int64], seat: int, move: Move) -> bool:
        """Whether :meth:`legal_moves` has the move, without making the list."""
        if self.state[layout.RESULT] >= 0 or self.turn != seat:
            return False
        if not {*move} <= {*range(layout.POINTS)}:  # codes of others could be those of lawful moves
            return False
        codes = np.empty(layout.MOVES_SIZE, np.int64)
        count = self.kernel.legal(self.state, kinds, self.map.tables, seat, codes)
        return bool((codes[:count] == move.from_point + 256 * move.to_point).any())

    # ---- happenings ---------------------------------------------------------------------------

    def keep(self) -> NDArray[np.int64]:
        """Remember the present for :meth:`take_back`; returns the state to change."""
        self.undo.append(_Before(self.state, len(self.chances), self.accepted))
        self.state = self.state.copy()
        return self.state

    def enter(self, event: Event) -> None:
        """Note an event that the state (changed since :meth:`keep`) already shows."""
        before = self.undo[-1].state
        for _, point in event.shown:
            if point >= 0:
                self.state[layout.MARKS + before[layout.CELLS + point]] |= layout.SHOWED
        if event.act is not Act.MOVE:
            after, self.state = self.state, before
            self.chances.append(self._chance())
            self.state = after
        else:
            self.accepted = frozenset()
        self.events.append(event)

    def follow(self, event: Event) -> None:
        """Bring about an event that somebody tells of, without knowing ranks.

        Raises:
            InvalidRecord: it cannot happen here, whatever the ranks.
        """
        defect = self._defect(event)
        if defect:
            raise InvalidRecord(
                f"第 {len(self.events) + 1} 个事件不可能发生 (event cannot happen): {defect}",
                text=str(event.to_dict()),
            )
        state = self.keep()
        numbers = np.zeros(layout.EVENT_SIZE, np.int64)
        event.write(numbers)
        nothing = np.zeros(PIECES, np.int64)
        wrong = self.kernel.apply(
            state, nothing, self.map.tables, self.rules.switches, numbers, 1, 1
        )
        if wrong:
            self.state = self.undo.pop().state
            raise InvalidRecord(
                f"第 {len(self.events) + 1} 个事件的出局名单不对 (who is out does not fit)",
                text=str(event.to_dict()),
            )
        self.enter(event)

    def _defect(self, event: Event) -> str:
        """Why an event cannot happen now; empty = it can."""
        if self.state[layout.RESULT] >= 0:
            return "对局已结束 (the game is over)"
        if event.seat not in self.alive:
            return f"{event.seat} 已出局或不存在 (seat is out)"
        if len(event.out) > self.map.seats:
            return "出局者太多 (too many out)"
        if event.act in (Act.MOVE, Act.TIMEOUT) and event.seat != self.turn:
            return f"该 {self.turn} 走，不是 {event.seat} (not its turn)"
        if len({seat for seat, _ in event.shown}) < len(event.shown):
            return "一方亮旗两次 (a side's flag is shown twice)"
        if event.act is not Act.MOVE:
            return "没有走棋，不会亮旗 (no move, no flag is shown)" if event.shown else ""
        move, mine = event.move, self.piece_at(event.move.from_point) if event.move else None
        if move is None or mine is None or mine // A_SIDE != event.seat:
            return f"{move}：起点没有 {event.seat} 的棋子 (no own piece there)"
        if move.to_point not in self.map.points:
            return f"{move}：不在棋盘上 (not on the board)"
        other = self.piece_at(move.to_point)
        if (other is None) != (event.fight is Fight.MOVE):
            return f"{move}：结果与终点不符 (outcome does not fit the target)"
        if not self.may_go(event.seat, move):
            return f"{move}：任何棋子都走不到 (no piece could)"
        fallen = set()
        if event.fight in (Fight.REPELLED, Fight.BOTH):
            fallen.add(event.seat)
        if event.fight in (Fight.CAPTURE, Fight.BOTH) and other is not None:
            fallen.add(other // A_SIDE)
        for seat, point in event.shown:
            if seat not in fallen or not self.rules.flag_reveal:
                return f"{seat} 不会因此亮旗 (no flag is shown by this)"
            if not self._flag_may_stand(seat, point):
                where = "无旗" if point < 0 else POINT_NAMES[point]
                return f"{seat} 的军旗不会在 {where} (its flag cannot be there)"
        return ""

    def _flag_may_stand(self, seat: int, point: int) -> bool:
        """Whether a flag of ``seat`` may be shown there; point -1 = it has none.

        A flag has not moved, and where the game began with set-ups it stands in a headquarters.
        """
        if point < 0 or not self.rosters[seat][FLAG]:
            return point < 0 and not self.rosters[seat][FLAG]
        flag = self.piece_at(point)
        if flag is None or flag // A_SIDE != seat or self.state[layout.MARKS + flag] & layout.MOVED:
            return False
        return not self.drawn_up or type_of(point) == layout.HQ

    def may_go(self, seat: int, move: Move) -> bool:
        """Whether some kind of piece, if only an engineer, could make that move."""
        piece = self.piece_at(move.from_point)
        if piece is None:
            return False
        kinds = np.full(PIECES, MINE, np.int64)
        kinds[piece] = ENGINEER
        return self.is_legal(kinds, seat, move)

    def take_back(self) -> Event:
        """Undo the last event.

        Raises:
            IllegalMove: nothing has happened since the root.
        """
        if not self.undo:
            raise IllegalMove("没有可悔的着 (nothing to take back)")
        before = self.undo.pop()
        self.state = before.state
        del self.chances[before.chances :]
        self.accepted = before.accepted
        return self.events.pop()

    def root_state(self) -> NDArray[np.int64]:
        """The state in which the events began; not to be changed."""
        return self.undo[0].state if self.undo else self.state

    def copy(self) -> Self:
        """An independent copy."""
        twin = type(self).__new__(type(self))
        for name in ("rules", "map", "points", "rosters", "drawn_up", "accepted"):
            setattr(twin, name, getattr(self, name))
        twin.state = self.state  # only a copy of it is ever changed
        twin.events = list(self.events)
        twin.chances = list(self.chances)
        twin.undo = list(self.undo)
        return twin

    __copy__ = copy
