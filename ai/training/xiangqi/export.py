"""From a trained module to the ``.onnx`` file: integers that onnxruntime and the search share.

Every number inside the graph is a whole number that its type holds exactly, so both compute the
same value: rows of int16 for the features, squares of activations divided by 256 and rounded down,
outputs of int16 summed in double precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.xiangqi.layout import BUCKETS, FEATURES, HIDDEN, UNIT
from ai.training.xiangqi.learning import SCALE

DIVISOR = 1024
OUTPUT_UNIT = DIVISOR * SCALE / (UNIT * UNIT / 256)
"""Integer of an output weight of 1.0."""


def integers(model: Any) -> dict[str, NDArray[Any]]:
    """The weights as they stand in the file.

    Raises:
        ValueError: a weight or a possible sum is beyond its integer type.
    """
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    squares = state["squares"][state["ties"]] * state["sign"] * SCALE
    found: dict[str, NDArray[Any]] = {
        "features": np.rint(state["features.weight"][:FEATURES] * UNIT),
        "feature_bias": np.rint(state["bias"] * UNIT),
        "output": np.rint(state["output"].T.reshape(BUCKETS, 2, HIDDEN) * OUTPUT_UNIT),
        "squares": np.rint(squares[:FEATURES]),
        "output_bias": np.rint(state["output_bias"] * DIVISOR * SCALE).astype(np.int64),
    }
    heaviest = np.sort(np.abs(found["features"]), axis=0)[-32:].sum(0)
    if (heaviest + np.abs(found["feature_bias"]) > 32767).any():
        raise ValueError("隐层和可能溢出 (a sum of the hidden layer may overflow int16)")
    for name, array in found.items():
        if name != "output_bias":
            if np.abs(array).max() > 32767:
                raise ValueError(f"权重超出 int16 (beyond int16): {name}")
            found[name] = array.astype(np.int16)
    return found


def write(weights: Mapping[str, NDArray[Any]], path: Path, metadata: Mapping[str, str]) -> None:
    """Write the network file with its weights and metadata."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    arrays = {
        **weights,
        "divisor": np.array(DIVISOR, np.int64),
        "one": np.array(1, np.float32),
        "zero": np.array(0, np.int16),
        "unit": np.array(UNIT, np.float32),
        "nothing": np.array(0, np.float32),
        "halves": np.array(256, np.float32),
        "twelve": np.array(12, np.float32),
        "sixteen": np.array(16, np.float32),
        "eight": np.array(8, np.float32),
        "last_bucket": np.array(BUCKETS - 1, np.float32),
        "columns": np.array([1], np.int64),
    }
    nodes: list[Any] = []

    def node(kind: str, inputs: list[str], output: str, **more: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **more))
        return output

    def real(name: str) -> str:
        """An integer initialiser as float."""
        return node("DequantizeLinear", [name, "one", "zero"], f"{name}_real")

    def wide(name: str) -> str:
        return node("Cast", [name], f"{name}_wide", to=TensorProto.DOUBLE)

    rows, bias = real("features"), real("feature_bias")
    output = wide(real("output"))
    node("Transpose", [output], "by_side", perm=[1, 2, 0])
    node("Split", ["by_side"], "own_3d", axis=0, num_outputs=2)
    nodes[-1].output.append("other_3d")
    sums = []
    for side in ("own", "other"):
        total = node("Add", [node("MatMul", [side, rows], f"{side}_sum"), bias], f"{side}_total")
        clipped = node("Clip", [total, "nothing", "unit"], f"{side}_active")
        square = node("Mul", [clipped, clipped], f"{side}_square")
        active = node("Floor", [node("Div", [square, "halves"], f"{side}_part")], f"{side}_out")
        matrix = node("Squeeze", [f"{side}_3d", "first_axis"], f"{side}_matrix")
        sums.append(node("MatMul", [wide(active), matrix], f"{side}_value"))
    arrays["first_axis"] = np.array([0], np.int64)
    both = node("Add", sums, "both")
    outputs = node("Add", [both, wide("output_bias")], "outputs")
    pieces = node("ReduceSum", ["own", "columns"], "pieces", keepdims=1)
    fewer = node("Sub", [pieces, "one"], "fewer")
    eighth = node("Floor", [node("Div", [fewer, "eight"], "eighths")], "eighth")
    bucket = node("Clip", [eighth, "nothing", "last_bucket"], "bucket_real")
    index = node("Cast", [bucket], "bucket", to=TensorProto.INT64)
    chosen = node("GatherElements", [outputs, index], "chosen", axis=1)
    network = node("Floor", [node("Div", [chosen, wide("divisor")], "quotient")], "network")
    # the part by piece and square, between middle game and endgame by the number of pieces
    values = node("MatMul", ["own", real("squares")], "values")
    node("Split", [values], "middle", axis=1, num_outputs=2)
    nodes[-1].output.append("end")
    over = node("Sub", [pieces, "twelve"], "over")
    phase = node("Clip", [over, "nothing", "sixteen"], "phase")
    rest = node("Sub", ["sixteen", phase], "rest")
    mixed = node(
        "Add",
        [node("Mul", ["middle", phase], "early"), node("Mul", ["end", rest], "late")],
        "mixed",
    )
    by_square = node("Floor", [node("Div", [mixed, "sixteen"], "sixteenth")], "by_square")
    tempo = node("Add", [by_square, "twelve"], "with_tempo")
    node("Add", [network, wide(tempo)], "score_wide")
    node("Cast", ["score_wide"], "score", to=TensorProto.FLOAT)
    graph = helper.make_graph(
        nodes,
        "xiangqi",
        [
            helper.make_tensor_value_info(side, TensorProto.FLOAT, ["n", FEATURES])
            for side in ("own", "other")
        ],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["n", 1])],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
        doc_string="Evaluation of xiangqi in hundredths of a pawn for the side to move.",
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    for key, value in metadata.items():
        model.metadata_props.add(key=key, value=value)
    onnx.checker.check_model(model)
    part = path.with_suffix(".part")
    onnx.save(model, part)
    part.replace(path)
