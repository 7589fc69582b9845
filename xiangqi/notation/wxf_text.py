"""WXF notation: C2=5, h8+7, R+.3, and the three ways to name pawns that share files.

Letters K A E H R C P (B and N are read too), the file from the mover's right, ``+`` ahead, ``-``
back, ``=`` or ``.`` sideways. Like pieces on one file: ``+`` for the front one and ``-`` for the
rear one in the place of the file. For pawns the styles part:

- ``"1997"``, the page of the federation: three on a file ``P+ P3 P-`` (file 3), four ``++ P+ P-
  --``, five ``++ P+ P3 P- --``; two shared files: the file instead of the letter, ``3+ 33 3-``;
- ``"2018"``, the later rules (and Fairy-Stockfish): order from the front, then the file, ``15+1``,
  where three share a file or two files are shared; two pawns alone stay ``P+ P-``;
- the letters a to e of the Chinese computer standard (``Pa.5``), read only.

Read besides: the sign first (``-P+1``), a sign for advisors and elephants, digits 1 to 7 for K A B
N R C P (the keypad form).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

from xiangqi.move import Move
from xiangqi.notation.folding import fold, normal
from xiangqi.notation.matching import View
from xiangqi.notation.standing import Standing, describe
from xiangqi.pieces import ADVISOR, BISHOP, LETTERS, PAWN

if TYPE_CHECKING:
    from xiangqi.board import Board

Style = Literal["1997", "2018"]
WXF_LETTERS = " KAEHRCP"

FORM = re.compile(
    r"(?:[KABNRCP][-+=1-9]|[-+=][KABNRCP]|[1-9][-+1-9]|\+\+|--|s[1-5])[-+=][1-9]", re.ASCII
)
"""Folded texts of this notation."""


def wxf(board: Board, move: Move, style: Style = "1997") -> str:
    """WXF text of a move, sideways as ``=``.

    Args:
        board: the position before the move; the piece may belong to either side.
        move: a move of a piece that stands on the board.
        style: how pawns on shared files are named.

    Raises:
        InvalidMove: no piece stands on the start point.
        ValueError: no such style.
    """
    standing, _, aim = describe(board.codes.tolist(), move)
    who = _style(style)(standing)[0]
    return f"{who.translate(_TO_WXF)}{aim.direction}{aim.number}"


def parse_wxf(board: Board, text: str, style: Style | None = None) -> Move:
    """The legal move of a WXF text.

    Args:
        style: the one style in which to read numbered pawns; by default both, and where they read
            a text as different legal moves it is ambiguous.

    Raises:
        InvalidMove: not of a form that WXF notation has.
        IllegalMove: no legal move is called so; the message says which rule stops it.
        AmbiguousMove: several legal moves are called so.
        ValueError: no such style.
    """
    view = View(board)
    folded = fold(normal(text))
    if not FORM.fullmatch(folded):
        raise view.malformed(text, "不是 WXF 着法", "not a move in WXF notation")
    exact = (_style(style),) if style else (_style_1997, _style_2018)
    return view.choose_relative(text, folded, (exact, (_loose,)))


_TO_WXF = str.maketrans("BN", "EH")


def _style(style: str) -> Callable[[Standing], tuple[str, ...]]:
    if style not in STYLES:
        raise ValueError(f"WXF 写法只有 1997 和 2018 (no such WXF style): {style!r}")
    return STYLES[style]


def _sign(standing: Standing) -> str:
    """``+`` for the front piece, ``-`` for the rear one, "" between them."""
    return "+" if standing.order == 1 else "-" if standing.order == standing.total else ""


def _style_1997(standing: Standing) -> tuple[str, ...]:
    kind, file, order, total, _, shared = standing
    letter = LETTERS[kind]
    if total == 1 or kind in (ADVISOR, BISHOP):
        return (f"{letter}{file}",)
    if kind != PAWN or (total == 2 and shared == 1):
        return (letter + _sign(standing),)
    if shared > 1:
        return (f"{file}{_sign(standing) or file}",)
    middle = f"P{file}"
    row = {
        3: ("P+", middle, "P-"),
        4: ("++", "P+", "P-", "--"),
        5: ("++", "P+", middle, "P-", "--"),
    }[total]
    return (row[order - 1],)


def _style_2018(standing: Standing) -> tuple[str, ...]:
    if standing.kind == PAWN and standing.total > 1 and standing.total + standing.shared > 3:
        return (f"{standing.order}{standing.file}",)
    return _style_1997(standing)


STYLES = {"1997": _style_1997, "2018": _style_2018}


def _loose(standing: Standing) -> Iterator[str]:
    """Names found in the wild, where the styles fit nothing."""
    kind, file, order, total, serial, shared = standing
    letter = LETTERS[kind]
    for head in (letter, str(kind)):  # the keypad form numbers the kinds K A B N R C P
        yield f"{head}{file}"
        if total > 1 and _sign(standing):
            yield head + _sign(standing)
    if total == 1:
        return
    if _sign(standing):
        yield _sign(standing) + letter
    elif total == 3:
        yield letter + "="
    if kind == PAWN:
        yield f"s{serial if shared > 1 else order}"
        yield f"{file}{_sign(standing) or file}"
        yield f"{order}{file}"
