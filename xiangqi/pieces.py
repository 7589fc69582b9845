"""Pieces of 象棋: kinds, letters and names."""

from __future__ import annotations

from dataclasses import dataclass

from xiangqi.geometry import BLACK, RED

KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN = range(1, 8)
PIECE_TYPES = (KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN)
LETTERS = " KABNRCP"
NAMES_ZH = (" 帅仕相马车炮兵", " 将士象马车炮卒")
"""Simplified names by colour and kind."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: kind and colour.

    >>> Piece(ROOK, RED).symbol(), Piece(ROOK, BLACK).symbol(), Piece(PAWN, BLACK).zh
    ('R', 'r', '卒')
    """

    piece_type: int
    color: int

    @property
    def code(self) -> int:
        """Number in board arrays: kind for Red, kind + 8 for Black, 0 = empty point."""
        return self.piece_type + 8 * self.color

    @classmethod
    def from_code(cls, code: int) -> Piece:
        """The piece of a board array's number (not 0)."""
        return cls(code & 7, code >> 3)

    def symbol(self) -> str:
        """FEN letter, upper case for Red."""
        letter = LETTERS[self.piece_type]
        return letter if self.color == RED else letter.lower()

    @classmethod
    def from_symbol(cls, symbol: str) -> Piece:
        """The piece of a FEN letter (K A B N R C P).

        Raises:
            ValueError: not such a letter.
        """
        kind = LETTERS.find(symbol.upper(), 1) if symbol else -1
        if kind < 1 or len(symbol) != 1:
            raise ValueError(f"没有这个棋子字母 (not a piece letter): {symbol!r}")
        return cls(kind, RED if symbol.isupper() else BLACK)

    @property
    def zh(self) -> str:
        """Simplified Chinese name."""
        return NAMES_ZH[self.color][self.piece_type]

    def __str__(self) -> str:
        return self.zh
