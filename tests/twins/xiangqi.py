"""象棋 written from the rules, slowly: the oracle of the generator, the board and the notations.

It shares nothing with the package: a position is a list of 90 FEN letters (``"."`` = empty) and
the side to move, a move is a pair of points ``9 * rank + file``. A position with one general a
side is expected; nothing is cached, nothing is incremental.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Move = tuple[int, int]
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (file, rank)
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Position(NamedTuple):
    points: tuple[str, ...]
    red_to_move: bool


def position(fen: str) -> Position:
    """Placement and side of a FEN in the letters KABNRCP."""
    fields = fen.split()
    points = ["."] * 90
    for row, text in enumerate(fields[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                points[9 * (9 - row) + file] = letter
                file += 1
        assert file == 9, fen
    return Position(tuple(points), fields[1:2] != ["b"])


def placement(pos: Position) -> str:
    """Placement and side, the first two fields of a FEN."""
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(pos.points[9 * rank : 9 * rank + 9])
        for n in range(9, 0, -1):
            row = row.replace("." * n, str(n))
        rows.append(row)
    return "/".join(rows) + (" w" if pos.red_to_move else " b")


def red(letter: str) -> bool:
    return letter.isupper()


def own_palace(file: int, rank: int, of_red: bool) -> bool:
    return 3 <= file <= 5 and (0 <= rank <= 2 if of_red else 7 <= rank <= 9)


def own_half(rank: int, of_red: bool) -> bool:
    return rank <= 4 if of_red else rank >= 5


def at(points: tuple[str, ...], file: int, rank: int) -> str:
    """Letter on a point, ``"#"`` outside the board."""
    return points[9 * rank + file] if 0 <= file <= 8 and 0 <= rank <= 9 else "#"


def targets(points: tuple[str, ...], start: int) -> Iterator[int]:
    """Points that the piece on ``start`` can go to by its own way of moving, S0-XQ-6 and 8 to 13.

    A piece of its own colour is never a target.
    """
    letter = points[start]
    is_red = red(letter)
    file, rank = start % 9, start // 9
    kind = letter.upper()

    def free_or_enemy(f: int, r: int) -> bool:
        there = at(points, f, r)
        return there == "." or (there.isalpha() and red(there) != is_red)

    if kind == "K":
        for df, dr in STEPS:
            if own_palace(file + df, rank + dr, is_red) and free_or_enemy(file + df, rank + dr):
                yield 9 * (rank + dr) + file + df
    elif kind == "A":
        for df, dr in DIAGONALS:
            if own_palace(file + df, rank + dr, is_red) and free_or_enemy(file + df, rank + dr):
                yield 9 * (rank + dr) + file + df
    elif kind == "B":
        for df, dr in DIAGONALS:
            eye = at(points, file + df, rank + dr)
            f, r = file + 2 * df, rank + 2 * dr
            if eye == "." and free_or_enemy(f, r) and own_half(r, is_red):
                yield 9 * r + f
    elif kind == "N":
        for df, dr in STEPS:
            if at(points, file + df, rank + dr) == ".":
                for side in (1, -1):
                    f, r = file + 2 * df + side * dr, rank + 2 * dr + side * df
                    if free_or_enemy(f, r):
                        yield 9 * r + f
    elif kind in "RC":
        for df, dr in STEPS:
            f, r = file + df, rank + dr
            while at(points, f, r) == ".":
                yield 9 * r + f
                f, r = f + df, r + dr
            if kind == "C":  # over exactly one screen
                f, r = f + df, r + dr
                while at(points, f, r) == ".":
                    f, r = f + df, r + dr
            if at(points, f, r).isalpha() and free_or_enemy(f, r):
                yield 9 * r + f
    elif kind == "P":
        forward = 1 if is_red else -1
        ways = [(0, forward)]
        if not own_half(rank, is_red):
            ways += [(1, 0), (-1, 0)]
        for df, dr in ways:
            if free_or_enemy(file + df, rank + dr):
                yield 9 * (rank + dr) + file + df


def general(points: tuple[str, ...], of_red: bool) -> int:
    return points.index("K" if of_red else "k")


def checkers(pos: Position, of_red: bool) -> list[int]:
    """Points of the pieces that attack the general of one side, S0-XQ-14."""
    goal = general(pos.points, of_red)
    return [
        sq
        for sq, letter in enumerate(pos.points)
        if letter.isalpha() and red(letter) != of_red and goal in targets(pos.points, sq)
    ]


def in_check(pos: Position) -> bool:
    return bool(checkers(pos, pos.red_to_move))


def facing(points: tuple[str, ...]) -> bool:
    """S0-XQ-7: both generals on one file with nothing between."""
    low, high = sorted((general(points, True), general(points, False)))
    return low % 9 == high % 9 and all(points[sq] == "." for sq in range(low + 9, high, 9))


def make(pos: Position, move: Move) -> Position:
    points = list(pos.points)
    points[move[1]], points[move[0]] = points[move[0]], "."
    return Position(tuple(points), not pos.red_to_move)


def pseudo_moves(pos: Position) -> list[Move]:
    """Moves that obey the way of moving of the piece, whatever becomes of the general."""
    return [
        (sq, to)
        for sq, letter in enumerate(pos.points)
        if letter.isalpha() and red(letter) == pos.red_to_move
        for to in targets(pos.points, sq)
    ]


def legal_moves(pos: Position) -> list[Move]:
    """Legal moves in order of (from, to); S0-XQ-7: not facing, S0-XQ-14: not left in check."""
    moves = []
    for move in sorted(pseudo_moves(pos)):
        if pos.points[move[1]] in "Kk":
            continue  # only in a position that never arises: the side not to move is in check
        after = make(pos, move)
        if not facing(after.points) and not checkers(after, pos.red_to_move):
            moves.append(move)
    return moves


def is_capture(pos: Position, move: Move) -> bool:
    return pos.points[move[1]] != "."


def gives_check(pos: Position, move: Move) -> bool:
    return in_check(make(pos, move))


def attackers(pos: Position, by_red: bool, goal: int) -> list[int]:
    """Points of one side's pieces that could capture on ``goal`` if an enemy stood there.

    Pins are not considered; a piece of that side on ``goal`` is attacked in the sense of guarded.
    """
    points = list(pos.points)
    points[goal] = "p" if by_red else "P"  # any enemy: its own kind decides nothing here
    frozen = tuple(points)
    return [
        sq
        for sq, letter in enumerate(frozen)
        if letter.isalpha() and red(letter) == by_red and goal in targets(frozen, sq)
    ]


def perft(pos: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = legal_moves(pos)
    return len(moves) if depth == 1 else sum(perft(make(pos, m), depth - 1) for m in moves)


def divide(pos: Position, depth: int) -> dict[str, int]:
    return {name(m): perft(make(pos, m), depth - 1) for m in legal_moves(pos)}


def name(move: Move) -> str:
    """ICCS text of a move."""
    return "".join(f"{'abcdefghi'[sq % 9]}{sq // 9}" for sq in move)


def move(text: str) -> Move:
    """The move of an ICCS text."""
    return (
        "abcdefghi".index(text[0]) + 9 * int(text[1]),
        "abcdefghi".index(text[2]) + 9 * int(text[3]),
    )
