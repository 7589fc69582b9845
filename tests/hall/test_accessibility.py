"""axe-core on every page of the hall, in every state that a visitor meets, in both looks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hall import test_checkers, test_gomoku, test_puzzles
from tests.hall.conftest import Hall
from tests.hall.test_pages import play, point, two
from tests.hall.test_shared_screen import aiming, covered, drawing, filming, four

AXE = Path(os.environ.get("QIYUAN_AXE", ""))
pytestmark = pytest.mark.skipif(
    not AXE.is_file(),
    reason="axe-core is not here (npm install axe-core; QIYUAN_AXE=.../axe.min.js)",
)
BARRIERS = ("serious", "critical")


def start(page: Any) -> None:
    """A game can be begun, and one of before waits on the shelf."""
    two(page)
    page.click("#new")
    page.locator("#start").wait_for()


def game(page: Any) -> None:
    """A piece is chosen, everything is unfolded, a question waits."""
    two(page)
    play(page, "h2e2 h9g7")
    page.click("#more")
    page.click("#draw")
    page.locator("#ask-text").wait_for()
    point(page, "b2").click()


def review(page: Any) -> None:
    """Remarks on a game."""
    two(page)
    play(page, "h2e2 h9g7 e2e6 g7e6")
    page.click("#more")
    page.click("#review")
    page.locator("#remarks").wait_for()


def case(page: Any) -> None:
    """The arbiter before a ruling."""
    page.click("#tab-rule")
    page.locator("#rule-book option").nth(2).wait_for(state="attached")


def ruling(page: Any) -> None:
    """A ruling with its evidence, and the form that changes it."""
    case(page)
    page.click("#rule-example")
    page.locator("#ruling-head:visible").wait_for()
    page.locator("#ruling-plies button").first.click()
    page.locator("#change").wait_for()


def position(page: Any) -> None:
    """A position with a fault is being set up."""
    case(page)
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    page.locator("#set-palette button").nth(9).click()
    point(page, "e8", "#rule-board").click()
    page.locator("#set-defects.wrong").wait_for()


def loop(page: Any) -> None:
    """A loop is being entered."""
    case(page)
    page.click("#job-walk")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    point(page, "h2", "#rule-board").click()


def clock(page: Any) -> None:
    """The arbiter's clock runs."""
    case(page)
    page.click("#job-clock")
    page.locator("#clock-preset option").nth(6).wait_for(state="attached")
    page.click("#clock-go")


def shelf(page: Any) -> None:
    """The shelf of puzzles."""
    test_puzzles.shelf(page)


def puzzle(page: Any) -> None:
    """A puzzle on the board."""
    test_puzzles.begin(page, test_puzzles.some(1))


def stones(page: Any) -> None:
    """五子棋."""
    test_gomoku.begin(page)
    test_gomoku.play(page, "h8 h9")


def marbles(page: Any) -> None:
    """跳棋 of six seats."""
    test_checkers.begin(page, 6)


def printed(page: Any) -> None:
    """The document to sign."""
    ruling(page)
    page.goto(page.url.split("#")[0].rstrip("/") + page.get_attribute("#ruling-print", "href"))


def help_text(page: Any) -> None:
    """Help."""
    page.click("#tab-help")


def pin(page: Any) -> None:
    """The door of the room."""
    page.goto(page.url.split("#")[0].rstrip("/") + "/pin")


STATES = [start, game, review, case, ruling, position, loop, clock, printed, help_text, pin]
SHARED = [shelf, puzzle, stones, marbles, covered, drawing, four, aiming, filming]


@pytest.mark.parametrize("state", [*STATES, *SHARED])
def test_axe_finds_no_barrier(open_page: Any, hall: Hall, state: Callable[[Any], None]) -> None:
    page = open_page()
    state(page)
    page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
    page.evaluate(AXE.read_text("utf-8"))
    for contrast in ("usual", "high"):
        page.evaluate(f"document.documentElement.dataset.contrast = '{contrast}'")
        report = page.evaluate("axe.run()")
        assert len(report["passes"]) > 10, "axe has looked at nothing"
        bad = [one for one in report["violations"] if one["impact"] in BARRIERS]
        told = [(one["id"], one["help"], [at["html"] for at in one["nodes"]]) for one in bad]
        assert not told, contrast
