"""Kernels loaded in the background, so that the first page need not wait for a compiler."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import Future
from typing import Any

log = logging.getLogger("qiyuan.hall")

RULES = "xiangqi.kernel"
SEARCH = "ai.search.xiangqi.kernel"
JUDGE = "xiangqi.repetition.kernel"
ORDER = (RULES, JUDGE, SEARCH, "xiangqi.threats.kernel")
"""What the hall uses, in the order in which it is wanted."""
NAMES = dict(zip(ORDER, ("象棋规则", "棋例裁判", "电脑对手", "杀着分析"), strict=True))


class NotReady(RuntimeError):
    """A part of the hall that cannot be used on this machine; the message is for people."""


class Warmth:
    """Loads the kernels, one after the other, on a thread."""

    def __init__(self) -> None:
        self._loaded: dict[str, Future[None]] = {name: Future() for name in ORDER}
        self._now = ""
        self._thread = threading.Thread(target=self._load, name="warmth", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _load(self) -> None:
        from qikit.kernels import load

        for name, future in self._loaded.items():
            self._now = name
            try:
                load(name)
            except Exception as error:  # whoever waits for it is told
                log.exception("%s", name)
                future.set_exception(error)
            else:
                future.set_result(None)
        self._now = ""

    async def wait(self, name: str) -> None:
        """Return when a kernel can be used at once.

        Raises:
            NotReady: it could not be made ready at all.
        """
        try:
            await asyncio.shield(asyncio.wrap_future(self._loaded[name]))
        except Exception as error:
            raise NotReady(f"{NAMES[name]}没有准备好，这一项用不了 (not available)") from error

    def has(self, name: str) -> bool:
        """Whether a kernel can be used at once."""
        return self._loaded[name].done()

    def progress(self) -> dict[str, Any]:
        """How far it is: ``done`` of ``total`` modules, what is being made ready ``now``."""
        done = sum(future.done() for future in self._loaded.values())
        now = NAMES.get(self._now, "")
        return {"done": done, "total": len(ORDER), "now": now, "playable": self.has(RULES)}
