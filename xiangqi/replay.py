"""The words of a game played on a board: what they mean, and where they stop to make sense.

Two things can only be settled by reading on. Whether ranks count from 0 or from 1 shows in the
first rank 0 or 10, or in which numbering the game is legal. And a text that fits two moves is taken
for the one after which the rest of the line can be played, if only one is such.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qikit.errors import AmbiguousMove, GameError
from xiangqi.game import Game, Node, Skipped
from xiangqi.move import Move
from xiangqi.movetext import Line
from xiangqi.notation import parse_any
from xiangqi.notation.coordinates import FORM as COORDINATES
from xiangqi.notation.coordinates import dashed
from xiangqi.notation.folding import normal
from xiangqi.notation.san_text import FORM as SAN

if TYPE_CHECKING:
    from xiangqi.board import Board

_RANK = re.compile(r"[a-i](10|[0-9])", re.ASCII | re.IGNORECASE)
_LOOK_AHEAD = 400
"""Texts read at most to settle one ambiguity."""


def replay(game: Game, line: Line, base: int | None = None) -> None:
    """Add the moves of a line, with remarks and variations, to a game that has none yet.

    A text that is not a legal move ends its line; it goes into ``game.defects`` with the ply, the
    reason and the number of texts behind it.

    Args:
        base: number of Red's back rank in coordinates and SAN, 0 or 1; by default found out.
    """
    game.root.comment = "\n".join(line.comment)
    line = _before_gap(game, line)
    if base is None:
        base = _find_base(game, line)
    waiting: list[tuple[Node, Board, int, Line]] = [(game.root, game.board(), 0, line)]
    while waiting:
        node, board, ply, line = waiting.pop()
        waiting.extend(reversed(_play(game, node, board, ply, line, base)))


def _before_gap(game: Game, line: Line) -> Line:
    """The line up to where its numbers show that a move of Black is missing, which is a defect.

    Read on, the next moves would be taken for the other side's, often legally. A list that numbers
    every single move has no such gaps.
    """
    plies = line.plies
    first = plies[0].number if plies else 0
    head = plies[:4]
    if not first or [item.number for item in head] == list(range(first, first + len(head))):
        return line
    for index, item in enumerate(plies):
        half = index + game.board().turn
        if half % 2 and item.number == first + half // 2 + 1 and not item.dots:
            game.defects.append(
                Skipped(
                    index + 1,
                    f"{item.number}. {item.text}",
                    f"第 {item.number - 1} 回合缺黑方着法；自此 {len(plies) - index} 着没有读"
                    f" (Black's move {item.number - 1} is missing, the rest is not read)",
                )
            )
            return Line(plies[:index], line.comment)
    return line


def _play(
    game: Game, node: Node, board: Board, ply: int, line: Line, base: int | None
) -> list[tuple[Node, Board, int, Line]]:
    """Play one line; returns its variations with the nodes and positions that they start from."""
    found: list[tuple[Node, Board, int, Line]] = []
    texts = [item.text for item in line.plies]
    introduction = line.comment if node is not game.root or ply else []
    for index, item in enumerate(line.plies):
        found += [(node, board.copy(), ply, variation) for variation in item.variations]
        try:
            move = _read(game, board, ply + 1, texts[index:], base)
        except GameError as error:
            rest = len(texts) - index - 1
            behind = f"；其后 {rest} 着没有读 ({rest} more not read)" if rest else ""
            unread = tuple(texts[index + 1 :]) if node.is_mainline() else ()
            game.defects.append(Skipped(ply + 1, item.text, f"{error}{behind}", unread))
            break
        node = node.add_unchecked(move)
        node.comment = "\n".join([*introduction, *item.comment])
        node.nags = tuple(item.nags)
        introduction = []
        board.push_unchecked(move)
        ply += 1
    return found


def _read(game: Game, board: Board, ply: int, texts: Sequence[str], base: int | None) -> Move:
    """The move of the first text; an ambiguous one is settled by those behind it."""
    try:
        return parse_any(board, texts[0], base)
    except AmbiguousMove as error:
        reach = {
            text: _reach(board, Move.parse(text), texts[1:], base, [_LOOK_AHEAD])
            for text in error.candidates
        }
        best = max(reach.values())
        winners = [text for text, plies in reach.items() if plies == best]
        if len(winners) > 1:
            raise
        game.defects.append(
            Skipped(
                ply,
                texts[0],
                f"有歧义（{'、'.join(error.candidates)}），按后续着法取 {winners[0]}"
                " (ambiguous, settled by the moves that follow)",
            )
        )
        return Move.parse(winners[0])


def _reach(
    board: Board, move: Move, texts: Sequence[str], base: int | None, budget: list[int]
) -> int:
    """How many texts can be played after a move; further ambiguities take their best branch."""
    board = board.copy(stack=False)
    board.push_unchecked(move)
    for played, text in enumerate(texts):
        if budget[0] <= 0:
            return played
        budget[0] -= 1
        try:
            board.push_unchecked(parse_any(board, text, base))
        except AmbiguousMove as error:
            rest = texts[played + 1 :]
            return played + max(
                1 + _reach(board, Move.parse(candidate), rest, base, budget)
                for candidate in error.candidates
            )
        except GameError:
            return played
    return len(texts)


def _find_base(game: Game, line: Line) -> int | None:
    """The rank numbering of a game's coordinates or SAN, None where nothing tells."""
    texts = [dashed(normal(text)) for text in _texts(line)]
    shaped = [text for text in texts if _is_coordinate(text) or SAN.fullmatch(text)]
    ranks = {rank for text in shaped for rank in _RANK.findall(text)}
    if "10" in ranks or "0" in ranks:
        return None if {"0", "10"} <= ranks else int("10" in ranks)
    if not shaped or all(map(_is_coordinate, shaped)):
        return 0
    mainline = [item.text for item in line.plies]
    readings = [_legal_moves(game.board(), mainline, base) for base in (0, 1)]
    played = [len(moves) for moves in readings]
    if played[0] == played[1] and readings[0] != readings[1]:
        game.defects.append(
            Skipped(
                1,
                mainline[0],
                "横线从 0 数和从 1 数都读得通，按 0–9 读"
                " (legal with ranks 0-9 and with ranks 1-10, read as 0-9)",
            )
        )
    return int(played[1] > played[0])


def _is_coordinate(text: str) -> bool:
    return COORDINATES.fullmatch(text) is not None


def _texts(line: Line) -> list[str]:
    """The texts of a line and of all its variations."""
    texts = []
    waiting = [line]
    while waiting:
        for item in waiting.pop().plies:
            texts.append(item.text)
            waiting += item.variations
    return texts


def _legal_moves(board: Board, texts: Sequence[str], base: int) -> list[Move]:
    """The moves of a line as far as it can be played with one numbering of the ranks."""
    moves: list[Move] = []
    for text in texts:
        try:
            moves.append(parse_any(board, text, base))
        except GameError:
            break
        board.push_unchecked(moves[-1])
    return moves
