"""五子棋 in the hall."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from ai.player import Budget, Choice
from ai.threat_player import ThreatPlayer
from gomoku import Board, Game, Move, records
from gomoku.game import RESULTS
from gomoku.rules import PRESETS
from qikit.errors import GameError
from qikit.stop import StopFlag
from qiyuan.hall import hearing
from qiyuan.hall.faces.face import UNKNOWN, Face, Occasion, Option, Result, Thought

WORDS = {
    "freestyle": "连成五个或更多就赢。",
    "standard": "正好五个才赢，六个以上不算。",
    "renju": "黑棋不许下三三、四四、长连；白棋不限。",
    "caro_overline": "五个被两头堵住不算赢，六个以上算赢。",
    "caro_exact": "正好五个、没有两头被堵住才赢。",
}
LEVELS = {1: "初学", 2: "会看棋形", 3: "会算杀"}
NODES = {1: 1, 2: 1}
"""Nodes that a level may search for threats; level 3 has no bound but the time."""
OVERLOOKED = {1: 0.45, 2: 0.12}
"""Part of the points that a level does not see."""
_POINT = re.compile(r"[a-t][0-9]+")
LONGEST = Budget(time=2.0)


class Gomoku(Face):
    """See :class:`~qiyuan.hall.faces.face.Face`. Points count from 0, row by row from below."""

    game, zh = "gomoku", "五子棋"
    options = (Option("rules", "规则", {name: PRESETS[name].name_zh for name in WORDS}, WORDS),)
    humans = ("黑方（先走）", "白方（后走）")
    levels = LEVELS
    forms = {"sgf": "sgf", "psq": "psq", "moves": "txt"}
    needs = {"gomoku.kernel": "五子棋规则"}
    thinks = {"gomoku.threats.kernel": "五子棋算杀"}

    def start(self, text: str, options: Mapping[str, str]) -> Board:
        if not text:
            return Board(rules=options["rules"])
        return Board(" ".join([*text.split()[:2], options["rules"]]))

    def seats(self, board: Board) -> tuple[str, ...]:
        return ("黑方", "白方")

    def can(self, board: Board) -> frozenset[str]:
        return super().can(board) | {"hint"}

    def view(self, board: Board) -> dict[str, Any]:
        size = board.size
        codes = [board.cell(x, y) for y in range(size) for x in range(size)]
        barred = board.forbidden_points() if board.turn == 0 and not board.is_over() else ()
        return {
            "size": size,
            "codes": codes,
            "barred": [move.point(size) for move in barred],
            "lines": [[move.point(size) for move in line] for line in board.winning_lines()],
            "rules": board.rules.name_zh,
            "fen": board.fen(),
        }

    def move_view(self, board: Board, move: Move) -> dict[str, Any]:
        return {"zh": str(move).upper(), "at": None if move.is_pass else move.point(board.size)}

    def refusal(self, board: Board, text: str) -> tuple[str, tuple[int, ...]] | None:
        try:
            why = board.forbidden(text) if board.turn == 0 else None
        except GameError:
            return None
        if why is None:
            return None
        marks = {m.point(board.size): None for line in why.lines for m in line.stones}
        sentence = _POINT.sub(lambda name: name[0].upper(), why.sentence())  # as on the board
        return f"{sentence}（RIF 9.2）。", tuple(marks)

    # ------------------------------------------------------------ the computer

    def searcher(self, last: Any | None) -> ThreatPlayer:
        return last or ThreatPlayer()

    def choose(
        self, board: Board, level: int, strength: float, searcher: ThreatPlayer, stop: StopFlag
    ) -> Thought | None:
        moves = list(board.legal_moves)
        if level in OVERLOOKED and board.ply > 1:
            moves = Random().sample(moves, max(1, round(len(moves) * (1 - OVERLOOKED[level]))))
        budget = Budget(time=LONGEST.time, nodes=NODES.get(level))
        choice = searcher.choose(board, budget, stop=stop, moves=moves)
        return None if choice is None else Thought(str(choice.move), strength)

    def hint(self, board: Board, searcher: ThreatPlayer, stop: StopFlag) -> dict[str, Any] | None:
        choice = searcher.hint(board, LONGEST, stop=stop)
        if choice is None:
            return None
        name = str(choice.move).upper()
        return {
            "text": f"建议下 {name}：{_reason(board, choice)}。",
            "at": choice.move.point(board.size),
        }

    # ------------------------------------------------------------ files

    def file(
        self,
        board: Board,
        form: str,
        result: Result | None,
        notation: str,
        occasion: Occasion = UNKNOWN,
    ) -> bytes:
        game = Game.of_moves([], rules=board.rules)
        game.start = board.root()
        game.headers = occasion.headers("Black", "White")
        node = game.root
        for move in board.move_stack:
            node = node.add_unchecked(move)
        if result is not None:
            winner = result["winner"]
            game.result = RESULTS[2 if winner is None else winner]
        try:
            return records.dumps(game, form).encode()
        except ValueError as error:
            raise GameError(str(error)) from None

    def read(self, data: bytes) -> list[dict[str, Any]]:
        return [_contents(game, n) for n, game in enumerate(records.read(hearing.bounded(data)), 1)]


def _reason(board: Board, choice: Choice) -> str:
    """Why a move is good, in a clause."""
    move, us = choice.move, board.turn
    if choice.mate == 1:
        return "成五，赢了"
    if move in board.five_points(1 - us):
        return "不挡住，对方下一步就成五"
    if choice.mate is not None:
        return f"连续冲四，{choice.mate} 步之内取胜"
    if move in board.four_points(us):
        return "成四，对方必须应"
    if move in board.four_points(1 - us):
        return "挡住对方的三"
    return "这里攻守的棋形最好"


def _contents(game: Game, number: int) -> dict[str, Any]:
    names = [game.headers.get(tag, "").strip(" ?.") for tag in ("Event", "Black", "White", "Date")]
    event, black, white, date = names
    players = f"{black or '黑方'} 对 {white or '白方'}" if black or white else ""
    board = game.start.copy()
    moves: list[str] = []
    defects = [str(defect) for defect in game.defects]
    for move in game.mainline():
        try:
            board.push(move)
        except GameError as error:
            defects.append(f"第 {len(moves) + 1} 手没有打开 (left out): {error}")
            break
        moves.append(str(move))
    usual = not game.start.stone_count and game.start.turn == 0 and game.start.size == 15
    return {
        "title": "，".join(filter(None, (event, players, date))) or f"第 {number} 局",
        "plies": len(moves),
        "start": "" if usual else game.start.fen(),
        "moves": moves,
        "options": {"rules": game.start.rules.name},
        "defects": defects,
    }


FACE = Gomoku()
