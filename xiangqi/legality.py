"""Why a move is not legal: the rule that stops it, as data that renders to a sentence.

Whether a move is legal is decided by the kernel; this explains a refusal to a person. The tests
hold the two together: there is an explanation exactly for the moves that are not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xiangqi.attacks import between, checkers, facing, find_king
from xiangqi.geometry import COLOR_NAMES_ZH, RED, SQUARE_NAMES, crossed_river, in_palace
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, Piece

COLOR_NAMES_EN = ("Red", "Black")
NAMES_EN = ("", "general", "advisor", "elephant", "horse", "chariot", "cannon", "pawn")


@dataclass(frozen=True)
class Refusal:
    """The rule that stops a move.

    Attributes:
        rule: id of the rule, for example ``"S0-XQ-10"``.
        zh: what is wrong, in Chinese.
        en: the same in English.
        squares: points that a picture should mark (the blocking piece, the checking pieces).
    """

    rule: str
    zh: str
    en: str
    squares: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.zh}（{self.rule}）({self.en})"


def explain(codes: Sequence[int], turn: int, from_square: int, to_square: int) -> Refusal | None:
    """The rule that stops a move in a position, or None if the move is legal.

    Args:
        codes: piece codes of the 90 points, one general a side.
        turn: side to move.
        from_square: start point 0..89.
        to_square: target point 0..89.

    >>> codes = [0] * 90
    >>> codes[4], codes[84], codes[1], codes[10] = 1, 9, 4, 6
    >>> print(explain(codes, 0, 1, 18))
    马腿被 b1 的炮挡住（S0-XQ-10）(the horse's leg on b1 is blocked by a cannon)
    >>> explain(codes, 0, 1, 12) is None
    True
    """
    if not codes[from_square]:
        name = SQUARE_NAMES[from_square]
        return Refusal("S0-XQ-17", f"{name} 上没有棋子", f"no piece stands on {name}")
    piece = Piece.from_code(int(codes[from_square]))
    if piece.color != turn:
        return Refusal(
            "S0-XQ-5",
            f"轮到{COLOR_NAMES_ZH[turn]}方走棋，{_at(codes, from_square)}是对方的棋子",
            f"it is {COLOR_NAMES_EN[turn]}'s turn, the {NAMES_EN[piece.piece_type]} on "
            f"{SQUARE_NAMES[from_square]} belongs to {COLOR_NAMES_EN[piece.color]}",
        )
    if from_square == to_square:
        return Refusal("S0-XQ-5", "必须走动一步棋", "a move goes to another point")
    target = int(codes[to_square])
    if target and target >> 3 == turn:
        return Refusal(
            "S0-XQ-17",
            f"{SQUARE_NAMES[to_square]} 上有己方的{Piece.from_code(target).zh}，不能吃自己的棋子",
            f"own {NAMES_EN[target & 7]} stands on {SQUARE_NAMES[to_square]}",
            (to_square,),
        )
    return _WAYS[piece.piece_type](codes, piece, from_square, to_square) or _general(
        codes, turn, from_square, to_square
    )


def _at(codes: Sequence[int], sq: int) -> str:
    return f"{SQUARE_NAMES[sq]} 的{Piece.from_code(int(codes[sq])).zh}"


def _at_en(codes: Sequence[int], sq: int) -> str:
    return f"the {NAMES_EN[int(codes[sq]) & 7]} on {SQUARE_NAMES[sq]}"


def _distance(a: int, b: int) -> tuple[int, int]:
    """Files and ranks between two points, without sign."""
    return abs(a % 9 - b % 9), abs(a // 9 - b // 9)


def _king(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    if sum(_distance(start, goal)) != 1:
        return Refusal(
            "S0-XQ-6",
            f"{piece.zh}每步只能直走或横走一格",
            "the general moves one step along a line",
        )
    if not in_palace(goal, piece.color):
        return Refusal("S0-XQ-6", f"{piece.zh}不能走出九宫", "the general may not leave the palace")
    return None


def _advisor(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    if _distance(start, goal) != (1, 1):
        return Refusal(
            "S0-XQ-8", f"{piece.zh}每步只能斜走一格", "the advisor moves one step diagonally"
        )
    if not in_palace(goal, piece.color):
        return Refusal("S0-XQ-8", f"{piece.zh}不能走出九宫", "the advisor may not leave the palace")
    return None


def _elephant(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    if _distance(start, goal) != (2, 2):
        return Refusal(
            "S0-XQ-9",
            f"{piece.zh}走田字，每步斜走两格",
            "the elephant moves two steps diagonally",
        )
    if crossed_river(goal, piece.color):
        return Refusal("S0-XQ-9", f"{piece.zh}不能过河", "the elephant may not cross the river")
    eye = (start + goal) // 2
    if codes[eye]:
        return Refusal(
            "S0-XQ-9",
            f"{piece.zh}眼被 {_at(codes, eye)}塞住",
            f"the elephant's eye on {SQUARE_NAMES[eye]} is blocked by {_article(codes, eye)}",
            (eye,),
        )
    return None


def _horse(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    files, ranks = _distance(start, goal)
    if {files, ranks} != {1, 2}:
        return Refusal(
            "S0-XQ-10",
            f"{piece.zh}走日字：先直走一格，再斜走一格",
            "the horse moves one step along a line and one diagonally on",
        )
    if files == 2:
        leg = start + (1 if goal % 9 > start % 9 else -1)
    else:
        leg = start + (9 if goal > start else -9)
    if codes[leg]:
        return Refusal(
            "S0-XQ-10",
            f"{piece.zh}腿被 {_at(codes, leg)}挡住",
            f"the horse's leg on {SQUARE_NAMES[leg]} is blocked by {_article(codes, leg)}",
            (leg,),
        )
    return None


def _article(codes: Sequence[int], sq: int) -> str:
    name = NAMES_EN[int(codes[sq]) & 7]
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


def _screens(codes: Sequence[int], start: int, goal: int) -> list[int]:
    return [sq for sq in between(start, goal) if codes[sq]]


def _chariot(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    if 0 not in _distance(start, goal):
        return Refusal(
            "S0-XQ-11",
            f"{piece.zh}只能沿直线或横线走",
            "the chariot moves along a file or a rank",
        )
    screens = _screens(codes, start, goal)
    if screens:
        return Refusal(
            "S0-XQ-11",
            f"{piece.zh}的去路被 {_at(codes, screens[0])}挡住",
            f"the chariot's way is blocked by {_at_en(codes, screens[0])}",
            (screens[0],),
        )
    return None


def _cannon(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    if 0 not in _distance(start, goal):
        return Refusal(
            "S0-XQ-12",
            f"{piece.zh}只能沿直线或横线走",
            "the cannon moves along a file or a rank",
        )
    screens = _screens(codes, start, goal)
    if codes[goal] and not screens:
        return Refusal(
            "S0-XQ-12",
            f"{piece.zh}吃子必须隔一个棋子，与 {_at(codes, goal)}之间没有炮架",
            f"the cannon captures over exactly one piece, nothing stands between it and "
            f"{_at_en(codes, goal)}",
            (goal,),
        )
    if codes[goal] and len(screens) > 1:
        names = "、".join(_at(codes, sq) for sq in screens)
        return Refusal(
            "S0-XQ-12",
            f"{piece.zh}吃子只能隔一个棋子，中间有 {len(screens)} 个：{names}",
            f"the cannon captures over exactly one piece, {len(screens)} stand between",
            tuple(screens),
        )
    if not codes[goal] and screens:
        return Refusal(
            "S0-XQ-12",
            f"{piece.zh}不吃子时不能越子，去路被 {_at(codes, screens[0])}挡住",
            f"the cannon's way is blocked by {_at_en(codes, screens[0])}",
            (screens[0],),
        )
    return None


def _pawn(codes: Sequence[int], piece: Piece, start: int, goal: int) -> Refusal | None:
    forward = (goal // 9 - start // 9) * (1 if piece.color == RED else -1)
    if forward < 0:
        return Refusal("S0-XQ-13", f"{piece.zh}不能后退", "the pawn may not move back")
    if sum(_distance(start, goal)) != 1:
        return Refusal(
            "S0-XQ-13", f"{piece.zh}每步只能走一格", "the pawn moves one step along a line"
        )
    if forward == 0 and not crossed_river(start, piece.color):
        return Refusal(
            "S0-XQ-13",
            f"{piece.zh}过河以前不能横走",
            "the pawn may not move sideways before it has crossed the river",
        )
    return None


_WAYS = {
    KING: _king,
    ADVISOR: _advisor,
    BISHOP: _elephant,
    KNIGHT: _horse,
    ROOK: _chariot,
    CANNON: _cannon,
    PAWN: _pawn,
}


def _general(codes: Sequence[int], turn: int, start: int, goal: int) -> Refusal | None:
    """What the move would do to the mover's own general (S0-XQ-7, S0-XQ-14)."""
    after = [int(code) for code in codes]
    after[goal], after[start] = after[start], 0
    king = find_king(after, turn)
    assert king is not None
    name = Piece(KING, turn).zh
    attacking = checkers(after, turn)
    if attacking:
        names = "、".join(_at(after, sq) for sq in attacking)
        names_en = " and ".join(_at_en(after, sq) for sq in attacking)
        if checkers(codes, turn):
            return Refusal(
                "S0-XQ-14",
                f"走后{name}仍被 {names}将军，必须应将",
                f"the general is still in check by {names_en}",
                attacking,
            )
        return Refusal(
            "S0-XQ-14",
            f"走后{name}会被 {names}吃掉，不能送将",
            f"the general would be in check by {names_en}",
            attacking,
        )
    if facing(after):
        other = find_king(after, 1 - turn)
        assert other is not None
        return Refusal(
            "S0-XQ-7",
            f"将帅不能照面：走后 {_at(after, king)}与 {_at(after, other)}之间没有棋子",
            "the generals would face each other on an open file",
            (king, other),
        )
    return None
