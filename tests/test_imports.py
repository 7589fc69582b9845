"""The arrows of the house, read from the import statements: who may know whom.

    qiyuan -> ai -> arbiter -> games -> qikit        qiyuan -> perft -> games

A top-level package that is not named here is a game.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UPPER = ("qiyuan", "ai", "arbiter", "perft")
PACKAGES = sorted(
    path.parent.name
    for path in ROOT.glob("*/__init__.py")
    if path.parent.name not in ("tests", "build", "dist")
)
GAMES = [name for name in PACKAGES if name not in (*UPPER, "qikit")]
BELOW = {
    "qikit": set(),
    "arbiter": {"qikit", *GAMES},
    "perft": {"qikit", *GAMES},
    "ai": {"qikit", *GAMES, "arbiter"},
    "qiyuan": {"qikit", *GAMES, "arbiter", "ai", "perft"},
    **{game: {"qikit"} for game in GAMES},
}
"""What a room may import besides itself."""
ALLOWED_IN_GAMES = {"numpy", "numba"}
"""The only libraries that a game may use."""
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
HEAVY = ("numba", "llvmlite", "onnx", "onnxruntime", "fastapi", "torch", "tqdm")
"""Not loaded by importing a game: all of these wait for their first use."""


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every module that a file imports, wherever the statement stands."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            yield node.lineno, ".".join(part for part in (base, node.module) if part)


@pytest.mark.parametrize("package", PACKAGES)
def test_arrows_point_one_way(package: str) -> None:
    allowed = BELOW[package] | {package}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for line, name in imports(path)
        if name.split(".")[0] in PACKAGES and name.split(".")[0] not in allowed
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_games_use_few_libraries(game: str) -> None:
    allowed = ALLOWED_IN_GAMES | {game, "qikit"} | set(sys.stdlib_module_names)
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(game)
        for line, name in imports(path)
        if name.split(".")[0] not in allowed
    ]
    assert not wrong, "\n".join(wrong)


def test_the_tests_are_imported_by_nobody() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in PACKAGES
        for path in modules(package)
        for line, name in imports(path)
        if name.split(".")[0] == "tests"
    ]
    assert not wrong, "\n".join(wrong)


def test_names_say_what_is_inside() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for package in (*PACKAGES, "tests")
        for path in (ROOT / package).rglob("*")
        if path.stem in VAGUE_NAMES and (path.suffix == ".py" or path.is_dir())
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_importing_a_game_is_cheap(game: str) -> None:
    """No compiler, no network runtime, no web, no other room: those wait for their first use."""
    banned = (*HEAVY, *(name for name in PACKAGES if name not in (game, "qikit")))
    code = f"import sys, {game}; print(*sorted(set({banned!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [], f"import {game} loads {done.stdout}"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_is_installed_and_typed(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    assert any(fnmatch(package, pattern) for pattern in patterns), f"{package} is in no wheel"
    assert package in project["tool"]["mypy"]["packages"], f"{package} is not type-checked"
    assert (ROOT / package / "py.typed").is_file(), f"{package} has no py.typed"


def test_the_reader_of_imports_sees_all_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test of the test: absolute, relative, nested, aliased."""
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    inner = tmp_path / "room" / "inner"
    inner.mkdir(parents=True)
    (inner / "file.py").write_text(
        "import a.b as c\n"
        "from d import e\n"
        "from . import f\n"
        "from ..g import h\n"
        "def late():\n"
        "    if True:\n"
        "        import i\n",
        "utf-8",
    )
    assert [name for _, name in sorted(imports(inner / "file.py"))] == [
        "a.b", "d", "room.inner", "room.g", "i",
    ]  # fmt: skip
