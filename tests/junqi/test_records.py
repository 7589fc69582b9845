"""Records, public and sealed; set-up files; matches."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from junqi import Act, Board, InvalidPosition, InvalidRecord, Outcome, Termination, random_army
from junqi.match import Match
from junqi.records import Record, dumps, loads, read
from junqi.setups import read_army, read_jql, write_jql, write_text
from tests.junqi.positions import game

ARMY = "icgdiebefkhacgdfhkjigljhj"


@pytest.mark.parametrize("name", ["siguo129", "luzhan60"])
@pytest.mark.parametrize("seed", range(4))
def test_sealed_records_come_back(name: str, seed: int, tmp_path: Path) -> None:
    board = game(seed, 60 * seed, name, mode="allies" if seed % 2 else "dark")
    if board.outcome() is None and seed == 3:
        board.resign(board.alive[-1])
    text = dumps(Record.of(board, players=["甲", "乙"], seed=seed), sealed=True)
    path = tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    record = read(path)
    assert record.defects == []
    assert record.headers == {"players": ["甲", "乙"], "seed": seed}
    again = record.replay()
    assert record.defects == []
    assert again == board
    assert again.events == board.events
    assert dumps(record, sealed=True) == text


@pytest.mark.parametrize("name", ["siguo129", "luzhan60"])
def test_public_records_hold_no_army_and_make_the_same_view(name: str) -> None:
    board = game(9, 80, name)
    text = dumps(Record.of(board, seed=123456), sealed=False)
    head = json.loads(text.splitlines()[0])
    assert "armies" not in head
    assert "position" not in head
    assert "seed" not in head
    assert not any(army in text for army in board.armies)
    record = loads(text)
    for seat in range(board.map.seats):
        assert record.view(seat, {seat: board.armies[seat]}) == board.view(seat)
    assert record.view(None) == board.view(None)
    with pytest.raises(InvalidRecord, match="public record"):
        record.replay()
    with pytest.raises(InvalidRecord, match="army of seat 1"):
        record.view(1)
    assert Record.of(board).view(0) == board.view(0)


def test_positions_made_by_hand() -> None:
    board = Board("siguo129 0 0l@S62,0a@S13,1l@E62,1h@E13,2l@N62,2h@N13,3l@W62,3a@C32")
    board.push("S13-C32")
    sealed = dumps(Record.of(board), sealed=True)
    assert loads(sealed).replay() == board
    public = dumps(Record.of(board), sealed=False)
    assert "0a@" not in public
    assert loads(public).view(None).to_bytes() == board.view(None).to_bytes()


def test_a_draw_and_times() -> None:
    board = game(2, 10)
    for seat in board.alive:
        board.offer_draw(seat)
    record = Record.of(board, times=[100] * 5)
    assert record.result == ["draw", None]
    again = loads(dumps(Record.of(board, times=[7] * len(board.events)), sealed=True))
    assert again.times == [7] * len(board.events)
    assert again.replay().outcome() == board.outcome()
    assert again.termination == "agreement"


def test_wrong_outcomes_are_defects() -> None:
    """What the referee judges otherwise is told, and the game goes on; the impossible ends it."""
    board = game(4, 40)
    lines = dumps(Record.of(board), sealed=True).splitlines()
    at = next(i for i, line in enumerate(lines) if '"capture"' in line)
    lines[at] = lines[at].replace('"capture"', '"repelled"')
    record = loads("\n".join(lines))
    assert record.replay() == board
    assert len(record.defects) == 1
    assert "should be" in record.defects[0].reason
    lines.insert(3, "not json")
    lines.insert(5, '{"seat": 0, "from": "S62", "to": "S52", "outcome": "move"}')
    lines.insert(6, '{"seat": 9, "event": "timeout"}')
    record = loads("\n".join(lines))
    assert [defect.line for defect in record.defects] == [4, 7]
    assert record.replay().ply == 3
    assert "not the turn" in record.defects[-1].reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "x",
        '{"format": "junqi-record/1"}',
        '{"format": "junqi-record/1", "board": "x"}',
        '{"format": "junqi-record/1", "board": "luzhan60", "first": 2}',
        '{"format": "junqi-record/1", "board": "luzhan60", "rules": 3}',
        '{"format": "junqi-record/1", "board": "luzhan60", "places": [["S11"]], "rosters": []}',
        "[" * 100_000,
    ],
)
def test_no_records(text: str) -> None:
    with pytest.raises(InvalidRecord):
        loads(text)


def test_events_that_cannot_happen() -> None:
    head = '{"format": "junqi-record/1", "board": "siguo129"}\n'
    for line, words in (
        ('{"seat": 0, "from": "S11", "to": "W55", "outcome": "both"}', "no piece could"),
        ('{"seat": 1, "from": "E11", "to": "C11", "outcome": "move"}', "not its turn"),
        ('{"seat": 0, "from": "S11", "to": "W15", "outcome": "move"}', "outcome does not fit"),
        ('{"seat": 0, "from": "S11", "to": "C11", "outcome": "move", "out": [[1, "flag"]]}', "out"),
        (
            '{"seat": 0, "from": "S11", "to": "W15", "outcome": "capture", "shown": [[0, "S62"]]}',
            "no flag is shown",
        ),
        ('{"seat": 3, "event": "timeout"}', "not its turn"),
    ):
        with pytest.raises(InvalidRecord, match=words):
            loads(head + line).view(None)


@pytest.mark.parametrize("seat", ["0.7", "true", '"0"', "9" * 40, "null"])
def test_seats_are_whole_numbers(seat: str) -> None:
    board = game(1, 1)
    head, move = dumps(Record.of(board), sealed=True).splitlines()[:2]
    line = move.replace('"seat": 0', f'"seat": {seat}')
    record = loads(f"{head}\n{line}\n")
    assert [defect.line for defect in record.defects] == [2]
    assert record.replay().events == ()


HEAD = '{"format": "junqi-record/1", "board": "siguo129", '


@pytest.mark.parametrize("first", ["true", "1.0", '"1"', "null", "[1]", "4", "-1", "1e400"])
@pytest.mark.parametrize("blanks", [0, 2])
def test_who_began_is_a_seat(first: str, blanks: int) -> None:
    with pytest.raises(InvalidRecord, match=rf"第 {1 + blanks} 行.*字段 first 应为座位 0 到 3"):
        loads("\n" * blanks + HEAD + f'"first": {first}}}')
    assert loads(HEAD + '"first": 3}').first == 3


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ('"rules": [1]', "字段 rules"),
        ('"rules": {"fast": true}', "没有规则项 'fast'"),
        ('"rules": {"name": 1}', "没有规则项 'name'"),
        ('"mode": "half"', "mode"),
        ('"armies": "abc"', "字段 armies"),
        ('"armies": [1, 2, 3, 4]', "字段 armies"),
        ('"position": {}', "字段 position"),
        ('"places": [["S99"]]', "字段 places"),
        ('"rosters": [[1.5]]', "字段 rosters"),
        ('"rosters": [[true]]', "字段 rosters"),
        ('"places": [["S11"]], "rosters": []', "places 与 rosters"),
    ],
)
def test_fields_of_a_head_are_refused_by_name(part: str, words: str) -> None:
    with pytest.raises(InvalidRecord, match=words):
        loads(HEAD + part + "}")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        *(
            (f'{{"result": {result}}}', "字段 result 应为")
            for result in (
                "7", "true", '"win"', "[]", '["win"]', '["win", 2]', '["win", true]',
                '["win", 1.0]', '["win", null]', '["draw", 0]', '["lost", 0]', '["win", 0, 1]',
                '{"win": 0}',
            )
        ),
        ('{"result": ["win", 0], "termination": 3}', "字段 termination 应为"),
        ('{"result": ["win", 0], "termination": "boredom"}', "字段 termination 应为"),
        ('{"result": null, "termination": []}', "字段 termination 应为"),
        ('{"seat": 0, "event": "timeout", "ms": true}', "字段 ms 应为"),
        ('{"seat": 0, "event": "timeout", "ms": -1}', "字段 ms 应为"),
        ('{"seat": 0, "event": "move"}', "字段 event 应为timeout"),
        ('{"seat": 0, "event": ["timeout"]}', "字段 event 应为timeout"),
        ('{"seat": 0, "to": "S21", "outcome": "move"}', "缺少字段 from"),
        ('{"seat": 0, "from": 3, "to": "S21", "outcome": "move"}', "字段 from 应为点名"),
        ('{"seat": 0, "from": "S11", "to": "S21", "outcome": "won"}', "字段 outcome 应为move"),
        ('{"seat": 0, "event": "resign", "out": [[0, "tired"]]}', "字段 out 应为"),
        ('{"seat": 0, "event": "resign", "out": 5}', "字段 out 应为"),
        ('{"seat": 0, "event": "resign", "shown": [[0]]}', "字段 shown 应为"),
        ("{", "不是 JSON"),
        ("[" * 100_000, "不是 JSON"),
        ("3", "不是 JSON 对象"),
    ],
)  # fmt: skip
def test_fields_are_refused_by_name(line: str, words: str) -> None:
    """The line and the field are told, in words that are not Python's, and the rest is read."""
    record = loads(f'{HEAD}"first": 0}}\n\n{line}\n{{"seat": 0, "event": "resign"}}\n')
    assert [defect.line for defect in record.defects] == [3]
    reason = record.defects[0].reason
    assert words in reason
    assert not any(word in reason for word in ("object is not", "invalid literal", "Expecting"))
    assert record.events[-1].act is Act.RESIGN
    assert len(record.times) == len(record.events)
    assert record.termination is None
    assert record.result in (None, ["win", 0])


