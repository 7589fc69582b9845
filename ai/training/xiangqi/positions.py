"""Positions to learn from: self-play into numbered files, so that a rerun continues."""

from __future__ import annotations

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
    folder: Path, chunks: int, *, nodes: int = 1200, seed: int = 1, network: Any = None
) -> list[Path]:
    """Make the files ``positions-SEED.npz`` that are missing in ``folder``; returns all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"positions-{seed + number:05d}.npz" for number in range(chunks)]
    for number, path in enumerate(tqdm(files, desc="self-play", unit="file", disable=None)):
        if not path.exists():
            rows = play_chunk(seed + number, nodes, network)
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez_compressed(file, rows=rows.astype(np.int16))
            part.replace(path)
    return files


def read(files: list[Path]) -> NDArray[np.int16]:
    """All positions of some files."""
    return np.concatenate([np.load(path)["rows"] for path in files])
