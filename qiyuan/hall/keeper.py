"""The games that are going on: what people do, what the computer answers, who is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any, TypeVar

from ai.levels import STEADY
from qikit import StopFlag
from qikit.errors import GameError
from qiyuan.hall.faces import GAMES, face
from qiyuan.hall.faces.face import ADAPTING, Face, Thought
from qiyuan.hall.searches import Searches
from qiyuan.hall.store import Saved, Store, why
from qiyuan.hall.table import Settings, Table
from qiyuan.hall.warmth import NotReady, Warmth

T = TypeVar("T")
log = logging.getLogger("qiyuan.hall")

RESTING = 500
"""Games without a visitor that stay in memory."""
MOST_GAMES = 100_000
LONGEST_MOVE = 200
"""Letters of a move: a set-up of an army is one."""
DELETED = "这局棋已经删去 (the game has been deleted)"


class UnknownGame(GameError):
    """No game of that id, or the token is not its own: nobody is told which."""


class UnreadableGame(GameError):
    """A saved game that this version cannot play again; it stays in the file as it is."""


class StoreFault(RuntimeError):
    """The store could not write; the message is for people."""


class Live:
    """A game in memory and who looks at it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[dict[str, Any]], None]] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.stale = False
        """Whether memory may be ahead of the disk: then the disk is read before anything else."""

    def tell(self) -> None:
        """Give every listener the new state."""
        message = {"type": "state", "state": self.table.view()}
        for listener in list(self.listeners):
            listener(message)

    def stop(self) -> None:
        """Call a running search of the computer's move off."""
        if self.thinking is not None:
            self.thinking.cancel()
            self.thinking = None


