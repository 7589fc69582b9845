"""The slow generator itself against the counts that four programs agree on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.twins import xiangqi as twin

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "xiangqi_perft.jsonl")
    .read_text()
    .splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_counts(row: dict) -> None:
    pos = twin.position(row["fen"])
    assert twin.placement(pos) == " ".join(row["fen"].split()[:2])
    moves = twin.legal_moves(pos)
    assert len(moves) == row["perft"][0]
    assert sum(twin.is_capture(pos, m) for m in moves) == row["captures"][0]
    assert sum(twin.gives_check(pos, m) for m in moves) == row["checks"][0]
    assert twin.in_check(pos) == (row["status"] in ("check", "checkmate"))
    if len(row["perft"]) > 1 and row["perft"][1] < 1000:
        assert twin.divide(pos, 2) == row["divide_d2"]
