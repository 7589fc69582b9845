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
@click.option("--epochs", default=20, show_default=True, help="训练轮数 passes over the data.")
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
    epochs: int,
    games: int,
    seed: int,
    jobs: int | None,
    scheduler: str | None,
    ship: Path | None,
) -> int:
    """训练评估网络：自对弈、学习、导出、检验，一条命令，可中断。Train a network in one command.

    需要 needs: pip install 'qiyuan-games[train]'
    """
    from importlib.util import find_spec

    missing = [name for name in ("torch", "onnx") if find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"训练需要 {'、'.join(missing)}：pip install 'qiyuan-games[train]' (not installed)"
        )
    from ai.training.xiangqi.recipe import Recipe, train
    from qiyuan import workers

    recipe = Recipe(files=files, nodes=nodes, epochs=epochs, seed=seed, games=games)
    try:
        with workers.place(jobs, scheduler) as pool, pool.open_executor() as executor:
            path, trial = train(
                folder,
                recipe,
                executor=executor,
                width=pool.width,
                say=lambda text: click.echo(text, err=True),
            )
    except workers.ToolMissing as error:
        click.echo(f"错误：{error}", err=True)
        return ExitCode.MISSING
    click.echo(f"{path}: {trial.score}")
    if not trial.better:
        click.echo("没有证明更强，不采用。Not shown to be stronger; not shipped.")
    elif ship is not None:
        for name in ("xiangqi.onnx", "xiangqi.md"):
            shutil.copy(folder / name, ship / name)
        click.echo(f"已采用 shipped to {ship}")
    return ExitCode.OK
