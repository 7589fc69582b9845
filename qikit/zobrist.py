"""Zobrist keys: pseudo-random words that are the same in every run and on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def keys(seed: int, *shape: int) -> NDArray[np.int64]:
    """Array of ``shape`` with 63-bit non-negative random keys (int64, so kernels need no uint64).

    The generator is SplitMix64 (Steele, Lea and Flood 2014), written out here because a library's
    stream may change between versions while stored keys (opening books, hash files) must not.

    >>> [int(word) for word in keys(1, 2)]
    [5225608189600411232, 6878622605533214259]
    """
    mask = (1 << 64) - 1
    state = seed & mask
    out = np.empty(int(np.prod(shape)), np.int64)
    for i in range(out.size):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        out[i] = (z ^ (z >> 31)) >> 1
    return out.reshape(shape)
