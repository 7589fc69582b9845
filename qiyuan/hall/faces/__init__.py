"""How the hall shows a game: one module a game, found by the game's name in the registry."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

GAMES = ("xiangqi",)
"""Games that have a face, in the order of the menu."""


class Face(Protocol):
    """What the hall has to know of a game beyond the Board protocol (the module of the game)."""

    def start(self, text: str) -> Any:
        """A board from the text of a position, ``""`` = the usual start.

        Raises:
            GameError: there is no such position.
        """

    def view(self, board: Any) -> dict[str, Any]:
        """The position as the page needs it: JSON."""

    def move_view(self, board: Any, move: Any) -> dict[str, Any]:
        """A legal move before it is played: ``zh``, its notation, and its points."""

    def refusal(self, board: Any, text: str) -> tuple[str, tuple[int, ...]] | None:
        """Why a move of the board's points cannot be played, as a sentence for people, and the
        points to mark; None where the text is no such move."""

    def result_text(self, board: Any) -> dict[str, Any] | None:
        """How the game ended on the board: ``winner`` and ``text``; None while it goes on."""

    def needs_ruling(self, board: Any, keys: list[int], rules: str) -> bool:
        """Whether the arbiter has to be asked after the last move; quick."""

    def ruling(self, board: Any, rules: str) -> tuple[dict[str, Any] | None, str]:
        """The arbiter's result, if the game is over by it, and what to tell the players; slow."""


def face(game: str) -> Face:
    """The face of a game.

    Raises:
        KeyError: it has none.
    """
    if game not in GAMES:
        raise KeyError(game)
    module: Any = import_module(f"qiyuan.hall.faces.{game}")
    return module  # type: ignore[no-any-return]
