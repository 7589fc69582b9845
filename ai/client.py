"""A client for UCI and UCCI engines of 象棋: start a program, ask it for moves, stop it.

Moves are ICCS coordinates with ranks 0-9 (``h2e2``) on this side, whatever the engine writes.

    with Engine("fairy-stockfish", options={"UCI_Variant": "xiangqi"}) as engine:
        engine.position(moves=["h2e2"])
        print(engine.go(Budget(depth=8)).move)
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ai.player import UNLIMITED, Budget, Choice, Clock, Report
from ai.protocols.options import EngineOption, option_key
from ai.protocols.xiangqi import Dialect, shift_ranks
from ai.transport import LineTransport
from qikit import GameError, StopFlag


class EngineError(RuntimeError):
    """An engine did not do what its protocol asks.

    Attributes:
        last_lines: the end of the conversation: ``>`` to the engine, ``<`` from it, ``!`` stderr.
    """

    def __init__(self, message: str, last_lines: Sequence[str] = ()) -> None:
        tail = "".join(f"\n  {line}" for line in last_lines)
        super().__init__(message + tail)
        self.last_lines = tuple(last_lines)


class EngineCrash(EngineError):
    """The engine's process ended without being asked to.

    Attributes:
        returncode: its exit status, negative = the signal that killed it.
    """

    def __init__(self, message: str, last_lines: Sequence[str], returncode: int | None) -> None:
        super().__init__(message, last_lines)
        self.returncode = returncode


class EngineTimeout(EngineError):
    """The engine did not answer in time."""


@dataclass(frozen=True)
class Info:
    """One ``info`` line.

    Attributes:
        depth: plies, or ``None``.
        score: hundredths of a pawn in UCI, the engine's own points in UCCI; ``None`` = not given.
        mate: moves to mate, negative = to be mated (UCI).
        nodes, time, multipv: as given (``time`` in seconds).
        pv: moves of the line.
        text: the text of ``info string`` or ``message``.
    """

    depth: int | None = None
    score: int | None = None
    mate: int | None = None
    nodes: int | None = None
    time: float | None = None
    multipv: int = 1
    pv: tuple[str, ...] = ()
    text: str = ""

    @classmethod
    def parse(cls, line: str) -> Info:
        """Read an info line of either protocol; words that are not known are skipped.

        >>> info = Info.parse("info depth 3 score cp -12 nodes 99 time 40 pv h2e2 h9g7")
        >>> info.depth, info.score, info.time, info.pv
        (3, -12, 0.04, ('h2e2', 'h9g7'))
        """
        values: dict[str, Any] = {}
        words = deque(line.split()[1:])
        while words:
            word = words.popleft()
            if word in ("string", "message"):
                values["text"] = " ".join(words)
                break
            if word == "pv":
                values["pv"] = tuple(words)
                break
            if word == "score":
                kind = words.popleft() if words and words[0] in ("cp", "mate") else "cp"
                _take_number(values, "score" if kind == "cp" else "mate", words)
            elif word in ("depth", "nodes", "multipv", "time"):
                _take_number(values, word, words)
        if "time" in values:
            values["time"] /= 1000.0
        return cls(**values)


def _take_number(values: dict[str, Any], name: str, words: deque[str]) -> None:
    if words and re.fullmatch(r"[+-]?\d{1,18}", words[0], re.ASCII):
        values[name] = int(words.popleft())


@dataclass(frozen=True)
class Answer:
    """What a search ended with.

    Attributes:
        move: the move, ``None`` = there is none (``bestmove (none)``, ``nobestmove``).
        ponder: the reply it expects, or ``None``.
        draw: it offers or accepts a draw (UCCI).
        resign: it gives up (UCCI).
        infos: the info lines of the search.
    """

    move: str | None
    ponder: str | None = None
    draw: bool = False
    resign: bool = False
    infos: tuple[Info, ...] = field(default=(), repr=False)

    @property
    def info(self) -> Info:
        """The last info line with a line of play (or an empty one)."""
        return next((info for info in reversed(self.infos) if info.pv), Info())


@dataclass(frozen=True)
class Perft:
    """Counts of ``go perft``: by root move, and their sum as the engine gave it."""

    split: Mapping[str, int]
    nodes: int


class Engine:
    """An engine process. Use it in a ``with`` block, or call :meth:`quit`.

    One thread at a time asks; :meth:`stop` may be called from any thread.

    Args:
        command: path or command line, or a sequence of arguments (programs behind scripts).
        protocol: ``"uci"``, ``"ucci"`` or ``"ucicyclone"``.
        options: options to set after the handshake; an option that the engine does not announce
            is an error.
        rank_base: 0 or 1, number of the engine's first rank. ``None``: 1 for an engine that in
            UCI plays several variants (Fairy-Stockfish counts 1-10 there), else 0.
        timeout: seconds that the handshake and ``isready`` may take, and that a search may take
            beyond its budget of time.
        folder: working directory of the process.

    Raises:
        EngineError: it cannot be started, or does not speak the protocol.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str],
        *,
        protocol: str = "uci",
        options: Mapping[str, object] | None = None,
        rank_base: int | None = None,
        timeout: float = 20.0,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        self.dialect = Dialect(protocol)
        self.timeout = timeout
        self.id: dict[str, str] = {}
        self.options: dict[str, EngineOption] = {}
        self.rank_base = rank_base or 0
        self._talk: deque[str] = deque(maxlen=40)
        self._searching = False
        self._ended = False
        self._milliseconds = self.dialect is not Dialect.UCCI
        self._arguments = _arguments(command)
        self._process = self._start(self._arguments, folder)
        self._link = LineTransport(self._process.stdout, self._process.stdin)
        threading.Thread(target=self._listen_to_stderr, daemon=True).start()
        try:
            self._handshake()
            if rank_base is None:
                self.rank_base = self._guess_rank_base()
            if "usemillisec" in self.options:
                self.set_option("usemillisec", True)
                self._milliseconds = True
            for name, value in (options or {}).items():
                self.set_option(name, value)
            self.is_ready()
        except BaseException:
            self.kill()
            raise

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self.id.get("name", "")

    # The process

    def _start(
        self, arguments: list[str], folder: str | os.PathLike[str] | None
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
            )
        except OSError as error:
            raise EngineError(f"cannot start {arguments[0]!r}: {error.strerror}") from error

    def _listen_to_stderr(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError, ValueError):
            for line in self._process.stderr:
                self._talk.append("! " + line.decode("utf-8", "replace").rstrip())

    def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise ValueError(f"a command is one line: {line!r}")
        self._talk.append("> " + (line if len(line) < 200 else line[:200] + "..."))
        self._link.send(line)

    def _receive(self, deadline: float | None, what: str) -> str:
        try:
            line = self._link.receive_by(deadline)
        except TimeoutError:
            raise EngineTimeout(f"{self._label()}: no {what} in time", self._tail()) from None
        if line is None:
            raise self._crash()
        self._talk.append("< " + line)
        return line

    def _crash(self) -> EngineCrash:
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:  # it closed its output and lives on
            self._process.kill()
        code = self._process.poll()
        time.sleep(0.05)  # the last words on stderr are still on their way
        self._ended = True
        return EngineCrash(f"{self._label()} ended (exit status {code})", self._tail(), code)

    def _label(self) -> str:
        return self.name or shlex.join(map(str, self._arguments))

    def _tail(self) -> list[str]:
        return list(self._talk)[-12:]

    def cpu_seconds(self) -> float | None:
        """CPU time that the process has used, where the system tells (``/proc``), else ``None``."""
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text()
        except OSError:
            return None
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End the process at once."""
        self._ended = True
        self._process.kill()
        self._close()

    def _close(self) -> None:
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.close()

    def quit(self, timeout: float = 2.0) -> int:
        """Ask the engine to quit, kill it after ``timeout`` seconds; returns its exit status."""
        if not self._ended:
            self._ended = True
            self._send("quit")
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._close()
        return self._process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.quit()

    # The protocol

    def _handshake(self) -> None:
        word = self.dialect.value
        self._send(word)
        deadline = time.monotonic() + self.timeout
        done = ("ucciok",) if self.dialect is Dialect.UCCI else ("uciok", f"{word}ok")
        while (line := self._receive(deadline, done[0])) not in done:
            first, _, rest = line.partition(" ")
            if first == "id":
                key, _, value = rest.partition(" ")
                self.id[key] = value.strip()
            elif first == "option":
                with suppress(ValueError):
                    option = EngineOption.parse(line)
                    self.options[option.key] = option

    def _guess_rank_base(self) -> int:
        variants = self.options.get("ucivariant")
        several = variants is not None and len(variants.choices) > 1
        return 1 if several and self.dialect is Dialect.UCI else 0

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option (``None``: press a button); names compare without case, blanks and ``_``.

        Raises:
            ValueError: the engine has no such option, or the value is out of its range.
        """
        option = self.options.get(option_key(name))
        if option is None:
            raise ValueError(f"{self._label()} has no option {name!r}")
        text = ""
        if value is not None:
            plain = str(value).lower() if isinstance(value, bool) else str(value)
            text = option.accept(plain)
        if self.dialect is Dialect.UCCI:
            self._send(f"setoption {option.name} {text}".rstrip())
        else:
            self._send(f"setoption name {option.name}" + (f" value {text}" if text else ""))

    def is_ready(self, timeout: float | None = None) -> None:
        """Wait until the engine has done all that it was told.

        Raises:
            EngineTimeout: not within ``timeout`` seconds (default: the engine's timeout).
        """
        self._send("isready")
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        while self._receive(deadline, "readyok") != "readyok":
            pass

    def new_game(self) -> None:
        """Tell the engine that the next position is of another game."""
        if self.dialect is not Dialect.UCCI:
            self._send("ucinewgame")
        elif "newgame" in self.options:
            self.set_option("newgame")
        self.is_ready()

    def position(self, fen: str | None = None, moves: Iterable[object] = ()) -> None:
        """Set the position: ``fen`` (default: the start) and the moves played since.

        Moves are texts or :class:`xiangqi.Move`. An engine that is told an illegal move behaves
        as it likes; nothing is checked here.
        """
        words = ["position", "startpos" if fen is None else f"fen {fen}"]
        played = [self._out(move) for move in moves]
        if played:
            words += ["moves", *played]
        self._send(" ".join(words))

    def ban(self, moves: Iterable[object]) -> None:
        """Forbid root moves in the position just set (UCCI's ``banmoves``).

        Raises:
            ValueError: the engine does not speak UCCI; give ``search_moves`` there.
        """
        if self.dialect is not Dialect.UCCI:
            raise ValueError("banmoves is UCCI; in UCI pass search_moves to go()")
        self._send(" ".join(["banmoves", *(self._out(move) for move in moves)]))

    def start(
        self,
        budget: Budget = UNLIMITED,
        *,
        clock: Clock | None = None,
        seat: int = 0,
        search_moves: Iterable[object] = (),
        ponder: bool = False,
    ) -> None:
        """Send ``go`` and return at once; :meth:`wait` takes the answer.

        An empty budget without a clock means: until :meth:`stop`.
        """
        if self._searching:
            raise EngineError("the engine is still searching", self._tail())
        words = ["go"]
        chosen = [self._out(move) for move in search_moves]
        if ponder:
            words.append("ponder")
        if self.dialect is Dialect.UCCI:
            if chosen:
                raise ValueError("UCCI has no searchmoves; ban the other moves")
            words += self._ucci_limits(budget, clock, seat)
        else:
            words += _uci_limits(budget, clock)
            if chosen:
                words += ["searchmoves", *chosen]
        self._searching = True
        self._send(" ".join(words))

    def _ucci_limits(self, budget: Budget, clock: Clock | None, seat: int) -> list[str]:
        def unit(seconds: float) -> str:
            return str(round(seconds * 1000) if self._milliseconds else max(round(seconds), 1))

        if budget.depth is not None:
            return ["depth", str(budget.depth)]
        if budget.nodes is not None:
            return ["nodes", str(budget.nodes)]
        if budget.time is not None:  # UCCI has no time for one move: a control after one move
            return ["time", unit(budget.time), "movestogo", "1"]
        if clock is None:
            return ["depth", "infinite"]
        words = ["time", unit(clock.remaining[seat])]
        if clock.moves_to_go:
            words += ["movestogo", str(clock.moves_to_go)]
        else:
            words += ["increment", unit(clock.increment[seat])]
        return [*words, "opptime", unit(clock.remaining[1 - seat])]

    def wait(
        self, timeout: float | None = None, *, report: Report | None = None, board: Any = None
    ) -> Answer:
        """The answer of the running search.

        ``report`` is called with each improvement (as :class:`ai.player.Choice` with text moves).

        Raises:
            EngineTimeout: no answer within ``timeout`` seconds (``None``: wait for ever). The
                engine is told to stop; if it does not even answer that, it is killed.
            EngineCrash: the engine died.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        infos: list[Info] = []
        try:
            while True:
                line = self._receive(deadline, "bestmove")
                word, _, rest = line.partition(" ")
                if word == "info":
                    infos.append(self._info(line))
                    if report is not None and infos[-1].pv:
                        report(_choice(infos[-1]))
                elif word == "bestmove":
                    return self._answer(rest.split(), infos)
                elif word == "nobestmove":
                    return Answer(None, infos=tuple(infos))
        except EngineTimeout:
            self._give_up()
            raise
        finally:
            self._searching = False

    def _give_up(self) -> None:
        self._send("stop")
        deadline = time.monotonic() + 2.0
        try:
            while not self._receive(deadline, "bestmove").startswith(("bestmove", "nobestmove")):
                pass
        except EngineError:
            self.kill()

    def go(
        self,
        budget: Budget = UNLIMITED,
        *,
        clock: Clock | None = None,
        seat: int = 0,
        search_moves: Iterable[object] = (),
        timeout: float | None = None,
        report: Report | None = None,
    ) -> Answer:
        """Search the position and return the answer.

        Args:
            budget: limits of this move.
            clock: clocks, where the engine divides its time itself; ``seat`` is the side to move.
            seat: 0 Red, 1 Black (UCCI tells "mine" from "the opponent's").
            search_moves: only these root moves (UCI).
            timeout: seconds to wait; default: what the budget or clock allows plus the engine's
                ``timeout``, without limit where only depth or nodes are given.
            report: see :meth:`wait`.

        Raises:
            EngineTimeout, EngineCrash: see :meth:`wait`.
        """
        self.start(budget, clock=clock, seat=seat, search_moves=search_moves)
        if timeout is None:
            allowed = budget.time if clock is None else clock.remaining[seat]
            timeout = None if allowed is None else allowed + self.timeout
        return self.wait(timeout, report=report)

    def stop(self) -> None:
        """End the running search; its answer comes from :meth:`wait` or :meth:`go`."""
        if self._searching:
            self._send("stop")

    def ponder_hit(self) -> None:
        """The expected move was played: go on with the normal clock."""
        self._send("ponderhit")

    def perft(self, depth: int, timeout: float | None = None) -> Perft:
        """Counts of ``go perft``, for engines that answer it (Stockfish's family, this one).

        Raises:
            EngineTimeout: no ``Nodes searched`` within ``timeout`` seconds; the engine is killed,
                since most engines cannot stop a perft.
        """
        self._send(f"go perft {depth}")
        deadline = None if timeout is None else time.monotonic() + timeout
        split: dict[str, int] = {}
        try:
            while True:
                line = self._receive(deadline, "perft count")
                if total := re.match(r"Nodes searched\s*:\s*(\d+)", line, re.IGNORECASE):
                    return Perft(split, int(total[1]))
                if count := re.match(r"(\S+):\s*(\d+)$", line):
                    split[self._in(count[1])] = int(count[2])
        except EngineTimeout:
            self.kill()
            raise

    # Words

    def _out(self, move: object) -> str:
        return shift_ranks(str(move).lower().replace("-", ""), self.rank_base)

    def _in(self, text: str) -> str:
        return shift_ranks(text, -self.rank_base)

    def _info(self, line: str) -> Info:
        info = Info.parse(line)
        if self.rank_base and info.pv:
            values = info.__dict__ | {"pv": tuple(self._in(move) for move in info.pv)}
            info = Info(**values)
        return info

    def _answer(self, words: list[str], infos: list[Info]) -> Answer:
        move = words[0] if words else ""
        ponder = words[words.index("ponder") + 1 :] if "ponder" in words else []
        return Answer(
            None if move in ("", "(none)", "0000", "resign") else self._in(move),
            self._in(ponder[0]) if ponder and ponder[0] != "(none)" else None,
            draw="draw" in words,
            resign="resign" in words,
            infos=tuple(infos),
        )


def _arguments(command: str | os.PathLike[str] | Sequence[str]) -> list[str]:
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    if isinstance(command, str):
        command = [command] if os.path.exists(command) else shlex.split(command)
    if not command:
        raise EngineError("没有写引擎程序 (no program is named)")
    return list(command)


def _uci_limits(budget: Budget, clock: Clock | None) -> list[str]:
    words: list[str] = []
    if clock is not None:
        for name, seconds in (
            ("wtime", clock.remaining[0]),
            ("btime", clock.remaining[1]),
            ("winc", clock.increment[0]),
            ("binc", clock.increment[1]),
        ):
            words += [name, str(round(1000 * seconds))]
        if clock.moves_to_go:
            words += ["movestogo", str(clock.moves_to_go)]
    if budget.time is not None:
        words += ["movetime", str(max(round(1000 * budget.time), 1))]
    if budget.nodes is not None:
        words += ["nodes", str(budget.nodes)]
    if budget.depth is not None:
        words += ["depth", str(budget.depth)]
    return words or ["infinite"]


def _choice(info: Info) -> Choice:
    score = None if info.score is None else float(info.score)
    return Choice(
        info.pv[0], score, info.mate, info.pv, depth=info.depth or 0, nodes=info.nodes or 0
    )


class EnginePlayer:
    """An engine as a :class:`ai.player.Player` of 象棋, for matches and for hints."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name

    def choose(
        self,
        board: Any,
        budget: Budget = UNLIMITED,
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        """See :meth:`ai.player.Player.choose`; the engine is told the whole game so far, and the
        clocks where there are any. An answer that is no move at all counts as none."""
        self.engine.position(board.root().fen(), board.move_stack)
        if moves is not None and self.engine.dialect is Dialect.UCCI:
            self.engine.ban([move for move in board.legal_moves if move not in moves])
            moves = None
        done = threading.Event()
        if stop is not None:
            threading.Thread(target=self._pass_on, args=(stop, done), daemon=True).start()
        try:
            answer = self.engine.go(
                replace(budget, time=None) if budget.clock else budget,
                clock=budget.clock,
                seat=board.turn,
                search_moves=moves or (),
                report=report,
            )
        finally:
            done.set()
        if answer.move is None:
            return None
        try:
            move = type(next(iter(board.legal_moves))).parse(answer.move)
        except GameError:
            return None
        line = tuple(answer.info.pv) or (answer.move,)
        if line[0] != answer.move:
            line = (answer.move,)
        thought = _choice(Info(**(answer.info.__dict__ | {"pv": line})))
        return Choice(move, thought.score, thought.mate, line, thought.depth, thought.nodes)

    def hint(
        self, board: Any, budget: Budget = UNLIMITED, *, stop: StopFlag | None = None
    ) -> Choice | None:
        """The engine's move."""
        return self.choose(board, budget, stop=stop)

    def _pass_on(self, stop: StopFlag, done: threading.Event) -> None:
        while not done.wait(0.01):
            if stop.is_set():
                self.engine.stop()
                return
