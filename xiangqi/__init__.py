"""象棋: board, notation, game trees and pictures, with python-chess's vocabulary.

Importing this is cheap: numba and the compiled kernels load with the first ``Board``.

>>> import xiangqi
>>> board = xiangqi.Board()
>>> move = board.parse("炮二平五")
>>> board.wxf(move), board.is_legal(move), len(board.legal_moves)
('C2=5', True, 44)
>>> board.push(move) == move, board.turn == xiangqi.BLACK
(True, True)
"""

from qikit.errors import (
    AmbiguousMove,
    GameError,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    InvalidRecord,
)
from qikit.outcome import Outcome, Termination
from qikit.protocol import Capability
from qikit.registry import GameInfo
from xiangqi.board import Board, LegalMoves
from xiangqi.game import Game, Node, Skipped
from xiangqi.geometry import (
    BLACK,
    RED,
    SQUARE_NAMES,
    SQUARES,
    START_FEN,
    parse_square,
    square,
    square_file,
    square_name,
    square_rank,
)
from xiangqi.legality import Refusal
from xiangqi.move import Move
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, PIECE_TYPES, ROOK, Piece
from xiangqi.rules import CLUB2008, EVENT40, NO_DRAWS, Rules
from xiangqi.status import Defect, Status, defects, position_status
from xiangqi.svg import Arrow

GAME = GameInfo(
    name="xiangqi",
    name_zh="象棋",
    board=Board,
    move=Move,
    capabilities=(
        Capability.MOVES
        | Capability.START
        | Capability.PERFT
        | Capability.FEN
        | Capability.SVG
        | Capability.PARSE
        | Capability.MIRROR
    ),
)
"""What the registry of games knows of this package."""

__all__ = [
    "ADVISOR",
    "BISHOP",
    "BLACK",
    "CANNON",
    "CLUB2008",
    "EVENT40",
    "GAME",
    "KING",
    "KNIGHT",
    "NO_DRAWS",
    "PAWN",
    "PIECE_TYPES",
    "RED",
    "ROOK",
    "SQUARES",
    "SQUARE_NAMES",
    "START_FEN",
    "AmbiguousMove",
    "Arrow",
    "Board",
    "Defect",
    "Game",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "LegalMoves",
    "Move",
    "Node",
    "Outcome",
    "Piece",
    "Refusal",
    "Rules",
    "Skipped",
    "Status",
    "Termination",
    "defects",
    "parse_square",
    "position_status",
    "square",
    "square_file",
    "square_name",
    "square_rank",
]
