"""Where work in pieces is done: processes on this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, NamedTuple

from qikit.errors import InvalidRecord


class ToolMissing(RuntimeError):
    """An optional library is not installed; the message says what to install."""


class Workers(NamedTuple):
    """Where pieces are worked on.

    Attributes:
        open_executor: makes an executor, anew after one broke.
        width: pieces to keep under way.
    """

    open_executor: Callable[[], Executor]
    width: int


def place(jobs: int | None, scheduler: str | None) -> AbstractContextManager[Workers]:
    """:func:`processes`, or :func:`cluster` where a scheduler is named."""
    return processes(jobs) if scheduler is None else cluster(scheduler)


@contextmanager
def processes(jobs: int | None) -> Iterator[Workers]:
    """So many processes on this machine, by default one for each processor."""
    jobs = jobs or os.cpu_count() or 1
    yield Workers(lambda: ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker), 4 * jobs)


def _start_worker() -> None:
    """Leave Ctrl-C to the main process, and end when that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask scheduler.

    Raises:
        ToolMissing: Dask is not installed.
        InvalidRecord: no scheduler answers there.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ToolMissing(
            "用 --scheduler 要装 Dask，请安装 (install): pip install 'qiyuan-games[cluster]'"
        ) from error
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise InvalidRecord(
            f"{address}：没有 Dask 调度器应答 (no scheduler answers): {error}", text=address
        ) from None
    with client:
        threads = sum(client.nthreads().values())
        yield Workers(client.get_executor, 4 * max(1, threads))
