"""``qiyuan book``: opening books of 象棋, made of game records and looked into."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ai.openings.book import PLIES
from qikit.errors import InvalidRecord
from qiyuan.recordfile import games_of, read_bytes, write_file

if TYPE_CHECKING:
    from ai.openings.book import BookMove
    from xiangqi.board import Board
    from xiangqi.game import Game


@click.group()
def command() -> None:
    """象棋开局库：从棋谱做，查一个局面。Opening books of 象棋: build one, look into one."""


@command.command()
@click.argument("records", nargs=-1, required=True, metavar="RECORDS...")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              metavar="FILE", help="开局库文件 the book.")  # fmt: skip
@click.option("--plies", type=click.IntRange(1, 200), default=PLIES, show_default=True,
              help="每局取前几着 moves taken of a game.")  # fmt: skip
@click.option("--min-games", type=click.IntRange(min=1), default=1, show_default=True,
              help="至少几局走过才收 leave out moves of fewer games.")  # fmt: skip
@click.option("--encoding", help="棋谱的文字编码，默认自动识别 encoding of the records.")
@click.option("--force", is_flag=True, help="覆盖已有的文件 replace FILE if it exists.")
def build(
    records: tuple[str, ...],
    out: Path,
    plies: int,
    min_games: int,
    encoding: str | None,
    force: bool,
) -> None:
    """从棋谱做开局库。Make a book of game records.

    RECORDS 是棋谱文件或文件夹，格式同 qiyuan convert。用不了的棋局跳过，逐局说明原因。
    Files or folders in any format of qiyuan convert; what cannot be used is skipped and named.
    """
    from tqdm import tqdm

    from ai.openings.book import Builder
    from qiyuan.archive import files_in

    if out.exists() and not force:  # before the work, not after it
        raise InvalidRecord(f"{out}：已经有这个文件，要覆盖请加 --force (it exists; --force)")
    builder = Builder(plies=plies, min_games=min_games)
    files = files_in(records, leave_out=[out])
    skipped = 0
    size = sum(path.stat().st_size for path in files.values())
    with tqdm(total=size, unit="B", unit_scale=True, desc="book", disable=None) as bar:
        for name, path in files.items():
            for where, game, share in _games(name, path, encoding):
                try:
                    if isinstance(game, InvalidRecord):
                        raise game
                    builder.add(game)
                except InvalidRecord as error:
                    skipped += 1
                    tqdm.write(f"跳过 skipped: {where}：{error}", file=sys.stderr)
                bar.update(share)
    if not builder.games:
        raise InvalidRecord("没有一局能用 (no game could be used)")
    write_file(out, builder.data(), force=force)
    click.echo(
        f"{out}：{builder.games} 局 games，跳过 {skipped} skipped，"
        f"{out.stat().st_size / 2**20:.1f} MB"
    )


def _games(
    name: str, path: Path, encoding: str | None
) -> Iterator[tuple[str, Game | InvalidRecord, float]]:
    """The games of a file, or why there are none; where each stands, and its share of the bytes."""
    try:
        data = read_bytes(path)
        games = games_of(data, name, encoding)
    except InvalidRecord as error:
        yield name, InvalidRecord(str(error).removeprefix(f"{name}：")), path.stat().st_size
        return
    for number, game in enumerate(games, 1):
        yield f"{name} 第 {number} 局", game, len(data) / len(games)


@command.command()
@click.argument("file", metavar="FILE")
@click.argument("fen", required=False)
@click.option("--moves", default="", help="再走这些着法 moves played from there, any notation.")
@click.option("--json", "as_json", is_flag=True, help="结果为 JSON.")
def show(file: str, fen: str | None, moves: str, as_json: bool) -> None:
    """查一个局面在库里的着法。What a book knows of a position, the usual start by default."""
    from ai.openings.book import Book
    from xiangqi.board import Board

    with Book(file) as book:
        board = Board(fen) if fen else Board()
        for text in moves.split():
            board.push(text)
        found = book.moves(board)
        if as_json:
            rows = [_row(board, one) for one in found]
            click.echo(json.dumps({"fen": board.fen(), "moves": rows}, ensure_ascii=False))
            return
        facts = book.facts
        click.echo(
            f"{file}：{facts['games']} 局 games，前 {facts['plies']} 着 plies，"
            f"{len(book)} 个局面 positions"
        )
        if not found:
            click.echo("库里没有这个局面 (the book does not know this position)")
            return
        click.echo("着法 move          局 games   胜 won   和 drawn   负 lost   得分 score")
        for one in found:
            score = "-" if one.score is None else f"{100 * one.score:.1f} %"
            click.echo(
                f"{board.chinese(one.move)}  {one.move} {one.games:>14} {one.wins:>8} "
                f"{one.draws:>9} {one.losses:>9} {score:>12}"
            )


def _row(board: Board, one: BookMove) -> dict[str, object]:
    return {
        "move": str(one.move), "zh": board.chinese(one.move), "games": one.games,
        "wins": one.wins, "draws": one.draws, "losses": one.losses,
        "score": one.score, "weight": one.weight,
    }  # fmt: skip
