"""Learning the evaluation with torch: piece-square values and the network beside them, together.

The value is ``piece squares + 400 * network`` hundredths of a pawn; the network begins at zero, so
that few positions already help and never harm much. What is learnt is the chance to win: the
search's value, mixed with the result where a game was decided (quick games are drawn too often to
learn from their draws: networks that did so played worse). A checkpoint after each epoch.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from ai.search.xiangqi.layout import BUCKETS, FEATURES, HIDDEN
from ai.search.xiangqi.squares import square_values
from ai.training.xiangqi.features import NONE, views
from ai.training.xiangqi.rows import CALM, RESULT, SIDE, VALUE

SCALE = 400.0
"""Hundredths of a pawn that an output of 1 stands for."""
LOGISTIC = 280.0
"""Hundredths of a pawn for which the chance to win is e : 1."""
TRUST = 0.85
"""Weight of the search's value against the result of a decided game."""
BATCH = 4096
HOLD_OUT = 40
"""One position in so many is kept for measuring."""


def squares_by_feature() -> NDArray[np.float32]:
    """The hand-made piece-square values by feature: float32[FEATURES + 1, 2] (middle, end)."""
    packed = square_values()
    end = (packed + 0x80000000 & 0xFFFFFFFF) - 0x80000000
    middle = packed - end >> 32
    table = np.zeros((FEATURES + 1, 2), np.float32)
    for kind in range(1, 8):
        for sq in range(90):
            own, enemy = (kind - 1) * 90 + sq, (7 + kind - 1) * 90 + sq
            table[own] = middle[kind << 7 | sq], end[kind << 7 | sq]
            table[enemy] = middle[(kind + 8) << 7 | sq], end[(kind + 8) << 7 | sq]
    return table


def _ties() -> NDArray[np.int64]:
    """Number of the free value behind each feature: left = right, enemy = minus own turned."""
    ties = np.zeros(FEATURES + 1, np.int64)
    for kind in range(7):
        for sq in range(90):
            file, rank = sq % 9, sq // 9
            free = kind * 50 + 5 * rank + min(file, 8 - file)
            turned = kind * 50 + 5 * (9 - rank) + min(file, 8 - file)
            ties[kind * 90 + sq], ties[(7 + kind) * 90 + sq] = free, turned
    ties[NONE] = 350
    return ties


