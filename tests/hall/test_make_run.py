"""``make run``, one of the two commands of the README: the hall, until Ctrl+C."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from qiyuan.exit_codes import ExitCode

ROOT = Path(__file__).parents[2]
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
"""The surroundings of a make that was not called by another one (these tests may run in one)."""
pytestmark = pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None, reason="make is not installed"
)


def test_it_installs_what_the_hall_needs_and_starts_it(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "-n", "run", f"VENV={tmp_path}/venv"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=OUTSIDE,
    )
    lines = done.stdout.splitlines()
    assert any("pip install" in line and "[web,report]" in line for line in lines)
    assert lines[-1].split() == [f"{tmp_path}/venv/bin/qiyuan", "serve"]


def test_it_tells_the_address_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    """In an environment that stands ready; the program and all of make get the signal."""
    command = tmp_path / "bin" / "qiyuan"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m qiyuan "$@"\n', "utf-8")
    command.chmod(0o755)
    (tmp_path / ".installed").touch()
    options = f"--port 0 --no-browser --data {tmp_path}/games.sqlite3"
    making = subprocess.Popen(
        ["make", "run", f"VENV={tmp_path}", f"ARGS={options}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
        env=OUTSIDE | {"PYTHONUTF8": "1"},
    )
    assert making.stdout is not None
    line = making.stdout.readline()
    assert line.startswith("棋苑大厅"), line + making.communicate(timeout=20)[1]
    assert httpx.get(line.split()[-1]).status_code == 200
    os.killpg(making.pid, signal.SIGINT)
    _, complaints = making.communicate(timeout=20)
    assert "Traceback" not in complaints
    assert f"Error {int(ExitCode.INTERRUPTED)}" in complaints or making.returncode in (
        -signal.SIGINT, ExitCode.INTERRUPTED,
    )  # fmt: skip
