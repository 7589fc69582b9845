"""The reference data: board graphs, combat tables, counts, and faults met in other programs."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from junqi import Board, Move, Rules, board_map, parse_point, point_name
from junqi.geometry import coordinates, type_of
from junqi.layout import CAMP, HQ, STATION
from junqi.pieces import (
    ATTACKER_STAYS,
    BOTH_LEAVE,
    COUNTS,
    DEFENDER_STAYS,
    FLAG,
    LETTERS,
    NAMES_EN,
    NAMES_ZH,
    RANKS,
    duel,
)
from tests.junqi.positions import DATA, rows

MODEL = json.loads((DATA / "junqi_board.json").read_text("utf-8"))
BOARDS = sorted(MODEL["boards"])
PERFT = [row for row in rows("junqi_perft.jsonl") if row["kind"] == "perft"]
DUELS = [row for row in rows("junqi_perft.jsonl") if row["kind"] == "duel"]
FAULTS = [row for row in rows("junqi_bugs.jsonl") if row["test"]]


def points(name: str) -> dict[int, int]:
    """The data file's point numbers -> ours."""
    return {node["id"]: parse_point(node["name"]) for node in MODEL["boards"][name]["nodes"]}


@pytest.mark.parametrize("name", BOARDS)
def test_points(name: str) -> None:
    board, number = board_map(name), points(name)
    assert sorted(number.values()) == sorted(board.points)
    kinds = {"station": STATION, "camp": CAMP, "hq": HQ}
    for node in MODEL["boards"][name]["nodes"]:
        point = number[node["id"]]
        assert coordinates(point) == (node["x"], node["y"])
        assert type_of(point) == kinds[node["type"]]
        assert board.seat_of(point) == (node["seat"] if node["seat"] >= 0 else None)


@pytest.mark.parametrize("name", BOARDS)
def test_roads_and_rails(name: str) -> None:
    board, number, model = board_map(name), points(name), MODEL["boards"][name]
    for links, edges in ((board.roads, "road_edges"), (board.rails, "rail_edges")):
        assert links == {tuple(sorted((number[a], number[b]))) for a, b in model[edges]}
    lines = {tuple(number[i] for i in line["nodes"]) for line in model["rail_lines"]}
    assert {min(line, line[::-1]) for line in board.lines} == {min(x, x[::-1]) for x in lines}


@pytest.mark.parametrize("name", BOARDS)
def test_symmetries(name: str) -> None:
    """Every symmetry of the data maps roads to roads and lines to lines."""
    board, number = board_map(name), points(name)
    lines = {min(line, line[::-1]) for line in board.lines}
    for image in MODEL["boards"][name]["symmetries"].values():
        to = {number[i]: number[j] for i, j in enumerate(image)}
        assert {tuple(sorted((to[a], to[b]))) for a, b in board.roads} == board.roads
        moved = [tuple(to[p] for p in line) for line in board.lines]
        assert {min(line, line[::-1]) for line in moved} == lines


@pytest.mark.parametrize("name", BOARDS)
def test_degrees(name: str) -> None:
    board = board_map(name)
    roads, rails = board.neighbours(board.roads), board.neighbours(board.rails)
    for point in board.points:
        degree = len(roads[point]) + len(rails[point])
        if type_of(point) == CAMP:
            assert degree == 8
        if type_of(point) == HQ:
            assert degree == 3


@pytest.mark.parametrize(
    ("name", "actions", "origins"), [("siguo129", 5624, 121), ("luzhan60", 1176, 56)]
)
def test_static_actions(name: str, actions: int, origins: int) -> None:
    """Pairs of points that some piece could use on an otherwise empty board."""
    found = set()
    board = board_map(name)
    other = "E" if board.seats == 4 else "N"
    for point in board.points:
        mine, enemy = (
            next(name for name in (f"{zone}62", f"{zone}64") if parse_point(name) != point)
            for zone in ("S", other)
        )
        for kind in "ai":
            tokens = [f"0l@{mine}", f"0{kind}@{point_name(point)}", f"1l@{enemy}"]
            found |= set(Board.from_tokens(tokens, name).legal_moves)
            # the flags' own points: they are targets too where the flag stands in the other place
            swap = {"2": "4", "4": "2"}
            tokens = [t[:-1] + swap[t[-1]] if t[1] == "l" else t for t in tokens]
            if point_name(point) not in (tokens[0][3:], tokens[2][3:]):
                found |= set(Board.from_tokens(tokens, name).legal_moves)
    assert len(found) == actions
    assert len({a for a, _ in found}) == origins


