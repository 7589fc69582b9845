"""The reference shots (tests/data/carrom_shots.jsonl)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from carrom import Params, Shot, simulate
from tests.carrom.layouts import deepest_gap, jumps
from tests.twins import carrom as twin

DATA = Path(__file__).parents[1] / "data" / "carrom_shots.jsonl"
SHOTS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
BY_ID = {shot["id"]: shot for shot in SHOTS}


def kinds(events: list[dict[str, Any]]) -> Counter[Any]:
    return Counter((e["type"], frozenset((e["a"], e["b"]))) for e in events)


def farthest(shot: Shot, expected: dict[str, Any]) -> float:
    worst = 0.0
    for final, wanted in zip(shot.final, expected["final"], strict=True):
        assert final.id == wanted["id"]
        assert final.pocketed == wanted["pocketed"], final
        if final.pocketed:
            assert final.pocket == wanted["pocket"]
        else:
            worst = max(worst, abs(final.x - wanted["x"]), abs(final.y - wanted["y"]))
    return worst


@pytest.mark.parametrize(
    "row", [r for r in SHOTS if r["group"] != "policy"], ids=lambda row: row["id"]
)
def test_exact_shots(row: dict[str, Any]) -> None:
    shot = simulate(row["discs"], row["params"])
    expected = row["expected"]
    assert farthest(shot, expected) <= row["tolerance_m"]
    told = shot.to_dict()
    assert kinds(told["events"]) == kinds(expected["events"])
    assert told["n_events"] == expected["n_events"]
    # the reference calls a disc with coupled friction at rest a few ns later
    assert told["t_end"] == pytest.approx(expected["t_end"], abs=2e-8)
    assert told["E0"] == pytest.approx(expected["E0"], rel=1e-14)
    for name, lost in expected["energy_lost"].items():
        assert told["energy_lost"][name] == pytest.approx(lost, abs=1e-14), name
    assert abs(shot.energy_lost.total - shot.E0) <= 3e-17
    mine = sorted(told["events"], key=lambda e: (round(e["t"], 7), e["type"], str(e["a"])))
    theirs = sorted(expected["events"], key=lambda e: (round(e["t"], 7), e["type"], str(e["a"])))
    for one, other in zip(mine, theirs, strict=True):
        assert one["t"] == pytest.approx(other["t"], abs=1e-11)
        if one["type"] == "pocket":
            assert one["speed"] == pytest.approx(other["speed"], abs=1e-10)
        elif row["id"] != "frozen_piece_on_rail":  # its order inside the instant is free
            swap = one["a"] != other["a"]
            assert one["approach"] == pytest.approx(other["approach"], abs=1e-9)
            assert one["Jn"] == pytest.approx(other["Jn"], abs=1e-11)
            assert one["Jt"] == pytest.approx(other["Jt"], abs=1e-11), swap


@pytest.mark.parametrize(
    "row", [r for r in SHOTS if r["group"] in ("policy", "rule")], ids=lambda row: row["id"]
)
def test_shots_by_invariants(row: dict[str, Any]) -> None:
    shot = simulate(row["discs"], row["params"])
    assert 0 < shot.n_events < 500
    assert deepest_gap(shot) > -1e-7
    assert abs(shot.energy_lost.total - shot.E0) <= 1e-15
    for jump in jumps(shot):
        assert abs(jump["dp"] - jump["push"]).max() <= 1e-15 + 1e-14 * jump["size"]
        assert jump["de"] <= 1e-17
    assert simulate(row["discs"], row["params"]).digest() == shot.digest()


def test_the_vee_is_symmetric() -> None:
    row = BY_ID["vee_symmetric"]
    shot = simulate(row["discs"], row["params"])
    b, c = shot.place("B"), shot.place("C")
    assert abs(b.x - c.x) < 1e-14
    assert abs(b.y + c.y) < 1e-14
    assert abs(shot.place("M").y) < 1e-15


def test_only_the_last_of_the_cradle_leaves() -> None:
    row = BY_ID["cradle_touching"]
    for gap in (0.0, 1e-3):
        discs = [dict(d) for d in row["discs"]]
        for k, disc in enumerate(discs[1:]):
            disc["x"] += k * gap
        shot = simulate(discs, row["params"])
        ran = [
            f.id for f, d in zip(shot.final, shot.discs, strict=True) if abs(f.x - d.x) > 5 * gap
        ]
        assert ran == ["A", "B4"] if gap == 0.0 else ran[-1] == "B4"
        assert shot.final[1].x - discs[1]["x"] <= gap + 1e-12


QUICK = [
    row["id"]
    for row in SHOTS
    if row["params"]["friction"] == "coulomb"
    and row["group"] in ("exact", "rule")
    and len(row["discs"]) <= 6
]


@pytest.mark.parametrize("name", QUICK)
def test_the_twin_agrees_with_the_reference(name: str) -> None:
    row = BY_ID[name]
    slow = twin.simulate(row["discs"], row["params"])
    assert kinds(slow["events"]) == kinds(row["expected"]["events"])
    for final in row["expected"]["final"]:
        hole, x, y = slow["final"][final["id"]]
        assert (hole is not None) == final["pocketed"]
        if hole is None:
            assert abs(x - final["x"]) < 1e-12
            assert abs(y - final["y"]) < 1e-12


def test_to_dict_has_the_names_of_the_data() -> None:
    row = BY_ID["pocket_bank"]
    told = simulate(row["discs"], row["params"]).to_dict()
    assert set(row["params"]) <= set(told["params"])
    assert [list(d) for d in told["discs"]] == [list(d) for d in row["discs"]]
    assert set(row["expected"]) <= set(told)
    for mine, theirs in zip(told["events"], row["expected"]["events"], strict=True):
        assert list(mine) == list(theirs)
    for mine, theirs in zip(told["final"], row["expected"]["final"], strict=True):
        assert list(mine) == list(theirs)
    assert Params.of(told["params"]) == Params.of(row["params"])
    # the same things by attribute and by key
    shot = simulate(row["discs"], Params.of(row["params"]))
    assert shot.final[0]["x"] == shot.final[0].x
    assert shot.energy_lost["impact"] == shot.energy_lost.impact
    with pytest.raises(KeyError):
        shot.events[0]["nothing"]
