"""Set-ups of an army: 25 letters, front to back, the owner's left to right, camps skipped.

>>> army = "icgdiebefkhacgdfhkjigljhj"
>>> breaches(army)
()
>>> print(breaches("k" + army[1:9] + "i" + army[10:])[0])
第 1 行第 1 列：炸弹不能放在第一排（S3B-JQ-6）(row 1 column 1: no bomb in the front row)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from junqi.geometry import HEADQUARTERS, SETUP_ORDER
from junqi.pieces import (
    ANY,
    ARMY,
    BOMB,
    COUNTS,
    ENGINEER,
    FLAG,
    KINDS,
    LETTERS,
    MINE,
    NAMES_EN,
    NAMES_ZH,
)
from qikit.errors import InvalidPosition

RULE = "S3B-JQ-6"


def allowed_kinds(offset: int) -> int:
    """The kinds that may be set up on a point (offset inside its zone), as a set of bits.

    >>> allowed_kinds(0) == ANY & ~(1 << MINE | 1 << BOMB | 1 << FLAG)
    True
    """
    kinds = ANY
    if offset not in HEADQUARTERS:
        kinds &= ~(1 << FLAG)
    if offset < 20:
        kinds &= ~(1 << MINE)
    if offset < 5:
        kinds &= ~(1 << BOMB)
    return kinds


ALLOWED = tuple(allowed_kinds(offset) for offset in SETUP_ORDER)
"""[place in the army] kinds that may stand there."""


@dataclass(frozen=True)
class Breach:
    """One breach of the set-up rules.

    Attributes:
        place: index of the letter at fault, -1 where the army as a whole is.
        rule: id of the rule.
    """

    place: int
    zh: str
    en: str
    rule: str = RULE

    def __str__(self) -> str:
        where_zh = where_en = ""
        if self.place >= 0:
            row, column = divmod(SETUP_ORDER[self.place], 5)
            where_zh = f"第 {row + 1} 行第 {column + 1} 列："
            where_en = f"row {row + 1} column {column + 1}: "
        return f"{where_zh}{self.zh}（{self.rule}）({where_en}{self.en})"


def breaches(army: str) -> tuple[Breach, ...]:
    """Every breach of the set-up rules, in order of the places; empty = a lawful army."""
    found = []
    if len(army) != ARMY:
        found.append(
            Breach(-1, f"一方应有 25 枚棋子，这里是 {len(army)} 枚", f"{len(army)} letters, not 25")
        )
    for place, letter in enumerate(army[:ARMY]):
        if letter not in LETTERS:
            found.append(Breach(place, f"没有棋子 {letter!r}", f"no piece {letter!r}"))
        elif not ALLOWED[place] >> LETTERS.index(letter) & 1:
            kind = LETTERS.index(letter)
            zh, en = {
                FLAG: ("军旗必须放在大本营", "the flag stands in a headquarters"),
                MINE: ("地雷只能放在最后两排", "mines stand in the last two rows"),
                BOMB: ("炸弹不能放在第一排", "no bomb in the front row"),
            }[kind]
            found.append(Breach(place, zh, en))
    counts = Counter(army)
    for kind in KINDS:
        have, want = counts[LETTERS[kind]], COUNTS[kind]
        if have != want:
            found.append(
                Breach(
                    -1,
                    f"{NAMES_ZH[kind]}应有 {want} 枚，这里是 {have} 枚",
                    f"{have} × {NAMES_EN[kind]} instead of {want}",
                )
            )
    return tuple(found)


def check_army(army: str, who: str = "") -> tuple[int, ...]:
    """The kinds of a lawful army.

    Raises:
        InvalidPosition: it breaks the set-up rules; the message names every breach.
    """
    found = breaches(army)
    if found:
        head = f"{who}布阵不合规则 (set-up breaks the rules): "
        raise InvalidPosition(head + "; ".join(map(str, found)), text=army)
    return tuple(LETTERS.index(letter) for letter in army)


def random_army(rng: Random) -> str:
    """A lawful army, each as likely as any other.

    >>> breaches(random_army(Random(1)))
    ()
    """
    army = [""] * ARMY
    army[SETUP_ORDER.index(rng.choice(HEADQUARTERS))] = LETTERS[FLAG]
    # wherever the flag and the mines stand, the next kind has as many places to choose from
    for kind, first in ((MINE, 20), (BOMB, 5)):
        free = [p for p in range(ARMY) if SETUP_ORDER[p] >= first and not army[p]]
        for place in rng.sample(free, COUNTS[kind]):
            army[place] = LETTERS[kind]
    rest = [LETTERS[kind] for kind in range(ENGINEER + 1) for _ in range(COUNTS[kind])]
    rng.shuffle(rest)
    return "".join(letter or rest.pop() for letter in army)
