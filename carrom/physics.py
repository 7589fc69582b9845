"""Shots: discs with velocities go in, events and resting places come out.

>>> shot = simulate([{"id": "A", "R": 0.019, "m": 0.012, "x": 0.0, "y": 0.0, "vx": 0.7}])
>>> round(shot.final[0].x, 12) == round(0.7**2 / (2 * 0.1 * 9.81), 12)
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carrom import layout
from carrom.equipment import MASS, SIZE, SPEED, SPIN, Params
from carrom.friction import curves
from carrom.quantity import number
from qikit import kernels
from qikit.errors import InvalidPosition

Array = NDArray[np.float64]

MAX_DISCS = 64
MAX_INSTANTS = 200_000
"""Instants of a shot, with the turns in which their clusters are worked off: no shot of real discs
comes near (a break has some 50 instants); a shot cut off here raises."""
PLACE = 1e4
"""Greatest coordinate (m) of a disc on a board without rails."""
OVERLAP = 1e-5
"""Discs given with a deeper overlap (m) are refused."""
RAILS = ("left", "right", "bottom", "top")
HOLES_ZH = ("左下洞", "右下洞", "右上洞", "左上洞")
TYPES = ("disc-disc", "disc-rail", "pocket", "fly-off", "unstack", "press")


_NUMBERS = ("R", "m", "x", "y", "vx", "vy", "w")
_LEAST = np.array([SIZE[0], MASS[0], -PLACE, -PLACE, -SPEED, -SPEED, -SPIN])
_MOST = np.array([SIZE[1], MASS[1], PLACE, PLACE, SPEED, SPEED, SPIN])


class _Fields:
    """Lets a dataclass also be read like the JSON object that it stands for."""

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


@dataclass(frozen=True)
class Disc(_Fields):
    """A disc at the start of a shot; names as in the reference data.

    Attributes:
        id: name, for example ``M`` for the mother.
        R, m: radius (m) and mass (kg).
        x, y, vx, vy: place (m) and velocity (m/s).
        w: spin (rad/s), anticlockwise.
        on: id of the disc on which this one lies (a stack of two), or ``None``.
    """

    id: str
    R: float
    m: float
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    w: float = 0.0
    on: str | None = None

    @classmethod
    def of(cls, source: Disc | Mapping[str, Any]) -> Disc:
        """From a mapping with the same names.

        Raises:
            InvalidPosition: a name is missing or unknown.
        """
        if isinstance(source, Disc):
            return source
        if not isinstance(source, Mapping):
            raise InvalidPosition(f"棋子应为 Disc 或字典 (a Disc or a dict): {source!r:.80}")
        known = {f.name for f in fields(cls)}
        strange = sorted(set(map(str, source)) - known)
        missing = sorted({"id", "R", "m", "x", "y"} - set(source))
        if strange or missing:
            raise InvalidPosition(
                f"棋子的字段不对 (disc fields): 缺少 missing {missing}, 不认识 unknown {strange}",
                text=repr(dict(source)),
            )
        return cls(**source)

    def to_dict(self) -> dict[str, Any]:
        """Plain dict; ``on`` only where it is set."""
        out = {f.name: getattr(self, f.name) for f in fields(self)}
        if self.on is None:
            del out["on"]
        return out


@dataclass(frozen=True)
class Event(_Fields):
    """One event of a shot.

    Attributes:
        t: time, s.
        type: ``disc-disc``, ``disc-rail``, ``pocket``, ``fly-off``, ``unstack``, or ``press``: two
            discs that slide on together pressed against each other (below 0.5 mm/s).
        a: id of the disc.
        b: id of the other disc, name of the rail, or number of the hole.
        approach: closing speed of an impact, m/s.
        Jn, Jt: normal and tangential impulse on ``b``, the opposite on ``a`` (N s); n from a to b
            or out of the board, t = n turned left.
        speed: speed of a disc that drops or flies off, m/s.
    """

    t: float
    type: str
    a: str
    b: str | int
    approach: float = 0.0
    Jn: float = 0.0
    Jt: float = 0.0
    speed: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The fields that this type of event has."""
        head = {"t": self.t, "type": self.type, "a": self.a, "b": self.b}
        if self.type in ("pocket", "fly-off"):
            return {**head, "speed": self.speed}
        if self.type == "unstack":
            return head
        return {**head, "approach": self.approach, "Jn": self.Jn, "Jt": self.Jt}


