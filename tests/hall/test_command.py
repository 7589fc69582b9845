"""``qiyuan serve`` as people start it: twice, on a taken port, for the room, for a backup."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import click
import httpx
import pytest

from qiyuan import cli
from qiyuan.exit_codes import ExitCode
from tests.hall.conftest import Hall


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qiyuan", "serve", "--no-browser", *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env=os.environ | {"PYTHONUTF8": "1"},
    )


def test_no_command_means_the_hall(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Any] = []
    stand_in = click.Command("serve", callback=lambda: called.append("serve"))
    monkeypatch.setattr(import_module("qiyuan.commands.serve"), "command", stand_in)
    cli.cli.main([], standalone_mode=False)
    assert called == ["serve"]


def test_a_second_start_finds_the_first(hall: Hall) -> None:
    done = serve("--port", str(hall.port))
    assert done.returncode == ExitCode.OK
    assert hall.url in done.stdout


@pytest.mark.parametrize("says", ["", "SSH-2.0-server\r\n"])
def test_a_port_that_is_taken(says: str) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()

        def greet() -> None:
            with other.accept()[0] as line:
                line.sendall(says.encode())

        if says:
            Thread(target=greet, daemon=True).start()
        done = serve("--port", str(other.getsockname()[1]))
        port = other.getsockname()[1]
    assert done.returncode == ExitCode.MISSING
    assert re.search(rf"{port} 已被别的程序占用.*--port {port + 1}", done.stderr)


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands in for the browser")
def test_the_browser_is_opened_at_the_address(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {asked}.part && mv {asked}.part {asked}\n', "utf-8")
    browser.chmod(0o755)
    hall = Hall(tmp_path / "games.sqlite3", browser=f"{browser} %s")
    try:
        for _ in range(1200):
            if asked.exists():
                break
            time.sleep(0.05)
        assert asked.read_text("utf-8").strip() == f"{hall.url}/"
    finally:
        assert hall.stop() == ExitCode.INTERRUPTED


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is a screen")
def test_without_a_screen_the_address_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text browser must not take the terminal: what stands in for one here is never called."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    text_browser = tmp_path / "www-browser"
    text_browser.write_text(f"#!/bin/sh\ntouch {tmp_path / 'called'}\n", "utf-8")
    text_browser.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TERM", "linux")
    hall = Hall(tmp_path / "games.sqlite3", browser="")
    try:
        assert hall.process.stdout is not None
        lines = [hall.process.stdout.readline() for _ in range(2)]
        assert "没有打开浏览器" in "".join(lines)
        assert httpx.get(hall.url).status_code == 200
    finally:
        assert hall.stop() == ExitCode.INTERRUPTED
    assert not (tmp_path / "called").exists()


def test_a_backup_moves_to_another_machine(hall: Hall, tmp_path: Path) -> None:
    assert serve("--data", str(tmp_path / "none"), "--backup", "x").returncode == ExitCode.BAD_INPUT
    busy = serve("--data", str(hall.store), "--backup", str(tmp_path / "busy"))
    assert busy.returncode == ExitCode.BAD_INPUT
    assert "另一个棋苑正在用它" in busy.stderr
    beside = serve("--data", str(hall.store), "--port", "0")
    assert beside.returncode == ExitCode.BAD_INPUT
    assert "另一个棋苑正在用它" in beside.stderr
    first = Hall(tmp_path / "games.sqlite3")
    game = first.new(mode="two", moves=["h2e2"])
    assert first.stop() == ExitCode.INTERRUPTED
    copy = tmp_path / "copy.sqlite3"
    assert serve("--data", str(first.store), "--backup", str(copy)).returncode == ExitCode.OK
    again = serve("--data", str(first.store), "--backup", str(copy))
    assert again.returncode == ExitCode.BAD_INPUT
    second = Hall(copy)
    assert [move["zh"] for move in second.look(game)["moves"]] == ["炮二平五"]
    second.stop()


def test_the_room_is_asked_for_the_pin(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "games.sqlite3", "--lan")
    try:
        assert hall.process.stdout is not None
        lines = hall.process.stdout.readline() + hall.process.stdout.readline()
        found = re.search(r"(http://([0-9.]+):\d+)/  PIN (\d{6})", lines)
        if found is None or found[2].startswith("127."):
            pytest.skip("this machine has no address but the loopback")
        url, _, pin = found.groups()
        with httpx.Client(base_url=url) as room:
            assert room.get("/").headers["location"] == "/pin"
            assert room.get("/api/status").status_code == 401
            assert "PIN" in room.get("/pin").text
            wrong = f"{(int(pin) + 1) % 10**6:06}"
            assert room.post("/api/pin", json={"pin": wrong}).status_code == 401
            given = room.post("/api/pin", json={"pin": pin})
            assert "HttpOnly" in given.headers["set-cookie"]
            assert "SameSite=strict" in given.headers["set-cookie"]
            assert room.get("/").status_code == 200
            assert room.get("/api/status").status_code == 200
        assert httpx.get(f"{hall.url}/api/status").status_code == 200
    finally:
        hall.stop()
