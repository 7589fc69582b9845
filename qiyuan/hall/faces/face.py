"""What the hall has to know of a game, with the answers of a plain game as defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qikit.errors import GameError
from qikit.stop import StopFlag

ADAPTING = 0
"""The level that follows its partner."""
Result = dict[str, Any]
"""How a game ended: ``winner`` (a seat or None), ``text``, and ``ruling`` where one was given."""


@dataclass(frozen=True)
class Option:
    """Something that people choose before a game begins.

    Attributes:
        name: what programs call it.
        zh: what people call it.
        choices: values and their Chinese names; the first is the usual one.
        words: what a value means, in a sentence, where its name does not say it.
        asked: whether the page asks for it.
    """

    name: str
    zh: str
    choices: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)
    asked: bool = True


@dataclass(frozen=True)
class Thought:
    """The computer's move.

    Attributes:
        move: its text.
        strength: where the adapting level stands after it.
        notice: what to tell the people besides.
    """

    move: str
    strength: float
    notice: str = ""


@dataclass(frozen=True)
class Occasion:
    """What a record tells of a game besides its moves.

    Attributes:
        date: when it was begun, ``2026-05-01``; ``""`` = not known.
        players: who plays, by seat; ``""`` = not known.
    """

    date: str = ""
    players: tuple[str, ...] = ()

    def headers(self, *seats: str) -> dict[str, str]:
        """What is known, as headers of a record whose ``seats`` are called so.

        >>> Occasion("2026-05-01", ("甲", "")).headers("Red", "Black")
        {'Date': '2026-05-01', 'Red': '甲'}
        """
        found = {"Date": self.date, **dict(zip(seats, self.players, strict=False))}
        return {name: text for name, text in found.items() if text}


UNKNOWN = Occasion()


class Face(ABC):
    """How the hall plays one game: a subclass for each, its one instance called ``FACE``.

    A *board* is whatever ``start`` returns: it has ``turn`` (the seat to move), ``key``, ``copy()``
    and, where the defaults of this class are kept, ``push(text)``, ``pop()`` and ``outcome()`` as
    in ``qikit.protocol``. A face keeps no state of its own: it is asked from several threads.
    """

    game: str
    """Name in the registry; also of the module of the page (``static/<game>.js``)."""
    zh: str
    """Its name on the menu."""
    together = "两人对下"
    """Name of the mode in which people share the screen."""
    options: tuple[Option, ...] = ()
    """What is chosen before a game."""
    humans: tuple[str, ...] = ()
    """Seats that a person who plays the computer may choose from; empty: always the first."""
    levels: Mapping[int, str] = {}
    """Levels of the computer and their names, weakest first; without one it does not play."""
    forms: Mapping[str, str] = {}
    """File formats that the game is saved in, each with its suffix; the first is the usual one."""
    listed = False
    """Whether its games begin from a list that the page's module shows, not from the menu."""
    lines: Mapping[str, str] = {}
    """Moves by which the seat to move gives up (``resign``) and all agree to a draw (``draw``), in
    a game that goes on after the one, or whose record holds them."""
    needs: Mapping[str, str] = {}
    """Kernels without which no board can be made, each with what people read while they wait."""
    thinks: Mapping[str, str] = {}
    """Kernels that the computer needs."""
    judges: Mapping[str, str] = {}
    """Kernels that the arbiter needs."""

    # ------------------------------------------------------------ a game

    def chosen(self, options: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value.

        Raises:
            GameError: no such option, or no such value.
        """
        known = {one.name: one for one in self.options}
        for name, value in options.items():
            if name not in known:
                raise GameError(f"{self.zh}没有这一项 (no such option): {name!r:.60}")
            if value not in known[name].choices:
                raise GameError(
                    f"没有这种{known[name].zh} (no such value of {name}): {value!r:.60}"
                )
        return {one.name: options.get(one.name, next(iter(one.choices))) for one in self.options}

    @abstractmethod
    def start(self, text: str, options: Mapping[str, str]) -> Any:
        """A board from the text of a position, ``""`` = the usual start.

        Raises:
            GameError: there is no such position, or it does not go with the options.
        """

    @abstractmethod
    def seats(self, board: Any) -> tuple[str, ...]:
        """What the seats are called (``红方``), in the order of ``board.turn``."""

    def can(self, board: Any) -> frozenset[str]:
        """What people may ask for: ``back``, ``resign``, ``draw``, ``hint``, ``review``."""
        return frozenset({"back", "resign", "draw"} if len(self.seats(board)) == 2 else {"back"})

    def play(self, board: Any, text: str) -> tuple[str, dict[str, Any]]:
        """Play a move in any notation; its plain text and its :meth:`move_view`.

        Raises:
            GameError: it is no move, or the rules stop it; then the board is as it was.
        """
        move = board.push(text)
        board.pop()  # notation is read off the position before the move
        shown = self.move_view(board, move)
        board.push(move)
        return str(move), shown

    def take_back(self, board: Any) -> None:
        """Undo the last move."""
        board.pop()

    @abstractmethod
    def view(self, board: Any) -> dict[str, Any]:
        """The position as the game's module of the page needs it: JSON.

        ``say``, where it is there, is said after the move (``将军！``). What a seat may not know
        must not be in it.
        """

    def move_view(self, board: Any, move: Any) -> dict[str, Any]:
        """A legal move before it is played: ``zh``, its notation, and what the page draws of it."""
        raise GameError(f"{self.zh}没有这一项 (not in this game)")

    def refusal(self, board: Any, text: str) -> tuple[str, tuple[int, ...]] | None:
        """Why a move cannot be played, as a sentence for people, and the points to mark; None
        where the error of :meth:`play` says it well enough."""
        return None

    def result(self, board: Any) -> Result | None:
        """How the game ended on the board; None while it goes on."""
        outcome = board.outcome()
        if outcome is None:
            return None
        return self.ended(board, outcome.winner, outcome.termination.zh)

    def ended(self, board: Any, winner: int | None, why: str) -> Result:
        """A result with its sentence."""
        end = "和棋" if winner is None else f"{self.seats(board)[winner]}胜"
        return {"winner": winner, "text": f"{end}：{why}。"}

    def answer(self, board: Any, question: Mapping[str, Any]) -> dict[str, Any]:
        """What only this game is asked (``do: ask``); on a copy of the board and off the loop.

        Raises:
            GameError: it is not asked this.
        """
        raise GameError(f"{self.zh}没有这一项 (this game is asked nothing)")

    # ------------------------------------------------------------ the arbiter

    def needs_ruling(self, board: Any, keys: list[int], options: Mapping[str, str]) -> bool:
        """Whether the arbiter has to be asked after the last move; quick.

        Args:
            keys: keys of all positions of the game, the present one last.
        """
        return False

    def ruling(self, board: Any, options: Mapping[str, str]) -> tuple[Result | None, str]:
        """The arbiter's result, if the game is over by it, and what to tell the players; slow."""
        raise GameError(f"{self.zh}没有这一项 (not in this game)")

    # ------------------------------------------------------------ the computer

    def searcher(self, last: Any | None) -> Any:
        """What thinks, with an empty memory; ``last`` is what this thread had for this game."""
        return None

    def choose(
        self, board: Any, level: int, strength: float, searcher: Any, stop: StopFlag
    ) -> Thought | None:
        """The computer's move."""
        raise GameError(f"{self.zh}没有这一项 (not in this game)")

    def finished(self, strength: float, won: bool | None) -> float:
        """Strength of the adapting level after a game that it won, lost, or (None) drew."""
        return strength

    def agrees(self, board: Any, searcher: Any, stop: StopFlag) -> bool:
        """Whether the computer takes the draw that the side to move offers."""
        return False

    def hint(self, board: Any, searcher: Any, stop: StopFlag) -> dict[str, Any] | None:
        """A move to advise: ``text``, and what the page draws of it."""
        raise GameError(f"{self.zh}没有这一项 (not in this game)")

    def review(self, board: Any, searcher: Any, stop: StopFlag) -> list[dict[str, Any]]:
        """Moves that could have been better: ``ply``, ``mark``, ``text``, and the better one."""
        raise GameError(f"{self.zh}没有这一项 (not in this game)")

    # ------------------------------------------------------------ files

    def file(
        self,
        board: Any,
        form: str,
        result: Result | None,
        notation: str,
        occasion: Occasion = UNKNOWN,
    ) -> bytes:
        """The game as a file.

        Args:
            form: one of ``forms``.
            result: how it ended.
            notation: how moves are written, where the format leaves a choice; ``""`` = as usual.
            occasion: when and by whom, for formats that have a place for it.

        Raises:
            GameError: it cannot be written so.
        """
        raise GameError(f"{self.zh}没有这一项 (not in this game)")

    def read(self, data: bytes) -> list[dict[str, Any]]:
        """The games of a file.

        Each has ``title``, ``plies``, ``start``, ``moves``, ``options`` and ``defects``.

        Raises:
            GameError: it is no such file.
        """
        raise GameError(f"{self.zh}还不能打开棋谱文件 (no file format)")

    # ------------------------------------------------------------ the menu

    def board(self, name: str) -> dict[str, Any]:
        """What the page draws a board from, where its own module does not know: JSON.

        Raises:
            GameError: no such board.
        """
        raise GameError(f"{self.zh}没有这种棋盘 (no such board): {name!r:.60}")

    def describe(self) -> dict[str, Any]:
        """What the menu shows of it: JSON."""
        return {
            "game": self.game,
            "zh": self.zh,
            "together": self.together,
            "listed": self.listed,
            "humans": self.humans,
            "options": [
                {
                    "name": one.name,
                    "zh": one.zh,
                    "asked": one.asked,
                    "choices": [
                        {"value": value, "zh": zh, "words": one.words.get(value, "")}
                        for value, zh in one.choices.items()
                    ],
                }
                for one in self.options
            ],
            "levels": [{"number": number, "zh": zh} for number, zh in self.levels.items()],
            "forms": [{"form": form, "suffix": end} for form, end in self.forms.items()],
        }
