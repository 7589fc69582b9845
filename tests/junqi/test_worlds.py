"""Sampled worlds: consistent with the record, and as likely as plain enumeration says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

from junqi import Act, Board, Rules, board_map, layout, point_name
from junqi.belief.sampler import Sampler
from junqi.layout import A_SIDE
from junqi.pieces import LETTERS, kinds_of
from qikit.errors import InvalidPosition
from tests.junqi.positions import game
from tests.junqi.test_twin import twin_of
from tests.twins import junqi as twin


def arrangements(letters: str) -> Iterator[str]:
    """Every different order of some letters."""
    if not letters:
        yield ""
    for letter in sorted(set(letters)):
        for rest in arrangements(letters.replace(letter, "", 1)):
            yield letter + rest


def may_begin(letter: str, seat: int, point: int, board: Board) -> bool:
    own = point // 30 == board.map.zones[seat]
    if letter == "l":
        return own and point % 30 in (26, 28)
    return letter != "j" or (own and point % 30 >= 20)


def open_face(position: twin.Position) -> tuple[object, ...]:
    """What everybody sees of a position of the twin."""
    flags = {
        seat: [p for p, c in position.cells.items() if c == (seat, "l")]
        for seat in range(4)
        if position.shown[seat]
    }
    owners = {point: seat for point, (seat, _) in position.cells.items()}
    turn = position.turn if position.result is None else None
    return owners, position.alive, position.shown, position.result, turn, flags


def faces(position: twin.Position, board: Board) -> Iterator[tuple[object, ...] | None]:
    """The public faces as the record of ``board`` is played from ``position``; None = cannot be."""
    yield open_face(position) if twin.moves(position) or position.result else None
    for event in board.events:
        if event.act is Act.MOVE:
            if str(event.move) not in twin.moves(position):
                yield None
                return
            position = twin.play(position, str(event.move))
        else:
            position = position.copy()
            twin.pass_turn(position)
        yield open_face(position)


def enumerated(board: Board, seat: int | None) -> list[tuple[int, ...]]:
    """All worlds that the record allows, by trying every arrangement of the hidden sides."""
    root = board.root()
    points: list[list[int]] = [[] for _ in range(4)]
    letters = [""] * 4
    for owner, kind, point in root.setup().pieces:
        points[owner].append(point)
        letters[owner] += LETTERS[kind]
    choices = []
    for owner in range(4):
        tried = [letters[owner]] if owner == seat else arrangements(letters[owner])
        choices.append(
            [
                army
                for army in tried
                if all(
                    owner == seat or may_begin(letter, owner, point, board)
                    for letter, point in zip(army, points[owner], strict=True)
                )
            ]
        )
    truth = list(faces(twin_of(root), board))
    found = []
    for world in product(*choices):
        position = twin_of(root)
        position.cells = {
            point_name(point): (owner, letter)
            for owner in range(4)
            for point, letter in zip(points[owner], world[owner], strict=True)
        }
        told = faces(position, board)
        if all(face == expected for face, expected in zip(told, truth, strict=False)):
            kinds = [-1] * layout.PIECES
            for owner in range(4):
                for k, letter in enumerate(world[owner]):
                    kinds[A_SIDE * owner + k] = LETTERS.index(letter)
            found.append(tuple(kinds))
    return found


def small_game(seed: int, board: str, plies: int, free: int, **rules: object) -> Board:
    """A game with few pieces a side, close to each other, and some plies of it."""
    rng = Random(f"small {seed}")
    table = board_map(board)
    taken: set[int] = set()
    tokens = []
    for owner in range(table.seats):
        home = table.home(owner)
        rear = [p for p in home if p % 30 >= 20 and p % 30 not in (26, 28)]
        for letter in ["l", *rng.sample("aabcdfikkij" if seed % 2 else "abcdehiijk", free)]:
            places = [p for p in home if p % 30 in (26, 28)] if letter == "l" else rear
            if letter not in "jl":
                places = [p for p in table.points if p >= 120 or p % 30 < 5]
            open_places = [p for p in places if p not in taken]
            point = rng.choice(open_places)
            taken.add(point)
            tokens.append(f"{owner}{letter}@{point_name(point)}")
    made = Board.from_tokens(tokens, board, rules=Rules(board=board, **rules))  # type: ignore[arg-type]
    while made.ply < plies and made.outcome() is None:
        moves = list(made.legal_moves)
        fights = [m for m in moves if made.piece_at(m.to_point)]
        made.push(rng.choice(fights if fights and rng.random() < 0.7 else moves))
        if rng.random() < 0.15 and made.outcome() is None:
            made.timeout()
    return made


def far_off(counts: Counter[tuple[int, ...]], worlds: list[tuple[int, ...]], draws: int) -> float:
    """Chi-square against equal shares, as standard deviations (Wilson and Hilferty)."""
    share = draws / len(worlds)
    chi = sum((counts[world] - share) ** 2 / share for world in worlds)
    free = len(worlds) - 1
    return float(((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)


CASES = [
    *(pytest.param("luzhan60", seed, 6, 5, {}, id=f"luzhan-{seed}") for seed in range(3)),
    *(pytest.param("siguo129", seed, 9, 3, {}, id=f"siguo-{seed}") for seed in range(6)),
    pytest.param("siguo129", 6, 10, 3, {"mine_survives": False}, id="mines-leave"),
    pytest.param("siguo129", 7, 10, 3, {"flag_reveal": False}, id="event_s3b"),
]


@pytest.mark.parametrize(("board", "seed", "plies", "free", "rules"), CASES)
def test_worlds_are_as_likely_as_enumeration_says(
    board: str, seed: int, plies: int, free: int, rules: dict[str, object]
) -> None:
    made = small_game(seed, board, plies, free, **rules)
    for seat in (0, made.map.seats - 1):
        compare_with_enumeration(made, seat, 20 + seed)


MUST_HAVE_MOVED = [
    ("luzhan60 0 0l@S62,0h@S13,1l@N62,1j@N61,1j@N63,1h@N65", "S13-S23 -"),
    (
        "siguo129 0 0l@S62,0h@S13,1l@E62,1j@E61,1h@E63,1d@E11,"
        "2l@N62,2d@C33,2e@N13,2k@N24,2a@N41,3l@W62,3h@W13",
        "S13-S23 E11-C33 N13-N12 W13-W23 S23-S13 -",
    ),
]
"""Positions and what is played in them; ``-`` is a timeout of a side with few pieces left."""


@pytest.mark.parametrize(("position", "played"), MUST_HAVE_MOVED)
def test_a_side_that_runs_out_of_time_could_have_moved(position: str, played: str) -> None:
    made = Board(position)
    for move in played.split():
        if move == "-":
            made.timeout()
        else:
            made.push(move)
    for seat in (0, made.map.seats - 2):
        compare_with_enumeration(made, seat, 5)
    assert made.view(0).constraints.chances
    assert (made.view(0).sampler.linked > 0) == (made.map.seats == 4)


def compare_with_enumeration(made: Board, seat: int, source: int) -> None:
    """The worlds of a view are those of the enumeration, each drawn as often as any other."""
    worlds = enumerated(made, seat)
    view = made.view(seat)
    assert tuple(made.kinds.tolist()) in worlds
    # what is certain holds in every world
    for world in worlds:
        for piece, kinds in enumerate(view.constraints.candidates.tolist()):
            assert world[piece] < 0 or kinds >> world[piece] & 1
    draws = max(4000, 40 * len(worlds))
    counts = Counter(map(tuple, view.sample_worlds(draws, source).tolist()))
    assert set(counts) == set(worlds)
    if len(worlds) > 1:
        assert abs(far_off(counts, worlds, draws)) < 4.5, (len(worlds), made.fen())


def test_the_small_cases_reach_the_hard_parts() -> None:
    """Fights between hidden sides are really among them."""
    linked = 0
    for case in CASES:
        board, seed, plies, free, rules = case.values
        made = small_game(seed, board, plies, free, **rules)  # type: ignore[arg-type]
        for seat in (0, made.map.seats - 1):
            linked += made.view(seat).sampler.linked > 0
    assert linked >= 4


@pytest.mark.parametrize("board", ["siguo129", "luzhan60"])
@pytest.mark.parametrize("mode", ["dark", "allies"])
@pytest.mark.parametrize("plies", [0, 30, 90, 200])
def test_worlds_play_the_record_again(board: str, mode: str, plies: int) -> None:
    made = game(plies, plies, board, mode=mode)
    for seat in (0, 1, None):
        view = made.view(seat)
        assert view.first_inconsistent(view.sample_worlds(300, 1)) is None
        truth = np.array([made.kinds], np.int8)
        assert view.first_inconsistent(truth) is None


def test_the_check_finds_what_does_not_fit() -> None:
    """The test of the test: a world with two pieces of a fight changed is found out."""
    made = game(3, 60)
    view = made.view(0)
    worlds = view.sample_worlds(50, 1)
    fights = [
        e
        for e in made.events
        if e.move is not None and e.fight is not None and e.fight.value == "capture"
    ]
    assert fights
    wrong = 0
    for a in range(A_SIDE, 2 * A_SIDE):
        for b in range(a + 1, 2 * A_SIDE):
            swapped = worlds[:1].copy()
            swapped[0, [a, b]] = swapped[0, [b, a]]
            wrong += view.first_inconsistent(swapped) is not None
    assert wrong > 20


def test_the_same_source_of_chance_gives_the_same_worlds() -> None:
    view = game(5, 80).view(2)
    first = view.sample_worlds(20, np.random.default_rng(3))
    assert (first == view.sample_worlds(20, np.random.default_rng(3))).all()
    assert (view.sample_worlds(5, Random(4)) == view.sample_worlds(5, Random(4))).all()
    assert not (first == view.sample_worlds(20, 4)).all()


def test_certain_knowledge_of_the_rules_page() -> None:
    """The deductions that the rules page lists, one by one."""
    flags = "0l@S62,1l@E62,2l@N62,3l@W62,1h@E13,2h@N13,3h@W13,0h@S13,0b@S51,0k@S52,2g@N12,3i@W12"
    # both removed and a flag of East shown: East lost its 司令, South a bomb
    board = Board(f"siguo129 0 {flags},0k@C11,1a@C12,1c@E41")
    board.push("C11-C12")
    view = board.view(2)
    certain = view.constraints.candidates
    fallen = [p for p in range(100) if p in (*dead(board, 0), *dead(board, 1))]
    assert [int(certain[p]) for p in fallen] == [kinds_of("k"), kinds_of("a")]
    assert view.candidates("E62") == "l"
    # repelled and the attacker's flag shown: the defender is a mine
    board = Board(f"siguo129 0 {flags},0a@E51,1j@E52,1c@E41,1d@E55")
    board.push("E51-E52")
    assert board.view(2).candidates("E52") == "j"
    assert board.view(2).candidates("S62") == "l"
    # a piece that moved is neither mine nor flag; one that turned a corner is an engineer
    board = Board(f"siguo129 0 {flags},0i@S55,1c@E41,0j@S65")
    board.push("S55-C21")
    assert board.view(1).candidates("C21") == "i"
    board.push("E41-E51")
    assert not set(board.view(0).candidates("E51")) & set("jl")
    # a known engineer that won without taking a flag hit a mine
    board = Board(f"siguo129 0 {flags},0i@E51,1j@E52,1c@E41,1d@E55")
    board.push("E51-E52")
    assert [int(board.view(1).constraints.candidates[p]) for p in dead(board, 1)] == [kinds_of("j")]
    assert board.view(1).candidates("E52") == "i"


def dead(board: Board, seat: int) -> list[int]:
    where = board.state[layout.WHERE + A_SIDE * seat : layout.WHERE + A_SIDE * seat + A_SIDE]
    kinds = board.kinds[A_SIDE * seat : A_SIDE * seat + A_SIDE]
    return [A_SIDE * seat + k for k in range(A_SIDE) if where[k] < 0 and kinds[k] >= 0]


def test_a_flag_where_none_can_be() -> None:
    """A position made by hand that breaks the set-up rules has no worlds, and the error says so."""
    board = Board("luzhan60 0 0l@S62,0h@S13,1l@S33,1h@N13")
    with pytest.raises(InvalidPosition, match="布阵规则"):
        board.view(0).sample_world(1)
    assert board.view(1).sample_world(1) == board


@pytest.mark.parametrize("seed", [1, 4])
def test_linked_worlds_agree_with_throwing_away(seed: int) -> None:
    """Whole armies: drawing along the trees against drawing sides freely and keeping what fits."""
    board = game(seed, 22)
    view = board.view(0)
    assert view.sampler.linked >= 2
    free = Sampler(replace(view.constraints, fights=np.zeros((0, 3), np.int64)))
    drawn = free.draw(30_000, 1)
    kept = np.array([row for row in drawn if view.first_inconsistent(row[None]) is None])
    assert len(kept) > 300
    worlds = view.sample_worlds(30_000, 2)
    for kind in range(12):
        ours, theirs = (worlds == kind).mean(axis=0), (kept == kind).mean(axis=0)
        both = (ours + theirs) / 2
        # draws of a chain are not quite independent: count one in two of them
        spread = np.sqrt(both * (1 - both) * (1 / len(kept) + 2 / len(worlds)))
        certain = spread == 0
        assert (ours[certain] == theirs[certain]).all()
        assert (np.abs(ours - theirs)[~certain] / spread[~certain]).max() < 5.0
