"""Judging an archive: processes, a journal that survives a kill, one result file at the end.

Rows are appended to a journal beside the result file as they come; a rerun reads it (and an
earlier result file) and judges only what is missing. At the end the rows are put in order and
replace the result file as a whole, so that the result does not depend on what happened meanwhile.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Future,
    wait,
)
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from arbiter.archive import Portion, Row, Rules, failure, judge_portion, portions
from qikit.errors import InvalidRecord
from qiyuan.recordfile import LARGEST, read_bytes, write_file
from qiyuan.workers import ToolMissing, Workers

COLUMNS = (
    ("file", "string"), ("game", "int32"), ("of", "int32"), ("digest", "string"),
    ("headers", "json"), ("plies", "int32"), ("verdict", "string"), ("ply", "int32"),
    ("rule_ids", "list"), ("pattern", "string"), ("events", "json"), ("defects", "list"),
    ("error", "string"), ("rules", "string"), ("rules_hash", "string"), ("program", "string"),
)  # fmt: skip
"""Columns of a Parquet file: the fields of a row, nested ones as JSON text."""


class Bar(Protocol):
    """What is told of the progress: bytes of files that are done."""

    def update(self, n: int) -> object:
        """So many more."""


# ---------------------------------------------------------------- files


def files_in(paths: Iterable[str], leave_out: Iterable[Path] = ()) -> dict[str, Path]:
    """The files that paths name, by the name that rows give them, each once.

    Folders stand for all regular files below them in order of names.

    Hidden files and folders inside a folder are left out, and so are the files of ``leave_out``.

    Raises:
        InvalidRecord: there is no such path.
    """
    not_wanted = {path.resolve() for path in leave_out}
    found: dict[str, Path] = {}
    for path in map(Path, paths):
        if not os.path.exists(path):
            raise InvalidRecord(f"{path}：没有这个文件或文件夹 (no such path)", text=str(path))
        for file in _below(path) if path.is_dir() else (path,):
            if file.resolve() not in not_wanted:
                found.setdefault(file.as_posix().encode("utf-8", "replace").decode(), file)
    return found


def _below(folder: Path) -> Iterator[Path]:
    """The regular files below a folder; one that cannot be listed stands for what is in it."""
    closed: list[Path] = []
    for here, folders, names in os.walk(folder, onerror=lambda e: closed.append(Path(e.filename))):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(here) / name
            if not name.startswith(".") and file.is_file():
                yield file
    yield from closed


# ---------------------------------------------------------------- results


def journal_of(path: Path) -> Path:
    """Where the rows of an unfinished run are kept, beside the result file."""
    return path.with_name(path.name + ".part")


class Results:
    """The result file with its journal, for one run at a time.

    Args:
        path: ``.jsonl`` or ``.parquet``.

    Raises:
        InvalidRecord: another name, a file that is no result of an archive, or another run is
            writing it.
        ToolMissing: Parquet without pyarrow.
    """

    def __init__(self, path: Path) -> None:
        if path.suffix not in (".jsonl", ".parquet"):
            raise InvalidRecord(
                f"{path}：结果文件名要以 .jsonl 或 .parquet 结尾 (name it .jsonl or .parquet)",
                text=str(path),
            )
        if path.suffix == ".parquet":
            _pyarrow()
        self.path = path
        self.journal = journal_of(path)
        try:
            self._file = self.journal.open("a+b")
        except OSError as error:
            raise InvalidRecord(
                f"{path}：写不了 (cannot be written): {error.strerror}", text=str(path)
            ) from None
        _lock(self._file, path)
        self.rows: dict[tuple[str, int], Row] = {}
        self.digests: dict[str, str] = {}
        """Of the files of this run, as they are now."""

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._file.close()

    def load(self, stamped: Row) -> None:
        """Take over the rows of earlier runs that were made by the same program and rules.

        A last line that a kill has torn is cut off.
        """
        if self.path.exists():
            self._take(_read_result(self.path), stamped)
        self._file.seek(0)
        data = self._file.read()
        end = data.rfind(b"\n") + 1
        self._file.truncate(end)
        self._take(filter(None, map(_row, data[:end].splitlines())), stamped)

    def _take(self, rows: Iterable[Row], stamped: Row) -> None:
        for row in rows:
            if stamped.items() <= row.items():
                self.rows[row["file"], row["game"]] = row

    def add(self, rows: Iterable[Row]) -> None:
        """Keep rows for good: whole lines in one write."""
        lines = [_line(row) for row in rows]
        self._file.write(b"".join(lines))
        self._file.flush()
        for row in map(json.loads, lines):  # as a rerun would read them
            self.rows[row["file"], row["game"]] = row

    def finish(self) -> list[Row]:
        """Write the result file with the rows of this run's files in order; the journal goes.

        Raises:
            InvalidRecord: it cannot be written; the journal stays.
        """
        rows = [
            row
            for (file, _), row in sorted(self.rows.items())
            if self.digests.get(file) == row["digest"]
        ]
        data = _parquet(rows) if self.path.suffix == ".parquet" else b"".join(map(_line, rows))
        write_file(self.path, data, force=True)
        self.journal.unlink()
        return rows


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace") + b"\n"


def _row(line: bytes) -> Row | None:
    """The row of a line, None for what is none."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    whole = isinstance(row, dict) and {name for name, _ in COLUMNS} <= row.keys()
    return row if whole else None


