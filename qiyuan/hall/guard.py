"""What does not belong here is refused before anything looks at it.

The service is made for one machine, or one room with a PIN. A page of somebody else's site that is
open in the same browser must not reach it: names that resolve to this machine (DNS rebinding),
foreign origins, and requests from other sites are refused. Bodies have a size, visitors a pace.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import secrets
import socket
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

Scope = dict[str, Any]
COOKIE = "qiyuan_pin"
OPEN_PATHS = ("/pin", "/api/pin", "/static/hall.css", "/static/pin.js", "/favicon.svg")
"""What a visitor from the room sees before the PIN."""


@dataclass(frozen=True)
class Limits:
    """How much one visitor may ask for.

    Attributes:
        body: bytes of a request.
        body_seconds: how long a request may take to arrive.
        rate: requests a second on average, and ``burst`` at once, of a visitor from the room.
        frames: messages a second of one WebSocket, and ``frame_burst`` at once.
        frame: bytes of a WebSocket message.
        sockets: WebSockets at once in all, and ``sockets_each`` of a visitor from the room.
        tries: wrong PINs of one address, and ``tries_all`` of all, in ``tries_seconds``.
    """

    body: int = 1 << 20
    body_seconds: float = 20.0
    rate: float = 20.0
    burst: float = 80.0
    frames: float = 20.0
    frame_burst: float = 40.0
    frame: int = 1 << 14
    sockets: int = 1000
    sockets_each: int = 20
    tries: int = 5
    tries_all: int = 50
    tries_seconds: float = 600.0


class Pace:
    """A bucket that fills at ``rate`` a second up to ``burst``."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass
class Pins:
    """The PIN of the room, who has given it, and who has tried.

    Attributes:
        pin: six digits; None = no PIN is asked for.
    """

    pin: str | None
    limits: Limits = field(default_factory=Limits)
    _given: set[str] = field(default_factory=set)
    _wrong: list[tuple[float, str]] = field(default_factory=list)

    def give(self, address: str, pin: str) -> str | None:
        """The cookie for a right PIN, None for a wrong one.

        Raises:
            PermissionError: too many wrong ones; even the right one must wait.
        """
        since = time.monotonic() - self.limits.tries_seconds
        self._wrong = [one for one in self._wrong if one[0] > since]
        own = sum(who == address for _, who in self._wrong)
        if own >= self.limits.tries or len(self._wrong) >= self.limits.tries_all:
            raise PermissionError
        if self.pin is None or not hmac.compare_digest(
            pin.encode("utf-8", "replace"), self.pin.encode()
        ):
            self._wrong.append((time.monotonic(), address))
            return None
        cookie = secrets.token_urlsafe(24)
        self._given.add(cookie)
        return cookie

    def knows(self, cookie: str) -> bool:
        """Whether a cookie was given here."""
        return cookie in self._given


class Refusal(Exception):
    """A request that is refused: HTTP status and a sentence."""

    def __init__(self, status: int, text: str, location: str = "") -> None:
        super().__init__(text)
        self.status, self.text, self.location = status, text, location


