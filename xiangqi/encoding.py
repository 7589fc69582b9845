"""Bytes of a record file to text: no tag tells the encoding, so the text itself has to.

Files of Chinese programs are GB18030 as a rule, newer ones UTF-8 with or without a byte order mark,
those of Taiwan and Hong Kong Big5, those of Vietnam Windows-1258. A byte order mark or faultless
UTF-8 settles it; the others accept each other's bytes, and what tells them apart is which reading
makes sense.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import NamedTuple

from qikit.errors import InvalidRecord

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSES = ("utf-8", "gb18030", "big5hkscs", "cp1258")
"""In order of preference where the readings are equally good."""

_COMMON = frozenset(
    "帅仕相马车炮兵将士象卒帥傌俥馬車砲進进退平前中后後一二三四五六七八九１２３４５６７８９"
    "的是不了在人有我他这這个個们們来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子"
    "那得于於着著下自之年过過发發用法第局红紅黑方先手胜勝负負杯赛賽届屆全军軍着步变變注评評象棋"
    "北京上海广廣东東江湖南山河西天林王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高何郭马柳许許"
    "，。：；！？（）《》“”、"
)
_VIETNAMESE = re.compile(
    "(?<=[A-Za-z])[{0}]{{1,3}}|[{0}]{{1,3}}(?=[A-Za-z])".format(
        "ÀÁÂĂÈÉÊÌÍÒÓÔƠÙÚƯĐàáâăèéêìíòóôơùúưđ\u0300\u0309\u0303\u0301\u0323"
    )
)
"""Letters with their tone marks beside plain ones: Chinese read as Windows-1258 stands alone."""


class Decoded(NamedTuple):
    """Text, the codec that read it, and how many places it could not read (each is U+FFFD)."""

    text: str
    encoding: str
    damaged: int


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Text of a record file.

    Args:
        data: the whole file.
        encoding: a Python codec to use instead of detection.

    Raises:
        InvalidRecord: there is no such codec.

    >>> decode("炮二平五".encode("gb18030"))
    Decoded(text='炮二平五', encoding='gb18030', damaged=0)
    >>> decode("炮二平五 馬8進7".encode("big5")).text
    '炮二平五 馬8進7'
    >>> decode("车一平二".encode("gb18030") + b"\\xff").damaged
    1
    """
    if encoding is not None:
        try:
            return _read(data, encoding)
        except (LookupError, UnicodeError, TypeError) as error:
            raise InvalidRecord(
                f"没有这种文字编码 (no such text encoding): {encoding!r}"
            ) from error
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _read(data, name)
    if data.isascii():
        return Decoded(data.decode("ascii"), "ascii", 0)
    readings = [_read(data, name) for name in _GUESSES]
    if not readings[0].damaged:
        return readings[0]
    return max(readings, key=_sense)


def decode_all(pieces: Sequence[bytes], encoding: str | None = None) -> tuple[list[str], int]:
    """Texts of one file that stand apart in it, all in one encoding, and the damaged places.

    Raises:
        InvalidRecord: there is no such codec.

    >>> decode_all(["红".encode("gb18030"), "车一平二".encode("gb18030"), b"ok"])
    (['红', '车一平二', 'ok'], 0)
    """
    codec = encoding or decode(b"\n" + b"\n".join(pieces)).encoding
    readings = [decode(piece, codec) for piece in pieces]
    return [reading.text for reading in readings], sum(reading.damaged for reading in readings)


def _read(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    return Decoded(text, encoding, text.count("�"))


def _sense(reading: Decoded) -> float:
    """How much of what is not ASCII is something that a record would say."""
    foreign = [char for char in reading.text if not char.isascii()]
    if not foreign:
        return 0.0
    if reading.encoding == "cp1258":
        known = sum(len(run) for run in _VIETNAMESE.findall(reading.text))
    else:
        known = sum(char in _COMMON for char in foreign)
    return (known - reading.damaged) / len(foreign)
