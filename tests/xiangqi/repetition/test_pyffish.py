"""Random loops against Fairy-Stockfish's own judge of the Asian rules (pyffish, where installed).

Every disagreement must fall into a class of rule difference that is written down here. A class is
a reading of single attacks; a disagreement belongs to it if the house's own decision, made with
that reading, is Fairy-Stockfish's verdict. Of 20,000 loops (`shuttling.loops(2026, 20_000)`)
321 are ruled differently.

stepped in (314)
    A piece steps, by its own move, onto another line of its pursuer, where it is attacked at once.
    The pursuer's next move keeps that attack. Here it is not new, as it stood before the move;
    Fairy-Stockfish counts it as a chase. The official diagrams do not tell: none of the reference
    cases changes its verdict with either reading.
behind chariot (4)
    The only root is a cannon on the line of the capturing chariot, behind it, which can retake
    only through the point that the chariot leaves. Here it is no root (diagram 61; without that
    reading diagrams 39 to 41, 61 and 107 come out wrong); Fairy-Stockfish takes it for one.
root undermined (1)
    The moved piece was the screen of the root, or stood so that the root held; taking it away is
    a chase by the piece that attacked before (diagram 105). Fairy-Stockfish sees only pins.
guarded from the general (1)
    The only root is the general, who may not step onto the point as it is attacked (diagrams 83 to
    85: a false root is no root). Fairy-Stockfish tests facing generals only (its issue 938).
listed (1)
    A position by itself, in `LISTED`, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.xiangqi.repetition import cases, shuttling
from tests.xiangqi.repetition.cases import Case
from xiangqi.pieces import KING
from xiangqi.repetition import Attack, LoopRuling, Nature, PlyRuling, judge_loop, outcomes
from xiangqi.repetition.loops import pursued

pyffish = pytest.importorskip("pyffish", reason="pyffish, the peer, is not installed")

LISTED = {
    "4k4/9/4b4/9/5R3/9/8P/9/5K3/4R1B2 b": "an attack discovered along a file by moving off it "
    "counts as well as a direct one (diagrams 92 to 96); Fairy-Stockfish sees only one of two",
    "r1b1kab2/4a4/2n6/p3p2Rp/2p1P4/6N2/P1P5P/2N1C4/3RA4/1cBAK1c1r w": "a capture that would give "
    "discovered check is the same before and after each move (diagram 106); Fairy-Stockfish takes "
    "it for a new one each time",
    "1Rc1ka1nr/4a4/b7b/P1p5p/3P2p2/2B6/2P3cCP/9/4N4/3AK1BR1 w": "the chariot pins the cannon that "
    "guards an elephant which a pawn attacks; a pawn's attack never counts (diagrams 67 to 70), "
    "but Fairy-Stockfish's branch for new pins has no such exception",
}

Reading = Callable[[PlyRuling, PlyRuling, Attack], bool]
"""Whether an attack counts as a chase after a move; also given: the move before it."""


def ours(before: PlyRuling, ply: PlyRuling, attack: Attack) -> bool:
    return attack.new


def stepped_in(before: PlyRuling, ply: PlyRuling, attack: Attack) -> bool:
    came_from, at = before.move
    return attack.new or (
        attack.gains
        and attack.victim.square == at
        and attack.attacker.square == ply.move.to_square
        and not _in_line(attack.attacker.square, at, came_from)
    )


def behind_chariot(before: PlyRuling, ply: PlyRuling, attack: Attack) -> bool:
    behind = any(defence.outcome == outcomes.BEHIND_CHARIOT for defence in attack.defences)
    return attack.new and not behind


def root_undermined(before: PlyRuling, ply: PlyRuling, attack: Attack) -> bool:
    return attack.new and attack.attacker.square == ply.move.to_square


def guarded_general(before: PlyRuling, ply: PlyRuling, attack: Attack) -> bool:
    kept = any(
        defence.defender.piece.piece_type == KING and defence.outcome == outcomes.SQUARE_GUARDED
        for defence in attack.defences
    )
    return attack.new and not kept


READINGS: tuple[Reading, ...] = (stepped_in, behind_chariot, root_undermined, guarded_general)


def _in_line(a: int, b: int, c: int) -> bool:
    return a % 9 == b % 9 == c % 9 or a // 9 == b // 9 == c // 9


def verdict(ruling: LoopRuling, reading: Reading) -> str:
    """The decision of the Asian rules on a loop with another reading of its attacks."""
    plies = ruling.plies
    victims = [
        [a.victim.square for a in ply.reasons if reading(before, ply, a)]
        for before, ply in zip((plies[-1], *plies), plies, strict=False)
    ]
    moves = [ply.move for ply in plies]
    ranks = []
    for side in (0, 1):
        own = [ply.side == side for ply in plies]
        checks = all(p.nature is Nature.CHECK for p in plies if p.side == side)
        ranks.append(2 if checks else int(bool(pursued(moves, victims, own))))
    if ranks[0] == ranks[1]:
        return "draw"
    return "red_loses" if ranks[0] > ranks[1] else "black_loses"


def fairy_verdict(case: Case) -> str:
    """Its ruling on the third occurrence."""
    moves = [_uci(move) for move in (*case.setup, *case.cycle * 2)]
    ended, value = pyffish.is_optional_game_end("xiangqi", case.fen, moves)
    assert ended, case
    if value == 0:
        return "draw"
    black_moves = (case.fen.split()[1] == "b") != bool(len(case.setup) % 2)
    return "black_loses" if (value < 0) == black_moves else "red_loses"


def _uci(move: str) -> str:
    """Its ranks count from 1."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def explanation(case: Case, ruling: LoopRuling, theirs: str) -> str | None:
    """The class of a disagreement, None where none fits."""
    if case.fen.removesuffix(" - - 0 1") in LISTED:
        return "listed"
    for reading in READINGS:
        if verdict(ruling, reading) == theirs:
            return reading.__name__
    return None


