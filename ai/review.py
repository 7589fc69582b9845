"""Review of a game of 象棋: which moves were mistakes, and what was better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ai.player import Budget, Choice
from ai.search.xiangqi import SearchPlayer


class Mark(Enum):
    """How bad a move was, by what it lost against the best one."""

    GOOD = "好着"
    SLOW = "缓着"
    MISTAKE = "失误"
    BLUNDER = "败着"


THRESHOLDS = ((400.0, Mark.BLUNDER), (180.0, Mark.MISTAKE), (80.0, Mark.SLOW))
"""Loss in hundredths of a pawn from which a mark is given."""
SURE = 1200.0
"""Values beyond this are equally won: a slower win is no mistake."""


@dataclass(frozen=True)
class Remark:
    """What the review says of one move.

    Attributes:
        ply: number of the move, from 1.
        move: as played.
        move_zh: the same as people write it.
        best: the better move, or the move itself.
        best_zh: the same as people write it.
        loss: hundredths of a pawn lost against the best move, at least 0.
        value: of the position after the move, for the side that made it.
        mark: the verdict.
    """

    ply: int
    move: Any
    move_zh: str
    best: Choice
    best_zh: str
    loss: float
    value: float
    mark: Mark

    @property
    def text(self) -> str:
        """One Chinese sentence."""
        if self.mark is Mark.GOOD:
            return f"第 {self.ply} 着 {self.move_zh}：好着。"
        if self.best.mate is not None and self.best.mate > 0:
            cost = f"错过 {self.best.mate} 步杀"
        else:
            cost = f"约损失 {self.loss / 100:.1f} 个兵的价值"
        return f"第 {self.ply} 着 {self.move_zh}：{self.mark.value}，{cost}，应走{self.best_zh}。"


def worth(choice: Choice) -> float:
    """The value of a choice as one number, mates beyond everything else."""
    if choice.mate is None:
        return choice.score or 0.0
    return (30_000.0 - abs(choice.mate)) * (1 if choice.mate > 0 else -1)


def review(
    game: Any,
    budget: Budget | None = None,
    *,
    searcher: SearchPlayer | None = None,
    report: Callable[[Remark], None] | None = None,
) -> list[Remark]:
    """Remarks on all moves of a game's main line, or of a board's moves.

    Args:
        game: a :class:`xiangqi.game.Game` or a board.
        budget: thinking per move and side of the comparison; default 30 000 positions.
        searcher: what judges.
        report: called with each remark as it is found.
    """
    budget = budget or Budget(nodes=30_000)
    searcher = searcher or SearchPlayer()
    if hasattr(game, "mainline"):
        board, moves = game.board(), list(game.moves())
    else:
        board, moves = game.root(), list(game.move_stack)
    remarks = []
    for ply, move in enumerate(moves, start=1):
        remark = _remark(board, ply, move, budget, searcher)
        remarks.append(remark)
        if report is not None:
            report(remark)
        board.push(move)
    return remarks


def _remark(board: Any, ply: int, move: Any, budget: Budget, searcher: SearchPlayer) -> Remark:
    best = searcher.hint(board, budget)
    assert best is not None, "a move was played here"
    played = best
    if best.move != move:
        found = searcher.choose(board, budget, moves=[move])
        assert found is not None
        played = found
    top, value = worth(best), worth(played)
    if value > top:  # the longer look at the one move found more in it
        best, top = played, value
    loss = top - value
    if min(top, value) > SURE or max(top, value) < -SURE:
        loss = 0.0  # won or lost either way
    mark = next((mark for least, mark in THRESHOLDS if loss >= least), Mark.GOOD)
    return Remark(ply, move, board.chinese(move), best, board.chinese(best.move), loss, value, mark)


def annotate(game: Any, remarks: list[Remark]) -> None:
    """Write the remarks on mistakes into the comments of a game, the better moves as variations."""
    for node, remark in zip(game.mainline(), remarks, strict=False):
        if remark.mark is Mark.GOOD:
            continue
        node.comment = f"{node.comment} {remark.text}".strip()
        parent = node.parent
        if parent is not None and parent.child(remark.best.move) is None:
            at = parent
            for move in remark.best.line[:6]:
                at = at.add(move)
