"""Rule books as data: one file each under ``books/``, each value with the article it is from."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

BOOKS = "xiangqi.repetition.books"


@dataclass(frozen=True)
class Setting:
    """One value of a rule book.

    Attributes:
        value: a number, a switch or a word.
        article: id of the article from which it is taken.
        note: how the article was read, in Chinese.
    """

    value: int | bool | str
    article: str
    note: str = ""


@dataclass(frozen=True)
class Article:
    """A rule that a ruling can cite.

    Attributes:
        id: for example ``"S0-XQ-37"``.
        zh: what it says, in one Chinese clause.
    """

    id: str
    zh: str

    def __str__(self) -> str:
        return f"{self.id} {self.zh}"


@dataclass(frozen=True)
class RuleBook:
    """How one competition rules on repetition.

    Attributes:
        id: name of the book, ``"club2008"``.
        zh: its Chinese name.
        en: its English name.
        family: whose natures and decision apply: ``"chinese"`` or ``"asian"``.
        source: where the text was read.
        values: all settings by name.
        articles: what a decision can cite, by the decision's own key.

    >>> rule_book("club2008").ruling_after_loops, rule_book("axf").ruling_after_loops
    (3, 2)
    >>> rule_book("club2008").article("unilateral_check").id
    'S0-XQ-37'
    """

    id: str
    zh: str
    en: str
    family: str
    source: str
    values: Mapping[str, Setting]
    articles: Mapping[str, Article]

    def value(self, name: str) -> Any:
        """The value of a setting; False where the book has no such setting."""
        setting = self.values.get(name)
        return False if setting is None else setting.value

    def article(self, key: str) -> Article:
        """The article that a decision cites under ``key``."""
        return self.articles[key]

    @property
    def ruling_after_loops(self) -> int:
        """Completed loops after which the arbiter rules: 3 means the fourth occurrence."""
        return int(self.value("ruling_after_loops"))

    @property
    def grace_loops(self) -> int:
        """Loops that an announced side may still complete before it has lost, 0 = none."""
        return int(self.value("grace_loops"))

    @property
    def perpetual_check_after_loops(self) -> int:
        """Completed loops of unilateral perpetual check after which the checker has lost."""
        return int(self.value("perpetual_check_after_loops"))

    @property
    def perpetual_check_warned(self) -> bool:
        """Whether unilateral perpetual check is announced like other forbidden loops."""
        return bool(self.value("perpetual_check_warned"))

    @property
    def mixed_loops_count(self) -> bool:
        """Whether occurrences count towards a ruling when different loops led to them."""
        return bool(self.value("mixed_loops_count"))

    @property
    def natural_limit_plies(self) -> int | None:
        """Plies without a capture after which the game is drawn, None = no limit."""
        return 2 * int(self.value("natural_limit_rounds")) or None

    @property
    def natural_limit_on_claim(self) -> bool:
        """Whether the natural limit needs a claim by a player."""
        return bool(self.value("natural_limit_on_claim"))

    @property
    def hash(self) -> str:
        """First 12 hex digits of SHA-256 over the whole content: stamps every ruling."""
        return _digest(self)

    def with_values(self, **values: int | bool | str) -> RuleBook:
        """The same book with other values, as an organiser may set them; the hash changes too.

        Raises:
            ValueError: the book has no such setting, or the type of a value differs.

        >>> rule_book("club2008").with_values(natural_limit_rounds=40).natural_limit_plies
        80
        """
        settings = dict(self.values)
        for name, value in values.items():
            old = settings.get(name)
            if old is None or type(old.value) is not type(value):
                raise ValueError(
                    f"棋例 {self.id} 没有这样的参数 (no such setting): {name}={value!r}；"
                    f"现有 (known): {', '.join(sorted(settings))}"
                )
            if isinstance(value, int) and value < 0:
                raise ValueError(f"参数不能为负 (must not be negative): {name}={value}")
            settings[name] = replace(old, value=value)
        return replace(self, values=MappingProxyType(settings))


def _digest(book: RuleBook) -> str:
    content = {
        "id": book.id,
        "family": book.family,
        "values": {k: [s.value, s.article] for k, s in sorted(book.values.items())},
        "articles": {k: [a.id, a.zh] for k, a in sorted(book.articles.items())},
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def rule_books() -> tuple[str, ...]:
    """Ids of all rule books, sorted.

    >>> rule_books()[:5]
    ('axf', 'club2008', 'cxa1999', 'cxa2011', 'cxa2020')
    """
    names = (entry.name for entry in files(BOOKS).iterdir())
    return tuple(sorted(name[:-5] for name in names if name.endswith(".toml")))


@cache
def _read(name: str) -> dict[str, Any]:
    """The data of a book, laid over that of the book it is based on."""
    text = (files(BOOKS) / f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    base = data.pop("based_on", None)
    if base is None:
        return data
    below = _read(base)
    own = data.pop("cites", None)
    if own is not None:  # the same articles under the book's own name
        below = json.loads(json.dumps(below).replace(f'"{base.upper()}-', f'"{own}-'))
    merged = {**below, **data}
    for table in ("values", "articles"):
        merged[table] = {**below.get(table, {}), **data.get(table, {})}
    return merged


@cache
def _book(name: str) -> RuleBook:
    data = _read(name)
    return RuleBook(
        data["id"],
        data["zh"],
        data["en"],
        data["family"],
        data["source"],
        MappingProxyType({key: Setting(**table) for key, table in data["values"].items()}),
        MappingProxyType({key: Article(**table) for key, table in data["articles"].items()}),
    )


def rule_book(rules: str | RuleBook) -> RuleBook:
    """The rule book of that name; a book passes through.

    Raises:
        ValueError: no such book; the message lists those that there are.
    """
    if isinstance(rules, RuleBook):
        return rules
    if rules not in rule_books():
        raise ValueError(
            f"没有名为 {rules!r} 的棋例 (no such rule book); "
            f"现有 (known): {', '.join(rule_books())}"
        )
    return _book(rules)
