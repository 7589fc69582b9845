"""A record with a mistyped move: put it right and play the rest again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qikit.errors import GameError
from xiangqi.board import Board
from xiangqi.game import Game, Skipped
from xiangqi.move import Move

_FORM = re.compile(r"\s*([0-9]{1,5})\s*[=＝]\s*(\S(?:.*\S)?)\s*", re.ASCII)


@dataclass(frozen=True)
class Correction:
    """A move of the record that reads differently now.

    Attributes:
        ply: its number in the game, from 1.
        was: what the record says, in Chinese notation (as written, where it was illegal).
        now: the move that was played instead, in Chinese notation.
        typed: whether the arbiter gave it; else it is a later move of the record, read again by
            its text because its points no longer make sense.
    """

    ply: int
    was: str
    now: str
    typed: bool = True

    def sentence(self) -> str:
        """For the report, in Chinese."""
        if self.typed:
            return f"第 {self.ply} 着：棋谱为 {self.was}，更正为 {self.now}"
        return f"第 {self.ply} 着：更正以后按原文 {self.was} 重读"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {"ply": self.ply, "was": self.was, "now": self.now, "typed": self.typed}


def parse(text: str) -> tuple[int, str]:
    """Read ``PLY=MOVE``, the move in any notation.

    Raises:
        GameError: the text is not of that form.

    >>> parse("12=车二平四")
    (12, '车二平四')
    """
    match = _FORM.fullmatch(text)
    if match is None or match[1].strip("0") == "":
        raise GameError(
            f"更正要写成 着数=着法，例如 12=车二平四 (write PLY=MOVE): {text!r}", text=text
        )
    return int(match[1]), match[2]


def corrected(game: Game, moves: Mapping[int, str]) -> tuple[Game, tuple[Correction, ...]]:
    """The main line of a game with some moves put right and the rest replayed.

    A later move is taken over by its points where they still make a legal move of the same kind
    of piece, else by its Chinese text (after 车二进六 became 车二进五, 车二退一 means another
    point), and moves behind an illegal one by their texts. Where neither can be played the line
    ends, and the defects of the new game name the ply and the rule.

    Args:
        game: as read; it is left alone. Variations and remarks are not taken over.
        moves: text in any notation by ply. The ply behind the last move may be given too: a move
            that is missing, or illegal, in the record.

    Raises:
        GameError: a ply that the record does not have, or a corrected move that is malformed,
            ambiguous or illegal; the message names the ply.

    >>> game = Game.from_moves(["炮二平五", "马8进7", "马二进三", "车9平8"])
    >>> new, changes = corrected(game, {1: "炮八平五"})
    >>> [str(move) for move in new.moves()], changes[0].was
    (['b2e2', 'h9g7', 'h0g2', 'i9h9'], '炮二平五')
    """
    old, written = game.board(), game.moves()
    stop = _stop(game)
    behind = (stop.text, *stop.rest) if stop else ()
    length = len(written) + len(behind)
    for ply in moves:
        if not 1 <= ply <= max(length, len(written) + 1):
            raise GameError(f"没有第 {ply} 着可以更正，棋谱只有 {length} 着 (no such ply)")
    new = Game(game.board(), headers=game.headers, result=game.result)
    board, node = new.board(), new.root
    changes: list[Correction] = []
    for ply in range(1, length + 2):
        move = written[ply - 1] if ply <= len(written) else None
        text = _text(old, move, behind, ply - 1 - len(written))
        if not text and ply not in moves:
            break
        try:
            found = _played(
                board, moves.get(ply), move if not changes else _same(board, old, move), text
            )
        except GameError as error:
            if ply in moves:
                error.args = (f"更正第 {ply} 着：{error}", *error.args[1:])
                raise
            rest = length - ply
            more = f"；其后 {rest} 着没有读 ({rest} more not read)" if rest else ""
            new.defects.append(Skipped(ply, text, f"更正以后不能照走：{error}{more}"))
            break
        if ply in moves or (move is not None and found != move):
            changes.append(Correction(ply, text or "（无）", board.chinese(found), ply in moves))
        if move is not None:
            old.push_unchecked(move)
        node = node.add_unchecked(found)
        board.push_unchecked(found)
    new.defects += [d for d in game.defects if d is not stop and d.ply < min(moves, default=0)]
    return new, tuple(changes)


def _stop(game: Game) -> Skipped | None:
    """The defect at which the main line of a record ended."""
    end = len(game.moves()) + 1
    return next((d for d in game.defects if d.ply == end and d.text), None)


def _text(old: Board, move: Move | None, behind: tuple[str, ...], index: int) -> str:
    """What the record says: by its own position while there is one, else as it is written."""
    if move is not None:
        return old.chinese(move)
    return behind[index] if index < len(behind) else ""


def _same(board: Board, old: Board, move: Move | None) -> Move | None:
    """A move of the record if the same kind of piece can still make it."""
    if move is None or not board.is_legal(move):
        return None
    here, there = board.piece_at(move.from_square), old.piece_at(move.from_square)
    return move if here == there else None


def _played(board: Board, given: str | None, move: Move | None, text: str) -> Move:
    """The move to play: the arbiter's, else the record's points, else its text."""
    if given is None and move is not None:
        return move
    copy = board.copy(stack=False)
    return copy.push(text if given is None else given)
