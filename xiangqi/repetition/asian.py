"""The Asian and World rules: perpetual check and perpetual chase of one and the same piece.

A move chases what it newly attacks with gain: the pairs of attacker and victim that win something
after the move and did not before it. A side loses by the rank of what it does on *all* its moves:
check, then the chase of a chariot that shields its general from a horse, then any other chase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xiangqi.geometry import BLACK, RED
from xiangqi.pieces import CANNON, KNIGHT, PAWN, ROOK, Piece
from xiangqi.repetition.book import Article, RuleBook
from xiangqi.repetition.evidence import Attack, Stone, survey
from xiangqi.repetition.loops import Loop, pursued
from xiangqi.repetition.outcomes import BEHIND_CHARIOT, CHECK
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
    """Everything the mover attacks after a move; ``new`` where the move brought the gain about.

    What is new is a setting of the book (``novelty``): a ``pair`` of attacker and victim that was
    no gain before (the rule of the diagrams), a ``victim`` that was not to be won before
    (Pikafish), a pair that is not seen along the line of the move (``line``, Fairy-Stockfish), or
    every gain of the piece that ``moved`` (xqbase).
    """
    guards_gain = bool(book.value("guards_gain"))
    after = survey(step.after, step.side, guards_gain=guards_gain)
    gaining = [attack for attack in after if _gains(attack, step, book)]
    if not gaining:
        return after
    start, goal = step.move
    novelty = book.value("novelty") or "pair"
    if novelty == "moved":
        new = {attack.pair for attack in gaining if attack.attacker.square == goal}
    else:
        then = survey(step.before, step.side, guards_gain=guards_gain)
        before = {
            (goal if attack.attacker.square == start else attack.attacker.square, v)
            for attack in then
            if attack.gains
            for v in (attack.victim.square,)
        }
        if novelty == "victim":
            known = {victim for _, victim in before}
            new = {attack.pair for attack in gaining if attack.victim.square not in known}
        else:
            new = {attack.pair for attack in gaining if attack.pair not in before}
        if novelty == "line":
            new |= {attack.pair for attack in gaining if _from_another_line(attack, step)}
    return tuple(
        replace(attack, new=True) if attack.pair in new and attack.gains else attack
        for attack in after
    )


def _from_another_line(attack: Attack, step: Step) -> bool:
    """Whether the piece that moved hits its victim otherwise than along the line it moved on."""
    start, goal = step.move
    if attack.attacker.square != goal:
        return False
    if attack.attacker.piece.piece_type not in (ROOK, CANNON):
        return True
    victim = attack.victim.square
    along = start // 9 == goal // 9 == victim // 9 or start % 9 == goal % 9 == victim % 9
    return not along


def _gains(attack: Attack, step: Step, book: RuleBook) -> bool:
    """Whether an attack wins something under the book."""
    if not attack.gains:
        return False
    kind, target = attack.attacker.piece.piece_type, attack.victim.piece.piece_type
    if book.value("chariot_screens_root") and any(
        defence.outcome == BEHIND_CHARIOT for defence in attack.defences
    ):
        return False
    if book.value("major_pieces_only"):
        light = target in (KNIGHT, CANNON, PAWN) and target != kind
        return kind in (ROOK, KNIGHT, CANNON) and (light or (target == ROOK and kind != ROOK))
    return True


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
    red, black = (_rank(plies, loop, side, book) for side in (RED, BLACK))
    some_check = any(plies[i].nature == Nature.CHECK for i in loop)
    if some_check and book.value("any_check_draws") and CHECKS not in (red[0], black[0]):
        red = black = NOTHING, frozenset()  # no chase is looked at
    ranks = red[0], black[0]
    verdict = Verdict.DRAW if red[0] == black[0] else Verdict.loss(ranks.index(max(ranks)))
    began = steps[loop[0]]
    return Decision(
        verdict, (_finding(began, *red), _finding(began, *black)), _articles(*ranks, book)
    )


def _rank(
    plies: Sequence[PlyRuling], loop: Loop, side: int, book: RuleBook
) -> tuple[int, frozenset[int]]:
    """Rank of a side in a loop and the points, at its beginning, of what it chases throughout."""
    moves = [plies[i].move for i in loop]
    own = [plies[i].side == side for i in loop]
    chased = [[v.square for v in plies[i].victims] for i in loop]
    victims = pursued(moves, chased, own)
    if all(plies[i].nature == Nature.CHECK for i in loop if plies[i].side == side):
        return CHECKS, victims
    if book.value("pinned_chariot_rank"):
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
