"""Kernels loaded behind the first page."""

from __future__ import annotations

import asyncio
import threading

import pytest

from qikit import kernels
from qiyuan.hall import warmth
from qiyuan.hall.warmth import NotReady, Warmth


def test_what_is_ready_can_be_used_while_the_rest_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def load(name: str) -> None:
        if name == warmth.SEARCH:
            assert go.wait(20)

    monkeypatch.setattr(kernels, "load", load)
    ready = Warmth()
    assert ready.progress()["done"] == 0
    assert not ready.progress()["playable"]
    ready.start()

    async def use() -> None:
        await asyncio.wait_for(ready.wait(warmth.RULES), 10)
        await asyncio.wait_for(ready.wait(warmth.JUDGE), 10)
        found = ready.progress()
        assert found == {"done": 2, "total": 4, "now": "电脑对手", "playable": True}
        waiting = asyncio.create_task(ready.wait(warmth.SEARCH))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        waiting.cancel()  # whoever leaves does not stop the loading
        go.set()
        await asyncio.wait_for(ready.wait(warmth.SEARCH), 10)

    asyncio.run(use())
    ready.stop()
    assert ready.progress()["done"] == 4


def test_one_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        if name == warmth.JUDGE:
            raise ImportError(name)

    monkeypatch.setattr(kernels, "load", load)
    ready = Warmth()
    ready.start()

    async def use() -> None:
        await ready.wait(warmth.SEARCH)
        with pytest.raises(NotReady, match="棋例裁判"):
            await ready.wait(warmth.JUDGE)

    asyncio.run(use())
    ready.stop()
