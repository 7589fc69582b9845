"""What a bench can count with: the ways of counting that a game's kernel offers.

Programs that print ``go perft`` do different amounts of work at the last ply, so a fair table
names the work: counting the moves without building them, building the legal list, or making and
unmaking each move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import qikit
from qikit.kernels import load as load_kernel


@dataclass(frozen=True)
class Mode:
    """One way of counting.

    Attributes:
        name: short id.
        zh, en: what is done at the last ply.
        prepare: ``prepare(position)`` sets up, before any clock runs, what counts:
            a function of the depth.
    """

    name: str
    zh: str
    en: str
    prepare: Callable[[str], Callable[[int], int]]


def modes(game: str) -> tuple[Mode, ...]:
    """The modes of a game; kernels load now.

    A game whose kernel has only one way of counting has the one mode ``perft``.
    """
    info = qikit.game(game)
    if game == "xiangqi":
        return _xiangqi()
    if game == "checkers":
        return _checkers()

    def prepare(position: str) -> Callable[[int], int]:
        board = info.board(position)
        board.perft(1)
        return lambda depth: int(board.perft(depth))

    return (Mode("perft", "board.perft", "board.perft", prepare),)


def _xiangqi() -> tuple[Mode, ...]:
    from xiangqi import Board

    kernel: Any = load_kernel("xiangqi.kernel")

    def mode(name: str, number: int, zh: str, en: str) -> Mode:
        def prepare(position: str) -> Callable[[int], int]:
            board = Board(position)
            state = np.zeros(kernel.STATE_SIZE, np.int64)
            kernel.setup(board.codes, board.turn, state)
            moves = np.zeros(kernel.FRAME * 16, np.int64)
            tally, stop = np.zeros(2, np.int64), np.zeros(1, np.int64)
            return lambda depth: int(kernel.perft(state, depth, number, moves, 0, tally, stop))

        return Mode(name, zh, en, prepare)

    return (
        mode("count", kernel.BULK, "末层只计数", "last ply counted, no list"),
        mode("list", kernel.LIST, "末层建合法着法表", "last ply as a full legal list"),
        mode("make", kernel.MAKE, "末层每着都走", "every move of the last ply made"),
    )


def _checkers() -> tuple[Mode, ...]:
    from checkers import Board

    kernel: Any = load_kernel("checkers.kernel")

    def mode(name: str, room: int, zh: str, en: str) -> Mode:
        def prepare(position: str) -> Callable[[int], int]:
            board = Board(position)
            seats = np.array(board.camps, np.int64)
            switches, buffer = board.rules.switches.copy(), np.empty(room, np.int64)
            state, masks = board.state, board.masks
            return lambda depth: int(
                kernel.perft(state, masks, switches, seats, board.turn, depth, buffer)
            )

        return Mode(name, zh, en, prepare)

    return (
        mode("count", 0, "末层只计数", "last ply counted, no list"),
        mode("list", 4096, "末层建合法着法表", "last ply as a full legal list"),
    )
