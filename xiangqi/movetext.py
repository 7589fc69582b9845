"""The syntax of a game's moves, before anything is played: plies, remarks, variations, result.

A :class:`Scanner` takes a record apart without knowing positions: which words are move numbers,
which remarks, which could be moves. :mod:`xiangqi.replay` then plays the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from xiangqi.notation import is_move_text, split_moves
from xiangqi.notation.folding import compact, normal

RESULT_WORDS = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1/2": "1/2-1/2",
    "0.5-0.5": "1/2-1/2",
    "*": "*",
    "红胜": "1-0",
    "紅勝": "1-0",
    "红先胜": "1-0",
    "紅先勝": "1-0",
    "黑胜": "0-1",
    "黑勝": "0-1",
    "红先负": "0-1",
    "紅先負": "0-1",
    "和棋": "1/2-1/2",
    "和局": "1/2-1/2",
    "红先和": "1/2-1/2",
    "紅先和": "1/2-1/2",
    "未知": "*",
}
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""PGN's numbers for the marks that annotators put behind a move."""


@dataclass
class Ply:
    """A word that should be a move, with what belongs to it.

    ``number`` is the move number before it, 0 without one; ``dots`` stand for Red's move.
    """

    text: str
    number: int = 0
    dots: bool = False
    comment: list[str] = field(default_factory=list)
    nags: list[int] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)


@dataclass
class Line:
    """Plies in a row; ``comment`` stands before the first."""

    plies: list[Ply] = field(default_factory=list)
    comment: list[str] = field(default_factory=list)


@dataclass
class Fault:
    """Something in the text that fits nowhere: after how many plies, what, why."""

    ply: int
    text: str
    reason: str


@dataclass
class Score:
    """One game as text.

    Attributes:
        headers: tags, as decoded, in the order of the file.
        line: the main line with all that hangs on it.
        result: the result word behind the moves, "" without one.
        closing: remarks behind the result.
        fen: a position that stands in the text itself (not in a tag), "" without one.
        faults: what the syntax had no place for.
        damaged: characters that could not be decoded.
        start, end: where the game stands in the text.
    """

    headers: dict[str, str] = field(default_factory=dict)
    line: Line = field(default_factory=Line)
    result: str = ""
    closing: list[str] = field(default_factory=list)
    fen: str = ""
    faults: list[Fault] = field(default_factory=list)
    damaged: int = 0
    start: int = 0
    end: int = 0

    def is_empty(self) -> bool:
        """Whether nothing of a game was found."""
        return not (self.headers or self.line.plies or self.fen)


