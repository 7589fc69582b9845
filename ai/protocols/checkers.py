"""跳棋 engine for graphical programs and scripts: a text protocol in the words of UCI.

| command | answer |
|---|---|
| ``uci`` | ``id``, ``option`` lines, ``uciok`` |
| ``isready`` | ``readyok`` when kernels are loaded |
| ``setoption name Rules value fair`` | a preset of `checkers.rules`; also ``Player``, ``Seed`` |
| ``position startpos [seats N] [moves ...]`` | turns in any notation: ``c1>e5``, ``c1:e5`` |
| ``position fen ROWS SIDE SEATS PIECES [fields] [moves ...]`` | |
| ``go [movetime MS] [nodes N] [infinite] [searchmoves ...]`` | ``info`` and ``bestmove`` |
| ``go perft N`` | a line a turn and ``Nodes searched: N`` |
| ``solo`` | ``solo turns 12 exact true bound 12 proof search line ...`` for the side to move |
| ``race`` | ``race winner 0 exact true turns 7 9 line ...`` once two armies have passed |
| ``legal`` | ``legal 14 c1:e5 ...`` |
| ``d`` | the board as text and its position text |
| ``stop``, ``quit``, ``ucinewgame`` | as in UCI |

``bestmove`` gives the ends of the turn (``c1:e5``), ``info ... pv`` the way in full. Seats are
numbered from 0 in the order of turns. The main thread listens, a worker does everything in order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from ai.evaluation import evaluation
from ai.player import Choice, Player
from ai.protocols.go import Go
from ai.protocols.options import EngineOption, option_key
from ai.racer import RacingPlayer
from ai.simple import GreedyPlayer, RandomPlayer
from ai.transport import LineTransport
from ai.worker import Task, Worker
from qikit import GameError
from qikit.protocol import MOST_PLIES

Players = Mapping[str, Callable[[int | None], Player]]

SIMPLE_PLAYERS: Players = {
    "racer": lambda seed: RacingPlayer(GreedyPlayer(evaluation("checkers"), seed)),
    "greedy": lambda seed: GreedyPlayer(evaluation("checkers"), seed),
    "random": RandomPlayer,
}
"""Name of a player -> maker, called with the seed (or ``None``)."""


class CheckersEngine:
    """Serves one program until it quits or goes away.

    Args:
        link: where the commands come from.
        players: who can play, the first one by default.
        player: name of the player to begin with.
        seed: fixed seed for players that play at random.
    """

    def __init__(
        self,
        link: LineTransport,
        players: Players = SIMPLE_PLAYERS,
        *,
        player: str | None = None,
        seed: int | None = None,
    ) -> None:
        from checkers import PRESETS

        self._link = link
        self._players = players
        name = player or next(iter(players))
        options = (
            EngineOption("UCI_Variant", "combo", "checkers", choices=("checkers",)),
            EngineOption("Rules", "combo", "club2008", choices=tuple(PRESETS)),
            EngineOption("Player", "combo", name, choices=tuple(players)),
            EngineOption("Seed", "spin", str(-1 if seed is None else seed), -1, 2**31 - 1),
            EngineOption("Move Overhead", "spin", "30", 0, 5000),
        )
        self._options = {option.key: option for option in options}
        self._values = {option.key: option.default for option in options}
        self._worker = Worker(on_failure=link.hang_up)
        self._board: Any = None
        self._player: Player = self._make_player()

    def run(self) -> None:
        """Answer commands until ``quit``, the end of the input or a broken pipe.

        Raises:
            BaseException: whatever a player or a board raised; the process should end with it.
        """
        for line in self._link:
            word, *words = line.split()
            if word == "quit":
                self._worker.halt()
                self._worker.wait(0.3)  # a stopped search still prints its move
                break
            self._command(word, words)
        else:
            while self._link.connected and not self._worker.wait(0.05):
                self._worker.halt(spare_finite=True)
        if self._worker.failure is not None:
            raise self._worker.failure

    # Commands, on the main thread

    def _command(self, word: str, words: list[str]) -> None:
        queued: dict[str, Callable[[Task], None]] = {
            "position": lambda task: self._position(words),
            "setoption": lambda task: self._set_option(words),
            "ucinewgame": lambda task: self._new_game(),
            "solo": self._solo,
            "race": self._race,
            "legal": lambda task: self._legal(),
            "d": lambda task: self._display(),
        }
        if word == "uci":
            self._link.send(
                f"id name Qiyuan {version('qiyuan-games')}",
                "id author the Qiyuan contributors",
                *(option.line() for option in self._options.values()),
                "uciok",
            )
            self._worker.submit(lambda task: self._ready())
        elif word == "isready":
            if not self._worker.searching:
                self._worker.submit(lambda task: self._ready())
                self._worker.submit(lambda task: self._link.send("readyok"))
            else:
                self._link.send("readyok")
        elif word == "stop":
            self._worker.halt()
        elif word == "ponderhit":
            self._worker.release()
        elif word == "go":
            self._go(Go.parse(words))
        elif word in queued:
            self._worker.halt(spare_finite=True)  # a count goes on, thinking ends
            self._worker.submit(queued[word])
        elif word not in ("debug", "register"):
            self._say(f"unknown command {word!r}")

    def _go(self, go: Go) -> None:
        self._worker.halt(spare_finite=True)
        if "perft" in go.numbers:
            depth = go.numbers["perft"]
            self._worker.submit(lambda task: self._perft(task, depth), search=True, finite=True)
            return
        began = time.monotonic()
        self._worker.submit(
            lambda task: self._think(task, go, began), search=True, held=go.infinite or go.ponder
        )

    # Work, on the worker's thread

    def _here(self) -> Any:
        """The position; before the first ``position`` it is the start."""
        from checkers import Board

        if self._board is None:
            self._board = Board(rules=self._values["rules"])
        return self._board

    def _ready(self) -> None:
        len(self._here().legal_moves)

    def _make_player(self) -> Player:
        seed = int(self._values["seed"])
        return self._players[self._values["player"]](None if seed < 0 else seed)

    def _new_game(self) -> None:
        self._player = self._make_player()
        self._board = None

    def _set_option(self, words: list[str]) -> None:
        cut = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:cut] if words[:1] == ["name"] else words[:cut])
        option = self._options.get(option_key(name))
        if option is None:
            self._say(f"unknown option {name!r} ignored")
            return
        try:
            self._values[option.key] = option.accept(" ".join(words[cut + 1 :]))
        except ValueError as error:
            self._say(f"option not changed: {error}")
            return
        if option.key in ("player", "seed"):
            self._player = self._make_player()

    def _position(self, words: list[str]) -> None:
        from checkers import Board

        moves: list[str] = []
        if "moves" in words:
            cut = words.index("moves")
            words, moves = words[:cut], words[cut + 1 :]
        rules = self._values["rules"]
        try:
            if words[:1] == ["startpos"]:
                board = Board(rules=rules)
                if words[1:2] == ["seats"]:
                    seats = "".join(words[2:])
                    if seats not in ("1", "2", "3", "4", "6"):
                        raise ValueError(f"seats 1, 2, 3, 4 or 6, not {' '.join(words[2:])!r}")
                    board = Board.start(int(seats), board.pieces, rules)
                elif words[1:]:
                    raise ValueError(f"seats or moves after startpos, not {words[1]!r}")
            else:
                board = Board(" ".join(words[words[:1] == ["fen"] :]), rules=rules)
            for text in moves:
                board.push(text)
        except (GameError, ValueError) as error:
            # an engine that searched another position than it was given would mislead
            self._say(f"position not changed: {error}")
            return
        self._board = board

    def _think(self, task: Task, go: Go, began: float) -> None:
        for defect in go.defects:
            self._say(defect)
        board = self._here().copy()
        moves = list(board.legal_moves) if board.outcome() is None else []
        if go.searchmoves:
            moves = self._wanted(board, go.searchmoves)
        budget = go.budget(board.turn, reserve=int(self._values["moveoverhead"]) / 1000.0)
        choice = None
        if moves:
            choice = self._player.choose(board, budget, stop=task.stop, moves=moves)
        if choice is not None:
            self._link.send(self._info(board, choice, time.monotonic() - began))
        task.wait_for_release()
        self._link.send(f"bestmove {choice.move if choice is not None else '(none)'}")

    def _wanted(self, board: Any, texts: list[str]) -> list[Any]:
        found = []
        for text in texts:
            try:
                found.append(board.parse(text))
            except GameError as error:
                self._say(str(error))
        return found

    def _info(self, board: Any, choice: Choice, seconds: float) -> str:
        words = [f"info depth {choice.depth}"]
        if choice.mate is not None:
            words.append(f"score mate {choice.mate}")
        elif choice.score is not None:
            words.append(f"score cp {round(choice.score)}")
        ways = [board.notation(choice.move), *(str(move) for move in choice.line[1:])]
        words.append(f"time {round(1000 * seconds)} nodes {choice.nodes} pv {' '.join(ways)}")
        return " ".join(words)

    def _perft(self, task: Task, depth: int) -> None:
        """``go perft N``: a line a turn, then the sum."""
        if not 0 <= depth <= MOST_PLIES:
            self._say(f"perft: a depth from 0 to {MOST_PLIES}, not {depth}")
            return
        board, total = self._here().copy(), 0
        for move in list(board.legal_moves) if depth > 0 else ():
            if task.stop.is_set():
                return
            board.push(move)
            count = board.perft(depth - 1)
            board.pop()
            self._link.send(f"{move}: {count}")
            total += count
        self._link.send("", f"Nodes searched: {total if depth > 0 else 1}", "")

    def _solo(self, task: Task) -> None:
        from checkers import solo_distance

        try:
            found = solo_distance(self._here())
        except GameError as error:
            self._say(str(error))
            return
        self._link.send(
            f"solo turns {found.turns} exact {str(found.exact).lower()} "
            f"bound {found.lower_bound} proof {found.proof.replace(' ', '_')} "
            f"line {' '.join(map(str, found.line))}".rstrip()
        )

    def _race(self, task: Task) -> None:
        from checkers import solve_race

        try:
            found = solve_race(self._here())
        except GameError as error:
            self._say(str(error))
            return
        winner = "draw" if found.winner is None else str(found.winner)
        turns = " ".join(str(distance.turns) for distance in found.distances)
        self._link.send(
            f"race winner {winner} exact {str(found.exact).lower()} turns {turns} "
            f"line {' '.join(map(str, found.line))}".rstrip()
        )

    def _legal(self) -> None:
        moves = list(self._here().legal_moves)
        self._link.send(" ".join([f"legal {len(moves)}", *map(str, moves)]))

    def _display(self) -> None:
        board = self._here()
        self._link.send(*str(board).splitlines(), f"Fen: {board.fen(counters=True)}")

    def _say(self, text: str) -> None:
        self._link.send(f"info string {' '.join(text.split())}")


def serve(link: LineTransport, *, player: str | None = None, seed: int | None = None) -> None:
    """Run the engine of 跳棋 over ``link`` until the other side ends it."""
    CheckersEngine(link, player=player, seed=seed).run()
