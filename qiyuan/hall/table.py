"""One game in the hall: the board, who plays, how it stands."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from qikit.errors import GameError, IllegalMove
from qiyuan.hall.faces import face
from qiyuan.hall.faces.face import Occasion
from qiyuan.hall.store import Saved

MOST_PLIES = 2000


class Refused(GameError):
    """A move that the rules do not allow, as a sentence for people.

    Attributes:
        marks: points that a picture should mark (what blocks, what gives check).
    """

    def __init__(self, message: str, marks: tuple[int, ...]) -> None:
        super().__init__(message)
        self.marks = marks


@dataclass(frozen=True)
class Settings:
    """Who plays and how.

    Attributes:
        mode: ``"computer"``, or ``"two"`` = the people of all seats share the screen.
        human: the seat of the person who plays against the computer.
        level: one of the levels of the game's face.
        strength: where the adapting level stands now.
        options: value of every option of the game.
    """

    mode: str = "computer"
    human: int = 0
    level: int = 2
    strength: float = 2.0
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, saved: Mapping[str, Any]) -> Self:
        """The settings as the store kept them.

        >>> Settings.of({"mode": "two", "rules": "cxa2020"}).options
        {'rules': 'cxa2020'}
        """
        kept = dict(saved)
        if "rules" in kept:  # before 象棋 had company in the hall
            kept["options"] = {"rules": kept.pop("rules")}
        return cls(**kept)


class Table:
    """A game that is being played; nothing here waits or writes to a disk.

    Args:
        saved: the game as it lies in the store.

    Raises:
        GameError: a move of it cannot be played.
        KeyError: the hall does not know the game.
    """

    def __init__(self, saved: Saved) -> None:
        self.id, self.game, self.created = saved.id, saved.game, saved.created
        self.face = face(saved.game)
        settings = Settings.of(saved.settings)  # options that came later have their usual value
        self.settings = replace(settings, options=self.face.chosen(settings.options))
        self.board: Any = self.face.start(saved.start, self.settings.options)
        self.moves: list[dict[str, Any]] = []
        self.keys: list[int] = [self.board.key]
        for text in saved.moves:
            self._play(text)
        self.result = saved.result or self.face.result(self.board)  # a record may tell a whole game
        self.offer: int | None = None
        self.notice = ""
        self.version = 0
        """Grows with every change, so that a late answer of a search is seen to be late."""

    @classmethod
    def checked(cls, saved: Saved) -> Self:
        """A table for a game from outside: as ``Table(saved)``, with bounds.

        Raises:
            GameError: too many moves, or as ``Table(saved)``.
        """
        if len(saved.moves) > MOST_PLIES:
            raise GameError(f"一局棋最多 {MOST_PLIES} 着 (too many moves)")
        return cls(saved)

    def _play(self, text: str) -> str:
        seat = self.board.turn
        played, shown = self.face.play(self.board, text)
        self.moves.append({"seat": seat, **shown})
        self.keys.append(self.board.key)
        return played

    @property
    def plies(self) -> int:
        """Moves played in the hall."""
        return len(self.moves)

    @property
    def computer_to_move(self) -> bool:
        """Whether everybody waits for the computer."""
        one = self.settings
        return self.result is None and one.mode == "computer" and self.board.turn != one.human

    def play(self, text: str) -> str:
        """Play a move in any notation of the game; returns its plain text.

        Raises:
            GameError: it cannot be played, or the game is over.
        """
        if self.result is not None:
            raise GameError("这局棋已经结束，可以悔棋或开新局 (the game is over)")
        if self.plies >= MOST_PLIES:
            raise GameError(f"一局棋最多 {MOST_PLIES} 着 (too many moves)")
        try:
            played = self._play(text)
        except IllegalMove:
            why = self.face.refusal(self.board, text)
            if why is None:
                raise
            raise Refused(*why) from None
        self.offer, self.notice = None, ""
        self.result = self.face.result(self.board)
        self.version += 1
        return played

    def take_back(self) -> int:
        """Take back until the person who asked is to move again; returns how many moves.

        Raises:
            GameError: there is nothing to take back.
        """
        self._allowed("back")
        one = self.settings
        own = [
            ply
            for ply, move in enumerate(self.moves)
            if one.mode == "two" or move["seat"] == one.human
        ]
        if not own:
            raise GameError("还没有可以悔的棋 (nothing to take back)")
        count = self.plies - own[-1]
        for _ in range(count):
            self.face.take_back(self.board)
            self.moves.pop()
            self.keys.pop()
        self.result, self.offer, self.notice = None, None, ""
        self.version += 1
        return count

    def resign(self) -> None:
        """The person whose turn it is (against the computer: the person) gives up.

        Raises:
            GameError: the game is over.
        """
        self._going_on()
        self._allowed("resign")
        one = self.settings
        loser = one.human if one.mode == "computer" else self.board.turn
        self._end(1 - loser, f"{self.face.seats(self.board)[loser]}认输")

    def offer_draw(self) -> None:
        """The side to move offers a draw.

        Raises:
            GameError: the game is over.
        """
        self._going_on()
        self._allowed("draw")
        self.offer = self.board.turn
        self.version += 1

    def answer(self, agreed: bool) -> None:
        """Answer the offer of a draw.

        Raises:
            GameError: there is none.
        """
        if self.offer is None or self.result is not None:
            raise GameError("没有人提出和棋 (no draw was offered)")
        self.offer = None
        if agreed:
            self._end(None, "双方同意和棋")
        self.version += 1

    def _going_on(self) -> None:
        if self.result is not None:
            raise GameError("这局棋已经结束 (the game is over)")

    def _allowed(self, what: str) -> None:
        if what not in self.face.can(self.board):
            raise GameError(f"这种棋没有这一项 (not in this game): {what}")

    def _end(self, winner: int | None, why: str) -> None:
        self.result = self.face.ended(self.board, winner, why)
        self.version += 1

    def set_strength(self, strength: float) -> None:
        """Where the adapting level stands now."""
        self.settings = replace(self.settings, strength=strength)

    def settings_json(self) -> dict[str, Any]:
        """The settings as the store keeps them."""
        return asdict(self.settings)

    def view(self) -> dict[str, Any]:
        """The whole state as the page needs it."""
        position = self.face.view(self.board)
        if self.result is not None:
            position["legal"] = {}
        return {
            "id": self.id,
            "game": self.game,
            **self.settings_json(),
            "seats": self.face.seats(self.board),
            "can": sorted(self.face.can(self.board)),
            "turn": self.board.turn,
            "moves": self.moves,
            "result": self.result,
            "offer": self.offer,
            "notice": self.notice,
            "thinking": self.computer_to_move,
            "version": self.version,
            "position": position,
        }

    def file(self, form: str, notation: str) -> bytes:
        """The game as a file, with the day it was begun and who plays, as far as that is known.

        Raises:
            GameError: it cannot be written so.
        """
        one, date = self.settings, ""
        if self.created:
            date = time.strftime("%Y-%m-%d", time.localtime(self.created))
        level = self.face.levels.get(one.level, "").partition("（")[0]
        computer = f"电脑（{level}）" if one.mode == "computer" else ""
        players = tuple(
            "棋友" if computer and seat == one.human else computer
            for seat in range(len(self.face.seats(self.board)))
        )
        return self.face.file(self.board, form, self.result, notation, Occasion(date, players))

    def look_back(self, ply: int) -> dict[str, Any]:
        """The position after some moves, which nobody can move on from.

        Raises:
            GameError: the game has no such move.
        """
        if not 0 <= ply <= self.plies:
            raise GameError(f"这局棋没有第 {ply} 着 (no such move)")
        board = self.board.copy()
        for _ in range(self.plies - ply):
            self.face.take_back(board)
        return {**self.face.view(board), "legal": {}}
