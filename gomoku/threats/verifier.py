"""Checks proofs with the rules and nothing else: no patterns, no kernels, no search.

The verifier plays the attacker's steps and every legal reply. It shares no code with the solver;
what it knows is which runs win, what renju forbids, and that a five at hand wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gomoku.geometry import BLACK
from gomoku.move import Move
from gomoku.rules import Rules, Win

if TYPE_CHECKING:
    from gomoku.threats.proof import Proof, Step

_EMPTY, _EDGE = -1, -2


class _Field:
    """A bare board: a list with a margin, so that steps off the board meet an edge."""

    def __init__(self, size: int, rules: Rules) -> None:
        self.size = size
        self.rules = rules
        self.width = size + 1
        self.cells = [_EDGE] * (self.width * (size + 2) + 1)
        self.points = [self.at(Move(x, y)) for y in range(size) for x in range(size)]
        for p in self.points:
            self.cells[p] = _EMPTY
        self.steps = (1, self.width, self.width + 1, self.width - 1)

    def at(self, move: Move) -> int:
        return (move.y + 1) * self.width + move.x

    def move(self, p: int) -> Move:
        return Move(p % self.width, p // self.width - 1)

    def ends(self, p: int, step: int, color: int) -> tuple[int, int]:
        """The cells before and after the run that a stone of ``color`` on ``p`` belongs to."""
        cells = self.cells
        after = p + step
        while cells[after] == color:
            after += step
        before = p - step
        while cells[before] == color:
            before -= step
        return before, after

    def makes_five(self, p: int, color: int) -> bool:
        """Whether a stone of ``color`` on ``p`` wins."""
        win = self.rules.black if color == BLACK else self.rules.white
        cells = self.cells
        for step in self.steps:
            if cells[p + step] != color and cells[p - step] != color:
                continue
            before, after = self.ends(p, step, color)
            run = (after - before) // step - 1
            if run < 5:
                continue
            if run > 5:
                if win in (Win.FIVE_OR_MORE, Win.OPEN_FIVE_OR_MORE):
                    return True
                continue
            closed = cells[before] == cells[after] == 1 - color
            if win in (Win.FIVE_OR_MORE, Win.EXACTLY_FIVE) or not closed:
                return True
        return False

    def run(self, p: int, step: int) -> int:
        """Length of black's run through a stone on ``p``."""
        before, after = self.ends(p, step, BLACK)
        return (after - before) // step - 1

    def _fours(self, p: int, step: int) -> set[tuple[int, ...]]:
        """Sets of four stones with ``p`` on a line that one more stone makes exactly five."""
        found = set()
        for e in self.ends(p, step, BLACK):
            if self.cells[e] != _EMPTY:
                continue
            self.cells[e] = BLACK
            before, after = self.ends(p, step, BLACK)
            self.cells[e] = _EMPTY
            if (after - before) // step - 1 == 5:
                found.add(tuple(q for q in range(before + step, after, step) if q != e))
        return found

    def _straight(self, p: int, step: int) -> bool:
        """Whether the stone on ``p`` is part of a straight four on a line."""
        before, after = self.ends(p, step, BLACK)
        if (after - before) // step - 1 != 4:
            return False
        for end in (before, after):
            if self.cells[end] != _EMPTY:
                return False
            self.cells[end] = BLACK
            exact = self.run(p, step) == 5
            self.cells[end] = _EMPTY
            if not exact:
                return False
        return True

    def _three_points(self, p: int, step: int) -> list[int]:
        """Empty points that make a straight four with the stone on ``p``."""
        found = []
        for e in self.ends(p, step, BLACK):
            if self.cells[e] == _EMPTY:
                self.cells[e] = BLACK
                if self._straight(p, step):
                    found.append(e)
                self.cells[e] = _EMPTY
        return found

    def forbidden(self, p: int) -> bool:
        """Whether renju forbids black the empty point ``p``."""
        if not self.rules.forbidden:
            return False
        cells = self.cells
        cells[p] = BLACK
        try:
            runs = [self.run(p, step) for step in self.steps]
            if 5 in runs:
                return False
            if max(runs) > 5:
                return True
            if sum(len(self._fours(p, step)) for step in self.steps) >= 2:
                return True
            threes = 0
            for step in self.steps:
                for e in self._three_points(p, step):
                    if not self.makes_five(e, BLACK) and not self.forbidden(e):
                        threes += 1
                        break
            return threes >= 2
        finally:
            cells[p] = _EMPTY

    def can_win(self, color: int, near: list[int]) -> list[int]:
        """Those of the points where a stone of ``color`` would win at once."""
        return [p for p in near if self.cells[p] == _EMPTY and self.makes_five(p, color)]


def fault(proof: Proof) -> str | None:
    """What is wrong with a proof, or ``None`` if it holds against every legal reply."""
    board = proof.board
    field = _Field(board.size, board.rules)
    for color in (0, 1):
        for stone in board.stones(color):
            field.cells[field.at(stone)] = color
    return _fault(field, proof.root, board.turn)


def _fault(field: _Field, step: Step, attacker: int) -> str | None:
    p = field.at(step.move)
    defender = 1 - attacker
    if field.cells[p] != _EMPTY:
        return f"{step.move}: 此点不空 (not an empty point)"
    if field.makes_five(p, attacker):
        return None
    if attacker == BLACK and field.forbidden(p):
        return f"{step.move}: 禁手 (forbidden)"
    field.cells[p] = attacker
    try:
        return _after(field, step, attacker, defender)
    finally:
        field.cells[p] = _EMPTY


def _after(field: _Field, step: Step, attacker: int, defender: int) -> str | None:
    counter = field.can_win(defender, field.points)
    if counter:
        return f"{step.move}: {field.move(counter[0])} 反成五 (the other side makes five)"
    threats = field.can_win(attacker, field.points)
    if len(threats) > 1:
        return None
    replies = threats or [q for q in field.points if field.cells[q] == _EMPTY]
    if not replies:
        return f"{step.move}: 满盘 (the board is full)"
    for q in replies:
        if defender == BLACK and field.forbidden(q):
            continue
        following = step.replies.get(field.move(q), step.otherwise)
        if following is None:
            return f"{step.move} {field.move(q)}: 没有下文 (no continuation)"
        field.cells[q] = defender
        wrong = _fault(field, following, attacker)
        field.cells[q] = _EMPTY
        if wrong is not None:
            return f"{step.move} {field.move(q)} {wrong}"
    return None
