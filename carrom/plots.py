"""Speed and energy of a shot against time, drawn by matplotlib (extra [plot])."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carrom.animation import optional
from carrom.physics import Shot

Array = NDArray[np.float64]


def curves_of(shot: Shot, points: int = 400) -> tuple[Array, Array, Array]:
    """Times, speeds (times, discs) and kinetic energy (times,) of a shot, in SI units.

    Just before and just after every event stand two points, so that impacts show as steps.

    >>> from carrom import simulate
    >>> shot = simulate([{"id": "M", "R": 0.025, "m": 0.021, "x": 0.0, "y": 0.0, "vy": 0.3}])
    >>> times, speeds, energy = curves_of(shot)
    >>> bool(energy[0] == shot.E0), bool(energy[-1] == 0.0)
    (True, True)
    """
    steps = np.array([t for event in shot.events for t in (event.t - 1e-9, event.t)])
    times = np.unique(np.concatenate([np.linspace(0.0, shot.t_end, points), steps]))
    times = times[times >= 0.0]
    states = shot.states(times)
    on_board = (states[:, :, 4] == 0.0) | (states[:, :, 4] == 3.0)
    speeds = np.where(on_board, states[:, :, 2], 0.0)
    spins = np.where(on_board, states[:, :, 3], 0.0)
    mass = np.array([d.m for d in shot.discs])
    radius = np.array([d.R for d in shot.discs])
    inertia = shot.params.kI * mass * radius * radius
    return times, speeds, (0.5 * (speeds**2 * mass + spins**2 * inertia)).sum(axis=1)


def figure(shot: Shot) -> Any:
    """A matplotlib figure: speeds of the discs that moved, and the energy below.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    figures = optional("matplotlib.figure", "matplotlib", "画速度和能量曲线")
    times, speeds, energy = curves_of(shot)
    drawing = figures.Figure(figsize=(8, 6), layout="constrained")
    upper, lower = drawing.subplots(2, 1, sharex=True)
    for k, disc in enumerate(shot.discs):
        if speeds[:, k].any():
            upper.plot(times, speeds[:, k], label=disc.id, linewidth=1.2)
    upper.set_ylabel("speed (m/s)")
    upper.grid(alpha=0.3)
    if upper.get_lines():
        upper.legend(fontsize="small", ncols=4)
    lower.plot(times, 1000.0 * energy, color="#222222", linewidth=1.2)
    lower.set_ylabel("energy (mJ)")
    lower.set_xlabel("time (s)")
    lower.grid(alpha=0.3)
    return drawing


def save_plot(shot: Shot, target: str | Path) -> None:
    """Write the figure; the file's ending decides the format (png, svg, pdf)."""
    figure(shot).savefig(target)
