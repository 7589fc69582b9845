"""The board of 五子棋 that programs use: it owns the kernel's arrays and checks its callers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntFlag
from operator import index
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gomoku import geometry as g
from gomoku import notation, patterns
from gomoku.forbidden import Forbidden, explain
from gomoku.geometry import BLACK, COLOR_NAMES, DEFAULT_SIZE, WHITE
from gomoku.move import PASS, Move
from gomoku.rules import Rules, resolve
from qikit import kernels
from qikit.errors import IllegalMove, InvalidMove, InvalidPosition
from qikit.outcome import Outcome, Termination
from qikit.zobrist import keys

_SIZE_KEYS = tuple(int(word) for word in keys(515, g.MAX_SIZE + 1))
_REASONS_ZH = ("", "长连", "四四", "三三")
_GOES_ON, _WON_BY_BLACK, _WON_BY_WHITE, _AGREED, _FORBIDDEN = range(5)
"""What a move did to the game; all but a forbidden point, which white must claim at once, last."""


class Status(IntFlag):
    """Defects of a position; none of them stops the board from working.

    >>> Status.VALID | Status.UNBALANCED
    <Status.UNBALANCED: 1>
    """

    VALID = 0
    UNBALANCED = 1
    """The numbers of stones do not fit the side to move."""
    TWO_WINNERS = 2
    """Both colours have a winning run."""
    WINNER_TO_MOVE = 4
    """The side to move has a winning run already."""


class LegalMoves:
    """Legal moves of a board: iterable, sized, and tells whether a move is among them."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self._board._list_moves())

    def __len__(self) -> int:
        return len(self._board._list_moves())

    def __contains__(self, move: object) -> bool:
        return self._board.is_legal(move)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(map(str, self))}>"


