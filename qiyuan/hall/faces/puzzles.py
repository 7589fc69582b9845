"""The shelf of endgame puzzles (残局) in the hall: the person mates, the computer holds out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ai import hint as advice
from ai.player import Budget, Choice
from ai.puzzles import COUNT_ZH, Puzzle, puzzles, solving
from ai.search.xiangqi import SearchPlayer
from qikit.errors import GameError
from qikit.stop import StopFlag
from qiyuan.hall import warmth
from qiyuan.hall.faces.face import Thought
from qiyuan.hall.faces.xiangqi import Xiangqi
from xiangqi.board import Board
from xiangqi.mates import Prover, Unproved

BUDGET = Budget(nodes=100_000)
"""Of the usual search, once no mate is to be held up."""


class _Solver:
    """What thinks about a puzzle: a prover, and the usual search behind it."""

    def __init__(self) -> None:
        self.prover, self.player = Prover(), SearchPlayer()


@cache
def _by_fen() -> Mapping[str, Puzzle]:
    return {one.fen: one for one in puzzles()}


def _puzzle(board: Board) -> Puzzle:
    return _by_fen()[board.root().fen(counters=False)]


class Puzzles(Xiangqi):
    """See :class:`~qiyuan.hall.faces.face.Face`; a position is started by its FEN."""

    game, zh = "puzzles", "残局"
    listed = True
    humans = ()
    levels = {1: "守得最久"}
    forms = {"pgn": "pgn"}
    thinks = {warmth.SEARCH: "电脑对手", "xiangqi.mates.kernel": "残局证明"}

    def start(self, text: str, options: Mapping[str, str]) -> Board:
        fen = " ".join(text.split()[:2]) or puzzles()[0].fen
        if fen not in _by_fen():
            raise GameError(f"架上没有这一题 (no such puzzle, see /api/puzzles): {text!r:.80}")
        return Board(fen)

    def can(self, board: Board) -> frozenset[str]:
        return frozenset({"back", "hint"})

    def view(self, board: Board) -> dict[str, Any]:
        return {**super().view(board), "puzzle": _puzzle(board).shown()}

    def answer(self, board: Board, question: Mapping[str, Any]) -> dict[str, Any]:
        """``{"solution": true}``: the solution against the longest defence, step by step."""
        if question.get("solution") is not True:
            raise GameError("残局只回答解答 (a puzzle is asked for its solution)")
        root, steps = board.root(), []
        start = {**self.view(root), "legal": {}}
        for text in _puzzle(board).line:
            _, shown = self.play(root, text)
            steps.append({**shown, "position": {**self.view(root), "legal": {}}})
        return {"start": start, "steps": steps}

    # ------------------------------------------------------------ the computer

    def searcher(self, last: Any | None) -> Any:
        found: _Solver = last or _Solver()
        found.player.new_game()
        return found

    def choose(
        self, board: Board, level: int, strength: float, searcher: Any, stop: StopFlag
    ) -> Thought | None:
        one = _puzzle(board)
        made = (len(board.move_stack) + 1) // 2
        notice = ""
        try:
            step = solving.defend(one, board, searcher.prover, stop=stop)
        except Unproved:
            step = solving.Step(None, None)
        else:
            notice = self.notice(one, made, step.left)
        if step.move is not None:
            return Thought(str(step.move), strength, notice)
        choice = searcher.player.choose(board, BUDGET, stop=stop)
        return None if choice is None else Thought(str(choice.move), strength, notice)

    @staticmethod
    def notice(one: Puzzle, made: int, left: int | None) -> str:
        """What is said to somebody who has left the shortest way."""
        if left is None and made <= one.sure:
            return (
                f"{COUNT_ZH[one.sure]}步之内已经杀不成了。不要紧，按“悔棋”回去再想；也可以接着下。"
            )
        if left is not None and made + left > one.moves:
            return f"也能杀，只是比最快的慢 {made + left - one.moves} 步。"
        return ""

    def hint(self, board: Board, searcher: Any, stop: StopFlag) -> dict[str, Any] | None:
        try:
            step = solving.attack(_puzzle(board), board, searcher.prover, stop=stop)
        except Unproved:
            return super().hint(board, searcher.player, stop)
        if step.move is None:
            raise GameError("从这里已经杀不成了，请悔棋再想 (the mate is gone: take back)")
        choice = Choice(step.move, mate=step.left, line=(step.move,))
        why = tuple(advice.reasons(board, choice, searcher.player))
        found = advice.Hint(choice, board.chinese(step.move), why)
        return {"text": found.text, "from": step.move[0], "to": step.move[1]}

    def read(self, data: bytes) -> list[dict[str, Any]]:
        raise GameError("残局从架上选 (puzzles are chosen from the shelf)")


FACE = Puzzles()
