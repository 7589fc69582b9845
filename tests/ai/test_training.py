"""Training: self-play rows, resuming, learning, export and the deciding match, all in small."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ai.search.xiangqi.network import read
from ai.training.xiangqi import positions
from ai.training.xiangqi.features import dense, views
from ai.training.xiangqi.rows import BEST, CALM, RESULT, SIDE, VALUE
from xiangqi import Board, Move
from xiangqi.fen import Setup


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "CHUNK", 400)


def test_rows_are_positions_and_repeat() -> None:
    rows = positions.play_chunk(3, 60)
    assert np.array_equal(rows, positions.play_chunk(3, 60))
    assert not np.array_equal(rows[:50], positions.play_chunk(4, 60)[:50])
    assert len(rows) >= 400
    for row in rows[::20]:
        board = Board.from_setup(Setup(row[:90].astype(np.uint8), int(row[SIDE])))
        best = int(row[BEST])
        move = Move(best & 127, best >> 7)
        assert move in board.legal_moves
        assert row[CALM] == (not board.is_check() and not row[best >> 7])
        assert abs(int(row[VALUE])) < 1800
        assert row[RESULT] in (-1, 0, 1)
    won = rows[rows[:, RESULT] != 0]
    if len(won) > 100:
        assert np.mean(np.sign(won[:, VALUE]) == won[:, RESULT]) > 0.5, "results fit the values"


def test_a_rerun_makes_only_what_is_missing(tmp_path: Path) -> None:
    files = positions.gather(tmp_path, 2, nodes=40, seed=9)
    first = files[0].read_bytes()
    stamp = files[0].stat().st_mtime_ns
    files[1].unlink()
    again = positions.gather(tmp_path, 2, nodes=40, seed=9)
    assert again == files
    assert files[0].stat().st_mtime_ns == stamp
    assert files[0].read_bytes() == first
    assert len(positions.read(files)) >= 800


def test_others_may_play(tmp_path: Path) -> None:
    alone = positions.gather(tmp_path / "alone", 3, nodes=40, seed=9)
    with ThreadPoolExecutor(2) as executor:
        shared = positions.gather(
            tmp_path / "shared", 3, nodes=40, seed=9, executor=executor, width=2
        )
    for one, two in zip(alone, shared, strict=True):
        assert one.read_bytes() == two.read_bytes()


def test_learning_goes_on_from_its_checkpoint_and_exports(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    ort = pytest.importorskip("onnxruntime")
    from ai.training.xiangqi import learning
    from ai.training.xiangqi.export import integers, write

    rows = positions.play_chunk(5, 60)
    whole = learning.learn(rows, tmp_path / "a", epochs=3)
    saved = torch.save
    stopped = tmp_path / "b"

    def stop_after_one(state: dict[str, object], path: Path) -> None:
        saved(state, path)
        if state["epoch"] == 1:
            raise KeyboardInterrupt

    torch.save = stop_after_one
    try:
        with pytest.raises(KeyboardInterrupt):
            learning.learn(rows, stopped, epochs=3)
    finally:
        torch.save = saved
    resumed = learning.learn(rows, stopped, epochs=3)
    for one, two in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, two), "stopping changes nothing"

    path = tmp_path / "small.onnx"
    write(integers(whole), path, {"game": "xiangqi"})
    calm = rows[rows[:, CALM] == 1][:200]
    own, other = views(calm[:, :SIDE], calm[:, SIDE])
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    exported = session.run(None, {"own": dense(own), "other": dense(other)})[0][:, 0]
    with torch.no_grad():
        real = whole(*(torch.from_numpy(x.astype(np.int64)) for x in (own, other))).numpy()
    gap = np.abs(exported - real)
    assert gap.mean() < 5, "whole numbers lose little"
    assert gap.max() < 20
    read(path)


def test_the_whole_recipe(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [train]")
    from ai.training.xiangqi.recipe import Recipe, train

    said: list[str] = []
    recipe = Recipe(files=1, nodes=40, epochs=1, games=2, match_nodes=60)
    path, trial = train(tmp_path, recipe, say=said.append)
    assert path.exists()
    assert trial.better is None, "two games decide nothing"
    card = (tmp_path / "xiangqi.md").read_text("utf-8")
    assert "own self-play" in card
    assert said
