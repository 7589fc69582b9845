"""The registry of games: found through the entry point group ``qiyuan.games``.

A game that lives in another distribution registers itself in the same way as the built-in ones,
so nothing here knows a game by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from qikit.protocol import Capability

GAME_GROUP = "qiyuan.games"


@dataclass(frozen=True)
class GameInfo:
    """One game, as its package describes itself (``xiangqi.GAME``).

    Attributes:
        name: the package's name.
        name_zh: the name people read.
        board: the class ``Board`` (or a function that makes a start position).
        move: the class ``Move`` with ``Move.parse``.
        capabilities: what ``board`` can do beyond the protocol.
    """

    name: str
    name_zh: str
    board: Callable[..., Any]
    move: Any
    capabilities: Capability


@cache
def names() -> tuple[str, ...]:
    """Names of the registered games, sorted.

    >>> "xiangqi" in names()
    True
    """
    return tuple(sorted(point.name for point in entry_points(group=GAME_GROUP)))


@cache
def game(name: str) -> GameInfo:
    """The game called ``name``; its package is imported now.

    Raises:
        KeyError: no such game; the message lists those that there are.

    >>> game("xiangqi").name_zh
    '象棋'
    """
    for point in entry_points(group=GAME_GROUP):
        if point.name == name:
            loaded: GameInfo = point.load()
            return loaded
    raise KeyError(f"没有名为 {name!r} 的棋种 (no such game); 现有 (known): {', '.join(names())}")
