"""The referee against the club rules S0-KL-1 to 15, on shots made up event by event."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace

import numpy as np
import pytest

from carrom import (
    CLUB,
    PRESETS,
    Disc,
    Event,
    Fault,
    Final,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    Match,
    Params,
    Phase,
    Place,
    Position,
    Rules,
    Ruling,
    Shot,
    Stroke,
    Table,
    Termination,
)
from carrom.geometry import base_middle, home, nearest_free
from carrom.physics import EnergyLost
from carrom.referee import rule_on, start_position

CLUB_SET = PRESETS["club"]
STROKE = Stroke(0.38, -0.38, -1.0, 0.5, 3.0)
TEXT = re.compile(r"（S0-KL-\d+）")


def shot_of(
    position: Position,
    falls: list[str],
    *,
    mother: str = "board",
    flies: tuple[str, ...] = (),
    touches: tuple[str, ...] = (),
    places: dict[str, tuple[float, float]] | None = None,
) -> Shot:
    """A shot in which the named pieces drop, in that order; the rest stays or lies at places."""
    events = [Event(0.01 * k, "disc-disc", "M", name) for k, name in enumerate(touches, 1)]
    events += [Event(0.5 + 0.1 * k, "pocket", name, 2, speed=1.0) for k, name in enumerate(falls)]
    events += [Event(0.9, "fly-off", name, "top", speed=6.0) for name in flies]
    if mother == "hole":
        events.append(Event(2.0, "pocket", "M", 1, speed=1.0))
    elif mother == "off":
        events.append(Event(2.0, "fly-off", "M", "top", speed=6.0))
    final = [Final("M", 0.0, 0.0, pocketed=mother == "hole", off=mother == "off")]
    discs = [Disc("M", 0.025, 0.021, 0.0, 0.0)]
    for name, place in position.pieces.items():
        x, y = (places or {}).get(name, (place.x, place.y))
        fell, flew = name in falls, name in flies
        final.append(Final(name, x, y, fell, 2 if fell else None, flew, place.on))
        discs.append(Disc(name, 0.019, 0.012, x, y))
    return Shot(
        tuple(discs),
        Params(),
        tuple(final),
        tuple(events),
        EnergyLost(0.0, 0.0, 0.0),
        2.0,
        0.0,
        np.zeros((0, 9)),
    )


def playing(
    *, near: int = 0, far: int = 8, pocketed: int = 0, fortress: bool = False, turn: int = 0
) -> Position:
    """A position in the middle of a game: own pieces before and beyond the base line."""
    pieces: dict[str, Place] = {}
    gone: list[list[str]] = [[], []]
    for seat in (0, 1):
        letter = "AB"[seat]
        sign = 1.0 if seat == 0 else -1.0
        names = [f"{letter}{k + 1}" for k in range(12)]
        for k, name in enumerate(names):
            if k < near:
                pieces[name] = Place(*home(name, CLUB_SET))
            elif k < near + far:
                pieces[name] = Place(sign * (-0.35 + 0.05 * k), sign * (0.2 if seat == 0 else 0.3))
            elif len(gone[seat]) < pocketed:
                gone[seat].append(name)
        if fortress:
            pieces[f"F{seat}"] = Place(*home(f"F{seat}", CLUB_SET))
        else:
            gone[seat].insert(0, f"F{seat}")
    return Position(pieces, (tuple(gone[0]), tuple(gone[1])), turn=turn)


def rule(
    position: Position, shot: Shot, rules: Rules = CLUB, faults: tuple[Fault, ...] = (), **kw: bool
) -> Ruling:
    ruling = rule_on(position, STROKE, shot, rules, CLUB_SET, faults=faults, **kw)
    for reason in ruling.reasons:
        assert reason.zh.endswith("。"), reason
        assert reason.en.endswith("."), reason
        assert re.fullmatch(r"S0-KL-\d+", reason.rule)
        assert "{" not in reason.zh + reason.en
        assert reason.to_dict()["rule"] == reason.rule
    assert len(TEXT.findall(ruling.zh)) == len(ruling.reasons)
    after = ruling.position
    everywhere = [*after.pieces, *after.pocketed[0], *after.pocketed[1]]
    before = [*position.pieces, *position.pocketed[0], *position.pocketed[1]]
    assert sorted(everywhere) == sorted(before)
    return ruling


def codes(ruling: Ruling) -> list[str]:
    return [reason.code for reason in ruling.reasons]


# -- S0-KL-3, 4, 5, 12: the settlement -----------------------------------------------------------


def test_settlement_of_every_combination() -> None:
    """Own 0-3, opponent's 0-3, mother on the board / in a hole / off, fortress in or out."""
    for own, theirs, mother, fortress in itertools.product(
        range(4), range(4), ("board", "hole", "off"), ("gone", "in", "missed")
    ):
        position = playing(pocketed=1, fortress=fortress != "gone")
        falls = [f"A{k + 1}" for k in range(own)] + [f"B{k + 1}" for k in range(theirs)]
        if fortress == "in":
            falls = ["F0", *falls]
        ruling = rule(position, shot_of(position, falls, mother=mother))
        after = ruling.position
        hole = int(mother == "hole")
        if fortress == "missed":
            # nothing counts; all that dropped goes back; only the mother costs
            assert (ruling.own, ruling.opponent, ruling.earned) == ((), (), 0)
            penalty, earned, cancelled = hole, 0, 0
            assert set(falls) <= set(after.pieces)
        else:
            earned = own + (fortress == "in")
            cancelled = min(earned, theirs + hole)
            penalty = theirs + hole - cancelled
            assert len(ruling.own) == earned
            assert len(ruling.opponent) == theirs
        assert (ruling.earned, ruling.cancelled) == (earned, cancelled)
        # one piece was pocketed before; the fortress is never taken back
        pool = 1 + (own if fortress != "missed" else 0)
        assert len(ruling.paid) == min(penalty, pool)
        assert after.debts[0] == penalty - min(penalty, pool)
        for name in ruling.paid:
            assert after.pieces[name].y == pytest.approx(-0.481, abs=1e-12)
        left = earned - cancelled
        if mother == "off" or fortress == "missed" or left == 0:
            assert (after.turn, after.strikes_left) == (1, 1)
        else:
            assert (after.turn, after.strikes_left) == (0, left)
        assert after.skips == ((1, 0) if mother == "off" else (0, 0))
        assert ruling.mother == mother


