"""Files in the formats that the program only reads, built here from their description."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from xiangqi import Game, Move

CODES = {
    **{letter: 0x11 + i for i, letter in enumerate("RNBAKCP")},
    **{letter: 0x21 + i for i, letter in enumerate("rnbakcp")},
}
END = ' end="1"'
RESULTS = {"*": 0, "1-0": 1, "0-1": 2, "1/2-1/2": 3}


def cbr(game: Game, *, board: bytes | None = None) -> bytes:
    """A record of 象棋桥; ``board`` replaces its 90 bytes."""
    data = bytearray(2214)
    data[:16] = b"CCBridge Record\0"
    for tag, at, size in (
        ("Title", 180, 128),
        ("Event", 692, 64),
        ("Red", 1076, 64),
        ("Black", 1300, 64),
    ):
        text = game.headers.get(tag, "").encode("utf-16-le")[: size - 2]
        data[at : at + len(text)] = text
    data[2076] = RESULTS[game.result]
    struct.pack_into("<H", data, 2116, game.board().turn + 1)
    for sq, piece in game.board().piece_map().items():
        data[2120 + top(sq)] = CODES[piece.symbol()]
    if board is not None:
        data[2120:2210] = board
    for node in game.root.walk():
        remark = node.comment.encode("utf-16-le")
        further = node.parent is not None and node.parent.variations[-1] is not node
        start, goal = node.move or Move(81, 81)
        data += bytes(
            [(not node.variations) | further << 1 | bool(remark) << 2, 0, top(start), top(goal)]
        )
        if remark:
            data += struct.pack("<i", len(remark)) + remark
    return bytes(data)


def top(sq: int) -> int:
    """Number of a point when rows are counted from the top."""
    return 9 * (9 - sq // 9) + sq % 9


def cbl(records: Sequence[bytes], capacity: int = 128) -> bytes:
    """A library of such records."""
    data = bytearray(101952)
    data[:16] = b"CCBridgeLibrary\0"
    struct.pack_into("<i", data, 60, capacity)
    for record in records:
        data += record.ljust(-(-len(record) // 4096) * 4096, b"\0")
    return bytes(data)


def heading(title: str) -> bytes:
    """A record of a library that stands for no game."""
    return cbr(Game(headers={"Title": title}), board=bytes(90))


def cbf(game: Game) -> bytes:
    """The main line of a game as the XML of 象棋桥."""
    names = {"Title": "Name", "Event": "Contest", "Annotator": "Commentator"}
    head = "".join(
        f"<{names.get(tag, tag)}>{escape(value)}</{names.get(tag, tag)}>"
        for tag, value in game.headers.items()
    )
    moves = [("00-00", game.root.comment)]
    moves += [(xml_value(node.move), node.comment) for node in game.mainline() if node.move]
    rows = "".join(
        f"<Move value={quoteattr(value)}{END if i == len(moves) - 1 else ''}>"
        f"<![CDATA[{remark.replace(']]>', ']] >')}]]></Move>\n"
        for i, (value, remark) in enumerate(moves)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ChineseChessRecord Version="1.0">'
        f"<Head>{head}<RecordResult>{RESULTS[game.result]}</RecordResult>"
        f"<FEN>{game.board().fen()}</FEN></Head>\n<MoveList>\n{rows}</MoveList></ChineseChessRecord>"
    ).encode()


def xml_value(move: Move) -> str:
    """Columns from Red's left and rows from the top: ``77-47``."""
    return "-".join(f"{sq % 9}{9 - sq // 9}" for sq in move)