def compare(loops) -> tuple[int, Counter[str]]:
    """Loops compared, and disagreements by class; every one must have a class."""
    classes: Counter[str] = Counter()
    compared = 0
    for case in loops:
        compared += 1
        ruling, theirs = judge_loop(*case, "axf"), fairy_verdict(case)
        if ruling.verdict == theirs:
            continue
        found = explanation(case, ruling, theirs)
        assert found, (case, ruling.verdict, theirs)
        classes[found] += 1
    return compared, classes


def test_a_sample_of_random_loops():
    compared, classes = compare(cases.sample(31, 100))
    assert compared == 100
    assert classes.total() <= 10


def test_the_readings_are_the_houses_own_but_for_one_thing():
    """With our own reading of the attacks, the verdict of the tests is that of the house."""
    for case in shuttling.loops(5, 150):
        ruling = judge_loop(*case, "axf")
        if ruling.agreed and "pinned_chariot" not in {f.kind for f in ruling.findings}:
            assert verdict(ruling, ours) == ruling.verdict


def test_a_sample_of_longer_loops():
    compared, classes = compare(shuttling.loops(2, 300))
    assert compared == 300
    assert classes.total() <= 15


@pytest.mark.full
def test_twenty_thousand_random_loops():
    compared, classes = compare(shuttling.loops(2026, 20_000))
    assert compared == 20_000
    assert classes == {
        "stepped_in": 314,
        "behind_chariot": 4,
        "root_undermined": 1,
        "guarded_general": 1,
        "listed": 1,
    }


@pytest.mark.full
@pytest.mark.parametrize(("seed", "count"), [(77, 600), (78, 800)])
def test_many_random_loops_of_the_slow_maker(seed, count):
    compared, classes = compare(cases.sample(seed, count))
    assert compared == count
    assert classes.total() <= count // 20
