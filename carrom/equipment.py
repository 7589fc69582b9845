"""What the game is played with: board, discs, cue, and where each number comes from.

Grades: S = read in a source, I = computed from sourced numbers, A = an assumption of ours. No
Chinese source with dimensions of 康乐棋 is known, so every number can be set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import hypot
from typing import Any

from carrom.quantity import flag, number, whole
from qikit.errors import InvalidPosition

FRICTIONS = ("coulomb", "farkas")

RANGES: dict[str, tuple[float, float]] = {
    "L": (1e-2, 1e3),
    "mu": (1e-6, 100.0),
    "g": (1e-3, 1e4),
    "e_dd": (0.0, 1.0),
    "mu_dd": (0.0, 100.0),
    "e_w": (0.0, 1.0),
    "mu_w": (0.0, 100.0),
    "kI": (1e-3, 1.0),
    "rp": (1e-6, 1e3),
    "fly_speed": (1e-6, 1e6),
    "mu_stack": (0.0, 100.0),
}
"""Least and greatest value of each field of :class:`Params`: far beyond any table, and near enough
that no product of them overflows. Above e = 1 a blow would create energy; no disc has more inertia
than a thin ring, kI = 1."""
SIZE, MASS, SPEED, SPIN = (1e-5, 1e2), (1e-6, 1e3), 1e3, 1e6
"""Radius (m) and mass (kg) of a disc: least and greatest; greatest speed (m/s) and spin (rad/s)."""


@dataclass(frozen=True)
class Params:
    """Physics of a table, in SI units; field names as in the reference data.

    Attributes:
        L: side of the playing square, m; the origin is its centre, x right, y up.
        mu: friction of a disc on the board.
        g: gravity, m/s^2.
        e_dd: restitution disc on disc.
        mu_dd: friction disc on disc at an impact.
        e_w: restitution at a rail.
        mu_w: friction at a rail.
        kI: moment of inertia over m R^2 (solid disc 0.5).
        rp: radius of a hole, m; a hole touches both rails of its corner.
        pockets: whether the holes are open.
        rails: whether the board has rails.
        friction: ``coulomb`` (slide and spin independent) or ``farkas`` (coupled).
        fly_speed: closing speed (m/s) at which a disc jumps the rail; ``None`` = never.
        mu_stack: friction between two discs that lie on each other.

    Raises:
        InvalidPosition: a value out of :data:`RANGES` (friction 0 would never end).

    >>> Params(mu=0.0)
    Traceback (most recent call last):
    qikit.errors.InvalidPosition: mu 只能在 1e-06 到 100 之间 (range): 0.0
    """

    L: float = 1.0
    mu: float = 0.10
    g: float = 9.81
    e_dd: float = 0.85
    mu_dd: float = 0.05
    e_w: float = 0.75
    mu_w: float = 0.10
    kI: float = 0.5  # noqa: N815 - name of the reference data
    rp: float = 0.03
    pockets: bool = True
    rails: bool = True
    friction: str = "coulomb"
    fly_speed: float | None = None
    mu_stack: float = 0.2

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if name == "fly_speed" and value is None:
                continue
            object.__setattr__(self, name, number(value, name, low, high))
        flag(self.pockets, "pockets")
        flag(self.rails, "rails")
        if self.friction not in FRICTIONS:
            raise _bad(f"friction 只能是 (must be one of) {FRICTIONS}: {self.friction!r}")
        if self.friction == "farkas" and not self.kI < 0.66:
            raise _bad(
                f"farkas 摩擦律只适用于实心圆片 (the coupled law needs kI < 0.66): {self.kI!r}"
            )
        if self.pockets and 4 * self.rp >= self.L:
            raise _bad(f"洞太大 (holes overlap): rp={self.rp!r}, L={self.L!r}")

    @classmethod
    def of(cls, source: Params | Mapping[str, Any]) -> Params:
        """From a mapping with the same names; unknown names are refused.

        >>> Params.of({"mu": 0.2}).mu
        0.2
        """
        if isinstance(source, Params):
            return source
        known = {f.name for f in fields(cls)}
        if not isinstance(source, Mapping):
            raise _bad(f"参数应为字典 (parameters must be a dict): {source!r:.80}")
        strange = sorted(set(map(str, source)) - known)
        if strange:
            raise _bad(f"没有这些参数 (unknown parameters): {', '.join(strange)}")
        return cls(**source)

    def to_dict(self) -> dict[str, Any]:
        """Plain dict with the names of the reference data."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def _bad(message: str) -> InvalidPosition:
    return InvalidPosition(message)


@dataclass(frozen=True)
class Fact:
    """Where one number of a preset comes from: grade S, I or A, and the source in words."""

    grade: str
    source: str


