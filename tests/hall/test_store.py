"""Saved games: what was answered is on the disk, whatever happens to the process."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from qiyuan.hall.store import Store, why

SETTINGS = {"mode": "two"}


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "games.sqlite3")
    name, token = store.create("xiangqi", "", SETTINGS, ["h2e2"])
    store.save(name, 1, ["h9g7", "h0g2"], SETTINGS, None)
    store.save(name, 2, ["b0c2"], SETTINGS, {"winner": 1, "text": "黑方胜"})
    store.close()
    store = Store(tmp_path / "deep" / "games.sqlite3")
    saved = store.load(name)
    assert saved is not None
    assert saved.moves == ("h2e2", "h9g7", "b0c2")
    assert saved.result == {"winner": 1, "text": "黑方胜"}
    assert store.owns(name, token)
    assert not any(store.owns(name, other) for other in ("", token[:-1], token.upper(), "\ud800"))
    assert not store.owns("nobody", token)
    store.delete(name)
    assert store.load(name) is None
    assert store.count() == 0
    store.close()


def test_a_failed_change_leaves_the_old_state(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    name, _ = store.create("xiangqi", "", SETTINGS, ["h2e2"])
    with pytest.raises(sqlite3.Error):
        store.save(name, 0, ["a0a1", None], SETTINGS, None)  # type: ignore[list-item]
    saved = store.load(name)
    assert saved is not None
    assert saved.moves == ("h2e2",)
    store.close()


def test_one_process_at_a_time_and_versions(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(path)
    code = (
        "import sys; from pathlib import Path; from qiyuan.hall.store import Store;"
        "Store(Path(sys.argv[1]))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, encoding="utf-8"
    )
    assert other.returncode != 0
    assert "locked" in other.stderr
    store.close()
    newer = tmp_path / "newer.sqlite3"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(sqlite3.DatabaseError, match="later version"):
        Store(newer)
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at as one " * 40)
    with pytest.raises(sqlite3.DatabaseError) as strange:
        Store(text)
    assert why(strange.value) == "它不是棋苑的存档 (file is not a database)"
    with pytest.raises(OSError, match="text") as inside:
        Store(text / "games.sqlite3")
    assert why(inside.value).startswith("它的文件夹的位置上有一个文件 (")
    with pytest.raises(sqlite3.Error) as folder:
        Store(tmp_path)
    assert why(folder.value).startswith("文件打不开")


def test_half_a_backup_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    store.close()
    with pytest.raises(sqlite3.Error):
        store.back_up(tmp_path / "copy.sqlite3")
    assert not (tmp_path / "copy.sqlite3").exists()


def test_a_backup_is_a_store(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    name, token = store.create("xiangqi", "", SETTINGS, ["h2e2", "h9g7"])
    store.back_up(tmp_path / "copy.sqlite3")
    with pytest.raises(FileExistsError):
        store.back_up(tmp_path / "copy.sqlite3")
    store.close()
    copy = Store(tmp_path / "copy.sqlite3")
    saved = copy.load(name)
    assert saved is not None
    assert saved.moves == ("h2e2", "h9g7")
    assert copy.owns(name, token)
    copy.close()
