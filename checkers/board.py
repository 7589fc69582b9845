"""The board of 跳棋 that programs work with: python-chess's words, this game's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from checkers import layout
from checkers.diagram import text_diagram
from checkers.geometry import (
    BIT_HOLE,
    CAMP_LETTERS,
    CAMP_NAMES_ZH,
    GOAL_DISTANCE,
    HOLE_BIT,
    HOLE_CLASS,
    HOLE_NAMES,
    hole_number,
    home,
    mirror_hole,
    opposite,
    rotate_hole,
)
from checkers.legality import Refusal, explain
from checkers.move import ENDS, Move, parse_turn
from checkers.notation import EMPTY, Setup, parse_position, start, write_position
from checkers.paths import broken_leg, shortest_path, turn_text
from checkers.rules import Rules
from checkers.status import Status, position_status
from checkers.svg import board_svg
from qikit.errors import GameError, IllegalMove, InvalidMove, InvalidPosition
from qikit.kernels import load
from qikit.outcome import Outcome, Termination
from qikit.protocol import MOST_PLIES
from qikit.zobrist import keys

_MOST_TURNS = 4096  # at most k * (121 - k) pairs of holes
_NO_DUTY = 0
_MIRRORED_CAMP = (0, 5, 4, 3, 2, 1)


@cache
def _zobrist() -> NDArray[np.int64]:
    """[camp, hole] pieces, then [6 + camp, hole] expelled pieces, then [12, ...] turn and ends."""
    return keys(0x74_69_61_6F, 13, 121)


@cache
def _moves() -> tuple[Move, ...]:
    """The turns by ``from << 7 | to``, made once: lists only refer to them."""
    # room is left between the rows for the shift: those numbers are no turns and never looked up
    return tuple(Move(number >> 7, min(number & 127, 120)) for number in range(121 << 7))


def rules_named(rules: Rules | str | None) -> Rules:
    """The rules themselves, a preset by name, or the default ``club2008`` for None.

    Raises:
        ValueError: no preset of that name.
    """
    if isinstance(rules, Rules):
        return rules
    return Rules.preset("club2008" if rules is None else rules)


class Standing(NamedTuple):
    """What belongs to a position beside the pieces; frozen, so that undo is putting it back."""

    turn: int
    ply: int
    turns: tuple[int, ...]
    """Own turns of each seat."""
    away: tuple[int, ...]
    """Total distance of each seat's pieces to the tip of its goal."""
    best: tuple[int, ...]
    """Least total distance of each seat so far."""
    since: tuple[int, ...]
    """Own turns of each seat since it was reached."""
    flags: tuple[int, ...]
    """Idle moves of each seat that an arbiter has flagged."""
    passes: int
    """Passes in a row."""
    finished: tuple[int, ...]
    """Seats that have filled their goal, in order."""
    out: tuple[int, ...]
    """Seats that have been ruled out, in order."""
    key: int
    ending: Outcome | None
    """An end by a turn; draws by limits are counted on demand."""


