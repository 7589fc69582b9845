"""Answers that come late, twice or not at all: nothing told is wiped out, nothing done is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import httpx

from tests.hall.conftest import Hall
from tests.hall.test_arbiter_page import BOARD, CHASE, desk, put, walk
from tests.hall.test_pages import play, point, said, two
from tests.hall.test_puzzles import begin as begin_puzzle
from tests.hall.test_puzzles import some
from tests.hall.test_shared_screen import begin, uncover

NO = {"error": "没有做成"}


def fail(page: Any, path: str, method: str = "POST") -> None:
    """Requests of a path fail, with a status that is no fault of the page."""

    def answer(route: Any) -> None:
        if route.request.method == method:
            route.fulfill(status=422, json=NO)
        else:
            route.fallback()

    page.route(path, answer)


def held(page: Any, path: str, which: Callable[[str], bool] = lambda _: True) -> list[Any]:
    """Requests of a path that wait until they are let go."""
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        if which(route.request.post_data or ""):
            waiting.append(route)
        else:
            route.fallback()

    page.route(path, hold)
    return waiting


def let_go(page: Any, waiting: list[Any]) -> None:
    """Let the held requests go, and the page have their answers."""
    for _ in range(200):
        if waiting:
            break
        page.wait_for_timeout(20)
    while waiting:
        route = waiting.pop(0)
        with page.expect_response(route.request.url):
            route.continue_()
    page.wait_for_timeout(200)


class Line:
    """The WebSockets of a page, with the test between it and the hall."""

    def __init__(self, page: Any) -> None:
        self.down: list[Any] | None = None
        """Messages of the hall that are held back, or None: they pass."""
        self.deaf = ""
        """What a message of the page contains that never reaches the hall."""
        self.answers: dict[str, str] = {}
        """What the page is answered in place of the hall, by a part of its message."""
        page.route_web_socket(re.compile("/ws/games/"), self._open)

    def _open(self, socket: Any) -> None:
        self.socket, self.hall = socket, socket.connect_to_server()
        socket.on_message(self._up)
        self.hall.on_message(self._down)

    def _up(self, message: str) -> None:
        for part, answer in self.answers.items():
            if part in message:
                self.socket.send(answer.replace('"N"', str(json.loads(message).get("n"))))
                return
        if not self.deaf or self.deaf not in message:
            self.hall.send(message)

    def _down(self, message: str) -> None:
        if self.down is None:
            self.socket.send(message)
        else:
            self.down.append(message)


# ---------------------------------------------------------------- games


def test_what_was_wrong_with_a_file_outlasts_a_slow_answer(open_page: Any) -> None:
    page = open_page()
    line = Line(page)
    line.down = []
    page.reload()
    page.locator("#start-two:visible").wait_for()
    record = '[Event "a"]\n\n1. h2e2 *\n\n[Event "b"]\n\n1. b2e2 *\n'
    page.set_input_files("#file", {"name": "a.pgn", "mimeType": "", "buffer": record.encode()})
    page.locator("#game:visible").wait_for()
    page.wait_for_timeout(600)
    for message in line.down:
        line.socket.send(message)
    line.down = None
    said(page, "红方：炮二平五.*文件里有 2 局")
    assert page.locator("#say.wrong").count() == 1


def test_a_game_that_cannot_be_opened_says_why(open_page: Any) -> None:
    page = open_page()
    two(page)

    def refuse(socket: Any) -> None:
        def hang_up(_: str) -> None:
            socket.send('{"type": "error", "text": "这局棋的存档打不开"}')
            socket.close()

        socket.on_message(hang_up)

    page.route_web_socket(re.compile("/ws/games/"), refuse)
    page.reload()
    said(page, "存档打不开")
    page.wait_for_timeout(1200)  # it tries again and again
    assert page.text_content("#say") == "这局棋的存档打不开"


def test_a_line_that_was_cut_tells_what_counted(open_page: Any) -> None:
    page = open_page()
    line = Line(page)
    page.reload()
    two(page)
    play(page, "h2e2")
    line.socket.close()
    said(page, "正在重新连接")
    said(page, "^又连上了。$")
    assert page.locator("#say.wrong").count() == 0
    line.deaf = '"move"'
    point(page, "h9").click()
    point(page, "g7").click()
    page.wait_for_timeout(100)
    line.deaf = ""
    line.socket.close()
    said(page, "又连上了。刚才的那一步没有算数")
    play(page, "h9g7")
    said(page, "黑方：马8进7")


def test_news_of_a_game_while_another_board_is_shown(open_page: Any, hall: Hall) -> None:
    page = open_page()
    two(page)
    [kept] = page.evaluate("JSON.parse(localStorage['qiyuan.games'])")
    page.click("#new")
    page.click("#kind-gomoku")
    point(page, "o15").wait_for()
    game = f"/api/games/{kept['id']}", {"authorization": f"Bearer {kept['token']}"}
    hall.do(game, "move", move="h2e2")
    said(page, "红方：炮二平五")
    point(page, "o15").wait_for()
    page.click("#start-return")
    page.locator("#play-board [data-square=e2][aria-label^='红炮']").wait_for()
    assert page.locator("#moves button").count() == 1


def test_the_kind_that_was_chosen_last_has_the_board(open_page: Any) -> None:
    page = open_page()
    page.locator("#kind-gomoku").wait_for()
    waiting = held(page, "**/static/gomoku.js")
    page.click("#kind-gomoku")
    page.click("#kind-checkers")
    point(page, "q1").wait_for()
    let_go(page, waiting)
    assert point(page, "q1").count() == 1


def test_two_clicks_are_one_army(open_page: Any) -> None:
    """The second one would be the other side's army."""
    page = open_page()
    begin(page, "junqi", rules="luzhan")
    uncover(page, "南")
    page.locator("#army-done").wait_for()
    page.evaluate("for (const _ of '12') document.getElementById('army-done').click()")
    page.locator("#cover-text", has_text="请把屏幕交给北方（蓝）布阵").wait_for()
    assert page.locator("#moves button").count() == 1


