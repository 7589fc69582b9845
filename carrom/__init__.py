"""康乐棋: sliding discs, a cue, and the referee on top of the physics.

Importing this is cheap: numba and the compiled kernel load with the first shot.

>>> import carrom
>>> shot = carrom.simulate([{"id": "M", "R": 0.025, "m": 0.021, "x": 0.0, "y": 0.0, "vy": 1.0}])
>>> round(shot.final[0].y, 4), shot.n_events
(0.4555, 1)
"""

from carrom.equipment import PRESETS, Equipment, Params
from carrom.physics import Disc, Event, Final, Shot, simulate, simulate_many

__all__ = [
    "PRESETS",
    "Disc",
    "Equipment",
    "Event",
    "Final",
    "Params",
    "Shot",
    "simulate",
    "simulate_many",
]
