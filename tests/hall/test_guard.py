"""Attacks, tried and refused."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from qiyuan.hall.guard import Guard, Limits, Pins
from qiyuan.hall.lines import Line
from tests.hall.conftest import Hall
from tests.hall.test_service import channel, until

EVIL = "https://evil.example"


async def _inner(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers everything with ok."""
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def ask(
    guard: Any, path: str = "/", *, address: str = "192.168.7.9", method: str = "GET", **more: Any
) -> httpx.Response:
    """One request from an address, without a network."""

    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(guard, client=(address, 40000))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://10.0.0.5:8686"
        ) as client:
            return await client.request(method, path, **more)

    return asyncio.run(go())


# ---------------------------------------------------------------- foreign sites


@pytest.mark.parametrize("origin", [EVIL, "null", "http://127.0.0.1:1", "http://[::1", "file://"])
def test_foreign_origins(hall: Hall, origin: str) -> None:
    answer = hall.post("/api/games", {}, headers={"origin": origin})
    assert answer.status_code == 403
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{hall.port}/ws/games/x", origin=origin)  # type: ignore[arg-type]


def test_our_own_origin_is_welcome(hall: Hall) -> None:
    assert hall.post("/api/games", {}, headers={"origin": hall.url}).status_code == 201


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "a@b", "[::1"])
def test_names_that_were_made_to_lead_here(hall: Hall, host: str) -> None:
    answer = httpx.get(f"{hall.url}/api/status", headers={"host": host})
    assert answer.status_code in (400, 421)


def test_requests_that_another_site_makes(hall: Hall) -> None:
    for kind in ("cross-site", "same-site"):
        answer = httpx.get(f"{hall.url}/api/status", headers={"sec-fetch-site": kind})
        assert answer.status_code == 403


def test_no_answer_may_be_framed_sniffed_or_shared(hall: Hall) -> None:
    answer = httpx.get(hall.url)
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
    assert "server" not in answer.headers


# ---------------------------------------------------------------- foreign games


def test_foreign_games(hall: Hall) -> None:
    mine, other = hall.new(mode="two"), hall.new(mode="two")
    for owner in (other[1], {}, {"authorization": "Bearer"}, {"authorization": "Bearer x' OR 1"}):
        assert hall.do((mine[0], owner), "move", move="h2e2").status_code == 404
        assert httpx.get(hall.url + mine[0], headers=owner).status_code == 404
        assert httpx.delete(hall.url + mine[0], headers=owner).status_code == 404
        assert httpx.get(f"{hall.url}{mine[0]}/file", headers=owner).status_code == 404
    unknown = hall.do(("/api/games/nobody", mine[1]), "look")
    assert unknown.json() == hall.do((mine[0], {}), "look").json()  # nobody learns which it was
    assert hall.look(mine)["moves"] == []
    with connect(f"ws://127.0.0.1:{hall.port}/ws{mine[0].removeprefix('/api')}") as line:
        line.send(json.dumps({"token": other[1]["authorization"][7:]}))
        assert json.loads(line.recv(10))["type"] == "refused"
        with pytest.raises(ConnectionClosed):
            line.recv(10)


# ---------------------------------------------------------------- sizes


def test_a_hundred_megabytes(hall: Hall) -> None:
    def body() -> Any:
        for _ in range(100):
            yield b"x" * (1 << 20)

    with suppress(httpx.WriteError):  # the door was shut while we were still sending
        assert httpx.post(f"{hall.url}/api/records", content=body()).status_code == 413
    head = "POST /api/records HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n"
    for length in ("104857600", "1" * 5000, "-1", "１"):
        with socket.create_connection(("127.0.0.1", hall.port), 10) as line:
            line.sendall(head.format(length).encode())
            assert line.recv(65536).split()[1] in (b"413", b"400")
    assert httpx.get(f"{hall.url}/api/status").status_code == 200


