"""The referee: what a shot means under the rules, read from its list of events.

Everything here looks at names, places and events only, never at the physics. A ruling is data
(reasons with a rule id and numbers) that renders to Chinese or English sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from carrom.cue import Stroke
from carrom.equipment import Equipment
from carrom.geometry import (
    FORTRESSES,
    MOTHER,
    SEAT_NAMES_ZH,
    base_middle,
    before_base_line,
    home,
    nearest_free,
    owner,
    piece_ids,
)
from carrom.physics import Shot
from carrom.rules import Rules
from qikit.errors import InvalidMove
from qikit.outcome import Outcome, Termination


class Phase(Enum):
    """What a player has to play now."""

    FORTRESS = "fortress"
    NEAR = "near"
    FAR = "far"

    @property
    def zh(self) -> str:
        """The Chinese term."""
        return {"fortress": "先打碉堡", "near": "打第一边", "far": "打对面"}[self.value]


class Fault(Enum):
    """What only the referee's eye can see; given to ``Table.strike``."""

    STICK_TOUCH = "stick_touch"
    """The cue touched a piece (S0-KL-10)."""
    SWEEP = "sweep"
    """Not a straight strike: pushed or swept sideways (S0-KL-10)."""

    @classmethod
    def all_of(cls, source: Faults) -> tuple[Fault, ...]:
        """What the referee saw: one fault or several, as members or by value; ``None`` is nothing.

        Raises:
            InvalidMove: something that is no fault.

        >>> Fault.all_of("sweep"), Fault.all_of(None)
        ((<Fault.SWEEP: 'sweep'>,), ())
        """
        if source is None:
            return ()
        try:
            several = [source] if isinstance(source, (str, Fault)) else list(source)
            return tuple(cls(value) for value in several)
        except (TypeError, ValueError):
            known = ", ".join(fault.value for fault in cls)
            raise InvalidMove(
                f"不是裁判能判的犯规 (no such fault): {source!r:.80}; 现有 {known}",
                text=f"{source!r:.80}",
            ) from None


Faults = Fault | str | Iterable[Fault | str] | None
"""How faults may be given: see :meth:`Fault.all_of`."""


@dataclass(frozen=True)
class Place:
    """A piece on the board: centre in board coordinates, and the piece below it in a stack."""

    x: float
    y: float
    on: str | None = None


@dataclass(frozen=True)
class Position:
    """Everything that the rules know of a game at rest; the mother is in the striker's hand.

    Attributes:
        pieces: pieces on the board by name.
        pocketed: names pocketed for good, by seat, in order; fortresses among them.
        debts: penalty pieces owed by seat because none was pocketed yet (S0-KL-5).
        turn: seat to strike.
        strikes_left: strikes that the seat has now.
        skips: turns that each seat has to miss (S0-KL-12).
        strikes: strikes made in the game by both.
    """

    pieces: Mapping[str, Place]
    pocketed: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    debts: tuple[int, int] = (0, 0)
    turn: int = 0
    strikes_left: int = 1
    skips: tuple[int, int] = (0, 0)
    strikes: int = 0

    def own(self, seat: int) -> tuple[str, ...]:
        """Pieces of a seat on the board, the fortress among them."""
        return tuple(name for name in self.pieces if owner(name) == seat)

    def left(self, seat: int) -> int:
        """Pieces that a seat has still to pocket, debts included."""
        return len(self.own(seat)) + self.debts[seat]

    def phase(self, seat: int, equipment: Equipment) -> Phase:
        """What the seat has to play (S0-KL-7, S0-KL-11)."""
        if FORTRESSES[seat] in self.pieces:
            return Phase.FORTRESS
        if near_pieces(self, seat, equipment):
            return Phase.NEAR
        return Phase.FAR


def start_position(equipment: Equipment, rules: Rules, first: int = 0) -> Position:
    """The start of a game; ``first`` strikes first."""
    names = [*piece_ids(0, equipment.pieces), *piece_ids(1, equipment.pieces)]
    if rules.fortress:
        names += FORTRESSES
    return Position({name: Place(*home(name, equipment)) for name in names}, turn=first)


def near_pieces(position: Position, seat: int, equipment: Equipment) -> tuple[str, ...]:
    """Own pieces that have not crossed the own base line."""
    return tuple(
        name
        for name in position.own(seat)
        if name not in FORTRESSES and before_base_line(position.pieces[name].y, seat, equipment)
    )


