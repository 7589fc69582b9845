"""Views: who sees what, and that nothing else gets out."""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from junqi import Act, Board, Event, InvalidPosition, Rules, board_map, layout
from junqi.audit import appearance, audit, played_again, random_games
from junqi.ledger import Ledger
from junqi.match import Match
from junqi.pieces import FLAG, LETTERS
from junqi.records import Record, dumps, loads
from junqi.view import View, masked
from tests.junqi.positions import armies, game


def test_an_audit_of_a_sample() -> None:
    report = audit(positions=24, worlds=8, seed=1)
    assert report.leaks == ()
    assert report.different > 0.9 * report.worlds


@pytest.mark.full
def test_an_audit_of_a_thousand_positions() -> None:
    report = audit(positions=1000, worlds=200, seed=0)
    assert report.leaks == ()
    assert report.different > 0.9 * report.worlds


def test_the_audit_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: a view that lets one hidden rank through is found out."""

    def leaky(board: Board, seat: int | None) -> View:
        kinds = masked(board._kinds, board.rules, board.map, seat)
        view = View(board._ledger.copy(), kinds, seat)
        other = 1 if seat != 1 else 0
        view.__dict__["key"] = int(board._kinds[layout.A_SIDE * other + 3])
        return view

    monkeypatch.setattr(Board, "view", leaky)
    assert audit(positions=6, worlds=8, seed=1).leaks


@pytest.mark.parametrize(
    ("mode", "board", "seat", "seen"),
    [
        ("dark", "siguo129", 1, {1}),
        ("allies", "siguo129", 1, {1, 3}),
        ("open", "siguo129", 1, {0, 1, 2, 3}),
        ("dark", "siguo129", None, set()),
        ("allies", "siguo129", None, set()),
        ("open", "luzhan60", None, {0, 1}),
        ("allies", "luzhan60", 0, {0}),
    ],
)
def test_who_sees_whose_pieces(mode: str, board: str, seat: int | None, seen: set[int]) -> None:
    view = game(1, 30, board, mode=mode).view(seat)
    shown = {owner for owner, flag in enumerate(view.flags_shown) if flag}
    known = {owner for owner, kind in view.seen.values() if kind >= 0}
    assert known - shown == (seen & set(view.alive)) - shown
    if shown:
        assert {kind for owner, kind in view.seen.values() if owner in shown - seen} <= {-1, FLAG}
    assert {p // layout.A_SIDE for p in np.flatnonzero(view.kinds >= 0).tolist()} == seen


def test_a_view_holds_no_way_to_the_truth() -> None:
    """Nothing that can be reached from a view holds the secret array or the referee's board."""
    board = game(3, 40)
    view = board.view(0)
    view.to_bytes()
    secret = {id(board), id(board._kinds)}
    seen: set[int] = set()
    waiting: list[object] = [view]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type) or type(thing).__name__ == "module":
            continue
        seen.add(id(thing))
        assert id(thing) not in secret
        if not callable(thing):
            waiting += gc.get_referents(thing)


def test_views_do_not_change_when_the_game_goes_on() -> None:
    board = game(5, 30)
    view = board.view(1)
    before = view.to_bytes()
    for _ in range(5):
        board.push(next(iter(board.legal_moves)))
    assert view.to_bytes() == before
    assert board.view(1).to_bytes() != before


def test_moves_of_a_view_are_those_of_the_board() -> None:
    for board, _ in (pair for pair, _ in zip(random_games(4), range(12), strict=False)):
        for seat in range(board.map.seats):
            moves = board.view(seat).legal_moves
            assert moves == (list(board.legal_moves) if seat == board.turn else [])
        assert board.view(None).legal_moves == []


def test_the_truth_is_never_ruled_out() -> None:
    for board, seat in (pair for pair, _ in zip(random_games(7), range(25), strict=False)):
        certain = board.view(seat).constraints.candidates
        for piece, kind in enumerate(board.kinds.tolist()):
            assert kind < 0 or int(certain[piece]) >> kind & 1


def test_a_player_told_of_the_events_knows_the_same() -> None:
    """A ledger that only follows events, beside the referee's: equal views, ply by ply."""
    for seed, name in ((1, "siguo129"), (2, "luzhan60"), (3, "siguo129")):
        rng = Random(seed)
        rules = Rules(board=name, flag_reveal=seed != 3)
        board = Board.from_armies(armies(rng, name), name, 1, rules)
        root = board.view(1)
        told = Ledger.of_armies(rules, turn=1)
        mine = View(told, root.kinds, 1)
        assert mine == root
        while board.outcome() is None and board.ply < 120:
            moves = list(board.legal_moves)
            fights = [move for move in moves if board.piece_at(move.to_point)]
            board.push(rng.choice(fights if fights and rng.random() < 0.5 else moves))
            told.follow(board.events[-1])
            if board.outcome() is None and rng.random() < 0.03:
                rng.choice((board.timeout, lambda b=board: b.resign(b.alive[-1])))()
                told.follow(board.events[-1])
            assert (told.state == board.state).all()
            assert told.chances == board._ledger.chances
        assert View(told.copy(), root.kinds, 1) == board.view(1)


