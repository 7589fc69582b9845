"""The ladder of levels: results that are kept, one scale for all, the picture."""

from __future__ import annotations

import json
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from ai.ladder import Ladder, Meeting, draw, fixtures, ratings
from ai.match import elo
from qiyuan.commands import ladder as ladder_command

DOCS = Path(__file__).parents[2] / "docs" / "xiangqi-ladder.json"


def test_the_scale_gives_back_what_games_were_drawn_from() -> None:
    truth = {"a": 0.0, "b": 150.0, "c": 320.0, "d": 280.0}
    random, meetings = Random(1), []
    for first, second in (("b", "a"), ("c", "b"), ("d", "b"), ("d", "c"), ("c", "a")):
        chance = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
        points = tuple(float(random.random() < chance) for _ in range(4000))
        meetings.append(Meeting(first, second, points))
    found = ratings(meetings, "a")
    for name, value in truth.items():
        assert abs(found[name][0] - value) <= 2 * found[name][1] + 1e-9
        assert found[name][1] < 20


def test_two_players_get_the_elo_of_their_score() -> None:
    found = ratings([Meeting("b", "a", (1.0, 1.0, 0.0, 1.0) * 500)], "a")
    assert abs(found["b"][0] - elo(0.75)) < 0.1


def test_one_sided_results_stay_finite() -> None:
    found = ratings([Meeting("b", "a", (1.0,) * 20), Meeting("c", "b", (1.0,) * 20)], "a")
    assert 400 < found["b"][0] < found["c"][0] < 3000


def test_results_are_kept_and_a_stopped_measurement_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [one for one in fixtures(2, 60, ["plain"]) if "greedy" in one or "level 6" in one[0]]
    monkeypatch.setattr("ai.ladder.fixtures", lambda *_: wanted)
    path = tmp_path / "ladder.json"
    arguments = [str(path), "--games", "2", "--most", "60", "--anchor", "plain=greedy"]
    result = CliRunner().invoke(ladder_command.command, arguments, standalone_mode=False)
    assert result.exit_code == 0, result.output
    first = path.read_text("utf-8")
    meetings = Ladder(path).meetings
    assert [(one.first, one.second) for one in meetings] == [one[:2] for one in wanted]
    assert len(meetings) == 3
    assert {len(one.points) for one in meetings} == {2}
    lines = json.loads(first)["meetings"]
    lines[1]["points"] = ""
    path.write_text(json.dumps({"meetings": lines}), "utf-8")
    again = CliRunner().invoke(ladder_command.command, arguments, standalone_mode=False)
    assert again.exit_code == 0, again.output
    assert Ladder(path).meetings == meetings, "the same games again, and only the missing ones"


def test_a_zero_that_never_played_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    Ladder(path).add("level 2", "level 1", [1.0, 0.5])
    arguments = [str(path), "--games", "0", "--zero", "level 3"]
    result = CliRunner().invoke(ladder_command.command, arguments)
    assert result.exit_code != 0
    assert "结果中没有" in result.output


@pytest.mark.parametrize("text", ["{", "[]", '{"meetings": [{"first": "a"}]}'])
def test_a_file_that_is_no_ladder_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, "utf-8")
    result = CliRunner().invoke(ladder_command.command, [str(path), "--games", "0"])
    assert result.exit_code != 0
    assert "不是等级对局结果" in result.output


def test_the_picture_or_the_missing_library(tmp_path: Path) -> None:
    meetings = [Meeting("level 2", "level 1", (1.0, 0.0, 1.0, 1.0))]
    if find_spec("matplotlib") is None:
        with pytest.raises(ModuleNotFoundError, match="matplotlib"):
            draw(meetings, "level 1", tmp_path / "ladder.svg")
        pytest.skip("matplotlib 未安装 (not installed): only its absence was tested")
    draw(meetings, "level 1", tmp_path / "ladder.svg")
    text = (tmp_path / "ladder.svg").read_text("utf-8")
    assert "level 2" in text


def test_the_measured_ladder_climbs() -> None:
    """The results in the docs: each step's 95 % interval lies above one half."""
    known = {(one.first, one.second): one for one in Ladder(DOCS).meetings}
    steps = [f"level {number}" for number in range(1, 10)] + ["level 10 at 120000 nodes"]
    for lower, higher in pairwise(steps):
        score = known[higher, lower].score
        assert len(known[higher, lower].points) >= 12
        assert score.mean - score.margin > 0.5
    assert known[steps[-1], steps[0]].score.mean >= 0.95
    beginner = known[steps[0], "greedy"]
    assert 2 * beginner.score.losses >= len(beginner.points)
