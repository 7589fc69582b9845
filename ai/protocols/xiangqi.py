"""象棋 engine for graphical programs: one process that answers UCI, UCCI 3.0 and UCI-cyclone.

The handshake (``uci``, ``ucci`` or ``ucicyclone``) chooses the dialect. Moves are ICCS
coordinates, ranks 0-9; ranks 1-10 are read when a rank 10 occurs in the list, and read and
written when option ``Rank Base`` is 1.

The main thread reads commands and answers those that cannot wait (``stop``, ``ponderhit``,
``quit``, ``isready`` while thinking); everything else is done in order by a worker. Kernels load
after the handshake, and ``readyok`` waits for them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from importlib.metadata import version
from random import Random
from typing import TYPE_CHECKING, Any

from ai.evaluation import evaluation
from ai.player import Choice, Player
from ai.protocols.go import Go
from ai.protocols.options import EngineOption, option_key
from ai.simple import GreedyPlayer, RandomPlayer
from ai.transport import LineTransport
from ai.worker import Task, Worker
from qikit import GameError, InvalidRecord
from qikit.protocol import MOST_PLIES
from xiangqi.repetition.book import rule_books

if TYPE_CHECKING:
    from ai.openings.book import Book

Players = Mapping[str, Callable[[int | None], Player]]
"""Name of a player -> maker, called with the seed (or ``None``)."""


def _searcher(seed: int | None) -> Player:
    from ai.search.xiangqi import SearchPlayer

    return SearchPlayer(seed=seed)


SIMPLE_PLAYERS: Players = {
    "search": _searcher,
    "greedy": lambda seed: GreedyPlayer(evaluation("xiangqi"), seed),
    "random": RandomPlayer,
}


ELO_RANGE = (600, 2400)
"""UCI_Elo on this engine's own scale: the ends are skill levels 0 and 20."""


LONGEST_SENTENCE = 500
"""Characters of a remark to the graphical program, whatever it quotes."""


class Dialect(Enum):
    """The three protocols; the value is the word of the handshake."""

    UCI = "uci"
    UCCI = "ucci"
    CYCLONE = "ucicyclone"


_SEARCH_OPTIONS = {
    *("hash", "threads", "multipv", "skilllevel", "ucilimitstrength", "ucielo", "repetitionrule"),
}
_LONG_RANK = re.compile(r"[a-i]10", re.IGNORECASE)
_SQUARES = re.compile(r"([a-i])-?(\d{1,2})-?([a-i])-?(\d{1,2})", re.IGNORECASE | re.ASCII)


def shift_ranks(text: str, by: int) -> str:
    """A coordinate move with both ranks moved by ``by``; anything else as it is.

    >>> shift_ranks("h10g8", -1), shift_ranks("h9g7", 1), shift_ranks("0000", 1)
    ('h9g7', 'h10g8', '0000')
    """
    match = _SQUARES.fullmatch(text)
    if match is None:
        return text
    return f"{match[1]}{int(match[2]) + by}{match[3]}{int(match[4]) + by}"


def _option_words(words: list[str]) -> tuple[str, str]:
    """Name and value of a ``setoption``: UCI says ``name`` and ``value``, UCCI does not."""
    if words[:1] != ["name"]:
        return " ".join(words[:1]), " ".join(words[1:])
    cut = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:cut]), " ".join(words[cut + 1 :])