@dataclass(frozen=True)
class Equipment:
    """A set: board, mother (母子), pieces, cue, and the marks on the board.

    Attributes:
        name: name of the preset.
        params: physics of the table.
        mother_radius, mother_mass: the cue disc, m and kg.
        piece_radius, piece_mass: the pieces.
        pieces: pieces a side in the row, besides the fortress.
        row_gap: gap between neighbours in the row, m.
        fortress_y: distance of the fortress spot from the striker's own base edge, m; the spot lies
            on the middle line.
        circle_radius: radius of the corner circle in which the mother is placed.
        circle_inset: distance of its centre from both rails.
        base_line: distance of the base line from the base edge; nearer is the first side.
        cue_mass, cue_e, cue_mu: cue in kg, restitution and friction of its tip.
        cue_speed: greatest speed of the cue, m/s.
        facts: source and grade by field name.

    >>> club = PRESETS["club"]
    >>> club.mother_radius, club.facts["mother_radius"].grade
    (0.025, 'S')
    """

    name: str = "club"
    params: Params = field(default_factory=lambda: Params(fly_speed=5.4))
    mother_radius: float = 0.025
    mother_mass: float = 0.021
    piece_radius: float = 0.019
    piece_mass: float = 0.012
    pieces: int = 12
    row_gap: float = 0.0001
    fortress_y: float = 0.62
    circle_radius: float = 0.050
    circle_inset: float = 0.120
    base_line: float = 0.120
    cue_mass: float = 0.30
    cue_e: float = 0.6
    cue_mu: float = 0.4
    cue_speed: float = 6.0
    facts: Mapping[str, Fact] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise _bad(f"器材的名字不是文字 (name must be a text): {self.name!r:.80}")
        if not isinstance(self.params, Params):
            raise _bad(f"params 不是 Params (not Params): {self.params!r:.80}")
        for name, (low, high) in {
            "mother_radius": SIZE,
            "mother_mass": MASS,
            "piece_radius": SIZE,
            "piece_mass": MASS,
            "circle_radius": SIZE,
            "cue_mass": MASS,
            "cue_speed": (1e-6, SPEED / 4),  # a light mother leaves at up to twice the cue's speed
            "row_gap": (0.0, self.params.L),
            "fortress_y": (0.0, self.params.L),
            "circle_inset": (0.0, self.params.L),
            "base_line": (0.0, self.params.L),
            "cue_e": (0.0, 1.0),
            "cue_mu": (1e-6, 100.0),
        }.items():
            object.__setattr__(self, name, number(getattr(self, name), name, low, high))
        object.__setattr__(self, "pieces", whole(self.pieces, "每方棋子数 pieces", 1, 24))
        width = self.pieces * 2 * self.piece_radius + (self.pieces - 1) * self.row_gap
        room = self.params.L - 4 * self.params.rp
        if width > room:
            raise _bad(
                f"一排 {self.pieces} 枚棋子宽 {width:.3f} m，底边两洞之间只有 {room:.3f} m "
                "(the row does not fit between the holes)"
            )
        half = self.params.L / 2
        if not 0 < self.base_line < half:
            raise _bad(f"底线不在棋盘上 (base line off the board): {self.base_line!r}")
        self._check_spots()
        if not self.mother_radius <= self.circle_inset <= half:
            raise _bad(f"角圆圈不在棋盘上 (corner circle off the board): {self.circle_inset!r}")

    def _check_spots(self) -> None:
        """Rows and fortress spots must leave each other room at the start."""
        side, r = self.params.L, self.piece_radius
        apart = 2 * r - 1e-9
        if side - 2 * r < apart:
            raise _bad(f"棋盘太窄，两排棋子重叠 (the rows overlap): L={side!r}")
        y = self.fortress_y
        if not r <= y <= side - r:
            raise _bad(f"碉堡点不在棋盘上 (fortress spot off the board): fortress_y={y!r}")
        if abs(2 * y - side) < apart:
            raise _bad(f"双方的碉堡重叠 (the fortresses overlap): fortress_y={y!r}")
        beside = 0.0 if self.pieces % 2 else r + self.row_gap / 2
        if min(hypot(beside, y - r), hypot(beside, side - y - r)) < apart:
            raise _bad(f"碉堡与底边的棋子重叠 (the fortress overlaps a row): fortress_y={y!r}")

    def to_dict(self) -> dict[str, Any]:
        """Plain dict; ``params`` is a dict inside, sources are left out."""
        out = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "facts"}
        out["params"] = self.params.to_dict()
        return out

    @classmethod
    def of(cls, source: Equipment | Mapping[str, Any] | str) -> Equipment:
        """From a preset's name, a dict of :meth:`to_dict`, or as it is.

        Raises:
            InvalidPosition: no such preset or field.
        """
        if isinstance(source, Equipment):
            return source
        if isinstance(source, str):
            if source not in PRESETS:
                raise _bad(f"没有这套器材 (no such preset): {source!r}; 现有 {', '.join(PRESETS)}")
            return PRESETS[source]
        if not isinstance(source, Mapping):
            raise _bad(f"器材应为名字或字典 (a preset's name or a dict): {source!r:.80}")
        values = dict(source)
        strange = sorted(set(map(str, values)) - {f.name for f in fields(cls)})
        if strange:
            raise _bad(f"没有这些参数 (unknown fields): {', '.join(strange)}")
        values["params"] = Params.of(values.get("params", {}))
        preset = PRESETS.get(str(values.get("name")))
        facts = preset.facts if preset is not None else {}
        return cls(**{**values, "facts": facts})


