"""Boards against the reference counts, the slow twin and the faults of public programs."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import checkers
from checkers import Board, IllegalMove, InvalidMove, InvalidPosition, Move, Rules, Status
from checkers.geometry import (
    CUBES,
    HOLE_NAMES,
    HOLES,
    NEIGHBOURS,
    ROWS,
    camp_of,
    home,
    opposite,
    parse_hole,
    rotate_hole,
)
from checkers.legality import explain
from qikit import Termination
from tests.twins import checkers as twin

DATA = Path(__file__).parent.parent / "data"
PLAIN = Rules()


def rows(name: str) -> list[dict]:
    text = (DATA / f"checkers_{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


PERFT = {row["id"]: row for row in rows("perft")}
BUGS = {row["id"]: row for row in rows("bugs")}
TRAP = PERFT["made-trap"]["pos"]


def texts(board: Board) -> list[str]:
    return sorted(str(move) for move in board.legal_moves if move)


# ---- reference rows ---------------------------------------------------------------------------

KINDS = {
    "perft": {},
    "perft_long": {"jump": "long"},
    "perft_campstop": {"side_camps": "pass"},
    "perft_goallock": {"goal_lock": True},
}


@pytest.mark.parametrize("name", PERFT)
@pytest.mark.parametrize("kind", KINDS)
def test_counts_of_reference_rows(name: str, kind: str) -> None:
    row = PERFT[name]
    board = Board(row["pos"], rules=Rules(**KINDS[kind]))
    assert [board.perft(d) for d in range(1, len(row[kind]) + 1)] == row[kind]


@pytest.mark.parametrize("name", PERFT)
def test_club_rules_count_the_same(name: str) -> None:
    """The idle-move rule binds nobody within the depths of the reference rows."""
    row = PERFT[name]
    board = Board(row["pos"], rules=Rules.preset("club2008"))
    assert [board.perft(d) for d in range(1, len(row["perft"]) + 1)] == row["perft"]


@pytest.mark.parametrize("name", PERFT)
def test_chains_of_reference_rows(name: str) -> None:
    row = PERFT[name]
    board = Board(row["pos"], rules=PLAIN)
    counts = [board.perft_paths(d) for d in range(1, len(row["perft_paths"]) + 1)]
    assert counts == row["perft_paths"]


@pytest.mark.parametrize("name", [n for n in PERFT if "turns" in PERFT[n]])
def test_turns_of_reference_rows(name: str) -> None:
    row = PERFT[name]
    board = Board(row["pos"], rules=PLAIN)
    assert texts(board) == row["turns"]
    assert board.fen() == row["pos"]
    assert "ABCDEF"[board.camps[board.turn]] == row["to_move"]
    if not row["turns"]:
        assert list(board.legal_moves) == [Move.PASS]


@pytest.mark.parametrize("name", [n for n in PERFT if "moves" in PERFT[n]])
def test_reference_rows_are_reached_by_play(name: str) -> None:
    row = PERFT[name]
    board = Board.start(row["players"], row["pieces"], PLAIN)
    for move in row["moves"]:
        board.push(move)
    assert board.fen() == row["pos"]
    assert board.key == Board(row["pos"], rules=PLAIN).key


@pytest.mark.full
@pytest.mark.parametrize("name", [n for n in PERFT if "perft_deeper_peer_only" in PERFT[n]])
def test_deeper_counts_of_one_peer(name: str) -> None:
    deeper = PERFT[name]["perft_deeper_peer_only"]
    board = Board(PERFT[name]["pos"], rules=PLAIN)
    for depth, count in enumerate(deeper["values"], deeper["from_depth"]):
        assert board.perft(depth) == count


@pytest.mark.parametrize("name", [n for n in PERFT if "verdict" in PERFT[n]])
def test_verdicts_of_reference_rows(name: str) -> None:
    row = PERFT[name]
    for win, verdict in (("strict", "strict"), ("full", "full_with_own")):
        outcome = Board(row["pos"], rules=Rules(win=win)).outcome()
        said = row["verdict"][verdict]
        if said == "not over":
            assert outcome is None
        else:
            assert outcome is not None
            assert outcome.termination is Termination.GOAL_FILLED
            seats = row["pos"].split()[2]
            assert seats[outcome.winner or 0] == said[0]


# ---- the slow twin ----------------------------------------------------------------------------

SWITCHES = [
    {},
    {"jump": "long"},
    {"jump": "symmetric"},
    {"side_camps": "pass"},
    {"side_camps": "forbidden"},
    {"side_camps": "pass", "jump": "long"},
    {"goal_lock": True},
    {"backward": "end_not_behind"},
    {"backward": "never"},
    {"backward": "never", "jump": "symmetric"},
    {"win": "swap"},
    {"win": "swap", "jump": "long", "side_camps": "forbidden"},
    {"win": "full"},
    {"win": "owner"},
    {"idle": "enforce"},
    {"idle": "enforce", "idle_slack": 15, "idle_guests": 0},
    {"idle": "enforce", "idle_slack": 3, "idle_no_retreat": True},
]


def random_position(rng: random.Random, pieces: int, army: int = 0) -> str:
    """Armies (of ``army`` pieces, if given) strewn over the board, mostly towards the goals."""
    seats = rng.choice(["AD", "AD", "BE", "DA", "ACE", "BDF", "ABDE", "ABCDEF"])
    if pieces == 15:
        seats = rng.choice(["AD", "BE", "FC"])
    owners = dict.fromkeys(HOLES, -1)
    crowd = rng.random()
    for letter in seats:
        camp = "ABCDEF".index(letter)
        field = sorted(home(opposite(camp), pieces) | home(camp, pieces))
        for _ in range(army or pieces):
            pool = field if rng.random() < crowd else list(HOLES)
            free = [h for h in pool if owners[h] < 0] or [h for h in HOLES if owners[h] < 0]
            owners[rng.choice(free)] = camp
    setup = checkers.Setup(
        tuple(owners[h] for h in HOLES),
        rng.randrange(len(seats)),
        tuple("ABCDEF".index(letter) for letter in seats),
        pieces,
    )
    return Board.from_setup(setup, PLAIN).fen()


def twin_turns(board: Board, switches: dict, expelled: frozenset = frozenset()) -> list[str]:
    position, mover, _, size = twin.read(board.fen())
    pairs = twin.turns(position, twin.Rules(**switches), mover, size, expelled)
    return sorted(f"{twin.NAMES[a]}:{twin.NAMES[b]}" for a, b in pairs)


@pytest.mark.parametrize("number", range(len(SWITCHES)))
def test_turns_agree_with_twin(number: int) -> None:
    switches, rng = SWITCHES[number], random.Random(number)
    for _ in range(40):
        text = random_position(rng, 15 if rng.random() < 0.2 else 10)
        board = Board(text, rules=Rules(**switches))
        if board.outcome() is None:
            assert texts(board) == twin_turns(board, switches), text


@pytest.mark.parametrize("number", range(len(SWITCHES)))
def test_perft_and_finish_agree_with_twin(number: int) -> None:
    switches, rng = SWITCHES[number], random.Random(100 + number)
    rules = twin.Rules(**switches)
    for _ in range(4):
        text = random_position(rng, 10, 4)
        board = Board(text, rules=Rules(**switches))
        position, mover, seats, size = twin.read(text)
        done = [k for k, camp in enumerate(seats) if twin.finished(position, rules, camp, size)]
        assert (board.outcome() is not None) == bool(done)
        if not done:
            expected = twin.perft(position, rules, seats, seats.index(mover), 2, size)
            assert board.perft(2) == expected, text


def test_perft_agrees_with_twin_where_the_duty_binds() -> None:
    """Pieces that made way stay marked over several turns: depth 4 near a full camp."""
    text = "D/DD/D1D/1A1D/5D7/12/11/10/9/10/11/12/13/2A1/3/2/1 A AD 10"
    switches = {"idle": "enforce", "idle_slack": 4}
    board = Board(text, rules=Rules(**switches))
    position, _, seats, size = twin.read(text)
    assert board.perft(3) == twin.perft(position, twin.Rules(**switches), seats, 0, 3, size)
    assert board.perft(3) != Board(text, rules=PLAIN).perft(3)


def test_every_refusal_has_a_reason_and_no_legal_turn_has() -> None:
    rng = random.Random(3)
    for switches in SWITCHES:
        board = Board(random_position(rng, 10), rules=Rules(**switches))
        if board.outcome() is not None:
            continue
        legal = set(board.legal_moves)
        camp = board.camps[board.turn]
        for _ in range(300):
            move = Move(rng.randrange(121), rng.randrange(121))
            assert (board.refusal(move) is None) == (move in legal)
            if move in legal:
                assert explain(board.owners, board.rules, camp, board.pieces, move) is None
            elif move.from_hole != move.to_hole:
                with pytest.raises(IllegalMove):
                    board.push(move)


# ---- paths ------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", ["short", "long", "symmetric"])
def test_paths_are_playable_and_shortest(jump: str) -> None:
    rng = random.Random(jump)
    rules = twin.Rules(jump=jump)
    for _ in range(15):
        board = Board(random_position(rng, 10), rules=Rules(jump=jump))
        position, mover, _, _ = twin.read(board.fen())
        for move in list(board.legal_moves)[:40]:
            path = [CUBES[h] for h in board.path(move)]
            rest = {c: p for c, p in position.items() if c != path[0]}
            if path[1] in [twin.add(path[0], d) for d in twin.DIRECTIONS]:
                assert len(path) == 2
                continue
            for a, b in pairwise(path):
                assert b in set(twin.hops(rest, rules, mover, a))
                assert b not in rest
            layer, legs, seen = {path[0]}, 0, {path[0]}
            while path[-1] not in layer:
                layer = {
                    e for c in layer for e in twin.hops(rest, rules, mover, c) if e not in rest
                } - seen
                seen |= layer
                legs += 1
            assert legs == len(path) - 1
            assert board.parse(board.notation(move)) == move


# ---- faults of public programs ----------------------------------------------------------------


def test_ck01_greedy_play_always_ends() -> None:
    """Greedy against random and against itself: a win, a draw by rule or the cap."""
    for seed in range(4):
        rng = random.Random(seed)
        board = Board()
        while (outcome := board.outcome()) is None:
            moves = list(board.legal_moves)
            if seed % 2 and board.turn:
                board.push(rng.choice(moves))
            else:
                camp = board.camps[board.turn]
                board.push(
                    max(
                        moves,
                        key=lambda m: (
                            _gain(m, camp),
                            rng.random(),
                        ),
                    )
                )
        assert board.ply <= 400
        assert outcome.termination in (
            Termination.GOAL_FILLED,
            Termination.REPETITION,
            Termination.NATURAL_LIMIT,
            Termination.MOVE_LIMIT,
        )


def _gain(move: Move, camp: int) -> int:
    from checkers.geometry import GOAL_DISTANCE

    return int(GOAL_DISTANCE[camp, move.from_hole]) - int(GOAL_DISTANCE[camp, move.to_hole])


def test_ck02_goal_is_the_image_through_the_centre() -> None:
    by_cube = {cube: hole for hole, cube in enumerate(CUBES)}
    for camp in range(6):
        for size in (10, 15):
            image = {by_cube[tuple(-c for c in CUBES[h])] for h in home(camp, size)}
            assert image == home(opposite(camp), size)
            assert len(image) == size
        assert {rotate_hole(h) for h in home(camp)} == home((camp + 1) % 6)


def test_ck03_ck10_blocked_win_is_a_named_option() -> None:
    test = BUGS["ck03"]["test"]
    assert Board(test["pos"], rules="club2008").outcome() is None
    outcome = Board(test["pos"], rules=Rules(win="full")).outcome()
    assert outcome is not None
    assert outcome.winner == 0  # A
    board = Board(BUGS["ck10"]["test"]["pos"].replace(" A AD", " D AD"))
    assert board.turns_from(parse_hole("q1")) == ()
    assert not board.idle_duty()  # the duty is empty: nothing can leave


def test_ck10_walled_in_piece_ends_by_the_limits() -> None:
    board = Board(TRAP)
    rng = random.Random(1)
    while (outcome := board.outcome()) is None:
        moves = [m for m in board.legal_moves if _shuffles(board, m)] or list(board.legal_moves)
        board.push(rng.choice(moves))
    assert outcome.winner is None


def _shuffles(board: Board, move: Move) -> bool:
    """Turns that keep the door shut."""
    return move.from_hole < 111


def test_ck05_step_and_jump_do_not_mix() -> None:
    test = BUGS["ck05"]["test"]
    board = Board(test["pos"])
    before = board.fen(), board.key
    with pytest.raises(IllegalMove) as caught:
        board.push(test["turn"])
    assert caught.value.rule == "S0-TQ-7"
    assert (board.fen(), board.key) == before


def test_ck06_the_board_is_a_star() -> None:
    test = BUGS["ck06"]["test"]
    assert list(ROWS) == test["rows"]
    degrees = Counter(int((NEIGHBOURS[h] >= 0).sum()) for h in HOLES)
    assert {str(k): v for k, v in degrees.items()} == test["degree_histogram"]
    assert {cube: HOLE_NAMES[h] for h, cube in enumerate(CUBES)} == twin.NAMES
    for hole in HOLES:
        image = {rotate_hole(int(n)) for n in NEIGHBOURS[hole] if n >= 0}
        assert image == {int(n) for n in NEIGHBOURS[rotate_hole(hole)] if n >= 0}
        letter = twin.camp_of(CUBES[hole])
        assert camp_of(hole) == (None if letter is None else "ABCDEF".index(letter))


@pytest.mark.parametrize("bug", ["ck07"])
def test_turns_asked_by_bug_rows(bug: str) -> None:
    test = BUGS[bug]["test"]
    listed = texts(Board(test["pos"]))
    assert set(test["must_have"]) <= set(listed)
    assert not set(test["must_not_have"]) & set(listed)


def test_ck08_pieces_never_leave_the_board() -> None:
    for seats in (2, 3, 4, 6):
        rng, board = random.Random(seats), Board.start(seats)
        for _ in range(60):
            board.push(rng.choice(list(board.legal_moves)))
            assert Counter(board.piece_map().values()) == dict.fromkeys(range(seats), 10)


def test_ck09_a_piece_does_not_fly() -> None:
    test = BUGS["ck09"]["test"]
    board = Board(test["pos"])
    before = board.fen(), board.key
    with pytest.raises(IllegalMove) as caught:
        board.push(test["turn"])
    assert caught.value.rule == "S0-TQ-6"
    assert caught.value.position == test["pos"]
    assert (board.fen(), board.key) == before


def test_ck11_import_needs_no_screen_and_no_numba() -> None:
    code = "import sys, checkers; print('numba' in sys.modules, 'PyQt5' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PATH": ""}, check=True
    )
    assert run.stdout.split() == ["False", "False"]


def test_ck12_chains_are_flood_fills() -> None:
    """Crowded random boards: landing sets as the twin's search finds them (made-ring is above)."""
    rng = random.Random(12)
    for _ in range(20):
        board = Board(random_position(rng, 10), rules=PLAIN)
        if len(board.camps) == 6:
            assert texts(board) == twin_turns(board, {})
    ring = Board(PERFT["made-ring"]["pos"])
    assert all(m.from_hole != m.to_hole for m in ring.legal_moves)


