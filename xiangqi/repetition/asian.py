"""The Asian and World rules: perpetual check and perpetual chase of one and the same piece.

A move chases what it newly attacks with gain: the pairs of attacker and victim that win something
after the move and did not before it. A side loses by the rank of what it does on *all* its moves:
check, then the chase of a chariot that shields its general from a horse, then any other chase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xiangqi.geometry import BLACK, RED
from xiangqi.pieces import Piece
from xiangqi.repetition.book import Article, RuleBook
from xiangqi.repetition.evidence import Attack, Stone, survey
from xiangqi.repetition.loops import Loop, pursued
from xiangqi.repetition.outcomes import CHECK
from xiangqi.repetition.ruling import Decision, Nature, PlyRuling, SideFinding, Verdict
from xiangqi.repetition.trace import Step

CHECKS, PINNED_CHARIOT, CHASE, NOTHING = 3, 2, 1, 0
"""Ranks of what a side does on all its moves; the higher rank loses."""
_KINDS = {
    CHECKS: ("perpetual_check", "长将"),
    PINNED_CHARIOT: ("pinned_chariot", "长捉被马牵制的车"),
    CHASE: ("perpetual_chase", "长捉"),
    NOTHING: ("allowed", "为允许着法"),
}


def attacks_of(step: Step, book: RuleBook) -> tuple[Attack, ...]:
    """Everything the mover attacks after a move; ``new`` where that gained nothing before it."""
    guards_gain = bool(book.value("guards_gain"))
    after = survey(step.after, step.side, guards_gain=guards_gain)
    if not any(attack.gains for attack in after):
        return after
    start, goal = step.move
    before = {
        (goal if a == start else a, v)
        for a, v in (
            attack.pair
            for attack in survey(step.before, step.side, guards_gain=guards_gain)
            if attack.gains
        )
    }
    return tuple(
        replace(attack, new=True) if attack.gains and attack.pair not in before else attack
        for attack in after
    )


def classify(steps: Sequence[Step], book: RuleBook) -> tuple[PlyRuling, ...]:
    """Check, chase or idle, for every move by itself."""
    plies = []
    for step in steps:
        reasons = attacks_of(step, book)
        victims = tuple(dict.fromkeys(r.victim for r in reasons if r.new))
        if any(r.outcome == CHECK for r in reasons):
            nature = Nature.CHECK
        else:
            nature = Nature.CHASE if victims else Nature.IDLE
        plies.append(
            PlyRuling(step.ply, step.side, step.move, step.text, nature, True, victims, reasons)
        )
    return tuple(plies)


def decide(
    steps: Sequence[Step], plies: Sequence[PlyRuling], loop: Loop, book: RuleBook
) -> Decision:
    """Compare the ranks of what both sides do on all their moves in a loop."""
    red, black = (_rank(plies, loop, side) for side in (RED, BLACK))
    ranks = red[0], black[0]
    verdict = Verdict.DRAW if red[0] == black[0] else Verdict.loss(ranks.index(max(ranks)))
    began = steps[loop[0]]
    return Decision(
        verdict, (_finding(began, *red), _finding(began, *black)), _articles(*ranks, book)
    )


def _rank(plies: Sequence[PlyRuling], loop: Loop, side: int) -> tuple[int, frozenset[int]]:
    """Rank of a side in a loop and the points, at its beginning, of what it chases throughout."""
    moves = [plies[i].move for i in loop]
    own = [plies[i].side == side for i in loop]
    chased = [[v.square for v in plies[i].victims] for i in loop]
    victims = pursued(moves, chased, own)
    if all(plies[i].nature == Nature.CHECK for i in loop if plies[i].side == side):
        return CHECKS, victims
    shields = [
        [r.victim.square for r in plies[i].reasons if r.new and r.pinning_horse] for i in loop
    ]
    pinned = pursued(moves, shields, own)
    if pinned:
        return PINNED_CHARIOT, pinned
    return (CHASE if victims else NOTHING), victims


def _finding(began: Step, rank: int, victims: frozenset[int]) -> SideFinding:
    kind, zh = _KINDS[rank]
    if rank not in (PINNED_CHARIOT, CHASE):
        return SideFinding(kind, zh)
    return SideFinding(kind, zh, tuple(_stone(began, sq) for sq in sorted(victims)))


def _stone(step: Step, sq: int) -> Stone:
    return Stone(Piece.from_code(int(step.before[sq])), sq)


def _articles(red: int, black: int, book: RuleBook) -> tuple[Article, ...]:
    high, low = max(red, black), min(red, black)
    if high == low:
        keys = {NOTHING: "both_allowed", CHECKS: "mutual_check"}
        return (book.article(keys.get(high, "both_chase")),)
    offence = {
        CHECKS: "unilateral_check",
        PINNED_CHARIOT: "pinned_chariot",
        CHASE: "perpetual_chase",
    }[high]
    return (book.article(offence), *([book.article("higher_rank")] if low else []))
