"""The bench: counts are asserted, other programs are measured, bad programs are told."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from perft.bench import Row, bench, python_speed
from perft.modes import modes
from perft.peer import Peer, PeerError, find
from xiangqi import Board

FAIRY = find("fairy-stockfish")
FEN = Board().fen()
COUNTS = {1: 44, 2: 1920, 3: 79666, 4: 3290240}
POSITIONS = [
    (FEN, 4, 3290240),
    ("3k5/9/9/9/9/9/9/3n5/R8/4K4 w - - 0 1", 5, 36115),
    ("3k5/4P4/9/9/9/9/9/9/9/5K3 b - - 0 1", 3, 0),
]

SCRIPTED = """#!{python}
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("id name Scripted")
        print("option name UCI_Variant type combo default chess var chess var xiangqi")
        print("uciok", flush=True)
    elif word == "setoption": assert line.split()[-1] == "xiangqi"
    elif word == "go": {on_go}
    elif word == "quit": break
"""


def scripted(folder: Path, on_go: str) -> str:
    path = folder / "engine"
    path.write_text(SCRIPTED.format(python=sys.executable, on_go=on_go))
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(("fen", "depth", "nodes"), POSITIONS)
def test_every_mode_counts_the_same(fen: str, depth: int, nodes: int) -> None:
    for mode in modes("xiangqi"):
        assert mode.prepare(fen)(depth) == nodes, mode.name


def test_modes_are_labelled() -> None:
    assert [mode.name for mode in modes("xiangqi")] == ["count", "list", "make"]
    assert all(mode.zh and mode.en for mode in modes("xiangqi"))


@pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
def test_bench_beside_fairy_stockfish() -> None:
    assert FAIRY is not None
    result = bench(
        "xiangqi", FEN, 3, peers=[Peer(FAIRY)], rounds=2, threads_depth=4, expected=COUNTS
    )
    assert result.wrong == []
    assert [row.nodes for row in [*result.own, *result.peers]] == [79666] * 4
    assert result.peers[0].name.startswith("Fairy-Stockfish")
    assert all(result.peers[0].name in row.ratios for row in result.own)
    assert result.threads is not None
    assert result.threads.nodes == 3290240
    assert result.python_moves > 0
    data = json.loads(json.dumps(result.to_dict()))
    assert data["own"][0]["nodes_per_second"] > 0


def test_wrong_count_of_a_peer_is_found(tmp_path: Path) -> None:
    liar = Peer(scripted(tmp_path, 'print("Nodes searched: 7", flush=True)'))
    result = bench("xiangqi", FEN, 2, peers=[liar], rounds=1, threads=1, expected=COUNTS)
    assert result.wrong == ["Scripted"]
    result = bench("xiangqi", FEN, 2, peers=[liar], rounds=1, threads=1)
    assert result.wrong == ["Scripted"], "without a known count ours is the measure"


def test_wrong_known_count_is_found() -> None:
    result = bench("xiangqi", FEN, 2, rounds=1, expected={2: 1921, 3: 1}, threads_depth=3)
    assert result.wrong == ["count", "list", "make", "threads"]


@pytest.mark.parametrize("on_go", ["sys.exit(3)", "break"])
def test_program_that_ends_instead_of_counting(tmp_path: Path, on_go: str) -> None:
    with pytest.raises(PeerError, match="go perft"):
        Peer(scripted(tmp_path, on_go)).measure(FEN, 2)


def test_program_that_never_answers(tmp_path: Path) -> None:
    with pytest.raises(PeerError):
        Peer(scripted(tmp_path, "pass"), timeout=0.5).measure(FEN, 2)
    with pytest.raises(PeerError):
        Peer("/bin/true").measure(FEN, 2)
    with pytest.raises(PeerError, match="No such file"):
        Peer(str(tmp_path / "none")).measure(FEN, 2)


def test_best_of_rounds_and_changing_counts() -> None:
    row = Row("x", "", "")
    for nodes, cpu in ((10, 2.0), (10, 1.0), (10, 3.0)):
        row.note(nodes, cpu)
    assert (row.nodes, row.cpu, row.speed) == (10, 1.0, 10.0)
    row.note(11, 1.0)
    assert row.nodes == -1


def test_python_speed_of_a_lost_position() -> None:
    assert python_speed(Board("3k5/4P4/9/9/9/9/9/9/9/5K3 b")) == (0.0, 0.0)
    assert python_speed(Board(), seconds=0.01)[0] > 0
