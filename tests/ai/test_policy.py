"""The policy network: its view of boards and moves, torch against onnxruntime, and its training."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ai.search.xiangqi import policy
from ai.search.xiangqi.policy import MOVES, Policy, outputs, sights
from qikit.kernels import load
from tests.ai.test_network import boards
from xiangqi import Board, Move
from xiangqi.fen import Setup
from xiangqi.geometry import mirror_square
from xiangqi.pieces import ADVISOR, BISHOP, KNIGHT, ROOK

MODELS = Path(__file__).parents[2] / "ai" / "models"
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="needs the extra [train]")


def codes_of(moves: list[Move]) -> np.ndarray[Any, Any]:
    return np.array([start | goal << 7 for start, goal in moves])


def mirrored(move: Move) -> Move:
    return Move(mirror_square(move[0]), mirror_square(move[1]))


def test_moves_are_what_pieces_can_do_on_some_board() -> None:
    """By the rules' own targets: a piece alone among the generals, from each of its points."""
    found = set()
    own_half = {ADVISOR: (3, 5, 13, 21, 23), BISHOP: (2, 6, 18, 22, 26, 38, 42)}
    for kind in (ROOK, KNIGHT, ADVISOR, BISHOP):
        for sq in own_half.get(kind, range(90)):
            for king, other in ((0, 89), (3, 86), (5, 84), (13, 76)):
                codes = np.zeros(90, np.uint8)
                codes[king], codes[other] = 1, 9
                if codes[sq]:
                    continue
                codes[sq] = kind
                state = np.empty(load("xiangqi.kernel").STATE_SIZE, np.int64)
                load("xiangqi.kernel").setup(codes, 0, state)
                low, high = load("xiangqi.kernel").targets(state, sq)
                bits = low | high << 45
                found |= {(sq, goal) for goal in range(90) if bits >> goal & 1}
    assert found == set(MOVES)
    assert len(MOVES) == 2062


def test_every_legal_move_has_an_output_of_its_own() -> None:
    for board in boards(300, seed=11):
        moves = codes_of(list(board.legal_moves))
        king = board.king(board.turn)
        assert king is not None
        for sight in sights(king, board.turn):
            numbers = outputs()[sight, moves]
            assert (numbers >= 0).all()
            assert len(set(numbers.tolist())) == len(moves)


def test_planes_are_the_board_as_its_mover_sees_it() -> None:
    see = load("ai.search.xiangqi.policy.kernel").see
    for board in boards(60, seed=12):
        planes = np.empty((3, 90), np.int64)
        us = board.turn
        for sight in (us, us + 2):
            see(board._state, sight, planes)
            for sq in range(90):
                at = 89 - sq if us else sq
                at = mirror_square(at) if sight & 2 else at
                piece = board.piece_at(sq)
                code = 0 if piece is None else piece.piece_type + 7 * (piece.color != us)
                attackers = (board.attackers(1 - us, sq), board.attackers(us, sq))
                counts = [min(len(each), 2) for each in attackers]
                assert planes[:, at].tolist() == [code, *counts]


def random_model(seed: int) -> Any:
    import torch

    from ai.training.xiangqi.policy.learning import build

    torch.manual_seed(seed)
    model = build()
    for table in (model.going, model.glance):
        torch.nn.init.normal_(table)
    return model


@pytest.fixture(scope="module")
def rows() -> np.ndarray[Any, Any]:
    """Positions of random games; the best move is one that takes something, if there is one."""
    from ai.training.xiangqi.rows import BEST, COLUMNS, SIDE

    found = np.zeros((600, COLUMNS), np.int16)
    for row, board in zip(found, boards(600, seed=13), strict=True):
        moves = list(board.legal_moves)
        best = max(moves, key=lambda move: (board.is_capture(move), move))
        row[:90], row[SIDE], row[BEST] = board.codes, board.turn, best[0] | best[1] << 7
    return found


@pytest.fixture(scope="module")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("torch") is None:
        pytest.skip("needs the extra [train]")
    from ai.training.xiangqi.policy.export import write

    path = tmp_path_factory.mktemp("policy") / "random.onnx"
    write(random_model(3), path, {"game": "xiangqi"})
    return path


@needs_torch
def test_torch_and_onnxruntime_agree(network_file: Path, rows: np.ndarray[Any, Any]) -> None:
    import torch

    from ai.training.xiangqi.policy.learning import samples

    planes, numbers, _, _ = samples(rows[:200])
    with torch.no_grad():
        theirs = random_model(3)(planes, numbers.long().clamp(min=0)).numpy()
    net = Policy(network_file)
    for row, values, known in zip(rows, theirs, numbers.numpy(), strict=False):
        board = Board.from_setup(Setup(row[:90].astype(np.uint8), int(row[90])))
        moves = list(board.legal_moves)
        king = board.king(board.turn)
        assert king is not None
        sight = sights(king, board.turn)[0]
        seen = np.empty((1, 3, 90), np.int64)
        load("ai.search.xiangqi.policy.kernel").see(board._state, sight, seen[0])
        ours = net._session.run(None, {"planes": seen})[0][0, outputs()[sight, codes_of(moves)]]
        assert (known >= 0).sum() == len(moves)
        assert np.abs(ours - values[: len(moves)]).max() < 0.1, "int8 loses little"


@pytest.fixture(params=["random", "shipped"])
def net(request: pytest.FixtureRequest) -> Policy:
    if request.param == "random":
        return Policy(request.getfixturevalue("network_file"))
    found = policy.shipped()
    assert found is not None, "a policy ships"
    return found


