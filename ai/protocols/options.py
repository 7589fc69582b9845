"""Options as engines announce them: ``option name Hash type spin default 16 min 1 max 1024``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEYWORDS = re.compile(r"(?:^|\s)(type|default|min|max|var)(?=\s|$)")


@dataclass(frozen=True)
class EngineOption:
    """One option of an engine; UCI writes ``name`` before it, UCCI does not.

    >>> hash_size = EngineOption.parse("option name Hash type spin default 16 min 1 max 1024")
    >>> hash_size.name, hash_size.kind, hash_size.default, hash_size.most
    ('Hash', 'spin', '16', 1024)
    >>> hash_size.line()
    'option name Hash type spin default 16 min 1 max 1024'
    >>> EngineOption.parse("option usemillisec type check default true").key
    'usemillisec'
    """

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name for comparisons: no case, no blanks, no underscores (UCCI allows no blanks)."""
        return option_key(self.name)

    def line(self, *, ucci: bool = False) -> str:
        """The announcement."""
        parts = ["option", self.name.replace(" ", "_") if ucci else f"name {self.name}"]
        parts += ["type", self.kind]
        if self.kind != "button":
            parts += ["default", self.default or "<empty>"]
        if self.least is not None:
            parts += ["min", str(self.least)]
        if self.most is not None:
            parts += ["max", str(self.most)]
        for choice in self.choices:
            parts += ["var", choice]
        return " ".join(parts)

    @classmethod
    def parse(cls, line: str) -> EngineOption:
        """Read an announcement of either protocol.

        Raises:
            ValueError: no option line, or one without a name.
        """
        word, _, rest = line.strip().partition(" ")
        if word != "option":
            raise ValueError(f"not an option line: {line!r}")
        head, *pieces = _KEYWORDS.split(rest)
        name = head.strip()
        if name.startswith("name ") or name == "name":
            name = name[5:].strip()
        if not name:
            raise ValueError(f"an option without a name: {line!r}")
        kind, default, choices = "string", "", []
        limits: dict[str, int] = {}
        for keyword, value in zip(pieces[::2], pieces[1::2], strict=True):
            text = value.strip()
            if keyword == "type":
                kind = text
            elif keyword == "default":
                default = "" if text == "<empty>" else text
            elif keyword == "var":
                choices.append(text)
            elif re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
                limits[keyword] = int(text)
        return cls(name, kind, default, limits.get("min"), limits.get("max"), tuple(choices))

    def accept(self, value: str) -> str:
        """``value`` in the form in which it is kept.

        Raises:
            ValueError: out of range, or none of the choices.

        >>> EngineOption("Ponder", "check", "false").accept("on")
        'true'
        """
        if self.kind == "check":
            if value.lower() in ("true", "on", "1", ""):
                return "true"
            if value.lower() in ("false", "off", "0"):
                return "false"
            raise ValueError(f"{self.name}: true or false, not {value!r}")
        if self.kind == "spin":
            if not re.fullmatch(r"[+-]?\d{1,18}", value, re.ASCII):
                raise ValueError(f"{self.name}: a whole number, not {value!r}")
            if not (self.least or 0) <= int(value) <= (1 << 62 if self.most is None else self.most):
                raise ValueError(f"{self.name}: {self.least}..{self.most}, not {value}")
            return str(int(value))
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == value.lower():
                    return choice
            raise ValueError(f"{self.name}: one of {', '.join(self.choices)}, not {value!r}")
        return "" if value == "<empty>" else value


def option_key(name: str) -> str:
    """The form of a name in which ``Skill Level`` and ``skill_level`` are the same."""
    return name.lower().replace(" ", "").replace("_", "")
