"""What one player may know of a game, and nothing more.

A view holds the public side of the game and the kinds that its player sees; it keeps no way to the
referee's board. Two games that look the same to a player have views that are equal bit for bit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.armies import check_army
from junqi.belief.check import replayed
from junqi.belief.constraints import Constraints, constraints
from junqi.belief.sampler import Randomness, Sampler
from junqi.diagram import text_diagram
from junqi.events import Event
from junqi.geometry import BoardMap, point_name, point_number, seat_number
from junqi.layout import A_SIDE, PIECES
from junqi.ledger import Ledger
from junqi.legality import Refusal, explain
from junqi.move import Move
from junqi.pieces import FLAG, letters_of
from junqi.rules import Rules
from junqi.svg import board_svg
from qikit.errors import InvalidPosition, InvalidRecord
from qikit.outcome import Outcome

if TYPE_CHECKING:
    from junqi.board import Board

HIDDEN = -1


def seats_seen(rules: Rules, board: BoardMap, seat: int | None) -> tuple[int, ...]:
    """Whose ranks a player sees: 四暗 the own, 双明 the partner's too, 全明 all.

    Raises:
        ValueError: no such seat.

    >>> from junqi.geometry import board_map
    >>> seats_seen(Rules(mode="allies"), board_map("siguo129"), 1)
    (1, 3)
    """
    if seat is not None:
        seat = seat_number(seat, board.seats)
    if rules.mode == "open":
        return tuple(range(board.seats))
    if seat is None:
        return ()
    if rules.mode == "allies":
        return tuple(other for other in range(board.seats) if (other - seat) % 2 == 0)
    return (seat,)


def masked(
    kinds: NDArray[np.int64], rules: Rules, board: BoardMap, seat: int | None
) -> NDArray[np.int64]:
    """The kinds of which a player sees the pieces; -1 for all others."""
    out = np.full(PIECES, HIDDEN, np.int64)
    for own in seats_seen(rules, board, seat):
        out[A_SIDE * own : A_SIDE * own + A_SIDE] = kinds[A_SIDE * own : A_SIDE * own + A_SIDE]
    return out


def known_kinds(
    rules: Rules, board: BoardMap, seat: int | None, armies: Mapping[int, str]
) -> NDArray[np.int64]:
    """The kinds that a player sees in a game from set-ups, from the armies that it was told.

    Args:
        rules: the mode says whose pieces are seen.
        board: the board.
        seat: the player; None = a spectator.
        armies: seat -> 25 letters; others than those that the player sees are left alone.

    Raises:
        InvalidRecord: an army that the player sees is missing.
        InvalidPosition: an army breaks the set-up rules.
    """
    kinds = np.full(PIECES, HIDDEN, np.int64)
    for own in seats_seen(rules, board, seat):
        if own not in armies:
            raise InvalidRecord(f"缺少座位 {own} 的布阵 (the army of seat {own} is needed)")
        kinds[A_SIDE * own : A_SIDE * own + A_SIDE] = check_army(armies[own])
    return kinds


class View:
    """All that the player on a seat (None = a spectator) may know.

    Made by :meth:`junqi.Board.view`, or by a player's own program from the events that it was told
    (`junqi.ledger`). It does not change when the game goes on.

    >>> from junqi import Board
    >>> board = Board("luzhan60 0 0l@S62,0k@N51,0h@S13,1l@N62,1j@N52,1h@N13")
    >>> view = board.view(1)
    >>> view.candidates("N51"), view.candidates("N52"), view.turn
    ('hk', 'j', 0)
    >>> view == board.view(1), view == board.view(0)
    (True, False)

    Raises:
        ValueError: no such seat.
    """

    def __init__(self, ledger: Ledger, kinds: NDArray[np.int64], seat: int | None) -> None:
        self._ledger = ledger
        self._kinds = kinds
        self.seat = None if seat is None else seat_number(seat, ledger.map.seats)

    # ---- the public side ----------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The switches."""
        return self._ledger.rules

    @property
    def map(self) -> BoardMap:
        """The board's points and links."""
        return self._ledger.map

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self._ledger.turn

    @property
    def alive(self) -> tuple[int, ...]:
        """Seats that are not out."""
        return self._ledger.alive

    @property
    def quiet(self) -> int:
        """Plies since a piece was removed in combat."""
        return self._ledger.quiet

    @property
    def flags_shown(self) -> tuple[bool, ...]:
        """For each seat whether its flag has been shown."""
        return self._ledger.flags_shown

    @property
    def timeouts(self) -> tuple[int, ...]:
        """Timeouts of each seat."""
        return self._ledger.timeouts

    @property
    def draw_accepted(self) -> frozenset[int]:
        """Seats that have offered or accepted a draw since the last move."""
        return self._ledger.accepted

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the game (or the position) began."""
        return tuple(self._ledger.events)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._ledger.outcome()

    @property
    def state(self) -> NDArray[np.int64]:
        """A copy of the public numbers that kernels work on (`junqi.layout`)."""
        return self._ledger.state.copy()

    @property
    def kinds(self) -> NDArray[np.int64]:
        """A copy of the kinds that the player sees, by piece number; -1 = hidden or no piece."""
        return self._kinds.copy()

    # ---- pieces -------------------------------------------------------------------------------

    @property
    def seen(self) -> Mapping[int, tuple[int, int]]:
        """Point -> (seat, kind) for every piece on the board; kind -1 = the player does not see it.

        Shown flags are seen; what is only deduced is in :meth:`candidates`.
        """
        state, found = self._ledger.state, {}
        for piece in range(A_SIDE * self.map.seats):
            point = int(state[layout.WHERE + piece])
            if point >= 0:
                kind = int(self._kinds[piece])
                if state[layout.MARKS + piece] & layout.SHOWED:
                    kind = FLAG
                found[point] = (piece // A_SIDE, kind)
        return found

    @cached_property
    def constraints(self) -> Constraints:
        """What is certain of the hidden pieces, those that have left the board with them.

        Raises:
            InvalidPosition: the position was made by hand and breaks the set-up rules.
        """
        return constraints(self._ledger, self._kinds)

    def candidates(self, point: int | str) -> str:
        """Letters of the kinds that the piece on a point may be, empty where no piece stands.

        In a position that no set-up leads to they are the kinds that its side began with.

        Raises:
            InvalidMove: no such point.
        """
        piece = self._ledger.piece_at(point_number(point))
        return "" if piece is None else letters_of(self._possible[piece])

    @cached_property
    def _possible(self) -> list[int]:
        """[piece number] set of the kinds that it may be, 0 = no such piece."""
        try:
            return [int(kinds) for kinds in self.constraints.candidates]
        except InvalidPosition:
            return self._unruled()

    def _unruled(self) -> list[int]:
        """The same where the set-up rules, broken by hand, tell nothing: what is seen, no more.

        A player may ask for the key of any position, and it must not depend on what is hidden.
        """
        possible = [0] * PIECES
        for seat, (points, roster) in enumerate(
            zip(self._ledger.points, self._ledger.rosters, strict=True)
        ):
            own = sum(1 << kind for kind, count in enumerate(roster) if count)
            for piece in range(A_SIDE * seat, A_SIDE * seat + len(points)):
                kind = int(self._kinds[piece])
                if self._ledger.state[layout.MARKS + piece] & layout.SHOWED:
                    kind = FLAG
                possible[piece] = own if kind == HIDDEN else 1 << kind
        return possible

    # ---- moves --------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> list[Move]:
        """The player's legal moves; none out of turn (a spectator has no turn)."""
        if self.seat is None:
            return []
        return self._ledger.legal_moves(self._kinds, self.seat)

    def why_illegal(self, move: Move) -> Refusal | None:
        """The rule that stops the player from moving so; None if none does."""
        ended = self.outcome()
        if ended is not None:
            return Refusal(ended.rule, "对局已经结束", "the game is over")
        if self.seat is None or self.seat != self.turn:
            return Refusal("S3B-JQ-10", "还没有轮到", "not this player's turn")
        piece = self._ledger.piece_at(move.from_point)
        return explain(
            self._ledger, self.seat, HIDDEN if piece is None else int(self._kinds[piece]), move
        )

    # ---- worlds -------------------------------------------------------------------------------

    @cached_property
    def sampler(self) -> Sampler:
        """Draws full positions that the player cannot rule out.

        Raises:
            InvalidPosition: the position was made by hand and breaks the set-up rules.
        """
        return Sampler(self.constraints)

    def sample_worlds(self, count: int, rng: Randomness = None) -> NDArray[np.int8]:
        """Draw worlds: kinds of all pieces (dead ones too) with which the record happens again.

        Every choice of set-ups that the record allows is equally likely (see
        `junqi.belief.sampler`). The same ``rng`` state gives the same worlds.

        Returns:
            int8 array of shape (count, 100), by piece number; -1 = no such piece.
        """
        return self.sampler.draw(count, rng)

    def sample_world(self, rng: Randomness = None) -> Board:
        """One full game that the player cannot tell from the real one.

        >>> from junqi import Board
        >>> board = Board.from_armies(["icgdiebefkhacgdfhkjigljhj"] * 2, "luzhan60")
        >>> world = board.view(0).sample_world(7)
        >>> world.view(0) == board.view(0), world == board
        (True, False)
        """
        return self.world(self.sample_worlds(1, rng)[0])

    def world(self, kinds: NDArray[np.int8]) -> Board:
        """The game that the record would be with pieces of these kinds (a row of worlds)."""
        from junqi.board import Board

        return Board.of_world(self._ledger.copy(), kinds)

    def first_inconsistent(self, worlds: NDArray[np.int8]) -> int | None:
        """The first row of ``worlds`` in which the record would go otherwise, or None."""
        events = np.zeros((len(self._ledger.events), layout.EVENT_SIZE), np.int64)
        for row, event in zip(events, self._ledger.events, strict=True):
            event.write(row)
        tables, switches = self.map.tables, self.rules.switches
        return replayed(worlds, self._ledger.root_state(), events, tables, switches)

    # ---- identity -----------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The whole view as plain data, for another program or a web page."""
        state, possible = self._ledger.state, self._possible
        outcome = self.outcome()
        return {
            "seat": self.seat,
            "rules": self.rules.changes(),
            "rosters": [list(roster) for roster in self._ledger.rosters],
            "drawn_up": self._ledger.drawn_up,
            "turn": self.turn,
            "alive": list(self.alive),
            "quiet": self.quiet,
            "flags_shown": list(self.flags_shown),
            "timeouts": list(self.timeouts),
            "draw_accepted": sorted(self.draw_accepted),
            "outcome": None if outcome is None else [outcome.termination.value, outcome.winner],
            "pieces": [
                {
                    "piece": piece,
                    "seat": piece // A_SIDE,
                    "point": point_name(point) if point >= 0 else None,
                    "candidates": letters_of(possible[piece]),
                }
                for piece in range(A_SIDE * self.map.seats)
                if (point := int(state[layout.WHERE + piece])) >= 0 or possible[piece]
            ],
            "events": [event.to_dict() for event in self._ledger.events],
        }

    def to_bytes(self) -> bytes:
        """:meth:`to_dict` as canonical JSON: equal views have equal bytes, and only they."""
        return self._bytes

    @cached_property
    def _bytes(self) -> bytes:
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":")).encode()

    @cached_property
    def key(self) -> int:
        """63 bits that depend on nothing but what the player knows."""
        return int.from_bytes(blake2b(self.to_bytes(), digest_size=8).digest(), "big") >> 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return text_diagram(self.map, self.seen)

    def __repr__(self) -> str:
        who = "spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {who}, ply {int(self._ledger.state[layout.PLY])}, key {self.key:016x}>"

    def svg(self, **options: Any) -> str:
        """What the player sees as a picture; the options are those of `junqi.svg.board_svg`."""
        return board_svg(self.map, self.seen, **options)

    def _repr_svg_(self) -> str:
        moves = [event.move for event in self._ledger.events if event.move is not None]
        bottom = 0 if self.seat is None else self.seat
        return self.svg(last=moves[-1] if moves else (), bottom=bottom)
