"""The command ``qiyuan``. Sub-commands load when they are called, so ``--help`` is instant."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from qikit.errors import GameError
from qiyuan.exit_codes import ExitCode

COMMANDS = {
    "judge": "qiyuan.commands.judge",
    "perft": "qiyuan.commands.perft",
    "warm": "qiyuan.commands.warm",
}
"""Command name -> module with a click command called ``command``."""


class LazyGroup(click.Group):
    """A click group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[name]).command
        return command


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="退出码 exit codes: "
    + ", ".join(f"{code.value} {code.name.lower()}" for code in ExitCode),
)
@click.version_option(package_name="qiyuan-games", prog_name="qiyuan")
def cli() -> None:
    """棋苑：中国传统棋类的引擎、裁判与练习。Engines and arbiter for Chinese board games."""


def main(arguments: list[str] | None = None) -> None:
    """Entry point: runs ``qiyuan`` and ends the process with one of :class:`ExitCode`."""
    try:
        cli.main(args=arguments, prog_name="qiyuan", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(ExitCode.INTERRUPTED)
    except GameError as error:
        click.echo(f"错误：{error}", err=True)
        sys.exit(ExitCode.BAD_INPUT)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(ExitCode.OK)
