"""The referee's board of 军棋: it knows every rank and judges every move.

What a player may know is :meth:`Board.view`; everything else here is for whoever runs the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from reprlib import repr as short
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.diagram import text_diagram
from junqi.events import ACTS, FIGHTS, Act, Event, outs_of
from junqi.geometry import BoardMap, board_map, point_number, seat_number
from junqi.layout import A_SIDE, PIECES
from junqi.ledger import Ledger
from junqi.legality import Refusal, explain
from junqi.move import Move
from junqi.notation import (
    Setup,
    parse_position,
    setup_from_armies,
    setup_from_tokens,
    write_position,
)
from junqi.pieces import FLAG, KINDS, LETTERS
from junqi.rules import Rules, rules_named
from junqi.status import Status, position_status
from junqi.svg import board_svg
from junqi.view import View, masked
from qikit.errors import IllegalMove
from qikit.outcome import Outcome
from qikit.protocol import MOST_PLIES
from qikit.zobrist import keys

NO_PIECE = -1
"""In an array of kinds: no such piece."""


@cache
def _zobrist() -> NDArray[np.int64]:
    """[point, 16 * seat + kind], then in row POINTS: turn, shown flags, seats that are out."""
    return keys(0x6A_75_6E_71_69, layout.POINTS + 1, 64)


class LegalMoves:
    """The legal moves of a board: iterable, sized, with ``in``. Follows the board's position.

    >>> army = "icgdiebefkhacgdfhkjigljhj"
    >>> board = Board.from_armies([army] * 4)
    >>> len(board.legal_moves), Move.parse("S11-W15") in board.legal_moves
    (64, True)
    """

    __slots__ = ("_board",)

    def __init__(self, board: Board) -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self._board._legal())

    def __len__(self) -> int:
        return len(self._board._legal())

    def __contains__(self, move: object) -> bool:
        return self._board.is_legal(move)

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(str(move) for move in self)}>"


class Board:
    """A game of 军棋 as the referee knows it. A start needs armies: there is no ``Board()``.

    A board is not made for use by several threads at once; give each its ``copy()``.

    Args:
        position: a position text (see `junqi.notation`).
        rules: a :class:`~junqi.Rules`, the name of a preset, or None for ``standard``. The
            position says which board it is.

    Raises:
        InvalidPosition: the text cannot be read.

    >>> board = Board("luzhan60 0 0l@S62,0b@N51,0h@S13,1l@N62,1j@N52,1h@N13")
    >>> move = board.push("N51-N52")
    >>> board.events[-1].fight.value, str(board.piece_at("N52")), board.turn
    ('repelled', '1j', 1)
    """

    __slots__ = ("_armies", "_kinds", "_ledger", "_legal_moves", "_moves")

    def __init__(self, position: str, rules: Rules | str | None = None) -> None:
        self._set_up(parse_position(position), rules_named(rules))

    @classmethod
    def from_setup(cls, setup: Setup, rules: Rules | str | None = None) -> Self:
        """A board from a position that is not text (`junqi.notation.Setup`)."""
        board = cls.__new__(cls)
        board._set_up(setup, rules_named(rules))
        return board

    @classmethod
    def from_armies(
        cls,
        armies: Sequence[str],
        board: str | None = None,
        turn: int = 0,
        rules: Rules | str | None = None,
    ) -> Self:
        """The start of a game.

        Args:
            armies: 25 letters a seat (see `junqi.armies`), in the order of seats.
            board: ``siguo129`` or ``luzhan60``; None = the board of the rules.
            turn: who begins.
            rules: as for the class.

        Raises:
            InvalidPosition: an army breaks the set-up rules (every breach is named), or their
                number is wrong.
            ValueError: no such board or preset.
        """
        chosen = rules_named(rules)
        where = board_map(board or chosen.board)
        return cls.from_setup(setup_from_armies(armies, where, turn), chosen)

    @classmethod
    def from_tokens(
        cls,
        tokens: Iterable[str],
        board: str | None = None,
        turn: int = 0,
        rules: Rules | str | None = None,
        alive: Iterable[int] | None = None,
    ) -> Self:
        """A position piece by piece, each ``0i@S11`` = owner, letter, point.

        Seats without a piece are out, unless ``alive`` names the seats that are not.

        Raises:
            InvalidPosition: see `junqi.notation.setup_from_tokens`.
            ValueError: no such board or preset.
        """
        chosen = rules_named(rules)
        where = board_map(board or chosen.board)
        return cls.from_setup(setup_from_tokens(tokens, where, turn, alive), chosen)

    @classmethod
    def _of(cls, ledger: Ledger, kinds: NDArray[np.int64], armies: tuple[str, ...] = ()) -> Self:
        board = cls.__new__(cls)
        board._ledger, board._kinds, board._armies = ledger, kinds, armies
        board._forget()
        return board

    @classmethod
    def of_world(cls, ledger: Ledger, kinds: NDArray[Any]) -> Self:
        """The game that a public record would be if the pieces were of these kinds.

        The record is not played again: whoever draws kinds answers for their fitting it
        (:meth:`root` and pushing the moves again checks that).
        """
        return cls._of(ledger, kinds.astype(np.int64), world_armies(ledger, kinds))

    def _set_up(self, setup: Setup, rules: Rules) -> None:
        if rules.board != setup.board:
            rules = rules.having(board=setup.board)
        seats = board_map(setup.board).seats
        kinds = np.full(PIECES, NO_PIECE, np.int64)
        points: list[list[int]] = [[] for _ in range(seats)]
        rosters = [[0] * len(KINDS) for _ in range(seats)]
        for seat, kind, point in setup.pieces:
            kinds[A_SIDE * seat + len(points[seat])] = kind
            points[seat].append(point)
            rosters[seat][kind] += 1
        self._kinds = kinds
        self._armies = setup.armies
        ledger = Ledger(
            rules,
            points,
            [tuple(roster) for roster in rosters],
            setup.turn,
            setup.alive,
            bool(setup.armies),
        )
        state = ledger.state
        state[layout.QUIET] = setup.quiet
        state[layout.SHOWN] = sum(1 << seat for seat in setup.shown)
        for seat, count in enumerate(setup.timeouts):
            state[layout.TIMEOUTS + seat] = count
        for piece in np.flatnonzero(kinds == FLAG).tolist():
            if piece // A_SIDE in setup.shown:
                state[layout.MARKS + piece] |= layout.SHOWED
        for team in (0, 1):
            if not any(seat & 1 == team for seat in setup.alive):
                state[layout.RESULT], state[layout.CAUSE] = 1 - team, layout.BY_FLAG
        self._ledger = ledger
        event = np.zeros(layout.EVENT_SIZE, np.int64)
        ledger.kernel.open_turn(state, kinds, ledger.map.tables, event)
        if state[layout.RESULT] < 0 and 0 < rules.quiet_limit <= setup.quiet:
            state[layout.RESULT], state[layout.CAUSE] = layout.DRAWN, layout.BY_QUIET
        self._forget()

    # ---- looking ------------------------------------------------------------------------------

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
        """The seat to move, counted from 0 in the order of play."""
        return self._ledger.turn

    @property
    def ply(self) -> int:
        """Moves played; timeouts are none."""
        return int(self._ledger.state[layout.PLY])

    @property
    def quiet(self) -> int:
        """Plies of the whole table since a piece was removed in combat (S3B-JQ-11)."""
        return self._ledger.quiet

    @property
    def alive(self) -> tuple[int, ...]:
        """Seats that are not out."""
        return self._ledger.alive

    @property
    def flags_shown(self) -> tuple[bool, ...]:
        """For each seat whether its flag has been shown to everybody."""
        return self._ledger.flags_shown

    @property
    def timeouts(self) -> tuple[int, ...]:
        """Timeouts of each seat so far."""
        return self._ledger.timeouts

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the board was made, timeouts and resignations with it."""
        return tuple(self._ledger.events)

    @property
    def armies(self) -> tuple[str, ...]:
        """The armies as they were set up; empty for a position made piece by piece."""
        return self._armies

    @property
    def kinds(self) -> NDArray[np.int64]:
        """A copy of the secret: the kind of every piece number, -1 = no such piece."""
        return self._kinds.copy()

    @property
    def state(self) -> NDArray[np.int64]:
        """A copy of the numbers that kernels work on (`junqi.layout`)."""
        return self._ledger.state.copy()

    def piece_at(self, point: int | str) -> str | None:
        """Owner digit and letter of the piece on a point (number or name), or None.

        Raises:
            InvalidMove: no such point.
        """
        piece = self._ledger.piece_at(point_number(point))
        return None if piece is None else f"{piece // A_SIDE}{LETTERS[self._kinds[piece]]}"

    def piece_map(self) -> dict[int, str]:
        """Point -> owner digit and letter for every piece on the board."""
        return {point: f"{seat}{LETTERS[kind]}" for seat, kind, point in self._pieces()}

    def _pieces(self) -> list[tuple[int, int, int]]:
        where = self._ledger.state[layout.WHERE : layout.WHERE + PIECES].tolist()
        kinds = self._kinds.tolist()
        return sorted(
            (
                (piece // A_SIDE, kinds[piece], point)
                for piece, point in enumerate(where)
                if point >= 0
            ),
            key=lambda found: (found[0], found[2]),
        )

    def _seen(self) -> dict[int, tuple[int, int]]:
        return {point: (seat, kind) for seat, kind, point in self._pieces()}

    @property
    def key(self) -> int:
        """Zobrist key of the whole truth: pieces, side to move, shown flags, seats that are out."""
        words, state = _zobrist(), self._ledger.state
        key = int(words[layout.POINTS, self.turn])
        key ^= int(words[layout.POINTS, 16 + int(state[layout.SHOWN])])
        key ^= int(words[layout.POINTS, 32 + int(state[layout.ALIVE])])
        for seat, kind, point in self._pieces():
            key ^= int(words[point, 16 * seat + kind])
        return key

    def status(self) -> Status:
        """Every defect of the position; ``Status.VALID`` if none."""
        return position_status(self.map, self._pieces(), self.alive)

    def is_valid(self) -> bool:
        """Whether the position has no defect."""
        return self.status() == Status.VALID

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on; ``winner`` is a team: a seat's parity.

        >>> board = Board("luzhan60 0 0l@S62,0i@N52,1l@N62,1h@N13")
        >>> board.push("N52-N62") and board.outcome().termination.zh, board.outcome().winner
        ('军旗被扛', 0)
        """
        return self._ledger.outcome()

    def view(self, seat: int | None) -> View:
        """All that the player on ``seat`` may know; None = a spectator, who sees no rank.

        Raises:
            ValueError: no such seat.
        """
        return View(self._ledger.copy(), masked(self._kinds, self.rules, self.map, seat), seat)

    # ---- moves --------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._moves: list[Move] | None = None

    def _legal(self) -> list[Move]:
        if self._moves is None:
            self._moves = self._ledger.legal_moves(self._kinds, self.turn)
        return self._moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the seat to move; none after the end."""
        return LegalMoves(self)

    def is_legal(self, move: object) -> bool:
        """Whether a move is legal here."""
        return isinstance(move, Move) and self._ledger.is_legal(self._kinds, self.turn, move)

    def why_illegal(self, move: Move) -> Refusal | None:
        """The rule that stops a move; None if it is legal."""
        ended = self.outcome()
        if ended is not None:
            return Refusal(ended.rule, "对局已经结束", "the game is over")
        piece = self._ledger.piece_at(move.from_point)
        kind = NO_PIECE if piece is None else int(self._kinds[piece])
        return explain(self._ledger, self.turn, kind, move)

    def parse(self, text: str) -> Move:
        """Read a move (``S11-W15``) and check it.

        Raises:
            InvalidMove: malformed.
            IllegalMove: not allowed here; the message says which rule stops it.
        """
        return self._checked(Move.parse(text))

    def _checked(self, move: Move) -> Move:
        if not self.is_legal(move):
            refusal = self.why_illegal(move)
            raise IllegalMove(
                f"{move}：{refusal}",
                text=str(move),
                position=repr(self.view(self.turn)),
                rule=refusal.rule if refusal else "",
            )
        return move

    def push(self, move: Move | str) -> Move:
        """Check a move and play it; returns it.

        Raises:
            InvalidMove: a text that is no move.
            IllegalMove: not allowed here; the message says which rule stops it.

        >>> board = Board("luzhan60 0 0l@S62,0e@S41,1l@N62,1h@N13")
        >>> try:
        ...     board.push("S41-S61")
        ... except IllegalMove as error:
        ...     print(str(error).partition("(")[0])
        S41-S61：S41 到 S61 不是相邻的公路，也不都在铁路上（S3B-JQ-2）
        """
        move = Move.parse(move) if isinstance(move, str) else self._as_move(move)
        self.push_unchecked(self._checked(move))
        return move

    @staticmethod
    def _as_move(move: Any) -> Move:
        if isinstance(move, Move) and {*move} <= {*range(layout.POINTS)}:
            return move
        text = repr(move)[:80]
        raise IllegalMove(f"不是军棋的着法 (not a move of junqi): {text}", text=text)

    def push_unchecked(self, move: Move) -> None:
        """Play a move that is known to be legal."""
        self._act(Act.MOVE, self.turn, move)

    def _act(self, what: Act, seat: int, move: Move | None = None) -> None:
        ledger = self._ledger
        numbers = np.zeros(layout.EVENT_SIZE, np.int64)
        numbers[layout.ACT] = ACTS.index(what)
        numbers[layout.SEAT] = seat
        if move is not None:
            numbers[layout.FROM], numbers[layout.TO] = move
        before = ledger.state
        state = ledger.keep()
        ledger.kernel.apply(
            state, self._kinds, ledger.map.tables, ledger.rules.switches, numbers, 0, 1
        )
        shown = tuple(
            (fallen, self._flag_of(fallen, before))
            for fallen in range(ledger.map.seats)
            if int(numbers[layout.FELL]) >> fallen & 1
        )
        fight = FIGHTS[int(numbers[layout.OUTCOME])] if move is not None else None
        ledger.enter(Event(what, seat, move, fight, shown, outs_of(numbers)))
        self._forget()

    def _flag_of(self, seat: int, state: NDArray[np.int64]) -> int:
        for piece in range(A_SIDE * seat, A_SIDE * seat + A_SIDE):
            if self._kinds[piece] == FLAG:
                return int(state[layout.WHERE + piece])
        return -1

    # ---- what is not a move -------------------------------------------------------------------

    def _must_go_on(self, seat: object) -> int:
        """The seat as a number, where it may still act."""
        if self.outcome() is not None:
            raise IllegalMove("对局已经结束 (the game is over)", text=short(seat))
        try:
            number = seat_number(seat, self.map.seats)
        except ValueError as error:
            raise IllegalMove(str(error), text=short(seat)) from None
        if number not in self.alive:
            raise IllegalMove(f"座位 {number} 已出局 (seat is out)", text=str(number))
        return number

    def timeout(self) -> None:
        """The seat to move has run out of time: its turn passes; the fifth time it is out.

        A timeout is not a move and does not advance the quiet counter.

        Raises:
            IllegalMove: the game is over.
        """
        self._must_go_on(self.turn)
        self._act(Act.TIMEOUT, self.turn)

    def resign(self, seat: int) -> None:
        """A player gives up, in turn or not; the partner plays on alone.

        Raises:
            IllegalMove: the game is over, or the seat is out or does not exist.
        """
        self._act(Act.RESIGN, self._must_go_on(seat))

    @property
    def draw_accepted(self) -> frozenset[int]:
        """Seats that have offered or accepted a draw since the last move."""
        return self._ledger.accepted

    def offer_draw(self, seat: int) -> bool:
        """Offer a draw, or accept one; True when all living players have, which ends the game.

        A move or a refusal cancels the offer.

        Raises:
            IllegalMove: the game is over, or the seat is out or does not exist.
        """
        seat = self._must_go_on(seat)
        self._ledger.accepted |= {seat}
        if not set(self.alive) <= self._ledger.accepted:
            return False
        self._act(Act.AGREE, seat)
        return True

    def refuse_draw(self, seat: int) -> None:
        """Refuse the draw that is on offer.

        Raises:
            IllegalMove: the game is over, or the seat is out or does not exist.
        """
        self._must_go_on(seat)
        self._ledger.accepted = frozenset()

    # ---- taking back --------------------------------------------------------------------------

    def pop(self) -> Move:
        """Take back the last move, with the timeouts and resignations that came after it.

        Raises:
            IllegalMove: no move has been played.
        """
        move = self.peek()
        while self._ledger.take_back().act is not Act.MOVE:
            pass
        self._forget()
        return move

    def take_back(self) -> Event:
        """Take back the last event, whatever it was.

        Raises:
            IllegalMove: nothing has happened.
        """
        event = self._ledger.take_back()
        self._forget()
        return event

    def peek(self) -> Move:
        """The last move played.

        Raises:
            IllegalMove: no move has been played.
        """
        for event in reversed(self._ledger.events):
            if event.move is not None:
                return event.move
        raise IllegalMove("还没有走过棋 (no move has been played)")

    @property
    def move_stack(self) -> list[Move]:
        """The moves played since the board was made, oldest first."""
        return [event.move for event in self._ledger.events if event.move is not None]

    # ---- counting -----------------------------------------------------------------------------

    def perft(self, depth: int) -> int:
        """Number of sequences of ``depth`` moves; the end of the game ends a sequence.

        Raises:
            ValueError: negative depth, or more than ``MOST_PLIES`` (256).

        >>> army = "icgdiebefkhacgdfhkjigljhj"
        >>> [Board.from_armies([army] * 4).perft(depth) for depth in range(3)]
        [1, 64, 4110]
        """
        if depth < 0:
            raise ValueError(f"层数不能是负数 (negative depth): {depth}")
        if depth > MOST_PLIES:
            raise ValueError(f"层数至多 {MOST_PLIES} (depth is at most {MOST_PLIES}): {depth}")
        if depth == 0:
            return 1
        ledger = self._ledger
        states = np.empty((depth + 1, layout.STATE_SIZE), np.int64)
        states[0] = ledger.state
        moves = np.empty((depth + 1, layout.MOVES_SIZE), np.int64)
        event = np.zeros(layout.EVENT_SIZE, np.int64)
        return int(
            ledger.kernel.perft(
                states,
                self._kinds,
                ledger.map.tables,
                ledger.rules.switches,
                moves,
                event,
                0,
                depth,
            )
        )

    def divide(self, depth: int) -> dict[Move, int]:
        """:meth:`perft` split by the first move."""
        split = {}
        for move in list(self._legal()):
            self.push_unchecked(move)
            split[move] = self.perft(depth - 1)
            self.pop()
        return split

    # ---- copies and texts ---------------------------------------------------------------------

    def copy(self) -> Self:
        """An independent copy, with the events."""
        return self._of(self._ledger.copy(), self._kinds, self._armies)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def root(self) -> Self:
        """The position in which the events began."""
        twin = self.copy()
        while twin._ledger.undo:
            twin._ledger.take_back()
        return twin

    def setup(self) -> Setup:
        """The position as plain data."""
        ledger = self._ledger
        at_start = not ledger.events and self.alive == tuple(range(self.map.seats))
        return Setup(
            self.map.name,
            tuple(self._pieces()),
            self.turn,
            self.alive,
            self.quiet,
            tuple(seat for seat, shown in enumerate(self.flags_shown) if shown),
            self.timeouts,
            self._armies if at_start else (),
        )

    def fen(self) -> str:
        """The position text, the referee's: with every rank (`junqi.notation`)."""
        return write_position(self.setup())

    def __str__(self) -> str:
        return text_diagram(self.map, self._seen())

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.fen(), self.rules) == (other.fen(), other.rules)

    __hash__ = None  # type: ignore[assignment]

    def svg(self, **options: Any) -> str:
        """The referee's picture; the options are those of `junqi.svg.board_svg`."""
        return board_svg(self.map, self._seen(), **options)

    def _repr_svg_(self) -> str:
        last = self.peek() if self.move_stack else ()
        return self.svg(last=last)


def world_armies(ledger: Ledger, kinds: NDArray[Any]) -> tuple[str, ...]:
    """The armies as letters, where the game began with set-ups; else empty."""
    if not ledger.drawn_up:
        return ()
    return tuple(
        "".join(LETTERS[kind] for kind in kinds[A_SIDE * seat : A_SIDE * seat + A_SIDE].tolist())
        for seat in range(ledger.map.seats)
    )
