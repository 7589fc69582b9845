"""The game tree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qikit import IllegalMove
from xiangqi import Board, Game, Move, Node, Skipped


def lines(game: Game) -> list[list[str]]:
    """All lines from the start to a leaf."""
    return [
        [str(move) for move in node.moves()] for node in game.root.walk() if not node.variations
    ]


def sample_game() -> Game:
    game = Game.from_moves(["h2e2", "h9g7", "h0g2"], headers={"Red": "甲", "Black": "乙"})
    first = game.root.next
    assert first is not None
    aside = first.add("h7e7", "顺炮")
    aside.add("h0g2").add("h9g7")
    game.root.add("c3c4", "仙人指路")
    return game


def test_lines_and_walk() -> None:
    game = sample_game()
    assert lines(game) == [
        ["h2e2", "h9g7", "h0g2"],
        ["h2e2", "h7e7", "h0g2", "h9g7"],
        ["c3c4"],
    ]
    assert [str(move) for move in game.moves()] == ["h2e2", "h9g7", "h0g2"]
    assert game.end().ply == 3
    assert game.end().is_mainline()
    assert Game().end() is not None
    assert Game().moves() == []


def test_boards_along_the_tree() -> None:
    game = sample_game()
    for node in game.root.walk():
        board = Board()
        for move in node.moves():
            board.push(move)
        assert node.board() == board
        assert node.board().move_stack == node.moves()
        assert node.root() is game.root
        assert node.game is game
    game.board().push_uci("h2e2")
    assert game.board() == Board()


def test_add_checks_the_move() -> None:
    game = sample_game()
    with pytest.raises(IllegalMove, match="S0-XQ-12"):
        game.end().add("b7b5").add("e2e9")
    assert game.end().ply == 4
    with pytest.raises(IllegalMove):
        Game.from_moves(["h2e2", "h2e2"])


def test_reordering() -> None:
    game = sample_game()
    aside = game.root.variations[0].variations[1]
    deep = aside.variations[0].variations[0]
    assert not deep.is_mainline()
    aside.demote()
    aside.promote()
    assert game.moves()[1] == Move.parse("h7e7")
    aside.promote()
    aside.demote()
    assert game.moves()[1] == Move.parse("h9g7")
    game.root.variations[1].promote()
    assert game.moves() == [Move.parse("c3c4")]
    deep.promote_to_main()
    assert deep.is_mainline()
    assert game.end() is deep
    assert game.root.child(Move.parse("c3c4")) is not None
    assert game.root.child(Move.parse("a0a1")) is None
    aside.remove()
    assert lines(game) == [["h2e2", "h9g7", "h0g2"], ["c3c4"]]
    with pytest.raises(ValueError, match="no variation"):
        game.root.promote()
    with pytest.raises(ValueError, match="no game"):
        _ = Node().game


def test_equality() -> None:
    game = sample_game()
    assert game == sample_game()
    assert game == game.copy()
    for change in (
        lambda g: g.headers.update(Red="丙"),
        lambda g: setattr(g, "result", "1-0"),
        lambda g: setattr(g.end(), "comment", "好"),
        lambda g: setattr(g.end(), "nags", (1,)),
        lambda g: g.end().add("b9c7"),
        lambda g: g.root.variations[1].promote(),
    ):
        other = game.copy()
        change(other)
        assert other != game
    assert game != Game.from_moves(["h2e2"])
    assert Game("3k5/9/9/9/9/9/9/9/9/4K4 w") != Game()
    copied = game.copy()
    copied.defects.append(Skipped(3, "xx", "看不懂"))
    assert copied == game
    assert not game.defects
    assert str(copied.defects[0]) == "第 3 着 'xx'：看不懂"


def test_equal_lists_of_nodes_need_equal_shape() -> None:
    """The same nodes in the same order, hung differently, are different games."""
    chain, fork = Game(), Game()
    chain.root.add("h2e2").add("h9g7")
    first = fork.root.add("h2e2")
    first.add("h9g7")
    assert chain == fork
    other = Game()
    other.root.add("h2e2")
    other.root.add_unchecked(Move.parse("h9g7"))
    assert other != chain


def test_results() -> None:
    game = Game(result="1/2-1/2")
    with pytest.raises(ValueError, match="result"):
        game.result = "2-0"
    assert game.result == "1/2-1/2"
    mate = Board("5k3/9/R8/9/9/9/9/9/9/4K4 w")
    assert Game.from_board(mate).result == "*"
    mate.push_uci("a7f7")
    assert Game.from_board(mate).result == "1-0"
    assert Game.from_board(mate).board() == mate.root()


def test_a_very_long_game() -> None:
    """Deep trees must not run into Python's limit of recursion."""
    board = Board("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    shuffle = [Move.parse(m) for m in ("a0a1", "d9d8", "a1a0", "d8d9")]
    game = Game.from_moves(shuffle * 1000, board)
    assert game.end().ply == 4000
    assert game == game.copy()
    assert Game.from_board(game.end().board()) == game
    assert sum(1 for _ in game.root.walk()) == 4001


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_copy_of_random_trees(seed: int) -> None:
    rng = random.Random(seed)
    game = Game()
    nodes = [game.root]
    for _ in range(30):
        node = rng.choice(nodes)
        legal = list(node.board().legal_moves)
        if legal:
            nodes.append(node.add(rng.choice(legal), rng.choice(["", "好棋"])))
    assert [n.move for n in game.copy().root.walk()] == [n.move for n in game.root.walk()]
    assert game.copy() == game
    assert sum(1 for _ in game.root.walk()) == len(nodes)
