"""Whole games in the file formats people have: one door for all of them.

A file's content decides what it is, never its name. Each format is a line in :data:`FORMATS`: how
its bytes are recognised and who reads them; the text reader takes what no other format claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from qikit.errors import InvalidRecord
from xiangqi.encoding import decode
from xiangqi.game import Game
from xiangqi.pgn import NOTATIONS, dumps, loads

__all__ = ["FORMATS", "NOTATIONS", "Format", "dumps", "loads", "read", "write"]

Reader = Callable[[bytes, "str | None"], list[Game]]


class Format(NamedTuple):
    """A file format.

    Attributes:
        name: what people call it.
        recognise: whether a file's bytes are of this format.
        read: bytes and an encoding (None = find out) to games; None where this program knows the
            format by sight but cannot read it.
    """

    name: str
    recognise: Callable[[bytes], bool]
    read: Reader | None


def _read_text(data: bytes, encoding: str | None) -> list[Game]:
    games = loads(decode(data, encoding).text)
    if not games:
        raise InvalidRecord(
            "文件里没有找到棋局：没有标签，也没有着法 (no game found: neither tags nor moves)"
        )
    return games


def _starts_with(magic: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(magic)


FORMATS: list[Format] = [
    Format("XQF（象棋演播室）", lambda data: data[:2] == b"XQ" and data[2:3] < b" ", None),
    Format("CBL（象棋桥棋库）", _starts_with(b"CCBridgeLibrary\0"), None),
    Format("CBR（象棋桥）", _starts_with(b"CCBridge Record\0"), None),
    Format("CBF（象棋桥 XML）", lambda data: b"<ChineseChessRecord" in data[:4096], None),
    Format("DhtmlXQ（东萍）", lambda data: b"[DhtmlXQ" in data[:4096], None),
    Format("PGN 或着法文本", lambda data: True, _read_text),
]
"""In the order in which they are tried; the last takes everything."""


def read(source: Path | str | bytes, encoding: str | None = None) -> list[Game]:
    """The games of a file.

    Args:
        source: a path, or the bytes of a file.
        encoding: a Python codec for its texts; found out by default.

    Returns:
        At least one game. What could not be read of a game stands in its ``defects``.

    Raises:
        InvalidRecord: no game is in it, the format cannot be read, or no such encoding.
        OSError: the file cannot be opened.

    >>> [game] = read("1. 炮二平五 马８进７".encode("gb18030"))
    >>> len(game.moves()), game.defects
    (2, [])
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    form = next(form for form in FORMATS if form.recognise(data))
    if form.read is None:
        raise InvalidRecord(f"还不能读 {form.name} 格式 (this format cannot be read yet)")
    return form.read(data, encoding)


def write(
    path: Path | str,
    games: Game | Iterable[Game],
    *,
    notation: str = "chinese",
    encoding: str = "utf-8",
) -> None:
    """Write games as a PGN file.

    Args:
        notation: a name in :data:`NOTATIONS`.
        encoding: a Python codec; programs for Windows in China expect ``gb18030``.

    Raises:
        ValueError: no such notation, or a character that the encoding does not have.
        LookupError: no such encoding.
    """
    games = [games] if isinstance(games, Game) else games
    text = "\n".join(dumps(game, notation) for game in games)
    Path(path).write_bytes(text.encode(encoding))
