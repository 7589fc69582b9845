"""The nature of a single move under the Chinese family of rule books: 将 杀 捉 联合捉 闲.

Nothing is guessed: mates and gains are searched (:mod:`xiangqi.threats`), as if the mover's side
were to move again, and compared with what the same side had before the move. The questions are
asked in the order of weight; the first one that holds names the move.

1. Check (将).
2. A general that steps out of check is idle whatever it threatens (CXA 2020 26.1.3).
3. A mate by continuous checks would follow: mate threat (杀).
4. A piece can be taken with gain on its point, and could not before: chase (捉). *Gain* means after
   all retakes, without being mated or losing the capturing piece to checks. A like piece that can
   safely take first is an offer (兑); generals and pawns may attack for ever.
5. It could be attacked before, and the gain needs the piece that moved: joint chase (联合捉).
6. Material falls by force later (through checks, or a piece given up first), more than is to be had
   without the move: chase.
7. Idle (闲).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from xiangqi.geometry import crossed_river, square_name
from xiangqi.move import Move
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, Piece
from xiangqi.repetition.evidence import Codes, Stone
from xiangqi.repetition.ruling import Nature
from xiangqi.repetition.trace import Step
from xiangqi.threats import MATED, WORTH, Line, Scene

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a move is and why.

    Attributes:
        nature: the heaviest purpose of the move.
        victims: pieces that would be won.
        light: a chase that needs several pieces, or one short of roots (CXA 2020: light class).
        note: the reason in Chinese.
        bounded: whether a search ran out of nodes, so that more might be there.
        pawn_attack: an idle move that is a pawn's own attack with gain.
    """

    nature: Nature
    victims: tuple[Stone, ...] = ()
    light: bool = False
    note: str = ""
    bounded: bool = False
    pawn_attack: bool = False


def find(step: Step, *, key_square: bool = False) -> Finding:
    """The nature of one move.

    Args:
        step: the move with the positions round it.
        key_square: whether holding the key square of a simple draw is idle: the only piece that
            can attack, on the weaker side, while it hits nothing but advisors and elephants.
    """
    return _find(step.side, step.move, step.before.tobytes(), step.after.tobytes(), key_square)


@lru_cache(maxsize=4096)
def _find(side: int, move: Move, before: bytes, after: bytes, key_square: bool) -> Finding:
    """Kept, because a loop comes round several times before it is ruled on."""
    then, now = (np.frombuffer(codes, np.uint8).copy() for codes in (before, after))
    return _Question(side, move, then, now, key_square).answer()


def forget() -> None:
    """Drop the kept findings: needed only when the bounds of :mod:`xiangqi.threats` change."""
    _find.cache_clear()


