"""Rulings on disputed games for the page of the arbiter: a record in, data and a document out."""

from __future__ import annotations

import base64
import binascii
import secrets
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arbiter import Claim, Override, Ruling, corrected, decide_claim, grounds, judge
from arbiter.page import html, pdf
from arbiter.report import loop_title
from qikit.errors import GameError, InvalidRecord
from qiyuan.hall.table import MOST_PLIES
from xiangqi import records
from xiangqi.fen import parse_fen
from xiangqi.game import Game
from xiangqi.geometry import square_name
from xiangqi.repetition import PlyRuling, rule_book, rule_books

LARGEST = 128 << 10
"""Bytes of a record, unpacked; whole archives are for ``qiyuan judge``."""
MOST_WORDS = 10_000
"""Words of a record that is a text: reading one takes up to a millisecond."""
MOST_GAMES = 400
KEPT = 64
"""Documents that wait for being printed."""


def bounded(data: bytes) -> bytes:
    """The bytes of a record of any game, unpacked.

    Raises:
        InvalidRecord: it is empty, or too large even after unpacking.
    """
    if not data.strip():
        raise InvalidRecord("棋谱是空的 (the record is empty)")
    if len(data) > LARGEST:
        raise InvalidRecord(_too_large())
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data)
    if len(data.split()) > MOST_WORDS:
        raise InvalidRecord(_too_large())
    return data


def read(data: bytes) -> list[Game]:
    """The games of an uploaded or pasted record.

    Raises:
        InvalidRecord: as :func:`bounded`, or it is no record.
    """
    games = records.read(bounded(data))
    if len(games) > MOST_GAMES:
        raise InvalidRecord(f"一次最多 {MOST_GAMES} 局 (too many games)")
    if max(len(game.moves()) for game in games) > MOST_PLIES:
        raise InvalidRecord(f"一局棋最多 {MOST_PLIES} 着 (too many moves)")
    return games


def _too_large() -> str:
    return f"棋谱超过 {LARGEST >> 10} KB；整个档案请用 qiyuan judge --out (record too large)"


def _unpacked(data: bytes) -> bytes:
    machine = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = machine.decompress(data, LARGEST + 1)
    except zlib.error as error:
        raise InvalidRecord(f"压缩文件损坏 (damaged gzip): {error}") from None
    if len(text) > LARGEST:
        raise InvalidRecord(_too_large())
    return text


def contents(games: list[Game]) -> list[dict[str, Any]]:
    """What a record holds, for people to choose from."""
    found = []
    for number, game in enumerate(games):
        names = [game.headers.get(tag, "") for tag in ("Event", "Red", "Black", "Date")]
        event, red, black, date = (name.strip(" ?.") for name in names)
        players = f"{red or '红方'} 对 {black or '黑方'}" if red or black else ""
        title = "，".join(filter(None, (event, players, date))) or f"第 {number + 1} 局"
        found.append(
            {
                "title": title,
                "plies": len(game.moves()),
                "start": game.board().fen(),
                "moves": [str(move) for move in game.moves()],
                "defects": [str(defect) for defect in game.defects],
            }
        )
    return found


