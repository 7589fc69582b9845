"""The line protocol of the computer game contest CCGC for 陆战棋 (two players).

| referee | engine |
|---|---|
| ``INFO version`` | ``NAME name`` |
| ``START first seconds steps`` | ``ARRAY army``; first 0 = the engine begins; steps: quiet limit |
| ``GO move result [flag]`` | ``BESTMOVE move``; the opponent's last move, ``GO 0000 0 00``: none |
| ``RESULT result [flag]`` | nothing; what the engine's own last move led to |
| ``END`` | the process ends |

A point is a row letter A (the opponent's last row) to L (the own one) and a column 0 to 4, so every
engine sees itself at the bottom; a move is two points. Result: 0 the attacker lost, 1 it won, 2
both left, 3 a plain move. ``flag`` is the point of the opponent's flag, told when its 司令 has
fallen.
What cannot be understood goes to the log, never to the referee.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from itertools import zip_longest
from random import Random
from typing import Any

from ai.player import Budget, Player
from ai.transport import LineTransport
from qikit import GameError

log = logging.getLogger(__name__)
_MOVE = re.compile(r"([A-L][0-4])([A-L][0-4])")
_POINT = re.compile(r"[A-L][0-4]")
ME, OTHER = 0, 1
MOVES_EXPECTED = 120
"""The time for the game is shared out over so many own moves."""

NO_MOVE = "0000"
"""What stands for a move where there is none."""
START_DEFAULTS = (0, 3600, 31)
"""Who begins, seconds and steps where the referee does not tell them."""
MOST = 1_000_000
"""Seconds and steps beyond this are as good as no limit."""


def point_of(text: str) -> int:
    """The point that the referee calls so.

    >>> from junqi import point_name
    >>> [point_name(point_of(text)) for text in ("G0", "L4", "F0", "A1")]
    ['S11', 'S65', 'N15', 'N64']
    """
    row, column = ord(text[0]) - ord("A"), int(text[1])
    return 5 * (row - 6) + column if row >= 6 else 60 + 5 * (5 - row) + 4 - column


def name_of(point: int) -> str:
    """What the referee calls a point.

    >>> name_of(0), name_of(89)
    ('G0', 'A0')
    """
    row, column = divmod(point % 30, 5)
    return f"{chr(ord('G') + row)}{column}" if point < 30 else f"{chr(ord('F') - row)}{4 - column}"


class CcgcEngine:
    """Plays one game for a referee.

    Args:
        link: where the referee's lines come from.
        player: who chooses moves; it is asked with a `junqi.View`.
        rng: for the set-up.
    """

    def __init__(self, link: LineTransport, player: Player, rng: Random) -> None:
        self._link = link
        self._player = player
        self._rng = rng
        self._ledger: Any = None
        self._kinds: Any = None
        self._mine: Any = None
        self._budget = Budget()

    def run(self, lines: Iterable[str]) -> None:
        """Answer the referee until ``END`` or the end of the lines."""
        for line in lines:
            word, *words = line.split()
            word = word.upper()
            if word == "INFO":
                self._link.send("NAME Qiyuan")
            elif word == "START":
                self._start(words)
            elif word == "GO":
                self._go(words)
            elif word == "RESULT":
                self._result(words)
            elif word in ("END", "QUIT"):
                return
            else:
                log.warning("unknown command %r", line[:80])

    def _start(self, words: list[str]) -> None:
        from junqi import Rules, random_army
        from junqi.ledger import Ledger
        from junqi.view import known_kinds

        told = [min(int(word[:9]), MOST) if word.isdecimal() else None for word in words[:3]]
        first, seconds, steps = (
            default if number is None else number
            for number, default in zip_longest(told, START_DEFAULTS)
        )
        if len(told) < 3 or None in told:
            log.warning(
                "START needs three whole numbers (who begins, seconds, steps), not %r; "
                "playing with %d %d %d", " ".join(words)[:80], first, seconds, steps,
            )  # fmt: skip
        army = random_army(self._rng)
        rules = Rules.preset("ccgc", quiet_limit=steps)
        self._ledger = Ledger.of_armies(rules, first & 1)
        self._kinds = known_kinds(rules, self._ledger.map, ME, {ME: army})
        self._budget = Budget(time=max(seconds / MOVES_EXPECTED, 0.05))
        self._mine = None
        self._link.send(f"ARRAY {army}")

    def _go(self, words: list[str]) -> None:
        if self._ledger is None:
            log.warning("GO before START")
            return
        move = _MOVE.fullmatch(words[0].upper()) if words else None
        if move is None and words[:1] != [NO_MOVE]:
            log.warning(
                "GO needs a move such as F0E0, or %s, not %r", NO_MOVE, " ".join(words)[:80]
            )
        elif move is not None:
            self._follow(OTHER, (point_of(move[1]), point_of(move[2])), words[1:])
        choice = None
        view = self._view()
        moves = view.legal_moves
        if moves:
            choice = self._player.choose(view, self._budget, moves=moves)
        if choice is None:
            self._link.send(f"BESTMOVE {NO_MOVE}")
            return
        self._mine = choice.move
        self._link.send("BESTMOVE " + "".join(name_of(point) for point in choice.move))

    def _result(self, words: list[str]) -> None:
        if self._mine is not None:
            self._follow(ME, self._mine, words)
        self._mine = None

    def _view(self) -> Any:
        from junqi import View

        return View(self._ledger.copy(), self._kinds, ME)

    def _follow(self, seat: int, points: tuple[int, int], words: list[str]) -> None:
        """Enter a move of which the referee tells the result and perhaps the opponent's flag."""
        from junqi import Act, Event, Fight, Move

        fights = (Fight.REPELLED, Fight.CAPTURE, Fight.BOTH, Fight.MOVE)
        known = words[:1] in (["0"], ["1"], ["2"], ["3"])
        if not known:
            log.warning(
                "a move's result is 0, 1, 2 or 3, not %r; taken for a plain move",
                " ".join(words)[:80],
            )
        code = int(words[0]) if known else 3
        flag = next((w for w in words[1:] if _POINT.fullmatch(w.upper())), None)
        shown = [] if flag is None else [(OTHER, point_of(flag.upper()))]
        own = self._own_flag(points, seat, fights[code])
        if own is not None:
            shown.insert(0, (ME, own))
        event = Event(Act.MOVE, seat, Move(*points), fights[code], tuple(shown))
        try:
            self._ledger.follow(event)
        except GameError as error:
            log.warning("the referee tells what cannot be: %s", error)

    def _own_flag(self, points: tuple[int, int], seat: int, fight: Any) -> int | None:
        """The point of the own flag if the own 司令 falls in this fight."""
        from junqi import Fight
        from junqi.pieces import COMMANDER, FLAG

        mine = self._ledger.piece_at(points[0] if seat == ME else points[1])
        falls = fight is Fight.BOTH or fight is (Fight.REPELLED if seat == ME else Fight.CAPTURE)
        if mine is None or not falls or self._kinds[mine] != COMMANDER:
            return None
        flag = self._kinds.tolist().index(FLAG)
        return int(self._ledger.points[ME][flag])
