"""``qiyuan endtable``: build the end table of 跳棋 once, into the user's cache."""

from __future__ import annotations

import time
from math import comb

import click

from checkers.race import endtable
from checkers.race.reach import UNKNOWN


@click.command()
@click.option(
    "--holes",
    type=click.Choice(["28", "36"]),
    default="28",
    show_default=True,
    help="残局库的孔数 holes of the region: 28 = 13 MB, 36 = 254 MB.",
)
@click.option("--force", is_flag=True, help="已有也重算 build again even if it exists.")
def command(holes: str, force: bool) -> None:
    """计算跳棋残局库：十子都在最后几行时还要几步。Build the end table of 跳棋 (checkers).

    The table holds the turns to finish of every army of ten within the last rows before its goal.
    28 holes take a quarter of a minute of processor time, 36 about twenty times as long.
    """
    from tqdm import tqdm

    size = int(holes)
    path = endtable.table_path(size)
    if path.is_file() and not force:
        click.echo(f"残局库已有 already built: {path}")
        return
    began = time.perf_counter()
    total = comb(size, endtable.PIECES)
    with tqdm(total=total, unit="army", unit_scale=True, desc="残局库", disable=None) as bar:
        values = endtable.build(size, bar.update)
    path = endtable.save(values, size)
    reachable = values[values != UNKNOWN]
    click.echo(
        f"{len(values)} 个局面 armies, 最远 farthest {int(reachable.max())} 步 turns, "
        f"{time.perf_counter() - began:.1f} s: {path}"
    )
