"""``qiyuan match``: games between levels of the house and external engines."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click

from ai.openings import PLIES
from qiyuan.exit_codes import ExitCode
from xiangqi.repetition.book import rule_books


@click.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="局数，两局一组换先 games, in pairs.",
)
@click.option("--time", "seconds", type=click.FloatRange(0, 86400), help="每步秒数 seconds a move.")
@click.option(
    "--clock",
    metavar="SECONDS+INCREMENT",
    help="每方全局用时加每步加秒，超时判负 a clock for the whole game, as 60+0.5.",
)
@click.option("--nodes", type=click.IntRange(1, 1 << 62), help="每步节点 nodes a move.")
@click.option(
    "--nodes2",
    type=click.IntRange(1, 1 << 62),
    help="第二方每步节点，默认相同 nodes of the second player.",
)
@click.option(
    "--openings",
    "opening_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="开局文件：每行一个，或棋谱 a file of openings: coordinate moves, one a line, or records.",
)
@click.option(
    "--opening-plies",
    type=click.IntRange(1, 100),
    default=PLIES,
    show_default=True,
    help="棋谱每局取前几着 moves taken of each record.",
)
@click.option(
    "--rules",
    type=click.Choice(rule_books()),
    default="club2008",
    show_default=True,
    help="棋例 rule book, of the arbiter and of the players of the house.",
)
@click.option(
    "--pgn", type=click.Path(dir_okay=False, path_type=Path), help="棋谱写到 games as PGN."
)
@click.option("--sprt", "bounds", nargs=2, type=float, help="序贯检验 stop by SPRT: ELO0 ELO1.")
@click.option("--json", "as_json", is_flag=True, help="结果为 JSON.")
def command(
    first: str,
    second: str,
    games: int,
    seconds: float | None,
    clock: str | None,
    nodes: int | None,
    nodes2: int | None,
    opening_file: Path | None,
    opening_plies: int,
    rules: str,
    pgn: Path | None,
    bounds: tuple[float, float] | None,
    as_json: bool,
) -> int:
    """两名棋手对弈，报告胜率与 95% 区间。Play a match and report the score with its interval.

    \b
    棋手 a player is one of
      最强 / 10 / 初学 ...          a level of the house, by name or number
      search, greedy, random       players of the house
      uci:COMMAND                  an engine, e.g. "uci:fairy-stockfish"
      ucci:COMMAND                 a UCCI engine
    """
    from ai.client import EngineError
    from ai.match import Control, Score, match, sprt, to_pgn
    from ai.openings import openings, read
    from ai.player import Budget

    if seconds is not None and clock is not None:
        raise click.UsageError("--time 与 --clock 只能用一个 (give one of the two)。")
    if bounds is not None and not bounds[0] < bounds[1]:
        raise click.BadParameter("先小后大 (ELO0 must be less than ELO1)。", param_hint="--sprt")
    try:
        control = None if clock is None else Control.parse(clock)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--clock") from None
    if seconds is None and nodes is None and control is None:
        seconds = 0.1
    if seconds is not None and seconds != seconds:
        raise click.BadParameter("应为秒数 (expected seconds): nan", param_hint="--time")
    limits = (
        Budget(time=seconds, nodes=nodes),
        Budget(time=seconds, nodes=nodes if nodes2 is None else nodes2),
    )
    players = [make_player(first, 1, rules), make_player(second, 2, rules)]
    names = [first, second]
    begun = openings() if opening_file is None else read(opening_file, opening_plies)
    points: list[float] = []
    verdict: bool | None = None
    try:
        for result in match(players, begun, limits, games, rules=rules, control=control):
            points.append(result.points)
            if pgn is not None:
                with pgn.open("a", encoding="utf-8") as file:
                    file.write(to_pgn(result, names) + "\n")
            click.echo(f"{len(points)}/{games} {Score.of(points)} ({result.reason})", err=True)
            if bounds is not None and len(points) % 2 == 0:
                verdict = sprt(points, *bounds)
                if verdict is not None:
                    break
    except EngineError as error:
        raise click.ClickException(f"对局中断 (the match broke off): {error}") from None
    finally:
        for player in players:
            engine = getattr(player, "engine", None)
            if engine is not None:
                engine.quit()
    score = Score.of(points)
    if as_json:
        numbers = score.__dict__ | {"elo": score.elo}
        known = {name: one if math.isfinite(one) else None for name, one in numbers.items()}
        found = {"first": first, "second": second, **known, "sprt": verdict}
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        click.echo(f"{first} : {second}  {score}")
        if bounds is not None:
            click.echo(f"SPRT {bounds[0]:g}/{bounds[1]:g}: {_VERDICTS[verdict]}")
    return ExitCode.OK


_VERDICTS = {
    True: "接受 ELO1 (ELO1 accepted)",
    False: "接受 ELO0 (ELO0 accepted)",
    None: "尚无结论 (undecided)",
}


def make_player(text: str, seed: int, rules: str = "club2008") -> Any:
    """The player that a word of the command line means; those of the house keep to ``rules``."""
    from ai.client import Engine, EngineError, EnginePlayer
    from ai.levels import LevelPlayer
    from ai.protocols.xiangqi import SIMPLE_PLAYERS
    from ai.search.xiangqi import SearchPlayer

    protocol, colon, program = text.partition(":")
    if colon and protocol in ("uci", "ucci", "ucicyclone"):
        try:
            engine = Engine(program, protocol=protocol)
            if "ucivariant" in engine.options and protocol == "uci":
                engine.set_option("UCI_Variant", "xiangqi")
        except (EngineError, ValueError) as error:
            raise click.ClickException(str(error)) from None
        return EnginePlayer(engine)
    if text == "search":
        return SearchPlayer(seed=seed, rules=rules)
    if text in SIMPLE_PLAYERS:
        return SIMPLE_PLAYERS[text](seed)
    try:
        return LevelPlayer(text, seed=seed, searcher=SearchPlayer(rules=rules))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