_TEXTS: dict[str, tuple[str, str]] = {
    "stroke": ("{who}击打，{phase}。", "Stroke by {who_en}, phase {phase_en}."),
    "miscue": ("出杆滑杆，仍算一次击打。", "Miscue; it counts as the strike."),
    "own": ("打进己方棋子 {pieces}，得 {n} 次续击。", "Own {pieces} pocketed: {n} more strikes."),
    "fortress_in": ("碉堡打进洞。", "The fortress is pocketed."),
    "fortress_missed": (
        "碉堡未进洞，放回原位，击打权交给对方。",
        "The fortress is not in: back to its spot, the turn passes.",
    ),
    "before_fortress": (
        "碉堡进洞之前打进的 {pieces} 放回原位。",
        "{pieces} pocketed before the fortress go back to their spots.",
    ),
    "fortress_back": ("{pieces} 被碰动，放回碉堡位。", "{pieces} was moved and goes back."),
    "far_first": (
        "第一边尚有己方棋子，母子先碰到对面的 {piece}，犯规，停止击打。",
        "Own pieces are left on the first side but {piece} was touched first: the turn ends.",
    ),
    "far_back": ("己方进洞的 {pieces} 放回原位。", "{pieces} pocketed go back to their spots."),
    "far_pocketed": (
        "第一边尚有己方棋子，对面进洞的 {pieces} 不算，放回原位。",
        "Own pieces are left on the first side: {pieces} from the far side go back.",
    ),
    "opponent": ("打进对方棋子 {pieces}。", "Opponent's {pieces} pocketed."),
    "mother_hole": ("母子入洞。", "The mother is in a hole."),
    "cancel": ("抵消 {n} 次续击。", "{n} strikes earned are cancelled."),
    "penalty": ("罚子 {n} 枚。", "{n} pieces to pay."),
    "stick_touch": ("球杆碰到棋子，罚子 {n} 枚。", "The cue touched a piece: {n} to pay."),
    "stick_excused": (
        "母子贴子放置、一并击出，碰子不罚。",
        "The mother was laid touching a piece and both were driven: no fault.",
    ),
    "sweep": ("不是直线击打，停止击打。", "Not a straight strike: the turn ends."),
    "paid": (
        "{piece} 从已进洞的棋子中取出，放在己方盘底边中间。",
        "{piece} is taken back and put at the middle of the own base edge.",
    ),
    "debt": (
        "没有已进洞的棋子可罚，记欠 {n} 枚。",
        "Nothing pocketed to pay with: {n} owed.",
    ),
    "debt_paid": ("{piece} 抵还所欠罚子，欠 {n} 枚。", "{piece} pays a debt; {n} still owed."),
    "flew": ("{pieces} 飞出盘外，放到盘中心。", "{pieces} flew off and go to the centre."),
    "stacked": (
        "双方棋子飞出盘外：击打方的 {piece} 在下，对方的 {upper} 叠在上面。",
        "Both sides flew off: the striker's {piece} below, {upper} on top.",
    ),
    "mother_off": ("母子飞出盘外，停止击打。", "The mother is off the board: the turn ends."),
    "mother_skip": (
        "母子飞出盘外，停止击打并停打一轮。",
        "The mother is off the board: the turn ends and the next one is missed.",
    ),
    "goes_on": ("{who}还有 {n} 次击打。", "{who_en} has {n} strikes left."),
    "passes": ("轮到{who}击打。", "{who_en} is to strike."),
    "skipped": ("{who}停打一轮。", "{who_en} misses a turn."),
    "cleared": ("{who}打完全部棋子，获胜。", "{who_en} has cleared all pieces and wins."),
    "limit_won": (
        "双方共击打 {n} 次，到限：{who}所剩棋子较少（{few} 比 {many}），获胜。",
        "Limit of {n} strikes: {who_en} has fewer pieces left ({few} to {many}) and wins.",
    ),
    "limit_draw": (
        "双方共击打 {n} 次，到限：所剩棋子相同（各 {few} 枚），和局。",
        "Limit of {n} strikes: {few} pieces left each, a draw.",
    ),
}
_SEATS_EN = ("the lower side", "the upper side")


@dataclass(frozen=True)
class Reason:
    """One step of a ruling.

    Attributes:
        rule: id of the rule, for example ``S0-KL-4``.
        code: what happened, a key of the texts.
        values: names and numbers of the step.

    >>> Reason("S0-KL-12", "mother_hole").zh
    '母子入洞。'
    """

    rule: str
    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def _render(self, language: int) -> str:
        words = dict(self.values)
        if "seat" in words:
            seat = words["seat"]
            words |= {"who": SEAT_NAMES_ZH[seat], "who_en": _SEATS_EN[seat]}
        if isinstance(words.get("phase"), Phase):
            words |= {"phase": words["phase"].zh, "phase_en": words["phase"].value}
        if isinstance(words.get("pieces"), tuple):
            words["pieces"] = ("、", ", ")[language].join(words["pieces"]) or ("无", "none")[
                language
            ]
        return _TEXTS[self.code][language].format(**words)

    @property
    def zh(self) -> str:
        """The sentence for people."""
        return self._render(0)

    @property
    def en(self) -> str:
        """The same in English."""
        return self._render(1)

    def to_dict(self) -> dict[str, Any]:
        """Rule, code and values, as JSON allows them."""
        plain = {
            name: value.value if isinstance(value, Phase) else value
            for name, value in self.values.items()
        }
        return {"rule": self.rule, "code": self.code, **plain}


