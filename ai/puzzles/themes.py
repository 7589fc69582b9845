"""What a puzzle is about, in words: the material, and the mating pattern where one is there.

A pattern is claimed only of a final position that has it, by the definitions below; where none
fits, the material alone is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from qikit.errors import InvalidPosition
from xiangqi import Board
from xiangqi.fen import Setup
from xiangqi.geometry import BLACK, RED
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK

ATTACKERS = (ROOK, KNIGHT, CANNON, PAWN)
NAMES = {ROOK: "车", KNIGHT: "马", CANNON: "炮"}
COUNTS = ("", "", "双", "三", "四", "五")
GUARDS = {
    (0, 0): "",
    (1, 0): "单士",
    (2, 0): "双士",
    (0, 1): "单象",
    (0, 2): "双象",
    (1, 1): "单士象",
    (1, 2): "单缺士",
    (2, 1): "单缺象",
    (2, 2): "士象全",
}
"""Names of the defenders by how many advisors and elephants are left."""


def material(board: Board) -> str:
    """The forces in words; Red's own guards are not named.

    >>> material(Board("2bak4/4a4/4b4/9/9/9/9/9/4c4/3K2NR1 w"))
    '车马胜炮士象全'
    >>> material(Board("4k4/9/9/9/9/9/9/R8/1R7/3K5 w"))
    '双车胜单将'
    """
    codes = board.codes.tolist()
    own = _force(codes, RED, "兵")
    other = _force(codes, BLACK, "卒")
    other += GUARDS[codes.count(ADVISOR + 8), codes.count(BISHOP + 8)]
    return f"{own}胜{other or '单将'}"


def _force(codes: list[int], color: int, pawn: str) -> str:
    words = []
    for kind in ATTACKERS:
        n = codes.count(kind + 8 * color)
        if n:
            words.append(COUNTS[n] + {**NAMES, PAWN: pawn}[kind])
    return "".join(words)


def pattern(board: Board) -> str | None:
    """The mating pattern of a final position in which Black, to move, has no move.

    >>> pattern(Board("4k4/9/4N4/4C4/9/9/9/9/9/3K5 b"))
    '马后炮'
    """
    if len(board.legal_moves):
        return None
    if not board.is_check():
        return "困毙"
    return next((name for name, fits in PATTERNS if fits(_Scene(board))), None)


class _Scene:
    """A final position, read for patterns. Points are (file, rank)."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.codes = board.codes.tolist()
        king = board.king(BLACK)
        assert king is not None
        self.king = king
        self.checkers = [sq for sq in board.checkers() if self.kind(sq) != KING]

    def kind(self, sq: int) -> int:
        """Kind of the piece, 0 = none."""
        return int(self.codes[sq]) & 7

    def red(self, kind: int) -> list[int]:
        """Points of Red's pieces of a kind."""
        return [sq for sq, code in enumerate(self.codes) if code == kind]

    def single(self, kind: int) -> int | None:
        """The only checking piece, if it is of this kind."""
        if len(self.checkers) == 1 and self.kind(self.checkers[0]) == kind:
            return self.checkers[0]
        return None

    def between(self, a: int, b: int) -> list[int]:
        """Occupied points between two points of a line."""
        return [sq for sq in _line(a, b) if self.codes[sq]]

    def needed(self, sq: int) -> bool:
        """Whether without the piece the position would be no mate."""
        without = self.board.codes.copy()
        without[sq] = 0
        board = self._board(without)
        return board is not None and len(board.legal_moves) > 0

    @staticmethod
    def _board(codes: NDArray[np.uint8]) -> Board | None:
        """Black to move, where that can be: not with Red in check."""
        try:
            return Board.from_setup(Setup(codes, BLACK))
        except InvalidPosition:
            return None

    def king_matters(self) -> bool:
        """Whether Red's general shuts a file: elsewhere, the position would be no mate."""
        own = self.board.king(RED)
        for sq in (3, 4, 5):
            if sq % 9 != own % 9 and not self.codes[sq]:  # type: ignore[operator]
                codes = self.board.codes.copy()
                codes[own], codes[sq] = 0, KING
                moved = self._board(codes)
                if moved is not None and moved.is_check() and len(moved.legal_moves):
                    return True
        return False


