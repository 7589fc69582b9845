"""Records, position texts of other programs, pictures: round trips and bad input."""

from __future__ import annotations

import math
import random
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers import Board, IllegalMove, InvalidMove, InvalidPosition, InvalidRecord, Move, Rules
from checkers.game import Game, result_of
from checkers.geometry import HOLES, rotate_hole
from checkers.notation import parse_flat, parse_position, start, write_flat, write_position
from checkers.records import dumps, from_openspiel, loads, read, to_openspiel, write
from checkers.rules import PRESETS
from checkers.svg import COLORS, board_svg, hole_point, nearest_hole


def played(seed: int, seats: int, rules: str | Rules, plies: int = 40) -> Board:
    rng, board = random.Random(seed), Board.start(seats, rules=rules)
    while board.ply < plies and board.outcome() is None:
        board.push(rng.choice(list(board.legal_moves)))
    return board


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("rules", PRESETS)
def test_games_survive_their_text(seats: int, rules: str) -> None:
    board = played(seats, seats, rules)
    game = Game.from_board(board, Event='"例" \\ 赛')
    game.remarks[3] = "好棋"
    (again,) = loads(dumps(game))
    assert again.moves == game.moves
    assert not again.defects
    assert again.headers == game.headers
    assert again.remarks == game.remarks
    assert again.board() == game.board() == board
    assert again.result == game.result
    assert dumps(again) == dumps(game)


def test_switches_survive() -> None:
    rules = Rules.preset("fair", teams=("AD", "BE"), jump="symmetric", equal_turns=False)
    board = played(5, 4, rules)
    (again,) = loads(dumps(Game.from_board(board)))
    assert again.board() == board


def test_several_games_in_a_file(tmp_path: Path) -> None:
    games = [Game.from_board(played(seed, 2, "club2008", 12), Round=str(seed)) for seed in range(3)]
    path = tmp_path / "games.txt"
    write(games, path)
    back = read(path)
    assert [g.moves for g in back] == [g.moves for g in games]
    assert [g.headers["Round"] for g in back] == ["0", "1", "2"]
    path.write_bytes("1. c1:e7 {稳} *".encode("gb18030"))
    assert read(path)[0].remarks == {1: "稳"}


def test_a_bad_turn_ends_the_game_and_is_told() -> None:
    (game,) = loads('[Event "x"]\n1. d1-e5 n1-m5 2. e5-f5-g5 m5-l5 1-0')
    assert [str(m) for m in game.moves] == ["d1:e5", "n1:m5"]
    (defect,) = game.defects
    assert (defect.ply, defect.text) == (3, "e5-f5-g5")
    assert "一步" in defect.reason
    assert "第 3 着" in str(defect)


@pytest.mark.parametrize(
    "text", ["", "\n\n", '[Rules "chess"]\n*', '[Position "A"]\n*', '[Switches "["]\n*']
)
def test_no_game(text: str) -> None:
    with pytest.raises(InvalidRecord):
        loads(text)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecord, match="读不了"):
        read(tmp_path / "none")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (loads, Board, Move.parse, Board().parse):
        try:
            reader(text)  # type: ignore[operator]
        except ValueError:
            continue


def test_results_of_records() -> None:
    north = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A {} AD 10"
    board = Board(north.format("A"))
    board.push("m8:o2")
    assert result_of(board) == "1-0"
    board = Board(north.format("D"))
    board.push("e8:d4")
    assert result_of(board) == "0-1"


# ---- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_openspiel_lists_survive(seats: int) -> None:
    board = played(10 + seats, seats, "openspiel", 60)
    game = Game.from_board(board)
    actions = to_openspiel(game)
    assert from_openspiel(actions, seats).moves == game.moves
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (pip install open-spiel) is missing")
    state = pyspiel.load_game(f"chinese_checkers(players={seats})").new_initial_state()
    for action in actions:
        assert action in state.legal_actions()
        state.apply_action(action)


def test_openspiel_nonsense() -> None:
    for actions in ([-1], [727], [9999]):
        with pytest.raises(InvalidMove):
            from_openspiel(actions)
    for actions in ([0], [6 * 60 + 3], [726], [22, 22]):
        with pytest.raises(IllegalMove):
            from_openspiel(actions)
    with pytest.raises(InvalidRecord):
        to_openspiel(Game.from_board(Board(rules="long")))


