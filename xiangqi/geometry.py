"""The board of 象棋: points, files, ranks, palaces; nothing that moves.

A point is ``9 * rank + file``: files a..i = 0..8 from Red's left, ranks 0..9 from Red's back rank
(ICCS). Red sits at the bottom.
"""

from __future__ import annotations

RED, BLACK = 0, 1
COLORS = (RED, BLACK)
COLOR_NAMES_ZH = ("红", "黑")

FILES, RANKS = 9, 10
SQUARES = range(FILES * RANKS)
FILE_NAMES = "abcdefghi"
SQUARE_NAMES = tuple(f"{FILE_NAMES[sq % 9]}{sq // 9}" for sq in SQUARES)

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def square(file: int, rank: int) -> int:
    """Point of ``file`` 0..8 and ``rank`` 0..9.

    >>> square(4, 0)
    4
    """
    return 9 * rank + file


def square_file(sq: int) -> int:
    """File 0..8 of a point."""
    return sq % 9


def square_rank(sq: int) -> int:
    """Rank 0..9 of a point."""
    return sq // 9


def square_name(sq: int) -> str:
    """ICCS name of a point.

    >>> square_name(4)
    'e0'
    """
    return SQUARE_NAMES[sq]


def parse_square(name: str) -> int:
    """Point of an ICCS name, either case.

    Raises:
        ValueError: not a name of a point.

    >>> parse_square("h2")
    25
    """
    try:
        return SQUARE_NAMES.index(name.lower())
    except ValueError:
        raise ValueError(f"没有这个交叉点 (not a point a0..i9): {name!r}") from None


def mirror_square(sq: int) -> int:
    """Left-right image of a point."""
    return sq + 8 - 2 * (sq % 9)


def rotate_square(sq: int) -> int:
    """The point seen from the other side of the board (half a turn)."""
    return 89 - sq


def in_palace(sq: int, color: int) -> bool:
    """Whether the point lies in the palace (九宫) of ``color``."""
    file, rank = sq % 9, sq // 9
    return 3 <= file <= 5 and (rank <= 2 if color == RED else rank >= 7)


def crossed_river(sq: int, color: int) -> bool:
    """Whether a piece of ``color`` on the point stands beyond the river (过河)."""
    return sq >= 45 if color == RED else sq < 45
