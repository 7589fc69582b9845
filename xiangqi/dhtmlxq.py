"""DhtmlXQ (东萍象棋), the bracketed text of web pages and forums (UBB): read and written.

``[DhtmlXQ_name]value[/DhtmlXQ_name]`` fields between ``[DhtmlXQ]`` and ``[/DhtmlXQ]``: ``binit`` =
points of 32 pieces (column from Red's left and row from the top, ``99`` = off the board),
``movelist`` = four digits a ply, ``move_P_N_ID`` = line ID, which leaves line P with another move
at ply N, ``commentN`` and ``commentID_N`` = remark after ply N. Closing tags are often misspelt, so
a value ends where the next bracket of this kind begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from qikit.errors import InvalidRecord
from xiangqi.encoding import decode
from xiangqi.fen import Setup
from xiangqi.game import Game, Node, Skipped
from xiangqi.geometry import BLACK, RED
from xiangqi.movetext import RESULT_WORDS
from xiangqi.rawtree import MOST_DEFECTS, RawNode, plant
from xiangqi.written import Written, encode
from xiangqi.xqf import PIECE_ORDER, points_by_piece

_FIELD = re.compile(
    r"\[DhtmlXQ_(\w+)\]((?:[^\[]|\[(?!/?DhtmlXQ))*+)|(\[/?DhtmlXQ(?:HTML|iFrame)?\])",
    re.IGNORECASE | re.ASCII,
)
_BRACKET = re.compile(r"\[(?=/?DhtmlXQ)", re.IGNORECASE)
_LINE = re.compile(r"move_([0-9]{1,7})_([0-9]{1,5})_([0-9]{1,7})", re.ASCII)
_COMMENT = re.compile(r"comment(?:([0-9]{1,7})_)?([0-9]{1,5})", re.ASCII)
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_DIGITS = re.compile(r"[0-9]*", re.ASCII)
_BAR = re.compile(r"\|(?=[|\n])|(?<=[|\n])\|")
_MOST_STEPS = 1000
"""Lines gone back at most to find the one that a ply belongs to."""
_TAGS = {
    "title": "Title",
    "event": "Event",
    "place": "Site",
    "date": "Date",
    "redteam": "RedTeam",
    "blackteam": "BlackTeam",
    "open": "Opening",
    "timerule": "TimeRule",
    "redtime": "RedTime",
    "blacktime": "BlackTime",
    "redrating": "RedRating",
    "blackrating": "BlackRating",
}
_FIELDS = {tag: name for name, tag in _TAGS.items()}
_OWN_MATTERS = frozenset(("ver", "init", "binit", "movelist", "firstnum", "length", "generator"))
"""Fields about the file itself, or the moves: no tags of the game."""
_RESULTS = {
    **RESULT_WORDS,
    "红方胜": "1-0",
    "黑方胜": "0-1",
    "和": "1/2-1/2",
    "双方和棋": "1/2-1/2",
}
_RESULT_NAMES = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋", "*": "未知"}
_START = "0919293949596979891777062646668600102030405060708012720323436383"


def is_dhtmlxq(data: bytes) -> bool:
    """Whether such brackets stand near the beginning of a file."""
    return b"[dhtmlxq" in data[:65536].replace(b"\0", b"").lower()


def read(data: bytes, encoding: str | None = None) -> list[Game]:
    """The games of a file, found anywhere in its text (a web page, a forum post).

    Args:
        encoding: a Python codec; found out by default.

    Raises:
        InvalidRecord: no field in it, or there is no such encoding.
    """
    found = decode(data, encoding)
    games = loads(found.text)
    if not games:
        raise InvalidRecord("没有 DhtmlXQ 棋谱 (no field of DhtmlXQ in it)")
    if found.damaged:
        reason = f"{found.damaged} 处文字无法解码 ({found.damaged} places cannot be decoded)"
        games[0].defects.append(Skipped(0, "�", reason))
    return games


def loads(text: str) -> list[Game]:
    """The games of a text, none if there is no field in it.

    Raises:
        InvalidRecord: there are fields, but neither a position that can be played nor headers.

    >>> [game] = loads("[DhtmlXQ_title]甲[/DhtmlXQ_title][DhtmlXQ_movelist]77477062[/DhtmlXQ_]")
    >>> game.headers, [str(move) for move in game.moves()]
    ({'Title': '甲'}, ['h2e2', 'h9g7'])
    """
    games: list[Game] = []
    refused: list[InvalidRecord] = []
    for fields in _blocks(text):
        try:
            games.append(_game(fields))
        except InvalidRecord as error:
            refused.append(error)
    if refused and not games:
        raise refused[0]
    for refusal in refused[:MOST_DEFECTS]:
        games[-1].defects.append(Skipped(0, "", f"旁边一局不能读 (a game beside it): {refusal}"))
    return games


def _blocks(text: str) -> Iterator[list[tuple[str, str]]]:
    """The fields of each game, names as they are written."""
    fields: list[tuple[str, str]] = []
    seen: set[str] = set()
    for match in _FIELD.finditer(text):
        name, value, border = match.groups()
        begins = name in seen and name.lower() in ("binit", "movelist")
        if (border or begins) and fields:
            yield fields
            fields, seen = [], set()
        if name and (value := value.strip()):
            fields.append((name, value))
            seen.add(name)
    if fields:
        yield fields


class _Tree:
    """The lines of a game by their numbers, on the way to become one tree."""

    def __init__(self, defects: list[Skipped]) -> None:
        self.root = RawNode()
        self.defects = defects
        self._lines: dict[int, tuple[int, int, RawNode, list[RawNode]]] = {}

    def note(self, ply: int, text: str, reason: str) -> None:
        """Add a defect, unless there are too many already."""
        if len(self.defects) < MOST_DEFECTS:
            self.defects.append(Skipped(ply, text, reason))

    def add_all(self, lines: Sequence[tuple[int, int, int, str]]) -> None:
        """Add lines (parent, ply, number, digits), each as soon as its parent is known."""
        waiting: dict[int, list[tuple[int, int, int, str]]] = {}
        for line in lines:
            ready = [line]
            while ready:
                parent, ply, number, digits = ready.pop()
                if number and parent not in self._lines:
                    waiting.setdefault(parent, []).append((parent, ply, number, digits))
                    continue
                self._add(parent, ply, number, digits)
                ready.extend(reversed(waiting.pop(number, [])))
        for left in waiting.values():
            for parent, ply, number, _ in left:
                self.note(ply, f"move_{parent}_{ply}_{number}", f"没有变着 {parent} (no such line)")

    def _add(self, parent: int, ply: int, number: int, digits: str) -> None:
        name = f"move_{parent}_{ply}_{number}" if number else "movelist"
        before = self.node(parent, ply - 1) if number else self.root
        if before is None:
            self.note(ply, name, "所离开的着法不存在 (it leaves a line where there is no move)")
            return
        if number in self._lines:
            self.note(ply, name, "变着编号重复 (number of a line given twice)")
        nodes = self._nodes(digits, ply, name)
        self._lines.setdefault(number, (parent, ply, before, nodes))
        for node in nodes:
            before.children.append(node)
            before = node

    def _nodes(self, digits: str, ply: int, name: str) -> list[RawNode]:
        digits = "".join(digits.split())
        match = _DIGITS.match(digits)
        count = len(match[0]) // 4 if match else 0
        if len(digits) != 4 * count:
            rest = digits[4 * count :]
            reason = f"{name} 在此不是着法 (no moves)；{len(rest)} 个字符没有读 (not read)"
            self.note(ply + count, rest[:20], reason)
        return [
            RawNode(_square(digits[at : at + 2]), _square(digits[at + 2 : at + 4]))
            for at in range(0, 4 * count, 4)
        ]

    def node(self, line: int, ply: int) -> RawNode | None:
        """The node after a ply of a line (before its first one, of the line it left)."""
        for _ in range(_MOST_STEPS):
            if ply == 0:
                return self.root
            if line not in self._lines:
                return None
            parent, first, before, nodes = self._lines[line]
            if ply >= first:
                return nodes[ply - first] if ply - first < len(nodes) else None
            if ply == first - 1:
                return before
            line = parent
        return None


def _square(digits: str) -> int:
    """Point 0..89 of a column from Red's left and a row from the top; 99 off the board."""
    column, row = int(digits[0]), int(digits[1])
    return 9 * (9 - row) + column if column < 9 else 90 + row


