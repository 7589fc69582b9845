"""The Chinese family: every move has a nature, one idle move makes a side's play allowed.

The natures are searched (:mod:`xiangqi.repetition.natures`). Where a search ran out of nodes the
move is marked as not certain, and a verdict that hangs on such moves is ``undecided`` with every
reading. The books of the family differ in settings:

``joint_is_idle``        a joint chase counts as idle (1999: from attacked to attacked is idle)
``weight_classes``       of two sides that make forbidden moves the heavier must change (2020)
``mutual_pawn_attacks``  a pawn's own attack counts while the other side's play is forbidden (1999)
``key_square``           holding the key square of a simple draw is idle (1999; 2020 26.2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from xiangqi.geometry import BLACK, COLOR_NAMES_ZH, COLORS, RED
from xiangqi.repetition import asian, natures
from xiangqi.repetition.book import Article, RuleBook
from xiangqi.repetition.loops import Loop
from xiangqi.repetition.ruling import (
    Decision,
    Nature,
    PlyRuling,
    Reading,
    SideFinding,
    Verdict,
)
from xiangqi.repetition.trace import Step

CHECKS, HEAVY, LIGHT = "perpetual_check", "forbidden", "forbidden_light"
UNKNOWN, ALLOWED = "unknown", "allowed"
FORBIDDEN = (HEAVY, LIGHT)
_ZH = {
    CHECKS: "长将",
    HEAVY: "为禁止着法",
    LIGHT: "为禁止着法（较轻）",
    UNKNOWN: "着法性质需裁判认定",
    ALLOWED: "为允许着法",
}


def classify(steps: Sequence[Step], book: RuleBook) -> tuple[PlyRuling, ...]:
    """The nature of every move by itself, with the direct attacks as evidence beside it."""
    key_square = bool(book.value("key_square"))
    plies = []
    for number, step in enumerate(steps):
        found = natures.find(step)
        if key_square and found.nature == Nature.CHASE:
            # what has just moved is pursued, not hit by the way from a key square
            fled = steps[number - 1].move.to_square
            if all(victim.square != fled for victim in found.victims):
                found = natures.find(step, key_square=True)
        plies.append(
            PlyRuling(
                step.ply,
                step.side,
                step.move,
                step.text,
                found.nature,
                not found.bounded,
                found.victims,
                asian.attacks_of(step, book),
                found.note,
                found.light,
                found.pawn_attack,
            )
        )
    return tuple(plies)


def decide(
    steps: Sequence[Step], plies: Sequence[PlyRuling], loop: Loop, book: RuleBook
) -> Decision:
    """Apply the table of forbidden and allowed to what both sides do in a loop."""
    del steps
    kinds = _kinds([plies[i] for i in loop], book)
    verdict, articles = table(*kinds, book)
    if verdict is not None:
        return Decision(verdict, _findings(kinds), articles)
    return Decision(
        Verdict.UNDECIDED, _findings(kinds), (book.article("forbidden"),), _readings(kinds, book)
    )


def _findings(kinds: tuple[str, str]) -> tuple[SideFinding, SideFinding]:
    red, black = (SideFinding(kind, _ZH[kind]) for kind in kinds)
    return red, black


def _kinds(plies: Sequence[PlyRuling], book: RuleBook) -> tuple[str, str]:
    red, black = (_kind([ply for ply in plies if ply.side == side], book) for side in COLORS)
    if book.value("mutual_pawn_attacks") and ALLOWED in (red, black):
        counted = [
            replace(ply, nature=Nature.CHASE, pawn_attack=False) if ply.pawn_attack else ply
            for ply in plies
        ]
        if black in FORBIDDEN:
            red = _kind([ply for ply in counted if ply.side == RED], book)
        elif red in FORBIDDEN:
            black = _kind([ply for ply in counted if ply.side == BLACK], book)
    return red, black


def _kind(own: Sequence[PlyRuling], book: RuleBook) -> str:
    idle = {Nature.IDLE, Nature.JOINT_CHASE} if book.value("joint_is_idle") else {Nature.IDLE}
    if all(ply.nature == Nature.CHECK for ply in own):
        return CHECKS
    if any(ply.certain and ply.nature in idle for ply in own):
        return ALLOWED
    if not all(ply.certain or ply.nature not in idle for ply in own):
        return UNKNOWN
    return LIGHT if book.value("weight_classes") and any(ply.light for ply in own) else HEAVY


def table(red: str, black: str, book: RuleBook) -> tuple[Verdict | None, tuple[Article, ...]]:
    """The verdict on two kinds of play with the articles; None where a kind is not known.

    ``RED_LOSES`` for anything but perpetual check means that Red must change.
    """
    kinds = (red, black)
    if red == black == CHECKS:
        return Verdict.DRAW, (book.article("mutual_check"),)
    if CHECKS in kinds:
        return Verdict.loss(kinds.index(CHECKS)), (book.article("unilateral_check"),)
    if UNKNOWN in kinds:
        return None, ()
    if red == black:
        key = "both_allowed" if red == ALLOWED else "both_forbidden"
        return Verdict.DRAW, (book.article(key), book.article("repetition_draw"))
    if ALLOWED not in kinds:
        return Verdict.loss(kinds.index(HEAVY)), (book.article("weight"), book.article("forbidden"))
    articles = (book.article("must_change"), book.article("forbidden"), book.article("allowed"))
    return Verdict.loss(1 - kinds.index(ALLOWED)), articles


def _readings(kinds: tuple[str, str], book: RuleBook) -> tuple[Reading, ...]:
    """The answers for every way in which the unknown natures may turn out."""
    readings: dict[Verdict, list[str]] = {}
    options = [(HEAVY, ALLOWED) if kind == UNKNOWN else (kind,) for kind in kinds]
    for red, black in product(*options):
        verdict, _ = table(red, black, book)
        assert verdict is not None
        said = [
            f"{COLOR_NAMES_ZH[side]}方着着" + "含杀或捉（禁止着法）"
            if value == HEAVY
            else f"{COLOR_NAMES_ZH[side]}方至少有一着是闲（允许着法）"
            for side, value in enumerate((red, black))
            if kinds[side] == UNKNOWN
        ]
        readings.setdefault(verdict, []).append("而".join(said))
    return tuple(Reading("，或".join(text), verdict) for verdict, text in readings.items())
