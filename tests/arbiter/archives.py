"""Generated archives: random games without repetition, some with a loop planted in them."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from xiangqi.board import Board
from xiangqi.game import Game
from xiangqi.move import Move
from xiangqi.pgn import dumps

ROUNDS = 4


class Made(NamedTuple):
    """A game and the ply at which a position stood for the fourth time, None if none did."""

    game: Game
    fourth: int | None


def made(rng: random.Random, planted: bool) -> Made:
    """A random game; a loop of four moves is gone through four times if it is planted."""
    while True:
        board = Board()
        seen = Counter([board.fen().split()[0]])
        wanted = planted
        at = rng.randrange(10, 50)
        for ply in range(rng.randrange(60, 90)):
            moves = list(board.legal_moves)
            rng.shuffle(moves)
            move = next((m for m in moves if not seen[_after(board, m)]), None)
            if move is None:
                break
            board.push_unchecked(move)
            seen[board.fen().split()[0]] += 1
            if wanted and ply >= at and (loop := _loop(rng, board)):
                wanted = False
                for step in loop * ROUNDS:
                    board.push(step)
        fourth = _fourth(board)
        if not wanted and (fourth is not None) == planted and len(board.legal_moves):
            return Made(Game.from_board(board), fourth)


def _after(board: Board, move: Move) -> str:
    board.push_unchecked(move)
    placement = board.fen().split()[0]
    board.pop()
    return placement


def _loop(rng: random.Random, board: Board) -> list[Move] | None:
    """Two quiet moves that can be taken back, all four of them legal."""
    for _ in range(20):
        first = _quiet(rng, board)
        if first is None:
            return None
        board.push_unchecked(first)
        second = _quiet(rng, board)
        loop = [first, second, Move(*first[::-1]), Move(*second[::-1])] if second else []
        board.pop()
        played = 0
        for move in loop:
            if not board.is_legal(move):
                break
            board.push_unchecked(move)
            played += 1
        for _ in range(played):
            board.pop()
        if loop and played == 4:
            return loop
    return None


def _quiet(rng: random.Random, board: Board) -> Move | None:
    moves = [move for move in board.legal_moves if not board.is_capture(move)]
    return rng.choice(moves) if moves else None


def _fourth(board: Board) -> int | None:
    """Counted on FENs, which know nothing of rule books."""
    replay = board.root()
    seen = Counter([" ".join(replay.fen().split()[:2])])
    for ply, move in enumerate(board.move_stack, 1):
        replay.push_unchecked(move)
        position = " ".join(replay.fen().split()[:2])
        seen[position] += 1
        if seen[position] == 4:
            return ply
    return None


def write(folder: Path, seed: int, games: int, planted: int) -> dict[tuple[str, int], int]:
    """Files of several sizes, encodings and notations; where the planted loops are.

    Returns:
        Ply of the fourth occurrence by name of the file and number of the game.
    """
    rng = random.Random(seed)
    marks = [True] * planted + [False] * (games - planted)
    rng.shuffle(marks)
    truth: dict[tuple[str, int], int] = {}
    number = 0
    while marks:
        count = min(len(marks), rng.choice((1, 1, 7, 40)))
        notation = rng.choice(("chinese", "iccs", "wxf"))
        encoding = rng.choice(("utf-8", "gb18030"))
        path = folder / f"{number % 3}" / f"games{number:03}.pgn"
        path.parent.mkdir(exist_ok=True)
        texts = []
        for n in range(1, count + 1):
            one = made(rng, marks.pop())
            one.game.headers |= {"Event": f"第 {number} 集", "Red": f"红{n}", "Black": "黑"}
            texts.append(dumps(one.game, notation))
            if one.fourth is not None:
                truth[path.as_posix(), n] = one.fourth
        path.write_bytes("\n".join(texts).encode(encoding))
        number += 1
    return truth