# ---- rules that end games ---------------------------------------------------------------------

ALMOST = "1/2/3/4/13/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A"
NORTH = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A"


def test_strict_win() -> None:
    board = Board(f"{NORTH} A AD 10")
    board.push("m8:o2")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (0, "S0-TQ-10")
    assert outcome.result() == "1-0"
    assert len(board.legal_moves) == 0
    assert board.perft(2) == 0
    with pytest.raises(IllegalMove, match="结束"):
        board.push("e8:d4")
    board.pop()
    assert board.outcome() is None
    assert board.fen() == f"{NORTH} A AD 10"


def test_equal_turns_give_the_second_mover_its_turn() -> None:
    board = Board(f"{NORTH} A AD 10", rules="fair")
    board.push("m8:o2")
    assert board.outcome() is None
    assert board.turn == 1
    assert board.finished == (0,)
    spare = board.copy()
    board.push("e8:d4")
    drawn = board.outcome()
    assert drawn is not None
    assert drawn.winner is None
    spare.push("e8:e9")
    won = spare.outcome()
    assert won is not None
    assert won.winner == 0
    second = Board(f"{NORTH} D AD 10", rules="fair")
    second.push("e8:d4")
    first = second.outcome()
    assert first is not None
    assert first.winner == 1  # the round is over
    assert Board(f"{NORTH} A AD 10", rules="fair").perft(2) > 0


