"""A whole game: headers, start, turns, remarks, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from checkers.board import Board
from checkers.geometry import CAMP_LETTERS
from checkers.move import Move
from checkers.rules import PRESETS, Rules


@dataclass(frozen=True)
class Skipped:
    """Something that a reader could not take over.

    Attributes:
        ply: where it stood, 1 = the first turn of the game (0 = before it).
        text: what stood there.
        reason: why it was left out.
    """

    ply: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"第 {self.ply} 着 {self.text!r}：{self.reason}"


@dataclass
class Game:
    """One game of 跳棋.

    Attributes:
        headers: tags in the order of the file (``Event``, ``Rules``, a seat's camp letter, ...).
        start: text of the position in which it began.
        rules: a preset's name, or the switches.
        moves: the turns.
        remarks: remark after a turn, by ply (0 = before the first).
        result: ``1-0``, ``0-1``, ``1/2-1/2``, ``*``, or the camp letter of the winner.
        defects: what a reader had to leave out.

    >>> game = Game()
    >>> game.add("c1>e5"), game.add("n1-m5")
    (Move(from_hole=3, to_hole=14), Move(from_hole=111, to_hole=102))
    >>> game.board().ply
    2
    """

    headers: dict[str, str] = field(default_factory=dict)
    start: str | None = None
    rules: Rules | str = "club2008"
    moves: list[Move] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)
    result: str = "*"
    defects: list[Skipped] = field(default_factory=list)

    @classmethod
    def from_board(cls, board: Board, **headers: str) -> Game:
        """The game that a board has been through, with its result."""
        root = board.root()
        named = next((n for n in PRESETS if Rules.preset(n) == board.rules), None)
        standard = Board(rules=board.rules).fen()
        game = cls(
            headers=dict(headers),
            start=None if root.fen(counters=True) == standard else root.fen(counters=True),
            rules=named or board.rules,
            moves=board.move_stack,
        )
        game.result = result_of(board)
        return game

    def root(self) -> Board:
        """The position in which the game began."""
        return Board(self.start, rules=self.rules)

    def board(self) -> Board:
        """The position after the last turn."""
        board = self.root()
        for move in self.moves:
            board.push_unchecked(move)
        return board

    def boards(self) -> Iterator[tuple[Move, Board]]:
        """Each turn with the position before it; the board yielded is one and the same."""
        board = self.root()
        for move in self.moves:
            yield move, board
            board.push_unchecked(move)

    def add(self, move: Move | str, remark: str = "") -> Move:
        """Append a turn in any notation.

        Raises:
            InvalidMove, IllegalMove: as ``Board.push``.
        """
        board = self.board()
        played = board.push(move)
        self.moves.append(played)
        if remark:
            self.remarks[len(self.moves)] = remark
        self.result = result_of(board)
        return played


def result_of(board: Board) -> str:
    """The result as a record writes it: ``*`` while the game goes on.

    >>> result_of(Board())
    '*'
    """
    outcome = board.outcome()
    if outcome is None:
        return "*"
    if outcome.winner is None:
        return "1/2-1/2"
    if board.sides() == 2 and outcome.winner in (0, 1):
        return "1-0" if outcome.winner == 0 else "0-1"
    if board.rules.teams and outcome.winner < len(board.rules.teams):
        return board.rules.teams[outcome.winner]
    return CAMP_LETTERS[board.camps[outcome.winner % len(board.camps)]]
