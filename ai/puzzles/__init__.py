"""Endgame puzzles (残局) of 象棋 that ship: Red moves and mates by force, proved by search.

:mod:`ai.puzzles.making` made them; :mod:`ai.puzzles.solving` answers to people who solve them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

GRADES = {1: "入门", 2: "容易", 3: "中等", 4: "较难", 5: "很难"}
"""Words for how hard a puzzle is."""
COUNT_ZH = "零一两三四五六七八九十"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which Red, to move, mates by force, and only one first move does it.

    Attributes:
        number: its place on the shelf, from 1; the easy ones come first.
        fen: the position.
        moves: own moves that Red needs against the longest defence; a stalemate (困毙) counts.
        sure: no other first move mates within so many own moves (at least ``moves``).
        line: the solution against the longest defence, coordinates, Red's moves and Black's.
        theme: the material in words, and the mating pattern where a checker recognises one.
        grade: 1 to 5, see :func:`ai.puzzles.grading.grade`.
    """

    number: int
    fen: str
    moves: int
    sure: int
    line: tuple[str, ...]
    theme: str
    grade: int

    @property
    def task(self) -> str:
        """What is asked of Red, in Chinese: 三步杀."""
        return f"{COUNT_ZH[self.moves]}步杀"

    def shown(self) -> dict[str, Any]:
        """What is shown before it is solved: everything but the solution."""
        return {
            "number": self.number,
            "fen": self.fen,
            "moves": self.moves,
            "task": self.task,
            "theme": self.theme,
            "grade": self.grade,
            "grade_zh": GRADES[self.grade],
        }


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles of the shelf, in order.

    >>> first = puzzles()[0]
    >>> first.number, first.grade
    (1, 1)
    """
    rows = json.loads((files("ai.puzzles") / "xiangqi.json").read_text("utf-8"))
    return tuple(
        Puzzle(number, one["fen"], one["moves"], one["sure"], tuple(one["line"].split()),
               one["theme"], one["grade"])
        for number, one in enumerate(rows, start=1)
    )  # fmt: skip
