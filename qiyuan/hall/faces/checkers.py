"""跳棋 in the hall."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ai.evaluation import evaluation
from ai.player import Budget
from ai.racer import RacingPlayer
from ai.simple import GreedyPlayer
from checkers import Board, Move, Rules, records
from checkers.game import Game
from checkers.geometry import GOAL_DISTANCE, HOLE_NAMES
from checkers.rules import PRESETS
from qikit.errors import GameError, InvalidRecord
from qikit.stop import StopFlag
from qiyuan.hall import hearing
from qiyuan.hall.faces.face import UNKNOWN, Face, Occasion, Option, Result, Thought

PLAYERS = {"2": "两人", "3": "三人", "4": "四人", "6": "六人"}
RULES = {
    "club2008": "活动中心规则",
    "party": "聚会规则",
    "long": "远跳",
    "fair": "公平规则",
    "traditional": "传统规则",
    "big15": "十五子（两人）",
}
WORDS = {
    "club2008": "挨着跳；对方快占满您的角时，要先把里面的子走出来（不能行闲棋）。",
    "party": "挨着跳；不能停在别人的角里；目标角占满就算到家。",
    "long": "隔着空孔也能跳，跳到对称的孔。",
    "fair": "先到家以后，同一轮里后走的还走一步，也到家就是和棋。",
    "traditional": "进了目标角不再出来；角占满时可以和占着的子换位。",
    "big15": "每方十五子。",
}
COLORS = ("橙方", "白方", "浅蓝方", "深蓝方", "黄方", "黑方")
"""What the camps A..F are called: by their colours, as the board may be turned."""
SEEN = 0.25
"""Part of the moves that level 1 sees."""


class Checkers(Face):
    """See :class:`~qiyuan.hall.faces.face.Face`. Holes are numbered as in ``checkers``."""

    game, zh, together = "checkers", "跳棋", "大家轮流下"
    options = (Option("players", "几个人", PLAYERS), Option("rules", "规则", RULES, WORDS))
    levels = {1: "初学", 2: "会找路"}
    forms = {"pgn": "txt"}
    needs = {"checkers.kernel": "跳棋规则"}
    thinks = {"checkers.race.kernel": "跳棋算路"}

    def start(self, text: str, options: Mapping[str, str]) -> Board:
        players = int(options["players"])
        board = Board(text or None, _rules(options["rules"], players))
        if len(board.camps) != players:
            raise GameError(f"这个局面是 {len(board.camps)} 人下的 (a position of other seats)")
        return board

    def seats(self, board: Board) -> tuple[str, ...]:
        return tuple(COLORS[camp] for camp in board.camps)

    def can(self, board: Board) -> frozenset[str]:
        return super().can(board) | {"hint", "draw"}

    def view(self, board: Board) -> dict[str, Any]:
        legal: dict[int, list[int]] = {}
        moves = list(board.legal_moves)
        for move in moves:
            if move:
                legal.setdefault(move.from_hole, []).append(move.to_hole)
        return {
            "owners": board.owners,
            "camps": board.camps,
            "legal": legal,
            "pass": moves == [Move.PASS],
            "places": board.places(),
            "say": _news(board) + ("无棋可走，只能停一着。" if moves == [Move.PASS] else ""),
            "fen": board.fen(),
        }

    def move_view(self, board: Board, move: Move) -> dict[str, Any]:
        if not move:
            return {"zh": "停一着", "path": []}
        path = board.path(move)
        a, b = (HOLE_NAMES[hole].upper() for hole in move)
        how = "走到" if "-" in board.notation(move) else "跳到"
        chain = f"，连跳 {len(path) - 1} 次" if len(path) > 2 else ""
        return {"zh": f"{a} {how} {b}{chain}", "path": path}

    def refusal(self, board: Board, text: str) -> tuple[str, tuple[int, ...]] | None:
        try:
            found = board.refusal(text)
        except GameError:
            return None
        return None if found is None else (f"{found.zh}（{found.rule}）。", found.holes)

    def result(self, board: Board) -> Result | None:
        found = super().result(board)
        if found is None or len(board.camps) == 2 or found["winner"] is None:
            return found
        names, places = self.seats(board), board.places()
        ranks = [f"第{'一二三四五六'[n]}名{names[seat]}" for n, seat in enumerate(places)]
        rest = [name for seat, name in enumerate(names) if seat not in places]
        if len(rest) == 1 and len(places) == len(names) - 1:
            ranks.append(f"最后是{rest[0]}")
        return {**found, "text": f"下完了：{'，'.join(ranks)}。"}

    # ------------------------------------------------------------ the computer

    def searcher(self, last: Any | None) -> RacingPlayer:
        return last or RacingPlayer(GreedyPlayer(evaluation("checkers")))

    def choose(
        self, board: Board, level: int, strength: float, searcher: RacingPlayer, stop: StopFlag
    ) -> Thought | None:
        moves = list(board.legal_moves)
        if level == 1:
            moves = Random().sample(moves, max(1, round(len(moves) * SEEN)))
        choice = searcher.choose(board, Budget(time=2.0), stop=stop, moves=moves)
        return None if choice is None else Thought(str(choice.move), strength)

    def hint(self, board: Board, searcher: RacingPlayer, stop: StopFlag) -> dict[str, Any] | None:
        choice = searcher.hint(board, stop=stop)
        if choice is None:
            return None
        move = choice.move
        if not move:
            return {"text": "无棋可走，只能停一着。", "path": []}
        camp = board.camps[board.turn]
        nearer = int(GOAL_DISTANCE[camp, move.from_hole] - GOAL_DISTANCE[camp, move.to_hole])
        why = f"离目标近了 {nearer} 步" if nearer > 0 else "给后面的棋子让路"
        if len(choice.line) > 1:
            why = f"照这样走，再有 {len(choice.line)} 步全部到家"
        shown = self.move_view(board, move)
        return {"text": f"建议 {shown['zh']}：{why}。", "path": shown["path"]}

    # ------------------------------------------------------------ files

    def file(
        self,
        board: Board,
        form: str,
        result: Result | None,
        notation: str,
        occasion: Occasion = UNKNOWN,
    ) -> bytes:
        game = Game.from_board(board)
        if result is not None and len(board.camps) == 2:
            winner = result["winner"]
            game.result = "1/2-1/2" if winner is None else ("1-0", "0-1")[winner]
        return records.dumps(game).encode()

    def read(self, data: bytes) -> list[dict[str, Any]]:
        text = hearing.bounded(data).decode("utf-8-sig", "replace")
        return [_contents(game, n) for n, game in enumerate(records.loads(text), 1)]


def _rules(preset: str, players: int) -> Rules:
    """A preset for so many; where more than two play, they play for places."""
    changes: dict[str, Any] = {"seats": players, "play_on": players > 2}
    if PRESETS[preset].get("pieces") == 15 and players > 2:
        raise GameError("十五子只有两人能下 (15 pieces: two seats only)")
    return Rules.preset(preset, **changes)


def _news(board: Board) -> str:
    """Who came home, or fell out, with the last move."""
    if not board.move_stack:
        return ""
    before = board.copy()
    before.pop()
    names = [COLORS[camp] for camp in board.camps]
    home = [seat for seat in board.finished if seat not in before.finished]
    return "".join(f"{names[s]}全部到家，第{board.finished.index(s) + 1}名！" for s in home)


def _contents(game: Game, number: int) -> dict[str, Any]:
    root = game.root()
    players = str(len(root.camps))
    named = [name for name in RULES if players in PLAYERS and _same(root.rules, name, int(players))]
    if not named:
        raise InvalidRecord("这局跳棋的规则大厅里没有 (rules that the hall does not have)")
    usual = Board(rules=root.rules)
    event = game.headers.get("Event", "").strip(" ?.")
    return {
        "title": event or f"第 {number} 局",
        "plies": len(game.moves),
        "start": "" if root == usual else root.fen(counters=True),
        "moves": [str(move) for move in game.moves],
        "options": {"players": players, "rules": named[0]},
        "defects": [str(defect) for defect in game.defects],
    }


def _same(rules: Rules, preset: str, players: int) -> bool:
    try:
        return rules == _rules(preset, players)
    except GameError:
        return False


FACE = Checkers()