def _read_result(path: Path) -> list[Row]:
    """The rows of an earlier result file.

    Raises:
        InvalidRecord: it is something else, which is not to be overwritten.
    """
    foreign = InvalidRecord(
        f"{path}：已经有这个文件，而它不是本程序的结果，不覆盖 (it exists and is no result file)",
        text=str(path),
    )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidRecord(
            f"{path}：打不开 (cannot be opened): {error.strerror}", text=str(path)
        ) from None
    if path.suffix == ".parquet":
        return _from_parquet(data, foreign)
    rows = [_row(line) for line in data.splitlines()]
    found = [row for row in rows if row is not None]
    if len(found) != len(rows):
        raise foreign
    return found


def _lock(file: io.BufferedRandom, path: Path) -> None:
    """Keep a second run away from the same result file, where the system can lock files."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InvalidRecord(
            f"{path}：另一个进程正在写这个结果 (another run is writing it)", text=str(path)
        ) from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ToolMissing(
            "写 .parquet 要用 pyarrow，请安装 (install): pip install 'qiyuan-games[archive]'；"
            "或把结果写成 .jsonl (or write .jsonl)"
        ) from error
    return pyarrow


def _parquet(rows: list[Row]) -> bytes:
    pa = _pyarrow()
    types = {
        "string": pa.string(), "json": pa.string(), "int32": pa.int32(),
        "list": pa.list_(pa.string()),
    }  # fmt: skip
    flat = [
        {
            name: json.dumps(row[name], ensure_ascii=False) if kind == "json" else row[name]
            for name, kind in COLUMNS
        }
        for row in rows
    ]
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS])
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(pa.Table.from_pylist(flat, schema), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _from_parquet(data: bytes, foreign: InvalidRecord) -> list[Row]:
    pa = _pyarrow()
    try:
        flat = pa.parquet.read_table(pa.BufferReader(data)).to_pylist()
        nested = [name for name, kind in COLUMNS if kind == "json"]
        return [row | {name: json.loads(row[name]) for name in nested} for row in flat]
    except (pa.ArrowException, KeyError, TypeError, ValueError):
        raise foreign from None


# ---------------------------------------------------------------- work


def missing(
    files: Mapping[str, Path], encoding: str | None, rules: Rules, results: Results, bar: Bar
) -> Iterator[Portion]:
    """What has still to be judged; files that cannot be opened become rows at once."""
    for name, path in files.items():
        try:
            data = read_bytes(path)
            if not data.strip():
                raise InvalidRecord("是空的，没有棋谱 (empty)")
            if len(data) > LARGEST:
                raise InvalidRecord(f"超过 {LARGEST >> 20} MB，不像棋谱 (too large)")
        except InvalidRecord as error:
            nothing = Portion(name, "", 1, 0, b"", encoding, rules, 0)
            results.digests[name] = nothing.digest
            results.add([failure(nothing, str(error).removeprefix(f"{path}："))])
            continue
        for portion in portions(name, data, encoding, rules):
            results.digests[name] = portion.digest
            if _is_done(portion, results.rows):
                bar.update(portion.size)
            else:
                yield portion


def _is_done(portion: Portion, rows: dict[tuple[str, int], Row]) -> bool:
    """Whether all rows of a portion are there and were made of the same content."""

    def known(game: int, of: int) -> bool:
        row = rows.get((portion.file, game))
        return row is not None and row["digest"] == portion.digest and row["of"] == of

    if not isinstance(portion.data, bytes):
        last = portion.first + len(portion.data)
        return all(known(game, portion.of) for game in range(portion.first, last))
    first = rows.get((portion.file, 1))
    if first is None:
        return known(0, 0)
    return all(known(game, first["of"]) for game in range(1, first["of"] + 1))


def judged(work: Iterable[Portion], workers: Workers) -> Iterator[tuple[Portion, list[Row]]]:
    """Portions with their rows as they come, a bounded number of them under way.

    When a worker process dies, everything under way is tried again, game by game and alone; the
    game with which a process dies again gets a row that says so.
    """
    suspects = yield from _together(iter(work), workers)
    for portion in suspects:
        for single in portion.singles():
            executor = workers.open_executor()
            try:
                yield single, _rows(executor.submit(judge_portion, single), single)
            except BrokenExecutor:
                why = "裁定这一局时进程意外终止 (the process died while judging this game)"
                yield single, [failure(single, why)]
            finally:
                executor.shutdown(wait=False)


def _together(
    work: Iterator[Portion], workers: Workers
) -> Generator[tuple[Portion, list[Row]], None, list[Portion]]:
    suspects: list[Portion] = []
    under_way: dict[Future[list[Row]], Portion] = {}
    portion = next(work, None)
    executor = workers.open_executor()
    try:
        while portion is not None or under_way:
            try:
                while portion is not None and len(under_way) < workers.width:
                    under_way[executor.submit(judge_portion, portion)] = portion
                    portion = next(work, None)
                for future in wait(under_way, None, FIRST_COMPLETED).done:
                    rows = _rows(future, under_way[future])
                    yield under_way.pop(future), rows
            except BrokenExecutor:
                suspects += under_way.values()
                under_way.clear()
                executor.shutdown(wait=False)
                executor = workers.open_executor()
    finally:
        for future in under_way:
            future.cancel()
        executor.shutdown(wait=False)
    return suspects


def _rows(future: Future[list[Row]], portion: Portion) -> list[Row]:
    """The rows of a portion; what a cluster reports of it instead becomes rows as well.

    Raises:
        BrokenExecutor: a process died, perhaps over another portion.
    """
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        why = f"没有算出来 (not computed): {type(error).__name__}: {error}"
        return [failure(single, why) for single in portion.singles()]
