"""Procedure and reports: what an arbiter does in a game, with the rule it rests on.

What a repetition *is* belongs to the game (`xiangqi.repetition`); here it is counted, announced
and brought to an end.

>>> import arbiter, xiangqi.board
>>> arbiter.judge(xiangqi.board.Board()).verdict.value
'ongoing'
"""

from arbiter.claims import Claim, ClaimRuling, Ground, decide_claim, grounds
from arbiter.correction import Correction, corrected
from arbiter.forbidden import Forbidden, forbidden_moves
from arbiter.overriding import Override
from arbiter.repetition import judge
from arbiter.ruling import Event, Ruling, Verdict

__all__ = [
    "Claim",
    "ClaimRuling",
    "Correction",
    "Event",
    "Forbidden",
    "Ground",
    "Override",
    "Ruling",
    "Verdict",
    "corrected",
    "decide_claim",
    "forbidden_moves",
    "grounds",
    "judge",
]
