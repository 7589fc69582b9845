"""The command ``qiyuan``. Sub-commands load when they are called, so ``--help`` is instant."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module

import click

from qikit.errors import GameError
from qiyuan.exit_codes import ExitCode

COMMANDS = {
    "book": "象棋开局库：从棋谱做，查局面。Opening books of 象棋: build, show.",
    "convert": "转换棋谱格式 (PGN, XQF, DhtmlXQ ...)。Convert game records.",
    "endtable": "计算跳棋残局库（一次）。Build the end table of 跳棋 once.",
    "engine": "在标准输入输出上作引擎 (UCI, UCCI, UCI-cyclone). Be an engine on stdin and stdout.",
    "junqi": "军棋：泄密检查、测速、布阵文件。Leak audit, speed, set-up files of 军棋.",
    "judge": "裁定一局棋的循环与和负。Rule on a game: loops, limits, results.",
    "ladder": "象棋各级棋力的阶梯与图。Measure the ladder of levels; a picture.",
    "match": "棋手对弈，报告胜率与区间。Play a match: score, interval, SPRT, PGN.",
    "perft": "数着法并与标准数对照、测速。Count move paths, check them, measure speed.",
    "train": "训练评估网络。Train an evaluation network by self-play.",
    "serve": "大厅：在浏览器里下棋、裁判（不写命令即此）。The hall in a browser; the default.",
    "warm": "预先编译全部内核。Compile all kernels ahead.",
}
"""Command name -> one line of help. The click command is ``qiyuan.commands.<name>:command``."""


class LazyGroup(click.Group):
    """A click group whose commands are imported when they are used, and not to list them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"qiyuan.commands.{name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # caught before click makes an error of `qiyuan ... | head`
            _let_go_of_stdout()
            return ExitCode.OK

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="退出码 exit codes: "
    + ", ".join(f"{code.value} {code.name.lower()}" for code in ExitCode),
)
@click.version_option(package_name="qiyuan-games", prog_name="qiyuan")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """棋苑：中国传统棋类的引擎、裁判与练习。Engines and arbiter for Chinese board games."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(import_module("qiyuan.commands.serve").command)


def main(arguments: list[str] | None = None) -> None:
    """Entry point: runs ``qiyuan`` and ends the process with one of :class:`ExitCode`.

    A command ends with another code than 0 by ``click.get_current_context().exit(code)``.
    """
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        code = cli.main(args=arguments, prog_name="qiyuan", standalone_mode=False)
        if sys.stdout is not None:  # a shell may have closed it
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE if isinstance(error, click.UsageError) else ExitCode.BAD_INPUT
    except click.Abort:  # what click makes of Ctrl-C
        return ExitCode.INTERRUPTED
    except GameError as error:
        click.echo(f"错误：{error}", err=True)
        return ExitCode.BAD_INPUT
    except BrokenPipeError:
        _let_go_of_stdout()
        return ExitCode.OK
    except OSError as error:  # a full disk, a device that went away: not a fault of ours
        with suppress(OSError, ValueError):
            _let_go_of_stdout()
        where = f" {error.filename}" if error.filename else ""
        click.echo(
            f"错误：无法读写{where}（{error.strerror or error}）(cannot read or write)", err=True
        )
        return ExitCode.BAD_INPUT
    except Exception:
        traceback.print_exc()
        click.echo(
            "程序内部错误，请报告。A fault of the program itself; please report it.", err=True
        )
        return ExitCode.INTERNAL
    return code if isinstance(code, int) else ExitCode.OK


def _let_go_of_stdout() -> None:
    """The reader went away: let Python's last flush go nowhere instead of complaining."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