class XiangqiEngine:
    """Serves one graphical program until it quits or goes away.

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
        self._link = link
        self._players = players
        name = player or next(iter(players))
        options = (
            EngineOption("UCI_Variant", "combo", "xiangqi", choices=("xiangqi",)),
            EngineOption("UCI_EngineAbout", "string", "棋苑 Qiyuan, MIT licence"),
            EngineOption("Player", "combo", name, choices=tuple(players)),
            EngineOption("Seed", "spin", str(-1 if seed is None else seed), -1, 2**31 - 1),
            EngineOption("Hash", "spin", "16", 1, 4096),
            EngineOption("Threads", "spin", "1", 1, 64),
            EngineOption("MultiPV", "spin", "1", 1, 128),
            EngineOption("Skill Level", "spin", "20", 0, 20),
            EngineOption("UCI_LimitStrength", "check", "false"),
            EngineOption("UCI_Elo", "spin", "2000", *ELO_RANGE),
            EngineOption("Repetition Rule", "combo", "club2008", choices=rule_books()),
            EngineOption("Ponder", "check", "false"),
            EngineOption("OwnBook", "check", "false"),
            EngineOption("Book File", "string"),
            EngineOption("usebook", "check", "true"),
            EngineOption("bookfiles", "string"),
            EngineOption("Move Overhead", "spin", "30", 0, 5000),
            EngineOption("Rank Base", "spin", "0", 0, 1),
            EngineOption("usemillisec", "check", "false"),
            EngineOption("batch", "check", "false"),
            EngineOption("newgame", "button"),
        )
        self._options = {option.key: option for option in options}
        self._values = {option.key: option.default for option in options}
        self._dialect = Dialect.UCI
        self._worker = Worker(on_failure=link.hang_up)
        self._board: Any = None
        self._unreadable = False
        self._banned: frozenset[Any] = frozenset()
        self._books: list[Book] = []
        self._chance = Random()
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
                if self._dialect is Dialect.UCCI:
                    self._link.send("bye")
                break
            self._command(word, words)
        else:
            # The input ended: `printf ... | qiyuan engine` still gets its answers, and a program
            # that went away is noticed when they are written.
            while self._link.connected and not self._worker.wait(0.05):
                self._worker.halt(spare_finite=True)
        self._close_books()
        if self._worker.failure is not None:
            raise self._worker.failure

    # Commands, on the main thread

    def _command(self, word: str, words: list[str]) -> None:
        if word in ("uci", "ucci", "ucicyclone"):
            self._handshake(Dialect(word))
        elif word == "isready":
            self._is_ready()
        elif word == "stop":
            if not self._worker.halt() and self._dialect is Dialect.UCCI:
                self._link.send("nobestmove")
        elif word == "ponderhit":
            self._worker.release()
        elif word in ("position", "fen", "startpos"):
            self._position(words if word == "position" else [word, *words])
        elif word == "banmoves":
            self._in_order(lambda task: self._ban(words))
        elif word == "go":
            self._go(Go.parse(words))
        elif word == "setoption":
            name, value = _option_words(words)
            if option_key(name) == "batch":  # is about the order itself
                self._set_option(name, value)
            else:
                self._in_order(lambda task: self._set_option(name, value))
        elif word in ("ucinewgame", "uccinewgame", "newgame"):
            self._in_order(lambda task: self._new_game())
        elif word == "d":
            self._in_order(lambda task: self._display())
        elif word not in ("debug", "register"):
            self._say(f"unknown command {word!r}")

    def _in_order(self, work: Callable[[Task], None]) -> None:
        """Queue ``work``; a command that comes while thinking ends the thinking first.

        In UCCI's batch mode it waits its turn instead.
        """
        if self._values["batch"] != "true":
            self._worker.halt()
        self._worker.submit(work)

    def _handshake(self, dialect: Dialect) -> None:
        self._dialect = dialect
        ucci = dialect is Dialect.UCCI
        only_ucci = {"usemillisec", "batch", "newgame", "usebook", "bookfiles"}
        only_uci = {"ucivariant", "uciengineabout", "ownbook", "bookfile"}
        skipped = only_uci if ucci else only_ucci
        self._link.send(
            f"id name Qiyuan {version('qiyuan-games')}",
            "id author the Qiyuan contributors",
            *(o.line(ucci=ucci) for key, o in self._options.items() if key not in skipped),
            f"{dialect.value}ok" if ucci else "uciok",
        )
        self._worker.submit(lambda task: self._load())

    def _is_ready(self) -> None:
        if self._worker.searching:
            self._link.send("readyok")
        else:
            self._worker.submit(lambda task: self._load())
            self._worker.submit(lambda task: self._link.send("readyok"))

    def _position(self, words: list[str]) -> None:
        moves: list[str] = []
        if "moves" in words:
            cut = words.index("moves")
            words, moves = words[:cut], words[cut + 1 :]
        if words[:1] == ["fen"]:
            words = words[1:]
        fen = None if words[:1] == ["startpos"] else " ".join(words)
        self._in_order(lambda task: self._set_position(fen, moves))

    def _go(self, go: Go) -> None:
        if self._values["batch"] != "true":
            self._worker.halt()
        if "perft" in go.numbers:
            depth = go.numbers["perft"]
            self._worker.submit(lambda task: self._perft(task, depth), search=True, finite=True)
        else:
            held = go.infinite or go.ponder
            began = time.monotonic()
            self._worker.submit(lambda task: self._think(task, go, began), search=True, held=held)

    # Work, on the worker's thread

    def _load(self) -> None:
        """Load (or compile) the kernels: the first list of moves does that."""
        if self._has_board():
            len(self._board.legal_moves)
        get_ready = getattr(self._player, "get_ready", None)
        if get_ready is not None:
            get_ready()

    def _has_board(self) -> bool:
        """Whether there is a position; before the first ``position`` it is the start."""
        from xiangqi import Board

        if self._board is None and not self._unreadable:
            self._board = Board()
        return self._board is not None

    def _make_player(self) -> Player:
        seed = int(self._values["seed"])
        self._chance = Random(None if seed < 0 else seed)
        player = self._players[self._values["player"]](None if seed < 0 else seed)
        self._configure(player)
        return player

    def _configure(self, player: Player) -> None:
        """Tell a player that has them the options of the search."""
        configure = getattr(player, "configure", None)
        if configure is not None:
            skill = int(self._values["skilllevel"])
            if self._values["ucilimitstrength"] == "true":
                least, most = ELO_RANGE
                skill = min(skill, 20 * (int(self._values["ucielo"]) - least) // (most - least))
            configure(
                hash_size=int(self._values["hash"]),
                threads=int(self._values["threads"]),
                lines=int(self._values["multipv"]),
                skill=skill,
                rules=self._values["repetitionrule"],
            )

    def _new_game(self) -> None:
        self._player = self._make_player()
        self._banned = frozenset()

    def _set_option(self, name: str, value: str) -> None:
        key = option_key(name)
        option = self._options.get(key)
        if option is None:
            self._say(f"unknown option {name!r} ignored")
            return
        try:
            self._values[key] = option.accept(value)
        except ValueError as error:
            self._say(f"option not changed: {error}")
            return
        if key in ("player", "seed", "newgame"):
            self._new_game()
        elif key in _SEARCH_OPTIONS:
            self._configure(self._player)
        elif key in ("bookfile", "bookfiles"):
            self._open_books(self._values[key])

    def _open_books(self, names: str) -> None:
        """Open books, ``;`` between their names, in place of those before; what is none is told."""
        from ai.openings.book import Book

        self._close_books()
        for name in filter(None, map(str.strip, names.split(";"))):
            try:
                self._books.append(Book(name))
            except InvalidRecord as error:
                self._say(f"book not opened: {error}")

    def _close_books(self) -> None:
        while self._books:
            self._books.pop().close()

    def _set_position(self, fen: str | None, moves: list[str]) -> None:
        from xiangqi import Board, Move

        self._banned, self._board, self._unreadable = frozenset(), None, False
        try:
            self._board = Board() if fen is None else Board(fen)
        except GameError as error:
            self._unreadable = True
            self._say(f"position not understood, nothing to search: {error}")
            return
        shift = self._shift(moves)
        for index, text in enumerate(moves, start=1):
            try:
                self._board.push(Move.parse(shift_ranks(text, shift)))
            except GameError as error:
                self._say(
                    f"illegal move {text} at {index} of {len(moves)}: {error}; "
                    f"position stands before it"
                )
                return

    def _shift(self, moves: Iterable[str]) -> int:
        ten = self._values["rankbase"] == "1" or any(_LONG_RANK.search(text) for text in moves)
        return -1 if ten else 0

    def _read_moves(self, texts: list[str]) -> list[Any]:
        """The legal ones among root moves named by the graphical program."""
        from xiangqi import Move

        shift, found = self._shift(texts), []
        for text in texts:
            try:
                move = Move.parse(shift_ranks(text, shift))
            except GameError as error:
                self._say(str(error))
                continue
            if move in self._board.legal_moves:
                found.append(move)
            else:
                self._say(f"{text} is no legal move here, ignored")
        return found

    def _ban(self, texts: list[str]) -> None:
        if self._has_board():
            self._banned = frozenset(self._read_moves(texts))

    def _think(self, task: Task, go: Go, began: float) -> None:
        for defect in go.defects:
            self._say(defect)
        choice = None
        if self._has_board() and not self._refuses(go):
            choice = self._choose(task, go, began)
        task.wait_for_release()
        if choice is not None:
            ponder = f" ponder {self._text(choice.line[1])}" if len(choice.line) > 1 else ""
            self._link.send(f"bestmove {self._text(choice.move)}{ponder}")
        elif self._dialect is Dialect.UCCI:
            self._link.send("nobestmove")
        else:
            self._link.send("bestmove (none)")

    def _refuses(self, go: Go) -> bool:
        return self._dialect is Dialect.UCCI and go.numbers.get("depth") == 0

    def _choose(self, task: Task, go: Go, began: float) -> Choice | None:
        board = self._board.copy()
        moves = self._read_moves(go.searchmoves) if go.searchmoves else list(board.legal_moves)
        moves = [move for move in moves if move not in self._banned]
        ucci = self._dialect is Dialect.UCCI
        in_seconds = ucci and self._values["usemillisec"] != "true"
        known = self._from_book(board, moves, go)
        if known is not None:
            self._link.send(self._info(known, time.monotonic() - began))
            return known
        budget = go.budget(
            board.turn,
            second=1.0 if in_seconds else 1000.0,
            reserve=int(self._values["moveoverhead"]) / 1000.0,
        ).after(time.monotonic() - began)
        if budget.time is not None and go.ponder:
            seconds = budget.share or budget.time
            task.when_released(lambda: task.stop.after(seconds))
            budget = type(budget)(nodes=budget.nodes, depth=budget.depth)
        told: list[Choice] = []

        def report(better: Choice) -> None:
            if better.seconds is not None:  # a search, whose iterations people want to see
                told.append(better)
                self._link.send(self._info(better, time.monotonic() - began))

        choice = self._player.choose(board, budget, stop=task.stop, moves=moves, report=report)
        if choice is not None and choice not in told:
            self._link.send(self._info(choice, time.monotonic() - began))
        return choice

    def _from_book(self, board: Any, moves: list[Any], go: Go) -> Choice | None:
        """A move of the first book that knows the position; none where thinking is asked for.

        A book tells what was played, not that repetition allows it here.
        """
        use = "usebook" if self._dialect is Dialect.UCCI else "ownbook"
        if self._values[use] != "true" or go.infinite or go.ponder or go.searchmoves:
            return None
        from ai.search.xiangqi.player import offences

        blamed = offences(board, moves, self._values["repetitionrule"]) if self._books else ()
        among = [move for move in moves if move not in blamed]
        for book in self._books:
            try:
                move = book.probe(board, self._chance, among=among)
            except InvalidRecord as error:
                self._say(str(error))
                continue
            if move is not None:
                return Choice(move, line=(move,))
        return None

    def _perft(self, task: Task, depth: int) -> None:
        """``go perft N`` as Stockfish prints it: a line a root move, then the sum."""
        if depth > MOST_PLIES:
            self._link.send(f"info string perft: a depth of at most {MOST_PLIES}, not {depth}")
            return
        total = 0
        board: Any = self._board.copy() if self._has_board() else None
        for move in board.legal_moves if board is not None and depth > 0 else ():
            board.push(move)
            try:
                count = board.perft(depth - 1, stop=task.stop)
            except InterruptedError:
                return
            finally:
                board.pop()
            self._link.send(f"{self._text(move)}: {count}")
            total += count
        self._link.send("", f"Nodes searched: {total if depth > 0 else 1}", "")

    def _display(self) -> None:
        if self._has_board():
            self._link.send(*str(self._board).splitlines(), f"Fen: {self._board.fen()}")

    # Words

    def _text(self, move: Any) -> str:
        return shift_ranks(str(move), int(self._values["rankbase"]))

    def _info(self, choice: Choice, seconds: float) -> str:
        ucci = self._dialect is Dialect.UCCI
        words = [f"info depth {choice.depth}"]
        if choice.rank > 1 or self._values["multipv"] != "1":
            words.append(f"multipv {choice.rank}")
        if choice.mate is not None:
            sign = 1 if choice.mate > 0 else -1
            plain = sign * (10000 - abs(choice.mate))
            words.append(f"score {plain}" if ucci else f"score mate {choice.mate}")
        elif choice.score is not None:
            # UCCI counts a minor piece as about 100, UCI a pawn
            points = round(choice.score / 4 if ucci else choice.score)
            words.append(f"score {points}" if ucci else f"score cp {points}")
        words.append(f"time {round(1000 * seconds)} nodes {choice.nodes}")
        if choice.seconds and not ucci:
            words.append(f"nps {round(choice.nodes / choice.seconds)}")
        words.append("pv " + " ".join(self._text(move) for move in choice.line or (choice.move,)))
        return " ".join(words)

    def _say(self, text: str) -> None:
        word = "message" if self._dialect is Dialect.UCCI else "string"
        self._link.send(f"info {word} {' '.join(text.split())[:LONGEST_SENTENCE]}")


def serve(link: LineTransport, *, player: str | None = None, seed: int | None = None) -> None:
    """Run the engine of 象棋 over ``link`` until the other side ends it."""
    XiangqiEngine(link, player=player, seed=seed).run()
