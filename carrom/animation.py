"""Moving pictures of a shot: frames as plain data for a page, and a GIF through Pillow."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from carrom.physics import Shot
from carrom.svg import FELT, FILLS, FRAME, HOLE, MOTHER_FILL, WOOD, side_of

MISSING = (
    "需要 {library} 才能{what}：pip install 'qiyuan-games[plot]' "
    "({library} is missing; it comes with the extra [plot])"
)


def frames(shot: Shot, fps: float = 30.0) -> dict[str, Any]:
    """The shot as frames for a page (JSON).

    Args:
        shot: the shot.
        fps: frames a second of shot time.

    Returns:
        ``fps``, ``L``, ``holes`` (radius, or 0), ``discs`` (id, R, side 0, 1 or ``None`` for the
        mother) and ``frames``: for each frame the list of [x, y, angle] of every disc, or ``None``
        for a disc that has left the board. Angles turn with the spin.

    >>> from carrom import simulate
    >>> shot = simulate([{"id": "M", "R": 0.025, "m": 0.021, "x": 0.0, "y": 0.0, "vy": 0.3}])
    >>> movie = frames(shot, 10.0)
    >>> len(movie["frames"]), movie["frames"][0]
    (5, [[0.0, 0.0, 0.0]])
    """
    if not (math.isfinite(fps) and fps > 0):
        raise ValueError(f"fps 必须大于 0 (must be > 0): {fps!r}")
    count = max(1, math.ceil(shot.t_end * fps)) + 1
    times = np.arange(count) / fps
    states = shot.states(times)
    # the angle is the integral of the spin; trapezoids are enough for a picture
    spins = states[:, :, 3]
    turns = np.zeros_like(spins)
    turns[1:] = np.cumsum(0.5 * (spins[1:] + spins[:-1]) / fps, axis=0)
    rows = []
    for k in range(count):
        rows.append(
            [
                None
                if state in (1.0, 2.0)
                else [round(float(x), 6), round(float(y), 6), round(float(turn), 4)]
                for (x, y, _v, _w, state), turn in zip(states[k], turns[k], strict=True)
            ]
        )
    return {
        "fps": fps,
        "L": shot.params.L,
        "holes": shot.params.rp if shot.params.pockets else 0,
        "discs": [{"id": d.id, "R": d.R, "side": side_of(d.id)} for d in shot.discs],
        "frames": rows,
    }


def optional(name: str, library: str, what: str) -> Any:
    """A module of the extra [plot].

    Raises:
        ModuleNotFoundError: with a sentence how to get it.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(MISSING.format(library=library, what=what)) from None


def save_gif(shot: Shot, target: str | Path, *, fps: float = 25.0, size: int = 400) -> int:
    """Write the shot as an animated GIF; needs Pillow (extra [plot]).

    Args:
        shot: the shot.
        target: file to write.
        fps: frames a second.
        size: width and height in pixels.

    Returns:
        The number of frames.

    Raises:
        ModuleNotFoundError: Pillow is not installed.
    """
    image = optional("PIL.Image", "Pillow", "输出 GIF 动画")
    draw = optional("PIL.ImageDraw", "Pillow", "输出 GIF 动画")
    movie = frames(shot, fps)
    edge = shot.params.L / 2 + FRAME
    scale = size / (2 * edge)
    pictures = []

    def box(x: float, y: float, r: float) -> list[float]:
        return [(x + edge - r) * scale, (edge - y - r) * scale,
                (x + edge + r) * scale, (edge - y + r) * scale]  # fmt: skip

    half, rp = shot.params.L / 2, movie["holes"]
    for row in movie["frames"]:
        picture = image.new("RGB", (size, size), WOOD)
        pen = draw.Draw(picture)
        pen.rectangle(box(0.0, 0.0, half), fill=FELT)
        if rp:
            for sx in (-1, 1):
                for sy in (-1, 1):
                    pen.ellipse(box(sx * (half - rp), sy * (half - rp), rp), fill=HOLE)
        for disc, state in zip(movie["discs"], row, strict=True):
            if state is None:
                continue
            x, y, turn = state
            r = disc["R"]
            fill = MOTHER_FILL if disc["side"] is None else FILLS[disc["side"]]
            pen.ellipse(box(x, y, r), fill=fill, outline="#222222")
            mark = box(x + 0.6 * r * math.cos(turn), y + 0.6 * r * math.sin(turn), 0.15 * r)
            pen.ellipse(mark, fill="#ffffff" if disc["side"] is not None else "#222222")
        pictures.append(picture)
    pictures[0].save(
        target,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=round(1000 / fps),
        loop=0,
    )
    return len(pictures)
