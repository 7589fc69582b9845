"""A game as a tree: moves, variations, comments, headers, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gomoku import geometry as g
from gomoku.board import Board
from gomoku.move import Move
from qikit.outcome import Termination

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Black won, white won, drawn, unknown or unfinished."""


@dataclass(frozen=True)
class Skipped:
    """Something that a reader could not take over.

    Attributes:
        ply: where it stood, 1 = the first move of the game (0 = before it).
        text: what stood there.
        reason: why it was left out.
    """

    ply: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"第 {self.ply} 手 {self.text!r}：{self.reason}"


class Node:
    """A move in the tree and what follows it; the root has no move.

    Attributes:
        move: the move that leads here, ``None`` for the root.
        comment: the remark on it (of the root: before the first move).
        time: thinking time in seconds, ``None`` = not told.
        parent: the node before, ``None`` for the root.
        variations: what was played or proposed next; the first is the main line.
    """

    __slots__ = ("comment", "move", "parent", "time", "variations")

    def __init__(
        self, move: Move | None = None, *, parent: Node | None = None, comment: str = ""
    ) -> None:
        self.move = move
        self.comment = comment
        self.time: float | None = None
        self.parent = parent
        self.variations: list[Node] = []

    def add_unchecked(self, move: Move, comment: str = "") -> Node:
        """Append a variation (the first one is the main line) and return its node."""
        node = Node(move, parent=self, comment=comment)
        self.variations.append(node)
        return node

    def child(self, move: Move) -> Node | None:
        """The first variation that begins with the move, or ``None``."""
        return next((node for node in self.variations if node.move == move), None)

    @property
    def next(self) -> Node | None:
        """The node that the main line goes on to, or ``None`` at its end."""
        return self.variations[0] if self.variations else None

    def moves(self) -> list[Move]:
        """The moves that lead here from the start of the game."""
        found = []
        node = self
        while node.parent is not None:
            if node.move is not None:
                found.append(node.move)
            node = node.parent
        return found[::-1]

    def mainline(self) -> Iterator[Node]:
        """The nodes of the main line after this one."""
        node = self.next
        while node is not None:
            yield node
            node = node.next


@dataclass
class Game:
    """A game of 五子棋.

    Attributes:
        start: the position before the first move; it also tells size and rules.
        headers: what the record says about the game: ``Black``, ``White``, ``Date``, ``Event``…
        result: ``1-0`` (black), ``0-1``, ``1/2-1/2`` or ``*``.
        root: the node before the first move.
        defects: what a reader had to leave out.

    >>> game = Game.of_moves("h8 i9 j10".split(), rules="renju")
    >>> game.end().ply, game.result
    (3, '*')
    """

    start: Board = field(default_factory=Board)
    headers: dict[str, str] = field(default_factory=dict)
    result: str = "*"
    root: Node = field(default_factory=Node)
    defects: list[Skipped] = field(default_factory=list)

    @classmethod
    def of_moves(cls, moves: list[Move] | list[str], **board: object) -> Game:
        """The game of a list of moves, from the empty board with the options of ``Board``.

        Raises:
            InvalidMove, IllegalMove: as ``Board.push``.
        """
        position = Board(**board)  # type: ignore[arg-type]
        game = cls(position.copy())
        node = game.root
        for move in moves:
            node = node.add_unchecked(position.push(move))
        game.result = result_of(position)
        return game

    def mainline(self) -> list[Move]:
        """The moves of the main line."""
        return [node.move for node in self.root.mainline() if node.move is not None]

    def end(self) -> Board:
        """The position at the end of the main line."""
        board = self.start.copy()
        for move in self.mainline():
            board.push_unchecked(move)
        return board


def result_of(board: Board) -> str:
    """Result of a position as records write it."""
    outcome = board.outcome()
    return "*" if outcome is None else outcome.result()


class Recorder:
    """Takes moves of a record into a game, one line after another, and leaves out bad ones.

    A forbidden point that black played is taken: the record tells what happened, and
    ``Game.end().outcome()`` says what it meant. If the game goes on after it, the move stands
    (RIF: white must claim it before making the next move).
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.node = game.root
        self.board = game.start.copy()

    def skip(self, text: str, reason: str) -> None:
        """Note something that cannot be taken where the next move would stand."""
        self.game.defects.append(Skipped(self.board.ply + 1, text, reason))

    def play(self, move: Move, *, text: str = "") -> bool:
        """Take a move; a bad one is noted as a defect. Returns whether it was taken."""
        reason = self._fault(move)
        if reason:
            self.skip(text or str(move), reason)
            return False
        known = self.node.child(move)
        self.node = self.node.add_unchecked(move) if known is None else known
        self.board.push_unchecked(move)
        return True

    def _fault(self, move: Move) -> str:
        outcome = self.board.outcome()
        if outcome is not None and outcome.termination is not Termination.FORBIDDEN_MOVE:
            return f"对局已因{outcome.termination.zh}结束 (the game is over)"
        if move.is_pass:
            return ""
        if not g.on_board(move.x, move.y, self.board.size):
            return f"不在 {self.board.size} 路棋盘上 (off the board)"
        if self.board.cell(move.x, move.y) != g.EMPTY_CELL:
            return "此点已有棋子 (occupied)"
        return ""

    def back_to(self, node: Node, ply: int) -> None:
        """Return to a node that is ``ply`` moves deep on the present path."""
        while self.board.ply > ply:
            self.board.pop()
        self.node = node
