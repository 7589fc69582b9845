"""The games that are going on: what people do, what the computer answers, who is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ai import hint as advice
from ai.levels import AdaptingPlayer, LevelPlayer
from ai.player import Budget
from ai.review import Mark, Remark, review
from qikit import StopFlag
from qikit.errors import GameError
from qiyuan.hall import warmth
from qiyuan.hall.searches import Searches
from qiyuan.hall.store import Saved, Store
from qiyuan.hall.table import ADAPTING, Settings, Table
from qiyuan.hall.warmth import Warmth
from xiangqi.game import Game
from xiangqi.repetition import rule_books

T = TypeVar("T")
log = logging.getLogger("qiyuan.hall")

RESTING = 500
"""Games without a visitor that stay in memory."""
MOST_GAMES = 100_000
HINT = Budget(time=1.5)
DRAW = Budget(nodes=30_000)
REVIEW = Budget(nodes=8_000)
AGREES_FROM = 40
"""The computer agrees to a draw after so many moves, where it does not stand better than this:"""
AGREES_BELOW = 30.0


class UnknownGame(GameError):
    """No game of that id, or the token is not its own: nobody is told which."""


class StoreFault(RuntimeError):
    """The store could not write; the message is for people."""


class _Stopped(Exception):
    pass


class Live:
    """A game in memory and who looks at it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[dict[str, Any]], None]] = set()
        self.thinking: asyncio.Task[None] | None = None

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
            raise StoreFault(
                f"存档失败，这一步没有算数；请检查磁盘是否已满 (not saved): {error}"
            ) from error

    async def create(
        self, game: str, start: str, settings: Settings, moves: Sequence[str] = ()
    ) -> tuple[str, str]:
        """A new game; returns its id and its token.

        Raises:
            GameError: no such game, position, rule book, or a move that cannot be played.
            StoreFault: nothing could be written.
        """
        await self.ready.wait(warmth.RULES)
        if settings.rules not in rule_books():
            raise GameError(f"没有这种棋例 (no such rule book): {settings.rules!r}")
        draft = Saved("", game, start, vars(settings).copy(), tuple(moves), None)
        try:
            await asyncio.to_thread(Table.checked, draft)
        except KeyError:
            raise GameError(f"没有这种棋 (no such game): {game!r}") from None
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
        await self.ready.wait(warmth.RULES)
        async with self._opening:
            live = self._lives.get(name)
            if live is None:
                live = self._lives[name] = Live(await self._loaded(name))
            self._lives.move_to_end(name)
            self._make_room()
        return live

    async def _loaded(self, name: str) -> Table:
        saved = await self._stored(self.store.load, name)
        if saved is None:
            raise UnknownGame("没有这局棋 (no such game)")
        return await asyncio.to_thread(Table, saved)

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
            action: ``{"do": "move", "move": "h2e2"}``; or ``do`` is ``back``, ``resign``,
                ``offer``, ``accept``, ``refuse``, ``hint``, ``review`` or ``look``.

        Raises:
            GameError: it cannot be done; the message says why.
            StoreFault: it could not be saved, and was not done.
        """
        match action.get("do"):
            case "look":
                return {"type": "state", "state": live.table.view()}
            case "move":
                move = action.get("move")
                if not isinstance(move, str) or len(move) > 40:
                    raise GameError("着法要是一段短文字 (a move is a short text)")
                return await self._move(live, move)
            case "back":
                return await self._change(live, Table.take_back)
            case "resign":
                return await self._change(live, Table.resign)
            case "offer":
                return await self._offer(live)
            case "accept" | "refuse" as word:
                return await self._change(live, lambda table: table.answer(word == "accept"))
            case "hint":
                return await self._hint(live)
            case "review":
                return await self._review(live)
            case other:
                raise GameError(f"不认识的请求 (unknown action): {str(other)[:40]!r}")

    async def _move(self, live: Live, move: str) -> dict[str, Any]:
        async with live.lock:
            if live.table.computer_to_move:
                raise GameError("电脑正在想棋，请稍候 (it is the computer's turn)")
            await self._played(live, move)
        self._go_on(live)
        return {"type": "done"}

    async def _played(self, live: Live, move: str) -> None:
        """Play and save a move, ask the arbiter where it is due, tell everybody."""
        table = live.table
        kept = table.plies
        text = table.play(move)
        if table.result is None:
            await self._rule(table)
        self._learn(table)
        await self._save(live, kept, [text])

    def _learn(self, table: Table) -> None:
        """The adapting level takes note of how a game ended."""
        one = table.settings
        if table.result is not None and one.mode == "computer" and one.level == ADAPTING:
            winner = table.result["winner"]
            player = AdaptingPlayer(one.strength)
            player.finished(None if winner is None else winner != one.human)
            table.set_strength(player.strength)

    async def _rule(self, table: Table) -> None:
        board, rules = table.board, table.settings.rules
        if table.face.needs_ruling(board, table.keys, rules):
            await self.ready.wait(warmth.JUDGE)
            table.result, table.notice = await asyncio.to_thread(
                table.face.ruling, board.copy(), rules
            )

    async def _save(self, live: Live, kept: int, moves: Sequence[str]) -> None:
        table = live.table
        try:
            await self._stored(
                self.store.save, table.id, kept, moves, table.settings_json(), table.result
            )
        except StoreFault:
            self._lives.pop(table.id, None)  # memory and disk differ: the disk is right
            with contextlib.suppress(StoreFault, UnknownGame):
                live.table = await self._loaded(table.id)
                self._lives[table.id] = live
            raise
        live.tell()

    async def _change(self, live: Live, change: Callable[[Table], object]) -> dict[str, Any]:
        """A change that adds no move."""
        async with live.lock:
            before = live.table.result
            change(live.table)
            live.stop()
            if before is None:
                self._learn(live.table)
            await self._save(live, live.table.plies, [])
        self._go_on(live)
        return {"type": "done"}

    async def _offer(self, live: Live) -> dict[str, Any]:
        one = live.table.settings
        if one.mode == "two":
            return await self._change(live, Table.offer_draw)
        async with live.lock:
            table = live.table
            if table.result is not None or table.computer_to_move:
                raise GameError("轮到您走棋时才能提和 (offer a draw when it is your turn)")
            board = table.board.copy()
        choice = await self._searched(live, lambda s, stop: s.hint(board, DRAW, stop=stop))
        ahead = choice is None or choice.mate is not None or -(choice.score or 0) > AGREES_BELOW
        if ahead or len(board.move_stack) < AGREES_FROM:
            return {"type": "say", "text": "电脑不同意和棋，请继续下。"}

        def agree(table: Table) -> None:
            table.offer_draw()
            table.answer(agreed=True)

        return await self._change(live, agree)

    # ------------------------------------------------------------ what the computer thinks

    async def _searched(self, live: Live, work: Callable[[Any, StopFlag], T]) -> T:
        await self.ready.wait(warmth.SEARCH)
        return await self.searches.run(live.table.id, work)

    async def _hint(self, live: Live) -> dict[str, Any]:
        table = live.table
        if table.result is not None or table.computer_to_move:
            raise GameError("轮到您走棋时才有提示 (hints are given when it is your turn)")
        board = table.board.copy()

        def think(searcher: Any, stop: StopFlag) -> dict[str, Any] | None:
            choice = searcher.hint(board, HINT, stop=stop)
            if choice is None:
                return None
            why = tuple(advice.reasons(board, choice, searcher))
            found = advice.Hint(choice, board.chinese(choice.move), why)
            return {"text": found.text, "from": choice.move[0], "to": choice.move[1]}

        found = await self._searched(live, think)
        if found is None:
            raise GameError("没有可以走的着法 (no move)")
        return {"type": "hint", "version": table.version, **found}

    async def _review(self, live: Live) -> dict[str, Any]:
        game = Game.from_board(live.table.board)

        def think(searcher: Any, stop: StopFlag) -> list[Remark]:
            def report(_: Remark) -> None:
                if stop.is_set():
                    raise _Stopped

            return review(game, REVIEW, searcher=searcher, report=report)

        remarks = await self._searched(live, think)
        marked = [
            {"ply": one.ply, "mark": one.mark.value, "text": one.text}
            for one in remarks
            if one.mark is not Mark.GOOD
        ]
        return {"type": "review", "version": live.table.version, "remarks": marked}

    def _go_on(self, live: Live) -> None:
        """Let the computer think where it is its turn and somebody waits for it."""
        if live.table.computer_to_move and live.thinking is None and live.listeners:
            live.thinking = asyncio.create_task(self._answer(live))

    async def _answer(self, live: Live) -> None:
        table = live.table
        version, board, one = table.version, table.board.copy(), table.settings
        strength = one.strength

        def think(searcher: Any, stop: StopFlag) -> Any:
            nonlocal strength
            if one.level != ADAPTING:
                player = LevelPlayer(one.level, steady=True, searcher=searcher)
                return player.choose(board, stop=stop)
            adapting = AdaptingPlayer(one.strength, steady=True, searcher=searcher)
            choice = adapting.choose(board, stop=stop)
            strength = adapting.strength
            return choice

        try:
            choice = await self._searched(live, think)
            async with live.lock:
                live.thinking = None
                if live.table is not table or table.version != version or choice is None:
                    return
                table.set_strength(strength)
                await self._played(live, str(choice.move))
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("the computer's move")
            live.thinking = None
            message = {"type": "error", "text": "电脑这一步没有想出来，请悔棋再试 (no answer)"}
            for listener in list(live.listeners):
                listener(message)
