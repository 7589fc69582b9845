"""The client against our own engine, against Fairy-Stockfish, and against bad engines."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Budget, Choice, Clock
from ai.client import Answer, Engine, EngineCrash, EngineError, EnginePlayer, EngineTimeout, Info
from ai.protocols.go import Go
from ai.protocols.options import EngineOption
from qikit import StopFlag
from xiangqi import START_FEN, Board, Move

OWN = [sys.executable, "-m", "qiyuan", "engine"]
FAIRY = shutil.which("fairy-stockfish", path=None) or shutil.which(
    "fairy-stockfish", path="/usr/games"
)
XIANGQI = {"UCI_Variant": "xiangqi"}
LOST = "3k5/4P4/9/9/9/9/9/9/9/5K3 b - - 0 1"
needs_fairy = pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")


def legal(move: str | None, board: Board | None = None) -> bool:
    return move is not None and Move.parse(move) in (board or Board()).legal_moves


@pytest.mark.parametrize("protocol", ["uci", "ucci", "ucicyclone"])
def test_own_engine(protocol: str) -> None:
    with Engine(OWN, protocol=protocol, options={"Player": "greedy", "seed": 1}) as engine:
        assert engine.name.startswith("Qiyuan")
        assert engine.rank_base == 0
        engine.new_game()
        engine.position(moves=["h2e2", Move.parse("h9g7")])
        answer = engine.go(Budget(depth=1))
        board = Board()
        board.push("h2e2")
        board.push("h9g7")
        assert legal(answer.move, board)
        assert answer.info.pv[0] == answer.move
        assert engine.go(Budget(time=0.05)).move is not None
        assert engine.go(Budget(nodes=3)).info.nodes is not None
        assert engine.go(clock=Clock((60.0, 60.0), (1.0, 1.0))).move is not None
        assert engine.go(clock=Clock((60.0, 60.0), moves_to_go=10), seat=1).move is not None
        engine.position(LOST)
        assert engine.go(Budget(depth=1)) == Answer(None)
        assert engine.perft(2).nodes == 0
        engine.position()
        assert engine.perft(2).nodes == 1920
    assert engine.quit() == 0, "twice is harmless"


@needs_fairy
@pytest.mark.parametrize("protocol", ["uci", "ucci"])  # Debian's 11.1 knows no ucicyclone
def test_fairy_stockfish(protocol: str) -> None:
    assert FAIRY is not None
    options = XIANGQI if protocol == "uci" else {}
    with Engine(FAIRY, protocol=protocol, options=options) as engine:
        assert "Fairy-Stockfish" in engine.name
        assert engine.rank_base == (1 if protocol == "uci" else 0)
        engine.position(moves=["h2e2", "h9g7"])
        board = Board()
        board.push("h2e2")
        board.push("h9g7")
        answer = engine.go(Budget(depth=4))
        assert legal(answer.move, board)
        assert answer.infos
        assert legal(answer.info.pv[0], board)
        engine.set_option("Skill Level", -20)
        assert legal(engine.go(Budget(nodes=500)).move, board)
        assert legal(engine.go(Budget(time=0.05), timeout=10).move, board)
        assert legal(engine.go(clock=Clock((3.0, 3.0), (0.1, 0.1)), timeout=10).move, board)
        engine.position()
        split = engine.perft(2)
        assert split.nodes == sum(split.split.values()) == 1920
        assert split.split == {str(move): n for move, n in Board().divide(2).items()}
        spent = engine.cpu_seconds()
        assert spent is None or spent > 0


@needs_fairy
def test_search_moves_and_bans() -> None:
    assert FAIRY is not None
    with Engine(FAIRY, options=XIANGQI) as engine:
        engine.position()
        assert engine.go(Budget(depth=2), search_moves=["h2h9"]).move == "h2h9"
        with pytest.raises(ValueError, match="search_moves"):
            engine.ban(["h2e2"])
    with Engine(FAIRY, protocol="ucci") as engine:
        engine.position()
        engine.ban([move for move in Board().legal_moves if str(move) != "a0a1"])
        assert engine.go(Budget(depth=2)).move == "a0a1"
        with pytest.raises(ValueError, match="searchmoves"):
            engine.go(search_moves=["h2e2"])


@needs_fairy
def test_stop_from_another_thread_and_ponder() -> None:
    assert FAIRY is not None
    with Engine(FAIRY, options=XIANGQI) as engine:
        engine.position()
        threading.Timer(0.2, engine.stop).start()
        assert legal(engine.go().move)
        engine.position(moves=["h2e2"])
        engine.start(clock=Clock((2.0, 2.0)), ponder=True)
        with pytest.raises(EngineError, match="still searching"):
            engine.start()
        time.sleep(0.05)
        engine.ponder_hit()
        board = Board()
        board.push("h2e2")
        assert legal(engine.wait(10).move, board)


@needs_fairy
def test_two_engines_play_each_other() -> None:
    assert FAIRY is not None
    board = Board()
    with Engine(FAIRY, options=XIANGQI) as one, Engine(OWN, protocol="ucci") as two:
        players = (EnginePlayer(one), EnginePlayer(two))
        for ply in range(12):
            seen: list[Choice] = []
            choice = players[ply % 2].choose(board, Budget(nodes=300), report=seen.append)
            assert choice is not None
            assert seen
            board.push(choice.move)
        hint = players[0].hint(board, Budget(depth=2))
        assert hint is not None
        assert board.is_legal(hint.move)
        only = list(board.legal_moves)[:1]
        for player in players:
            choice = player.choose(board, Budget(depth=1), moves=only)
            assert choice is not None
            assert choice.move == only[0]
        flag = StopFlag()
        threading.Timer(0.1, flag.set).start()
        assert players[0].choose(board, stop=flag) is not None


# Engines that misbehave

FRAME = """
import sys, time
def say(text): print(text, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word in ("uci", "ucci"):
        say("id name Scripted 1"); say("option name Hash type spin default 16 min 1 max 64")
        say(word + "ok")
    elif word == "isready": say("readyok")
    elif word == "quit" and not STUBBORN: break
    elif word in ("go", "stop"):
        ON_GO
"""


def scripted(tmp_path: Path, on_go: str, *, stubborn: bool = False) -> list[str]:
    body = FRAME.replace("ON_GO", on_go).replace("STUBBORN", str(stubborn))
    (tmp_path / "engine.py").write_text(body)
    return [sys.executable, str(tmp_path / "engine.py")]


def test_crash_shows_the_last_lines(tmp_path: Path) -> None:
    command = scripted(tmp_path, "sys.exit('net file missing')")
    with Engine(command) as engine:
        engine.position()
        with pytest.raises(EngineCrash, match="Scripted 1 ended") as caught:
            engine.go(Budget(depth=3))
    assert caught.value.returncode == 1
    assert "> go depth 3" in caught.value.last_lines
    assert "! net file missing" in caught.value.last_lines


def test_closed_output_counts_as_a_crash(tmp_path: Path) -> None:
    command = scripted(tmp_path, "import os; os.close(1); time.sleep(60)")
    began = time.monotonic()
    with Engine(command) as engine, pytest.raises(EngineCrash):
        engine.go(Budget(depth=3))
    assert time.monotonic() - began < 10


def test_silence_is_a_timeout_and_the_engine_is_ended(tmp_path: Path) -> None:
    with Engine(scripted(tmp_path, "pass")) as engine:
        began = time.monotonic()
        with pytest.raises(EngineTimeout, match="no bestmove in time"):
            engine.go(Budget(depth=3), timeout=0.1)
        assert time.monotonic() - began < 5
        with pytest.raises(EngineError):
            engine.is_ready()


def test_late_answer_to_stop_keeps_the_engine(tmp_path: Path) -> None:
    on_go = "if word == 'stop': say('bestmove h2e2')"
    with Engine(scripted(tmp_path, on_go)) as engine:
        with pytest.raises(EngineTimeout):
            engine.go(Budget(time=0.01), timeout=0.1)
        engine.is_ready()
        threading.Timer(0.05, engine.stop).start()
        assert engine.go(timeout=10).move == "h2e2"


def test_engine_that_does_not_quit_is_killed(tmp_path: Path) -> None:
    with Engine(scripted(tmp_path, "pass", stubborn=True)) as engine:
        assert engine.quit(timeout=0.1) != 0


def test_program_that_is_no_engine() -> None:
    with pytest.raises(EngineCrash):
        Engine([sys.executable, "-c", "print('hello')"])
    with pytest.raises(EngineTimeout):
        Engine([sys.executable, "-c", "import time; time.sleep(30)"], timeout=0.3)
    with pytest.raises(EngineError, match="cannot start"):
        Engine(["/no/such/program"])


def test_options_are_checked_before_they_are_sent(tmp_path: Path) -> None:
    with Engine(scripted(tmp_path, "say('bestmove h2e2')")) as engine:
        engine.set_option("hash", 32)
        with pytest.raises(ValueError, match="no option 'Threads'"):
            engine.set_option("Threads", 2)
        with pytest.raises(ValueError, match=r"1\.\.64"):
            engine.set_option("Hash", 65)
        with pytest.raises(ValueError, match="one line"):
            engine.position("9/9\nquit")
    with pytest.raises(ValueError, match="no option"):
        Engine(scripted(tmp_path, "pass"), options={"Sixty Move Rule": True})


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("bestmove h2e2 ponder h9g7", Answer("h2e2", "h9g7")),
        ("bestmove h2e2 ponder (none)", Answer("h2e2")),
        ("bestmove h2e2 draw", Answer("h2e2", draw=True)),
        ("bestmove h2e2 ponder h9g7 resign", Answer("h2e2", "h9g7", resign=True)),
        ("bestmove (none)", Answer(None)),
        ("bestmove", Answer(None)),
        ("nobestmove", Answer(None)),
    ],
)
def test_forms_of_an_answer(tmp_path: Path, line: str, answer: Answer) -> None:
    with Engine(scripted(tmp_path, f"say({line!r})")) as engine:
        engine.position(START_FEN)
        assert engine.go(Budget(depth=1)) == answer


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("info depth 7 score -31 pv h2e2 h9g7", Info(7, -31, pv=("h2e2", "h9g7"))),
        ("info score mate -3 multipv 2", Info(mate=-3, multipv=2)),
        ("info message 红方胜 pv", Info(text="红方胜 pv")),
        ("info depth score nodes x", Info()),
        ("info", Info()),
    ],
)
def test_info_lines(line: str, info: Info) -> None:
    assert Info.parse(line) == info


@given(st.text())
def test_any_line_can_be_read(text: str) -> None:
    Info.parse("info " + text)
    Go.parse(text.split()).budget(0)
    with suppress(ValueError):
        EngineOption.parse("option " + text)


NAMES = st.from_regex(r"[A-Z][a-z]{2,8}( [A-Z][a-z]{2,8})?", fullmatch=True)


@given(
    st.builds(EngineOption, NAMES, st.just("spin"), st.just("3"), st.just(-5), st.just(9))
    | st.builds(EngineOption, NAMES, st.just("string"), st.sampled_from(["", "book.dat"]))
    | st.builds(EngineOption, NAMES, st.just("button"))
    | st.builds(EngineOption, NAMES, st.just("combo"), st.just("a"), choices=st.just(("a", "b c")))
)
def test_option_lines_are_read_as_they_are_written(option: EngineOption) -> None:
    assert EngineOption.parse(option.line()) == option
    assert EngineOption.parse(option.line(ucci=True)).key == option.key
