"""Set-up files (布阵): QQ's ``.jql``, 25 letters, and six rows of piece names.

>>> army = "icgdiebefkhacgdfhkjigljhj"
>>> read_army(write_jql(army)) == read_army(write_text(army)) == army
True
>>> print(write_text(army).splitlines()[1])
团长 行营 军长 行营 团长
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from reprlib import repr as short

from junqi.armies import check_army
from junqi.geometry import CAMPS, SETUP_ORDER
from junqi.pieces import ARMY, BOMB, COMMANDER, FLAG, LETTERS, MINE, NAMES_ZH
from qikit.errors import InvalidRecord

_JQL_HEAD = b"QQGame JQL File\0\x57\x04\0\0"
_JQL_CODES = {FLAG: 2, MINE: 3, BOMB: 4} | {kind: kind - COMMANDER + 5 for kind in range(9)}
_JQL_KINDS = {code: kind for kind, code in _JQL_CODES.items()}
_CAMP = "行营"
_NAMES = {name: LETTERS[kind] for kind, name in enumerate(NAMES_ZH)} | {
    "旗": LETTERS[FLAG],
    "雷": LETTERS[MINE],
    "炸": LETTERS[BOMB],
    "司": "a",
    "军": "b",
    "师": "c",
    "旅": "d",
    "团": "e",
    "营": "f",
    "连": "g",
    "排": "h",
    "兵": "i",
}
_SIMPLE = str.maketrans("軍長師團營連彈", "军长师团营连弹")
"""The characters of the names that are written otherwise in Taiwan and Hong Kong."""
_CODECS = ("utf-8-sig", "gb18030", "big5hkscs", "utf-16-le", "utf-16-be")
"""Of files without a mark; earlier ones are preferred where two read equally well."""


def write_jql(army: str) -> bytes:
    """The 50 bytes of a QQ set-up file.

    Raises:
        InvalidPosition: the army breaks the set-up rules.
    """
    kinds = dict(zip(SETUP_ORDER, check_army(army), strict=True))
    return _JQL_HEAD + bytes(_JQL_CODES[kinds[k]] if k in kinds else 0 for k in range(30))


def read_jql(data: bytes) -> str:
    """The army of a QQ set-up file.

    Raises:
        InvalidRecord: not such a file, or a code that is no piece.
        InvalidPosition: the army breaks the set-up rules.
    """
    if not data.startswith(_JQL_HEAD[:15]) or len(data) < 50:
        raise InvalidRecord(
            f"不是 QQ 布阵文件 (not a .jql file: {len(data)} bytes, {data[:16]!r})", text="jql"
        )
    army = ""
    for offset, code in enumerate(data[20:50]):
        if offset in CAMPS:
            if code:
                raise InvalidRecord(
                    f"布阵文件第 {20 + offset} 字节：行营必须空着 (byte {20 + offset}: a camp must "
                    f"be empty, not {code})",
                    text=str(code),
                )
        elif code not in _JQL_KINDS:
            raise InvalidRecord(
                f"布阵文件第 {20 + offset} 字节不是棋子 (byte {20 + offset} is no piece): {code}",
                text=str(code),
            )
        else:
            army += LETTERS[_JQL_KINDS[code]]
    check_army(army)
    return army


def write_text(army: str) -> str:
    """Six rows of names, front to back, the owner's left to right.

    Raises:
        InvalidPosition: the army breaks the set-up rules.
    """
    kinds = dict(zip(SETUP_ORDER, check_army(army), strict=True))
    names = [NAMES_ZH[kinds[k]] if k in kinds else _CAMP for k in range(30)]
    return "".join(" ".join(names[k : k + 5]) + "\n" for k in range(0, 30, 5))


def _decoded(data: bytes) -> str:
    """The text of a set-up file. No tag tells the encoding, but the words to expect are few.

    Raises:
        InvalidRecord: it is no UTF-8, and no other encoding makes a set-up of it.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    readings = [data.decode(codec, "replace") for codec in _CODECS]
    best = max(readings, key=_sense)
    if _sense(best) > 0.5:
        return best
    if "\0" in readings[0] or "\ufffd" in readings[0]:
        raise InvalidRecord(
            "认不出布阵文件的文字编码：按 UTF-8、UTF-16、GB 18030、Big5 读都不是棋子名 "
            f"(text encoding of the set-up file not recognized): {short(data)}",
            text=short(data),
        )
    return readings[0]


def _words(text: str) -> list[str]:
    """The words of a set-up, traditional characters made simplified; ``#`` begins a comment."""
    lines = (line.partition("#")[0] for line in text.translate(_SIMPLE).splitlines())
    return " ".join(lines).split()


def _sense(text: str) -> float:
    """How much of a text is names and letters of pieces."""
    words = _words(text)
    known = [w for w in words if w in _NAMES or w == _CAMP or {*w.lower()} <= {*LETTERS}]
    return sum(map(len, known)) / max(sum(map(len, words)), 1)


def read_army(source: bytes | str | Path) -> str:
    """The army of a set-up in any of the forms; ``Path`` reads the file, ``#`` begins a comment.

    Names may be simplified or traditional; bytes UTF-8, UTF-16, GB 18030 or Big5, marked or not.

    Raises:
        InvalidRecord: in none of the forms, or in none of the encodings.
        InvalidPosition: the army breaks the set-up rules.

    >>> read_army("icgdiebefkhacgdfhkjigljhj")
    'icgdiebefkhacgdfhkjigljhj'
    """
    if isinstance(source, Path):
        source = source.read_bytes()
    if isinstance(source, bytes):
        if source.startswith(_JQL_HEAD[:6]):
            return read_jql(source)
        text = _decoded(source)
    else:
        text = source
    words = _words(text)
    if len(words) == 1:
        army = words[0].lower()
    else:
        if len(words) == 30:
            for offset in CAMPS:
                # 营 alone is 营长 elsewhere, but here it can only be 行营
                word = words[offset]
                if word != "营" and (word in _NAMES or word.lower() in LETTERS):
                    row, column = divmod(offset, 5)
                    raise InvalidRecord(
                        f"第 {row + 1} 行第 {column + 1} 列：行营必须空着，不能放 {word} "
                        f"(row {row + 1} column {column + 1}: a camp must be empty)",
                        text=text[:200],
                    )
            words = [words[offset] for offset in SETUP_ORDER]
        unknown = [w for w in words if w not in _NAMES and w.lower() not in LETTERS]
        if unknown or len(words) != ARMY:
            what = f"读不懂 {unknown[0]!r}" if unknown else f"有 {len(words)} 项"
            raise InvalidRecord(
                f"布阵应为 25 个字母，或六排各五个棋子名、行营也写上：{what} "
                "(a set-up is 25 letters or six rows of five names, camps included)",
                text=text[:200],
            )
        army = "".join(_NAMES.get(word, word.lower()) for word in words)
    check_army(army)
    return army
