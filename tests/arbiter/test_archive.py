"""Archives: every planted loop found and none invented, resumed after a kill, bad files told."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arbiter.archive import Rules, judge_portion, pattern, portions
from qikit.errors import InvalidRecord
from qiyuan import archive
from qiyuan import workers as pools
from qiyuan.commands.judge import command
from qiyuan.exit_codes import ExitCode
from tests.arbiter import archives
from tests.arbiter.games import CHASE, CHASING, played
from xiangqi import records

RECORDS = Path(__file__).parents[3] / "shared" / "data" / "xiangqi_records"
ENDS = ("checkmate", "stalemate", "insufficient_material")
GOOD = b'[Red "a"]\n\n1. h2e2 h9g7 *\n'


def workers(kind):
    """What stands in for the processes of this machine."""
    return lambda jobs: nullcontext(pools.Workers(lambda: kind(1), 4))


@pytest.fixture
def threads(monkeypatch):
    """One thread instead of processes."""
    monkeypatch.setattr(pools, "processes", workers(ThreadPoolExecutor))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, list(map(str, arguments)))


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def found(path: Path) -> dict[tuple[str, int], int]:
    """The first ruling on repetition by file and game."""
    plies = {}
    for row in rows(path):
        due = [event for event in row["events"] if event["termination"] not in ENDS]
        if due:
            plies[row["file"], row["game"]] = due[0]["ply"]
            if due[0]["occurrences"] == 5:  # unilateral check waits for the fifth occurrence
                assert "将将" in due[0]["pattern"]
                plies[row["file"], row["game"]] -= 4
    return plies


def check_planted(folder: Path, seed: int, games: int, planted: int, *options: str) -> None:
    truth = archives.write(folder, seed, games, planted)
    assert len(truth) == planted
    out = folder.parent / "results.jsonl"
    result = run(folder, "--out", out, *options)
    assert result.exit_code == ExitCode.OK, result.output
    assert len(rows(out)) == games
    assert found(out) == truth
    assert f"{games} 局；{planted} 局有应作的裁定" in result.output


def test_planted_loops_are_found_and_none_invented(tmp_path, threads):
    (tmp_path / "a").mkdir()
    check_planted(tmp_path / "a", 7, 100, 10)


@pytest.mark.full
def test_two_thousand_games(tmp_path):
    (tmp_path / "a").mkdir()
    check_planted(tmp_path / "a", 8, 2000, 200, "--jobs", "2")


def judge_process(folder: Path, out: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "qiyuan", "judge", str(folder), "--out", str(out)]
    return subprocess.Popen([*command, "--jobs", "1"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)  # fmt: skip


def test_a_killed_run_goes_on_to_the_same_result(tmp_path, threads):
    """The rerun is a process too; the run in one go is made here, by a thread."""
    folder, out = tmp_path / "a", tmp_path / "results.jsonl"
    folder.mkdir()
    archives.write(folder, 9, 80, 8)
    journal = archive.journal_of(out)
    process = judge_process(folder, out)
    while process.poll() is None and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not out.exists()
    kept = journal.read_bytes().count(b"\n")
    assert 0 < kept < 80
    with journal.open("ab") as file:
        file.write(b'{"file": "torn')
    assert judge_process(folder, out).wait() == ExitCode.OK
    assert not journal.exists()
    whole = tmp_path / "whole.jsonl"
    assert run(folder, "--out", whole).exit_code == ExitCode.OK
    assert out.read_bytes() == whole.read_bytes()


def test_a_rerun_judges_only_what_changed(tmp_path, threads, monkeypatch):
    folder, out = tmp_path / "a", tmp_path / "results.jsonl"
    folder.mkdir()
    for name in "xyz":
        (folder / f"{name}.pgn").write_bytes(GOOD * 3)
    assert run(folder, "--out", out).exit_code == ExitCode.OK
    before = out.read_bytes()
    judged = []

    def watch(portion):
        judged.append(portion.file)
        return judge_portion(portion)

    monkeypatch.setattr(archive, "judge_portion", watch)
    assert run(folder, "--out", out).exit_code == ExitCode.OK
    assert (judged, out.read_bytes()) == ([], before)
    (folder / "y.pgn").write_bytes(GOOD)
    assert run(folder, "--out", out).exit_code == ExitCode.OK
    assert judged == [(folder / "y.pgn").as_posix()]
    assert Counter(Path(row["file"]).name for row in rows(out)) == {
        "x.pgn": 3,
        "y.pgn": 1,
        "z.pgn": 3,
    }
    judged.clear()
    assert run(folder, "--out", out, "--rules", "axf").exit_code == ExitCode.OK
    assert len(judged) == 3
    assert {row["rules"] for row in rows(out)} == {"axf"}
    (folder / "z.pgn").unlink()
    assert run(folder, "--out", out, "--rules", "axf").exit_code == ExitCode.OK
    assert len(rows(out)) == 4


BAD = {
    "empty.pgn": b"",
    "noise.bin": bytes(range(256)) * 40,
    "zeros": bytes(5000),
    "text.md": b"# this is no game at all\n",
    "cut.xqf": b"XQ\x12" + bytes(300),
    "cut.pgn.gz": gzip.compress(GOOD * 50)[:60],
    "bad-fen.pgn": b'[FEN "nonsense"]\n\n1. h2e2 *\n',
}


def test_one_bad_file_never_stops_the_rest(tmp_path, threads):
    folder, out = tmp_path / "a", tmp_path / "results.jsonl"
    folder.mkdir()
    for name, data in BAD.items():
        (folder / name).write_bytes(data)
    (folder / "good.pgn").write_bytes(GOOD * 2)
    (folder / "illegal.pgn").write_bytes(b"1. h2e2 h9g7 2. h2e2 a9a8 *")
    (folder / ".hidden.pgn").write_bytes(GOOD)
    os.mkfifo(folder / "pipe")
    result = run(folder, "--out", out)
    assert result.exit_code == ExitCode.BAD_INPUT
    by_file = {}
    for row in rows(out):
        by_file.setdefault(Path(row["file"]).name, []).append(row)
    assert set(by_file) == {*BAD, "good.pgn", "illegal.pgn"}
    for name in ("empty.pgn", "noise.bin", "zeros", "text.md"):
        [row] = by_file[name]
        assert (row["verdict"], row["game"]) == ("unreadable", 0)
        assert row["error"]
        assert "程序出错" not in row["error"]
        assert name in result.stderr
    assert [row["verdict"] for row in by_file["good.pgn"]] == ["ongoing", "ongoing"]
    assert "第 3 着" in by_file["illegal.pgn"][0]["defects"][0]
    assert by_file["bad-fen.pgn"][0]["defects"]
    again = out.read_bytes()
    assert run(folder, "--out", out).exit_code == ExitCode.BAD_INPUT
    assert out.read_bytes() == again


def test_a_fault_over_one_game_is_its_row(tmp_path, threads, monkeypatch):
    import arbiter.archive

    def fail(game, *_, **__):
        if game.headers["Red"] == "b":
            raise RuntimeError("boom")
        return judge(game, *_, **__)

    judge = arbiter.archive.judge
    monkeypatch.setattr(arbiter.archive, "judge", fail)
    (tmp_path / "x.pgn").write_bytes(GOOD + GOOD.replace(b'"a"', b'"b"') + GOOD)
    assert run(tmp_path / "x.pgn", "--out", tmp_path / "r.jsonl").exit_code == ExitCode.BAD_INPUT
    assert [bool(row["error"]) for row in rows(tmp_path / "r.jsonl")] == [False, True, False]


class Mortal(ThreadPoolExecutor):
    """Dies over a game of Red named "killer", and everything under way with it."""

    def submit(self, call, portion):
        if any('"killer"' in text for text in portion.data):
            future = Future()
            future.set_exception(BrokenExecutor("a worker died"))
            return future
        return super().submit(call, portion)


def test_a_dying_worker_costs_one_game(tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "processes", workers(Mortal))
    text = GOOD * 40 + GOOD.replace(b'"a"', b'"killer"') + GOOD * 40
    (tmp_path / "x.pgn").write_bytes(text)
    result = run(tmp_path / "x.pgn", "--out", tmp_path / "r.jsonl")
    assert result.exit_code == ExitCode.BAD_INPUT
    made = rows(tmp_path / "r.jsonl")
    assert [row["game"] for row in made] == list(range(1, 82))
    assert [row["game"] for row in made if row["error"]] == [41]
    assert "意外终止" in made[40]["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("a", "b"),
        ("folder",),
        ("--out", "r.jsonl"),
        ("x.pgn", "--out", "r.jsonl", "--json"),
        ("x.pgn", "--out", "r.jsonl", "--override", "3=闲:x"),
        ("x.pgn", "--jobs", "2"),
        ("empty", "--out", "r.jsonl"),
        ("x.pgn", "--out", "r.jsonl", "--jobs", "0"),
        ("x.pgn", "--out", "r.jsonl", "--rules", "nonsense"),
    ],
)
def test_a_wrong_command_line(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.pgn").write_bytes(GOOD)
    assert run(*arguments).exit_code == ExitCode.USAGE


def test_result_files_that_cannot_be(tmp_path, threads):
    game = tmp_path / "x.pgn"
    game.write_bytes(GOOD)
    other = tmp_path / "other.jsonl"
    other.write_text("my own notes\n")
    cases = {
        "没有这个文件或文件夹": (tmp_path / "missing", "--out", tmp_path / "r.jsonl"),
        "结尾": (game, "--out", tmp_path / "r.txt"),
        "不覆盖": (game, "--out", other),
        "写不了": (game, "--out", tmp_path / "no" / "r.jsonl"),
        "调度器": (game, "--out", tmp_path / "r.jsonl", "--scheduler", "nonsense"),
    }
    for words, arguments in cases.items():
        result = run(*arguments)
        text = f"{result.exception}{result.output}"
        assert words in text or "pip install" in text, (words, text)
    assert other.read_text() == "my own notes\n"


def test_two_runs_do_not_write_one_result(tmp_path):
    pytest.importorskip("fcntl", reason="this system cannot lock files")
    out = tmp_path / "r.jsonl"
    with archive.Results(out), pytest.raises(ValueError, match="另一个进程"):
        archive.Results(out)


def test_parquet_holds_the_same(tmp_path, threads):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    folder = tmp_path / "a"
    folder.mkdir()
    archives.write(folder, 10, 12, 4)
    for name in ("r.jsonl", "r.parquet", "r.parquet"):
        assert run(folder, "--out", tmp_path / name).exit_code == ExitCode.OK
    flat = parquet.read_table(tmp_path / "r.parquet").to_pylist()
    plain = rows(tmp_path / "r.jsonl")
    nested = ("headers", "events")
    assert [row | {n: json.loads(row[n]) for n in nested} for row in flat] == plain


def test_parquet_without_pyarrow(tmp_path, threads, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "x.pgn").write_bytes(GOOD)
    result = run(tmp_path / "x.pgn", "--out", tmp_path / "r.parquet")
    assert result.exit_code == ExitCode.MISSING
    assert "qiyuan-games[archive]" in result.stderr


def test_a_dask_cluster_gives_the_same(tmp_path, threads):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    folder = tmp_path / "a"
    folder.mkdir()
    archives.write(folder, 11, 40, 4)
    assert run(folder, "--out", tmp_path / "here.jsonl").exit_code == ExitCode.OK
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,
        host="127.0.0.1", protocol="tcp",
    )  # fmt: skip
    with cluster:
        address = cluster.scheduler_address
        result = run(folder, "--out", tmp_path / "there.jsonl", "--scheduler", address)
    assert result.exit_code == ExitCode.OK, result.output
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


def test_every_place_where_a_ruling_was_due(tmp_path, threads):
    """Nobody noticed the first loop; the second one is found as well."""
    fen = "4k4/9/9/9/R8/9/5n3/8p/9/3K4R w - - 0 1"
    loop = "a5a3 f3g5 a3a5 g5f3 " * 3
    (tmp_path / "x.pgn").write_text(f'[FEN "{fen}"]\n\n{loop} i0i2 f3g5 i2i0 g5f3 {loop} *\n')
    run(tmp_path / "x.pgn", "--out", tmp_path / "r.jsonl", "--rules", "axf")
    [row] = rows(tmp_path / "r.jsonl")
    assert (row["verdict"], row["ply"]) == ("red_loses", 8)
    assert [event["ply"] for event in row["events"]] == [8, 23]


def test_a_pattern_does_not_depend_on_where_a_loop_is_entered():
    import arbiter

    seen = set()
    for lead in range(4):
        board = played(CHASE, [*CHASING[:lead]])
        game = board.copy(stack=False)
        for move in (CHASING[lead:] + CHASING[:lead]) * 2:
            game.push(move)
        seen.add(pattern(arbiter.judge(game, "axf").event))
    assert seen == {"红捉捉 黑闲闲"}


@pytest.mark.skipif(not RECORDS.is_dir(), reason="the shared game records are not here")
def test_texts_are_cut_where_the_reader_cuts_them():
    cut = 0
    for path in sorted(RECORDS.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        parts = list(portions("x", data, None, Rules("axf")))
        if isinstance(parts[0].data, bytes):
            continue
        games = [game for part in parts for text in part.data for game in records.loads(text)]
        if all(map(records.noise, games)):
            with pytest.raises(InvalidRecord):
                records.read(data)
            assert path.suffix in (".md", ".jsonl"), path.name
        else:
            assert games == records.read(data), path.name
        cut += 1
    assert cut > 10


def test_ctrl_c_keeps_what_is_done(tmp_path, threads, monkeypatch):
    def interrupt(portion):
        if portion.file.endswith("z.pgn"):
            raise KeyboardInterrupt
        return judge_portion(portion)

    folder, out = tmp_path / "a", tmp_path / "r.jsonl"
    folder.mkdir()
    for name in "xyz":
        (folder / f"{name}.pgn").write_bytes(GOOD)
    monkeypatch.setattr(archive, "judge_portion", interrupt)
    result = run(folder, "--out", out)
    assert "已中断" in result.stderr
    assert result.exit_code != ExitCode.OK
    assert not out.exists()
    assert archive.journal_of(out).read_bytes().count(b"\n") < 3
    monkeypatch.setattr(archive, "judge_portion", judge_portion)
    assert run(folder, "--out", out).exit_code == ExitCode.OK
    assert len(rows(out)) == 3


def test_a_folder_that_cannot_be_listed_is_a_row(tmp_path, threads, monkeypatch):
    folder, out = tmp_path / "a", tmp_path / "r.jsonl"
    (folder / "closed").mkdir(parents=True)
    (folder / "x.pgn").write_bytes(GOOD)
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert run(folder, "--out", out).exit_code == ExitCode.BAD_INPUT
    assert [row["verdict"] for row in rows(out)] == ["unreadable", "ongoing"]


def test_an_encoding_that_there_is_not(tmp_path, threads):
    (tmp_path / "x.pgn").write_bytes(GOOD)
    result = run(tmp_path / "x.pgn", "--out", tmp_path / "r.jsonl", "--encoding", "nonsense")
    assert isinstance(result.exception, ValueError)
    assert "nonsense" in str(result.exception)


def test_prose_is_no_game(tmp_path, threads):
    (tmp_path / "notes.txt").write_text("1. Bring the clocks.\n2. Lots are drawn at nine.\n")
    result = run(tmp_path / "notes.txt", "--out", tmp_path / "r.jsonl")
    assert result.exit_code == ExitCode.BAD_INPUT
    [row] = rows(tmp_path / "r.jsonl")
    assert row["verdict"] == "unreadable"
    assert "不像棋谱" in row["error"]
