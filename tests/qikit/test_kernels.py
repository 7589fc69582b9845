"""Loading kernels: at first use, once, whoever asks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from qikit import kernels
from qikit.stop import StopFlag

SPIN = """
from qikit.bits import ctz, load_volatile, popcount
from qikit.jit import jit

@jit("int64(int64[::1], int64)")
def spin(stop, most):
    n = 0
    while n < most and load_volatile(stop) == 0:
        n += 1
    return n

@jit("int64(int64)")
def ones(bits):
    return popcount(bits)

@jit("int64(int64)")
def lowest(bits):
    return ctz(bits)

@jit("int64(int64, int64)")
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, n + 1)
    return ackermann(m - 1, ackermann(m, n - 1))
"""


@pytest.fixture(scope="module")
def spinning(tmp_path_factory: pytest.TempPathFactory) -> object:
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "spinning_kernel.py").write_text(SPIN)
    sys.path.insert(0, str(folder))
    try:
        with ThreadPoolExecutor(4) as pool:
            loaded = list(pool.map(kernels.load, ["spinning_kernel"] * 4))
    finally:
        sys.path.remove(str(folder))
    assert all(module is loaded[0] for module in loaded)
    return loaded[0]


def test_importing_qikit_does_not_import_numba() -> None:
    code = "import sys, qikit, qikit.kernels, qikit.zobrist; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_threads_that_ask_at_once_get_one_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "asked_kernel.py").write_text(SPIN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("QIYUAN_CACHE_DIR", str(tmp_path / "cache"))
    gate = threading.Barrier(4)

    def ask() -> int:
        gate.wait()
        return int(kernels.load("asked_kernel").ones(7))

    with ThreadPoolExecutor(4) as pool:
        answers = [future.result() for future in [pool.submit(ask) for _ in range(4)]]
    assert answers == [3, 3, 3, 3]
    assert capfd.readouterr().err.count("compiling kernels once") == 1


def test_running_kernel_sees_the_stop_flag(spinning: object) -> None:
    flag = StopFlag()
    began = time.perf_counter()
    with flag.after(0.05):
        steps = spinning.spin(flag.array, 1 << 62)  # type: ignore[attr-defined]
    assert flag.is_set()
    assert 0 < steps < 1 << 62
    assert time.perf_counter() - began < 10.0, "ended because of the flag, not of the count"


def test_stop_flag_set_by_another_thread_while_the_kernel_runs(spinning: object) -> None:
    flag = StopFlag()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(spinning.spin, flag.array, 1 << 62)  # type: ignore[attr-defined]
        time.sleep(0.02)
        assert not running.done()
        flag.set()
        assert running.result(timeout=10) > 0
    flag.clear()
    assert spinning.spin(flag.array, 1000) == 1000  # type: ignore[attr-defined]


def test_watchdog_is_called_off() -> None:
    flag = StopFlag()
    with flag.after(0.02):
        pass
    time.sleep(0.05)
    assert not flag.is_set()
    flag.after(60).after(0.01)
    time.sleep(0.2)
    assert flag.is_set(), "the later watchdog replaced the earlier one"


@pytest.mark.parametrize("bits", [1, 2, 0b1011000, 1 << 62, (1 << 63) - 1, 0x00FF00FF00])
def test_bit_intrinsics(spinning: object, bits: int) -> None:
    assert spinning.ones(bits) == bits.bit_count()  # type: ignore[attr-defined]
    assert spinning.lowest(bits) == (bits & -bits).bit_length() - 1  # type: ignore[attr-defined]


def test_entry_points_take_no_other_types(spinning: object) -> None:
    with pytest.raises(TypeError):
        spinning.spin(np.zeros(1, np.float64), 3)  # type: ignore[attr-defined]


def test_self_recursive_entry_point(spinning: object) -> None:
    assert spinning.ackermann(2, 3) == 9  # type: ignore[attr-defined]


def test_registered_kernel_modules_exist() -> None:
    from importlib.util import find_spec

    assert "xiangqi.kernel" in kernels.modules()
    assert [name for name in kernels.modules() if find_spec(name) is None] == []


def test_unknown_kernel_module() -> None:
    with pytest.raises(ModuleNotFoundError):
        kernels.load("no_such_room.kernel")


def test_warm_compiles_every_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from qiyuan.commands.warm import command

    asked: list[str] = []
    monkeypatch.setattr(kernels, "load", lambda name, announce: asked.append(name))
    monkeypatch.setenv("QIYUAN_CACHE_DIR", str(tmp_path))
    result = CliRunner().invoke(command, ["--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert sorted(asked) == list(kernels.modules())
    assert str(tmp_path) in result.output


def test_warm_takes_the_games_that_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    from qiyuan.commands.warm import command

    asked: list[str] = []
    monkeypatch.setattr(kernels, "load", lambda name, announce: asked.append(name))
    assert CliRunner().invoke(command, ["xiangqi", "--jobs", "1"]).exit_code == 0
    assert sorted(asked) == list(kernels.modules("xiangqi"))
    assert len(asked) < len(kernels.modules())
    result = CliRunner().invoke(command, ["bridge"])
    assert result.exit_code == 2
    assert "bridge" in result.output


def test_warm_shows_a_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tqdm

    from qiyuan.commands import warm

    monkeypatch.setattr(kernels, "load", lambda name, announce: None)
    monkeypatch.setattr(warm, "tqdm", lambda **how: tqdm.tqdm(**(how | {"disable": False})))
    warm.command.callback((), 1)  # type: ignore[misc]
    assert "kernels" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_while_compiling_waits_for_the_kernel_and_is_not_lost() -> None:
    """Raised in a callback of the compiler it would be printed and forgotten."""
    steps = []

    def compile_while_asked_to_stop() -> None:
        with kernels._later_interrupt():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("went on to the end of the kernel")

    with pytest.raises(KeyboardInterrupt):
        compile_while_asked_to_stop()
    assert steps
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


@pytest.mark.full
def test_warm_compiles_in_several_processes(tmp_path: Path) -> None:
    """What two processes compiled is there for a third, and nothing is compiled again."""
    environment = os.environ | {"QIYUAN_CACHE_DIR": str(tmp_path)}
    arguments = [sys.executable, "-m", "qiyuan", "warm", "xiangqi_repetition", "checkers_race"]

    def files() -> dict[Path, float]:
        return {path: path.stat().st_mtime for path in tmp_path.rglob("*.nb[ic]")}

    subprocess.run([*arguments, "--jobs", "2"], env=environment, check=True, capture_output=True)
    first = files()
    assert any("xiangqi.repetition" in str(path) for path in first)
    assert any("checkers.race" in str(path) for path in first)
    subprocess.run(arguments, env=environment, check=True, capture_output=True)
    assert files() == first
