"""Suites: reading them, running them, and what a wrong count looks like."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perft
import qikit
from perft import suite
from qikit import Capability, InvalidPosition, InvalidRecord
from xiangqi import Board

DATA = Path(__file__).parents[1] / "data"


def with_suite() -> list[str]:
    return sorted(path.stem for path in Path(perft.__file__).parent.glob("*.perft"))


@pytest.mark.parametrize("game", with_suite())
def test_suite_agrees_up_to_five_million_nodes(game: str) -> None:
    report = perft.run(game, max_nodes=5_000_000)
    assert report.mismatch is None, report.mismatch.text()
    assert report.counts > 0


@pytest.mark.full
@pytest.mark.parametrize("game", with_suite())
def test_suite_agrees_to_its_full_depth(game: str) -> None:
    report = perft.run(game, threads=2)
    assert report.mismatch is None, report.mismatch.text()
    assert report.skipped == 0


@pytest.mark.parametrize("game", with_suite())
def test_suite_belongs_to_a_game_that_counts(game: str) -> None:
    assert Capability.PERFT in qikit.game(game).capabilities


def test_packaged_xiangqi_suite_is_the_handed_one() -> None:
    rows = [
        json.loads(line) for line in (DATA / "xiangqi_perft.jsonl").read_text("utf-8").splitlines()
    ]
    assert [(case.id, case.position, case.counts) for case in suite.load("xiangqi")] == [
        (row["id"], row["fen"], dict(enumerate(row["perft"], start=1))) for row in rows
    ]
    assert suite.load_file(DATA / "xiangqi_perft.jsonl") == suite.load("xiangqi")


def test_first_mismatch_comes_with_the_split() -> None:
    cases = [
        perft.Case("right", Board().fen(), {1: 44, 2: 1920}),
        perft.Case("wrong", Board().fen(), {3: 79666, 1: 44, 2: 1921}),
        perft.Case("never reached", Board().fen(), {1: 45}),
    ]
    report = perft.run("xiangqi", cases=cases)
    mismatch = report.mismatch
    assert mismatch is not None
    assert (mismatch.case.id, mismatch.depth) == ("wrong", 2)
    assert (mismatch.expected, mismatch.counted) == (1921, 1920)
    assert mismatch.split == {str(m): n for m, n in Board().divide(2).items()}
    assert report.counts == 3
    text = mismatch.text()
    assert "1921" in text
    assert "h2h9: 41" in text
    assert mismatch.diagram in text


def test_cap_leaves_out_what_is_larger() -> None:
    cases = [perft.Case("start", Board().fen(), {1: 44, 2: 1920, 3: 79666})]
    report = perft.run("xiangqi", max_nodes=1920, cases=cases)
    assert (report.counts, report.skipped, report.nodes) == (2, 1, 1964)
    assert suite.planned_nodes(cases, 1920) == 1964
    assert suite.planned_nodes(cases, None) == 1964 + 79666
    told: list[int] = []
    perft.run("xiangqi", cases=cases, progress=told.append)
    assert told == [44, 1920, 79666]


def test_refused_position_names_its_case() -> None:
    with pytest.raises(InvalidPosition, match=r"^xp99: "):
        perft.run("xiangqi", cases=[perft.Case("xp99", "9/9 w", {1: 1})])


def test_forms_of_a_suite() -> None:
    text = """
    # comment
    epd 3k5/9/9/9/9/9/9/9/9/4K4 w
    perft 1 3

    id two
    fen 3k5/9/9/9/9/9/9/9/9/4K4 b
    perft 1 3
    perft 2 6
    pos x
    """
    cases = suite.read(text)
    assert [(case.id, case.position.split()[-1], case.counts) for case in cases] == [
        ("#1", "w", {1: 3}),
        ("two", "b", {1: 3, 2: 6}),
        ("#3", "x", {}),
    ]
    rows = '{"kind": "legend"}\n{"id": "a", "pos": "x", "perft": [3, 6]}\n'
    assert suite.read(rows) == [perft.Case("a", "x", {1: 3, 2: 6})]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id a\nepd x\nperft one 3", "第 3 行"),
        ("id a\nepd x\nperft 3", "第 3 行"),
        ("start x", "第 1 行"),
        ("id a\nperft 1 3", "a 没有局面"),
        ('{"id": "a", "perft": [1]}', "pos"),
        ('{"id": "a"', "第 1 行"),
        ('{"fen": "x", "perft": ["y"]}', "第 1 行"),
    ],
)
def test_unreadable_suites_say_where(text: str, said: str) -> None:
    with pytest.raises(InvalidRecord, match=said):
        suite.read(text)


@given(st.text() | st.text(st.sampled_from('idepdperft 0123#{}[]":,\n')))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(InvalidRecord):
        suite.read(text)


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecord):
        suite.load_file(tmp_path / "none.perft")
    (tmp_path / "binary.perft").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidRecord):
        suite.load_file(tmp_path / "binary.perft")
    with pytest.raises(FileNotFoundError):
        suite.load("no such game")