class LegalMoves:
    """The legal turns of a board: iterable, sized, with ``in``. Follows the board's position.

    A seat that cannot move has one legal turn, the pass, unless the rules say that it loses. After
    the end of the race there is none. A draw (repetition, lack of progress, a cap) takes no turn
    away: ``Board.outcome`` tells it, and whoever wants to see how the game would go on may play.

    >>> board = Board()
    >>> turns = board.legal_moves
    >>> len(turns), Move.parse("d1-e5") in turns, "c1:e5" in turns
    (14, True, True)
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
    """A position of 跳棋 with the turns that led to it.

    A board is not made for use by several threads at once; give each its ``copy()``.

    Args:
        position: a position text (see `checkers.notation`), or None for the start.
        rules: a :class:`~checkers.rules.Rules`, the name of a preset, or None for ``club2008``.

    Raises:
        InvalidPosition: the text cannot be read, or says that a seat has finished whose goal is
            not filled.
        ValueError: no preset of that name.

    >>> board = Board()
    >>> board.push("c1>e5"), board.push("n1-m5")
    (Move(from_hole=3, to_hole=14), Move(from_hole=111, to_hole=102))
    >>> board.fen()
    'A/AA/1AA/AAAA/4A8/12/11/10/9/10/11/12/4D8/1DDD/DDD/DD/D A AD 10'
    >>> try:
    ...     board.push("a1:i5")
    ... except IllegalMove as error:
    ...     print(str(error).partition("(")[0])
    a1:i5：从 a1 走一步或连跳都到不了 i5（S0-TQ-6）
    """

    __slots__ = (
        "_arbiter_switches",
        "_codes",
        "_counts",
        "_duty",
        "_legal_moves",
        "_masks",
        "_owners",
        "_seats",
        "_stack",
        "_standing",
        "_state",
        "_switches",
        "camps",
        "pieces",
        "rules",
    )

    rules: Rules
    """The switches."""
    camps: tuple[int, ...]
    """Camps of the seats (0..5 = A..F), in the order of turns."""
    pieces: int
    """10 or 15 pieces a seat: which holes are camps and goals."""

    def __init__(self, position: str | None = None, rules: Rules | str | None = None) -> None:
        chosen = rules_named(rules)
        setup = start(chosen.seats, chosen.pieces) if position is None else parse_position(position)
        self._set_up(setup, chosen)

    @classmethod
    def start(cls, seats: int = 2, pieces: int = 10, rules: Rules | str | None = None) -> Self:
        """The start position for so many seats.

        Raises:
            InvalidPosition: no game has so many seats or pieces.

        >>> Board.start(3, rules="party").fen()
        'A/AA/AAA/AAAA/13/12/11/10/9/E8C/EE7CC/EEE6CCC/EEEE5CCCC/4/3/2/1 A ACE 10'
        """
        return cls.from_setup(start(seats, pieces), rules)

    @classmethod
    def from_setup(cls, setup: Setup, rules: Rules | str | None = None) -> Self:
        """A board from a position that is not text (`checkers.notation.Setup`)."""
        board = cls.__new__(cls)
        board._set_up(setup, rules_named(rules))
        return board

    def _set_up(self, setup: Setup, rules: Rules) -> None:
        self.rules = rules
        self.camps = setup.camps
        self.pieces = setup.pieces
        if rules.idle == "arbiter" and self.sides() != 2:
            raise InvalidPosition(
                "裁判式闲棋判罚只用于两方 (idle='arbiter' needs two sides): "
                + "".join(CAMP_LETTERS[camp] for camp in setup.camps)
            )
        self._masks = rules.masks(setup.pieces).copy()
        self._switches = rules.switches.copy()
        self._arbiter_switches = self._switches.copy()
        self._arbiter_switches[layout.IDLE] = rules.idle != "off"
        self._seats = np.array(setup.camps, np.int64)
        self._codes = np.empty(_MOST_TURNS, np.int64)
        self._owners = list(setup.owners)
        self._state = np.zeros(layout.STATE_SIZE, np.int64)
        words = _zobrist()
        key = int(words[12, setup.turn])
        for hole, camp in enumerate(setup.owners):
            if camp != EMPTY:
                bit = 1 << int(HOLE_BIT[hole])
                kind = int(HOLE_CLASS[hole])
                self._state[layout.OWN + 4 * camp + kind] |= bit
                self._state[layout.OCCUPIED + kind] |= bit
                key ^= int(words[camp, hole])
                if hole in setup.expelled:
                    self._state[layout.EXPELLED + 4 * camp + kind] |= bit
                    key ^= int(words[6 + camp, hole])
        seats = len(setup.camps)
        none = (0,) * seats
        counters = setup.counters
        away = tuple(self._distance_of(camp) for camp in setup.camps)
        best = tuple(min(pair) for pair in zip(counters.get("best") or away, away, strict=True))
        self._standing = Standing(
            turn=setup.turn,
            ply=counters.get("ply", (0,))[0],
            turns=counters.get("turns", none),
            away=away,
            best=best,
            since=counters.get("since", none),
            flags=counters.get("flags", none),
            passes=0,
            finished=setup.finished,
            out=setup.out,
            key=key ^ self._key_of_ends(setup.finished, setup.out),
            ending=None,
        )
        self._stack: list[tuple[Move, int, Standing]] = []
        for seat in setup.finished:
            if not self._can_have_finished(seat):
                raise InvalidPosition(
                    f"附加项 finished 中的 {CAMP_LETTERS[setup.camps[seat]]} 没有占满目标 "
                    "(a seat said to have finished has not filled its goal)",
                    position=write_position(setup),
                )
        self._forget()
        previous = (setup.turn - 1) % seats
        self._settle(previous, None)
        self._counts: Counter[int] = Counter([self.key])

    def _can_have_finished(self, seat: int) -> bool:
        """Whether the seat has filled its goal, or had when others still stood in it."""
        if self.rules.win in ("full", "owner"):  # the others may have gone on since
            return any(hole in self.goal(seat) for hole in self.holes(seat))
        return bool(
            self._kernel.has_finished(self._state, self._masks, self._switches, self.camps[seat])
        )

    @property
    def _kernel(self) -> ModuleType:
        return load("checkers.kernel")  # remembered there; a module in a slot could not be pickled

    # ---- looking ------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat to move, counted from 0 in the order of turns."""
        return self._standing.turn

    @property
    def ply(self) -> int:
        """Turns played since the start, passes with them."""
        return self._standing.ply

    @property
    def key(self) -> int:
        """Zobrist key: pieces, side to move, pieces that may not return home, finished seats."""
        return self._standing.key

    @property
    def owners(self) -> tuple[int, ...]:
        """The camp of origin (0..5) of the piece on each of the 121 holes, -1 = empty."""
        return tuple(self._owners)

    @property
    def state(self) -> NDArray[np.int64]:
        """A copy of the words that kernels work on (`checkers.layout`)."""
        return self._state.copy()

    @property
    def masks(self) -> NDArray[np.int64]:
        """A copy of the sets of holes that kernels work on (`checkers.layout`)."""
        return self._masks.copy()

    def _camp(self, seat: int) -> int:
        """The camp of a seat.

        Raises:
            ValueError: there is no such seat.
        """
        if not isinstance(seat, (int, np.integer)) or not 0 <= seat < len(self.camps):
            raise ValueError(f"没有这个座位 (seats are 0..{len(self.camps) - 1} here): {seat!r}")
        return self.camps[seat]

    def piece_at(self, hole: int | str) -> int | None:
        """The seat whose piece stands on a hole (its number or name), or None.

        Raises:
            ValueError: there is no such hole.
        """
        camp = self._owners[hole_number(hole)]
        return None if camp == EMPTY else self.camps.index(camp)

    def piece_map(self) -> dict[int, int]:
        """Hole -> seat for every piece."""
        return {
            hole: self.camps.index(camp) for hole, camp in enumerate(self._owners) if camp != EMPTY
        }

    def holes(self, seat: int) -> tuple[int, ...]:
        """Holes of a seat's pieces, ascending.

        Raises:
            ValueError: there is no such seat.
        """
        camp = self._camp(seat)
        return tuple(hole for hole, owner in enumerate(self._owners) if owner == camp)

    def goal(self, seat: int) -> frozenset[int]:
        """The holes that the seat has to fill."""
        return home(opposite(self._camp(seat)), self.pieces)

    def home(self, seat: int) -> frozenset[int]:
        """The holes where the seat's pieces began."""
        return home(self._camp(seat), self.pieces)

    def _distance_of(self, camp: int) -> int:
        return sum(
            int(GOAL_DISTANCE[camp, hole])
            for hole, owner in enumerate(self._owners)
            if owner == camp
        )

    def total_distance(self, seat: int) -> int:
        """Sum over the seat's pieces of the steps to the tip of its goal; 20 when ten are home.

        >>> Board().total_distance(0)
        140
        """
        self._camp(seat)
        return self._standing.away[seat]

    def side_of(self, seat: int) -> int:
        """The team of a seat (index in ``rules.teams``), or the seat itself without teams."""
        letter = CAMP_LETTERS[self._camp(seat)]
        for index, team in enumerate(self.rules.teams):
            if letter in team:
                return index
        return len(self.rules.teams) + seat if self.rules.teams else seat

    def sides(self) -> int:
        """Number of sides: teams, or seats without teams."""
        return len({self.side_of(seat) for seat in range(len(self.camps))})

    @property
    def finished(self) -> tuple[int, ...]:
        """Seats that have filled their goal, first first."""
        return self._standing.finished

    def places(self) -> tuple[int, ...]:
        """Seats whose place is known, from the first: finishers, and last those ruled out."""
        return self._standing.finished + self._standing.out[::-1]

    @property
    def idle_flags(self) -> tuple[int, ...]:
        """Idle moves flagged for each seat (``idle="arbiter"``)."""
        return self._standing.flags

    def status(self) -> Status:
        """Every defect of the position; ``Status.VALID`` if none."""
        return position_status(
            self._owners,
            self.camps,
            self.pieces,
            self.rules,
            len(self._standing.finished),
            self.setup().expelled,
        )

    def is_valid(self) -> bool:
        """Whether the position has no defect."""
        return self.status() == Status.VALID

    # ---- turns --------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._legal_moves: list[Move] | None = None
        self._duty = -1

    def idle_duty(self) -> bool:
        """Whether the side to move must now take a piece out of its camp (不能行闲棋, S0-TQ-9).

        With ``idle_no_retreat`` also whether it must not raise its total distance. Always False
        where the rules have the idle-move rule off.
        """
        return self._duty_code() != _NO_DUTY

    def _duty_code(self) -> int:
        if self._duty < 0:
            self._duty = _NO_DUTY
            if self.rules.idle != "off":
                camp = self.camps[self.turn]
                self._duty = int(
                    self._kernel.duty_of(self._state, self._masks, self._arbiter_switches, camp)
                )
        return self._duty

    def _generate(self, switches: NDArray[np.int64], duty: int) -> list[Move]:
        count = self._kernel.turns(
            self._state, self._masks, switches, self.camps[self.turn], duty, self._codes
        )
        codes = self._codes[:count]
        made = _moves()
        return [made[number] for number in np.sort((codes & 127) << 7 | codes >> 7).tolist()]

    def _legal(self) -> list[Move]:
        if self._legal_moves is None:
            if self._standing.ending is not None:
                return []
            duty = self._duty_code() if self.rules.idle == "enforce" else _NO_DUTY
            moves = self._generate(self._switches, duty)
            if not moves and self.rules.no_turn == "pass":
                moves = [Move.PASS]
            self._legal_moves = moves
        return self._legal_moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal turns, ordered by start and end hole.

        None after the end of the race; after a draw they are still told (`LegalMoves`).
        """
        return LegalMoves(self)

    def is_legal(self, move: object) -> bool:
        """Whether :meth:`push` would play it: a :class:`Move`, or text in any notation."""
        if isinstance(move, str):
            try:
                self.parse(move)
            except GameError:
                return False
            return True
        return isinstance(move, Move) and move in self._legal()

    def turns_from(self, hole: int | str) -> tuple[Move, ...]:
        """Legal turns of the piece on a hole: what touch-move (摸子走子, S0-TQ-8) leaves open.

        Raises:
            ValueError: there is no such hole.

        >>> [str(move) for move in Board().turns_from("c1")]
        ['c1:e5', 'c1:e7']
        """
        start = hole_number(hole)
        return tuple(move for move in self._legal() if move and move.from_hole == start)

    def is_idle(self, move: Move | str) -> bool:
        """Whether the turn breaks the idle-move rule (whatever the mode; False where it is off).

        Raises:
            InvalidMove: no turn at all.
        """
        move = _turn(move)
        if self.rules.idle == "off" or not move:
            return False
        return move not in self._generate(self._arbiter_switches, self._duty_code())

    def refusal(self, move: Move | str) -> Refusal | None:
        """The rule that stops a turn, or None if it is legal; of a text only the ends count.

        Raises:
            InvalidMove: no turn at all.
        """
        move = _turn(move)
        if self.is_legal(move):
            return None
        if self._standing.ending is not None:
            return Refusal("S0-TQ-10", "棋局已经结束", "the game is over")
        if not move:
            return Refusal("S0-TQ-4", "还有棋可走，不能停一着", "no pass while a turn is possible")
        if self._legal() == [Move.PASS]:
            return Refusal("S0-TQ-4", "无棋可走，只能停一着", "no turn is possible: pass")
        found = explain(self._owners, self.rules, self.camps[self.turn], self.pieces, move)
        if found is not None:
            return found
        own = self.home(self.turn)
        if self._duty_code() == _NO_DUTY or self._has(layout.EXPELLED, move.from_hole):
            return Refusal(
                "S0-TQ-9",
                f"{HOLE_NAMES[move.from_hole]} 是让出阵地的棋子，不能再回去",
                "a piece that made way may not come back",
                (move.to_hole,),
            )
        if any(hole in own for hole in self.holes(self.turn)) and any(
            m.from_hole in own for m in self._legal()
        ):
            return Refusal(
                "S0-TQ-9",
                "不能行闲棋：对方即将占满，须先把留在自己阵地里的棋子走出来",
                "no idle moves: pieces in the own camp must leave first",
                tuple(hole for hole in self.holes(self.turn) if hole in own),
            )
        return Refusal(
            "S0-TQ-9", "不能行闲棋：这着棋使总距离变远", "no idle moves: the total distance grows"
        )

    def _has(self, base: int, hole: int) -> bool:
        word = int(self._state[base + 4 * self.camps[self.turn] + HOLE_CLASS[hole]])
        return bool(word >> int(HOLE_BIT[hole]) & 1)

    def parse(self, text: str) -> Move:
        """Read a turn in any notation and check that it is legal now.

        ``d1-e5`` must be a step, ``c1>e5>g5`` that chain of jumps, ``c1:e5`` any way.

        Raises:
            InvalidMove: malformed.
            IllegalMove: not allowed now; ``rule`` and the text tell why.
        """
        move = Move.parse(text)
        if move:
            holes, mark = parse_turn(text)
            if mark != ENDS and self._owners[holes[0]] != EMPTY:
                broken = broken_leg(self._owners, self.rules, holes, mark)
                if broken is not None:
                    a, b = (HOLE_NAMES[hole] for hole in broken)
                    what, word = ("走", "step") if mark == "-" else ("跳", "jump")
                    rule = "S0-TQ-5" if mark == "-" else "S0-TQ-6"
                    raise IllegalMove(
                        f"{text}：{a} 到 {b} 不能{what}（{rule}）(no {word} from {a} to {b})",
                        text=text,
                        position=self.fen(),
                        rule=rule,
                    )
        return self._checked(move, text)

    def _read(self, move: Move | str) -> Move:
        return self.parse(move) if isinstance(move, str) else self._checked(_turn(move), str(move))

    def _checked(self, move: Move, text: str) -> Move:
        refusal = self.refusal(move)
        if refusal is not None:
            raise IllegalMove(
                f"{text}：{refusal}", text=text, position=self.fen(), rule=refusal.rule
            )
        return move

    def path(self, move: Move | str) -> tuple[int, ...]:
        """Holes of the shortest way of a legal turn, start and end with it, for animation.

        Raises:
            IllegalMove: the turn is not legal now, or is a pass.

        >>> Board().path(Move.parse("c1:e5"))
        (3, 14)
        """
        turn = self._read(move)
        if not turn:
            raise IllegalMove(
                "停一着没有路线 (a pass has no way)", text=str(turn), position=self.fen()
            )
        return shortest_path(self._owners, self.rules, turn)

    def notation(self, move: Move | str) -> str:
        """A legal turn with its shortest way: ``d1-e5`` or ``c1>e5>g5``."""
        return turn_text(self._owners, self.rules, self._read(move))

    # ---- playing ------------------------------------------------------------------------------

    def push(self, move: Move | str) -> Move:
        """Play a legal turn; text is read by :meth:`parse`.

        Raises:
            InvalidMove: malformed text, or neither text nor a :class:`Move`.
            IllegalMove: not allowed; the position stays as it was.
        """
        turn = self._read(move)
        self.push_unchecked(turn)
        return turn

    def push_unchecked(self, move: Move) -> None:
        """Play a turn that is known to be legal, without checking it."""
        old = self._standing
        seat, camp = old.turn, self.camps[old.turn]
        key, away, flags, undo = old.key, old.away, old.flags, 0
        turns = _bumped(old.turns, seat)
        if move:
            duty = self._duty_code()
            if self.rules.idle == "arbiter" and self.is_idle(move):
                flags = _bumped(flags, seat)
            origin, target = move
            undo = int(self._kernel.make(self._state, camp, origin, target, duty))
            key ^= self._key_of_turn(camp, origin, target, undo)
            displaced = self._owners[target]
            self._owners[origin], self._owners[target] = displaced, camp
            change = int(GOAL_DISTANCE[camp, target]) - int(GOAL_DISTANCE[camp, origin])
            away = _added(away, seat, change)
            if displaced != EMPTY:
                back = int(GOAL_DISTANCE[displaced, origin]) - int(GOAL_DISTANCE[displaced, target])
                away = _added(away, self.camps.index(displaced), back)
        best = tuple(min(pair) for pair in zip(old.best, away, strict=True))
        since = tuple(
            0 if best[k] < old.best[k] else old.since[k] + (k == seat) for k in range(len(best))
        )
        self._stack.append((move, undo, old))
        self._standing = old._replace(
            ply=old.ply + 1,
            turns=turns,
            away=away,
            best=best,
            since=since,
            flags=flags,
            passes=0 if move else old.passes + 1,
            key=key,
        )
        self._forget()
        self._settle(seat, move)
        self._counts[self.key] += 1

    def pop(self) -> Move:
        """Take the last turn back and return it.

        Raises:
            IndexError: no turn has been played.
        """
        if not self._stack:
            raise IndexError("没有可以收回的着法 (no turn to take back)")
        move, undo, standing = self._stack.pop()
        self._counts[self.key] -= 1
        if not self._counts[self.key]:
            del self._counts[self.key]
        if move:
            camp = self.camps[standing.turn]
            origin, target = move
            self._kernel.unmake(self._state, camp, origin, target, undo)
            self._owners[origin], self._owners[target] = camp, self._owners[origin]
        self._standing = standing
        self._forget()
        return move

    def peek(self) -> Move:
        """The last turn played.

        Raises:
            IndexError: no turn has been played.
        """
        if not self._stack:
            raise IndexError("还没有走过 (no turn has been played)")
        return self._stack[-1][0]

    @property
    def move_stack(self) -> list[Move]:
        """The turns played since the board was made, oldest first."""
        return [move for move, _, _ in self._stack]

    def _key_of_turn(self, camp: int, origin: int, target: int, undo: int) -> int:
        """What a turn changes in the key; called after the kernel has moved the pieces."""
        words = _zobrist()
        key = int(words[camp, origin]) ^ int(words[camp, target])
        if undo & 3:
            key ^= int(words[6 + camp, target])
            if undo & 1:
                key ^= int(words[6 + camp, origin])
        other = (undo >> 2 & 7) - 1
        if other >= 0:
            key ^= int(words[other, origin]) ^ int(words[other, target])
            if undo & 32:
                key ^= int(words[6 + other, origin]) ^ int(words[6 + other, target])
        return key

    @staticmethod
    def _key_of_ends(finished: tuple[int, ...], out: tuple[int, ...]) -> int:
        words, key = _zobrist()[12], 0
        for seat in finished:
            key ^= int(words[6 + seat])
        for seat in out:
            key ^= int(words[12 + seat])
        return key

    def _settle(self, seat: int, move: Move | None) -> None:
        """After a turn of ``seat`` (None: at the root): who has finished or is out, who is next."""
        now = self._standing
        old_ends = self._key_of_ends(now.finished, now.out)
        finished, out, ending = now.finished, now.out, None
        count = len(self.camps)
        for k in range(count):
            other = (seat + k) % count if move is not None else (seat - k) % count
            if other not in finished + out and self._kernel.has_finished(
                self._state, self._masks, self._switches, self.camps[other]
            ):
                finished += (other,)
        reason = ""
        if move is not None and seat not in finished + out:
            if self.rules.idle == "arbiter" and now.flags[seat] >= 2:
                reason = "S0-TQ-9"
            elif (
                self.rules.leave_by
                and now.turns[seat] >= self.rules.leave_by
                and any(hole in self.home(seat) for hole in self.holes(seat))
            ):
                reason = "leave_by"
            if reason:
                out += (seat,)
        turn = now.turn if move is None else self._next(seat, finished + out)
        self._standing = now._replace(
            turn=turn,
            finished=finished,
            out=out,
            key=now.key
            ^ old_ends
            ^ self._key_of_ends(finished, out)
            ^ int(_zobrist()[12, now.turn])
            ^ int(_zobrist()[12, turn]),
        )
        ending = self._ending(seat, reason)
        self._standing = self._standing._replace(ending=ending)
        if ending is None and self.rules.no_turn == "lose":
            self._rule_out_immobile()

    def _rule_out_immobile(self) -> None:
        """Rule the side to move out, and whoever follows, while it has no turn."""
        while self._standing.ending is None and not self._generate(self._switches, _NO_DUTY):
            now = self._standing
            seat = now.turn
            out = (*now.out, seat)
            turn = self._next(seat, now.finished + out)
            self._standing = now._replace(
                out=out,
                turn=turn,
                key=now.key
                ^ self._key_of_ends((), (seat,))
                ^ int(_zobrist()[12, seat])
                ^ int(_zobrist()[12, turn]),
            )
            self._standing = self._standing._replace(ending=self._ending(seat, "no_turn"))
            self._forget()

    def _next(self, seat: int, gone: tuple[int, ...]) -> int:
        """The seat after ``seat`` that still plays; the plain next one if none does."""
        count = len(self.camps)
        for k in range(1, count + 1):
            if (seat + k) % count not in gone:
                return (seat + k) % count
        return (seat + 1) % count

    def _ending(self, seat: int, reason: str) -> Outcome | None:
        """The end of the game, if the last turn (of ``seat``) was one."""
        now = self._standing
        if not now.finished and not now.out:
            return None
        members: dict[int, list[int]] = {}
        for k in range(len(self.camps)):
            members.setdefault(self.side_of(k), []).append(k)
        done = [side for side, seats in members.items() if all(k in now.finished for k in seats)]
        done.sort(key=lambda side: max(now.finished.index(k) for k in members[side]))
        lost = [side for side, seats in members.items() if any(k in now.out for k in seats)]
        playing = [side for side in members if side not in done and side not in lost]
        if done:
            round_over = now.turn <= seat or not playing
            if self.rules.equal_turns and not round_over:
                return None
            if self.rules.play_on and len(playing) > 1:
                return None
            if self.rules.equal_turns and not self.rules.play_on and len(done) > 1:
                return Outcome(Termination.GOAL_FILLED, None, "equal_turns")
            return Outcome(Termination.GOAL_FILLED, done[0], "S0-TQ-10")
        if lost and len(playing) <= 1:
            kind = Termination.NO_MOVABLE_PIECE if reason == "no_turn" else Termination.RULE_OFFENCE
            return Outcome(kind, playing[0] if playing else None, reason or "out")
        return None

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on.

        ``winner`` is a seat, or with ``rules.teams`` the index of a team. Draws by repetition,
        lack of progress, passes and the caps of the rules are judged here; the board takes turns
        after them all the same, and the next one may undo a repetition.

        >>> Board().outcome() is None
        True
        """
        now, rules = self._standing, self.rules
        if now.ending is not None:
            return now.ending
        active = len(self.camps) - len(now.finished) - len(now.out)
        if now.passes >= 2 * active:
            return self._drawn(Termination.NATURAL_LIMIT, "no_turn")
        if rules.repetition and self._counts[self.key] >= rules.repetition:
            return self._drawn(Termination.REPETITION, "repetition")
        if rules.progress_limit and all(
            since >= rules.progress_limit
            for seat, since in enumerate(now.since)
            if seat not in now.finished + now.out
        ):
            return self._drawn(Termination.NATURAL_LIMIT, "progress_limit")
        if rules.ply_cap and now.ply >= rules.ply_cap:
            return self._drawn(Termination.MOVE_LIMIT, "ply_cap")
        if (
            rules.round_cap
            and min(
                turns for seat, turns in enumerate(now.turns) if seat not in now.finished + now.out
            )
            >= rules.round_cap
        ):
            return self._drawn(Termination.MOVE_LIMIT, "round_cap")
        return None

    def _drawn(self, termination: Termination, rule: str) -> Outcome:
        """A limit ends the game: a draw, or the win of whoever has finished already."""
        first = self._standing.finished[:1]
        return Outcome(termination, self.side_of(first[0]) if first else None, rule)

    # ---- counting -----------------------------------------------------------------------------

    def perft(self, depth: int) -> int:
        """Number of sequences of ``depth`` turns; a pass counts as a turn, draw limits do not.

        The game ends with the first filled goal, or later where the rules say so. Counts (from,
        to) pairs: see :meth:`perft_paths` for the count of chains.

        Raises:
            ValueError: negative depth, or more than ``MOST_PLIES`` (256).

        >>> [Board().perft(depth) for depth in range(4)]
        [1, 14, 196, 4760]
        """
        _check_depth(depth)
        if depth == 0:
            return 1
        if self._standing.ending is not None:
            return 0
        plain = not (
            self.rules.play_on
            or self.rules.equal_turns
            or self.rules.teams
            or self.rules.leave_by
            or self.rules.idle == "arbiter"
            or self._standing.finished
            or self._standing.out
            or (self.rules.no_turn == "lose" and len(self.camps) > 2)
        )
        if plain:
            return int(
                self._kernel.perft(
                    self._state,
                    self._masks,
                    self._switches,
                    self._seats,
                    self.turn,
                    depth,
                    self._codes[:0],
                )
            )
        return sum(self.divide(depth).values())

    def divide(self, depth: int) -> dict[Move, int]:
        """:meth:`perft` split by the first turn.

        Raises:
            ValueError: a depth below 1, or more than ``MOST_PLIES`` (256).

        >>> sum(Board().divide(3).values())
        4760
        """
        _check_depth(depth, 1)
        split = {}
        for move in list(self._legal()):
            self.push_unchecked(move)
            split[move] = self.perft(depth - 1)
            self.pop()
        return split

    def perft_paths(self, depth: int) -> int:
        """Number of sequences of ``depth`` turns by different jump chains (no hole twice in one).

        Exponential in crowded positions: for comparison with programs that list chains. The game
        ends with the first filled goal; seats that play on and teams are not looked at.

        >>> [Board().perft_paths(depth) for depth in range(4)]
        [1, 14, 196, 4928]

        Raises:
            ValueError: negative depth, or more than ``MOST_PLIES`` (256).
        """
        _check_depth(depth)
        if depth == 0:
            return 1
        if self._standing.ending is not None:
            return 0
        return int(
            self._kernel.perft_paths(
                self._state,
                self._masks,
                self._switches,
                self._seats,
                self.turn,
                depth,
                np.zeros(121, np.int64),
                np.zeros(121 * (depth + 1), np.int64),
            )
        )

    # ---- copies and texts ---------------------------------------------------------------------

    def copy(self, *, stack: bool = True) -> Self:
        """An independent copy, by default with the turns played (which repetition needs)."""
        twin = type(self).__new__(type(self))
        for name in ("rules", "camps", "pieces", "_masks", "_switches", "_seats"):
            setattr(twin, name, getattr(self, name))
        twin._arbiter_switches = self._arbiter_switches
        twin._codes = np.empty(_MOST_TURNS, np.int64)
        twin._owners = list(self._owners)
        twin._state = self._state.copy()
        twin._standing = self._standing
        twin._stack = list(self._stack) if stack else []
        twin._counts = self._counts.copy() if stack else Counter([self.key])
        twin._legal_moves = None
        twin._duty = -1
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def root(self) -> Self:
        """The position in which the turns played began."""
        twin = self.copy()
        while twin._stack:
            twin.pop()
        return twin

    def setup(self) -> Setup:
        """The position as plain data, counters included."""
        now = self._standing
        expelled = frozenset(
            int(BIT_HOLE[64 * (k % 4) + bit])
            for k in range(24)
            for bit in range(63)
            if int(self._state[layout.EXPELLED + k]) >> bit & 1
        )
        counters = {
            "ply": (now.ply,),
            "turns": now.turns,
            "best": () if now.best == now.away else now.best,
            "since": now.since,
            "flags": now.flags,
        }
        return Setup(
            tuple(self._owners),
            now.turn,
            self.camps,
            self.pieces,
            expelled,
            now.finished,
            now.out,
            counters,
        )

    def fen(self, *, counters: bool = False) -> str:
        """The position text; with ``counters`` also ply, progress and idle flags.

        >>> Board().fen()
        'A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10'
        """
        setup = self.setup()
        if self._standing.ending is not None and len(self.camps) <= 2:
            # with the race over the rows say who has finished
            setup = replace(setup, finished=())
        return write_position(setup, counters=counters)

    def mirror(self) -> Self:
        """The left-right image, which has as many turns; seats then go the other way round."""
        return self._image(mirror_hole, lambda camp: _MIRRORED_CAMP[camp])

    def rotate(self, sixths: int = 1) -> Self:
        """The board turned clockwise by sixths: camp A becomes B."""
        return self._image(lambda hole: rotate_hole(hole, sixths), lambda camp: (camp + sixths) % 6)

    def _image(self, hole_image: Any, camp_image: Any) -> Self:
        setup = self.setup()
        owners = [EMPTY] * len(setup.owners)
        for hole, camp in enumerate(setup.owners):
            if camp != EMPTY:
                owners[hole_image(hole)] = camp_image(camp)
        rules = self.rules
        if rules.teams:
            rules = rules.having(
                teams=tuple(
                    "".join(CAMP_LETTERS[camp_image(CAMP_LETTERS.index(c))] for c in team)
                    for team in rules.teams
                )
            )
        return type(self).from_setup(
            Setup(
                tuple(owners),
                setup.turn,
                tuple(camp_image(camp) for camp in setup.camps),
                setup.pieces,
                frozenset(hole_image(hole) for hole in setup.expelled),
                setup.finished,
                setup.out,
                setup.counters,
            ),
            rules,
        )

    def seat_name(self, seat: int) -> str:
        """What people call a seat: the place of its camp, ``北``."""
        return CAMP_NAMES_ZH[self._camp(seat)]

    def __str__(self) -> str:
        return text_diagram(self._owners)

    def __repr__(self) -> str:
        return f"Board({self.fen(counters=True)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.fen(), self.rules) == (other.fen(), other.rules)

    __hash__ = None  # type: ignore[assignment]

    def svg(self, **options: Any) -> str:
        """A picture; the options are those of `checkers.svg.board_svg`."""
        return board_svg(self._owners, **options)

    def _repr_svg_(self) -> str:
        last: tuple[int, ...] = ()
        if self._stack and self._stack[-1][0]:
            before = self.copy()
            move = before.pop()
            last = shortest_path(before._owners, self.rules, move)
        return self.svg(path=last, size=400)


def _turn(move: Move | str) -> Move:
    """The turn itself, or that of a text.

    Raises:
        InvalidMove: neither, or a text that cannot be read.
    """
    if isinstance(move, Move):
        return move
    if isinstance(move, str):
        return Move.parse(move)
    raise InvalidMove(
        f"不是着法 (neither a Move nor text such as 'c1:e5'): {move!r}", text=repr(move)
    )


def _check_depth(depth: int, least: int = 0) -> None:
    if not isinstance(depth, int) or not least <= depth <= MOST_PLIES:
        raise ValueError(
            f"层数要 {least} 到 {MOST_PLIES} 的整数 "
            f"(a depth is a whole number from {least} to {MOST_PLIES}): {depth!r}"
        )


def _bumped(numbers: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return _added(numbers, seat, 1)


def _added(numbers: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    return (*numbers[:seat], numbers[seat] + change, *numbers[seat + 1 :])