class Guard:
    """ASGI middleware in front of everything.

    Args:
        app: what is guarded.
        pins: the PIN, for visitors who do not sit at this machine.
        limits: how much one visitor may ask for.
    """

    def __init__(self, app: Any, pins: Pins, limits: Limits | None = None) -> None:
        self._app, self._pins = app, pins
        self._limits = limits or Limits()
        self._paces: OrderedDict[str, Pace] = OrderedDict()
        self._sockets: dict[str, int] = {}
        self._names = {"localhost", socket.gethostname().lower()}
        self._names |= {f"{name}.local" for name in self._names}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            address = self._checked(scope)
        except Refusal as refusal:
            await _refuse(scope, receive, send, refusal)
            return
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, address)
        else:
            await self._request(scope, receive, send)

    # ------------------------------------------------------------ who asks

    def _checked(self, scope: Scope) -> str:
        headers = _headers(scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise Refusal(421, f"不认识的主机名 (unknown host): {host[:80]!r}")
        origin = headers.get("origin")
        if origin is not None and not _same(origin, host):
            raise Refusal(403, "别的网站不能使用棋苑 (foreign origin)")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and (
            scope["type"] == "websocket" or scope["path"].startswith("/api/")
        ):
            raise Refusal(403, "别的网站不能使用棋苑 (request from another site)")
        address = scope["client"][0] if scope.get("client") else "?"
        if not is_this_machine(address):
            if not self._pace(address).take():
                raise Refusal(429, "请求太快，请稍等 (too many requests)")
            if self._pins.pin is not None and scope["path"] not in OPEN_PATHS:
                self._ask_pin(scope, headers)
        return address

    def _is_ours(self, host: str) -> bool:
        """An address or a name of this machine: other names may lead here by a foreign DNS."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _ask_pin(self, scope: Scope, headers: dict[str, str]) -> None:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            cookies = SimpleCookie()
        if COOKIE in cookies and self._pins.knows(cookies[COOKIE].value):
            return
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == "/":
            raise Refusal(303, "请先输入 PIN (the PIN first)", "/pin")
        raise Refusal(401, "请先输入 PIN (the PIN first)")

    def _pace(self, address: str) -> Pace:
        pace = self._paces.get(address)
        if pace is None:
            pace = self._paces[address] = Pace(self._limits.rate, self._limits.burst)
        self._paces.move_to_end(address)
        if len(self._paces) > 4096:
            self._paces.popitem(last=False)
        return pace

    # ------------------------------------------------------------ how much

    async def _request(self, scope: Scope, receive: Any, send: Any) -> None:
        """The request with its body already read, within bounds of size and time."""
        limits = self._limits
        length = _headers(scope).get("content-length", "0")
        refusal = Refusal(413, f"请求超过 {limits.body >> 20} MB (too large)")
        if not length.isascii() or not length.isdigit() or int(length[:20]) > limits.body:
            await _refuse(scope, receive, send, refusal)
            return
        body = bytearray()
        try:
            async with asyncio.timeout(limits.body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > limits.body:
                        await _refuse(scope, receive, send, refusal)
                        return
        except TimeoutError:
            await _refuse(scope, receive, send, Refusal(408, "请求太慢 (too slow)"))
            return
        whole = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replay() -> Any:
            return whole.pop() if whole else await receive()

        await self._app(scope, replay, _with_headers(scope, send))

    async def _socket(self, scope: Scope, receive: Any, send: Any, address: str) -> None:
        here = is_this_machine(address)
        own = self._sockets.get(address, 0)
        if sum(self._sockets.values()) >= self._limits.sockets or (
            not here and own >= self._limits.sockets_each
        ):
            await _refuse(scope, receive, send, Refusal(429, "连接太多 (too many connections)"))
            return
        self._sockets[address] = own + 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def is_this_machine(address: str) -> bool:
    """Whether an address is the loopback.

    >>> is_this_machine("127.0.0.1"), is_this_machine("192.168.1.7"), is_this_machine("?")
    (True, False, False)
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def policy(host: str) -> str:
    """The content security policy of our pages: nothing from outside, no inline script."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )


def _with_headers(scope: Scope, send: Any) -> Any:
    host = _headers(scope).get("host", "")

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            names = {name.lower() for name, _ in headers}
            for name, value in (
                ("content-security-policy", policy(host)),
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"),
                ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                ("cache-control", "no-cache"),
            ):
                if name.encode() not in names:
                    headers.append((name.encode(), value.encode("latin-1")))
            message = {**message, "headers": headers}
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Any, send: Any, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return
    body = json.dumps({"error": refusal.text}, ensure_ascii=False).encode()
    headers = [
        (b"content-type", b"application/json; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"connection", b"close"),
    ]
    if refusal.location:
        headers.append((b"location", refusal.location.encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
