"""CBF, the XML records of 象棋桥 (CCBridge): read.

``Head`` holds the texts and the FEN, ``MoveList`` one ``Move`` a ply: ``value="77-47"`` (columns
from Red's left, rows from the top, both from 0) and the remark as text inside. The first Move is a
dummy that carries the remark before the game, the last has ``end="1"``.

Entities are not expanded: a document that declares any is refused. Behind a place that is no XML
the reading goes on with the next element.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from qikit.errors import InvalidPosition, InvalidRecord
from xiangqi.encoding import decode
from xiangqi.fen import parse_fen
from xiangqi.game import Game, Skipped
from xiangqi.geometry import START_FEN
from xiangqi.nodestream import MOST_NODES
from xiangqi.rawtree import RawNode, plant

_TAGS = {"Name": "Title", "Contest": "Event", "Commentator": "Annotator", "Creator": "Author"}
"""Elements of the head whose tag in a game has another name; the others keep theirs."""
_RESULTS = {"0": "*", "1": "1-0", "2": "0-1", "3": "1/2-1/2", "4": "1/2-1/2"}
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*?\?>")
_DECLARED = re.compile(rb"""^[^<]{0,8}<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_VALUE = re.compile(r"\s*([0-9])([0-9])\s*-\s*([0-9])([0-9])\s*", re.ASCII)
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_ELEMENT = re.compile(rb"<(?=[A-Za-z])")
_CUT = expat.errors.XML_ERROR_NO_ELEMENTS
_RECOVERIES = 20
"""Broken places after which the reading goes on."""
_DEEPEST = 100
_MOST_TAGS = 1000


def is_cbf(data: bytes) -> bool:
    """Whether the bytes of a file begin as CBF does."""
    return b"<ChineseChessRecord" in data[:4096].replace(b"\0", b"")


def read(data: bytes, encoding: str | None = None) -> list[Game]:
    """The game of a CBF file.

    Args:
        encoding: a Python codec; by default what the XML declares, or what makes sense.

    Raises:
        InvalidRecord: the file declares entities, or has neither a head nor moves, or there is no
            such encoding.

    >>> [game] = read(b'<ChineseChessRecord><MoveList><Move value="00-00"/><Move value="77-47"/>'
    ...               b'</MoveList></ChineseChessRecord>')
    >>> [str(move) for move in game.moves()], game.defects
    (['h2e2'], [])
    """
    text, damaged = _decode(data, encoding)
    document = _Document()
    document.read(_NO_XML.sub("�", _DECLARATION.sub("", text.lstrip("\ufeff"), count=1)))
    if not document.head and not document.moves:
        raise InvalidRecord("CBF 里没有棋局 (neither a head nor moves in it)")
    defects = document.defects
    if damaged:
        reason = f"{damaged} 处文字无法解码 ({damaged} places cannot be decoded)"
        defects.append(Skipped(0, "�", reason))
    return [_game(document, defects)]


def _decode(data: bytes, encoding: str | None) -> tuple[str, int]:
    """Text of the file; what it declares is believed if the text can be read so."""
    declared = _DECLARED.match(data)
    if encoding is None and declared is not None:
        name = declared[1].decode("ascii")
        try:
            found = decode(data, name if name.lower() not in ("gb2312", "gbk") else "gb18030")
        except InvalidRecord:
            found = decode(data)
        if not found.damaged:
            return found.text, 0
    found = decode(data, encoding)
    return found.text, found.damaged


class _Move:
    """A ``Move`` element: its value, whether it ends the line, its remark."""

    __slots__ = ("end", "remark", "value")

    def __init__(self, attributes: dict[str, str]) -> None:
        self.value = attributes.get("value", "")
        self.end = attributes.get("end", "0").strip() not in ("", "0")
        self.remark = ""


