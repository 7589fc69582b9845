"""``qiyuan convert``: a game record into another format, notation or encoding."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qikit.errors import InvalidRecord
from qiyuan.exit_codes import ExitCode
from qiyuan.recordfile import read_games, write_file

if TYPE_CHECKING:
    from xiangqi.game import Game

FORMATS = ("pgn", "dhtmlxq", "xqf", "moves")
NOTATIONS = ("chinese", "traditional", "wxf", "wxf2018", "iccs", "uci", "san")


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="输出格式，默认按 OUT 的扩展名 format of OUT: .pgn .ubb .xqf .txt (moves).",
)
@click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    default="chinese",
    show_default=True,
    help="PGN 与着法文本的记谱法 notation of PGN and move text.",
)
@click.option(
    "--encoding",
    help="OUT 的文字编码，默认 utf-8，XQF 为 gb18030 text encoding of OUT.",
)
@click.option(
    "--from-encoding", help="IN 的文字编码，默认自动识别 text encoding of IN, found out by default."
)
@click.option(
    "--game",
    "number",
    type=click.IntRange(min=1),
    help="只转换第几局 convert this game only, from 1.",
)
@click.option("--force", is_flag=True, help="覆盖已有的 OUT replace OUT if it exists.")
def command(
    source: str,
    target: str,
    form: str | None,
    notation: str,
    encoding: str | None,
    from_encoding: str | None,
    number: int | None,
    force: bool,
) -> None:
    """转换棋谱格式。Convert a game record.

    IN 可为 PGN、XQF、CBR、CBL、CBF、DhtmlXQ 或着法文本（可以 gzip 压缩），按内容识别；
    “-” 为标准输入。OUT 为 “-” 时写到标准输出。
    IN is known by its content and may be packed with gzip; "-" is standard input or output.

    OUT 若是已有的文件夹，每局写成一个文件。
    If OUT is a folder, every game becomes a file in it.

    IN 有损坏或不合法着法时，转换可读的部分，逐处报告，并以退出码 3 结束。
    What is damaged or illegal in IN is reported, the rest is converted; the exit code is then 3.
    """
    form = _form(target, form)
    games = list(enumerate(read_games(source, from_encoding), 1))
    if number is not None:
        if number > len(games):
            raise InvalidRecord(
                f"{source}：只有 {len(games)} 局，没有第 {number} 局 (no such game in it)"
            )
        games = [games[number - 1]]
    for count, game in games:
        for defect in game.defects:
            click.echo(f"{source} 第 {count} 局：{defect}", err=True)
    if target != "-" and Path(target).is_dir():
        for (count, game), name in zip(games, _names(source, games), strict=True):
            path = Path(target) / f"{name}{_extension(form)}"
            _convert([game], f"第 {count} 局：", path, form, notation, encoding, force)
    elif form == "xqf" and len(games) > 1:
        raise InvalidRecord(
            f"{source} 有 {len(games)} 局，一个 XQF 文件存一局：用 --game 选一局，或让 OUT 为文件夹"
            " (choose one by --game, or name a folder as OUT)"
        )
    else:
        out = None if target == "-" else Path(target)
        _convert([game for _, game in games], "", out, form, notation, encoding, force)
    if any(game.defects for _, game in games):
        sys.exit(ExitCode.BAD_INPUT)


def _form(target: str, form: str | None) -> str:
    from xiangqi.records import EXTENSIONS

    if form is None:
        form = EXTENSIONS.get(Path(target).suffix.lower())
    if form is None:
        endings = " ".join(EXTENSIONS)
        raise click.UsageError(
            f"从 {target} 看不出格式：请用 --format，或扩展名 {endings}"
            " (no format to be seen: give --format or one of these endings)"
        )
    return form


def _extension(form: str) -> str:
    from xiangqi.records import EXTENSIONS

    return next(ending for ending, name in EXTENSIONS.items() if name == form)


def _names(source: str, games: list[tuple[int, Game]]) -> list[str]:
    """Names of the files of single games: that of the source, and a number if there are more."""
    stem = "game" if source == "-" else Path(source).name.split(".")[0] or "game"
    width = len(str(games[-1][0]))
    return [stem if len(games) == 1 else f"{stem}-{count:0{width}}" for count, _ in games]


def _convert(
    games: list[Game],
    which: str,
    path: Path | None,
    form: str,
    notation: str,
    encoding: str | None,
    force: bool,
) -> None:
    from xiangqi.records import to_bytes

    data, losses = to_bytes(games, form, notation=notation, encoding=encoding)
    if path is None:
        sys.stdout.buffer.write(data)
    else:
        write_file(path, data, force=force)
    for loss in losses:
        click.echo(f"{which}{form} 存不下 (not kept): {loss}", err=True)
