"""The arbiter's page in Chromium: records, positions set up, loops by clicks, claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.hall.conftest import Hall
from tests.hall.test_pages import MEASURE, SIZES, play, point, said, two
from xiangqi.board import Board

RECORD = Path(__file__).parents[2] / "qiyuan" / "data" / "disputed.pgn"
CHASE = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w"
LOOP = ("a5a3", "f3g5", "a3a5", "g5f3")
BOARD = "#rule-board"


def desk(open_page: Any, **size: int) -> Any:
    page = open_page("/#/rule", **size)
    page.locator("#rule-book option").nth(2).wait_for(state="attached")
    return page


def walk(page: Any, *moves: str) -> None:
    """Click moves, and wait until each is played."""
    for text in moves:
        count = page.locator("#walk-moves span:not(:empty)").count()
        point(page, text[:2], BOARD).click()
        point(page, text[2:], BOARD).click()
        page.wait_for_function(
            "n => document.querySelectorAll('#walk-moves span:not(:empty)').length > n", arg=count
        )


def box(page: Any, name: str) -> Any:
    return page.locator("#set-palette button", has_text=name)


def put(page: Any, name: str, *points: str) -> None:
    """Take a kind of piece from the box and put it on points."""
    box(page, name).click()
    for one in points:
        point(page, one, BOARD).click()
        page.wait_for_function(
            "([p, n]) => document.querySelector(`#rule-board [data-square=${p}]`)"
            ".ariaLabel.startsWith(n)",
            arg=[one, name],
        )


def test_a_record_from_ruling_to_paper(open_page: Any, hall: Hall) -> None:
    page = desk(open_page)
    page.set_input_files("#rule-file", RECORD)
    page.locator("#ruling-head", has_text="黑方长将，判黑方负").wait_for()
    assert "依据 S0-XQ-37" in page.locator("#ruling-notes").text_content()
    assert page.locator("#case").is_hidden()
    page.get_by_role("button", name="90. 黑 车6平5").click()
    said(page, "将", "#rule-ply")
    assert page.locator("#rule-evidence li").count() > 0
    page.click("#change-go")
    said(page, "写明理由", "#rule-say")
    page.get_by_role("button", name="91. 红 帅五平四").click()
    page.select_option("#change-nature", "捉")
    page.fill("#change-reason", "裁判<b>认定</b>")
    page.click("#change-go")
    page.locator("#changes-list", has_text="裁判<b>认定</b>").wait_for()
    page.locator("#claim-grounds", has_text="S0-XQ-34").wait_for()
    assert "第 91 着走完" in page.locator("#claim-title").text_content()
    page.get_by_label("黑方", exact=True).first.check()
    page.click("#claim-grounds button:has-text('自然限着')")
    said(page, "不成立：审核不属实", "#rule-say")
    href = page.get_attribute("#ruling-print", "href")
    printed = httpx.get(hall.url + href).text
    assert "裁判&lt;b&gt;认定&lt;/b&gt;" in printed
    assert "黑方提出：自然限着到限" in printed
    page.locator("#claim-answers").get_by_role("button", name="撤销").click()
    page.locator("#claim-answers li").wait_for(state="detached")
    page.select_option("#rule-book", "axf")
    said(page, "捉要写明被捉的子", "#rule-say")  # so the ruling stays what it was
    assert page.locator("#rule-book").input_value() == "club2008"
    page.get_by_role("button", name="91. 红 帅五平四").click()
    page.select_option("#change-nature", "捉")
    page.select_option("#change-victim", "e6")
    page.fill("#change-reason", "兵捉卒")
    page.click("#change-go")
    page.locator("#changes-list", has_text="91=捉@e6:兵捉卒").wait_for()
    page.select_option("#rule-book", "axf")
    page.locator("#ruling-notes", has_text="AXF").first.wait_for()
    page.locator("#claim-grounds", has_text="第 3 次出现").wait_for()
    pytest.importorskip("weasyprint", reason="WeasyPrint makes the PDF")
    with page.expect_download(timeout=120_000) as download:
        page.click("#ruling-pdf")
    assert download.value.suggested_filename == "裁定书.pdf"
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("notation", ["chinese", "iccs", "wxf"])
def test_a_typed_loop(open_page: Any, notation: str) -> None:
    board, texts = Board(CHASE), []
    for text in LOOP * 4:
        move = board.parse(text)
        texts.append(getattr(board, notation)(move))
        board.push(move)
    page = desk(open_page)
    page.fill("#rule-text", " ".join(texts))
    page.fill("#rule-fen", CHASE)
    page.click("#rule-go")
    said(page, "裁定：判红方负", "#rule-say")


def test_a_mistyped_ply_is_put_right_on_the_board(open_page: Any) -> None:
    page = desk(open_page)
    page.fill("#rule-text", "h2e2 h9h8 h0g2 i9h9")
    page.click("#rule-go")
    page.locator("#ruling-notes", has_text="棋谱有错").wait_for()
    said(page, "第 2 着 h9h8：走不通", "#rule-ply")
    assert page.locator("#change-override").is_hidden()
    page.click("#change-click")
    said(page, "点出第 2 着正确的走法", "#rule-say")
    point(page, "h9", BOARD).click()
    point(page, "h8", BOARD).click()
    said(page, "不能这样走", "#rule-say")
    point(page, "g7", BOARD).click()
    page.locator("#changes-list", has_text="第 2 着更正为 h9g7").wait_for()
    assert page.locator("#ruling-plies button").count() == 4
    page.get_by_role("button", name="1. 红 炮二平五").click()
    page.click("#change-click")
    said(page, "点出第 1 着正确的走法", "#rule-say")
    point(page, "b2", BOARD).click()
    point(page, "e2", BOARD).click()
    page.locator("#changes-list", has_text="第 1 着更正为 b2e2").wait_for()
    page.get_by_role("button", name="撤销：第 1 着").click()
    page.locator("#changes-list li").nth(1).wait_for(state="detached")
    page.click("#ruling-walk")  # and played on from here
    said(page, "走了 4 着", "#walk-times")
    walk(page, "i0h0")
    page.click("#walk-go")
    page.locator("#ruling-plies button").nth(4).wait_for()
    page.click("#rule-again")
    page.fill("#rule-text", "")
    page.click("#rule-go")
    said(page, "请先打开或输入棋谱", "#rule-say")


def test_a_position_is_set_up(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    assert box(page, "红帅").is_disabled()
    put(page, "红车", "a5", "b5")
    assert box(page, "红车").is_disabled()
    assert "余0" in box(page, "红车").text_content()
    point(page, "c5", BOARD).click()  # the box had no third
    said(page, "请先在棋子盒里选", "#rule-say")
    point(page, "b5", BOARD).click()
    page.click("#set-take")
    said(page, "红车收回盒里", "#rule-say")
    put(page, "红兵", "a1", "c5")
    point(page, "c5", BOARD).focus()
    page.keyboard.press("Delete")
    said(page, "红兵收回盒里", "#rule-say")
    put(page, "黑象", "e8")
    point(page, "d0", BOARD).click()
    point(page, "e0", BOARD).click()  # moved
    point(page, "e8", BOARD).click()
    point(page, "d8", BOARD).click()
    page.locator("#set-defects", has_text="将帅照面").wait_for()
    faults = page.locator("#set-defects").text_content()
    assert "象不能站在第9行六路" in faults
    assert "兵在起始线之后的第2行九路" in faults
    assert page.locator("#set-go").is_disabled()
    point(page, "e0", BOARD).click()
    point(page, "d0", BOARD).click()
    for name in ("d8", "a1"):
        point(page, name, BOARD).click()
        page.click("#set-take")
    page.click("#set-turn")
    page.wait_for_function(
        "() => document.getElementById('set-fen').value === '4k4/9/9/9/R8/9/9/9/9/3K5 b - - 0 1'"
    )
    page.click("#set-mirror")
    page.wait_for_function("() => document.getElementById('set-fen').value.includes('8R')")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#set-copy")
    said(page, "已经复制", "#rule-say")
    assert page.evaluate("navigator.clipboard.readText()") == ("4k4/9/9/9/8R/9/9/9/9/5K3 b - - 0 1")
    page.reload()
    page.click("#job-set")
    page.wait_for_function("() => document.getElementById('set-fen').value.includes('8R')")
    page.click("#set-full")
    page.click("#set-full")  # a second press, since pieces are thrown away
    page.locator("#set-defects", has_text="没有错误").wait_for()
    page.wait_for_function("() => document.getElementById('set-fen').value.startsWith('rnbak')")
    page.fill("#set-fen", "4k4/9/9/8/9/9/9/9/9/4K4 w")
    page.click("#set-read")
    said(page, "第 4 行", "#rule-say")
    page.fill("#set-fen", CHASE)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('#rule-board [data-square=a5]').ariaLabel.startsWith('红车')"
    )
    said(page, "局面换好了", "#rule-say")  # the error is gone with its text
    page.click("#set-clear")
    page.locator("#set-clear", has_text="真的清空").click()
    page.locator("#set-defects", has_text="黑方没有将").wait_for()
    page.click("#set-kings")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    page.click("#set-go")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()


def test_a_game_of_the_hall_is_ruled_on(open_page: Any) -> None:
    page = open_page()
    two(page)
    play(page, "h2e2 h9g7")
    page.click("#more")
    page.click("#to-rule")
    said(page, "对局继续", "#ruling-head")
    assert page.locator("#ruling-plies button").count() == 2


COUNT = """
  window.acts = 0;
  addEventListener('click', (e) => { if (e.isTrusted) acts += 1; }, true);
  addEventListener('keydown', (e) => { if (e.isTrusted) acts += 1; }, true);
