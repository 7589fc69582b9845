"""The suite over all registered games, for starts of 军棋 (there is no ``Board()`` of it)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import tests.test_every_game as suite
from junqi import GAME, Board
from qikit import Capability, GameInfo

ARMIES = {
    "siguo129": ["icgdiebefkhacgdfhkjigljhj", "bgadhfiikdghceejhfgjilkcj"] * 2,
    "luzhan60": ["ghcaigihehdifkkebjdcjfglj", "cdihhkafeicdkgfjggejjlhbi"],
}
CASES = [
    value
    for name, value in vars(suite).items()
    if name.startswith("test_")
    and "text" not in value.__code__.co_varnames[: value.__code__.co_argcount]
]


@pytest.fixture(params=sorted(ARMIES))
def info(request: pytest.FixtureRequest) -> GameInfo:
    """军棋 as if it had a start."""

    def board(position: str | None = None) -> Board:
        if position is not None:
            return Board(position)
        return Board.from_armies(ARMIES[request.param], request.param)

    return replace(GAME, board=board, capabilities=GAME.capabilities | Capability.START)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_what_every_game_promises(info: GameInfo, case: Callable[[GameInfo], None]) -> None:
    case(info)


@pytest.mark.parametrize("text", ["", " ", "xyz", "没有局面", "\\0", "9" * 10_000, "/" * 200, "-"])
@pytest.mark.parametrize("case", [suite.test_no_fen, suite.test_no_move_texts])
def test_no_texts(info: GameInfo, text: str, case: Callable[..., Any]) -> None:
    case(info, text)
