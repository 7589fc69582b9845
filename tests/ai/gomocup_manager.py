"""A manager of Gomocup engines for tests: starts processes, plays games, watches the clock."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from ai.transport import LineTransport
from gomoku import Board, Move
from gomoku.rules import resolve

MOVE = re.compile(r"\d+,\d+")


class Engine:
    """One engine process, ``qiyuan engine gomoku``."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "qiyuan", "engine", "gomoku", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.link = LineTransport(self.process.stdout, self.process.stdin)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.link.send("END")
        try:
            self.process.wait(5)
        finally:
            self.process.kill()
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.process.stdin.close()
            self.process.stdout.close()

    def send(self, *lines: str) -> None:
        self.link.send(*lines)

    def reply(self, timeout: float) -> str:
        """The next line that is neither MESSAGE nor DEBUG."""
        while True:
            line = self.link.receive(timeout)
            assert line is not None, "the engine has gone"
            if not line.startswith(("MESSAGE", "DEBUG")):
                return line


@dataclass(frozen=True)
class Played:
    """A game between two engines: what came out, and the longest time for a move in seconds."""

    board: Board
    slowest: float


def play(black: Engine, white: Engine, opening: list[Move], rule: str, turn_ms: int) -> Played:
    """One game; every move is judged here: an illegal or late answer is an AssertionError."""
    number = {"freestyle": 0, "standard": 1, "renju": 4, "caro_overline": 8, "caro_exact": 9}[rule]
    limit = 200 if rule == "renju" else None  # Gomocup's draw
    board = Board(rules=replace(resolve(rule), move_limit=limit))
    for engine in (black, white):
        engine.send(
            f"INFO rule {number}",
            f"INFO timeout_turn {turn_ms}",
            "INFO timeout_match 0",
            "INFO max_memory 367001600",
            "INFO game_type 2",
            "START 15",
        )
        assert engine.reply(120.0) == "OK"
    for move in opening:
        board.push(move)
    slowest = 0.0
    begun = [False, False]
    while not board.is_over():
        engine = (black, white)[board.turn]
        sent = time.monotonic()
        if not begun[board.turn]:
            begun[board.turn] = True
            engine.send("INFO time_left 2147483647", "BOARD")
            for place, move in enumerate(board.move_stack):
                own = 1 if place % 2 == board.turn else 2
                engine.send(f"{move.x},{14 - move.y},{own}")
            engine.send("DONE")
        else:
            last = board.peek()
            engine.send("INFO time_left 2147483647", f"TURN {last.x},{14 - last.y}")
        answer = engine.reply(turn_ms / 1000 + 10.0)
        slowest = max(slowest, time.monotonic() - sent)
        assert MOVE.fullmatch(answer), f"{answer!r} in\n{board}"
        x, y = map(int, answer.split(","))
        board.push(Move(x, 14 - y))  # raises when the move is illegal
    return Played(board, slowest)
