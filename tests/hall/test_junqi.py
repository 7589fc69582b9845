"""军棋 in the hall: nothing hidden leaves it, armies are drawn up under the rules, games resume."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest

from junqi import Board, breaches, random_army, records
from junqi.geometry import BOARD_NAMES, SETUP_ORDER, board_map, point_name
from junqi.pieces import FLAG, NAMES_ZH
from junqi.setups import write_jql, write_text
from qikit.errors import GameError, IllegalMove
from qiyuan.hall.campaign import READY, Campaign
from qiyuan.hall.faces.junqi import FACE, announcement
from tests.hall.conftest import Hall
from tests.hall.test_service import channel


def begun(seed: int, rules: str = "luzhan", mode: str = "dark") -> Campaign:
    game = FACE.start("", FACE.chosen({"rules": rules, "mode": mode}))
    rng = Random(f"hall {seed}")
    for _ in range(game.map.seats):
        FACE.play(game, f"army {random_army(rng)}")
    return game


def played(seed: int, plies: int, rules: str, mode: str) -> Iterator[tuple[Campaign, Any]]:
    """A random game, fond of fighting; after every ply the game and what everybody was told."""
    game, rng = begun(seed, rules, mode), Random(seed)
    for _ in range(plies):
        if game.outcome() is not None:
            return
        board = game.playing()
        moves = list(board.legal_moves)
        fights = [move for move in moves if board.piece_at(move.to_point)]
        resigning = rng.random() < 0.02
        chosen = rng.choice(fights if fights and rng.random() < 0.5 else moves)
        yield game, FACE.play(game, "resign" if resigning else str(chosen))[1]


def in_world(game: Campaign, world: Board) -> Campaign:
    """The same game with other armies behind the same events."""
    twin = game.copy()
    twin.board, twin.armies = world, list(world.armies)
    return twin


@pytest.mark.parametrize("mode", ["dark", "allies"])
@pytest.mark.parametrize("rules", ["luzhan", "standard"])
def test_what_a_seat_is_told_fits_every_world_it_cannot_rule_out(rules: str, mode: str) -> None:
    """Answers are the same, byte for byte, whatever the hidden ranks are."""
    rng, compared = Random(5), 0
    for ply, (game, told) in enumerate(played(3, 90, rules, mode)):
        board = game.playing()
        if ply % 5 or game.outcome() is not None:
            continue
        for seat in (None, board.turn):
            world = board.view(seat).sample_world(rng.randrange(1 << 30))
            twin = in_world(game, world)
            compared += world.armies != board.armies
            assert json.dumps(FACE.view(twin)) == json.dumps(FACE.view(game))
            event = board.events[-1]
            assert announcement(game.map, event) == told["say"]
            if seat is not None:
                ask = {"of": "seat"}
                assert json.dumps(FACE.answer(twin, ask)) == json.dumps(FACE.answer(game, ask))
    assert compared > 8


@pytest.mark.parametrize("rules", ["luzhan", "standard"])
def test_the_answer_to_a_seat_is_its_view(rules: str) -> None:
    for game, _ in played(8, 60, rules, "dark"):
        board = game.playing()
        if board.outcome() is not None:
            continue
        seen = FACE.answer(game, {"of": "seat"})["position"]
        view = board.view(board.turn)
        assert {point: (seat, kind) for point, seat, kind in seen["pieces"]} == view.seen
        assert {(a, b) for a, goals in seen["legal"].items() for b in goals} == {
            tuple(move) for move in view.legal_moves
        }
        assert seen["looking"] == board.turn
        covered = FACE.view(game)
        assert {(p, s, k) for p, s, k in covered["pieces"]} == {
            (point, seat, kind) for point, (seat, kind) in board.view(None).seen.items()
        }
        assert covered["legal"] == {}
        assert covered["looking"] is None


def test_open_games_hide_nothing_and_take_back() -> None:
    game = begun(1, "luzhan", "open")
    seen = FACE.view(game)
    assert all(kind >= 0 for _, _, kind in seen["pieces"])
    assert seen["legal"]
    assert FACE.can(game) == {"back", "resign", "draw"}
    before = json.dumps(seen)
    FACE.play(game, str(next(iter(game.playing().legal_moves))))
    FACE.take_back(game)
    assert json.dumps(FACE.view(game)) == before
    assert "back" not in FACE.can(begun(1))


def test_lines_are_undone_one_by_one() -> None:
    texts = [FACE.view(game) for game, _ in played(4, 40, "standard", "dark")]
    assert texts
    game = begun(4, "standard")
    history = [json.dumps(FACE.view(game))]
    rng = Random(2)
    for k in range(30):
        move = rng.choice(list(game.playing().legal_moves))
        game.push("resign" if k == 20 else str(move))
        history.append(json.dumps(FACE.view(game)))
    while history:
        assert json.dumps(FACE.view(game)) == history.pop()
        if history:
            game.pop()
    for _ in range(4):
        game.pop()
    assert game.turn == 0
    with pytest.raises(IllegalMove):
        game.pop()


def test_resigning_puts_one_seat_out_and_all_agree_to_a_draw() -> None:
    game = begun(2, "standard")
    told = FACE.play(game, "resign")[1]
    assert told["say"] == "南方认输，出局。"
    assert game.turn == 1
    assert FACE.result(game) is None
    FACE.play(game, "draw")
    assert FACE.result(game) == {"winner": None, "text": "和棋：协议和棋。"}
    two = begun(2)
    FACE.play(two, "resign")
    assert FACE.result(two) == {"winner": 1, "text": "北方胜：认输（S3B-JQ-10）。"}
    shown = FACE.answer(two, {"of": "seat"})["position"]
    kinds = [kind for _, _, kind in shown["pieces"]]  # after the end all are turned up
    assert len(kinds) == 50
    assert min(kinds) >= 0
    assert all(kind < 0 for _, _, kind in FACE.view(two)["pieces"])


def test_the_dead_commander_shows_his_flag_and_no_more() -> None:
    start = "luzhan60 0 0l@S62,0a@S11,0h@S13,0j@S51,1l@N62,1k@N15,1h@N13,1e@N11"
    game = FACE.start(start, FACE.chosen({}))
    line, told = FACE.play(game, "s11-n15")
    assert line == "S11-N15"
    assert told["say"] == ("南方从南11走到北15，双方同归于尽。南方司令阵亡，亮出军旗：南62。")
    seen = {point: kind for point, _, kind in FACE.view(game)["pieces"]}
    assert [point for point, kind in seen.items() if kind >= 0] == [26]
    assert seen[26] == FLAG
    other = FACE.start(start, FACE.chosen({}))
    why = FACE.refusal(other, "S51-S41")
    assert why == ("地雷不能移动（S3B-JQ-6）。", (20,))
    assert FACE.refusal(other, "S13-N62")[0] == (
        "南13 到 北62 不是相邻的公路，也不都在铁路上（S3B-JQ-2）。"
    )  # type: ignore[index]
    with pytest.raises(GameError, match="不是四国军棋的"):
        FACE.start(start, FACE.chosen({"rules": "standard"}))


def test_files_hold_the_game() -> None:
    game = begun(6, "standard", "allies")
    rng = Random(3)
    for k in range(25):
        move = str(rng.choice(list(game.playing().legal_moves)))
        FACE.play(game, "resign" if k == 12 else move)
    public = FACE.file(game, "junqi-record", None, "")
    assert not any(army.encode() in public for army in game.armies)
    with pytest.raises(GameError, match="公开记录里没有布阵"):
        FACE.read(public)
    sealed = records.dumps(records.Record.of(game.playing()), sealed=True).encode()
    [found] = FACE.read(sealed)
    assert found["options"] == {"rules": "standard", "mode": "allies"}
    assert found["defects"] == []
    again = FACE.start(found["start"], found["options"])
    for line in found["moves"]:
        FACE.play(again, line)
    assert again.playing() == game.playing()
    assert again.events == game.events
    late = game.playing().copy()
    late.timeout()
    [found] = FACE.read(records.dumps(records.Record.of(late), sealed=True).encode())
    assert len(found["moves"]) == 25
    assert "超时" in found["defects"][0]
    early = begun(6).playing()
    early.resign(1)  # out of turn
    [found] = FACE.read(records.dumps(records.Record.of(early), sealed=True).encode())
    assert found["moves"] == []
    assert found["defects"]


def test_set_ups_are_sound_and_checked() -> None:
    for name, army in READY.items():
        assert breaches(army) == (), name
        flag = SETUP_ORDER[army.index("l")]
        near = {flag - 5, flag - 1, flag + 1}
        mines = {SETUP_ORDER[k] for k, letter in enumerate(army) if letter == "j"}
        assert len(near & mines) >= 1 or name == "假旗疑兵", name
    game = FACE.start("", FACE.chosen({}))
    with pytest.raises(IllegalMove, match="请南方先布阵"):
        FACE.play(game, "S11-S21")
    bad = "k" + READY["三角雷"][1:]
    with pytest.raises(GameError, match="炸弹不能放在第一排"):
        FACE.play(game, f"army {bad}")
    told = FACE.answer(game, {"of": "army", "army": bad})["breaches"]
    assert any("炸弹不能放在第一排（S3B-JQ-6）" in one for one in told)
    assert FACE.answer(game, {"of": "army", "army": READY["三角雷"]}) == {"breaches": []}
    offered = FACE.answer(game, {"of": "armies"})["armies"]
    assert all(breaches(one["army"]) == () for one in offered)
    assert offered[-1]["army"] != FACE.answer(game, {"of": "armies"})["armies"][-1]["army"]
    army = READY["中路突击"]
    for data in (write_jql(army), write_text(army).encode(), army.encode()):
        sent = {"of": "file", "data": base64.b64encode(data).decode()}
        assert FACE.answer(game, sent) == {"army": army}
    for question in ({"of": "file", "data": "###"}, {"of": "file"}, {"of": "x"}, {}):
        with pytest.raises(GameError):
            FACE.answer(game, question)


def ranks(message: Any) -> list[Any]:
    """Every kind that a frame tells of a piece that is no shown flag."""
    found = []
    state = message.get("state", message)
    position = state.get("position") or {}
    for point, _, kind in position.get("pieces", ()):
        if kind not in (-1, FLAG):
            found.append((point, kind))
    assert not position.get("legal")
    return found


def test_frames_to_a_covered_page_carry_no_rank(hall: Hall) -> None:
    """A whole game over the wire: only the answer to "seat" tells ranks, and only the asker's."""
    game = hall.new(game="junqi", mode="two", options={"rules": "standard"})
    rng = Random(11)
    armies = [random_army(rng) for _ in range(4)]
    board = Board.from_armies(armies)
    names = [name for name in NAMES_ZH if name not in ("司令", "军旗")]
    frames = []
    with channel(hall, game) as line:

        def does(action: dict[str, Any], n: int) -> Any:
            line.send(json.dumps({**action, "n": n}))
            while True:
                text = line.recv(30)
                message = json.loads(text)
                if message.get("n") != n:
                    frames.append((str(text), message))
                elif "太快了" in message.get("text", ""):
                    time.sleep(0.2)
                    line.send(json.dumps({**action, "n": n}))
                else:
                    return message

        for n, army in enumerate(armies):
            assert does({"do": "move", "move": f"army {army}"}, n)["type"] == "done"
        for n in range(10, 70):
            seat = board.turn
            seen = does({"do": "ask", "question": {"of": "seat"}}, n)["position"]
            view = {(p, s, k) for p, s, k in seen["pieces"]}
            assert view == {(p, *piece) for p, piece in board.view(seat).seen.items()}
            moves = list(board.legal_moves)
            fights = [move for move in moves if board.piece_at(move.to_point)]
            move = rng.choice(fights or moves)
            assert does({"do": "move", "move": str(move)}, 100 + n)["type"] == "done"
            board.push(move)
            if board.outcome() is not None:
                break
    assert len(frames) > 50
    shown = sum(board.flags_shown)
    for text, message in frames:
        assert not ranks(message)
        assert not any(name in text for name in names)
        assert not any(army in text for army in armies)
    flags = [k for _, _, k in frames[-1][1]["state"]["position"]["pieces"] if k == FLAG]
    assert len(flags) <= shown
    state = hall.look(game)
    assert not ranks({"state": state})
    past = hall.do(game, "look", ply=20).json()
    assert not ranks(past)
    path, owner = game
    record = httpx.get(f"{hall.url}{path}/file", headers=owner).text
    if board.outcome() is None:
        assert not any(army in record for army in armies)
    assert hall.do(game, "back").status_code == 422


