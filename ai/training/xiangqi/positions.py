"""Positions to learn from: self-play into numbered files, so that a rerun continues."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from ai.openings import openings
from ai.search.xiangqi import Brain
from ai.training.xiangqi.rows import COLUMNS, VALUE
from qikit import StopFlag
from qikit.kernels import load

MOST_PLIES = 180
CHUNK = 20_000
"""Positions of a file."""


def _start(random: Random) -> Any:
    """A beginning: from a shipped opening cut anywhere, or the start, and some random moves."""
    from xiangqi import Board

    while True:
        board = Board()
        known = random.choice(openings())
        for text in known[: random.randrange(len(known) + 1)]:
            board.push(text)
        for _ in range(random.randrange(1, 7)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push_unchecked(random.choice(moves))
        if len(board.legal_moves) and not board.is_check():
            return board


def play_chunk(
    seed: int, nodes: int, network: Any = None, stop: StopFlag | None = None
) -> NDArray[np.int16]:
    """``CHUNK`` positions or a few more, int16[n, COLUMNS]; the same for the same arguments."""
    kernel: Any = load("ai.training.xiangqi.kernel")
    random, brain = Random(seed), Brain(hash_size=4, network=network)
    thread = brain._threads[0]
    state = np.array([random.getrandbits(62) | 1], np.int64)
    buffer = np.zeros((MOST_PLIES, COLUMNS), np.int16)
    stop = stop or StopFlag()
    found, total = [], 0
    while total < CHUNK and not stop.is_set():
        brain.prepare(_start(random))
        n = kernel.self_play(
            thread.work,
            brain._table,
            brain._net,
            thread.sums,
            thread.links,
            stop.array,
            nodes,
            MOST_PLIES,
            state,
            buffer,
        )
        if n and abs(int(buffer[0, VALUE])) < 500:
            found.append(buffer[:n].copy())
            total += n
    return np.concatenate(found) if found else np.zeros((0, COLUMNS), np.int16)


def gather(
    folder: Path,
    chunks: int,
    *,
    nodes: int = 1200,
    seed: int = 1,
    network: Any = None,
    executor: Executor | None = None,
    width: int = 1,
) -> list[Path]:
    """Make the files ``positions-SEED.npz`` that are missing in ``folder``; returns all of them.

    Args:
        folder: where they are and come to be; only this process writes there.
        chunks: how many files.
        nodes: positions looked at for a move.
        seed: of the first file, the next ones follow.
        network: what evaluates, as :func:`ai.search.xiangqi.network.read` gives it.
        executor: who plays; default this process, one game after the other.
        width: files under way at once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"positions-{seed + number:05d}.npz" for number in range(chunks)]
    wanted = [(path, seed + number) for number, path in enumerate(files) if not path.exists()]
    bar = tqdm(
        initial=chunks - len(wanted), total=chunks, desc="self-play", unit="file", disable=None
    )
    with bar:
        for path, rows in _played(wanted, nodes, network, executor, width):
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez_compressed(file, rows=rows.astype(np.int16))
            part.replace(path)
            bar.update()
    return files


def _played(
    wanted: list[tuple[Path, int]], nodes: int, network: Any, executor: Executor | None, width: int
) -> Iterator[tuple[Path, NDArray[np.int16]]]:
    """The files' rows as they come."""
    if executor is None:
        for path, seed in wanted:
            yield path, play_chunk(seed, nodes, network)
        return
    load("ai.training.xiangqi.kernel")  # compiled once, before the others want it
    rest = iter(wanted)
    under_way: dict[Future[NDArray[np.int16]], Path] = {}
    try:
        while True:
            for path, seed in islice(rest, width - len(under_way)):
                under_way[executor.submit(play_chunk, seed, nodes, network)] = path
            if not under_way:
                return
            for done in wait(under_way, None, FIRST_COMPLETED).done:
                yield under_way.pop(done), done.result()
    finally:
        for future in under_way:
            future.cancel()


def read(files: list[Path]) -> NDArray[np.int16]:
    """All positions of some files."""
    return np.concatenate([np.load(path)["rows"] for path in files])