class _Question:
    """One move with the scenes on either side of it, both as if its side were to move."""

    def __init__(
        self, side: int, move: Move, before: Codes, after: Codes, key_square: bool
    ) -> None:
        self.side = side
        self.before, self.after = before, after
        self.key_square = key_square
        self.start, self.goal = move
        self.kind = int(before[self.start]) & 7
        self.now = Scene(after, side)
        self.then = Scene(before, side)
        self.answers_check = self.then.in_check()

    def answer(self) -> Finding:
        if Scene(self.after, 1 - self.side).in_check():
            return Finding(Nature.CHECK)
        if self.answers_check and self.kind == KING:
            return Finding(Nature.IDLE, note="将（帅）走动应将，不论造成什么威胁，都是闲")
        found = self._mate_threat() or self._gains()
        return replace(found, bounded=self.now.bounded or self.then.bounded)

    def _mate_threat(self) -> Finding | None:
        mate = self.now.mate()
        if mate is None or (self.answers_check and self.then.mate() is not None):
            return None
        start, goal = mate
        if not self.now.after(start | goal << 7).in_check():
            return Finding(Nature.MATE_THREAT, note=f"下一着{self._name(mate)}可以困毙对方，是杀")
        return Finding(Nature.MATE_THREAT, note=f"下一着{self._name(mate)}起可以连将杀，是杀")

    def _gains(self) -> Finding:
        passing, lines = self.now.survey()
        attacks = {self._pair(line): line for line in lines if line.victim}
        before = _Before(self)
        heavy: list[Line] = []
        light: list[Line] = []
        standing: list[Line] = []
        for pair, line in attacks.items():
            if not _takes(line, self.after):
                continue
            relative = line.value - passing
            joint = _needs_help(line, self.after)
            if not before.attacked(pair):
                if joint and self._offered_by_helper(line):
                    continue
                if joint and relative < line.exchange:
                    if relative >= 0:
                        light.append(line)
                elif joint and pair[0] != self.goal and pair in before.physical:
                    light.append(line)
                elif relative >= 0:
                    heavy.append(line)
                continue
            if relative <= 0:
                continue
            part = "" if self.goal == pair[0] or self.kind == KING else self._takes_part(line)
            if part == "joins":
                light.append(line)
            elif part == "deters":
                heavy.append(line)
            elif relative >= line.exchange:
                if not joint and not before.won(pair, line):
                    heavy.append(line)
                else:
                    standing.append(line)
        if heavy and self.key_square and self._holds_key_square(heavy):
            return Finding(Nature.IDLE, note="唯一的攻击子占据守和要点，附带攻士、象，按要点论是闲")
        if heavy:
            return self._chase(heavy, "")
        known = max(
            [line.exchange for line in [*standing, *light]]
            + [
                line.exchange
                for line in attacks.values()
                if line.offered or _exempt(line, self.after)
            ],
            default=0,
        )
        by_force = self._by_force(lines, known, before)
        if by_force is not None:
            return by_force
        if light:
            return self._chase(light, "joint")
        idle = self._idle(lines)
        reasons = [
            why
            for pair, line in attacks.items()
            if not before.attacked(pair) and (why := self._no_gain(line, passing))
        ]
        return replace(idle, note="；".join(filter(None, [*reasons, idle.note])))

    def _no_gain(self, line: Line, passing: int) -> str:
        """Why a capture that pays on its point is no chase after all, or ``""``."""
        if line.exchange <= 0 or _exempt(line, self.after):
            return ""
        taken = self._capture(line)
        if line.value <= -MATED:
            return f"{taken}则被对方杀，不算捉"
        if line.offered:
            return f"{taken}：同类子对面，对方可以先吃，是兑，不算捉"
        if line.recaught and not _pays_for_itself(line, self.after):
            return f"{taken}则被对方连将夺回，不算捉"
        if line.value - passing < line.exchange:
            return f"{taken}则另有损失，得不偿失，不算捉"
        return ""

    def _idle(self, lines: Iterable[Line]) -> Finding:
        """An idle move, with its kind (兑 跟 献) where it can be told, and a pawn's own attack."""
        mine = [line for line in lines if line.move.from_square == self.goal and line.victim]
        if self.kind == PAWN:
            for line in mine:
                victim = _stone(self.after, line.move.to_square)
                gains = line.exchange > 0 and not line.rooted and line.value > -MATED
                if gains and (
                    line.victim & 7 != PAWN or crossed_river(victim.square, 1 - self.side)
                ):
                    note = f"兵（卒）自己攻{victim}，可以长攻，是闲"
                    return Finding(Nature.IDLE, (victim,), note=note, pawn_attack=True)
        for line in mine:
            victim = _stone(self.after, line.move.to_square)
            if line.offered:
                return Finding(Nature.IDLE, note=f"与{victim}邀兑，是闲（兑）")
            if line.exchange <= 0 and line.victim & 7 != PAWN:
                return Finding(Nature.IDLE, note=f"跟着有根的{victim}，是闲（跟）")
        if self.now.hangs(self.goal) and self.kind != KING:
            return Finding(Nature.IDLE, note="送吃而没有威胁，是闲（献）")
        return Finding(Nature.IDLE)

    def _holds_key_square(self, chases: Iterable[Line]) -> bool:
        """Whether the only attacking piece of the weaker side hits but advisors and elephants."""

        def force(side: int) -> list[int]:
            own = np.flatnonzero((self.after != 0) & (self.after >> 3 == side)).tolist()
            return [
                WORTH[kind]
                for sq in own
                if (kind := int(self.after[sq]) & 7) in (ROOK, KNIGHT, CANNON)
                or (kind == PAWN and crossed_river(sq, side))
            ]

        mine, theirs = force(self.side), force(1 - self.side)
        guards = all(line.victim & 7 in (ADVISOR, BISHOP) for line in chases)
        return guards and len(mine) == 1 and sum(mine) < sum(theirs)

    def _by_force(self, lines: Iterable[Line], known: int, before: _Before) -> Finding | None:
        """Gains that come later than the first capture, beyond what is known to be there."""
        fresh: list[tuple[Line, frozenset[Pair]]] = []
        for line in lines:
            later = not line.victim or line.exchange <= 0 or line.checks
            if not later or line.value < 2 or line.value <= known or line.value > MATED:
                continue
            if self.kind in (KING, PAWN) and line.move.from_square == self.goal:
                continue
            wins = self.now.first_wins(line.move)
            if not any(before.forced(self._back(pair)) >= line.value for pair in wins):
                fresh.append((line, wins))
        if not fresh:
            return None
        # one piece that checks and then takes by itself, being the one that moved, needs no help
        alone = any(
            line.move.from_square == self.goal and all(a == self.goal for a, _ in wins)
            for line, wins in fresh
            if wins
        )
        best, wins = max(fresh, key=lambda item: item[0].value)
        victims = tuple(_stone(self.after, v) for v in sorted({v for _, v in wins}))
        what = "将军" if best.checks else "先弃后取"
        note = f"下一着{self._name(best.move)}{what}，可以得子"
        if victims:
            note += f"（{'、'.join(map(str, victims))}）"
        return Finding(Nature.CHASE, victims, not alone, note + "，是捉")

    def _chase(self, lines: list[Line], how: str) -> Finding:
        victims = {line.move.to_square for line in lines}
        texts = []
        for line in lines:
            if not line.rooted:
                why = "没有真根"
            elif _pays_for_itself(line, self.after):
                why = "有根，以小换大"
            else:
                why = "有根但少根"
            texts.append(f"{self._capture(line)}可以得子（{why}）")
        stones = tuple(_stone(self.after, sq) for sq in sorted(victims))
        if how:
            return Finding(
                Nature.JOINT_CHASE, stones, True, "；".join(texts) + "，走动的子参与其中，是联合捉"
            )
        return Finding(Nature.CHASE, stones, False, "；".join(texts) + "，是捉")

    def _takes_part(self, line: Line) -> str:
        """What becomes of a capture without the piece that moved: ``joins`` if it no longer pays,
        ``deters`` if the victim could then safely take first."""
        scene = self.now.without(self.goal)
        if scene.in_check():
            return ""
        move = line.move.from_square | line.move.to_square << 7
        if move not in scene.legal() or scene.exchange(move) <= 0:
            return "joins"
        _, lines = scene.survey()
        return "deters" if any(x.move == line.move and x.offered for x in lines) else ""

    def _offered_by_helper(self, line: Line) -> bool:
        """Whether the capture pays only through a second piece of the victim's kind which the
        victim can safely take: then it is an offer of exchange."""
        goal = line.move.to_square
        kind = line.victim & 7
        for move in Scene(self.after, 1 - self.side).legal():
            helper = move >> 7
            if move & 127 != goal or helper == line.move.from_square:
                continue
            if int(self.after[helper]) & 7 != kind:
                continue
            if self.now.after(move).mate(2) is not None:
                continue
            left = self.now.without(helper)
            capture = line.move.from_square | goal << 7
            if capture not in left.legal() or left.exchange(capture) <= 0:
                return True
        return False

    def _pair(self, line: Line) -> Pair:
        return line.move.from_square, line.move.to_square

    def _back(self, pair: Pair) -> Pair:
        """A pair of now in the squares of before the move."""
        return (self.start if pair[0] == self.goal else pair[0]), pair[1]

    def _capture(self, line: Line) -> str:
        attacker = _stone(self.after, line.move.from_square)
        return f"{attacker}吃{_stone(self.after, line.move.to_square)}"

    def _name(self, move: Move) -> str:
        code = int(self.after[move.from_square])
        return f"{_stone(self.after, move.from_square) if code else ''}{_arrow(move)}"