def test_ranks_are_shown_in_their_own_turn_alone(open_page: Any, hall: Hall) -> None:
    """South asks for its ranks, the turn passes, and then the answer comes."""
    page = open_page()
    line = Line(page)
    page.reload()
    begin(page, "junqi", rules="luzhan")
    page.locator("#cover").wait_for()
    [kept] = page.evaluate("JSON.parse(localStorage['qiyuan.games'])")
    game = f"/api/games/{kept['id']}", {"authorization": f"Bearer {kept['token']}"}
    army = hall.do(game, "ask", question={"of": "armies"}).json()["armies"][0]["army"]
    line.down = []
    page.click("#uncover")
    for _ in range(200):
        if line.down:
            break
        page.wait_for_timeout(20)
    answer, line.down = line.down, None
    hall.do(game, "move", move=f"army {army}")
    page.locator("#cover-text", has_text="北方（蓝）").wait_for()
    for message in answer:
        line.socket.send(message)
    said(page, "请再按一次")
    assert page.locator("#cover").count() == 1
    assert page.locator("#army-done").count() == 0


def test_a_shelf_with_rubbish_on_it(open_page: Any) -> None:
    page = open_page()
    page.route("**/static/later.js", lambda route: route.fulfill(status=422))
    later = {"id": "a", "token": "b", "game": "later", "title": "后来的棋"}
    rubbish: list[Any] = [[None, 5, {"id": "x"}, [], later], {"0": None}, "x"]
    for one in rubbish:
        page.evaluate("(it) => { localStorage['qiyuan.games'] = JSON.stringify(it); }", one)
        page.reload()
        page.locator("#start-two:visible").wait_for()
        assert page.locator("#shelf").is_hidden()
    page.evaluate("localStorage['qiyuan.walk'] = '{\"fen\": 3}'")
    page.evaluate('localStorage[\'qiyuan.clock\'] = \'{"clock": 3, "control": 1, "log": []}\'')
    page.evaluate("localStorage['qiyuan.set'] = '\"no position\"'")
    page.reload()
    two(page)
    page.click("#tab-rule")
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    page.click("#job-walk")
    walk(page, "h2e2")


