"""Moves as people write them, both ways.

Each convention is a module with a writer and a reader:
:mod:`~xiangqi.notation.coordinates` (ICCS, UCI), :mod:`~xiangqi.notation.chinese_text`,
:mod:`~xiangqi.notation.wxf_text` and :mod:`~xiangqi.notation.san_text`. :func:`parse_any` reads any
of them. A reader returns a legal move of the position or raises: ``InvalidMove`` (malformed),
``IllegalMove`` (no legal move is called so; the text says which rule stops it), ``AmbiguousMove``
(with the candidates).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xiangqi.move import Move
from xiangqi.notation.chinese_text import FORM as _CHINESE
from xiangqi.notation.chinese_text import chinese, parse_chinese
from xiangqi.notation.coordinates import FORM as _COORDINATES
from xiangqi.notation.coordinates import dashed, iccs, parse_coordinates, uci
from xiangqi.notation.folding import fold, is_chinese, normal, split_moves
from xiangqi.notation.matching import View
from xiangqi.notation.san_text import FORM as _SAN
from xiangqi.notation.san_text import parse_san, san
from xiangqi.notation.wxf_text import FORM as _WXF
from xiangqi.notation.wxf_text import Style, parse_wxf, wxf

if TYPE_CHECKING:
    from xiangqi.board import Board

__all__ = [
    "Style",
    "chinese",
    "iccs",
    "is_move_text",
    "parse_any",
    "parse_chinese",
    "parse_coordinates",
    "parse_san",
    "parse_wxf",
    "san",
    "split_moves",
    "uci",
    "wxf",
]


def parse_any(board: Board, text: str, base: int | None = None) -> Move:
    """The legal move of a text in any notation.

    The shape of a text tells its convention: coordinates, Chinese characters, WXF, SAN. What one
    shape can mean in several styles (numbered pawns of WXF) is ambiguous where both are legal.

    Args:
        base: number of Red's back rank in coordinates and SAN, 0 or 1. By default 1 if the text
            names a rank 10, else 0; in SAN also 1 where nothing legal answers to 0.

    Raises:
        InvalidMove: no convention knows such a text.
        IllegalMove: no legal move is called so; the message says which rule stops it.
        AmbiguousMove: several legal moves are called so; ``candidates`` are their ICCS names.
    """
    plain = normal(text)
    coordinate = dashed(plain)
    in_one_case = coordinate in (
        coordinate.lower(),
        coordinate.upper(),
    )  # A7e8: the advisor of rank 7
    if _COORDINATES.fullmatch(coordinate) and (in_one_case or not _SAN.fullmatch(coordinate)):
        return parse_coordinates(board, text, base)
    if is_chinese(plain):
        return parse_chinese(board, text)
    if _WXF.fullmatch(fold(plain)):
        return parse_wxf(board, text)
    if _SAN.fullmatch(coordinate):
        return parse_san(board, text, base)
    raise View(board).malformed(text, "看不懂的着法", "not a move in any notation")


def is_move_text(text: str) -> bool:
    """Whether a text has the shape of a move in some notation; says nothing about its legality.

    >>> [is_move_text(text) for text in ("h2e2", "炮二平五", "C2.5", "Cbe2", "红胜", "hello")]
    [True, True, True, True, False, False]
    """
    plain = normal(text)
    if is_chinese(plain):
        return _CHINESE.fullmatch(fold(plain)) is not None
    coordinate = dashed(plain)
    return any(
        form.fullmatch(shape) is not None
        for form, shape in (
            (_COORDINATES, coordinate),
            (_WXF, fold(plain)),
            (_SAN, coordinate),
        )
    )
