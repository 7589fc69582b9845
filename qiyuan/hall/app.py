"""The web service: pages, a JSON API that OpenAPI describes, one WebSocket a game."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote

from fastapi import Depends, FastAPI, Header, HTTPException, Path, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.websockets import WebSocketDisconnect, WebSocketState

from ai.puzzles import puzzles
from arbiter.page import ReportMissing
from arbiter.ruling import program_version
from arbiter.timing import TIME_CONTROLS
from qikit.errors import GameError
from qiyuan.hall import hearing, positions, warmth
from qiyuan.hall.faces import GAMES, face
from qiyuan.hall.guard import COOKIE, Guard, Limits, Pace, Pins
from qiyuan.hall.hearing import Case, Documents
from qiyuan.hall.keeper import LONGEST_MOVE, Keeper, StoreFault, UnknownGame
from qiyuan.hall.searches import Searches
from qiyuan.hall.store import Store
from qiyuan.hall.table import Refused, Settings
from qiyuan.hall.warmth import NotReady, Warmth

log = logging.getLogger("qiyuan.hall")
T = TypeVar("T")

Name = Annotated[str, Field(max_length=40)]
Short = Annotated[str, Field(max_length=200)]
MoveText = Annotated[str, Field(max_length=LONGEST_MOVE)]
FAULT = "程序内部出错，棋局没有变 (internal fault)"
REFUSALS = {
    (400, "There was an error parsing the body"): "请求的内容读不出来 (the body cannot be read)",
    (404, "Not Found"): "没有这一页 (not found)",
    (405, "Method Not Allowed"): "这个地址不能这样用 (method not allowed)",
}
"""Refusals of the framework, as people read them."""
THOUGHTS = ("hint", "review")
"""Actions that only think: nobody wants them any more when the visitor has left."""
PRINTING = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
"""Policy of the arbiter's document: text and pictures, no script."""


class NewGame(BaseModel):
    """A game to begin, or to go on from a position or a record."""

    game: Name = Field("xiangqi", description="one of /api/kinds")
    mode: Literal["computer", "two"] = Field(
        "computer", description="two: the people of all seats share one screen"
    )
    human: int = Field(0, ge=0, le=5, description="seat of the person; 0 moves first")
    level: int = Field(2, ge=0, le=10, description="one of the game's levels; 0 adapts")
    options: dict[Name, Name] = Field({}, max_length=20, description="as /api/kinds tells them")
    start: Annotated[str, Field(max_length=2000)] = Field(
        "", description="the text of a position (puzzles: a FEN of /api/puzzles); empty = as usual"
    )
    moves: list[MoveText] = Field([], max_length=2000)


class PuzzleItem(BaseModel):
    """A puzzle of the shelf; its solution is asked of a game of it."""

    number: int
    fen: str = Field(description="the position, Red to move: ``start`` of a game of ``puzzles``")
    moves: int = Field(description="Red's moves to the mate, against the longest defence")
    task: str
    theme: str = Field(description="the material, and the mating pattern where one is known")
    grade: int = Field(description="1 easy to 5")
    grade_zh: str


class Created(BaseModel):
    """A new game: keep the token, it is the only key to the game."""

    id: str
    token: str


class Action(BaseModel):
    """What a person does in a game."""

    do: Literal[
        "look", "move", "back", "resign", "offer", "accept", "refuse", "hint", "review", "ask"
    ]
    move: MoveText | None = None
    ply: int | None = Field(None, description="look: the position after so many moves")
    question: dict[str, Any] | None = Field(None, description="ask: what only this game is asked")


class CaseBody(BaseModel):
    """A disputed game, the record as base64 of its bytes."""

    record: str = Field(max_length=256 << 10)
    number: int = Field(0, ge=0)
    rules: Name = "club2008"
    fen: Short = ""
    corrections: dict[int, Name] = Field({}, max_length=100)
    overrides: list[Short] = Field([], max_length=200)
    claims: list[Short] = Field([], max_length=20)


class PositionBody(BaseModel):
    """A position as FEN, empty = the usual start, and moves played on it."""

    fen: Short = ""
    moves: list[Name] = Field([], max_length=2000)


class PinBody(BaseModel):
    """The PIN of the room."""

    pin: Annotated[str, Field(max_length=12)]


def _bearer(authorization: Annotated[str, Header(max_length=200)] = "") -> str:
    return authorization.removeprefix("Bearer ").strip()


Token = Annotated[str, Depends(_bearer)]
"""The token of a game, from ``Authorization: Bearer TOKEN``."""


