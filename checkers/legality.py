"""Why a turn is not legal: the rule that stops it, as data that renders to a sentence.

Whether a turn is legal is decided by the kernel; this explains a refusal to a person. The tests
hold the two together: there is an explanation exactly for the turns that are not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from checkers.geometry import CAMP_LETTERS, GOAL_ROWS, HOLE_NAMES, camp_of, home, opposite
from checkers.move import Move
from checkers.notation import EMPTY
from checkers.paths import shortest_path
from checkers.rules import Rules


@dataclass(frozen=True)
class Refusal:
    """The rule that stops a turn.

    Attributes:
        rule: id of the rule, for example ``"S0-TQ-9"``; a switch's name where no id exists.
        zh: what is wrong, in Chinese.
        en: the same in English.
        holes: holes that a picture should mark.
    """

    rule: str
    zh: str
    en: str
    holes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.zh}（{self.rule}）({self.en})"


def explain(
    owners: Sequence[int], rules: Rules, camp: int, pieces: int, move: Move
) -> Refusal | None:
    """The rule of the board or of a switch that stops a turn of ``camp``; None if none does.

    The idle-move rule needs the whole position and is judged by the board.
    """
    origin, target = move
    a, b = HOLE_NAMES[origin], HOLE_NAMES[target]
    if owners[origin] == EMPTY:
        return Refusal("S0-TQ-4", f"{a} 上没有棋子", f"no piece stands on {a}", (origin,))
    if owners[origin] != camp:
        whose, mine = CAMP_LETTERS[owners[origin]], CAMP_LETTERS[camp]
        return Refusal(
            "S0-TQ-4",
            f"{a} 上是 {whose} 方的棋子，该 {mine} 方走",
            f"{a} holds a piece of {whose}",
            (origin,),
        )
    if origin == target:
        return Refusal("S0-TQ-4", "起点和终点相同", "a turn ends on another hole", (origin,))
    goal = home(opposite(camp), pieces)
    swap = (
        rules.win == "swap"
        and origin not in goal
        and target in goal
        and owners[target] not in (EMPTY, camp)
        and all(owners[hole] != EMPTY for hole in goal)
    )
    if owners[target] != EMPTY and not swap:
        return Refusal("S0-TQ-5", f"{b} 上已有棋子", f"{b} is held", (target,))
    if rules.side_camps != "free" and camp_of(target) not in (None, camp, opposite(camp)):
        return Refusal(
            "side_camps",
            f"{b} 在别人的营地里，不能停",
            f"{b} lies in a side camp: no stop there",
            (target,),
        )
    if not shortest_path(owners, rules, move):
        return Refusal(
            "S0-TQ-6",
            f"从 {a} 走一步或连跳都到不了 {b}",
            f"neither a step nor jumps lead from {a} to {b}",
            (origin, target),
        )
    if rules.goal_lock and origin in goal and target not in goal:
        return Refusal(
            "goal_lock", f"{a} 已进入目标阵地，不能再出来", f"{a} may not leave the goal", (origin,)
        )
    if rules.backward != "free" and GOAL_ROWS[camp, target] > GOAL_ROWS[camp, origin]:
        return Refusal(
            "backward", f"{b} 在 {a} 的后面，不能后退", f"{b} lies behind {a}", (target,)
        )
    return None
