"""Forbidden moves round after round that never make a loop (2020, reference item 8).

A side that makes only forbidden moves for so many rounds running, to three points or more, has to
change although no position repeats: it walks round and round instead of to and fro.
"""

from __future__ import annotations

from xiangqi.repetition import Nature, RuleBook, Step, natures

SETTING = "pursuit_rounds"
POINTS = 3


class Pursuit:
    """How long each side has made nothing but forbidden moves."""

    def __init__(self, book: RuleBook) -> None:
        self.rounds = int(book.value(SETTING))
        self.key_square = bool(book.value("key_square"))
        self.idle = (
            {Nature.IDLE, Nature.JOINT_CHASE} if book.value("joint_is_idle") else {Nature.IDLE}
        )
        self.goals: tuple[list[int], list[int]] = ([], [])

    def copy(self) -> Pursuit:
        """The same, going on by itself."""
        twin = object.__new__(Pursuit)
        twin.__dict__.update(self.__dict__)
        twin.goals = (self.goals[0].copy(), self.goals[1].copy())
        return twin

    def offender(self, step: Step) -> int | None:
        """The side that has to change now that a move was made, or None."""
        if not self.rounds:
            return None
        own, other = self.goals[step.side], self.goals[1 - step.side]
        if step.before[step.move.to_square]:
            own.clear()
            other.clear()
            return None
        if natures.find(step, key_square=self.key_square).nature in self.idle:
            own.clear()
            return None
        own.append(step.move.to_square)
        # told once, when the rounds are full, unless the other side has done the same
        full = len(own) == self.rounds and len(set(own)) >= POINTS
        return step.side if full and len(other) < self.rounds - 1 else None