def test_bombs_and_rubbish(hall: Hall) -> None:
    for data, word in [
        (gzip.compress(bytes(16 << 20)), "128 KB"),
        (gzip.compress(gzip.compress(bytes(16 << 20))), ""),
        (b"\x1f\x8b" + b"rubbish" * 50, "gzip"),
        (b" \n", "空"),
        (b"XQ" + bytes(2000), ""),
        (b"1. h2e2 " * 100_000, "128 KB"),
        (b"a0a1 a9a8 " * 6000, "128 KB"),
        (b"(1. h2e2 " * 4000, ""),
    ]:
        answer = httpx.post(f"{hall.url}/api/records", content=data, timeout=60)
        assert answer.status_code in (200, 422), answer.text[:200]
        if word:
            assert word in answer.json()["error"]
    deep = hall.post("/api/games", {"moves": ["h2e2"] * 2001})
    assert deep.status_code == 422
    nested = httpx.post(
        f"{hall.url}/api/games",
        content=b"[" * 100_000,
        headers={"content-type": "application/json"},
    )
    assert nested.status_code in (400, 422)


def test_a_body_that_never_ends() -> None:
    async def slow() -> Any:
        yield b"{"
        await asyncio.sleep(5)

    guard = Guard(_inner, Pins(None), Limits(body_seconds=0.2))
    assert ask(guard, method="POST", content=slow()).status_code == 408


