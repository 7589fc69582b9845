"""Races: exact turns to finish for one army, and the result once two armies have passed.

>>> from checkers import Board
>>> board = Board("1/2/3/4/13/12/11/10/9/10/11/7A4/7A5/AA1A/A1A/AA/A A A 10")
>>> found = solo_distance(board)
>>> found.turns, found.exact, [str(move) for move in found.line]
(2, True, ['l8:n3', 'm8:o2'])
"""

from checkers.race.duel import Race, has_passed, solo_distance, solve_race
from checkers.race.solver import Distance

__all__ = ["Distance", "Race", "has_passed", "solo_distance", "solve_race"]
