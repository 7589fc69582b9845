"""Positions as NumPy planes for learning, and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from xiangqi.geometry import BLACK, RED
from xiangqi.pieces import PIECE_TYPES

PLANES = 15
TURN_PLANE = 14
_CODES = np.array([kind + 8 * color for color in (RED, BLACK) for kind in PIECE_TYPES], np.uint8)


def to_planes(
    codes: Sequence[int] | NDArray[np.uint8], turn: int, *, relative: bool = False
) -> NDArray[np.uint8]:
    """Planes of a position: ``uint8[15, 10, 9]`` with 0 and 1, indexed ``[plane, rank, file]``.

    Planes 0-6 hold Red's general, advisors, elephants, horses, chariots, cannons, pawns; planes
    7-13 Black's; plane 14 is all 1 when Red is to move. Rank 0 is Red's back rank, file 0 = a.

    With ``relative=True`` the position is seen by the side to move: planes 0-6 are its own
    pieces, and when Black is to move the board is turned by half a turn, so that one network
    serves both sides. Plane 14 still tells the real side to move, which makes it invertible.

    >>> start = [0] * 90
    >>> start[4], start[85] = 1, 9
    >>> planes = to_planes(start, 1, relative=True)
    >>> planes.shape, int(planes[0, 0, 4]), int(planes[7, 9, 4]), int(planes[14].sum())
    ((15, 10, 9), 1, 1, 0)
    """
    board = np.asarray(codes, np.uint8).reshape(10, 9)
    order = _CODES
    if relative and turn == BLACK:
        board = board[::-1, ::-1]
        order = np.roll(_CODES, 7)
    planes = np.empty((PLANES, 10, 9), np.uint8)
    np.equal(board[None], order[:, None, None], out=planes[:TURN_PLANE], casting="unsafe")
    planes[TURN_PLANE] = turn == RED
    return planes


def from_planes(
    planes: NDArray[np.uint8], *, relative: bool = False
) -> tuple[NDArray[np.uint8], int]:
    """Piece codes ``uint8[90]`` and side to move of planes made by :func:`to_planes`.

    Raises:
        ValueError: wrong shape, values other than 0 and 1, two pieces on one point, or a mixed
            plane 14.
    """
    planes = np.asarray(planes)
    if planes.shape != (PLANES, 10, 9):
        raise ValueError(f"需要形状 (15, 10, 9) 的平面 (planes of that shape): {planes.shape}")
    if not np.isin(planes, (0, 1)).all():
        raise ValueError("平面只能含 0 和 1 (planes hold only 0 and 1)")
    pieces = planes[:TURN_PLANE].astype(np.uint8)
    if pieces.sum(axis=0).max() > 1:
        raise ValueError("一个交叉点上有两个棋子 (two pieces on one point)")
    if planes[TURN_PLANE].min() != planes[TURN_PLANE].max():
        raise ValueError("第 14 平面必须全为 0 或全为 1 (plane 14 must be all 0 or all 1)")
    turn = RED if planes[TURN_PLANE, 0, 0] else BLACK
    turned = relative and turn == BLACK
    order = np.roll(_CODES, 7) if turned else _CODES
    board = (pieces * order[:, None, None]).sum(axis=0, dtype=np.uint8)
    return np.ascontiguousarray(board[::-1, ::-1] if turned else board).reshape(90), turn