def test_probabilities_are_of_legal_moves_and_sum_to_one(net: Policy) -> None:
    for board in boards(60, seed=14):
        before = board.fen()
        chances = net.probabilities(board)
        assert chances.shape == (len(board.legal_moves),)
        assert abs(chances.sum() - 1) < 1e-9
        assert (chances > 0).all()
        some = list(board.legal_moves)[:3]
        assert np.allclose(
            net.probabilities(board, some), chances[: len(some)] / chances[: len(some)].sum()
        )
        assert board.fen() == before
    assert net.probabilities(Board("3k5/4P4/9/9/9/9/9/9/9/5K3 b")).size == 0


def test_mirrored_and_turned_boards_get_the_same_answers(net: Policy) -> None:
    for board in boards(60, seed=15):
        moves = list(board.legal_moves)
        values = net.logits(board, moves)
        assert np.array_equal(values, net.logits(board.mirror(), [mirrored(m) for m in moves]))
        turned = [Move(89 - start, 89 - goal) for start, goal in moves]
        assert np.array_equal(values, net.logits(board.swap_colors(), turned))


def test_the_shipped_policy_is_small_and_has_a_card() -> None:
    path = MODELS / policy.FILE
    assert path.stat().st_size <= 1_000_000
    assert "self-play" in path.with_suffix(".md").read_text("utf-8")


def test_the_shipped_policy_takes_what_hangs() -> None:
    found = policy.shipped()
    assert found is not None
    board = Board("3k5/4a4/9/r8/9/9/9/R8/4A4/4K4 w")
    chances = found.probabilities(board)
    likeliest = list(board.legal_moves)[int(chances.argmax())]
    assert str(likeliest) == "a2a6"


def test_a_file_of_another_network_is_refused(tmp_path: Path) -> None:
    from ai.training.xiangqi.export import write
    from tests.ai.test_network import random_weights

    write(random_weights(1), tmp_path / "other.onnx", {})
    with pytest.raises(ValueError, match="网络形状不符"):
        Policy(tmp_path / "other.onnx")


def test_without_onnxruntime_there_is_no_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    policy.shipped.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    try:
        assert policy.shipped() is None
    finally:
        policy.shipped.cache_clear()


@needs_torch
def test_samples_name_the_best_move(rows: np.ndarray[Any, Any]) -> None:
    from ai.training.xiangqi.policy.learning import _mirror, samples
    from ai.training.xiangqi.rows import BEST

    planes, numbers, place, both = samples(rows)
    for row, known, at in zip(rows, numbers.numpy(), place.tolist(), strict=True):
        board = Board.from_setup(Setup(row[:90].astype(np.uint8), int(row[90])))
        king = board.king(board.turn)
        assert king is not None
        sight = sights(king, board.turn)[0]
        assert known[at] == outputs()[sight, row[BEST]]
    again = _mirror(*_mirror(planes, numbers, both), both)
    assert (again[0] == planes).all()
    assert (again[1] == numbers).all()
    # a mirrored sample is the sample of the mirrored board
    flipped = rows.copy()
    flipped[:, :90] = rows[:, :90].reshape(-1, 10, 9)[:, :, ::-1].reshape(-1, 90)
    best = [mirrored(Move(code & 127, code >> 7)) for code in rows[:, BEST].tolist()]
    flipped[:, BEST] = codes_of(best)
    seen = samples(flipped)
    turned = _mirror(planes, numbers, both)
    assert (seen[0] == turned[0]).all()
    assert (np.sort(seen[1].numpy()) == np.sort(turned[1].numpy())).all()


@needs_torch
def test_learning_learns_and_goes_on_from_its_checkpoint(
    tmp_path: Path, rows: np.ndarray[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from ai.training.xiangqi.policy import learning as training

    monkeypatch.setattr(training, "BATCH", 32)
    data = training.samples(rows)
    before = training.accuracy(training.build(), data)
    whole = training.learn(rows, tmp_path / "a", epochs=3)
    after = training.accuracy(whole, data)
    assert after["loss"] < before["loss"] - 0.5
    assert after["top1"] > 0.3
    saved, stopped = torch.save, tmp_path / "b"

    def stop_after_one(state: dict[str, object], path: Path) -> None:
        saved(state, path)
        if state["epoch"] == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", stop_after_one)
    with pytest.raises(KeyboardInterrupt):
        training.learn(rows, stopped, epochs=3)
    monkeypatch.undo()
    monkeypatch.setattr(training, "BATCH", 32)
    resumed = training.learn(rows, stopped, epochs=3)
    for one, two in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, two), "stopping changes nothing"


@needs_torch
def test_one_command_makes_a_policy(tmp_path: Path, rows: np.ndarray[Any, Any]) -> None:
    from qiyuan.commands.train import command

    ship, played = tmp_path / "ship", tmp_path / "training" / "positions" / "positions-00001.npz"
    ship.mkdir()
    played.parent.mkdir(parents=True)
    np.savez_compressed(played, rows=rows)
    arguments = ["--part", "policy", "--files", "1", "--epochs", "1", "--jobs", "1"]
    arguments += ["--folder", str(tmp_path / "training"), "--ship", str(ship)]
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert result.exit_code == 0, result.output
    path = ship / policy.FILE
    assert Policy(path).probabilities(Board()).shape == (44,)
    assert "held out" in path.with_suffix(".md").read_text("utf-8")
