"""What if: the moves that a rule book forbids to the side to move, in a game under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arbiter import same_move
from arbiter.repetition import Proceedings, line, position_of
from arbiter.ruling import Event, Verdict
from xiangqi.board import Board
from xiangqi.game import Game
from xiangqi.move import Move
from xiangqi.repetition import Article, RuleBook, rule_book, trace


@dataclass(frozen=True)
class Forbidden:
    """A legal move that the side to move must not make.

    Attributes:
        move: the move.
        text: the same in Chinese notation.
        articles: the articles that forbid it.
        reason: why, as a Chinese sentence.
        verdict: what becomes of a side that makes it: it loses, or (``*_must_change``) it was told
            to leave the loop and does not.
        reply: the other side's move that would complete the offence; None where the move itself
            does.
        ruling: the ruling that would fall due, or that stands.
    """

    move: Move
    text: str
    articles: tuple[Article, ...]
    reason: str
    verdict: Verdict
    reply: Move | None = None
    ruling: Event | None = None

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Ids of the articles."""
        return tuple(article.id for article in self.articles)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "move": str(self.move),
            "text": self.text,
            "rule_ids": list(self.rule_ids),
            "reason": self.reason,
            "verdict": self.verdict.value,
            "reply": str(self.reply) if self.reply else None,
            "ruling": self.ruling.to_dict() if self.ruling else None,
        }


def forbidden_moves(
    board_or_game: Board | Game, rules: str | RuleBook = "club2008"
) -> tuple[Forbidden, ...]:
    """The legal moves that the rules on repetition forbid to the side to move, with the reasons.

    Forbidden is a move with which the side loses at once; one after which the other side can
    complete the same offence by its reply; one that stays in loops which the side was told to
    leave; and, where the book has ``no_third_repetition``, the third identical move running
    (``"move"``) or the third occurrence of a position (``"position"``), unless it is the only
    legal move. A game that is over forbids nothing, and neither does a loop that the arbiter has
    yet to decide.

    Args:
        board_or_game: the game so far; an engine gives the moves to UCCI's ``banmoves``.
        rules: id of a rule book, or a book.

    Raises:
        ValueError: no such rule book, or an impossible setting.

    >>> board = Board("3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1")
    >>> for move in ("d9e9 d4e4 e9d9 e4d4".split() * 4)[:-1]:
    ...     _ = board.push(move)
    >>> [(str(ban.move), ban.rule_ids) for ban in forbidden_moves(board)]
    [('e4d4', ('S0-XQ-37',))]
    """
    start, moves = line(board_or_game)
    now = Proceedings(start, rule_book(rules))
    if now.run(moves) is not None:
        return ()
    legal = list(now.board.legal_moves)
    found = (_by_ruling(now, move) or _by_house_rule(now, move, legal) for move in legal)
    return tuple(ban for ban in found if ban is not None)


def _by_ruling(now: Proceedings, move: Move) -> Forbidden | None:
    board, side = now.board, now.board.turn
    if board.is_capture(move) or not _returns(now, move):
        return None
    after, event = _after(now, move)
    text = board.chinese(move)
    if event is not None and event.is_final and event.verdict == Verdict.loss(side):
        return Forbidden(move, text, event.articles, event.text(), event.verdict, None, event)
    if event is not None and event.is_final:
        return None
    for reply in list(after.board.legal_moves):
        if after.board.is_capture(reply) or not _returns(after, reply):
            continue
        _, then = _after(after, reply)
        if then is not None and then.is_final and then.verdict == Verdict.loss(side):
            why = f"走后对方可以应 {after.board.chinese(reply)}：{then.text()}"
            return Forbidden(move, text, then.articles, why, then.verdict, reply, then)
    warning = now.warned(side, move)
    if warning is not None:
        why = f"已经宣布应变着，这一着还在循环之内：{warning.text()}"
        return Forbidden(move, text, warning.articles, why, warning.verdict, None, warning)
    return None


def _after(now: Proceedings, move: Move) -> tuple[Proceedings, Event | None]:
    """The game after one more move, and the event that this ends it with."""
    twin = now.fork()
    [step] = trace(twin.board, [move], len(twin.steps) + 1)
    twin.steps.append(step)
    return twin, twin.proceed(step)


def _returns(now: Proceedings, move: Move) -> bool:
    """Whether a quiet move leads back to an earlier position."""
    return bool(_occurrences(now, move))


def _occurrences(now: Proceedings, move: Move) -> int:
    """How often the position after a quiet move has stood already."""
    now.board.push_unchecked(move)
    count = len(now.occurred.get(position_of(now.board), ()))
    now.board.pop()
    return count


def _by_house_rule(now: Proceedings, move: Move, legal: list[Move]) -> Forbidden | None:
    """No third identical move running, where the rule book has it (S3B-XQ-5)."""
    how = same_move.reading(now.book)
    if how == same_move.OFF or len(legal) == 1 or now.board.is_capture(move):
        return None
    own = [step.move for step in now.steps[-2::-2]]
    quiet = min(now.board.halfmove_clock, len(now.steps)) // 2
    why = same_move.offence(how, own, move, quiet, _occurrences(now, move))
    if not why:
        return None
    article = now.book.article(same_move.SETTING)
    return Forbidden(
        move,
        now.board.chinese(move),
        (article,),
        f"{why}，依据 {article.id}（{article.zh}），不许走",
        Verdict.must_change(now.board.turn),
    )
