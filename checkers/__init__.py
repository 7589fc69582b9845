"""跳棋: board, notation, exact races and pictures, with python-chess's vocabulary.

Importing this is cheap: numba and the compiled kernels load with the first ``Board``.

>>> import checkers
>>> board = checkers.Board()
>>> move = board.parse("c1>e5")
>>> str(move), board.is_legal(move), len(board.legal_moves)
('c1:e5', True, 14)
>>> board.push(move) == move, board.turn
(True, 1)
"""

from checkers.board import Board, LegalMoves
from checkers.geometry import HOLE_NAMES, HOLES, hole_name, parse_hole
from checkers.legality import Refusal
from checkers.move import Move
from checkers.notation import Setup
from checkers.race import Distance, Race, has_passed, solo_distance, solve_race
from checkers.rules import PRESETS, Rules
from checkers.status import Status
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

GAME = GameInfo(
    name="checkers",
    name_zh="跳棋",
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
    "GAME",
    "HOLES",
    "HOLE_NAMES",
    "PRESETS",
    "AmbiguousMove",
    "Board",
    "Distance",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "LegalMoves",
    "Move",
    "Outcome",
    "Race",
    "Refusal",
    "Rules",
    "Setup",
    "Status",
    "Termination",
    "has_passed",
    "hole_name",
    "parse_hole",
    "solo_distance",
    "solve_race",
]
