"""军棋 and 康乐棋 in Chromium: the screen goes from hand to hand, and the cue is aimed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from junqi import Board
from junqi.pieces import NAMES_ZH
from junqi.setups import write_jql, write_text
from qiyuan.hall.campaign import READY
from tests.hall.conftest import Hall
from tests.hall.test_pages import MEASURE, SIZES, point, said

SOUTH, NORTH = READY["三角雷"], READY["右路强攻"]


def begin(page: Any, game: str, **options: str) -> None:
    page.click(f"#kind-{game}")
    for name, value in options.items():
        page.select_option(f"#option-{name}", value)
    page.click("#start-two")


def uncover(page: Any, side: str) -> None:
    page.locator("#cover-text", has_text=f"请把屏幕交给{side}方").wait_for()
    page.get_by_role("button", name=f"我是{side}方，开始").click()
    page.locator("#cover").wait_for(state="detached")


def draw_up(page: Any, side: str, name: str = "") -> None:
    uncover(page, side)
    page.locator("#army-done").wait_for()
    if name:
        page.get_by_role("button", name=name, exact=True).click()
    page.click("#army-done")
    page.locator("#army-done").wait_for(state="detached")


def two_armies(page: Any, **options: str) -> None:
    begin(page, "junqi", rules="luzhan", **options)
    draw_up(page, "南")
    draw_up(page, "北", "右路强攻")


def labels(page: Any) -> list[str]:
    found = page.evaluate(
        "[...document.querySelectorAll('#play-board .points button')].map((b) => b.ariaLabel)"
    )
    assert isinstance(found, list)
    return found


def test_luzhan_from_hand_to_hand(open_page: Any) -> None:
    """Set-ups, the cover, a fight in words, why not, and the game after a reload."""
    page = open_page()
    frames: list[str] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: frames.append(text)))
    two_armies(page)
    said(page, "北方（蓝）布阵完毕")
    ranks = [name for name in NAMES_ZH if name != "军旗"]
    assert not any(name in label for label in labels(page) for name in ranks)  # covered
    point(page, "S11").click()
    said(page, "棋盘遮着")
    uncover(page, "南")
    seen = labels(page)
    assert sum("南方暗子" in label for label in seen) == 0
    assert sum("北方暗子" in label for label in seen) == 25
    assert "南方旅长，南11" in seen
    assert "南方军旗，南62大本营" in seen
    point(page, "N11").click()
    said(page, "现在轮到南方")
    point(page, "S52").click()
    said(page, "南方地雷现在没有可走的地方")
    point(page, "S42").click()
    said(page, "地雷不能移动（S3B-JQ-6）")
    point(page, "S11").click()
    assert point(page, "N15").get_attribute("aria-label") == "北方暗子，北15，可以攻击"
    before = len(frames)
    point(page, "N15").click()
    board = Board.from_armies([SOUTH, NORTH], rules="luzhan")
    board.push("S11-N15")
    fight = {"capture": "吃掉对方的棋子", "repelled": "被对方吃掉", "both": "同归于尽"}
    said(page, f"南方从南11走到北15，.*{fight[board.events[-1].fight.value]}")  # type: ignore[union-attr]
    page.locator("#cover-text", has_text="请把屏幕交给北方（蓝）走棋").wait_for()
    assert not any(name in label for label in labels(page) for name in ranks)
    told = [json.loads(text) for text in frames[before:]]
    assert told
    assert all("pieces" not in json.dumps(one.get("legal", "")) for one in told)
    states = [one["state"]["position"] for one in told if one["type"] == "state"]
    assert all(kind == -1 for one in states for _, _, kind in one["pieces"])
    assert page.locator("#back").is_hidden()
    page.reload()
    page.locator("#cover-text", has_text="请把屏幕交给北方（蓝）走棋").wait_for()
    assert not any(name in label for label in labels(page) for name in ranks)
    uncover(page, "北")
    assert sum("南方暗子" in label for label in labels(page)) == 25 - (
        board.events[-1].fight.value != "capture"  # type: ignore[union-attr]
    )
    page.get_by_role("button", name="遮住棋盘").click()
    page.locator("#cover").wait_for()
    assert not any(name in label for label in labels(page) for name in ranks)
    page.click("#more")
    page.click("#resign")
    page.click("#ask-yes")
    said(page, "南方胜：认输")
    page.get_by_role("button", name="亮出终局前的棋子").click()
    page.locator("#play-board [aria-label^='北方司令']").wait_for()
    page.click("#step-back")
    said(page, "第 3 着")


def test_armies_of_ones_own(open_page: Any, tmp_path: Path) -> None:
    """Two pieces change places where the rules allow it; files are read."""
    page = open_page()
    begin(page, "junqi", rules="luzhan")
    uncover(page, "南")
    point(page, "S31").click()  # a bomb to the front row
    point(page, "S11").click()
    said(page, "不能这样换：.*炸弹不能放在第一排（S3B-JQ-6）")
    point(page, "S22").click()
    said(page, "行营开局要空着")
    point(page, "S12").click()
    point(page, "S11").click()
    said(page, "连长和旅长对换了")
    assert "南方连长，南11" in labels(page)
    page.get_by_role("button", name="左右对调").click()
    said(page, "军旗在南64大本营")
    for name, data in (("a.jql", write_jql(NORTH)), ("a.txt", write_text(NORTH).encode())):
        (tmp_path / name).write_bytes(data)
        page.get_by_role("button", name="三角雷").click()
        page.set_input_files("#army-file", tmp_path / name)
        said(page, "文件里的阵摆好了，军旗在南64大本营")
    (tmp_path / "bad.txt").write_text("司令 司令")
    page.set_input_files("#army-file", tmp_path / "bad.txt")
    said(page, "布阵应为 25 个字母")
    page.get_by_role("button", name="随机").click()
    said(page, "随机：军旗在")
    page.click("#army-done")
    page.locator("#cover-text", has_text="请把屏幕交给北方（蓝）布阵").wait_for()


def test_an_open_game_by_keys_is_taken_back(open_page: Any) -> None:
    page = open_page()
    two_armies(page, mode="open")
    page.locator("#cover").wait_for(state="detached")
    assert not any("暗子" in label for label in labels(page))
    point(page, "S11").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.square") == "S22"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(outline.removesuffix("px")) >= 4
    page.keyboard.press("Enter")
    said(page, "南方从南11走到南22。")
    page.click("#back")
    said(page, "已经悔棋")
    assert "南方旅长，南11" in labels(page)


def test_every_point_is_reached_by_arrows(open_page: Any) -> None:
    for rules in ("luzhan", "standard"):
        page = open_page()
        page.click("#kind-junqi")
        page.select_option("#option-rules", rules)
        page.locator(
            f"#play-board [data-square={'C22' if rules == 'standard' else 'N35'}]"
        ).wait_for()
        reached = page.evaluate(
            """() => {
              const all = [...document.querySelectorAll('#play-board .points button')];
              const found = new Set([all[0]]), waiting = [all[0]];
              while (waiting.length) {
                const from = waiting.pop();
                for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
                  from.click();
                  from.focus();
                  from.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
                  const to = document.activeElement;
                  if (!found.has(to)) { found.add(to); waiting.push(to); }
                }
              }
              return [found.size, all.length];
            }"""
        )
        assert reached[0] == reached[1] == (129 if rules == "standard" else 60)


def test_four_sides_hand_the_screen_round(open_page: Any) -> None:
    page = open_page()
    begin(page, "junqi", rules="standard", mode="allies")
    for side in "南东北西":
        draw_up(page, side)
    uncover(page, "南")
    seen = labels(page)
    assert sum(label.startswith("北方") and "暗子" not in label for label in seen) == 25
    assert sum(label.startswith(("东方暗子", "西方暗子")) for label in seen) == 50
    point(page, "S11").click()
    point(page, "S22").click()
    said(page, "南方从南11走到南22")
    uncover(page, "东")
    assert sum(label.startswith("西方") and "暗子" not in label for label in labels(page)) == 25
    page.click("#more")
    page.click("#resign")
    page.click("#ask-yes")
    said(page, "东方认输，出局")
    page.locator("#cover-text", has_text="北方").wait_for()


# ---------------------------------------------------------------- 康乐棋


def spot(page: Any, x: float, y: float) -> dict[str, float]:
    """A place on the board in metres as pixels of the canvas."""
    box = page.locator("#play-board canvas").bounding_box()
    unit = box["width"] / 1.1
    return {"x": (x + 0.55) * unit, "y": (0.55 - y) * unit}


def watched(page: Any) -> None:
    """Let the film of a stroke run to its end."""
    page.locator("#carrom-filming").wait_for()
    page.locator("#carrom-filming").wait_for(state="hidden")


def test_a_stroke_by_clicks_is_shown_paused_and_replayed(open_page: Any) -> None:
    page = open_page()
    begin(page, "carrom")
    page.locator("#carrom-strike").wait_for()
    board = page.locator("#play-board canvas")
    board.click(position=spot(page, 0.0, -0.481))
    said(page, "瞄准")
    board.click(position=spot(page, 0.49, -0.32))  # past the diagonal
    page.locator("#carrom-why", has_text="S0-KL-10").wait_for()
    page.click("#carrom-strike")
    said(page, "击打方向超过棋盘对角线（S0-KL-10）")
    board.click(position=spot(page, 0.36, -0.36))
    said(page, "母子放好了")
    board.click(position=spot(page, 0.0, 0.12))
    said(page, "瞄准红方碉堡。先碰到红方碉堡")
    page.locator("#carrom-power").fill("40")
    page.locator("#carrom-power-label", has_text="40%").wait_for()
    page.click("#carrom-strike")
    page.locator("#carrom-pause").click()
    page.locator("#carrom-pause", has_text="继续").wait_for()
    still = page.evaluate("document.querySelector('canvas').toDataURL()")
    page.wait_for_timeout(300)
    assert page.evaluate("document.querySelector('canvas').toDataURL()") == still
    page.click("#carrom-slow")
    assert page.get_attribute("#carrom-slow", "aria-pressed") == "true"
    board.click(position=spot(page, 0, 0))
    said(page, "正在演示这一击")
    page.click("#carrom-pause")
    page.locator("#carrom-filming").wait_for(state="hidden")
    said(page, "第 1 击：.*（S0-KL-")
    assert page.locator("#moves button").count() == 1
    page.click("#carrom-replay")
    page.locator("#carrom-skip").click()
    said(page, "第 1 击")
    page.click("#back")
    said(page, "已经悔棋")
    page.locator("#turn", has_text="轮到下方（红）击打").wait_for()


def test_strokes_by_keys_and_after_a_reload(open_page: Any, hall: Hall) -> None:
    page = open_page()
    begin(page, "carrom", rules="open")
    page.locator("#carrom-strike").wait_for()
    page.locator("#play-board canvas").focus()
    for key in ("n", "ArrowLeft", "Shift+ArrowRight", "ArrowUp", "m", "ArrowUp", "m"):
        page.keyboard.press(key)
    page.locator("#carrom-power-label", has_text="32%").wait_for()
    said(page, "母子放好了")
    page.keyboard.press("n")
    said(page, "瞄准红3号")
    page.keyboard.press("Enter")
    page.locator("#carrom-filming").wait_for()
    page.keyboard.press("Escape")
    page.locator("#carrom-strike").wait_for()
    said(page, "第 1 击")
    page.click("#carrom-read")
    said(page, "从母子看，要打的子：.*度，")
    game = page.evaluate("JSON.parse(localStorage['qiyuan.games'])[0]")
    owner = {"authorization": f"Bearer {game['token']}"}
    before = hall.look((f"/api/games/{game['id']}", owner))
    page.reload()
    page.locator("#moves button").first.wait_for()
    after = hall.look((f"/api/games/{game['id']}", owner))
    assert after["position"] == before["position"]
    page.click("#carrom-replay")
    watched(page)
    said(page, "第 1 击")


def test_nothing_moves_for_those_who_do_not_want_it(open_page: Any) -> None:
    page = open_page()
    page.emulate_media(reduced_motion="reduce")
    begin(page, "carrom")
    page.locator("#carrom-strike").wait_for()
    page.click("#carrom-strike")
    page.locator("#carrom-skip", has_text="看好了，接着打").wait_for()
    said(page, "第 1 击")
    assert page.locator("#carrom-pause").is_hidden()
    still = page.evaluate("document.querySelector('canvas').toDataURL()")
    page.wait_for_timeout(400)
    assert page.evaluate("document.querySelector('canvas').toDataURL()") == still
    page.click("#carrom-skip")
    page.locator("#carrom-strike").wait_for()


# ---------------------------------------------------------------- the numbers


def covered(page: Any) -> None:
    begin(page, "junqi", rules="luzhan")
    page.locator("#cover").wait_for()


def drawing(page: Any) -> None:
    covered(page)
    uncover(page, "南")
    page.locator("#army-done").wait_for()


def four(page: Any) -> None:
    begin(page, "junqi", rules="standard")
    for side in "南东北西":
        draw_up(page, side)
    uncover(page, "南")
    point(page, "S11").click()


def aiming(page: Any) -> None:
    begin(page, "carrom")
    page.locator("#carrom-strike").wait_for()


def filming(page: Any) -> None:
    aiming(page)
    page.click("#carrom-strike")
    page.locator("#carrom-pause").click()


@pytest.mark.parametrize(("width", "height"), [(1280, 1000), (1024, 768), (390, 844)])
@pytest.mark.parametrize("state", [covered, drawing, four, aiming, filming])
def test_the_numbers_for_seniors(
    open_page: Any, state: Callable[[Any], None], width: int, height: int
) -> None:
    """Sizes, contrast and targets as on the other pages, in every size and both looks."""
    page = open_page(width=width, height=height)
    state(page)
    for contrast in ("usual", "high"):
        for size in SIZES:
            found = page.evaluate(MEASURE)
            where = f"{size} {contrast} {width}"
            assert found["seen"] > 15, where
            assert not found["small"], (where, found["small"])
            assert not found["low"], (where, found["low"])
            assert not found["pale"], (where, found["pale"])
            assert found["wide"] <= 0, (where, found["wide"])
            page.click("#size")
        page.click("#contrast")
    board = page.evaluate(
        "(() => { const e = document.getElementById('play-board');"
        " return [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]; })()"
    )
    assert board == [0, 0] or (state is four and width == 390)  # scrolls where it must
    if state is covered:
        a, b, c = (point(page, name).bounding_box() for name in ("S11", "S12", "S21"))
        assert min(b["x"] - a["x"], c["y"] - a["y"]) >= (60 if width == 1280 else 40)
    if state is four:  # seventeen points in a row: never less than WCAG's least target
        a, b = (point(page, name).bounding_box() for name in ("S11", "S12"))
        assert b["x"] - a["x"] >= {1280: 46, 1024: 34, 390: 28}[width]
