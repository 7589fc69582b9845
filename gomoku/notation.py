"""Moves and positions of 五子棋 as people write them, both ways."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING

from gomoku.geometry import (
    BLACK,
    COLUMN_NAMES,
    MAX_SIZE,
    MIN_SIZE,
    WHITE,
    on_board,
)
from gomoku.move import Move
from gomoku.rules import PRESETS
from qikit.errors import InvalidMove, InvalidPosition

if TYPE_CHECKING:
    from gomoku.board import Board

_PAIR = re.compile(r"\s*([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*", re.ASCII)
_LIST_ITEM = re.compile(r"[a-t][1-9][0-9]?|pass|--", re.IGNORECASE | re.ASCII)
_NUMBERING = re.compile(r"(?<![a-tA-T0-9])[0-9]+[.．:、]")
_INTEGER = re.compile(r"\s*-?[0-9]{1,18}\s*", re.ASCII)


def parse_integer(text: str) -> int | None:
    """The number that a text writes in up to 18 digits, ``None`` if it writes none.

    Python's own reader is without bounds: its numbers overflow later, or it raises by itself.

    >>> parse_integer(" -15 "), parse_integer("1.5"), parse_integer("9" * 5000)
    (-15, None, None)
    """
    return int(text) if _INTEGER.fullmatch(text) else None


def parse_move(text: str) -> Move:
    """Read ``h8``, ``pass``, or ``7,7`` (column, row from 0 at the lower left).

    Raises:
        InvalidMove: none of these.
    """
    match = _PAIR.fullmatch(text)
    if match is None:
        return Move.parse(text)
    x, y = int(match[1]), int(match[2])
    if not on_board(x, y, MAX_SIZE):
        raise InvalidMove(f"坐标超出棋盘 (off every board): {text!r}", text=text)
    return Move(x, y)


def move_of(value: Move | Sequence[int] | str) -> Move:
    """The move itself, of a pair (column, row), or of a text as :func:`parse_move` reads it.

    Raises:
        InvalidMove: none of these.

    >>> move_of((7, 7)), move_of("h8")
    (Move(x=7, y=7), Move(x=7, y=7))
    """
    if isinstance(value, str):
        return parse_move(value)
    try:
        x, y = value
        return Move(index(x), index(y))
    except (TypeError, ValueError):
        raise InvalidMove(
            f'应为 "h8" 或 (列, 行) 这样的落点 (not a move): {value!r:.80}', text=f"{value!r:.80}"
        ) from None


def parse_moves(text: str) -> list[Move]:
    """Read a plain list: ``h8 i9 j10``, ``h8i9j10``, ``1.h8 2.i9``, or pairs ``7,7 8,8``.

    Raises:
        InvalidMove: something in the text is no move; the message quotes it.

    >>> " ".join(map(str, parse_moves("h8i9f10")))
    'h8 i9 f10'
    """
    if "," in text and _LIST_ITEM.search(text) is None:
        return [parse_move(item) for item in text.split()]
    rest = _NUMBERING.sub(" ", text)
    moves = []
    at = 0
    for match in _LIST_ITEM.finditer(rest):
        between = rest[at : match.start()].strip(" \t\r\n,;")
        if between:
            raise InvalidMove(f"不是落点 (not a point): {between!r}", text=between)
        moves.append(Move.parse(match[0]))
        at = match.end()
    tail = rest[at:].strip(" \t\r\n,;.")
    if tail:
        raise InvalidMove(f"不是落点 (not a point): {tail!r}", text=tail)
    return moves


def format_moves(moves: list[Move]) -> str:
    """A plain list, moves separated by blanks.

    >>> format_moves([Move(7, 7), Move(8, 8)])
    'h8 i9'
    """
    return " ".join(map(str, moves))


@dataclass(frozen=True)
class Setup:
    """What a position text says, before anything is checked against rules."""

    size: int
    stones: tuple[tuple[Move, ...], tuple[Move, ...]]
    turn: int
    rules: str


def parse_fen(text: str) -> Setup:
    """Read a position text: ``rows side [rules]``, see :meth:`gomoku.Board.fen`.

    Raises:
        InvalidPosition: the text is no position; the message says what is wrong and where.

    >>> parse_fen("5/5/2b2/5/5 w").stones[0]
    (Move(x=2, y=2),)
    """

    def wrong(message: str) -> InvalidPosition:
        return InvalidPosition(f"局面文本有误 (bad position text): {message}", text=text)

    if not isinstance(text, str):
        raise InvalidPosition(f"局面应为文本 (a position is a text): {text!r:.80}")
    fields = text.split()
    if not 2 <= len(fields) <= 3:
        raise wrong("应为“各行 行棋方 [规则]”三段")
    rows = fields[0].split("/")
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise wrong(f"有 {size} 行，应为 {MIN_SIZE} 至 {MAX_SIZE} 行")
    stones: tuple[list[Move], list[Move]] = ([], [])
    for number, row in enumerate(rows):
        y = size - 1 - number
        x = 0
        for part in re.findall(r"[0-9]+|.", row):
            if part.isdecimal() and part.isascii():
                gap = parse_integer(part)
                if gap is None:
                    raise wrong(f"第 {y + 1} 行有过长的数 {part[:20]}…")
                x += gap
            elif part in "bw":
                stones["bw".index(part)].append(Move(x, y))
                x += 1
            else:
                raise wrong(f"第 {y + 1} 行有不认识的字符 {part!r}")
        if x != size:
            raise wrong(f"第 {y + 1} 行有 {x} 点，应为 {size} 点")
    if fields[1] not in ("b", "w"):
        raise wrong(f"行棋方应为 b 或 w，而不是 {fields[1]!r}")
    rules = fields[2] if len(fields) == 3 else "freestyle"
    if rules not in PRESETS:
        raise wrong(f"没有名为 {rules[:40]!r} 的规则")
    return Setup(
        size,
        (tuple(stones[0]), tuple(stones[1])),
        BLACK if fields[1] == "b" else WHITE,
        rules,
    )


def format_fen(board: Board) -> str:
    """The position text of a board."""
    rows = []
    for y in range(board.size - 1, -1, -1):
        row = ""
        gap = 0
        for x in range(board.size):
            code = board.cell(x, y)
            if code:
                row += (str(gap) if gap else "") + "bw"[code - 1]
                gap = 0
            else:
                gap += 1
        rows.append(row + (str(gap) if gap else ""))
    return f"{'/'.join(rows)} {'bw'[board.turn]} {board.rules.name}"


def diagram(board: Board) -> str:
    """Text diagram: ``X`` black, ``O`` white, ``.`` empty, row 1 at the bottom."""
    lines = []
    for y in range(board.size - 1, -1, -1):
        cells = " ".join(".XO"[board.cell(x, y)] for x in range(board.size))
        lines.append(f"{y + 1:2} {cells}")
    lines.append("   " + " ".join(COLUMN_NAMES[: board.size]))
    return "\n".join(lines)