@dataclass(frozen=True)
class Ruling:
    """What a stroke led to.

    Attributes:
        number: number of the strike in the game, from 1.
        seat: who struck.
        stroke: the stroke, in the striker's view.
        faults: what the referee saw besides.
        shot: the physics, in board coordinates.
        own, opponent: pieces of each side that were pocketed and count.
        mother: ``board``, ``hole`` or ``off``.
        earned, cancelled: further strikes won, and lost again at once.
        paid: own pieces taken back as penalty or for a debt.
        position: the game afterwards.
        outcome: the end of the game, or ``None``.
        reasons: every step with its rule.
    """

    number: int
    seat: int
    stroke: Stroke
    faults: tuple[Fault, ...]
    shot: Shot
    own: tuple[str, ...]
    opponent: tuple[str, ...]
    mother: str
    earned: int
    cancelled: int
    paid: tuple[str, ...]
    position: Position
    outcome: Outcome | None
    reasons: tuple[Reason, ...]

    @property
    def next_seat(self) -> int:
        """Who strikes next."""
        return self.position.turn

    @property
    def strikes_left(self) -> int:
        """Strikes that :attr:`next_seat` has."""
        return self.position.strikes_left

    @property
    def zh(self) -> str:
        """The ruling explained in Chinese, with the rule behind every step."""
        steps = "".join(f"{r.zh[:-1]}（{r.rule}）。" for r in self.reasons)
        return f"第 {self.number} 击：{steps}"

    @property
    def en(self) -> str:
        """The ruling in English."""
        return f"Strike {self.number}: " + " ".join(
            f"{r.en[:-1]} ({r.rule})." for r in self.reasons
        )

    def __str__(self) -> str:
        return self.zh


class _Settlement:
    """The working sheet of one ruling."""

    def __init__(self, before: Position, rules: Rules, equipment: Equipment) -> None:
        self.rules, self.equipment = rules, equipment
        self.seat = before.turn
        self.pieces = dict(before.pieces)
        self.pocketed = [list(before.pocketed[0]), list(before.pocketed[1])]
        self.debts = list(before.debts)
        self.skips = list(before.skips)
        self.reasons: list[Reason] = []
        self.paid: list[str] = []

    def say(self, rule: str, code: str, **values: Any) -> None:
        self.reasons.append(Reason(rule, code, values))

    def put(self, piece: str, x: float, y: float, seat: int, *, along_edge: bool = False) -> None:
        """Lay a piece at the free place nearest to a point."""
        self.pieces.pop(piece, None)
        radius = self.equipment.piece_radius
        others = [(p.x, p.y, radius) for p in self.pieces.values()]
        at = nearest_free(x, y, radius, others, self.equipment, seat, along_edge=along_edge)
        self.pieces[piece] = Place(*at)

    def put_home(self, pieces: Iterable[str]) -> None:
        for piece in pieces:
            seat = owner(piece)
            assert seat is not None
            self.put(piece, *home(piece, self.equipment), seat)

    def take_back(self, seat: int) -> str | None:
        """Bring the last pocketed piece of the row back to the middle of the base edge."""
        row = [name for name in self.pocketed[seat] if name not in FORTRESSES]
        if not row:
            return None
        piece = row[-1]
        self.pocketed[seat].remove(piece)
        self.put(piece, *base_middle(seat, self.equipment), seat, along_edge=True)
        self.paid.append(piece)
        return piece

    def settle_debts(self, seat: int) -> None:
        while self.debts[seat]:
            piece = self.take_back(seat)
            if piece is None:
                return
            self.debts[seat] -= 1
            self.say("S0-KL-5", "debt_paid", piece=piece, n=self.debts[seat])

    def pay(self, count: int) -> None:
        owed = 0
        for _ in range(count):
            piece = self.take_back(self.seat)
            if piece is None:
                owed += 1
            else:
                self.say("S0-KL-5", "paid", piece=piece)
        if owed:
            self.debts[self.seat] += owed
            self.say("S0-KL-5", "debt", n=owed)

    def set_down_flown(self, flown: list[str]) -> None:
        """Pieces off the board go to the centre (S0-KL-8)."""
        mine = [name for name in flown if owner(name) == self.seat]
        theirs = [name for name in flown if owner(name) != self.seat]
        if mine and theirs and self.rules.fly_off == "stack":
            lower, upper = mine.pop(0), theirs.pop(0)
            self.put(lower, 0.0, 0.0, self.seat)
            at = self.pieces[lower]
            self.pieces[upper] = Place(at.x, at.y, on=lower)
            self.say("S0-KL-8", "stacked", piece=lower, upper=upper)
        rest = mine + theirs
        if rest:
            self.say("S0-KL-8", "flew", pieces=tuple(rest))
        for piece in rest:
            self.put(piece, 0.0, 0.0, self.seat)


