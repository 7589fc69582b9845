"""The twelve kinds of piece, what an army is made of, and who wins a combat."""

from __future__ import annotations

import numpy as np

LETTERS = "abcdefghijkl"
"""One letter a kind, from 司令 down to 军旗; a kind is its index here."""
KINDS = range(12)
COMMANDER, ENGINEER, MINE, BOMB, FLAG = 0, 8, 9, 10, 11
NAMES_ZH = (
    "司令", "军长", "师长", "旅长", "团长", "营长", "连长", "排长", "工兵", "地雷", "炸弹", "军旗",
)  # fmt: skip
NAMES_EN = (
    "commander", "army", "division", "brigade", "regiment", "battalion",
    "company", "platoon", "engineer", "mine", "bomb", "flag",
)  # fmt: skip
RANKS = (40, 39, 38, 37, 36, 35, 34, 33, 32, 41, 0, 31)
"""Numbers as people write them; 地雷, 炸弹 and 军旗 carry labels only, see :func:`duel`."""
COUNTS = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1)
"""Pieces of each kind in an army."""
ARMY = sum(COUNTS)
"""Pieces of an army: 25."""
ANY = (1 << 12) - 1
"""All kinds, as a set of bits."""
UNMOVABLE = 1 << MINE | 1 << FLAG
"""The kinds that never move."""

ATTACKER_STAYS, DEFENDER_STAYS, BOTH_LEAVE = 1, 2, 3


def duel(attacker: int, defender: int, mine_survives: bool = True) -> int:
    """Who stays on the board when one kind attacks another (S3B-JQ-7, -8, -9).

    A bomb on either side takes both. The flag loses to every attacker, a mine to the engineer;
    against others it stays, or with ``mine_survives`` off leaves with them. Equals leave together,
    else the higher stays. Mines and flags never attack.

    >>> duel(ENGINEER, MINE) == ATTACKER_STAYS, duel(BOMB, MINE) == BOTH_LEAVE
    (True, True)
    """
    if BOMB in (attacker, defender):
        return BOTH_LEAVE
    if defender == FLAG:
        return ATTACKER_STAYS
    if defender == MINE:
        if attacker == ENGINEER:
            return ATTACKER_STAYS
        return DEFENDER_STAYS if mine_survives else BOTH_LEAVE
    if attacker == defender:
        return BOTH_LEAVE
    return ATTACKER_STAYS if attacker < defender else DEFENDER_STAYS


DUEL = np.array(
    [[[duel(a, d, survives) for d in KINDS] for a in KINDS] for survives in (False, True)],
    np.uint8,
)
""":func:`duel` as [mine_survives, attacker, defender]; mines and flags never attack."""


def letters_of(kinds: int) -> str:
    """The letters of a set of kinds, highest first.

    >>> letters_of(1 << COMMANDER | 1 << BOMB)
    'ak'
    """
    return "".join(LETTERS[kind] for kind in KINDS if kinds >> kind & 1)


def kinds_of(letters: str) -> int:
    """The set of kinds of some letters.

    >>> kinds_of("ak") == 1 << COMMANDER | 1 << BOMB
    True
    """
    kinds = 0
    for letter in letters:
        kinds |= 1 << LETTERS.index(letter)
    return kinds