def _tag(name: str) -> str:
    """The tag of a game that a field of this name becomes."""
    return _TAGS.get(name.lower()) or name[0].upper() + name[1:]


def _game(fields: Sequence[tuple[str, str]]) -> Game:
    tree = _Tree([])
    headers: dict[str, str] = {}
    lines: list[tuple[int, int, int, str]] = []
    comments: list[tuple[int, int, str, str]] = []
    places, result, closing = _START, "*", ""
    for written, value in fields:
        name = written.lower()
        if name == "binit":
            places = value
        elif name == "movelist":
            lines.insert(0, (0, 1, 0, value))
        elif match := _LINE.fullmatch(name):
            lines.append((int(match[1]), int(match[2]), int(match[3]), value))
        elif match := _COMMENT.fullmatch(name):
            comments.append((int(match[1] or 0), int(match[2]), name, value.replace("||", "\n")))
        elif name == "remark":
            closing = value.replace("||", "\n")
        elif name == "result" and value in _RESULTS:
            result = _RESULTS[value]
        elif name not in _OWN_MATTERS and _NAME.fullmatch(name):
            tag = "ResultText" if name == "result" else _tag(written)
            if headers.setdefault(tag, value) != value:
                tree.note(0, f"{written}: {value[:40]}", "标签重复，取前一个 (field given twice)")
    tree.add_all(lines)
    for line, ply, name, text in comments:
        node = tree.node(line, ply)
        if node is None:
            tree.note(ply, text, f"{name} 没有对应的着法 (no such move for this remark)")
        else:
            node.comment = f"{node.comment}\n{text}" if node.comment else text
    game = plant(_setup(places, tree), tree.root, headers=headers, defects=tree.defects)
    game.result, game.closing = result, closing
    return game


