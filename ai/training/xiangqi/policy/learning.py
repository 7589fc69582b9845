"""Learning the policy with torch: which legal move the search of the self-play found best.

What is shown to the network is in :mod:`ai.search.xiangqi.policy.kernel`. A move's value is the
sum of three: what 256 rectified units of the whole board think of it; a value of its piece for
going there; and a value by piece, what it takes, and whether start and goal are attacked and
guarded, which is how a player sees at a glance what hangs. The loss looks at legal moves only. A
checkpoint after each epoch.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from ai.search.xiangqi.policy import MOVES, outputs, sights
from ai.training.xiangqi.rows import BEST, SIDE
from qikit.kernels import load

UNITS = 256
GLANCES = 7 * 15 << 4
"""Kind that moves, what it takes, and four times yes or no."""
BATCH = 1024
HELD_OUT = 0.02
"""Share of the rows, the last ones, that are kept for measuring: whole games but for one."""
CHECKPOINT = "policy.pt"
RECORD = "policy.json"


def samples(rows: NDArray[np.int16]) -> list[Any]:
    """Tensors: planes int8[n, 3, 90], outputs of the legal moves int16[n, most] (-1 = none), the
    place of the best move among them int64[n], whether the mirror image is as good bool[n]."""
    import torch

    rules: Any = load("xiangqi.kernel")
    see = load("ai.search.xiangqi.policy.kernel").see
    state = np.empty(rules.STATE_SIZE, np.int64)
    moves = np.empty(rules.FRAME, np.int64)
    seen = np.empty((3, 90), np.int64)
    n = len(rows)
    planes, numbers = np.empty((n, 3, 90), np.int8), np.full((n, 128), -1, np.int16)
    place, both = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    codes, most = rows[:, :SIDE].astype(np.uint8), 1
    for row, (turn, best) in enumerate(rows[:, [SIDE, BEST]].tolist()):
        rules.setup(codes[row], turn, state)
        sight, *others = sights(int(state[rules.SLOT + 16 * turn]), turn)
        see(state, sight, seen)
        count = rules.legal_moves(state, moves)
        planes[row], both[row] = seen, bool(others)
        numbers[row, :count] = outputs()[sight, moves[:count]]
        place[row] = np.argmax(moves[:count] == best)
        most = max(most, count)
    numbers = numbers[:, :most].copy()
    return [torch.from_numpy(each) for each in (planes, numbers, place, both)]


def build(units: int = UNITS) -> Any:
    """The torch module; ``forward(planes, numbers)`` gives float32 values of those outputs."""
    import torch
    from torch import nn

    class Network(nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.EmbeddingBag(15 * 90, units, mode="sum")
            nn.init.normal_(self.features.weight, std=0.1)
            self.bias = nn.Parameter(torch.full((units,), 0.1))
            self.output = nn.Linear(units, len(MOVES))
            self.going = nn.Parameter(torch.zeros(7 * len(MOVES)))
            self.glance = nn.Parameter(torch.zeros(GLANCES))
            starts, goals = torch.tensor(MOVES).T
            self.register_buffer("starts", starts.contiguous())
            self.register_buffer("goals", goals.contiguous())

        def forward(self, planes: Any, numbers: Any) -> Any:
            board, attacked, guarded = planes.long().unbind(1)
            row, point = board.nonzero(as_tuple=True)
            first = torch.searchsorted(row, torch.arange(len(board)))
            pieces = self.features(board[row, point] * 90 + point, first)
            value = self.output((pieces + self.bias).relu()).gather(1, numbers)
            starts, goals = self.starts[numbers], self.goals[numbers]
            kind = board.gather(1, starts).clamp(1, 7) - 1
            value = value + self.going[kind * len(MOVES) + numbers]
            glance = kind * 15 + board.gather(1, goals)
            for plane, points, least in (
                (attacked, starts, 1),
                (attacked, goals, 1),
                (guarded, starts, 1),
                (guarded, goals, 2),  # the piece that goes there guards it as well
            ):
                glance = 2 * glance + (plane.gather(1, points) >= least)
            return value + self.glance[glance]

    return Network()


def _logits(model: Any, planes: Any, numbers: Any) -> Any:
    """Of the legal moves; hardly anything where a row has no more of them."""
    numbers = numbers.long()
    return model(planes, numbers.clamp(min=0)).masked_fill(numbers < 0, -1e9)


def _mirror(planes: Any, numbers: Any, which: Any) -> tuple[Any, Any]:
    """Some of the samples mirrored."""
    import torch

    starts, goals = np.array(MOVES).T
    change = torch.from_numpy(outputs()[2, starts | goals << 7])
    flipped = planes.reshape(-1, 3, 10, 9).flip(3).reshape(-1, 3, 90)
    turned = torch.where(numbers < 0, numbers, change[numbers.long().clamp(min=0)])
    planes = torch.where(which[:, None, None], flipped, planes)
    return planes, torch.where(which[:, None], turned, numbers)


def accuracy(model: Any, data: list[Any]) -> dict[str, float]:
    """Loss, and how often the best move is the first or one of the first three."""
    import torch

    sums = np.zeros(3)
    with torch.no_grad():
        for planes, numbers, place, _ in zip(*(each.split(BATCH) for each in data), strict=True):
            logits = _logits(model, planes, numbers)
            loss = torch.nn.functional.cross_entropy(logits, place, reduction="sum")
            rank = (logits > logits.gather(1, place[:, None])).sum(1)
            sums += float(loss), int((rank < 1).sum()), int((rank < 3).sum())
    loss, first, third = (sums / max(len(data[0]), 1)).tolist()
    return {"loss": loss, "top1": first, "top3": third}


def learn(
    rows: NDArray[np.int16], folder: Path, *, epochs: int = 3, rate: float = 4e-3, seed: int = 1
) -> Any:
    """Train on ``rows`` (see :mod:`ai.training.xiangqi.rows`); returns the torch module.

    ``folder`` holds ``policy.pt``, from which a stopped training goes on, and ``policy.json``
    with what was measured after each epoch.
    """
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    size = len(rows) - max(int(len(rows) * HELD_OUT), 1)
    training, measuring = samples(rows[:size]), samples(rows[size:])
    model = build()
    tables = [model.going, model.glance]
    layers = [model.features.weight, model.bias, *model.output.parameters()]
    optimizer = torch.optim.AdamW(
        [{"params": layers}, {"params": tables, "weight_decay": 0.0}], lr=rate, weight_decay=0.02
    )
    steps = max(size // BATCH, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [rate, 3 * rate], total_steps=epochs * steps + 1, pct_start=0.1
    )
    first, record = 0, []
    saved = folder / CHECKPOINT
    if saved.exists():
        state = torch.load(saved, weights_only=True)
        if (state["size"], state["epochs"]) == (size, epochs):
            model.load_state_dict(state["model"])
            optimizer.load_state_dict(state["optimizer"])
            schedule.load_state_dict(state["schedule"])
            first, record = state["epoch"], list(state["record"])
    for epoch in range(first, epochs):
        chance = torch.Generator().manual_seed(seed + epoch)
        order = torch.randperm(size, generator=chance)
        bar = tqdm(range(steps), desc=f"policy {epoch + 1}/{epochs}", disable=None)
        for step in bar:
            pick = order[step * BATCH : (step + 1) * BATCH]
            planes, numbers, place, both = (each[pick] for each in training)
            which = both & (torch.rand(len(pick), generator=chance) < 0.5)
            planes, numbers = _mirror(planes, numbers, which)
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(_logits(model, planes, numbers), place)
            loss.backward()
            optimizer.step()
            schedule.step()
        record.append(accuracy(model, measuring))
        torch.save(
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "epoch": epoch + 1,
                "epochs": epochs,
                "size": size,
                "record": record,
            },
            saved,
        )
        held = len(rows) - size
        (folder / RECORD).write_text(json.dumps({"held_out": held, "epochs": record}), "utf-8")
    return model
