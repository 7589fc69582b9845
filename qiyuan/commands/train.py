"""``qiyuan train``: make a network, from self-play to the match that lets it in."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from qiyuan.exit_codes import ExitCode


@click.command()
@click.argument("game", type=click.Choice(["xiangqi"]), default="xiangqi")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("training"),
    show_default=True,
    help="中断后从这里继续 where everything is kept, and gone on with after a stop.",
)
@click.option("--files", default=50, show_default=True, help="文件数，每个约两万局面 x 20 000.")
@click.option("--nodes", default=700, show_default=True, help="自对弈每步节点 nodes a move.")
@click.option(
    "--part",
    type=click.Choice(["evaluation", "policy"]),
    default="evaluation",
    show_default=True,
    help="哪个网络 which network: 局面评估 or 着法直觉.",
)
@click.option("--epochs", type=int, help="训练轮数 passes over the data: 20; policy 3.")
@click.option("--games", default=400, show_default=True, help="检验对局数上限 most games.")
@click.option("--seed", default=1, show_default=True, help="随机种子 random seed.")
@click.option("--jobs", type=click.IntRange(1), help="自对弈进程数，默认每核一个 processes.")
@click.option("--scheduler", metavar="ADDRESS", help="用 Dask 集群 a Dask scheduler, tcp://...")
@click.option(
    "--ship",
    type=click.Path(file_okay=False, path_type=Path),
    help="胜过旧网络则复制到此 copy it there if it is better, e.g. ai/models.",
)
def command(
    game: str,
    folder: Path,
    files: int,
    nodes: int,
    part: str,
    epochs: int | None,
    games: int,
    seed: int,
    jobs: int | None,
    scheduler: str | None,
    ship: Path | None,
) -> int:
    """训练网络：自对弈、学习、导出、检验，一条命令，可中断。Train a network in one command.

    两个网络用同样的对局 both networks learn from the same games: --part evaluation, --part policy.

    需要 needs: pip install 'qiyuan-games[train]'
    """
    from importlib.util import find_spec

    missing = [name for name in ("torch", "onnx") if find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"训练需要 {'、'.join(missing)}：pip install 'qiyuan-games[train]' (not installed)"
        )
    from ai.search.xiangqi.network import shipped
    from ai.training.xiangqi import positions
    from ai.training.xiangqi.policy.recipe import train as train_policy
    from ai.training.xiangqi.recipe import Recipe, train
    from qiyuan import workers

    recipe = Recipe(files=files, nodes=nodes, epochs=epochs or 20, seed=seed, games=games)
    try:
        with workers.place(jobs, scheduler) as pool, pool.open_executor() as executor:
            if part == "policy":
                found = positions.gather(
                    folder / "positions",
                    files,
                    nodes=nodes,
                    seed=seed,
                    network=shipped(),
                    executor=executor,
                    width=pool.width,
                )
                policy = train_policy(folder, found, epochs=epochs or 3, seed=seed, say=_say)
                return _ship(policy, ship)
            path, trial = train(
                folder,
                recipe,
                executor=executor,
                width=pool.width,
                say=_say,
            )
    except workers.ToolMissing as error:
        click.echo(f"错误：{error}", err=True)
        return ExitCode.MISSING
    click.echo(f"{path}: {trial.score}")
    if not trial.better:
        click.echo("没有证明更强，不采用。Not shown to be stronger; not shipped.")
        return ExitCode.OK
    return _ship(path, ship)


def _say(text: str) -> None:
    click.echo(text, err=True)


def _ship(path: Path, folder: Path | None) -> int:
    """Copy a network and its card to where networks ship from."""
    if folder is not None:
        for each in (path, path.with_suffix(".md")):
            shutil.copy(each, folder / each.name)
        click.echo(f"已采用 shipped to {folder}")
    return ExitCode.OK
