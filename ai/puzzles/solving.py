"""Solving a puzzle: what is still won, the longest defence, a right move.

A puzzle is played on a board that began with its position; its horizon is ``Puzzle.sure``: Red is
on the way as long as a mate within so many own moves, those already made counted, is proved.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.puzzles import Puzzle
from qikit import StopFlag
from xiangqi import Board, Move
from xiangqi.mates import NODES, Prover

QUESTION = 2_000_000
"""Positions that may be looked at while a person waits."""


@dataclass(frozen=True)
class Step:
    """A move on the way.

    Attributes:
        move: for the side to move; None where no mate within the horizon is left.
        left: own moves that Red needs after the defender's or with its own move; None as above.
    """

    move: Move | None
    left: int | None


def _on_the_line(puzzle: Puzzle, board: Board) -> Move | None:
    """The next move of the solution, if everything so far was played by it."""
    played = [str(move) for move in board.move_stack]
    if tuple(played) == puzzle.line[: len(played)] and len(played) < len(puzzle.line):
        return Move.parse(puzzle.line[len(played)])
    return None


def attack(puzzle: Puzzle, board: Board, prover: Prover, *, stop: StopFlag | None = None) -> Step:
    """A right move for Red, who is to move.

    Raises:
        Unproved: as :meth:`xiangqi.mates.Prover.mate`, after ``QUESTION`` positions.

    >>> from ai.puzzles import puzzles
    >>> one = puzzles()[0]
    >>> str(attack(one, Board(one.fen), Prover()).move) == one.line[0]
    True
    """
    made = len(board.move_stack) // 2
    known = _on_the_line(puzzle, board)
    if known is not None:
        return Step(known, puzzle.moves - made)
    if made == 0:  # a puzzle has one line, and it begins there
        raise ValueError("这不是这道残局的局面 (not this puzzle's position)")
    left = prover.distance(board, puzzle.sure - made, nodes=QUESTION, stop=stop)
    if left is None:
        return Step(None, None)
    return Step(prover.mate(board, left, nodes=QUESTION, stop=stop), left)


def defend(puzzle: Puzzle, board: Board, prover: Prover, *, stop: StopFlag | None = None) -> Step:
    """Black's longest defence, Black being to move and not yet mated.

    Raises:
        Unproved: as :func:`attack`.
    """
    made = (len(board.move_stack) + 1) // 2
    known = _on_the_line(puzzle, board)
    if known is not None:
        return Step(known, puzzle.moves - made)
    if made == 1:  # another first move: none of them mates within the horizon
        return Step(None, None)
    return resist(prover, board, puzzle.sure - made, nodes=QUESTION, stop=stop)


def resist(
    prover: Prover, board: Board, most: int, *, nodes: int = NODES, stop: StopFlag | None = None
) -> Step:
    """The move that holds out longest, the defender being to move and not yet mated.

    Among equally long ones, one that leaves the attacker a single right move, and that takes
    something, where there is one.

    Args:
        most: own moves within which the attacker is to mate.

    Raises:
        Unproved: as :meth:`xiangqi.mates.Prover.mate`.
    """
    found = prover.defences(board, most, nodes=nodes, stop=stop, all_of_them=False)
    if None in found.values():
        return Step(None, None)
    left = max(moves for moves in found.values() if moves is not None)
    longest = [move for move, moves in found.items() if moves == left]

    def hard(move: Move) -> tuple[bool, bool]:
        takes = board.is_capture(move)
        board.push_unchecked(move)
        try:
            right = prover.mate(board, left, nodes=nodes, stop=stop)
            other = prover.mate(board, left, barred=right, nodes=nodes, stop=stop)
        finally:
            board.pop()
        return other is None, takes

    return Step(max(longest, key=hard), left)


def solve(prover: Prover, board: Board, moves: int) -> list[Move]:
    """Red's shortest mate against the longest defence, ``moves`` being its length."""
    line: list[Move] = []
    board = board.copy()
    left: int | None = moves
    while left:
        best = prover.mate(board, left)
        assert best is not None, "the mate is proved"
        line.append(board.push(best))
        if not len(board.legal_moves):
            break
        reply = resist(prover, board, left - 1)
        assert reply.move is not None, "the mate is proved"
        line.append(board.push(reply.move))
        left = reply.left
    return line
