"""Positions as text, both ways.

A position is one line of fields: board, seat to move, pieces, and then ``name=value`` for what is
not as at a start::

    siguo129 0 icgdiebefkhacgdfhkjigljhj/.../.../...       armies, one a seat
    luzhan60 1 0l@S62,0i@N52,1l@N62,1h@N13 quiet=12        owner digit, piece letter, @, point

Names: ``alive`` (seats not out), ``quiet``, ``shown`` (seats whose flag is shown), ``timeouts``
(numbers by seat with commas). The text is the referee's: it holds every rank.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from reprlib import repr as short

from junqi.armies import check_army
from junqi.geometry import BOARD_NAMES, BoardMap, board_map, parse_point, point_name, seat_number
from junqi.layout import A_SIDE
from junqi.pieces import LETTERS
from qikit.errors import GameError, InvalidPosition

_TOKEN = re.compile(r"([0-3])([a-l])@([SENWC]\d\d)")

Piece = tuple[int, int, int]
"""Seat, kind, point."""


@dataclass(frozen=True)
class Setup:
    """A position as plain data.

    Attributes:
        board: name of the board.
        pieces: (seat, kind, point), sorted by seat and point.
        turn: seat to move.
        alive: seats that are not out.
        quiet: plies since a piece was removed in combat.
        shown: seats whose flag has been shown.
        timeouts: by seat.
        armies: the armies as letters where they stand as set up, else empty.
    """

    board: str
    pieces: tuple[Piece, ...]
    turn: int
    alive: tuple[int, ...]
    quiet: int = 0
    shown: tuple[int, ...] = ()
    timeouts: tuple[int, ...] = ()
    armies: tuple[str, ...] = ()


def setup_from_armies(armies: Sequence[str], board: BoardMap, turn: int) -> Setup:
    """The start with those armies.

    Raises:
        InvalidPosition: their number is wrong, or one breaks the set-up rules.
    """
    if len(armies) != board.seats:
        raise InvalidPosition(
            f"{board.name_zh}要 {board.seats} 支军队，这里是 {len(armies)} 支 "
            f"({board.seats} armies needed)",
            text="/".join(map(str, armies)),
        )
    pieces = []
    for seat, army in enumerate(armies):
        kinds = check_army(army, f"{board.seat_name(seat)}方")
        pieces += [(seat, k, p) for k, p in zip(kinds, board.home(seat), strict=True)]
    return Setup(
        board.name,
        tuple(sorted(pieces, key=_place)),
        _seat(turn, board),
        tuple(range(board.seats)),
        armies=tuple(armies),
    )


def _place(piece: Piece) -> tuple[int, int]:
    return piece[0], piece[2]


def _seat(seat: object, board: BoardMap) -> int:
    try:
        return seat_number(seat, board.seats)
    except ValueError as error:
        raise InvalidPosition(str(error), text=short(seat)) from None


def parse_token(token: str) -> Piece:
    """Read ``0i@S11``.

    Raises:
        InvalidPosition: not a token.

    >>> parse_token("0i@S11")
    (0, 8, 0)
    """
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise InvalidPosition(
            f"棋子写法不对 (not a piece such as 0i@S11): {token[:40]!r}", text=token
        )
    try:
        return int(found[1]), LETTERS.index(found[2]), parse_point(found[3])
    except GameError as error:
        raise InvalidPosition(f"{token}：{error}", text=token) from None


def setup_from_tokens(
    tokens: Iterable[str], board: BoardMap, turn: int, alive: Iterable[int] | None = None
) -> Setup:
    """A position piece by piece; seats with a piece are alive unless ``alive`` says otherwise.

    Raises:
        InvalidPosition: a token is malformed, a point is not on the board or held twice, a side has
            more than 25 pieces, or a seat that is out has a piece.
    """
    pieces = sorted(map(parse_token, tokens), key=_place)
    seats = {seat for seat, _, _ in pieces}
    turn = _seat(turn, board)
    living = tuple(sorted(seats if alive is None else {_seat(seat, board) for seat in alive}))
    defect = ""
    held = Counter(point for _, _, point in pieces)
    for seat, kind, point in pieces:
        token = f"{seat}{LETTERS[kind]}@{point_name(point)}"
        if seat >= board.seats or point not in board.points:
            defect = f"{token} 不在 {board.name} 上 (not on this board)"
        elif held[point] > 1:
            defect = f"{token}：一点两子 (two pieces on a point)"
        elif seat not in living:
            defect = f"{token}：该方已出局 (its seat is out)"
    for seat in range(board.seats):
        if sum(owner == seat for owner, _, _ in pieces) > A_SIDE:
            defect = f"{seat} 方超过 25 子 (more than 25 pieces)"
    if not living or not set(living) <= set(range(board.seats)):
        defect = f"在局的座位不对 (seats alive): {living}"
    elif turn not in living:
        defect = f"该走的 {turn} 方不在局中 (the seat to move is out)"
    if defect:
        raise InvalidPosition(f"局面不对 (position): {defect}", text=defect)
    return Setup(board.name, tuple(pieces), turn, living)


def parse_position(text: str) -> Setup:
    """Read a position.

    Raises:
        InvalidPosition: not of the form above; the message says which part.

    >>> parse_position("luzhan60 1 0l@S62,0h@S13,1l@N62,1h@N13 quiet=3").quiet
    3
    """
    fields = text.split()
    if len(fields) < 3 or fields[0] not in BOARD_NAMES or not re.fullmatch("[0-3]", fields[1]):
        raise InvalidPosition(
            f"局面应以棋盘、座位、棋子开头 (board, seat to move, pieces): {text[:80]!r}", text=text
        )
    board, turn = board_map(fields[0]), int(fields[1])
    values: dict[str, str] = {}
    for field in fields[3:]:
        name, equals, value = field.partition("=")
        if not equals or name not in ("alive", "quiet", "shown", "timeouts") or name in values:
            raise InvalidPosition(f"局面里读不懂 (field): {field[:40]!r}", text=text)
        values[name] = value
    alive = _digits(values["alive"], text) if "alive" in values else None
    if "@" in fields[2]:
        setup = setup_from_tokens(fields[2].split(","), board, turn, alive)
    else:
        setup = setup_from_armies(fields[2].split("/"), board, turn)
        if alive is not None and alive != setup.alive:
            raise InvalidPosition("开局时无人出局 (armies: nobody is out)", text=text)
    quiet = _number(values.get("quiet", "0"), text)
    shown = _digits(values.get("shown", ""), text)
    timeouts = tuple(_number(part, text) for part in values.get("timeouts", "").split(",") if part)
    if (timeouts and len(timeouts) != board.seats) or any(s >= board.seats for s in shown):
        raise InvalidPosition("timeouts 或 shown 与座位不符 (do not fit the seats)", text=text)
    return Setup(setup.board, setup.pieces, turn, setup.alive, quiet, shown, timeouts, setup.armies)


def _digits(value: str, text: str) -> tuple[int, ...]:
    if not re.fullmatch("[0-3]*", value):
        raise InvalidPosition(f"应为座位号 (seat numbers): {value[:40]!r}", text=text)
    return tuple(sorted({int(digit) for digit in value}))


def _number(value: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", value):
        raise InvalidPosition(f"应为数字 (a number): {value[:40]!r}", text=text)
    return int(value)


def write_position(setup: Setup) -> str:
    """The text of a position, which :func:`parse_position` reads."""
    board = board_map(setup.board)
    if setup.armies:
        pieces = "/".join(setup.armies)
    else:
        pieces = ",".join(
            f"{seat}{LETTERS[kind]}@{point_name(point)}" for seat, kind, point in setup.pieces
        )
    fields = [setup.board, str(setup.turn), pieces]
    with_pieces = tuple(sorted({seat for seat, _, _ in setup.pieces}))
    if setup.alive != with_pieces:
        fields.append("alive=" + "".join(map(str, setup.alive)))
    if setup.quiet:
        fields.append(f"quiet={setup.quiet}")
    if setup.shown:
        fields.append("shown=" + "".join(map(str, setup.shown)))
    if any(setup.timeouts):
        fields.append("timeouts=" + ",".join(map(str, setup.timeouts[: board.seats])))
    return " ".join(fields)
