"""What no honest caller sends: numbers that are no points, odd files, events that cannot be."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ai.protocols import junqi as protocol
from ai.transport import LineTransport
from junqi import Board, Event, Move, Rules
from junqi.ledger import Ledger
from junqi.records import Record, dumps, loads
from junqi.setups import read_army, write_text
from qikit.errors import IllegalMove, InvalidMove, InvalidPosition, InvalidRecord

ARMY = "icgdiebefkhacgdfhkjigljhj"


@pytest.fixture
def board() -> Board:
    return Board.from_armies([ARMY] * 4)


@pytest.mark.parametrize("shift", [-1, 1])
def test_numbers_that_share_the_code_of_a_lawful_move_are_no_move(board: Board, shift: int) -> None:
    for move in board.legal_moves:
        wrong = Move(move.from_point + 256 * shift, move.to_point - shift)
        assert not board.is_legal(wrong)
        with pytest.raises(IllegalMove):
            board.push(wrong)
    assert board.ply == 0


@pytest.mark.parametrize("point", [-1, 129, 10**30])
def test_there_are_no_other_points(board: Board, point: int) -> None:
    for ask in (board.piece_at, board.view(0).candidates):
        with pytest.raises(InvalidMove):
            ask(point)
    assert board.why_illegal(Move(0, point))
    assert board.why_illegal(Move(point, 0))


def test_a_move_refused_in_an_odd_position_is_called_illegal() -> None:
    odd = Board("luzhan60 0 0l@S33,0i@S11,1l@N33,1i@N11")
    with pytest.raises(IllegalMove, match="S3B-JQ-6"):
        odd.push("S33-S32")


def test_many_pieces_are_refused_at_once() -> None:
    with pytest.raises(InvalidPosition):
        Board("siguo129 0 " + ",".join(["0i@S11"] * 20_000))


@pytest.mark.parametrize(
    "switch",
    [
        {"quiet_limit": 2**70},
        {"quiet_limit": "70"},
        {"quiet_limit": float("inf")},
        {"timeout_limit": True},
        {"mine_survives": "no"},
        {"move_seconds": float("nan")},
    ],
)
def test_switches_take_their_own_kind_of_value(switch: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(switch)) + "|move_seconds"):
        Rules(**switch)
    head = {"format": "junqi-record/1", "board": "siguo129", "rules": switch, "armies": [ARMY] * 4}
    with pytest.raises(InvalidRecord):
        loads(json.dumps(head))


@pytest.mark.parametrize(
    "line",
    [
        '{"seat": 0, "event": "timeout", "shown": [[1000000, null]]}',
        '{"seat": 0, "event": "timeout", "shown": [[-1, null]]}',
        '{"seat": 0, "event": "timeout", "shown": [[1, "E11"]]}',
        '{"seat": 0, "event": "draw", "shown": [[1, "E11"]]}',
        '{"seat": 0, "event": "resign", "out": [[1000000000000000000000, "flag"]]}',
        '{"seat":0,"from":"S11","to":"W15","outcome":"both","shown":[[0,"S62"],[0,"S64"]]}',
    ],
)
def test_a_ledger_refuses_what_shows_or_removes_too_much(line: str) -> None:
    ledger = Ledger.of_armies(Rules())
    before = ledger.state.copy()
    with pytest.raises(InvalidRecord):
        ledger.follow(Event.from_dict(json.loads(line)))
    assert (ledger.state == before).all()
    assert not ledger.events


@pytest.mark.parametrize(
    "part",
    [
        {"places": [["S11", "S11"], ["N11"]], "rosters": [[2] + [0] * 11, [1] + [0] * 11]},
        {"places": [["S11"], ["S11"]], "rosters": [[1] + [0] * 11] * 2},
        {"places": [["S11"], ["N11"]], "rosters": [[3, -2] + [0] * 10] * 2},
        {"places": [[], ["N11"]], "rosters": [[0] * 12, [1] + [0] * 11]},
        {"first": float("inf")},
    ],
)
def test_headers_of_positions_that_cannot_be(part: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecord):
        loads(json.dumps({"format": "junqi-record/1", "board": "luzhan60"} | part))


def test_a_false_result_is_a_defect(board: Board) -> None:
    board.push("S11-C11")
    board.resign(0)
    board.resign(2)
    text = dumps(Record.of(board), sealed=True)
    true, false = loads(text), loads(text.replace('["win", 1]', '["win", 0]'))
    assert true.replay() == false.replay() == board
    assert not true.defects
    assert [defect.text for defect in false.defects] == ["['win', 0]"]
    false.replay()
    assert len(false.defects) == 1, "playing again tells nothing new"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_setups_in_the_encodings_of_editors(tmp_path: Path, encoding: str) -> None:
    for text in (ARMY, write_text(ARMY)):
        file = tmp_path / "布阵.txt"
        file.write_bytes(text.encode(encoding))
        assert read_army(file) == ARMY


def test_a_camp_with_a_piece_is_a_breach() -> None:
    for camp in ("司令", "a", "兵"):
        with pytest.raises(InvalidRecord, match="第 2 行第 2 列"):
            read_army(write_text(ARMY).replace("行营", camp, 1))
    for camp in ("营", "空", "-"):
        assert read_army(write_text(ARMY).replace("行营", camp)) == ARMY


def _answers(*lines: str) -> list[str]:
    out = io.BytesIO()
    protocol.serve(LineTransport(io.BytesIO("\n".join(lines).encode()), out), seed=1)
    return out.getvalue().decode().splitlines()


def test_the_engine_outlives_what_it_is_told() -> None:
    answers = _answers(
        "newgame seat 0 mode allies",
        "isready",
        "newgame seat 0",
        "event " + "[" * 100_000,
        'event {"seat":0,"event":"timeout","shown":[[1000000,null]]}',
        "isready",
        "quit",
    )
    assert answers.count("readyok") == 2
    assert sum(line.startswith("info string") for line in answers) == 3


def test_the_contest_engine_outlives_numbers_without_end() -> None:
    answers = _answers(
        "INFO 1", f"START 0 {'9' * 5000} {10**30}", "GO 0000 0 00", "RESULT 3", "END"
    )
    assert answers[0].startswith("NAME")
    assert answers[2].startswith("BESTMOVE")