def test_equal_turns_perft_follows_the_rule() -> None:
    board = Board(f"{NORTH} A AD 10", rules=Rules(equal_turns=True))
    by_hand = 0
    for move in list(board.legal_moves):
        board.push(move)
        by_hand += 0 if board.outcome() else len(board.legal_moves)
        board.pop()
    assert board.perft(2) == by_hand
    assert by_hand > Board(f"{NORTH} A AD 10", rules=PLAIN).perft(2)


def test_play_for_places() -> None:
    text = "A/AA/AAA/AAAA/C12/12/11/10/9/10/11/12/12E/3E/3/2/1 C ACE 10"
    board = Board("4/".join(["1/2/3/", "13/12/11/10/9/10/11/12/13/4/3/2/1 A ACE 10"]), rules=PLAIN)
    assert board.status() & Status.TOO_FEW_PIECES
    assert Board(text, rules=PLAIN).status() & Status.TOO_FEW_PIECES
    rows = "1/2/3/4/FFFF9/FFF9/FF9/F9/9/10/11/12/13/DDD1/DDD/DD/D".replace("F", "C")
    # C has filled camp F; A and E go on
    position = rows.replace("13/DDD1/DDD/DD/D", "8A4/AAA1/AAA/AA/A") + " A ACE 10"
    board = Board(position, rules=Rules(play_on=True))
    assert board.finished == (1,)
    assert board.outcome() is None
    board.push("m9:n4")
    outcome = board.outcome()
    assert board.places()[:2] == (1, 0)
    assert outcome is not None
    assert outcome.winner == 1


