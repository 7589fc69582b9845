"""``qiyuan warm``: compile every kernel ahead, with a progress bar."""

from __future__ import annotations

import time

import click
from tqdm import tqdm

from qikit import kernels


@click.command()
@click.argument("rooms", nargs=-1, metavar="[GAME]...")
def command(rooms: tuple[str, ...] = ()) -> None:
    """预先编译内核（只需一次），可只编译指定的棋种。Compile kernels ahead, all or of some games."""
    began = time.perf_counter()
    try:
        names = kernels.modules(*rooms)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    for name in tqdm(names, desc="编译 kernels", unit="module", disable=None):
        kernels.load(name, False)
    from qikit.cache import prune, root

    prune()
    click.echo(f"{len(names)} 个内核模块就绪 ready: {time.perf_counter() - began:.1f} s, {root()}")
