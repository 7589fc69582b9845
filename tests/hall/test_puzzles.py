"""残局 in the hall: the list, the longest defence, kind words after a wrong move, the solution."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from ai.puzzles import Puzzle, puzzles
from qiyuan.hall.faces.puzzles import FACE
from tests.hall.conftest import Hall
from tests.hall.test_pages import MEASURE, SIZES, point, said
from tests.hall.test_service import channel, until
from xiangqi import Board, Move
from xiangqi.mates import Prover


def wrong_move(one: Puzzle) -> str:
    """A first move that gives the mate away, without being mated or having mated at once."""
    board, prover = Board(one.fen), Prover()
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        going_on = len(after.legal_moves) and prover.distance(after, 1) is None
        if str(move) != one.line[0] and going_on:
            return str(move)
    raise AssertionError(one.number)


def some(moves: int) -> Puzzle:
    return next(one for one in puzzles() if one.moves == moves)


def test_the_list_hides_the_solutions(hall: Hall) -> None:
    rows = httpx.get(f"{hall.url}/api/puzzles").json()
    assert [row["fen"] for row in rows] == [one.fen for one in puzzles()]
    assert set(rows[0]) == {"number", "fen", "moves", "task", "theme", "grade", "grade_zh"}
    api = httpx.get(f"{hall.url}/api/openapi.json").json()
    assert "PuzzleItem" in api["components"]["schemas"]
    assert "/api/puzzles" in api["paths"]


def test_only_puzzles_of_the_shelf_are_begun(hall: Hall) -> None:
    refused = hall.post("/api/games", {"game": "puzzles", "level": 1, "start": Board().fen()})
    assert refused.status_code == 422
    assert "架上没有" in refused.json()["error"]
    game = hall.new(game="puzzles", level=1, start=some(2).fen)
    for action in ("resign", "offer", "review"):
        assert hall.do(game, action).status_code == 422
    assert hall.do(game, "ask", question={"answer": 42}).status_code == 422


def test_the_longest_defence_is_played_to_the_end(hall: Hall) -> None:
    one = some(3)
    game = hall.new(game="puzzles", level=1, start=one.fen)
    with channel(hall, game) as line:
        for ply, text in enumerate(one.line[::2]):
            line.send(json.dumps({"do": "move", "move": text, "n": ply}))
            while True:
                state = until(line, "state")["state"]
                if state["result"] or len(state["moves"]) == 2 * ply + 2:
                    break
            assert not state["notice"]
    assert state["result"]["winner"] == 0
    assert [Move(m["from"], m["to"]) for m in state["moves"]] == [Move.parse(m) for m in one.line]


def test_a_wrong_move_is_told_and_taken_back(hall: Hall) -> None:
    one = some(3)
    game = hall.new(game="puzzles", level=1, start=one.fen)
    with channel(hall, game) as line:
        line.send(json.dumps({"do": "move", "move": wrong_move(one), "n": 1}))
        while len((state := until(line, "state")["state"])["moves"]) < 2:
            pass
        assert "杀不成了" in state["notice"]
        assert "悔棋" in state["notice"]
        line.send(json.dumps({"do": "back", "n": 2}))
        until(line, "done", n=2)
        line.send(json.dumps({"do": "hint", "n": 3}))
        hint = until(line, "hint", n=3)
    assert [hint["from"], hint["to"]] == list(Move.parse(one.line[0]))
    assert "3 步内可以将死对方" in hint["text"]


def test_the_solution_shows_every_position(hall: Hall) -> None:
    one = some(2)
    answer = hall.do(
        hall.new(game="puzzles", level=1, start=one.fen), "ask", question={"solution": True}
    ).json()
    board = Board(one.fen)
    assert answer["start"]["codes"] == board.codes.tolist()
    for step, text in zip(answer["steps"], one.line, strict=True):
        assert step["zh"] == board.chinese(Move.parse(text))
        board.push(text)
        assert step["position"]["codes"] == board.codes.tolist()
        assert step["position"]["legal"] == {}


def test_what_is_said_of_the_way() -> None:
    one = next(one for one in puzzles() if one.sure > one.moves)
    assert FACE.notice(one, 1, one.moves - 1) == ""
    assert "慢 1 步" in FACE.notice(one, 1, one.moves)
    assert "杀不成了" in FACE.notice(one, 1, None)
    assert FACE.notice(one, one.sure + 1, None) == ""  # it has been said


# ---------------------------------------------------------------- the page


def shelf(page: Any) -> None:
    page.click("#kind-puzzles")
    page.locator(".puzzles li").first.wait_for()


def begin(page: Any, one: Puzzle) -> None:
    shelf(page)
    page.locator(f"#list [data-grade='{one.grade}']").click()
    page.locator(".puzzles button", has_text=f"{one.number}　").first.click()
    page.locator(".task", has_text=f"第 {one.number} 题").wait_for()


def play(page: Any, text: str) -> None:
    point(page, text[:2]).click()
    point(page, text[2:]).click()


def test_a_puzzle_is_solved_by_clicks(open_page: Any) -> None:
    one = some(2)
    page = open_page()
    begin(page, one)
    assert "·" not in page.locator("ul.puzzles").text_content()  # no pattern before it is done
    theme, _, pattern = one.theme.partition("·")
    assert theme in page.locator(".task").text_content()
    assert not pattern or pattern not in page.locator(".task").text_content()
    play(page, wrong_move(one))
    said(page, "杀不成了")
    page.get_by_role("button", name="悔棋，再想想").click()
    said(page, "已经悔棋")
    page.click("#hint")
    said(page, "建议走")
    play(page, one.line[0])
    page.locator("#moves button").nth(1).wait_for()
    play(page, one.line[2])
    said(page, "红方胜")
    page.locator(".task", has_text="完成").wait_for()
    page.get_by_role("button", name="下一题").click()
    page.locator(".task", has_text=f"第 {one.number + 1} 题").wait_for()
    assert page.locator("#moves button").count() == 0
    page.get_by_role("button", name="选题").click()
    page.locator(".puzzles .done").wait_for()
    assert page.locator(".puzzles .done").count() == 1
    page.get_by_role("button", name=f"接着做：第 {one.number + 2} 题").wait_for()
    page.locator("#shelf-list li").nth(1).wait_for(state="detached")
    assert page.locator("#shelf-list li").count() == 1  # of puzzles, only the last waits there
    page.reload()  # what was done is remembered
    page.get_by_role("button", name="选题").click()
    page.locator(".puzzles .done").wait_for()


def test_the_solution_step_by_step(open_page: Any) -> None:
    one = some(2)
    page = open_page()
    begin(page, one)
    page.get_by_role("button", name="看解答").click()
    said(page, "解答第 1 着，共 3 着")
    moved = point(page, one.line[0][2:])
    assert moved.get_attribute("aria-label").startswith("红")
    for step in (2, 3):
        page.get_by_role("button", name="解答下一步").click()
        said(page, f"解答第 {step} 着")
    assert page.get_by_role("button", name="解答下一步").is_disabled()
    point(page, one.line[0][:2]).click()
    said(page, "正在看解答")
    for _ in range(3):
        page.get_by_role("button", name="解答上一步").click()
    said(page, "开始的局面")
    page.get_by_role("button", name="回到棋局").click()
    said(page, "回到您的棋局")
    play(page, one.line[0])
    page.locator("#moves button").nth(1).wait_for()


def test_a_puzzle_by_keys(open_page: Any) -> None:
    one = some(1)
    page = open_page()
    page.locator("#kind-puzzles").focus()
    page.keyboard.press("Enter")
    go = page.locator(".puzzles button", has_text=f"{one.number}　").first
    go.wait_for()
    for _ in range(40):
        if go.evaluate("(button) => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".task", has_text=f"第 {one.number} 题").wait_for()
    for name in (one.line[0][:2], one.line[0][2:]):
        point(page, name).focus()
        page.keyboard.press("Enter")
    page.locator(".task", has_text="完成").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 1000), (1024, 768), (390, 844)])
def test_the_numbers_for_seniors_on_the_shelf(open_page: Any, width: int, height: int) -> None:
    page = open_page(width=width, height=height)

    def measure(where: str) -> None:
        found = page.evaluate(MEASURE)
        assert found["seen"] > 15, where
        for what in ("small", "low", "pale"):
            assert not found[what], (where, what, found[what])
        assert found["wide"] <= 0, where

    def looks(where: str) -> None:
        for contrast in ("usual", "high"):
            for size in SIZES:
                measure(f"{where} {size} {contrast} {width}")
                page.click("#size")
            page.click("#contrast")

    one = some(2)
    shelf(page)
    looks("list")
    begin(page, one)
    play(page, wrong_move(one))
    page.get_by_role("button", name="悔棋，再想想").wait_for()
    looks("lost")
    page.get_by_role("button", name="看解答").click()
    said(page, "解答第 1 着")
    looks("solution")
