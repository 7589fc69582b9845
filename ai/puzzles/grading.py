"""How hard a puzzle is and how it looks: numbers read off a position and its right first move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qikit.errors import InvalidPosition
from xiangqi import Board, Move
from xiangqi.fen import Setup
from xiangqi.geometry import BLACK, RED
from xiangqi.mates import Prover
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK

WORTH = {0: 0, ADVISOR: 2, BISHOP: 2, PAWN: 2, KNIGHT: 5, CANNON: 5, ROOK: 10}
THREAT = 2
"""A threat is a mate within so many moves if the other side passed."""


@dataclass(frozen=True)
class Measure:
    """What makes a puzzle hard or pretty.

    Attributes:
        moves: own moves of the mate.
        tempting: wrong first moves that a person looks at: checks, captures of a chariot, horse
            or cannon, threats of mate in one.
        quiet: the right move neither checks nor takes.
        gift: material that the right move offers, chariot = 10.
        spoils: worth of what the right move takes.
        threatened: own moves within which Black would mate if Red passed, 0 = none within
            ``THREAT``.
        pieces: pieces on the board.
    """

    moves: int
    tempting: int
    quiet: bool
    gift: int
    spoils: int
    threatened: int
    pieces: int


def measure(prover: Prover, board: Board, right: Move, moves: int) -> Measure:
    """Measure a puzzle."""
    spoils = WORTH[int(board.codes[right.to_square]) & 7]
    tempting = sum(_tempts(prover, board, move) for move in board.legal_moves if move != right)
    checks = board.gives_check(right)
    after = board.copy()
    after.push(right)
    taken = any(move.to_square == right.to_square for move in after.legal_moves)
    gift = WORTH.get(int(board.codes[right.from_square]) & 7, 0) - spoils if taken else 0
    return Measure(
        moves, tempting, not checks and not spoils, max(gift, 0), spoils,
        threat(prover, board, BLACK) or 0, int(np.count_nonzero(board.codes)),
    )  # fmt: skip


def _tempts(prover: Prover, board: Board, move: Move) -> bool:
    if board.gives_check(move) or WORTH[int(board.codes[move.to_square]) & 7] >= WORTH[KNIGHT]:
        return True
    after = board.copy()
    after.push(move)
    return threat(prover, after, RED, 1) is not None


def threat(prover: Prover, board: Board, color: int, most: int = THREAT) -> int | None:
    """Own moves in which ``color`` would mate if it were to move; None: not within ``most``, or
    it cannot be to move, since the other side is in check."""
    try:
        turned = Board.from_setup(Setup(board.codes, color))
    except InvalidPosition:
        return None
    return prover.distance(turned, most)


def grade(one: Measure) -> int:
    """1 (easy) to 5: by length, tempting wrong moves, and whether the key is quiet or a gift."""
    points = one.moves + min(one.tempting, 8) / 8 + 0.8 * one.quiet + 0.5 * (one.gift >= 3)
    return sum(points >= least for least in (0, 2.4, 3.4, 4.4, 5.4))