def test_a_game_is_off_the_shelf_when_it_is_off_the_disk(open_page: Any, hall: Hall) -> None:
    page = open_page()
    two(page)
    page.click("#new")
    fail(page, "**/api/games/*", "DELETE")
    page.click("#shelf-list button:has-text('删去')")
    page.click("#shelf-list button:has-text('真的删去')")
    said(page, "没有做成")
    page.unroute("**/api/games/*")
    page.click("#start-return")
    [kept] = page.evaluate("JSON.parse(localStorage['qiyuan.games'])")
    owner = {"authorization": f"Bearer {kept['token']}"}
    httpx.delete(f"{hall.url}/api/games/{kept['id']}", headers=owner)  # in another window
    page.locator("#start:visible").wait_for()
    said(page, "这局棋已经删去")
    assert page.evaluate("localStorage['qiyuan.games']") == "[]"


def test_a_puzzle_is_kept_until_the_next_has_begun(open_page: Any) -> None:
    page = open_page()
    begin_puzzle(page, some(2))
    before = page.evaluate("localStorage['qiyuan.games']")
    fail(page, "**/api/games")
    page.get_by_role("button", name="下一题").click()
    said(page, "没有做成")
    assert page.evaluate("localStorage['qiyuan.games']") == before
    page.reload()
    page.locator(".task", has_text=f"第 {some(2).number} 题").wait_for()


def test_an_earlier_position_that_does_not_come(open_page: Any) -> None:
    page = open_page()
    line = Line(page)
    page.reload()
    two(page)
    play(page, "h2e2 h9g7")
    line.answers['"look"'] = '{"type": "error", "text": "太快了", "n": "N"}'
    page.click("#step-back")
    said(page, "太快了")
    page.locator("#turn", has_text="轮到红方").wait_for()  # not half-way between two positions
    line.answers.clear()
    page.click("#step-back")
    page.locator("#play-board [data-square=h9][aria-label^='黑马']").wait_for()


def test_an_aim_is_not_checked_behind_its_game(open_page: Any) -> None:
    page = open_page()
    begin(page, "carrom")
    page.locator("#carrom-strike").wait_for()
    page.evaluate(
        "['carrom-next', 'new', 'kind-carrom'].map((id) => document.getElementById(id).click())"
    )
    page.wait_for_timeout(500)  # a fault on the page would be reported


# ---------------------------------------------------------------- the arbiter


def test_an_answer_does_not_paint_over_another_job(open_page: Any) -> None:
    page = desk(open_page)
    waiting = held(page, "**/api/positions", lambda body: '"moves"' in body)
    page.click("#job-walk")
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    let_go(page, waiting)
    assert point(page, "d0", BOARD).get_attribute("aria-label").startswith("红帅")
    said(page, "在棋子盒里选", "#rule-say")
    page.unroute("**/api/positions")
    rulings = held(page, "**/api/rulings")
    page.click("#job-cite")
    page.click("#rule-example")
    said(page, "正在裁定", "#rule-say")
    page.click("#job-set")
    let_go(page, rulings)
    assert point(page, "d0", BOARD).get_attribute("aria-label").startswith("红帅")
    said(page, "在棋子盒里选", "#rule-say")
    page.click("#job-cite")
    said(page, "裁定：判黑方负", "#rule-say")


def test_a_line_handed_over_is_no_second_click(open_page: Any) -> None:
    page = desk(open_page)
    page.fill("#rule-fen", CHASE)
    waiting = held(page, "**/api/positions")
    page.click("#job-walk")
    page.click("#job-cite")
    page.click("#rule-enter")
    page.click("#job-walk")  # a second time: it must not bring the old line back
    for _ in range(3):
        let_go(page, waiting)
    page.unroute("**/api/positions")
    page.locator("#rule-board [data-square=f3][aria-label^='黑马']").wait_for()


