"""Transcripts of the xiangqi engine: UCI, UCCI and UCI-cyclone."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Budget, Choice, GreedyPlayer
from ai.openings.book import Builder
from ai.player import Report
from ai.protocols.xiangqi import SIMPLE_PLAYERS, XiangqiEngine
from ai.transport import LineTransport
from qikit import StopFlag
from xiangqi import START_FEN, Board, Game, Move

LOST = "3k5/4P4/9/9/9/9/9/9/9/5K3 b"


class Thinker(GreedyPlayer):
    """Thinks until it is stopped; ``begun`` is set when it starts."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.budgets: list[Budget] = []

    def choose(
        self,
        board: Any,
        budget: Budget = Budget(),  # noqa: B008
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        assert stop is not None
        self.budgets.append(budget)
        if budget.time is not None:
            stop.after(budget.time)
        self.begun.set()
        while not stop.is_set():
            time.sleep(0.001)
        return super().choose(board, moves=moves)


class Table:
    """A graphical program's end of a conversation with an engine on a thread of its own."""

    def __init__(self, player: str = "greedy") -> None:
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        self.thinker = Thinker()
        players: dict[str, Callable[[int | None], Any]] = {
            **SIMPLE_PLAYERS,
            "thinker": lambda seed: self.thinker,
        }
        self._source, self._sink = os.fdopen(down_read, "rb", 0), os.fdopen(up_write, "wb", 0)
        self._out, self._in = os.fdopen(down_write, "wb", 0), os.fdopen(up_read, "rb", 0)
        engine = XiangqiEngine(
            LineTransport(self._source, self._sink), players, player=player, seed=1
        )
        self.thread = threading.Thread(target=self._run, args=(engine,), daemon=True)
        self.thread.start()
        self.link = LineTransport(self._in, self._out)

    def _run(self, engine: XiangqiEngine) -> None:
        engine.run()
        self._sink.close()

    def send(self, *lines: str) -> None:
        self.link.send(*lines)

    def until(self, last: str, timeout: float = 20.0) -> list[str]:
        """Lines up to one that matches ``last`` (a regular expression at the start)."""
        lines: list[str] = []
        while not lines or not re.match(last, lines[-1]):
            line = self.link.receive(timeout)
            assert line is not None, f"ended before {last!r}: {lines}"
            lines.append(line)
        return lines

    def ask(self, *lines: str, last: str = "bestmove|nobestmove") -> list[str]:
        self.send(*lines)
        return self.until(last)

    def silent(self, seconds: float) -> bool:
        try:
            line = self.link.receive(seconds)
        except TimeoutError:
            return True
        raise AssertionError(f"unexpected: {line}")

    def close(self) -> None:
        self._out.close()
        self.thread.join(10)
        assert not self.thread.is_alive()
        self._source.close()
        list(self.link)
        self._in.close()


@pytest.fixture
def uci() -> Iterator[Table]:
    table = Table()
    table.ask("uci", "isready", last="readyok")
    yield table
    table.close()


@pytest.fixture
def ucci() -> Iterator[Table]:
    table = Table()
    table.ask("ucci", "isready", last="readyok")
    yield table
    table.close()


@pytest.fixture
def thinking() -> Iterator[Table]:
    table = Table("thinker")
    table.ask("uci", "isready", last="readyok")
    yield table
    table.close()


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


@pytest.mark.parametrize(
    ("word", "done"), [("uci", "uciok"), ("ucci", "ucciok"), ("ucicyclone", "uciok")]
)
def test_handshakes(word: str, done: str) -> None:
    table = Table()
    lines = table.ask(word, last=r"uc+iok")
    assert lines[-1] == done
    assert lines[0].startswith("id name Qiyuan ")
    options = [line for line in lines if line.startswith("option ")]
    if word == "ucci":
        assert all(re.match(r"option \S+ type ", line) for line in options)
        assert any("usemillisec" in line for line in options)
    else:
        assert "option name UCI_Variant type combo default xiangqi var xiangqi" in options
    assert table.ask("isready", last="readyok") == ["readyok"]
    table.send("quit")
    if word == "ucci":
        assert table.until("bye") == ["bye"]
    table.thread.join(5)
    assert not table.thread.is_alive()
    table.close()


def test_moves_with_nothing_after_it(uci: Table) -> None:
    lines = uci.ask("position startpos moves", "go depth 1")
    assert Move.parse(best(lines)) in Board().legal_moves
    assert re.match(r"info depth 1 score cp -?\d+ time \d+ nodes \d+ pv \w{4}$", lines[-2])
    lines = uci.ask(f"position fen {START_FEN} moves", "go depth 1")
    assert Move.parse(best(lines)) in Board().legal_moves


@pytest.mark.parametrize(
    "fen",
    [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1",
    ],
)
def test_fen_dialects(uci: Table, fen: str) -> None:
    lines = uci.ask(f"position fen {fen} moves h2e2", "d", last="Fen: ")
    assert lines[-1].split()[1] == Board(START_FEN).copy().root().fen().split()[0].replace(
        "1C5C1", "1C2C4"
    )


def test_illegal_move_in_the_list_is_told_and_not_played(uci: Table) -> None:
    lines = uci.ask("position startpos moves h2e2 h9g7 a0a9 e2e6", "go depth 1")
    assert lines[0].startswith("info string illegal move a0a9 at 3 of 4: ")
    board = Board()
    for move in ("h2e2", "h9g7"):
        board.push_uci(move)
    assert Move.parse(best(lines)) in board.legal_moves


@pytest.mark.parametrize("word", ["e2e9", "zz", "h2", "h10h9", "0000", "炮二平五", "a0a0", "-"])
def test_any_word_as_a_move(uci: Table, word: str) -> None:
    lines = uci.ask(f"position startpos moves {word}", "go depth 1")
    assert lines[0].startswith(f"info string illegal move {word} at 1 of 1: ")
    assert Move.parse(best(lines)) in Board().legal_moves


def test_unreadable_fen_is_told_and_never_searched(uci: Table) -> None:
    lines = uci.ask("position fen 9/9/9 w moves h2e2", "go depth 1")
    assert lines[0].startswith("info string position not understood")
    assert lines[-1] == "bestmove (none)"
    assert best(uci.ask("position startpos", "go depth 1")) != "(none)", "and it lives on"


def test_no_legal_move(uci: Table, ucci: Table) -> None:
    assert uci.ask(f"position fen {LOST}", "go depth 1")[-1] == "bestmove (none)"
    assert ucci.ask(f"position fen {LOST}", "go depth 1")[-1] == "nobestmove"
    assert ucci.ask("position startpos", "go depth 0")[-1] == "nobestmove"


def test_unknown_options_and_commands_are_not_fatal(uci: Table) -> None:
    lines = uci.ask(
        "setoption name Sixty Move Rule value true",
        "setoption name Large Pages value true",
        "setoption",
        "setoption name",
        "setoption name Rank Base value 7",
        "joho debug on",
        "go",
    )
    assert "info string unknown option 'Sixty Move Rule' ignored" in lines
    assert sum(line.startswith("info string") for line in lines) == 6
    assert Move.parse(best(lines)) in Board().legal_moves


def test_remarks_are_short_whatever_they_quote(uci: Table) -> None:
    lines = uci.ask("x" * 100_000, f"setoption name Hash value {'9' * 9999}", "go depth 1")
    assert len(lines) >= 3
    assert all(len(line) < 600 for line in lines)


def test_unreadable_numbers_in_go(uci: Table) -> None:
    lines = uci.ask("go depth x nodes wtime -5 btime 99999999999999999999999999 movestogo 0 what")
    assert any("depth needs a number" in line for line in lines)
    assert any("unknown word 'what'" in line for line in lines)
    assert lines[-1].startswith("bestmove ")


def test_searchmoves(uci: Table) -> None:
    lines = uci.ask("position startpos", "go searchmoves a0a1 depth 1")
    assert best(lines) == "a0a1"
    assert uci.ask("go searchmoves a0a9")[-1] == "bestmove (none)"


def test_banmoves_last_until_the_next_position(ucci: Table) -> None:
    all_but_one = " ".join(str(move) for move in Board().legal_moves if str(move) != "a0a1")
    for _ in range(3):
        lines = ucci.ask("position startpos", f"banmoves {all_but_one} a0a9", "go depth 1")
        assert best(lines) == "a0a1"
        assert lines[0].startswith("info message a0a9 is no legal move")
    bans = " ".join(str(move) for move in Board().legal_moves)
    assert ucci.ask("position startpos", f"banmoves {bans}", "go depth 1")[-1] == "nobestmove"
    assert ucci.ask("position startpos", "go depth 1")[-1] != "nobestmove"


def test_ucci_scores_are_plain_numbers(ucci: Table) -> None:
    fen = "3k5/c8/9/9/R3p4/9/9/9/4A4/4K4 w"
    lines = ucci.ask(f"position fen {fen}", "go time 5 movestogo 1")
    assert re.match(r"info depth 1 score 250 time \d+ nodes \d+ pv a5a8$", lines[-2])
    mate = "3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w"
    assert " score 9999 " in ucci.ask(f"position fen {mate}", "go nodes 100")[-2]


def test_ucci_stop_while_idle(ucci: Table) -> None:
    assert ucci.ask("stop") == ["nobestmove"]


def test_ucci_options_have_no_name_and_value(ucci: Table) -> None:
    ucci.send("setoption usemillisec on", "setoption Rank_Base 1", "setoption newgame")
    assert ucci.ask("position startpos moves h3e3", "d", last="Fen: ")[-1].split()[1] in (
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"
    )


def test_cyclone_positions_without_the_word() -> None:
    table = Table()
    table.ask("ucicyclone", last="uciok")
    table.send("newgame", f"fen {START_FEN} moves h2e2")
    assert "1C2C4" in table.ask("d", last="Fen: ")[-1]
    table.send("startpos")
    assert "1C5C1" in table.ask("d", last="Fen: ")[-1]
    table.send("startpos moves b2e2")
    assert "4C2C1" in table.ask("d", last="Fen: ")[-1]
    table.close()


def test_ranks_from_1_to_10_when_one_occurs(uci: Table) -> None:
    lines = uci.ask("position startpos moves h3e3 h10g8", "d", last="Fen: ")
    assert lines[-1].split()[1].startswith("rnbakab1r/9/1c4nc1/")
    lines = uci.ask("position startpos moves h2e2 h10g8", last="info")
    assert "illegal move h2e2 at 1 of 2" in lines[-1], "bases do not mix"


def test_rank_base_option_is_for_both_directions(uci: Table) -> None:
    lines = uci.ask(
        "setoption name Rank Base value 1",
        "position startpos moves h3e3",
        "go searchmoves h10g8",
    )
    assert best(lines) == "h10g8"
    assert lines[-2].endswith("pv h10g8")


def test_perft(uci: Table) -> None:
    lines = uci.ask("position startpos", "go perft 3", last="Nodes searched")
    assert lines[-1] == "Nodes searched: 79666"
    split = dict(line.split(": ") for line in lines[:-1])
    assert sum(map(int, split.values())) == 79666
    assert len(split) == 44
    assert uci.ask("go perft 0", last="Nodes searched")[-1] == "Nodes searched: 1"
    deep = uci.ask("go perft 1000000", last="info string")
    assert deep[-1] == "info string perft: a depth of at most 256, not 1000000"


def test_stop_within_50_ms(thinking: Table) -> None:
    delays = []
    for _ in range(5):
        thinking.thinker.begun.clear()
        thinking.send("position startpos", "go infinite")
        assert thinking.thinker.begun.wait(5)
        began = time.perf_counter()
        lines = thinking.ask("stop")
        delays.append(time.perf_counter() - began)
        assert Move.parse(best(lines)) in Board().legal_moves
    assert min(delays) < 0.05, delays


def test_infinite_keeps_its_answer_until_stop(uci: Table) -> None:
    uci.send("position startpos", "go infinite")
    uci.until("info")
    assert uci.silent(0.1)
    uci.ask("stop", last="bestmove")


def test_isready_while_thinking(thinking: Table) -> None:
    thinking.send("go infinite")
    assert thinking.thinker.begun.wait(5)
    assert thinking.ask("isready", last="readyok") == ["readyok"]
    thinking.ask("stop")


def test_stop_right_behind_go_is_not_lost(thinking: Table) -> None:
    for _ in range(20):
        thinking.ask("go infinite", "stop")


def test_new_position_while_thinking_ends_the_search(thinking: Table) -> None:
    thinking.send("go infinite")
    assert thinking.thinker.begun.wait(5)
    thinking.ask("position startpos moves h2e2")
    lines = thinking.ask("go infinite", "stop")
    board = Board()
    board.push_uci("h2e2")
    assert Move.parse(best(lines)) in board.legal_moves


def test_movetime_and_ponderhit(thinking: Table) -> None:
    thinking.ask("go movetime 80")
    thinking.send("go ponder movetime 80")
    assert thinking.silent(0.2)
    thinking.ask("ponderhit", last="bestmove")
    thinking.ask("go ponder movetime 80", "ponderhit", last="bestmove")
    thinking.ask("go ponder wtime 60000 btime 60000", "stop", last="bestmove")
    thinking.ask("go wtime 3000 btime 1 winc 0", last="bestmove")
    first, second, *_, last = thinking.thinker.budgets
    assert first.time <= 0.05, "the overhead is kept back, and what reading the line took"
    assert second.time is None
    assert last.share <= 0.099
    assert 0 < last.time <= 0.297


def test_batch_mode_keeps_the_order() -> None:
    table = Table("thinker")
    table.ask("ucci", "setoption usemillisec true", "setoption batch true", "isready", last="ready")
    table.send("position startpos", "go time 80 movestogo 1")
    table.send("position startpos moves h2e2", "go time 80 movestogo 1", "isready")
    assert table.until("readyok") == ["readyok"]
    assert len(table.until("bestmove")) >= 1
    assert len(table.until("bestmove")) >= 1
    table.close()


def test_quit_while_thinking(thinking: Table) -> None:
    thinking.send("go infinite")
    assert thinking.thinker.begun.wait(5)
    began = time.perf_counter()
    thinking.send("quit")
    thinking.thread.join(5)
    assert not thinking.thread.is_alive()
    assert time.perf_counter() - began < 2.0


def test_end_of_input_while_thinking(thinking: Table) -> None:
    thinking.send("go infinite")
    assert thinking.thinker.begun.wait(5)
    thinking.close()


def test_fault_of_a_player_ends_the_engine(uci: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GreedyPlayer, "choose", lambda *_, **__: 1 / 0)
    link = LineTransport(_Stream(b"uci\ngo\n"), _Stream(b""))
    with pytest.raises(ZeroDivisionError):
        XiangqiEngine(link, player="greedy").run()


class _Stream:
    """Gives its bytes and then waits; swallows what is written."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int) -> bytes:
        if self._data:
            data, self._data = self._data, b""
            return data
        time.sleep(3600)
        return b""

    def write(self, data: bytes) -> int:
        return len(data)

    def flush(self) -> None:
        pass


WORDS = (
    "uci ucci ucicyclone isready ucinewgame newgame setoption name value Player random greedy "
    "batch on true false Rank_Base Seed usemillisec position fen startpos moves banmoves go depth "
    "infinite nodes time movetime wtime btime winc movestogo increment searchmoves ponder perft "
    "mate draw stop ponderhit d debug quit h2e2 h9g7 a0a9 h10g8 h3e3 b7b0 (none) 0 1 2 -1 x w b - "
    f"9/9 {START_FEN.split()[0]} {LOST.split()[0]} 炮二平五 \x00 moves moves"
).split(" ")
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join), max_size=9)


def answers(lines: Sequence[str], player: str = "greedy") -> list[str]:
    out = io.BytesIO()
    link = LineTransport(io.BytesIO("\n".join(lines).encode()), out)
    XiangqiEngine(link, player=player, seed=1).run()
    return out.getvalue().decode().splitlines()


@settings(deadline=None)
@given(LINES | st.lists(st.text(), max_size=5))
def test_no_conversation_breaks_the_engine(lines: list[str]) -> None:
    answers(lines)


@pytest.mark.full
@settings(max_examples=5_000, deadline=None)
@given(LINES)
def test_no_conversation_of_many_breaks_the_engine(lines: list[str]) -> None:
    answers(lines)


# The process


def engine_process(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "qiyuan", "engine", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def talk(data: bytes, *arguments: str) -> tuple[list[str], str, int]:
    with engine_process(*arguments) as process:
        out, err = process.communicate(data, timeout=120)
        return out.decode().splitlines(), err.decode(), process.returncode


def test_piped_session_gets_all_its_answers() -> None:
    lines, err, code = talk(b"ucci\r\nposition startpos\r\ngo depth 1\r\ngo perft 2")
    assert code == 0, err
    assert sum(line.startswith("bestmove ") for line in lines) == 1
    assert lines[-1] == "Nodes searched: 1920" or lines[-2] == "Nodes searched: 1920"
    lines, err, code = talk(b"uci\ngo infinite\n")
    assert code == 0, err
    assert lines[-1].startswith("bestmove "), "the end of the input lets the answer out"
    lines, err, code = talk(b"ucci\nquit\n", "xiangqi", "--player", "random", "--seed", "3")
    assert (lines[-1], code, err) == ("bye", 0, "")


def test_uciok_comes_before_the_kernels() -> None:
    with engine_process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"uci\n")
        process.stdin.flush()
        while process.stdout.readline() not in (b"uciok\n", b""):
            pass
        process.stdin.write(b"quit\n")
        process.stdin.close()
        assert process.wait(30) == 0


def test_broken_pipe_ends_the_process() -> None:
    with engine_process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"uci\nisready\n")
        process.stdin.flush()
        while process.stdout.readline() != b"readyok\n":
            pass
        process.stdout.close()
        process.stdin.write(b"go depth 1\n" * 3)
        process.stdin.flush()
        assert process.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_while_thinking() -> None:
    with engine_process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"uci\nisready\ngo infinite\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith(b"info depth"):
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def test_unknown_player() -> None:
    lines, err, code = talk(b"", "--player", "nobody")
    assert (code, lines) == (2, [])
    assert "greedy, random" in err


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two openings, one of which never brought a point."""
    builder = Builder()
    builder.add(Game.from_moves(["c3c4", "c6c5"], result="1/2-1/2"))
    builder.add(Game.from_moves(["a0a1", "a9a8"], result="0-1"))
    path = tmp_path / "my book.qybook"
    path.write_bytes(builder.data())
    return path


def test_uci_plays_from_its_own_book(uci: Table, book: Path) -> None:
    uci.send("position startpos", f"setoption name Book File value {book}")
    assert best(uci.ask("go depth 1")) not in ("c3c4", "g3g4")  # it is not switched on
    uci.send("setoption name OwnBook value true")
    lines = uci.ask("go depth 1")
    assert best(lines) == "g3g4"  # the image further right stands for both
    assert " nodes 0 pv g3g4" in lines[-2]
    assert best(uci.ask("position startpos moves c3c4", "go depth 1")) == "c6c5"
    assert best(uci.ask("position startpos moves g3g4", "go depth 1")) == "g6g5"
    assert best(uci.ask("position startpos moves a0a1", "go depth 1")) == "a9a8"
    assert best(uci.ask("position startpos", "go depth 1 searchmoves a0a1 b0a2")) in (
        "a0a1", "b0a2",
    )  # fmt: skip
    uci.ask("banmoves g3g4", "isready", last="readyok")
    assert best(uci.ask("go depth 1")) != "g3g4"
    assert best(uci.ask("position startpos moves h2e2", "go depth 1")) not in ("(none)", "")


def test_a_book_closes_no_loop_that_the_rules_forbid(uci: Table, tmp_path: Path) -> None:
    line = "h0i2 i9i8 i0i1 d9e8 i1i0 e8d9 b2b9 h7h3 f0e1 b7e7 e1f0 e7i7 f0e1 i7e7 e1f0"
    moves = line.split()  # both moves of the advisor are chases, the cannon's are idle
    builder = Builder()
    builder.add(Game.from_moves(moves, result="1-0"))
    path = tmp_path / "loop.qybook"
    path.write_bytes(builder.data())
    uci.send("setoption name OwnBook value true", f"setoption name Book File value {path}")
    for plies, followed in ((10, True), (14, False)):
        lines = uci.ask(f"position startpos moves {' '.join(moves[:plies])}", "go depth 1")
        assert (best(lines) == moves[plies]) is followed


def test_uci_analyses_without_the_book(thinking: Table, book: Path) -> None:
    thinking.send(
        "setoption name OwnBook value true", f"setoption name Book File value {book}",
        "position startpos", "go infinite",
    )  # fmt: skip
    assert thinking.thinker.begun.wait(20)
    assert best(thinking.ask("stop")) != "g3g4"


def test_ucci_takes_several_books(ucci: Table, book: Path, tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_text("no book", "utf-8")
    lines = ucci.ask(f"setoption bookfiles {noise};{book}", "isready", last="readyok")
    assert any("noise" in line and "不是开局库" in line for line in lines)
    assert best(ucci.ask("position startpos", "go depth 1")) == "g3g4"
    ucci.send("setoption usebook off")
    assert best(ucci.ask("go depth 1")) != "g3g4"
    ucci.send("setoption usebook on")
    assert best(ucci.ask("go depth 1")) == "g3g4"
    ucci.ask("setoption bookfiles <empty>", "isready", last="readyok")
    assert best(ucci.ask("go depth 1")) != "g3g4"


def test_each_dialect_names_its_own_book_options(uci: Table, ucci: Table) -> None:
    spoken = ["\n".join(table.ask(word, last=end)) for table, word, end in (
        (uci, "uci", "uciok"), (ucci, "ucci", "ucciok"),
    )]  # fmt: skip
    assert "option name OwnBook type check default false" in spoken[0]
    assert "option name Book File type string default <empty>" in spoken[0]
    assert "usebook" not in spoken[0]
    assert "option usebook type check default true" in spoken[1]
    assert "option bookfiles type string default <empty>" in spoken[1]
    assert "OwnBook" not in spoken[1]
