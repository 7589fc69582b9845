"""The printed ruling: complete, self-contained, escaped; and as PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import arbiter
from arbiter import Override, page
from arbiter.ruling import program_version
from tests.arbiter.games import CHASE, CHASING, CHECK, CHECKING, played
from xiangqi.board import Board
from xiangqi.game import Skipped
from xiangqi.repetition import Nature, rule_book

pytest.importorskip("jinja2", reason="Jinja2 is not installed")
VOID = {"meta", "br", "link"}


class Checker(HTMLParser):
    """Counts tags; every one that opens has to close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        assert not {"src", "href", "onload", "onclick"} & {name for name, _ in attrs}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_ruling_has_everything_on_it():
    idle = Override(1, Nature.IDLE, "只是走开")
    ruling = arbiter.judge(played(CHASE, CHASING * 5), "axf", overrides=[idle])
    text = page.html(
        ruling,
        {"Event": "友谊赛", "Red": "甲", "Black": "乙", "Date": "2026.11.30"},
        claims=["黑方提出。成立。"],
        defects=[Skipped(9, "x", "不成")],
    )
    tags = Checker(text).count
    assert tags["svg"] == 1 + 4
    assert tags["tr"] == 1 + 4
    for words in (
        "判和棋", ruling.event.sentence(), "AXF-allowed", "只是走开", "裁判长", "友谊赛",
        "红方 甲  黑方 乙", "黑方提出", "第 9 着", rule_book("axf").hash, program_version(),
        "红车(a5)攻黑马(g5)：无真根，算捉",
    ):  # fmt: skip
        assert words in text, words
    assert not re.search(r"(https?:)?//(?!www\.w3\.org)", text.replace("http://www.w3.org", ""))


def test_rulings_of_every_kind_can_be_printed():
    limit = "5k2r/9/9/9/9/9/9/9/R8/3K5 w - - 118 60"
    for board, rules in (
        (Board(), "axf"),
        (played(CHECK, CHECKING * 4), "club2008"),
        (played(limit, ["a1a2", "i9i8"]), "club2008"),
        (played(CHASE, [*CHASING * 2, *["a5a4", "f3g5", "a4a5", "g5f3"] * 2]), "axf"),
    ):
        ruling = arbiter.judge(board, rules)
        text = page.html(ruling)
        Checker(text)
        assert ruling.verdict.zh in text


def test_what_players_write_is_only_text():
    evil = "<script>alert(1)</script>\" & '\x00\x1b]"
    idle = Override(1, Nature.IDLE, evil)
    ruling = arbiter.judge(played(CHASE, CHASING * 2), "axf", overrides=[idle])
    text = page.html(
        ruling, {"Event": evil, "Red": evil}, claims=[evil], defects=[Skipped(1, evil, evil)]
    )
    Checker(text)
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "\x00" not in text
    assert "\x1b" not in text


def test_a_long_loop_keeps_its_table():
    """A chariot's walk of ten moves: sixteen diagrams, twenty lines."""
    fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w"
    walk = ["a1a2", "a2a3", "a3a4", "a4a5", "a5a6", "a6a7", "a7b7", "b7c7", "c7c1", "c1a1"]
    loop = [move for pair in zip(walk, ["d9d8", "d8d9"] * 5, strict=True) for move in pair]
    ruling = arbiter.judge(played(fen, loop * 2), "axf")
    text = page.html(ruling)
    tags = Checker(text).count
    assert (tags["svg"], tags["tr"]) == (1 + page.DIAGRAMS, 1 + 20)
    assert "其余 4 着见下表" in text


def test_a_pdf_is_made():
    pytest.importorskip("weasyprint", reason="WeasyPrint or its system libraries are missing",
                        exc_type=(ImportError, OSError))  # fmt: skip
    ruling = arbiter.judge(played(CHECK, CHECKING * 4))
    data = page.pdf(page.html(ruling))
    assert data.startswith(b"%PDF-")
    if shutil.which("pdftotext"):
        shown = subprocess.run(
            ["pdftotext", "-layout", "-", "-"], input=data, capture_output=True, check=True
        ).stdout.decode()
        assert "判红方负" in shown
        assert "第 1 页" in shown


def test_the_pdf_fetches_nothing():
    with pytest.raises(ValueError, match="outside"):
        page._fetch_nothing("file:///etc/passwd")


@pytest.mark.parametrize("library", ["jinja2", "weasyprint"])
def test_a_missing_library_is_told(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    page._template.cache_clear()
    with pytest.raises(page.ReportMissing, match="qiyuan-games\\[report\\]"):
        page.pdf(page.html(arbiter.judge(Board())))
    page._template.cache_clear()
