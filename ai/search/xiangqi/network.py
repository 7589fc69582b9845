"""The network of 象棋: weights for the search, read from the initialisers of its ``.onnx`` file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ai.search.xiangqi import layout

FILE = "xiangqi.onnx"


@dataclass(frozen=True, eq=False)
class Network:
    """Integers of the evaluation.

    Attributes:
        weights: int16[NET_ROWS, HIDDEN]: a row a feature, the bias row, two output rows a bucket.
        biases: int64[BUCKETS] of the outputs.
        divisor: outputs divided by it (rounding down) are hundredths of a pawn.
        values: int64[2048], piece-square values packed as :mod:`ai.search.xiangqi.squares` does;
            the network's output is added to them.
    """

    weights: NDArray[np.int16]
    biases: NDArray[np.int64]
    divisor: int
    values: NDArray[np.int64]


def read(path: str | Path) -> Network:
    """Read the weights of a network file.

    Raises:
        ValueError: no such network, or one of another shape.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(path)
    arrays = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    try:
        rows, bias, output = arrays["features"], arrays["feature_bias"], arrays["output"]
        biases, divisor = arrays["output_bias"], int(arrays["divisor"])
        squares = arrays["squares"]
    except KeyError as error:
        raise ValueError(f"{path}: 缺少权重 (no such weights): {error}") from None
    if rows.shape != (layout.FEATURES, layout.HIDDEN):
        raise ValueError(f"{path}: 网络形状不符 (shape {rows.shape} of the feature weights)")
    weights = np.zeros((layout.NET_ROWS, layout.HIDDEN), np.int16)
    weights[: layout.FEATURES] = rows
    weights[layout.BIAS_ROW] = bias
    weights[layout.OUTPUT_ROW :] = output.reshape(2 * layout.BUCKETS, layout.HIDDEN)
    return Network(weights, biases.astype(np.int64), divisor, _packed(squares.astype(np.int64)))


def _packed(squares: NDArray[np.int64]) -> NDArray[np.int64]:
    """Values by feature of Red, who sees the board as it is, by ``code << 7 | point``."""
    table = np.zeros(2048, np.int64)
    for code in (*range(1, 8), *range(9, 16)):
        first = ((code >> 3) * 7 + (code & 7) - 1) * 90
        rows = squares[first : first + 90]
        table[code << 7 : (code << 7) + 90] = (rows[:, 0] << 32) + rows[:, 1]
    return table


@cache
def shipped() -> Network | None:
    """The network in the package, ``None`` where none was shipped."""
    source = files("ai") / "models" / FILE
    if not source.is_file():
        return None
    with as_file(source) as path:
        return read(path)
