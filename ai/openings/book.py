"""Opening books of 象棋: what was played in positions of recorded games, and how it went.

A book is an SQLite file, so that every language reads it:

* ``pragma application_id`` is :data:`APPLICATION`, ``pragma user_version`` is :data:`VERSION`;
* table ``moves``: ``position`` (the smaller of ``Board.key`` and the key of the left-right image),
  ``move`` (``h2e2``, seen in the image if its key was the smaller one), how many ``games`` went on
  so, and how many of them the side that moved won, drew and lost (``wins``, ``draws``,
  ``losses``; the rest has no known result). Of two moves that are each other's image in a
  position which is its own, the one further right stands for both;
* table ``facts``: ``name`` and ``value``: ``game`` (``xiangqi``), ``games``, ``plies``,
  ``min_games``.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import defaultdict
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, Self

from ai.openings.lines import first_moves
from qikit.errors import InvalidRecord
from xiangqi.board import Board
from xiangqi.game import Game
from xiangqi.move import Move

APPLICATION = 0x716F626B  # "qobk"
VERSION = 1
PLIES = 24
"""How deep books go by default."""
_SCHEMA = f"""
pragma application_id = {APPLICATION};
pragma user_version = {VERSION};
create table facts (name text primary key, value text not null) without rowid;
create table moves (
    position integer not null, move text not null, games integer not null,
    wins integer not null, draws integer not null, losses integer not null,
    primary key (position, move)
) without rowid;
"""
_ADD = """
insert into moves values (?, ?, ?, ?, ?, ?) on conflict (position, move) do update set
    games = games + excluded.games, wins = wins + excluded.wins,
    draws = draws + excluded.draws, losses = losses + excluded.losses
