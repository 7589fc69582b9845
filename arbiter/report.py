"""A ruling on paper: the sentence, the articles, the loop move by move with its evidence."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.ruling import DISTRIBUTION, Ruling, program_version
from xiangqi.board import Board
from xiangqi.repetition import LoopRuling
from xiangqi.repetition.loops import Loop
from xiangqi.repetition.ruling import ply_line


def report(ruling: Ruling, headers: Mapping[str, str] | None = None) -> str:
    """The ruling as plain text for a terminal, Chinese first.

    Args:
        ruling: what `arbiter.judge` gave.
        headers: the tags of the record (``Event``, ``Red``, ``Black``, ``Date``), if any.
    """
    named = (line(headers or {}) for line in (title_line, players_line))
    lines = ["棋例裁定 Ruling on repetition", *filter(None, named)]
    lines += ["", f"裁定：{ruling.headline} ({ruling.verdict.en})", *ruling.text().split("\n")]
    if ruling.loop is not None:
        lines += ["", *loop_report(ruling.loop)]
    lines += ["", stamp(ruling)]
    return "\n".join(lines)


def stamp(ruling: Ruling) -> str:
    """Program version and rule book, so that a ruling can be made again."""
    book = ruling.book
    return f"棋例 {book.id}（{book.zh}）{book.hash} · 程序 {DISTRIBUTION} {program_version()}"


def title_line(headers: Mapping[str, str]) -> str:
    """Event, round and date of a record, ``""`` without any."""
    return " ".join(headers[tag] for tag in ("Event", "Round", "Date") if headers.get(tag))


def players_line(headers: Mapping[str, str]) -> str:
    """The players of a record, ``""`` without any."""
    red, black = headers.get("Red", ""), headers.get("Black", "")
    return f"红方 {red or '？'}  黑方 {black or '？'}" if red or black else ""


def loop_title(loop: LoopRuling, indices: Loop) -> str:
    """Heading of a minimal loop of a ruling."""
    which = "" if len(loop.loops) == 1 else f"之 {loop.loops.index(indices) + 1}"
    return f"循环{which}（{len(indices)} 着一轮，第 {loop.plies[indices[0]].ply} 着起）"


def loop_report(loop: LoopRuling) -> list[str]:
    """The board before the loop, then each minimal loop, each move with its evidence."""
    if not loop.plies:
        return []
    lines = str(Board(loop.fen)).split("\n")
    for indices in loop.loops:
        lines.append(loop_title(loop, indices))
        for index in indices:
            ply = loop.plies[index]
            lines.append(f"  {ply_line(ply)}")
            lines += [f"      {sentence}" for sentence in ply.sentences()]
    if not all(ply.certain for ply in loop.plies):
        lines.append("？＝搜索没有做完，性质由裁判认定")
    return lines
