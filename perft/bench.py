"""Speed of counting beside other programs: processor time, interleaved, best of several rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import qikit
from perft.counting import count
from perft.modes import modes
from perft.peer import Peer


@dataclass
class Row:
    """One way of counting, or one other program.

    Attributes:
        name, zh, en: who, and what is done at the last ply.
        nodes: what it counted.
        cpu: least seconds of processor time of all rounds.
        ratios: speed in relation to each other program, by its name.
    """

    name: str
    zh: str
    en: str
    nodes: int = 0
    cpu: float = float("inf")
    ratios: dict[str, float] = field(default_factory=dict)

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return self.nodes / self.cpu

    def note(self, nodes: int, cpu: float) -> None:
        """Take the result of a round; a count that changes between rounds is kept as it comes."""
        self.nodes = nodes if self.cpu == float("inf") or nodes == self.nodes else -1
        self.cpu = min(self.cpu, cpu)


@dataclass(frozen=True)
class Threads:
    """The same count on one thread and on several."""

    depth: int
    nodes: int
    threads: int
    cpu_one: float
    wall_one: float
    cpu_many: float
    wall_many: float

    @property
    def cpu_ratio(self) -> float:
        """Processor time of several threads together, in relation to one."""
        return self.cpu_many / self.cpu_one


@dataclass
class Bench:
    """Everything that a bench found.

    Attributes:
        expected: the known count, or ``None``.
        wrong: names of rows (or ``"threads"``) whose count is not the expected one.
        python_moves: moves a second of a Python loop that pushes, lists and pops.
        python_listed: moves a second that this loop listed.
    """

    game: str
    position: str
    depth: int
    expected: int | None
    own: list[Row]
    peers: list[Row]
    threads: Threads | None = None
    python_moves: float = 0.0
    python_listed: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for ``--json``."""
        data = asdict(self)
        for row, source in zip(data["own"] + data["peers"], self.own + self.peers, strict=True):
            row["nodes_per_second"] = round(source.speed)
        if self.threads is not None:
            data["threads"]["cpu_ratio"] = self.threads.cpu_ratio
        return data


def bench(
    game: str,
    position: str,
    depth: int,
    *,
    peers: Sequence[Peer] = (),
    rounds: int = 3,
    threads: int = 2,
    threads_depth: int | None = None,
    expected: dict[int, int] | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> Bench:
    """Run all ways of counting in turn, ``rounds`` times, and compare.

    Args:
        game: registered name.
        position: text of the position.
        depth: of the count.
        peers: other programs.
        rounds: the least processor time of so many rounds counts.
        threads: several threads beside one, below 2 = leave that out.
        threads_depth: depth for the threads (default: ``depth``).
        expected: known counts of the position by depth.
        progress: told what runs now.

    Raises:
        PeerError: another program that does not answer.
    """
    known = expected or {}
    own = [(mode, Row(mode.name, mode.zh, mode.en)) for mode in modes(game)]
    others = [(peer, Row(peer.path, "go perft", "go perft")) for peer in peers]
    counters = {mode.name: mode.prepare(position) for mode, _ in own}
    for count_once in counters.values():
        count_once(min(depth, 3))  # tables and caches are warm before the clock runs
    for number in range(1, rounds + 1):
        for mode, row in own:
            progress(f"{number}/{rounds} {mode.name}")
            row.note(*_timed(counters[mode.name], depth))
        for peer, row in others:
            progress(f"{number}/{rounds} {row.name}")
            row.note(*peer.measure(position, depth))
            row.name = peer.name or row.name
    result = Bench(
        game, position, depth, known.get(depth), [r for _, r in own], [r for _, r in others]
    )
    for row in result.own:
        row.ratios = {other.name: row.speed / other.speed for other in result.peers}
    board = qikit.game(game).board(position)
    if threads > 1:
        progress(f"threads {threads}")
        result.threads = _threads(board, threads_depth or depth, threads)
    progress("python")
    result.python_moves, result.python_listed = python_speed(board)
    result.wrong = _wrong(result, known)
    return result


def _timed(counter: Callable[[int], int], depth: int) -> tuple[int, float]:
    began = time.thread_time()
    nodes = counter(depth)
    return nodes, max(time.thread_time() - began, 1e-9)


def _threads(board: Any, depth: int, threads: int) -> Threads:
    one = count(board, depth, threads=1)
    many = count(board, depth, threads=threads)
    nodes = one.nodes if one.nodes == many.nodes else -1
    return Threads(depth, nodes, threads, one.cpu, one.wall, many.cpu, many.wall)


def _wrong(result: Bench, known: dict[int, int]) -> list[str]:
    rows = result.own + result.peers
    right = rows[0].nodes if result.expected is None else result.expected
    wrong = [row.name for row in rows if row.nodes != right]
    if result.threads is not None:
        nodes = result.threads.nodes
        if nodes != known.get(result.threads.depth, nodes) or nodes < 0:
            wrong.append("threads")
    return wrong


def python_speed(board: Any, seconds: float = 0.5) -> tuple[float, float]:
    """(moves a second, listed moves a second) of plain Python calls on ``board``.

    The loop is the one that people write: for every legal move ``push``, then
    ``len(list(board.legal_moves))``, then ``pop``. The first number counts the pushes, the second
    the moves in the lists, which is what ``perft`` with counting at the leaves calls nodes.
    """
    pushed = listed = 0
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        for first in list(board.legal_moves):
            board.push(first)
            for second in list(board.legal_moves):
                board.push(second)
                listed += len(list(board.legal_moves))
                board.pop()
                pushed += 1
            board.pop()
            pushed += 1
        if not pushed:
            return 0.0, 0.0
    spent = time.thread_time() - began
    return pushed / spent, listed / spent
