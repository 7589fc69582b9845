"""Whole games in the formats people have: SGF, Gomocup's .psq, RenLib's .lib, plain lists."""

from __future__ import annotations

import re
from pathlib import Path

from gomoku import psq, renlib, sgf
from gomoku.board import Board
from gomoku.game import Game, Node, Recorder, Skipped, result_of
from gomoku.geometry import DEFAULT_SIZE
from gomoku.notation import format_moves, parse_moves
from gomoku.rules import Rules
from qikit.errors import InvalidMove, InvalidRecord

__all__ = ["Game", "Node", "Skipped", "dumps", "loads", "read"]

_SGF = re.compile(r"\s*\(\s*;")


def read(
    source: str | Path | bytes, *, rules: Rules | str | None = None, encoding: str | None = None
) -> list[Game]:
    """The games of a file or of its bytes; the format is told by the content.

    Args:
        rules: rules of formats that do not name them; default renju for RenLib, else freestyle.
        encoding: of texts; default UTF-8 with GB18030 where that fails.

    Raises:
        InvalidRecord: it cannot be read at all; games that can be read in part come with defects.
        OSError: the file cannot be opened.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    if data[:8] == b"\xffRenLib\xff" or data[:2] in (b"\x78\x00", b"\x78\x40", b"\x78\x80"):
        return [renlib.read(data, rules=rules or "renju", encoding=encoding or "gb18030")]
    return loads(_decode(data, encoding), rules=rules)


def _decode(data: bytes, encoding: str | None) -> str:
    if encoding is not None:
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")


def loads(text: str, *, rules: Rules | str | None = None) -> list[Game]:
    """The games of a text: SGF, psq, or plain lists of moves, one game a line.

    Raises:
        InvalidRecord: nothing of that kind.

    >>> [len(game.mainline()) for game in loads("h8i9f10\\nh8 h9 i8 i9\\n")]
    [3, 4]
    """
    text = text.removeprefix("\ufeff")
    if _SGF.match(text):
        return sgf.loads(text)
    if text.startswith("Piskvorky"):
        return [psq.loads(text, rules=rules or "freestyle")]
    games = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            moves = parse_moves(line)
        except InvalidMove as error:
            raise InvalidRecord(
                f"第 {number} 行不是棋谱 (line {number} is no game): {error}", text=line
            ) from None
        game = Game(Board(rules=rules or "freestyle", size=DEFAULT_SIZE))
        recorder = Recorder(game)
        for move in moves:
            if not recorder.play(move):
                break
        game.result = result_of(recorder.board)
        games.append(game)
    if not games:
        raise InvalidRecord("没有棋谱 (no game in the text)", text=text[:80])
    return games


def dumps(game: Game, format: str = "sgf") -> str:
    """The game as text; ``format`` is ``sgf`` (all of it), ``psq`` or ``moves`` (the main line).

    Raises:
        ValueError: no such format, or the format cannot hold the game.
    """
    if format == "sgf":
        return sgf.dumps(game)
    if format == "psq":
        return psq.dumps(game)
    if format == "moves":
        return format_moves(game.mainline()) + "\n"
    raise ValueError(f"没有格式 {format!r} (no such format): sgf, psq, moves")
