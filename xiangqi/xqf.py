"""XQF, the format of XQStudio (象棋演播室): versions up to 0x12, read and written.

A header of 1024 bytes (version, keys, the points of 32 pieces, texts) and the tree of moves as a
stream of nodes. From version 0x0B on the nodes are hidden by keys made from eight header bytes, see
:class:`Keys`. Texts are a length byte and bytes of an encoding that is not named.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from qikit.errors import InvalidRecord
from xiangqi.encoding import decode_all
from xiangqi.fen import Setup
from xiangqi.game import Game, Skipped
from xiangqi.geometry import BLACK
from xiangqi.nodestream import Head, Reader, ReadHead, stream
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from xiangqi.rawtree import plant
from xiangqi.written import Written, encode

NEWEST = 0x12
"""The newest version there is a description of."""
_FIRST_WITH_KEYS = 0x0B
_FIRST_ROTATED = 0x0C
HEADER_SIZE = 1024
_POINTS = 0x10
_TURN, _RESULT, _KIND = 0x32, 0x33, 0x40
_FIELDS = {
    "Title": (0x50, 64),
    "Event": (0xD0, 64),
    "Date": (0x110, 16),
    "Site": (0x120, 16),
    "Red": (0x130, 16),
    "Black": (0x140, 16),
    "TimeRule": (0x150, 64),
    "RedTime": (0x190, 16),
    "BlackTime": (0x1A0, 16),
    "Annotator": (0x1D0, 16),
    "Author": (0x1E0, 16),
}
"""Tag: where its text stands in the header and how many bytes there are, the length included."""
_RESULTS = {1: "1-0", 2: "0-1", 3: "1/2-1/2", 4: "1/2-1/2"}

_SIDE = (
    *(ROOK, KNIGHT, BISHOP, ADVISOR, KING, ADVISOR, BISHOP, KNIGHT, ROOK),
    *(CANNON, CANNON, PAWN, PAWN, PAWN, PAWN, PAWN),
)
PIECE_ORDER = (*_SIDE, *(kind + 8 for kind in _SIDE))
"""Codes of the 32 pieces in the order of their points (DhtmlXQ has the same)."""

_NEXT, _SIBLING, _REMARK = 0x80, 0x40, 0x20
_MASK_TEXT = b"[(C) Copyright Mr. Dong Shiwei.]"
_SIZE = struct.Struct("<i")


class Keys(NamedTuple):
    """The numbers that hide a file from version 0x0B on; all are 0 before.

    Attributes:
        point: added to the points of the pieces.
        start, goal: added to the points of a move.
        size: added to the length of a remark.
        stream: 32 bytes, added to all that follows the header, again and again.
    """

    point: int = 0
    start: int = 0
    goal: int = 0
    size: int = 0
    stream: bytes = bytes(32)

    @classmethod
    def of(cls, header: bytes) -> Keys:
        """The keys of a header, from its bytes 2 (version), 3 and 8 to 15."""
        if header[2] < _FIRST_WITH_KEYS:
            return cls()
        mask, (total, point, start, goal) = header[3], header[12:16]
        at = _factor(point) * point & 0xFF
        origin = _factor(start) * at & 0xFF
        bits = [header[8 + i] | header[12 + i] & mask for i in range(4)]
        return cls(
            at,
            origin,
            _factor(goal) * origin & 0xFF,
            (total * 256 + point) % 32000 + 767,
            bytes(bits[i % 4] & char for i, char in enumerate(_MASK_TEXT)),
        )


def _factor(key: int) -> int:
    return 54 * key * key + 221


def _shifted(data: bytes, stream: bytes, sign: int) -> bytes:
    """Bytes plus or minus the repeated stream, modulo 256."""
    if not any(stream):
        return data
    table = [bytes((value + sign * key) & 0xFF for value in range(256)) for key in stream]
    shifted = bytearray(len(data))
    for i in range(32):
        shifted[i::32] = data[i::32].translate(table[i])
    return bytes(shifted)


def is_xqf(data: bytes) -> bool:
    """Whether the bytes of a file begin as XQF does."""
    return data[:2] == b"XQ" and data[2:3] < b" "


def read(data: bytes, encoding: str | None = None) -> list[Game]:
    """The game of an XQF file.

    Args:
        encoding: a Python codec for its texts; found out by default.

    Raises:
        InvalidRecord: no XQF, cut before the position, or the position cannot be played and there
            is no text either; or no such encoding.

    >>> [game] = read(write(Game.from_moves(["h2e2"], headers={"Red": "甲"})).data)
    >>> game.headers, [str(move) for move in game.moves()]
    ({'Red': '甲'}, ['h2e2'])
    """
    if not is_xqf(data):
        raise InvalidRecord("不是 XQF 文件 (not an XQF file)")
    if len(data) < _POINTS + 32:
        raise InvalidRecord(
            f"XQF 文件只有 {len(data)} 字节，没有局面 (cut before the position of the pieces)"
        )
    defects: list[Skipped] = []
    if data[2] > NEWEST:
        defects.append(
            Skipped(
                0,
                f"0x{data[2]:02X}",
                f"未知的 XQF 版本，按 0x{NEWEST:02X} 读 (unknown version, read as that one)",
            )
        )
    header = data[:HEADER_SIZE].ljust(HEADER_SIZE, b"\0")
    keys = Keys.of(header)
    setup = _placement(header, keys, defects)
    body = _shifted(data[HEADER_SIZE:], keys.stream, -1)
    tree = Reader(body, _head(header[2], keys), keys.size)
    defects += tree.defects

    fields = [_field(header, *place) for place in _FIELDS.values()]
    texts, damaged = decode_all([*fields, *(text for _, text in tree.remarks)], encoding)
    texts = [_tidy(text) for text in texts]
    if damaged:
        reason = f"{damaged} 处文字无法解码 ({damaged} places cannot be decoded)"
        defects.append(Skipped(0, "�", reason))
    headers = {name: text for name, text in zip(_FIELDS, texts, strict=False) if text}
    if header[_KIND]:
        headers["RecordType"] = str(header[_KIND])
    for (node, _), text in zip(tree.remarks, texts[len(_FIELDS) :], strict=True):
        node.comment = text
    game = plant(setup, tree.root, headers=headers, defects=defects)
    result = header[_RESULT]
    game.result = _RESULTS.get(result, "*")
    if result not in _RESULTS and result:
        game.defects.append(Skipped(0, str(result), "结果代码未知 (unknown code of a result)"))
    if game.defects and header[2] >= _FIRST_WITH_KEYS and sum(header[12:16]) & 0xFF:
        reason = "密钥校验和不对，上面的错可能由此而来 (the check sum of the keys is wrong)"
        game.defects.append(Skipped(0, header[12:16].hex(" "), reason))
    return [game]


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\0 \t\n")


def _field(header: bytes, at: int, size: int) -> bytes:
    """A text of the header; a length beyond its place is cut to it."""
    return header[at + 1 : at + 1 + min(header[at], size - 1)]


def _placement(header: bytes, keys: Keys, defects: list[Skipped]) -> Setup:
    """The position; the side to move is a hint only."""
    stored = header[_POINTS : _POINTS + 32]
    turn = (keys.point + 1) % 32 if header[2] >= _FIRST_ROTATED else 0
    codes = np.zeros(90, np.uint8)
    for i, code in enumerate(PIECE_ORDER):
        point = (stored[(i - turn) % 32] - keys.point) & 0xFF
        if point >= 90:
            continue
        sq = 9 * (point % 10) + point // 10
        if codes[sq]:
            defects.append(
                Skipped(0, str(point), "两个棋子在同一点，取前一个 (two pieces on one point)")
            )
        else:
            codes[sq] = code
    return Setup(codes, int(header[_TURN] == 1), named_turn=False)


def _head(version: int, keys: Keys) -> ReadHead:
    """How the four bytes of a node are read."""

    def read_head(node: bytes) -> Head:
        start = _square(node[0] - 24 - keys.start & 0xFF)
        goal = _square(node[1] - 32 - keys.goal & 0xFF)
        tag = node[2]
        if version < _FIRST_WITH_KEYS:
            return Head(start, goal, tag & 0xF0 != 0, tag & 0x0F != 0, True)
        return Head(start, goal, tag & _NEXT != 0, tag & _SIBLING != 0, tag & _REMARK != 0)

    return read_head


def _square(point: int) -> int:
    """Point 0..89 of a file's number ``10 * x + y``; what is off the board stays off it."""
    return 9 * (point % 10) + point // 10 if point < 90 else point