_FEN = r"(?:[A-Za-z1-9]+/){9}[A-Za-z1-9]+(?:\[\])?"
_TOKEN = re.compile(
    rf"""
      ^[ \t]*\[\s*(?P<name>[A-Za-z]\w*)\s*"(?P<value>.*)"\s*\][ \t]*$
    | ^[ \t]*\[\s*(?P<bare_name>[A-Za-z]\w*)[ \t]+(?P<bare_value>[^"\]\n]*)\][ \t]*$
    | \{{(?P<comment>[^}}]*)(?P<closed>\}}?)
    | ;(?P<remark>[^\n]*)
    | (?<!\S)(?P<number>[0-9]{{1,3}})[)）]
    | (?P<open>[(（])
    | (?P<close>[)）])
    | \$(?P<nag>[0-9]{{1,3}})
    | (?P<rule>^[ \t]*[=＝]{{3,}}.*$)
    | (?P<fen>(?<!\S){_FEN}(?:[ \t_]+[wbrWBR](?![A-Za-z0-9]))?(?:[ \t_]+-){{0,2}}
        (?:[ \t_]+[0-9]+(?![A-Za-z0-9.、．])){{0,2}})
    | (?P<word>[^\s{{}}();（）,，。；、]+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG_LINE = re.compile(r'^[ \t]*\[[A-Za-z]\w*\s*".*"\s*\][ \t]*$', re.MULTILINE)
_NUMBER = re.compile(r"([0-9]{1,3})(?:\.+|:|$)", re.ASCII)
_PAWN_DIGITS = re.compile(r"[1-9][1-9]\.[1-9]", re.ASCII)
_NO_MOVE = re.compile(r"[.*\-—_=]+")
_GLYPH = re.compile(r"[!?]+$")
_FIRST_TAGS = ("Game", "Event")
_PREFACE = frozenset(("position", "startpos", "fen", "moves"))


def scan(text: str) -> Iterator[Score]:
    """The games of a text, one after another.

    >>> [game] = scan('[Red "甲"]\\n1. 炮二平五 {好} (1. 兵七进一) 马8进7 *')
    >>> game.headers, [ply.text for ply in game.line.plies], game.result
    ({'Red': '甲'}, ['炮二平五', '马8进7'], '*')
    >>> first = game.line.plies[0]
    >>> first.comment, first.variations[0].plies[0].text
    (['好'], '兵七进一')
    """
    scanner = Scanner()
    yield from scanner.games(text)


class Scanner:
    """State of a scan: the game under way and the stack of open variations."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.score = Score()
        self.stack: list[Line] = [self.score.line]
        self.preface: list[str] = []
        self.number, self.dots = 0, False
        self.numbered = False
        self.remarked = False
        self.over = False
        self.start = 0

    def games(self, text: str) -> Iterator[Score]:
        """The games of a text."""
        position = 0
        while (match := _TOKEN.search(text, position)) is not None:
            position = match.end()
            kind = match.lastgroup
            tag = match["name"] or match["bare_name"]
            if self._tag_begins_game(tag) if tag else self._word_begins_game(kind, text, match):
                yield from self._finish(text, match.start())
            if kind == "value":
                self._tag(match["name"], re.sub(r'\\(["\\])', r"\1", match["value"]))
            elif kind == "bare_value":
                self._tag(match["bare_name"], match["bare_value"].strip())
            elif kind == "closed":
                position = self._brace(text, match)
            elif kind == "remark":
                self._comment(match["remark"])
            elif kind == "open":
                self._open()
            elif kind == "close":
                self._close()
            elif kind == "number":
                self._number_in_bracket(int(match["number"]))
            elif kind == "nag":
                self._nag(int(match["nag"]))
            elif kind == "rule":
                self.over = self.over or bool(self.score.line.plies or self.score.result)
            elif kind == "fen":
                self._position(match["fen"])
            else:
                self._word(match["word"])
        yield from self._finish(text, len(text))

    # The borders between games

    def _tag_begins_game(self, name: str) -> bool:
        score = self.score
        has_moves = bool(score.line.plies or score.result or score.fen)
        begins_a_block = name in _FIRST_TAGS and name in score.headers
        return has_moves or begins_a_block or bool(score.headers and self.remarked)

    def _word_begins_game(self, kind: str | None, text: str, match: re.Match[str]) -> bool:
        """A game without tags: a position after moves, or ``1.`` and a move after a result."""
        if kind == "fen":
            return bool(self.score.line.plies or self.score.result)
        if kind != "word":
            return False
        word = normal(match["word"])
        if word.lower() == "position":
            return bool(self.score.line.plies)
        if not self.over:
            return False
        number = _NUMBER.match(word)
        if number is None or number[1] != "1":
            return False
        rest = word[number.end() :]
        if not rest:
            following = _TOKEN.search(text, match.end())
            rest = normal((following and following["word"]) or "")
        return any(is_move_text(part) for part in split_moves(rest))

    def _finish(self, text: str, end: int) -> Iterator[Score]:
        score = self.score
        if self.preface:  # prose before the moves is a remark without braces
            score.line.comment.insert(0, " ".join(self.preface))
        score.damaged = text.count("�", self.start, end)
        score.start, score.end = self.start, end
        if len(self.stack) > 1:
            self._fault("(", f"{len(self.stack) - 1} 个变着没有右括号 (variation without its end)")
        if not score.is_empty():
            yield score
        self._begin()
        self.start = end

    # What stands in a game

    def _fault(self, text: str, reason: str) -> None:
        faults, ply = self.score.faults, len(self.score.line.plies)
        if faults and (faults[-1].ply, faults[-1].reason) == (ply, reason):
            faults[-1].text += f" {text}"
        else:
            faults.append(Fault(ply, text, reason))

    def _tag(self, name: str, value: str) -> None:
        if name in self.score.headers and self.score.headers[name] not in ("", value):
            self._fault(f'[{name} "{value}"]', "标签重复，取前一个 (tag given twice)")
        elif value or name not in self.score.headers:
            self.score.headers[name] = value

    def _brace(self, text: str, match: re.Match[str]) -> int:
        """A remark in braces; one without an end stops before the next game's tags."""
        comment, end = match["comment"], match.end()
        tag = _TAG_LINE.search(comment)
        if not match["closed"] or (tag is not None and "{" in comment[tag.start() :]):
            self._fault("{" + comment[:20], "评注没有右花括号 (remark without its closing brace)")
            if tag is not None:
                end = match.start("comment") + tag.start()
                comment = comment[: tag.start()]
        self._comment(comment)
        return end

    def _comment(self, text: str) -> None:
        text = text.strip()
        if not text:
            return
        if self.over:
            self.score.closing.append(text)
            return
        self.remarked = True
        line = self.stack[-1]
        (line.plies[-1].comment if line.plies else line.comment).append(text)

    def _in_prose(self) -> bool:
        """Whether neither a move nor a move number has come yet."""
        return not (self.numbered or self.score.line.plies)

    def _open(self) -> None:
        if self.over:
            return
        if self._in_prose():
            self.preface.append("(")
            return
        line = self.stack[-1]
        variation = Line()
        if line.plies:
            line.plies[-1].variations.append(variation)
        else:
            self._fault("(", "变着之前没有着法，没有收入 (variation before any move, left out)")
        self.stack.append(variation)

    def _close(self) -> None:
        if len(self.stack) > 1:
            self.stack.pop()
        elif self._in_prose():
            self.preface.append(")")
        elif not self.over:
            self._fault(")", "多余的右括号 (closing bracket without an opening one)")

    def _number(self, number: int) -> None:
        self.number = number
        self.numbered = True

    def _number_in_bracket(self, number: int) -> None:
        """``1)`` before a move; within a variation the bracket ends it."""
        if len(self.stack) > 1:
            self._close()
        else:
            self._number(number)

    def _nag(self, number: int) -> None:
        line = self.stack[-1]
        if line.plies and not self.over:
            line.plies[-1].nags.append(number)

    def _position(self, fen: str) -> None:
        if self.over:
            return
        if self.score.fen or "FEN" in self.score.headers:
            self._fault(fen, "多余的局面 (a second position)")
        else:
            self.score.fen = fen

    def _word(self, word: str) -> None:
        if self.over:
            return
        plain = compact(word).replace("⁄", "/")
        if self._result(plain):
            return
        if not _PAWN_DIGITS.fullmatch(plain) and (number := _NUMBER.match(plain)) is not None:
            plain = plain[number.end() :]
            self._number(int(number[1]))
            self.dots = number[0].count(".") > 1
        if _NO_MOVE.fullmatch(plain):
            self.dots = True
            return
        glyph = _GLYPH.search(plain)
        for part in split_moves(plain[: glyph.start()] if glyph else plain):
            self._move(part)
        if glyph and glyph[0] in GLYPHS:
            self._nag(GLYPHS[glyph[0]])

    def _result(self, word: str) -> bool:
        result = RESULT_WORDS.get(word)
        if result is None or len(self.stack) > 1:
            return result is not None
        plies = self.score.line.plies
        if not plies and not word.isascii():
            return False
        self.score.result = result
        self.over = bool(plies)
        return True

    def _move(self, text: str) -> None:
        line = self.stack[-1]
        if self._in_prose() and not is_move_text(text):
            if text.lower() not in _PREFACE:
                self.preface.append(text)
            return
        line.plies.append(Ply(text, self.number, self.dots))
        self.number, self.dots = 0, False
