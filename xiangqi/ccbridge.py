"""CBR and CBL, the records and libraries of 象棋桥 (CCBridge): read.

A CBR record has fixed places for its texts (UTF-16), the position point by point, and the tree of
moves: a node, all that follows it, then the other moves at its place. A CBL library is an index and
records one behind the other; some of them are headings with an empty board and no moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qikit.errors import InvalidRecord
from xiangqi.fen import Setup
from xiangqi.game import Game, Skipped
from xiangqi.geometry import BLACK, RED
from xiangqi.nodestream import Head, Reader
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.rawtree import plant

RECORD_MAGIC = b"CCBridge Record\0"
LIBRARY_MAGIC = b"CCBridgeLibrary\0"
_FIELDS = {"Title": (180, 128), "Event": (692, 64), "Red": (1076, 64), "Black": (1300, 64)}
"""Tag: where its text stands in a record and how many bytes there are."""
_RESULT, _SIDE, _BOARD, _TREE = 2076, 2116, 2120, 2214
_RESULTS = ("*", "1-0", "0-1", "1/2-1/2")
_KINDS = (ROOK, KNIGHT, BISHOP, ADVISOR, KING, CANNON, PAWN)
_CODES = {
    base + i: kind + 8 * color
    for base, color in ((0x11, RED), (0x21, BLACK))
    for i, kind in enumerate(_KINDS)
}
_LAST, _SIBLING, _REMARK = 1, 2, 4


class Heading(NamedTuple):
    """A record of a library that stands for no game: its title and its remark."""

    title: str
    remark: str


def read_record(data: bytes) -> list[Game]:
    """The game of a CBR file.

    Raises:
        InvalidRecord: no CBR, or cut before its moves, or a heading without a game.
    """
    if not data.startswith(RECORD_MAGIC):
        raise InvalidRecord("不是 CBR 文件 (not a CBR file)")
    found = _record(data)
    if isinstance(found, Heading):
        raise InvalidRecord(
            f"CBR 里只有标题 {found.title!r}，没有局面 (a title without a position)"
        )
    return [found]


def read_library(data: bytes) -> list[Game]:
    """The games of a CBL file; the heading above a game is its tag ``Section``.

    Raises:
        InvalidRecord: no CBL, or there is no game in it.
    """
    items = library(data)
    section, games = "", []
    for item in items:
        if isinstance(item, Heading):
            section = item.title
            continue
        if section:
            item.headers["Section"] = section
        games.append(item)
    if not games:
        raise InvalidRecord(
            f"CBL 棋库里没有棋局，只有 {len(items)} 个标题 (headings but no game in the library)"
        )
    return games


def library(data: bytes) -> list[Game | Heading]:
    """What a CBL file holds, in its order: games, and headings between them.

    Records of which nothing can be read are a defect of the game that follows (else of the last).

    Raises:
        InvalidRecord: no CBL.
    """
    if not data.startswith(LIBRARY_MAGIC):
        raise InvalidRecord("不是 CBL 文件 (not a CBL file)")
    items: list[Game | Heading] = []
    game: Game | None = None
    unreadable = 0
    at = data.find(RECORD_MAGIC)
    while at >= 0:
        end = data.find(RECORD_MAGIC, at + 1)
        record = data[at : end if end >= 0 else None]
        at = end
        try:
            item = _record(record)
        except InvalidRecord:
            unreadable += 1
            continue
        items.append(item)
        if isinstance(item, Game):
            game = item
            _note(game, unreadable)
            unreadable = 0
    if game is not None:
        _note(game, unreadable)
    return items


def _note(game: Game, unreadable: int) -> None:
    if unreadable:
        reason = f"旁边有 {unreadable} 个残缺的记录没有读 ({unreadable} cut records beside it)"
        game.defects.append(Skipped(0, "", reason))


def _record(data: bytes) -> Game | Heading:
    """One record.

    Raises:
        InvalidRecord: it is cut before the end of its position, or that cannot be played and there
            is no text either.
    """
    if len(data) < _BOARD + 90:
        raise InvalidRecord(f"CBR 只有 {len(data)} 字节，没有局面 (cut before the position)")
    headers = {}
    damaged = 0
    for name, (at, size) in _FIELDS.items():
        text = _text(data[at : at + size])
        damaged += text.count("�")
        if text:
            headers[name] = text
    tree = Reader(data[_TREE:], _head)
    for node, remark in tree.remarks:
        node.comment = _text(remark)
        damaged += node.comment.count("�")
    board = data[_BOARD : _BOARD + 90]
    if not any(board):
        return Heading(headers.get("Title", ""), tree.root.comment)
    defects = list(tree.defects)
    if damaged:
        reason = f"{damaged} 处文字无法解码 ({damaged} places cannot be decoded)"
        defects.append(Skipped(0, "�", reason))
    unknown = sorted({value for value in board if value and value not in _CODES})
    if unknown:
        text = " ".join(f"0x{value:02X}" for value in unknown)
        defects.append(Skipped(0, text, "不认识的棋子代码，当作空点 (unknown codes of pieces)"))
    codes = np.zeros(90, np.uint8)
    for i, value in enumerate(board):
        codes[_square(i)] = _CODES.get(value, 0)
    turn = {1: RED, 2: BLACK}.get(int.from_bytes(data[_SIDE : _SIDE + 2], "little"))
    setup = Setup(codes, turn or RED, named_turn=turn is not None)
    game = plant(setup, tree.root, headers=headers, defects=defects)
    result = data[_RESULT]
    if result < len(_RESULTS):
        game.result = _RESULTS[result]
    else:
        game.defects.append(Skipped(0, str(result), "结果代码未知 (unknown code of a result)"))
    return game


def _text(data: bytes) -> str:
    """UTF-16 up to the first NUL."""
    text = data.decode("utf-16-le", "replace").split("\0", 1)[0]
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _square(number: int) -> int:
    """Point 0..89 of a number that counts rows from the top."""
    return 9 * (9 - number // 9) + number % 9 if number < 90 else number


def _head(node: bytes) -> Head:
    flags, _, start, goal = node
    return Head(
        _square(start),
        _square(goal),
        not flags & _LAST,
        flags & _SIBLING != 0,
        flags & _REMARK != 0,
    )
