"""The table: where a game stands, which strokes are allowed, and the game's strokes so far."""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import blake2b
from math import hypot, isfinite
from random import Random
from typing import Any

from carrom.cue import Impulse, Stroke, impulse
from carrom.equipment import Equipment
from carrom.geometry import FORTRESSES, MOTHER, circle_centre, is_free, owner, turned
from carrom.physics import Disc, Shot, simulate
from carrom.quantity import flag, number, whole
from carrom.referee import (
    Fault,
    Faults,
    Phase,
    Place,
    Position,
    Ruling,
    count_out,
    ending,
    near_pieces,
    rule_on,
    start_position,
)
from carrom.rules import Rules
from qikit.errors import IllegalMove, InvalidPosition
from qikit.outcome import Outcome

_TOUCHING = 1e-6
"""A mother laid with a smaller gap (m) touches the piece."""
_KEYS = {
    "rules",
    "equipment",
    "pieces",
    "pocketed",
    "debts",
    "turn",
    "strikes_left",
    "skips",
    "strikes",
}
"""What the data of a position must hold."""
_MOST = 1_000_000
"""Counts of a position (strikes, debts and the like) beyond this are none of a game."""
_SUNK = 2e-7
"""Gaps this much below zero are rounding of a shot at rest, not overlap."""


def _name(key: Any) -> str:
    if not isinstance(key, str):
        raise InvalidPosition(f"棋子的名字不是文字 (not a name): {key!r:.80}")
    return key