@pytest.mark.parametrize("result", [None, ["draw", None], ["win", 0], ["win", 1]])
def test_results_that_are_taken(result: object) -> None:
    line = json.dumps({"result": result, "termination": "resignation"})
    record = loads(f'{HEAD}"first": 0}}\n{line}\n')
    assert record.defects == []
    assert (record.result, record.termination) == (result, "resignation")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_records_in_the_encodings_of_json(encoding: str) -> None:
    text = dumps(Record.of(game(1, 3), players=["甲", "乙"]), sealed=True)
    record = read(text.encode(encoding))
    assert record.headers == {"players": ["甲", "乙"]}
    assert dumps(record, sealed=True) == text


def test_set_up_files() -> None:
    rng = Random(5)
    for _ in range(50):
        army = random_army(rng)
        assert len(write_jql(army)) == 50
        assert read_jql(write_jql(army)) == army
        assert read_army(write_text(army)) == army
        assert read_army(army.upper()) == army


def test_a_jql_file_byte_by_byte() -> None:
    """The bytes as the format is described: head, version, front row first, camps 0."""
    data = write_jql(ARMY)
    assert data[:20] == b"QQGame JQL File\x00\x57\x04\x00\x00"
    assert data[20:25] == bytes([13, 7, 11, 8, 13])  # 工兵 师长 连长 旅长 工兵
    assert data[26] == data[28] == 0


