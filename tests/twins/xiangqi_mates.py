"""Forced mates by checks, the slow way: every check, every answer, over the public board."""

from __future__ import annotations

from xiangqi import Board


def mate_in(board: Board, most: int) -> int | None:
    """Fewest own moves in which the side to move mates by checks alone, at most ``most``."""
    for moves in range(1, most + 1):
        if _forces(board, moves):
            return moves
    return None


def _forces(board: Board, moves: int) -> bool:
    for move in list(board.legal_moves):
        if not board.gives_check(move):
            continue
        board.push_unchecked(move)
        answers = list(board.legal_moves)
        mated = not answers or (moves > 1 and all(_answered(board, a, moves) for a in answers))
        board.pop()
        if mated:
            return True
    return False


def _answered(board: Board, answer: object, moves: int) -> bool:
    board.push_unchecked(answer)  # type: ignore[arg-type]
    won = _forces(board, moves - 1)
    board.pop()
    return won
