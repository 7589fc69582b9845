"""Suites of known counts, and checking a game's generator against them.

A ``.perft`` file is read by several projects' tools: an ``id`` line, an ``epd`` line with the
position (``fen`` and ``pos`` say the same), then ``perft DEPTH COUNT`` lines; ``#`` begins a
comment. JSON Lines with ``id``, ``fen`` (or ``pos``) and a list ``perft`` from depth 1 on are
read as well.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import qikit
from perft.counting import Count, count
from qikit import GameError, InvalidRecord

_POSITION_WORDS = ("epd", "fen", "pos")
_WORTH_SPLITTING = 50_000_000
"""Counts above this go branch by branch, so that Ctrl-C is answered."""


@dataclass
class Case:
    """A position with its known counts.

    Attributes:
        id: name in the suite.
        position: text that the game's ``Board`` reads.
        counts: nodes by depth.
    """

    id: str
    position: str
    counts: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Mismatch:
    """The first count that is not as the suite says.

    Attributes:
        split: what was counted, by first move, as text.
        diagram: the position as text.
    """

    case: Case
    depth: int
    expected: int
    counted: int
    split: dict[str, int]
    diagram: str

    def text(self) -> str:
        """Several lines for people: the position, both numbers, and the split to compare."""
        lines = [
            f"{self.case.id}: 深度 depth {self.depth}: 应为 expected {self.expected}, "
            f"数得 counted {self.counted} ({self.counted - self.expected:+d})",
            self.case.position,
            self.diagram,
            *(f"{move}: {nodes}" for move, nodes in self.split.items()),
            f"{len(self.split)} 着 moves",
        ]
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """What a run over a suite found.

    Attributes:
        cases: positions looked at.
        counts: counts compared (a position has one for every depth).
        skipped: counts left out because of the cap.
        nodes: nodes counted.
        cpu: seconds of processor time.
        mismatch: the first difference, where the run ended; ``None`` = all agree.
    """

    game: str
    cases: int
    counts: int
    skipped: int
    nodes: int
    cpu: float
    mismatch: Mismatch | None


def read(text: str, name: str = "suite") -> list[Case]:
    """The cases of a ``.perft`` or JSON Lines text.

    Raises:
        InvalidRecord: a line that is neither; the message gives its number.

    >>> read("id a\\nepd 3k5/9/9/9/9/9/9/9/9/4K4 w\\nperft 1 3\\n")[0].counts
    {1: 3}
    """
    json_lines = text.lstrip().startswith("{")
    cases: list[Case] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if json_lines:
                cases += _json_case(json.loads(line))
            else:
                _take(line, cases)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"缺少 missing {error}" if isinstance(error, KeyError) else str(error)
            message = f"{name} 第 {number} 行读不懂 (line {number}): {line[:80]!r}: {why}"
            raise InvalidRecord(message, text=line) from None
    for case in cases:
        if not case.position:
            raise InvalidRecord(f"{name}: {case.id} 没有局面 (no position)", text=case.id)
    return cases


def _json_case(row: dict[str, Any]) -> list[Case]:
    if not isinstance(row.get("perft"), list):  # legends and tables stand between the rows
        return []
    position = row["fen"] if "fen" in row else row["pos"]
    counts = {depth: int(nodes) for depth, nodes in enumerate(row["perft"], start=1)}
    return [Case(str(row.get("id", "?")), str(position), counts)]


def _take(line: str, cases: list[Case]) -> None:
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if word == "id":
        cases.append(Case(rest, ""))
        return
    if not cases or (word in _POSITION_WORDS and cases[-1].position):
        cases.append(Case(f"#{len(cases) + 1}", ""))
    if word in _POSITION_WORDS:
        cases[-1].position = rest
    elif word == "perft":
        depth, nodes = rest.split()
        cases[-1].counts[int(depth)] = int(nodes)
    else:
        raise ValueError("id, epd, fen, pos 或 perft 开头 (must begin with one of these)")


def load(game: str) -> list[Case]:
    """The suite that comes with the package.

    Raises:
        FileNotFoundError: there is none for this game.
    """
    name = f"{game}.perft"
    return read((files("perft") / name).read_text("utf-8"), name)


def load_file(path: Path) -> list[Case]:
    """The cases of a file.

    Raises:
        InvalidRecord: it cannot be read, or is no suite.
    """
    try:
        return read(path.read_text("utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRecord(f"{path} 读不了 (cannot be read): {error}", text=str(path)) from None


def run(
    game: str,
    max_nodes: int | None = None,
    *,
    cases: Iterable[Case] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Check a game against its suite, shallow counts first, up to the first mismatch.

    Args:
        game: registered name.
        max_nodes: counts that the suite says are larger are left out.
        cases: other cases than the packaged suite.
        threads: for counts worth it.
        progress: called with the nodes of each count as it is done.

    Raises:
        FileNotFoundError: no cases given and no suite packaged.
        GameError: a position of the suite that the game refuses; its id stands before the reason.
    """
    info = qikit.game(game)
    chosen = load(game) if cases is None else list(cases)
    compared = skipped = nodes = 0
    began = time.process_time()
    mismatch: Mismatch | None = None
    for case in chosen:
        try:
            board = info.board(case.position)
        except GameError as error:
            raise type(error)(f"{case.id}: {error}", text=case.position) from error
        for depth, expected in sorted(case.counts.items()):
            if max_nodes is not None and expected > max_nodes:
                skipped += 1
                continue
            mismatch = check(board, case, depth, threads=threads)
            if mismatch is not None:
                break
            compared += 1
            nodes += expected
            if progress is not None:
                progress(expected)
        if mismatch is not None:
            break
    spent = time.process_time() - began
    return Report(game, len(chosen), compared, skipped, nodes, spent, mismatch)


def planned_nodes(cases: Iterable[Case], max_nodes: int | None) -> int:
    """Nodes that :func:`run` will count under that cap."""
    counts = (nodes for case in cases for nodes in case.counts.values())
    return sum(nodes for nodes in counts if max_nodes is None or nodes <= max_nodes)


def check(board: Any, case: Case, depth: int, *, threads: int = 1) -> Mismatch | None:
    """Compare one count; a difference comes with the split by first move."""
    expected = case.counts[depth]
    if expected < _WORTH_SPLITTING:
        counted = board.perft(depth)
    else:
        counted = count(board, depth, threads=threads).nodes
    if counted == expected:
        return None
    split: Count = count(board, depth)
    return Mismatch(
        case,
        depth,
        expected,
        counted,
        {str(move): nodes for move, nodes in split.split.items()},
        str(board),
    )
