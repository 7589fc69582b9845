"""What the writers of record files share: bytes of texts, and what a format has no place for."""

from __future__ import annotations

from typing import NamedTuple

from qikit.errors import InvalidRecord


class Written(NamedTuple):
    """A file, and in words what of the games it has no place for."""

    data: bytes
    losses: list[str]


def encode(text: str, encoding: str) -> bytes:
    """Bytes of a text.

    Raises:
        InvalidRecord: no such encoding, or a character that it does not have.

    >>> encode("车", "latin-1")
    Traceback (most recent call last):
    ...
    qikit.errors.InvalidRecord: 编码 latin-1 没有字符 '车' (not in this encoding)
    """
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise InvalidRecord(
            f"编码 {encoding} 没有字符 {text[error.start]!r} (not in this encoding)", text=text
        ) from None
    except (LookupError, UnicodeError) as error:
        raise InvalidRecord(
            f"没有这种文字编码 (no such text encoding): {encoding!r}", text=text
        ) from error
