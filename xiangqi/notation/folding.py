"""The many ways to write one sign, folded into one alphabet.

Chinese and WXF texts name a move by the same four things: the piece, where it stands, the
direction, the target. Folding turns both into capitals for the piece (K A B N R C P), digits,
``+ - =`` for the direction and ``f m r`` for front, middle and rear, so that what follows compares
plain strings: ``炮二平五``, ``砲2平5`` and ``c2.5`` all become ``C2=5``.
"""

from __future__ import annotations

import re
import unicodedata

_SIGNS = {
    "K": "帅帥将將",
    "A": "仕士",
    "B": "相象E",
    "N": "马馬傌H",
    "R": "车車俥伡硨砗",
    "C": "炮砲包礮",
    "P": "兵卒",
    "f": "前",
    "m": "中",
    "r": "后後",
    "+": "进進",
    "-": "退‐‑‒–—―−",
    "=": "平.·。．",
} | {str(number): sign for number, sign in enumerate("一二三四五六七八九", 1)}
_FOLD = str.maketrans({variant: sign for sign, variants in _SIGNS.items() for variant in variants})


def _one_of(signs: str) -> str:
    """A regular expression for one character that folds to any of the signs, but for the signs."""
    return "[" + re.escape("".join(_SIGNS[sign] for sign in signs)) + "]"


_PIECE = _one_of("KABNRCP").replace("]", "KABNRCP]")
_PLACE = _one_of("fmr123456789").replace("]", "1-9]")
_FILE = _one_of("123456789").replace("]", "1-9]")
_END = "[+=" + _one_of("+-=")[1:] + _FILE
_CHINESE_MOVE = re.compile(
    f"(?:{_PLACE}{_PIECE}{_FILE}?|{_PIECE}{_PLACE}|{_one_of('fmr')}{_FILE}){_END}"
)

_SERIAL = re.compile(r"P([A-E])(?=[-+=.])")
_HAN = re.compile(r"[㐀-鿿]")


def compact(text: str) -> str:
    """NFKC (full-width letters, digits and signs become plain) without blanks.

    >>> compact(" Ｃ２＝５！ ")
    'C2=5!'
    """
    return "".join(unicodedata.normalize("NFKC", text).split())


def normal(text: str) -> str:
    """:func:`compact` without the marks ``!`` and ``?`` at the end."""
    return compact(text).rstrip("!?")


def is_chinese(text: str) -> bool:
    """Whether Chinese characters occur in the text."""
    return _HAN.search(text) is not None


def fold(text: str) -> str:
    """The folded form of a normal text in Chinese or WXF notation.

    The letters a to e that number pawns (``Pa.5``) become ``s1`` to ``s5``.

    >>> [fold(text) for text in ("前炮五退二", "後馬進3", "r+.3", "33.4", "Pb.5")]
    ['fC5-2', 'rN+3', 'R+=3', '33=4', 's2=5']
    """
    capital = _SERIAL.sub(lambda match: f"s{ord(match[1]) - 64}", text.upper())
    return capital.translate(_FOLD)


def split_moves(word: str) -> list[str]:
    """The moves of a word in which Chinese moves may follow each other without a blank.

    What is no move stays, in its place; a word without Chinese characters is one text.

    >>> split_moves("炮二平五马8进7"), split_moves("C2=5"), split_moves("红炮二平五")
    (['炮二平五', '马8进7'], ['C2=5'], ['红', '炮二平五'])
    """
    if not is_chinese(word):
        return [word] if word else []
    parts = []
    end = 0
    for match in _CHINESE_MOVE.finditer(word):
        parts += [word[end : match.start()], match[0]]
        end = match.end()
    parts.append(word[end:])
    return [part for part in parts if part]
