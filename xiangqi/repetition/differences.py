"""The rule books side by side, from their data: ``python -m xiangqi.repetition.differences``."""

from __future__ import annotations

from xiangqi.repetition.book import rule_book, rule_books

NAMES = {
    "ruling_after_loops": "循环几次后裁定",
    "grace_loops": "宣布后再容许的循环",
    "perpetual_check_after_loops": "长将几次后判负",
    "perpetual_check_warned": "长将先宣布",
    "mixed_loops_count": "不同的循环合计",
    "natural_limit_rounds": "自然限着（回合）",
    "natural_limit_on_claim": "自然限着须提出",
    "draw_without_crossing_material": "双方无过河子力即和",
    "no_third_repetition": "第三次同一着（off、move、position）",
    "early_rounds": "开局几回合内的循环由红方变",
    "joint_is_idle": "联合捉按闲",
    "weight_classes": "双方禁止时分轻重",
    "mutual_pawn_attacks": "对方禁止时兵攻算捉",
    "key_square": "占据要点攻士象按闲",
    "pursuit_rounds": "不成循环的连续禁止着法（回合）",
    "novelty": "何为新的捉",
    "guards_gain": "士相攻强子总算捉",
    "pinned_chariot_rank": "被马牵制的车另列一级",
    "any_check_draws": "循环中有将即和",
    "chariot_screens_root": "车身后的炮可作根",
    "major_pieces_only": "只看车马炮",
    "whole_span_only": "只看整段",
}
"""Settings in the order of the table, with the heading of each row."""


def table() -> str:
    """A Markdown table: a row a setting, a column a book; every value with its article.

    >>> table().splitlines()[0].startswith("| 参数 | axf |")
    True
    """
    books = [rule_book(name) for name in rule_books()]
    rows = [
        "| 参数 | " + " | ".join(book.id for book in books) + " |",
        "|---" * (len(books) + 1) + "|",
    ]
    settings = sorted(
        {name for book in books for name in book.values},
        key=lambda name: (list(NAMES).index(name) if name in NAMES else len(NAMES), name),
    )
    for name in settings:
        cells = []
        for book in books:
            setting = book.values.get(name)
            cells.append(
                "–" if setting is None else f"{_shown(setting.value)}（{setting.article}）"
            )
        rows.append(f"| {NAMES.get(name, name)} `{name}` | " + " | ".join(cells) + " |")
    names = "\n".join(f"- `{book.id}`：{book.zh}；{book.source}" for book in books)
    return "\n".join(rows) + "\n\n" + names + "\n"


def _shown(value: object) -> str:
    return {True: "是", False: "否"}[value] if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    print(table(), end="")