def test_pieces() -> None:
    for kind, piece in enumerate(MODEL["pieces"]):
        assert piece["code"] == LETTERS[kind]
        assert (piece["name_zh"], piece["name_en"]) == (NAMES_ZH[kind], NAMES_EN[kind])
        assert (piece["rank"], piece["count"]) == (RANKS[kind], COUNTS[kind])


@pytest.mark.parametrize("row", DUELS, ids=lambda row: f"mine_survives={row['mine_survives']}")
def test_combat(row: dict[str, Any]) -> None:
    words = {ATTACKER_STAYS: "A", DEFENDER_STAYS: "D", BOTH_LEAVE: "="}
    for a, line in row["table"].items():
        for d, word in line.items():
            if word != "never attacks":
                kinds = LETTERS.index(a), LETTERS.index(d)
                out = words[duel(*kinds, row["mine_survives"])]
                assert out + ("!" if kinds[1] == FLAG else "") == word, (a, d)


def board_of(row: dict[str, Any]) -> Board:
    rules = Rules(**row.get("rules", {}))
    if "armies" in row.get("setup", {}):
        return Board.from_armies(row["setup"]["armies"], row["board"], row["turn"], rules)
    tokens = row["setup"]["tokens"] if "setup" in row else row["tokens"]
    return Board.from_tokens(tokens, row["board"], row["turn"], rules)


@pytest.mark.parametrize("row", PERFT, ids=lambda row: str(row["id"]))
def test_counts(row: dict[str, Any]) -> None:
    board = board_of(row)
    assert [seat in board.alive for seat in range(board.map.seats)] == row["alive"]
    moves = sorted(map(str, board.legal_moves))
    assert moves == row["moves_d1"]
    digest = hashlib.sha256(" ".join(moves).encode()).hexdigest()
    assert digest[:16] == row["digest_d1"]
    assert {str(m): n for m, n in board.divide(2).items()} == row["divide_d2"]
    assert [board.perft(depth) for depth in range(1, len(row["perft"]) + 1)] == row["perft"]


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: str(row["id"]))
def test_faults_of_other_programs(row: dict[str, Any]) -> None:
    test = row["test"]
    board = board_of(test)
    if test["ask"] == "targets":
        start = parse_point(test["at"])
        found = {point_name(m.to_point) for m in board.legal_moves if m.from_point == start}
        assert found == set(test["expect"])
        return
    if test["ask"] == "legal":
        assert board.is_legal(Move.parse(test["move"])) == test["expect"]
        return
    assert test["ask"] == "after"
    for move in test["moves"]:
        board.push(move)
    outcome = board.outcome()
    result = None
    if outcome is not None:
        result = ["draw", None] if outcome.winner is None else ["win", outcome.winner]
    answers = {
        "cells": {name: board.piece_at(name) for name in test["expect"].get("cells", ())},
        "turn": board.turn,
        "alive": [seat in board.alive for seat in range(board.map.seats)],
        "flag_shown": list(board.flags_shown),
        "quiet": board.quiet,
        "result": result,
    }
    for what, expected in test["expect"].items():
        assert answers[what] == expected, (row["id"], what)


def test_the_fifth_timeout_puts_a_player_out() -> None:
    """jq14: cumulative, not in a row."""
    board = Board("luzhan60 0 0l@S62,0h@S13,0g@S33,1l@N62,1h@N13")
    for count in range(1, 5):
        board.timeout()
        assert board.timeouts == (count, 0)
        board.push("N13-N23")
        board.push("S13-S23" if count % 2 else "S23-S13")
        board.push("N23-N13")
    board.timeout()
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.termination.value, outcome.winner) == ("time_forfeit", 1)
