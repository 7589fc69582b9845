"""What every game needs and no game owns: outcomes, errors, the board protocol, kernels, keys.

>>> from qikit import Outcome, Termination
>>> Outcome(Termination.STALEMATE, winner=1, rule="S0-XQ-15").termination.zh
'困毙'
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
from qikit.protocol import Board, Capability, LegalMoves
from qikit.registry import GameInfo, game, names
from qikit.stop import StopFlag

__all__ = [
    "AmbiguousMove",
    "Board",
    "Capability",
    "GameError",
    "GameInfo",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "LegalMoves",
    "Outcome",
    "StopFlag",
    "Termination",
    "game",
    "names",
]