"""
_BATCH = 200_000
"""Rows that are summed up before the table is touched."""


class InvalidBook(InvalidRecord):
    """A file that is no opening book, or a damaged one."""


@dataclass(frozen=True)
class BookMove:
    """What a book knows of a move.

    Attributes:
        move: the move.
        games: how many games went on so.
        wins, draws, losses: how many of them the side that moved won, drew and lost.

    >>> one = BookMove(Move.parse("h2e2"), games=10, wins=4, draws=2, losses=2)
    >>> one.score, one.weight
    (0.625, 12)
    """

    move: Move
    games: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float | None:
        """Share of the points of the games whose result is known, ``None`` where there are none."""
        known = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / known if known else None

    @property
    def weight(self) -> int:
        """How often it is to be chosen: two for a win, one for a draw or an unknown result."""
        return self.games + self.wins - self.losses


class Book:
    """An opening book, read only. It may be asked from several threads.

    Args:
        path: the file.

    Raises:
        InvalidBook: it cannot be read, is no book, or is damaged.

    Attributes:
        facts: what the file says of itself: ``games``, ``plies``, ``min_games``.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        try:
            with self.path.open("rb"):
                pass
            uri = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
            self._base = sqlite3.connect(uri, uri=True, check_same_thread=False)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise InvalidBook(f"{path}：打不开 (cannot be opened): {why}") from None
        try:
            self.facts = self._checked()
        except BaseException:
            self._base.close()
            raise

    def _checked(self) -> dict[str, str]:
        self._ask("pragma trusted_schema = off")
        if self._ask("pragma application_id") != [(APPLICATION,)]:
            raise self._fault("不是开局库", "no opening book")
        [(version,)] = self._ask("pragma user_version")
        if version != VERSION:
            raise self._fault(
                f"是第 {version} 版开局库，本程序读第 {VERSION} 版", "another version"
            )
        if self._ask("pragma quick_check(1)") != [("ok",)]:
            raise self._fault("开局库已损坏", "a damaged opening book")
        facts = {str(name): str(value) for name, value in self._ask("select * from facts")}
        if facts.get("game") != "xiangqi":
            raise self._fault("不是象棋的开局库", "no book of xiangqi")
        return facts

    def _ask(self, question: str, *values: Any) -> list[Any]:
        with self._lock:
            try:
                return self._base.execute(question, values).fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as error:  # a torn message is not decoded
                raise self._fault("不是开局库，或者已损坏", str(error)) from None

    def _fault(self, zh: str, en: str) -> InvalidBook:
        return InvalidBook(f"{self.path}：{zh} ({en})")

    def __len__(self) -> int:
        """How many positions it knows, images counted once."""
        [(count,)] = self._ask("select count(distinct position) from moves")
        return int(count)

    def moves(self, board: Board) -> tuple[BookMove, ...]:
        """What it knows of a position, the most played first; empty where it knows nothing.

        Raises:
            InvalidBook: the file turns out to be damaged.
        """
        key, image = board.key, board.mirror().key
        rows = self._ask(
            "select move, games, wins, draws, losses from moves where position = ? "
            "order by games desc, wins desc, move",
            min(key, image),
        )
        found = []
        for text, *counts in rows:
            try:
                move = Move.parse(text)
                one = BookMove(_image(move) if image < key else move, *map(int, counts))
            except (TypeError, ValueError):
                raise self._fault("开局库已损坏", f"a damaged row: {text!r}") from None
            if board.is_legal(one.move):  # else two positions share a key
                found.append(one)
        return tuple(found)

    def probe(
        self, board: Board, random: Random | None = None, *, among: list[Move] | None = None
    ) -> Move | None:
        """A move of the book by chance, those with more :attr:`~BookMove.weight` more often.

        Args:
            board: the position.
            random: with a seed the choice can be repeated.
            among: only these may be chosen.

        Returns:
            ``None`` where the book knows no move that ever brought a point.
        """
        known = [one for one in self.moves(board) if among is None or one.move in among]
        weights = [max(one.weight, 0) for one in known]
        if not any(weights):
            return None
        return (random or Random()).choices(known, weights)[0].move

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Builder:
    """Makes a book of games.

    Args:
        plies: how many moves of a game are taken.
        min_games: a move that fewer games went on with is left out.

    >>> builder = Builder(plies=2)
    >>> builder.add(Game.from_moves(["炮二平五", "马8进7"], result="1-0"))
    >>> builder.games, len(builder.data()) > 0
    (1, True)
    """

    def __init__(self, *, plies: int = PLIES, min_games: int = 1) -> None:
        self.plies, self.min_games = plies, min_games
        self.games = 0
        self._base = sqlite3.connect(":memory:")
        self._base.executescript(_SCHEMA)
        self._sums: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        self._seen: set[bytes] = set()

    def add(self, game: Game) -> None:
        """Take a game in.

        Raises:
            InvalidRecord: it is of no use, for the reason that the message says; a longer game
                than the book is deep that was taken in already counts once.
        """
        moves = first_moves(game, self.plies)
        self._once(game)
        won = {"1-0": 0, "0-1": 1}.get(game.result)
        board, image = Board(), Board()
        for move in moves:
            other = _image(move)
            if board.key == image.key:
                text = max(str(move), str(other))
            else:
                text = str(move if board.key < image.key else other)
            sums = self._sums[min(board.key, image.key), text]
            sums[0] += 1
            if won is not None:
                sums[1 if won == board.turn else 3] += 1
            elif game.result == "1/2-1/2":
                sums[2] += 1
            board.push_unchecked(move)
            image.push_unchecked(other)
        self.games += 1
        if len(self._sums) > _BATCH:
            self._flush()

    def _once(self, game: Game) -> None:
        """Collections hold the same game more than once."""
        whole = game.moves()
        if len(whole) <= self.plies:
            return
        digest = blake2b(" ".join(map(str, whole)).encode(), digest_size=12).digest()
        if digest in self._seen:
            raise InvalidRecord("与前面的一局相同 (the same game again)")
        self._seen.add(digest)

    def _flush(self) -> None:
        with self._base:
            self._base.executemany(_ADD, ((*at, *sums) for at, sums in self._sums.items()))
        self._sums.clear()

    def data(self) -> bytes:
        """The book as the bytes of its file, at the end; the same games give the same bytes."""
        self._flush()
        facts = {
            "game": "xiangqi", "games": self.games,
            "plies": self.plies, "min_games": self.min_games,
        }  # fmt: skip
        with self._base:
            self._base.execute("delete from moves where games < ?", (self.min_games,))
            self._base.executemany(
                "replace into facts values (?, ?)", ((k, str(v)) for k, v in facts.items())
            )
        self._base.execute("vacuum")
        data = self._base.serialize()
        self._base.close()
        return data


def _image(move: Move) -> Move:
    """The move seen in a mirror, left and right exchanged."""
    return Move(*(9 * (sq // 9) + 8 - sq % 9 for sq in move))
