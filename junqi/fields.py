"""Fields of JSON Lines: what is not as it should be is refused in a sentence that names the field.

>>> value_of(json_object('{"ms": 7}'), "ms", "毫秒数", "milliseconds", int)
7
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from reprlib import repr as short
from typing import Any, TypeVar

from qikit.errors import InvalidRecord

T = TypeVar("T")
D = TypeVar("D")
NEEDED = object()
"""The default of a field that may not be missing."""


def json_object(text: str) -> dict[str, Any]:
    """The object that a line holds.

    Raises:
        InvalidRecord: not JSON, or not an object.

    >>> json_object("[1]")
    Traceback (most recent call last):
        ...
    qikit.errors.InvalidRecord: 不是 JSON 对象 (not a JSON object): '[1]'
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # RecursionError: brackets without end
        raise InvalidRecord(f"不是 JSON (not JSON): {short(text)}", text=text[:400]) from None
    if not isinstance(data, dict):
        raise InvalidRecord(f"不是 JSON 对象 (not a JSON object): {short(text)}", text=text[:400])
    return data


def value_of(
    data: Mapping[str, Any],
    name: str,
    zh: str,
    en: str,
    read: Callable[[Any], T],
    default: D | object = NEEDED,
) -> T | D:
    """The value of a field.

    Args:
        data: the object.
        name: of the field.
        zh: what it should be, for people.
        en: the same in English.
        read: makes the value of what the file says; whatever it raises is a refusal.
        default: the value where the field is missing; without one, that is refused too.

    Raises:
        InvalidRecord: missing, or not what it should be.

    >>> value_of({"seat": "x"}, "seat", "座位号", "a seat", int)
    Traceback (most recent call last):
        ...
    qikit.errors.InvalidRecord: 字段 seat 应为座位号，不能是 'x' (field seat: should be a seat)
    """
    if name not in data:
        if default is NEEDED:
            raise InvalidRecord(f"缺少字段 {name} (field {name} is missing)", text=short(data))
        return default  # type: ignore[return-value]
    try:
        return read(data[name])
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InvalidRecord(
            f"字段 {name} 应为{zh}，不能是 {short(data[name])} (field {name}: should be {en})",
            text=short(data),
        ) from None
