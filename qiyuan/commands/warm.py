"""``qiyuan warm``: compile every kernel ahead, with a progress bar."""

from __future__ import annotations

import time

import click
from tqdm import tqdm

from qikit import kernels


@click.command()
def command() -> None:
    """预先编译全部内核（只需一次）。Compile all kernels ahead; later starts read them from disk."""
    began = time.perf_counter()
    names = kernels.modules()
    for name in tqdm(names, desc="编译 kernels", unit="module", disable=None):
        kernels.load(name)
    from qikit.cache import prune, root

    prune()
    click.echo(f"{len(names)} 个内核模块就绪 ready: {time.perf_counter() - began:.1f} s, {root()}")
