"""The end table: turns to finish for every army of ten inside the last rows before its goal.

Turns are kept inside the region, so a value is an upper bound on the distance on the whole board
(and the exact distance on a board that ends there). Kept in the user's cache, never in the package;
made by ``qiyuan endtable``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from checkers.geometry import HOLE_ROWS, HOLES, camp_of, opposite
from checkers.race.ranking import holes_in_order, places, rank
from checkers.race.reach import UNKNOWN, Ground

PIECES = 10
FIRST_ROWS = {10: 13, 15: 12, 21: 11, 28: 10, 36: 9}
"""Size of the region -> its northernmost row (0 = a); 28 holes are rows k..q."""
_CHUNK = 1 << 17


def region(size: int = 28) -> frozenset[int]:
    """The holes of a table: the last rows of the diamond of camps A and D and the hexagon.

    Raises:
        ValueError: no table of that size.

    >>> len(region(28)), len(region(36))
    (28, 36)
    """
    if size not in FIRST_ROWS:
        sizes = ", ".join(map(str, FIRST_ROWS))
        raise ValueError(f"残局库的孔数只能是 {sizes} (no table of {size} holes)")
    inside = {h for h in HOLES if HOLE_ROWS[h] >= FIRST_ROWS[size]}
    return frozenset(h for h in inside if camp_of(h) in (None, opposite(0)))


def table_path(size: int = 28) -> Path:
    """Where the table of a size is kept: ``$QIYUAN_TABLES_DIR`` or the user's cache folder."""
    chosen = os.environ.get("QIYUAN_TABLES_DIR")
    if chosen:
        folder = Path(chosen)
    else:
        from qikit.cache import root  # brings numba, which whoever asks for a table has loaded

        folder = root() / "tables"
    return folder / f"checkers-{PIECES}-in-{size}.npy"


def build(size: int = 28, progress: Callable[[int], object] | None = None) -> NDArray[np.uint8]:
    """Compute a table by sweeps outwards from the full goal.

    Args:
        size: holes of the region.
        progress: called with the number of armies that have got their value since the last call.

    Returns:
        One byte an army by rank (`checkers.race.ranking` over the region): turns to finish,
        255 = cannot.

    Raises:
        ValueError: no table of that size.

    >>> table = build(15)
    >>> len(table), int(table[table < 255].max())
    (3003, 7)
    """
    from qikit.kernels import load

    holes = region(size)
    ground = Ground("short", "forbidden", False, "free", PIECES)
    kernel = load("checkers.race.kernel")
    values = np.full(comb(size, PIECES), UNKNOWN, np.uint8)
    place_of, hole_at = places(holes), holes_in_order(holes)
    values[rank(ground.goal, place_of)] = 0
    masks, switches = ground.within(holes), ground.rules().switches.copy()
    state = np.zeros(64, np.int64)
    fresh, depth = 1, 0
    if progress:
        progress(1)
    while fresh:
        fresh = 0
        for low in range(0, len(values), _CHUNK):
            got = int(
                kernel.sweep(
                    state,
                    masks,
                    switches,
                    PIECES,
                    place_of,
                    hole_at,
                    values,
                    depth,
                    low,
                    min(low + _CHUNK, len(values)),
                )
            )
            fresh += got
            if progress and got:
                progress(got)
        depth += 1
    return values


def save(values: NDArray[np.uint8], size: int) -> Path:
    """Write a table to its place, whole or not at all."""
    path = table_path(size)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.part")
    with partial.open("wb") as file:
        np.save(file, values)
    partial.replace(path)
    _load.cache_clear()
    return path


def load_table() -> tuple[NDArray[np.int16], NDArray[np.uint8]] | None:
    """Places and values of the largest table that has been built, or None."""
    for size in sorted(FIRST_ROWS, reverse=True):
        found = _load(table_path(size), size)
        if found is not None:
            return found
    return None


@cache
def _load(path: Path, size: int) -> tuple[NDArray[np.int16], NDArray[np.uint8]] | None:
    if not path.is_file():
        return None
    try:
        values = np.load(path, mmap_mode="c")
    except (OSError, ValueError):
        return None
    if values.shape != (comb(size, PIECES),) or values.dtype != np.uint8:
        return None
    return places(region(size)), values
