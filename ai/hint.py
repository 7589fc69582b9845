"""Advice on a move of 象棋 with its reason in Chinese: what it takes, attacks, saves, threatens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ai.player import Budget, Choice
from ai.search.xiangqi import SearchPlayer, layout
from qikit.errors import InvalidPosition

WORTH = {2: 110, 3: 110, 4: 430, 5: 930, 6: 430}
"""What pieces count when the reason is looked for; pawns are below the threshold."""
ENOUGH = 100
"""Smallest gain that is worth a word, hundredths of a pawn."""


@dataclass(frozen=True)
class Hint:
    """A move to advise.

    Attributes:
        choice: the move with its value and the expected line.
        move_zh: the move as people write it (炮二平五).
        reasons: why, in Chinese clauses, the most important first.
    """

    choice: Choice
    move_zh: str
    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """One sentence."""
        return f"建议走{self.move_zh}：{'，'.join(self.reasons)}。"


def hint(
    board: Any, budget: Budget | None = None, *, searcher: SearchPlayer | None = None
) -> Hint | None:
    """The best move with its reason, ``None`` where there is no move.

    >>> from xiangqi import Board
    >>> found = hint(Board("3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w"), Budget(nodes=2000))
    >>> found.text
    '建议走车八进九：这步棋将死对方。'
    """
    searcher = searcher or SearchPlayer()
    choice = searcher.hint(board, budget or Budget(time=1.0))
    if choice is None:
        return None
    return Hint(choice, board.chinese(choice.move), tuple(reasons(board, choice, searcher)))


def reasons(board: Any, choice: Choice, searcher: SearchPlayer) -> list[str]:
    """Why a move is good, in Chinese clauses; never empty."""
    move, us = choice.move, board.turn
    mover, victim = board.piece_at(move.from_square), board.piece_at(move.to_square)
    after = board.copy()
    after.push(move)
    if choice.mate == 1:
        return ["这步棋将死对方" if after.is_check() else "对方再也无着可走，困毙"]
    said = []
    if choice.mate is not None and choice.mate > 0:
        said.append(f"{choice.mate} 步内可以将死对方")
    hanging = dict(_won(board, 1 - us, searcher))
    if victim is not None:
        gain = WORTH.get(victim.piece_type, 0)
        free = gain >= ENOUGH and _wins(board, move, min(gain, ENOUGH), searcher)
        said.append(f"{'白吃' if free and not _retaken(after, move) else '吃掉'}对方的{victim.zh}")
    if after.is_check():
        said.append("将军")
    if board.is_check():
        said.append("解将")
    left = dict(_won(after, 1 - us, searcher))
    saved = [sq for sq in hanging if _at_home(move, sq) not in left]
    for sq in sorted(saved, key=lambda sq: -hanging[sq])[:2]:
        name = board.piece_at(sq).zh
        own = sq == move.from_square
        said.append(f"躲开对方对{name}的攻击" if own else f"保住被攻击的{name}")
    if choice.mate is None and _threatens_mate(board, 1 - us, searcher):
        said.append("化解对方的杀着")
    before = {sq for sq, _ in _won(board, us, searcher)}
    new = [(sq, gain) for sq, gain in _won(after, us, searcher) if sq not in before]
    for sq, _ in sorted(new, key=lambda pair: -pair[1])[:2]:
        said.append(f"攻击对方的{after.piece_at(sq).zh}")
    if choice.mate is None and not new and _threatens_mate(after, us, searcher):
        said.append("下一步要将死对方")
    return said or [_plan(mover, move, us)]


def _at_home(move: Any, sq: int) -> int:
    """Where the piece of ``sq`` stands after the move."""
    return int(move.to_square) if sq == move.from_square else sq


def _plan(mover: Any, move: Any, color: int) -> str:
    """What a quiet move does, by its piece."""
    rank = move.to_square // 9 if color == 0 else 9 - move.to_square // 9
    kind = mover.piece_type
    if kind == 5:
        return "车占好的位置，控制线路" if rank < 5 else "车深入对方阵地，施加压力"
    if kind == 4:
        return "跳马出子，加强中路" if rank < 5 else "马进对方阵地，准备进攻"
    if kind == 6:
        return "炮占中路，瞄准对方中兵" if move.to_square % 9 == 4 else "调整炮位，配合其他子力"
    if kind == 7:
        return "挺兵，为马开路" if rank < 5 else "兵过河，增加攻击力量"
    if kind in (2, 3):
        return "补好士象，巩固防守"
    return "将帅移到更安全的位置"


def _turned(board: Any, color: int) -> Any | None:
    """The position with ``color`` to move, ``None`` where that cannot be."""
    if board.turn == color:
        return board
    from xiangqi import Board
    from xiangqi.fen import Setup

    try:
        return Board.from_setup(Setup(board.codes, color), rules=board.rules)
    except InvalidPosition:  # the side that would not be to move is in check
        return None


def _won(board: Any, color: int, searcher: SearchPlayer) -> Iterator[tuple[int, int]]:
    """Points where ``color``, if it were to move, wins material by exchange, and how much."""
    view = _turned(board, color)
    if view is None:
        return
    best: dict[int, int] = {}
    for move in view.legal_moves:
        victim = view.piece_at(move.to_square)
        worth = WORTH.get(victim.piece_type, 0) if victim is not None else 0
        if worth >= ENOUGH and _wins(view, move, ENOUGH, searcher):
            best[move.to_square] = max(best.get(move.to_square, 0), worth)
    yield from best.items()


def _wins(board: Any, move: Any, threshold: int, searcher: SearchPlayer) -> bool:
    return searcher.brain.wins_exchange(board, move, threshold)


def _retaken(after: Any, move: Any) -> bool:
    return any(reply.to_square == move.to_square for reply in after.legal_moves)


def _threatens_mate(board: Any, color: int, searcher: SearchPlayer) -> bool:
    """Whether ``color``, if it were to move, mates within three moves."""
    view = _turned(board, color)
    if view is None or not len(view.legal_moves):
        return False
    thoughts = searcher.brain.think(view, Budget(nodes=4000, depth=6))
    return bool(thoughts) and thoughts[0].score >= layout.MATE - 6
