"""Positions as inputs of the network: indices of features as each side sees them.

A feature is (own or enemy piece, kind, point); a side sees the board from its own end, and from
the left when its general stands right of the middle. 1260 features; a position has one for each
piece, as seen by the side to move (``own``) and by the other side (``other``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.search.xiangqi.layout import FEATURES

PIECES = 32
NONE = FEATURES
"""Index that fills up rows of fewer than 32 pieces."""

_SQ = np.arange(90)
_MIRROR = 9 * (_SQ // 9) + 8 - _SQ % 9


def views(
    codes: NDArray[np.integer], turns: NDArray[np.integer]
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Feature indices (``own``, ``other``), int16[n, 32] each, of ``codes`` [n, 90].

    >>> codes = np.zeros((1, 90), np.uint8); codes[0, 4], codes[0, 84] = 1, 9
    >>> own, other = views(codes, np.array([0]))
    >>> own[0, :3].tolist(), other[0, :3].tolist()
    ([4, 714, 1260], [3, 715, 1260])
    """
    codes = np.asarray(codes, np.int64)
    black = np.asarray(turns) == 1
    turned = np.where(codes[:, ::-1] > 0, codes[:, ::-1] ^ 8, 0)
    own = np.where(black[:, None], turned, codes)
    other = np.where(black[:, None], codes, turned)
    return _indices(own), _indices(other)


def _indices(codes: NDArray[np.int64]) -> NDArray[np.int16]:
    """Indices for boards that already stand as their owner sees them (own pieces are 1-7)."""
    general = np.argmax(codes == 1, axis=1)
    codes = np.where((general % 9 > 4)[:, None], codes[:, _MIRROR], codes)
    row, sq = np.nonzero(codes)
    code = codes[row, sq]
    found = ((code >> 3) * 7 + (code & 7) - 1) * 90 + sq
    place = np.arange(len(row)) - np.searchsorted(row, np.arange(len(codes)))[row]
    result = np.full((len(codes), PIECES), NONE, np.int16)
    result[row, place] = found
    return result


def dense(indices: NDArray[np.int16]) -> NDArray[np.float32]:
    """The same as 0 and 1 in float32[n, 1260], which is what the ``.onnx`` file takes."""
    result = np.zeros((len(indices), FEATURES + 1), np.float32)
    np.put_along_axis(result, indices.astype(np.int64), np.float32(1), axis=1)
    return np.ascontiguousarray(result[:, :FEATURES])
