"""Whole archives: every game of many files, and every place where a ruling was due.

A file is cut into :class:`Portion` s that need nothing else to be judged, wherever that is done; a
game becomes a row of plain data. What runs them, keeps and resumes is the application's matter.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from arbiter.repetition import judge
from arbiter.ruling import Event, program_version
from qikit import kernels
from qikit.errors import GameError
from xiangqi import records
from xiangqi.encoding import decode
from xiangqi.game import Game
from xiangqi.geometry import COLOR_NAMES_ZH, COLORS
from xiangqi.movetext import scan
from xiangqi.repetition import LoopRuling, RuleBook, rule_book

Row = dict[str, Any]
HEADERS = ("Event", "Date", "Red", "Black", "Result")
PORTION_GAMES = 32
"""Games of a portion at most: some tenths of a second of work."""
UNREADABLE = "unreadable"
"""The verdict of a row that stands for no game."""
NO_RULING = "无应作的裁定"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Rules:
    """A rule book in a form that can be sent to other processes and machines.

    >>> Rules("club2008", (("natural_limit_rounds", 40),)).book().natural_limit_plies
    80
    """

    id: str
    settings: tuple[tuple[str, int | bool | str], ...] = ()

    def book(self) -> RuleBook:
        """The book itself."""
        return _book(self)


@cache
def _book(rules: Rules) -> RuleBook:
    return rule_book(rules.id).with_values(**dict(rules.settings))


@dataclass(frozen=True)
class Portion:
    """Some games of a file, with all that judging them needs.

    Attributes:
        file: name of the file.
        digest: of its content.
        first: number of the first game, from 1.
        of: games in the file; 0 where only reading it will tell.
        data: each game as text, or the whole file.
        encoding: of the whole file; None = find out.
        rules: the rule book.
        size: bytes of the file that it stands for.
    """

    file: str
    digest: str
    first: int
    of: int
    data: tuple[str, ...] | bytes
    encoding: str | None
    rules: Rules
    size: int

    def singles(self) -> list[Portion]:
        """The same one game at a time, as far as it can be cut."""
        if isinstance(self.data, bytes):
            return [self]
        return [
            replace(self, first=self.first + n, data=(text,), size=0)
            for n, text in enumerate(self.data)
        ]


def digest(data: bytes, encoding: str | None) -> str:
    """What tells whether a file is still the same, and read in the same way."""
    return hashlib.sha256(f"{encoding}\n".encode() + data).hexdigest()[:16]


def portions(file: str, data: bytes, encoding: str | None, rules: Rules) -> Iterator[Portion]:
    """A file cut into portions; a text is cut between its games, other formats are not.

    Raises:
        InvalidRecord: there is no such encoding.
    """
    whole = Portion(file, digest(data, encoding), 1, 0, data, encoding, rules, len(data))
    texts = _games(data, encoding)
    if not texts:
        yield whole
        return
    for start in range(0, len(texts), PORTION_GAMES):
        part = tuple(texts[start : start + PORTION_GAMES])
        size = len(data) * len(part) // len(texts)
        yield replace(whole, first=start + 1, of=len(texts), data=part, size=size)


def _games(data: bytes, encoding: str | None) -> list[str]:
    """The games of a text file as texts; nothing for other formats and for what is no game."""
    form = next(form for form in records.FORMATS if form.recognise(data))
    if form is not records.FORMATS[-1] or data.startswith(_GZIP):
        return []
    text = decode(data, encoding).text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [text[score.start : score.end] for score in scan(text)]


def judge_portion(portion: Portion) -> list[Row]:
    """The rows of a portion. Never raises: what goes wrong with a game is its row."""
    if isinstance(portion.data, bytes):
        return _judge_file(portion, portion.data)
    book = portion.rules.book()
    rows = []
    for single, text in zip(portion.singles(), portion.data, strict=True):
        try:
            game = records.loads(text)[0]
        except Exception as error:
            rows.append(failure(single, _fault(error)))
        else:
            why = records.noise(game)
            row = (
                failure(single, why) if why else _row(single, single.first, portion.of, game, book)
            )
            rows.append(row)
    return rows


def warm() -> None:
    """Have every kernel compiled that judging needs, before workers start to do so at once."""
    for name in ("xiangqi.kernel", "xiangqi.repetition.kernel", "xiangqi.threats.kernel"):
        kernels.load(name)


def _judge_file(portion: Portion, data: bytes) -> list[Row]:
    try:
        games = records.read(data, portion.encoding)
    except GameError as error:
        return [failure(portion, str(error))]
    except Exception as error:
        return [failure(portion, _fault(error))]
    book = portion.rules.book()
    return [_row(portion, n, len(games), game, book) for n, game in enumerate(games, 1)]


def _fault(error: Exception) -> str:
    return f"程序出错 (a fault of the program): {type(error).__name__}: {error}"


def _row(portion: Portion, number: int, of: int, game: Game, book: RuleBook) -> Row:
    row = _blank(portion, number, of, book)
    row["headers"] = {name: game.headers[name] for name in HEADERS if game.headers.get(name)}
    row["plies"] = len(game.moves())
    row["defects"] = [str(defect) for defect in game.defects]
    try:
        ruling = judge(game, book, to_the_end=True)
    except Exception as error:
        return row | {"verdict": UNREADABLE, "error": _fault(error)}
    return row | {
        "verdict": ruling.verdict.value,
        "ply": ruling.ply,
        "rule_ids": list(ruling.rule_ids),
        "pattern": pattern(ruling.event),
        "events": [_event(event) for event in ruling.events],
    }


def failure(portion: Portion, reason: str) -> Row:
    """The row of a portion of which no game could be judged."""
    row = _blank(portion, portion.first if portion.of else 0, portion.of, portion.rules.book())
    return row | {"verdict": UNREADABLE, "error": reason}


def _blank(portion: Portion, number: int, of: int, book: RuleBook) -> Row:
    return {
        "file": portion.file,
        "game": number,
        "of": of,
        "digest": portion.digest,
        "headers": {},
        "plies": 0,
        "verdict": "",
        "ply": 0,
        "rule_ids": [],
        "pattern": "",
        "events": [],
        "defects": [],
        "error": "",
        **stamp(book),
    }


def stamp(book: RuleBook) -> Row:
    """What a row must have in common with others to stand beside them."""
    return {"rules": book.id, "rules_hash": book.hash, "program": program_version()}


def _event(event: Event) -> Row:
    return {
        "ply": event.ply,
        "verdict": event.verdict.value,
        "termination": event.termination.value,
        "rule_ids": list(event.rule_ids),
        "occurrences": event.occurrences,
        "pattern": pattern(event),
        "text": event.text(),
    }


def pattern(event: Event | None) -> str:
    """What kind of case a ruling is: the natures of both sides' moves in a loop, else its cause.

    It does not depend on where a loop is entered.

    >>> pattern(None)
    '无应作的裁定'
    """
    if event is None:
        return NO_RULING
    if event.loop is None:
        return event.termination.zh
    return "；".join(sorted({_natures(event.loop, loop) for loop in event.loop.loops}))


def _natures(ruling: LoopRuling, loop: tuple[int, ...]) -> str:
    plies = [ruling.plies[index] for index in loop]
    natures = [ply.nature.zh + "？" * (not ply.certain) for ply in plies]
    turns = [natures[at:] + natures[:at] for at in range(len(plies)) if plies[at].side == 0]
    best = min(turns, key=lambda turn: (turn[::2], turn[1::2]))
    return " ".join(f"{COLOR_NAMES_ZH[side]}{''.join(best[side::2])}" for side in COLORS)


@dataclass(frozen=True)
class Summary:
    """What an archive holds.

    Attributes:
        files, games: how many were read.
        unreadable: rows that stand for no game, by file and reason.
        defective: games with something that could not be read.
        due: games in which a ruling on repetition or a limit was due.
        verdicts: games by verdict.
        patterns: moments at which a ruling was due by pattern and verdict.
    """

    files: int
    games: int
    unreadable: tuple[tuple[str, str], ...]
    defective: int
    due: int
    verdicts: Counter[str]
    patterns: Counter[tuple[str, str]]


def summary(rows: Iterable[Row]) -> Summary:
    """Count the rows of an archive."""
    rows = list(rows)
    games = [row for row in rows if row["verdict"] != UNREADABLE]
    patterns = Counter((e["pattern"], e["verdict"]) for row in games for e in row["events"])
    ends = ("checkmate", "stalemate", "insufficient_material")
    return Summary(
        len({row["file"] for row in rows}),
        len(games),
        tuple((row["file"], row["error"]) for row in rows if row["verdict"] == UNREADABLE),
        sum(bool(row["defects"]) for row in games),
        sum(any(e["termination"] not in ends for e in row["events"]) for row in games),
        Counter(row["verdict"] for row in games),
        patterns,
    )