def build(hidden: int = HIDDEN) -> Any:
    """The torch module; ``forward(own, other)`` gives hundredths of a pawn."""
    import torch
    from torch import nn

    class Evaluation(nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.EmbeddingBag(FEATURES + 1, hidden, mode="sum", padding_idx=NONE)
            nn.init.uniform_(self.features.weight, -0.08, 0.08)
            with torch.no_grad():
                self.features.weight[NONE] = 0
            self.bias = nn.Parameter(torch.full((hidden,), 0.25))
            self.output = nn.Parameter(torch.zeros(2 * hidden, BUCKETS))
            self.output_bias = nn.Parameter(torch.zeros(BUCKETS))
            ties = torch.from_numpy(_ties())
            start = torch.from_numpy(squares_by_feature())
            free = torch.zeros(351, 2)
            free[ties[: 7 * 90]] = start[: 7 * 90]
            self.squares = nn.Parameter(free / SCALE)
            sign = torch.ones(FEATURES + 1, 1)
            sign[7 * 90 :] = -1
            sign[NONE] = 0
            self.register_buffer("ties", ties)
            self.register_buffer("sign", sign)

        def forward(self, own: Any, other: Any) -> Any:
            pieces = (own != NONE).sum(1)
            phase = (pieces - 12).clamp(0, 16).float() / 16
            table = self.squares[self.ties] * self.sign
            summed = table[own].sum(1)
            value = summed[:, 0] * phase + summed[:, 1] * (1 - phase) + 12 / SCALE
            bucket = ((pieces - 1) // 8).clamp(max=BUCKETS - 1)
            sides = [
                (self.features(seen) + self.bias).clamp(0, 1).square() for seen in (own, other)
            ]
            outputs = torch.cat(sides, 1) @ self.output + self.output_bias
            return SCALE * (value + outputs.gather(1, bucket[:, None])[:, 0])

    return Evaluation()


def _data(rows: NDArray[np.int16], *, mirrored: bool = False) -> list[Any]:
    """Tensors own, other, target; small numbers, since there are millions of rows."""
    import torch

    codes, turns = rows[:, :SIDE].astype(np.uint8), rows[:, SIDE]
    value, result = rows[:, VALUE].astype(np.float32), rows[:, RESULT].astype(np.float32)
    trust = np.where(result == 0, 1.0, TRUST)
    target = trust / (1 + np.exp(-value / LOGISTIC)) + (1 - trust) * (result + 1) / 2
    if mirrored:
        codes = codes.reshape(-1, 10, 9)[:, :, ::-1].reshape(-1, 90)
    parts = [views(codes[i : i + 100_000], turns[i : i + 100_000]) for i in _starts(len(rows))]
    own, other = (np.concatenate([pair[k] for pair in parts]) for k in (0, 1))
    return [
        torch.from_numpy(own),
        torch.from_numpy(other),
        torch.from_numpy(target.astype(np.float32)),
    ]


def _starts(size: int) -> range:
    return range(0, max(size, 1), 100_000)


def _loss(model: Any, own: Any, other: Any, target: Any) -> Any:
    import torch

    predicted = torch.sigmoid(model(own.int(), other.int()) / LOGISTIC)
    return (predicted - target).square().mean()


def learn(
    rows: NDArray[np.int16], folder: Path, *, epochs: int = 20, rate: float = 2e-3, seed: int = 1
) -> Any:
    """Train on the calm ones of ``rows`` (see :mod:`ai.training.xiangqi.rows`); returns the
    torch module.

    ``folder`` holds ``checkpoint.pt``, from which a stopped training goes on, and ``losses.json``.
    """
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    rows = rows[rows[:, CALM] == 1]
    held = np.arange(len(rows)) % HOLD_OUT == 0
    # every other epoch sees the mirror images
    training = [_data(rows[~held], mirrored=mirrored) for mirrored in (False, True)]
    measuring = _data(rows[held])
    model = build()
    optimizer = torch.optim.AdamW(
        [
            {"params": [model.squares], "lr": rate / 2, "weight_decay": 0.0},
            {"params": [p for n, p in model.named_parameters() if n != "squares"]},
        ],
        lr=rate,
        weight_decay=0.4,
    )
    size = len(training[0][0])
    steps = max(size // BATCH, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [rate / 2, rate], total_steps=epochs * steps + 1, pct_start=0.1
    )
    first, losses = 0, []
    saved = folder / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved, weights_only=True)
        if state["size"] == size and state["epochs"] == epochs:
            model.load_state_dict(state["model"])
            optimizer.load_state_dict(state["optimizer"])
            schedule.load_state_dict(state["schedule"])
            first, losses = state["epoch"], list(state["losses"])
    with torch.no_grad():
        before = float(_loss(build(), *measuring))
    for epoch in tqdm(
        range(first, epochs), initial=first, total=epochs, desc="epochs", disable=None
    ):
        order = torch.randperm(size, generator=torch.Generator().manual_seed(seed + epoch))
        total = 0.0
        for step in range(steps):
            pick = order[step * BATCH : (step + 1) * BATCH]
            optimizer.zero_grad()
            loss = _loss(model, *(tensor[pick] for tensor in training[epoch % 2]))
            loss.backward()
            optimizer.step()
            schedule.step()
            with torch.no_grad():  # so that the integers of the exported file can hold them
                model.features.weight.clamp_(-1.9, 1.9)
                model.output.clamp_(-20.0, 20.0)
            total += float(loss.detach())
        with torch.no_grad():
            losses.append([total / steps, float(_loss(model, *measuring))])
        torch.save(
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "epoch": epoch + 1,
                "epochs": epochs,
                "size": size,
                "losses": losses,
            },
            saved,
        )
        (folder / "losses.json").write_text(json.dumps({"untrained": before, "epochs": losses}))
    return model