class Board:
    """A position of 五子棋 with the moves that led to it.

    Args:
        position: text of a position (see :meth:`fen`), which also tells size and rules; without
            it the board is empty and black is to move.
        size: lines each way, 5 to 20.
        rules: a rule set or its name: ``freestyle`` 无禁手 (default), ``standard``, ``renju``
            有禁手, ``caro_overline``, ``caro_exact``.

    Raises:
        InvalidPosition: the text or the size makes no board.
        ValueError: no rule set of that name.

    Attributes:
        size: lines each way.
        rules: the rule set in force.
        turn: side to move, ``BLACK`` = 0 or ``WHITE`` = 1.

    >>> board = Board(rules="renju")
    >>> for move in "h8 h9 f8 a1 g8 a2 i7 a3".split():
    ...     _ = board.push(move)
    >>> board.turn, len(board.legal_moves), board.outcome()
    (0, 217, None)
    """

    def __init__(
        self,
        position: str | None = None,
        *,
        size: int = DEFAULT_SIZE,
        rules: Rules | str = "freestyle",
    ) -> None:
        if position is not None:
            setup = notation.parse_fen(position)
            self._set_up(setup.size, resolve(setup.rules), setup.turn)
            for color in g.COLORS:
                for move in setup.stones[color]:
                    self._add(move, color)
            return
        self._set_up(size, resolve(rules), BLACK)

    def _set_up(self, size: int, rules: Rules, turn: int) -> None:
        try:
            number = index(size)
        except TypeError:
            number = 0
        if not g.MIN_SIZE <= number <= g.MAX_SIZE:
            raise InvalidPosition(
                f"棋盘须为 {g.MIN_SIZE} 至 {g.MAX_SIZE} 路 (board size out of range): {size!r:.40}",
                text=f"{size!r:.40}",
            )
        self.size = size = number
        self.rules = rules
        self.turn = turn
        self._root_turn = turn
        self._root_stones: list[tuple[Move, int]] = []
        self._root_winner: int | None = None
        self._moves: list[Move] = []
        self._ends: list[int] = []
        self._kernel = kernels.load("gomoku.kernel")
        self._patterns = patterns.table(rules)
        self._constants = patterns.constants(size)
        self._state: NDArray[np.int64] = np.zeros(g.STATE_LENGTH, np.int64)
        self._state[: 4 * g.LINES] = g.empty_words(size)
        self._state[g.SIZE] = size
        self._state[g.RENJU] = rules.forbidden
        self._kernel.reset(self._state, self._patterns, self._constants)

    @classmethod
    def from_stones(
        cls,
        black: Iterable[Move | tuple[int, int] | str],
        white: Iterable[Move | tuple[int, int] | str],
        turn: int | str,
        *,
        rules: Rules | str = "freestyle",
        size: int = DEFAULT_SIZE,
    ) -> Self:
        """A position from two sets of stones, whose numbers need not match.

        Raises:
            InvalidPosition: a point is off the board or named twice, or ``turn`` is no colour.

        >>> board = Board.from_stones(["h8"], ["h9", "i9"], "black")
        >>> board.stone_at("h8"), board.status()
        (0, <Status.UNBALANCED: 1>)
        """
        if isinstance(turn, str):
            if turn not in COLOR_NAMES:
                raise InvalidPosition(
                    f"行棋方须为 black 或 white (no such colour): {turn!r}", text=turn
                )
            turn = COLOR_NAMES.index(turn)
        if turn not in g.COLORS:
            raise InvalidPosition(f"行棋方须为 0 或 1 (no such colour): {turn!r}", text=str(turn))
        board = cls(size=size, rules=rules)
        board.turn = board._root_turn = g.COLORS.index(turn)
        for color, stones in ((BLACK, black), (WHITE, white)):
            for stone in stones:
                board._add(notation.move_of(stone), color)
        return board

    def _add(self, move: Move, color: int) -> None:
        """Put a stone of the start position."""
        if not g.on_board(move.x, move.y, self.size):
            raise InvalidPosition(
                f"{move} 不在 {self.size} 路棋盘上 (off the board)", text=str(move)
            )
        if self.cell(move.x, move.y) != g.EMPTY_CELL:
            raise InvalidPosition(f"{move} 上有两枚棋子 (two stones on a point)", text=str(move))
        p = move.point(self.size)
        if self._counter(p, color, g.FIVE):
            self._root_winner = color
        self._kernel.put(self._state, self._patterns, self._constants, p, color)
        self._root_stones.append((move, color))

    # --- looking ----------------------------------------------------------------------------

    def cell(self, x: int, y: int) -> int:
        """Cell code of a point of the board: 0 empty, 1 black, 2 white."""
        return int(self._state[g.WORDS + y] >> (2 * (x + g.MARGIN))) & 3

    def stone_at(self, point: Move | str) -> int | None:
        """Colour of the stone on a point, ``None`` if it is empty.

        Raises:
            InvalidMove: the point is not on the board.
        """
        move = self._point(point)
        code = self.cell(move.x, move.y)
        return None if code == g.EMPTY_CELL else code - 1

    def stones(self, color: int) -> tuple[Move, ...]:
        """Stones of a colour, by rows from the bottom."""
        return tuple(
            Move(x, y)
            for y in range(self.size)
            for x in range(self.size)
            if self.cell(x, y) == color + 1
        )

    def empty_points(self) -> tuple[Move, ...]:
        """Empty points, by rows from the bottom."""
        return self.stones(-1)

    @property
    def stone_count(self) -> int:
        """Number of stones on the board."""
        return int(self._state[g.COUNT])

    @property
    def ply(self) -> int:
        """Moves played since the start position, passes included."""
        return len(self._moves)

    @property
    def move_stack(self) -> list[Move]:
        """Moves played since the start position (a copy)."""
        return list(self._moves)

    @property
    def key(self) -> int:
        """Zobrist key: stones, side to move, size of the board."""
        key = int(self._state[g.KEY]) ^ _SIZE_KEYS[self.size]
        return key ^ g.TURN_KEY if self.turn == WHITE else key

    @property
    def evaluation(self) -> int:
        """Worth of the shapes that black could make less those of white (plain pattern weights)."""
        return int(self._state[g.VALUE])

    def worth(self) -> NDArray[np.int64]:
        """Worth of the points by the shapes that a stone there would make.

        ``int64[size, size, 2]``, indexed by row, column and colour; occupied points are 0.

        >>> board = Board()
        >>> _ = board.push("h8")
        >>> int(board.worth()[7, 8, 0]) > int(board.worth()[0, 0, 0])
        True
        """
        out = np.zeros(2 * self.size * self.size, np.int64)
        self._kernel.worth(self._state, self._patterns, self._constants, out)
        return out.reshape(self.size, self.size, 2)

    def _counter(self, p: int, color: int, kind: int) -> int:
        return int(self._state[g.SUMS + p]) >> (4 * (g.KINDS * color + kind)) & 15

    def _members(self, kind: int, color: int) -> Iterator[int]:
        start = g.SETS + (g.KINDS * color + kind) * g.SET_WORDS
        for word in range(g.SET_WORDS):
            bits = int(self._state[start + word]) & 0xFFFFFFFFFFFFFFFF
            while bits:
                yield 64 * word + (bits & -bits).bit_length() - 1
                bits &= bits - 1

    def five_points(self, color: int) -> tuple[Move, ...]:
        """Points on which a stone of the colour wins at once."""
        return tuple(Move.of(p, self.size) for p in self._members(g.FIVE, color))

    def four_points(self, color: int) -> tuple[Move, ...]:
        """Points on which a stone of the colour makes a four (冲四, 活四), forbidden ones too."""
        return tuple(Move.of(p, self.size) for p in self._members(g.FOUR, color))

    def forbidden_code(self, move: Move) -> int:
        """First rule that forbids black the point: 0 none, 1 长连, 2 四四, 3 三三."""
        if not self.rules.forbidden or self.cell(move.x, move.y) != g.EMPTY_CELL:
            return 0
        return int(
            self._kernel.forbidden(
                self._state, self._patterns, self._constants, move.point(self.size)
            )
        )

    def forbidden(self, point: Move | str) -> Forbidden | None:
        """Why renju forbids black a stone there; ``None`` if it does not, or under other rules.

        Raises:
            InvalidMove: the point is not on the board.
            IllegalMove: the point is occupied.

        >>> board = Board.from_stones("e8 f8 g8 i8 j8".split(), [], "black", rules="renju")
        >>> [kind.zh for kind in board.forbidden("h8").kinds], board.forbidden("k8")
        (['长连'], None)
        """
        move = self._point(point)
        if self.cell(move.x, move.y) != g.EMPTY_CELL:
            raise self._illegal(move, f"{move} 已有棋子 (occupied)", "")
        return explain(self, move)

    def forbidden_points(self) -> tuple[Move, ...]:
        """Every empty point that is forbidden to black (none but under renju)."""
        if not self.rules.forbidden:
            return ()
        found = np.empty(g.POINTS, np.int64)
        n = self._kernel.forbidden_points(self._state, self._patterns, self._constants, found)
        return tuple(Move.of(int(code) >> 2, self.size) for code in found[:n])

    def three_eyes(self, move: Move, direction: int) -> tuple[Move, ...]:
        """Points that make a straight four of the real three of black's stone on ``move``.

        ``direction`` numbers :data:`gomoku.geometry.DIRECTIONS`. Empty if there is no real three.
        """
        arrays = self._state, self._patterns, self._constants
        p = move.point(self.size)
        if self._kernel.pattern(*arrays, p, direction, BLACK) != patterns.THREE_OPEN:
            return ()
        self._kernel.put(*arrays, p, BLACK)
        eyes = []
        for step in (-1, 1):
            e = int(self._kernel.eye(*arrays, p, direction, step))
            five = e >= 0 and self._counter(e, BLACK, g.FIVE) > 0
            if e >= 0 and not five and self._kernel.forbidden(*arrays, e) == 0:
                eyes.append(Move.of(e, self.size))
        self._kernel.take(*arrays, p, BLACK)
        return tuple(sorted(eyes))

    def winning_lines(self) -> tuple[tuple[Move, ...], ...]:
        """Winning runs that stand on the board, each as points in order."""
        found = []
        for line in g.lines(self.size):
            start = 0
            codes = [self.cell(p % self.size, p // self.size) for p in line]
            while start < len(line):
                end = start
                while end < len(line) and codes[end] == codes[start]:
                    end += 1
                if codes[start] != g.EMPTY_CELL:
                    enemy = 3 - codes[start]
                    closed = (
                        start > 0
                        and codes[start - 1] == enemy
                        and end < len(line)
                        and codes[end] == enemy
                    )
                    if self._wins(end - start, closed, codes[start] - 1):
                        found.append(tuple(Move.of(p, self.size) for p in line[start:end]))
                start = end
        return tuple(found)

    def _wins(self, run: int, closed: bool, color: int) -> bool:
        win = self.rules.win(color)
        if run > 5:
            return win in (win.FIVE_OR_MORE, win.OPEN_FIVE_OR_MORE)
        return run == 5 and not (closed and win in (win.OPEN_FIVE, win.OPEN_FIVE_OR_MORE))

    # --- moving -----------------------------------------------------------------------------

    def _illegal(self, move: Move, message: str, rule: str) -> IllegalMove:
        return IllegalMove(message, text=str(move), position=self.fen(), rule=rule)

    def _point(self, point: Move | tuple[int, int] | str) -> Move:
        move = notation.move_of(point)
        if not g.on_board(move.x, move.y, self.size):
            raise InvalidMove(
                f"{move} 不在 {self.size} 路棋盘上 (off the board)",
                text=str(move),
                position=self.fen(),
            )
        return move

    def parse(self, text: str) -> Move:
        """The move of a text (``h8``, ``7,7``, ``pass``), which need not be legal.

        ``7,7`` is column and row from 0, the row from the bottom.

        Raises:
            InvalidMove: no move of this board.

        >>> Board().parse("7,7"), Board().parse("a15")
        (Move(x=7, y=7), Move(x=0, y=14))
        """
        move = notation.parse_move(text)
        return move if move.is_pass else self._point(move)

    def _why_not(self, move: Move) -> tuple[str, str] | None:
        """Message and rule that stop a move, or ``None``."""
        if self.is_over():
            return "对局已经结束 (the game is over)", self.rules.rule_id
        if move.is_pass:
            if self.rules.passes:
                return None
            return f"{self.rules.name_zh}规则不许停一手 (no pass under these rules)", "Gomocup"
        if not g.on_board(move.x, move.y, self.size):
            return f"{move} 不在 {self.size} 路棋盘上 (off the board)", self.rules.rule_id
        if self.cell(move.x, move.y) != g.EMPTY_CELL:
            return f"{move} 已有棋子 (occupied)", self.rules.rule_id
        if self.turn == BLACK and self.forbidden_code(move):
            reason = explain(self, move)
            assert reason is not None
            return f"{reason.sentence()} (forbidden to black)", "RIF 9.2"
        return None

    def is_legal(self, move: Move | tuple[int, int] | str) -> bool:
        """Whether the side to move may play it (what is no move at all, it may not).

        >>> Board().is_legal("h8"), (7, 7) in Board().legal_moves, Board().is_legal("z9")
        (True, True, False)
        """
        try:
            move = notation.move_of(move)
        except InvalidMove:
            return False
        return self._why_not(move) is None

    def push(self, move: Move | tuple[int, int] | str) -> Move:
        """Play a move and return it.

        A forbidden point is refused; who wants to record that it was played uses
        :meth:`push_unchecked`, after which :meth:`outcome` says that black has lost.

        Raises:
            InvalidMove: it is no move of this board.
            IllegalMove: the rules stop it; the message says which one and why.

        >>> Board().push("h8")
        Move(x=7, y=7)
        """
        move = self.parse(move) if isinstance(move, str) else notation.move_of(move)
        why = self._why_not(move)
        if why is not None:
            raise self._illegal(move, *why)
        return self.push_unchecked(move)

    def push_unchecked(self, move: Move) -> Move:
        """Play a move on an empty point of the board (or a pass) without asking the rules.

        A game that was won or agreed drawn before stays so.
        """
        before = self._ends[-1] if self._ends else self._root_end()
        end = before if before != _FORBIDDEN else _GOES_ON
        if move.is_pass:
            if not end and self._moves and self._moves[-1].is_pass:
                end = _AGREED
        else:
            p = move.point(self.size)
            if end:
                pass
            elif self._counter(p, self.turn, g.FIVE):
                end = _WON_BY_BLACK + self.turn
            elif self.turn == BLACK and self.rules.forbidden and self.forbidden_code(move):
                end = _FORBIDDEN
            self._kernel.put(self._state, self._patterns, self._constants, p, self.turn)
        self._moves.append(move)
        self._ends.append(end)
        self.turn = 1 - self.turn
        return move

    def _root_end(self) -> int:
        """How the game stood before its first move (asked when no move stands on the board)."""
        outcome = None if self._root_winner is None else self.outcome()
        if outcome is None or outcome.winner is None:
            return _GOES_ON
        return _WON_BY_BLACK + outcome.winner

    def pop(self) -> Move:
        """Take back the last move and return it.

        Raises:
            IndexError: no move was played since the start position.
        """
        if not self._moves:
            raise IndexError("没有可以收回的着法 (no move to take back)")
        move = self._moves.pop()
        self._ends.pop()
        self.turn = 1 - self.turn
        if not move.is_pass:
            p = move.point(self.size)
            self._kernel.take(self._state, self._patterns, self._constants, p, self.turn)
        return move

    def peek(self) -> Move:
        """The last move.

        Raises:
            IndexError: no move was played since the start position.
        """
        if not self._moves:
            raise IndexError("还没有走棋 (no move was played)")
        return self._moves[-1]

    def _list_moves(self) -> list[Move]:
        if self.is_over():
            return []
        moves = list(self.empty_points())
        if self.rules.forbidden and self.turn == BLACK:
            barred = set(self.forbidden_points())
            moves = [move for move in moves if move not in barred]
        if self.rules.passes:
            moves.append(PASS)
        return moves

    @property
    def legal_moves(self) -> LegalMoves:
        """Moves that the side to move may play; none once the game is over."""
        return LegalMoves(self)

    # --- how it stands ------------------------------------------------------------------------

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome() is not None

    def outcome(self) -> Outcome | None:
        """How the game ended, ``None`` while it goes on.

        Of a position that was set up, a winning run that stands on the board counts; of a game,
        the move that ended it does. (A forbidden point does so only until the next move.)

        >>> board = Board()
        >>> for move in "h8 a1 i8 a2 j8 a3 k8 a4 l8".split():
        ...     _ = board.push(move)
        >>> board.outcome().termination.zh, board.outcome().winner
        ('五连', 0)
        """
        rule = self.rules.rule_id
        if not self._ends:
            if self._root_winner is not None:
                winning = {self.cell(*line[0]) - 1 for line in self.winning_lines()}
                if winning:
                    winner = self._root_winner if self._root_winner in winning else winning.pop()
                    return Outcome(Termination.FIVE_IN_A_ROW, winner, rule)
        elif self._ends[-1] in (_WON_BY_BLACK, _WON_BY_WHITE):
            winner = self._ends[-1] - _WON_BY_BLACK
            return Outcome(Termination.FIVE_IN_A_ROW, winner, rule)
        elif self._ends[-1] == _FORBIDDEN:
            return Outcome(Termination.FORBIDDEN_MOVE, WHITE, "RIF 9.2")
        if self.stone_count == self.size * self.size:
            return Outcome(Termination.BOARD_FULL, None, rule)
        if self.rules.move_limit is not None and self.ply >= self.rules.move_limit:
            return Outcome(Termination.MOVE_LIMIT, None, rule)
        if self._ends and self._ends[-1] == _AGREED:
            return Outcome(Termination.AGREEMENT, None, "RIF: 双方停一手")
        if self.rules.forbidden and self.turn == BLACK and not self.rules.passes:
            free = self.size * self.size - self.stone_count
            if len(self.forbidden_points()) == free:
                return Outcome(Termination.FORBIDDEN_MOVE, WHITE, "RIF 9.2")
        return None

    def status(self) -> Status:
        """Every defect of the position at once.

        >>> Board().status()
        <Status.VALID: 0>
        """
        found = Status.VALID
        black, white = len(self.stones(BLACK)), len(self.stones(WHITE))
        passes = sum(move.is_pass for move in self._moves)
        if not passes and black - white != (1 if self.turn == WHITE else 0):
            found |= Status.UNBALANCED
        winners = {self.cell(*line[0]) - 1 for line in self.winning_lines()}
        if len(winners) == 2:
            found |= Status.TWO_WINNERS
        if self.turn in winners:
            found |= Status.WINNER_TO_MOVE
        return found

    def is_valid(self) -> bool:
        """Whether :meth:`status` finds no defect."""
        return self.status() == Status.VALID

    # --- copies, images, texts ------------------------------------------------------------------

    def seen_by(self, color: int) -> Self:
        """A copy in which ``color`` is to move: what it could do if it were its turn."""
        board = self.copy()
        board.turn = color
        return board

    def copy(self) -> Self:
        """An independent board in the same position with the same moves behind it."""
        board = type(self).__new__(type(self))
        board.__dict__.update(self.__dict__)
        board._state = self._state.copy()
        board._root_stones = list(self._root_stones)
        board._moves = list(self._moves)
        board._ends = list(self._ends)
        return board

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        shared = ("_kernel", "_patterns", "_constants")
        return {name: value for name, value in self.__dict__.items() if name not in shared}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._kernel = kernels.load("gomoku.kernel")
        self._patterns = patterns.table(self.rules)
        self._constants = patterns.constants(self.size)

    def root(self) -> Self:
        """The start position of the move stack."""
        board = self.copy()
        while board._moves:
            board.pop()
        return board

    def transform(self, symmetry: int) -> Self:
        """The image under one of the 8 symmetries of the square, moves included.

        Raises:
            ValueError: ``symmetry`` is none of 0 to 7.

        >>> board = Board()
        >>> _ = board.push("a1")
        >>> str(board.transform(1).peek())
        'o1'
        """
        if symmetry not in range(8):
            raise ValueError(f"对称须为 0 至 7 (no such symmetry): {symmetry!r:.40}")
        image = g.symmetries(self.size)[symmetry]

        def turned(move: Move) -> Move:
            return move if move.is_pass else Move.of(image[move.point(self.size)], self.size)

        board = type(self)(size=self.size, rules=self.rules)
        board.turn = board._root_turn = self._root_turn
        for move, color in self._root_stones:
            board._add(turned(move), color)
        for move in self._moves:
            board.push_unchecked(turned(move))
        return board

    def mirror(self) -> Self:
        """The left-right image."""
        return self.transform(1)

    def canonical_key(self) -> int:
        """The least key of the 8 images: the same for positions that are symmetric images."""
        zobrist = g.zobrist_table()
        stones = [(m.point(self.size), c) for c in g.COLORS for m in self.stones(c)]
        images = []
        for image in g.symmetries(self.size):
            key = 0
            for p, color in stones:
                y, x = divmod(image[p], self.size)
                key ^= int(zobrist[y, x, color])
            images.append(key)
        key = min(images) ^ _SIZE_KEYS[self.size]
        return key ^ g.TURN_KEY if self.turn == WHITE else key

    def planes(self) -> NDArray[np.uint8]:
        """``uint8[2, size, size]``: stones of the side to move, stones of the other; [y, x]."""
        planes = np.zeros((2, self.size, self.size), np.uint8)
        for color in g.COLORS:
            for move in self.stones(color):
                planes[0 if color == self.turn else 1, move.y, move.x] = 1
        return planes

    def perft(self, depth: int) -> int:
        """Legal move sequences of ``depth`` plies; a five ends a sequence, shorter ones count not.

        Counts of a rule set with passes leave the passes out.

        Raises:
            ValueError: ``depth`` is negative.

        >>> Board(size=5).perft(3)
        13800
        """
        if depth < 0:
            raise ValueError(f"深度不能为负 (negative depth): {depth}")
        if depth == 0:
            return 1
        if self.is_over() or depth > self.size * self.size - self.stone_count:
            return 0
        arrays = self._state, self._patterns, self._constants
        return int(self._kernel.perft(*arrays, self.turn, depth))

    def divide(self, depth: int) -> dict[str, int]:
        """:meth:`perft` of ``depth`` split by the first move."""
        counts = {}
        for move in self.legal_moves:
            if not move.is_pass:
                self.push_unchecked(move)
                counts[str(move)] = self.perft(depth - 1)
                self.pop()
        return counts

    def fen(self) -> str:
        """The position as one line: rows from the top, side to move, rules.

        ``b`` and ``w`` are stones, numbers count empty points.

        >>> board = Board()
        >>> _ = board.push("h8")
        >>> board.fen()
        '15/15/15/15/15/15/15/7b7/15/15/15/15/15/15/15 w freestyle'
        """
        return notation.format_fen(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        words = slice(0, g.LINES)
        return (
            self.size == other.size
            and self.turn == other.turn
            and self.rules == other.rules
            and bool((self._state[words] == other._state[words]).all())
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return notation.diagram(self)

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"

    def _repr_svg_(self) -> str:
        from gomoku.svg import picture

        return picture(self)

    def kernel_arrays(self) -> tuple[Any, NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]:
        """Kernel module, state, patterns and constants, for searches that work on a copy."""
        return self._kernel, self._state, self._patterns, self._constants
