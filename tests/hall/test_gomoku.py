"""五子棋 in the hall: the service, and the page by clicks, keys and on small screens."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from gomoku import Board
from qiyuan.hall.faces import face
from qiyuan.hall.store import Saved
from qiyuan.hall.table import Table
from tests.hall.conftest import Hall
from tests.hall.test_pages import MEASURE, SIZES, point, said
from tests.hall.test_service import channel, until

THREES = ["h8", "h9", "j8", "a1", "i9", "a3", "i7", "a5"]
"""Black may not play I8: two threes."""


def gomoku(hall: Hall, rules: str = "freestyle", **more: Any) -> tuple[str, dict[str, str]]:
    return hall.new(game="gomoku", mode="two", options={"rules": rules}, **more)


def test_five_wins_and_is_taken_back(hall: Hall) -> None:
    game = gomoku(hall, moves=["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4"])
    hall.do(game, "move", move="H12")
    state = hall.look(game)
    assert state["result"] == {"winner": 0, "text": "黑方胜：五连。"}
    assert state["seats"] == ["黑方", "白方"]
    board = Board(state["position"]["fen"])
    [line] = [[m.point(15) for m in one] for one in board.winning_lines()]
    assert state["position"]["lines"] == [line]
    assert hall.do(game, "move", move="o15").status_code == 422
    earlier = hall.do(game, "look", ply=2).json()["position"]
    assert [at for at, code in enumerate(earlier["codes"]) if code] == [0, 7 * 15 + 7]
    assert earlier["lines"] == []
    hall.do(game, "back")
    state = hall.look(game)
    assert state["result"] is None
    assert len(state["moves"]) == 8
    assert hall.do(game, "move", move="a1").status_code == 422
    assert hall.do(game, "review").status_code == 422  # not in this game


def test_forbidden_points_are_told_with_their_reason(hall: Hall) -> None:
    game = gomoku(hall, "renju", moves=THREES)
    board = Board(hall.look(game)["position"]["fen"])
    barred = hall.look(game)["position"]["barred"]
    assert barred == [move.point(15) for move in board.forbidden_points()]
    assert barred == [7 * 15 + 8]
    refused = hall.do(game, "move", move="i8")
    assert refused.status_code == 422
    assert "I8 是三三禁手：活三 H8 I8 J8" in refused.json()["error"]
    assert len(refused.json()["marks"]) == 5
    free = gomoku(hall, moves=THREES)
    assert hall.look(free)["position"]["barred"] == []
    assert hall.do(free, "move", move="i8").status_code == 200


def test_the_rules_decide_what_wins(hall: Hall) -> None:
    six = ["h8", "a1", "h9", "a3", "h10", "a5", "h12", "b1", "h13", "b3", "h11"]
    winners = {}
    for one in face("gomoku").options[0].choices:
        if one != "renju":  # where the sixth stone may not be played at all
            result = hall.look(gomoku(hall, one, moves=six))["result"]
            winners[one] = result and result["winner"]
    assert winners == {
        "freestyle": 0, "standard": None, "caro_overline": 0, "caro_exact": None,
    }  # fmt: skip
    overline = gomoku(hall, "renju", moves=six[:-1])
    assert "长连" in hall.do(overline, "move", move="h11").json()["error"]


def test_files_go_out_and_come_in(hall: Hall) -> None:
    path, owner = gomoku(hall, "renju", moves=THREES)
    for form in ("sgf", "psq", "moves"):
        data = httpx.get(f"{hall.url}{path}/file?form={form}", headers=owner).content
        [read] = httpx.post(f"{hall.url}/api/records?game=gomoku", content=data).json()
        assert read["moves"] == THREES, form
        assert read["defects"] == []
        assert read["options"] == {"rules": "renju" if form == "sgf" else "freestyle"}
    usual = httpx.get(f"{hall.url}{path}/file", headers=owner).content
    assert usual.startswith(b"(;FF[4]GM[4]")
    assert httpx.get(f"{hall.url}{path}/file?form=pgn", headers=owner).status_code == 422
    setup = "(;FF[4]GM[4]SZ[15]AB[hh][ii]AW[gg]PL[W];W[aa];B[aa])"
    [read] = httpx.post(f"{hall.url}/api/records?game=gomoku", content=setup.encode()).json()
    assert read["moves"] == ["a15"]
    assert read["defects"]
    game = gomoku(hall, start=read["start"], moves=read["moves"])
    assert [m["seat"] for m in hall.look(game)["moves"]] == [1]
    assert httpx.post(f"{hall.url}/api/records?game=gomoku", content=b"?!").status_code == 422
    assert httpx.post(f"{hall.url}/api/records?game=ludo", content=b"h8").status_code == 422


def test_what_a_game_does_not_have_is_refused(hall: Hall) -> None:
    for wrong in (
        {"game": "gomoku", "mode": "two", "options": {"rules": "nonsense"}},
        {"game": "gomoku", "mode": "two", "options": {"book": "club2008"}},
        {"game": "gomoku", "mode": "computer", "level": 10},
        {"game": "gomoku", "mode": "two", "start": "no board at all"},
        {"game": "gomoku", "mode": "two", "moves": ["h8", "h8"]},
        {"game": "../store", "mode": "two"},
    ):
        answer = hall.post("/api/games", wrong)
        assert answer.status_code == 422, wrong
        assert answer.json()["error"]
    kinds = {one["game"]: one for one in httpx.get(f"{hall.url}/api/kinds").json()}
    assert {"xiangqi", "gomoku", "checkers"} <= set(kinds)
    assert [one["value"] for one in kinds["gomoku"]["options"][0]["choices"]][:1] == ["freestyle"]


def test_the_computer_parries_and_wins(hall: Hall) -> None:
    level = max(face("gomoku").levels)
    four = ["h8", "a1", "h9", "a2", "h10", "c1", "h11"]
    seats = {"mode": "computer", "level": level, "human": 0}
    game = hall.new(game="gomoku", options={"rules": "freestyle"}, moves=four, **seats)
    with channel(hall, game) as line:
        while len(hall.look(game)["moves"]) < 8:
            until(line, "state")
        assert hall.look(game)["moves"][-1]["zh"] in ("H7", "H12")
    game = hall.new(
        game="gomoku", moves=["h8", "a1", "h9", "b1", "h10", "c1", "o1", "d1", "o3"], **seats
    )
    with channel(hall, game) as line:
        while hall.look(game)["result"] is None:
            until(line, "state")
    state = hall.look(game)
    assert state["result"]["winner"] == 1
    assert state["moves"][-1]["zh"] == "E1"
    hall.do(game, "back")  # own move and the answer
    assert len(hall.look(game)["moves"]) == 8


def test_a_hint_tells_why(hall: Hall) -> None:
    game = gomoku(hall, moves=["h8", "a1", "h9", "a2", "h10", "a3", "h11", "o1"])
    hint = hall.do(game, "hint").json()
    assert re.fullmatch("建议下 (H7|H12)：成五，赢了。", hint["text"])
    game = gomoku(hall, moves=["h8", "a1", "h9", "c5", "h10", "e9", "h11"])
    assert "不挡住，对方下一步就成五" in hall.do(game, "hint").json()["text"]


def test_a_game_of_before_there_were_others_still_opens() -> None:
    """What the store holds of versions that knew 象棋 alone."""
    kept = {"mode": "two", "human": 0, "level": 2, "strength": 2.0, "rules": "cxa2020"}
    table = Table(Saved("x", "xiangqi", "", kept, ("h2e2", "h9g7"), None))
    assert table.settings.options == {"rules": "cxa2020"}
    again = Saved("x", "xiangqi", "", json.loads(json.dumps(table.settings_json())), (), None)
    assert Table(again).settings == table.settings


# ---------------------------------------------------------------- the page


def begin(page: Any, rules: str = "freestyle") -> None:
    page.click("#kind-gomoku")
    page.select_option("#option-rules", rules)
    page.click("#start-two")
    said(page, "开局")


def play(page: Any, moves: str) -> None:
    for text in moves.split():
        count = page.locator("#moves button").count()
        point(page, text).click()
        page.locator("#moves button").nth(count).wait_for()


def test_a_game_by_clicks(open_page: Any) -> None:
    page = open_page()
    page.locator("#kind-gomoku").wait_for()
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [name for name in loaded if re.search("gomoku|checkers|junqi|carrom", name)]
    begin(page, "renju")
    play(page, " ".join(THREES))
    assert "禁手" in point(page, "i8").get_attribute("aria-label")
    point(page, "i8").click()
    said(page, "I8 是三三禁手")
    assert page.locator(".g-mark").count() == 5
    point(page, "h9").click()
    said(page, "已经有棋子")
    page.evaluate(
        """() => {
          for (const name of document.querySelectorAll('.g-name'))
            for (const stone of document.querySelectorAll('#play-board .g-stone'))
              if (!(stone.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING))
                throw new Error(`${name.textContent} lies below a stone`);
        }"""
    )
    page.click("#back")
    said(page, "已经悔棋")
    play(page, "a5 h7 a7 h6 a9 h5 a11")
    page.reload()
    page.locator("#moves button").nth(13).wait_for()
    page.click("#step-first")
    page.locator("#turn", has_text="第 0 着").wait_for()
    page.locator("#play-board .g-stone").wait_for(state="detached")
    page.click("#step-last")
    play(page, "h4")
    said(page, "黑方：H4。 黑方胜：五连。")
    assert "连成五" in point(page, "h6").get_attribute("aria-label")
    assert page.locator("#play-board .g-win").count() == 2
    point(page, "o1").click()
    said(page, "可以悔棋，或者开新局")
    page.click("#more")
    with page.expect_download() as download:
        page.click("#save")
    assert download.value.suggested_filename.endswith(".sgf")
    saved = Path(download.value.path()).read_bytes()
    page.click("#new")
    page.set_input_files("#file", {"name": "a.sgf", "mimeType": "", "buffer": saved})
    page.locator("#moves button").nth(14).wait_for()
    said(page, "黑方胜")
    page.click("#new")
    page.click("#kind-xiangqi")
    point(page, "e9").wait_for()  # its empty board is there at once
    page.click("#start-return")
    assert "黑子" in point(page, "h4").get_attribute("aria-label")


def test_a_game_by_keys(open_page: Any) -> None:
    page = open_page()
    page.locator("#kind-gomoku").focus()
    page.keyboard.press("Enter")
    page.locator("#start-two", has_text="两人对下").focus()
    page.keyboard.press("Enter")
    said(page, "开局")
    point(page, "h8").focus()  # where Tab comes in: the middle
    at = [8, 8]
    for name in ["h8", "a1", "h9", "b1", "h10", "c1", "h11", "d1", "h12"]:
        goal = ["abcdefghijklmno".index(name[0]) + 1, int(name[1:])]
        for axis, keys in enumerate((("Left", "Right"), ("Down", "Up"))):
            step = goal[axis] - at[axis]
            for _ in range(abs(step)):
                page.keyboard.press(f"Arrow{keys[step > 0]}")
        at = goal
        assert page.evaluate("document.activeElement.dataset.square") == name
        page.keyboard.press("Enter")
        said(page, f"[黑白]方：{name.upper()}。")
    said(page, "黑方胜：五连")
    stops = page.locator("#play-board .points [tabindex='0']")
    assert stops.count() == 1


def test_a_stone_is_confirmed_where_people_want_it(open_page: Any) -> None:
    page = open_page()
    begin(page)
    page.click("#more")
    page.click("#confirm")
    point(page, "h8").click()
    page.locator("#ask-text", has_text="黑子下在 H8，对吗").wait_for()
    assert page.locator(".g-stone.ghost").count() == 1
    page.click("#ask-no")
    assert page.locator(".g-stone").count() == 1  # the sample beside the board
    point(page, "h9").click()
    page.click("#ask-yes")
    page.locator("#moves button").nth(0).wait_for()


def test_a_small_screen_shows_a_stone_before_it_counts(open_page: Any) -> None:
    page = open_page(width=390, height=844)
    begin(page)
    point(page, "h8").click()
    said(page, "黑子要下在 H8，再点一次落子")
    point(page, "h9").click()
    said(page, "黑子要下在 H9")
    assert page.locator("#moves button").count() == 0
    point(page, "h9").click()
    said(page, "黑方：H9。")


def numbers(page: Any, where: str) -> None:
    """Sizes, contrast and targets in every text size, plain and high contrast."""
    for contrast in ("usual", "high"):
        for size in SIZES:
            found = page.evaluate(MEASURE)
            at = (where, size, contrast)
            assert found["seen"] > 15, at
            for fault in ("small", "low", "pale"):
                assert not found[fault], (*at, fault, found[fault])
            assert found["wide"] <= 0, (*at, found["wide"])
            page.click("#size")
        page.click("#contrast")


@pytest.mark.parametrize(
    ("width", "height", "apart"), [(1280, 1000, 60), (1024, 768, 44), (390, 844, 24)]
)
def test_the_numbers_for_seniors(open_page: Any, width: int, height: int, apart: int) -> None:
    page = open_page(width=width, height=height)
    page.click("#kind-gomoku")
    page.locator("#option-rules").wait_for()
    numbers(page, f"menu {width}")
    page.click("#start-two")
    said(page, "开局")
    a, b = (point(page, name).bounding_box() for name in ("a1", "b2"))
    assert b["x"] - a["x"] >= apart
    assert a["y"] - b["y"] >= apart
    if width >= 1024:  # the whole board is on the screen
        assert point(page, "a1").bounding_box()["y"] + apart <= height
        assert page.evaluate("document.documentElement.scrollHeight") <= height + 1
    page.click("#more")
    numbers(page, f"game {width}")


def test_names_for_screen_readers(open_page: Any) -> None:
    page = open_page()
    begin(page)
    play(page, "h8 i9")
    labels = page.evaluate(
        "[...document.querySelectorAll('#play-board .points button')].map((b) => b.ariaLabel)"
    )
    assert len(set(labels)) == 225
    assert {"黑子，H8", "白子，I9，上一步", "空，A1"} <= set(labels)