def _first_own_contact(shot: Shot, seat: int) -> str | None:
    """The first piece of ``seat`` that the mother itself touches."""
    for event in shot.events:
        if event.type == "disc-disc" and MOTHER in (event.a, event.b):
            other = str(event.b if event.a == MOTHER else event.a)
            if owner(other) == seat:
                return other
    return None


def rule_on(
    before: Position,
    stroke: Stroke,
    shot: Shot,
    rules: Rules,
    equipment: Equipment,
    *,
    faults: tuple[Fault, ...] = (),
    miscue: bool = False,
    laid_touching: bool = False,
) -> Ruling:
    """The ruling on a shot: a pure function of the position before, the events and the rules.

    Args:
        before: the position before the stroke.
        stroke: the stroke, kept in the ruling.
        shot: the physics in board coordinates; disc ids are the names of the pieces and ``M``.
        faults: what the referee saw besides.
        miscue: the tip slipped.
        laid_touching: the mother was laid touching a piece (S0-KL-10 excuses the cue then).
    """
    s = _Settlement(before, rules, equipment)
    seat, other = s.seat, 1 - s.seat
    phase = before.phase(seat, equipment)
    s.say("S0-KL-14", "stroke", seat=seat, phase=phase)
    if miscue:
        s.say("S0-KL-14", "miscue")

    fell: list[str] = [e.a for e in shot.events if e.type == "pocket"]
    flown: list[str] = [e.a for e in shot.events if e.type == "fly-off" and e.a != MOTHER]
    mother = shot.place(MOTHER)
    mother_at = "hole" if mother.pocketed else "off" if mother.off else "board"
    for final in shot.final:
        if final.id == MOTHER:
            continue
        if final.pocketed or final.off:
            s.pieces.pop(final.id, None)
        else:
            s.pieces[final.id] = Place(final.x, final.y, final.on)
    fell = [name for name in fell if name != MOTHER]

    turn_lost = False
    back: list[str] = []
    counted = fell
    if phase is Phase.FORTRESS:
        mine = FORTRESSES[seat]
        if mine in fell:
            at = fell.index(mine)
            back, counted = fell[:at], fell[at:]
            s.say("S0-KL-7", "fortress_in")
        else:
            back, counted, turn_lost = fell, [], True
            s.say("S0-KL-7", "fortress_missed")
        if back:
            s.say("S0-KL-7", "before_fortress", pieces=tuple(back))
    own = [name for name in counted if owner(name) == seat]
    theirs = [name for name in counted if owner(name) == other]
    if phase is Phase.NEAR and rules.near_first != "off":
        near = near_pieces(before, seat, equipment)
        if rules.near_first == "first_contact":
            touched = _first_own_contact(shot, seat)
            if touched is not None and touched not in near:
                s.say("S0-KL-11", "far_first", piece=touched)
                if own:
                    s.say("S0-KL-11", "far_back", pieces=tuple(own))
                back, own, turn_lost = own, [], True
        else:
            far = [name for name in own if name not in near]
            if far:
                s.say("S0-KL-11", "far_pocketed", pieces=tuple(far))
                back, own = far, [name for name in own if name in near]
    s.pocketed[seat] += own
    # an opponent's fortress falls only to its owner: it counts against the striker and goes back
    s.pocketed[other] += [name for name in theirs if name not in FORTRESSES]

    # all places first: what flew off, what goes back, fortresses that were moved
    resets = [name for name in theirs if name in FORTRESSES]
    flown_forts = [name for name in flown if name in FORTRESSES]
    moved = [
        name
        for name in FORTRESSES
        if rules.fortress_resets and name in s.pieces and s.pieces[name] != before.pieces[name]
    ]
    s.put_home([*resets, *flown_forts, *moved])
    if moved or flown_forts or resets:
        s.say("S0-KL-7", "fortress_back", pieces=tuple(dict.fromkeys(resets + flown_forts + moved)))
    s.put_home([name for name in back if name not in resets])
    s.set_down_flown([name for name in flown if name not in FORTRESSES])

    # strikes earned, cancelled, pieces to pay
    earned = len(own)
    if own:
        s.say("S0-KL-3", "own", pieces=tuple(own), n=earned)
    against = len(theirs)
    if theirs:
        s.say("S0-KL-4", "opponent", pieces=tuple(theirs))
    if mother_at == "hole":
        against += 1
        s.say("S0-KL-12", "mother_hole")
    cancelled = min(earned, against) if rules.opponent_pieces == "cancel_then_pay" else 0
    charge_rule = "S0-KL-4" if theirs else "S0-KL-12"
    if cancelled:
        s.say(charge_rule, "cancel", n=cancelled)
    penalty = against - cancelled
    if penalty:
        s.say(charge_rule, "penalty", n=penalty)
    for fault in faults:
        if fault is Fault.SWEEP:
            turn_lost = True
            s.say("S0-KL-10", "sweep")
        elif laid_touching:
            s.say("S0-KL-10", "stick_excused")
        elif rules.stick_touch:
            penalty += rules.stick_touch
            s.say("S0-KL-10", "stick_touch", n=rules.stick_touch)
    s.settle_debts(seat)
    s.settle_debts(other)
    s.pay(penalty)
    if mother_at == "off":
        turn_lost = True
        if rules.mother_off == "skip_turn":
            s.skips[seat] += 1
            s.say("S0-KL-12", "mother_skip")
        else:
            s.say("S0-KL-12", "mother_off")

    left = 0 if turn_lost else max(0, before.strikes_left - 1 + earned - cancelled)
    after = Position(
        pieces=s.pieces,
        pocketed=(tuple(s.pocketed[0]), tuple(s.pocketed[1])),
        debts=(s.debts[0], s.debts[1]),
        turn=seat,
        strikes_left=left,
        skips=(s.skips[0], s.skips[1]),
        strikes=before.strikes + 1,
    )
    outcome = ending(after, rules)
    if outcome is None:
        after = _next_turn(after, s)
    else:
        _say_ending(outcome, after, s)
    return Ruling(
        number=after.strikes,
        seat=seat,
        stroke=stroke,
        faults=faults,
        shot=shot,
        own=tuple(own),
        opponent=tuple(theirs),
        mother=mother_at,
        earned=earned,
        cancelled=cancelled,
        paid=tuple(s.paid),
        position=after,
        outcome=outcome,
        reasons=tuple(s.reasons),
    )


