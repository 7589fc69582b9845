"""What goes wrong half-way loses no move, and no game."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from qikit.errors import GameError
from qiyuan.hall.keeper import Keeper, StoreFault, UnknownGame
from qiyuan.hall.searches import Searches
from qiyuan.hall.store import Store
from qiyuan.hall.table import Settings
from qiyuan.hall.warmth import JUDGE, NotReady, Warmth
from tests.hall.conftest import Hall
from tests.hall.test_service import channel, until

TWO = {"mode": "two", "options": {"rules": "club2008"}}
ROUND = ("h2e2", "h9g7", "e2h2", "g7h9")


class Ready:
    """Kernels that compile when they are called, but for those that cannot be made ready."""

    def __init__(self) -> None:
        self.missing: set[str] = set()

    async def wait_for(self, kernels: Mapping[str, str]) -> None:
        if self.missing & set(kernels):
            raise NotReady("没有准备好")


class Agreeing:
    """Searches that agree to everything, some time after the position has changed."""

    def __init__(self) -> None:
        self.meanwhile: Any = None

    async def run(self, owner: str, face: Any, work: Any) -> bool:
        await self.meanwhile()
        return True


class Desk:
    """A keeper with its store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.store, self.ready, self.searches = Store(folder / "s"), Ready(), Agreeing()
        self.keeper = Keeper(self.store, cast(Searches, self.searches), cast(Warmth, self.ready))

    async def game(self, **settings: Any) -> Any:
        """A new game of 象棋, opened."""
        name, token = await self.keeper.create("xiangqi", "", Settings(**settings))
        return await self.keeper.open(name, token)

    async def move(self, live: Any, *moves: str) -> None:
        for move in moves:
            await self.keeper.act(live, {"do": "move", "move": move})

    def saved(self, live: Any) -> tuple[str, ...]:
        found = self.store.load(live.table.id)
        assert found is not None
        return found.moves


def broken(*_: object) -> Any:
    raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("failing", [("save",), ("save", "load")])
def test_a_disk_that_fails_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...]
) -> None:
    async def play() -> None:
        desk = Desk(tmp_path)
        live = await desk.game(mode="two")
        await desk.move(live, "h2e2")
        with monkeypatch.context() as patch:
            for name in failing:
                patch.setattr(desk.store, name, broken)
            for do in ({"do": "move", "move": "h9g7"}, {"do": "back"}, {"do": "resign"}):
                with pytest.raises(StoreFault):
                    await desk.keeper.act(live, do)
        await desk.move(live, "b9c7")  # whoever has the line still open goes on
        assert [move["zh"] for move in live.table.moves] == ["炮二平五", "马2进3"]
        assert desk.saved(live) == ("h2e2", "b9c7")
        assert live.table.result is None

    asyncio.run(play())


def test_an_arbiter_that_cannot_be_asked(tmp_path: Path) -> None:
    async def play() -> None:
        desk = Desk(tmp_path)
        live = await desk.game(mode="two")
        await desk.move(live, *ROUND, *ROUND[:3])
        desk.ready.missing.add(JUDGE)
        with pytest.raises(NotReady):
            await desk.move(live, ROUND[3])
        assert live.table.plies == 7 == len(desk.saved(live))
        desk.ready.missing.clear()
        await desk.move(live, ROUND[3])
        assert desk.saved(live) == ROUND * 2

    asyncio.run(play())


def test_a_draw_is_agreed_on_the_position_it_was_offered_in(tmp_path: Path) -> None:
    async def play() -> None:
        desk = Desk(tmp_path)
        live = await desk.game(mode="computer", human=0, level=1)

        async def meanwhile() -> None:
            await desk.move(live, "h2e2")

        desk.searches.meanwhile = meanwhile
        with pytest.raises(GameError, match="局面已经变了"):
            await desk.keeper.act(live, {"do": "offer"})
        assert live.table.result is None

    asyncio.run(play())


