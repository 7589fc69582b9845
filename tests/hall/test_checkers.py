"""跳棋 in the hall: the service, and the page for two to six people."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import httpx
import pytest

from checkers import Board
from checkers.geometry import HOLE_NAMES, home, opposite
from checkers.notation import EMPTY, Setup, write_position
from checkers.svg import COLORS
from qiyuan.hall.faces import face
from tests.hall.conftest import Hall
from tests.hall.test_gomoku import numbers
from tests.hall.test_pages import point, said
from tests.hall.test_service import channel, until


def checkers(hall: Hall, players: int = 2, rules: str = "club2008", **more: Any) -> Any:
    options = {"players": str(players), "rules": rules}
    return hall.new(game="checkers", mode="two", options=options, **more)


def hole(name: str) -> int:
    return HOLE_NAMES.index(name)


def almost_home(camps: tuple[int, ...]) -> str:
    """Every seat has nine pieces in its goal and the tenth one step before it."""
    owners = [EMPTY] * 121
    before = {0: ("n1", "m5"), 2: ("e4", "e5"), 4: ("e10", "e9")}
    for camp in camps:
        for at in home(opposite(camp)):
            owners[at] = camp
        inside, outside = map(hole, before[camp])
        owners[inside], owners[outside] = EMPTY, camp
    return write_position(
        Setup(tuple(owners), 0, camps, 10, frozenset(), (), (), {})  # all counters at their start
    )


def test_turns_jumps_and_refusals(hall: Hall) -> None:
    game = checkers(hall)
    state = hall.look(game)
    assert state["seats"] == ["橙方", "深蓝方"]
    board = Board()
    shown = {(int(a), b) for a, goals in state["position"]["legal"].items() for b in goals}
    assert shown == {tuple(move) for move in board.legal_moves}
    hall.do(game, "move", move="d1:e5")
    hall.do(game, "move", move="n1:m5")
    hall.do(game, "move", move="b1:f4")
    last = hall.look(game)["moves"][-1]
    assert last["zh"] == "B1 跳到 F4，连跳 2 次"
    assert [HOLE_NAMES[at] for at in last["path"]] == ["b1", "d1", "f4"]
    refused = hall.do(game, "move", move="q1:i5")
    assert refused.status_code == 422
    assert "都到不了 i5（S0-TQ-6）" in refused.json()["error"]
    assert hall.do(game, "move", move="pass").status_code == 422
    hall.do(game, "back")
    assert hall.look(game)["position"]["owners"][hole("b1")] == 0
    assert hall.do(game, "look", ply=0).json()["position"]["owners"] == list(Board().owners)


def test_three_people_play_for_places(hall: Hall) -> None:
    game = checkers(hall, 3, "party", start=almost_home((0, 2, 4)))
    assert hall.look(game)["seats"] == ["橙方", "浅蓝方", "黄方"]
    hall.do(game, "move", move="m5:n1")
    state = hall.look(game)
    assert state["position"]["say"] == "橙方全部到家，第1名！"
    assert state["position"]["places"] == [0]
    assert state["result"] is None
    assert state["turn"] == 1
    assert hall.do(game, "resign").status_code == 422  # two are left to play on
    hall.do(game, "move", move="e5:e4")
    state = hall.look(game)
    assert state["result"]["text"] == "下完了：第一名橙方，第二名浅蓝方，最后是黄方。"
    assert state["result"]["winner"] == 0
    hall.do(game, "back")
    assert hall.look(game)["turn"] == 1
    assert hall.look(game)["result"] is None


def test_who_cannot_move_passes(hall: Hall) -> None:
    owners = [EMPTY] * 121
    owners[hole("a1")] = 0
    for name in ("b1", "b2", "c1", "c3"):
        owners[hole(name)] = 3
    setup = Setup(tuple(owners), 0, (0, 3), 10, frozenset(), (), (), {})
    game = checkers(hall, start=write_position(setup))
    state = hall.look(game)
    assert state["position"]["pass"]
    assert state["position"]["legal"] == {}
    assert state["position"]["say"] == "无棋可走，只能停一着。"
    hall.do(game, "move", move="pass")
    assert hall.look(game)["moves"][0] == {"seat": 0, "zh": "停一着", "path": []}
    assert hall.look(game)["turn"] == 1


def test_every_number_of_people_and_every_rule_begins(hall: Hall) -> None:
    players, rules = (option.choices for option in face("checkers").options)
    for count in players:
        for name in rules:
            made = hall.post(
                "/api/games",
                {"game": "checkers", "mode": "two", "options": {"players": count, "rules": name}},
            )
            if name == "big15" and count != "2":
                assert made.status_code == 422
                assert "两人" in made.json()["error"]
            else:
                assert made.status_code == 201, (count, name)
                game = (
                    f"/api/games/{made.json()['id']}",
                    {"authorization": f"Bearer {made.json()['token']}"},
                )
                assert len(hall.look(game)["seats"]) == int(count)
    other = hall.post(
        "/api/games", {"game": "checkers", "mode": "two", "start": almost_home((0, 2, 4))}
    )
    assert other.status_code == 422  # a position of three for a game of two
    assert "三" in other.json()["error"] or "3" in other.json()["error"]


def test_records_go_out_and_come_in(hall: Hall) -> None:
    path, owner = checkers(hall, 3, "party", moves=["c1:e5", "j10:i9"])
    data = httpx.get(f"{hall.url}{path}/file", headers=owner).content
    [read] = httpx.post(f"{hall.url}/api/records?game=checkers", content=data).json()
    assert read["moves"] == ["c1:e5", "j10:i9"]
    assert read["options"] == {"players": "3", "rules": "party"}
    assert read["defects"] == []
    strange = b'[Rules "openspiel"]\n\n1. c1>e5 *\n'
    answer = httpx.post(f"{hall.url}/api/records?game=checkers", content=strange)
    assert answer.status_code == 422
    assert "规则" in answer.json()["error"]


def test_two_computers_answer_one_person(hall: Hall) -> None:
    game = hall.new(
        game="checkers", mode="computer", level=2, options={"players": "3", "rules": "party"}
    )
    with channel(hall, game) as line:
        line.send('{"do": "move", "move": "c1:e5", "n": 1}')
        until(line, "done", n=1)
        while len(hall.look(game)["moves"]) < 3:
            until(line, "state")
        assert [move["seat"] for move in hall.look(game)["moves"]] == [0, 1, 2]
        hint = hall.do(game, "hint").json()
        assert re.match("建议 [A-Q][0-9]+ (走到|跳到)", hint["text"])
        line.send('{"do": "back", "n": 2}')
        until(line, "done", n=2)
    assert hall.look(game)["moves"] == []


# ---------------------------------------------------------------- the page


def begin(page: Any, players: int = 2, rules: str = "club2008") -> None:
    page.click("#kind-checkers")
    page.select_option("#option-players", str(players))
    page.select_option("#option-rules", rules)
    page.click("#start-two")
    said(page, "开局")


def play(page: Any, moves: str) -> None:
    for text in moves.split():
        count = page.locator("#moves button").count()
        for name in text.split(":"):
            point(page, name).click()
        page.locator("#moves button").nth(count).wait_for()


def test_a_game_of_three_by_clicks(open_page: Any) -> None:
    page = open_page()
    begin(page, 3, "party")
    point(page, "d1").click()
    said(page, "选了橙子 D1，有 2 个地方可到")
    assert "可以到" in point(page, "e5").get_attribute("aria-label")
    assert point(page, "d1").get_attribute("aria-pressed") == "true"
    point(page, "i5").click()
    said(page, "都到不了 i5")
    point(page, "e5").click()
    said(page, "橙方：D1 走到 E5。")
    point(page, "d2").click()
    said(page, "现在轮到浅蓝方走")
    play(page, "j10:i9 j1:i1 b1:f4")
    said(page, "橙方：B1 跳到 F4，连跳 2 次。")
    assert len(page.locator(".c-way").first.get_attribute("points").split()) == 3
    assert "橙方" in page.locator("#moves button").nth(3).text_content()
    before = point(page, "a1").bounding_box()["y"]
    page.click("#more")
    page.click("#flip")
    assert point(page, "a1").bounding_box()["y"] < before
    page.reload()
    page.locator("#moves button").nth(3).wait_for()
    page.click("#step-first")
    page.locator("#turn", has_text="第 0 着").wait_for()
    page.locator(".c-way").first.wait_for(state="detached")
    page.click("#step-last")
    page.click("#back")
    said(page, "已经悔棋")
    assert page.locator("#turn", has_text="橙方").count() == 1


def test_every_hole_by_keys(open_page: Any) -> None:
    """Along every row and from row to row; a move is made without a pointer."""
    page = open_page()
    begin(page)
    point(page, "i5").focus()
    here = "document.activeElement.dataset.square"

    def walk(key: str) -> list[str]:
        names = [page.evaluate(here)]
        while True:
            page.keyboard.press(f"Arrow{key}")
            names.append(page.evaluate(here))
            if names[-1] == names[-2]:
                return names

    seen = set(walk("Up"))
    for _ in range(17):
        seen |= set(walk("Left")) | set(walk("Right"))
        page.keyboard.press("ArrowDown")
    assert seen == set(HOLE_NAMES)
    assert page.evaluate(here)[0] == "a"  # the first seat sits below
    point(page, "d1").press("Enter")
    page.keyboard.press("Escape")
    assert point(page, "d1").get_attribute("aria-pressed") == "false"
    point(page, "d1").press("Enter")
    page.keyboard.press("ArrowUp")
    goal = page.evaluate(here)
    assert goal in ("e5", "e6")  # D1 is one of two above which the row begins
    page.keyboard.press("Enter")
    said(page, f"橙方：D1 走到 {goal.upper()}。")


def test_who_cannot_move_finds_a_button(open_page: Any, hall: Hall) -> None:
    owners = [EMPTY] * 121
    owners[hole("a1")] = 0
    for name in ("b1", "b2", "c1", "c3"):
        owners[hole(name)] = 3
    start = write_position(Setup(tuple(owners), 0, (0, 3), 10, frozenset(), (), (), {}))
    page = open_page()
    made = hall.post("/api/games", {"game": "checkers", "mode": "two", "start": start}).json()
    page.evaluate(
        "(one) => localStorage.setItem('qiyuan.games', JSON.stringify([one]))",
        {**made, "game": "checkers", "title": "跳棋"},
    )
    page.reload()
    said(page, "无棋可走")
    page.click("#own button")
    said(page, "橙方：停一着")
    page.locator("#own button").wait_for(state="hidden")


def test_the_colours_of_the_page_are_those_of_the_pictures() -> None:
    sheet = (files("qiyuan.hall.static") / "hall.css").read_text("utf-8")
    for camp, color in enumerate(COLORS):
        assert re.search(rf"\.c-{camp} {{ --camp: {color.lower()};", sheet), camp


@pytest.mark.parametrize(
    ("width", "height", "apart"), [(1280, 1000, 60), (1024, 768, 44), (390, 844, 28)]
)
def test_the_numbers_for_seniors(open_page: Any, width: int, height: int, apart: int) -> None:
    page = open_page(width=width, height=height)
    page.click("#kind-checkers")
    page.locator("#option-players").wait_for()
    numbers(page, f"menu {width}")
    page.click("#start-two")
    said(page, "开局")
    a, b = (point(page, name).bounding_box() for name in ("i5", "i6"))
    assert abs(b["x"] - a["x"]) >= apart
    c = point(page, "h5").bounding_box()  # in the next row
    assert ((c["x"] - a["x"]) ** 2 + (c["y"] - a["y"]) ** 2) ** 0.5 >= apart
    if width >= 1024:
        assert page.evaluate("document.documentElement.scrollHeight") <= height + 1
    page.click("#more")
    play(page, "d1:e5")
    numbers(page, f"game {width}")


def test_names_for_screen_readers(open_page: Any) -> None:
    page = open_page()
    begin(page, 6, "party")
    labels = page.evaluate(
        "[...document.querySelectorAll('#play-board .points button')].map((b) => b.ariaLabel)"
    )
    assert len(set(labels)) == 121
    assert {"橙子，A1，橙方的角", "空，I5"} <= set(labels)
