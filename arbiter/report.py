"""A ruling on paper: the sentence, the articles, the loop move by move with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arbiter.ruling import DISTRIBUTION, Ruling, program_version
from xiangqi.board import Board
from xiangqi.repetition import LoopRuling
from xiangqi.repetition.ruling import ply_line


def report(ruling: Ruling, headers: Mapping[str, str] | None = None) -> str:
    """The ruling as plain text for a terminal, Chinese first.

    Args:
        ruling: what `arbiter.judge` gave.
        headers: the tags of the record (``Event``, ``Red``, ``Black``, ``Date``), if any.
    """
    lines = ["棋例裁定 Ruling on repetition", *_game(headers or {})]
    lines += ["", f"裁定：{ruling.verdict.zh} ({ruling.verdict.en})", *ruling.text().split("\n")]
    if ruling.loop is not None:
        lines += ["", *loop_report(ruling.loop)]
    lines += ["", stamp(ruling)]
    return "\n".join(lines)


def stamp(ruling: Ruling) -> str:
    """Program version and rule book, so that a ruling can be made again."""
    book = ruling.book
    return f"棋例 {book.id}（{book.zh}）{book.hash} · 程序 {DISTRIBUTION} {program_version()}"


def _game(headers: Mapping[str, str]) -> Iterator[str]:
    event = " ".join(headers[tag] for tag in ("Event", "Round", "Date") if headers.get(tag))
    if event:
        yield event
    red, black = headers.get("Red", ""), headers.get("Black", "")
    if red or black:
        yield f"红方 {red or '？'}  黑方 {black or '？'}"


def loop_report(loop: LoopRuling) -> list[str]:
    """The board before the loop, then each minimal loop, each move with its evidence."""
    if not loop.plies:
        return []
    lines = str(Board(loop.fen)).split("\n")
    for number, indices in enumerate(loop.loops, 1):
        which = "" if len(loop.loops) == 1 else f"之 {number}"
        lines.append(f"循环{which}（{len(indices)} 着一轮，第 {loop.plies[indices[0]].ply} 着起）")
        for index in indices:
            ply = loop.plies[index]
            lines.append(f"  {ply_line(ply)}")
            lines += [f"      {sentence}" for sentence in ply.sentences()]
    if not all(ply.certain for ply in loop.plies):
        lines.append("？＝只看直接攻击所得的性质；杀着和经过交换、连将的捉由裁判认定")
    return lines
