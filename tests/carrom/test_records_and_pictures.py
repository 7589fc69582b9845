"""Records that replay to the same bits; SVG, frames, GIF and plots."""

from __future__ import annotations

import json
import random
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from carrom import (
    Disc,
    Fault,
    InvalidPosition,
    InvalidRecord,
    Params,
    Place,
    Rules,
    Table,
    Termination,
    simulate,
)
from carrom.animation import frames, save_gif
from carrom.benchmark import EVENTS, PARAMS, break20
from carrom.physics import simulate_many
from carrom.plots import curves_of, save_plot
from carrom.records import dumps, loads, read, read_positions, write
from carrom.svg import shot_svg, table_svg


def played(seed: int, strikes: int = 30, rules: Rules | None = None) -> Table:
    table = Table(rules, first=seed % 2)
    chance = random.Random(seed)
    for k in range(strikes):
        if table.outcome() is not None:
            break
        faults = [Fault.STICK_TOUCH] if k % 7 == 6 else []
        table.strike(table.random_stroke(chance, aimed=k % 2 == 0), faults)
    return table


def test_keys_tell_positions_apart() -> None:
    keys, table = [], played(3, 0)
    chance = random.Random(4)
    for _ in range(40):
        keys.append(table.key)
        assert Table.from_dict(json.loads(json.dumps(table.to_dict()))).key == table.key
        table.strike(table.random_stroke(chance, aimed=True))
    assert len(set(keys)) == 40
    while table.rulings:
        table.pop()
        assert table.key == keys.pop()


# -- records -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_records_replay_to_the_same_bits(seed: int, tmp_path: Path) -> None:
    table = played(seed, 400 if seed == 0 else 30, Rules(strike_limit=200))
    file = tmp_path / "game.jsonl"
    write(file, table, {"下方": "甲", "上方": "乙"})
    record = read(file)
    assert record.defects == []
    assert record.headers == {"下方": "甲", "上方": "乙"}
    again = record.table
    assert again.position == table.position
    assert again.outcome() == table.outcome()
    assert [r.shot.digest() for r in again.rulings] == [r.shot.digest() for r in table.rulings]
    assert [r.zh for r in again.rulings] == [r.zh for r in table.rulings]
    assert dumps(again, record.headers) == file.read_text("utf-8")


def test_a_called_game_keeps_its_result() -> None:
    table = played(3)
    outcome = table.call_time()
    record = loads(dumps(table))
    assert record.table.outcome() == outcome
    assert record.defects == []
    assert outcome.termination is Termination.MOVE_LIMIT


def test_a_damaged_line_loses_only_what_follows() -> None:
    lines = dumps(played(1, 10)).splitlines()
    for damage, text in {
        "nonsense": "不是 JSON",
        "[1]": "不是 JSON",
        '{"seat": 0}': "不能击打",
        lines[5].replace('"speed": ', '"speed": 99'): "S0-KL-10",
        lines[5].replace('"seat": ', '"seat": 7'): "wrong seat",
        lines[5].replace('"dx": ', '"dq": '): "不能击打",
    }.items():
        record = loads("\n".join([*lines[:5], damage, *lines[6:]]))
        assert len(record.table.rulings) == 4
        assert record.defects[0].line == 6
        assert text in record.defects[0].reason
        assert len(record.defects) == len(lines) - 5


def test_other_bits_are_told() -> None:
    lines = dumps(played(1, 10)).splitlines()
    data = json.loads(lines[3])
    data["digest"] = "0" * 64
    lines[3] = json.dumps(data)
    record = loads("\ufeff" + "\n".join(lines) + "\n\n")
    assert [d.line for d in record.defects] == [4]
    assert len(record.table.rulings) == 10
    wrong = [*lines, json.dumps({"outcome": "pieces_cleared", "winner": 0, "rule": "S0-KL-15"})]
    assert len(loads("\n".join(wrong)).defects) == 2
    strange = [*lines, json.dumps({"outcome": "rain", "winner": 0})]
    assert "rain" in loads("\n".join(strange)).defects[1].reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "{}",
        "[]",
        "zz",
        '{"format": "qiyuan-carrom"}',
        '{"format": "qiyuan-carrom", "version": 1}',
        '{"format": "qiyuan-carrom", "version": 1, "rules": {"x": 1}, "equipment": "club"}',
    ],
)
def test_no_records(text: str) -> None:
    with pytest.raises(InvalidRecord):
        loads(text)


def test_no_text_files(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidRecord, match="UTF-8"):
        read(file)


def test_a_table_set_up_by_hand_is_no_game() -> None:
    table = Table.from_dict(played(2, 5).to_dict())
    with pytest.raises(InvalidRecord):
        dumps(table)


def test_positions_as_lines() -> None:
    tables = [played(seed, 8) for seed in range(3)]
    lines = [json.dumps(table.to_dict()) for table in tables]
    again = read_positions(["", *lines])
    assert [t.position for t in again] == [t.position for t in tables]
    with pytest.raises(InvalidRecord, match="第 2 行"):
        read_positions([lines[0], "oops"])
    with pytest.raises(InvalidPosition):
        read_positions(["{}"])


# -- many shots in one call ----------------------------------------------------------------------


