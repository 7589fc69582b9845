"""Moves with the positions round them: what the classifiers of all rule books look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from qikit.errors import GameError
from xiangqi.board import Board
from xiangqi.move import Move
from xiangqi.repetition.evidence import Codes


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One move of a game.

    Attributes:
        ply: its number in the game, from 1.
        side: who moved, 0 Red, 1 Black.
        move: the move.
        text: the move in Chinese notation.
        before: (90,) uint8 piece codes before it.
        after: the same after it.
    """

    ply: int
    side: int
    move: Move
    text: str
    before: Codes
    after: Codes

    @property
    def position(self) -> tuple[int, bytes]:
        """The position before the move, as a key: side to move and placement."""
        return self.side, self.before.tobytes()


def trace(board: Board, moves: Iterable[Move | str], ply: int = 1) -> Iterator[Step]:
    """Play moves on a board and give each with the positions round it.

    Args:
        board: where to begin; the moves are pushed on it.
        moves: moves or texts in any notation.
        ply: number of the first move.

    Raises:
        GameError: a move is malformed, ambiguous or illegal; the message names its ply.
    """
    before = board.codes
    for number, given in enumerate(moves, ply):
        try:
            move = board.parse(given) if isinstance(given, str) else given
            if not board.is_legal(move):
                board.push(move)  # raises with the rule that stops it
        except GameError as error:
            raise _at_ply(error, number) from None
        side, text = board.turn, board.chinese(move)
        board.push_unchecked(move)
        after = board.codes
        yield Step(number, side, move, text, before, after)
        before = after


def _at_ply(error: GameError, ply: int) -> GameError:
    error.args = (f"第 {ply} 着 (ply {ply}): {error}", *error.args[1:])
    return error
