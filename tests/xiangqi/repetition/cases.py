"""Loops for tests: the reference cases, their images, and random shuttling."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.twins import xiangqi as twin
from tests.twins.repetition import gains
from tests.xiangqi import positions


class Case(NamedTuple):
    """A loop: position, moves before it, one round of it."""

    fen: str
    setup: tuple[str, ...]
    cycle: tuple[str, ...]


@cache
def rows(book: str) -> tuple[dict, ...]:
    """Reference cases with an expected verdict under a book."""
    return tuple(
        row for row in positions.rows("xiangqi_repetition.jsonl") if book in row["expected"]
    )


@cache
def loops() -> tuple[dict, ...]:
    """All reference cases with a loop."""
    return tuple(row for row in positions.rows("xiangqi_repetition.jsonl") if row["cycle"])


def case(row: dict) -> Case:
    return Case(row["fen"], tuple(row["setup"]), tuple(row["cycle"]))


def _image(of: Case, point, letter, swap_side: bool) -> Case:
    pos = twin.position(of.fen)
    points = ["."] * 90
    for sq, piece in enumerate(pos.points):
        points[point(sq)] = letter(piece)
    image = twin.Position(tuple(points), pos.red_to_move != swap_side)

    def moves(texts):
        return tuple(twin.name(tuple(map(point, twin.move(text)))) for text in texts)

    return Case(twin.placement(image) + " - - 0 1", moves(of.setup), moves(of.cycle))


def mirrored(of: Case) -> Case:
    """Left and right exchanged."""
    return _image(of, lambda sq: sq + 8 - 2 * (sq % 9), str, False)


def swapped(of: Case) -> Case:
    """The colours exchanged, the board turned round."""
    return _image(of, lambda sq: 89 - sq, str.swapcase, True)


def rotated(of: Case, plies: int) -> Case:
    """The same loop, entered some plies later."""
    return Case(of.fen, of.setup + of.cycle[:plies], of.cycle[plies:] + of.cycle[:plies])


def shuttles(seed: int, count: int) -> Iterator[Case]:
    """Random legal loops of four moves: a move and a reply, and both taken back.

    They begin in random play. Most are biased to what rules are about: a move that attacks with
    gain or gives check, and a reply by the attacked piece, twice.
    """
    rng = random.Random(seed)
    while count:
        for pos in positions.sample(rng.randrange(2**32), 1, 120, 11):
            found = _shuttle(rng, pos, aimed=rng.random() < 0.7)
            if found is not None and count:
                count -= 1
                yield Case(twin.placement(pos) + " - - 0 1", (), found)


@cache
def sample(seed: int, count: int) -> tuple[Case, ...]:
    """:func:`shuttles`, made once for all tests that use them."""
    return tuple(shuttles(seed, count))


def _shuttle(rng: random.Random, pos: twin.Position, aimed: bool) -> tuple[str, ...] | None:
    firsts = _quiet(rng, pos)
    for first in firsts[: 30 if aimed else 5]:
        after = twin.make(pos, first)
        seconds = _quiet(rng, after)
        if aimed:
            hit = {v for a, v in gains(after.points, pos.red_to_move) if a == first[1]}
            checked = twin.in_check(after)
            seconds = [move for move in seconds if checked or move[0] in hit]
        for second in seconds[:6]:
            cycle = (first, second, first[::-1], second[::-1])
            end = _play(pos, cycle)
            if end != pos:
                continue
            back = _play(pos, cycle[:3])
            again = {v for a, v in gains(back.points, pos.red_to_move) if a == first[0]}
            if not aimed or second[1] in again or twin.in_check(back):
                return tuple(map(twin.name, cycle))
    return None


def _quiet(rng: random.Random, pos: twin.Position) -> list[twin.Move]:
    moves = [move for move in twin.legal_moves(pos) if not twin.is_capture(pos, move)]
    rng.shuffle(moves)
    return moves


def _play(pos: twin.Position, moves) -> twin.Position | None:
    """The position after quiet legal moves, None if one of them is not."""
    for move in moves:
        if move not in twin.legal_moves(pos) or twin.is_capture(pos, move):
            return None
        pos = twin.make(pos, move)
    return pos
