"""From a trained policy to its ``.onnx`` file: weights of the layers as int8, a scale a column."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.search.xiangqi.policy import MOVES


def write(model: Any, path: Path, metadata: Mapping[str, str]) -> None:
    """Write the network file of a module of :func:`ai.training.xiangqi.policy.learning.build`."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    units = state["features.weight"].shape[1]
    starts, goals = np.array(MOVES, np.int32).T
    rows = state["features.weight"].copy()
    rows[:90] = 0  # empty points
    arrays: dict[str, NDArray[Any]] = {
        "bias": state["bias"],
        "output_bias": state["output.bias"],
        "glances": state["glance"],
        "starts": starts,
        "goals": goals,
        "points": np.arange(90),
        "places": np.arange(len(MOVES)),
        "plane": np.array([1]),
    }
    for name, number in (("one", 1), ("two", 2), ("seven", 7), ("fifteen", 15), ("ninety", 90)):
        arrays[name] = np.array(number)
    arrays["moves"] = np.array(len(MOVES))
    arrays["rows"], arrays["rows_scale"] = _quantised(rows)
    arrays["output"], arrays["output_scale"] = _quantised(state["output.weight"].T)
    going, scale = _quantised(state["going"][:, None])
    arrays["going"], arrays["going_scale"] = going[:, 0], scale[0]
    nodes: list[Any] = []

    def node(kind: str, inputs: list[str], output: str, **more: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **more))
        return output

    node("Split", ["planes"], "board_plane", axis=1, num_outputs=3)
    nodes[-1].output.extend(["attacked_plane", "guarded_plane"])
    for name in ("board", "attacked", "guarded"):
        node("Squeeze", [f"{name}_plane", "plane"], name)
    # what the whole board thinks of the moves
    node("Add", [node("Mul", ["board", "ninety"], "first"), "points"], "numbers")
    node("DequantizeLinear", [node("Gather", ["rows", "numbers"], "chosen"), "rows_scale"], "real")
    nodes[-1].attribute.append(helper.make_attribute("axis", 2))
    node("ReduceSum", ["real", "plane"], "sum", keepdims=0)
    node("Relu", [node("Add", ["sum", "bias"], "total")], "active")
    node("DequantizeLinear", ["output", "output_scale"], "matrix", axis=1)
    node("Add", [node("MatMul", ["active", "matrix"], "product"), "output_bias"], "whole")
    # what the piece that goes thinks of it
    kind = node("Max", [node("Gather", ["board", "starts"], "mover", axis=1), "one"], "at_least")
    kind = node("Sub", [node("Min", [kind, "seven"], "own"), "one"], "kind")
    place = node("Add", [node("Mul", [kind, "moves"], "block"), "places"], "place")
    node("DequantizeLinear", [node("Gather", ["going", place], "gone"), "going_scale"], "piece")
    # what a glance at start and goal says
    taken = node("Gather", ["board", "goals"], "taken", axis=1)
    glance = node("Add", [node("Mul", [kind, "fifteen"], "by_kind"), taken], "glance_0")
    looks = [("attacked", "starts", "one"), ("attacked", "goals", "one")]
    looks += [("guarded", "starts", "one"), ("guarded", "goals", "two")]
    for number, (plane, points, least) in enumerate(looks, start=1):
        count = node("Gather", [plane, points], f"count_{number}", axis=1)
        enough = node("GreaterOrEqual", [count, least], f"enough_{number}")
        bit = node("Cast", [enough], f"bit_{number}", to=TensorProto.INT64)
        double = node("Mul", [glance, "two"], f"double_{number}")
        glance = node("Add", [double, bit], f"glance_{number}")
    seen = node("Gather", ["glances", glance], "seen")
    node("Sum", ["whole", "piece", seen], "values")
    graph = helper.make_graph(
        nodes,
        "xiangqi_policy",
        [helper.make_tensor_value_info("planes", TensorProto.INT64, ["n", 3, 90])],
        [helper.make_tensor_value_info("values", TensorProto.FLOAT, ["n", len(MOVES)])],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
        doc_string=f"Policy of xiangqi, {units} units: logits of moves as their mover sees them.",
    )
    file = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    for key, value in metadata.items():
        file.metadata_props.add(key=key, value=value)
    onnx.checker.check_model(file)
    part = path.with_suffix(".part")
    onnx.save(file, part)
    part.replace(path)


def _quantised(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights as int8 with a scale a column."""
    scale = np.maximum(np.abs(matrix).max(0), 1e-6).astype(np.float32) / 127
    return np.rint(matrix / scale).astype(np.int8), scale
