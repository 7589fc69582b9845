"""``qiyuan junqi``: audit, speed, set-up files; and its words in other commands."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from junqi.setups import read_jql
from qiyuan.commands.junqi import command
from qiyuan.commands.perft import command as perft
from qiyuan.exit_codes import ExitCode

ARMY = "icgdiebefkhacgdfhkjigljhj"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_an_audit_reports_what_it_did() -> None:
    done = run("audit", "--positions", "2", "--worlds", "3", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.output)
    assert (report["positions"], report["worlds"], report["leaks"]) == (2, 6, 0)
    assert "泄密" in run("audit", "--positions", "1", "--worlds", "1").output


def test_timing_gives_a_value_for_every_position() -> None:
    done = run("timing", "--positions", "1", "--questions", "100")
    assert done.exit_code in (ExitCode.OK, ExitCode.MISMATCH)  # a hundred questions prove nothing
    assert len(done.output.splitlines()[0].split()) == 2


def test_bench_checks_its_counts() -> None:
    done = run("bench", "--worlds", "100", "--json")
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.output.splitlines()]
    assert rows[0]["count"] == 16_623_200
    assert all(row["rate"] > 0 for row in rows)


def test_set_up_files(tmp_path: Path) -> None:
    plain, target = tmp_path / "a.txt", tmp_path / "a.jql"
    plain.write_text(ARMY, "utf-8")
    done = run("setup", str(plain), "--jql", str(target))
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0].startswith("工兵 师长")
    assert read_jql(target.read_bytes()) == ARMY
    assert run("setup", str(target)).output.splitlines()[-1] == ARMY
    plain.write_text("k" + ARMY[1:], "utf-8")
    assert "S3B-JQ-6" in str(run("setup", str(plain)).exception)


def test_perft_needs_a_position() -> None:
    for arguments in (["junqi", "--depth", "2"], ["bench", "junqi"]):
        done = CliRunner().invoke(perft, arguments)
        assert done.exit_code == ExitCode.USAGE
        assert "请给局面" in done.output
    done = CliRunner().invoke(perft, ["suite", "junqi", "--max-nodes", "100000"])
    assert done.exit_code == 0, done.output
