"""Races against published rows and layer sizes, and against the twin's breadth-first search."""

from __future__ import annotations

import json
import random
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest

from checkers import Board, InvalidPosition, Move, Rules, has_passed, solo_distance, solve_race
from checkers.geometry import CUBES, HOLE_OF_CUBE, HOLES, home, rotate_hole
from checkers.notation import Setup
from checkers.race import endtable
from checkers.race.ranking import holes_in_order, places, rank, unrank
from checkers.race.reach import UNKNOWN, Engine, Ground, Reach
from checkers.race.solver import BELL, Solver
from qikit import Termination
from tests.twins import checkers as twin

DATA = Path(__file__).parent.parent / "data"
SOLO = [json.loads(line) for line in (DATA / "checkers_solo.jsonl").read_text("utf-8").splitlines()]
BOARDS = {"star121": Rules(), "diamond81": Rules(side_camps="forbidden")}
STAR = Ground.of(BOARDS["star121"], 10)
DIAMOND = Ground.of(BOARDS["diamond81"], 10)


def replay(board: Board, line: tuple[Move, ...]) -> Board:
    after = board.copy()
    for move in line:
        after.push(move)
    return after


@pytest.mark.parametrize("row", SOLO, ids=lambda row: row["id"])
def test_solo_rows(row: dict) -> None:
    board = Board(row["pos"], rules=BOARDS[row["board"]])
    found = solo_distance(board)
    assert (found.turns, found.exact) == (row["solo_distance"], True)
    assert found.lower_bound == found.turns == len(found.line)
    outcome = replay(board, found.line).outcome()
    assert outcome is not None
    assert outcome.termination is Termination.GOAL_FILLED
    if "moves" in row:
        line = tuple(Move.parse(text) for text in row["moves"])
        assert replay(board, line).outcome() is not None
        assert found.proof == BELL


@pytest.mark.parametrize(
    ("ground", "sizes"),
    [
        (STAR, [1, 14, 172, 1691, 14061, 101155, 637910]),
        (DIAMOND, [1, 14, 164, 1493, 11363, 74170, 421486]),
        (DIAMOND._replace(pieces=15), [1, 18, 265, 3178, 32459, 290711]),
    ],
)
def test_sizes_of_layers(ground: Ground, sizes: list[int]) -> None:
    solver = Solver(ground)
    reach = Reach(solver.engine, solver.goal, reverse=True)
    assert [1] + [len(reach.grow()) for _ in sizes[1:]] == sizes


@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"side_camps": "pass"},
        {"side_camps": "forbidden"},
        {"jump": "long"},
        {"goal_lock": True},
        {"backward": "end_not_behind"},
        {"backward": "never"},
    ],
)
def test_backward_layers_are_forward_distances(switches: dict) -> None:
    """From each army two turns from home the twin, playing forwards, gets home in two."""
    rules = twin.Rules(**switches)
    solver = Solver(Ground.of(Rules(**switches), 10))
    goal = frozenset(twin.goal("A"))
    reach = Reach(solver.engine, solver.goal, reverse=True)
    one = {frozenset(CUBES[h] for h in solver.engine.army(int(r))) for r in reach.grow()}
    two = [frozenset(CUBES[h] for h in solver.engine.army(int(r))) for r in reach.grow()]
    for army in one:
        assert goal in set(twin.army_turns(army, rules, "A"))
    for army in random.Random(1).sample(two, 12):
        after = set(twin.army_turns(army, rules, "A"))
        assert goal not in after
        assert after & one


@cache
def near_home(depth: int) -> dict[frozenset, int]:
    return twin.layers_home(twin.Rules(), "A", 10, depth)


def test_layers_agree_with_twin() -> None:
    known = near_home(3)
    engine = Engine(STAR)
    reach = Reach(engine, engine.rank(STAR.goal), reverse=True)
    for _ in range(3):
        reach.grow()
    assert len(reach) == len(known)
    ranks = np.array([engine.rank(HOLE_OF_CUBE[c] for c in army) for army in known])
    assert reach.find(ranks).tolist() == list(known.values())
    assert reach.find(np.array([0])).tolist() == [UNKNOWN]


# ---- armies that have passed ------------------------------------------------------------------


