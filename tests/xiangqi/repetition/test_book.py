"""Rule books as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from xiangqi.repetition import differences, rule_book, rule_books


@pytest.mark.parametrize("name", rule_books())
def test_every_value_and_article_has_a_source(name):
    book = rule_book(name)
    assert book.id == name
    assert book.zh
    assert book.en
    assert book.source
    for key, setting in book.values.items():
        assert setting.article, key
        assert setting.note, key
    for key, article in book.articles.items():
        assert article.id, key
        assert article.zh, key


def test_the_numbers_of_the_club_rules():
    book = rule_book("club2008")
    assert book.ruling_after_loops == 3  # the fourth occurrence, S0-XQ-23
    assert book.grace_loops == 1  # S0-XQ-41
    assert book.perpetual_check_after_loops == 4  # S0-XQ-37, reading (i)
    assert not book.perpetual_check_warned
    assert book.natural_limit_plies == 120
    assert book.natural_limit_on_claim


def test_the_world_rules_are_the_asian_rules_under_their_own_name():
    asian, world = rule_book("axf"), rule_book("wxf2018")
    assert {name: s.value for name, s in world.values.items()} == {
        name: s.value for name, s in asian.values.items()
    }
    assert {article.id.partition("-")[0] for article in world.articles.values()} == {
        "S3B",
        "WXF2018",
    }
    assert {article.id.partition("-")[0] for article in asian.articles.values()} == {"AXF", "S3B"}
    assert world.family == asian.family
    assert world.hash != asian.hash


def test_the_hash_changes_with_the_content_and_only_with_it():
    book = rule_book("club2008")
    assert len(book.hash) == 12
    assert book.hash == rule_book("club2008").hash
    changed = book.with_values(natural_limit_rounds=40)
    assert changed.hash != book.hash
    assert changed.with_values(natural_limit_rounds=60).hash == book.hash
    assert changed.natural_limit_plies == 80


@pytest.mark.parametrize(
    "change",
    [
        {"no_such_value": 1},
        {"natural_limit_rounds": "many"},
        {"grace_loops": -1},
        {"natural_limit_rounds": True},
    ],
)
def test_impossible_changes_are_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        rule_book("club2008").with_values(**change)


def test_a_limit_of_zero_rounds_is_no_limit():
    assert rule_book("axf").with_values(natural_limit_rounds=0).natural_limit_plies is None


def test_the_page_of_differences_is_made_from_the_data():
    """``python -m xiangqi.repetition.differences`` writes the table of docs/rulebooks.md."""
    page = (Path(__file__).parents[3] / "docs" / "rulebooks.md").read_text("utf-8")
    assert page.endswith(differences.table())
    assert set(differences.NAMES) == {
        name for book in map(rule_book, rule_books()) for name in book.values
    }
