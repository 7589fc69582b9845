"""``qiyuan perft`` as a shell sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qiyuan.exit_codes import ExitCode
from xiangqi import Board

DATA = Path(__file__).parents[1] / "data"
CHECK = "3k5/9/9/9/9/9/9/3n5/R8/4K4 w - - 0 1"


def qiyuan(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qiyuan", "perft", *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        env=os.environ | {"PYTHONUTF8": "1"},
    )


def test_count_of_the_start_position() -> None:
    done = qiyuan("xiangqi", "--depth", "3")
    assert (done.returncode, done.stdout) == (ExitCode.OK, "深度 depth 3: 79666\n")
    assert "CPU" in done.stderr


def test_divide_and_json_of_a_position_without_quotes() -> None:
    done = qiyuan("xiangqi", *CHECK.split(), "--depth", "2", "--divide")
    assert done.returncode == ExitCode.OK
    split = Board(CHECK).divide(2)
    lines = done.stdout.splitlines()
    assert lines[:4] == sorted(f"{move}: {nodes}" for move, nodes in split.items())
    data = json.loads(
        qiyuan("xiangqi", CHECK, "--depth", "2", "--divide", "--json", "--threads", "2").stdout
    )
    assert data["split"] == {str(move): nodes for move, nodes in split.items()}
    assert (data["nodes"], data["threads"]) == (22, 2)


def test_check_of_a_right_and_a_wrong_file(tmp_path: Path) -> None:
    done = qiyuan("xiangqi", "--check", str(DATA / "xiangqi_perft.jsonl"), "--max-nodes", "5000")
    assert done.returncode == ExitCode.OK, done.stderr
    assert "56" in done.stdout
    wrong = tmp_path / "wrong.perft"
    wrong.write_text(f"id bad\nepd {CHECK}\nperft 1 4\nperft 2 23\n")
    done = qiyuan("xiangqi", "--check", str(wrong))
    assert done.returncode == ExitCode.MISMATCH
    assert "bad: " in done.stdout
    assert "a1d1: 1" in done.stdout
    data = json.loads(qiyuan("xiangqi", "--check", str(wrong), "--json").stdout)
    assert data["mismatch"]["split"] == {str(m): n for m, n in Board(CHECK).divide(2).items()}
    wrong.write_text("nonsense\n")
    done = qiyuan("xiangqi", "--check", str(wrong))
    assert (done.returncode, "Traceback" in done.stderr) == (ExitCode.BAD_INPUT, False)


def test_suite_command() -> None:
    done = qiyuan("suite", "xiangqi", "--max-nodes", "2000", "--json")
    assert done.returncode == ExitCode.OK, done.stderr
    assert json.loads(done.stdout)["mismatch"] is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["xiangqi"], ExitCode.USAGE),
        (["xiangqi", "--depth", "-1"], ExitCode.USAGE),
        (["xiangqi", "--depth", "0", "--divide"], ExitCode.USAGE),
        (["xiangqi", "--depth", "2", "--max-nodes", "5"], ExitCode.USAGE),
        (["xiangqi", "--check", "no-such-file"], ExitCode.USAGE),
        (["mahjong", "--depth", "2"], ExitCode.USAGE),
        (["suite", "mahjong"], ExitCode.USAGE),
        (["bench", "mahjong"], ExitCode.USAGE),
        (["xiangqi", "9/9/9", "--depth", "2"], ExitCode.BAD_INPUT),
        (["bench", "--engine", "/no/such/engine", "--depth", "1"], ExitCode.MISSING),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value.name,
)
def test_exit_codes(arguments: list[str], code: ExitCode) -> None:
    done = qiyuan(*arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


def test_bench_prints_three_labelled_modes(tmp_path: Path) -> None:
    done = qiyuan("bench", "--depth", "2", "--rounds", "1", "--threads-depth", "2")
    assert done.returncode == ExitCode.OK, done.stderr
    for label in ("末层只计数", "末层建合法着法表", "末层每着都走", "moves a second", "threads"):
        assert label in done.stdout
    liar = tmp_path / "liar"
    liar.write_text(
        f"#!{sys.executable}\nimport sys\nfor line in sys.stdin:\n"
        "    print('uciok' if line == 'uci\\n' else 'Nodes searched: 5', flush=True)\n"
    )
    liar.chmod(0o755)
    done = qiyuan("bench", "--depth", "2", "--rounds", "1", "--engine", str(liar), "--json")
    assert done.returncode == ExitCode.MISMATCH
    assert str(liar) in json.loads(done.stdout)["wrong"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_a_deep_count() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "qiyuan", "perft", "xiangqi", "--depth", "9", "--threads", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(2.5)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == ExitCode.INTERRUPTED
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == b""
        assert b"Traceback" not in process.stderr.read()


def test_depths_that_nothing_can_count() -> None:
    for depth in ("257", "1000000"):
        done = qiyuan("checkers", "--depth", depth)
        assert done.returncode == ExitCode.USAGE
        assert "256" in done.stderr
        assert "Traceback" not in done.stderr
