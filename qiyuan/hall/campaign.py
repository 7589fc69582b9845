"""军棋 from the empty board on: people draw up their armies one after the other, then they play.

Everything that happens is a line of text, so that a game is kept as a list of lines like any other:
``army icgd…`` (25 letters), ``S11-W15``, ``resign`` (the seat to move), ``draw`` (agreed by all).
"""

from __future__ import annotations

from hashlib import blake2b

from junqi.armies import check_army
from junqi.board import Board
from junqi.events import Event
from junqi.geometry import BoardMap, board_map
from junqi.rules import Rules
from qikit.errors import IllegalMove
from qikit.outcome import Outcome

READY = {
    "三角雷": "dghgcbfekiiackdejfhijljhg",
    "右路强攻": "ghdcbheaifkcigkdgejifhjlj",
    "中路突击": "egcgekbkdhiacfdijhjigljhf",
    "假旗疑兵": "cfehbdgakhicekdifgjigljhj",
}
"""Set-ups for those who do not want to make their own, by what they are good for."""


class Campaign:
    """A game of 军棋 as the hall keeps it; the words are those of the other games' boards.

    Args:
        rules: the switches.
        position: a position text of `junqi.notation` where no armies are to be drawn up.

    Raises:
        InvalidPosition: the text cannot be read.

    >>> game = Campaign(Rules.preset("luzhan"))
    >>> for army in list(READY.values())[:2]:
    ...     _ = game.push(f"army {army}")
    >>> game.turn, game.push("S11-N15"), game.events[-1].fight.value
    (0, 'S11-N15', 'repelled')
    """

    def __init__(self, rules: Rules, position: str = "") -> None:
        self.board: Board | None = Board(position, rules) if position else None
        self.rules: Rules = rules if self.board is None else self.board.rules
        self.armies: list[str] = []
        self._lines: list[str] = []

    @property
    def map(self) -> BoardMap:
        """The board's points and links."""
        return board_map(self.rules.board)

    @property
    def turn(self) -> int:
        """The seat to move, or to draw up its army."""
        return len(self.armies) if self.board is None else self.board.turn

    @property
    def plies(self) -> int:
        """Lines so far."""
        return len(self._lines)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the first move."""
        return () if self.board is None else self.board.events

    @property
    def key(self) -> int:
        """A number for the position, never shown to anybody."""
        if self.board is not None:
            return self.board.key
        words = "/".join(self.armies).encode()
        return int.from_bytes(blake2b(words, digest_size=8).digest(), "big") >> 1

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return None if self.board is None else self.board.outcome()

    def playing(self) -> Board:
        """The referee's board.

        Raises:
            IllegalMove: not every army has been drawn up.
        """
        if self.board is None:
            who = self.map.seat_name(self.turn)
            raise IllegalMove(f"请{who}方先布阵（S3B-JQ-6）(draw up the army first)", text="")
        return self.board

    def push(self, text: str) -> str:
        """Do what a line says; returns the line as it is kept.

        Raises:
            IllegalMove: the rules do not allow it; the message says which.
            InvalidMove: no such line.
            InvalidPosition: an army that breaks the set-up rules.
        """
        word, _, rest = text.partition(" ")
        match word:
            case "army":
                line = self._draw_up(rest.strip().lower())
            case "resign":
                board = self.playing()
                board.resign(board.turn)
                line = "resign"
            case "draw":
                board = self.playing()
                for seat in board.alive:
                    board.offer_draw(seat)
                line = "draw"
            case _:
                line = str(self.playing().push(text))
        self._lines.append(line)
        return line

    def _draw_up(self, army: str) -> str:
        if self.board is not None:
            raise IllegalMove("各方已经布阵 (every army has been drawn up)", text="army")
        check_army(army, f"{self.map.seat_name(self.turn)}方")
        self.armies.append(army)
        if len(self.armies) == self.map.seats:
            self.board = Board.from_armies(self.armies, rules=self.rules)
        return f"army {army}"

    def pop(self) -> str:
        """Take the last line back.

        Raises:
            IllegalMove: there is none.
        """
        if not self._lines:
            raise IllegalMove("还没有开始 (nothing has happened)", text="")
        line = self._lines.pop()
        if line.startswith("army"):
            self.armies.pop()
            self.board = None
        else:
            self.playing().take_back()
        return line

    def copy(self) -> Campaign:
        """An independent copy."""
        other = Campaign.__new__(Campaign)
        other.rules, other.armies, other._lines = self.rules, list(self.armies), list(self._lines)
        other.board = None if self.board is None else self.board.copy()
        return other
