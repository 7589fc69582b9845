"""From the readings of a text to one legal move, or to an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from qikit.errors import AmbiguousMove, IllegalMove, InvalidMove
from xiangqi.geometry import COLOR_NAMES_ZH
from xiangqi.legality import explain
from xiangqi.move import Move
from xiangqi.notation.standing import Standing, Step, standings, target

if TYPE_CHECKING:
    from xiangqi.board import Board

Designators = Callable[[Standing], Iterable[str]]
"""Every folded way in which one convention names a piece that stands so."""


class View:
    """A position as the readers need it; what is costly is computed once, at first use."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.codes: list[int] = board.codes.tolist()
        self.turn = board.turn

    @cached_property
    def standings(self) -> dict[int, Standing]:
        """Standing of every piece of the side to move, by point."""
        return standings(self.codes, self.turn)

    def fen(self) -> str:
        """The position for an error message."""
        return self.board.fen()

    def malformed(self, text: str, what: str, what_en: str) -> InvalidMove:
        """The error for a text that no position could make sense of."""
        return InvalidMove(f"{what}：{shorten(text)} ({what_en})", text=text, position=self.fen())

    def choose(self, text: str, readings: Iterable[Move]) -> Move:
        """The one legal move among the readings of a text.

        Raises:
            AmbiguousMove: several of them are legal.
            IllegalMove: none is; the message explains the first reading.
        """
        readings = list(dict.fromkeys(readings))
        legal = [move for move in readings if self.board.is_legal(move)]
        if len(legal) == 1:
            return legal[0]
        if legal:
            names = tuple(str(move) for move in legal)
            raise AmbiguousMove(
                f"{shorten(text)} 有 {len(legal)} 种走法：{'、'.join(names)}"
                f" (ambiguous: {', '.join(names)})",
                text=text,
                position=self.fen(),
                candidates=names,
            )
        if readings:
            refusal = explain(self.codes, self.turn, *readings[0])
            raise IllegalMove(
                f"{shorten(text)}（{readings[0]}）不合规则：{refusal}",
                text=text,
                position=self.fen(),
                rule=refusal.rule if refusal else "",
            )
        raise IllegalMove(
            f"{shorten(text)}：{COLOR_NAMES_ZH[self.turn]}方没有棋子能这样走"
            " (no piece of the side to move fits)",
            text=text,
            position=self.fen(),
        )

    def choose_relative(
        self, text: str, folded: str, tiers: Sequence[Sequence[Designators]]
    ) -> Move:
        """The legal move of a folded Chinese or WXF text: designator, direction, number.

        Args:
            tiers: conventions, the stricter tiers first. A tier is asked only if none before it
                yields a legal move; the conventions of one tier are equals, so that a text which
                they read as different legal moves is ambiguous.
        """
        designator, aim = folded[:-2], Step(folded[-2], int(folded[-1]))
        refused: list[Move] = []
        for tier in tiers:
            readings = [
                Move(sq, to)
                for sq, standing in self.standings.items()
                if any(designator in convention(standing) for convention in tier)
                and (to := target(standing.kind, self.turn, sq, aim)) is not None
            ]
            if any(self.board.is_legal(move) for move in readings):
                return self.choose(text, readings)
            refused += readings
        return self.choose(text, refused)


def shorten(text: str) -> str:
    """A text for a message, in quotes and not longer than a line."""
    return repr(text if len(text) <= 40 else text[:40] + "…")
