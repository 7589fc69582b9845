"""军棋 engine: a text protocol for one of four (or two) seats, and CCGC's for two players.

The first line chooses: ``INFO`` is CCGC (`ai.protocols.ccgc`), anything else is this protocol in
the words of UCI. The engine is never told another side's ranks: it knows its army and the events,
each as a line of a public record (`junqi.records`).

| command | answer |
|---|---|
| ``uci`` | ``id``, ``option`` lines, ``uciok`` |
| ``isready`` | ``readyok`` when kernels are loaded |
| ``setoption name Rules value event_s3b`` | a preset of `junqi.rules`; also ``Player``, ``Seed`` |
| ``newgame seat N [first N] [mode dark]`` | a new game; the engine sits on seat N |
| ``setup`` | ``army N LETTERS``: the engine sets up its own army |
| ``army N LETTERS`` | sets seat N's army: the own one, in 双明 the partner's, in 全明 all |
| ``event JSON`` | nothing: ``event {"seat":0,"from":"S11","to":"C11","outcome":"move"}`` |
| ``go [movetime MS] [infinite]`` | ``bestmove S11-W15``, or ``bestmove (none)`` |
| ``legal`` | ``legal 64 S11-C11 ...``: the engine's own moves |
| ``candidates POINT`` | ``candidates S11 abc``: what the piece may be |
| ``view`` | ``view JSON``: all that the engine knows |
| ``d`` | the board as text |
| ``stop``, ``quit`` | as in UCI |

What cannot be understood is answered by ``info string`` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from itertools import chain
from random import Random
from typing import Any

from ai.player import Player
from ai.protocols.ccgc import CcgcEngine
from ai.protocols.go import Go
from ai.protocols.options import EngineOption, option_key
from ai.simple import RandomPlayer
from ai.transport import LineTransport
from ai.worker import Task, Worker
from qikit import GameError

Players = Mapping[str, Callable[[int | None], Player]]

SIMPLE_PLAYERS: Players = {"random": RandomPlayer}
"""Name of a player -> maker, called with the seed (or ``None``). Players here are asked with a
`junqi.View`: there is no board to try moves on."""


class JunqiEngine:
    """Serves one program until it quits or goes away.

    Args:
        link: where the commands come from.
        players: who can play, the first one by default.
        player: name of the player to begin with.
        seed: fixed seed for players and set-ups.
    """

    def __init__(
        self,
        link: LineTransport,
        players: Players = SIMPLE_PLAYERS,
        *,
        player: str | None = None,
        seed: int | None = None,
    ) -> None:
        from junqi import PRESETS

        self._link = link
        self._players = players
        name = player or next(iter(players))
        options = (
            EngineOption("UCI_Variant", "combo", "junqi", choices=("junqi",)),
            EngineOption("Rules", "combo", "standard", choices=tuple(PRESETS)),
            EngineOption("Player", "combo", name, choices=tuple(players)),
            EngineOption("Seed", "spin", str(-1 if seed is None else seed), -1, 2**31 - 1),
            EngineOption("Move Overhead", "spin", "30", 0, 5000),
        )
        self._options = {option.key: option for option in options}
        self._values = {option.key: option.default for option in options}
        self._worker = Worker(on_failure=link.hang_up)
        self._ledger: Any = None
        self._seat = 0
        self._armies: dict[int, str] = {}
        self._renew()

    def _renew(self) -> None:
        """Players and chance begin anew from the seed."""
        seed = int(self._values["seed"])
        self._rng = Random(None if seed < 0 else seed)
        self._player = self._players[self._values["player"]](None if seed < 0 else seed)

    def run(self, lines: Iterator[str]) -> None:
        """Answer commands until ``quit`` or the end of the lines.

        Raises:
            BaseException: whatever a player raised; the process should end with it.
        """
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "quit":
                self._worker.halt()
                self._worker.wait(0.3)  # a stopped search still prints its move
                break
            self._command(word, rest.strip())
        else:
            while self._link.connected and not self._worker.wait(0.05):
                self._worker.halt()
        if self._worker.failure is not None:
            raise self._worker.failure

    # Commands, on the main thread

    def _command(self, word: str, rest: str) -> None:
        queued: dict[str, Callable[[str], None]] = {
            "setoption": self._set_option,
            "newgame": self._new_game,
            "army": self._set_army,
            "setup": self._set_up,
            "event": self._event,
            "legal": self._legal,
            "candidates": self._candidates,
            "view": self._show_view,
            "d": self._display,
        }
        if word == "uci":
            self._link.send(
                f"id name Qiyuan {version('qiyuan-games')}",
                "id author the Qiyuan contributors",
                *(option.line() for option in self._options.values()),
                "uciok",
            )
        elif word == "isready":
            if self._worker.searching:
                self._link.send("readyok")
            else:
                self._worker.submit(lambda task: self._ready())
        elif word == "stop":
            self._worker.halt()
        elif word == "go":
            self._worker.halt()
            go = Go.parse(rest.split())
            self._worker.submit(lambda task: self._think(task, go), search=True, held=go.infinite)
        elif word in queued:
            self._worker.halt()
            self._worker.submit(lambda task: self._answer(queued[word], rest))
        elif word not in ("debug", "ucinewgame"):
            self._say(f"unknown command {word!r}")

    # Work, on the worker's thread

    def _answer(self, command: Callable[[str], object], rest: str) -> None:
        try:
            command(rest)
        except ValueError as error:
            self._say(str(error))

    def _ready(self) -> None:
        self._answer(lambda _: len(self._view().legal_moves), "")  # an army may still be missing
        self._link.send("readyok")

    def _set_option(self, rest: str) -> None:
        words = rest.split()
        cut = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:cut] if words[:1] == ["name"] else words[:cut])
        option = self._options.get(option_key(name))
        if option is None:
            raise ValueError(f"unknown option {name!r} ignored")
        self._values[option.key] = option.accept(" ".join(words[cut + 1 :]))
        if option.key in ("player", "seed"):
            self._renew()

    def _new_game(self, rest: str) -> None:
        from junqi import Rules, board_map
        from junqi.ledger import Ledger

        words = rest.split()
        given = dict(zip(words[::2], words[1::2], strict=False))
        unknown = set(given) - {"seat", "first", "mode"}
        if unknown or len(words) % 2:
            raise ValueError(f"newgame: unknown words {rest!r}")
        rules = Rules.preset(self._values["rules"], mode=given.get("mode", "dark"))
        seats = board_map(rules.board).seats
        seat, first = (_seat(given.get(word, "0"), seats) for word in ("seat", "first"))
        self._ledger, self._seat, self._armies = Ledger.of_armies(rules, first), seat, {}

    def _here(self) -> Any:
        if self._ledger is None:
            self._new_game("")
        return self._ledger

    def _set_army(self, rest: str) -> None:
        from junqi.setups import read_army
        from junqi.view import seats_seen

        ledger = self._here()
        word, _, letters = rest.partition(" ")
        if ledger.events:
            raise ValueError("army: the game has begun")
        seat = _seat(word, ledger.map.seats)
        if seat not in seats_seen(ledger.rules, ledger.map, self._seat):
            raise ValueError(f"army: the engine must not know the army of seat {seat}")
        self._armies[seat] = read_army(letters.strip())

    def _set_up(self, rest: str) -> None:
        from junqi import random_army

        self._here()
        self._armies[self._seat] = random_army(self._rng)
        self._link.send(f"army {self._seat} {self._armies[self._seat]}")

    def _event(self, rest: str) -> None:
        from junqi import Event
        from junqi.fields import json_object

        self._here().follow(Event.from_dict(json_object(rest)))

    def _view(self) -> Any:
        """What the engine knows; armies that it lacks are set up now (the own) or refused.

        Raises:
            ValueError: a partner's army that the mode shows has not been told.
        """
        from junqi import View
        from junqi.view import known_kinds

        ledger = self._here()
        if self._seat not in self._armies:
            self._set_up("")
        kinds = known_kinds(ledger.rules, ledger.map, self._seat, self._armies)
        return View(ledger.copy(), kinds, self._seat)

    def _think(self, task: Task, go: Go) -> None:
        for defect in go.defects:
            self._say(defect)
        choice = None
        try:
            view = self._view()
            moves = view.legal_moves
            if moves:
                budget = go.budget(0, reserve=int(self._values["moveoverhead"]) / 1000.0)
                choice = self._player.choose(view, budget, stop=task.stop, moves=moves)
        except GameError as error:
            self._say(str(error))
        task.wait_for_release()
        self._link.send(f"bestmove {choice.move if choice is not None else '(none)'}")

    def _legal(self, rest: str) -> None:
        moves = self._view().legal_moves
        self._link.send(" ".join([f"legal {len(moves)}", *map(str, moves)]))

    def _candidates(self, rest: str) -> None:
        self._link.send(f"candidates {rest} {self._view().candidates(rest)}".rstrip())

    def _show_view(self, rest: str) -> None:
        self._link.send(f"view {self._view().to_bytes().decode()}")

    def _display(self, rest: str) -> None:
        self._link.send(*str(self._view()).splitlines())

    def _say(self, text: str) -> None:
        self._link.send(f"info string {' '.join(text.split())}")


def _seat(word: str, seats: int) -> int:
    """The seat that a command names.

    Raises:
        ValueError: no such seat.
    """
    from junqi.geometry import seat_number

    digits = word.isascii() and word.isdecimal() and len(word) < 10
    return seat_number(int(word) if digits else word, seats)


def serve(link: LineTransport, *, player: str | None = None, seed: int | None = None) -> None:
    """Run the engine of 军棋 over ``link`` until the other side ends it."""
    first = link.receive()
    if first is None:
        return
    lines = chain([first], link)
    if first.split()[0].upper() in ("INFO", "START"):
        maker = SIMPLE_PLAYERS[player or next(iter(SIMPLE_PLAYERS))]
        CcgcEngine(link, maker(seed), Random(seed)).run(lines)
    else:
        JunqiEngine(link, player=player, seed=seed).run(lines)