def test_strikes_add_up() -> None:
    position = replace(playing(pocketed=0), strikes_left=2)
    ruling = rule(position, shot_of(position, ["A1", "A2", "B1"]))
    # two in hand, one used, two earned, one cancelled
    assert (ruling.position.turn, ruling.position.strikes_left) == (0, 2)
    ruling = rule(position, shot_of(position, []))
    assert ruling.position.strikes_left == 1
    assert codes(ruling)[-1] == "goes_on"


def test_cancelling_touches_only_strikes_of_the_same_shot() -> None:
    position = replace(playing(pocketed=3), strikes_left=3)
    ruling = rule(position, shot_of(position, ["B1"]))
    assert ruling.cancelled == 0
    assert ruling.position.strikes_left == 2
    assert len(ruling.paid) == 1
    pay = rule(position, shot_of(position, ["A1", "B1"]), Rules(opponent_pieces="pay"))
    assert (pay.cancelled, len(pay.paid), pay.position.strikes_left) == (0, 1, 3)


def test_a_debt_is_paid_with_the_next_piece() -> None:
    position = playing(pocketed=0)
    owed = rule(position, shot_of(position, ["B1", "B2"])).position
    assert owed.debts == (2, 0)
    assert owed.left(0) == 10
    mine = replace(owed, turn=0)
    ruling = rule(mine, shot_of(mine, ["A1"]))
    assert ruling.position.debts == (1, 0)
    assert ruling.paid == ("A1",)
    assert ruling.earned == 1
    assert "debt_paid" in codes(ruling)


def test_penalty_pieces_lie_at_the_middle_of_the_base_edge() -> None:
    position = playing(pocketed=3)
    ruling = rule(position, shot_of(position, ["B1", "B2", "B3"]))
    xs = sorted(ruling.position.pieces[name].x for name in ruling.paid)
    assert len(xs) == 3
    assert 0.0 in xs
    assert max(xs) < 0.04
    assert min(xs) > -0.04
    mine = replace(position, turn=1)
    other = rule(mine, shot_of(mine, ["A1"]))
    at = other.position.pieces[other.paid[0]]
    assert (at.x, at.y) == base_middle(1, CLUB_SET)


