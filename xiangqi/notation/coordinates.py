"""Coordinate moves: ICCS (``H2-E2``), UCCI and UCI (``h2e2``), with ranks 0 to 9 or 1 to 10."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xiangqi.geometry import FILE_NAMES, SQUARE_NAMES, square
from xiangqi.move import Move
from xiangqi.notation.folding import normal
from xiangqi.notation.matching import View

if TYPE_CHECKING:
    from xiangqi.board import Board

FORM = re.compile(r"([a-i])(10|[0-9])-?([a-i])(10|[0-9])[+#]?", re.ASCII | re.IGNORECASE)
"""Normal texts of this notation."""


def iccs(move: Move) -> str:
    """ICCS text of a move.

    >>> iccs(Move.parse("h2e2"))
    'H2-E2'
    """
    return f"{SQUARE_NAMES[move.from_square]}-{SQUARE_NAMES[move.to_square]}".upper()


def uci(move: Move, base: int = 0) -> str:
    """UCI text of a move.

    Args:
        base: number of Red's back rank, 0 (UCCI, Pikafish) or 1 (plain UCI of Fairy-Stockfish).

    >>> uci(Move.parse("h2e2")), uci(Move.parse("h2h9"), base=1)
    ('h2e2', 'h3h10')
    """
    return "".join(f"{FILE_NAMES[sq % 9]}{sq // 9 + base}" for sq in move)


def ranks_from(text: str) -> int:
    """The base that a text of one or more coordinate moves shows: 1 if it names a rank 10, else 0.

    >>> ranks_from("h3e3 h10g8"), ranks_from("h2e2")
    (1, 0)
    """
    return 1 if re.search(r"(?<![0-9])10(?![0-9])", text) else 0


def parse_coordinates(board: Board, text: str, base: int | None = None) -> Move:
    """The legal move of a coordinate text.

    Args:
        base: number of Red's back rank, 0 or 1; by default 1 only if the text names a rank 10.

    Raises:
        InvalidMove: not of that form, or a rank that the numbering does not have.
        IllegalMove: the rules do not allow the move; the message says which one stops it.
    """
    view = View(board)
    match = FORM.fullmatch(dashed(normal(text)))
    if match is None:
        raise view.malformed(text, "不是坐标着法", "not a coordinate move")
    if base is None:
        base = 1 if "10" in (match[2], match[4]) else 0
    files = [FILE_NAMES.index(name.lower()) for name in (match[1], match[3])]
    ranks = [int(rank) - base for rank in (match[2], match[4])]
    if not all(0 <= rank <= 9 for rank in ranks):
        numbering = f"{base}–{9 + base}"
        raise view.malformed(text, f"横线应为 {numbering}", f"ranks are {numbering}")
    start, goal = (square(*point) for point in zip(files, ranks, strict=True))
    return view.choose(text, [Move(start, goal)])


def dashed(text: str) -> str:
    """The text with every kind of dash as ``-``."""
    return re.sub("[‐‑‒–—―−]", "-", text)