def _setup(places: str, tree: _Tree) -> Setup:
    codes = np.zeros(90, np.uint8)
    places = "".join(places.split())
    match = _DIGITS.match(places)
    digits = match[0] if match else ""
    if len(places) != 64 or digits != places:
        reason = "binit 应为 64 位数字，其余棋子算不在棋盘上 (not 64 digits, other pieces are off)"
        tree.note(0, places[:70], reason)
    for i, code in enumerate(PIECE_ORDER):
        place = digits[2 * i : 2 * i + 2]
        sq = _square(place) if len(place) == 2 else 90
        if sq >= 90:
            continue
        if codes[sq]:
            tree.note(0, place, "两个棋子在同一点，取前一个 (two pieces on one point)")
        else:
            codes[sq] = code
    return Setup(codes, RED, named_turn=False)


def write(games: Sequence[Game], *, encoding: str = "utf-8") -> Written:
    """Games as a text file.

    Args:
        encoding: a Python codec; older programs expect ``gb18030``.

    Raises:
        InvalidRecord: no such encoding, or a character that it does not have.
    """
    losses: list[str] = []
    text = "\n".join(dumps(game, losses) for game in games)
    return Written(encode(text, encoding), losses)


def dumps(game: Game, losses: list[str] | None = None) -> str:
    """A game as text. What the format has no place for is added to ``losses``.

    >>> text = dumps(Game.from_moves(["h2e2", "h9g7"], headers={"Title": "甲"}, result="1-0"))
    >>> "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]" in text
    True
    >>> loads(text)[0].headers, loads(text)[0].result
    ({'Title': '甲'}, '1-0')
    """
    losses = [] if losses is None else losses
    fields = [*_header_fields(game, losses), ("result", _RESULT_NAMES[game.result])]
    fields.append(("binit", "".join(_place(sq) for sq in points_by_piece(game))))
    fields += _line_fields(game)
    if game.closing:
        fields.append(("remark", _escape(game.closing)))
    board = game.board()
    if board.halfmove_clock or board.fullmove_number != 1:
        losses.append("FEN 的计数 (the counters of the FEN)")
    if board.turn == BLACK and not game.root.variations:
        losses.append("先行方 (the side to move, since no move shows it)")
    if any(node.nags for node in game.root.walk()):
        losses.append("着法后的符号 !? (glyphs behind moves)")
    rows = (f"[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\n" for name, value in fields)
    return f"[DhtmlXQ]\n{''.join(rows)}[/DhtmlXQ]\n"


def _header_fields(game: Game, losses: list[str]) -> Iterator[tuple[str, str]]:
    for tag, value in game.headers.items():
        name = _FIELDS.get(tag) or tag[:1].lower() + tag[1:]
        plain = name.lower()
        if tag in ("Game", "Result", "Format", "FEN") or not value.strip():
            continue
        if (
            plain in (*_OWN_MATTERS, "result", "remark", "resulttext")
            or not _NAME.fullmatch(name)
            or _LINE.fullmatch(plain)
            or _COMMENT.fullmatch(plain)
            or _tag(name) != tag
        ):
            losses.append(f"{tag}：DhtmlXQ 没有这一项 (no such field)")
        else:
            yield name, _BRACKET.sub("［", " ".join(value.split("\n")))


def _line_fields(game: Game) -> Iterator[tuple[str, str]]:
    """The main line, the variations by number, and the remarks."""
    if game.root.comment:
        yield "comment0", _escape(game.root.comment)
    waiting: list[tuple[Node, int, int]] = []
    if game.root.variations:
        waiting.append((game.root.variations[0], 0, 1))
    number = 0
    while waiting:
        first, parent, ply = waiting.pop()
        name = f"move_{parent}_{ply}_{number}" if number else "movelist"
        digits, remarks, found = [], [], []
        node: Node | None = first
        while node is not None:
            assert node.move is not None
            assert node.parent is not None
            digits += [_place(sq) for sq in node.move]
            if node.comment:
                prefix = f"{number}_" if number else ""
                remarks.append((f"comment{prefix}{ply}", _escape(node.comment)))
            if node.parent.variations[0] is node:
                found += [(sibling, number, ply) for sibling in node.parent.variations[1:]]
            node, ply = node.next, ply + 1
        yield name, "".join(digits)
        yield from remarks
        waiting.extend(reversed(found))
        number += 1


def _place(sq: int | None) -> str:
    return "99" if sq is None else f"{sq % 9}{9 - sq // 9}"


def _escape(text: str) -> str:
    """A remark on one line, without what would read as a bracket or a break."""
    return _BRACKET.sub("［", _BAR.sub("｜", text)).replace("\n", "||")
