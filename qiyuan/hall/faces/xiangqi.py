"""象棋 in the hall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ai import hint as advice
from ai.levels import LEVELS, AdaptingPlayer, LevelPlayer
from ai.player import Budget
from ai.review import Mark, Remark, review
from ai.search.xiangqi import SearchPlayer
from arbiter import judge
from qikit.errors import GameError
from qikit.outcome import Termination
from qikit.stop import StopFlag
from qiyuan.hall import hearing, warmth
from qiyuan.hall.faces.face import ADAPTING, UNKNOWN, Face, Occasion, Option, Result, Thought
from xiangqi import records
from xiangqi.board import Board
from xiangqi.game import Game
from xiangqi.geometry import COLOR_NAMES_ZH
from xiangqi.move import Move
from xiangqi.repetition import rule_book

FIRST_RULING = 3
"""No rule book rules on a position before it has occurred so often."""
HINT = Budget(time=1.5)
DRAW = Budget(nodes=30_000)
REVIEW = Budget(nodes=8_000)
AGREES_FROM = 40
"""The computer agrees to a draw after so many moves, where it does not stand better than this:"""
AGREES_BELOW = 30.0
CLUB = "club2008"
"""The rule book of activity centres."""
NOTATIONS = ("chinese", "iccs", "wxf")


def _books() -> dict[str, str]:
    books = {one["id"]: one["zh"] for one in hearing.books()}
    return {CLUB: books[CLUB], **books}


class _Stopped(Exception):
    pass


class Xiangqi(Face):
    """See :class:`~qiyuan.hall.faces.face.Face`."""

    game, zh = "xiangqi", "象棋"
    options = (Option("rules", "棋例", _books(), asked=False),)
    humans: tuple[str, ...] = ("红方（先走）", "黑方（后走）")
    levels = {one.number: one.zh for one in LEVELS} | {ADAPTING: "因人而异（跟着您的水平变）"}
    forms = {"pgn": "pgn", "moves": "txt", "dhtmlxq": "txt", "xqf": "xqf"}
    needs = {warmth.RULES: "象棋规则"}
    thinks = {warmth.SEARCH: "电脑对手", "ai.search.xiangqi.policy.kernel": "电脑的直觉"}
    judges = {warmth.JUDGE: "棋例裁判"}

    def start(self, text: str, options: Mapping[str, str]) -> Board:
        return Board(text) if text else Board()

    def seats(self, board: Board) -> tuple[str, ...]:
        return tuple(f"{name}方" for name in COLOR_NAMES_ZH)

    def can(self, board: Board) -> frozenset[str]:
        return super().can(board) | {"hint", "review", "rule"}

    def view(self, board: Board) -> dict[str, Any]:
        legal: dict[int, list[int]] = {}
        for move in board.legal_moves:
            legal.setdefault(move.from_square, []).append(move.to_square)
        check = board.is_check()
        return {
            "codes": board.codes.tolist(),
            "legal": legal,
            "check": board.king(board.turn) if check else None,
            "say": "将军！" if check else "",
            "fen": board.fen(),
        }

    def move_view(self, board: Board, move: Move) -> dict[str, Any]:
        zh, prey = board.chinese(move), board.piece_at(move.to_square)
        said = f"{self.seats(board)[board.turn]}：{zh}{f'，吃{prey.zh}' if prey else ''}。"
        return {"zh": zh, "from": move.from_square, "to": move.to_square, "say": said}

    def refusal(self, board: Board, text: str) -> tuple[str, tuple[int, ...]] | None:
        try:
            found = board.explain(Move.parse(text))
        except (GameError, IndexError):
            return None
        return None if found is None else (f"{found.zh}（{found.rule}）。", found.squares)

    # ------------------------------------------------------------ the arbiter

    def needs_ruling(self, board: Board, keys: list[int], options: Mapping[str, str]) -> bool:
        limit = rule_book(options["rules"]).natural_limit_plies
        return keys.count(keys[-1]) >= FIRST_RULING or (
            limit is not None and board.halfmove_clock >= limit
        )

    def ruling(self, board: Board, options: Mapping[str, str]) -> tuple[Result | None, str]:
        found = judge(board, options["rules"])
        if found.event is None:
            return None, ""
        if found.event.termination in (Termination.CHECKMATE, Termination.STALEMATE):
            return None, ""  # the board says so itself
        text = found.event.text()
        outcome = found.outcome()
        if outcome is None:
            return None, text if found.event.ply == found.plies else ""
        ended = self.ended(board, outcome.winner, outcome.termination.zh)
        return {**ended, "ruling": text}, text

    # ------------------------------------------------------------ the computer

    def searcher(self, last: Any | None) -> SearchPlayer:
        found: SearchPlayer = last or SearchPlayer()
        found.new_game()
        return found

    def choose(
        self, board: Board, level: int, strength: float, searcher: SearchPlayer, stop: StopFlag
    ) -> Thought | None:
        if level != ADAPTING:
            choice = LevelPlayer(level, searcher=searcher).choose(board, stop=stop)
        else:
            player = AdaptingPlayer(strength, searcher=searcher)
            choice = player.choose(board, stop=stop)
            strength = player.strength
        return None if choice is None else Thought(str(choice.move), strength)

    def finished(self, strength: float, won: bool | None) -> float:
        player = AdaptingPlayer(strength)
        player.finished(won)
        return player.strength

    def agrees(self, board: Board, searcher: SearchPlayer, stop: StopFlag) -> bool:
        choice = searcher.hint(board, DRAW, stop=stop)
        if choice is None or choice.mate is not None:
            return False
        return -(choice.score or 0) <= AGREES_BELOW and len(board.move_stack) >= AGREES_FROM

    def hint(self, board: Board, searcher: SearchPlayer, stop: StopFlag) -> dict[str, Any] | None:
        choice = searcher.hint(board, HINT, stop=stop)
        if choice is None:
            return None
        why = tuple(advice.reasons(board, choice, searcher))
        found = advice.Hint(choice, board.chinese(choice.move), why)
        return {"text": found.text, "from": choice.move[0], "to": choice.move[1]}

    def review(self, board: Board, searcher: SearchPlayer, stop: StopFlag) -> list[dict[str, Any]]:
        def report(_: Remark) -> None:
            if stop.is_set():
                raise _Stopped

        remarks = review(Game.from_board(board), REVIEW, searcher=searcher, report=report)
        return [
            {"ply": one.ply, "mark": one.mark.value, "text": one.text}
            | {"from": one.best.move[0], "to": one.best.move[1]}
            for one in remarks
            if one.mark is not Mark.GOOD
        ]

    # ------------------------------------------------------------ files

    def file(
        self,
        board: Board,
        form: str,
        result: Result | None,
        notation: str,
        occasion: Occasion = UNKNOWN,
    ) -> bytes:
        notation = notation or NOTATIONS[0]
        if notation not in NOTATIONS:
            raise GameError(f"没有这种记谱法 (no such notation): {notation!r:.40}")
        game = Game.from_board(board)
        headers = occasion.headers("Red", "Black")
        if "Date" in headers:
            headers["Date"] = headers["Date"].replace("-", ".")  # as PGN has it
        game.headers = headers
        if result is not None:
            winner = result["winner"]
            game.result = "1/2-1/2" if winner is None else ("1-0", "0-1")[winner]
        return records.to_bytes(game, form, notation=notation).data

    def read(self, data: bytes) -> list[dict[str, Any]]:
        return hearing.contents(hearing.read(data))


FACE = Xiangqi()
