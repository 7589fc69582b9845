"""``qiyuan convert``: formats, encodings, what it tells, what it never overwrites."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qikit import InvalidRecord
from qiyuan import recordfile
from qiyuan.commands import convert, judge
from qiyuan.exit_codes import ExitCode
from tests.xiangqi.game_trees import seeded, shape
from tests.xiangqi.record_files import cbf, cbl, cbr, heading
from xiangqi import Move
from xiangqi.records import NOTATIONS, WRITERS, read, to_bytes, write


def run(*arguments: object, data: bytes | None = None) -> Result:
    return CliRunner().invoke(convert.command, [str(item) for item in arguments], input=data)


def test_the_options_name_what_the_library_can_write() -> None:
    assert set(convert.FORMATS) == set(WRITERS)
    assert set(convert.NOTATIONS) == set(NOTATIONS)


@pytest.mark.parametrize("ending", [".pgn", ".ubb", ".xqf", ".PGN"])
def test_every_readable_format_into_every_one_with_trees(tmp_path: Path, ending: str) -> None:
    game = seeded(5)
    sources = [to_bytes(game, form).data for form in ("pgn", "dhtmlxq", "xqf")]
    for number, data in enumerate([*sources, cbr(game), cbl([heading("甲"), cbr(game)])]):
        source = tmp_path / f"{number}.any"
        source.write_bytes(data)
        target = tmp_path / f"{number}{ending}"
        result = run(source, target)
        assert result.exit_code == ExitCode.OK, result.output
        [again] = read(target)
        assert shape(again) == shape(game)
    assert not list(tmp_path.glob(".*"))


def test_notations_and_encodings(tmp_path: Path) -> None:
    source = tmp_path / "a.cbf"
    source.write_bytes(cbf(seeded(5)))
    for notation in NOTATIONS:
        result = run(source, tmp_path / f"{notation}.txt", "--notation", notation)
        assert result.exit_code == ExitCode.OK
        assert "存不下" in result.stderr
        assert read(tmp_path / f"{notation}.txt")[0].moves() == seeded(5).moves()
    target = tmp_path / "gbk.pgn"
    assert run(source, target, "--encoding", "gb18030").exit_code == ExitCode.OK
    assert "甲" in target.read_bytes().decode("gb18030")
    back = run(target, "-", "--format", "pgn", "--from-encoding", "gb18030")
    assert back.stdout_bytes.decode("utf-8").startswith('[Game "Chinese Chess"]')
    for name in ("no-such-codec", "latin-1"):
        refused = run(source, tmp_path / "x.pgn", "--encoding", name)
        assert isinstance(refused.exception, InvalidRecord)
    assert not (tmp_path / "x.pgn").exists()


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    source, target = tmp_path / "a.pgn", tmp_path / "b.pgn"
    write(source, seeded(1))
    target.write_bytes(b"precious")
    refused = run(source, target)
    assert isinstance(refused.exception, InvalidRecord)
    assert "--force" in str(refused.exception)
    assert target.read_bytes() == b"precious"
    assert run(source, target, "--force").exit_code == ExitCode.OK
    assert read(target) == read(source)
    assert run(source, source, "--force").exit_code == ExitCode.OK
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pgn", "b.pgn"]


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "b.pgn"
    target.write_bytes(b"precious")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recordfile.os, "fsync", fail)
    for force in (True, False):
        with pytest.raises(InvalidRecord, match=r"No space left"):
            recordfile.write_file(target if force else tmp_path / "c.pgn", b"new", force=force)
    assert [path.name for path in tmp_path.iterdir()] == ["b.pgn"]
    assert target.read_bytes() == b"precious"


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(recordfile.os, "link", refuse)
    recordfile.write_file(tmp_path / "a", b"1")
    with pytest.raises(InvalidRecord, match="--force"):
        recordfile.write_file(tmp_path / "a", b"2")
    assert (tmp_path / "a").read_bytes() == b"1"
    assert len(list(tmp_path.iterdir())) == 1


def test_several_games(tmp_path: Path) -> None:
    source = tmp_path / "all.cbl"
    source.write_bytes(cbl([cbr(seeded(seed)) for seed in range(12)]))
    refused = run(source, tmp_path / "one.xqf")
    assert isinstance(refused.exception, InvalidRecord)
    assert "--game" in str(refused.exception)
    assert run(source, tmp_path / "one.xqf", "--game", 3).exit_code == ExitCode.OK
    assert shape(read(tmp_path / "one.xqf")[0]) == shape(seeded(2))
    assert isinstance(run(source, tmp_path / "x.xqf", "--game", 13).exception, InvalidRecord)
    assert run(source, tmp_path / "all.ubb").exit_code == ExitCode.OK
    assert len(read(tmp_path / "all.ubb")) == 12
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run(source, folder, "--format", "xqf").exit_code == ExitCode.OK
    names = sorted(path.name for path in folder.iterdir())
    assert names[0] == "all-01.xqf"
    assert len(names) == 12
    assert shape(read(folder / "all-12.xqf")[0]) == shape(seeded(11))


def test_what_is_damaged_is_told_and_the_rest_converted(tmp_path: Path) -> None:
    game = seeded(2)
    game.end().add_unchecked(Move(0, 89))
    source, target = tmp_path / "a.xqf", tmp_path / "a.pgn"
    source.write_bytes(to_bytes(game, "xqf").data)
    result = run(source, target)
    assert result.exit_code == ExitCode.BAD_INPUT
    assert "a0i9" in result.stderr
    assert read(target)[0].moves() == game.moves()[:-1]


def test_refusals(tmp_path: Path) -> None:
    source = tmp_path / "a.pgn"
    write(source, seeded(1))
    for arguments in ((source, tmp_path / "b.doc"), (source, "-"), (source,)):
        assert run(*arguments).exit_code == ExitCode.USAGE
    for arguments in (
        (tmp_path / "missing.pgn", tmp_path / "b.pgn"),
        (tmp_path, tmp_path / "b.pgn"),
        (source, tmp_path / "no-folder" / "b.pgn"),
        (source, "a\0.pgn"),
    ):
        assert isinstance(run(*arguments).exception, InvalidRecord)


def test_standard_input_and_output() -> None:
    data = to_bytes(seeded(4), "xqf").data
    result = run("-", "-", "--format", "dhtmlxq", data=data)
    assert result.exit_code == ExitCode.OK
    assert shape(read(result.stdout_bytes)[0]) == shape(seeded(4))


def test_judge_reads_every_format(tmp_path: Path) -> None:
    game = seeded(6)
    plies = {}
    for name, data in {
        "xqf": to_bytes(game, "xqf").data,
        "ubb": to_bytes(game, "dhtmlxq").data,
        "cbr": cbr(game),
        "cbl": cbl([heading("甲"), cbr(game)]),
        "cbf": cbf(game),
        "pgn": to_bytes(game, "pgn").data,
    }.items():
        path = tmp_path / f"game.{name}"
        path.write_bytes(data)
        result = CliRunner().invoke(judge.command, [str(path)])
        assert result.exit_code == ExitCode.OK, name
        plies[name] = result.stdout
    assert len(set(plies.values())) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    """A program run by root once replaced a device by a file of the same name."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        recordfile.write_file(pipe, b"game", force=True)
        assert read.result(20) == b"game"
    assert pipe.is_fifo()
