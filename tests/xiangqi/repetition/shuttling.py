"""Random loops in quantity, made on `Board`: play biased to shuttling.

The slow maker of `cases.shuttles` needs nothing but the twin; this one is a hundred times faster
and makes longer loops too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.xiangqi.repetition.cases import Case
from xiangqi.board import Board
from xiangqi.fen import Setup, write_fen
from xiangqi.move import Move
from xiangqi.repetition import survey

LENGTHS = (2, 2, 2, 2, 3, 4)
"""Moves of each side in a loop."""


def loops(seed: int, count: int) -> Iterator[Case]:
    """Random legal loops without captures, most of them of moves that attack and pieces that flee.

    A position is reached by random play, in which captures are liked. Each side then leaves with a
    piece and comes back, straight or by a detour.
    """
    rng = random.Random(seed)
    while count:
        board = Board()
        for _ in range(rng.randrange(20, 160)):
            moves = list(board.legal_moves)
            if not moves:
                break
            captures = [move for move in moves if board.is_capture(move)]
            board.push_unchecked(rng.choice(captures if captures and rng.random() < 0.4 else moves))
            if rng.random() < 0.15:
                cycle = _loop(rng, board.copy(stack=False))
                if cycle is not None:
                    fen = write_fen(Setup(board.codes, board.turn), counters=False)
                    yield Case(f"{fen} - - 0 1", (), tuple(map(str, cycle)))
                    count -= 1
                    if not count:
                        return


def _loop(rng: random.Random, board: Board) -> list[Move] | None:
    """One round of a loop from the position of the board, or None where none was hit upon."""
    start, turn = board.codes, board.turn
    rounds = rng.choice(LENGTHS)
    aimed = rng.random() < 0.75
    for _ in range(24 if aimed else 6):
        played: list[Move] = []
        for ply in range(2 * rounds):
            own = played[ply % 2 :: 2]
            move = _next(rng, board, own, rounds - len(own), aimed, played[-1:])
            if move is None or (aimed and not ply % 2 and not _attacks(board, move)):
                break
            board.push_unchecked(move)
            played.append(move)
        closed = len(played) == 2 * rounds and board.turn == turn
        closed = closed and bool((board.codes == start).all())
        for _ in played:
            board.pop()
        if closed:
            return played
    return None


def _next(
    rng: random.Random, board: Board, own: list[Move], left: int, aimed: bool, last: list[Move]
) -> Move | None:
    """A quiet move: the piece that left home goes on, and is back with its last move."""
    moves = [move for move in board.legal_moves if not board.is_capture(move)]
    if own:
        home, at = own[0].from_square, own[-1].to_square
        moves = [m for m in moves if m[0] == at and (m[1] == home) == (left == 1)]
        if left == 2:
            moves = [m for m in moves if _reaches(board, m, home)]
    elif aimed and last and not board.is_check():
        # the pursued piece runs
        pursuer = last[0].to_square
        hit = {
            a.victim.square
            for a in survey(board.codes, 1 - board.turn)
            if a.gains and a.attacker.square == pursuer
        }
        moves = [m for m in moves if m[0] in hit] or moves
    elif aimed and not last:
        good = [m for m in rng.sample(moves, min(len(moves), 20)) if _attacks(board, m)]
        moves = good or moves
    return rng.choice(moves) if moves else None


def _reaches(board: Board, move: Move, home: int) -> bool:
    """Whether the piece could go home after a move, if the other side passed."""
    board.push_unchecked(move)
    found = home in board.targets(move.to_square)
    board.pop()
    return found


def _attacks(board: Board, move: Move) -> bool:
    """Whether a move gives check or newly attacks something with gain."""
    board.push_unchecked(move)
    found = board.is_check() or any(
        a.gains and a.attacker.square == move.to_square for a in survey(board.codes, 1 - board.turn)
    )
    board.pop()
    return found