def _pair(values: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(values, (list, tuple)) or len(values) != 2:
        raise InvalidPosition(f"{name} 应为双方各一项 (one entry a seat): {values!r:.80}")
    return values[0], values[1]


def _counts(values: Any, name: str) -> tuple[int, int]:
    first, second = _pair(values, name)
    return whole(first, f"{name}[0]", 0, _MOST), whole(second, f"{name}[1]", 0, _MOST)


def _names(values: Any, seat: int) -> tuple[str, ...]:
    names = _pair(values, "pocketed")[seat]
    if not isinstance(names, (list, tuple)):
        raise InvalidPosition(f"pocketed[{seat}] 不是棋子名单 (not a list): {names!r:.80}")
    return tuple(_name(name) for name in names)


def _place(key: Any, values: Any) -> Place:
    if not isinstance(values, (list, tuple)) or len(values) not in (2, 3):
        raise InvalidPosition(
            f"棋子 {key} 的位置应为 [x, y] 或 [x, y, 下面的棋子] (not a place): {values!r:.80}"
        )
    on = values[2] if len(values) == 3 else None
    if not isinstance(on, str | None):
        raise InvalidPosition(f"棋子 {key} 下面的不是棋子的名字 (not a name): {on!r:.80}")
    return Place(
        number(values[0], f"棋子 {key} 的 x"),
        number(values[1], f"棋子 {key} 的 y"),
        on,
    )


class Table:
    """A game of 康乐棋 between two seats; the words are those of the other games' ``Board``.

    Args:
        rules: :class:`Rules`, name of a preset, or dict; default the club's.
        equipment: :class:`Equipment`, name of a preset, or dict; default the club's.
        first: seat that strikes first.

    Raises:
        InvalidPosition: an option or preset that does not exist.

    >>> table = Table()
    >>> table.turn, table.phase.zh, table.left(0)
    (0, '先打碉堡', 13)
    >>> ruling = table.strike(Stroke(0.38, -0.38, -0.38, 0.50, 3.0))
    >>> ruling.next_seat, ruling.reasons[1].rule
    (1, 'S0-KL-7')
    >>> _ = table.pop(); table.turn
    0
    """

    def __init__(
        self,
        rules: Rules | Mapping[str, Any] | str | None = None,
        equipment: Equipment | Mapping[str, Any] | str | None = None,
        *,
        first: int = 0,
    ) -> None:
        whole(first, "先手 first", 0, 1)
        self.rules = Rules.of(rules)
        self.equipment = Equipment.of("club" if equipment is None else equipment)
        self.position: Position = start_position(self.equipment, self.rules, first)
        self._stack: list[tuple[Position, Ruling]] = []
        self._called = False

    # -- where the game stands ------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Seat to strike: 0 at the bottom, 1 at the top."""
        return self.position.turn

    @property
    def strikes_left(self) -> int:
        """Strikes that the seat to strike has now."""
        return self.position.strikes_left

    @property
    def phase(self) -> Phase:
        """What the seat to strike has to play."""
        return self.position.phase(self.turn, self.equipment)

    @property
    def move_stack(self) -> list[Stroke]:
        """The strokes so far."""
        return [ruling.stroke for _, ruling in self._stack]

    @property
    def rulings(self) -> list[Ruling]:
        """The rulings so far."""
        return [ruling for _, ruling in self._stack]

    def left(self, seat: int) -> int:
        """Pieces that a seat has still to pocket, debts included."""
        return self.position.left(seat)

    @property
    def key(self) -> int:
        """63 bits of the position, to the last bit of every place; strokes are counted, too.

        >>> Table().key == Table().key, Table().key == Table(first=1).key
        (True, False)
        """
        p = self.position
        places = sorted((k, q.x.hex(), q.y.hex(), q.on) for k, q in p.pieces.items())
        rest = (p.pocketed, p.debts, p.turn, p.strikes_left, p.skips, p.strikes, self._called)
        words = repr((places, rest)).encode()
        return int.from_bytes(blake2b(words, digest_size=8).digest(), "big") >> 1

    def outcome(self) -> Outcome | None:
        """The end of the game, or ``None`` while it goes on."""
        return count_out(self.position) if self._called else ending(self.position, self.rules)

    def call_time(self) -> Outcome:
        """The referee ends the game by the pieces left (S0-KL-2); equal pieces are a draw."""
        done = self.outcome()
        if done is None:
            self._called = True
            done = count_out(self.position)
        return done

    # -- strokes --------------------------------------------------------------------------------

    def why_illegal(self, stroke: Stroke | str) -> tuple[str, str] | None:
        """Rule id and sentence that stop a stroke, or ``None`` when it is allowed.

        Raises:
            InvalidMove: no stroke.
        """
        stroke = Stroke.of(stroke)
        e = self.equipment
        seat = self.turn
        if not stroke.speed <= e.cue_speed:
            return "S0-KL-10", f"杆速 {stroke.speed} 超过上限 {e.cue_speed} m/s (cue too fast)"
        if abs(stroke.offset) >= e.mother_radius:
            return "S0-KL-10", f"偏心 {stroke.offset} m，球杆打不到母子 (the cue misses the mother)"
        cx, cy = turned(*circle_centre(seat, e), seat)
        if hypot(stroke.x - cx, stroke.y - cy) > e.circle_radius + e.mother_radius:
            return (
                "S0-KL-13",
                f"母子 ({stroke.x}, {stroke.y}) 没有压到右边角圆圈 (not in the corner circle)",
            )
        x, y = turned(stroke.x, stroke.y, seat)
        others = [(p.x, p.y, e.piece_radius - _SUNK) for p in self.position.pieces.values()]
        if not is_free(x, y, e.mother_radius - 1e-12, others, e):
            return "S0-KL-13", "母子与棋子、边框或洞口重叠 (the mother overlaps something)"
        ux, uy = stroke.direction
        if uy < ux or (self.rules.sector == "forward" and uy < -ux):
            return "S0-KL-10", "击打方向超过棋盘对角线 (beyond the diagonal of the board)"
        if stroke.y + uy * (stroke.follow - e.mother_radius) > 0:
            return "S0-KL-9", "球杆越过盘中心线 (the cue passes the centre line)"
        return None

    def is_legal(self, stroke: object) -> bool:
        """Whether a :class:`Stroke` may be played now; anything else may not."""
        if not isinstance(stroke, Stroke):
            return False
        return self.outcome() is None and self.why_illegal(stroke) is None

    def discs(self, stroke: Stroke | str) -> tuple[Disc, ...]:
        """The discs at the moment after the cue has struck, in board coordinates."""
        stroke = Stroke.of(stroke)
        return self._discs(stroke, impulse(stroke, self.equipment))

    def _discs(self, stroke: Stroke, given: Impulse) -> tuple[Disc, ...]:
        e, seat = self.equipment, self.turn
        x, y = turned(stroke.x, stroke.y, seat)
        vx, vy = turned(given.vx, given.vy, seat)
        mother = Disc(MOTHER, e.mother_radius, e.mother_mass, x, y, vx, vy, given.w)
        # the striker's pieces first, so that seats are exact half turns of each other
        names = sorted(self.position.pieces, key=lambda name: owner(name) != seat)
        return (
            mother,
            *(
                Disc(name, e.piece_radius, e.piece_mass, place.x, place.y, on=place.on)
                for name in names
                for place in (self.position.pieces[name],)
            ),
        )

    def predict(self, stroke: Stroke | str, faults: Faults = ()) -> Ruling:
        """The ruling that a stroke would get; the table stays as it is.

        This is what :meth:`strike` calls, so a planner and the game cannot disagree.

        Raises:
            InvalidMove: no stroke, or no fault.
            IllegalMove: the game is over, or the stroke breaks a rule of placing or aiming.
        """
        stroke, seen = Stroke.of(stroke), Fault.all_of(faults)
        if self.outcome() is not None:
            raise IllegalMove("本局已经结束 (the game is over)", text=str(stroke), rule="S0-KL-15")
        stopped = self.why_illegal(stroke)
        if stopped is not None:
            rule, why = stopped
            raise IllegalMove(
                f"{why}（{rule}）", text=str(stroke), position=str(self.to_dict()), rule=rule
            )
        e = self.equipment
        given = impulse(stroke, e)
        shot: Shot = simulate(self._discs(stroke, given), e.params)
        x, y = turned(stroke.x, stroke.y, self.turn)
        reach = e.mother_radius + e.piece_radius + _TOUCHING
        touching = any(hypot(p.x - x, p.y - y) <= reach for p in self.position.pieces.values())
        return rule_on(
            self.position,
            stroke,
            shot,
            self.rules,
            e,
            faults=seen,
            miscue=given.miscue,
            laid_touching=touching,
        )

    def strike(self, stroke: Stroke | str, faults: Faults = ()) -> Ruling:
        """Play a stroke and rule on it.

        Args:
            stroke: in the striker's view; or its text.
            faults: what the referee saw besides: a :class:`Fault`, its value, or several.

        Raises:
            InvalidMove: no stroke, or no fault.
            IllegalMove: the game is over, or the stroke breaks a rule of placing or aiming.
        """
        ruling = self.predict(stroke, faults)
        self._stack.append((self.position, ruling))
        self.position = ruling.position
        return ruling

    push = strike

    def pop(self) -> Stroke:
        """Take the last stroke back.

        Raises:
            IndexError: there is none.
        """
        before, ruling = self._stack.pop()
        self.position = before
        self._called = False
        return ruling.stroke

    def peek(self) -> Stroke:
        """The last stroke.

        Raises:
            IndexError: there is none.
        """
        return self._stack[-1][1].stroke

    def copy(self) -> Table:
        """An independent table in the same state."""
        other = Table(self.rules, self.equipment)
        other.position, other._called = self.position, self._called
        other._stack = self._stack.copy()
        return other

    __copy__ = copy

    def targets(self) -> tuple[str, ...]:
        """Own pieces that the seat to strike has to play now."""
        p, seat = self.position, self.turn
        phase = self.phase
        if phase is Phase.FORTRESS:
            return (FORTRESSES[seat],)
        return near_pieces(p, seat, self.equipment) if phase is Phase.NEAR else p.own(seat)

    def random_stroke(self, random: Random, *, aimed: bool = False) -> Stroke:
        """An allowed stroke by chance, for tests and trials.

        Args:
            random: source of chance.
            aimed: aim at one of :meth:`targets` (half a disc's width off at most) instead of
                anywhere in the sector.

        Raises:
            IllegalMove: pieces fill the whole corner circle.
        """
        e, seat = self.equipment, self.turn
        cx, cy = turned(*circle_centre(seat, e), seat)
        reach = e.circle_radius + e.mother_radius
        wanted = self.targets()
        for attempt in range(10_000):
            x, y = cx + random.uniform(-reach, reach), cy + random.uniform(-reach, reach)
            degrees = random.uniform(45.0, 225.0)
            if aimed and wanted and attempt < 1000:
                place = self.position.pieces[random.choice(wanted)]
                tx, ty = turned(place.x, place.y, seat)
                away = hypot(tx - x, ty - y)
                aside = random.uniform(-1.0, 1.0) * e.piece_radius / max(away, e.piece_radius)
                degrees = math.degrees(math.atan2(ty - y, tx - x) + aside)
            speed = e.cue_speed * random.uniform(0.05, 0.5)
            offset = random.choice((0.0, random.uniform(-0.4, 0.4) * e.mother_radius))
            stroke = Stroke.aimed(x, y, degrees, speed, offset)
            if self.why_illegal(stroke) is None:
                return stroke
        raise IllegalMove("角圆圈里放不下母子 (no room for the mother)", rule="S0-KL-13")

    # -- as data and as pictures ----------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data (without the strokes that led to it)."""
        p = self.position
        return {
            "rules": self.rules.to_dict(),
            "equipment": self.equipment.to_dict(),
            "pieces": {
                name: [q.x, q.y] if q.on is None else [q.x, q.y, q.on]
                for name, q in p.pieces.items()
            },
            "pocketed": [list(names) for names in p.pocketed],
            "debts": list(p.debts),
            "turn": p.turn,
            "strikes_left": p.strikes_left,
            "skips": list(p.skips),
            "strikes": p.strikes,
            "called": self._called,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Table:
        """The table of :meth:`to_dict`.

        Raises:
            InvalidPosition: a field is missing or makes no sense; pieces overlap.
        """
        if not isinstance(data, Mapping):
            raise InvalidPosition(f"局面数据不是字典 (not a position): {data!r:.80}")
        missing = sorted(_KEYS - set(data))
        if missing:
            raise InvalidPosition(f"局面数据不完整 (incomplete position): {', '.join(missing)}")
        table = cls(data["rules"], data["equipment"])
        if not isinstance(data["pieces"], Mapping):
            raise InvalidPosition(f"pieces 不是字典 (not a dict): {data['pieces']!r:.80}")
        table.position = Position(
            pieces={_name(key): _place(key, values) for key, values in data["pieces"].items()},
            pocketed=(_names(data["pocketed"], 0), _names(data["pocketed"], 1)),
            debts=_counts(data["debts"], "debts"),
            turn=whole(data["turn"], "turn", 0, 1),
            strikes_left=whole(data["strikes_left"], "strikes_left", 0, _MOST),
            skips=_counts(data["skips"], "skips"),
            strikes=whole(data["strikes"], "strikes", 0, _MOST),
        )
        table._called = flag(data.get("called", False), "called")
        defects = table.status()
        if defects:
            raise InvalidPosition("局面不成立 (impossible position): " + "；".join(defects))
        return table

    def status(self) -> tuple[str, ...]:
        """Every defect of the position at once, as sentences; empty when it is sound."""
        e, p = self.equipment, self.position
        known = start_position(e, self.rules).pieces
        defects = []
        over = self.outcome() is not None
        if p.turn not in (0, 1) or p.strikes_left < (0 if over else 1):
            defects.append(f"轮次不对 (turn {p.turn}, strikes left {p.strikes_left})")
        if min(*p.debts, *p.skips, p.strikes) < 0:
            defects.append("欠子、停打或击打数为负 (negative count)")
        if max(p.skips) > p.strikes:
            defects.append(f"停打 {max(p.skips)} 轮，多于击打数 {p.strikes} (more than strikes)")
        everywhere = [*p.pieces, *p.pocketed[0], *p.pocketed[1]]
        for name in sorted(set(everywhere) | set(known)):
            if name not in known:
                defects.append(f"没有这枚棋子 (no such piece): {name}")
            elif everywhere.count(name) != 1:
                defects.append(f"棋子 {name} 出现 {everywhere.count(name)} 次 (must be once)")
        for seat, names in enumerate(p.pocketed):
            defects += [
                f"棋子 {name} 记在对方进洞的棋子里 (pocketed for the other seat)"
                for name in names
                if name in known and owner(name) != seat
            ]
        flat = {name: q for name, q in p.pieces.items() if q.on is None}
        carriers: dict[str, str] = {}
        for name, q in p.pieces.items():
            if q.on is not None:
                below = flat.get(q.on)
                if below is None:
                    defects.append(f"棋子 {name} 叠在不在盘上的 {q.on} 上 (stacked on nothing)")
                elif not hypot(q.x - below.x, q.y - below.y) <= e.piece_radius + _TOUCHING:
                    defects.append(f"棋子 {name} 不在它叠着的 {q.on} 上面 (not above its base)")
                if q.on in carriers:
                    defects.append(
                        f"棋子 {carriers[q.on]} 与 {name} 叠在同一枚 {q.on} 上 (one a stack)"
                    )
                carriers[q.on] = name
            if not (isfinite(q.x) and isfinite(q.y)):
                defects.append(f"棋子 {name} 的位置不是有限数 (not finite)")
        radius = e.piece_radius - _SUNK
        laid = list(flat.items())
        for k, (name, q) in enumerate(laid):
            others = [(o.x, o.y, radius) for _, o in laid[k + 1 :]]
            if not is_free(q.x, q.y, radius, others, e):
                defects.append(f"棋子 {name} 重叠或出界 (overlaps or lies outside)")
        return tuple(defects)

    def is_valid(self) -> bool:
        """Whether :meth:`status` finds no defect."""
        return not self.status()

    def __str__(self) -> str:
        """A text diagram, 41 by 21 cells: a, b pieces, F fortress, O holes, + corner circles."""
        e = self.equipment
        wide, high = 41, 21
        grid = [[" "] * wide for _ in range(high)]

        def cell(x: float, y: float) -> tuple[int, int]:
            part_x, part_y = x / e.params.L + 0.5, 0.5 - y / e.params.L
            return (
                min(high - 1, max(0, int(part_y * high))),
                min(wide - 1, max(0, int(part_x * wide))),
            )

        for row in (0, high - 1):
            for column in (0, wide - 1):
                grid[row][column] = "O"
        for seat in (0, 1):
            row, column = cell(*circle_centre(seat, e))
            grid[row][column] = "+"
        for name, place in self.position.pieces.items():
            row, column = cell(place.x, place.y)
            grid[row][column] = "F" if name[0] == "F" else "ab"[owner(name) or 0]
        edge = "+" + "-" * wide + "+"
        return "\n".join([edge, *("|" + "".join(row) + "|" for row in grid), edge])

    def __repr__(self) -> str:
        p = self.position
        return (
            f"<Table {self.equipment.name} turn={p.turn} strikes_left={p.strikes_left} "
            f"left={p.left(0)}:{p.left(1)}>"
        )

    def _repr_svg_(self) -> str:
        from carrom.svg import table_svg

        return table_svg(self)
