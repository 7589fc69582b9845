"""The network of 象棋: what the search computes incrementally is what onnxruntime computes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from ai import Budget
from ai.search.xiangqi import Brain, layout
from ai.search.xiangqi.network import Network, read
from ai.search.xiangqi.squares import square_values
from ai.training.xiangqi.export import DIVISOR, write
from ai.training.xiangqi.features import NONE, dense, views
from ai.training.xiangqi.learning import squares_by_feature
from qikit.kernels import load
from xiangqi import Board

ort = pytest.importorskip("onnxruntime")
MODELS = Path(__file__).parents[2] / "ai" / "models"


def random_weights(seed: int) -> dict[str, Any]:
    """Weights of the sizes that training gives, unlike each other everywhere."""
    random = np.random.default_rng(seed)
    return {
        "features": random.integers(-120, 121, (layout.FEATURES, layout.HIDDEN)).astype(np.int16),
        "feature_bias": random.integers(-80, 200, layout.HIDDEN).astype(np.int16),
        "output": random.integers(-400, 401, (layout.BUCKETS, 2, layout.HIDDEN)).astype(np.int16),
        "squares": np.rint(squares_by_feature()[: layout.FEATURES]).astype(np.int16),
        "output_bias": random.integers(-20_000, 20_000, layout.BUCKETS),
    }


@pytest.fixture(scope="module", params=["random", "shipped"])
def network_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "shipped":
        path = MODELS / "xiangqi.onnx"
        if not path.exists():
            pytest.skip("no network of 象棋 ships yet")
        return path
    path = tmp_path_factory.mktemp("network") / "random.onnx"
    write(random_weights(1), path, {"game": "xiangqi"})
    return path


def boards(count: int, seed: int) -> list[Board]:
    """Positions of random games, all with counters at their start."""
    random, found = Random(seed), []
    while len(found) < count:
        board = Board()
        for _ in range(150):
            moves = list(board.legal_moves)
            if not moves:
                break
            takes = [move for move in moves if board.is_capture(move)]
            board.push_unchecked(random.choice(takes or moves if random.random() < 0.3 else moves))
            if random.random() < 0.3 and len(board.legal_moves):
                found.append(Board(board.fen(counters=False)))
    return found[:count]


def by_onnxruntime(path: Path, seen: list[Board]) -> np.ndarray[Any, Any]:
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    own, other = views(np.array([b.codes for b in seen]), np.array([b.turn for b in seen]))
    score: np.ndarray[Any, Any] = session.run(None, {"own": dense(own), "other": dense(other)})[0]
    return score[:, 0]


def agree(path: Path, count: int) -> None:
    seen = boards(count, seed=2)
    brain = Brain(hash_size=1, network=read(path))
    ours = np.array([brain.evaluate(board) for board in seen])
    theirs = by_onnxruntime(path, seen)
    assert np.array_equal(ours, np.clip(theirs, -20_000, 20_000))
    assert len(set(ours.tolist())) > count / 10


def test_both_compute_the_same(network_file: Path) -> None:
    agree(network_file, 2000)


@pytest.mark.full
def test_both_compute_the_same_on_ten_thousand_positions(network_file: Path) -> None:
    agree(network_file, 10_000)


def test_accumulators_of_a_search_are_those_of_a_fresh_start(network_file: Path) -> None:
    """After each move of a long random game, brought up from the entries before or made anew."""
    network = read(network_file)
    kernel: Any = load("ai.search.xiangqi.kernel")
    brain, fresh = Brain(hash_size=1, network=network), Brain(hash_size=1, network=network)
    random = Random(7)
    thread = brain._threads[0]
    for _ in range(12):
        board = Board()
        brain.prepare(board)
        kernel.judge(thread.work, brain._net, thread.sums, 0)
        for ply in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = random.choice(moves)
            kernel._play(thread.work, ply, move.from_square | move.to_square << 7)
            board.push(move)
            if random.random() < 0.5:
                value = kernel.judge(thread.work, brain._net, thread.sums, ply + 1)
                plain = Board(board.fen(counters=False))
                clock = board.halfmove_clock
                whole = fresh.evaluate(plain)
                assert value == whole * (240 - min(clock, 120)) // 240


def test_metadata_and_shapes_are_checked(tmp_path: Path) -> None:
    import onnx

    path = tmp_path / "other.onnx"
    weights = random_weights(2)
    write(weights, path, {"game": "xiangqi", "version": "1"})
    assert {p.key: p.value for p in onnx.load(path).metadata_props}["game"] == "xiangqi"
    network = read(path)
    assert isinstance(network, Network)
    assert network.divisor == DIVISOR
    assert np.array_equal(network.weights[layout.BIAS_ROW], weights["feature_bias"])
    assert np.array_equal(network.values, square_values())
    model = onnx.load(path)
    del model.graph.initializer[0]
    onnx.save(model, path)
    with pytest.raises(ValueError, match="缺少权重"):
        read(path)


def test_views_are_symmetric() -> None:
    """Turned boards look the same to their movers; mirrored ones too, but for a middle general."""
    for board in boards(60, seed=3):
        codes, turn = board.codes[None], np.array([board.turn])
        own, other = views(codes, turn)
        swapped = board.swap_colors()
        again = views(swapped.codes[None], np.array([swapped.turn]))
        assert set(own[0]) == set(again[0][0])
        assert set(other[0]) == set(again[1][0])
        assert (own[0] != NONE).sum() == len(board.piece_map())
        king = board.king(board.turn)
        assert king is not None
        if king % 9 != 4:
            mirrored = board.mirror()
            seen = views(mirrored.codes[None], np.array([mirrored.turn]))[0]
            assert set(own[0]) == set(seen[0])


def test_a_search_with_a_network_repeats(network_file: Path) -> None:
    network = read(network_file)
    answers = []
    for _ in range(2):
        thoughts = Brain(hash_size=1, network=network).think(Board(), Budget(nodes=5000))
        answers.append((thoughts[0].move, thoughts[0].score, thoughts[0].line))
    assert answers[0] == answers[1]