def test_many_shots_equal_single_shots() -> None:
    discs = break20()
    radii, masses = np.array([d.R for d in discs]), np.array([d.m for d in discs])
    start = np.array([[[d.x, d.y, d.vx, d.vy, d.w] for d in discs]] * 5)
    for k in range(5):
        start[k, 0, 2] += 0.05 * k
    final, totals = simulate_many(start, radii, masses, PARAMS)
    assert totals[0, 0] == EVENTS
    for k in range(5):
        moved = [Disc(discs[0].id, 0.025, 0.021, *(float(v) for v in start[k, 0])), *discs[1:]]
        shot = simulate(moved, PARAMS)
        assert [(f.x, f.y) for f in shot.final] == [tuple(row[:2]) for row in final[k].tolist()]
        assert totals[k, 0] == shot.n_events


# -- pictures ------------------------------------------------------------------------------------


def test_picture_of_a_table() -> None:
    table = played(4)
    picture = ET.fromstring(table_svg(table))
    texts = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert len(texts) == len(table.position.pieces)
    assert table._repr_svg_() == table_svg(table)
    piled = Table()
    pieces = {**piled.position.pieces, "A1": Place(0, 0.3), "B1": Place(0, 0.3, on="A1")}
    piled.position = type(piled.position)(pieces)
    ET.fromstring(table_svg(piled))


@pytest.mark.parametrize("friction", ["coulomb", "farkas"])
def test_picture_of_a_shot(friction: str) -> None:
    ruling = played(5, 9).rulings[-1]
    shot = simulate(ruling.shot.discs, {**ruling.shot.params.to_dict(), "friction": friction})
    root = ET.fromstring(shot_svg(shot))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    other = simulate([Disc("x", 0.02, 0.01, 0.0, 0.0, 1.0)], Params(L=0.8))
    ET.fromstring(shot_svg(other))


def test_frames() -> None:
    shot = simulate(
        [
            Disc("M", 0.025, 0.021, 0.1, 0.1, 2.0, 2.0, 30.0),
            Disc("A1", 0.019, 0.012, -0.2, 0.0),
        ]
    )
    movie = json.loads(json.dumps(frames(shot, 50.0)))
    assert [d["side"] for d in movie["discs"]] == [None, 0]
    assert movie["frames"][0] == [[0.1, 0.1, 0.0], [-0.2, 0.0, 0.0]]
    assert movie["frames"][-1][0] is None  # the mother fell
    assert movie["frames"][1][0][2] > 0.5  # and turned before
    assert len(movie["frames"]) >= shot.t_end * 50
    with pytest.raises(ValueError, match="fps"):
        frames(shot, 0.0)


def test_speed_and_energy_fall() -> None:
    shot = simulate(break20(), PARAMS)
    times, speeds, energy = curves_of(shot)
    assert speeds.shape == (len(times), 20)
    assert energy[0] == pytest.approx(shot.E0, rel=1e-14)
    assert energy[-1] == 0.0
    assert np.all(np.diff(energy) <= 1e-15)


def test_gif(tmp_path: Path) -> None:
    shot = simulate([Disc("M", 0.025, 0.021, 0.0, 0.0, 0.0, 0.6)])
    target = tmp_path / "shot.gif"
    if find_spec("PIL") is None:
        with pytest.raises(ModuleNotFoundError, match=r"qiyuan-games\[plot\]"):
            save_gif(shot, target)
        pytest.skip("Pillow 未安装 (not installed): only its absence was tested")
    assert save_gif(shot, target, size=120) > 10
    assert target.read_bytes()[:6] == b"GIF89a"


def test_plot(tmp_path: Path) -> None:
    shot = simulate(break20(), PARAMS)
    target = tmp_path / "shot.svg"
    if find_spec("matplotlib") is None:
        with pytest.raises(ModuleNotFoundError, match=r"qiyuan-games\[plot\]"):
            save_plot(shot, target)
        pytest.skip("matplotlib 未安装 (not installed): only its absence was tested")
    save_plot(shot, target)
    assert ET.parse(target).getroot().tag.endswith("svg")


# -- a peer --------------------------------------------------------------------------------------


def test_pymunk_converges_to_the_same_stop() -> None:
    """pymunk at 20 us: a head-on pair stops where ours does, to its own first-order error."""
    pymunk = pytest.importorskip("pymunk", reason="pymunk 未安装 (peer not installed)")
    discs = [Disc("A", 0.02, 0.012, -0.2, 0.0, 1.0), Disc("B", 0.02, 0.012, 0.0, 0.0)]
    params = Params(mu_dd=0.0, pockets=False, rails=False)
    shot = simulate(discs, params)
    space = pymunk.Space()
    space.collision_slop = 0.0
    bodies = []
    for d in discs:
        body = pymunk.Body(d.m, 0.5 * d.m * d.R**2)
        body.position, body.velocity = (d.x, d.y), (d.vx, d.vy)
        shape = pymunk.Circle(body, d.R)
        shape.elasticity = params.e_dd**0.5
        slide = pymunk.PivotJoint(space.static_body, body, (0, 0), (0, 0))
        slide.max_bias, slide.max_force = 0, params.mu * d.m * params.g
        space.add(body, shape, slide)
        bodies.append(body)
    for _ in range(round(shot.t_end / 2e-5) + 10):
        space.step(2e-5)
    for body, final in zip(bodies, shot.final, strict=True):
        assert body.position.x == pytest.approx(final.x, abs=1e-3)
