"""Games as JSON Lines that replay to the same bits.

The first line tells the rules, the equipment and who strikes first; every further line is one
stroke with the digest of its shot, so that a replay proves itself. Numbers are written with all
their digits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from carrom.board import Table
from carrom.cue import Stroke
from qikit.errors import GameError, InvalidPosition, InvalidRecord
from qikit.outcome import Outcome, Termination

FORMAT = "qiyuan-carrom"
VERSION = 1


@dataclass(frozen=True)
class Defect:
    """Something in a record that does not hold: line from 1, the text, and what is wrong."""

    line: int
    text: str
    reason: str


@dataclass
class Record:
    """A game read from a file.

    Attributes:
        table: the game, replayed as far as it goes.
        headers: names and the like from the first line.
        defects: lines that could not be replayed or gave other bits than when they were written.
    """

    table: Table
    headers: dict[str, Any] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)


def dumps(table: Table, headers: dict[str, Any] | None = None) -> str:
    """The game of a table that was played from its start, as JSON Lines.

    Raises:
        InvalidRecord: the table did not begin with the start of a game; headers that JSON cannot
            hold.

    >>> table = Table()
    >>> _ = table.strike(Stroke(0.38, -0.38, -0.38, 0.50, 3.0))
    >>> again = loads(dumps(table, {"red": "甲"}))
    >>> again.table.position == table.position, again.headers, again.defects
    (True, {'red': '甲'}, [])
    """
    rulings = table.rulings
    if len(rulings) != table.position.strikes:
        raise InvalidRecord("此局不是从开局打起，不能存成对局 (not played from the start)")
    first = rulings[0].seat if rulings else table.turn
    lines: list[dict[str, Any]] = [
        {
            "format": FORMAT,
            "version": VERSION,
            "headers": headers or {},
            "rules": table.rules.to_dict(),
            "equipment": table.equipment.to_dict(),
            "first": first,
        }
    ]
    for ruling in rulings:
        line: dict[str, Any] = {"seat": ruling.seat, "stroke": asdict(ruling.stroke)}
        if ruling.faults:
            line["faults"] = [fault.value for fault in ruling.faults]
        line["digest"] = ruling.shot.digest()
        line["ruling"] = ruling.zh
        lines.append(line)
    outcome = table.outcome()
    if outcome is not None:
        lines.append(
            {
                "outcome": outcome.termination.value,
                "winner": outcome.winner,
                "rule": outcome.rule,
            }
        )
    try:
        return "".join(_text(line) + "\n" for line in lines)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRecord(f"抬头存不成 JSON (headers are no JSON): {error}") from None


def _text(line: dict[str, Any]) -> str:
    text = json.dumps(line, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair can only be written escaped
        return json.dumps(line)
    return text


def loads(text: str) -> Record:
    """Replay a game.

    A line that cannot be played ends the replay; what came before is kept and the rest is reported
    in ``defects``. A digest that differs is reported too, and the replay goes on.

    Raises:
        InvalidRecord: the first line is not the head of such a record.
    """
    # not splitlines(): a header may hold U+2028, U+0085 and others at which that cuts
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    head = _json(lines[0])
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InvalidRecord(f"第 1 行不是康乐棋记录的开头 (not a {FORMAT} record)", text=text[:80])
    if head.get("version") != VERSION:
        raise InvalidRecord(
            f"第 1 行：不认识的版本 (unknown version): {head.get('version')!r}", text=text[:80]
        )
    try:
        table = Table(head["rules"], head["equipment"], first=head.get("first", 0))
        headers = dict(head.get("headers", {}))
    except (GameError, KeyError, TypeError, ValueError) as error:
        raise InvalidRecord(f"第 1 行读不出规则或器材 (rules, equipment): {error}") from None
    record = Record(table, headers)
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        reason = _replay(table, line)
        if reason is None:
            continue
        record.defects.append(Defect(number, line, reason))
        if not reason.startswith("重放"):
            rest = enumerate(lines[number:], start=number + 1)
            record.defects += [
                Defect(k, r, "前面有错，未重放 (not replayed)") for k, r in rest if r
            ]
            break
    return record


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _replay(table: Table, line: str) -> str | None:
    """Play one line; what is wrong with it, or ``None``."""
    data = _json(line)
    if not isinstance(data, dict):
        return "不是 JSON 对象 (not a JSON object)"
    if "outcome" in data:
        return _check_outcome(table, data)
    try:
        stroke = Stroke(**data["stroke"])
        if data.get("seat", table.turn) != table.turn:
            return f"轮次不对，应为 {table.turn} (wrong seat)"
        ruling = table.strike(stroke, data.get("faults"))
    except (GameError, KeyError, TypeError, ValueError) as error:
        return f"不能击打 (cannot be played): {error}"
    if data.get("digest", ruling.shot.digest()) != ruling.shot.digest():
        return "重放结果与记录不一致 (replays to other bits)"
    return None


def _check_outcome(table: Table, data: dict[str, Any]) -> str | None:
    if data["outcome"] == Termination.MOVE_LIMIT.value and table.outcome() is None:
        table.call_time()
    outcome = table.outcome()
    kinds = {kind.value: kind for kind in Termination}
    if not isinstance(data["outcome"], str) or data["outcome"] not in kinds:
        return f"重放：没有这种结局 (no such outcome): {data['outcome']!r}"
    written = Outcome(kinds[data["outcome"]], data.get("winner"), str(data.get("rule", "")))
    if outcome != written:
        return f"重放得到的结局不同 (other outcome): {outcome}"
    return None


def read(source: str | Path) -> Record:
    """The game in a file (UTF-8).

    Raises:
        InvalidRecord: not such a record.
        OSError: the file cannot be read.
    """
    try:
        return loads(Path(source).read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidRecord(f"文件不是 UTF-8 (not UTF-8): {source}: {error.reason}") from None


def write(target: str | Path, table: Table, headers: dict[str, Any] | None = None) -> None:
    """Write the game of a table to a file."""
    Path(target).write_text(dumps(table, headers), "utf-8")


def read_positions(lines: Iterable[str]) -> list[Table]:
    """Tables of :meth:`Table.to_dict`, one a line.

    Raises:
        InvalidRecord: a line is no JSON; the message tells which.
        InvalidPosition: a position makes no sense; the message tells which.
    """
    tables = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            data = _json(line)
            if not isinstance(data, dict):
                raise InvalidRecord(f"第 {number} 行不是 JSON 对象 (not JSON)", text=line[:80])
            try:
                tables.append(Table.from_dict(data))
            except InvalidPosition as error:
                raise InvalidPosition(f"第 {number} 行：{error}", text=line[:80]) from None
    return tables
