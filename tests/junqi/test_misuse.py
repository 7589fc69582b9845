"""What no honest caller sends: numbers that are no points, odd files, events that cannot be."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ai.protocols import junqi as protocol
from ai.transport import LineTransport
from junqi import Board, Event, Move, Rules, random_army
from junqi.geometry import CAMPS, POINT_NAMES
from junqi.ledger import Ledger
from junqi.pieces import LETTERS, NAMES_ZH
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
        *(
            f'{{"seat":0,"from":"S11","to":"W15","outcome":"both","shown":[[{seat},{point}]]}}'
            for seat, point in (
                (0, '"S61"'),
                (0, '"S53"'),
                (0, '"S11"'),
                (0, '"S22"'),
                (0, '"C11"'),
                (0, '"N62"'),
                (3, '"W51"'),
                (3, '"W63"'),
                (3, "null"),
                (1, '"E62"'),
            )
        ),
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


TRADITIONAL = str.maketrans("军长师团营连弹", "軍長師團營連彈")


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "big5", "cp950"],
)
def test_setups_in_the_encodings_of_editors(tmp_path: Path, encoding: str) -> None:
    rng = Random(encoding)
    for army in [ARMY, *(random_army(rng) for _ in range(20))]:
        rows = write_text(army)
        texts = [army, "# my own\n" + army, "# 我的布陣\n" + rows.translate(TRADITIONAL)]
        if encoding not in ("big5", "cp950"):
            texts += [rows, rows.replace("\n", "\r\n")]
        for text in texts:
            file = tmp_path / "布阵.txt"
            file.write_bytes(text.encode(encoding))
            assert read_army(file) == army


def test_traditional_names_one_by_one() -> None:
    """Every name is as its army has it, whole and by its first sign, 行營 empty."""
    names = [name.translate(TRADITIONAL) for name in NAMES_ZH]
    assert {"軍旗", "軍長", "師長", "團長", "營長", "連長", "炸彈"} < {*names}
    for shapes in (names, "司軍師旅團營連排兵雷炸旗"):
        words = dict(zip(LETTERS, shapes, strict=True))
        letters = iter(ARMY)
        rows = [
            " ".join(
                "行營" if 5 * row + column in CAMPS else words[next(letters)] for column in range(5)
            )
            for row in range(6)
        ]
        assert read_army("\n".join(rows)) == ARMY
        assert read_army("\n".join(rows).replace("行營", "營").encode("big5")) == ARMY


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes(range(256)), "认不出布阵文件的文字编码"),
        ("司馬 象棋 車 包".encode("big5"), "认不出布阵文件的文字编码"),
        (write_text(ARMY).replace("司令", "司马").encode("gb18030"), "读不懂 '司马'"),
        (write_text(ARMY).translate(TRADITIONAL).replace("司令", "司馬").encode("big5"), "司馬"),
        ("司马".encode(), "布阵"),
    ],
)
def test_setups_that_cannot_be_read(data: bytes, words: str) -> None:
    with pytest.raises((InvalidRecord, InvalidPosition), match=words):
        read_army(data)


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
    )
    assert answers.count("readyok") == 2
    assert sum(line.startswith("info string") for line in answers) == 3


def test_a_flag_is_shown_in_a_headquarters_only() -> None:
    """Of all points the two of the own zone, and not one that a piece has walked into."""
    shown, refused = {}, []
    for point in POINT_NAMES:
        line = {"seat": 0, "from": "S11", "to": "W15", "outcome": "both", "shown": [[3, point]]}
        ledger = Ledger.of_armies(Rules())
        try:
            ledger.follow(Event.from_dict(line))
            shown[point] = ledger.flags_shown[3]
        except InvalidRecord as error:
            refused.append("its flag cannot be there" in str(error))
    assert shown == {"W62": True, "W64": True}
    assert refused == [True] * 127
    with pytest.raises(InvalidRecord, match="no flag is shown"):
        Ledger.of_armies(Rules(flag_reveal=False)).follow(
            Event.from_dict(line | {"shown": [[3, "W62"]]})
        )


@pytest.mark.parametrize("flag", [",1l@N62", ",1l@N33", ",1l@S22", ""])
def test_hand_made_flags_are_shown_where_they_stand(flag: str) -> None:
    """Positions that break the set-up rules are followed as the referee tells of them."""
    board = Board("luzhan60 0 0l@S62,0a@S13,0h@S14,1a@N13,1h@N15" + flag)
    board.push("S13-N13")
    assert board.flags_shown == (True, True)
    record = loads(dumps(Record.of(board), sealed=False))
    assert record.view(None) == board.view(None)
    for wrong in ("N64", "S14", "C11", None if flag else "N15"):  # no piece, another's; no flag
        event = board.events[-1].to_dict() | {"shown": [[0, "S62"], [1, wrong]]}
        record.events = [Event.from_dict(event)]
        with pytest.raises(InvalidRecord, match="its flag cannot be there"):
            record.ledger()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("newgame seat x", "没有座位 'x'"),
        ("newgame seat 1.0", "没有座位 '1.0'"),
        ("newgame seat 0 first ²", "没有座位 '²'"),
        (f"newgame seat {'9' * 5000}", "没有座位"),
        ("newgame first 4", "没有座位 4"),
        ("newgame seat", "unknown words"),
        (f"army x {ARMY}", "没有座位 'x'"),
        (f"army 7 {ARMY}", "没有座位 7"),
        ("army", "没有座位 ''"),
        ("army 0", "布阵"),
        ("event", "不是 JSON"),
        ("event {", "不是 JSON"),
        ("event []", "不是 JSON 对象"),
        ("event " + "[" * 100_000, "不是 JSON"),
        ("event {}", "缺少字段 seat"),
        ('event {"seat": 0}', "缺少字段 from"),
        ('event {"seat": 0, "from": null}', "字段 from 应为点名"),
        ('event {"seat": 0, "event": "sleep"}', "字段 event 应为timeout"),
        ('event {"seat": 0, "event": "resign", "out": 3}', "字段 out 应为"),
        ("candidates", "没有这个点"),
        ("setoption", "unknown option"),
        ("setoption name Seed value x", "a whole number"),
        ("go movetime x", "needs a number"),
    ],
)
def test_the_engine_answers_in_sentences(line: str, words: str) -> None:
    """What cannot be understood is told in words of our own, and the game stays as it was."""
    answers = _answers("newgame seat 0", f"army 0 {ARMY}", line, "legal")
    told = [answer for answer in answers if answer.startswith("info string")]
    assert len(told) == 1
    assert words in told[0]
    assert len(told[0]) < 400
    for raw in ("invalid literal", "Expecting", "object is not", "NoneType", "recursion", "int("):
        assert raw not in told[0]
    assert answers[-1].startswith("legal 64" if "go" not in line else "legal ")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("START x", "START needs three whole numbers"),
        ("START 0 -5 31", "START needs three whole numbers"),
        ("GO Z9Z9 3 00", "GO needs a move"),
        ("GO", "GO needs a move"),
        ("GO F0E0 7 00", "a move's result is 0, 1, 2 or 3"),
        ("GO F0F0 3 00", "the referee tells what cannot be"),
        ("WHAT", "unknown command"),
    ],
)
def test_the_contest_engine_logs_sentences(
    caplog: pytest.LogCaptureFixture, line: str, words: str
) -> None:
    answers = _answers("INFO 1", "START 1 1000 31", line, "END")
    assert answers[:1] == ["NAME Qiyuan"]
    assert words in caplog.text
    assert not any(raw in caplog.text for raw in ("invalid literal", "Traceback", "NoneType"))


def test_a_start_half_understood_keeps_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    answers = _answers("INFO 1", "START 0 x", "GO 0000 0 00", "END")
    assert answers[2] != "BESTMOVE 0000"
    assert "playing with 0 3600 31" in caplog.text
    caplog.clear()
    assert _answers("INFO 1", "START 1 60 31", "GO 0000 0 00", "END")[2] == "BESTMOVE 0000"
    assert not caplog.text


def test_the_contest_engine_outlives_numbers_without_end() -> None:
    answers = _answers(
        "INFO 1", f"START 0 {'9' * 5000} {10**30}", "GO 0000 0 00", "RESULT 3", "END"
    )
    assert answers[0].startswith("NAME")
    assert answers[2].startswith("BESTMOVE")
