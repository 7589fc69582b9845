"""康乐棋 in the hall: the kept lines give the same bits again, films end where the shot ended."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import httpx
import pytest

from carrom import Stroke, Table, records
from carrom.equipment import PRESETS
from qikit.errors import GameError
from qiyuan.hall.faces.carrom import FACE, film, name_zh
from tests.hall.conftest import Hall


def game(seed: int, strikes: int, **options: str) -> tuple[Table, list[str]]:
    table = FACE.start("", FACE.chosen(options))
    rng, lines = Random(seed), []
    for _ in range(strikes):
        if table.outcome() is not None:
            break
        stroke = table.random_stroke(rng, aimed=rng.random() < 0.8)
        lines.append(FACE.play(table, str(stroke))[0])
    return table, lines


@pytest.mark.parametrize("equipment", sorted(PRESETS))
def test_films_end_where_the_shot_ended(equipment: str) -> None:
    table, _ = game(3, 40, equipment=equipment)
    fell = 0
    for ruling in table.rulings:
        shown = film(ruling)
        assert set(shown["tracks"]) == {final.id for final in ruling.shot.final}
        for final in ruling.shot.final:
            track = shown["tracks"][final.id]
            assert len(track) in (1, shown["frames"])
            if final.pocketed or final.off:
                fell += 1
                assert track[-1] is None
            else:
                assert track[-1][:2] == pytest.approx([final.x, final.y], abs=1e-6)
        events = [event.a for event in ruling.shot.events if event.type in ("pocket", "fly-off")]
        assert [one["zh"] for one in shown["gone"]] == [name_zh(name) for name in events]
        assert len(json.dumps(shown)) < 250_000
    assert fell > 3


def test_lines_give_the_same_bits_again() -> None:
    table, lines = game(5, 30)
    again = FACE.start("", FACE.chosen({}))
    for line in lines:
        FACE.play(again, line)
    assert again.key == table.key
    assert json.dumps(FACE.view(again)) == json.dumps(FACE.view(table))
    assert [r.shot.digest() for r in again.rulings] == [r.shot.digest() for r in table.rulings]
    for line in reversed(lines):
        assert str(table.peek()) == line
        FACE.take_back(table)
    assert table.key == FACE.start("", FACE.chosen({})).key


def test_files_hold_the_game(tmp_path: Any) -> None:
    table, lines = game(6, 20, rules="open", equipment="novuss", first="1")
    data = FACE.file(table, "qiyuan-carrom", None, "")
    assert records.loads(data.decode()).defects == []
    [found] = FACE.read(data)
    assert found["moves"] == lines
    assert found["options"] == {"rules": "open", "equipment": "novuss", "first": "1"}
    table.strike(table.random_stroke(Random(1)), "sweep")
    [partly] = FACE.read(FACE.file(table, "qiyuan-carrom", None, ""))
    assert partly["moves"] == lines
    assert "第 21 击" in partly["defects"][0]
    strange = data.replace(b'"mu": 0.', b'"mu": 0.9')
    assert strange != data
    with pytest.raises(GameError):
        FACE.read(strange)


def test_what_is_said_names_the_rules_and_the_discs() -> None:
    table = FACE.start("", FACE.chosen({}))
    _, told = FACE.play(table, "0.38,-0.38 -0.38,0.5 v=3")
    assert "碉堡未进洞，放回原位，击打权交给对方（S0-KL-7）。" in told["say"]
    assert told["steps"][0] == ["下方击打，先打碉堡。", "S0-KL-14"]
    played, _ = game(4, 120)
    said = " ".join(ruling["say"] for ruling in (FACE.play(*pair)[1] for pair in replayed(played)))
    assert "打进己方棋子" in said
    assert not re.search(r"[AB]\d|F[01]", said)  # people are told 红3号, not A3


def replayed(table: Table) -> Any:
    """The strokes of a game, each with the table before it."""
    again = FACE.start("", FACE.chosen({}))
    for stroke in table.move_stack:
        yield again, str(stroke)


def test_why_a_stroke_is_not_allowed() -> None:
    table = FACE.start("", FACE.chosen({}))
    for text, rule in {
        "0.38,-0.38 1.0,-1.0 v=3": "S0-KL-10",
        "0.0,0.0 0.0,1.0 v=3": "S0-KL-13",
        "0.38,-0.38 0.0,1.0 v=3 f=0.9": "S0-KL-9",
        "0.38,-0.38 0.0,1.0 v=99": "S0-KL-10",
    }.items():
        why = FACE.answer(table, {"of": "aim", "stroke": text})["why"]
        assert rule in why
        assert "(" not in why
        with pytest.raises(GameError, match=rule):
            FACE.play(table, text)
        assert FACE.refusal(table, text) == (why, ())
    allowed = {"of": "aim", "stroke": "0.38,-0.38 0.0,1.0 v=3"}
    assert FACE.answer(table, allowed) == {"why": None}
    for question in ({"of": "film", "stroke": 1}, {"of": "aim", "stroke": "x"}, {"of": 3}, {}):
        with pytest.raises(GameError):
            FACE.answer(table, question)
    with pytest.raises(GameError):
        FACE.start("a position", FACE.chosen({}))


def test_a_game_resumes_with_every_bit(tmp_path: Any) -> None:
    made = Hall(tmp_path / "games.sqlite3")
    try:
        played, lines = game(9, 12)
        name = made.new(game="carrom", mode="two", moves=lines[:6])
        for line in lines[6:]:
            assert made.do(name, "move", move=line).status_code == 200
        refused = made.do(name, "move", move="0.38,-0.38 1.0,-1.0 v=3")
        assert refused.json()["error"].endswith("（S0-KL-10）。")
        outside = made.do(name, "move", move="0,0 0,1 v=3")
        assert outside.json()["error"] == "母子没有压到右边角圆圈（S0-KL-13）。"
        before = made.look(name)
        ask = {"of": "film", "stroke": 12}
        shown = made.do(name, "ask", question=ask).json()
        made.kill()
        made.start()
        after = made.look(name)
        assert after["position"] == before["position"]
        places = {one["id"]: one["at"] for one in after["position"]["pieces"]}
        for piece, place in played.position.pieces.items():
            assert places[piece] == [place.x, place.y]
        again = made.do(name, "ask", question=ask).json()
        assert again["tracks"] == shown["tracks"]
        path, owner = name
        file = httpx.get(f"{made.url}{path}/file", headers=owner, timeout=60)
        record = records.loads(file.text)
        assert record.defects == []
        assert record.table.key == played.key
        assert isinstance(Stroke.parse(lines[0]), Stroke)
        made.do(name, "back")
        played.pop()
        assert len(made.look(name)["moves"]) == 11
        made.do(name, "resign")
        loser = played.turn
        assert made.look(name)["result"]["winner"] == 1 - loser
    finally:
        made.stop()
