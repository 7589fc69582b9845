"""``qiyuan warm``: compile every kernel ahead, with a progress bar."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import click
from tqdm import tqdm

from qikit import kernels


@click.command()
@click.argument("rooms", nargs=-1, metavar="[GAME]...")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="cores",
    help="同时编译的进程数 processes that compile at a time.",
)
def command(rooms: tuple[str, ...], jobs: int) -> None:
    """预先编译内核（只需一次），可只编译指定的棋种。Compile kernels ahead, all or of some games."""
    began = time.perf_counter()
    try:
        names = kernels.modules(*rooms)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with tqdm(total=len(names), desc="编译 kernels", unit="module", disable=None) as bar:
        for _ in _compiled(names, jobs):
            bar.update()
    from qikit.cache import prune, root

    prune()
    click.echo(f"{len(names)} 个内核模块就绪 ready: {time.perf_counter() - began:.1f} s, {root()}")


def _compiled(names: Sequence[str], jobs: int) -> Iterator[str]:
    """Each module when it is ready. What has no cache yet is compiled by several processes, a
    module after those whose kernels it calls, so that nothing is compiled twice."""
    from qikit.cache import closure, directory

    cold = [name for name in names if not directory(name).is_dir()]
    done = set(names).difference(cold)
    for name in names:
        if name in done:
            kernels.load(name, False)
            yield name
    if min(jobs, len(cold)) < 2:
        for name in cold:
            kernels.load(name, False)
            yield name
        return
    needs = {name: (closure(name).keys() & set(cold)) - {name} for name in cold}
    with ProcessPoolExecutor(min(jobs, len(cold)), mp_context=get_context("spawn")) as pool:
        while needs:
            wave = [name for name, others in needs.items() if others <= done] or list(needs)
            waiting = {pool.submit(_compile, name): name for name in wave}
            for future in as_completed(waiting):
                future.result()
                yield waiting[future]
            done.update(wave)
            for name in wave:
                del needs[name]


def _compile(name: str) -> None:
    kernels.load(name, False)
