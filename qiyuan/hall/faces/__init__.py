"""How the hall shows a game: one module a game, found by the game's name in the registry."""

from __future__ import annotations

from importlib import import_module

from qiyuan.hall.faces.face import Face

GAMES = ("xiangqi", "puzzles", "gomoku", "checkers", "junqi", "carrom")
"""Games that have a face, in the order of the menu."""


def face(game: str) -> Face:
    """The face of a game.

    Raises:
        KeyError: it has none.
    """
    if game not in GAMES:
        raise KeyError(game)
    found = import_module(f"qiyuan.hall.faces.{game}").FACE
    assert isinstance(found, Face)
    return found
