"""Whole games in the file formats people have: one door for all of them.

A file's content decides what it is, never its name. Each format is a line in :data:`FORMATS`: how
its bytes are recognised and who reads them; the text reader takes what no other format claims. What
can be written is in :data:`WRITERS`, where the name of the file decides if nothing else is said.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from qikit.errors import InvalidRecord
from xiangqi import cbf, ccbridge, dhtmlxq, xqf
from xiangqi.encoding import decode
from xiangqi.game import Game, Skipped
from xiangqi.geometry import START_FEN
from xiangqi.notation import is_move_text
from xiangqi.pgn import NOTATIONS, dumps, loads
from xiangqi.written import Written, encode

__all__ = [
    "EXTENSIONS",
    "FORMATS",
    "NOTATIONS",
    "WRITERS",
    "Format",
    "Written",
    "dumps",
    "loads",
    "noise",
    "read",
    "to_bytes",
    "write",
]

MOST_UNPACKED = 64 * 2**20
"""Bytes of an unpacked file; a collection of every game ever published is smaller."""
_GZIP = b"\x1f\x8b"

Reader = Callable[[bytes, "str | None"], list[Game]]


class Format(NamedTuple):
    """A file format.

    Attributes:
        name: what people call it.
        recognise: whether a file's bytes are of this format.
        read: bytes and an encoding (None = find out) to games.
    """

    name: str
    recognise: Callable[[bytes], bool]
    read: Reader


def _read_text(data: bytes, encoding: str | None) -> list[Game]:
    games = loads(decode(data, encoding).text)
    if not games:
        raise InvalidRecord(
            "文件里没有找到棋局：没有标签，也没有着法 (no game found: neither tags nor moves)"
        )
    if all(map(noise, games)):
        raise InvalidRecord(noise(games[0]))
    return games


def noise(game: Game) -> str:
    """Why a game of :func:`loads` is none: prose or bytes that a reader took for moves.

    Returns:
        A sentence, ``""`` for a game. It has a tag, a position (be it a faulty one) or a legal
        move, or at least half of its words look like moves (the first may be mistyped).

    >>> [bool(noise(loads(text)[0])) for text in ("1. ab cd", "1. 炮二乎五 马8进7", "1. h2e3")]
    [True, False, False]
    """
    if game.headers or game.root.variations or game.board().fen() != START_FEN:
        return ""
    if any(defect.text.count("/") == 9 for defect in game.defects):  # a position, if a faulty one
        return ""
    words = [word for defect in game.defects[:1] for word in (defect.text, *defect.rest)]
    strange = [word for word in words if not is_move_text(word)]
    if 2 * len(strange) <= len(words):
        return ""
    return (
        f"不像棋谱，或者文字编码认错了：没有一着能照走，文字多半不是着法，例如 {strange[0][:40]!r} "
        "(not a record: no move can be played, and few words look like moves)"
    )


def _starts_with(magic: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(magic)


def _utf16(read_bytes: Callable[[bytes], list[Game]]) -> Reader:
    """A reader of a format whose texts are UTF-16 always, so that no encoding is to be given."""
    return lambda data, encoding: read_bytes(data)


FORMATS: list[Format] = [
    Format("XQF（象棋演播室）", xqf.is_xqf, xqf.read),
    Format(
        "CBL（象棋桥棋库）", _starts_with(ccbridge.LIBRARY_MAGIC), _utf16(ccbridge.read_library)
    ),
    Format("CBR（象棋桥）", _starts_with(ccbridge.RECORD_MAGIC), _utf16(ccbridge.read_record)),
    Format("CBF（象棋桥 XML）", cbf.is_cbf, cbf.read),
    Format("DhtmlXQ（东萍）", dhtmlxq.is_dhtmlxq, dhtmlxq.read),
    Format("PGN 或着法文本", lambda data: True, _read_text),
]
"""In the order in which they are tried; the last takes everything."""


def read(source: Path | str | bytes, encoding: str | None = None) -> list[Game]:
    """The games of a file.

    Args:
        source: a path, or the bytes of a file; gzip is unpacked first.
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
    defect = None
    if data.startswith(_GZIP):
        data, defect = _unpack(data)
    form = next(form for form in FORMATS if form.recognise(data))
    games = form.read(data, encoding)
    if defect is not None:
        games[-1].defects.append(defect)
    return games


