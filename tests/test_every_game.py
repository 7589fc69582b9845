"""One suite over every registered game: what the protocol and its capabilities promise.

A game that lacks a capability skips the tests of it with that as the reason; a game that another
distribution registers is tested in the same way.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import qikit
from qikit import Capability, GameError, GameInfo

PLIES, EVERY = 60, 6
"""Length of a random game, and at which plies the costly questions are asked."""


@pytest.fixture(params=qikit.names())
def info(request: pytest.FixtureRequest) -> GameInfo:
    return qikit.game(request.param)


def needs(info: GameInfo, *capabilities: Capability) -> None:
    """Skip unless the game can be played from ``Board()`` and has the capabilities."""
    for capability in (Capability.MOVES, Capability.START, *capabilities):
        if capability not in info.capabilities:
            pytest.skip(f"{info.name} 没有 {capability.name} (has no such capability)")


def play(info: GameInfo, seed: int, plies: int = PLIES) -> Iterator[tuple[int, Any]]:
    """Ply number and board along a random game; the board must be handed back unchanged."""
    rng = random.Random(f"{info.name} {seed}")
    board = info.board()
    for ply in range(plies):
        yield ply, board
        if board.outcome() is not None:
            return
        board.push(rng.choice(list(board.legal_moves)))
    yield plies, board


def now_and_then(info: GameInfo, seed: int) -> Iterator[Any]:
    """Some boards of a random game."""
    return (board for ply, board in play(info, seed) if ply % EVERY == 0)


def face(info: GameInfo, board: Any) -> tuple[Any, ...]:
    """All that the protocol lets see of a position."""
    text = board.fen() if Capability.FEN in info.capabilities else str(board)
    moves = sorted(map(str, board.legal_moves))
    return text, board.turn, board.key, moves, board.move_stack, board.outcome()


def test_describes_itself(info: GameInfo) -> None:
    assert info.name
    assert info.name_zh
    assert callable(info.board)
    assert isinstance(info.capabilities, Capability)
    if Capability.MOVES in info.capabilities and Capability.START in info.capabilities:
        assert isinstance(info.board(), qikit.Board)


def test_legal_moves_are_a_set_and_legal(info: GameInfo) -> None:
    needs(info)
    for _, board in play(info, 1):
        moves = list(board.legal_moves)
        assert len(moves) == len(board.legal_moves) == len(set(moves)), board
        for move in moves:
            assert board.is_legal(move), (board, move)
            assert move in board.legal_moves, (board, move)


def test_other_moves_are_not_legal(info: GameInfo) -> None:
    """Moves of other positions are legal exactly when they are in the list, and else refused."""
    needs(info)
    strangers = list(dict.fromkeys(m for b in now_and_then(info, 2) for m in b.legal_moves))
    rng = random.Random(2)
    for board in now_and_then(info, 3):
        moves, before = set(board.legal_moves), face(info, board)
        for move in rng.sample(strangers, min(40, len(strangers))):
            assert board.is_legal(move) == (move in moves), (board, move)
            if move not in moves:
                with pytest.raises(GameError):
                    board.push(move)
        assert face(info, board) == before


def test_push_and_pop(info: GameInfo) -> None:
    needs(info)
    faces = []
    for _, board in play(info, 4):
        if faces:
            assert board.move_stack[:-1] == faces[-1][4]
            assert board.peek() == board.move_stack[-1]
        faces.append(face(info, board))
    while board.move_stack:
        assert face(info, board) == faces.pop()
        last = board.peek()
        assert board.pop() == last
    assert face(info, board) == faces.pop() == face(info, info.board())


def test_nothing_to_pop(info: GameInfo) -> None:
    needs(info)
    for ask in (info.board().pop, info.board().peek):
        with pytest.raises((GameError, IndexError)):
            ask()


def test_copies_are_independent(info: GameInfo) -> None:
    needs(info)
    for board in now_and_then(info, 5):
        before, twin = face(info, board), board.copy()
        assert face(info, twin) == before
        if board.outcome() is None:
            twin.push(next(iter(twin.legal_moves)))
            assert len(twin.move_stack) == len(board.move_stack) + 1
        assert face(info, board) == before


def test_copies_of_the_copy_module_are_independent(info: GameInfo) -> None:
    needs(info)
    copied = itertools.cycle((copy.copy, copy.deepcopy))
    for board in now_and_then(info, 5):
        before, twin = face(info, board), next(copied)(board)
        assert face(info, twin) == before
        if board.outcome() is None:
            twin.push(next(iter(twin.legal_moves)))
            changed = face(info, twin)
            board.push(list(board.legal_moves)[-1])
            assert face(info, twin) == changed
            board.pop()
            assert face(info, twin) == changed
        assert face(info, board) == before


def test_equal_positions_have_equal_keys(info: GameInfo) -> None:
    needs(info, Capability.FEN)
    for _, board in play(info, 6):
        again = info.board(board.fen())
        assert again.key == board.key, board
        assert again.turn == board.turn, board


def test_keys_change_with_every_move(info: GameInfo) -> None:
    needs(info)
    for board in now_and_then(info, 7):
        if board.outcome() is None:
            before = board.key
            board.push(next(iter(board.legal_moves)))
            assert board.key != before, board
            board.pop()
            assert board.key == before, board


def test_fen_round_trip(info: GameInfo) -> None:
    needs(info, Capability.FEN)
    for board in now_and_then(info, 8):
        text = board.fen()
        again = info.board(text)
        assert again.fen() == text
        assert sorted(map(str, again.legal_moves)) == sorted(map(str, board.legal_moves))
        assert again.outcome() == board.outcome()


@pytest.mark.parametrize("text", ["", " ", "xyz", "没有局面", "\0", "9" * 10_000, "/" * 200])
def test_no_fen(info: GameInfo, text: str) -> None:
    needs(info, Capability.FEN)
    with pytest.raises(GameError):
        info.board(text)


def test_move_texts(info: GameInfo) -> None:
    needs(info)
    for board in now_and_then(info, 9):
        for move in board.legal_moves:
            assert info.move.parse(str(move)) == move
            if Capability.PARSE in info.capabilities:
                assert board.parse(str(move)) == move


@pytest.mark.parametrize("text", ["", " ", "不是着法", "\0", "-", "z" * 10_000, "１" * 50, "💥"])
def test_no_move_texts(info: GameInfo, text: str) -> None:
    needs(info, Capability.PARSE)
    board = info.board()
    before = face(info, board)
    for read in (info.move.parse, board.parse, board.push):
        with pytest.raises(GameError):
            read(text)
    assert face(info, board) == before


def test_pushed_by_text(info: GameInfo) -> None:
    needs(info, Capability.PARSE)
    for board in now_and_then(info, 10):
        if board.outcome() is None:
            move = next(iter(board.legal_moves))
            board.push(str(move))
            assert board.peek() == move
            board.pop()


def test_mirror(info: GameInfo) -> None:
    needs(info, Capability.MIRROR)
    for board in now_and_then(info, 11):
        image = board.mirror()
        assert len(image.legal_moves) == len(board.legal_moves), board
        assert image.turn == board.turn
        assert image.mirror().key == board.key


def test_without_a_move_the_game_is_over(info: GameInfo) -> None:
    needs(info)
    for seed in range(12, 15):
        for _, board in play(info, seed, plies=300):
            assert board.outcome() is not None or len(board.legal_moves) > 0, board


def test_perft_counts_what_the_lists_hold(info: GameInfo) -> None:
    needs(info, Capability.PERFT)
    for board in now_and_then(info, 15):
        before = face(info, board)
        assert board.perft(0) == 1
        assert board.perft(1) == len(board.legal_moves), board
        nodes = 0
        for move in list(board.legal_moves):
            board.push(move)
            nodes += len(board.legal_moves)
            board.pop()
        assert board.perft(2) == nodes, board
        assert face(info, board) == before


def test_counts_too_deep_for_the_stack_are_refused(info: GameInfo) -> None:
    """A kernel that calls itself a million times would take the whole process down."""
    needs(info, Capability.PERFT)
    board = info.board()
    if info.name == "gomoku":
        pytest.skip("五子棋的层数以棋盘点数为限 (a full board ends every line of gomoku)")
    for depth in (1500, 10**6):
        with pytest.raises(ValueError, match=str(depth)):
            board.perft(depth)


def test_pictures(info: GameInfo) -> None:
    needs(info, Capability.SVG)
    for board in now_and_then(info, 16):
        root = ET.fromstring(board._repr_svg_())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_text_diagrams(info: GameInfo) -> None:
    needs(info)
    for board in now_and_then(info, 17):
        assert str(board).strip()
        assert repr(board).strip()