def test_teams_win_together() -> None:
    rows = "D/DD/DDD/DDDD/13/12/11/10/9/10/11/12/8A4/AAA1/AAA/AA/A"
    rows = rows.replace("D/DD/DDD/DDDD", "D/DD/DDD/DDDD")
    text = f"{rows} A ABDE 10"
    board = Board(text, rules=Rules(teams=("AD", "BE")))
    assert board.outcome() is None
    assert board.finished == (2,)
    board.push("m9:n4")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_swap_right() -> None:
    text = "1/2/3/4/13/12/11/10/9/10/11/12/6A6/AAAA/AAA/AA/D D AD 10"
    blocked = "1/2/3/4/13/12/11/10/9/10/11/12/13/AAAA/ADA/AA/A"
    board = Board(blocked.replace("/13/AAAA", "/5A7/AAAA") + " A AD 10", rules=Rules(win="swap"))
    assert board.outcome() is None
    goal = parse_hole("o2")
    assert [m for m in board.legal_moves if m.to_hole == goal]
    board.push(f"{HOLE_NAMES[board.holes(0)[0]]}:o2")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == 0
    board.pop()
    assert board.piece_at(goal) == 1
    assert not [m for m in Board(text, rules=PLAIN).legal_moves if m.to_hole == goal]


