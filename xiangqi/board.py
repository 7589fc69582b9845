"""The board of 象棋 that programs work with: python-chess's words, this game's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from qikit.errors import GameError, IllegalMove, InvalidPosition
from qikit.kernels import load
from qikit.outcome import Outcome, Termination
from qikit.protocol import MOST_PLIES
from qikit.stop import StopFlag
from xiangqi.diagram import ascii_diagram, chinese_diagram
from xiangqi.fen import Setup, parse_fen, write_fen
from xiangqi.geometry import (
    BLACK,
    COLOR_NAMES_ZH,
    RED,
    SQUARES,
    START_FEN,
    mirror_square,
)
from xiangqi.legality import Refusal, explain
from xiangqi.material import has_crossing_material, is_dead_drawn
from xiangqi.move import Move
from xiangqi.pieces import PIECE_TYPES, Piece
from xiangqi.planes import from_planes, to_planes
from xiangqi.rules import Rules, rules_named
from xiangqi.status import Defect, Status, defects, position_status
from xiangqi.svg import board_svg

_PIECES: tuple[Piece | None, ...] = tuple(
    Piece.from_code(code) if code & 7 in PIECE_TYPES else None for code in range(16)
)
_IS_CODE = np.array([not code or (code < 16 and code & 7 > 0) for code in range(256)])
_SWAPPED = np.array([code ^ 8 if code else 0 for code in range(16)], np.uint8)
_MIRRORED = np.array([mirror_square(sq) for sq in SQUARES])


@cache
def _moves() -> tuple[Move, ...]:
    """The moves by the kernel's number ``from | to << 7``, made once: lists only refer to them.

    Entries whose start point is off the board are never asked for.
    """
    return tuple(Move(number & 127, number >> 7) for number in range(90 << 7))


def _points(halves: tuple[int, int]) -> tuple[int, ...]:
    """The points of a bit set in two halves, ascending."""
    bits = int(halves[0]) | int(halves[1]) << 45
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return tuple(found)


class LegalMoves:
    """The legal moves of a board: iterable, sized, with ``in``. Follows the board's position.

    >>> board = Board()
    >>> len(board.legal_moves), Move.parse("h2e2") in board.legal_moves
    (44, True)
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
    """A position of 象棋 with the moves that led to it.

    A board is not made for use by several threads at once; give each its ``copy()``.

    Args:
        fen: a position in any FEN dialect (letters N/B, H/E and others, short forms).
        rules: a :class:`~xiangqi.rules.Rules`, the name of a preset, or None for the default.

    Raises:
        InvalidPosition: the text is no FEN, or play is impossible in the position; the message
            names every such defect (see :class:`~xiangqi.status.Status`).

    >>> board = Board()
    >>> board.push("炮二平五"), board.push("h9g7")
    (Move(from_square=25, to_square=22), Move(from_square=88, to_square=69))
    >>> board.fen()
    'rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2'
    >>> try:
    ...     board.push(Move.parse("h0f1"))
    ... except IllegalMove as error:
    ...     print(error.rule, error)
    S0-XQ-10 h0f1：马腿被 g0 的相挡住（S0-XQ-10）(the horse's leg on g0 is blocked by an elephant)
    """

    __slots__ = (
        "_buffer",
        "_clock",
        "_kernel",
        "_legal_moves",
        "_number",
        "_stack",
        "_state",
        "_turn",
        "_undo",
        "rules",
    )

    start_fen: ClassVar[str] = START_FEN
    rules: Rules
    """Options of the competition that bear on single positions."""

    def __init__(self, fen: str = START_FEN, *, rules: Rules | str | None = None) -> None:
        self._set_up(parse_fen(fen), rules_named(rules), fen)

    @classmethod
    def from_setup(cls, setup: Setup, *, rules: Rules | str | None = None) -> Self:
        """A board from a position that is not text: ``Setup(codes, turn, ...)`` of `xiangqi.fen`.

        Raises:
            InvalidPosition: as for ``Board(fen)``.
        """
        board = cls.__new__(cls)
        board._set_up(setup, rules_named(rules))
        return board

    @classmethod
    def from_pieces(
        cls, pieces: Mapping[int, Piece], turn: int = RED, *, rules: Rules | str | None = None
    ) -> Self:
        """A board from pieces by point, as :meth:`piece_map` gives them.

        Raises:
            InvalidPosition: as for ``Board(fen)``, or a point off the board.

        >>> Board.from_pieces({4: Piece.from_symbol("K"), 84: Piece.from_symbol("k")}).fen()
        '3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1'
        """
        codes = np.zeros(90, np.uint8)
        for sq, piece in pieces.items():
            if sq not in SQUARES:
                raise InvalidPosition(f"没有这个交叉点 (not a point 0..89): {sq!r}", text=repr(sq))
            codes[sq] = piece.code
        return cls.from_setup(Setup(codes, turn), rules=rules)

    @classmethod
    def from_planes(
        cls, planes: NDArray[np.uint8], *, relative: bool = False, rules: Rules | str | None = None
    ) -> Self:
        """A board from what :meth:`planes` gave; the counters begin anew.

        Raises:
            ValueError: not planes of a position.
            InvalidPosition: as for ``Board(fen)``.
        """
        return cls.from_setup(Setup(*from_planes(planes, relative=relative)), rules=rules)

    def _set_up(self, setup: Setup, rules: Rules, text: str = "") -> None:
        if setup.turn not in (RED, BLACK):
            raise InvalidPosition(f"行棋方应为 0 或 1 (turn is 0 or 1): {setup.turn!r}", text=text)
        codes = np.ascontiguousarray(setup.codes, np.uint8)
        if codes.shape != (90,) or not _IS_CODE[codes].all():
            raise InvalidPosition(
                "局面应为 90 个棋子编号 (a position is 90 piece codes, 0 = empty)", text=text
            )
        fatal = [d for d in defects(codes.tolist(), setup.turn) if d.status.is_fatal]
        if fatal:
            message = "；".join(defect.zh for defect in fatal)
            english = "; ".join(defect.en for defect in fatal)
            text = text or write_fen(setup)
            raise InvalidPosition(f"局面不能对弈：{message} ({english})", text=text, position=text)
        self._kernel: Any = load("xiangqi.kernel")
        self._state = np.empty(self._kernel.STATE_SIZE, np.int64)
        answer = self._kernel.setup(codes, setup.turn, self._state)
        assert answer == self._kernel.READY, answer
        self._buffer = np.empty(self._kernel.FRAME, np.int64)
        self._turn = setup.turn
        self._clock = setup.halfmove_clock
        self._number = setup.fullmove_number
        self._stack: list[Move] = []
        self._undo: list[tuple[int, int]] = []
        self._legal_moves: list[Move] | None = None
        self.rules = rules

    # ------------------------------------------------------------ what stands where

    @property
    def turn(self) -> int:
        """Side to move: 0 = Red, 1 = Black."""
        return self._turn

    @property
    def codes(self) -> NDArray[np.uint8]:
        """Piece codes of the 90 points (``uint8[90]``, 0 = empty): a copy."""
        kernel = self._kernel
        codes: NDArray[np.uint8] = np.empty(90, np.uint8)
        np.bitwise_and(
            self._state[kernel.BOARD : kernel.BOARD + 90], kernel.PIECE, out=codes, casting="unsafe"
        )
        return codes

    def piece_at(self, sq: int) -> Piece | None:
        """The piece on a point 0..89, or None.

        Raises:
            IndexError: off the board.
        """
        if not 0 <= sq < 90:
            raise IndexError(f"没有这个交叉点 (not a point 0..89): {sq}")
        return _PIECES[int(self._state[self._kernel.BOARD + sq]) & 15]

    def piece_map(self) -> dict[int, Piece]:
        """All pieces by point, in order of points."""
        pieces = ((sq, _PIECES[code]) for sq, code in enumerate(self.codes.tolist()))
        return {sq: piece for sq, piece in pieces if piece is not None}

    def king(self, color: int) -> int | None:
        """The point of the general of a side (None only after unchecked moves took it)."""
        sq = int(self._state[self._kernel.SLOT + 16 * color])
        return sq if sq in SQUARES else None

    @property
    def key(self) -> int:
        """Zobrist key of placement and side to move, 63 bits; counters do not enter."""
        return int(self._state[self._kernel.KEY])

    @property
    def halfmove_clock(self) -> int:
        """Plies without a capture: field 5 of the start position and the moves played since."""
        return self._clock

    @property
    def fullmove_number(self) -> int:
        """Number of the current round; it grows after Black's move."""
        return self._number

    @property
    def setup(self) -> Setup:
        """Placement, side and counters as plain data."""
        return Setup(self.codes, self._turn, self._clock, self._number)

    # ------------------------------------------------------------ moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves (S0-XQ-6 to S0-XQ-14): iterable, sized, ``in``.

        A draw by material does not end them; after mate and stalemate there are none.
        """
        return LegalMoves(self)

    def _legal(self) -> list[Move]:
        moves = self._legal_moves
        if moves is None:
            n = self._kernel.legal_moves(self._state, self._buffer)
            table = _moves()
            moves = [table[number] for number in self._buffer[:n].tolist()]
            self._legal_moves = moves
        return moves

    @property
    def legal_captures(self) -> tuple[Move, ...]:
        """The legal moves that take a piece."""
        codes = self.codes.tolist()
        return tuple(move for move in self._legal() if codes[move[1]])

    def legal_moves_from(self, sq: int) -> tuple[Move, ...]:
        """The legal moves of the piece on a point (none if there is none, or not its turn)."""
        return tuple(move for move in self._legal() if move[0] == sq)

    def targets(self, sq: int) -> tuple[int, ...]:
        """Points that the piece on ``sq`` can reach by its own way of moving, either side's turn.

        What becomes of its general is not considered.
        """
        return _points(self._kernel.targets(self._state, sq))

    def is_legal(self, move: object) -> bool:
        """Whether a :class:`Move` is legal here; anything else is not."""
        if not isinstance(move, Move):
            return False
        start, goal = move
        if not (0 <= start < 90 and 0 <= goal < 90):
            return False
        return bool(self._kernel.is_legal(self._state, start | goal << 7))

    def explain(self, move: Move) -> Refusal | None:
        """The rule that stops a move, as data, or None if the move is legal.

        Raises:
            IndexError: a point off the board.

        >>> Board().explain(Move.parse("b2b8")).rule
        'S0-XQ-12'
        """
        if not (0 <= move[0] < 90 and 0 <= move[1] < 90):
            raise IndexError(f"没有这个交叉点 (not points 0..89): {tuple(move)}")
        return explain(self.codes.tolist(), self._turn, move[0], move[1])

    def _illegal(self, move: object) -> IllegalMove:
        """The error that says why a move (or a text on a finished board) cannot be played."""
        on_board = isinstance(move, Move) and move[0] in SQUARES and move[1] in SQUARES
        position, text = self.fen(), str(move) if on_board or isinstance(move, str) else repr(move)
        if not self._legal():
            over = self._no_moves_left()
            end = "被将死" if over.termination is Termination.CHECKMATE else "被困毙"
            return IllegalMove(
                f"{text}：对局已经结束，{COLOR_NAMES_ZH[self._turn]}方{end}（{over.rule}）"
                f"(the game is over: {over.termination.value})",
                text=text,
                position=position,
                rule=over.rule,
            )
        refusal = self.explain(move) if isinstance(move, Move) and on_board else None
        if refusal is None:
            return IllegalMove(
                f"不是棋盘上的一步棋 (not a move on the board): {text}",
                text=text,
                position=position,
            )
        return IllegalMove(f"{text}：{refusal}", text=text, position=position, rule=refusal.rule)

    def push(self, move: Move | str) -> Move:
        """Play a legal move, given as a :class:`Move` or as text in any notation; returns it.

        Raises:
            IllegalMove: the rules do not allow it; the message and ``.rule`` say which one.
            InvalidMove: a text that is no move in any notation.
            AmbiguousMove: a text that fits several moves.
        """
        if isinstance(move, str):
            if not self._legal():
                raise self._illegal(move)
            move = self.parse(move)
        if not self.is_legal(move):
            raise self._illegal(move)
        self.push_unchecked(move)
        return move

    def push_uci(self, text: str) -> Move:
        """Play a coordinate move such as ``h2e2`` or ``H2-E2`` (ranks 0-9); returns it.

        Raises:
            InvalidMove: not of that form.
            IllegalMove: the rules do not allow it.
        """
        return self.push(Move.parse(text))

    def push_unchecked(self, move: Move) -> None:
        """Play a move that is known to be legal, without a check.

        A move of no piece, or one that takes an own piece, spoils the board.

        Raises:
            IndexError: a point off the board.
        """
        start, goal = move
        if not (0 <= start < 90 and 0 <= goal < 90):
            raise IndexError(f"没有这个交叉点 (not points 0..89): {tuple(move)}")
        undo = self._kernel.make(self._state, start | goal << 7)
        self._undo.append((undo, self._clock))
        self._stack.append(move)
        self._clock = 0 if undo >> 14 & 15 else self._clock + 1
        self._number += self._turn
        self._turn ^= 1
        self._legal_moves = None

    def pop(self) -> Move:
        """Take the last move back and return it.

        Raises:
            GameError: no move has been played on this board.
        """
        if not self._undo:
            raise GameError("没有可以收回的着法 (no move to take back)", position=self.fen())
        undo, self._clock = self._undo.pop()
        self._kernel.unmake(self._state, undo)
        self._turn ^= 1
        self._number -= self._turn
        self._legal_moves = None
        return self._stack.pop()

    def peek(self) -> Move:
        """The last move played.

        Raises:
            GameError: no move has been played on this board.
        """
        if not self._stack:
            raise GameError("还没有走过棋 (no move has been played)", position=self.fen())
        return self._stack[-1]

    @property
    def move_stack(self) -> list[Move]:
        """The moves played on this board, first one first: a copy."""
        return list(self._stack)

    def is_capture(self, move: Move) -> bool:
        """Whether a legal move takes a piece."""
        return self.piece_at(move[1]) is not None

    def gives_check(self, move: Move) -> bool:
        """Whether a legal move gives check.

        Raises:
            IllegalMove: the move is not legal.
        """
        if not self.is_legal(move):
            raise self._illegal(move)
        undo = self._kernel.make(self._state, move[0] | move[1] << 7)
        low, high = self._kernel.checkers(self._state, 1 - self._turn)
        self._kernel.unmake(self._state, undo)
        return bool(low or high)

    # ------------------------------------------------------------ attacks and the end

    def is_check(self) -> bool:
        """Whether the side to move is in check (S0-XQ-14)."""
        low, high = self._kernel.checkers(self._state, self._turn)
        return bool(low or high)

    def checkers(self) -> tuple[int, ...]:
        """Points of the pieces that give check to the side to move."""
        return _points(self._kernel.checkers(self._state, self._turn))

    def attackers(self, color: int, sq: int) -> tuple[int, ...]:
        """Points of the pieces of ``color`` that could capture an enemy on ``sq``.

        For an own piece on ``sq`` these are its protectors. Pins are not considered, and facing
        generals are no attack.
        """
        return _points(self._kernel.attackers(self._state, color, sq))

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated (将死, S0-XQ-14) and has lost."""
        return not self._legal() and self.is_check()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move without being in check (困毙, S0-XQ-15).

        It has lost.
        """
        return not self._legal() and not self.is_check()

    def has_crossing_material(self, color: int) -> bool:
        """Whether a side has a piece that can cross the river."""
        return has_crossing_material(self.codes.tolist(), color)

    def is_insufficient_material(self) -> bool:
        """Whether neither side has a piece that can cross the river (S0-XQ-21)."""
        return is_dead_drawn(self.codes.tolist())

    def is_natural_limit(self) -> bool:
        """Whether the plies without a capture have reached the natural limit (S0-XQ-24).

        This ends nothing by itself: the draw is claimed from the arbiter.
        """
        limit = self.rules.natural_limit_plies
        return limit is not None and self._clock >= limit

    def _no_moves_left(self) -> Outcome:
        if self.is_check():
            return Outcome(Termination.CHECKMATE, 1 - self._turn, "S0-XQ-14")
        return Outcome(Termination.STALEMATE, 1 - self._turn, "S0-XQ-15")

    def outcome(self) -> Outcome | None:
        """How the position itself ends the game: mate, stalemate (a loss), draw by material.

        Repetition and the natural limit are rulings on a game: ``arbiter.judge``.

        >>> Board("3k5/4P4/9/9/9/9/9/9/9/5K3 b").outcome().termination.zh
        '困毙'
        """
        if not self._legal():
            return self._no_moves_left()
        if self.rules.draw_without_crossing_material and self.is_insufficient_material():
            return Outcome(Termination.INSUFFICIENT_MATERIAL, None, "S0-XQ-21")
        return None

    def status(self) -> Status:
        """All defects of the position as flags; only improbable ones occur on a board."""
        return position_status(self.codes.tolist(), self._turn)

    def defects(self) -> tuple[Defect, ...]:
        """All defects of the position with their points and a sentence each."""
        return defects(self.codes.tolist(), self._turn)

    def is_valid(self) -> bool:
        """Whether the position has no defect at all."""
        return self.status() is Status.VALID

    # ------------------------------------------------------------ other boards

    def copy(self, *, stack: bool = True) -> Self:
        """An independent board with the same position; ``stack=False`` forgets the moves."""
        twin = type(self).__new__(type(self))
        twin._kernel = self._kernel
        twin._state = self._state.copy()
        twin._buffer = np.empty_like(self._buffer)
        twin._turn, twin._clock, twin._number = self._turn, self._clock, self._number
        twin._stack = self._stack[:] if stack else []
        twin._undo = self._undo[:] if stack else []
        twin._legal_moves = None
        twin.rules = self.rules
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def root(self) -> Self:
        """The position in which the moves of this board began."""
        start = self.copy()
        while start._stack:
            start.pop()
        return start

    def _changed(self, codes: NDArray[np.uint8], turn: int) -> Self:
        setup = Setup(codes, turn, self._clock, self._number)
        return type(self).from_setup(setup, rules=self.rules)

    def mirror(self) -> Self:
        """The left-right image; the moves are forgotten."""
        return self._changed(self.codes[_MIRRORED], self._turn)

    def swap_colors(self) -> Self:
        """The position with the sides exchanged: turned by half a turn, every piece and the move
        given to the other side. The moves are forgotten."""
        return self._changed(_SWAPPED[self.codes[::-1]], 1 - self._turn)

    def __reduce__(self) -> tuple[Any, ...]:
        start = self.root()
        return _rebuild, (type(self), start.setup, self.rules, [tuple(m) for m in self._stack])

    def __eq__(self, other: object) -> bool:
        """Same placement, side and counters; the moves that led there do not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._turn == other._turn
            and self._clock == other._clock
            and self._number == other._number
            and np.array_equal(self.codes, other.codes)
        )

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------ counting

    def perft(self, depth: int, *, stop: StopFlag | None = None) -> int:
        """Number of legal move sequences of ``depth`` plies.

        Args:
            depth: 0 to ``MOST_PLIES`` (256: each ply is a call within a call).
            stop: a flag that ends the count early from another thread.

        Raises:
            ValueError: a negative depth, or more than ``MOST_PLIES``.
            InterruptedError: ``stop`` was set.

        >>> Board().perft(3)
        79666
        """
        if depth < 0:
            raise ValueError(f"深度不能为负 (depth must not be negative): {depth}")
        if depth > MOST_PLIES:
            raise ValueError(f"深度至多 {MOST_PLIES} (depth is at most {MOST_PLIES}): {depth}")
        kernel = self._kernel
        moves = np.empty(kernel.FRAME * max(depth, 1), np.int64)
        stop = StopFlag() if stop is None else stop
        nodes = kernel.perft(
            self._state.copy(), depth, kernel.BULK, moves, 0, np.zeros(2, np.int64), stop.array
        )
        if stop.is_set():
            raise InterruptedError("计数被中止 (the count was stopped)")
        return int(nodes)

    def divide(self, depth: int, *, stop: StopFlag | None = None) -> dict[Move, int]:
        """:meth:`perft` by first move, for ``depth`` of at least 1.

        Raises:
            ValueError: depth below 1.
            InterruptedError: ``stop`` was set.
        """
        if depth < 1:
            raise ValueError(f"深度至少为 1 (depth must be at least 1): {depth}")
        board = self.copy(stack=False)
        counts = {}
        for move in self._legal():
            board.push_unchecked(move)
            counts[move] = board.perft(depth - 1, stop=stop)
            board.pop()
        return counts

    # ------------------------------------------------------------ texts and pictures

    def fen(self, *, dialect: str = "nb", counters: bool = True) -> str:
        """The position as FEN; see :func:`xiangqi.fen.write_fen` for the dialects."""
        return write_fen(self.setup, dialect, counters=counters)

    def parse(self, text: str) -> Move:
        """The legal move that a text in any notation means: ICCS, UCI, WXF, Chinese, SAN.

        Raises:
            InvalidMove: no move in any notation.
            IllegalMove: a move that the rules do not allow here.
            AmbiguousMove: several legal moves fit; the error carries them.

        >>> board = Board()
        >>> board.parse("炮二平五") == board.parse("C2=5") == board.parse("h2e2")
        True
        """
        from xiangqi import notation

        return notation.parse_any(self, text)

    def chinese(self, move: Move) -> str:
        """Chinese notation of a legal move: ``炮二平五``."""
        from xiangqi import notation

        return notation.chinese(self, move)

    def wxf(self, move: Move) -> str:
        """WXF notation of a legal move: ``C2=5``."""
        from xiangqi import notation

        return notation.wxf(self, move)

    def san(self, move: Move) -> str:
        """SAN-like notation of a legal move, as XBoard writes it."""
        from xiangqi import notation

        return notation.san(self, move)

    def iccs(self, move: Move) -> str:
        """ICCS notation of a move: ``H2-E2``."""
        from xiangqi import notation

        return notation.iccs(move)

    def planes(self, *, relative: bool = False) -> NDArray[np.uint8]:
        """The position as ``uint8[15, 10, 9]``; see :func:`xiangqi.planes.to_planes`."""
        return to_planes(self.codes, self._turn, relative=relative)

    def ascii(self, *, flipped: bool = False) -> str:
        """Ten rows of FEN letters and dots."""
        return ascii_diagram(self.codes.tolist(), flipped=flipped)

    def diagram(self, *, flipped: bool = False, coordinates: bool = True) -> str:
        """The board with Chinese pieces, Red's as ``(车)``, Black's as ``[车]``."""
        return chinese_diagram(
            self.codes.tolist(), self._turn, flipped=flipped, coordinates=coordinates
        )

    def svg(self, **options: Any) -> str:
        """A picture for print or screen; the options are those of :func:`xiangqi.svg.board_svg`.

        The last move and a check are marked unless the options say otherwise.
        """
        options.setdefault("last_move", self._stack[-1] if self._stack else None)
        options.setdefault("check", self.king(self._turn) if self.is_check() else None)
        return board_svg(self.codes.tolist(), self._turn, **options)

    def _repr_svg_(self) -> str:
        return self.svg(size=400)

    def __str__(self) -> str:
        return self.diagram()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fen()!r})"


def _rebuild(cls: type[Board], setup: Setup, rules: Rules, moves: list[tuple[int, int]]) -> Board:
    """A pickled board, its moves replayed."""
    board = cls.from_setup(setup, rules=rules)
    for start, goal in moves:
        board.push_unchecked(Move(start, goal))
    return board
