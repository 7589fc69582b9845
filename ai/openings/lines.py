"""The opening of a recorded game of 象棋: its first moves, or a sentence why it has none to use."""

from __future__ import annotations

from qikit.errors import InvalidRecord
from xiangqi.game import Game
from xiangqi.geometry import START_FEN
from xiangqi.move import Move

_START = START_FEN.split()[:2]


def first_moves(game: Game, plies: int) -> tuple[Move, ...]:
    """The first ``plies`` moves of a game, or all of them if it is shorter.

    Raises:
        InvalidRecord: it begins from another position, has no move, or the record is faulty
            before that many plies.

    >>> [str(move) for move in first_moves(Game.from_moves(["炮二平五", "马8进7"]), 1)]
    ['h2e2']
    """
    if game.board().fen().split()[:2] != _START:
        raise InvalidRecord("不是从开局开始 (not from the usual start)")
    moves = tuple(game.moves())[:plies]
    if len(moves) < plies:
        for defect in game.defects:
            if defect.ply == len(moves) + 1:
                raise InvalidRecord(f"{defect} (a faulty record)")
    if not moves:
        raise InvalidRecord("没有着法 (no moves)")
    return moves
