"""``qiyuan junqi``: 军棋: proof that views leak nothing, speed, set-up files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from qiyuan.exit_codes import ExitCode


@click.group()
def command() -> None:
    """军棋：泄密检查、测速、布阵文件。Leak audit, speed, set-up files.

    \b
    qiyuan junqi audit --positions 100 --worlds 50
    qiyuan junqi timing
    qiyuan junqi bench
    qiyuan junqi setup 我的布阵.jql
    """


@command.command("audit", short_help="检查视图是否泄密。Do views tell what they must not?")
@click.option("--positions", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--worlds", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="输出 JSON.")
def audit_command(positions: int, worlds: int, seed: int, as_json: bool) -> None:
    """随机局面中，凡玩家分不清的布子，视图必须逐位相同。

    Plays random games, draws worlds that a player cannot rule out, plays the record again in each,
    and compares the views bit for bit. Exit code 1 = a view leaks.
    """
    from tqdm import tqdm

    from junqi.audit import audit

    with tqdm(total=positions, unit="pos", disable=None, leave=False) as bar:
        report = audit(positions, worlds, seed, progress=bar.update)
    if as_json:
        data = {"positions": report.positions, "worlds": report.worlds}
        data |= {"different": report.different, "leaks": len(report.leaks)}
        click.echo(json.dumps(data))
    else:
        click.echo(
            f"{report.positions} 个局面 positions, {report.worlds} 个世界 worlds "
            f"({report.different} 个与真相不同 unlike the truth): "
            f"{len(report.leaks)} 处泄密 leaks"
        )
        for leak in report.leaks[:5]:
            click.echo(f"座位 seat {leak.seat}:\n{leak.position}\n{leak.world}")
    if report.leaks:
        click.get_current_context().exit(ExitCode.MISMATCH)


@command.command("timing", short_help="视图用时是否与暗子有关。Does asking a view take longer?")
@click.option("--positions", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--questions", type=click.IntRange(min=100), default=2000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def timing_command(positions: int, questions: int, seed: int) -> None:
    """同一局面换暗子，取视图的用时应当无别（韦尔奇 t 检验）。

    Welch's t between the times of one fixed world and of ever other ones, for each position;
    absolute values below 4.5 are what chance gives. Exit code 1 = above.
    """
    from junqi.audit import timing

    values = timing(positions, questions, seed)
    click.echo("t: " + " ".join(f"{value:+.2f}" for value in values))
    worst = max(map(abs, values))
    click.echo(f"最大 largest |t| = {worst:.2f} ({'< 4.5' if worst < 4.5 else '>= 4.5'})")
    if worst >= 4.5:
        click.get_current_context().exit(ExitCode.MISMATCH)


@command.command("bench", short_help="着法与抽样的速度。Speed of generation and sampling.")
@click.option("--worlds", type=click.IntRange(min=100), default=20_000, show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=6, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="每项一行 JSON, one line each.")
def bench_command(worlds: int, games: int, seed: int, as_json: bool) -> None:
    """处理器时间，单核；着法数与每个世界都经核对。

    Processor time on one core; the counts are asserted, and in every world the record is played
    again. Views are those of all seats and of a spectator in random games, early to late, timid to
    combative; making a sampler is told apart.
    """
    from itertools import chain

    from junqi.measure import generation, sampling

    for speed in chain(generation(), sampling(worlds, seed, games)):
        if as_json:
            data = {"name": speed.name, "count": speed.count, "cpu_seconds": speed.cpu}
            click.echo(
                json.dumps(data | {"rate": speed.rate, "least": speed.least, "note": speed.note})
            )
        else:
            click.echo(f"{speed.name}: {speed.rate:>12,.0f} /s  ({speed.note})")


@command.command("setup", short_help="读、查、转换布阵文件。Read, check, convert set-up files.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--jql", type=click.Path(path_type=Path), help="写成 QQ 布阵文件 write a .jql file.")
def setup_command(file: Path, jql: Path | None) -> None:
    """读布阵（.jql、25 个字母、六排棋子名），查规则，印成六排。

    Reads a set-up in any form, names every breach of the set-up rules, prints six rows of names.
    """
    from junqi.setups import read_army, write_jql, write_text

    army = read_army(file)
    click.echo(write_text(army), nl=False)
    click.echo(army)
    if jql is not None:
        jql.write_bytes(write_jql(army))