class Keeper:
    """All games.

    Args:
        store: where they are kept.
        searches: who thinks for the computer.
        ready: which kernels are loaded.
    """

    def __init__(self, store: Store, searches: Searches, ready: Warmth) -> None:
        self.store, self.searches, self.ready = store, searches, ready
        self._writer = ThreadPoolExecutor(1, "store")
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._opening = asyncio.Lock()

    # ------------------------------------------------------------ coming and going

    async def _stored(self, work: Callable[..., T], *arguments: Any) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._writer, work, *arguments)
        except sqlite3.Error as error:
            log.error("store: %s", error)
            raise StoreFault(f"存档失败，这一步没有算数 (not saved)：{why(error)}") from error

    async def create(
        self, game: str, start: str, settings: Settings, moves: Sequence[str] = ()
    ) -> tuple[str, str]:
        """A new game; returns its id and its token.

        Raises:
            GameError: no such game, option, level or position, or a move that cannot be played.
            StoreFault: nothing could be written.
        """
        try:
            shown = face(game)
        except KeyError:
            raise GameError(f"没有这种棋 (no such game): {game!r}") from None
        settings = replace(settings, options=shown.chosen(settings.options))
        if settings.mode == "computer" and settings.level not in shown.levels:
            raise GameError(f"{shown.zh}没有这一级电脑对手 (no such level): {settings.level}")
        await self.ready.wait_for(shown.needs)
        draft = Saved("", game, start, asdict(settings), tuple(moves), None)
        table = await asyncio.to_thread(Table.checked, draft)
        seats = len(shown.seats(table.board))
        if settings.human >= seats:
            raise GameError(f"这局棋只有 {seats} 个座位 (no such seat): {settings.human}")
        if await self._stored(self.store.count) >= MOST_GAMES:
            raise GameError("存档已满，请先删去旧的棋局 (too many saved games)")
        return await self._stored(
            self.store.create, game, start, draft.settings, [str(move) for move in moves]
        )

    async def open(self, name: str, token: str) -> Live:
        """A game for its owner.

        Raises:
            UnknownGame: no such game, or not its token.
        """
        if not await self._stored(self.store.owns, name, token):
            raise UnknownGame("没有这局棋，或者它不是您的 (no such game, or not yours)")
        async with self._opening:
            live = self._lives.get(name)
            if live is None:
                live = self._lives[name] = Live(await self._loaded(name))
            self._lives.move_to_end(name)
            self._make_room()
        return live

    async def _loaded(self, name: str) -> Table:
        try:
            saved = await self._stored(self.store.load, name)
            if saved is None:
                raise UnknownGame(DELETED)
            if saved.game not in GAMES:
                raise GameError(f"这个版本没有这种棋 (no such game here): {saved.game}")
            await self.ready.wait_for(face(saved.game).needs)
            return await asyncio.to_thread(Table, saved)
        except (UnknownGame, StoreFault, NotReady):
            raise
        except Exception as error:
            log.warning("saved game %s", name, exc_info=True)
            why = error if isinstance(error, GameError) else type(error).__name__
            raise UnreadableGame(
                f"这局棋的存档打不开，存档没有动 (the saved game cannot be opened): {why}"
            ) from error

    def _make_room(self) -> None:
        for name in list(self._lives)[: max(len(self._lives) - RESTING, 0)]:
            live = self._lives[name]
            if not live.listeners and live.thinking is None and not live.lock.locked():
                del self._lives[name]

    def enter(self, live: Live, listener: Callable[[dict[str, Any]], None]) -> None:
        """Somebody looks at a game; where it is the computer's turn, it begins to think."""
        live.listeners.add(listener)
        self._go_on(live)

    def leave(self, live: Live, listener: Callable[[dict[str, Any]], None]) -> None:
        """Somebody goes; behind the last one the computer stops thinking."""
        live.listeners.discard(listener)
        if not live.listeners:
            live.stop()

    async def delete(self, live: Live) -> None:
        """Forget a game."""
        async with live.lock:
            live.stop()
            await self._stored(self.store.delete, live.table.id)
            self._lives.pop(live.table.id, None)
            live.stale = True
        for listener in list(live.listeners):  # it may be open in other windows
            listener({"type": "refused", "text": DELETED})

    async def close(self) -> None:
        """Stop every search; everything is saved already."""
        for live in self._lives.values():
            live.stop()
        await asyncio.to_thread(self.searches.close)
        self._writer.shutdown(wait=True)

    # ------------------------------------------------------------ actions

    async def act(self, live: Live, action: dict[str, Any]) -> dict[str, Any]:
        """Do what a person asks; returns the answer, and tells every listener of a new state.

        Args:
            action: ``{"do": "move", "move": "h2e2"}``; ``{"do": "look", "ply": 3}`` (without
                ``ply`` the whole state); ``{"do": "ask", "question": {...}}`` what only this game
                is asked; or ``do`` is ``back``, ``resign``, ``offer``, ``accept``, ``refuse``,
                ``hint`` or ``review``.

        Raises:
            GameError: it cannot be done; the message says why.
            StoreFault: it could not be saved, and was not done.
        """
        try:
            json.dumps(action, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError):  # half a character could not be sent back
            raise GameError("请求里有不成字的符号 (a text that is no Unicode)") from None
        lines = live.table.face.lines
        match action.get("do"):
            case "look":
                return self._look(live.table, action.get("ply"))
            case "ask":
                return await self._ask(live.table, action.get("question"))
            case "move":
                move = action.get("move")
                if not isinstance(move, str) or len(move) > LONGEST_MOVE:
                    raise GameError("着法要是一段短文字 (a move is a short text)")
                return await self._move(live, move)
            case "back":
                return await self._change(live, Table.take_back)
            case "resign" if "resign" in lines:
                return await self._move(live, lines["resign"])
            case "resign":
                return await self._change(live, Table.resign)
            case "offer":
                return await self._offer(live)
            case "accept" if "draw" in lines and live.table.offer is not None:
                return await self._move(live, lines["draw"])
            case "accept" | "refuse" as word:
                return await self._change(live, lambda table: table.answer(word == "accept"))
            case "hint":
                return await self._hint(live)
            case "review":
                return await self._review(live)
            case other:
                raise GameError(f"不认识的请求 (unknown action): {str(other)[:40]!r}")

    def _look(self, table: Table, ply: object) -> dict[str, Any]:
        if ply is None:
            return {"type": "state", "state": table.view()}
        if not isinstance(ply, int):
            raise GameError("ply 要是整数 (a whole number is wanted)")
        position = table.look_back(ply)
        return {"type": "position", "ply": ply, "version": table.version, "position": position}

    async def _ask(self, table: Table, question: object) -> dict[str, Any]:
        if not isinstance(question, dict):
            raise GameError("question 应为 JSON 对象 (a JSON object is wanted)")
        version, board = table.version, table.board.copy()
        found = await asyncio.to_thread(table.face.answer, board, question)
        return {"type": "answer", "version": version, **found}

    async def _move(self, live: Live, move: str) -> dict[str, Any]:
        async with live.lock:
            await self._reread(live)
            if live.table.computer_to_move:
                raise GameError("电脑正在想棋，请稍候 (it is the computer's turn)")
            await self._played(live, move)
        self._go_on(live)
        return {"type": "done"}

    async def _played(self, live: Live, move: str, notice: str = "") -> None:
        """Play and save a move, ask the arbiter where it is due, tell everybody."""
        table = live.table
        kept = table.plies
        text = table.play(move)
        try:
            if table.result is None:
                await self._rule(table)
            if table.result is None:
                table.notice = table.notice or notice
            self._learn(table)
            await self._save(table, kept, [text])
        except Exception:
            await self._restore(live)
            raise
        live.tell()

    def _learn(self, table: Table) -> None:
        """The adapting level takes note of how a game ended."""
        one = table.settings
        if table.result is not None and one.mode == "computer" and one.level == ADAPTING:
            winner = table.result["winner"]
            won = None if winner is None else winner != one.human
            table.set_strength(table.face.finished(one.strength, won))

    async def _rule(self, table: Table) -> None:
        shown, board, options = table.face, table.board, table.settings.options
        if shown.needs_ruling(board, table.keys, options):
            await self.ready.wait_for(shown.judges)
            table.result, table.notice = await asyncio.to_thread(
                shown.ruling, board.copy(), options
            )

    async def _save(self, table: Table, kept: int, moves: Sequence[str]) -> None:
        if not await self._stored(
            self.store.save, table.id, kept, moves, table.settings_json(), table.result
        ):
            raise UnknownGame(DELETED)

    async def _restore(self, live: Live) -> None:
        """After a change that failed half-way: memory and disk differ, the disk is right."""
        live.stale = True
        with contextlib.suppress(UnknownGame, UnreadableGame, StoreFault, NotReady):
            await self._reread(live)

    async def _reread(self, live: Live) -> None:
        """Read a stale game again; raises as :meth:`open`."""
        if live.stale:
            live.table = await self._loaded(live.table.id)
            live.stale = False
            live.tell()

    async def _change(self, live: Live, change: Callable[[Table], object]) -> dict[str, Any]:
        """A change that adds no move."""
        async with live.lock:
            await self._reread(live)
            table = live.table
            before = table.result
            change(table)
            live.stop()
            try:
                if before is None:
                    self._learn(table)
                await self._save(table, table.plies, [])
            except Exception:
                await self._restore(live)
                raise
            live.tell()
        self._go_on(live)
        return {"type": "done"}

    async def _offer(self, live: Live) -> dict[str, Any]:
        one = live.table.settings
        if one.mode == "two":
            return await self._change(live, Table.offer_draw)
        self._may(live.table, "draw")
        async with live.lock:
            table = live.table
            if table.result is not None or table.computer_to_move:
                raise GameError("轮到您走棋时才能提和 (offer a draw when it is your turn)")
            version, shown, board = table.version, table.face, table.board.copy()
        if not await self._searched(live, lambda s, stop: shown.agrees(board, s, stop)):
            return {"type": "say", "text": "电脑不同意和棋，请继续下。"}

        def agree(now: Table) -> None:
            if now is not table or table.version != version:
                raise GameError("局面已经变了，请再提一次 (the position has changed)")
            table.offer_draw()
            table.answer(agreed=True)

        return await self._change(live, agree)

    # ------------------------------------------------------------ what the computer thinks

    async def _searched(self, live: Live, work: Callable[[Any, StopFlag], T]) -> T:
        shown: Face = live.table.face
        await self.ready.wait_for(shown.thinks)
        return await self.searches.run(live.table.id, shown, work)

    def _may(self, table: Table, what: str) -> None:
        if what not in table.face.can(table.board):
            raise GameError(f"这种棋没有这一项 (not in this game): {what}")

    async def _hint(self, live: Live) -> dict[str, Any]:
        table = live.table
        self._may(table, "hint")
        if table.result is not None or table.computer_to_move:
            raise GameError("轮到您走棋时才有提示 (hints are given when it is your turn)")
        version, shown, board = table.version, table.face, table.board.copy()
        found = await self._searched(live, lambda s, stop: shown.hint(board, s, stop))
        if found is None:
            raise GameError("没有可以走的着法 (no move)")
        return {"type": "hint", "version": version, **found}

    async def _review(self, live: Live) -> dict[str, Any]:
        table = live.table
        self._may(table, "review")
        version, shown, board = table.version, table.face, table.board.copy()
        remarks = await self._searched(live, lambda s, stop: shown.review(board, s, stop))
        return {"type": "review", "version": version, "remarks": remarks}

    def _go_on(self, live: Live) -> None:
        """Let the computer think where it is its turn and somebody waits for it."""
        if live.table.computer_to_move and live.thinking is None and live.listeners:
            live.thinking = asyncio.create_task(self._answer(live))

    async def _answer(self, live: Live) -> None:
        table = live.table
        version, shown, board, one = table.version, table.face, table.board.copy(), table.settings

        def think(searcher: Any, stop: StopFlag) -> Thought | None:
            return shown.choose(board, one.level, one.strength, searcher, stop)

        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            thought = await self._searched(live, think)
            await asyncio.sleep(began + STEADY - clock())  # people see their own move first
            async with live.lock:
                live.thinking = None
                if live.table is not table or table.version != version or thought is None:
                    return
                table.set_strength(thought.strength)
                await self._played(live, thought.move, thought.notice)
            self._go_on(live)  # where more than two play, the next one may be a computer, too
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("the computer's move")
            live.thinking = None
            text = "电脑这一步没有想出来，请悔棋再试 (no answer)"
            if isinstance(error, StoreFault):
                text = str(error)
            message = {"type": "error", "text": text}
            for listener in list(live.listeners):
                listener(message)