def _line(a: int, b: int) -> Iterator[int]:
    if a % 9 == b % 9:
        step = 9 if b > a else -9
    elif a // 9 == b // 9:
        step = 1 if b > a else -1
    else:
        return
    yield from range(a + step, b, step)


def _double_check(scene: _Scene) -> bool:
    return len(scene.checkers) > 1


def _cannon_behind_horse(scene: _Scene) -> bool:
    """马后炮: a cannon checks over an own horse that stands two points from the general."""
    cannon = scene.single(CANNON)
    if cannon is None:
        return False
    screens = scene.between(cannon, scene.king)
    if len(screens) != 1 or scene.codes[screens[0]] != KNIGHT:
        return False
    apart = abs(screens[0] - scene.king)
    return apart in (2, 18)


def _cannons_in_line(scene: _Scene) -> bool:
    """重炮: a cannon checks over the other one."""
    cannon = scene.single(CANNON)
    if cannon is None:
        return False
    screens = scene.between(cannon, scene.king)
    return len(screens) == 1 and scene.codes[screens[0]] == CANNON


def _smothered(scene: _Scene) -> bool:
    """闷宫: a cannon checks over an advisor of the general, whom his own pieces shut in."""
    cannon = scene.single(CANNON)
    if cannon is None:
        return False
    screens = scene.between(cannon, scene.king)
    if len(screens) != 1 or scene.codes[screens[0]] != ADVISOR + 8:
        return False
    file, rank = scene.king % 9, scene.king // 9
    steps = [
        9 * r + f
        for f, r in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1))
        if 3 <= f <= 5 and 7 <= r <= 9
    ]
    return all(scene.codes[sq] >> 3 for sq in steps)


def _crouching_horse(scene: _Scene) -> bool:
    """卧槽马: a horse two files beside and one line before the general on his own point checks."""
    return scene.single(KNIGHT) in (74, 78) and scene.king == 85


def _corner_horse(scene: _Scene) -> bool:
    """挂角马: a horse on a front corner of the palace checks the general on his own point."""
    return scene.single(KNIGHT) in (66, 68) and scene.king == 85


def _angling_horse(scene: _Scene) -> bool:
    """钓鱼马: a chariot mates with a horse on the third or seventh file, two lines from the end."""
    return scene.single(ROOK) is not None and any(
        scene.codes[sq] == KNIGHT and scene.needed(sq) for sq in (65, 69)
    )


def _iron_bolt(scene: _Scene) -> bool:
    """铁门栓: a central cannon holds what stands before the general, a chariot or pawn mates
    beside him on his own line, and Red's general or another piece shuts that file."""
    mating = scene.checkers[0] if len(scene.checkers) == 1 else -1
    if scene.king != 85 or mating not in (84, 86) or scene.kind(mating) not in (ROOK, PAWN):
        return False
    return any(
        sq % 9 == 4 and len(scene.between(sq, 85)) == 2 and scene.needed(sq)
        for sq in scene.red(CANNON)
    )


def _chariots_in_turn(scene: _Scene) -> bool:
    """双车错: one chariot checks, the other shuts the next line, no other attacker is needed."""
    rook = scene.single(ROOK)
    if rook is None:
        return False
    others = [sq for sq in scene.red(ROOK) if sq != rook]
    rest = [sq for kind in (KNIGHT, CANNON, PAWN) for sq in scene.red(kind)]
    return bool(others) and scene.needed(others[0]) and not any(map(scene.needed, rest))


def _bare_faces(scene: _Scene) -> bool:
    """白脸将: Red's general shuts a file that the other one would need."""
    return len(scene.checkers) == 1 and scene.king_matters()


PATTERNS: tuple[tuple[str, Callable[[_Scene], bool]], ...] = (
    ("双将", _double_check),
    ("马后炮", _cannon_behind_horse),
    ("重炮", _cannons_in_line),
    ("闷宫", _smothered),
    ("铁门栓", _iron_bolt),
    ("卧槽马", _crouching_horse),
    ("挂角马", _corner_horse),
    ("钓鱼马", _angling_horse),
    ("双车错", _chariots_in_turn),
    ("白脸将", _bare_faces),
)
"""Patterns by name, the most telling first."""
