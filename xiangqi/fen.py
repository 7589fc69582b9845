"""Positions as text: the FEN dialects of 象棋, read and written.

A reader meets the letters of several schools (E or B for the elephant, H or N for the horse, G for
the general, S for the soldier, M for the mandarin), short forms without counters or without a
side, ``_`` for blanks and an empty pocket ``[]``. All of them are read; what is wrong is named with
the row in which it stands. Whether the position makes sense is the board's question
(``Board.status()``), not this module's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qikit.errors import InvalidPosition
from xiangqi.geometry import BLACK, RED
from xiangqi.pieces import LETTERS, Piece

DIALECTS = {"nb": LETTERS, "he": " KAEHRCP"}
"""Letters by piece type: ``nb`` of UCI and UCCI engines, ``he`` of XBoard, WXF, English texts."""

_KIND = {letter: kind for letters in DIALECTS.values() for kind, letter in enumerate(letters)}
_KIND |= {"G": _KIND["K"], "M": _KIND["A"], "S": _KIND["P"]}
_CODES = {
    symbol: Piece(kind, color).code
    for letter, kind in _KIND.items()
    if kind
    for color, symbol in ((RED, letter), (BLACK, letter.lower()))
}
_CLASHES = (("A", "M"), ("P", "S"), ("K", "G"))
"""Two letters of different schools for one piece: together, one of them means something else."""
_SIDES = {"w": RED, "r": RED, "b": BLACK}
_POCKET = re.compile(r"\[-?\]")
_COUNTER = re.compile(r"[0-9]{1,6}", re.ASCII)


class Setup(NamedTuple):
    """A position as it was written down, not yet judged.

    Attributes:
        codes: shape (90,), uint8: piece codes by point (0 = empty), points as in ``geometry``.
        turn: side to move, 0 Red, 1 Black.
        halfmove_clock: plies since the last capture (field 5).
        fullmove_number: number of the round (field 6), at least 1.
        named_turn: whether the text said whose turn it is; without a word it is Red's.
    """

    codes: npt.NDArray[np.uint8]
    turn: int
    halfmove_clock: int = 0
    fullmove_number: int = 1
    named_turn: bool = True


def parse_fen(text: str) -> Setup:
    """Read a FEN of any dialect.

    Raises:
        InvalidPosition: the text is no FEN; the message names the row and what is wrong there.

    >>> setup = parse_fen("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r")
    >>> write_fen(setup)
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
    >>> parse_fen("4k4/9/9/8/9/9/9/9/9/4K4 w")
    Traceback (most recent call last):
    ...
    qikit.errors.InvalidPosition: FEN 第 4 行 '8' 只有 8 个点，应为 9 个 (row 4 has 8 points, not 9)
    """

    def wrong(message: str) -> InvalidPosition:
        return InvalidPosition(message, text=text, position=text)

    fields = unicodedata.normalize("NFKC", text).replace("_", " ").split()
    if not fields:
        raise wrong("FEN 是空的 (the FEN is empty)")
    placement = fields.pop(0)
    if fields and _POCKET.fullmatch(fields[0]):
        fields.pop(0)
    placement, bracket, pocket = placement.partition("[")
    if bracket and not _POCKET.fullmatch(bracket + pocket):
        raise wrong(f"象棋没有手中的棋子 (no pieces in hand in xiangqi): {_cut(bracket + pocket)}")
    codes = _read_placement(placement, wrong)

    turn = _SIDES.get(fields[0].lower()) if fields else RED
    named_turn = bool(fields) and turn is not None
    if named_turn:
        fields.pop(0)
    elif fields and fields[0] != "-" and not _COUNTER.fullmatch(fields[0]):
        raise wrong(f"FEN 的行棋方应为 w(红)或 b(黑) (side to move is w or b): {_cut(fields[0])}")
    dashes = next((i for i, field in enumerate(fields) if field != "-"), len(fields))
    counters = fields[dashes:]
    if dashes > 2 or len(counters) > 2:
        raise wrong(f"FEN 的字段太多 (too many fields): {_cut(' '.join(fields))}")
    for counter in counters:
        if not _COUNTER.fullmatch(counter):
            raise wrong(f"FEN 的计数应为整数 (a counter is a whole number): {_cut(counter)}")
    numbers = [int(counter) for counter in counters]
    halfmove_clock, fullmove_number = (*numbers, *(0, 1)[len(numbers) :])
    return Setup(
        codes, RED if turn is None else turn, halfmove_clock, max(fullmove_number, 1), named_turn
    )


def write_fen(setup: Setup, dialect: str = "nb", *, counters: bool = True) -> str:
    """FEN of a position.

    Args:
        dialect: ``"nb"`` or ``"he"``, the letters of horse and elephant.
        counters: without them only placement and side are written, as chessdb and XBoard do.

    Raises:
        ValueError: no such dialect.

    >>> write_fen(parse_fen("4k4/9/4b4/9/9/9/9/9/4N4/4K4 b"), "he", counters=False)
    '4k4/9/4e4/9/9/9/9/9/4H4/4K4 b'
    """
    if dialect not in DIALECTS:
        raise ValueError(f"FEN 写法只有 nb 和 he (no such FEN dialect): {dialect!r}")
    red = DIALECTS[dialect]
    symbols = red + red.lower()
    codes = setup.codes.tolist()
    rows = []
    for rank in range(9, -1, -1):
        row, run = "", 0
        for code in codes[9 * rank : 9 * rank + 9]:
            if not code:
                run += 1
                continue
            row += f"{run or ''}{symbols[code]}"
            run = 0
        rows.append(f"{row}{run or ''}")
    text = f"{'/'.join(rows)} {'b' if setup.turn else 'w'}"
    return f"{text} - - {setup.halfmove_clock} {setup.fullmove_number}" if counters else text


def _read_placement(
    placement: str, wrong: Callable[[str], InvalidPosition]
) -> npt.NDArray[np.uint8]:
    rows = placement.split("/")
    if len(rows) != 10:
        raise wrong(f"FEN 有 {len(rows)} 行，应为 10 行 ({len(rows)} rows, not 10)")
    letters = {letter.upper() for letter in placement}
    for usual, other in _CLASHES:
        if {usual, other} <= letters:
            raise wrong(
                f"FEN 里 {usual} 与 {other} 同时出现，含义不明"
                f" ({usual} and {other} name the same piece in different schools)"
            )
    codes = np.zeros(90, dtype=np.uint8)
    for number, row in enumerate(rows, 1):
        file = 0
        for symbol in row:
            if symbol in "123456789":
                file += int(symbol)
                continue
            code = _CODES.get(symbol)
            if code is None:
                raise wrong(
                    f"FEN 第 {number} 行有不认识的字符 {symbol!r}"
                    f" (unknown character in row {number})"
                )
            if file < 9:
                codes[9 * (10 - number) + file] = code
            file += 1
        if file != 9:
            few = "只" if file < 9 else ""
            raise wrong(
                f"FEN 第 {number} 行 {_cut(row)} {few}有 {file} 个点，应为 9 个"
                f" (row {number} has {file} points, not 9)"
            )
    return codes


def _cut(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
