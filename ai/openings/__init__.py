"""Openings for matches: short balanced beginnings, one a line of coordinate moves."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from qikit.errors import GameError, InvalidRecord

PLIES = 8
"""How much of a recorded game is its opening in a match."""
_COORDINATES = re.compile(r"[a-i]\d[a-i]\d", re.ASCII)


@cache
def openings(game: str = "xiangqi") -> tuple[tuple[str, ...], ...]:
    """The openings that ship for a game, each a tuple of moves.

    Raises:
        ValueError: there are none for this game.

    >>> len(openings()) >= 50, all(len(moves) == 8 for moves in openings())
    (True, True)
    """
    source = files("ai.openings") / f"{game}.txt"
    if not source.is_file():
        raise ValueError(f"没有 {game} 的开局 (no openings for this game)")
    return parse(source.read_text(encoding="utf-8"))


def parse(text: str) -> tuple[tuple[str, ...], ...]:
    """Openings of a text: a line each; what follows ``#`` is a remark.

    >>> parse("h2e2 h9g7  # 中炮\\n\\nc3c4\\n")
    (('h2e2', 'h9g7'), ('c3c4',))
    """
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return tuple(tuple(words) for words in lines if words)


def read(path: str | Path, plies: int = PLIES) -> tuple[tuple[str, ...], ...]:
    """Openings of a file: lines as :func:`parse` reads them, or a record of games of 象棋 in any
    format, of which each gives its first ``plies`` moves; games that begin alike give one opening.

    Raises:
        InvalidRecord: a line is no opening, or no game of the record gives one; the message says
            which and why.
        OSError: the file cannot be opened.
    """
    data = Path(path).read_bytes()
    with suppress(UnicodeDecodeError):
        lines = parse(data.decode("utf-8-sig"))
        if lines and all(_COORDINATES.fullmatch(word) for line in lines for word in line):
            for number, line in enumerate(lines, start=1):
                _check(number, line)
            return lines
    from ai.openings.lines import first_moves
    from xiangqi.records import read as read_games

    found: dict[tuple[str, ...], None] = {}
    reason = None
    for game in read_games(data):
        try:
            found[tuple(str(move) for move in first_moves(game, plies))] = None
        except InvalidRecord as error:
            reason = reason or error
    if not found and reason is not None:
        raise reason
    return tuple(found)


def _check(number: int, line: tuple[str, ...]) -> None:
    from xiangqi.board import Board

    board = Board()
    for text in line:
        try:
            board.push(text)
        except GameError as error:
            raise InvalidRecord(f"第 {number} 个开局 (opening {number})：{error}") from None
    if board.outcome() is not None:
        raise InvalidRecord(f"第 {number} 个开局已经下完 (opening {number} ends the game)")
