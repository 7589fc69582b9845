"""康乐棋: sliding discs, a cue, and the referee on top of the physics.

Importing this is cheap: numba and the compiled kernel load with the first shot.

>>> import carrom
>>> shot = carrom.simulate([{"id": "M", "R": 0.025, "m": 0.021, "x": 0.0, "y": 0.0, "vy": 1.0}])
>>> round(shot.final[0].y, 4), shot.n_events
(0.4555, 1)
>>> table = carrom.Table()
>>> ruling = table.strike(carrom.Stroke(0.38, -0.38, -0.38, 0.50, 3.0))
>>> ruling.seat, ruling.next_seat, table.outcome()
(0, 1, None)
"""

from carrom.board import Table
from carrom.cue import Stroke
from carrom.equipment import PRESETS, Equipment, Params
from carrom.match import Match
from carrom.physics import Disc, Event, Final, Shot, simulate, simulate_many
from carrom.referee import Fault, Phase, Place, Position, Reason, Ruling
from carrom.rules import CLUB, Rules
from qikit.errors import GameError, IllegalMove, InvalidMove, InvalidPosition, InvalidRecord
from qikit.outcome import Outcome, Termination
from qikit.protocol import Capability
from qikit.registry import GameInfo

GAME = GameInfo(
    name="carrom",
    name_zh="康乐棋",
    board=Table,
    move=Stroke,
    capabilities=Capability.START | Capability.SVG,
)
"""What the registry of games knows of this package: strokes are continuous, so there are no lists
of moves."""

__all__ = [
    "CLUB",
    "GAME",
    "PRESETS",
    "Disc",
    "Equipment",
    "Event",
    "Fault",
    "Final",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "Match",
    "Outcome",
    "Params",
    "Phase",
    "Place",
    "Position",
    "Reason",
    "Rules",
    "Ruling",
    "Shot",
    "Stroke",
    "Table",
    "Termination",
    "simulate",
    "simulate_many",
]
