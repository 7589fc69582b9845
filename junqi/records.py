"""Whole games as JSON Lines: a header, then one line an event, then the result.

The referee's file holds the armies; the public one is the same file without them, and from it and
the own army a player's view can be made (:meth:`Record.view`)::

    {"format": "junqi-record/1", "board": "siguo129", "mode": "dark", "rules": {}, "first": 0, ...}
    {"seat": 0, "from": "S11", "to": "C11", "outcome": "move", "ms": 2100}
    {"seat": 1, "event": "timeout"}
    {"result": ["win", 0], "termination": "flag_captured"}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from junqi.board import Board
from junqi.events import Act, Event
from junqi.fields import json_object, value_of
from junqi.geometry import BOARD_NAMES, board_map, parse_point, point_name, seat_number
from junqi.layout import A_SIDE
from junqi.ledger import Ledger, Roster
from junqi.pieces import COUNTS, KINDS
from junqi.rules import Rules
from junqi.view import View, known_kinds
from qikit.errors import GameError, InvalidRecord
from qikit.outcome import Termination

T = TypeVar("T")
FORMAT = "junqi-record/1"
_OWN_KEYS = ("format", "board", "mode", "rules", "first", "armies", "position", "places", "rosters")
_TERMINATIONS = {None: None} | {ending.value: ending.value for ending in Termination}


@dataclass(frozen=True)
class Defect:
    """What a reader had to leave out.

    Attributes:
        line: line number in the file, from 1; 0 = found when the game was played again.
        text: the line.
        reason: why, for people.
    """

    line: int
    text: str
    reason: str


@dataclass
class Record:
    """A game on file.

    Attributes:
        rules: board, mode and switches.
        first: seat that began.
        events: what happened.
        armies: set-ups by seat; empty in a public record, or where ``position`` says how it began.
        position: the referee's text of a start that is no set-up, else None.
        places: points of the pieces at such a start, by seat.
        rosters: how many pieces of each kind each seat had at such a start.
        headers: everything else of the first line (players, date, seed ...).
        times: milliseconds of each event, None = unknown.
        result: ``["win", team]``, ``["draw", None]`` or None as the file says.
        termination: how the file says that the game ended.
        defects: lines that could not be used.
    """

    rules: Rules
    first: int
    events: list[Event] = field(default_factory=list)
    armies: tuple[str, ...] = ()
    position: str | None = None
    places: tuple[tuple[int, ...], ...] = ()
    rosters: tuple[Roster, ...] = ()
    headers: dict[str, Any] = field(default_factory=dict)
    times: list[int | None] = field(default_factory=list)
    result: list[Any] | None = None
    termination: str | None = None
    defects: list[Defect] = field(default_factory=list)

    @classmethod
    def of(cls, board: Board, times: Sequence[int | None] = (), **headers: Any) -> Self:
        """The record of a board's game.

        >>> board = Board.from_armies(["icgdiebefkhacgdfhkjigljhj"] * 2, "luzhan60")
        >>> move = board.push("S11-S22")
        >>> record = Record.of(board, seed=1)
        >>> loads(dumps(record, sealed=True)).replay() == board
        True
        """
        root = board.root()
        setup = root.setup()
        record = cls(
            board.rules,
            root.turn,
            list(board.events),
            board.armies,
            None if board.armies else root.fen(),
            headers=dict(headers),
            times=list(times) or [None] * len(board.events),
        )
        if not board.armies:
            seats = range(root.map.seats)
            own = [[piece for piece in setup.pieces if piece[0] == seat] for seat in seats]
            record.places = tuple(tuple(point for _, _, point in pieces) for pieces in own)
            record.rosters = tuple(
                tuple(sum(kind == k for _, kind, _ in pieces) for k in KINDS) for pieces in own
            )
        outcome = board.outcome()
        if outcome is not None:
            record.result = _result(board)
            record.termination = outcome.termination.value
        return record

    def public(self) -> Record:
        """The same record without what the players must not know."""
        return Record(
            self.rules, self.first, list(self.events), (), None, self.places, self.rosters,
            {key: value for key, value in self.headers.items() if key != "seed"},
            list(self.times), self.result, self.termination, list(self.defects),
        )  # fmt: skip

    # ---- playing again ------------------------------------------------------------------------

    def start(self) -> Board:
        """The board at the beginning.

        Raises:
            InvalidRecord: a public record has no armies.
        """
        if self.armies:
            return Board.from_armies(self.armies, None, self.first, self.rules)
        if self.position is None:
            raise InvalidRecord("公开记录里没有布阵 (a public record holds no armies)")
        return Board(self.position, self.rules)

    def replay(self) -> Board:
        """Play the whole game again; what the referee judges otherwise goes to ``defects``.

        Stops at the first event that is not possible.

        Raises:
            InvalidRecord: a public record has no armies.
        """
        board = self.start()
        for number, event in enumerate(self.events, start=1):
            try:
                _bring_about(board, event)
            except GameError as error:
                self._note(str(event.to_dict()), f"第 {number} 个事件：{error}")
                break
            if board.events[-1] != event:
                told, judged = event.to_dict(), board.events[-1].to_dict()
                self._note(str(told), f"第 {number} 个事件应为 (should be) {judged}")
        judged_result = _result(board)
        if None not in (self.result, judged_result) and self.result != judged_result:
            self._note(str(self.result)[:200], f"结果应为 (result should be) {judged_result}")
        return board

    def _note(self, text: str, reason: str) -> None:
        """A defect of the whole game, told once however often it is played again."""
        defect = Defect(0, text, reason)
        if defect not in self.defects:
            self.defects.append(defect)

    def ledger(self) -> Ledger:
        """The public side of the game, played through.

        Raises:
            InvalidRecord: an event cannot happen, whatever the ranks.
        """
        if self.places:
            seats = [seat for seat, own in enumerate(self.places) if own]
            ledger = Ledger(self.rules, self.places, self.rosters, self.first, seats, False)
        else:
            ledger = Ledger.of_armies(self.rules, self.first)
        for event in self.events:
            ledger.follow(event)
        return ledger

    def view(self, seat: int | None, armies: dict[int, str] | None = None) -> View:
        """What the player on a seat knows at the end of the record.

        Args:
            seat: the player; None = a spectator.
            armies: the set-ups that the player sees, by seat (its own; in 双明 the partner's too);
                a referee's record has them itself.

        Raises:
            InvalidRecord: an army that the player sees is missing, or an event cannot happen.
            InvalidPosition: an army breaks the set-up rules.
        """
        if self.armies or self.position is not None:
            return self.replay().view(seat)
        told = {} if armies is None or self.places else armies
        kinds = known_kinds(self.rules, board_map(self.rules.board), seat, told)
        return View(self.ledger(), kinds, seat)


def _result(board: Board) -> list[Any] | None:
    """How a record writes the result of a board; None while the game goes on."""
    outcome = board.outcome()
    if outcome is None:
        return None
    return ["draw", None] if outcome.winner is None else ["win", outcome.winner]


def _bring_about(board: Board, event: Event) -> None:
    if event.act is Act.TIMEOUT:
        if event.seat != board.turn:
            raise InvalidRecord(f"该 {board.turn} 走 (not the turn of {event.seat})")
        board.timeout()
    elif event.act is Act.RESIGN:
        board.resign(event.seat)
    elif event.act is Act.AGREE:
        for seat in board.alive:
            if board.outcome() is None and seat != event.seat:
                board.offer_draw(seat)
        board.offer_draw(event.seat)
    elif event.move is not None:
        if event.seat != board.turn:
            raise InvalidRecord(f"该 {board.turn} 走 (not the turn of {event.seat})")
        board.push(event.move)


def dumps(record: Record, *, sealed: bool) -> str:
    """The text of a record.

    Args:
        record: the game.
        sealed: with the armies, for the referee; False leaves out all that is secret.
    """
    if not sealed:
        record = record.public()
    rules = record.rules.changes()
    head: dict[str, Any] = {
        "format": FORMAT,
        "board": rules.pop("board", record.rules.board),
        "mode": rules.pop("mode", record.rules.mode),
        "rules": rules,
        "first": record.first,
    }
    if record.armies:
        head["armies"] = list(record.armies)
    if record.position is not None:
        head["position"] = record.position
    if record.places:
        head["places"] = [[point_name(point) for point in own] for own in record.places]
        head["rosters"] = [list(roster) for roster in record.rosters]
    lines = [head | {key: value for key, value in record.headers.items() if key not in _OWN_KEYS}]
    for event, ms in zip(record.events, record.times, strict=False):
        lines.append(event.to_dict() | ({} if ms is None else {"ms": ms}))
    if record.result is not None:
        lines.append({"result": record.result, "termination": record.termination})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def loads(text: str) -> Record:
    """Read a record, the referee's or a public one.

    Lines that are no events are left out, and so are fields of others that are not what they
    should be; ``defects`` tells which and why.

    Raises:
        InvalidRecord: the first line is no header of this format; the sentence names the field.
        InvalidPosition: an army in it breaks the set-up rules.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise InvalidRecord("空文件 (empty file)")
    record = _header(*lines[0])
    for number, line in lines[1:]:
        try:
            _read_line(record, json_object(line))
        except InvalidRecord as error:
            record.defects.append(Defect(number, line[:200], str(error)))
    return record


def _read_line(record: Record, data: dict[str, Any]) -> None:
    if "result" in data:
        record.result = value_of(
            data, "result", ' ["win", 0 或 1]、["draw", null] 或 null',
            '["win", team], ["draw", null] or null', _result_of,
        )  # fmt: skip
        record.termination = value_of(
            data, "termination", "终局原因", "why a game ends", _TERMINATIONS.__getitem__, None
        )
        return
    record.events.append(Event.from_dict(data))
    record.times.append(None)
    record.times[-1] = value_of(data, "ms", "毫秒数", "milliseconds", _whole, None)


def _result_of(value: Any) -> list[Any] | None:
    if value is None or value == ["draw", None]:
        return value  # type: ignore[no-any-return]
    word, team = value
    if word != "win":
        raise ValueError
    return ["win", seat_number(team, 2)]


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _of_type(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise TypeError
    return value


def _points_of(value: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(parse_point, own)) for own in value)


def _rosters_of(value: Any) -> tuple[Roster, ...]:
    return tuple(tuple(map(_whole, roster)) for roster in value)


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _of_type(str, value)


def _texts_of(value: Any) -> tuple[str, ...]:
    return tuple(_of_type(str, text) for text in _of_type(list, value))


def _header(number: int, line: str) -> Record:
    try:
        head = json_object(line)
        value_of(head, "format", f" {FORMAT}", FORMAT, (FORMAT,).index)
        names = ", ".join(BOARD_NAMES)
        board = value_of(head, "board", f" {names} 之一", f"one of {names}", board_map)
        switches = value_of(
            head, "rules", "规则项的对象", "an object of switches", partial(_of_type, dict), {}
        )
        rules = Rules.preset(
            "standard", **{**switches, "board": board.name, "mode": head.get("mode", "dark")}
        )
        most = board.seats - 1
        first = value_of(
            head, "first", f"座位 0 到 {most}", f"a seat 0..{most}",
            partial(seat_number, seats=board.seats), 0,
        )  # fmt: skip
        places = value_of(
            head, "places", "各方的点名", "for each seat a list of points", _points_of, ()
        )
        rosters = value_of(
            head, "rosters", "各方每种棋子的枚数", "for each seat 12 counts", _rosters_of, ()
        )
        if places and (
            len(places) != board.seats
            or [len(own) for own in places] != [sum(roster) for roster in rosters]
            or not all(len(roster) == len(COUNTS) for roster in rosters)
            or len({point for own in places for point in own}) < sum(map(len, places))
            or not places[first]
            or max(map(len, places)) > A_SIDE
            or not {point for own in places for point in own} <= set(board.points)
        ):
            raise InvalidRecord(
                "字段 places 与 rosters 不成一个局面 (fields places and rosters: no position)"
            )
        armies = value_of(head, "armies", "字符串的列表", "a list of strings", _texts_of, ())
        position = value_of(head, "position", "局面文字", "a position text", _text_or_none, None)
    except ValueError as error:
        raise InvalidRecord(
            f"第 {number} 行不是军棋记录的头 (line {number} is no header of a junqi record): "
            f"{error}",
            text=line[:400],
        ) from None
    record = Record(rules, first, [], armies, position, places, rosters)
    if armies or position is not None:
        record.start()
    record.headers = {key: value for key, value in head.items() if key not in _OWN_KEYS}
    return record


def read(source: str | Path | bytes) -> Record:
    """Read a record from a file, or from its bytes: UTF-8, UTF-16 or UTF-32, marked or not.

    Raises:
        InvalidRecord: see :func:`loads`.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    return loads(data.decode(json.detect_encoding(data), "replace"))