@dataclass(frozen=True)
class Final(_Fields):
    """Where a disc ended.

    Attributes:
        id: name.
        x, y: place at rest, or where it left the board.
        pocketed: fell into hole ``pocket``.
        pocket: number of the hole, 0 bottom-left, 1 bottom-right, 2 top-right, 3 top-left.
        off: jumped the rail.
        on: id of the disc on which it still lies.
    """

    id: str
    x: float
    y: float
    pocketed: bool = False
    pocket: int | None = None
    off: bool = False
    on: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As in the reference data; ``off`` and ``on`` only where set."""
        if self.pocketed:
            return {"id": self.id, "pocketed": True, "pocket": self.pocket}
        out: dict[str, Any] = {"id": self.id, "pocketed": False}
        if self.off:
            return {**out, "off": True}
        out |= {"x": self.x, "y": self.y}
        if self.on is not None:
            out["on"] = self.on
        return out


@dataclass(frozen=True)
class EnergyLost(_Fields):
    """Energy (J) taken out by impacts, by sliding, by discs that dropped and that flew off."""

    impact: float
    slide: float
    pocket: float
    off: float = 0.0

    @property
    def total(self) -> float:
        """Sum of all parts: the start energy, up to rounding."""
        return self.impact + self.slide + self.pocket + self.off

    def to_dict(self) -> dict[str, float]:
        """As in the reference data; ``off`` only where not 0."""
        out = {"impact": self.impact, "slide": self.slide, "pocket": self.pocket}
        if self.off:
            out["off"] = self.off
        return out


@dataclass(frozen=True)
class Shot:
    """A whole shot.

    Attributes:
        discs: the start.
        params: the table.
        final: one entry a disc, in the order of ``discs``.
        events: in time order.
        energy_lost: where the start energy went.
        t_end: time when everything rests, s.
        deepest: the deepest gap at any contact, m (0 or a few 1e-8 negative).
        path: rows of the path log (kernel columns ``layout.L_...``), from which states follow.
    """

    discs: tuple[Disc, ...]
    params: Params
    final: tuple[Final, ...]
    events: tuple[Event, ...]
    energy_lost: EnergyLost
    t_end: float
    deepest: float
    path: Array = field(repr=False, compare=False)

    @cached_property
    def E0(self) -> float:  # noqa: N802 - name of the reference data
        """Start energy, J."""
        return sum(
            0.5 * d.m * (d.vx**2 + d.vy**2 + self.params.kI * d.R**2 * d.w**2) for d in self.discs
        )

    @property
    def n_events(self) -> int:
        """Number of events."""
        return len(self.events)

    def place(self, name: str) -> Final:
        """The final place of the disc called ``name``.

        Raises:
            KeyError: no such disc.
        """
        for final in self.final:
            if final.id == name:
                return final
        raise KeyError(name)

    def states(self, times: Sequence[float] | Array) -> Array:
        """States at growing ``times``: float64 array (times, discs, 5) of x, y, speed, spin, state.

        State: 0 on the board, 1 pocketed, 2 off the board, 3 lying on another disc.

        Raises:
            ValueError: the times are no row of finite numbers that grow.
        """
        try:
            at = np.ascontiguousarray(times, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"时刻不是数 (times must be numbers): {times!r:.80}") from None
        if at.ndim != 1 or not np.isfinite(at).all() or np.any(np.diff(at) < 0):
            raise ValueError(
                f"时刻应为一列不减的有限数 (times must be finite and grow): {times!r:.80}"
            )
        work = _start(self.discs)
        out = np.zeros((len(at), len(self.discs), 5))
        kernel = kernels.load("carrom.kernel")
        kernel.sample(self.path, _params(self.params), _curves(self.params), work, at, out)
        return out

    def digest(self) -> str:
        """SHA-256 of the exact bits of all final places and of the event list."""
        words = hashlib.sha256()
        for f in self.final:
            words.update(
                f"{f.id} {float(f.x).hex()} {float(f.y).hex()} {f.pocket} {f.off} {f.on}\n".encode()
            )
        for e in self.events:
            words.update(
                f"{float(e.t).hex()} {e.type} {e.a} {e.b} {float(e.approach).hex()} "
                f"{float(e.Jn).hex()} {float(e.Jt).hex()}\n".encode()
            )
        return words.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """The shot in the field names of the reference data (``discs``, ``params``, ``expected``'s
        ``final``, ``events``, ``n_events``, ``t_end``, ``E0``, ``energy_lost``)."""
        return {
            "params": self.params.to_dict(),
            "discs": [d.to_dict() for d in self.discs],
            "final": [f.to_dict() for f in self.final],
            "events": [e.to_dict() for e in self.events],
            "n_events": self.n_events,
            "t_end": self.t_end,
            "E0": self.E0,
            "energy_lost": self.energy_lost.to_dict(),
        }


def _params(p: Params) -> Array:
    out = np.zeros(layout.PARAMS)
    out[layout.P_HALF] = p.L / 2
    out[layout.P_MUG] = p.mu * p.g
    out[layout.P_E_DD], out[layout.P_MU_DD] = p.e_dd, p.mu_dd
    out[layout.P_E_W], out[layout.P_MU_W] = p.e_w, p.mu_w
    out[layout.P_KI], out[layout.P_RP] = p.kI, p.rp
    out[layout.P_POCKETS], out[layout.P_RAILS] = float(p.pockets), float(p.rails)
    out[layout.P_FARKAS] = float(p.friction == "farkas")
    out[layout.P_FLY] = 1e300 if p.fly_speed is None or not p.rails else p.fly_speed
    out[layout.P_STACK_G] = p.mu_stack * p.g
    out[layout.P_HOLE_AT] = p.L / 2 - p.rp
    return out


_NO_CURVES = np.zeros((2, 1, 6))


def _curves(p: Params) -> Array:
    return curves(p.kI) if p.friction == "farkas" else _NO_CURVES


def _start(discs: Sequence[Disc]) -> Array:
    out = np.zeros((len(discs), layout.DISC))
    out[:, layout.CARRIES] = -1.0
    index = {d.id: i for i, d in enumerate(discs)}
    for i, d in enumerate(discs):
        out[i, layout.X], out[i, layout.Y] = d.x, d.y
        out[i, layout.VX], out[i, layout.VY], out[i, layout.W] = d.vx, d.vy, d.w
        out[i, layout.R], out[i, layout.M] = d.R, d.m
        if d.on is not None:
            out[i, layout.STATE] = layout.LIFTED
            out[index[d.on], layout.CARRIES] = i
    return out


def _check(discs: Sequence[Disc], p: Params) -> None:
    if not 1 <= len(discs) <= MAX_DISCS:
        raise InvalidPosition(f"棋子数只能是 1 到 {MAX_DISCS} (number of discs): {len(discs)}")
    by_id = {d.id: d for d in discs}
    if len(by_id) != len(discs):
        raise InvalidPosition("棋子编号重复 (disc ids must differ)")
    numbers = np.zeros((len(discs), 7))
    for k, d in enumerate(discs):
        for column, name in enumerate(_NUMBERS):
            value = getattr(d, name)
            if type(value) is not float:
                value = number(value, f"棋子 {d.id} 的 {name}")
            numbers[k, column] = value
    # not "above or below", so that what is no number is out of range too
    wrong = ~((numbers >= _LEAST) & (numbers <= _MOST))
    for k, column in np.argwhere(wrong).tolist():
        number(
            float(numbers[k, column]),
            f"棋子 {discs[k].id} 的 {_NUMBERS[column]}",
            float(_LEAST[column]),
            float(_MOST[column]),
        )
    r, _, x, y = numbers[:, :4].T
    if p.rails:
        outside = np.maximum(abs(x), abs(y)) + r > p.L / 2 + OVERLAP
        for k in np.nonzero(outside)[0].tolist():
            raise InvalidPosition(
                f"棋子 {discs[k].id} 不在棋盘内 (outside the rails): x={x[k]}, y={y[k]}",
                text=discs[k].id,
            )
    carried = [d for d in discs if d.on is not None]
    for d in carried:
        below = by_id.get(str(d.on))
        if below is None or below.on is not None or d.on == d.id:
            raise InvalidPosition(
                f"棋子 {d.id} 不能叠在 {d.on} 上 (can only lie on a disc on the board)", text=d.id
            )
        if d.vx or d.vy or d.w:
            raise InvalidPosition(f"叠在上面的棋子 {d.id} 不能被直接击打 (is carried)", text=d.id)
        if sum(other.on == d.on for other in carried) > 1:
            raise InvalidPosition(f"{d.on} 上只能叠一枚棋子 (one disc a stack)", text=d.id)
    gaps = np.hypot(x[:, None] - x, y[:, None] - y) - r[:, None] - r
    near = np.triu(gaps < -OVERLAP, 1)
    if carried:
        lifted = np.array([d.on is not None for d in discs])
        near[lifted] = near[:, lifted] = False
    for i, j in np.argwhere(near).tolist():
        raise InvalidPosition(
            f"棋子 {discs[i].id} 与 {discs[j].id} 重叠 (discs overlap): "
            f"{-1000 * gaps[i, j]:.3f} mm",
            text=f"{discs[i].id} {discs[j].id}",
        )


class _Work:
    """Scratch arrays of the kernel for ``n`` discs."""

    def __init__(self, n: int) -> None:
        self.now = np.zeros((n, layout.NOW))
        self.times = np.full((n, n + 3), 1e300)
        self.contacts = np.zeros((8 * n + 8, layout.CONTACT))
        self.stack = np.zeros(n + 1, np.int64)
        self.ties = np.zeros(48, np.int64)
        self.square = np.zeros((48, 49))


def _run(d: Array, p: Params, events: Array, log: Array) -> Array:
    n = d.shape[1]
    work = _Work(n)
    out = np.zeros((d.shape[0], layout.OUT))
    kernel = kernels.load("carrom.kernel")
    try:
        cut = kernel.shots(
            d,
            n,
            _params(p),
            _curves(p),
            work.now,
            work.times,
            work.contacts,
            work.stack,
            work.ties,
            work.square,
            events,
            log,
            out,
            MAX_INSTANTS,
        )
    except ArithmeticError as error:
        raise InvalidPosition(f"数据太极端，算不出来 (numbers too extreme): {error}") from None
    if cut:
        raise InvalidPosition(
            f"{MAX_INSTANTS} 次碰撞之后棋子还没有停下，摩擦太小或数据太极端 "
            f"(not at rest after {MAX_INSTANTS} instants, in {cut} shots)"
        )
    return out


def simulate(
    discs: Iterable[Disc | Mapping[str, Any]], params: Params | Mapping[str, Any] | None = None
) -> Shot:
    """Let the discs run until all rest.

    The same input gives the same bits in every run and process of one build. Touching contacts of
    one instant are worked off as one cluster: fastest closing contact first, contacts that close
    equally fast (1e-9) together, no restitution below 1e-5 m/s.

    Args:
        discs: :class:`Disc` or mappings with its names, SI units.
        params: :class:`Params` or a mapping with its names; default the club's table.

    Raises:
        InvalidPosition: discs overlap, lie outside, carry values out of the range of real discs,
            do not come to rest in ``MAX_INSTANTS``, or the parameters make no physics.
    """
    chosen = Params() if params is None else Params.of(params)
    all_discs = tuple(Disc.of(d) for d in discs)
    _check(all_discs, chosen)
    events, log = np.zeros((256, layout.EVENT)), np.zeros((512 + len(all_discs), layout.LOG))
    while True:
        d = _start(all_discs)[None]
        out = _run(d, chosen, events, log)[0]
        n_events, n_log = int(out[layout.O_EVENTS]), int(out[layout.O_LOG])
        if n_events <= len(events) and n_log <= len(log):
            break
        # the shot is deterministic: play it again with enough room to write it down
        events, log = np.zeros((n_events, layout.EVENT)), np.zeros((n_log, layout.LOG))
    ids = [disc.id for disc in all_discs]
    return Shot(
        discs=all_discs,
        params=chosen,
        final=_final(d[0], ids),
        events=tuple(_event(row, ids) for row in events[:n_events].tolist()),
        energy_lost=EnergyLost(
            float(out[layout.O_IMPACT]),
            float(out[layout.O_SLIDE]),
            float(out[layout.O_POCKET]),
            float(out[layout.O_OFF]),
        ),
        t_end=float(out[layout.O_T_END]),
        deepest=float(out[layout.O_DEEPEST]),
        path=log[:n_log].copy(),
    )


def _event(row: list[float], ids: list[str]) -> Event:
    t, kind, a, b, approach, jn, jt = row[:7]
    name = TYPES[int(kind)]
    partner: str | int
    if name == "pocket":
        return Event(t, name, ids[int(a)], int(b), speed=approach)
    if b >= 0:
        partner = ids[int(b)]
    else:
        rail = int(layout.RAIL_0 - b)
        partner = RAILS[rail] if rail < 4 else ""
    if name == "fly-off":
        return Event(t, name, ids[int(a)], partner, speed=approach)
    return Event(t, name, ids[int(a)], partner, approach, jn, jt)


def _final(d: Array, ids: list[str]) -> tuple[Final, ...]:
    below = {
        int(row[layout.CARRIES]): ids[i] for i, row in enumerate(d) if row[layout.CARRIES] >= 0
    }
    out = []
    for i, row in enumerate(d.tolist()):
        state = row[layout.STATE]
        x, y = row[layout.X], row[layout.Y]
        if state == layout.POCKETED:
            out.append(Final(ids[i], x, y, pocketed=True, pocket=int(row[layout.HOLE])))
        elif state == layout.OFF:
            out.append(Final(ids[i], x, y, off=True))
        else:
            out.append(Final(ids[i], x, y, on=below.get(i)))
    return tuple(out)


def simulate_many(
    starts: Array, radii: Array, masses: Array, params: Params
) -> tuple[Array, Array]:
    """Many shots of the same discs in one call, for planners: no checks, no event lists.

    Args:
        starts: float64 (shots, discs, 5): x, y, vx, vy, w.
        radii, masses: float64 (discs,).
        params: the table.

    Returns:
        final: float64 (shots, discs, 4): x, y, state (0 on the board, 1 pocketed, 2 off), hole.
        totals: float64 (shots, 9): columns ``layout.O_...`` (events, time, energies).

    >>> start = np.array([[[0.0, 0.0, 0.7, 0.0, 0.0]]])
    >>> final, _ = simulate_many(start, np.array([0.019]), np.array([0.012]), Params())
    >>> round(float(final[0, 0, 0]), 6)
    0.249745
    """
    count, n = starts.shape[:2]
    d = np.zeros((count, n, layout.DISC))
    d[:, :, layout.CARRIES] = -1.0
    for k, column in enumerate((layout.X, layout.Y, layout.VX, layout.VY, layout.W)):
        d[:, :, column] = starts[:, :, k]
    d[:, :, layout.R], d[:, :, layout.M] = radii, masses
    nothing = np.zeros((0, layout.EVENT)), np.zeros((0, layout.LOG))
    out = _run(d, params, *nothing)
    columns = [layout.X, layout.Y, layout.STATE, layout.HOLE]
    return np.ascontiguousarray(d[:, :, columns]), out