@pytest.mark.parametrize("data", [b"", b"QQGame JQL File\0", b"x" * 50, b"\xff\xfe\0"])
def test_no_set_up_files(data: bytes) -> None:
    with pytest.raises((InvalidRecord, InvalidPosition)):
        read_army(data)


def test_set_up_files_with_faults() -> None:
    data = bytearray(write_jql(ARMY))
    data[26] = 5
    with pytest.raises(InvalidRecord, match="camp must be empty"):
        read_jql(bytes(data))
    data[26], data[20] = 0, 99
    with pytest.raises(InvalidRecord, match="no piece"):
        read_jql(bytes(data))
    data[20] = 4
    with pytest.raises(InvalidPosition, match="S3B-JQ-6"):
        read_jql(bytes(data))
    with pytest.raises(InvalidRecord, match="司马"):
        read_army(write_text(ARMY).replace("司令", "司马"))


def test_matches_swap_the_first_move() -> None:
    match = Match()
    firsts = []
    for winner in (0, 1, None, 1):
        firsts.append(match.next_first())
        match.add(Outcome(Termination.FLAG_CAPTURED, winner))
    assert firsts == [0, 1, 0, 1]
    assert match.score() == (1.5, 2.5)
    assert match.winner() == 1
    assert match.next_first() is None
    with pytest.raises(ValueError, match="decided"):
        match.add(Outcome(Termination.FLAG_CAPTURED, 0))
    for bad in (1, 3):
        with pytest.raises(ValueError, match="even"):
            Match(games=bad)