_MEASURED = Fact("A", "wood on wood, below the e 0.93, mu 0.12 measured for pucks on an air table")
_CUE = Fact("A", "a wooden cue a bit over one metre; no source with numbers")
_POWDER = Fact("S", "starch powder on plywood 0.07-0.15 (Iizawa); 0.06 fresh to 0.15 worn")
_CLUB: dict[str, Fact] = {
    "L": Fact("S", "novuss board 100 x 100 cm, to which 克郎球 is said to be kin; A for 康乐棋"),
    "mu": _POWDER,
    "e_dd": _MEASURED,
    "mu_dd": _MEASURED,
    "e_w": Fact("A", "with mu 0.10 a 15 g striker makes the 3.5 runs of the ICF at 3.4 m/s"),
    "mu_w": Fact("A", "wooden rail, 0.1-0.2"),
    "kI": Fact("I", "solid disc"),
    "rp": Fact("A", "hole 60 mm, 1.2 mothers, 1.58 pieces"),
    "fly_speed": Fact("A", "10 % of the normal speed turned upward lifts a disc over 15 mm"),
    "mu_stack": Fact("A", "wood on wood without powder"),
    "mother_radius": Fact("S", "club rules S0-KL-6: 5 cm across; striker of the Finnish rules"),
    "mother_mass": Fact("I", "13 mm high, density 0.82 as carrom men"),
    "piece_radius": Fact("S", "xiangqi pieces of 3.8 x 1.3 cm on sale; A for 康乐棋"),
    "piece_mass": Fact("I", "13 mm high, density 0.82"),
    "pieces": Fact("A", "12; Hong Kong 15 or 16, Taiwan 6"),
    "row_gap": Fact("A", "a row laid by hand touches within 0.1 mm"),
    "fortress_y": Fact("A", "no outside source mentions the fortress"),
    "circle_radius": Fact("A", "a circle beside each hole (Hong Kong sheet), no size given"),
    "circle_inset": Fact("A", "four lines join the circles into a square (Hong Kong sheet)"),
    "base_line": Fact("A", "the line that joins the circles"),
    "cue_mass": _CUE,
    "cue_e": _CUE,
    "cue_mu": _CUE,
    "cue_speed": _CUE,
}
_KORONA = Fact("S", "Suomen Koronaliitto rules 2013")
_NOVUSS = Fact("S", "novuss: board 100 x 100 cm since 1929, 8 a side in a touching row")
_ICF = Fact("S", "ICF laws of carrom")

PRESETS: dict[str, Equipment] = {
    "club": Equipment(facts=_CLUB),
    "novuss": Equipment(
        name="novuss",
        pieces=8,
        row_gap=0.0,
        facts={
            **_CLUB,
            "L": _NOVUSS,
            "pieces": _NOVUSS,
            "row_gap": _NOVUSS,
            "piece_radius": Fact("A", "disc diameters were not found; as in club"),
            "mother_radius": Fact("A", "disc diameters were not found; as in club"),
        },
    ),
    "korona": Equipment(
        name="korona",
        params=Params(L=0.914, rp=0.03, fly_speed=5.4),
        mother_radius=0.025,
        mother_mass=0.019,
        piece_radius=0.0125,
        piece_mass=0.0048,
        pieces=8,
        row_gap=0.0,
        fortress_y=0.566,
        facts={
            **_CLUB,
            "L": _KORONA,
            "mother_radius": _KORONA,
            "piece_radius": _KORONA,
            "pieces": _KORONA,
            "mother_mass": Fact("I", "50 x 12 mm, density 0.82"),
            "piece_mass": Fact("I", "25 x 12 mm, density 0.82"),
            "row_gap": Fact("A", "touching row"),
        },
    ),
    "carrom": Equipment(
        name="carrom",
        params=Params(L=0.74, rp=0.02225, fly_speed=5.4),
        mother_radius=0.02065,
        mother_mass=0.015,
        piece_radius=0.0155,
        piece_mass=0.0054,
        pieces=9,
        row_gap=0.0,
        fortress_y=0.459,
        circle_radius=0.040,
        circle_inset=0.100,
        base_line=0.100,
        facts={
            **_CLUB,
            "L": _ICF,
            "rp": _ICF,
            "mother_radius": _ICF,
            "mother_mass": _ICF,
            "piece_radius": _ICF,
            "piece_mass": _ICF,
            "pieces": Fact("S", "ICF: nine men a side (the queen is left out)"),
        },
    ),
}
"""Sets by name: club (default), novuss, korona, carrom (sizes of the ICF)."""
