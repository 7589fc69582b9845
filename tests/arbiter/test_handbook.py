"""The arbiters' page shows what the program says."""

from __future__ import annotations

from tests.arbiter.handbook import PAGE, rendered, without_version


def test_the_worked_disputes_are_the_programs_own_words():
    text = PAGE.read_text("utf-8")
    assert text.count("```console") >= 5
    assert without_version(rendered(text)) == without_version(text), (
        "run python -m tests.arbiter.handbook and read the difference as an arbiter would"
    )