GameId = Annotated[str, Path(alias="id")]
"""The public name of a game."""

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "wav": "audio/wav",
}
"""Media types of the page's files, whatever the system's own table says; others are not served."""


def _kinds() -> list[dict[str, Any]]:
    """Every game of the menu; the first call imports them all."""
    return [face(game).describe() for game in GAMES]


def _static() -> dict[str, tuple[bytes, str]]:
    """Every file of the page, read once: no path of a request ever reaches the file system."""
    found = {}
    for item in files("qiyuan.hall.static").iterdir():
        kind = KINDS.get(item.name.rpartition(".")[2])
        if kind is not None:
            found[item.name] = item.read_bytes(), kind
    return found


def create(
    store_path: FilePath,
    *,
    pin: str | None = None,
    limits: Limits | None = None,
    workers: int | None = None,
) -> Any:
    """The hall as an ASGI application.

    Args:
        store_path: the file of the saved games.
        pin: asked from visitors who do not sit at this machine.
        limits: how much one visitor may ask for.
        workers: searches at once; default one a core.

    Raises:
        sqlite3.DatabaseError, OSError: as :class:`~qiyuan.hall.store.Store`.
    """
    limits = limits or Limits()
    pins = Pins(pin, limits)
    static = _static()
    ready = Warmth()
    documents = Documents()
    reading = asyncio.Semaphore(1)
    keeper = Keeper(Store(store_path), Searches(workers), ready)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        ready.start()
        kinds = asyncio.create_task(asyncio.to_thread(_kinds))  # before the first page asks
        yield
        await kinds
        await keeper.close()
        keeper.store.close()

    app = FastAPI(
        title="棋苑 Qiyuan",
        version=program_version(),
        description="Games and rulings on this machine. A game belongs to whoever has its token.",
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=life,
    )

    # ------------------------------------------------------------ errors as sentences

    @app.exception_handler(GameError)
    async def game_error(_: Request, error: Exception) -> JSONResponse:
        marks = {"marks": list(error.marks)} if isinstance(error, Refused) else {}
        code = 404 if isinstance(error, UnknownGame) else 422
        return JSONResponse({"error": str(error), **marks}, code)

    @app.exception_handler(StoreFault)
    async def store_fault(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 507)

    @app.exception_handler(NotReady)
    async def not_ready(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 503)

    @app.exception_handler(ReportMissing)
    async def report_missing(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 501)

    @app.exception_handler(StarletteHTTPException)
    async def http_error(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, StarletteHTTPException)
        text = REFUSALS.get((error.status_code, error.detail), error.detail)
        return JSONResponse({"error": text}, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": FAULT}, 500)  # the log has it already

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        faults = "; ".join(
            f"{'.'.join(map(str, one['loc'][1:])) or '?'}: {one['msg']}" for one in error.errors()
        )
        return JSONResponse({"error": f"请求的内容不对 (malformed): {faults[:400]}"}, 422)

    # ------------------------------------------------------------ pages

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return Response(static["index.html"][0], media_type="text/html; charset=utf-8")

    @app.get("/pin", include_in_schema=False)
    async def pin_page() -> Response:
        return Response(static["pin.html"][0], media_type="text/html; charset=utf-8")

    @app.get("/favicon.svg", include_in_schema=False)
    async def icon() -> Response:
        return Response(static["favicon.svg"][0], media_type="image/svg+xml")

    @app.get("/static/{name}", include_in_schema=False)
    async def static_file(name: str) -> Response:
        if name not in static:
            raise HTTPException(404)
        return Response(static[name][0], media_type=static[name][1])

    @app.post("/api/pin", include_in_schema=False)
    async def give_pin(body: PinBody, request: Request) -> Response:
        address = request.client.host if request.client else "?"
        try:
            cookie = pins.give(address, body.pin)
        except PermissionError:
            return JSONResponse({"error": "试错太多次，请十分钟后再试 (too many tries)"}, 429)
        if cookie is None:
            return JSONResponse({"error": "PIN 不对 (wrong PIN)"}, 401)
        answer = JSONResponse({"ok": True})
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return answer

    # ------------------------------------------------------------ games

    @app.get("/api/status")
    async def status() -> dict[str, Any]:
        """Version, and how warm the kernels are."""
        return {"version": program_version(), "progress": ready.progress()}

    @app.get("/api/kinds")
    async def kinds() -> list[dict[str, Any]]:
        """The games of the hall: names, options, levels of the computer, file formats."""
        return await asyncio.to_thread(_kinds)

    @app.get("/api/kinds/{game}/boards/{board}")
    async def board_of(game: str, board: str) -> dict[str, Any]:
        """What a board is made of, for games that have more than one (军棋)."""
        if game not in GAMES:
            raise GameError(f"没有这种棋 (no such game): {game!r:.60}")
        return await asyncio.to_thread(lambda: face(game).board(board))

    @app.get("/api/puzzles")
    async def puzzle_list() -> list[PuzzleItem]:
        """The shelf of endgame puzzles (残局); a game of one is begun with ``game`` ``puzzles``."""
        return await asyncio.to_thread(lambda: [PuzzleItem(**one.shown()) for one in puzzles()])

    @app.get("/api/rules")
    async def rules() -> list[dict[str, Any]]:
        """The rule books that rulings can follow, and what may be claimed under each."""
        return [dict(book) for book in hearing.books()]

    @app.get("/api/clocks")
    async def clocks() -> list[dict[str, Any]]:
        """The time controls of the events' rules."""
        return [control.to_dict() for control in TIME_CONTROLS]

    @app.post("/api/games", status_code=201)
    async def new_game(body: NewGame) -> Created:
        """Begin a game."""
        settings = Settings(
            body.mode, body.human, body.level, float(max(body.level, 2)), body.options
        )
        name, token = await keeper.create(body.game, body.start, settings, body.moves)
        return Created(id=name, token=token)

    @app.get("/api/games/{id}")
    async def look(name: GameId, token: Token) -> dict[str, Any]:
        """The state of a game. ``Authorization: Bearer TOKEN``."""
        live = await keeper.open(name, token)
        return live.table.view()

    @app.post("/api/games/{id}/actions")
    async def act(name: GameId, body: Action, token: Token, request: Request) -> dict[str, Any]:
        """Do something in a game; the computer answers while a WebSocket is open on it."""
        live = await keeper.open(name, token)
        doing = keeper.act(live, body.model_dump(exclude_none=True))
        return await (_while_there(request, doing) if body.do in THOUGHTS else doing)

    @app.delete("/api/games/{id}", status_code=204)
    async def delete(name: GameId, token: Token) -> None:
        """Forget a game."""
        await keeper.delete(await keeper.open(name, token))

    @app.get("/api/games/{id}/file")
    async def save_file(
        name: GameId,
        token: Token,
        form: Name = "",
        notation: Name = "",
    ) -> Response:
        """The game as a file that other programs read.

        ``form`` is one of the game's (``/api/kinds``; 象棋: pgn, moves, dhtmlxq, xqf), empty = its
        first; ``notation`` of 象棋: chinese, iccs, wxf.
        """
        table = (await keeper.open(name, token)).table
        form = form or next(iter(table.face.forms), "")
        if form not in table.face.forms:
            raise GameError(f"{table.face.zh}不能存成这种文件 (no such file format): {form!r}")
        return Response(table.file(form, notation), media_type="application/octet-stream")

    # ------------------------------------------------------------ records and rulings

    @app.get("/api/example")
    async def example() -> dict[str, str]:
        """A disputed game to try the rulings on."""
        return {"text": (files("qiyuan.data") / "disputed.pgn").read_text("utf-8")}

    @app.post("/api/records")
    async def read_record(request: Request, game: Name = "xiangqi") -> list[dict[str, Any]]:
        """What a record file holds (the bytes are the body).

        象棋: PGN, XQF, CBR, CBL, DhtmlXQ, text; 五子棋: SGF, psq, RenLib, text.
        """
        if game not in GAMES:
            raise GameError(f"没有这种棋 (no such game): {game!r}")
        data = await request.body()
        await ready.wait_for(face(game).needs)
        async with reading:
            return await asyncio.to_thread(face(game).read, data)

    @app.post("/api/positions")
    async def position(body: PositionBody) -> dict[str, Any]:
        """A position of 象棋 with all its defects, and how it stands after some moves."""
        await ready.wait(warmth.RULES)
        async with reading:
            return await asyncio.to_thread(positions.view, body.fen, body.moves)

    @app.post("/api/rulings")
    async def rule(body: CaseBody) -> dict[str, Any]:
        """Rule on a disputed game; ``document`` names the printable page under ``/rulings/``."""
        case = Case(
            hearing.decoded(body.record), body.number, body.rules, body.fen,
            tuple(body.corrections.items()), tuple(body.overrides), tuple(body.claims),
        )  # fmt: skip
        await ready.wait(warmth.JUDGE)
        async with reading:
            heard = await asyncio.to_thread(hearing.hear, case)
            found = await asyncio.to_thread(heard.to_dict)
        return {**found, "document": documents.keep(heard)}

    @app.get("/rulings/{name}.{form}", include_in_schema=False)
    async def document(name: str, form: Literal["html", "pdf"]) -> Response:
        heard = documents.get(name)
        if heard is None:
            raise HTTPException(404, "裁定书已过期，请重新裁定 (expired; rule again)")
        headers = {"content-security-policy": PRINTING}
        async with reading:
            if form == "html":
                text = await asyncio.to_thread(heard.document)
                return Response(text, media_type="text/html; charset=utf-8", headers=headers)
            data = await asyncio.to_thread(heard.printed)
        headers["content-disposition"] = f"inline; filename*=UTF-8''{quote('裁定书.pdf')}"
        return Response(data, media_type="application/pdf", headers=headers)

    # ------------------------------------------------------------ WebSocket

    @app.websocket("/ws/games/{name}")
    async def socket(channel: WebSocket, name: str) -> None:
        await channel.accept()
        with suppress(WebSocketDisconnect, RuntimeError):
            await _converse(channel, name, keeper, limits)

    return Guard(app, pins, limits)


async def _while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What is thought out for a caller; called off when the caller leaves."""
    thought = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(request.receive())  # its body was read: what comes now is its end
    try:
        await asyncio.wait((thought, gone), return_when=asyncio.FIRST_COMPLETED)
        if not thought.done():
            raise HTTPException(499, "问的人已经走了 (the caller has left)")
        return thought.result()
    finally:
        thought.cancel()
        gone.cancel()


async def _converse(channel: WebSocket, name: str, keeper: Keeper, limits: Limits) -> None:
    """One visitor and one game: first the token, then actions, each answered under its ``n``."""
    try:
        async with asyncio.timeout(10):
            try:
                text = await channel.receive_text()
            except KeyError:  # a binary frame
                raise GameError("消息应为 JSON 对象 (a JSON object is wanted)") from None
        live = await keeper.open(name, str(_message(text, limits).get("token", "")))
    except UnknownGame as error:
        await _leave(channel, "refused", str(error), 1008)
        return
    except TimeoutError:
        await _leave(channel, "error", "没有口令 (no token)", 1008)
        return
    except (GameError, StoreFault, NotReady) as error:  # the game is there: it may open later
        await _leave(channel, "error", str(error), 1011)
        return
    box: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=200)

    def listen(message: dict[str, Any]) -> None:
        with suppress(asyncio.QueueFull):  # a reader that is so far behind is lost anyway
            box.put_nowait(message)

    async def write() -> None:
        while True:
            await channel.send_text(json.dumps(await box.get(), ensure_ascii=False))

    async def do(action: dict[str, Any]) -> None:
        try:
            answer = await keeper.act(live, action)
        except Refused as error:
            answer = {"type": "error", "text": str(error), "marks": list(error.marks)}
        except (GameError, StoreFault, NotReady) as error:
            answer = {"type": "error", "text": str(error)}
        except Exception:
            log.exception("%s", action.get("do"))
            answer = {"type": "error", "text": FAULT}
        listen({**answer, "n": action.get("n")})

    writer = asyncio.create_task(write())
    doing: set[asyncio.Task[None]] = set()
    pace = Pace(limits.frames, limits.frame_burst)
    listen({"type": "state", "state": live.table.view()})
    keeper.enter(live, listen)
    try:
        while channel.client_state is WebSocketState.CONNECTED:
            text = await channel.receive_text()
            try:
                action = _message(text, limits)
            except GameError as error:
                listen({"type": "error", "text": str(error)})
                continue
            if not pace.take() or len(doing) >= 8:
                busy = "太快了，请稍等 (too fast)"
                listen({"type": "error", "text": busy, "n": action.get("n")})
                continue
            task = asyncio.create_task(do(action), name=str(action.get("do")))
            doing.add(task)
            task.add_done_callback(doing.discard)
    except KeyError:  # a binary frame
        await channel.close(1003)
    finally:
        keeper.leave(live, listen)
        writer.cancel()
        for task in doing:
            if task.get_name() in THOUGHTS:
                task.cancel()
        await asyncio.gather(*doing, return_exceptions=True)  # what changes a game is finished


async def _leave(channel: WebSocket, kind: str, text: str, code: int) -> None:
    """Say why not and hang up; ``refused`` is said only of a game that is not there."""
    await channel.send_json({"type": kind, "text": text})
    await channel.close(code)


def _message(text: str, limits: Limits) -> dict[str, Any]:
    if len(text) > limits.frame:
        raise GameError("消息太长 (message too long)")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise GameError("消息不是 JSON (not JSON)") from None
    if not isinstance(message, dict) or not isinstance(message.get("n", 0), int):
        raise GameError("消息应为 JSON 对象 (a JSON object is wanted)")
    return message