# ---------------------------------------------------------------- paths, scripts


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/..%5capp.py",
        "/static//etc/passwd", "/static/%00", "/..", "/rulings/../../x.html", "/%2fetc%2fpasswd",
        "/static/__init__.py",
    ],
)  # fmt: skip
def test_paths_lead_nowhere(hall: Hall, path: str) -> None:
    with socket.create_connection(("127.0.0.1", hall.port), 10) as line:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        line.sendall(request.encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split()[1] in (b"404", b"400", b"405"), answer[:200]
    assert b"root:" not in answer
    assert b"import" not in answer


def test_scripts_in_names_and_records(hall: Hall) -> None:
    record = (
        '[Red "<script>alert(1)</script>"]\n[Event "<img src=x onerror=alert(1)>"]\n\n1. h2e2 *'
    )
    listed = httpx.post(f"{hall.url}/api/records", content=record.encode())
    assert listed.headers["content-type"].startswith("application/json")
    found = hall.post("/api/rulings", {"record": base64.b64encode(record.encode()).decode()})
    page = httpx.get(f"{hall.url}/rulings/{found.json()['document']}.html").text
    assert "<script" not in page
    assert "<img" not in page


# ---------------------------------------------------------------- frames


def _until_closed(line: ClientConnection, frame: bytes | str) -> None:
    line.send(frame)
    while True:
        line.recv(10)


def test_malformed_frames(hall: Hall) -> None:
    game = hall.new(mode="two")
    rubbish = (
        "", "{", "[]", "1", '{"do": 7}', '{"n": "x"}', '{"do": "move", "move": [1]}',
        '{"do": "__class__"}', "[" * 9000, '{"do": "move", "move": "\\ud800"}',
    )  # fmt: skip
    with channel(hall, game) as line:
        for text in rubbish:
            line.send(text)
            assert until(line, "error")["text"]
        line.send('{"do": "move", "move": "h2e2", "n": 1}')
        until(line, "done", n=1)
    for frame in (b"\x00\xff", "x" * (1 << 20)):
        with channel(hall, game) as line, pytest.raises(ConnectionClosed):
            _until_closed(line, frame)
    firsts = {"": "error", "[]": "error", b"x": "error", '{"token": null}': "refused"}
    for first, kind in {**firsts, '{"token": "\\ud800"}': "refused"}.items():
        with connect(f"ws://127.0.0.1:{hall.port}/ws/games/x") as line:
            line.send(first)
            assert json.loads(line.recv(10))["type"] == kind
    assert len(hall.look(game)["moves"]) == 1


def test_raw_rubbish_on_the_line(hall: Hall) -> None:
    for data in (
        b"\x00" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 9999,
    ):
        with socket.create_connection(("127.0.0.1", hall.port), 10) as line:
            try:
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                line.recv(65536)
            except OSError:
                pass
    assert httpx.get(f"{hall.url}/api/status").status_code == 200


def test_a_flood_of_frames_is_slowed(hall: Hall) -> None:
    game = hall.new(mode="two")
    with channel(hall, game) as line:
        for n in range(200):
            line.send(json.dumps({"do": "look", "n": n}))
        kinds = [json.loads(line.recv(10))["type"] for _ in range(200)]
    assert kinds.count("error") > 50
    assert kinds.count("state") >= 8


# ---------------------------------------------------------------- connections


@asynccontextmanager
async def lines(kind: type[Line]) -> AsyncIterator[int]:
    """A port that answers every request with ok, over lines of a kind."""
    config = uvicorn.Config(_inner, lifespan="off", timeout_keep_alive=60, log_level="critical")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: kind(config, state, {}), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for one in list(state.connections):
            one.transport.abort()
        await asyncio.sleep(0)


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Whether the other side hangs up; whatever it says before is thrown away."""
    with suppress(ConnectionResetError):
        async with asyncio.timeout(20):
            await reader.read()
    return True


class Impatient(Line):
    patience = 0.2


@pytest.mark.parametrize("began", [b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / H"])
def test_a_line_that_asks_nothing_is_closed(began: bytes) -> None:
    """Nothing, half a request, and half of a second one."""

    async def go() -> None:
        async with lines(Impatient) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(began)
            assert await is_closed(reader)
            writer.close()

    asyncio.run(go())


@pytest.mark.parametrize("here", [True, False])
def test_lines_are_counted(here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """All, and those of one visitor from the room."""

    class Few(Line):
        most, each = (2, 9) if here else (9, 2)

    monkeypatch.setattr("qiyuan.hall.lines.is_this_machine", lambda _: here)

    async def go() -> None:
        async with lines(Few) as port:
            kept = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await is_closed(reader)
            writer.close()
            for reader, writer in kept:
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                assert (await reader.readline()).split()[1] == b"200"
                writer.close()

    asyncio.run(go())


# ---------------------------------------------------------------- the room


def test_a_visitor_needs_the_pin() -> None:
    guard = Guard(_inner, Pins("123456"))
    assert ask(guard).status_code == 303
    assert ask(guard).headers["location"] == "/pin"
    assert ask(guard, "/api/status").status_code == 401
    assert ask(guard, "/static/hall.js").status_code == 401
    assert ask(guard, "/pin").status_code == 200
    assert ask(guard, "/", address="127.0.0.1").status_code == 200
    for cookie in ("qiyuan_pin=", "qiyuan_pin=123456", "qiyuan_pin=x;;;=", 'qiyuan_pin="\\'):
        assert ask(guard, "/api/status", headers={"cookie": cookie}).status_code == 401
    forged = {"x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1"}
    assert ask(guard, "/api/status", headers=forged).status_code == 401


def test_the_right_pin_opens_and_wrong_ones_close() -> None:
    pins = Pins("123456")
    guard = Guard(_inner, pins)
    cookie = pins.give("192.168.7.9", "123456")
    assert cookie is not None
    assert ask(guard, "/api/status", headers={"cookie": f"qiyuan_pin={cookie}"}).status_code == 200
    for guess in ("000000", "", "12345６", "1234567", "\ud800"):
        assert pins.give("192.168.7.66", guess) is None
    with pytest.raises(PermissionError):
        pins.give("192.168.7.66", "123456")
    assert pins.give("192.168.7.9", "123456") is not None
    for host in range(10, 60):
        try:
            pins.give(f"192.168.7.{host}", "000000")
        except PermissionError:
            break
    with pytest.raises(PermissionError):
        pins.give("192.168.7.9", "123456")  # many addresses together do not get further


def test_a_visitor_who_asks_too_fast() -> None:
    guard = Guard(_inner, Pins(None), Limits(rate=1, burst=5))

    async def go() -> list[int]:
        transport = httpx.ASGITransport(guard, client=("192.168.7.9", 4000))
        async with httpx.AsyncClient(transport=transport, base_url="http://10.0.0.5") as client:
            return [(await client.get("/")).status_code for _ in range(8)]

    codes = asyncio.run(go())
    assert codes[:5] == [200] * 5
    assert codes[-1] == 429
    assert ask(guard, "/", address="127.0.0.1").status_code == 200
