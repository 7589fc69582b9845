"""A ruling as a page to print and sign: one self-contained HTML file (A4), or the same as PDF.

The HTML needs Jinja2 and the PDF WeasyPrint as well, both in the extra ``[report]``; the PDF needs
a font with Chinese characters on the machine (Noto CJK). Nothing is fetched from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from itertools import islice
from types import ModuleType
from typing import Any, NoReturn

from arbiter.report import loop_title, players_line, stamp, title_line
from arbiter.ruling import DISTRIBUTION, Ruling, program_version
from xiangqi.board import Board
from xiangqi.game import Skipped
from xiangqi.geometry import COLOR_NAMES_ZH, square_name
from xiangqi.repetition import LoopRuling, Nature, PlyRuling
from xiangqi.repetition.loops import Loop
from xiangqi.svg import Arrow, board_svg

DIAGRAMS = 16
"""Diagrams of single moves at most for one loop; the table has all of them."""
INK = ("#a31515", "#1a1a1a")
"""Arrows of Red's and of Black's moves; an attack has the colour of the marks."""


class ReportMissing(RuntimeError):
    """A library that makes the report is not installed; the message says what to install."""


def html(
    ruling: Ruling,
    headers: Mapping[str, str] | None = None,
    *,
    claims: Iterable[str] = (),
    defects: Sequence[Skipped] = (),
) -> str:
    """The ruling as an HTML document in Chinese, without any reference to the outside.

    Args:
        ruling: what `arbiter.judge` gave.
        headers: the tags of the record (``Event``, ``Red``, ``Black``, ``Date``), if any.
        claims: answers to claims, as sentences.
        defects: what of the record could not be read.

    Raises:
        ReportMissing: Jinja2 is not installed.
    """
    template, markup = _template()
    loop = ruling.loop
    text: str = template.render(
        ruling=ruling,
        sentence=ruling.event.sentence() if ruling.event else ruling.text().split("\n")[0],
        event=title_line(headers or {}),
        players=players_line(headers or {}),
        readings=loop.readings if loop else (),
        changes=ruling.changes(),
        claims=list(claims),
        rounds=[_round(loop, indices, markup) for indices in loop.loops] if loop else [],
        doubtful=loop is not None and not all(ply.certain for ply in loop.plies),
        others=[event.text() for event in ruling.events if event is not ruling.event],
        defects=[str(defect) for defect in defects],
        stamp=stamp(ruling),
        program=f"{DISTRIBUTION} {program_version()}",
    )
    return "".join(char if char in "\t\n" or char >= " " else "\ufffd" for char in text)


def pdf(document: str) -> bytes:
    """A document of :func:`html` as PDF.

    Raises:
        ReportMissing: WeasyPrint, or a library of the system that it needs, is not installed.
    """
    weasyprint = _library("weasyprint")
    made: bytes = weasyprint.HTML(string=document, url_fetcher=_fetch_nothing).write_pdf()
    return made


def _fetch_nothing(url: str, *_: object, **__: object) -> NoReturn:
    raise ValueError(f"the report refers to nothing outside: {url!r}")


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except (ImportError, OSError) as error:  # OSError: a system library of WeasyPrint
        raise ReportMissing(
            f"打印用的裁定书要用 {name}，请安装 (install): pip install 'qiyuan-games[report]'"
            f"（{error}）"
        ) from error


@cache
def _template() -> tuple[Any, Any]:
    """The template, and the type that marks a text as already escaped."""
    jinja2 = _library("jinja2")
    text = (files("arbiter") / "ruling.html").read_text("utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(text), _library("markupsafe").Markup


def _round(loop: LoopRuling, indices: Loop, markup: Any) -> dict[str, Any]:
    """A minimal loop as the template wants it: the whole, each move, the table."""
    board = Board(loop.fen)
    for ply in loop.plies[: indices[0]]:
        board.push_unchecked(ply.move)
    plies = [loop.plies[index] for index in indices]
    arrows = [Arrow(*ply.move, INK[ply.side]) for ply in plies]
    whole = board_svg(board.codes.tolist(), board.turn, arrows=arrows, caption="循环开始前的局面")
    steps = []
    for ply in islice(plies, DIAGRAMS):
        board.push_unchecked(ply.move)
        caption = f"{ply.ply}. {COLOR_NAMES_ZH[ply.side]} {ply.text}　{_nature(ply)}"
        steps.append({"svg": markup(_after(board, ply)), "caption": caption})
    return {
        "title": loop_title(loop, indices),
        "whole": markup(whole),
        "steps": steps,
        "left_out": len(plies) - len(steps),
        "plies": [
            {
                "ply": ply.ply,
                "side": COLOR_NAMES_ZH[ply.side],
                "text": ply.text,
                "points": "-".join(map(square_name, ply.move)),
                "nature": _nature(ply),
                "sentences": ply.sentences(),
            }
            for ply in plies
        ],
    }


def _after(board: Board, ply: PlyRuling) -> str:
    """The position after a move, with what the move newly attacks or the check it gives."""
    return board_svg(
        board.codes.tolist(),
        board.turn,
        last_move=ply.move,
        arrows=dict.fromkeys(Arrow(*reason.pair) for reason in ply.reasons if reason.new),
        marks=[victim.square for victim in ply.victims],
        check=board.king(board.turn) if ply.nature is Nature.CHECK else None,
    )


def _nature(ply: PlyRuling) -> str:
    return ply.nature.zh + "？" * (not ply.certain)