class _Before:
    """What the same side had before the move."""

    def __init__(self, question: _Question) -> None:
        self.question = question
        self.codes = question.before
        scene = question.then
        start, goal = question.start, question.goal
        self.physical = {(goal if a == start else a, v) for a, v in scene.physical()}
        self.lines: dict[Pair, Line] = {}
        self.shielded: dict[Pair, Line] = {}
        self.passing = self.passing_shielded = 0
        self.hanging = scene.hangs(start)
        self._forced: dict[Pair, int] | None = None
        if not question.answers_check:
            self.passing, lines = scene.survey()
            self.all = lines
            self.lines = {self._pair(line): line for line in lines if line.victim}
            self.passing_shielded, lines = scene.survey(start)
            self.shielded = {self._pair(line): line for line in lines if line.victim}

    def _pair(self, line: Line) -> Pair:
        start, goal = line.move
        return (self.question.goal if start == self.question.start else start), goal

    def attacked(self, pair: Pair) -> bool:
        """Whether the victim could already be taken with gain on its point.

        While the mover was in check that check is ignored (2020, 26.1.4)."""
        if self.question.answers_check:
            start = self.question.start if pair[0] == self.question.goal else pair[0]
            move = start | pair[1] << 7
            if pair not in self.physical or self.question.then.exchange(move) <= 0:
                return False
            return not self._like_offer(start, pair[1])
        line = self.lines.get(pair)
        return line is not None and _takes(line, self.codes)

    def _like_offer(self, start: int, goal: int) -> bool:
        like = not (int(self.codes[start]) ^ int(self.codes[goal])) & 7
        other = Scene(self.codes, 1 - self.question.side)
        return like and (goal | start << 7) in other.legal()

    def won(self, pair: Pair, now: Line) -> bool:
        """Whether that gain was real, so that the move did not bring it about.

        It was not if the capture cost the piece that has moved now, or something else worth as
        much. Where the piece that has moved stood to be lost anyway, that loss is left out, unless
        it would have been the greater one (26.5: each side takes one)."""
        if self.question.answers_check:
            return True
        line, shielded = self.lines[pair], self.shielded[pair]

        def gain(line: Line, passing: int) -> int:
            return line.value - passing if passing > -MATED else line.value

        real = gain(shielded, self.passing_shielded)
        if not self.hanging:
            real = min(real, gain(line, self.passing))
        return real >= line.exchange and (line.value >= -1 or line.value >= now.value)

    def forced(self, pair: Pair) -> int:
        """Best forced gain that began with this capturer and victim."""
        if self._forced is None:
            self._forced = {}
            if not self.question.answers_check:
                for line in self.all:
                    if 1 <= line.value <= MATED:
                        for win in self.question.then.first_wins(line.move):
                            best = self._forced.get(win, 0)
                            self._forced[win] = max(best, line.value)
        return self._forced.get(pair, 0)