def random_race(rng: random.Random, longest: int) -> tuple[Board, list[frozenset]]:
    """Two armies led backwards from their goals, not farther than leaves them passed."""
    armies = []
    for _ in range(2):
        army, turns = frozenset(twin.goal("A")), rng.randint(1, longest)
        for _ in range(turns):
            options = sorted(twin.army_turns(army, twin.Rules(), "A"), key=sorted)
            army = rng.choice(options)
        armies.append(army)
    owners = [-1] * 121
    for camp, army in ((0, armies[0]), (3, armies[1])):
        for cube in army:
            hole = HOLE_OF_CUBE[cube]
            owners[rotate_hole(hole, camp)] = camp
    board = Board.from_setup(Setup(tuple(owners), rng.randrange(2), (0, 3), 10), "club2008")
    if any(owners.count(camp) != 10 for camp in (0, 3)) or not has_passed(board):
        return random_race(rng, longest)
    return board, armies


def check_races(seed: int, count: int, longest: int, depth: int) -> None:
    rng, known = random.Random(seed), near_home(depth)
    proved = 0
    for _ in range(count):
        board, armies = random_race(rng, longest)
        if board.outcome() is not None:
            continue
        result = solve_race(board)
        exact = [twin.solo(army, twin.Rules(), "A", known, 8) for army in armies]
        assert [d.turns for d in result.distances] == exact, board.fen()
        assert all(d.exact for d in result.distances)
        mine, theirs = exact[board.turn], exact[1 - board.turn]
        winner = board.turn if mine <= theirs else 1 - board.turn
        assert result.winner == winner
        outcome = replay(board, result.line).outcome()
        assert outcome is not None
        assert outcome.winner == winner
        proved += result.exact
    assert proved > 0.8 * count


def test_passed_races_agree_with_search() -> None:
    check_races(seed=1, count=40, longest=6, depth=3)


@pytest.mark.full
def test_500_passed_races_agree_with_search() -> None:
    check_races(seed=2, count=500, longest=8, depth=4)


def test_proved_results_hold_against_every_defence() -> None:
    """Races won in two turns: whatever the loser answers, the twin finds the winning turn."""
    rng, seen = random.Random(5), 0
    rules = twin.Rules()
    while seen < 6:
        board, _ = random_race(rng, 3)
        if board.outcome() is not None:
            continue
        result = solve_race(board)
        if not result.exact or result.winner != board.turn:
            continue
        if result.distances[board.turn].turns != 2:
            continue
        seen += 1
        position, mover, _, _ = twin.read(board.fen())
        other = twin.ACROSS[mover]
        first = result.line[0]
        after = twin.play(position, (CUBES[first.from_hole], CUBES[first.to_hole]))
        for reply in twin.turns(after, rules, other):
            then = twin.play(after, reply)
            assert not twin.finished(then, rules, other)
            assert any(
                twin.finished(twin.play(then, turn), rules, mover)
                for turn in twin.turns(then, rules, mover)
            )


def test_race_with_equal_turns_can_be_drawn() -> None:
    text = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A {} AD 10"
    drawn = solve_race(Board(text.format("A"), rules="fair"))
    assert (drawn.winner, drawn.exact, len(drawn.line)) == (None, True, 2)
    board = Board(text.format("A"), rules="fair")
    outcome = replay(board, drawn.line).outcome()
    assert outcome is not None
    assert outcome.winner is None
    late = solve_race(Board(text.format("D"), rules="fair"))
    assert (late.winner, len(late.line)) == (1, 1)


def test_limits_of_the_rules_are_told() -> None:
    text = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/5A1A5/A1AA/A1A/AA/A A AD 10"
    free = solve_race(Board(text.replace("DDD1/7D5", "1D1D/5D1D5"), rules=Rules()))
    assert free.exact
    capped = solve_race(
        Board(text.replace("DDD1/7D5", "1D1D/5D1D5"), rules=Rules(ply_cap=len(free.line) - 1))
    )
    assert (capped.exact, capped.why) == (False, "a draw limit of the rules comes first")
    home_already = text.replace("5A1A5/A1AA/A1A", "13/AAAA/AAA")
    with pytest.raises(InvalidPosition, match="到家"):
        solve_race(Board(home_already))
    with pytest.raises(InvalidPosition, match="到家"):
        solve_race(Board(home_already.replace(" A AD", " D AD"), rules="fair"))


def test_armies_that_may_meet_are_not_called_proved() -> None:
    board = Board("D/DD/DDD/1DDD/13/7D4/11/4A5/9/10/11/12/13/AAAA/AAA/AA/1 A AD 10")
    assert has_passed(board)
    result = solve_race(board)
    assert not result.exact or result.distances[result.winner or 0].turns <= 1
    with pytest.raises(InvalidPosition, match="越过"):
        solve_race(Board())
    with pytest.raises(InvalidPosition, match="越过"):
        solve_race(Board.start(3))


