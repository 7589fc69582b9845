"""Numbers from outside: read as what they are, within the range that makes sense."""

from __future__ import annotations

from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from qikit.errors import GameError, InvalidPosition


def number(
    value: Any,
    name: str,
    low: float = -inf,
    high: float = inf,
    error: type[GameError] = InvalidPosition,
) -> float:
    """A finite number from ``low`` to ``high``, as a plain float (an int stays one).

    Raises:
        GameError: of type ``error``, when it is no number, not finite, or out of the range.

    >>> number(0.5, "mu", 0.0, 1.0)
    0.5
    >>> number("0.5", "mu")
    Traceback (most recent call last):
    qikit.errors.InvalidPosition: mu 不是数 (not a number): '0.5'
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise error(f"{name} 不是数 (not a number): {value!r:.80}", text=f"{value!r:.80}")
    try:
        plain = float(value)
    except OverflowError:
        plain = inf
    if not isfinite(plain):
        raise error(f"{name} 必须是有限数 (must be finite): {plain}", text=str(plain))
    if not low <= plain <= high:
        raise error(f"{name} 只能在 {low:g} 到 {high:g} 之间 (range): {plain!r}", text=repr(plain))
    return int(value) if isinstance(value, Integral) else plain


def whole(value: Any, name: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``.

    Raises:
        InvalidPosition: it is none, or out of the range.

    >>> whole(2.5, "pieces", 1, 24)
    Traceback (most recent call last):
    qikit.errors.InvalidPosition: pieces 不是整数 (not a whole number): 2.5
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidPosition(f"{name} 不是整数 (not a whole number): {value!r:.80}")
    plain = int(value)
    if not low <= plain <= high:
        shown = str(plain) if abs(plain) < 10**20 else "…"
        raise InvalidPosition(f"{name} 只能在 {low} 到 {high} 之间 (range): {shown}")
    return plain


def flag(value: Any, name: str) -> bool:
    """A truth value.

    Raises:
        InvalidPosition: neither ``True`` nor ``False``.

    >>> flag(True, "rails")
    True
    """
    if not isinstance(value, bool):
        raise InvalidPosition(f"{name} 只能是 True 或 False (true or false): {value!r:.80}")
    return value