def write(
    game: Game, *, encoding: str = "gb18030", version: int = 0x0A, secret: bytes = bytes(8)
) -> Written:
    """A game as an XQF file.

    Args:
        encoding: a Python codec for the texts; XQStudio itself knows GBK only.
        version: up to 0x12. The default, 0x0A, hides nothing and is read by all programs.
        secret: from version 0x0B on the bytes that the keys are made of: 3, 8 to 11, 13 to 15 of
            the header (12 is a check sum). None of it is secret to a reader.

    Raises:
        InvalidRecord: no such encoding, or a character that it does not have.
        ValueError: no such version, or not eight bytes.
    """
    if not 0 <= version <= NEWEST or len(secret) != 8:
        raise ValueError(
            f"XQF 版本为 0x00 至 0x{NEWEST:02X}，密钥为 8 字节"
            f" (no such version, or not eight bytes): {version!r}, {secret!r}"
        )
    losses: list[str] = []
    header = bytearray(HEADER_SIZE)
    header[:3] = b"XQ" + bytes([version])
    if version >= _FIRST_WITH_KEYS:
        header[3] = secret[0]
        header[8:12] = secret[1:5]
        header[13:16] = secret[5:8]
        header[12] = -sum(secret[5:8]) & 0xFF
    keys = Keys.of(bytes(header))
    header[_POINTS : _POINTS + 32] = _stored_points(game, version, keys)
    board = game.board()
    header[_TURN] = int(board.turn == BLACK)
    header[_RESULT] = {"1-0": 1, "0-1": 2, "1/2-1/2": 3}.get(game.result, 0)
    if board.halfmove_clock or board.fullmove_number != 1:
        losses.append("FEN 的计数 (the counters of the FEN)")
    for name, value in game.headers.items():
        if name == "RecordType" and value in ("1", "2", "3"):
            header[_KIND] = int(value)
        elif name in _FIELDS:
            at, size = _FIELDS[name]
            text = _fitting(encode(value, encoding), size - 1, encoding)
            if text != encode(value, encoding):
                losses.append(f"{name}：截短为 {size - 1} 字节 (cut to fit)")
            header[at] = len(text)
            header[at + 1 : at + 1 + len(text)] = text
        elif name not in ("Game", "Result", "Format", "FEN") and value:
            losses.append(f"{name}：XQF 没有这一项 (no such field)")
    if any(node.nags for node in game.root.walk()):
        losses.append("着法后的符号 !? (glyphs behind moves)")
    body = b"".join(_nodes(game, version, keys, encoding))
    return Written(bytes(header) + _shifted(body, keys.stream, 1), losses)


