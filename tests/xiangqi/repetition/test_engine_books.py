"""The books of engines against what those engines said of the reference loops."""

from __future__ import annotations

import pytest

from tests.xiangqi.repetition import cases
from xiangqi.repetition import judge_loop

DIFFER = {
    "pikafish": {
        # It finds no chase of a chariot shielded from a horse, nor by a rooted cannon's partner.
        "axf-D40-n56": "red_loses",
        "axf-D41-n59": "red_loses",
        "axf-D61-n87": "red_loses",
        # Two mutual chases in turn, which it intersects over the whole span.
        "axf-D107-n107": "draw",
        "fsf-23": "black_loses",
        "fsf-33": "black_loses",
    },
    "fairy_axf": {
        # A root that the moved piece itself takes away is missed there.
        "axf-D105-n153": "red_loses",
        "cxa2020-R23": "red_loses",
        "cxa2020-R24": "red_loses",
        # Its verdict depends on the ply at which it is asked.
        "cxa2020-R11": "draw",
        "fsf570-game1": "black_loses",
    },
}
"""Loops where the book says something else than the program did, with what the book says."""


def said(row, book):
    if book == "pikafish":
        return row.get("engines", {}).get("pikafish_head_2026")
    return row.get("pyffish", {}).get("end_optional_axf")


@pytest.mark.parametrize("book", ["pikafish", "fairy_axf"])
def test_engine_books_say_what_the_engines_say(book):
    rows = [row for row in cases.loops() if said(row, book)]
    assert len(rows) == 152
    differ = {
        row["id"]: verdict.value
        for row in rows
        if (verdict := judge_loop(*cases.case(row), book).verdict) != said(row, book)
    }
    assert differ == DIFFER[book]


def test_the_league_looks_at_the_moved_piece_only():
    """A chariot that moves to and fro before a bare cannon chases; an uncovered one does not."""
    moved = "3k5/9/9/9/9/9/R8/9/2c6/4K4 w - - 0 1"
    assert judge_loop(moved, "", "a3a1 c1c3 a1a3 c3c1", "xqbase").verdict == "red_loses"
    still = "3k5/9/9/9/9/R3P3c/9/9/9/4K4 w - - 0 1"
    lines = judge_loop(still, "", "e0e1 d9d8 e1e0 d8d9", "xqbase")
    assert lines.verdict == "draw"
