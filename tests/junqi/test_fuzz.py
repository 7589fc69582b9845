"""Any input: an answer or a GameError, never another exception; and what undoing promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from junqi import Board, Event, GameError, Move
from junqi.records import Record, dumps, loads
from junqi.setups import read_army
from tests.junqi.positions import game

BOARD = game(1, 30)
LINES = dumps(Record.of(BOARD), sealed=True).splitlines()
WORDS = st.sampled_from(
    ["siguo129", "luzhan60", "0", "1", "0l@S62", "1h@E13,2l@N62", "alive=01", "quiet=9", "S11-W15",
     "shown=2", "timeouts=1,2", "icgdiebefkhacgdfhkjigljhj", "/", ",", "军旗", "-"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=8).map(" ".join))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 200) | st.text(max_size=4) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["seat", "from", "to", "outcome", "event", "shown", "out", "result"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("read", [Board, Move.parse, read_army, loads, BOARD.parse])
@settings(deadline=None, max_examples=80)
@given(text=TEXTS)
def test_any_text(read: Callable[[str], Any], text: str) -> None:
    with suppress(GameError):
        read(text)


@settings(deadline=None, max_examples=80)
@given(data=st.binary(max_size=60))
def test_any_set_up_file(data: bytes) -> None:
    for prefix in (b"", b"QQGame JQL File\0\x57\x04\0\0"):
        with suppress(GameError):
            read_army(prefix + data)


@settings(deadline=None, max_examples=150)
@given(value=VALUES, at=st.integers(0, len(LINES) - 1))
def test_any_line_in_a_record(value: Any, at: int) -> None:
    with suppress(GameError):
        Event.from_dict(value)
    lines = list(LINES)
    lines[at] = json.dumps(value)
    with suppress(GameError):
        record = loads("\n".join(lines))
        record.replay()
        record.public().view(None)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), choices=st.lists(st.integers(0, 10_000), max_size=12))
def test_undoing(seed: int, choices: list[int]) -> None:
    """After any moves, timeouts, resignations and offers: taking back restores everything."""
    board = game(seed, seed % 40, ("siguo129", "luzhan60")[seed % 2])
    faces = []
    for choice in choices:
        if board.outcome() is not None:
            break
        faces.append((board.fen(), board.key, board.view(0).to_bytes(), len(board.events)))
        seat = board.alive[choice % len(board.alive)]
        if choice % 10 == 0:
            board.timeout()
        elif choice % 10 == 1:
            board.resign(seat)
        else:
            moves = list(board.legal_moves)
            board.push(moves[choice % len(moves)])
    while faces:
        board.take_back()
        assert (board.fen(), board.key, board.view(0).to_bytes(), len(board.events)) == faces.pop()