"""


def test_how_many_acts_lead_to_a_ruling(open_page: Any) -> None:
    """Clicks and keys to a ruling, from the first page: by a file, and by a loop on the board.

    At 1.3 s for a click and 1.35 s of thought before every second one, 19 acts take 38 s.
    """
    page = open_page()
    page.add_init_script(COUNT)
    page.goto(page.url.split("#")[0] + "#/play")
    page.reload()
    page.click("#tab-rule")
    with page.expect_file_chooser() as chooser:
        page.click("#rule-open")
    chooser.value.set_files(RECORD)
    said(page, "裁定：判黑方负", "#rule-say")
    assert page.evaluate("acts") == 2  # and the file itself, in the system's window
    page.reload()
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    put(page, "红车", "a5")
    put(page, "黑马", "f3")
    page.click("#set-go")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    walk(page, *LOOP)
    for times in (3, 4, 5):
        page.click("#walk-round")
        said(page, f"第 {times} 次出现", "#walk-times")
    page.click("#walk-go")
    said(page, "裁定：判红方负", "#rule-say")
    assert page.evaluate("acts") == 18  # and one for the tab


def test_a_loop_by_clicks(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#job-walk")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    point(page, "h9", BOARD).click()
    said(page, "现在轮到红方走", "#rule-say")
    walk(page, "h2e2")
    point(page, "b9", BOARD).click()
    point(page, "d8", BOARD).click()
    said(page, "马腿被 c9 的象挡住（S0-XQ-10）", "#rule-say")
    walk(page, "h9g7", "e2h2", "g7h9")
    said(page, "同一局面第 2 次出现，刚走完一圈 4 着", "#walk-times")
    page.click("#walk-back")
    said(page, "走了 3 着", "#walk-times")
    page.reload()
    page.click("#job-walk")
    said(page, "走了 3 着", "#walk-times")
    page.click("#walk-edit")
    page.wait_for_function("() => document.getElementById('set-fen').value.startsWith('rnbak')")
    page.click("#job-walk")
    said(page, "走了 3 着", "#walk-times")
    page.click("#walk-clear")
    said(page, "走了 3 着", "#walk-times")
    page.locator("#walk-clear", has_text="真的").click()
    said(page, "走了 0 着", "#walk-times")
    assert page.locator("#walk-go").is_disabled()
    walk(page, "h2e2")
    page.click("#job-cite")
    page.fill("#rule-fen", "9/9/9 w")
    page.click("#rule-enter")
    page.wait_for_timeout(1000)  # the old line comes back, and the fault stays told
    said(page, "走了 1 着", "#walk-times")
    said(page, "FEN", "#rule-say")


def tab_to(page: Any, name: str) -> None:
    for _ in range(60):
        if page.evaluate("document.activeElement.id") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {name} by Tab")


def test_by_keys_alone(open_page: Any) -> None:
    """A position, its loop, the ruling and the clock without a pointer."""
    page = desk(open_page)
    at = [4, 0]

    def go(name: str) -> None:
        file, rank = "abcdefghi".index(name[0]), int(name[1])
        for step, keys in ((file - at[0], ("Left", "Right")), (rank - at[1], ("Down", "Up"))):
            for _ in range(abs(step)):
                page.keyboard.press(f"Arrow{keys[step > 0]}")
        at[:] = [file, rank]
        assert page.evaluate("document.activeElement.dataset.square") == name
        page.keyboard.press("Enter")

    def board() -> None:
        for _ in range(60):
            if page.evaluate("Boolean(document.activeElement.dataset.square)"):
                return
            page.keyboard.press("Shift+Tab")
        raise AssertionError("no way to the board")

    tab_to(page, "job-set")
    page.keyboard.press("Enter")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    for name, where in (("红车", "a5"), ("黑马", "f3")):
        for _ in range(60):
            if page.evaluate("document.activeElement.textContent").startswith(name):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        said(page, f"拿着{name}", "#rule-say")
        board()
        go(where)
        said(page, f"{name}放在", "#rule-say")
    page.wait_for_function("() => document.getElementById('set-fen').value.includes('5n3')")
    tab_to(page, "set-go")
    page.keyboard.press("Enter")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    page.evaluate("document.activeElement.blur()")
    tab_to(page, "job-clock")
    page.keyboard.press("Tab")
    for text in LOOP:
        go(text[:2])
        go(text[2:])
        page.locator("#rule-board [data-square=" + text[2:] + "][aria-label*='上一步']").wait_for(
            state="attached"
        )
    tab_to(page, "walk-round")
    for times in (3, 4, 5):
        page.keyboard.press("Enter")
        said(page, f"第 {times} 次出现", "#walk-times")
    tab_to(page, "walk-go")
    page.keyboard.press("Enter")
    said(page, "裁定：判红方负", "#rule-say")
    page.evaluate("document.activeElement.blur()")
    tab_to(page, "job-clock")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(outline.removesuffix("px")) >= 4
    page.keyboard.press("Enter")
    tab_to(page, "clock-go")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    said(page, "轮到黑方", "#rule-say")


def ready(page: Any) -> None:
    """Every panel with something in it."""
    page.click("#rule-example")
    page.locator("#ruling-head:visible").wait_for()
    page.click("#claim-grounds button:has-text('自然限着')")
    page.locator("#claim-answers li").wait_for()
    page.click("#job-set")
    put(page, "黑象", "e8")
    page.click("#job-walk")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    walk(page, "h2e2")


@pytest.mark.parametrize(("width", "height"), [(1280, 1000), (1024, 768), (390, 844), (640, 500)])
def test_the_numbers_for_seniors(open_page: Any, width: int, height: int) -> None:
    """Sizes, contrast and targets of every job; 640 pixels are 1280 at a zoom of 200 %."""
    page = desk(open_page, width=width, height=height)
    ready(page)
    for contrast in ("usual", "high"):
        for size in SIZES:
            for job in ("cite", "set", "walk", "clock"):
                page.click(f"#job-{job}")
                page.wait_for_timeout(60)
                check(page, f"{job} {size} {contrast} {width}")
            if page.locator("#clock-go").is_visible():
                page.click("#clock-go")
            page.wait_for_timeout(60)
            check(page, f"clock runs {size} {contrast} {width}")
            page.click("#size")
        page.click("#contrast")
    page.click("#job-set")
    a, b = (point(page, name, BOARD).bounding_box() for name in ("a0", "b0"))
    assert b["x"] - a["x"] >= (60 if width >= 1024 else 40)
    boxes = page.evaluate(
        "[...document.querySelectorAll('#set-palette button')].map((b) => b.offsetWidth)"
    )
    assert min(boxes) >= 44
    gap = page.evaluate(
        """() => { document.getElementById('job-clock').click();
          const [a, b] = ['clock-more', 'clock-less'].map((id) =>
            document.getElementById(id).getBoundingClientRect());
          return b.left - a.right; }"""
    )
    assert gap >= 36  # opposite acts stand apart


def check(page: Any, where: str) -> None:
    found = page.evaluate(MEASURE)
    assert found["seen"] > 15, where
    assert not found["small"], (where, found["small"])
    assert not found["low"], (where, found["low"])
    assert not found["pale"], (where, found["pale"])
    assert found["wide"] <= 0, (where, found["wide"])
