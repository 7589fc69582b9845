"""``qiyuan serve``: the hall in a browser."""

from __future__ import annotations

import json
import os
import secrets
import socket
import sqlite3
import sys
import urllib.request
import webbrowser
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import click

from qiyuan.exit_codes import ExitCode

PORT = 8686


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
              help="端口，0 为任意空闲端口 the port; 0 takes any free one.")  # fmt: skip
@click.option("--lan", is_flag=True, help="让同一房间的机器也能用，要输入 PIN open to the room.")
@click.option("--no-browser", is_flag=True, help="不自动打开浏览器 do not open a browser.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="存档文件，默认在用户的数据文件夹 the file of saved games.",
)
@click.option(
    "--backup",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="把全部存档写成一个文件，然后结束 write all saved games to one file and end.",
)
def command(port: int, lan: bool, no_browser: bool, data: Path | None, backup: Path | None) -> None:
    """棋苑大厅：在浏览器里下棋、裁判。The hall: play and rule on disputes in a browser.

    备份的文件可以在另一台机器上用 --data 打开。A backup is opened elsewhere by --data.
    """
    for name in ("fastapi", "uvicorn", "websockets"):
        if find_spec(name) is None:
            _end(
                f"大厅要用 {name}，请安装 (install): pip install 'qiyuan-games[web]'",
                ExitCode.MISSING,
            )
    path = data or _usual_path()
    if backup is not None:
        _back_up(path, backup)
        return
    door = _door("0.0.0.0" if lan else "127.0.0.1", port)
    if door is None:
        address = f"http://127.0.0.1:{port}/"
        if not _is_hall(address):
            _end(
                f"端口 {port} 已被别的程序占用，请换一个 (port in use, choose another): "
                f"qiyuan serve --port {port - 1 if port == 65535 else port + 1}",
                ExitCode.MISSING,
            )
        click.echo(f"棋苑已经在运行 already running: {address}")
        if not no_browser:
            _open(address).join()
        return
    _serve(door, path, f"{secrets.randbelow(10**6):06}" if lan else None, not no_browser)


def _serve(door: socket.socket, path: Path, pin: str | None, browser: bool) -> None:
    import uvicorn

    from qiyuan.hall.app import create
    from qiyuan.hall.guard import Limits
    from qiyuan.hall.lines import Line
    from qiyuan.hall.store import why

    try:
        app = create(path, pin=pin)
    except (OSError, sqlite3.Error) as error:
        _end(f"打不开存档 {path} (cannot open)：{why(error)}", ExitCode.BAD_INPUT)
    port = door.getsockname()[1]
    here = f"http://127.0.0.1:{port}/"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if not self.started:
                return
            click.echo(f"棋苑大厅 the hall: {here}\n按 Ctrl+C 结束 Ctrl+C ends it.")
            if pin is not None:
                click.echo(f"同一房间 from the room: http://{_own_address()}:{port}/  PIN {pin}")
            sys.stdout.flush()
            if browser:
                _open(here)

    sys.setswitchinterval(0.001)  # a search that ends must not hold up an answer for long
    config = uvicorn.Config(
        app,
        log_level="warning",
        http=Line,
        ws="websockets-sansio",
        ws_max_size=4 * Limits.frame,
        ws_max_queue=16,
        ws_ping_interval=30,
        timeout_keep_alive=int(Line.patience),
        h11_max_incomplete_event_size=1 << 16,
        server_header=False,
        proxy_headers=False,  # a header must not make a visitor one who sits at this machine
        timeout_graceful_shutdown=5,
    )
    Server(config).run([door])


def _open(address: str) -> Thread:
    """Open the browser, on a thread: some wait until it is closed again."""

    def show() -> None:
        # without a screen, a text browser would take the terminal
        screen = sys.platform in ("win32", "darwin") or any(
            os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        )
        if not (screen and webbrowser.open(address)):
            click.echo("没有打开浏览器，请自己打开上面的地址 (no browser here: open the address)")
            sys.stdout.flush()

    thread = Thread(target=show, name="browser", daemon=True)
    thread.start()
    return thread


def _usual_path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("qiyuan", appauthor=False) / "games.sqlite3"


def _back_up(path: Path, target: Path) -> None:
    from qiyuan.hall.store import Store, why

    if not path.exists():
        _end(f"还没有存档 (no saved games): {path}", ExitCode.BAD_INPUT)
    try:
        store = Store(path)
        try:
            store.back_up(target)
            click.echo(f"已备份 {store.count()} 局 games saved: {target}")
        finally:
            store.close()
    except FileExistsError:
        _end(f"已经有这个文件 (it exists): {target}", ExitCode.BAD_INPUT)
    except (OSError, sqlite3.Error) as error:
        _end(f"备份没有成功 (no backup was made)：{why(error)}", ExitCode.BAD_INPUT)


def _door(address: str, port: int) -> socket.socket | None:
    """A socket bound to the port, None where it is taken."""
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two programs share the port
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((address, port))
    except OSError:
        door.close()
        return None
    return door


def _is_hall(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}api/status", timeout=3) as answer:
            found: Any = json.loads(answer.read(1 << 16))
    except (OSError, ValueError, HTTPException):
        return False
    return isinstance(found, dict) and "progress" in found


def _own_address() -> str:
    """The address of this machine in its own network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _end(text: str, code: ExitCode) -> NoReturn:
    click.echo(f"错误：{text}", err=True)
    sys.exit(code)
