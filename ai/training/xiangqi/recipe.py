"""The whole way from nothing to a network that may ship; each step goes on where it stopped.

Self-play into ``positions-*.npz``, learning with a checkpoint an epoch, export, a match against
the evaluation that plays now until a sequential test decides, and a model card.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.match import Score, match, sprt
from ai.openings import openings
from ai.player import Budget
from ai.search.xiangqi import SearchPlayer
from ai.search.xiangqi.network import Network, read, shipped
from ai.training.xiangqi import positions
from ai.training.xiangqi.rows import CALM


@dataclass(frozen=True)
class Recipe:
    """What a training run does.

    Attributes:
        files: files of about 20 000 positions each.
        nodes: positions looked at for a move of self-play.
        epochs: passes over the data.
        seed: of the self-play and the training.
        games: most games of the match that decides.
        match_nodes: positions a move in that match.
    """

    files: int = 50
    nodes: int = 700
    epochs: int = 20
    seed: int = 1
    games: int = 400
    match_nodes: int = 4000


@dataclass(frozen=True)
class Trial:
    """The match of a new network against the old evaluation.

    Attributes:
        score: of the new one.
        better: what the sequential test says (Elo +30 against 0, errors of 5 %), ``None`` = open.
    """

    score: Score
    better: bool | None


def train(
    folder: Path,
    recipe: Recipe | None = None,
    *,
    executor: Executor | None = None,
    width: int = 1,
    say: Callable[[str], None] = print,
) -> tuple[Path, Trial]:
    """Train in ``folder``; returns the network file and how it fared.

    Self-play is done by ``executor``, ``width`` files at once; default: this process.

    Raises:
        ModuleNotFoundError: torch or onnx is not installed (extra ``[train]``).
    """
    recipe = recipe or Recipe()
    began = time.process_time()
    old = shipped()
    files = positions.gather(
        folder / "positions",
        recipe.files,
        nodes=recipe.nodes,
        seed=recipe.seed,
        network=old,
        executor=executor,
        width=width,
    )
    return finish(folder, files, recipe, old=old, began=began, say=say)


def finish(
    folder: Path,
    files: list[Path],
    recipe: Recipe,
    *,
    old: Network | None,
    began: float,
    say: Callable[[str], None] = print,
) -> tuple[Path, Trial]:
    """Learn from position files, export, measure against ``old`` and write the card."""
    from ai.training.xiangqi.export import integers, write
    from ai.training.xiangqi.learning import learn

    rows = positions.read(files)
    say(f"局面 positions: {len(rows)}")
    model = learn(rows, folder, epochs=recipe.epochs, seed=recipe.seed)
    path = folder / "xiangqi.onnx"
    metadata = {
        "game": "xiangqi",
        "version": "1",
        "recipe": json.dumps(recipe.__dict__ | {"positions": len(rows)}),
    }
    weights = integers(model)
    write(weights, path, metadata)
    trial = gate(read(path), old, recipe, say=say)
    write(weights, path, metadata | {"strength": str(trial.score)})
    seconds = time.process_time() - began
    (folder / "xiangqi.md").write_text(card(folder, recipe, rows, trial, seconds), "utf-8")
    return path, trial


def gate(
    new: Network, old: Network | None, recipe: Recipe, *, say: Callable[[str], None] = print
) -> Trial:
    """A match of two evaluations at equal nodes until the sequential test decides."""
    players = [SearchPlayer(hash_size=4, network=one) for one in (new, old)]
    budgets = [Budget(nodes=recipe.match_nodes)] * 2
    points: list[float] = []
    better = None
    begun = openings()
    # with an opening used twice these players would play the same two games again
    for result in match(players, begun, budgets, min(recipe.games, 2 * len(begun))):
        points.append(result.points)
        if len(points) % 10 == 0:
            say(f"{len(points)}: {Score.of(points)}")
            better = sprt(points, 0, 30)
            if better is not None:
                break
    return Trial(Score.of(points), better)


def card(
    folder: Path, recipe: Recipe, rows: NDArray[np.int16], trial: Trial, seconds: float
) -> str:
    """The model card, Markdown."""
    losses: dict[str, Any] = json.loads((folder / "losses.json").read_text("utf-8"))
    last = losses["epochs"][-1]
    return f"""# 象棋 evaluation network

What it is: piece-square values and a network of 1260 features seen from both sides (mirrored so
that the own general stands left or in the middle), 128 squared clipped units a side, one output a
number of pieces (four ranges). Whole numbers only; onnxruntime and the search compute the same.

* Data: {len(rows)} positions of own self-play, {recipe.nodes} nodes a move, seeds from
  {recipe.seed}; of these the {int(rows[:, CALM].sum())} without check whose best move takes
  nothing. No other program's data.
* Target: the search's value as a chance to win; where the game was decided, mixed with the result.
* Training: {recipe.epochs} epochs, AdamW, one thread; {seconds / 3600:.2f} CPU hours in this run.
* Error (squared, of the chance to win) on positions held out: {losses["untrained"]:.5f} before,
  {last[1]:.5f} after; {last[0]:.5f} on those it learnt from.
* Strength: against the evaluation before it, {recipe.match_nodes} nodes a move, pairs from the
  shipped openings: {trial.score}; sequential test: {trial.better}.
"""
