"""Why a move is not legal: the rule that stops it, as data that renders to a sentence.

Whether a move is legal is decided by the kernel; this explains a refusal to a person. The tests
hold the two together: there is an explanation exactly for the moves that are not legal. It looks at
the public side and at the kind of the moving piece only, so it tells a player nothing new.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache

from junqi.geometry import BoardMap, board_map, point_name, type_of
from junqi.layout import A_SIDE, CAMP, HQ, POINTS
from junqi.ledger import Ledger
from junqi.move import Move
from junqi.pieces import ENGINEER, FLAG, MINE, NAMES_EN, NAMES_ZH


@dataclass(frozen=True)
class Refusal:
    """The rule that stops a move.

    Attributes:
        rule: id of the rule, for example ``"S3B-JQ-3"``.
        zh: what is wrong, in Chinese.
        en: the same in English.
        points: points that a picture should mark.
    """

    rule: str
    zh: str
    en: str
    points: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.zh}（{self.rule}）({self.en})"


@cache
def _links(board: str) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    layout = board_map(board)
    return layout.neighbours(layout.roads), layout.neighbours(layout.rails)


def explain(ledger: Ledger, seat: int, kind: int, move: Move) -> Refusal | None:
    """The rule that stops ``seat`` from moving so; None if none does.

    Args:
        ledger: the public side of the game.
        seat: who wants to move.
        kind: kind of the piece on the first point (of no account if it is not the seat's own).
        move: the move.
    """
    board = ledger.map
    for point in move:
        if point not in board.points:
            name = point_name(point) if point in range(POINTS) else str(point)[:40]
            return Refusal(
                "board", f"{name} 不在棋盘上", f"{name} is not on {board.name}", (point,)
            )
    a, b = (point_name(point) for point in move)
    mine, other = ledger.piece_at(move.from_point), ledger.piece_at(move.to_point)
    if mine is None:
        return Refusal("S3B-JQ-4", f"{a} 上没有棋子", f"no piece stands on {a}", (move.from_point,))
    if mine // A_SIDE != seat:
        owner, mover = board.seat_name(mine // A_SIDE), board.seat_name(seat)
        return Refusal(
            "S3B-JQ-4",
            f"{a} 上是{owner}方的棋子，该{mover}方走",
            f"{a} holds a piece of another side",
            (move.from_point,),
        )
    if kind in (MINE, FLAG):
        return Refusal(
            "S3B-JQ-6",
            f"{NAMES_ZH[kind]}不能移动",
            f"a {NAMES_EN[kind]} never moves",
            (move.from_point,),
        )
    if type_of(move.from_point) == HQ:
        return Refusal(
            "S3B-JQ-5",
            f"{a} 是大本营，进去的棋子不能再动",
            f"nothing leaves the headquarters {a}",
            (move.from_point,),
        )
    if other is not None and (other // A_SIDE - seat) % 2 == 0:
        whose = "自己" if other // A_SIDE == seat else "盟友"
        return Refusal(
            "S3B-JQ-10",
            f"{b} 上是{whose}的棋子",
            f"{b} holds an own or allied piece",
            (move.to_point,),
        )
    if other is not None and type_of(move.to_point) == CAMP:
        return Refusal(
            "S3B-JQ-4", f"{b} 是行营，里面的棋子安全", f"the camp {b} is held", (move.to_point,)
        )
    roads, rails = _links(board.name)
    if move.to_point in roads[move.from_point]:
        return None
    if not (rails[move.from_point] and rails[move.to_point]):
        return Refusal(
            "S3B-JQ-2",
            f"{a} 到 {b} 不是相邻的公路，也不都在铁路上",
            f"{a} and {b} are no road step apart, nor both on rails",
            tuple(move),
        )
    if kind == ENGINEER:
        if _connected(ledger, rails, move):
            return None
        return Refusal(
            "S3B-JQ-3", f"{a} 到 {b} 的铁路都被挡住", f"every rail to {b} is blocked", tuple(move)
        )
    return _along_lines(ledger, board, move)


def _connected(ledger: Ledger, rails: dict[int, list[int]], move: Move) -> bool:
    seen, waiting = {move.from_point}, deque([move.from_point])
    while waiting:
        for point in rails[waiting.popleft()]:
            if point == move.to_point:
                return True
            if point not in seen and ledger.piece_at(point) is None:
                seen.add(point)
                waiting.append(point)
    return False


def _along_lines(ledger: Ledger, board: BoardMap, move: Move) -> Refusal | None:
    a, b = (point_name(point) for point in move)
    blockers: list[int] = []
    for line in board.lines:
        if move.from_point in line and move.to_point in line:
            i, j = sorted((line.index(move.from_point), line.index(move.to_point)))
            between = [point for point in line[i + 1 : j] if ledger.piece_at(point) is not None]
            if not between:
                return None
            blockers += between[:1]
    if blockers:
        name = point_name(blockers[0])
        return Refusal(
            "S3B-JQ-3",
            f"{a} 到 {b} 的铁路被 {name} 的棋子挡住",
            f"the rail is blocked at {name}",
            tuple(blockers),
        )
    return Refusal(
        "S3B-JQ-3",
        f"{a} 和 {b} 不在一条铁路线上，只有工兵能拐弯",
        f"{a} and {b} are on no one rail line; only engineers turn",
        tuple(move),
    )
