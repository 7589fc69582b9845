"""Errors, outcomes, registry, keys: the words that other rooms build on."""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import qikit
from qikit import (
    AmbiguousMove,
    GameError,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    InvalidRecord,
    Outcome,
    Termination,
    zobrist,
)


@pytest.mark.parametrize(
    "kind", [AmbiguousMove, IllegalMove, InvalidMove, InvalidPosition, InvalidRecord]
)
def test_errors_are_value_errors_with_input_and_position(kind: type[GameError]) -> None:
    error = kind("何处何故", text="h2e9", position="start")
    assert isinstance(error, ValueError)
    assert (str(error), error.text, error.position) == ("何处何故", "h2e9", "start")
    assert (kind("bare").text, kind("bare").position) == ("", "")


def test_illegal_and_ambiguous_say_more() -> None:
    assert IllegalMove("马腿", rule="S0-XQ-10").rule == "S0-XQ-10"
    assert AmbiguousMove("两个兵", candidates=("a3a4", "c3c4")).candidates == ("a3a4", "c3c4")


def test_errors_survive_a_process_boundary() -> None:
    error = pickle.loads(pickle.dumps(IllegalMove("马腿", text="b0c2", rule="S0-XQ-10")))
    assert (str(error), error.text, error.rule) == ("马腿", "b0c2", "S0-XQ-10")


def test_terminations_have_unique_names_in_both_languages() -> None:
    assert len({one.value for one in Termination}) == len(Termination)
    assert len({one.zh for one in Termination}) == len(Termination)
    assert all(one.value == one.name.lower() for one in Termination)
    assert Termination("stalemate") is Termination.STALEMATE


def test_outcome() -> None:
    assert [Outcome(Termination.CHECKMATE, seat).result() for seat in (0, 1, None)] == [
        "1-0",
        "0-1",
        "1/2-1/2",
    ]
    with pytest.raises(ValueError, match="seat 3"):
        Outcome(Termination.FLAG_CAPTURED, 3).result()
    with pytest.raises(FrozenInstanceError):
        Outcome(Termination.CHECKMATE, 0).winner = 1  # type: ignore[misc]


def test_unknown_game_lists_the_known_ones() -> None:
    with pytest.raises(KeyError, match="xiangqi"):
        qikit.game("mahjong")


def test_every_registered_game_describes_itself() -> None:
    assert qikit.names() == tuple(sorted(qikit.names()))
    for name in qikit.names():
        info = qikit.game(name)
        assert info.name == name
        assert info.name_zh
        assert callable(info.board)


def test_keys_never_change() -> None:
    """Opening books and hash files keep these words: the stream is part of the format."""
    words = zobrist.keys(2026, 4, 90)
    assert words.shape == (4, 90)
    assert words.dtype == np.int64
    assert words.min() >= 0
    assert len(np.unique(words)) == words.size
    digest = hashlib.sha256(words.astype("<i8").tobytes()).hexdigest()
    assert digest[:16] == "3d2a20e2a1ff04fa"
    assert (zobrist.keys(2026, 360) == words.reshape(-1)).all(), "independent of the shape"
    assert (zobrist.keys(2027, 4, 90) != words).any()


def test_keys_agree_with_the_published_generator() -> None:
    """First outputs of SplitMix64 for seed 1234567, as printed in its reference program."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(word) for word in zobrist.keys(1234567, 3)] == [word >> 1 for word in published]