def test_no_turn_can_lose() -> None:
    board = Board(PERFT["made-pass3p"]["pos"], rules=Rules(no_turn="lose"))
    assert board.turn == 1
    assert board.places() == (0,)
    assert board.outcome() is None


def test_two_rounds_of_passes_are_a_draw() -> None:
    wall = "A/AA/AAA/AAAA/4CCCCC4/3CCCCCE3/11/10/9/10/11/12/13/4/3/2/E A ACE 10"
    board = Board(wall, rules=PLAIN)
    assert list(board.legal_moves) == [Move.PASS]
    board.push("pass")
    assert board.turn == 1
    assert len(board.legal_moves) > 1
    with pytest.raises(IllegalMove):
        board.push(Move.PASS)
    board.pop()
    assert board.turn == 0


def test_threefold_repetition_is_a_draw() -> None:
    board = Board()
    for _ in range(2):
        assert board.outcome() is None
        for move in ("d1-e5", "n1-m5", "e5-d1", "m5-n1"):
            board.push(move)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.REPETITION
    board.pop()
    assert board.outcome() is None


def test_progress_limit_and_cap() -> None:
    rules = Rules(progress_limit=3)
    board = Board(rules=rules)
    moves = ("d1-e5", "n1-m5", "e5-d1", "m5-n1", "d1-e5", "n1-m5", "e5-d1", "m5-n1")
    for move in moves:
        assert board.outcome() is None
        board.push(move)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.rule == "progress_limit"
    capped = Board(rules=Rules(ply_cap=2))
    capped.push("d1-e5")
    assert capped.outcome() is None
    capped.push("n1-m5")
    assert capped.outcome().termination is Termination.MOVE_LIMIT
    rounds = Board(rules=Rules(round_cap=1))
    rounds.push("d1-e5")
    assert rounds.outcome() is None
    rounds.push("n1-m5")
    assert rounds.outcome().rule == "round_cap"


def test_leave_by() -> None:
    board = Board(rules=Rules(leave_by=2))
    for move in ("d1-e5", "n1-m5", "e5-e6"):
        board.push(move)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "leave_by")
    assert outcome.termination is Termination.RULE_OFFENCE


DUTY = "D/DD/DDD/1A1D/5DD6/12/11/10/9/10/11/12/7A5/AA1A/AA1/AA/A A AD 10"


def test_idle_rule_enforced() -> None:
    board = Board(DUTY, rules=Rules(idle="enforce", idle_slack=2))
    assert board.idle_duty()
    assert {m.from_hole for m in board.legal_moves} == {parse_hole("d2")}
    assert all(m.to_hole not in board.home(0) for m in board.legal_moves)
    with pytest.raises(IllegalMove) as caught:
        board.push("m8:n3")
    assert caught.value.rule == "S0-TQ-9"
    assert "闲棋" in str(caught.value)
    moved = next(iter(board.legal_moves))
    board.push(moved)
    assert "expelled=" in board.fen()
    again = Board(board.fen(), rules=board.rules)
    assert again.key == board.key
    assert list(again.legal_moves) == list(board.legal_moves)
    board.push("e6:d2")
    back = [m for m in board.turns_from(moved.to_hole) if m.to_hole in board.home(0)]
    assert not back
    # the default slack of one hole does not bind here yet
    assert not Board(DUTY).idle_duty()


