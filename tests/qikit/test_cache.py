"""The kernel cache, seen from outside: a tiny room on disk, loaded by fresh processes.

A process says on stderr when it has to compile; that sentence is how a user sees a cache miss.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

KERNEL = """
from qikit.jit import jit
from room.geometry import STEP

@jit()
def inner(a):
    return a * STEP

@jit("int64(int64)")
def scaled(a):
    return inner(a)

@jit("int64(int64[::1], int64)")
def total(values, n):
    s = 0
    for i in range(n):
        s += inner(values[i])
    return s
"""

LOAD_AND_CALL = """
from qikit.kernels import load
print(load("room.kernel").scaled(7))
"""


@dataclass
class Room:
    """A package ``room`` with a kernel, in a folder of its own, with a cache of its own."""

    folder: Path
    cache: Path

    def write(self, module: str, text: str) -> None:
        (self.folder / "room" / f"{module}.py").write_text(text, encoding="utf-8")

    def command(self, code: str) -> list[str]:
        return [sys.executable, "-c", code]

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.folder), *[p for p in sys.path if p]])
        return os.environ | {
            "PYTHONPATH": path,
            "QIYUAN_CACHE_DIR": str(self.cache),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
        }

    def run(self, code: str = LOAD_AND_CALL) -> tuple[str, str]:
        """(stdout, stderr) of a fresh process; fails the test when it fails."""
        done = subprocess.run(
            self.command(code),
            env=self.environment(),
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip(), done.stderr


def compiled(stderr: str) -> bool:
    return "compiling kernels once" in stderr


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = Room(tmp_path / "site", tmp_path / "cache")
    (made.folder / "room").mkdir(parents=True)
    made.write("__init__", "")
    made.write("geometry", "STEP = 3\n")
    made.write("kernel", KERNEL)
    return made


def test_second_process_reads_what_the_first_compiled(room: Room) -> None:
    answer, said = room.run()
    assert (answer, compiled(said)) == ("21", True)
    answer, said = room.run()
    assert (answer, compiled(said), said) == ("21", False, "")


def test_edited_kernel_is_compiled_again(room: Room) -> None:
    room.run()
    room.write("kernel", KERNEL.replace("a * STEP", "a * STEP + 1"))
    answer, said = room.run()
    assert (answer, compiled(said)) == ("22", True)


def test_edited_helper_module_is_compiled_again(room: Room) -> None:
    """What numba's own cache misses: a constant in another file that the kernel froze."""
    room.run()
    room.write("geometry", "STEP = 5\n")
    answer, said = room.run()
    assert (answer, compiled(said)) == ("35", True)


def test_edit_two_imports_away_is_compiled_again(room: Room) -> None:
    room.write("geometry", "from room.deeper import STEP\n")
    room.write("deeper", "STEP = 3\n")
    assert room.run()[0] == "21"
    room.write("deeper", "STEP = 11\n")
    answer, said = room.run()
    assert (answer, compiled(said)) == ("77", True)


@pytest.mark.parametrize(
    "statement",
    [
        "from .geometry import STEP",
        "from . import geometry; STEP = geometry.STEP",
        "import room.geometry as g; STEP = g.STEP",
        "from room import STEP",
    ],
)
def test_every_form_of_import_is_followed(room: Room, statement: str) -> None:
    from qikit import cache

    room.write("__init__", "from room.geometry import STEP\n" if "room import" in statement else "")
    room.write("kernel", KERNEL.replace("from room.geometry import STEP", statement))
    code = "import sys; from qikit.cache import closure\nprint(*sorted(closure('room.kernel')))"
    assert cache.ENVIRONMENT_VARIABLE == "QIYUAN_CACHE_DIR"
    assert "room.geometry" in room.run(code)[0].split()


def test_undoing_an_edit_finds_the_old_code_again(room: Room) -> None:
    room.run()
    room.write("geometry", "STEP = 5\n")
    room.run()
    room.write("geometry", "STEP = 3\n")
    answer, said = room.run()
    assert (answer, compiled(said)) == ("21", False)


