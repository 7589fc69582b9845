"""The pages in Chromium: games by clicks and keys, the arbiter, and the numbers for seniors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.hall.conftest import Hall

PAGES = ("#/play", "#/rule", "#/help")
SIZES = (22, 26, 30)

MEASURE = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const seen = (e) => e.checkVisibility() && e.getClientRects().length
    && !e.closest('.unseen') && !e.classList.contains('unseen');
  const found = {seen: 0, small: [], low: [], pale: [], wide: document.documentElement.scrollWidth
    - document.documentElement.clientWidth};
  const rgb = (text) => (text.match(/[0-9.]+/g) || []).map(Number);
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const c = rgb(getComputedStyle(at).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  for (const e of document.body.querySelectorAll('*')) {
    if (!seen(e)) continue;
    found.seen++;
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const style = getComputedStyle(e);
    if (e.closest('svg')) {
      if (e.tagName === 'text') {
        const box = e.ownerSVGElement.getBoundingClientRect();
        const scale = box.width / e.ownerSVGElement.viewBox.baseVal.width;
        const px = parseFloat(style.fontSize) * scale;
        if (px < 17.9 && !e.ownerSVGElement.closest('.turn')) found.small.push(e.textContent + px);
      }
      continue;
    }
    if (own || ['SELECT', 'INPUT', 'TEXTAREA'].includes(e.tagName)) {
      if (parseFloat(style.fontSize) < 18) found.small.push(e.tagName + e.textContent.slice(0, 20));
      const r = ratio(rgb(style.color), ground(e));
      if (r < 7) found.pale.push(`${e.textContent.slice(0, 20)} ${r.toFixed(2)}`);
    }
    const control = e.matches('button, .button, select, input:not([type=radio]), textarea');
    if (control && !e.closest('.points') && !e.closest('.moves')
        && e.getBoundingClientRect().height < 63.5)
      found.low.push(e.id || e.textContent);
  }
  return found;
}"""


def point(page: Any, name: str, board: str = "#play-board") -> Any:
    return page.locator(f"{board} [data-square={name}]")


def said(page: Any, text: str, where: str = "#say") -> None:
    page.locator(where, has_text=re.compile(text)).wait_for()


def play(page: Any, moves: str) -> None:
    """Click moves and wait for each in the list."""
    for text in moves.split():
        count = page.locator("#moves button").count()
        point(page, text[:2]).click()
        point(page, text[2:]).click()
        page.locator("#moves button").nth(count).wait_for()


def two(page: Any) -> None:
    page.click("#start-two")
    said(page, "开局")


@pytest.mark.parametrize(("width", "height"), [(1280, 1000), (1024, 768), (390, 844)])
def test_the_numbers_for_seniors(open_page: Any, width: int, height: int) -> None:
    """Sizes, contrast and targets on every page, in every text size, plain and high contrast."""
    page = open_page(width=width, height=height)
    page.locator("#level option").nth(10).wait_for(state="attached")
    two(page)
    play(page, "h2e2 h9g7")
    page.click("#more")
    page.goto(page.url.split("#")[0] + "#/rule")
    page.click("#rule-example")
    page.locator("#ruling-head:visible").wait_for()
    for contrast in ("usual", "high"):
        for size in SIZES:
            assert (
                page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{size}px"
            )
            for name in PAGES:
                page.goto(page.url.split("#")[0] + name)
                found = page.evaluate(MEASURE)
                where = f"{name} {size} {contrast} {width}"
                assert found["seen"] > 15, where
                assert not found["small"], (where, found["small"])
                assert not found["low"], (where, found["low"])
                assert not found["pale"], (where, found["pale"])
                assert found["wide"] <= 0, (where, found["wide"])
            page.click("#size")
        page.click("#contrast")
    page.goto(page.url.split("#")[0] + "#/play")
    a, b = (point(page, name).bounding_box() for name in ("a0", "b0"))
    assert b["x"] - a["x"] >= (60 if width >= 1024 else 40)


def test_tabs_keep_the_top_in_sight(open_page: Any) -> None:
    page = open_page(width=1024, height=768)
    for name in ("help", "rule", "play"):
        page.click(f"#tab-{name}")
        page.locator(f"#{name}").wait_for()
        assert page.evaluate("scrollY") == 0
        assert page.locator("[aria-current=page]").text_content() == {
            "help": "帮助", "rule": "裁判", "play": "对弈",
        }[name]  # fmt: skip


