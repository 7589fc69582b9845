"""``qiyuan endtable``: once, whole or not at all, and never twice."""

from __future__ import annotations

from math import comb
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from checkers.race import endtable
from qiyuan.commands.endtable import command


def test_table_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIYUAN_TABLES_DIR", str(tmp_path))
    built: list[int] = []

    def build(size: int, progress: object) -> np.ndarray:
        built.append(size)
        return np.zeros(comb(size, 10), np.uint8)  # the real one is checked in tests/checkers

    monkeypatch.setattr(endtable, "build", build)
    for expected in ("farthest", "already built"):
        result = CliRunner().invoke(command, [])
        assert result.exit_code == 0, result.output
        assert expected in result.output
    assert built == [28]
    assert [path.name for path in tmp_path.iterdir()] == ["checkers-10-in-28.npy"]
    assert CliRunner().invoke(command, ["--force"]).exit_code == 0
    assert built == [28, 28]
    assert CliRunner().invoke(command, ["--holes", "30"]).exit_code == 2
