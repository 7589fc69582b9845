"""What is installed: a wheel built from the files under version control holds all that runs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]


def tracked() -> list[str]:
    """Files under version control, as they stand."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        pytest.skip("this is no working tree of git")
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_the_wheel_holds_every_file_of_every_room(tmp_path: Path) -> None:
    pytest.importorskip("build", reason="the package build is not installed")
    source, out = tmp_path / "source", tmp_path / "out"
    files = tracked()
    for name in files:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, source],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = out.glob("*.whl")
    with ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    rooms = {path.parent.name for path in ROOT.glob("*/py.typed")}
    wanted = {name for name in files if name.partition("/")[0] in rooms}
    assert wanted - inside == set()
    foreign = {name for name in inside if name.partition("/")[0] not in rooms}
    assert all(".dist-info/" in name for name in foreign), foreign
    for name in ("voice.wav", "voice.json", "voice.js", "index.html", "hall.css"):
        assert f"qiyuan/hall/static/{name}" in inside
