"""RenLib's ``.lib`` libraries (read): a tree of 15x15 moves with comments, marks and board texts.

After a header of 20 bytes each node is two bytes: the point (``16 * (row from the top) + column``,
columns from 1; 0 = none) and flags. Nodes stand depth first: ``DOWN`` says that a sibling of the
node follows later, ``RIGHT`` that the line ends here and the last such sibling comes next.
"""

from __future__ import annotations

from gomoku.board import Board
from gomoku.game import Game, Node, Recorder, Skipped
from gomoku.geometry import on_board
from gomoku.move import PASS, Move
from gomoku.rules import Rules
from qikit.errors import InvalidRecord

_MAGIC = b"\xffRenLib\xff"
_HEADER_SIZE = 20
_DOWN, _RIGHT, _OLD_COMMENT, _MARK, _COMMENT, _START, _NO_MOVE, _EXTENSION = (
    0x80,
    0x40,
    0x20,
    0x10,
    0x08,
    0x04,
    0x02,
    0x01,
)
_BOARD_TEXT = 0x01
_SIZE = 15


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def pair(self) -> tuple[int, int] | None:
        """The next two bytes, ``None`` at the end."""
        found = self.data[self.at : self.at + 2]
        self.at += 2
        return (found[0], found[1]) if len(found) == 2 else None

    def text(self) -> bytes:
        """A text that ends with a zero, padded to an even length."""
        out = bytearray()
        while (pair := self.pair()) is not None:
            for byte in pair:
                if byte == 0:
                    return bytes(out)
                out.append(byte)
        return bytes(out)

    def old_text(self) -> bytes:
        """A text whose last byte has its high bit set, padded to an even length."""
        out = bytearray()
        while (pair := self.pair()) is not None:
            for byte in pair:
                out.append(byte & 0x7F)
                if byte & 0x80:
                    return bytes(out)
        return bytes(out)


def _decode(raw: bytes, encoding: str) -> str:
    """Text of a comment: a title, then (after a backspace) the rest."""
    text = raw.decode(encoding, "replace").replace("\r\n", "\n")
    return "\n".join(part for part in text.split("\b") if part)


def read(data: bytes, *, rules: Rules | str = "renju", encoding: str = "gb18030") -> Game:
    """The library as one game whose variations are its tree.

    Marks (``*``) and texts on the board become lines of the comment. Bad nodes are left out
    together with what follows them, and listed in ``defects``.

    Raises:
        InvalidRecord: no RenLib library, or one of a version that is not known (above 3).

    >>> game = read(b"\\xffRenLib\\xff\\x03\\x04" + b"\\xff" * 10 + bytes([0x78, 0x40]))
    >>> [str(move) for move in game.mainline()]
    ['h8']
    """
    if data[:8] == _MAGIC:
        if len(data) < _HEADER_SIZE:
            raise InvalidRecord("RenLib 文件不完整 (the header is cut off)", text=repr(data))
        if data[8] > 3:
            raise InvalidRecord(
                f"RenLib {data[8]}.{data[9]} 版未知 (unknown version of RenLib)",
                text=repr(data[:10]),
            )
        source = _Bytes(data[_HEADER_SIZE:])
    elif data[:1] == b"\x78":  # libraries older than the header begin with the centre point
        source = _Bytes(data)
    else:
        raise InvalidRecord("不是 RenLib 棋谱库 (no RenLib library)", text=repr(data[:10]))
    game = Game(Board(rules=rules, size=_SIZE))
    recorder = Recorder(game)
    path: list[Node] = [game.root]
    lost = 0  # length of the path below a node that could not be taken
    pending: list[int] = []
    first = True
    while (pair := source.pair()) is not None:
        where, flags = pair
        extended = source.pair() if flags & _EXTENSION else None
        if first and where == 0:
            node: Node | None = game.root
        else:
            nothing = not where or flags & _NO_MOVE
            move = PASS if nothing else Move(where % 16 - 1, _SIZE - 1 - where // 16)
            text = f"0x{where:02x}"
            node = None
            if not lost and not nothing and not on_board(move.x, move.y, _SIZE):
                recorder.skip(text, f"不在 {_SIZE} 路棋盘上 (off the board)")
                lost = len(path)
            elif not lost and recorder.play(move, text=text):
                node = recorder.node
            else:
                lost = lost or len(path)
            path.append(node if node is not None else path[-1])
        first = False
        remarks = []
        if flags & _OLD_COMMENT:
            remarks.append(_decode(source.old_text(), encoding))
        elif flags & _COMMENT:
            remarks.append(_decode(source.text(), encoding))
        if extended is not None and extended[1] & _BOARD_TEXT:
            remarks.append(f"[{_decode(source.text(), encoding)}]")
        if flags & _MARK:
            remarks.append("*")
        if node is not None:
            node.comment = "\n".join(filter(None, [node.comment, *remarks]))
        if flags & _DOWN:
            pending.append(len(path) - 1)
        if flags & _RIGHT and pending:
            del path[max(1, pending.pop()) :]  # the empty board has no sibling
            if lost and len(path) <= lost:
                lost = 0
            if not lost:
                recorder.back_to(path[-1], len(path) - 1)
    if len(source.data) % 2:
        game.defects.append(Skipped(0, repr(source.data[-1:]), "文件不完整 (cut off)"))
    return game
