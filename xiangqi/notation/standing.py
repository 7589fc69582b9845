"""How Chinese and WXF notation see a piece: its file from the mover's right, its place in a row.

Both notations name a piece by its file, and by its place (front, rear, first to fifth) where like
pieces share a file. This module counts; how the counts are written is each notation's own affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qikit.errors import InvalidMove
from xiangqi.geometry import RED, SQUARE_NAMES, SQUARES
from xiangqi.move import Move
from xiangqi.pieces import ADVISOR, BISHOP, KNIGHT

_CHANGES_FILE = (ADVISOR, BISHOP, KNIGHT)
"""Kinds whose every move leaves the file: the target named is always the new file."""


class Standing(NamedTuple):
    """Where a piece stands among its like.

    Attributes:
        kind: piece type.
        file: 1..9 from the mover's right.
        order: 1 = foremost of the like pieces on that file.
        total: like pieces on that file.
        serial: number among all like pieces on shared files, counted file by file from the
            mover's right and on each from front to rear; 0 where the piece stands alone.
        shared: number of files that two or more like pieces share.
    """

    kind: int
    file: int
    order: int
    total: int
    serial: int
    shared: int


class Step(NamedTuple):
    """Where a piece goes: ``+`` ahead, ``-`` back or ``=`` sideways, and the number that follows.

    The number is the new file, or the steps where a piece moves along its file.
    """

    direction: str
    number: int


def file_from_right(sq: int, color: int) -> int:
    """File 1..9 of a point as ``color`` counts.

    >>> file_from_right(7, 0), file_from_right(7, 1)
    (2, 8)
    """
    return 9 - sq % 9 if color == RED else sq % 9 + 1


def standings(codes: Sequence[int], color: int) -> dict[int, Standing]:
    """Standing of every piece of one side, by point.

    Args:
        codes: piece codes of the 90 points, 0 = empty.
    """
    columns: dict[tuple[int, int], list[int]] = {}
    for sq in SQUARES if color else reversed(SQUARES):
        code = codes[sq]
        if code and code >> 3 == color:
            columns.setdefault((code & 7, file_from_right(sq, color)), []).append(sq)
    result = {}
    serial = [0] * 8
    shared = [0] * 8
    for (kind, _), column in columns.items():
        shared[kind] += len(column) > 1
    for (kind, file), column in sorted(columns.items()):
        for order, sq in enumerate(column, 1):
            if len(column) > 1:
                serial[kind] += 1
            number = serial[kind] if len(column) > 1 else 0
            result[sq] = Standing(kind, file, order, len(column), number, shared[kind])
    return result


def step(kind: int, color: int, from_square: int, to_square: int) -> Step:
    """Direction and number of a move.

    >>> step(KNIGHT, 0, 7, 24)
    Step(direction='+', number=3)
    """
    ahead = to_square // 9 - from_square // 9
    if color != RED:
        ahead = -ahead
    direction = "+" if ahead > 0 else "-" if ahead < 0 else "="
    if ahead == 0 or kind in _CHANGES_FILE:
        return Step(direction, file_from_right(to_square, color))
    return Step(direction, abs(ahead))


def target(kind: int, color: int, from_square: int, aim: Step) -> int | None:
    """The point that a piece would reach, whether it may go there or not; None off the board.

    The inverse of :func:`step`, for saying why a text fits no legal move.

    >>> target(KNIGHT, 0, 7, Step("+", 3))
    24
    """
    file, rank = from_square % 9, from_square // 9
    forward = 1 if color == RED else -1
    way = {"+": forward, "-": -forward, "=": 0}[aim.direction]
    goal_file = 9 - aim.number if color == RED else aim.number - 1
    if kind in _CHANGES_FILE:
        sideways = abs(goal_file - file)
        ranks = {
            ADVISOR: {1: 1},
            BISHOP: {2: 2},
            KNIGHT: {1: 2, 2: 1},
        }[kind].get(sideways)
        if ranks is None or not way:
            return None
        rank += way * ranks
    elif way:
        goal_file = file
        rank += way * aim.number
    if not 0 <= rank <= 9 or (goal_file, rank) == (file, from_square // 9):
        return None
    return 9 * rank + goal_file


def describe(codes: Sequence[int], move: Move) -> tuple[Standing, int, Step]:
    """What the writers need of a move: standing and colour of the piece, and its step.

    Raises:
        InvalidMove: no piece stands on the start point.
    """
    code = codes[move.from_square]
    if not code:
        name = SQUARE_NAMES[move.from_square]
        raise InvalidMove(f"{name} 上没有棋子 (no piece stands on {name})", text=str(move))
    color = code >> 3
    standing = standings(codes, color)[move.from_square]
    return standing, color, step(standing.kind, color, *move)