def test_the_first_page_tells_how_warm_it_is(open_page: Any, hall: Hall) -> None:
    page = open_page("/#/help")
    cold = httpx.get(f"{hall.url}/api/status").json()
    cold["progress"] = {"done": 1, "total": 4, "now": "电脑对手", "playable": True}
    page.route("**/api/status", lambda route: route.fulfill(json=cold))
    page.reload()
    page.locator("#warming-text", has_text="电脑对手").wait_for()
    assert page.evaluate("document.getElementById('warming-bar').value") == 25
    page.unroute("**/api/status")
    page.locator("#warming").wait_for(state="hidden")


def test_twice_as_large(open_page: Any) -> None:
    """Zoom of 200 % halves the page in CSS pixels: everything is there, nothing sideways."""
    page = open_page(width=640, height=500)
    two(page)
    play(page, "h2e2")
    for size in SIZES:
        for name in PAGES:
            page.goto(page.url.split("#")[0] + name)
            found = page.evaluate(MEASURE)
            assert found["wide"] <= 0, (name, size)
            assert not found["small"], (name, size)
        page.click("#size")


def test_pieces_and_lines_stand_out(open_page: Any) -> None:
    """Colours of the board: 4.5:1 for letters, 3:1 for lines and marks, on what lies below."""
    page = open_page()
    colors = page.evaluate(
        """() => { const style = getComputedStyle(document.documentElement);
          return Object.fromEntries(['--red', '--black', '--piece', '--board', '--wood', '--mark']
            .map((n) => [n, style.getPropertyValue(n).trim()])); }"""
    )

    def light(color: str) -> float:
        digits = color[1:] if len(color) == 7 else "".join(c * 2 for c in color[1:])
        parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        red, green, blue = (
            v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def ratio(a: str, b: str) -> float:
        low, high = sorted((light(colors[a]), light(colors[b])))
        return (high + 0.05) / (low + 0.05)

    assert ratio("--red", "--piece") > 4.5
    assert ratio("--black", "--piece") > 7
    assert ratio("--wood", "--board") > 4.5
    assert ratio("--mark", "--board") > 3


def test_a_game_by_clicks(open_page: Any, hall: Hall) -> None:
    page = open_page()
    two(page)
    point(page, "h2").click()
    assert point(page, "h2").get_attribute("aria-pressed") == "true"
    assert "可以走" in point(page, "e2").get_attribute("aria-label")
    assert "可以吃" in point(page, "h9").get_attribute("aria-label")
    point(page, "e2").click()
    said(page, "红方：炮二平五")
    point(page, "h9").click()
    point(page, "h8").click()
    said(page, "^马[^a-z]*（S0-XQ-10）。$")
    point(page, "g7").click()
    said(page, "黑方：马8进7")
    page.click("#back")
    said(page, "已经悔棋")
    assert page.locator("#moves button").count() == 1
    play(page, "h9g7")
    page.reload()
    page.locator("#moves button").nth(1).wait_for()
    assert page.locator("#moves button").nth(1).text_content() == "马8进7"
    page.click("#step-back")
    said(page, "第 1 着：炮二平五")
    page.click("#step-last")
    page.click("#hint")
    said(page, "建议走")
    page.click("#more")
    page.click("#draw")
    page.locator("#ask-text", has_text="黑方同意吗").wait_for()
    gap = page.locator("#ask-no").bounding_box()["x"] - sum(
        page.locator("#ask-yes").bounding_box()[key] for key in ("x", "width")
    )
    assert gap >= 60
    page.click("#ask-no")
    page.locator("#ask").wait_for(state="hidden")
    page.click("#resign")
    page.click("#ask-yes")
    said(page, "^黑方胜：红方认输。$")
    with page.expect_download() as download:
        page.click("#save")
    saved = Path(download.value.path()).read_text("utf-8")
    assert "炮二平五" in saved
    assert "0-1" in saved
    page.click("#new")
    page.set_input_files("#file", {"name": "a.pgn", "mimeType": "", "buffer": saved.encode()})
    page.locator("#moves button").nth(1).wait_for()


def test_a_review_marks_mistakes_and_shows_better_moves(open_page: Any) -> None:
    page = open_page()
    page.click("#start-two")
    play(page, "h2e2 h9g7 e2e6 g7e6")
    page.click("#more")
    page.click("#review")
    remark = page.locator("#remarks-list button", has_text="炮五进四")
    remark.wait_for()
    mark = re.search("缓着|失误|败着", remark.text_content())
    assert mark
    assert page.locator("#moves button", has_text="炮五进四").text_content().endswith(mark[0])
    assert page.locator("#more-panel").is_hidden()
    remark.click()
    said(page, "应走")
    page.locator("#turn", has_text="第 2 着以后").wait_for()
    page.locator("#play-board .b-head").wait_for()
    page.click("#step-last")
    page.locator("#play-board .b-head").wait_for(state="detached")
    page.click("#back")
    page.locator("#remarks").wait_for(state="hidden")


def test_a_first_move_in_three_clicks(open_page: Any) -> None:
    page = open_page()
    page.click("#start-computer")
    page.locator("#turn", has_text="您").wait_for()
    point(page, "h2").click()
    point(page, "e2").click()
    page.locator("#moves button").nth(1).wait_for()  # the computer has answered, too
    assert not page.locator("#turn", has_text="电脑").count()


def test_a_whole_game_by_keys(open_page: Any) -> None:
    """To mate without a pointer: Tab to buttons, arrows on the board, Enter."""
    page = open_page()
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == "start-two":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    said(page, "开局")
    point(page, "e0").focus()
    at = [4, 0]

    def walk(name: str) -> None:
        file, rank = "abcdefghi".index(name[0]), int(name[1])
        for step, key in ((file - at[0], "Right"), (rank - at[1], "Up")):
            word = key if step > 0 else {"Right": "Left", "Up": "Down"}[key]
            for _ in range(abs(step)):
                page.keyboard.press(f"Arrow{word}")
        at[:] = [file, rank]
        assert page.evaluate("document.activeElement.dataset.square") == name
        page.keyboard.press("Enter")

    point(page, "e0").press("Enter")
    page.keyboard.press("Escape")
    assert point(page, "e0").get_attribute("aria-pressed") == "false"
    moves = ["h2e2", "a9a8", "e2e6", "a8a9", "b2b4", "a9a8", "b4e4"]  # 重炮
    for count, text in enumerate(moves):
        walk(text[:2])
        walk(text[2:])
        page.locator("#moves button").nth(count).wait_for()
    said(page, "红方胜：将死")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(outline.removesuffix("px")) >= 4


def test_a_confirmed_move_and_the_flipped_board(open_page: Any) -> None:
    page = open_page()
    two(page)
    page.click("#more")
    page.click("#confirm")
    point(page, "h2").click()
    point(page, "h9").click()
    page.locator("#ask-text", has_text="红炮吃黑马").wait_for()
    page.click("#ask-no")
    assert page.locator("#moves button").count() == 0
    point(page, "h2").click()
    point(page, "h9").click()
    page.click("#ask-yes")
    page.locator("#moves button").nth(0).wait_for()
    before = point(page, "a0").bounding_box()
    page.click("#flip")
    after = point(page, "a0").bounding_box()
    assert after["y"] < before["y"]
    assert after["x"] > before["x"]
    page.click("#new")
    page.get_by_label("黑方（后走）").check()
    page.click("#start-computer")
    page.locator("#moves button").nth(0).wait_for()
    assert point(page, "e9").bounding_box()["y"] > point(page, "e0").bounding_box()["y"]


def test_what_cannot_be_opened_is_said(open_page: Any) -> None:
    page = open_page()
    page.locator("#start-two:visible").wait_for()
    page.set_input_files("#file", {"name": "a.pgn", "mimeType": "", "buffer": b"\x00" * 99})
    page.locator("#say.wrong").wait_for()


def test_names_for_screen_readers(open_page: Any) -> None:
    """Every point has a name of its own, one of them is a stop of Tab, and news are read out."""
    page = open_page()
    two(page)
    labels = page.evaluate(
        "[...document.querySelectorAll('#play-board .points button')].map((b) => b.ariaLabel)"
    )
    assert len(set(labels)) == 90
    assert "红马，第1行二路" in labels
    assert page.locator("#say").get_attribute("aria-live") == "polite"
    assert (
        page.evaluate("document.querySelectorAll('#play-board .points [tabindex=\"0\"]').length")
        == 1
    )
