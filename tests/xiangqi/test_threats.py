"""Forced gains and mates against a plain search."""

from __future__ import annotations

import numpy as np
import pytest

from qikit import InvalidPosition, kernels
from tests.twins import threats as twin
from tests.twins import xiangqi as game
from tests.xiangqi.positions import codes, reference_fens, sample
from xiangqi import Board
from xiangqi.threats import Scene


def thin(seed, games):
    """Positions in which the plain search ends in time, neither side in check."""
    for pos in sample(seed, games, 160, 13):
        pieces = sum(letter not in ".PpKkAaBb" for letter in pos.points)
        other = pos._replace(red_to_move=not pos.red_to_move)
        if pieces <= 7 and not game.in_check(pos) and not game.in_check(other):
            yield pos


def scene(pos):
    return Scene(np.array(codes(pos), np.uint8), 0 if pos.red_to_move else 1)


def check_mates(seed, games, depth):
    found = {True: 0, False: 0}
    for pos in thin(seed, games):
        mate = scene(pos).mate(depth)
        assert (mate is not None) == twin.mates_by_checks(pos, depth), game.placement(pos)
        found[mate is not None] += 1
    return found


def test_mates_by_checks():
    found = check_mates(5, 60, 2)
    assert min(found.values()) >= 3, found


@pytest.mark.full
def test_mates_by_checks_in_many_positions():
    found = check_mates(6, 600, 3)
    assert min(found.values()) >= 30, found


def test_a_known_mate_needs_its_depth():
    """Two chariots drive the general up the board's edge: two moves, not one."""
    board = Board("4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1")
    assert Scene(board.codes, 0).mate(1) is None
    assert str(Scene(board.codes, 0).mate(2)) in ("a2a9", "b1b9", "a2e2", "b1e1")


def check_exchanges(seed, games):
    seen = 0
    for pos in thin(seed, games):
        now = scene(pos)
        for move in game.legal_moves(pos):
            if game.is_capture(pos, move):
                wanted = twin.worth(pos.points, move[1]) - twin.exchange(
                    game.make(pos, move), move[1]
                )
                assert now.exchange(move[0] | move[1] << 7) == wanted, (game.placement(pos), move)
                seen += 1
    return seen


def test_exchanges():
    assert check_exchanges(7, 25) >= 60


@pytest.mark.full
def test_many_exchanges():
    assert check_exchanges(8, 400) > 1000


def check_material(seed, games, depth, checks):
    kernel = kernels.load("xiangqi.kernel")
    search = kernels.load("xiangqi.threats.kernel")
    moves = np.empty(kernel.FRAME * search.PLIES, np.int64)
    tally = np.empty(2, np.int64)
    compared = gains = 0
    for pos in thin(seed, games):
        plain = twin.Search(pos.red_to_move, search.QUIET_PLIES, search.FLIGHT_PLIES, 1500)
        try:
            wanted = plain.value(pos, depth, checks, -1)
        except twin.TooLarge:
            continue
        tally[:] = 0, 10**9
        value = search.material(
            scene(pos).state,
            0 if pos.red_to_move else 1,
            -20_000,
            20_000,
            depth,
            checks,
            -1,
            -1,
            moves,
            0,
            tally,
        )
        assert value == wanted, game.placement(pos)
        compared += 1
        gains += wanted > 0
    return compared, gains


def test_forced_material():
    compared, gains = check_material(9, 45, 3, 1)
    assert compared >= 40
    assert gains >= 10


@pytest.mark.full
def test_forced_material_in_many_positions():
    compared, gains = check_material(10, 500, 4, 2)
    assert compared >= 300
    assert gains >= 80


def test_surveys_leave_the_position_alone_and_repeat():
    for fen in reference_fens()[::6]:
        board = Board(fen)
        if board.is_check():
            continue
        now = Scene(board.codes, board.turn)
        state = now.state.copy()
        first = now.survey()
        now.mate()
        assert now.survey() == first
        assert (now.state == state).all()
        assert not now.bounded


def test_a_shield_keeps_a_piece():
    board = Board("3k5/9/4r4/9/9/9/4R4/9/9/4K4 w - - 0 1")
    square = board.parse("e3e7").to_square
    passing, lines = Scene(board.codes, 0).survey()
    assert [(line.value, line.offered) for line in lines if line.victim] == [(10, True)]
    assert passing == -10
    shielded, _ = Scene(board.codes, 0).survey(board.parse("e3e7").from_square)
    assert shielded == 0
    assert square == 67


def test_a_position_without_a_general_is_refused():
    with pytest.raises(InvalidPosition):
        Scene(np.zeros(90, np.uint8), 0)
