"""``qiyuan ladder``: measure the levels of 象棋 against each other and against other engines."""

from __future__ import annotations

from pathlib import Path

import click

from qiyuan.exit_codes import ExitCode


@click.command()
@click.argument("results", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--games",
    type=click.IntRange(min=0),
    default=60,
    show_default=True,
    help="每级局数 games a step; 0 = none.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=120_000,
    show_default=True,
    help="任何一级每步节点上限 no level looks at more positions a move.",
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME=PLAYER",
    help="别的引擎作参照 another engine, as in qiyuan match: NAME=ucci:COMMAND.",
)
@click.option("--zero", help="谁为零点，默认第一场的后者 whose strength is zero; default: level 1.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="画图到 a picture (svg, png)."
)
def command(
    results: Path,
    games: int,
    most: int,
    anchors: tuple[str, ...],
    zero: str | None,
    plot: Path | None,
) -> int:
    """测量各级棋力：相邻等级对局，结果存入 RESULTS，可中断续测。Measure the ladder of levels.

    参照引擎以每步 1000、10000、100000 节点对局。Anchors play at 1, 10 and 100 thousand nodes.
    """
    from ai.client import EngineError, EnginePlayer
    from ai.ladder import Ladder, draw, fixtures, ratings
    from ai.player import Player
    from qiyuan.commands.match import make_player

    try:
        ladder = Ladder(results)
    except (ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"{results}: 不是等级对局结果 (not results): {error}") from None
    programs: dict[str, str] = {}
    for anchor in anchors:
        name, equals, program = anchor.partition("=")
        if not equals:
            raise click.BadParameter(f"应为 NAME=PLAYER (expected): {anchor}")
        programs[name] = program
    engines: list[EnginePlayer] = []

    def player(name: str) -> Player:
        word = name.partition(" at ")[0]
        found: Player = make_player(programs.get(word, word.removeprefix("level ")), 1)
        if isinstance(found, EnginePlayer):
            engines.append(found)
        return found

    try:
        for first, second, wanted in fixtures(games, most, tuple(programs)) if games else ():
            for one in ladder.measure(first, second, wanted, player):
                click.echo(f"{first} : {second} {len(one.points)}/{wanted} {one.score}", err=True)
    except EngineError as error:
        raise click.ClickException(f"对局中断 (the match broke off): {error}") from None
    finally:
        for each in engines:
            each.engine.quit()
    for one in ladder.meetings:
        click.echo(f"{one.first} : {one.second}  {one.score}")
    if not ladder.meetings:
        return ExitCode.OK
    zero = zero or ladder.meetings[0].second
    if not any(zero in (one.first, one.second) for one in ladder.meetings):
        raise click.BadParameter(f"结果中没有 (not in the results): {zero}")
    found = ratings(ladder.meetings, zero)
    for name, (elo, margin) in sorted(found.items(), key=lambda one: one[1]):
        click.echo(f"{elo:6.0f} ± {margin:3.0f}  {name}")
    if plot is not None:
        try:
            draw(ladder.meetings, zero, plot)
        except ModuleNotFoundError as error:
            raise click.ClickException(str(error)) from None
    return ExitCode.OK
