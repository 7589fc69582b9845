"""Input that is no game: told in a sentence, before it costs a piece, a minute or a record."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carrom import (
    PRESETS,
    Disc,
    Equipment,
    Fault,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    InvalidRecord,
    Match,
    Params,
    Place,
    Rules,
    Stroke,
    Table,
    simulate,
)
from carrom.geometry import FORTRESSES
from carrom.records import dumps, loads, read, read_positions, write

STROKE = Stroke(0.38, -0.38, -0.38, 0.50, 3.0)


# -- faults and copies ---------------------------------------------------------------------------


@pytest.mark.parametrize("faults", ["sweep", Fault.SWEEP, ["sweep"], [Fault.SWEEP], ("sweep",)])
def test_a_fault_may_be_given_by_its_value(faults: Any) -> None:
    table = Table()
    ruling = table.strike(STROKE, faults)
    assert ruling.faults == (Fault.SWEEP,)
    assert [r.code for r in ruling.reasons].count("sweep") == 1
    assert loads(dumps(table)).defects == []


@pytest.mark.parametrize("faults", [None, (), [], iter(())])
def test_no_fault(faults: Any) -> None:
    assert Table().strike(STROKE, faults).faults == ()


@pytest.mark.parametrize("faults", [[None], [1, 2, 3], "sweeping", ["s"], 5, [[]], [{}], {"a": 1}])
def test_what_is_no_fault_costs_no_piece(faults: Any) -> None:
    table = Table()
    for play in (table.strike, table.predict, Match().strike):
        with pytest.raises(InvalidMove, match="no such fault"):
            play(STROKE, faults)
    assert table.position == Table().position


def test_a_copy_shares_nothing() -> None:
    table = Table()
    table.strike(STROKE)
    other = copy.copy(table)
    table.pop()
    assert other.move_stack == [STROKE]
    other.strike(other.random_stroke(random.Random(1)))
    assert table.move_stack == []


# -- a game that is over stays over --------------------------------------------------------------


def ended() -> list[Table]:
    limited = Table(Rules(strike_limit=3))
    while limited.outcome() is None:
        limited.strike(limited.random_stroke(random.Random(4)))
    called = Table()
    called.strike(STROKE)
    called.call_time()
    start = Table().position
    cleared = Table()
    names = [name for name in start.pieces if name[0] == "A" or name == "F0"]
    cleared.position = replace(
        start,
        pieces={k: v for k, v in start.pieces.items() if k not in names},
        pocketed=(tuple(names), ()),
        strikes=20,
        strikes_left=0,
    )
    both = Table()
    both.position = replace(
        start,
        pieces={},
        pocketed=(tuple(names), tuple(k for k in start.pieces if k not in names)),
        turn=1,
        strikes=20,
        strikes_left=3,
    )
    return [limited, called, cleared, both]


def test_a_loaded_game_knows_that_it_is_over() -> None:
    for table in ended():
        outcome = table.outcome()
        assert outcome is not None
        again = Table.from_dict(json.loads(json.dumps(table.to_dict())))
        assert again.outcome() == outcome
        assert again.to_dict() == table.to_dict()
        assert not again.is_legal(STROKE)
        with pytest.raises(IllegalMove, match="已经结束"):
            again.strike(STROKE)
    assert [t.outcome().winner for t in ended()[2:]] == [0, 1]  # type: ignore[union-attr]


def test_a_position_saved_without_the_call_goes_on() -> None:
    data = Table().to_dict()
    del data["called"]
    assert Table.from_dict(data).outcome() is None


# -- strokes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        (0.38, -0.38, 1e308, 1.7e308, 3),
        (0.38, -0.38, 5e-324, 5e-324, 3),
        (0.38, -0.38, 10**400, 1.0, 3),
        (10**400, -0.38, 1.0, 1.0, 3),
        (0.38, -0.38, "1", 1.0, 3),
        (0.38, -0.38, 1.0, 1.0, None),
        (0.38, True, 1.0, 1.0, 3),
    ],
)
def test_numbers_that_make_no_stroke(values: Any) -> None:
    with pytest.raises(InvalidMove):
        Stroke(*values)


def test_strokes_of_numpy_numbers_are_plain() -> None:
    stroke = Stroke(*np.array([0.375, -0.375, -0.5, 0.5, 3.0], np.float32))
    assert Stroke.parse(str(stroke)) == stroke


@pytest.mark.parametrize("stroke", [None, 5, b"0,0", [0.38]])
def test_what_is_no_stroke(stroke: Any) -> None:
    table = Table()
    assert not table.is_legal(stroke)
    assert not table.is_legal("0.38,-0.38 -1.0,1.0 v=3.0")
    for play in (table.strike, table.predict, table.why_illegal, table.discs):
        with pytest.raises(InvalidMove, match="not a stroke"):
            play(stroke)


# -- records -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "a\x0bb\x1c", "a\r\nb", "\ud800", "甲"])
def test_headers_of_any_letters_come_back(name: str, tmp_path: Path) -> None:
    table = Table()
    table.strike(STROKE)
    file = tmp_path / "game.jsonl"
    write(file, table, {"red": name})
    for record in (read(file), loads(dumps(table, {"red": name}).replace("\n", "\r\n"))):
        assert record.headers == {"red": name}
        assert record.defects == []
        assert record.table.position == table.position


def test_headers_that_json_cannot_hold_leave_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("kept")
    with pytest.raises(InvalidRecord):
        write(file, Table(), {"red": object()})
    assert file.read_text() == "kept"


def test_deep_and_strange_lines() -> None:
    with pytest.raises(InvalidRecord):
        loads("[" * 100_000)
    with pytest.raises(InvalidRecord, match="第 1 行"):
        read_positions(["[" * 100_000])
    with pytest.raises(InvalidPosition, match="第 2 行"):
        read_positions(["", "{}"])
    text = dumps(Table())
    for line in (
        "[" * 100_000,
        '{"outcome": []}',
        '{"outcome": {}}',
        '{"stroke": 5}',
        '{"faults": 5, "stroke": {"x": 0.38, "y": -0.38, "dx": -0.38, "dy": 0.5, "speed": 3.0}}',
    ):
        assert [d.line for d in loads(text + line).defects] == [2]


# -- equipment, rules, positions -----------------------------------------------------------------


@pytest.mark.parametrize("y", [0.5, 0.0001, 0.03, 0.97, 0.9999, 0.49, "0.6", float("nan")])
def test_fortress_spots_need_room(y: Any) -> None:
    with pytest.raises(InvalidPosition, match="fortress_y"):
        Equipment(fortress_y=y)


def test_whatever_is_built_has_a_sound_start() -> None:
    chance = random.Random(5)
    built = 0
    for _ in range(400):
        try:
            e = replace(
                PRESETS["club"],
                pieces=chance.randint(1, 12),
                row_gap=chance.choice([0.0, 1e-4, 0.05]),
                fortress_y=chance.uniform(0.0, 1.0),
                piece_radius=chance.uniform(0.01, 0.3),
            )
        except InvalidPosition:
            continue
        built += 1
        assert Table(equipment=e).status() == ()
    assert built > 20


@pytest.mark.parametrize(
    "change",
    [
        {"A1": [0.3, 0.3, "A2"]},
        {"A1": ["x", "y"]},
        {"A1": [10**400, 0.0]},
        {"A1": [0.0]},
        {"A1": "ab"},
        {"A1": [0.0, 0.2, 5]},
    ],
)
def test_places_that_cannot_be(change: dict[str, Any]) -> None:
    data = Table().to_dict()
    data["pieces"] |= change
    with pytest.raises(InvalidPosition, match="A1"):
        Table.from_dict(data)


def test_one_piece_a_stack() -> None:
    data = Table().to_dict()
    data["pieces"]["A1"] = [0.0, 0.2]
    data["pieces"]["B1"] = [0.0, 0.2, "A1"]
    assert Table.from_dict(data).position.pieces["B1"] == Place(0.0, 0.2, "A1")
    data["pieces"]["B2"] = [0.0, 0.2, "A1"]
    with pytest.raises(InvalidPosition, match=r"B1.*B2.*A1"):
        Table.from_dict(data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("turn", "x"),
        ("turn", 0.5),
        ("debts", ["x", 0]),
        ("debts", 5),
        ("debts", [0]),
        ("skips", [10**9, 10**9]),
        ("skips", [3, 3]),
        ("strikes", 10**400),
        ("strikes", "3"),
        ("strikes_left", 0),
        ("pocketed", [[["A1"]], []]),
        ("pocketed", 5),
        ("pieces", []),
        ("pieces", {5: [0, 0]}),
        ("called", "no"),
        ("rules", 5),
        ("rules", {"fortress": "no"}),
        ("equipment", 5),
        ("equipment", {"params": 5}),
    ],
)
def test_fields_that_make_no_position(key: str, value: Any) -> None:
    with pytest.raises(InvalidPosition):
        Table.from_dict({**Table().to_dict(), key: value})


def test_a_piece_falls_only_to_its_owner() -> None:
    data = Table().to_dict()
    del data["pieces"]["A1"]
    data["pocketed"] = [[], ["A1"]]
    with pytest.raises(InvalidPosition, match="other seat"):
        Table.from_dict(data)
    assert FORTRESSES[0] in data["pieces"]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (Rules, {"strike_limit": "5"}),
        (Rules, {"strike_limit": float("nan")}),
        (Rules, {"stick_touch": 10**9}),
        (Rules, {"stick_touch": "1"}),
        (Rules, {"fortress": "no"}),
        (Equipment, {"pieces": "3"}),
        (Equipment, {"pieces": 2.5}),
        (Equipment, {"mother_mass": 1e-320}),
        (Equipment, {"params": {}}),
        (Params, {"L": 10**400}),
        (Params, {"fly_speed": "5"}),
        (Params, {"pockets": None}),
        (Params, {"mu": 1e-300}),
    ],
)
def test_fields_that_make_no_sense(kind: Any, change: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition, match=next(iter(change))):
        kind(**change)


def test_things_of_another_kind() -> None:
    makers: tuple[Any, ...] = (
        lambda: Table(5),  # type: ignore[arg-type]
        lambda: Table(equipment=5),  # type: ignore[arg-type]
        lambda: Table(first="0"),  # type: ignore[arg-type]
        lambda: Table.from_dict(None),  # type: ignore[arg-type]
        lambda: simulate([5]),  # type: ignore[list-item]
        lambda: simulate([Disc("A", 0.02, 0.01, 0, 0)], 5),  # type: ignore[arg-type]
    )
    for make in makers:
        with pytest.raises(InvalidPosition):
            make()


def test_numpy_numbers_are_numbers() -> None:
    assert Params(mu=np.float32(0.125)).mu == 0.125  # type: ignore[arg-type]
    assert Table(first=np.int64(1)).turn == 1  # type: ignore[arg-type]
    json.dumps(Params(mu=np.float32(0.125)).to_dict())  # type: ignore[arg-type]


# -- shots that would not end --------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"m": 1e-320},
        {"vx": 1e150},
        {"vx": 1e200, "w": 1e200},
        {"w": 1e9},
        {"R": "0.025"},
        {"R": 1e-300},
        {"x": 10**400},
        {"m": None},
    ],
)
def test_discs_beyond_physics(change: dict[str, Any]) -> None:
    disc = {"id": "M", "R": 0.025, "m": 0.021, "x": 0.0, "y": 0.0, "vx": 1.0, **change}
    with pytest.raises(InvalidPosition, match=f"M 的 {next(iter(change))}"):
        simulate([disc])


def test_a_shot_that_goes_on_for_ever_is_cut_off() -> None:
    disc = Disc("M", 0.025, 0.021, 0.0, 0.0, 5.0, 0.1)
    with pytest.raises(InvalidPosition, match="not at rest"):
        simulate([disc], {"mu": 1e-6, "e_w": 1.0, "pockets": False, "mu_w": 0.0})


@pytest.mark.parametrize("times", [[[0, 1]], ["x"], [float("nan")], [1.0, 0.0], None])
def test_times_are_one_row(times: Any) -> None:
    shot = simulate([Disc("M", 0.025, 0.021, 0.0, 0.0, 1.0)])
    with pytest.raises(ValueError, match="times must"):
        shot.states(times)


@pytest.mark.parametrize("seed", range(13))
def test_shots_at_the_edge_of_the_ranges_end(seed: int) -> None:
    """Masses a billion apart at 1 km/s: at rest, or refused in a sentence, in bounded time."""
    chance = random.Random(seed)
    discs = [
        Disc(
            f"p{k}",
            0.02,
            chance.choice([1e-6, 1e-3, 1e3]),
            0.0401 * (k % 4) - 0.06,
            0.04 * (k // 4) - 0.06,
            chance.choice([0.0, 1e-300, 1e-160, 1e-3, 1e3]),
            chance.choice([0.0, -1e-300, -1e3, 3.0]),
            chance.choice([0.0, 1e-300, 1e6, -1e6]),
        )
        for k in range(10)
    ]
    params = Params(
        mu=chance.choice([1e-2, 0.1, 100.0]),
        e_dd=chance.choice([0.0, 0.85, 1.0]),
        mu_dd=chance.choice([0.0, 100.0]),
        friction=chance.choice(["coulomb", "farkas"]),
    )
    try:
        shot = simulate(discs, params)
    except InvalidPosition:
        return
    assert np.isfinite([(f.x, f.y) for f in shot.final]).all()
    assert np.isfinite(shot.E0)