def test_idle_rule_by_the_arbiter() -> None:
    board = Board(DUTY, rules=Rules(idle="arbiter", idle_slack=2))
    assert len(board.legal_moves) > len(
        Board(DUTY, rules=Rules(idle="enforce", idle_slack=2)).legal_moves
    )
    idle = Move.parse("m8:l8")
    assert board.is_idle(idle)
    board.push(idle)
    assert board.idle_flags == (1, 0)
    assert board.outcome() is None
    board.push("e7:e8")
    board.push("l8:m8")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "S0-TQ-9")
    board.pop()
    assert board.outcome() is None
    assert board.idle_flags == (1, 0)


def test_opening_is_not_idle() -> None:
    """The literal trigger (no guests needed) would bind the first turns; the default does not."""
    assert not Board().idle_duty()
    literal = Board(rules=Rules(idle="enforce", idle_guests=0))
    literal.push("d1-e5")
    literal.push("n1-m5")
    assert literal.idle_duty()


def test_leave_when_able() -> None:
    """The switch 'must leave when able' is the duty with every hole slack and no guests needed."""
    board = Board(rules=Rules(idle="enforce", idle_slack=15, idle_guests=0))
    board.push("d1-e5")
    board.push("n1-m5")
    assert all(m.from_hole in board.home(0) for m in board.legal_moves)


# ---- boards as values -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("preset", ["club2008", "long", "party", "traditional", "openspiel"])
def test_push_and_pop_restore_everything(seats: int, preset: str) -> None:
    rng, board = random.Random(f"{seats}{preset}"), Board.start(seats, rules=preset)
    trail = []
    for _ in range(80):
        if board.outcome() is not None:
            break
        trail.append((board.fen(counters=True), board.key, board.state.tobytes()))
        board.push(rng.choice(list(board.legal_moves)))
        again = Board(board.fen(counters=True), rules=board.rules)
        assert again.key == board.key
        assert again.fen(counters=True) == board.fen(counters=True)
        for seat in range(seats):
            assert again.total_distance(seat) == board.total_distance(seat)
    while trail:
        board.pop()
        assert trail.pop() == (board.fen(counters=True), board.key, board.state.tobytes())
    with pytest.raises(IndexError):
        board.pop()


def test_mirror_and_rotation_keep_counts() -> None:
    for name in ("mid-2p-10-04", "mid-3p-10-01", "mid-6p-10-01"):
        board = Board(PERFT[name]["pos"], rules=PLAIN)
        assert board.mirror().perft(2) == board.perft(2)
        assert board.mirror().mirror().fen() == board.fen()
        for sixths in range(1, 6):
            assert board.rotate(sixths).perft(2) == board.perft(2)
        assert board.rotate(6).fen() == board.fen()
        assert Board(board.mirror().fen(), rules=PLAIN).perft(2) == board.perft(2)


def test_status_tells_every_defect() -> None:
    assert Board().status() == Status.VALID
    assert Board().is_valid()
    lone = Board("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/4/3/2/1 A A 10")
    assert lone.status() == Status.ALONE
    many = Board("A/AA/AAA/AAAA/A12/12/11/10/9/10/11/12/13/DDDD/DDD/DD/1 A AD 10", rules="long")
    assert many.status() == (Status.TOO_MANY_PIECES | Status.TOO_FEW_PIECES | Status.SIDE_CAMP_HELD)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "四段"),
        ("A/AA A AD 10", "17"),
        ("A/AA/AAA/AAAA/14/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10", "e 行"),
        ("A/AA/AAA/AAAA/12/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10", "e 行"),
        ("A/AA/AAA/AAGA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10", "d 行"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D B AD 10", "走棋方"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AB 10", "座位"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A ABCDE 10", "座位"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A ADBE 10", "转圈"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 12", "子数"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/BDDD/DDD/DD/D A AD 10", "n1"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10 expelled=z9", "z9"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10 expelled=i5", "i5"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10 ply=-3", "ply"),
        ("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10 colour=3", "colour"),
        ("A/" + "9" * 5000 + " A AD 10", "17"),
    ],
)
def test_bad_positions_are_named(text: str, word: str) -> None:
    with pytest.raises(InvalidPosition, match=word):
        Board(text)


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("", InvalidMove, "格式"),
        ("hello", InvalidMove, "格式"),
        ("c1", InvalidMove, "格式"),
        ("c1:z9", InvalidMove, "z9"),
        ("c1:c1", InvalidMove, "相同"),
        ("c1:e5:g5", InvalidMove, "冒号"),
        ("d1-e5-f5", IllegalMove, "一步"),
        ("d1-f5", IllegalMove, "f5"),
        ("c1>e6", IllegalMove, "e6"),
        ("n1-m5", IllegalMove, "D 方"),
        ("i5-i6", IllegalMove, "没有棋子"),
        ("b1-c1", IllegalMove, "已有棋子"),
        ("pass", IllegalMove, "停"),
    ],
)
def test_bad_moves_are_named(text: str, kind: type[Exception], word: str) -> None:
    board = Board()
    with pytest.raises(kind, match=word):
        board.push(text)
    assert board.fen() == Board().fen()


