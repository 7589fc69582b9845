"""A game as a tree: moves, variations, comments, headers, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xiangqi.board import Board
from xiangqi.move import Move

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Red won, Black won, drawn, unknown or unfinished."""


@dataclass(frozen=True)
class Skipped:
    """Something that a reader could not take over.

    Attributes:
        ply: where it stood, 1 = the first move of the game (0 = before it).
        text: what stood there.
        reason: why it was left out.
        rest: the texts of the main line behind it that were not read on its account.
    """

    ply: int
    text: str
    reason: str
    rest: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"第 {self.ply} 着 {self.text!r}：{self.reason}"


class Node:
    """A move in the tree and what follows it; the root has no move.

    Attributes:
        move: the move that leads here, None for the root.
        comment: the remark on it (of the root: before the first move).
        nags: numeric glyphs of PGN (``$1`` = ``!``).
        parent: the node before, None for the root.
        variations: what was played or proposed next; the first is the main line.
    """

    __slots__ = ("_game", "comment", "move", "nags", "parent", "variations")

    def __init__(
        self, move: Move | None = None, *, parent: Node | None = None, comment: str = ""
    ) -> None:
        self.move = move
        self.comment = comment
        self.nags: tuple[int, ...] = ()
        self.parent = parent
        self.variations: list[Node] = []
        self._game: Game | None = None

    def add(self, move: Move | str, comment: str = "") -> Node:
        """Append a variation (the first one is the main line) and return its node.

        Text is read in any notation. The position is replayed from the start of the game: to
        build long lines, go on from a board of your own with :meth:`add_unchecked`.

        Raises:
            IllegalMove, InvalidMove, AmbiguousMove: as ``Board.push``.
        """
        return self.add_unchecked(self.board().push(move), comment)

    def add_unchecked(self, move: Move, comment: str = "") -> Node:
        """:meth:`add` for a move that is known to be legal here."""
        node = Node(move, parent=self, comment=comment)
        self.variations.append(node)
        return node

    def child(self, move: Move) -> Node | None:
        """The first variation that begins with the move, or None."""
        return next((node for node in self.variations if node.move == move), None)

    @property
    def next(self) -> Node | None:
        """The node that the main line goes on to, or None at its end."""
        return self.variations[0] if self.variations else None

    def path(self) -> list[Node]:
        """The nodes from the first move to this one (the root's path is empty)."""
        nodes = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def moves(self) -> list[Move]:
        """The moves that lead here from the start of the game."""
        return [node.move for node in self.path() if node.move is not None]

    @property
    def ply(self) -> int:
        """How many moves lead here."""
        return len(self.path())

    def root(self) -> Node:
        """The node before the first move."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    @property
    def game(self) -> Game:
        """The game whose tree this is.

        Raises:
            ValueError: the tree belongs to no game.
        """
        game = self.root()._game
        if game is None:
            raise ValueError("这棵着法树不属于任何棋局 (the tree belongs to no game)")
        return game

    def board(self) -> Board:
        """A board of its own with the position here and the moves that led to it."""
        board = self.game.board()
        for move in self.moves():
            board.push_unchecked(move)
        return board

    def mainline(self) -> Iterator[Node]:
        """The nodes after this one, always the first variation."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def walk(self) -> Iterator[Node]:
        """This node and all below it: each line to its end before its variations, as in XQF."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.variations))

    def is_mainline(self) -> bool:
        """Whether only first variations lead here."""
        return all(
            node.parent is not None and node.parent.variations[0] is node for node in self.path()
        )

    def _siblings(self) -> tuple[list[Node], int]:
        if self.parent is None:
            raise ValueError("根结点没有兄弟变着 (the root is no variation)")
        siblings = self.parent.variations
        return siblings, next(i for i, node in enumerate(siblings) if node is self)

    def promote(self) -> None:
        """Move this variation one place up among its siblings."""
        siblings, at = self._siblings()
        if at:
            siblings[at - 1], siblings[at] = siblings[at], siblings[at - 1]

    def demote(self) -> None:
        """Move this variation one place down among its siblings."""
        siblings, at = self._siblings()
        if at + 1 < len(siblings):
            siblings[at + 1], siblings[at] = siblings[at], siblings[at + 1]

    def promote_to_main(self) -> None:
        """Make the line that leads here the main line of the whole game."""
        for node in self.path():
            siblings, at = node._siblings()
            siblings.insert(0, siblings.pop(at))

    def remove(self) -> None:
        """Take this node and all that follows out of the tree."""
        siblings, at = self._siblings()
        del siblings[at]
        self.parent = None

    def __repr__(self) -> str:
        return f"<Node {self.move or 'root'} ({len(self.variations)} variations)>"


class Game:
    """A game: a start position, a tree of moves, headers and a result.

    Attributes:
        headers: tags in the order of the file (``"Event"``, ``"Red"``, ``"Black"`` ...).
        root: the node before the first move.
        closing: the remark behind the result, which belongs to no move.
        defects: what a reader had to skip.

    >>> game = Game.from_moves(["炮二平五", "马8进7", "h0g2"], headers={"Red": "甲"})
    >>> [str(move) for move in game.moves()], game.end().ply
    (['h2e2', 'h9g7', 'h0g2'], 3)
    >>> aside = game.root.add("兵七进一", "也可以")
    >>> aside.promote(); str(game.root.next.move), game == game.copy()
    ('c3c4', True)
    """

    def __init__(
        self,
        start: Board | str | None = None,
        *,
        headers: dict[str, str] | None = None,
        result: str = "*",
    ) -> None:
        """An empty game from ``start``: a board (its moves so far are not taken over), a FEN, or
        the usual array."""
        if isinstance(start, Board):
            start = start.copy(stack=False)
        else:
            start = Board() if start is None else Board(start)
        self._start = start
        self.headers: dict[str, str] = dict(headers or {})
        self.root = Node()
        self.root._game = self
        self.closing = ""
        self.defects: list[Skipped] = []
        self.result = result

    @classmethod
    def from_moves(
        cls,
        moves: Iterable[Move | str],
        start: Board | str | None = None,
        *,
        headers: dict[str, str] | None = None,
        result: str = "*",
    ) -> Game:
        """A game of one line; every move is checked.

        Raises:
            IllegalMove, InvalidMove, AmbiguousMove: as ``Board.push``.
        """
        game = cls(start, headers=headers, result=result)
        board, node = game.board(), game.root
        for move in moves:
            node = node.add_unchecked(board.push(move))
        return game

    @classmethod
    def from_board(cls, board: Board) -> Game:
        """The game that was played on a board; its result if the board knows one."""
        game = cls(board.root())
        node = game.root
        for move in board.move_stack:
            node = node.add_unchecked(move)
        outcome = board.outcome()
        if outcome is not None:
            game.result = outcome.result()
        return game

    @property
    def result(self) -> str:
        """``1-0`` (Red won), ``0-1``, ``1/2-1/2`` or ``*``."""
        return self._result

    @result.setter
    def result(self, text: str) -> None:
        if text not in RESULTS:
            raise ValueError(f"结果只能是 (a result is one of) {', '.join(RESULTS)}: {text!r}")
        self._result = text

    def board(self) -> Board:
        """A board of its own with the start position."""
        return self._start.copy()

    def mainline(self) -> Iterator[Node]:
        """The nodes of the main line, first move first."""
        return self.root.mainline()

    def moves(self) -> list[Move]:
        """The moves of the main line."""
        return [node.move for node in self.mainline() if node.move is not None]

    def end(self) -> Node:
        """The last node of the main line (the root of an empty game)."""
        node = self.root
        for node in self.mainline():  # noqa: B007
            pass
        return node

    def copy(self) -> Game:
        """A game that shares nothing with this one."""
        twin = Game(self._start, headers=self.headers, result=self.result)
        twin.closing = self.closing
        twin.defects = list(self.defects)
        twin.root.comment, twin.root.nags = self.root.comment, self.root.nags
        waiting = [(self.root, twin.root)]
        while waiting:
            source, target = waiting.pop()
            for node in source.variations:
                assert node.move is not None
                made = target.add_unchecked(node.move, node.comment)
                made.nags = node.nags
                waiting.append((node, made))
        return twin

    def __eq__(self, other: object) -> bool:
        """Same start, headers, result and tree with its remarks; defects are the reader's."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self._start == other._start
            and self.headers == other.headers
            and (self.result, self.closing) == (other.result, other.closing)
            and _shape(self.root) == _shape(other.root)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Game {len(self.moves())} moves, {self.result}>"


def _shape(root: Node) -> list[tuple[Move | None, str, tuple[int, ...], int]]:
    """The tree as a flat list that determines it (a deep tree must not recurse)."""
    return [(node.move, node.comment, node.nags, len(node.variations)) for node in root.walk()]
