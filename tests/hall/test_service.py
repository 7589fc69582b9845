"""The service as GUI projects and the page use it."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from qiyuan.hall import app
from tests.hall.conftest import Hall
from xiangqi import records
from xiangqi.board import Board

LOOP = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1"
DISPUTED = (files("qiyuan.data") / "disputed.pgn").read_bytes()


@contextmanager
def channel(hall: Hall, game: tuple[str, dict[str, str]]) -> Iterator[ClientConnection]:
    """A WebSocket on a game, its first state read."""
    path, owner = game
    with connect(f"ws://127.0.0.1:{hall.port}/ws/games/{path.rsplit('/', 1)[1]}") as line:
        line.send(json.dumps({"token": owner["authorization"].removeprefix("Bearer ")}))
        assert json.loads(line.recv(20))["type"] == "state"
        yield line


def until(line: ClientConnection, kind: str, **wanted: Any) -> Any:
    """The next message of a kind whose fields are as wanted."""
    for _ in range(100):
        message = json.loads(line.recv(30))
        if message["type"] == kind and all(message.get(k) == v for k, v in wanted.items()):
            return message
    raise AssertionError(kind)


def test_two_people_play_and_read_why_not(hall: Hall) -> None:
    game = hall.new(mode="two")
    assert hall.do(game, "move", move="炮二平五").status_code == 200
    refused = hall.do(game, "move", move="h9h8")
    assert refused.status_code == 422
    assert "S0-XQ-10" in refused.json()["error"]
    blocked = hall.do(game, "move", move="b9d8")
    assert blocked.json() == {"error": "马腿被 c9 的象挡住（S0-XQ-10）。", "marks": [83]}
    assert hall.do(game, "move", move="胡言").status_code == 422
    hall.do(game, "move", move="h9g7")
    state = hall.look(game)
    assert [move["zh"] for move in state["moves"]] == ["炮二平五", "马8进7"]
    assert state["turn"] == 0
    assert [state["moves"][-1][end] for end in ("from", "to")] == [88, 69]
    assert [move["seat"] for move in state["moves"]] == [0, 1]
    assert hall.do(game, "look", ply=1).json()["position"]["legal"] == {}
    assert hall.do(game, "look", ply=3).status_code == 422
    shown = {(int(a), b) for a, goals in state["position"]["legal"].items() for b in goals}
    assert shown == {tuple(move) for move in Board(state["position"]["fen"]).legal_moves}
    hall.do(game, "back")
    assert len(hall.look(game)["moves"]) == 1
    hall.do(game, "back")
    assert hall.do(game, "back").status_code == 422


def test_offers_and_resignations(hall: Hall) -> None:
    game = hall.new(mode="two")
    assert hall.do(game, "accept").status_code == 422
    hall.do(game, "offer")
    assert hall.look(game)["offer"] == 0
    hall.do(game, "refuse")
    assert hall.look(game)["offer"] is None
    hall.do(game, "offer")
    hall.do(game, "accept")
    assert hall.look(game)["result"] == {"winner": None, "text": "和棋：双方同意和棋。"}
    assert hall.do(game, "move", move="h2e2").status_code == 422
    other = hall.new(mode="two")
    hall.do(other, "move", move="h2e2")
    hall.do(other, "resign")
    assert hall.look(other)["result"]["winner"] == 0
    assert hall.look(other)["position"]["legal"] == {}


def test_mate_and_the_arbiter_end_games(hall: Hall) -> None:
    game = hall.new(mode="two", start="3k5/R8/9/9/9/9/9/9/4A4/1R2K4 w")
    hall.do(game, "move", move="b0b9")
    assert hall.look(game)["result"] == {"winner": 0, "text": "红方胜：将死。"}
    moves = ["d9e9", "d4e4", "e9d9", "e4d4"]
    game = hall.new(mode="two", start=LOOP, moves=moves * 3)
    assert hall.look(game)["result"] is None
    for move in moves:
        hall.do(game, "move", move=move)
    state = hall.look(game)
    assert state["result"]["winner"] == 1, state
    assert "S0-XQ-37" in state["result"]["ruling"]


def test_the_computer_answers_and_waits_for_nobody(hall: Hall) -> None:
    game = hall.new(mode="computer", level=1)
    with channel(hall, game) as line:
        line.send('{"do": "move", "move": "h2e2", "n": 1}')
        answer = until(line, "done", n=1)
        assert answer
        for _ in range(5):
            if len(hall.look(game)["moves"]) == 2:
                break
            until(line, "state")
        assert len(hall.look(game)["moves"]) == 2
        line.send('{"do": "hint", "n": 2}')
        hint = until(line, "hint", n=2)
        assert hint["text"].startswith("建议走")
        line.send('{"do": "back", "n": 3}')
        until(line, "done", n=3)
        assert hall.look(game)["moves"] == []
        line.send('{"do": "move", "move": "b2e2", "n": 4}')
        until(line, "done", n=4)
    time.sleep(1.0)  # whoever left before the answer finds the computer to move, or its answer
    before = len(hall.look(game)["moves"])
    assert before in (1, 2)
    with channel(hall, game) as line:
        for _ in range(5):
            if len(hall.look(game)["moves"]) == 2:
                break
            until(line, "state")
    assert len(hall.look(game)["moves"]) == 2


def test_a_search_ends_when_the_player_leaves(hall: Hall) -> None:
    game = hall.new(mode="computer", level=10, human=1)
    with channel(hall, game):
        time.sleep(0.3)
    time.sleep(4.0)  # longer than the longest search
    assert hall.look(game)["moves"] == []


class Ready:
    """Kernels that compile when they are called."""

    async def wait_for(self, kernels: object) -> None:
        """They are here."""


def test_a_hint_is_called_off_when_its_caller_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As over WebSocket; here nobody tells but the end of the connection."""
    called_off: list[str] = []
    asked = asyncio.Event()

    class Endless:
        def __init__(self, _: object) -> None:
            pass

        async def run(self, owner: str, face: object, work: object) -> None:
            asked.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                called_off.append(owner)
                raise

    monkeypatch.setattr(app, "Searches", Endless)
    monkeypatch.setattr(app, "Warmth", Ready)

    async def go() -> str:
        served = app.create(tmp_path / "games.sqlite3")
        transport = httpx.ASGITransport(served, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            made = (await client.post("/api/games", json={"mode": "two"})).json()
        path = f"/api/games/{made['id']}/actions"
        headers = {"host": "127.0.0.1", "content-type": "application/json"}
        headers["authorization"] = f"Bearer {made['token']}"
        scope = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
            "query_string": b"", "client": ("127.0.0.1", 1), "http_version": "1.1",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        body = [{"type": "http.request", "body": b'{"do": "hint"}', "more_body": False}]

        async def receive() -> dict[str, Any]:
            if body:
                return body.pop()
            await asked.wait()
            return {"type": "http.disconnect"}

        async def send(_: object) -> None:
            """Nobody listens any more."""

        async with asyncio.timeout(20):
            await served(scope, receive, send)
            while not called_off:
                await asyncio.sleep(0.01)
        return str(made["id"])

    assert asyncio.run(go()) == called_off[0]


def test_black_against_the_computer_and_review(hall: Hall) -> None:
    game = hall.new(mode="computer", level=1, human=1)
    with channel(hall, game) as line:
        for _ in range(5):
            if hall.look(game)["moves"]:
                break
            until(line, "state")
        assert len(hall.look(game)["moves"]) == 1
        line.send('{"do": "review", "n": 5}')
        assert isinstance(until(line, "review", n=5)["remarks"], list)
        line.send('{"do": "resign", "n": 6}')
        until(line, "done", n=6)
    assert hall.look(game)["result"]["winner"] == 0


def test_kill_nine_loses_no_move(tmp_path: Path) -> None:
    played = [str(move) for move in records.read(DISPUTED)[0].moves()]
    hall = Hall(tmp_path / "games.sqlite3")
    try:
        game = hall.new(mode="two")
        answered = 0
        killer = threading.Timer(0.5, hall.kill)
        try:
            while answered < 80 and hall.do(game, "move", move=played[answered]).status_code == 200:
                answered += 1
                if answered == 3:  # not before, however slow the machine is
                    killer.start()
        except httpx.HTTPError:
            pass
        killer.join()
        hall.start()
        moves = hall.look(game)["moves"]
        assert answered <= len(moves) <= answered + 1, (answered, len(moves))
        assert answered > 2
        assert hall.do(game, "move", move=played[len(moves)]).status_code == 200
    finally:
        hall.stop()


def test_files_go_out_and_come_in(hall: Hall) -> None:
    game = hall.new(mode="two", moves=["h2e2", "h9g7", "h0g2"])
    path, owner = game
    for form in ("pgn", "xqf", "dhtmlxq", "moves"):
        data = httpx.get(f"{hall.url}{path}/file?form={form}", headers=owner).content
        [read] = httpx.post(f"{hall.url}/api/records", content=data).json()
        assert read["moves"] == ["h2e2", "h9g7", "h0g2"], form
        assert read["defects"] == []
    bad = httpx.post(f"{hall.url}/api/records", content=b"1. h2e2 h9h7 2. h0g2")
    assert bad.json()[0]["moves"] == ["h2e2"]
    assert bad.json()[0]["defects"]


def test_a_file_tells_when_and_who(hall: Hall) -> None:
    moves = ["h2e2", "h9g7"]
    path, owner = hall.new(mode="computer", level=2, human=1, moves=moves)
    today = time.strftime("%Y.%m.%d")
    text = httpx.get(f"{hall.url}{path}/file?form=pgn", headers=owner).text
    [game] = records.loads(text)
    assert game.headers["Date"] in (today, time.strftime("%Y.%m.%d"))  # over midnight
    assert (game.headers["Red"], game.headers["Black"]) == ("电脑（入门）", "棋友")
    path, owner = hall.new(mode="two", moves=moves)
    [game] = records.loads(httpx.get(f"{hall.url}{path}/file?form=pgn", headers=owner).text)
    assert "Date" in game.headers
    assert "Red" not in game.headers  # nobody was asked for a name
    path, owner = hall.new(game="gomoku", mode="computer", level=1, moves=["h8"])
    text = httpx.get(f"{hall.url}{path}/file", headers=owner).text
    assert re.search(r"PB\[棋友\]", text)
    assert re.search(r"PW\[电脑（.+）\]", text)
    assert re.search(r"DT\[\d{4}-\d\d-\d\d\]", text)


def ruling(hall: Hall, record: bytes, **more: Any) -> httpx.Response:
    body = {"record": base64.b64encode(record).decode(), **more}
    answer = hall.post("/api/rulings", body)
    assert isinstance(answer, httpx.Response)
    return answer


def test_a_ruling_with_its_evidence_override_and_document(hall: Hall) -> None:
    record = DISPUTED
    found = ruling(hall, record).json()
    assert found["verdict"] == "判黑方负，红方胜"
    assert found["ply"] == 91
    assert found["evidence"]["90"]["nature"] == "check"
    assert [move["check"] is not None for move in found["moves"][88:91]] == [False, True, False]
    page = httpx.get(f"{hall.url}/rulings/{found['document']}.html")
    assert "S0-XQ-37" in page.text
    assert "script" not in page.headers["content-security-policy"].replace("script-src", "")
    changed = ruling(hall, record, overrides=["91=捉@e6:裁判认定"]).json()
    assert any("裁判认定" in text for text in changed["changes"])
    assert ruling(hall, record, overrides=["90=闲:x"]).status_code == 422
    assert ruling(hall, record, rules="../../etc").status_code == 422
    corrected = ruling(hall, record, corrections={"1": "炮八平五"}).json()
    assert corrected["changes"]
    typed = ruling(hall, "车四进一".encode(), fen=LOOP.replace(" b ", " w ")).json()
    assert typed["moves"] == []
    assert typed["defects"]
    assert httpx.get(f"{hall.url}/rulings/nothing.pdf").status_code == 404


def test_the_document_is_printed(hall: Hall) -> None:
    pytest.importorskip("weasyprint", reason="WeasyPrint makes the PDF")
    record = DISPUTED
    name = ruling(hall, record).json()["document"]
    data = httpx.get(f"{hall.url}/rulings/{name}.pdf", timeout=60).content
    assert data.startswith(b"%PDF-")


def test_openapi_names_every_door(hall: Hall) -> None:
    paths = httpx.get(f"{hall.url}/api/openapi.json").json()["paths"]
    told = (Path(__file__).parents[2] / "docs" / "hall.md").read_text("utf-8")
    doors = set(re.findall(r"`(?:GET|POST) (/api/[^`?]+)", told))
    assert len(doors) > 8
    assert doors <= set(paths)
    assert httpx.get(f"{hall.url}/docs").status_code == 404  # its page loads foreign scripts
