"""Many games at once over WebSocket while searches run: none is lost, answers stay quick."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.hall.conftest import Hall
from tests.hall.test_service import DISPUTED
from xiangqi import records

PLIES = 10


async def _visitor(hall: Hall, moves: list[str], waits: list[float], pause: float) -> str:
    """One board: two people who click ``PLIES`` moves; what went wrong, or nothing."""
    async with httpx.AsyncClient(base_url=hall.url, timeout=60) as client:
        made = (await client.post("/api/games", json={"mode": "two"})).json()
    address = f"ws://127.0.0.1:{hall.port}/ws/games/{made['id']}"
    async with connect(address, open_timeout=60) as line:
        await line.send(json.dumps({"token": made["token"]}))
        state: Any = {}
        for n, move in enumerate(moves[:PLIES], 1):
            await asyncio.sleep(pause)
            began = time.perf_counter()
            await line.send(json.dumps({"do": "move", "move": move, "n": n}))
            while True:
                message = json.loads(await line.recv())
                if message["type"] == "state":
                    state = message["state"]
                    if len(state["moves"]) == n:
                        waits.append(time.perf_counter() - began)
                        break
                if message["type"] == "error":
                    return str(message["text"])
    return "" if len(state["moves"]) == PLIES else "moves are missing"


async def _thinker(hall: Hall, until: asyncio.Event) -> int:
    """Keeps one search running: hints, one after the other; how many there were."""
    async with httpx.AsyncClient(base_url=hall.url, timeout=60) as client:
        made = (await client.post("/api/games", json={"mode": "two"})).json()
        owner = {"authorization": f"Bearer {made['token']}"}
        count = 0
        while not until.is_set():
            path = f"/api/games/{made['id']}/actions"
            await client.post(path, json={"do": "hint"}, headers=owner)
            count += 1
        return count


async def _evening(hall: Hall, games: int, pause: float) -> tuple[list[str], list[float], int]:
    moves = [str(move) for move in records.read(DISPUTED)[0].moves()]
    waits: list[float] = []
    over = asyncio.Event()
    thinkers = [asyncio.create_task(_thinker(hall, over)) for _ in range(2)]
    faults = await asyncio.gather(*(_visitor(hall, moves, waits, pause) for _ in range(games)))
    over.set()
    return [fault for fault in faults if fault], waits, sum(await asyncio.gather(*thinkers))


@pytest.mark.parametrize(
    ("games", "pause"), [(20, 0.2), pytest.param(200, 3.0, marks=pytest.mark.full)]
)
def test_an_evening_in_the_centre(
    hall: Hall, games: int, pause: float, record_property: Any
) -> None:
    """``pause`` is how long a quick player looks at the board; times are reported, not judged."""
    faults, waits, hints = asyncio.run(_evening(hall, games, pause))
    assert not faults
    assert len(waits) == games * PLIES
    assert hints
    record_property("median_ms", round(1000 * statistics.median(waits), 1))
    print(
        f"{games} games: median {1000 * statistics.median(waits):.0f} ms, "
        f"95 % {1000 * sorted(waits)[int(0.95 * len(waits))]:.0f} ms, {hints} searches meanwhile"
    )