def test_two_presses_take_two_moves_off(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#job-walk")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    walk(page, "h2e2", "h9g7", "h0g2")
    page.evaluate("for (const _ of '12') document.getElementById('walk-back').click()")
    said(page, "走了 1 着", "#walk-times")


def test_what_is_set_up_outlasts_a_failed_check(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    fail(page, "**/api/positions")
    put(page, "红车", "a5")
    page.locator("#set-defects", has_text="还没有检查：没有做成").wait_for()
    assert page.locator("#set-go").is_disabled()
    page.reload()
    page.unroute("**/api/positions")
    page.click("#job-cite")
    page.click("#job-set")
    page.locator("#set-defects", has_text="没有错误").wait_for()
    assert point(page, "a5", BOARD).get_attribute("aria-label").startswith("红车")
    page.click("#set-go")
    page.locator("#walk-turn", has_text="轮到红方走").wait_for()
    page.locator("#rule-board [data-square=a5][aria-label^='红车']").wait_for()


def test_a_change_that_failed_is_as_it_was(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#rule-example")
    page.locator("#ruling-head:visible").wait_for()
    page.click("#claim-grounds button:has-text('自然限着')")
    said(page, "不成立", "#rule-say")
    fail(page, "**/api/rulings")
    page.locator("#claim-answers").get_by_role("button", name="撤销").click()
    said(page, "没有做成", "#rule-say")
    page.click("#job-set")
    page.click("#job-cite")
    said(page, "没有做成", "#rule-say")  # also to whoever comes back
    page.unroute("**/api/rulings")
    page.get_by_label("黑方", exact=True).first.check()
    page.click("#claim-grounds button:has-text('自然限着')")
    page.locator("#claim-answers li").nth(1).wait_for()


def test_a_change_that_fails_takes_no_other_along(open_page: Any) -> None:
    """One while the ruling on the other is still on its way."""
    page = desk(open_page)
    page.click("#rule-example")
    page.locator("#ruling-head:visible").wait_for()
    waiting = held(page, "**/api/rulings")
    page.click("#claim-grounds button:has-text('自然限着')")
    page.get_by_label("黑方", exact=True).first.check()
    page.click("#claim-grounds button:has-text('自然限着')")
    page.click("#change-correct")  # says something, when both are on their way
    said(page, "请写出正确的着法", "#rule-say")
    waiting.pop(0).fulfill(status=422, json=NO)
    let_go(page, waiting)
    page.locator("#claim-answers li", has_text="黑方提出").wait_for()
    assert page.locator("#claim-answers li").count() == 1


def test_a_flag_that_fell_behind_a_closed_page_is_told(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#job-clock")
    page.locator("#clock-preset option").nth(6).wait_for(state="attached")
    said(page, "选好用时", "#rule-say")
    page.click("#clock-go")
    page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage['qiyuan.clock']);
          kept.clock.since -= 1e8;
          addEventListener('pagehide', () => {
            localStorage['qiyuan.clock'] = JSON.stringify(kept);
          });
        }"""
    )
    page.reload()
    said(page, "红方时间到", "#rule-say")
    page.click("#job-set")
    page.click("#job-clock")
    said(page, "红方时间到", "#rule-say")


def test_evidence_is_in_the_words_of_the_board(open_page: Any) -> None:
    page = desk(open_page)
    page.click("#rule-example")
    page.locator("#ruling-head:visible").wait_for()
    page.get_by_role("button", name="76. 黑").click()
    page.locator("#rule-evidence", has_text="黑车（第4行四路）将军").wait_for()
    assert not re.search("[a-i][0-9]", page.text_content("#rule-evidence"))
    assert point(page, "f3", BOARD).get_attribute("aria-label").startswith("黑车，第4行四路")
