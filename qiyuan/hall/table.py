"""One game in the hall: the board, who plays, how it stands."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from qikit.errors import GameError, IllegalMove
from qiyuan.hall.faces import face
from qiyuan.hall.store import Saved

ADAPTING = 0
"""The level that follows its partner."""
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
        mode: ``"computer"``, or ``"two"`` people on one screen.
        human: the seat of the person who plays against the computer.
        level: 1 to 10, or 0 = adapting.
        strength: where the adapting level stands now.
        rules: rule book on repetition.
    """

    mode: str = "computer"
    human: int = 0
    level: int = 2
    strength: float = 2.0
    rules: str = "club2008"


class Table:
    """A game that is being played; nothing here waits or writes to a disk.

    Args:
        saved: the game as it lies in the store.

    Raises:
        GameError: a move of it cannot be played.
        KeyError: the hall does not know the game.
    """

    def __init__(self, saved: Saved) -> None:
        self.id, self.game = saved.id, saved.game
        self.face = face(saved.game)
        self.settings = Settings(**saved.settings)
        self.board: Any = self.face.start(saved.start)
        self.moves: list[dict[str, Any]] = []
        self.keys: list[int] = [self.board.key]
        for text in saved.moves:
            self._play(text)
        self.result = saved.result
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
        move = self.board.push(text)
        self.board.pop()  # notation is read off the position before the move
        self.moves.append(self.face.move_view(self.board, move))
        self.board.push(move)
        self.keys.append(self.board.key)
        return str(move)

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
        self.result = self.face.result_text(self.board)
        self.version += 1
        return played

    def take_back(self) -> int:
        """Take back until the person who asked is to move again; returns how many moves.

        Raises:
            GameError: there is nothing to take back.
        """
        count = 1
        one = self.settings
        if one.mode == "computer" and self.board.turn == one.human:
            count = 2
        if self.plies < count:
            raise GameError("还没有可以悔的棋 (nothing to take back)")
        for _ in range(count):
            self.board.pop()
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
        one = self.settings
        loser = one.human if one.mode == "computer" else self.board.turn
        self._end(1 - loser, "对方认输")

    def offer_draw(self) -> None:
        """The side to move offers a draw.

        Raises:
            GameError: the game is over.
        """
        self._going_on()
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

    def _end(self, winner: int | None, why: str) -> None:
        end = "和棋" if winner is None else f"{'红黑'[winner]}方胜"
        self.result = {"winner": winner, "text": f"{end}：{why}。"}
        self.version += 1

    def set_strength(self, strength: float) -> None:
        """Where the adapting level stands now."""
        self.settings = replace(self.settings, strength=strength)

    def settings_json(self) -> dict[str, Any]:
        """The settings as the store keeps them."""
        return asdict(self.settings)

    def view(self) -> dict[str, Any]:
        """The whole state as the page needs it."""
        last = self.moves[-1] if self.moves else None
        position = self.face.view(self.board)
        if self.result is not None:
            position["legal"] = {}
        return {
            "id": self.id,
            "game": self.game,
            **self.settings_json(),
            "turn": self.board.turn,
            "moves": self.moves,
            "last": [last["from"], last["to"]] if last else None,
            "result": self.result,
            "offer": self.offer,
            "notice": self.notice,
            "thinking": self.computer_to_move,
            "version": self.version,
            "position": position,
        }