# -- S0-KL-7: the fortress -----------------------------------------------------------------------


def test_the_fortress_first() -> None:
    position = start_position(CLUB_SET, CLUB)
    assert position.phase(0, CLUB_SET) is Phase.FORTRESS
    missed = rule(
        position, shot_of(position, ["A3", "B4"], places={"F0": (0.2, 0.2), "F1": (0.1, 0.3)})
    )
    assert missed.position.turn == 1
    assert missed.position.pieces["F0"] == Place(*home("F0", CLUB_SET))
    assert missed.position.pieces["F1"] == Place(*home("F1", CLUB_SET))
    assert missed.position.pieces["A3"] == Place(*home("A3", CLUB_SET))
    assert {"fortress_missed", "before_fortress", "fortress_back"} <= set(codes(missed))
    hit = rule(position, shot_of(position, ["A3", "F0", "A5"]))
    assert hit.own == ("F0", "A5")
    assert hit.position.strikes_left == 2
    assert "A3" in hit.position.pieces
    assert hit.position.phase(0, CLUB_SET) is Phase.NEAR
    stays = rule(
        position,
        shot_of(position, [], places={"F1": (0.1, 0.3)}),
        Rules(fortress_resets=False),
    )
    assert stays.position.pieces["F1"] == Place(0.1, 0.3)


def test_the_opponents_fortress_is_his_to_take() -> None:
    position = playing(pocketed=2)
    pieces = {**position.pieces, "F1": Place(*home("F1", CLUB_SET))}
    position = replace(position, pieces=pieces, pocketed=(position.pocketed[0], ("B11",)))
    ruling = rule(position, shot_of(position, ["F1"]))
    assert ruling.position.pieces["F1"] == Place(*home("F1", CLUB_SET))
    assert len(ruling.paid) == 1


# -- S0-KL-8: off the board ----------------------------------------------------------------------


def test_pieces_off_the_board_go_to_the_centre() -> None:
    position = playing()
    ruling = rule(position, shot_of(position, [], flies=("A1",)))
    assert ruling.position.pieces["A1"] == Place(0.0, 0.0)
    both = rule(position, shot_of(position, [], flies=("B2", "A1", "B3")))
    assert both.position.pieces["A1"] == Place(0.0, 0.0)
    assert both.position.pieces["B2"] == Place(0.0, 0.0, on="A1")
    third = both.position.pieces["B3"]
    assert third.on is None
    assert np.hypot(third.x, third.y) == pytest.approx(0.038, abs=1e-6)
    flat = rule(position, shot_of(position, [], flies=("B2", "A1")), Rules(fly_off="side_by_side"))
    assert flat.position.pieces["B2"].on is None


def test_mother_off_the_board_misses_a_turn() -> None:
    position = replace(playing(), strikes_left=3)
    ruling = rule(position, shot_of(position, ["A1"], mother="off"))
    assert (ruling.position.turn, ruling.position.skips) == (1, (1, 0))
    again = rule(ruling.position, shot_of(ruling.position, []))
    assert (again.position.turn, again.position.skips) == (1, (0, 0))
    assert "skipped" in codes(again)
    third = rule(again.position, shot_of(again.position, []))
    assert third.position.turn == 0
    mild = rule(position, shot_of(position, [], mother="off"), Rules(mother_off="end_turn"))
    assert mild.position.skips == (0, 0)


# -- S0-KL-10: the cue ---------------------------------------------------------------------------


def test_touching_a_piece_with_the_cue() -> None:
    position = playing(pocketed=2)
    ruling = rule(position, shot_of(position, []), faults=(Fault.STICK_TOUCH,))
    assert len(ruling.paid) == 1
    excused = rule(position, shot_of(position, []), faults=(Fault.STICK_TOUCH,), laid_touching=True)
    assert excused.paid == ()
    assert "stick_excused" in codes(excused)
    swept = rule(position, shot_of(position, ["A1"]), faults=(Fault.SWEEP,))
    assert swept.position.turn == 1


