"""Searches in threads, a fixed number at once, the games served in turn."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from qikit import StopFlag
from qiyuan.hall.faces.face import Face

T = TypeVar("T")
Work = Callable[[Any, StopFlag], T]
"""What a search does, on a thread of its own, with what thinks there for its game."""


def _give_way() -> None:
    """Let the thread wait behind those that answer clicks, where threads have a priority."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


Search = tuple[asyncio.Future[Any], Face, Work[Any], StopFlag]


class Searches:
    """Runs searches off the event loop; whoever waits longest for a turn is next.

    A search ends early when the task that awaits it is cancelled.

    Args:
        workers: how many run at once; default one a core.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._threads = ThreadPoolExecutor(self.workers, "search", _give_way)
        self._waiting: OrderedDict[str, deque[Search]]
        self._waiting = OrderedDict()
        self._local = threading.local()
        self.running: set[StopFlag] = set()

    async def run(self, owner: str, face: Face, work: Work[T]) -> T:
        """The result of a search.

        Args:
            owner: whose turn it uses; searches of one owner wait for each other.
            face: of the game that is thought about.
            work: gets the game's searcher with an empty memory, and the flag that asks it to stop.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        stop = StopFlag()
        self._waiting.setdefault(owner, deque()).append((done, face, work, stop))
        self._start()
        try:
            return await done
        except asyncio.CancelledError:
            stop.set()
            raise

    def _start(self) -> None:
        """Start what can be started: one search of the owner that was served longest ago."""
        while self._waiting and len(self.running) < self.workers:
            owner, queue = self._waiting.popitem(last=False)
            done, face, work, stop = queue.popleft()
            if queue:
                self._waiting[owner] = queue
            if done.cancelled():
                continue
            self.running.add(stop)
            future = asyncio.get_running_loop().run_in_executor(
                self._threads, self._search, face, work, stop
            )
            future.add_done_callback(lambda found, d=done, s=stop: self._finish(found, d, s))  # type: ignore[misc]

    def _search(self, face: Face, work: Work[T], stop: StopFlag) -> T:
        searchers = self._local.__dict__
        searchers[face.game] = searcher = face.searcher(searchers.get(face.game))
        return work(searcher, stop)

    def _finish(self, found: asyncio.Future[T], done: asyncio.Future[T], stop: StopFlag) -> None:
        self.running.discard(stop)
        if not done.done():
            error = found.exception()
            if error is None:
                done.set_result(found.result())
            else:
                done.set_exception(error)
        elif not found.cancelled():
            found.exception()  # nobody waits for it any more
        self._start()

    def close(self) -> None:
        """Stop all searches and let the threads end."""
        for stop in self.running:
            stop.set()
        self._waiting.clear()
        self._threads.shutdown(wait=True, cancel_futures=True)
