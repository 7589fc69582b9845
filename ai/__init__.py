"""Players: who chooses moves, how programs talk to them, and how we talk to other engines.

>>> from ai import Budget, RandomPlayer
>>> from xiangqi import Board
>>> RandomPlayer(seed=1).choose(Board(), Budget(time=1.0)).move in Board().legal_moves
True
"""

from ai.evaluation import evaluation
from ai.player import UNLIMITED, Budget, Choice, Clock, Player, Report
from ai.simple import GreedyPlayer, RandomPlayer

__all__ = [
    "UNLIMITED",
    "Budget",
    "Choice",
    "Clock",
    "GreedyPlayer",
    "Player",
    "RandomPlayer",
    "Report",
    "evaluation",
]
