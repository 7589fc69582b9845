"""Checking worlds: does the public record happen again in them?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from junqi import layout
from junqi.layout import PIECES
from qikit.kernels import load


def replayed(
    worlds: NDArray[np.int8],
    root: NDArray[np.int64],
    events: NDArray[np.int64],
    tables: NDArray[np.int64],
    switches: NDArray[np.int64],
) -> int | None:
    """The first row of ``worlds`` in which the record goes otherwise, or None.

    Every row is played from the beginning by the referee's own code; each fight, each fallen 司令,
    each seat that goes out is compared with what was seen, and a shown flag must be one.

    Args:
        worlds: kinds by piece number, a row a world.
        root: the state in which the record begins.
        events: what was seen, rows as in layout.py.
        tables: the board.
        switches: the rules.
    """
    row = load("junqi.belief.kernel").replay(
        np.ascontiguousarray(worlds),
        root,
        events,
        tables,
        switches,
        np.zeros(PIECES, np.int64),
        np.zeros(layout.STATE_SIZE, np.int64),
        np.zeros(layout.EVENT_SIZE, np.int64),
    )
    return None if row < 0 else int(row)