def _takes(line: Line, codes: Codes) -> bool:
    """Whether a capture wins something by itself in the sense of a chase."""
    return (
        line.exchange > 0
        and not (line.recaught and not _pays_for_itself(line, codes))
        and not line.offered
        and line.value > -MATED
        and not _exempt(line, codes)
    )


def _pays_for_itself(line: Line, codes: Codes) -> bool:
    """Whether a capture gains even if the capturing piece is lost (a horse takes a chariot)."""
    return WORTH[line.victim & 7] > WORTH[int(codes[line.move.from_square]) & 7]


def _exempt(line: Line, codes: Codes) -> bool:
    """Attacks that may go on for ever: by a general or pawn, or on a pawn before the river."""
    goal = line.move.to_square
    code = line.victim
    if code & 7 == PAWN and not crossed_river(goal, code >> 3):
        return True
    return int(codes[line.move.from_square]) & 7 in (KING, PAWN)


def _needs_help(line: Line, codes: Codes) -> bool:
    """Whether the gain on a rooted piece comes from retaking only, not from its greater worth."""
    attacker = int(codes[line.move.from_square]) & 7
    return line.rooted and WORTH[line.victim & 7] <= WORTH[attacker]


def _stone(codes: Codes, sq: int) -> Stone:
    return Stone(Piece.from_code(int(codes[sq])), sq)


def _arrow(move: Move) -> str:
    return f"→{square_name(move.to_square)}"
