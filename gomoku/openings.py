"""Opening procedures as state machines: who must do what next, until play goes on as usual.

Persons are 0 (who sets the first stone) and 1; which of them plays black may change on the way.
Each rule is a generator that asks for one thing after another and reads like its rule text.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache

from gomoku.board import Board
from gomoku.geometry import BLACK, COLOR_NAMES_ZH, WHITE, symmetries
from gomoku.move import Move
from gomoku.notation import move_of
from gomoku.rules import Rules
from qikit.errors import IllegalMove

FIRST, SECOND = 0, 1


@dataclass(frozen=True)
class Ask:
    """What the procedure waits for.

    Attributes:
        kind: ``place`` a stone, ``choose`` one of ``choices``, ``declare`` a number, ``offer``
            several fifth stones, ``keep`` one of the stones offered.
        person: who must answer, 0 or 1.
        text_zh: the demand in words.
        points: points that may be played, offered or kept.
        choices: what may be chosen.
        numbers: least and greatest number that may be declared.
        count: how many stones must be offered.
    """

    kind: str
    person: int
    text_zh: str
    points: tuple[Move, ...] = ()
    choices: tuple[str, ...] = ()
    numbers: tuple[int, int] = (0, 0)
    count: int = 0


Answer = Move | str | int | tuple[Move, ...]
Procedure = Generator[Ask, Answer, None]


class Opening:
    """An opening procedure on its way.

    Args:
        rule: a name of :data:`OPENING_RULES`: ``swap``, ``swap2``, ``sanshou-2``
            (三手交换五手两打), ``sanshou-n`` (三手交换五手N打), ``yamaguchi``, ``soosorv-8``,
            ``taraguchi-10``, ``pro``, ``long-pro``.
        rules: rule set of the game that follows.

    Attributes:
        board: the position so far.
        black: the person who plays black as things stand.
        ask: what is to be done next, ``None`` when the procedure is over.
        answers: all answers so far.

    Raises:
        ValueError: no procedure of that name, or the board is too small for it.

    >>> opening = Opening("swap2")
    >>> for stone in ("h8", "h9", "j10"):
    ...     opening.answer(stone)
    >>> opening.ask.person, opening.ask.choices
    (1, ('white', 'black', 'two more'))
    >>> opening.answer("black")
    >>> opening.ask, opening.black, opening.board.turn
    (None, 1, 1)
    """

    def __init__(self, rule: str, *, rules: Rules | str = "renju", size: int = 15) -> None:
        if rule not in OPENING_RULES:
            known = ", ".join(OPENING_RULES)
            raise ValueError(f"没有开局规则 {rule!r} (no such opening rule); 现有 (known): {known}")
        if size < 9:
            raise ValueError(f"开局规则要 9 路以上的棋盘 (the board is too small): {size}")
        self.rule = rule
        self.board = Board(size=size, rules=rules)
        self.black = FIRST
        self.answers: list[Answer] = []
        self.declared: int | None = None
        self._procedure = OPENING_RULES[rule](self)
        self.ask: Ask | None = next(self._procedure)

    @property
    def is_over(self) -> bool:
        """Whether play goes on as usual from here."""
        return self.ask is None

    @property
    def white(self) -> int:
        """The person who plays white as things stand."""
        return 1 - self.black

    def answer(self, value: Answer | Sequence[Move | str]) -> None:
        """Do what is asked: a point, a choice, a number, or several points.

        Raises:
            IllegalMove: the procedure does not allow it; the message says what is asked.
            InvalidMove: a text is no point.
        """
        ask = self.ask
        if ask is None:
            raise IllegalMove("开局程序已经结束 (the opening procedure is over)", text=str(value))
        checked = self._check(ask, value)
        self.answers.append(checked)
        try:
            self.ask = self._procedure.send(checked)
        except StopIteration:
            self.ask = None

    def copy(self) -> Opening:
        """An independent procedure in the same state."""
        return self._replayed(self.answers)

    def undo(self) -> Opening:
        """The procedure as it was before the last answer."""
        return self._replayed(self.answers[:-1])

    def _replayed(self, answers: list[Answer]) -> Opening:
        opening = Opening(self.rule, rules=self.board.rules, size=self.board.size)
        for answer in answers:
            opening.answer(answer)
        return opening

    def _refuse(self, ask: Ask, value: object, reason: str) -> IllegalMove:
        return IllegalMove(
            f"{reason}；此时要求：{ask.text_zh} (asked: {ask.kind})",
            text=str(value),
            position=self.board.fen(),
            rule=self.rule,
        )

    def _check(self, ask: Ask, value: Answer | Sequence[Move | str]) -> Answer:
        if ask.kind in ("place", "keep"):
            value = move_of(value)  # type: ignore[arg-type]
            if value not in ask.points:
                raise self._refuse(ask, value, f"{value} 不在允许的点中")
            return value
        if ask.kind == "choose":
            if not isinstance(value, str) or value not in ask.choices:
                raise self._refuse(ask, value, f"只能选 {'、'.join(ask.choices)}")
            return value
        if ask.kind == "declare":
            least, most = ask.numbers
            if not isinstance(value, int) or not least <= value <= most:
                raise self._refuse(ask, value, f"须为 {least} 至 {most}")
            return value
        if isinstance(value, str):
            value = value.split()
        if isinstance(value, (int, Move)):
            raise self._refuse(ask, value, f"须给出 {ask.count} 个打点")
        moves = tuple(map(move_of, value))
        self._check_offer(ask, moves)
        return moves

    def _check_offer(self, ask: Ask, moves: tuple[Move, ...]) -> None:
        text = " ".join(map(str, moves))
        if len(moves) != ask.count:
            raise self._refuse(ask, text, f"给出 {len(moves)} 个打点，应为 {ask.count} 个")
        for move in moves:
            if move not in ask.points:
                raise self._refuse(ask, text, f"{move} 不能作打点")
        for i, move in enumerate(moves):
            images = images_of(self.board, move)
            for other in moves[:i]:
                if other in images:
                    raise self._refuse(ask, text, f"打点 {other} 与 {move} 相同或对称")

    # What the procedures are made of

    def _zone(self, width: int | None) -> tuple[Move, ...]:
        """Empty points of the central ``width`` x ``width`` square, or of the whole board."""
        points = self.board.empty_points()
        if width is None:
            return points
        low = (self.board.size - width) // 2
        high = low + width + (self.board.size - width) % 2
        return tuple(m for m in points if low <= m.x < high and low <= m.y < high)

    def _outside(self, width: int) -> tuple[Move, ...]:
        inside = set(self._zone(width))
        return tuple(m for m in self.board.empty_points() if m not in inside)

    def place(self, person: int, points: tuple[Move, ...], where: str) -> Procedure:
        """``person`` puts the next stone on one of ``points``."""
        number = self.board.ply + 1
        color = COLOR_NAMES_ZH[self.board.turn]
        move = yield Ask("place", person, f"第 {number} 手（{color}）下在{where}", points)
        assert isinstance(move, Move)
        self.board.push_unchecked(move)

    def place_anywhere(self, person: int) -> Procedure:
        """``person`` puts the next stone on any empty point."""
        yield from self.place(person, self._zone(None), "任意空点")

    def place_central(self, person: int, width: int) -> Procedure:
        """``person`` puts the next stone into the central square."""
        yield from self.place(person, self._zone(width), f"中央 {width}×{width}")

    def may_swap(self, person: int) -> Procedure:
        """``person`` may change colours."""
        choice = yield Ask("choose", person, "是否交换黑白", choices=("stay", "swap"))
        if choice == "swap":
            self.black = 1 - self.black

    def declare(self, person: int, least: int, most: int) -> Procedure:
        """``person`` says how many fifth stones are to be offered."""
        number = yield Ask("declare", person, "宣布打点数", numbers=(least, most))
        assert isinstance(number, int)
        self.declared = number

    def offer_and_keep(self, count: int) -> Procedure:
        """Black offers fifth stones, no two of them images of each other; white keeps one."""
        offered = yield Ask(
            "offer", self.black, f"黑方给出 {count} 个不对称的打点", self._zone(None), count=count
        )
        assert isinstance(offered, tuple)
        assert not isinstance(offered, Move)
        kept = yield Ask("keep", self.white, "白方留下一个打点", offered)
        assert isinstance(kept, Move)
        self.board.push_unchecked(kept)

    def set_opening(self) -> Procedure:
        """The first person sets one of the 26 openings: centre, direct or indirect, 5x5."""
        yield from self.place_central(FIRST, 1)
        yield from self.place_central(FIRST, 3)
        yield from self.place_central(FIRST, 5)


def images_of(board: Board, move: Move) -> set[Move]:
    """Images of a point under the symmetries that leave the stones of the board as they are."""
    size = board.size
    stones = [{m.point(size) for m in board.stones(color)} for color in (BLACK, WHITE)]
    found = set()
    for image in symmetries(size):
        if all({image[p] for p in points} == points for points in stones):
            found.add(Move.of(image[move.point(size)], size))
    return found


def _swap(o: Opening) -> Procedure:
    for _ in range(3):
        yield from o.place_anywhere(FIRST)
    yield from o.may_swap(SECOND)


def _swap2(o: Opening) -> Procedure:
    for _ in range(3):
        yield from o.place_anywhere(FIRST)
    choice = yield Ask(
        "choose", SECOND, "选白、选黑，或再下两子", choices=("white", "black", "two more")
    )
    if choice == "black":
        o.black = SECOND
    elif choice == "two more":
        for _ in range(2):
            yield from o.place_anywhere(SECOND)
        color = yield Ask("choose", FIRST, "选黑白", choices=("white", "black"))
        o.black = FIRST if color == "black" else SECOND


def _sanshou(o: Opening, count: int | None) -> Procedure:
    """三手交换五手两打 (``count`` 2), or 五手N打 with N announced with the opening."""
    yield from o.set_opening()
    if count is None:
        yield from o.declare(FIRST, 1, 12)
        count = o.declared
    yield from o.may_swap(SECOND)
    yield from o.place_anywhere(o.white)
    assert count is not None
    yield from o.offer_and_keep(count)


def _soosorv(o: Opening, most: int) -> Procedure:
    yield from o.set_opening()
    yield from o.may_swap(SECOND)
    yield from o.place_anywhere(o.white)
    yield from o.declare(o.white, 1, most)
    yield from o.may_swap(o.black)
    assert o.declared is not None
    yield from o.offer_and_keep(o.declared)


def _taraguchi(o: Opening, count: int) -> Procedure:
    for width in (1, 3, 5):
        mover = o.black if o.board.turn == BLACK else o.white
        yield from o.place_central(mover, width)
        yield from o.may_swap(1 - mover)
    yield from o.place_central(o.white, 7)
    choice = yield Ask(
        "choose",
        o.black,
        f"交换，不交换，或不交换而给出 {count} 个打点",
        choices=("stay", "swap", "offer"),
    )
    if choice == "offer":
        yield from o.offer_and_keep(count)
        return
    if choice == "swap":
        o.black = o.white
    yield from o.place_central(o.black, 9)
    yield from o.may_swap(o.white)


def _pro(o: Opening, width: int) -> Procedure:
    yield from o.place_central(FIRST, 1)
    yield from o.place_anywhere(SECOND)
    yield from o.place(FIRST, o._outside(width), f"中央 {width}×{width} 以外")


OPENING_RULES: dict[str, Callable[[Opening], Procedure]] = {
    "swap": _swap,
    "swap2": _swap2,
    "sanshou-2": lambda o: _sanshou(o, 2),
    "sanshou-n": lambda o: _sanshou(o, None),
    "yamaguchi": lambda o: _sanshou(o, None),
    "soosorv-8": lambda o: _soosorv(o, 8),
    "taraguchi-10": lambda o: _taraguchi(o, 10),
    "pro": lambda o: _pro(o, 5),
    "long-pro": lambda o: _pro(o, 7),
}
"""Procedures by name."""


@dataclass(frozen=True)
class NamedOpening:
    """One of the 26 openings of renju.

    Attributes:
        code: number with D (direct, 直指) or I (indirect, 斜指).
        name: the name used outside China.
        name_zh: the Chinese name.
        moves: the three stones in the usual orientation.
    """

    code: str
    name: str
    name_zh: str
    moves: tuple[Move, Move, Move]


_DIRECT = """1D h10 Kansei 寒星|2D i10 Keigetsu 溪月|3D j10 Sosei 疏星|4D i9 Kagetsu 花月
5D j9 Zangetsu 残月|6D i8 Ugetsu 雨月|7D j8 Kinsei 金星|8D h7 Shogetsu 松月|9D i7 Kyugetsu 丘月
10D j7 Shingetsu 新月|11D h6 Zuisei 瑞星|12D i6 Sangetsu 山月|13D j6 Yusei 游星"""
_INDIRECT = """1I j10 Chosei 长星|2I j9 Kyogetsu 峡月|3I j8 Kosei 恒星|4I j7 Suigetsu 水月
5I j6 Ryusei 流星|6I i8 Ungetsu 云月|7I i7 Hogetsu 浦月|8I i6 Rangetsu 岚月|9I h7 Gingetsu 银月
10I h6 Myojo 明星|11I g7 Shagetsu 斜月|12I g6 Meigetsu 名月|13I f6 Suisei 彗星"""


@cache
def named_openings() -> tuple[NamedOpening, ...]:
    """The 26 openings, direct ones first.

    >>> len(named_openings()), named_openings()[3].name_zh
    (26, '花月')
    """
    found = []
    for second, table in (("h9", _DIRECT), ("i9", _INDIRECT)):
        for entry in table.replace("\n", "|").split("|"):
            code, third, name, name_zh = entry.split()
            moves = (Move.parse("h8"), Move.parse(second), Move.parse(third))
            found.append(NamedOpening(code, name, name_zh, moves))
    return tuple(found)


@cache
def _by_key() -> dict[int, NamedOpening]:
    found = {}
    for opening in named_openings():
        board = Board()
        for move in opening.moves:
            board.push_unchecked(move)
        found[board.canonical_key()] = opening
    return found


def name_of(board: Board) -> NamedOpening | None:
    """The opening that the first three stones of a 15x15 game make, in any orientation.

    >>> board = Board()
    >>> for move in "h8 g8 g9".split():
    ...     _ = board.push(move)
    >>> name_of(board).name_zh
    '花月'
    """
    if board.size != 15 or board.ply < 3:
        return None
    start = board.copy()
    while start.ply > 3:
        start.pop()
    return _by_key().get(start.canonical_key())
