"""Small games for the tests of the arbiter."""

from __future__ import annotations

from collections.abc import Iterable

from xiangqi.board import Board

CHECK = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1"
CHECKING = ["d9e9", "d4e4", "e9d9", "e4d4"]
CHASE = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1"
CHASING = ["a5a3", "f3g5", "a3a5", "g5f3"]
ASIDE = ["a5a4", "f3g5", "a4a5", "g5f3"]
"""A detour that attacks the horse once only."""


def played(fen: str, moves: Iterable[str]) -> Board:
    """A board with moves played on it."""
    board = Board(fen)
    for move in moves:
        board.push(move)
    return board
