"""How a game ended: the same two types for every game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Termination(Enum):
    """Why a game is over. ``value`` is the stable English id, ``zh`` the Chinese term.

    >>> Termination.STALEMATE.value, Termination.STALEMATE.zh
    ('stalemate', '困毙')
    """

    # 象棋
    CHECKMATE = ("checkmate", "将死")
    STALEMATE = ("stalemate", "困毙")
    PERPETUAL_CHECK = ("perpetual_check", "长将")
    PERPETUAL_CHASE = ("perpetual_chase", "长捉")
    FORBIDDEN_REPETITION = ("forbidden_repetition", "循环犯规")
    REPETITION = ("repetition", "循环作和")
    NATURAL_LIMIT = ("natural_limit", "自然限着")
    INSUFFICIENT_MATERIAL = ("insufficient_material", "双方均无可能取胜")
    # 五子棋
    FIVE_IN_A_ROW = ("five_in_a_row", "五连")
    FORBIDDEN_MOVE = ("forbidden_move", "禁手")
    BOARD_FULL = ("board_full", "满盘")
    # 跳棋
    GOAL_FILLED = ("goal_filled", "占满对面阵地")
    # 军棋
    FLAG_CAPTURED = ("flag_captured", "军旗被扛")
    NO_MOVABLE_PIECE = ("no_movable_piece", "无子可动")
    # 康乐棋
    PIECES_CLEARED = ("pieces_cleared", "打完全部棋子")
    # every game
    MOVE_LIMIT = ("move_limit", "步数到限")
    AGREEMENT = ("agreement", "协议和棋")
    RESIGNATION = ("resignation", "认输")
    TIME_FORFEIT = ("time_forfeit", "超时")
    RULE_OFFENCE = ("rule_offence", "犯规判负")

    zh: str

    def __new__(cls, value: str, zh: str) -> Termination:
        member = object.__new__(cls)
        member._value_ = value
        member.zh = zh
        return member


@dataclass(frozen=True)
class Outcome:
    """The end of a game.

    Attributes:
        termination: why the game is over.
        winner: the seat (or team, in games with teams) that won, ``None`` for a draw.
        rule: id of the deciding rule, for example ``"S0-XQ-15"``.

    >>> Outcome(Termination.CHECKMATE, 0, "S0-XQ-14").result()
    '1-0'
    """

    termination: Termination
    winner: int | None
    rule: str = ""

    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2`` for games of two sides; seat 0 is the first side.

        Raises:
            ValueError: the winner is a third or later seat, for which that notation has no word.
        """
        if self.winner is None:
            return "1/2-1/2"
        if self.winner not in (0, 1):
            raise ValueError(f"no two-sided result for seat {self.winner}")
        return "1-0" if self.winner == 0 else "0-1"
