"""Kernels loaded in the background, so that the first page need not wait for a compiler."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from queue import PriorityQueue
from typing import Any

log = logging.getLogger("qiyuan.hall")

RULES = "xiangqi.kernel"
SEARCH = "ai.search.xiangqi.kernel"
JUDGE = "xiangqi.repetition.kernel"
ORDER = (RULES, JUDGE, SEARCH, "xiangqi.threats.kernel")
"""What 象棋 and the arbiter use, in the order in which it is wanted; the rest when asked for."""
NAMES = dict(zip(ORDER, ("象棋规则", "棋例裁判", "电脑对手", "杀着分析"), strict=True))


class NotReady(RuntimeError):
    """A part of the hall that cannot be used on this machine; the message is for people."""


class Warmth:
    """Loads kernels, one after the other, on a thread; what somebody waits for comes first."""

    def __init__(self) -> None:
        self._names = dict(NAMES)
        self._loaded: dict[str, Future[None]] = {}
        self._queue: PriorityQueue[tuple[int, int, str]] = PriorityQueue()
        self._count = itertools.count()
        self._now = ""
        self._thread = threading.Thread(target=self._load, name="warmth", daemon=True)
        for name in ORDER:
            self._ask(name, urgent=False)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Wait until everything that was asked for is loaded, and end the thread."""
        self._queue.put((2, 0, ""))
        self._thread.join()

    def _ask(self, name: str, *, urgent: bool) -> None:
        self._loaded[name] = Future()
        self._queue.put((0 if urgent else 1, next(self._count), name))

    def _load(self) -> None:
        from qikit.kernels import load

        while name := self._queue.get()[2]:
            future = self._loaded[name]
            self._now = name
            try:
                load(name)
            except Exception as error:  # whoever waits for it is told
                log.exception("%s", name)
                future.set_exception(error)
            else:
                future.set_result(None)
            self._now = ""

    async def wait(self, name: str, zh: str = "") -> None:
        """Return when a kernel can be used at once; one that nobody asked for before is loaded.

        Args:
            zh: what people read while they wait, for one that is not in ``ORDER``.

        Raises:
            NotReady: it could not be made ready at all.
        """
        if name not in self._loaded:
            self._names[name] = zh
            self._ask(name, urgent=True)
        try:
            await asyncio.shield(asyncio.wrap_future(self._loaded[name]))
        except Exception as error:
            raise NotReady(
                f"{self._names[name]}没有准备好，这一项用不了 (not available)"
            ) from error

    async def wait_for(self, kernels: Mapping[str, str]) -> None:
        """Return when all of them can be used; names and what people read, as :meth:`wait`."""
        for name, zh in kernels.items():
            await self.wait(name, zh)

    def has(self, name: str) -> bool:
        """Whether a kernel can be used at once."""
        return name in self._loaded and self._loaded[name].done()

    def progress(self) -> dict[str, Any]:
        """How far it is: ``done`` of ``total`` modules, what is being made ready ``now``."""
        futures = list(self._loaded.values())
        done = sum(future.done() for future in futures)
        now = self._names.get(self._now, "")
        return {"done": done, "total": len(futures), "now": now, "playable": self.has(RULES)}
