"""A stroke with the cue, and the velocity that it gives to the mother."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import cos, hypot, radians, sin, sqrt
from typing import Any

from carrom.equipment import Equipment
from carrom.quantity import number
from qikit.errors import InvalidMove

_TEXT = re.compile(
    r"\s*(?P<x>\S+?),(?P<y>\S+)\s+(?P<dx>\S+?),(?P<dy>\S+)\s+v=(?P<speed>\S+)"
    r"(?:\s+b=(?P<offset>\S+))?(?:\s+f=(?P<follow>\S+))?\s*"
)


@dataclass(frozen=True)
class Stroke:
    """One stroke, as the striker sees the board (own base edge at the bottom, x right, y up).

    Attributes:
        x, y: where the mother is laid, m.
        dx, dy: direction of the cue; any length, a vector so that no angle function blurs the bits.
        speed: speed of the cue, m/s.
        offset: distance of the cue's line from the mother's centre, m; positive to the right of it,
            which turns the mother anticlockwise.
        follow: how far the tip travels on after the contact, m (S0-KL-9 bounds it).

    Raises:
        InvalidMove: a number is not finite, the direction is zero or too long or short to be
            told from its bits, the speed is not positive.

    >>> stroke = Stroke(0.38, -0.38, -1.0, 1.0, 3.0)
    >>> str(stroke), Stroke.parse(str(stroke)) == stroke
    ('0.38,-0.38 -1.0,1.0 v=3.0', True)
    """

    x: float
    y: float
    dx: float
    dy: float
    speed: float
    offset: float = 0.0
    follow: float = 0.02

    def __post_init__(self) -> None:
        for name in ("x", "y", "dx", "dy", "speed", "offset", "follow"):
            plain = number(getattr(self, name), f"击打数据 {name}", error=InvalidMove)
            object.__setattr__(self, name, plain)
        values = (self.x, self.y, self.dx, self.dy, self.speed, self.offset, self.follow)
        size = hypot(self.dx, self.dy)
        if size == 0.0:
            raise InvalidMove("击打方向不能为零 (no direction)", text=repr(values))
        if not 1e-100 <= size <= 1e100:  # beyond, a unit vector would lose its digits
            raise InvalidMove(
                f"击打方向的长度只能在 1e-100 到 1e100 之间 (length of the direction): {size}",
                text=repr(values),
            )
        if not self.speed > 0 or self.follow < 0:
            raise InvalidMove(
                "杆速必须大于 0，跟进不能为负 (speed > 0, follow >= 0): "
                f"{self.speed}, {self.follow}",
                text=repr(values),
            )

    @classmethod
    def aimed(cls, x: float, y: float, degrees: float, speed: float, offset: float = 0.0) -> Stroke:
        """A stroke given by an angle in degrees, anticlockwise from the striker's right.

        >>> Stroke.aimed(0.38, -0.38, 180.0, 3.0).dx
        -1.0
        """
        turn = radians(degrees)
        return cls(x, y, cos(turn), sin(turn), speed, offset)

    @classmethod
    def of(cls, source: Any) -> Stroke:
        """A stroke as it is, or from its text.

        Raises:
            InvalidMove: neither.
        """
        if isinstance(source, Stroke):
            return source
        if isinstance(source, str):
            return cls.parse(source)
        raise InvalidMove(f"不是一次击打 (not a stroke): {source!r:.80}", text=f"{source!r:.80}")

    @classmethod
    def parse(cls, text: str) -> Stroke:
        """Read the form of ``str(stroke)``: ``x,y dx,dy v=speed [b=offset] [f=follow]``.

        Raises:
            InvalidMove: not of that form.
        """
        match = _TEXT.fullmatch(text)
        try:
            if match is None:
                raise ValueError(text)
            found = {name: float(value) for name, value in match.groupdict().items() if value}
        except ValueError:
            raise InvalidMove(
                f"击打格式不对，应为 x,y dx,dy v=速度 (not a stroke): {text[:80]!r}", text=text
            ) from None
        return cls(**found)

    def __str__(self) -> str:
        tail = f" b={self.offset!r}" if self.offset else ""
        tail += f" f={self.follow!r}" if self.follow != 0.02 else ""
        return f"{self.x!r},{self.y!r} {self.dx!r},{self.dy!r} v={self.speed!r}{tail}"

    @property
    def direction(self) -> tuple[float, float]:
        """Unit vector of the cue."""
        size = hypot(self.dx, self.dy)
        return self.dx / size, self.dy / size


@dataclass(frozen=True)
class Impulse:
    """What the cue gives to the mother: velocity (striker's view), spin, and whether it miscued."""

    vx: float
    vy: float
    w: float
    miscue: bool


def miscue_offset(equipment: Equipment) -> float:
    """Greatest offset (m) at which the tip grips: R mu / sqrt(1 + mu^2)."""
    mu = equipment.cue_mu
    return equipment.mother_radius * mu / sqrt(1.0 + mu * mu)


def impulse(stroke: Stroke, equipment: Equipment) -> Impulse:
    """Velocity and spin that a stroke gives to the resting mother.

    While the tip grips, the impulse runs along the cue, J = (1+e) V / (1/M + 1/m + b^2/(kI m R^2)).
    Beyond :func:`miscue_offset` it slips (a miscue): the impulse leans on the edge of the friction
    cone, Jn against the mother's edge and mu Jn along it. Jn is the smaller of what restitution
    along the cue asks for (continuous with the gripping stroke) and what restitution against the
    edge does, (1+e) V cos(phi) / (1/M + 1/m), which fades out as the tip grazes; sin(phi) = b/R.

    Raises:
        InvalidMove: the cue passes beside the mother.

    >>> from carrom.equipment import PRESETS
    >>> round(impulse(Stroke(0.38, -0.38, 0.0, 1.0, 2.0), PRESETS["club"]).vy, 3)
    2.991
    """
    radius, mass = equipment.mother_radius, equipment.mother_mass
    e, mu, cue = equipment.cue_e, equipment.cue_mu, equipment.cue_mass
    inertia = equipment.params.kI * mass * radius * radius
    b = stroke.offset
    if abs(b) >= radius:
        raise InvalidMove(
            f"球杆打不到母子 (the cue misses the mother): 偏心 {b} m ≥ 半径 {radius} m",
            text=str(stroke),
        )
    ux, uy = stroke.direction
    if abs(b) <= miscue_offset(equipment):
        j = (1.0 + e) * stroke.speed / (1.0 / cue + 1.0 / mass + b * b / inertia)
        return Impulse(j / mass * ux, j / mass * uy, j * b / inertia, miscue=False)
    sine = b / radius
    cosine = sqrt(1.0 - sine * sine)
    along = (cosine + mu * abs(sine)) * (1.0 / cue + 1.0 / mass)
    along += mu * abs(sine) * radius * radius / inertia
    jn = (1.0 + e) * stroke.speed * min(1.0 / along, cosine / (1.0 / cue + 1.0 / mass))
    jt = mu * jn if b > 0 else -mu * jn
    # n from the tip to the centre, t along the edge; left of the cue is (-uy, ux)
    nx, ny = cosine * ux - sine * uy, cosine * uy + sine * ux
    tx, ty = sine * ux + cosine * uy, sine * uy - cosine * ux
    vx, vy = (jn * nx + jt * tx) / mass, (jn * ny + jt * ty) / mass
    return Impulse(vx, vy, jt * radius / inertia, miscue=True)