# -- S0-KL-11: near side first -------------------------------------------------------------------


def test_near_side_before_far_side() -> None:
    position = playing(near=2, far=4, pocketed=2)
    assert position.phase(0, CLUB_SET) is Phase.NEAR
    wrong = rule(position, shot_of(position, ["A3"], touches=("B1", "A3", "A1")))
    assert (wrong.own, wrong.position.turn) == ((), 1)
    assert "A3" in wrong.position.pieces
    assert {"far_first", "far_back"} <= set(codes(wrong))
    right = rule(position, shot_of(position, ["A3"], touches=("B1", "A1", "A3")))
    assert right.own == ("A3",)
    untouched = rule(position, shot_of(position, [], touches=("B1",)))
    assert "far_first" not in codes(untouched)
    strict = rule(
        position, shot_of(position, ["A1", "A3"], touches=("A1",)), Rules(near_first="pocketed")
    )
    assert strict.own == ("A1",)
    assert "A3" in strict.position.pieces
    free = rule(position, shot_of(position, ["A3"], touches=("A3",)), Rules(near_first="off"))
    assert free.own == ("A3",)


def test_back_to_the_near_side_with_a_penalty_piece() -> None:
    position = playing(near=0, far=4, pocketed=2)
    assert position.phase(0, CLUB_SET) is Phase.FAR
    ruling = rule(position, shot_of(position, ["B1"]))
    assert ruling.position.phase(0, CLUB_SET) is Phase.NEAR


# -- S0-KL-15 and S0-KL-2: the end ---------------------------------------------------------------


def test_clearing_all_pieces_wins() -> None:
    position = playing(near=0, far=1, pocketed=11)
    ruling = rule(position, shot_of(position, ["A1"]))
    assert ruling.outcome is not None
    assert (ruling.outcome.termination, ruling.outcome.winner) == (Termination.PIECES_CLEARED, 0)
    gift = rule(position, shot_of(position, ["B1"]))
    assert gift.outcome is not None
    assert gift.outcome.winner == 1
    both = rule(position, shot_of(position, ["A1", "B1"]))
    assert both.outcome is not None
    assert both.outcome.winner == 0
    # the striker's last piece and the mother: one strike cancelled, nothing to pay
    rich = rule(position, shot_of(position, ["A1"], mother="hole"))
    assert rich.outcome is not None
    owing = replace(position, debts=(1, 0))
    unpaid = rule(owing, shot_of(owing, ["A1"]))
    assert unpaid.outcome is None
    assert unpaid.position.debts == (0, 0)


def test_the_limit_of_strikes() -> None:
    rules = Rules(strike_limit=10)
    position = replace(playing(near=0, far=3, pocketed=9), strikes=9)
    draw = rule(position, shot_of(position, []), rules)
    assert draw.outcome is not None
    assert (draw.outcome.winner, draw.outcome.rule) == (None, "S0-KL-2")
    ahead = rule(position, shot_of(position, ["A1"]), rules)
    assert ahead.outcome is not None
    assert ahead.outcome.winner == 0


# -- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stroke", "rule_id"),
    [
        (Stroke(0.38, -0.38, 1.0, 0.2, 3.0), "S0-KL-10"),
        (Stroke(0.38, -0.38, -0.2, -1.0, 3.0), "S0-KL-10"),
        (Stroke(0.38, -0.38, 0.0, 1.0, 6.5), "S0-KL-10"),
        (Stroke(0.38, -0.38, 0.0, 1.0, 3.0, 0.03), "S0-KL-10"),
        (Stroke(0.30, -0.38, 0.0, 1.0, 3.0), "S0-KL-13"),
        (Stroke(-0.38, -0.38, 0.0, 1.0, 3.0), "S0-KL-13"),
        (Stroke(0.44, -0.44, 0.0, 1.0, 3.0), "S0-KL-13"),
        (Stroke(0.38, -0.38, 0.0, 1.0, 3.0, 0.0, 0.5), "S0-KL-9"),
    ],
)
def test_illegal_strokes(stroke: Stroke, rule_id: str) -> None:
    table = Table()
    before = table.to_dict()
    assert not table.is_legal(stroke)
    with pytest.raises(IllegalMove, match=rule_id) as caught:
        table.strike(stroke)
    assert caught.value.rule == rule_id
    assert table.to_dict() == before
    assert table.move_stack == []


