"""``qiyuan judge``: rule on a game, with the evidence."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from typing import TYPE_CHECKING

import click

from qikit.errors import GameError
from qiyuan.exit_codes import ExitCode
from qiyuan.recordfile import games_of, read_games

if TYPE_CHECKING:
    from xiangqi.game import Game
    from xiangqi.repetition import RuleBook

BUNDLED = "disputed.pgn"


@click.command()
@click.argument("game", required=False)
@click.option("--rules", default="club2008", show_default=True, help="棋例 the rule book.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="改动棋例的一个参数 change one setting, e.g. natural_limit_rounds=40.",
)
@click.option("--fen", help="不用棋谱，从这个局面开始 start from a position instead of a record.")
@click.option("--moves", help="着法，任何记谱法，空格分开 moves in any notation.")
@click.option("--encoding", help="棋谱的文字编码，默认自动识别 encoding of the record.")
@click.option("--json", "as_json", is_flag=True, help="每局一行 JSON one JSON line a game.")
def command(
    game: str | None,
    rules: str,
    settings: tuple[str, ...],
    fen: str | None,
    moves: str | None,
    encoding: str | None,
    as_json: bool,
) -> None:
    """裁定一局棋的重复局面，并逐着说明理由。Rule on a game and show why.

    GAME 是棋谱文件（PGN、XQF、CBR、CBL、CBF、DhtmlXQ 或着法文本），“-” 为标准输入；
    不给则裁定程序自带的一局争议棋。
    GAME is a record, "-" is standard input; without it, the bundled disputed game is ruled on.

    棋谱中有不合法着法时，裁定其合法部分，并以退出码 3 结束。
    A record with illegal moves is ruled on as far as it is legal; the exit code is then 3.
    """
    from arbiter import judge
    from arbiter.report import report

    book = _book(rules, settings)
    if fen is not None or moves is not None:
        if game is not None:
            raise click.UsageError("GAME 与 --fen、--moves 只能用一种 (a record or --fen/--moves)")
        games = [_typed(fen, moves)]
    else:
        games = _bundled() if game is None else read_games(game, encoding)
    damaged = False
    for number, one in enumerate(games, 1):
        ruling = judge(one, book)
        damaged |= bool(one.defects)
        if as_json:
            found = {"game": number, "headers": one.headers, **ruling.to_dict()}
            found["defects"] = [
                {"ply": d.ply, "text": d.text, "reason": d.reason} for d in one.defects
            ]
            click.echo(json.dumps(found, ensure_ascii=False))
            continue
        if len(games) > 1:
            click.echo(f"{'' if number == 1 else chr(10)}═══ 第 {number} 局，共 {len(games)} 局")
        click.echo(report(ruling, one.headers))
        _warn(one)
    if damaged:
        sys.exit(ExitCode.BAD_INPUT)


def _warn(game: Game) -> None:
    """Say loudly what of a record could not be ruled on."""
    if not game.defects:
        return
    click.echo("", err=True)
    click.echo(
        f"注意：棋谱有 {len(game.defects)} 处不能照走，以上裁定只依据合法的 "
        f"{len(game.moves())} 着 (the ruling covers the legal part only):",
        err=True,
    )
    for defect in game.defects:
        click.echo(f"  {defect}", err=True)


def _book(rules: str, settings: tuple[str, ...]) -> RuleBook:
    """The rule book with the changes of the command line."""
    from xiangqi.repetition import rule_book

    try:
        book = rule_book(rules)
        for setting in settings:
            name, equals, text = setting.partition("=")
            if not equals:
                raise ValueError(f"要写成 NAME=VALUE (write NAME=VALUE): {setting!r}")
            book = book.with_values(**{name: _value(text)})
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return book


def _value(text: str) -> int | bool | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else text


def _bundled() -> list[Game]:
    return games_of((files("qiyuan.data") / BUNDLED).read_bytes(), BUNDLED)


def _typed(fen: str | None, moves: str | None) -> Game:
    """The game of --fen and --moves: legal as far as it goes."""
    from xiangqi.board import Board
    from xiangqi.game import Game, Skipped

    game = Game(Board() if fen is None else Board(fen))
    board, node = game.board(), game.root
    for ply, text in enumerate((moves or "").split(), 1):
        try:
            node = node.add_unchecked(board.push(text))
        except GameError as error:
            game.defects.append(Skipped(ply, text, str(error)))
            break
    return game