def decoded(text: str) -> bytes:
    """The bytes of a base64 text.

    Raises:
        InvalidRecord: it is none.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRecord("record 应为 base64 (the record is not base64)") from None


@dataclass(frozen=True)
class Case:
    """A disputed game as the arbiter put it.

    Attributes:
        record: bytes of the record.
        number: which game of it, from 0.
        rules: id of the rule book.
        fen: start position for a record without one, ``""`` = the record's.
        corrections: moves put right, by ply.
        overrides: ``PLY=NATURE:REASON`` each.
        claims: ``SIDE[@PLY]=WHAT`` each.
    """

    record: bytes
    number: int = 0
    rules: str = "club2008"
    fen: str = ""
    corrections: tuple[tuple[int, str], ...] = ()
    overrides: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heard:
    """A case with its ruling.

    Attributes:
        game: the game, corrections applied.
        ruling: the ruling.
        answers: the answers to claims.
    """

    game: Game
    ruling: Ruling
    answers: tuple[str, ...]

    def document(self) -> str:
        """The ruling as an HTML page.

        Raises:
            arbiter.page.ReportMissing: a library is not installed.
        """
        return html(self.ruling, self.game.headers, claims=self.answers, defects=self.game.defects)

    def printed(self) -> bytes:
        """The same as PDF; raises as :meth:`document`."""
        return pdf(self.document())

    def to_dict(self) -> dict[str, Any]:
        """What the page shows: moves, evidence by ply, sentences."""
        board = self.game.board()
        start = {"codes": board.codes.tolist(), "turn": board.turn, "fen": board.fen()}
        moves = []
        for move in self.game.moves():
            zh = board.chinese(move)
            moves.append({"zh": zh, "from": move[0], "to": move[1], "side": board.turn})
            board.push_unchecked(move)
            moves[-1]["check"] = board.king(board.turn) if board.is_check() else None
        loop = self.ruling.loop
        event = self.ruling.event
        return {
            "start": start,
            "moves": moves,
            "headline": event.sentence() if event else self.ruling.text().split("\n")[0],
            "articles": [str(article) for article in event.articles] if event else [],
            "verdict": self.ruling.verdict.zh,
            "ply": self.ruling.ply,
            "others": [one.text() for one in self.ruling.events if one is not event],
            "changes": self.ruling.changes(),
            "readings": [str(reading) for reading in loop.readings] if loop else [],
            "evidence": {ply.ply: _evidence(ply) for ply in loop.plies} if loop else {},
            "loops": [loop_title(loop, indices) for indices in loop.loops] if loop else [],
            "answers": list(self.answers),
            "defects": [str(defect) for defect in self.game.defects],
            "stop": next((d.text for d in self.game.defects if d.ply == len(moves) + 1), None),
            "ruling": self.ruling.to_dict(),
        }


def _evidence(ply: PlyRuling) -> dict[str, Any]:
    return {
        "nature": ply.nature.value,
        "zh": ply.nature.zh + "？" * (not ply.certain),
        "sentences": ply.sentences(),
        "arrows": [list(pair) for pair in {r.pair: None for r in ply.reasons if r.new}],
        "marks": [victim.square for victim in ply.victims],
        "victims": [square_name(victim.square) for victim in ply.victims],
    }


def hear(case: Case) -> Heard:
    """Rule on a case.

    Raises:
        GameError: the record, a correction, an override or a claim cannot be; says which.
    """
    if case.rules not in rule_books():
        raise GameError(f"没有这种棋例 (no such rule book): {case.rules!r}")
    record = case.record
    if case.fen.strip():
        parse_fen(case.fen)
        record = case.fen.strip().encode() + b"\n" + record
    games = read(record)
    if not 0 <= case.number < len(games):
        raise GameError(f"棋谱只有 {len(games)} 局 (no such game in the record)")
    game = games[case.number]
    changes = ()
    if case.corrections:
        game, changes = corrected(game, dict(case.corrections))  # type: ignore[assignment]
    overrides = [Override.parse(text) for text in case.overrides]
    book = rule_book(case.rules)
    ruling = judge(game, book, overrides=overrides, corrections=changes)
    claims = [
        decide_claim(game, Claim.parse(text, book), book, overrides=overrides).text()
        for text in case.claims
    ]
    return Heard(game, ruling, tuple(claims))


def books() -> list[Mapping[str, Any]]:
    """The rule books, the clubs' own first, with what may be claimed under each."""
    found = [rule_book(name) for name in rule_books()]
    return [
        {
            "id": book.id,
            "zh": book.zh,
            "en": book.en,
            "claims": [ground.to_dict() for ground in grounds(book)],
        }
        for book in found
    ]


class Documents:
    """The last rulings, to be printed, each under a name that cannot be guessed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Heard] = OrderedDict()

    def keep(self, heard: Heard) -> str:
        """Keep a ruling; returns its name."""
        name = secrets.token_urlsafe(16)
        self._kept[name] = heard
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return name

    def get(self, name: str) -> Heard | None:
        """A ruling that is still kept."""
        return self._kept.get(name)