def test_flat_strings() -> None:
    board = played(1, 2, "club2008", 30)
    flat = write_flat(board.owners)
    setup = parse_flat(flat, turn="A" if board.turn == 0 else "D")
    assert Board.from_setup(setup) == Board(board.fen().split(" expelled")[0])
    numbers = flat.replace("A", "1").replace("D", "2")
    assert parse_flat(numbers).owners == setup.owners
    for bad in ("", flat[:-1], "Z" * 121, "7" * 121):
        with pytest.raises(InvalidPosition):
            parse_flat(bad)
    assert parse_flat(write_flat(start(2, 15).owners)).pieces == 15


def test_position_text_is_canonical() -> None:
    for seats in (1, 2, 3, 4, 6):
        text = write_position(start(seats))
        assert write_position(parse_position(text.lower())) == text


# ---- pictures ---------------------------------------------------------------------------------


def test_picture_shows_owner_and_turns_with_the_view() -> None:
    board = played(2, 6, "party", 40)
    for rotation in range(6):
        root = ET.fromstring(board_svg(board.owners, rotation=rotation))
        spots = {
            e.get("data-hole"): (float(e.get("cx", 0)), float(e.get("cy", 0)))
            for e in root.iter("{http://www.w3.org/2000/svg}circle")
            if e.get("data-hole")
        }
        assert len(spots) == 121
        pieces = [e for e in root.iter("{http://www.w3.org/2000/svg}g") if e.get("data-piece")]
        assert len(pieces) == 60
        for piece in pieces:
            name = piece.get("data-piece") or ""
            disc = piece.find("{http://www.w3.org/2000/svg}circle")
            assert disc is not None
            assert disc.get("fill") == COLORS["ABCDEF".index(name[0])]
            at = (float(disc.get("cx", 0)), float(disc.get("cy", 0)))
            assert math.dist(at, spots[name[1:]]) < 0.1
            assert len(list(piece)) >= 3  # a title, a disc and a mark: never colour alone


def test_rotation_of_the_view_is_rotation_of_the_board() -> None:
    for hole in HOLES:
        for sixths in range(6):
            turned = hole_point(rotate_hole(hole, sixths))
            assert math.dist(turned, hole_point(hole, sixths)) < 0.05
            x, y = hole_point(hole, sixths)
            assert nearest_hole(x + 8, y - 8, sixths) == hole


def test_marks_of_a_turn() -> None:
    board = Board()
    move = board.push("c1:e7")
    assert "polyline" in board._repr_svg_()
    assert "polyline" not in Board()._repr_svg_()
    svg = board_svg(board.owners, targets=[60], selected=14, size=300, coordinates=True)
    root = ET.fromstring(svg)
    assert root.get("width") == "300"
    assert ">i5<" in svg
    assert move


@pytest.mark.parametrize("text", ["x", "(((", "12.", "{only a remark}", "hello 1. c1>e7", "\ufeff"])
def test_text_without_a_game(text: str) -> None:
    with pytest.raises(InvalidRecord, match="no game found"):
        loads(text)


def test_text_before_the_first_tag_is_told() -> None:
    (game,) = loads('from the archive\n[Event "e"]\n1. c1>e7 *')
    assert [str(move) for move in game.moves] == ["c1:e7"]
    assert [(d.ply, d.text) for d in game.defects] == [(0, "from the archive")]


@pytest.mark.parametrize("text", ["*", "1-0", "{note} 1. c1>e7", "1. a1:i5", "1. c1-e5>g5 *"])
def test_a_turn_or_result_makes_a_game(text: str) -> None:
    assert len(loads(text)) == 1


def test_results_that_are_none_are_told() -> None:
    (game,) = loads('[Result "9-9"]\n1. c1>e7')
    assert game.result == "*"
    assert [(d.ply, d.text) for d in game.defects] == [(0, "9-9")]


@pytest.mark.parametrize(
    "value", ["[]", "5", "[" * 100_000, "9" * 5000, "{'a': 1}", '{\\"goal_lock\\": \\"yes\\"}']
)
def test_switches_that_are_none(value: str) -> None:
    with pytest.raises(InvalidRecord, match="bad tags"):
        loads(f'[Switches "{value}"]\n1. c1>e7 *')


@pytest.mark.parametrize("sign", ["²", "٣", "7", "0x", "B", "ß"])
def test_flat_strings_name_what_is_no_seat(sign: str) -> None:
    with pytest.raises(InvalidPosition):
        parse_flat(sign + write_flat(start().owners)[1:])


def test_pictures_in_notebooks_have_a_size() -> None:
    root = ET.fromstring(Board()._repr_svg_())
    assert (root.get("width"), root.get("height")) == ("400", "400")
    assert ET.fromstring(Board().svg()).get("width") is None  # fills what it is put in
