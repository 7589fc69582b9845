"""Record files of 象棋 on the command line: read with bounds and in a sentence, written whole."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from qikit.errors import GameError, InvalidRecord

if TYPE_CHECKING:
    from xiangqi.game import Game

LARGEST = 64 * 2**20
"""Bytes of a record; a collection of every game ever published is smaller."""


def read_games(source: str, encoding: str | None = None) -> list[Game]:
    """The games of a file, ``"-"`` is standard input.

    Raises:
        InvalidRecord: it cannot be read; the message says which file and why in a sentence.
    """
    name = "标准输入 (standard input)" if source == "-" else source
    if source == "-" and sys.stdin is None:  # a shell may have closed it
        raise InvalidRecord(f"{name}：已关闭 (closed)", text=name)
    data = sys.stdin.buffer.read(LARGEST + 1) if source == "-" else read_bytes(Path(source))
    return games_of(data, name, encoding)


def games_of(data: bytes, name: str, encoding: str | None = None) -> list[Game]:
    """The games of a file's bytes; ``name`` stands in the messages.

    Raises:
        InvalidRecord: as :func:`read_games`.
    """
    from xiangqi import records

    if not data.strip():
        raise InvalidRecord(f"{name}：是空的，没有棋谱 (empty)", text=name)
    if len(data) > LARGEST:
        raise InvalidRecord(f"{name}：超过 {LARGEST >> 20} MB，不像棋谱 (too large)", text=name)
    try:
        return records.read(data, encoding)
    except GameError as error:
        raise InvalidRecord(f"{name}：{error}", text=name) from None


def read_bytes(path: Path) -> bytes:
    """The first bytes of a file, one more than :data:`LARGEST` at most.

    Raises:
        InvalidRecord: it cannot be opened; the message says why.
    """
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except FileNotFoundError:
        raise InvalidRecord(f"{path}：没有这个文件 (no such file)", text=str(path)) from None
    except IsADirectoryError:
        raise InvalidRecord(f"{path}：是文件夹，不是棋谱 (a directory)", text=str(path)) from None
    except (OSError, ValueError) as error:
        raise InvalidRecord(
            f"{path}：打不开 (cannot be opened): {_reason(error)}", text=str(path)
        ) from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def write_file(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a file as a whole: after any failure there is the old one or none.

    Args:
        force: replace a file that is there.

    Raises:
        InvalidRecord: it is there already, or cannot be written.
    """
    try:
        path = path.resolve()
        if path.is_dir():
            raise InvalidRecord(f"{path}：是文件夹 (a directory)", text=str(path))
        if path.exists() and not path.is_file():
            # a device or a pipe: a file must never take its place
            with path.open("wb") as stream:
                stream.write(data)
            return
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if force:
                part.replace(path)
            else:
                _place_new(part, path)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError:
        raise InvalidRecord(
            f"{path}：已经有这个文件，要覆盖请加 --force (it exists; --force replaces it)",
            text=str(path),
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, GameError):
            raise
        raise InvalidRecord(
            f"{path}：写不了 (cannot be written): {_reason(error)}", text=str(path)
        ) from None


def _place_new(part: Path, path: Path) -> None:
    """Give a finished file its name, which must be free.

    Raises:
        FileExistsError: it is not.
    """
    try:
        os.link(part, path)  # unlike a rename this fails if the name is taken meanwhile
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError from None
        part.replace(path)
