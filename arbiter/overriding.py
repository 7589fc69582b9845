"""What an arbiter changes by hand: the nature of a move, with the reason, on the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qikit.errors import GameError
from xiangqi.geometry import parse_square, square_name
from xiangqi.pieces import Piece
from xiangqi.repetition import Nature, PlyRuling, RuleBook, Step, Stone

CHASES = (Nature.CHASE, Nature.JOINT_CHASE)
_LETTERS = dict(zip("JSZLX", Nature, strict=True))
"""The letters of published lists of natures."""
_FORM = re.compile(
    r"\s*(?P<ply>[0-9]{1,5})\s*[=＝]\s*(?P<nature>[A-Za-z_]+|[\u4e00-\u9fff]{1,3})"
    r"(?:@(?P<victims>[a-i][0-9](?:,[a-i][0-9])*))?\s*[:：]\s*(?P<reason>.*?)\s*",
    re.ASCII | re.DOTALL,
)


@dataclass(frozen=True)
class Override:
    """An arbiter's finding on a move, in place of the program's.

    It holds for the same move in the same position wherever the game repeats it.

    Attributes:
        ply: number of the move in the game, from 1.
        nature: what the arbiter finds the move to be. Check is a fact and cannot be set or unset.
        reason: why, for the record; not empty.
        victims: points of the chased pieces after the move; without them, those that the program
            found. The Asian rules need them, as they ask whether one piece is chased throughout.

    Raises:
        GameError: no reason, a nature that cannot be set, a ply below 1.

    >>> Override.parse("13=闲:占据守和要点").nature
    <Nature.IDLE: 'idle'>
    >>> str(Override.parse("12 = Z@e5: 断根"))
    '12=捉@e5:断根'
    """

    ply: int
    nature: Nature
    reason: str
    victims: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.ply < 1:
            raise GameError(f"着数从 1 数起 (plies count from 1): {self.ply}")
        if not self.reason.strip():
            raise GameError(f"改定第 {self.ply} 着的性质要写明理由 (a reason is needed)")
        if self.nature is Nature.CHECK:
            raise GameError(f"第 {self.ply} 着：将军是局面的事实，不由裁判认定 (check is a fact)")
        if self.victims and self.nature not in CHASES:
            raise GameError(f"第 {self.ply} 着：只有捉才有被捉的子 (only a chase has victims)")

    @classmethod
    def parse(cls, text: str) -> Override:
        """Read ``PLY=NATURE:REASON`` or ``PLY=NATURE@POINT,POINT:REASON``.

        A nature is 杀 捉 联合捉 闲, an English id (``mate_threat``), or a letter S Z L X.

        Raises:
            GameError: the text is not of that form.
        """
        match = _FORM.fullmatch(text)
        nature = _nature(match["nature"]) if match else None
        if match is None or nature is None:
            raise GameError(
                f"改定着法性质要写成 着数=性质:理由，性质为 杀、捉、联合捉、闲，例如 13=闲:占据要点"
                f" (write PLY=NATURE:REASON): {text!r}",
                text=text,
            )
        points = match["victims"].split(",") if match["victims"] else []
        victims = tuple(map(parse_square, points))
        return cls(int(match["ply"]), nature, match["reason"], victims)

    def __str__(self) -> str:
        at = "@" + ",".join(map(square_name, self.victims)) if self.victims else ""
        return f"{self.ply}={self.nature.zh}{at}:{self.reason}"


def _nature(word: str) -> Nature | None:
    names: dict[str, Nature] = {}
    for nature in Nature:
        names |= {nature.zh: nature, nature.value: nature}
    return (names | _LETTERS).get(word) or _LETTERS.get(word.upper())


@dataclass(frozen=True)
class Overruled:
    """An override as it took effect.

    Attributes:
        override: what the arbiter found.
        text: the move in Chinese notation.
        was: the program's own finding; None where no ruling looked at the move, so that the
            override changed nothing.
    """

    override: Override
    text: str
    was: Nature | None

    def sentence(self) -> str:
        """For the report, in Chinese."""
        override = self.override
        head = (
            f"第 {override.ply} 着 {self.text}：裁判认定为{override.nature.zh}，{override.reason}"
        )
        if self.was is None:
            return f"{head}（该着不在应裁定的循环中，对裁定没有影响）"
        return f"{head}（程序判为{self.was.zh}）"

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        override = self.override
        return {
            "ply": override.ply,
            "move": self.text,
            "nature": override.nature.value,
            "victims": [square_name(sq) for sq in override.victims],
            "reason": override.reason,
            "was": self.was.value if self.was else None,
        }


def applied(ply: PlyRuling, step: Step, override: Override, book: RuleBook) -> PlyRuling:
    """A move of a loop with the arbiter's finding in place of the program's.

    Raises:
        GameError: the move is a check; a victim is no enemy piece; a chase without a victim under
            a book that asks which piece is chased.
    """
    where = f"第 {override.ply} 着 {ply.text}"
    if ply.nature is Nature.CHECK:
        raise GameError(
            f"{where}：将军是局面的事实，不能改定为{override.nature.zh} (check is a fact)"
        )
    confirmed = override.nature is ply.nature
    victims = ply.victims if confirmed else ()
    if override.nature in CHASES:
        victims = tuple(_victim(step, sq, where) for sq in override.victims) or ply.victims
        if not victims and book.family == "asian":
            raise GameError(
                f"{where}：按{book.zh}，捉要写明被捉的子所在的点，如 {override.ply}=捉@e5:理由"
                " (name the point of the chased piece)"
            )
    kept = {victim.square for victim in victims}
    return replace(
        ply,
        nature=override.nature,
        certain=True,
        victims=victims,
        # under the Chinese books the direct attacks are evidence only, and stay as they are
        reasons=ply.reasons
        if book.family == "chinese"
        else tuple(
            replace(reason, new=reason.new and reason.victim.square in kept)
            for reason in ply.reasons
        ),
        note=f"裁判认定为{override.nature.zh}：{override.reason}（程序判为{ply.nature.zh}）",
        light=ply.light if confirmed else override.nature is Nature.JOINT_CHASE,
        pawn_attack=confirmed and ply.pawn_attack,
    )


def _victim(step: Step, sq: int, where: str) -> Stone:
    code = int(step.after[sq])
    if not code or code >> 3 == step.side:
        raise GameError(f"{where}：走后 {square_name(sq)} 没有对方的子 (no enemy piece there)")
    return Stone(Piece.from_code(code), sq)


def by_ply(overrides: Iterable[Override], plies: int) -> Mapping[int, Override]:
    """Overrides by their ply.

    Raises:
        GameError: two of one ply, or a ply that the game does not have.
    """
    found: dict[int, Override] = {}
    for override in overrides:
        if override.ply in found:
            raise GameError(f"第 {override.ply} 着改定了两次 (overridden twice)")
        if override.ply > plies:
            raise GameError(
                f"没有第 {override.ply} 着，这局棋只有 {plies} 着 (the game has {plies} plies)"
            )
        found[override.ply] = override
    return found


def records(
    overrides: Sequence[Override], texts: Mapping[int, str], found: Mapping[int, Nature]
) -> tuple[Overruled, ...]:
    """What became of each override, in order of plies."""
    ordered = sorted(overrides, key=lambda override: override.ply)
    return tuple(Overruled(o, texts.get(o.ply, ""), found.get(o.ply)) for o in ordered)
