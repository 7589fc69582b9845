"""From files of self-play to a policy network with its card; each step goes on where it stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ai.search.xiangqi.policy import FILE
from ai.training.xiangqi import positions


def train(
    folder: Path,
    files: list[Path],
    *,
    epochs: int = 3,
    seed: int = 1,
    say: Callable[[str], None] = print,
) -> Path:
    """Learn in ``folder`` from files of positions; returns the network file.

    Raises:
        ModuleNotFoundError: torch or onnx is not installed (extra ``[train]``).
    """
    from ai.training.xiangqi.policy.export import write
    from ai.training.xiangqi.policy.learning import RECORD, learn

    began = time.process_time()
    rows = positions.read(files)
    say(f"局面 positions: {len(rows)}")
    model = learn(rows, folder, epochs=epochs, seed=seed)
    measured = json.loads((folder / RECORD).read_text("utf-8"))
    say(f"未学过的局面 held out: {measured['epochs'][-1]}")
    path = folder / FILE
    recipe = {"positions": len(rows), "epochs": epochs, "seed": seed}
    write(model, path, {"game": "xiangqi", "version": "1", "recipe": json.dumps(recipe)})
    hours = (time.process_time() - began) / 3600
    path.with_suffix(".md").write_text(card(recipe, measured, hours), "utf-8")
    return path


def card(recipe: dict[str, int], measured: dict[str, Any], hours: float) -> str:
    """The model card, Markdown."""
    last = measured["epochs"][-1]
    return f"""# 象棋 policy network

What it is: logits of the 2062 moves that a piece can make on some board, seen from the mover's own
end and mirrored so that its general stands left or in the middle. Inputs: the pieces, and how many
pieces of either side (0, 1, more) bear on each point. A logit is the sum of 256 rectified units of
the whole board, a value of the piece for its way, and a value by piece, what it takes, and whether
start and goal are attacked and guarded. Weights of the layers are int8.

What it is for: what comes to the mind of the weaker levels. It knows likely moves, not good
ones: nobody looked ahead.

* Data: {recipe["positions"]} positions of own self-play with the move that its search found best.
  No other program's data.
* Training: {recipe["epochs"]} epochs, AdamW, mirror images where the general stands in the middle,
  one thread; {hours:.2f} CPU hours in the last run.
* On {measured["held_out"]} positions held out (other games): the best move is the first of the
  legal ones in {100 * last["top1"]:.1f} %, among the first three in {100 * last["top3"]:.1f} %;
  cross entropy {last["loss"]:.3f}.
"""
