"""Openings for matches: short balanced beginnings, one a line of coordinate moves."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path


@cache
def openings(game: str = "xiangqi") -> tuple[tuple[str, ...], ...]:
    """The openings that ship for a game, each a tuple of moves.

    Raises:
        ValueError: there are none for this game.

    >>> len(openings()) >= 50, all(len(moves) == 8 for moves in openings())
    (True, True)
    """
    source = files("ai.openings") / f"{game}.txt"
    if not source.is_file():
        raise ValueError(f"没有 {game} 的开局 (no openings for this game)")
    return parse(source.read_text(encoding="utf-8"))


def parse(text: str) -> tuple[tuple[str, ...], ...]:
    """Openings of a text: a line each; what follows ``#`` is a remark.

    >>> parse("h2e2 h9g7  # 中炮\\n\\nc3c4\\n")
    (('h2e2', 'h9g7'), ('c3c4',))
    """
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return tuple(tuple(words) for words in lines if words)


def read(path: str | Path) -> tuple[tuple[str, ...], ...]:
    """Openings of a file, see :func:`parse`."""
    return parse(Path(path).read_text(encoding="utf-8"))