def test_the_circle_includes_its_line() -> None:
    table = Table()
    assert table.is_legal(Stroke(0.38 - 0.0749, -0.38, -1.0, 0.0, 3.0))
    assert not table.is_legal(Stroke(0.38 - 0.0751, -0.38, -1.0, 0.0, 3.0))
    assert Table("club").is_legal(Stroke(0.38, -0.38, -1.0, -0.5, 3.0))
    assert not Table({"sector": "forward"}).is_legal(Stroke(0.38, -0.38, -1.0, -0.5, 3.0))


def test_the_mother_may_touch_but_not_overlap() -> None:
    table = Table()
    pieces = {**table.position.pieces, "A1": Place(0.38, -0.34)}
    table.position = replace(table.position, pieces=pieces)
    assert not table.is_legal(Stroke(0.38, -0.38, -1.0, 1.0, 3.0))
    touching = Stroke(0.38, -0.384, -1.0, 1.0, 3.0)
    assert table.is_legal(touching)
    ruling = table.strike(touching, [Fault.STICK_TOUCH])
    assert "stick_excused" in codes(ruling)
    assert ruling.shot.events[0].t == 0.0


@pytest.mark.parametrize("text", ["", "zz", "0,0 1,1", "0,0 0,0 v=1", "nan,0 1,1 v=1", "0 0 1 1 v"])
def test_no_strokes(text: str) -> None:
    with pytest.raises(InvalidMove):
        Stroke.parse(text)
    with pytest.raises(InvalidMove):
        Table().strike(text)


def test_pop_and_copy() -> None:
    table = Table()
    chance = random.Random(1)
    states = []
    for _ in range(6):
        states.append(table.to_dict())
        table.push(table.random_stroke(chance))
    copy = table.copy()
    last = copy.peek()
    assert copy.pop() == last
    assert table.peek() == last
    while table.move_stack:
        table.pop()
        assert table.to_dict() == states.pop()
    with pytest.raises(IndexError):
        table.pop()
    with pytest.raises(IndexError):
        table.peek()


def test_over_is_over() -> None:
    table = Table()
    assert table.outcome() is None
    outcome = table.call_time()
    assert outcome.winner is None
    assert table.outcome() == outcome
    with pytest.raises(IllegalMove, match="已经结束"):
        table.strike(STROKE)


def test_to_dict_round_trip() -> None:
    table = Table({"near_first": "pocketed"}, "novuss", first=1)
    chance = random.Random(2)
    for _ in range(20):
        table.strike(table.random_stroke(chance, aimed=True))
    again = Table.from_dict(table.to_dict())
    assert again.position == table.position
    assert again.rules == table.rules
    assert again.equipment == table.equipment
    assert again.is_valid()
    assert len(str(again).splitlines()) == 23
    assert "novuss" in repr(again)


@pytest.mark.parametrize(
    "change",
    [
        {"pieces": {}},
        {"pieces": None},
        {"turn": 3},
        {"debts": [-1, 0]},
        {"pocketed": [["A1"], []]},
        {"rules": {"nothing": 1}},
        {"equipment": {"name": "club", "pieces": 0}},
        {"strikes": None},
    ],
)
def test_positions_that_cannot_be(change: dict[str, object]) -> None:
    with pytest.raises(InvalidPosition):
        Table.from_dict({**Table().to_dict(), **change})


def test_overlapping_pieces_are_told_at_once() -> None:
    data = Table().to_dict()
    data["pieces"]["A1"] = [0.0, 0.2]
    data["pieces"]["A2"] = [0.01, 0.2]
    data["pieces"]["A3"] = [0.6, 0.2]
    table = Table()
    with pytest.raises(InvalidPosition, match=r"A1.*A3"):
        Table.from_dict(data)
    assert table.is_valid()


