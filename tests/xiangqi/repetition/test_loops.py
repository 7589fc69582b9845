"""Cutting spans into minimal loops, and following pieces round a loop."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from xiangqi.move import Move
from xiangqi.repetition.loops import minimal_loops, pursued


def walk(text: str) -> tuple[str, list[Move]]:
    """Positions of a closed walk and a move for each step that tells where it goes."""
    return text, [Move(ord(a) % 90, ord(b) % 90) for a, b in pairwise(text + text[0])]


def names(text: str) -> set[str]:
    positions, moves = walk(text)
    return {"".join(positions[i] for i in loop) for loop in minimal_loops(positions, moves)}


def test_a_walk_without_repetition_is_its_own_loop():
    assert names("pqrs") == {"pqrs"}


def test_a_repeated_loop_counts_once():
    assert names("pqrspqrspqrs") == {"pqrs"}


def test_inner_loops_are_cut_out():
    assert names("pqrqps") == {"qr", "pq", "ps"}


def test_both_ways_of_cutting_are_found():
    """From p the walk p-q-p-q with four different moves falls apart one way, from q another."""
    moves = [Move(i, i + 1) for i in range(4)]
    assert minimal_loops("pqpq", moves) == ((0, 1), (0, 3), (1, 2), (2, 3))


def test_a_second_loop_is_told_by_its_own_moves():
    """Both loops begin with the same move; each is listed as it was played."""
    moves = [Move(0, 1), Move(1, 2), Move(2, 0), Move(0, 1), Move(1, 3), Move(3, 0)]
    assert minimal_loops("pqrpqs", moves) == ((0, 1, 2), (3, 4, 5))


@given(st.lists(st.sampled_from("pqrstu"), min_size=2, max_size=14), st.integers(0, 13))
def test_rotation_changes_nothing(letters, shift):
    text = "".join(letters)
    shift %= len(text)
    turned = text[shift:] + text[:shift]

    def edges(of):
        positions, moves = walk(of)
        return {
            frozenset((positions[i], moves[i]) for i in loop)
            for loop in minimal_loops(positions, moves)
        }

    assert edges(text) == edges(turned)


@given(st.lists(st.sampled_from("pqrst"), min_size=1, max_size=12))
def test_loops_are_closed_and_simple(letters):
    positions, moves = walk("".join(letters))
    for loop in minimal_loops(positions, moves):
        assert len({positions[i] for i in loop}) == len(loop)
        for here, after in zip(loop, [*loop[1:], loop[0]], strict=True):
            assert moves[here].to_square == ord(positions[after]) % 90


def test_a_piece_is_followed_by_its_point():
    moves = [Move(0, 1), Move(50, 51), Move(1, 0), Move(51, 50)]
    own = [True, False, True, False]
    assert pursued(moves, [[50], None, [51], None], own) == {50}
    assert pursued(moves, [[50], None, [50], None], own) == frozenset()


def test_pieces_that_change_places_must_both_be_pursued():
    """Pieces on 50 and 60 swap in one round: the attack on the point 50 hits them in turn."""
    moves = [Move(0, 1), Move(50, 70), Move(1, 2), Move(60, 50), Move(2, 0), Move(70, 60)]
    own = [True, False] * 3
    one = [[50], None, [70], None, [70], None]
    both = [[50, 60], None, [70, 60], None, [70, 50], None]
    assert pursued(moves, one, own) == frozenset()
    assert pursued(moves, both, own) == {50, 60}


def test_pursuit_does_not_depend_on_where_a_loop_begins():
    rng = random.Random(4)
    for _ in range(200):
        points = rng.sample(range(90), 4)
        a, b = points[:2]
        moves = [Move(80, 81), Move(a, b), Move(81, 80), Move(b, a)]
        attacked = [
            [a] * rng.randrange(2) + [points[2]],
            None,
            [b] * rng.randrange(2) + [points[2]],
            None,
        ]
        own = [True, False, True, False]
        start = {80: 80}
        found = {}
        for shift in range(4):
            turn = [(i + shift) % 4 for i in range(4)]
            found[shift] = len(
                pursued(
                    [moves[i] for i in turn], [attacked[i] for i in turn], [own[i] for i in turn]
                )
            )
        assert len(set(found.values())) == 1, (moves, attacked, start)