def test_moves_are_read_in_every_form() -> None:
    for text in ("c1:e5", "C1>E5", "ｃ１＞ｅ５", " c1 > e5 ", "c1→e5"):
        assert Board().parse(text) == Move.parse("c1:e5")
    assert Board().parse("d1－e5") == Move.parse("d1:e5")


def test_rules_refuse_nonsense() -> None:
    for change in ({"jump": "flying"}, {"seats": 5}, {"teams": ("AD", "AB")}, {"nothing": 1}):
        with pytest.raises(ValueError, match=r"规则|队伍"):
            Rules.preset("club2008", **change)
    with pytest.raises(ValueError, match="没有规则"):
        Board(rules="chess")
    with pytest.raises(InvalidPosition, match="5"):
        Board.start(5)
    with pytest.raises(InvalidPosition, match="两方"):
        Board.start(3, rules=Rules(idle="arbiter"))


def test_boards_travel_between_processes() -> None:
    board = Board.start(3, rules="party")
    for _ in range(7):
        board.push(next(iter(board.legal_moves)))
    there = pickle.loads(pickle.dumps(board))
    assert there == board
    assert there.move_stack == board.move_stack
    assert there.pop() == board.pop()
    assert there.perft(2) == board.perft(2)


@pytest.mark.parametrize("name", checkers.PRESETS)
def test_presets_play(name: str) -> None:
    board = Board(rules=name)
    assert board.outcome() is None
    assert len(board.legal_moves) >= 14
    assert board.copy() == board


# ---- what programs hand over by mistake -------------------------------------------------------

START = "A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D A AD 10"


def test_deep_counts_are_refused_with_a_sentence() -> None:
    deep = Board(f"{'/'.join(str(n) for n in ROWS)} A A 10")  # nobody: one pass a ply
    assert deep.perft(256) == deep.perft_paths(256) == 1
    places = Board.start(6, rules="party")
    for board in (deep, places, Board()):
        for count in (board.perft, board.divide, board.perft_paths):
            for depth in (257, 1500, 10**30, -1, 2.0):
                with pytest.raises(ValueError, match="a depth is a whole number"):
                    count(depth)  # type: ignore[arg-type]


def test_fifteen_pieces_are_for_two() -> None:
    assert Board.start(2, 15).pieces == 15
    empty = "/".join(str(n) for n in ROWS)
    for seats, letters in ((3, "ACE"), (4, "ABDE"), (6, "ABCDEF")):
        with pytest.raises(InvalidPosition, match="two seats only"):
            Board.start(seats, 15)
        with pytest.raises(InvalidPosition, match="two seats only") as caught:
            Board(f"{empty} A {letters} 15")
        assert caught.value.text
        flat = "A" * 11 + "." * 110
        with pytest.raises(InvalidPosition, match="two seats only"):
            checkers.notation.parse_flat(flat, seats=letters)
    with pytest.raises(InvalidPosition, match="10 or 15 pieces"):
        checkers.Setup((-1,) * 121, 0, (0, 3), 12)


def test_text_is_legal_where_push_takes_it() -> None:
    board = Board()
    for text in ("c1:e5", "c1>e5", "c1-e5", "d1-e5", "d1>e5", "a1:i5", "nonsense", "", "pass"):
        try:
            board.copy().push(text)
            taken = True
        except (InvalidMove, IllegalMove):
            taken = False
        assert board.is_legal(text) == (text in board.legal_moves) == taken, text
    assert not board.is_legal((3, 14))
    assert board.refusal("c1:e5") is None
    assert board.refusal("a1:i5") is not None
    assert board.notation("c1:e5") == "c1>e5"
    assert not board.is_idle("c1:e5")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("finished=AD", "has not filled its goal"),
        ("finished=D", "has not filled its goal"),
        ("out=AD", "the last seat is never ruled out"),
        ("finished=X", "no such seat in AD"),
        ("finished=B", "no such seat in AD"),
        ("ply=5 ply=6", "given twice"),
        ("expelled=d1 expelled=d2", "given twice"),
        ("ply=1e9", "whole numbers up to"),
        ("ply=-1", "whole numbers up to"),
        ("ply=" + "9" * 5000, "whole numbers up to"),
        ("turns=1", "2 whole numbers"),
    ],
)
def test_fields_that_cannot_be_are_refused(fields: str, words: str) -> None:
    with pytest.raises(InvalidPosition, match=words):
        Board(f"{START} {fields}")


