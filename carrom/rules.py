"""Rule options of 康乐棋: the club's text where it is clear, a named reading where it is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from carrom.quantity import flag, whole
from qikit.errors import InvalidPosition

_READINGS: dict[str, tuple[str, ...]] = {
    "opponent_pieces": ("cancel_then_pay", "pay"),
    "near_first": ("first_contact", "pocketed", "off"),
    "sector": ("half", "forward"),
    "mother_off": ("skip_turn", "end_turn"),
    "fly_off": ("stack", "side_by_side"),
}


@dataclass(frozen=True)
class Rules:
    """One rule set; the defaults are the club's rules S0-KL-1 to 15 in the recommended reading.

    Attributes:
        name: stable id of the preset.
        zh: its name for people.
        fortress: whether the fortress (碉堡) must be pocketed first (S0-KL-7).
        fortress_resets: whether a fortress that was moved but not pocketed goes back to its spot.
        opponent_pieces: ``cancel_then_pay``: pieces of the opponent and the mother in a hole first
            cancel strikes earned by the same stroke, the rest is paid in pieces (S0-KL-4, 12);
            ``pay``: all is paid in pieces, strikes stay.
        near_first: how "first side before far side" (S0-KL-11) is held: ``first_contact``:
            while own pieces lie before the base line, the first own piece that the mother touches
            must be one of them; ``pocketed``: own far pieces pocketed meanwhile come back; ``off``.
        sector: directions of the cue (S0-KL-10), from the striker's right-hand corner circle:
            ``half``: not beyond the diagonal through the circle (45 to 225 degrees); ``forward``:
            between both diagonals (45 to 135 degrees).
        mother_off: mother off the board (S0-KL-12): ``skip_turn``: the turn ends and the next one
            is missed; ``end_turn``: only the turn ends.
        fly_off: pieces of both sides off the board (S0-KL-8): ``stack``: at the centre, the
            striker's below, the opponent's on top; ``side_by_side``.
        stick_touch: pieces paid when the cue touches a piece (S0-KL-10).
        strike_limit: strikes of both sides after which the referee ends a game by the pieces left
            (S0-KL-2); ``None`` = no limit.

    >>> CLUB.near_first, Rules.of({"near_first": "off"}).near_first
    ('first_contact', 'off')
    """

    name: str = "club"
    zh: str = "活动中心康乐棋规则"
    fortress: bool = True
    fortress_resets: bool = True
    opponent_pieces: str = "cancel_then_pay"
    near_first: str = "first_contact"
    sector: str = "half"
    mother_off: str = "skip_turn"
    fly_off: str = "stack"
    stick_touch: int = 1
    strike_limit: int | None = 600

    def __post_init__(self) -> None:
        for name, allowed in _READINGS.items():
            value = getattr(self, name)
            if value not in allowed:
                raise InvalidPosition(
                    f"规则选项 {name} 只能是 (must be one of) {', '.join(allowed)}: {value!r:.80}"
                )
        for name in ("name", "zh"):
            if not isinstance(getattr(self, name), str):
                raise InvalidPosition(f"规则的 {name} 不是文字 (not a text)")
        flag(self.fortress, "fortress")
        flag(self.fortress_resets, "fortress_resets")
        whole(self.stick_touch, "stick_touch", 0, 50)
        if self.strike_limit is not None:
            whole(self.strike_limit, "strike_limit", 1, 1_000_000)

    @classmethod
    def of(cls, source: Rules | Mapping[str, Any] | str | None) -> Rules:
        """From a preset's name, a dict of :meth:`to_dict`, as it is, or the club's for ``None``.

        Raises:
            InvalidPosition: no such preset, option or reading.
        """
        if source is None:
            return CLUB
        if isinstance(source, Rules):
            return source
        if isinstance(source, str):
            if source not in PRESETS:
                known = ", ".join(PRESETS)
                raise InvalidPosition(f"没有这套规则 (no such rules): {source!r}; 现有 {known}")
            return PRESETS[source]
        if not isinstance(source, Mapping):
            raise InvalidPosition(f"规则应为名字或字典 (a name or a dict): {source!r:.80}")
        strange = sorted(set(map(str, source)) - {f.name for f in fields(cls)})
        if strange:
            raise InvalidPosition(f"没有这些规则选项 (unknown options): {', '.join(strange)}")
        return cls(**source)

    def to_dict(self) -> dict[str, Any]:
        """Plain dict of all options."""
        return asdict(self)


CLUB = Rules()
"""S0-KL: the default."""
OPEN = Rules("open", "简明康乐棋", fortress=False, near_first="off", sector="half")
"""Clear your pieces: no fortress, no sides; for practice and for other countries' games."""

PRESETS = {rules.name: rules for rules in (CLUB, OPEN)}
