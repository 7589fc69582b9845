"""From moves to a ruling: replay, classify, cut into loops, decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from qikit.errors import InvalidRecord
from xiangqi.board import Board
from xiangqi.move import Move
from xiangqi.repetition import asian, chinese
from xiangqi.repetition.book import RuleBook, rule_book
from xiangqi.repetition.loops import Loop, minimal_loops
from xiangqi.repetition.ruling import Decision, LoopRuling, PlyRuling, SideFinding, Verdict
from xiangqi.repetition.trace import Step, trace


class Family(NamedTuple):
    """How one family of rule books works: natures from positions, a decision from natures.

    ``decide`` answers for some of the plies, in their order, as if they went on for ever.
    """

    classify: Callable[[Sequence[Step], RuleBook], tuple[PlyRuling, ...]]
    decide: Callable[[Sequence[Step], Sequence[PlyRuling], Loop, RuleBook], Decision]


FAMILIES = {
    "asian": Family(asian.classify, asian.decide),
    "chinese": Family(chinese.classify, chinese.decide),
}
"""By :attr:`RuleBook.family`."""


def judge_loop(
    fen: str,
    setup: Iterable[Move | str] | str,
    cycle: Iterable[Move | str] | str,
    rules: str | RuleBook = "axf",
) -> LoopRuling:
    """The ruling on a loop if it were repeated for ever.

    Args:
        fen: position before ``setup``.
        setup: moves that lead to the loop, in any notation; a text is split at blanks.
        cycle: the moves of the loop, one round or several; they must lead back to its beginning.
            An empty loop offends nobody: it is drawn.
        rules: id of a rule book, or a book.

    Raises:
        InvalidPosition: the FEN.
        GameError: a move is malformed, ambiguous or illegal; the message names its ply.
        InvalidRecord: the moves do not lead back to where the loop begins.
        ValueError: no such rule book.

    >>> ruling = judge_loop("3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1", "", "d9e9 d4e4 e9d9 e4d4")
    >>> ruling.verdict.value, [ply.nature.value for ply in ruling.plies]
    ('red_loses', ['idle', 'check', 'idle', 'check'])
    """
    book = rule_book(rules)
    board = Board(fen)
    lead = _moves(setup)
    for _ in trace(board, lead):
        pass
    start = board.fen()
    steps = tuple(trace(board, _moves(cycle), len(lead) + 1))
    return judge_steps(steps, book, start)


def _moves(given: Iterable[Move | str] | str) -> list[Move | str]:
    return list(given.split()) if isinstance(given, str) else list(given)


def judge_steps(steps: Sequence[Step], rules: str | RuleBook, fen: str = "") -> LoopRuling:
    """The ruling on steps that lead back to their beginning; see :func:`judge_loop`.

    Args:
        steps: the moves of one or more rounds.
        rules: id of a rule book, or a book.
        fen: position before the first step, for the record.

    Raises:
        InvalidRecord: the steps do not lead back to where they begin.
    """
    book = rule_book(rules)
    if not steps:
        allowed = SideFinding("allowed", "为允许着法")
        article = book.article("both_allowed")
        return LoopRuling(Verdict.DRAW, (), book, (allowed, allowed), (article,), (), (), True, fen)
    if len(steps) % 2 or (steps[0].before != steps[-1].after).any():
        raise InvalidRecord(
            f"第 {steps[0].ply} 着至第 {steps[-1].ply} 着没有回到开始的局面，不成循环 "
            "(the moves do not lead back to where they begin)",
            text=" ".join(str(step.move) for step in steps),
            position=fen,
        )
    family = FAMILIES[book.family]
    return decide(steps, family.classify(steps, book), book, fen)


def decide(
    steps: Sequence[Step], plies: tuple[PlyRuling, ...], book: RuleBook, fen: str = ""
) -> LoopRuling:
    """The ruling on a loop whose natures are known, as classified or as an arbiter set them.

    A side loses only if the whole span and every minimal loop inside it say so; a loss that one
    of them does not bear out becomes a draw.
    """
    conclude = FAMILIES[book.family].decide
    loops = minimal_loops([step.position for step in steps], [step.move for step in steps])
    whole = conclude(steps, plies, tuple(range(len(plies))), book)
    agreed = bool(book.value("whole_span_only")) or all(
        conclude(steps, plies, loop, book).verdict == whole.verdict for loop in loops
    )
    if whole.verdict.loser is not None and not agreed:
        whole = replace(whole, verdict=Verdict.DRAW, articles=(book.article("disagreement"),))
    return LoopRuling(
        whole.verdict,
        plies,
        book,
        whole.findings,
        whole.articles,
        whole.readings,
        loops,
        agreed,
        fen,
    )
