"""Positions set up by hand and moves entered on them, for the arbiter's page: nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qikit.errors import GameError
from qiyuan.hall.faces import face
from qiyuan.hall.table import Refused
from xiangqi.board import Board
from xiangqi.fen import Setup, parse_fen, write_fen
from xiangqi.geometry import START_FEN
from xiangqi.status import defects

FACE = face("xiangqi")


def view(text: str, moves: Sequence[str] = ()) -> dict[str, Any]:
    """A position with all its defects at once, and how it stands after some moves.

    Args:
        text: the position in any dialect of FEN, ``""`` = the usual start.
        moves: moves in any notation.

    Returns:
        ``start`` the position as FEN; ``fen``, ``codes``, ``turn``, ``check``, ``legal`` after the
        moves; ``defects`` (text, points, whether it forbids play) of the start, and only they where
        one is fatal; ``moves``; ``times`` how often the position has stood, ``round`` the
        moves of the loop that ended here, 0 for none.

    Raises:
        InvalidPosition: the text is no position.
        GameError: a move cannot be played; the text says which one and why.

    >>> view("4k4/9/9/9/9/9/9/9/9/R3K4 w")["defects"][0]["text"]
    '将帅照面'
    >>> shown = view("", "h2e2 h9g7 e2h2 g7h9".split())
    >>> shown["times"], shown["round"], shown["moves"][0]["zh"]
    (2, 4, '炮二平五')
    """
    setup = parse_fen(text or START_FEN)
    found = defects(setup.codes.tolist(), setup.turn)
    shown: dict[str, Any] = {
        "start": write_fen(setup),
        "defects": [
            {"text": one.zh, "points": list(one.squares), "fatal": one.status.is_fatal}
            for one in found
        ],
        "codes": setup.codes.tolist(),
        "turn": setup.turn,
        "playable": not any(one.status.is_fatal for one in found),
        "moves": [],
    }
    if shown["playable"]:
        shown |= _played(setup, moves)
    elif moves:
        raise GameError(f"这个局面不能走棋 (no play here): {'；'.join(one.zh for one in found)}")
    return shown


def _played(setup: Setup, texts: Sequence[str]) -> dict[str, Any]:
    board = Board.from_setup(setup)
    stood = [_standing(board)]
    moves = []
    for ply, text in enumerate(texts, 1):
        try:
            move = board.parse(text)
        except GameError as error:
            refusal = FACE.refusal(board, text)
            if refusal is not None:
                raise Refused(*refusal) from None
            raise GameError(f"第 {ply} 着：{error}") from None
        moves.append({**FACE.move_view(board, move), "side": board.turn})
        board.push_unchecked(move)
        stood.append(_standing(board))
    earlier = [ply for ply, position in enumerate(stood[:-1]) if position == stood[-1]]
    return {
        **FACE.view(board),
        "turn": board.turn,
        "moves": moves,
        "times": len(earlier) + 1,
        "round": len(moves) - earlier[-1] if earlier else 0,
    }


def _standing(board: Board) -> tuple[int, bytes]:
    return board.turn, board.codes.tobytes()
