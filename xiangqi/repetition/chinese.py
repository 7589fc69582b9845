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
    findings = (SideFinding(kinds[0], _ZH[kinds[0]]), SideFinding(kinds[1], _ZH[kinds[1]]))
    verdict, articles = table(*kinds, book)
    if verdict is not None:
        return Decision(verdict, findings, articles)
    return Decision(
        Verdict.UNDECIDED, findings, (book.article("forbidden"),), _readings(kinds, book)
    )


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
    """The answers for every way in which the unknown natures may turn out."""
    readings: dict[Verdict, list[str]] = {}
    options = [(FORBIDDEN, ALLOWED) if kind == UNKNOWN else (kind,) for kind in kinds]
    for red in options[0]:
        for black in options[1]:
            verdict, _ = table(red, black, book)
            assert verdict is not None
            said = [
                f"{COLOR_NAMES_ZH[side]}方着着" + "含杀或捉（禁止着法）"
                if value == FORBIDDEN
                else f"{COLOR_NAMES_ZH[side]}方至少有一着是闲（允许着法）"
                for side, value in enumerate((red, black))
                if kinds[side] == UNKNOWN
            ]
            readings.setdefault(verdict, []).append("而".join(said))
    return tuple(Reading("，或".join(text), verdict) for verdict, text in readings.items())
