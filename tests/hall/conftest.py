"""A hall in a process of its own, and a browser that may talk to nothing else."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the hall needs qiyuan-games[web]")
pytest.importorskip("websockets", reason="the hall needs qiyuan-games[web]")
httpx = pytest.importorskip("httpx", reason="the tests of the hall need httpx")


class Hall:
    """``qiyuan serve`` as people start it.

    Args:
        store: the file of saved games.
        options: further ones of the command.
        browser: what it may open the page with, as in ``$BROWSER``; ``None`` forbids it.
    """

    def __init__(self, store: Path, *options: str, browser: str | None = None) -> None:
        self.store, self.options, self.browser = store, options, browser
        self.start()

    def start(self) -> None:
        """Start it and wait for the address that it prints."""
        command = [sys.executable, "-m", "qiyuan", "serve", "--port", "0"]
        if self.browser is None:
            command.append("--no-browser")
        self.process = subprocess.Popen(
            [*command, "--data", str(self.store), *self.options],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONUTF8": "1", "BROWSER": self.browser or ""},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://127.0.0.1:" in line, line
        self.url = line.split()[-1].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])

    def warm(self) -> None:
        """Wait until every kernel is loaded."""
        for _ in range(1200):
            progress = httpx.get(f"{self.url}/api/status").json()["progress"]
            if progress["done"] == progress["total"]:
                return
            time.sleep(0.1)
        raise AssertionError("the kernels never became ready")

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self._over()

    def stop(self) -> int:
        """End it as Ctrl+C does; returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self._over()

    def _over(self) -> int:
        code = self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        """POST JSON."""
        return httpx.post(self.url + path, json=body, timeout=60, **options)

    def new(self, **settings: Any) -> tuple[str, dict[str, str]]:
        """A new game: its path and the headers that own it."""
        made = self.post("/api/games", settings).json()
        return f"/api/games/{made['id']}", {"authorization": f"Bearer {made['token']}"}

    def do(self, game: tuple[str, dict[str, str]], do: str, **more: Any) -> Any:
        """An action in a game."""
        path, owner = game
        return self.post(f"{path}/actions", {"do": do, **more}, headers=owner)

    def look(self, game: tuple[str, dict[str, str]]) -> Any:
        """The state of a game."""
        path, owner = game
        return httpx.get(self.url + path, headers=owner, timeout=60).json()


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """One hall for all tests, warm."""
    made = Hall(tmp_path_factory.mktemp("hall") / "games.sqlite3")
    made.warm()
    yield made
    made.stop()


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright, whose event loop must not outlive the module."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (apt install chromium fonts-noto-cjk)")
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def open_page(browser: Any, hall: Hall) -> Iterator[Any]:
    """Opens pages of the hall; whatever a page asks of another host fails the test."""
    contexts: list[Any] = []
    foreign: list[str] = []
    faults: list[str] = []

    def guard(route: Any) -> None:
        if route.request.url.startswith((hall.url, "data:", "blob:")):
            route.continue_()
        else:
            foreign.append(route.request.url)
            route.abort()

    def wrong(said: Any) -> bool:
        """An error, but for the browser's note that a request was answered with a sentence."""
        return bool(said.type == "error" and "status of 422" not in said.text)

    def opened(path: str = "/", width: int = 1280, height: int = 1000) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        context.route("**/*", guard)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if wrong(said) else None)
        page.set_default_timeout(20_000)
        page.goto(hall.url + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not foreign, f"asked of another host: {foreign}"
    assert not faults, f"faults on the page: {faults}"
