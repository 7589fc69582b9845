"""Positions as people and other programs write them, both ways. Turns: move.py and paths.py.

A position is 17 rows joined by ``/`` (camp letters A..F, decimal runs of empty holes), the side to
move, the seats in turn order, 10 or 15, and after these four fields any of ``expelled=``,
``finished=``, ``out=`` (what decides legal turns) and ``ply=``, ``turns=``, ``best=``, ``since=``,
``flags=`` (counters).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from checkers.geometry import (
    CAMP_LETTERS,
    HOLE_NAMES,
    HOLES,
    ROW_LETTERS,
    ROWS,
    home,
    opposite,
    parse_hole,
)
from checkers.rules import SEATINGS
from qikit.errors import InvalidPosition

EMPTY = -1
_COUNTERS = ("ply", "turns", "best", "since", "flags")
_NUMBER = re.compile(r"[0-9]{1,9}")
_TOKEN = re.compile(r"[A-F]|[0-9]+")


@dataclass(frozen=True)
class Setup:
    """A position that has been read but not judged.

    Attributes:
        owners: 121 camps of origin (0..5), -1 = empty hole.
        turn: index in ``camps`` of the side to move.
        camps: camps that play, in the order of turns.
        pieces: 10 or 15.
        expelled: holes of pieces that may not return to their own camp (不能行闲棋).
        finished: seats that have filled their goal, in order.
        out: seats that have been ruled out, in order.
        counters: ``ply`` and others, by name, as lists of numbers.
    """

    owners: tuple[int, ...]
    turn: int
    camps: tuple[int, ...]
    pieces: int
    expelled: frozenset[int] = frozenset()
    finished: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    counters: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _fit(len(self.camps), self.pieces)


def _fit(seats: int, pieces: int, text: str = "") -> None:
    """Refuse camps of a size that the seats do not leave room for.

    Raises:
        InvalidPosition: neither 10 nor 15 pieces, or 15 for more than two seats (camps of 15
            holes have holes in common with the camps beside them).
    """
    if pieces not in (10, 15):
        raise InvalidPosition(f"每方 10 子或 15 子 (10 or 15 pieces), 不能是 {pieces!r}", text=text)
    if pieces == 15 and seats > 2:
        raise InvalidPosition(
            f"15 子只用于两人 (15 pieces: two seats only); seats={seats}, pieces=15", text=text
        )


def start(seats: int = 2, pieces: int = 10) -> Setup:
    """The start position of a game.

    Raises:
        InvalidPosition: no game has so many seats or pieces.
    """
    if not isinstance(seats, int) or seats not in SEATINGS:
        raise InvalidPosition(f"跳棋由 2、3、4 或 6 方下 (2, 3, 4 or 6 seats), 不能是 {seats!r}")
    _fit(seats, pieces)
    camps = tuple(CAMP_LETTERS.index(letter) for letter in SEATINGS[seats])
    owners = [EMPTY] * len(HOLES)
    for camp in camps:
        for hole in home(camp, pieces):
            owners[hole] = camp
    return Setup(tuple(owners), 0, camps, pieces)


def _read_rows(text: str, position: str) -> list[int]:
    rows = text.split("/")
    if len(rows) != len(ROWS):
        raise InvalidPosition(
            f"局面要有 17 行，这里有 {len(rows)} 行 (17 rows needed): {text!r}", text=position
        )
    owners: list[int] = []
    for letter, width, row in zip(ROW_LETTERS, ROWS, rows, strict=True):
        tokens = _TOKEN.findall(row)
        if "".join(tokens) != row:
            raise InvalidPosition(
                f"{letter} 行有不认识的字符 (only A..F and numbers): {row!r}", text=position
            )
        got: list[int] = []
        for token in tokens:
            if token.isdigit():
                # a wide run is a fault to report, not a list to build or a number to read
                run = token.lstrip("0")
                got += [EMPTY] * (min(int(run or "0"), width + 1) if len(run) < 4 else width + 1)
            else:
                got.append(CAMP_LETTERS.index(token))
        if len(got) != width:
            raise InvalidPosition(
                f"{letter} 行应有 {width} 孔，写了{'更多' if len(got) > width else f' {len(got)} '}"
                f" (row {letter} has {width} holes): {row!r}",
                text=position,
            )
        owners += got
    return owners


def _read_seats(letters: str, mover: str, position: str) -> tuple[tuple[int, ...], int]:
    camps = tuple(CAMP_LETTERS.find(letter) for letter in letters)
    if EMPTY in camps or len(set(camps)) != len(camps):
        raise InvalidPosition(
            f"座位写法不对 (seats are different letters A..F): {letters!r}", text=position
        )
    chosen = set(camps)
    fits = (
        len(camps) == 1
        or (len(camps) in (2, 4) and all(opposite(camp) in chosen for camp in camps))
        or (len(camps) == 3 and all((camp + 2) % 6 in chosen for camp in camps))
        or len(camps) == 6
    )
    if not fits:
        raise InvalidPosition(
            "座位只能是 2 方（对面）、3 方（隔一个）、4 方（两对）或 6 方 (no such seating): "
            f"{letters!r}",
            text=position,
        )
    steps = [(b - a) % 6 for a, b in zip(camps, camps[1:] + camps[:1], strict=True)]
    if len(camps) > 1 and 6 not in (sum(steps), 6 * len(camps) - sum(steps)):
        raise InvalidPosition(
            f"座位要按转圈的次序写 (seats go round the board): {letters!r}", text=position
        )
    if len(mover) != 1 or mover not in letters:
        raise InvalidPosition(
            f"走棋方 {mover!r} 不在座位 {letters!r} 中 (side to move has no seat)", text=position
        )
    return camps, letters.index(mover)


def parse_position(text: str) -> Setup:
    """Read a position text; lower case and full-width letters are accepted.

    Whether a seat has really filled its goal depends on the rules, so the board judges
    ``finished=``.

    Raises:
        InvalidPosition: the text is malformed (the message names the row or field), or a piece
            has no seat.

    >>> parse_position("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10").camps
    (0, 3)
    """
    if not isinstance(text, str):
        raise InvalidPosition(f"局面要用文字写 (a position is text): {text!r}", text=repr(text))
    plain = unicodedata.normalize("NFKC", text).split()
    if len(plain) < 4:
        raise InvalidPosition(
            "局面要有四段：棋盘、走棋方、座位、子数 "
            "(four fields: rows, side to move, seats, pieces): "
            f"{text!r}",
            text=text,
        )
    owners = _read_rows(plain[0].upper(), text)
    camps, turn = _read_seats(plain[2].upper(), plain[1].upper(), text)
    if plain[3] not in ("10", "15"):
        raise InvalidPosition(f"子数只能是 10 或 15 (10 or 15 pieces): {plain[3]!r}", text=text)
    _fit(len(camps), int(plain[3]), text)
    for hole, camp in enumerate(owners):
        if camp != EMPTY and camp not in camps:
            raise InvalidPosition(
                f"{HOLE_NAMES[hole]} 上的 {CAMP_LETTERS[camp]} 没有座位 (piece without a seat)",
                text=text,
            )
    expelled: frozenset[int] = frozenset()
    seats: dict[str, tuple[int, ...]] = {"finished": (), "out": ()}
    counters: dict[str, tuple[int, ...]] = {}
    named: set[str] = set()
    for item in plain[4:]:
        name, _, value = item.partition("=")
        name = name.lower()
        try:
            if name in named:
                raise ValueError("写了两次 (given twice)")
            named.add(name)
            if name == "expelled":
                expelled = frozenset(parse_hole(hole) for hole in value.split(","))
            elif name in seats:
                letters = plain[2].upper()
                for letter in value.upper():
                    if letter not in letters:
                        raise ValueError(f"{letter} 没有座位 (no such seat in {letters})")
                seats[name] = tuple(letters.index(letter) for letter in value.upper())
            elif name in _COUNTERS:
                wanted = 1 if name == "ply" else len(camps)
                words = value.split(",")
                if len(words) != wanted or not all(map(_NUMBER.fullmatch, words)):
                    raise ValueError(
                        f"要 {wanted} 个 0 到 999999999 的整数，用逗号隔开 "
                        f"({wanted} whole numbers up to 999999999)"
                    )
                numbers = tuple(map(int, words))
                counters[name] = numbers
            else:
                raise ValueError("没有这个名字 (unknown name)")
        except ValueError as error:
            raise InvalidPosition(f"附加项 {item!r} 不对 (bad field): {error}", text=text) from None
    for hole in expelled:
        if owners[hole] == EMPTY:
            raise InvalidPosition(
                f"附加项 expelled 中的 {HOLE_NAMES[hole]} 上没有棋子 (no piece there)", text=text
            )
    if len(camps) > 1 and len(set(seats["out"])) == len(camps):
        raise InvalidPosition(
            "附加项 out 写了所有座位，最后一方不会出局 (the last seat is never ruled out)",
            text=text,
        )
    gone = seats["finished"] + seats["out"]
    if len(set(gone)) != len(gone) or (len(gone) < len(camps) and turn in gone):
        raise InvalidPosition(
            "已下完的座位不能重复，也不能再走 (finished seats do not move)", text=text
        )
    return Setup(
        tuple(owners),
        turn,
        camps,
        int(plain[3]),
        expelled,
        seats["finished"],
        seats["out"],
        counters,
    )


def write_position(setup: Setup, *, counters: bool = False) -> str:
    """The text of a position; with ``counters`` also ply, idle flags and progress.

    >>> write_position(start(3))
    'A/AA/AAA/AAAA/13/12/11/10/9/E8C/EE7CC/EEE6CCC/EEEE5CCCC/4/3/2/1 A ACE 10'
    """
    rows, hole = [], 0
    for width in ROWS:
        row, run = "", 0
        for camp in setup.owners[hole : hole + width]:
            if camp == EMPTY:
                run += 1
            else:
                row += (str(run) if run else "") + CAMP_LETTERS[camp]
                run = 0
        rows.append(row + (str(run) if run else ""))
        hole += width
    seats = [CAMP_LETTERS[camp] for camp in setup.camps]
    fields = ["/".join(rows), seats[setup.turn], "".join(seats), str(setup.pieces)]
    if setup.expelled:
        fields.append("expelled=" + ",".join(HOLE_NAMES[h] for h in sorted(setup.expelled)))
    for name, listed in (("finished", setup.finished), ("out", setup.out)):
        if listed:
            fields.append(f"{name}=" + "".join(seats[seat] for seat in listed))
    if counters:
        fields += [
            f"{name}=" + ",".join(map(str, setup.counters[name]))
            for name in _COUNTERS
            if any(setup.counters.get(name, ()))
        ]
    return " ".join(fields)


# ---- other programs ---------------------------------------------------------------------------


def parse_flat(text: str, empty: str = ".-_0 ", *, seats: str = "AD", turn: str = "A") -> Setup:
    """Read a 121-character string: one character a hole in our order, 1..6 or A..F for a camp.

    Numbers count the seats in turn order (1 = first seat). For 15 pieces a side the set-up is
    recognised by more than ten pieces of one camp.

    Raises:
        InvalidPosition: not 121 characters, a character that names no seat, or more than ten
            pieces of a camp where more than two play.
    """
    if len(text) != len(HOLES):
        raise InvalidPosition(f"要有 121 个字符，这里有 {len(text)} 个 (121 characters)", text=text)
    camps, mover = _read_seats(seats, turn, text)
    owners = []
    for hole, sign in enumerate(text):
        if sign in empty:
            owners.append(EMPTY)
        elif sign.upper() in CAMP_LETTERS and CAMP_LETTERS.index(sign.upper()) in camps:
            owners.append(CAMP_LETTERS.index(sign.upper()))
        elif sign in "123456"[: len(camps)]:
            owners.append(camps[int(sign) - 1])
        else:
            raise InvalidPosition(
                f"{HOLE_NAMES[hole]} 处的 {sign!r} 不是座位 (no seat of that name)", text=text
            )
    most = max(owners.count(camp) for camp in camps)
    _fit(len(camps), 15 if most > 10 else 10, text)
    return Setup(tuple(owners), mover, camps, 15 if most > 10 else 10)


def write_flat(owners: Sequence[int], empty: str = ".") -> str:
    """The 121-character string of a position: camp letters, ``empty`` for an empty hole.

    >>> write_flat(start().owners)[:12]
    'AAAAAAAAAA..'
    """
    return "".join(empty if camp == EMPTY else CAMP_LETTERS[camp] for camp in owners)
