"""Chinese notation (中文纵线记谱): 炮二平五, 马８进７, 前车进一, 三兵平五.

Written by the computer standard (中国象棋电脑应用规范): Red's numbers are Chinese, Black's are
digits; like pieces on one file are 前 and 后 (three pawns 前中后, more of them 一 to 五), pawns on
two shared files are numbered together, 仕 and 相 never need either. Read besides that: the older
form of five characters (前炮五退二), 前六平五 for the front pawn of a file, 车前进一, and 前 or 后
before 仕 and 相; traditional and full-width signs; either set of numbers for either side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from xiangqi.geometry import RED
from xiangqi.move import Move
from xiangqi.notation.folding import fold, normal
from xiangqi.notation.matching import View
from xiangqi.notation.standing import Standing, describe
from xiangqi.pieces import ADVISOR, BISHOP, LETTERS, NAMES_ZH, PAWN

if TYPE_CHECKING:
    from xiangqi.board import Board

NAMES_TRADITIONAL = (" 帥仕相傌俥炮兵", " 將士象馬車砲卒")
NUMERALS = "〇一二三四五六七八九"
_FULL_WIDTH = str.maketrans("123456789", "１２３４５６７８９")
_SIMPLIFIED_SIGNS = str.maketrans("+-=fmr", "进退平前中后")
_TRADITIONAL_SIGNS = str.maketrans("+-=fmr", "進退平前中後")

FORM = re.compile(r"(?:[KABNRCP][1-9fmr]|[1-9fmr][KABNRCP][1-9]?|[fmr][1-9])[-+=][1-9]", re.ASCII)
"""Folded texts of this notation."""


def chinese(
    board: Board, move: Move, *, traditional: bool = False, full_width: bool = False
) -> str:
    """Chinese text of a move.

    Args:
        board: the position before the move; the piece may belong to either side.
        move: a move of a piece that stands on the board.
        traditional: 傌二進三 instead of 马二进三.
        full_width: Black's digits as １..９ (the custom of Chinese programs) instead of 1..9.

    Raises:
        InvalidMove: no piece stands on the start point.
    """
    standing, color, aim = describe(board.codes.tolist(), move)
    names = (NAMES_TRADITIONAL if traditional else NAMES_ZH)[color]
    name = names[standing.kind]
    signs = _TRADITIONAL_SIGNS if traditional else _SIMPLIFIED_SIGNS

    def number(value: int) -> str:
        if color == RED:
            return NUMERALS[value]
        return str(value).translate(_FULL_WIDTH) if full_width else str(value)

    place = _place(standing)
    if not place:
        who = name + number(standing.file)
    else:  # the number of a pawn in its row is Chinese for both sides
        who = (NUMERALS[int(place)] if place.isdigit() else place.translate(signs)) + name
    return who + aim.direction.translate(signs) + number(aim.number)


def parse_chinese(board: Board, text: str) -> Move:
    """The legal move of a Chinese text.

    Raises:
        InvalidMove: not of a form that Chinese notation has.
        IllegalMove: no legal move is called so; the message says which rule stops it.
        AmbiguousMove: several legal moves are called so.
    """
    view = View(board)
    folded = fold(normal(text))
    if not FORM.fullmatch(folded):
        raise view.malformed(text, "不是中文着法", "not a move in Chinese notation")
    return view.choose_relative(text, folded, ((_standard,), (_older,)))


def _place(standing: Standing) -> str:
    """``f``, ``m``, ``r`` or a digit: how the standard tells like pieces apart; "" by file."""
    if standing.total == 1 or standing.kind in (ADVISOR, BISHOP):
        return ""
    if standing.shared > 1:
        return str(standing.serial)
    if standing.total <= 3:
        return _front_or_rear(standing)
    return str(standing.order)


def _front_or_rear(standing: Standing) -> str:
    if standing.order == 1:
        return "f"
    if standing.order == standing.total:
        return "r"
    return "m" if standing.total == 3 else ""


def _standard(standing: Standing) -> tuple[str, ...]:
    """The one name that the standard gives a piece."""
    letter = LETTERS[standing.kind]
    place = _place(standing)
    return (place + letter if place else f"{letter}{standing.file}",)


def _older(standing: Standing) -> Iterator[str]:
    """Names found in books and in other programs, where the standard's name fits nothing."""
    letter = LETTERS[standing.kind]
    yield f"{letter}{standing.file}"
    if standing.total == 1:
        return
    for place in {str(standing.order), _front_or_rear(standing)} - {""}:
        yield place + letter
        yield f"{place}{letter}{standing.file}"
        if not place.isdigit():
            yield letter + place
            if standing.kind == PAWN:
                yield f"{place}{standing.file}"