def _fitting(text: bytes, room: int, encoding: str) -> bytes:
    """As many whole characters as fit."""
    return text if len(text) <= room else text[:room].decode(encoding, "ignore").encode(encoding)


def points_by_piece(game: Game) -> list[int | None]:
    """Points 0..89 of the start position in :data:`PIECE_ORDER`, None for a piece that is off."""
    places: list[int | None] = [None] * len(PIECE_ORDER)
    for sq, piece in game.board().piece_map().items():  # never more pieces than a set has
        slot = next(
            i for i, code in enumerate(PIECE_ORDER) if code == piece.code and places[i] is None
        )
        places[slot] = sq
    return places


def _stored_points(game: Game, version: int, keys: Keys) -> bytes:
    turn = (keys.point + 1) % 32 if version >= _FIRST_ROTATED else 0
    stored = bytearray(32)
    for i, sq in enumerate(points_by_piece(game)):
        point = 0xFF if sq is None else 10 * (sq % 9) + sq // 9
        stored[(i - turn) % 32] = point + keys.point & 0xFF
    return bytes(stored)


def _nodes(game: Game, version: int, keys: Keys, encoding: str) -> Iterator[bytes]:
    """The nodes of the tree in the order of the file; the remark behind the result is put last."""
    end = game.end()
    for node, goes_on, has_sibling in stream(game):
        remark = node.comment
        if node is end and game.closing:
            remark = f"{remark}\n{game.closing}" if remark else game.closing
        text = encode(remark.replace("\n", "\r\n"), encoding)
        start, goal = map(_point, node.move) if node.move else (0, 0)
        if version < _FIRST_WITH_KEYS:
            tag = 0xF0 * goes_on | 0x0F * has_sibling
        else:
            tag = _NEXT * goes_on | _SIBLING * has_sibling | _REMARK * bool(text)
        yield bytes((start + 24 + keys.start & 0xFF, goal + 32 + keys.goal & 0xFF, tag, 0))
        if text or version < _FIRST_WITH_KEYS:
            yield _SIZE.pack(len(text) + keys.size) + text


def _point(sq: int) -> int:
    return 10 * (sq % 9) + sq // 9