class _Document:
    """What stands in the elements, taken down as the parser passes them."""

    def __init__(self) -> None:
        self.head: dict[str, str] = {}
        self.moves: list[_Move] = []
        self.defects: list[Skipped] = []
        self._depth = 0
        self._move: _Move | None = None
        self._text: list[str] = []

    def read(self, text: str) -> None:
        """Parse; behind a broken place go on with the next element."""
        data = text.encode()
        for attempt in range(_RECOVERIES):
            broken = self._parse(data, is_whole=attempt == 0)
            self._close_move()
            following = None if broken is None else _ELEMENT.search(data, broken + 1)
            if following is None:
                return
            data = b"<ChineseChessRecord>" + data[following.start() :]
        self._defect("XML 损坏处太多，其余没有读 (too many broken places, the rest is not read)")

    def _parse(self, data: bytes, *, is_whole: bool) -> int | None:
        """Where the XML is broken, None if it is not."""
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = _refuse
        self._depth = 0
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            at = max(parser.ErrorByteIndex, 0)
            why = expat.ErrorString(error.code)
            # what has lost its beginning is closed without having been opened
            if is_whole or why not in (expat.errors.XML_ERROR_TAG_MISMATCH, _CUT):
                place = data[at : at + 20].decode("utf-8", "replace")
                self._defect(f"不是正确的 XML (not well-formed XML): {why}", place)
            return at
        return None

    def _defect(self, reason: str, text: str = "") -> None:
        self.defects.append(Skipped(max(len(self.moves) - 1, 0), text, reason))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._close_move()
        self._depth += 1
        if self._depth > _DEEPEST or len(self.moves) > MOST_NODES or len(self.head) > _MOST_TAGS:
            raise InvalidRecord("CBF 的元素太多或嵌套太深 (too many elements, or nested too deep)")
        self._text = []
        if name == "Move":
            self._move = _Move(attributes)
            self.moves.append(self._move)

    def _end(self, name: str) -> None:
        self._depth -= 1
        text = "".join(self._text).strip()
        if self._move is not None:
            self._close_move()
        elif text and self.head.setdefault(name, text) != text:
            self._defect("元素重复，取前一个 (element given twice)", f"{name}: {text}")
        self._text = []

    def _characters(self, text: str) -> None:
        self._text.append(text)

    def _close_move(self) -> None:
        if self._move is not None:
            self._move.remark = "".join(self._text).strip()
            self._move, self._text = None, []


def _refuse(*_: object) -> None:
    raise InvalidRecord("CBF 里有 DOCTYPE，不读 (a document type is refused)")


def _game(document: _Document, defects: list[Skipped]) -> Game:
    head = dict(document.head)
    result = head.get("RecordResult", "")
    fen = head.pop("FEN", "")
    headers = {_TAGS.get(name, name): text for name, text in head.items() if _NAME.fullmatch(name)}
    root = _tree(document.moves, defects)
    try:
        game = plant(parse_fen(fen or START_FEN), root, headers=headers, defects=defects)
    except InvalidPosition as error:
        count = sum(1 for _ in root.walk()) - 1
        game = Game(headers=headers)
        game.root.comment = root.comment
        game.defects = [
            *defects,
            Skipped(0, fen, f"{error}；{count} 着没有读 ({count} moves not read)"),
        ]
    if result in _RESULTS:
        game.result = _RESULTS[result]
    elif result:
        game.defects.append(Skipped(0, result, "结果代码未知 (unknown code of a result)"))
    return game


def _tree(moves: list[_Move], defects: list[Skipped]) -> RawNode:
    """The line of the moves."""
    node = root = RawNode()
    for number, move in enumerate(moves):
        rest = len(moves) - 1 - number
        match = _VALUE.fullmatch(move.value)
        if match is None:
            reason = f"不是着法 (no move)；其后 {rest} 着没有读 ({rest} more not read)"
            defects.append(Skipped(number, move.value, reason))
            break
        numbers = [int(digit) for digit in match.groups()]
        start, goal = _square(*numbers[:2]), _square(*numbers[2:])
        if number or start != goal:
            follower = RawNode(start, goal)
            node.children.append(follower)
            node = follower
        node.comment = move.remark
        if move.end and rest:
            reason = f"终着之后还有 {rest} 着，没有读 ({rest} moves behind the last one, not read)"
            defects.append(Skipped(number + 1, moves[number + 1].value, reason))
            break
    return root


def _square(column: int, row: int) -> int:
    """Point 0..89 of a column from Red's left and a row from the top; -1 off the board."""
    return 9 * (9 - row) + column if column < 9 else -1
