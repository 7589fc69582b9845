"""No third identical move running (S3B-XQ-5): a rule on moves alone, whatever they threaten."""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.move import Move
from xiangqi.repetition import RuleBook

SETTING = "no_third_repetition"
OFF, SAME_MOVE, SAME_POSITION = "off", "move", "position"
"""Its values: no such rule, and the two readings of it."""


def reading(book: RuleBook) -> str:
    """How a book reads the rule.

    Raises:
        ValueError: the setting has another value.
    """
    value = book.value(SETTING) or OFF
    if value not in (OFF, SAME_MOVE, SAME_POSITION):
        raise ValueError(f"{SETTING} 只能是 (is one of) off, move, position: {value!r}")
    return str(value)


def offence(how: str, own: Sequence[Move], move: Move, quiet: int, stood: int) -> str:
    """Why a move offends, in Chinese; ``""`` if it does not.

    Args:
        how: the reading.
        own: the side's moves before it, the latest first.
        move: the move.
        quiet: how many of ``own`` were made since the last capture.
        stood: how often the position after the move had stood before.
    """
    if how == SAME_MOVE and third_running(own[:quiet], move):
        return "不间断地往返之中第三次走同一着"
    if how == SAME_POSITION and stood >= 2:
        return "同一局面第三次出现"
    return ""


def third_running(own: Sequence[Move], move: Move) -> bool:
    """Whether a move would be a side's third identical one in an unbroken shuttle.

    A shuttle is the same sequence of own moves gone through twice: to and fro, or a longer walk.

    >>> a, b = Move(0, 1), Move(1, 0)
    >>> third_running([b, a, b, a], a), third_running([b, a], a)
    (True, False)
    """
    return any(
        own[period - 1] == move == own[2 * period - 1] and own[:period] == own[period : 2 * period]
        for period in range(2, len(own) // 2 + 1)
    )
