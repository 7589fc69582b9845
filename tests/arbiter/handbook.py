"""The worked disputes of docs/arbiter.md: run again, written anew by ``python -m`` this module."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from arbiter.ruling import program_version
from qiyuan.cli import cli

PAGE = Path(__file__).parents[2] / "docs" / "arbiter.md"
_BLOCK = re.compile(r"```console\n\$ (?P<line>.+)\n(?P<shown>(?:.*\n)*?)```\n")
_STAMP = re.compile(r"程序 qiyuan-games \S+")


def rendered(text: str) -> str:
    """The page with every console block run again."""

    def run(block: re.Match[str]) -> str:
        program, *arguments = shlex.split(block["line"])
        assert program == "qiyuan", block["line"]
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, (block["line"], result.output, result.exception)
        return f"```console\n$ {block['line']}\n{result.output}```\n"

    return _BLOCK.sub(run, text)


def without_version(text: str) -> str:
    """The page as it is under every version of the program."""
    return _STAMP.sub("程序 qiyuan-games", text)


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text("utf-8")), "utf-8")
    print(f"{PAGE.name}: {program_version()}")
