"""Transcripts of the searching engine: UCI and UCCI with everything that a search can be told."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from tests.ai.test_xiangqi_protocol import Table, answers, best
from xiangqi import Board, Move
from xiangqi.repetition import rule_books

MATE = "3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w"
LINE = re.compile(
    r"info depth \d+( multipv \d+)? score (cp|mate) -?\d+ "
    r"time \d+ nodes \d+( nps \d+)? pv( \w{4})+$"
)


@pytest.fixture
def uci() -> Iterator[Table]:
    table = Table("search")
    table.ask("uci", "setoption name Hash value 2", "isready", last="readyok")
    yield table
    table.close()


@pytest.fixture
def ucci() -> Iterator[Table]:
    table = Table("search")
    table.ask("ucci", "setoption hash 2", "setoption usemillisec on", "isready", last="readyok")
    yield table
    table.close()


def infos(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("info depth")]


def test_search_is_the_default_and_announces_its_options() -> None:
    table = Table("search")
    lines = table.ask("uci", last="uciok")
    for name in (
        *("Hash type spin", "Threads type spin", "MultiPV type spin", "Skill Level type spin"),
        *("UCI_LimitStrength type check", "UCI_Elo type spin", "Repetition Rule type combo"),
    ):
        assert any(line.startswith(f"option name {name}") for line in lines)
    assert any("Player type combo default search" in line for line in lines)
    table.close()


def test_info_lines_of_each_iteration(uci: Table) -> None:
    lines = uci.ask("position startpos moves h2e2", "go depth 6")
    told = infos(lines)
    assert all(LINE.match(line) for line in told), told
    assert [int(line.split()[2]) for line in told] == sorted(int(line.split()[2]) for line in told)
    assert int(told[-1].split()[2]) == 6
    board = Board()
    board.push("h2e2")
    pv = told[-1].partition(" pv ")[2].split()
    assert pv[0] == best(lines)
    for text in pv:
        board.push_uci(text)
    assert lines[-1] == f"bestmove {pv[0]}" + (f" ponder {pv[1]}" if len(pv) > 1 else "")


def test_nodes_are_kept(uci: Table) -> None:
    lines = uci.ask("position startpos", "go nodes 3000")
    assert max(int(re.findall(r"nodes (\d+)", line)[0]) for line in infos(lines)) <= 3000


def test_limits_beyond_every_number_are_none(uci: Table) -> None:
    for word in ("nodes", "movetime", "wtime", "movestogo"):
        assert best(uci.ask("position startpos", f"go depth 1 {word} {'9' * 19}"))


def test_mates_are_told_in_moves(uci: Table, ucci: Table) -> None:
    lines = uci.ask(f"position fen {MATE}", "go depth 5")
    assert " score mate 1 " in infos(lines)[-1]
    assert best(lines) == "b0b9"
    assert " score 9999 " in infos(ucci.ask(f"position fen {MATE}", "go depth 5"))[-1]


def test_several_lines(uci: Table) -> None:
    lines = uci.ask("setoption name MultiPV value 3", "position startpos", "go depth 4")
    last = [line for line in infos(lines) if line.startswith("info depth 4 ")]
    assert [line.split()[4] for line in last] == ["1", "2", "3"]
    assert len({line.partition(" pv ")[2].split()[0] for line in last}) == 3


def test_searchmoves_and_banmoves(uci: Table, ucci: Table) -> None:
    assert best(uci.ask("position startpos", "go depth 3 searchmoves a0a1 i0i1")) in (
        "a0a1",
        "i0i1",
    )
    lines = ucci.ask(f"position fen {MATE}", "banmoves b0b9", "go depth 4")
    assert best(lines) != "b0b9"


def test_forbidden_repetition_is_avoided_by_the_chosen_book(uci: Table) -> None:
    loop = "position fen 3k5/9/9/9/9/3R5/9/9/9/5K3 b moves d9e9 d4e4 e9d9"
    for book in rule_books():
        lines = uci.ask(f"setoption name Repetition Rule value {book}", loop, "go nodes 3000")
        assert best(lines) != "e4d4"


def test_times_are_kept_and_stop_is_quick(uci: Table) -> None:
    for go in ("go movetime 100", "go wtime 3000 btime 3000 winc 0", "go wtime 500 movestogo 1"):
        began = time.perf_counter()
        uci.ask("position startpos", go)
        assert time.perf_counter() - began < 2.0
    delays = []
    for _ in range(5):
        uci.send("position startpos", "go infinite")
        uci.until("info depth")
        time.sleep(0.05)
        began = time.perf_counter()
        uci.ask("stop")
        delays.append(time.perf_counter() - began)
    assert min(delays) < 0.05, delays


def test_byoyomi_of_ucci(ucci: Table) -> None:
    """So many milliseconds for the next move, again and again."""
    moves: list[str] = []
    for _ in range(4):
        began = time.perf_counter()
        played = " moves " + " ".join(moves) if moves else ""
        lines = ucci.ask(f"position startpos{played}", "go time 100 movestogo 1 opptime 100")
        assert time.perf_counter() - began < 1.0
        moves.append(best(lines))


def test_pondering(uci: Table) -> None:
    uci.send("position startpos moves h2e2 h9g7", "go ponder wtime 3000 btime 3000")
    uci.until("info depth")
    lines = uci.ask("ponderhit")
    assert Move.parse(best(lines))
    uci.send("go ponder movetime 50")
    uci.until("info depth")
    assert uci.ask("stop")[-1].startswith("bestmove ")


def test_strength_can_be_limited(uci: Table) -> None:
    lines = uci.ask("setoption name Skill Level value 0", "position startpos", "go movetime 2000")
    assert max(int(re.findall(r"nodes (\d+)", line)[0]) for line in infos(lines)) <= 400
    lines = uci.ask(
        "setoption name Skill Level value 20",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 600",
        "go movetime 2000",
    )
    assert max(int(re.findall(r"nodes (\d+)", line)[0]) for line in infos(lines)) <= 400
    lines = uci.ask("setoption name UCI_LimitStrength value false", "go nodes 1500")
    assert max(int(re.findall(r"nodes (\d+)", line)[0]) for line in infos(lines)) > 400


def test_two_threads(uci: Table) -> None:
    lines = uci.ask("setoption name Threads value 2", "position startpos", "go movetime 150")
    assert Move.parse(best(lines)) in Board().legal_moves


def test_whole_session_is_answered() -> None:
    lines = answers(
        ["uci", "setoption name Hash value 1", "position startpos", "go depth 3"], player="search"
    )
    assert lines[-1].startswith("bestmove ")
