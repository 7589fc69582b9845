"""The SAN-like dialect of XBoard, WinBoard and pychess: Cbe2, Hg3, Rxe9+, c4.

A letter for the piece (K A E H R C, none for pawns), file and then rank of the start point only
where several pieces reach the goal (some sites always give the file), ``x`` for a capture, the
goal, ``+`` and ``#``. WinBoard counts ranks 0 to 9, Fairy-Stockfish 1 to 10.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xiangqi.geometry import FILE_NAMES
from xiangqi.move import Move
from xiangqi.notation.coordinates import dashed
from xiangqi.notation.folding import normal
from xiangqi.notation.matching import View
from xiangqi.notation.standing import describe
from xiangqi.pieces import PAWN

if TYPE_CHECKING:
    from xiangqi.board import Board

SAN_LETTERS = " KAEHRC"
_KIND = {letter: kind for kind, letter in enumerate(SAN_LETTERS)} | {"": PAWN, "P": PAWN}
_KIND |= {"B": _KIND["E"], "N": _KIND["H"]}

FORM = re.compile(
    r"(?P<kind>[KAEHRCBNP]?)(?P<file>[a-i]?)(?P<rank>10|[0-9])??(?P<takes>[x-]?)"
    r"(?P<goal_file>[a-i])(?P<goal_rank>10|[0-9])[+#]{0,2}",
    re.ASCII,
)
"""Normal texts of this notation."""


def san(board: Board, move: Move, base: int = 0) -> str:
    """SAN-like text of a legal move.

    Args:
        base: number of Red's back rank, 0 (WinBoard) or 1 (Fairy-Stockfish).

    Raises:
        InvalidMove: no piece of the side to move stands on the start point.
    """
    codes: list[int] = board.codes.tolist()
    standing, _, _ = describe(codes, move)
    rivals = [
        other.from_square
        for other in board.legal_moves
        if other.to_square == move.to_square
        and other.from_square != move.from_square
        and codes[other.from_square] == codes[move.from_square]
    ]
    file, rank = (FILE_NAMES[move.from_square % 9], f"{move.from_square // 9 + base}")
    takes = "x" if codes[move.to_square] else ""
    if standing.kind == PAWN:
        start = file if takes or rivals else ""
    else:
        start = SAN_LETTERS[standing.kind]
        if rivals and all(sq % 9 != move.from_square % 9 for sq in rivals):
            start += file
        elif rivals and all(sq // 9 != move.from_square // 9 for sq in rivals):
            start += rank
        elif rivals:
            start += file + rank
    goal = f"{FILE_NAMES[move.to_square % 9]}{move.to_square // 9 + base}"
    return f"{start}{takes}{goal}{_check(board, move)}"


def _check(board: Board, move: Move) -> str:
    if not board.gives_check(move):
        return ""
    after = board.copy()
    after.push_unchecked(move)
    return "+" if len(after.legal_moves) else "#"


def parse_san(board: Board, text: str, base: int | None = None) -> Move:
    """The legal move of a SAN-like text.

    Args:
        base: number of Red's back rank, 0 or 1. By default 1 if the text names a rank 10, else 0
            if a legal move answers to that reading, else 1.

    Raises:
        InvalidMove: not of that form, or a rank that the numbering does not have.
        IllegalMove: no legal move is called so.
        AmbiguousMove: several legal moves are called so.
    """
    view = View(board)
    match = FORM.fullmatch(dashed(normal(text)))
    if match is None:
        raise view.malformed(text, "不是 SAN 着法", "not a move in SAN")
    ranks = (match["rank"], match["goal_rank"])
    if base is not None:
        bases: tuple[int, ...] = (base,)
    elif "10" in ranks:
        bases = (1,)
    elif "0" in ranks:
        bases = (0,)
    else:
        bases = (0, 1)
    if any(rank and not base <= int(rank) <= 9 + base for rank in ranks for base in bases):
        numbering = f"{bases[0]}–{9 + bases[0]}"
        raise view.malformed(text, f"横线应为 {numbering}", f"ranks are {numbering}")
    for reading in bases:
        found = _matching(view, match, reading)
        if found:
            return view.choose(text, found)
    return view.choose(text, [])


def _matching(view: View, match: re.Match[str], base: int) -> list[Move]:
    """Legal moves that a text may mean; a capture sign that is not there is not held against it."""
    kind = _KIND[match["kind"]]
    goal = 9 * (int(match["goal_rank"]) - base) + FILE_NAMES.index(match["goal_file"])
    found = [
        move
        for move in view.board.legal_moves
        if move.to_square == goal
        and view.codes[move.from_square] & 7 == kind
        and match["file"] in ("", FILE_NAMES[move.from_square % 9])
        and (not match["rank"] or int(match["rank"]) - base == move.from_square // 9)
    ]
    return [] if match["takes"] == "x" and not view.codes[goal] else found
