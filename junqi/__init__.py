"""四国军棋 and 陆战棋: referee, views that hide what must be hidden, sampling, records, pictures.

Importing this is cheap: numba and the compiled kernels load with the first ``Board``. A game starts
from armies, so ``Board()`` needs a position.

>>> import junqi
>>> board = junqi.Board.from_armies(["icgdiebefkhacgdfhkjigljhj"] * 4)
>>> str(board.push("S11-W15")), board.turn, board.events[-1].fight.value
('S11-W15', 1, 'both')
>>> view = board.view(1)
>>> view.candidates("E62"), len(view.legal_moves) == len(board.legal_moves)
('l', True)
"""

from junqi.armies import Breach, breaches, random_army
from junqi.board import Board, LegalMoves
from junqi.events import Act, Cause, Event, Fight
from junqi.geometry import BOARD_NAMES, board_map, parse_point, point_name
from junqi.legality import Refusal
from junqi.move import Move
from junqi.notation import Setup
from junqi.rules import MODES, PRESETS, Rules
from junqi.status import Status
from junqi.view import View
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
    name="junqi",
    name_zh="军棋",
    board=Board,
    move=Move,
    capabilities=(
        Capability.MOVES
        | Capability.PERFT
        | Capability.FEN
        | Capability.SVG
        | Capability.PARSE
        | Capability.HIDDEN
    ),
)
"""What the registry of games knows of this package."""

__all__ = [
    "BOARD_NAMES",
    "GAME",
    "MODES",
    "PRESETS",
    "Act",
    "AmbiguousMove",
    "Board",
    "Breach",
    "Cause",
    "Event",
    "Fight",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "LegalMoves",
    "Move",
    "Outcome",
    "Refusal",
    "Rules",
    "Setup",
    "Status",
    "Termination",
    "View",
    "board_map",
    "breaches",
    "parse_point",
    "point_name",
    "random_army",
]
