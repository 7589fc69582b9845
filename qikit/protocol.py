"""The Board protocol: the words that every game shares, and the capabilities that are optional."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Flag, auto
from typing import Any, Protocol, Self, runtime_checkable

from qikit.outcome import Outcome

MOST_PLIES = 256
"""Deepest ``perft``: kernels call themselves once a ply, and the stack of a thread is small."""


class Capability(Flag):
    """What a game can do beyond the protocol; told by the registry, never by a method that raises.

    >>> Capability.MOVES in (Capability.MOVES | Capability.PERFT)
    True
    """

    MOVES = auto()
    """Finite legal move lists (a table of sliding discs has none)."""
    START = auto()
    """``Board()`` without arguments is the start of a game."""
    PERFT = auto()
    """``board.perft(depth)``."""
    FEN = auto()
    """``Board(text)`` and ``board.fen()`` are inverse."""
    SVG = auto()
    """``board._repr_svg_()``."""
    PARSE = auto()
    """``board.parse(text)`` reads every notation that the game has."""
    MIRROR = auto()
    """``board.mirror()``: the left-right image, which has the same number of moves."""
    HIDDEN = auto()
    """Players do not know all of the position (``board.view(seat)``)."""


class LegalMoves(Protocol):
    """An iterable, sized view on the legal moves of a position."""

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __contains__(self, move: object) -> bool: ...


@runtime_checkable
class Board(Protocol):
    """What every registered game with :attr:`Capability.MOVES` offers.

    ``turn`` is the seat to move, counted from 0 in the order of play. ``key`` is a Zobrist key:
    equal positions have equal keys. ``pop`` undoes exactly one ``push``.
    """

    @property
    def turn(self) -> int: ...

    @property
    def legal_moves(self) -> LegalMoves: ...

    @property
    def move_stack(self) -> list[Any]: ...

    @property
    def key(self) -> int: ...

    def is_legal(self, move: Any) -> bool: ...

    def push(self, move: Any) -> Any: ...

    def pop(self) -> Any: ...

    def peek(self) -> Any: ...

    def copy(self) -> Self: ...

    def outcome(self) -> Outcome | None: ...