def _unpack(data: bytes) -> tuple[bytes, Skipped | None]:
    """What a gzip file holds, and what is wrong with the end of it.

    Raises:
        InvalidRecord: nothing can be unpacked, or it is more than MOST_UNPACKED bytes.
    """
    unpacked = bytearray()
    machine = zlib.decompressobj(wbits=31)
    why = ""
    for at in range(0, len(data), 256):  # in small pieces, so that a fault costs little
        try:
            unpacked += machine.decompress(data[at : at + 256], MOST_UNPACKED)
        except zlib.error as error:
            why = str(error)
            break
        if len(unpacked) > MOST_UNPACKED or machine.unconsumed_tail:
            raise InvalidRecord(
                f"解压后超过 {MOST_UNPACKED >> 20} MB，不像棋谱 (too large when unpacked)"
            )
    if machine.eof:
        return bytes(unpacked), None
    reason = f"压缩文件损坏，其余不能解压 (damaged gzip, the rest is lost) {why}".rstrip()
    if not unpacked:
        raise InvalidRecord(reason)
    return bytes(unpacked), Skipped(0, "", reason)


def _write_pgn(games: Sequence[Game], notation: str, encoding: str) -> Written:
    return Written(encode("\n".join(dumps(game, notation) for game in games), encoding), [])


def _write_moves(games: Sequence[Game], notation: str, encoding: str) -> Written:
    alone = len(games) == 1
    text = "\n".join(_move_text(game, notation, is_alone=alone) for game in games)
    losses = {
        "标签 (tags)": any(game.headers for game in games),
        "变着 (variations)": any(
            len(node.variations) > 1 for game in games for node in game.root.walk()
        ),
        "评注 (remarks)": any(
            game.closing or any(node.comment or node.nags for node in game.root.walk())
            for game in games
        ),
    }
    return Written(encode(text, encoding), [name for name, lost in losses.items() if lost])


def _move_text(game: Game, notation: str, *, is_alone: bool) -> str:
    """The main line and the result; behind the FEN unless moves show the usual array."""
    start = game.board()
    line = Game.from_moves(game.moves(), start, result=game.result)
    _, moves = dumps(line, notation).split("\n\n", 1)
    is_plain = is_alone and start.fen() == START_FEN and bool(game.root.variations)
    return moves if is_plain else f"{start.fen()}\n{moves}"


def _write_dhtmlxq(games: Sequence[Game], notation: str, encoding: str) -> Written:
    return dhtmlxq.write(games, encoding=encoding)


def _write_xqf(games: Sequence[Game], notation: str, encoding: str) -> Written:
    if len(games) != 1:
        raise InvalidRecord(
            f"XQF 一个文件存一局，这里有 {len(games)} 局 (an XQF file holds one game)"
        )
    return xqf.write(games[0], encoding=encoding)


Writer = Callable[[Sequence[Game], str, str], Written]

WRITERS: dict[str, tuple[Writer, str]] = {
    "pgn": (_write_pgn, "utf-8"),
    "moves": (_write_moves, "utf-8"),
    "dhtmlxq": (_write_dhtmlxq, "utf-8"),
    "xqf": (_write_xqf, "gb18030"),
}
"""By name: who writes the format (games, notation, encoding), and its usual encoding."""

EXTENSIONS = {".pgn": "pgn", ".txt": "moves", ".ubb": "dhtmlxq", ".xqf": "xqf"}
"""Name of the format by the ending of a file's name."""


def to_bytes(
    games: Game | Iterable[Game],
    form: str = "pgn",
    *,
    notation: str = "chinese",
    encoding: str | None = None,
) -> Written:
    """Games as a file of a format.

    Args:
        form: a name in :data:`WRITERS`.
        notation: a name in :data:`NOTATIONS`, for the formats that are texts of moves.
        encoding: a Python codec; by default the format's usual one. Programs for Windows in China
            expect ``gb18030``.

    Returns:
        The bytes, and what the format has no place for.

    Raises:
        InvalidRecord: the format cannot hold these games, no such encoding, or a character that
            the encoding does not have.
        ValueError: no such format or notation.

    >>> to_bytes(Game.from_moves(["h2e2", "h9g7"]), "moves", notation="wxf").data
    b'  1. C2=5 H8+7 *\\n'
    """
    if form not in WRITERS:
        names = ", ".join(WRITERS)
        raise ValueError(f"能写的格式只有 (a format is one of) {names}: {form!r}")
    games = [games] if isinstance(games, Game) else list(games)
    write_games, usual = WRITERS[form]
    found = write_games(games, notation, usual if encoding is None else encoding)
    return Written(found.data, list(dict.fromkeys(found.losses)))


def write(
    path: Path | str,
    games: Game | Iterable[Game],
    *,
    form: str | None = None,
    notation: str = "chinese",
    encoding: str | None = None,
) -> list[str]:
    """Write games as a file; returns what its format has no place for.

    Args:
        form: as for :func:`to_bytes`; by default by the ending of the path (:data:`EXTENSIONS`),
            PGN for one that is not known.

    Raises:
        InvalidRecord, ValueError: as :func:`to_bytes`.
        OSError: the file cannot be written.
    """
    path = Path(path)
    form = form or EXTENSIONS.get(path.suffix.lower(), "pgn")
    data, losses = to_bytes(games, form, notation=notation, encoding=encoding)
    path.write_bytes(data)
    return losses
