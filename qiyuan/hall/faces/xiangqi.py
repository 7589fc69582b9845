"""象棋 in the hall."""

from __future__ import annotations

from typing import Any

from arbiter import judge
from qikit.errors import GameError
from qikit.outcome import Termination
from xiangqi.board import Board
from xiangqi.geometry import COLOR_NAMES_ZH
from xiangqi.move import Move
from xiangqi.repetition import rule_book

FIRST_RULING = 3
"""No rule book rules on a position before it has occurred so often."""


def start(text: str) -> Board:
    """See :class:`qiyuan.hall.faces.Face`."""
    return Board(text) if text else Board()


def view(board: Board) -> dict[str, Any]:
    """See :class:`qiyuan.hall.faces.Face`."""
    legal: dict[int, list[int]] = {}
    for move in board.legal_moves:
        legal.setdefault(move.from_square, []).append(move.to_square)
    return {
        "codes": board.codes.tolist(),
        "legal": legal,
        "check": board.king(board.turn) if board.is_check() else None,
        "fen": board.fen(),
    }


def move_view(board: Board, move: Move) -> dict[str, Any]:
    """See :class:`qiyuan.hall.faces.Face`."""
    return {
        "zh": board.chinese(move),
        "from": move.from_square,
        "to": move.to_square,
        "taken": int(board.codes[move.to_square]),
    }


def refusal(board: Board, text: str) -> tuple[str, tuple[int, ...]] | None:
    """See :class:`qiyuan.hall.faces.Face`."""
    try:
        found = board.explain(Move.parse(text))
    except (GameError, IndexError):
        return None
    return None if found is None else (f"{found.zh}（{found.rule}）。", found.squares)


def result_text(board: Board) -> dict[str, Any] | None:
    """See :class:`qiyuan.hall.faces.Face`."""
    outcome = board.outcome()
    if outcome is None:
        return None
    return _result(outcome.winner, outcome.termination.zh)


def _result(winner: int | None, why: str) -> dict[str, Any]:
    end = "和棋" if winner is None else f"{COLOR_NAMES_ZH[winner]}方胜"
    return {"winner": winner, "text": f"{end}：{why}。"}


def needs_ruling(board: Board, keys: list[int], rules: str) -> bool:
    """See :class:`qiyuan.hall.faces.Face`."""
    limit = rule_book(rules).natural_limit_plies
    return keys.count(keys[-1]) >= FIRST_RULING or (
        limit is not None and board.halfmove_clock >= limit
    )


def ruling(board: Board, rules: str) -> tuple[dict[str, Any] | None, str]:
    """See :class:`qiyuan.hall.faces.Face`."""
    found = judge(board, rules)
    if found.event is None:
        return None, ""
    if found.event.termination in (Termination.CHECKMATE, Termination.STALEMATE):
        return None, ""  # the board says so itself
    text = found.event.text()
    outcome = found.outcome()
    if outcome is None:
        return None, text if found.event.ply == found.plies else ""
    return {**_result(outcome.winner, outcome.termination.zh), "ruling": text}, text
