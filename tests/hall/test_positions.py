"""Positions set up by hand and moves on them, as the service answers."""

from __future__ import annotations

import base64
from typing import Any

import httpx

from arbiter import grounds
from tests.hall.conftest import Hall
from xiangqi.board import Board
from xiangqi.repetition import rule_book, rule_books

CHASE = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w"


def ask(hall: Hall, fen: str, *moves: str) -> Any:
    return hall.post("/api/positions", {"fen": fen, "moves": list(moves)})


def test_every_defect_at_once(hall: Hall) -> None:
    found = ask(hall, "4k4/9/9/9/9/P8/9/9/A8/B3K4 w").json()
    assert [one["text"] for one in found["defects"]] == [
        "相不能站在 a0", "仕不能站在 a1", "将帅照面",
    ]  # fmt: skip
    assert found["playable"] is False
    assert "legal" not in found
    assert ask(hall, "9/9/9/9/9/9/9/9/9/9 w").json()["defects"][0]["text"] == "红方没有帅"
    study = ask(hall, "3k5/9/9/9/9/9/9/9/P8/4K4 w").json()
    assert study["playable"]
    assert not study["defects"][0]["fatal"]
    assert ask(hall, "4k4/9/9 w").status_code == 422


def test_moves_loops_and_refusals(hall: Hall) -> None:
    start = ask(hall, "").json()
    assert start["start"] == Board().fen()
    assert {(int(a), b) for a, goals in start["legal"].items() for b in goals} == {
        tuple(move) for move in Board().legal_moves
    }
    loop = ["a5a3", "f3g5", "a3a5", "g5f3"]
    walked = ask(hall, CHASE, *loop, *loop).json()
    assert (walked["times"], walked["round"]) == (3, 4)
    assert walked["moves"][0].items() >= {"zh": "车九退二", "from": 45, "to": 27, "side": 0}.items()
    assert ask(hall, CHASE, *loop[:3]).json()["round"] == 0
    blocked = ask(hall, "", "h2e2", "b9d8")
    assert blocked.status_code == 422
    assert blocked.json() == {"error": "马腿被 c9 的象挡住（S0-XQ-10）。", "marks": [83]}
    assert "第 2 着" in ask(hall, "", "h2e2", "胡言").json()["error"]
    assert ask(hall, "4k4/9/9/9/9/9/9/9/9/4K4 w", "e0e1").status_code == 422


def test_claims_are_offered_with_what_they_mean(hall: Hall) -> None:
    books = httpx.get(f"{hall.url}/api/rules").json()
    assert {book["id"] for book in books} == set(rule_books())
    for book in books:
        offered = [one["what"] for one in book["claims"]]
        limit = rule_book(book["id"]).natural_limit_plies
        assert ("natural_limit" in offered) == (limit is not None)
        assert book["claims"] == [ground.to_dict() for ground in grounds(book["id"])]
        for one in book["claims"]:
            assert one["meaning"].endswith("。")


def test_a_claim_is_answered_and_printed(hall: Hall) -> None:
    moves = "a5a3 f3g5 a3a5 g5f3 " * 3
    case = {
        "record": base64.b64encode(moves.encode()).decode(),
        "fen": CHASE,
        "claims": ["黑@12=must_change", "黑@7=natural_limit"],
    }
    found = hall.post("/api/rulings", case).json()
    granted, refused = found["answers"]
    assert "成立：第 12 着走完" in granted
    assert "S0-XQ-34" in refused
    assert found["articles"][0].startswith("S0-XQ-40 ")
    assert "依据" not in found["headline"]
    page = httpx.get(f"{hall.url}/rulings/{found['document']}.html").text
    assert granted in page
    assert refused in page


def test_where_a_record_stops(hall: Hall) -> None:
    case = {"record": base64.b64encode(b"h2e2 h9h8 b0c2").decode()}
    found = hall.post("/api/rulings", case).json()
    assert (len(found["moves"]), found["stop"]) == (1, "h9h8")
    found = hall.post("/api/rulings", case | {"corrections": {"2": "h9g7"}}).json()
    assert (len(found["moves"]), found["stop"]) == (3, None)