def test_the_board_comes_from_the_geometry(hall: Hall) -> None:
    for name in BOARD_NAMES:
        found = httpx.get(f"{hall.url}/api/kinds/junqi/boards/{name}", timeout=60).json()
        board = board_map(name)
        assert [one["name"] for one in found["points"]] == [point_name(p) for p in board.points]
        assert {tuple(pair) for pair in found["rails"]} == board.rails
        assert {tuple(pair) for pair in found["roads"]} == board.roads
        assert len({tuple(one["at"]) for one in found["points"]}) == len(board.points)
    for path in ("junqi/boards/x", "x/boards/siguo129", "xiangqi/boards/siguo129"):
        assert httpx.get(f"{hall.url}/api/kinds/{path}", timeout=60).status_code == 422


def test_a_game_resumes_in_the_middle_of_drawing_up(tmp_path: Any) -> None:
    made = Hall(tmp_path / "games.sqlite3")
    try:
        game = made.new(game="junqi", mode="two")
        army = READY["右路强攻"]
        assert made.do(game, "resign").status_code == 422
        assert made.do(game, "move", move=f"army {army}").status_code == 200
        made.kill()
        made.start()
        state = made.look(game)
        assert (state["turn"], state["position"]["phase"]) == (1, "army")
        made.do(game, "move", move=f"army {READY['三角雷']}")
        assert made.do(game, "move", move="S11-N15").status_code == 200
        board = Board.from_armies([army, READY["三角雷"]], rules="luzhan")
        board.push("S11-N15")
        made.kill()
        made.start()
        state = made.look(game)
        assert state["moves"][-1]["say"] == announcement(board.map, board.events[-1])
        assert {p for p, _, _ in state["position"]["pieces"]} == set(board.piece_map())
        assert made.do(game, "offer").status_code == 200
        assert made.do(game, "accept").status_code == 200
        assert made.look(game)["result"] == {"winner": None, "text": "和棋：协议和棋。"}
    finally:
        made.stop()