# ---- any seat, any army -----------------------------------------------------------------------


def test_every_seat_has_the_same_distance() -> None:
    board = Board(SOLO[40]["pos"], rules=BOARDS[SOLO[40]["board"]])
    for sixths in range(6):
        turned = board.rotate(sixths)
        found = solo_distance(turned)
        assert found.turns == SOLO[40]["solo_distance"]
        assert replay(turned, found.line).outcome() is not None


def test_incomplete_armies_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="10"):
        solo_distance(Board("1/2/3/4/13/12/11/10/9/10/11/12/13/AAAA/AAA/AA/1 A A 10"))
    inside = "1/2/3/4/12A/12/11/10/9/10/11/12/13/AAAA/AAA/AA/1 A A 10"
    with pytest.raises(InvalidPosition, match="营地"):
        solo_distance(Board(inside, rules=Rules(side_camps="forbidden")))
    assert solo_distance(Board(inside)).exact


def test_far_armies_get_honest_bounds() -> None:
    board = Board("1/1A/AA1/4/5A7/4AA6/5AA4/4A5/4A4/10/11/12/13/4/3/2/1 A A 10")
    found = solo_distance(board, budget=50_000)
    assert 8 <= found.lower_bound <= found.turns <= 30
    assert found.exact == (found.lower_bound == found.turns)
    assert replay(board, found.line).outcome() is not None


def test_more_budget_never_loosens() -> None:
    board = Board("1/2/3/4/13/12/11/2A7/3A1A3/10/4A1A4/5A1A4/13/A3/1A1/A1/1 A A 10")
    small, large = solo_distance(board, budget=20_000), solo_distance(board, budget=2_000_000)
    assert small.lower_bound <= large.lower_bound <= large.turns <= small.turns
    assert replay(board, large.line).outcome() is not None


# ---- ranks and the table ----------------------------------------------------------------------


def test_ranks_are_a_bijection() -> None:
    region = endtable.region(15)
    place_of, hole_at = places(region), holes_in_order(region)
    for number in range(comb(15, 10)):
        assert rank(unrank(number, 10, hole_at), place_of) == number
    rng = random.Random(9)
    everywhere, all_holes = places(HOLES), holes_in_order(HOLES)
    for pieces in (1, 10, 15):
        for _ in range(50):
            army = tuple(sorted(rng.sample(list(HOLES), pieces)))
            assert unrank(rank(army, everywhere), pieces, all_holes) == army


def test_small_table_agrees_with_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    region = endtable.region(15)
    cubes = {CUBES[h] for h in region}
    monkeypatch.setattr(twin, "is_hole", lambda cube: cube in cubes)
    distance = twin.layers_home(twin.Rules(), "A", 10, 20)
    table, place_of = endtable.build(15), places(region)
    assert len(distance) == int((table != UNKNOWN).sum())
    for army, turns in distance.items():
        assert table[rank((HOLE_OF_CUBE[c] for c in army), place_of)] == turns


def test_table_is_kept_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIYUAN_TABLES_DIR", str(tmp_path))
    assert endtable.load_table() is None
    seen: list[int] = []
    values = endtable.build(21, seen.append)
    assert sum(seen) == int((values != UNKNOWN).sum()) == comb(21, 10)
    path = endtable.save(values, 21)
    assert path.parent == tmp_path
    loaded = endtable.load_table()
    assert loaded is not None
    assert np.array_equal(loaded[1], values)
    # the table bounds the true distance from above, and the solver still proves the truth
    solver = Solver(DIAMOND)
    rng = random.Random(4)
    _, hole_at = loaded[0], holes_in_order(endtable.region(21))
    armies = [unrank(rng.randrange(len(values)), 10, hole_at) for _ in range(60)]
    ranks = np.array([solver.engine.rank(army) for army in armies])
    bounds = solver.engine.look_up(ranks, *loaded)
    for army, bound in zip(armies, bounds, strict=True):
        line, least, _ = solver.solve(army, 200_000)
        assert least <= len(line) <= bound
    path.write_bytes(b"torn")
    endtable._load.cache_clear()
    assert endtable.load_table() is None
    with pytest.raises(ValueError, match="孔数"):
        endtable.region(30)


def test_home_is_the_goal_of_the_camp_across() -> None:
    assert STAR.goal == home(3)