def test_presets_and_options_that_do_not_exist() -> None:
    with pytest.raises(InvalidPosition, match="novuss"):
        Table(equipment="billiards")
    with pytest.raises(InvalidPosition, match="club"):
        Table("snooker")
    with pytest.raises(InvalidPosition):
        Table({"sector": "all round"})
    with pytest.raises(InvalidPosition):
        Table(first=2)


@pytest.mark.parametrize("equipment", PRESETS)
def test_every_preset_can_be_played(equipment: str) -> None:
    table = Table(equipment=equipment)
    assert table.is_valid()
    chance = random.Random(3)
    for _ in range(25):
        table.strike(table.random_stroke(chance, aimed=True))
        assert table.is_valid(), table.status()


def test_seats_are_exact_half_turns() -> None:
    """The same strokes by seat 1 on the board turned round give the same bits."""
    chance = random.Random(4)
    for game in range(3):
        one, other = Table(first=0), Table(first=1)
        for _ in range(40):
            stroke = one.random_stroke(chance, aimed=game > 0)
            a, b = one.strike(stroke), other.strike(stroke)
            assert a.seat == 1 - b.seat
            swap = {"A": "B", "B": "A", "F0": "F1", "F1": "F0"}
            for name, place in a.position.pieces.items():
                twin = swap[name] if name in swap else swap[name[0]] + name[1:]
                image = b.position.pieces[twin]
                assert (place.x, place.y) == (-image.x, -image.y)
            assert a.position.strikes_left == b.position.strikes_left
            assert [r.code for r in a.reasons] == [r.code for r in b.reasons]
            if a.outcome:
                break


def test_nearest_free_place() -> None:
    """Free, and no free place on a fine grid is nearer."""
    rng = np.random.default_rng(5)
    for _ in range(25):
        others = [(float(x), float(y), 0.019) for x, y in rng.uniform(-0.15, 0.15, (14, 2))]
        x, y = nearest_free(0.0, 0.0, 0.019, others, CLUB_SET, 0)
        gaps = [np.hypot(x - ox, y - oy) - 0.038 for ox, oy, _ in others]
        assert min(gaps) >= 0
        grid = np.mgrid[-0.2:0.2:201j, -0.2:0.2:201j].reshape(2, -1)  # type: ignore[misc]
        free = np.ones(grid.shape[1], bool)
        for ox, oy, _ in others:
            free &= np.hypot(grid[0] - ox, grid[1] - oy) >= 0.038 + 1e-6
        assert np.hypot(x, y) <= np.hypot(*grid[:, free]).min() + 1e-9


# -- whole matches -------------------------------------------------------------------------------


def play_match(seed: int, *, aimed: bool) -> Match:
    chance = random.Random(f"match {seed}")
    match = Match(first=seed % 2)
    while not match.is_over():
        table = match.table
        ruling = match.strike(table.random_stroke(chance, aimed=aimed))
        assert ruling.reasons
        assert len(TEXT.findall(ruling.zh)) == len(ruling.reasons)
        assert ruling.en
        if ruling.number % 25 == 0:
            assert table.is_valid(), table.status()
    assert len(match.tables) == 2
    assert match.tables[0].rulings[0].seat != match.tables[1].rulings[0].seat
    assert sum(match.score) == 2.0
    with pytest.raises(IllegalMove, match="打完"):
        match.strike(STROKE)
    return match


def test_matches_end() -> None:
    matches = [play_match(seed, aimed=True) for seed in range(12)]
    ends = [outcome.termination for match in matches for outcome in match.results]
    assert ends.count(Termination.PIECES_CLEARED) > 20
    assert play_match(0, aimed=False).is_over()


@pytest.mark.full
@pytest.mark.parametrize("block", range(10))
def test_200_matches_end(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        play_match(seed, aimed=True)


@pytest.mark.full
def test_matches_of_strokes_anywhere_end() -> None:
    for seed in range(20):
        play_match(seed, aimed=False)


def test_match_points() -> None:
    match = Match()
    match.table.call_time()
    assert match.score == (0.5, 0.5)
    assert match.winner() is None
    match.strike(match.table.random_stroke(random.Random(6)))
    assert len(match.tables) == 2
    assert match.tables[1].rulings[0].seat == 1
    match.table.call_time()
    assert match.is_over()
    assert match.winner() is None
