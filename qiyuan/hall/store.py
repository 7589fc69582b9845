"""Saved games in one SQLite file: a move is on the disk before anybody sees it."""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import secrets
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, token BLOB NOT NULL, game TEXT NOT NULL, start TEXT NOT NULL,
    settings TEXT NOT NULL, result TEXT NOT NULL DEFAULT 'null',
    created REAL NOT NULL, updated REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE, ply INTEGER NOT NULL, move TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""
VERSION = 1


@dataclass(frozen=True)
class Saved:
    """A game as it lies in the file.

    Attributes:
        id: its public name.
        game: name of the game in the registry.
        start: the start position as text, ``""`` = the usual one.
        settings: who plays and how, as the hall wrote it.
        moves: texts of the moves, in order.
        result: how it ended, as the hall wrote it, or None.
        created: when it was begun, seconds of the epoch; 0 = not known.
    """

    id: str
    game: str
    start: str
    settings: dict[str, Any]
    moves: tuple[str, ...]
    result: dict[str, Any] | None
    created: float = 0.0


class Store:
    """The file. One thread at a time may use it.

    Args:
        path: the file; made if it is not there.

    Raises:
        sqlite3.DatabaseError: the file is no store of ours, or another process has it open.
        OSError: its folder cannot be made.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, 1.0, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")  # games live in memory of one process
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")  # a power cut loses no move either
        self._db.execute("PRAGMA foreign_keys=ON")
        [(version,)] = self._db.execute("PRAGMA user_version")
        if version not in (0, VERSION):
            self._db.close()
            raise sqlite3.DatabaseError(f"存档的版本较新 (made by a later version): {version}")
        self._db.executescript(SCHEMA)
        self._db.execute(f"PRAGMA user_version={VERSION}")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def create(
        self, game: str, start: str, settings: dict[str, Any], moves: Sequence[str] = ()
    ) -> tuple[str, str]:
        """A new game; returns its id and the token that owns it (kept only as a hash)."""
        name, token, now = secrets.token_urlsafe(9), secrets.token_urlsafe(24), time.time()
        with self._transaction():
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, 'null', ?, ?)",
                (name, _hash(token), game, start, _json(settings), now, now),
            )
            self._insert(name, 0, moves)
        return name, token

    def owns(self, name: str, token: str) -> bool:
        """Whether the token owns the game; False for a game that is not there."""
        row = self._db.execute("SELECT token FROM games WHERE id = ?", (name,)).fetchone()
        return hmac.compare_digest(row[0] if row else b"", _hash(token))

    def load(self, name: str) -> Saved | None:
        """A game, or None if it is not there."""
        row = self._db.execute(
            "SELECT id, game, start, settings, result, created FROM games WHERE id = ?", (name,)
        ).fetchone()
        if row is None:
            return None
        moves = self._db.execute("SELECT move FROM moves WHERE game = ? ORDER BY ply", (name,))
        found, game, start, settings, result, created = row
        texts = tuple(move for (move,) in moves)
        ended = json.loads(result)
        return Saved(found, game, start, json.loads(settings), texts, ended, created)

    def save(
        self,
        name: str,
        kept: int,
        moves: Sequence[str],
        settings: dict[str, Any],
        result: dict[str, Any] | None,
    ) -> bool:
        """Keep the first ``kept`` moves, put ``moves`` behind them, all or nothing.

        Returns:
            Whether the game is there.
        """
        with self._transaction():
            there = self._db.execute(
                "UPDATE games SET settings = ?, result = ?, updated = ? WHERE id = ?",
                (_json(settings), _json(result), time.time(), name),
            ).rowcount
            if there:
                self._db.execute("DELETE FROM moves WHERE game = ? AND ply > ?", (name, kept))
                self._insert(name, kept, moves)
        return bool(there)

    def delete(self, name: str) -> None:
        """Forget a game."""
        self._db.execute("DELETE FROM games WHERE id = ?", (name,))

    def count(self) -> int:
        """How many games there are."""
        [(count,)] = self._db.execute("SELECT count(*) FROM games")
        return int(count)

    def back_up(self, path: Path) -> None:
        """Write everything to another file, which must not exist.

        Raises:
            FileExistsError: it does.
        """
        path.open("xb").close()
        try:
            with closing(sqlite3.connect(path)) as copy:
                self._db.backup(copy)
        except BaseException:
            path.unlink(missing_ok=True)  # half a backup would be taken for one
            raise

    def _insert(self, name: str, kept: int, moves: Sequence[str]) -> None:
        rows = [(name, ply, move) for ply, move in enumerate(moves, kept + 1)]
        self._db.executemany("INSERT INTO moves VALUES (?, ?, ?)", rows)

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db)


def why(error: Exception) -> str:
    """What a fault of the file or the disk means to people, the system's words behind it.

    >>> why(PermissionError(13, "Permission denied"))
    '没有权限读写它 (Permission denied)'
    """
    own = str(error)
    if isinstance(error, OSError):
        own = error.strerror or own
        found = _OS.get(error.errno or 0, "")
    else:
        found = _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "")
    return f"{found} ({own})" if found else own


_SQLITE = {
    sqlite3.SQLITE_BUSY: "另一个棋苑正在用它，请先关掉那一个",
    sqlite3.SQLITE_LOCKED: "另一个棋苑正在用它，请先关掉那一个",
    sqlite3.SQLITE_READONLY: "它是只读的",
    sqlite3.SQLITE_IOERR: "磁盘读写出错",
    sqlite3.SQLITE_CORRUPT: "文件坏了，请用备份",
    sqlite3.SQLITE_FULL: "磁盘满了",
    sqlite3.SQLITE_CANTOPEN: "文件打不开，请看文件夹在不在、能不能写",
    sqlite3.SQLITE_NOTADB: "它不是棋苑的存档",
}
_OS = {
    errno.EACCES: "没有权限读写它",
    errno.EPERM: "没有权限读写它",
    errno.EROFS: "磁盘是只读的",
    errno.ENOSPC: "磁盘满了",
    errno.EEXIST: "它的文件夹的位置上有一个文件",
    errno.ENOTDIR: "它的文件夹的位置上有一个文件",
    errno.EISDIR: "它是一个文件夹",
}


class _Transaction:
    """BEGIN ... COMMIT, or ROLLBACK after an error."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:  # some faults of the disk have rolled back already
                self._db.execute("ROLLBACK")


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
