"""The command line as a shell sees it: start time, help, exit codes."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import click
import pytest

from qikit import InvalidRecord
from qiyuan import cli
from qiyuan.exit_codes import ExitCode


def qiyuan(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qiyuan", *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env=os.environ | {"PYTHONUTF8": "1"},
        **options,  # type: ignore[call-overload]
    )


def test_help_is_quick_and_imports_no_room() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = qiyuan("--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == ExitCode.OK
    assert all(name in done.stdout for name in cli.COMMANDS)
    assert spent < 1.5, f"{spent:.2f} s CPU for the help"
    code = (
        "import sys\nfrom qiyuan.cli import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'onnxruntime',"
        " 'xiangqi', 'ai', 'perft', 'arbiter') or m.startswith('qiyuan.commands.')])\n"
    )
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert listed.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    module = import_module(f"qiyuan.commands.{name}")
    context = cli.cli.make_context("qiyuan", [name], resilient_parsing=True)
    text = module.command.get_help(click.Context(module.command, context, info_name=name))
    assert text.startswith("Usage: qiyuan")
    assert any("\u4e00" <= letter <= "\u9fff" for letter in text), "Chinese first"
    assert module.command.help


def test_help_of_a_command_by_its_short_option() -> None:
    done = qiyuan("warm", "-h")
    assert (done.returncode, done.stdout.startswith("Usage: qiyuan warm")) == (ExitCode.OK, True)


def test_help_tells_the_exit_codes() -> None:
    text = " ".join(qiyuan("--help").stdout.split())
    assert all(f"{code.value} {code.name.lower()}" in text for code in ExitCode)


def test_version() -> None:
    done = qiyuan("--version")
    assert done.returncode == ExitCode.OK
    assert done.stdout.startswith("qiyuan, version ")


@pytest.mark.parametrize("wrong", [["no-such-command"], ["--no-such-option"], ["warm", "--fast"]])
def test_usage_errors_are_sentences(wrong: list[str]) -> None:
    done = qiyuan(*wrong)
    assert done.returncode == ExitCode.USAGE
    assert "Traceback" not in done.stderr
    assert wrong[-1] in done.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidRecord("第3行读不懂", text="x"), ExitCode.BAD_INPUT),
        (click.UsageError("少了 GAME"), ExitCode.USAGE),
        (click.ClickException("读不了"), ExitCode.BAD_INPUT),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
        (click.exceptions.Exit(ExitCode.MISMATCH), ExitCode.MISMATCH),
        (RuntimeError("broken"), ExitCode.INTERNAL),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else value.name,
)
def test_what_a_command_raises_becomes_an_exit_code(
    error: BaseException,
    code: ExitCode,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr(cli.cli, "get_command", lambda context, name: failing)
    with pytest.raises(SystemExit) as ended:
        cli.main(["failing"])
    assert ended.value.code == code
    said = capsys.readouterr().err
    assert ("Traceback" in said) == (code == ExitCode.INTERNAL)
    if str(error) and code != ExitCode.MISMATCH:
        assert str(error) in said


def test_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import click\nfrom qiyuan import cli\n"
            "@click.command()\ndef talk():\n"
            "    for n in range(100000): click.echo('棋' * 40)\n"
            "cli.cli.get_command = lambda context, name: talk\n"
            "cli.main(['talk'])\n",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == ExitCode.OK
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_quietly_with_its_code() -> None:
    code = (
        "import click, time\nfrom qiyuan import cli\n"
        "@click.command()\ndef wait():\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "cli.cli.get_command = lambda context, name: wait\n"
        "cli.main(['wait'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == ExitCode.INTERRUPTED
        assert b"Traceback" not in process.stderr.read()


def test_exit_codes_are_distinct() -> None:
    assert len({code.value for code in ExitCode}) == len(ExitCode)
    assert ExitCode.INTERRUPTED == 128 + signal.SIGINT


def test_the_readme_lists_every_exit_code() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (\w+) \|", readme, re.MULTILINE)
    assert [(int(value), name) for value, name in rows] == [
        (code.value, code.name.lower()) for code in ExitCode
    ]


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full on this system")
def test_a_full_disk_is_no_fault_of_the_program() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "qiyuan", "perft", "xiangqi", "--depth", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    assert done.returncode == ExitCode.BAD_INPUT
    assert "无法读写" in done.stderr
    assert "Traceback" not in done.stderr