def ending(position: Position, rules: Rules) -> Outcome | None:
    """The end that a position is, or ``None``: it tells it without the strokes before.

    The first side without pieces and debts wins, the striker before the opponent (S0-KL-15): the
    turn stays with the striker when a game ends.
    """
    for seat in (position.turn, 1 - position.turn):
        if position.left(seat) == 0:
            return Outcome(Termination.PIECES_CLEARED, seat, "S0-KL-15")
    if rules.strike_limit is not None and position.strikes >= rules.strike_limit:
        return count_out(position)
    return None


def count_out(position: Position) -> Outcome:
    """The result by the pieces left, as the referee gives it at a limit (S0-KL-2)."""
    left = position.left(0), position.left(1)
    winner = None if left[0] == left[1] else int(left[1] < left[0])
    return Outcome(Termination.MOVE_LIMIT, winner, "S0-KL-2")


def _say_ending(outcome: Outcome, after: Position, s: _Settlement) -> None:
    winner = outcome.winner
    if outcome.termination is Termination.PIECES_CLEARED:
        s.say(outcome.rule, "cleared", seat=winner)
        return
    few, many = sorted((after.left(0), after.left(1)))
    values = {"n": after.strikes, "few": few, "many": many}
    if winner is None:
        s.say(outcome.rule, "limit_draw", **values)
    else:
        s.say(outcome.rule, "limit_won", **values, seat=winner)


def _next_turn(after: Position, s: _Settlement) -> Position:
    if after.strikes_left:
        s.say("S0-KL-3", "goes_on", seat=after.turn, n=after.strikes_left)
        return after
    turn = 1 - after.turn
    skips = list(after.skips)
    while skips[turn]:
        skips[turn] -= 1
        s.say("S0-KL-12", "skipped", seat=turn)
        turn = 1 - turn
    s.say("S0-KL-3", "passes", seat=turn)
    return replace(after, turn=turn, strikes_left=1, skips=(skips[0], skips[1]))