def test_numba_imported_first(room: Room) -> None:
    """A host program that uses numba itself neither loses its cache nor spoils ours."""
    host = (
        "import numba, os\n"
        "from numba.core import config\n"
        "before = (config.CACHE_DIR, os.environ.get('NUMBA_CACHE_DIR'))\n"
        f"{LOAD_AND_CALL}\n"
        "assert before == (config.CACHE_DIR, os.environ.get('NUMBA_CACHE_DIR'))\n"
    )
    answer, said = room.run(host)
    assert (answer, compiled(said)) == ("21", True)
    assert not compiled(room.run(host)[1]), "second process with numba first"
    assert not compiled(room.run()[1]), "and the same entry without it"
    room.write("geometry", "STEP = 5\n")
    answer, said = room.run(host)
    assert (answer, compiled(said)) == ("35", True), "an edited helper, numba first"


def test_a_host_programs_own_functions_stay_where_they_were(room: Room) -> None:
    room.write(
        "host",
        "import numba\n@numba.njit(cache=True)\ndef twice(a):\n    return 2 * a\n",
    )
    code = (
        f"{LOAD_AND_CALL}\n"
        "import room.host\n"
        "room.host.twice(4)\n"
        "print(room.host.twice.stats.cache_path)\n"
    )
    place = Path(room.run(code)[0].splitlines()[1])
    assert room.cache not in [place, *place.parents]


def test_copied_installation_hits_the_cache(room: Room) -> None:
    room.run()
    copy = Room(room.folder.parent / "elsewhere", room.cache)
    shutil.copytree(room.folder, copy.folder)
    for file in copy.folder.rglob("*.py"):
        os.utime(file, (1, 1))
    shutil.rmtree(room.folder)
    answer, said = copy.run()
    assert (answer, compiled(said)) == ("21", False)


def test_unwritable_cache_folder_costs_time_but_works(room: Room) -> None:
    room.cache.write_text("a file where the folder should be")
    answer, said = room.run()
    assert answer == "21"
    assert said.count("QIYUAN_CACHE_DIR") == 1, "said once, with the way out"


@pytest.mark.parametrize(
    ("ending", "damage"), [("nbi", "cut"), ("nbi", "empty"), ("nbi", "noise"), ("nbc", "cut")]
)
def test_torn_cache_file_is_replaced(room: Room, ending: str, damage: str) -> None:
    room.run()
    files = list(room.cache.rglob(f"*.{ending}"))
    assert len(files) == 2
    for file in files:
        whole = file.read_bytes()
        torn = {"cut": whole[: len(whole) // 2], "empty": b"", "noise": b"\x80\x04garbage" * 9}
        file.write_bytes(torn[damage])
    answer, said = room.run()
    assert (answer, compiled(said)) == ("21", True)
    answer, said = room.run()
    assert (answer, compiled(said)) == ("21", False), "mended by the run before"


def test_processes_that_start_together_do_not_disturb_each_other(room: Room) -> None:
    processes = [
        subprocess.Popen(
            room.command(LOAD_AND_CALL),
            env=room.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(3)
    ]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out.strip()) == (0, "21"), err
    assert not compiled(room.run()[1])


def test_bounds_check_has_code_of_its_own(room: Room) -> None:
    room.run()
    checked = room.environment() | {"NUMBA_BOUNDSCHECK": "1"}
    code = (
        "import numpy as np\nfrom qikit.kernels import load\n"
        "kernel = load('room.kernel')\n"
        "try:\n    kernel.total(np.arange(3), 9)\nexcept IndexError:\n    print('caught')\n"
    )
    for run in ("cold", "warm"):
        done = subprocess.run(
            room.command(code), env=checked, capture_output=True, encoding="utf-8", timeout=120
        )
        assert done.stdout.strip() == "caught", done.stderr
        assert compiled(done.stderr) == (run == "cold")


def test_prune_deletes_only_what_is_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from qikit import cache

    monkeypatch.setenv(cache.ENVIRONMENT_VARIABLE, str(tmp_path))
    old, new = tmp_path / "a.kernel-00", tmp_path / "b.kernel-11"
    for place in (old, new):
        place.mkdir()
        (place / "x.nbc").write_bytes(b"code")
    os.utime(old, (1, 1))
    assert cache.prune(days=30) == 1
    assert (old.exists(), new.exists()) == (False, True)