def test_wide_runs_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="row e has 13 holes"):
        Board(START.replace("13", "9" * 5000, 1))
    assert Board(START.replace("13", "00013", 1)) == Board()


def test_finished_is_judged_by_the_rules() -> None:
    goal = "1/2/3/4/13/12/11/10/9/10/11/12/13/AAAA/AAA/AA/A"
    assert Board(f"{goal} C ACE 10 finished=A", Rules(play_on=True)).finished == (0,)
    left = goal.replace("AAAA/AAA", "AAAA/A1A")
    with pytest.raises(InvalidPosition, match="has not filled its goal"):
        Board(f"{left} C ACE 10 finished=A", Rules(play_on=True))
    # another army may have stood there and gone on since
    assert Board(f"{left} C ACE 10 finished=A", Rules(play_on=True, win="full")).finished == (0,)


def test_expelled_pieces_at_home_are_a_defect() -> None:
    board = Board(f"{START} expelled=q1")
    assert board.status() == Status.EXPELLED_AT_HOME
    assert Board(f"{START} expelled=q1", Rules(idle="arbiter")).is_valid()


@pytest.mark.parametrize(
    "changes",
    [
        {"ply_cap": -1},
        {"round_cap": -1},
        {"overruns_allowed": -1},
        {"idle_slack": 10**30},
        {"idle_guests": 10**5000},
        {"seats": 10**5000},
        {"repetition": 2.5},
        {"leave_by": True},
        {"progress_limit": "60"},
        {"move_seconds": float("nan")},
        {"move_seconds": float("inf")},
        {"move_seconds": -1},
        {"move_seconds": "20"},
        {"goal_lock": "yes"},
        {"idle_no_retreat": 1},
        {"equal_turns": None},
        {"play_on": "no"},
        {"seats": True},
        {"seats": 2.0},
        {"pieces": "10"},
        {"jump": []},
        {"teams": "AD"},
        {"teams": (1, 2)},
        {"teams": ("", "AD")},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_switch_is_judged(changes: dict) -> None:
    (name,) = changes
    shown = "队伍" if name == "teams" else name
    with pytest.raises(ValueError, match=shown):
        Rules(**changes)
    with pytest.raises(ValueError, match=shown):
        Rules.preset("club2008", **changes)


@pytest.mark.parametrize("rules", [[], "", 5, {}, "nobody"], ids=str)
def test_no_rules(rules: object) -> None:
    with pytest.raises(ValueError, match="no such preset"):
        Board(rules=rules)  # type: ignore[arg-type]


def test_wrong_holes_seats_and_turns_are_told() -> None:
    board = Board()
    before = board.fen(counters=True)
    for pair in ((3, 500), (3, -1), (-1, 3), (121, 0), ("c1", "e5"), (None, 3)):
        with pytest.raises(InvalidMove, match="two holes"):
            Move(*pair)
    for turn in ((3, 14), 5, None, b"c1:e5"):
        for take in (board.push, board.path, board.notation, board.refusal, board.is_idle):
            with pytest.raises(InvalidMove, match="不是着法"):
                take(turn)  # type: ignore[operator]
    for ask in (board.piece_at, board.turns_from):
        assert ask("c1") == ask(3)  # type: ignore[operator]
        for hole in (-1, 121, "z9", "", 3.5, None):
            with pytest.raises(ValueError, match="没有这个孔"):
                ask(hole)  # type: ignore[operator]
    for of in (board.holes, board.goal, board.home, board.total_distance, board.side_of):
        for seat in (-1, 2, "A"):
            with pytest.raises(ValueError, match="没有这个座位"):
                of(seat)  # type: ignore[operator]
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="没有这个座位"):
            checkers.solo_distance(board, seat=seat)
    with pytest.raises(InvalidPosition, match="a position is text"):
        Board(5)  # type: ignore[arg-type]
    for take_back in (board.pop, board.peek):
        with pytest.raises(IndexError, match=r"\(no turn"):
            take_back()
    assert board.fen(counters=True) == before


def test_a_draw_leaves_turns_and_a_win_leaves_none() -> None:
    board = Board()
    for _ in range(2):
        for text in ("d1-e5", "n1-m5", "e5-d1", "m5-n1"):
            board.push(text)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.REPETITION
    assert len(board.legal_moves) == 14
    board.push("c1:e5")
    assert board.outcome() is None
    board = Board("D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A D AD 10")
    board.push("e8:d4")
    assert board.outcome() is not None
    assert not list(board.legal_moves)
    with pytest.raises(IllegalMove, match="the game is over"):
        board.push("m8:o2")