def test_a_deleted_game_takes_nothing_more(tmp_path: Path, hall: Hall) -> None:
    async def play() -> None:
        desk = Desk(tmp_path)
        live = await desk.game(mode="two")
        await desk.move(live, "h2e2")
        desk.store.delete(live.table.id)
        for action in ({"do": "back"}, {"do": "resign"}, {"do": "move", "move": "h9g7"}):
            with pytest.raises(UnknownGame):
                await desk.keeper.act(live, action)

    asyncio.run(play())
    game = hall.new(mode="two")
    with channel(hall, game) as line:  # a second window
        assert httpx.delete(hall.url + game[0], headers=game[1]).status_code == 204
        assert "删去" in until(line, "refused")["text"]
        line.send('{"do": "resign", "n": 1}')
        assert "删去" in until(line, "error", n=1)["text"]


def test_games_that_cannot_be_opened_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(path)
    older = store.create("carrom", "", {"mode": "two", "options": {}})  # before there were options
    strange = [
        store.create("xiangqi", "", TWO, ["h2e2", "h2e2"]),
        store.create("xiangqi", "no such position", TWO),
        store.create("xiangqi", "", {**TWO, "of": "a later version"}),
        store.create("gomoku", "", {**TWO, "options": {"rules": "later"}}),
        store.create("a later game", "", TWO),
    ]
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE games SET settings = '{' WHERE id = ?", (strange[2][0],))
        before = list(db.execute("SELECT id, settings FROM games ORDER BY id"))
    db.close()
    hall = Hall(path)
    try:
        headers = {"authorization": f"Bearer {older[1]}"}
        assert hall.look((f"/api/games/{older[0]}", headers))["options"]["rules"] == "club"
        for name, token in strange:
            headers = {"authorization": f"Bearer {token}"}
            answer = httpx.get(f"{hall.url}/api/games/{name}", headers=headers, timeout=60)
            assert answer.status_code == 422
            assert answer.json()["error"].startswith("这局棋的存档打不开，存档没有动")
            with connect(f"ws://127.0.0.1:{hall.port}/ws/games/{name}") as line:
                line.send(json.dumps({"token": token}))
                said = json.loads(line.recv(60))
                assert said["type"] == "error"  # the page forgets a game that is ``refused``
                assert said["text"] == answer.json()["error"]
                with pytest.raises(ConnectionClosed):
                    line.recv(10)
    finally:
        hall.stop()
    with sqlite3.connect(path) as db:
        assert list(db.execute("SELECT id, settings FROM games ORDER BY id")) == before
    db.close()


def test_half_a_character_does_not_silence_a_line(hall: Hall) -> None:
    game = hall.new(game="carrom", mode="two")
    half = '{"do": "ask", "n": 1, "question": {"of": "film", "stroke": "\\ud800"}}'
    with channel(hall, game) as line:
        line.send(half)
        assert until(line, "error", n=1)["text"]
        line.send('{"do": "look", "n": 2}')
        until(line, "state", n=2)
    headers = {**game[1], "content-type": "application/json"}
    answer = httpx.post(f"{hall.url}{game[0]}/actions", content=half, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_every_refusal_is_a_sentence(hall: Hall) -> None:
    for method, path, content, code in (
        ("GET", "/nowhere", b"", 404),
        ("GET", "/static/..%2fapp.py", b"", 404),
        ("GET", "/rulings/nobody.html", b"", 404),
        ("PUT", "/api/games", b"", 405),
        ("POST", "/api/games", b"[" * 200_000, 400),
        ("POST", "/api/positions", b'{"moves": [' + b"9" * 5000 + b"]}", 400),
        ("POST", "/api/games", b"\xff\x00\xff", 400),
    ):
        headers = {"content-type": "application/json"}
        answer = httpx.request(method, hall.url + path, content=content, headers=headers)
        assert answer.status_code == code
        assert any("\u4e00" <= letter <= "\u9fff" for letter in answer.json()["error"])
