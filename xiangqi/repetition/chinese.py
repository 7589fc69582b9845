"""The Chinese family: every move has a nature, one idle move makes a side's play allowed.

What is decided here needs no judgement: loops in which checks alone settle the matter, and loops
in which nobody has anything to attack with. Threats of mate and gains by a line of play are not
searched; a move that could be one is marked as not certain, its shown nature is what its direct
attacks say, and where the verdict hangs on such moves it is ``undecided`` with every reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xiangqi.geometry import BLACK, COLOR_NAMES_ZH, RED, SQUARES, crossed_river
from xiangqi.pieces import CANNON, KNIGHT, PAWN, ROOK
from xiangqi.repetition import asian
from xiangqi.repetition.book import Article, RuleBook
from xiangqi.repetition.evidence import Codes
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

CHECKS, FORBIDDEN, UNKNOWN, ALLOWED = "perpetual_check", "forbidden", "unknown", "allowed"
_ZH = {
    CHECKS: "长将",
    FORBIDDEN: "为禁止着法",
    UNKNOWN: "着法性质需裁判认定",
    ALLOWED: "为允许着法",
}
UNARMED = "双方都没有过河攻击的子力，既无将、杀，也无捉"


def classify(steps: Sequence[Step], book: RuleBook) -> tuple[PlyRuling, ...]:
    """Checks are certain; so is an idle move where nobody has anything to attack with."""
    plies = []
    for step, ply in zip(steps, asian.classify(steps, book), strict=True):
        if ply.nature == Nature.CHECK:
            plies.append(ply)
        elif not (_armed(step.after, RED) or _armed(step.after, BLACK)):
            plies.append(replace(ply, nature=Nature.IDLE, victims=(), note=UNARMED))
        else:
            plies.append(replace(ply, certain=False))
    return tuple(plies)


def _armed(codes: Codes, color: int) -> bool:
    """Whether a side has a piece that can give check, be chased, or both.

    A general, advisors, elephants and pawns before the river can do neither: the last three never
    meet an enemy that may be chased, as the other side's have not crossed either.
    """
    for sq in SQUARES:
        code = int(codes[sq])
        if code and code >> 3 == color:
            kind = code & 7
            if kind in (ROOK, KNIGHT, CANNON) or (kind == PAWN and crossed_river(sq, color)):
                return True
    return False


def decide(
    steps: Sequence[Step], plies: Sequence[PlyRuling], loop: Loop, book: RuleBook
) -> Decision:
    """Apply the table of forbidden and allowed to what both sides do in a loop."""
    del steps
    kinds = (_kind(plies, loop, RED), _kind(plies, loop, BLACK))
    verdict, articles = table(*kinds, book)
    if verdict is None:
        findings = tuple(SideFinding(kind, _ZH[kind]) for kind in kinds)
        articles, readings = (book.article("forbidden"),), _readings(kinds, book)
        return Decision(Verdict.UNDECIDED, findings, articles, readings)
    return Decision(verdict, tuple(_settled(kind) for kind in kinds), articles)


def _settled(kind: str) -> SideFinding:
    """A finding in a loop that is decided, be the rest of its moves what they may."""
    return SideFinding(kind, "没有着着将军" if kind == UNKNOWN else _ZH[kind])


def _kind(plies: Sequence[PlyRuling], loop: Loop, side: int) -> str:
    own = [plies[i] for i in loop if plies[i].side == side]
    if all(ply.nature == Nature.CHECK for ply in own):
        return CHECKS
    if any(ply.certain and ply.nature == Nature.IDLE for ply in own):
        return ALLOWED
    return FORBIDDEN if all(ply.certain for ply in own) else UNKNOWN


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
    articles = (book.article("must_change"), book.article("forbidden"), book.article("allowed"))
    return Verdict.loss(kinds.index(FORBIDDEN)), articles


def _readings(kinds: tuple[str, str], book: RuleBook) -> tuple[Reading, ...]:
    """The answer for every way in which the unknown natures may turn out."""
    if kinds == (UNKNOWN, UNKNOWN):
        return (
            Reading("只有红方着着是禁止着法（将、杀、捉）", Verdict.RED_LOSES),
            Reading("只有黑方着着是禁止着法", Verdict.BLACK_LOSES),
            Reading("双方都是禁止着法，或都有闲着", Verdict.DRAW),
        )
    side = kinds.index(UNKNOWN)
    readings = []
    for kind, condition in (
        (FORBIDDEN, "着着是禁止着法（将、杀、捉）"),
        (ALLOWED, "至少有一着是闲"),
    ):
        red, black = (kind if s == side else kinds[s] for s in (RED, BLACK))
        verdict, _ = table(red, black, book)
        assert verdict is not None
        readings.append(Reading(f"{COLOR_NAMES_ZH[side]}方{condition}", verdict))
    return tuple(readings)
