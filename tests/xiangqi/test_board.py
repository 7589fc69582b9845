"""The public board against the slow generator, and its manners."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import xiangqi
from qikit import GameError, IllegalMove, InvalidMove, InvalidPosition, StopFlag, Termination
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import START, codes, reference_fens, rows, sample
from xiangqi import Board, Move


def twin_of(board: Board) -> twin.Position:
    return twin.position(board.fen())


def assert_same(board: Board, pos: twin.Position) -> None:
    """Everything that the board says about a position, compared with the slow generator."""
    where = twin.placement(pos)
    legal = {Move(*move) for move in twin.legal_moves(pos)}
    assert board.fen(counters=False) == where
    assert board.codes.tolist() == codes(pos), where
    assert set(board.legal_moves) == legal, where
    assert len(board.legal_moves) == len(legal), where
    assert set(board.legal_captures) == {m for m in legal if twin.is_capture(pos, m)}, where
    assert board.is_check() == twin.in_check(pos), where
    assert board.checkers() == tuple(twin.checkers(pos, pos.red_to_move)), where
    assert board.is_checkmate() == (not legal and twin.in_check(pos)), where
    assert board.is_stalemate() == (not legal and not twin.in_check(pos)), where
    for color in (0, 1):
        assert board.king(color) == twin.general(pos.points, color == 0), where
    for move in legal:
        assert board.is_capture(move) == twin.is_capture(pos, move), (where, str(move))
        assert board.gives_check(move) == twin.gives_check(pos, move), (where, str(move))
    for sq in range(90):
        letter = pos.points[sq]
        piece = board.piece_at(sq)
        assert (piece.symbol() if piece else ".") == letter, where
        expected = sorted(twin.targets(pos.points, sq)) if piece else []
        assert board.targets(sq) == tuple(expected), (where, sq)
        assert set(board.legal_moves_from(sq)) == {m for m in legal if m[0] == sq}
    assert board.piece_map() == {
        sq: board.piece_at(sq) for sq in range(90) if pos.points[sq] != "."
    }


@pytest.mark.parametrize("fen", reference_fens()[:56])
def test_reference_positions(fen: str) -> None:
    assert_same(Board(fen), twin.position(fen))


def test_random_positions() -> None:
    for pos in sample(1, games=12, every=9):
        assert_same(Board(twin.placement(pos)), pos)


def test_attackers() -> None:
    for pos in sample(2, games=8, every=17):
        board = Board(twin.placement(pos))
        for color in (0, 1):
            for sq in range(90):
                expected = tuple(twin.attackers(pos, color == 0, sq))
                assert board.attackers(color, sq) == expected, (twin.placement(pos), color, sq)


def test_is_legal_for_every_pair_of_points() -> None:
    for pos in sample(3, games=4, every=41):
        board = Board(twin.placement(pos))
        legal = set(twin.legal_moves(pos))
        for start in range(90):
            for goal in range(90):
                move = Move(start, goal)
                assert board.is_legal(move) == (move in legal), (twin.placement(pos), str(move))
                assert (board.explain(move) is None) == (move in legal)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 150))
def test_play_and_take_back(seed: int, plies: int) -> None:
    """Along a random game: counters, keys, stack; then everything back, step by step."""
    rng = random.Random(seed)
    board = Board()
    seen = []
    quiet = 0
    for ply in range(plies):
        if not board.legal_moves:
            break
        assert board.halfmove_clock == quiet
        assert board.fullmove_number == 1 + ply // 2
        assert board.turn == ply % 2
        seen.append((board.fen(), board.key))
        move = rng.choice(list(board.legal_moves))
        quiet = 0 if board.is_capture(move) else quiet + 1
        assert board.push(move) == move
        assert board.peek() == move
        again = Board(board.fen())
        assert again == board
        assert again.key == board.key
    assert len(board.move_stack) == len(seen)
    assert board.root() == Board()
    twin_board = board.copy()
    for fen, key in reversed(seen):
        board.pop()
        assert (board.fen(), board.key) == (fen, key)
    assert board == Board()
    assert len(twin_board.move_stack) == len(seen)
    unpickled = pickle.loads(pickle.dumps(twin_board))
    assert unpickled == twin_board
    assert unpickled.key == twin_board.key
    assert unpickled.move_stack == twin_board.move_stack
    assert unpickled.root() == twin_board.root()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_symmetries(seed: int) -> None:
    for pos in sample(seed, games=1, plies=60, every=11):
        board = Board(twin.placement(pos))
        for other in (board.mirror(), board.swap_colors()):
            assert len(other.legal_moves) == len(board.legal_moves)
            assert other.is_check() == board.is_check()
            assert other.perft(2) == board.perft(2)
            assert other.fullmove_number == board.fullmove_number
        assert board.mirror().mirror() == board
        assert board.swap_colors().swap_colors() == board
        assert board.mirror().turn == board.turn
        assert board.swap_colors().turn != board.turn
        assert set(board.mirror().legal_moves) == {
            Move(m[0] + 8 - 2 * (m[0] % 9), m[1] + 8 - 2 * (m[1] % 9)) for m in board.legal_moves
        }


def test_keys_tell_positions_apart() -> None:
    keys: dict[int, str] = {}
    for pos in sample(5, games=40, every=3):
        board = Board(twin.placement(pos))
        assert keys.setdefault(board.key, twin.placement(pos)) == twin.placement(pos)
    assert len(keys) > 500
    assert Board(f"{START[:-1]}b").key != Board().key


def test_perft_and_divide() -> None:
    for row in rows("xiangqi_perft.jsonl"):
        board = Board(row["fen"])
        depths = [d for d, nodes in enumerate(row["perft"], 1) if nodes <= 100_000]
        for depth in depths:
            assert board.perft(depth) == row["perft"][depth - 1], (row["id"], depth)
        if len(row["perft"]) > 1:
            assert {str(m): n for m, n in board.divide(2).items()} == row["divide_d2"], row["id"]
        assert board.fen() == Board(row["fen"]).fen()
    assert Board().perft(0) == 1


def test_perft_refuses_what_it_cannot_count() -> None:
    board = Board()
    with pytest.raises(ValueError, match="depth"):
        board.perft(-1)
    with pytest.raises(ValueError, match="depth"):
        board.divide(0)
    stop = StopFlag()
    stop.set()
    with pytest.raises(InterruptedError):
        board.perft(5, stop=stop)
    with pytest.raises(InterruptedError):
        board.divide(4, stop=stop)


def test_counters_come_from_the_text_and_the_moves() -> None:
    board = Board("4k4/9/9/9/4p4/9/4P4/9/9/4K4 b - - 17 30")
    assert (board.halfmove_clock, board.fullmove_number) == (17, 30)
    board.push_uci("e5e4")
    assert (board.halfmove_clock, board.fullmove_number) == (18, 31)
    board.push_uci("e3e4")
    assert (board.halfmove_clock, board.fullmove_number) == (0, 31)
    board.pop()
    board.pop()
    assert board.fen() == "4k4/9/9/9/4p4/9/4P4/9/9/4K4 b - - 17 30"
    assert not board.is_natural_limit()
    assert Board("4k4/9/9/9/4p4/9/4P4/9/9/4K4 b - - 120 90").is_natural_limit()
    assert Board("4k4/9/9/9/4p4/9/4P4/9/9/4K4 b - - 80 90", rules="event40").is_natural_limit()
    with pytest.raises(ValueError, match="club2008"):
        Board(rules="club1000")


def test_push_says_which_rule_stops_a_move() -> None:
    board = Board("4k4/9/9/9/9/9/4c4/4N4/9/3K5 w")
    before = board.fen()
    with pytest.raises(IllegalMove, match="马腿被 e3 的炮挡住") as raised:
        board.push(Move.parse("e2d4"))
    assert raised.value.rule == "S0-XQ-10"
    assert raised.value.text == "e2d4"
    assert raised.value.position == before
    with pytest.raises(IllegalMove) as raised:
        board.push_uci("e2d4")
    assert raised.value.rule == "S0-XQ-10"
    with pytest.raises(IllegalMove):
        board.push("马五进六")
    with pytest.raises(InvalidMove):
        board.push("xyzzy")
    with pytest.raises(InvalidMove):
        board.push_uci("炮二平五")
    assert board.fen() == before
    assert not board.move_stack


@pytest.mark.parametrize("move", [Move(-1, 3), Move(3, 90), Move(130, 4), Move(4, 1 << 40)])
def test_points_off_the_board(move: Move) -> None:
    board = Board()
    assert not board.is_legal(move)
    assert move not in board.legal_moves
    with pytest.raises(IllegalMove):
        board.push(move)
    with pytest.raises(IndexError):
        board.push_unchecked(move)
    with pytest.raises(IndexError):
        board.explain(move)
    with pytest.raises(IllegalMove):
        board.gives_check(move)
    assert board == Board()


@pytest.mark.parametrize("thing", [None, "h2e2", 25, (25, 22), [25, 22]])
def test_only_moves_are_legal(thing: object) -> None:
    assert not Board().is_legal(thing)
    assert thing not in Board().legal_moves


def test_points_off_the_board_have_no_piece() -> None:
    for sq in (-1, 90, 1000):
        with pytest.raises(IndexError):
            Board().piece_at(sq)
        assert Board().targets(sq) == ()
        assert Board().attackers(0, sq) == ()
    with pytest.raises(InvalidPosition):
        Board.from_pieces({90: xiangqi.Piece.from_symbol("K")})


def test_codes_that_are_no_position() -> None:
    good = Board().setup
    for numbers in (
        good.codes[:89],
        good.codes.reshape(10, 9),
        np.where(good.codes == 5, 8, good.codes),
    ):
        with pytest.raises(InvalidPosition, match="90 piece codes"):
            Board.from_setup(good._replace(codes=numbers))
    with pytest.raises(InvalidPosition, match="turn"):
        Board.from_setup(good._replace(turn=2))


def test_nothing_to_take_back() -> None:
    for ask in (Board().pop, Board().peek):
        with pytest.raises(GameError, match="no move"):
            ask()


@pytest.mark.parametrize(
    ("fen", "termination", "winner", "rule"),
    [
        ("5k3/9/5R3/9/9/9/9/9/9/4K4 b", Termination.CHECKMATE, 0, "S0-XQ-14"),
        ("3k5/4P4/9/9/9/9/9/9/9/5K3 b", Termination.STALEMATE, 0, "S0-XQ-15"),
        ("5k3/9/9/9/9/9/9/9/4p4/3K5 w", Termination.STALEMATE, 1, "S0-XQ-15"),
        ("3k5/4a4/5a3/9/9/9/9/5A3/4A4/5K3 b", Termination.INSUFFICIENT_MATERIAL, None, "S0-XQ-21"),
    ],
)
def test_outcome(fen: str, termination: Termination, winner: int | None, rule: str) -> None:
    outcome = Board(fen).outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner, outcome.rule) == (termination, winner, rule)


def test_moves_after_the_end() -> None:
    mated = Board("5k3/9/5R3/9/9/9/9/9/9/4K4 b")
    for move in (Move.parse("f9f8"), "f9f8", "将6进1"):
        with pytest.raises(IllegalMove, match="对局已经结束，黑方被将死") as raised:
            mated.push(move)
        assert raised.value.rule == "S0-XQ-14"
    drawn = Board("3k5/4a4/5a3/9/9/9/9/5A3/4A4/5K3 b")
    drawn.push_uci("e8d7")
    assert drawn.outcome() is not None
    assert Board("3k5/4a4/9/9/9/9/9/9/4A4/5K3 b", rules="no-draws").outcome() is None
    assert Board("3k5/4a4/9/9/9/9/9/9/4A3C/5K3 b").outcome() is None
    assert not Board("3k5/4a4/9/9/9/9/9/9/4A3C/5K3 b").is_insufficient_material()


def test_copies_are_independent() -> None:
    board = Board()
    board.push_uci("h2e2")
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert other == board
        assert other.move_stack == board.move_stack
        other.push_uci("h9g7")
        assert len(board.move_stack) == 1
        assert len(board.legal_moves) == 45
    bare = board.copy(stack=False)
    assert bare == board
    assert bare.move_stack == []
    stack = board.move_stack
    stack.clear()
    assert len(board.move_stack) == 1
    numbers = board.codes
    numbers[:] = 0
    assert board.codes.any()


def test_equality_and_hash() -> None:
    assert Board() == Board()
    assert Board() != Board(f"{START} - - 1 1")
    assert Board() != "start"
    with pytest.raises(TypeError):
        hash(Board())


def test_a_subclass_keeps_its_class() -> None:
    class Mine(Board):
        """A caller's own board."""

    board = Mine()
    for other in (board.copy(), board.mirror(), board.swap_colors(), board.root()):
        assert type(other) is Mine


def test_texts() -> None:
    board = Board()
    assert repr(board) == f"Board({xiangqi.START_FEN!r})"
    assert board.ascii().splitlines()[0] == "r n b a k a b n r"
    assert str(board) == board.diagram()
    assert board.iccs(Move.parse("h2e2")) == "H2-E2"
    assert board.chinese(Move.parse("h2e2")) == "炮二平五"
    assert board.wxf(Move.parse("h2e2")) == "C2=5"
    assert board.fen(dialect="he").startswith("rheakaehr/")
    assert repr(board.legal_moves).startswith("<LegalMoves ")


def test_planes_round_trip() -> None:
    for pos in sample(8, games=4, every=13):
        board = Board(twin.placement(pos))
        for relative in (False, True):
            planes = board.planes(relative=relative)
            assert Board.from_planes(planes, relative=relative) == board
        assert (
            board.planes(relative=True)[:14] == board.swap_colors().planes(relative=True)[:14]
        ).all()


def test_pieces_round_trip() -> None:
    for pos in sample(9, games=4, every=17):
        board = Board(twin.placement(pos))
        assert Board.from_pieces(board.piece_map(), board.turn) == board
        assert Board.from_setup(board.setup) == board