def test_spectators_pictures_hold_no_rank() -> None:
    board = game(6, 40)
    names = ("司令", "军长", "工兵", "炸弹", "地雷")
    assert not any(name in board.view(None).svg() for name in names)
    assert any(name in board.view(2).svg() for name in names)
    assert all(name in board.svg() for name in names)
    assert "?" in str(board.view(None))
    assert board.view(2).svg().count("暗子") == sum(k < 0 for _, k in board.view(2).seen.values())


@pytest.mark.parametrize(
    "pieces",
    [
        "0l@S62,0h@S13,1l@S33,1h@N13",  # a flag outside
        "0l@S62,0h@S13,1l@N62,1j@C11,1h@N13",  # a mine outside
        "0l@S11,0l@S12,0l@S13,0a@S14,1a@N13,1a@N12,1a@N11,1j@S22",  # no army at all
        ",".join(f"0j@S{r}{c}" for r in range(1, 6) for c in range(1, 6)) + ",1a@N13,1l@N33",
    ],
)
def test_positions_that_no_set_up_leads_to_have_keys(pieces: str) -> None:
    """A key is had at any time; only asking for worlds says that there are none."""
    board = Board.from_tokens(pieces.split(","), "siguo129", pieces.count("0j") // 25)
    impossible = 0
    for seat in (0, 1, None):
        view = board.view(seat)
        same, other = board.view(seat), board.view(1 if seat != 1 else 0)
        assert (view.key, hash(view), view.to_bytes()) == (same.key, hash(same), same.to_bytes())
        assert view == same != other
        assert f"{view.key:016x}" in repr(view)
        for point, (owner, kind) in view.seen.items():
            if kind >= 0:
                assert view.candidates(point) == LETTERS[kind]
            assert str(board.piece_at(point))[1] in view.candidates(point) or owner != seat
        try:
            view.sampler  # noqa: B018
        except InvalidPosition as error:
            impossible += "布阵规则" in str(error)
            assert all(
                str(board.piece_at(point))[1] in view.candidates(point) for point in view.seen
            ), "where the rules tell nothing the truth is not ruled out"
    assert impossible


def test_such_keys_hold_no_hidden_rank() -> None:
    """The same pieces of the other side in other places: the views are equal bit for bit."""
    own = ["0l@S62", "0h@S13", "0i@S11"]
    points = ("N33", "S22", "N13", "N12")
    boards = [
        Board.from_tokens([*own, *map("1{}@{}".format, kinds, points)], "luzhan60")
        for kinds in ("ljab", "jlab", "abjl", "balj")
    ]
    for seat in (0, None):
        views = [board.view(seat) for board in boards]
        with pytest.raises(InvalidPosition):
            views[0].constraints  # noqa: B018
        assert len({appearance(view, pictures=False)[0] for view in views}) == 1
        assert len({(view.key, repr(view), str(view)) for view in views}) == 1
        assert {view.candidates("N33") for view in views} == {"abjl"}
    assert len({board.view(1).key for board in boards}) == len(boards)


@pytest.mark.parametrize("seat", [4, -1, True, False, 1.0, "1", 10**30, np.float64(1), np.bool_(1)])
def test_no_such_seat(seat: Any) -> None:
    board = game(1, 5)
    ledger = Ledger.of_armies(board.rules)
    questions: list[Callable[[], object]] = [
        lambda: board.view(seat),
        lambda: View(ledger, board.view(0).kinds, seat),
        lambda: board.resign(seat),
        lambda: board.offer_draw(seat),
        lambda: board.refuse_draw(seat),
        lambda: Board.from_armies(board.armies, turn=seat),
        lambda: Board.from_tokens(["0l@S62", "1l@E62", "1h@E13"], turn=seat),
        lambda: Board.from_tokens(["0l@S62", "1l@E62", "1h@E13"], turn=1, alive=[0, 1, seat]),
        lambda: Ledger.of_armies(board.rules, seat),
        lambda: Event(Act.RESIGN, seat),
        lambda: Match(first=seat),
        lambda: board.map.home(seat),
        lambda: board.map.seat_name(seat),
    ]
    for ask in questions:
        with pytest.raises(ValueError, match=r"没有座位.*no such seat.*整数"):
            ask()
    assert len(board.events) == len(game(1, 5).events)


def test_seats_of_numpy_are_seats() -> None:
    board = game(1, 5)
    for kind in (np.int8, np.int64, np.uint8):
        view = board.view(kind(2))
        assert view == board.view(2)
        assert (type(view.seat), view.to_bytes()) == (int, board.view(2).to_bytes())
        assert type(Event(Act.RESIGN, kind(2)).seat) is int
        twin = board.copy()
        twin.resign(kind(2))
        assert loads(dumps(Record.of(twin), sealed=True)).replay() == twin
        start = Board.from_armies(board.armies, turn=kind(3))
        assert start == Board.from_armies(board.armies, turn=3)


def test_views_of_sampled_worlds_stay_playable() -> None:
    board = game(8, 60)
    world = board.view(3).sample_world(5)
    assert appearance(world.view(3), pictures=True) == appearance(board.view(3), pictures=True)
    again = played_again(world, board.events)
    assert again.fen() == world.fen()
    assert again.key == world.key
    assert board_map("siguo129") is world.map
