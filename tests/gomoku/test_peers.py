"""Peer programs as judges of 禁手: Rapfi (GPL-3, never part of the package), where installed."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from ai.transport import LineTransport
from gomoku import Board, Move
from tests.gomoku.data import cluster

RAPFI = os.environ.get("QIYUAN_RAPFI") or shutil.which("pbrain-rapfi")


class Rapfi:
    """Asks Rapfi for the forbidden points of positions."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.link = LineTransport(self.process.stdout, self.process.stdin)
        self.link.send("START 15")
        self._until("OK")
        self.link.send("INFO rule 4")

    def _until(self, word: str) -> str:
        while True:
            line = self.link.receive(30)
            assert line is not None
            if line.startswith(word):
                return line

    def forbidden_points(self, black: list[Move], white: list[Move]) -> set[Move]:
        """Passes stand for the stones that white has fewer."""
        lines = []
        waiting = list(white)
        for stone in black:
            lines.append(f"{stone.x},{stone.y},1")
            other = waiting.pop() if waiting else Move.parse("pass")
            lines.append(f"{other.x},{other.y},2")
        self.link.send("YXBOARD", *lines, "DONE", "YXSHOWFORBID")
        digits = self._until("FORBID")[6:].strip().rstrip(".")
        pairs = [digits[i : i + 4] for i in range(0, len(digits), 4)]
        return {Move(int(pair[:2]), int(pair[2:])) for pair in pairs}

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.mark.skipif(RAPFI is None, reason="pbrain-rapfi is neither on PATH nor in QIYUAN_RAPFI")
@pytest.mark.parametrize("start", [0, pytest.param(1000, marks=pytest.mark.full)])
def test_rapfi_agrees(start: int) -> None:
    assert RAPFI is not None
    rapfi = Rapfi(RAPFI)
    forbidden = 0
    try:
        for seed in range(start, start + (5000 if start else 200)):
            points = cluster(seed + 777_000, 15, 10 + seed % 9, 4 + seed % 7, 7 + seed % 4)
            black, white = ([Move(*p) for p in side] for side in points)
            board = Board.from_stones(black, white, "black", rules="renju")
            found = set(board.forbidden_points())
            assert found == rapfi.forbidden_points(black, white), f"seed {seed}\n{board}"
            forbidden += len(found)
    finally:
        rapfi.close()
    assert forbidden > 100
