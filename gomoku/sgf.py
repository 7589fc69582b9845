"""SGF (FF[4], GM[4] Gomoku+Renju): games with variations, comments and set-up stones.

Points are two letters, column from the left and row from the top, as in Go; ``h8`` is read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gomoku.board import Board
from gomoku.game import Game, Node, Recorder, Skipped
from gomoku.geometry import BLACK, DEFAULT_SIZE, MAX_SIZE, MIN_SIZE, on_board
from gomoku.move import PASS, Move
from gomoku.notation import parse_integer
from gomoku.rules import PRESETS
from qikit.errors import InvalidMove, InvalidPosition, InvalidRecord

_HEADERS = {"PB": "Black", "PW": "White", "DT": "Date", "EV": "Event", "RO": "Round", "PC": "Site"}
_PROPERTY = re.compile(r"([A-Za-z0-9]+)\s*\[")
_LETTERS = re.compile(r"[a-t][a-t]")
_WINS = re.compile(r"(?:(B|BLACK)|W|WHITE)(?:\s*\+.*)?", re.DOTALL)
_RESULTS = {
    "1-0": "1-0",
    "0-1": "0-1",
    **dict.fromkeys(("0", "D", "DRAW", "1/2-1/2", "B+DRAW", "W+DRAW"), "1/2-1/2"),
    **dict.fromkeys(("", "?", "*", "VOID"), "*"),
}

_SECOND = "此处只能有一个值 (one value is allowed here)"

Properties = dict[str, list[str]]


def _tokens(text: str) -> Iterator[tuple[str, Properties]]:
    """``("(", {})``, ``(")", {})`` and ``(";", properties)`` in the order of the file.

    Where the file ends inside a value comes ``("", {name: [what is there of it]})`` at last.
    """
    at = 0
    while at < len(text):
        mark = text[at]
        at += 1
        if mark in "()":
            yield mark, {}
        elif mark == ";":
            found: Properties = {}
            while True:
                match = _PROPERTY.match(text, _skip(text, at))
                if match is None:
                    break
                name = re.sub("[a-z]", "", match[1])
                at = match.end()
                value, at = _value(text, at)
                values = found.setdefault(name, [])
                while at <= len(text):
                    values.append(value)
                    start = _skip(text, at)
                    if text[start : start + 1] != "[":
                        break
                    value, at = _value(text, start + 1)
                else:
                    if name == "C":
                        values.append(value)  # a remark is worth having without its end
                    if not values:
                        del found[name]
                    yield ";", found
                    yield "", {name: [value]}
                    return
            yield ";", found


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _value(text: str, at: int) -> tuple[str, int]:
    """The value that begins at ``at``, without escapes, and where it ends.

    Of a value that is cut off, the end lies beyond the text by one.
    """
    out = []
    while at < len(text) and text[at] != "]":
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            if text[at] not in "\r\n":
                out.append(text[at])
        else:
            out.append(text[at])
        at += 1
    return "".join(out), at + 1


def _point(text: str, size: int) -> Move:
    stripped = text.strip().lower()
    if not stripped:
        return PASS
    if _LETTERS.fullmatch(stripped):
        return Move(ord(stripped[0]) - 97, size - 1 - (ord(stripped[1]) - 97))
    return Move.parse(stripped)


def loads(text: str) -> list[Game]:
    """All games of an SGF text.

    Raises:
        InvalidRecord: there is no SGF game in the text.

    >>> game = loads("(;FF[4]GM[4]SZ[15]RU[renju];B[hh];W[hg](;B[ii])(;B[gg]C[other]))")[0]
    >>> [str(m) for m in game.mainline()], game.start.rules.name
    (['h8', 'h9', 'i7'], 'renju')
    """
    games: list[Game] = []
    recorder: Recorder | None = None
    branches: list[tuple[Node, int]] = []
    cut = ""
    for mark, properties in _tokens(text):
        if mark == "(":
            if recorder is not None:
                branches.append((recorder.node, recorder.board.ply))
        elif mark == ")":
            if branches and recorder is not None:
                recorder.back_to(*branches.pop())
            else:
                recorder = None
        elif not mark:
            cut = "".join(f"{name}[{value[0][:40]}" for name, value in properties.items())
        elif recorder is None:
            recorder = Recorder(_open(properties))
            games.append(recorder.game)
            _take(recorder, properties)
        else:
            _take(recorder, properties)
    if recorder is not None:
        recorder.skip(cut, "文件不完整，缺右括号 (cut off)")
    if not games:
        raise InvalidRecord("不是 SGF 棋谱 (no SGF game)", text=text[:80])
    return games


def _open(properties: Properties) -> Game:
    """A game from the properties of its first node."""
    defects = []
    for key in (*_HEADERS, "SZ", "RU", "GM", "PL", "RE"):
        for value in properties.get(key, ())[1:]:
            defects.append(Skipped(0, f"{key}[{value[:40]}]", _SECOND))
    written = properties.get("SZ", [str(DEFAULT_SIZE)])[0]
    size = parse_integer(written) or 0
    if not MIN_SIZE <= size <= MAX_SIZE:
        reason = "棋盘大小不认识，按 15 路 (unknown board size)"
        defects.append(Skipped(0, f"SZ[{written[:40]}]", reason))
        size = DEFAULT_SIZE
    rules = properties.get("RU", ["freestyle"])[0].strip().lower().replace(" ", "_")
    if rules not in PRESETS:
        defects.append(Skipped(0, f"RU[{rules}]", "规则不认识，按无禁手 (unknown rules)"))
        rules = "freestyle"
    if properties.get("GM", ["4"])[0].strip() != "4":
        defects.append(Skipped(0, f"GM[{properties['GM'][0]}]", "不是五子棋 (another game)"))
    stones: list[list[Move]] = [[], []]
    for color, name in enumerate(("AB", "AW")):
        for value in properties.get(name, ()):
            try:
                stones[color].append(_point(value, size))
            except InvalidMove as error:
                defects.append(Skipped(0, f"{name}[{value}]", str(error)))
    turn = BLACK if properties.get("PL", ["B"])[0].strip().upper()[:1] != "W" else 1
    try:
        board = Board.from_stones(stones[0], stones[1], turn, rules=rules, size=size)
    except InvalidPosition as error:
        defects.append(Skipped(0, "AB/AW", str(error)))
        board = Board(rules=rules, size=size)
    headers = {_HEADERS[key]: value[0] for key, value in properties.items() if key in _HEADERS}
    written = properties.get("RE", ["*"])[0]
    result = _result(written)
    if result is None:
        defects.append(Skipped(0, f"RE[{written[:40]}]", "结果不认识 (unknown result)"))
    return Game(board, headers, result or "*", defects=defects)


def _result(text: str) -> str | None:
    """The result that ``RE`` tells, ``None`` if it is not understood."""
    word = text.strip().upper()
    if word in _RESULTS:
        return _RESULTS[word]
    win = _WINS.fullmatch(word)
    if win is None:
        return None
    return "1-0" if win[1] else "0-1"


def _take(recorder: Recorder, properties: Properties) -> None:
    """A node: its move, then its comment."""
    game = recorder.game
    for name, values in properties.items():
        if name not in ("B", "W"):
            continue
        text = f"{name}[{values[0][:40]}]"
        for value in values[1:]:
            recorder.skip(f"{name}[{value[:40]}]", _SECOND)
        if name != "BW"[recorder.board.turn]:
            reason = "轮不到这一方 (out of turn)"
            recorder.skip(text, reason)
            continue
        try:
            move = _point(values[0], game.start.size)
        except InvalidMove as error:
            recorder.skip(text, str(error))
            continue
        recorder.play(move, text=text)
    if "C" in properties:
        earlier = recorder.node.comment
        recorder.node.comment = "\n".join(filter(None, (earlier, *properties["C"])))


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _letters(move: Move, size: int) -> str:
    if move.is_pass:
        return ""
    assert on_board(move.x, move.y, size)
    return chr(97 + move.x) + chr(97 + size - 1 - move.y)


def dumps(game: Game) -> str:
    """The game as SGF text; rule and size are always written.

    >>> dumps(Game.of_moves("h8 h9".split()))
    '(;FF[4]GM[4]CA[UTF-8]AP[Qiyuan]SZ[15]RU[freestyle]RE[?];B[hh];W[hg])\\n'
    """
    size = game.start.size
    out = [f"(;FF[4]GM[4]CA[UTF-8]AP[Qiyuan]SZ[{size}]RU[{game.start.rules.name}]"]
    for key, name in _HEADERS.items():
        if name in game.headers:
            out.append(f"{key}[{_escape(game.headers[name])}]")
    results = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "Draw", "*": "?"}
    out.append(f"RE[{results[game.result]}]")
    for color, name in enumerate(("AB", "AW")):
        stones = game.start.stones(color)
        if stones:
            out.append(name + "".join(f"[{_letters(stone, size)}]" for stone in stones))
    if game.start.stone_count:
        out.append(f"PL[{'BW'[game.start.turn]}]")
    if game.root.comment:
        out.append(f"C[{_escape(game.root.comment)}]")
    # a stack, not recursion: trees of openings are deeper than Python's
    waiting: list[Node | str] = _following(game.root)
    ply = {id(game.root): game.start.turn}
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        assert item.move is not None
        assert item.parent is not None
        color = ply[id(item.parent)]
        ply[id(item)] = 1 - color
        out.append(f";{'BW'[color]}[{_letters(item.move, size)}]")
        if item.comment:
            out.append(f"C[{_escape(item.comment)}]")
        waiting += _following(item)
    return "".join([*out, ")\n"])


def _following(node: Node) -> list[Node | str]:
    """What comes after a node, last first."""
    if len(node.variations) < 2:
        return list(node.variations)
    found: list[Node | str] = []
    for variation in reversed(node.variations):
        found += [")", variation, "("]
    return found
