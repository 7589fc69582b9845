"""``qiyuan judge``: the printed ruling, its inputs, its refusals."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arbiter.ruling import program_version
from qikit.errors import InvalidRecord
from qiyuan.commands.judge import command
from qiyuan.exit_codes import ExitCode
from qiyuan.recordfile import LARGEST

SNAPSHOT = Path(__file__).with_name("disputed.txt")
CHECK = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1"
CHECKING = "d9e9 d4e4 e9d9 e4d4"


def run(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(command, list(arguments), input=data)


def test_the_bundled_game_is_ruled_on_as_printed():
    """Read a change of this file as an arbiter would."""
    result = run()
    assert result.exit_code == ExitCode.OK
    assert result.stdout == SNAPSHOT.read_text("utf-8").replace("{version}", program_version())


def test_every_kind_of_input_gives_the_same_ruling(tmp_path):
    moves = " ".join([CHECKING] * 4)
    pgn = f'[Game "Chinese Chess"]\n[FEN "{CHECK}"]\n\n{moves}\n'.encode()
    path = tmp_path / "game.pgn"
    path.write_bytes(pgn)
    typed = run("--fen", CHECK, "--moves", moves)
    filed = run(str(path))
    piped = run("-", data=pgn)
    assert typed.exit_code == filed.exit_code == piped.exit_code == ExitCode.OK
    assert typed.stdout == filed.stdout == piped.stdout
    assert "判红方负" in typed.stdout


def test_a_chinese_record_in_an_old_encoding(tmp_path):
    path = tmp_path / "game.txt"
    path.write_bytes("1. 炮二平五 马８进７\n2. 马二进三 车９平８".encode("gb18030"))
    result = run(str(path), "--json")
    assert json.loads(result.stdout)["plies"] == 4


def test_json_is_one_line_a_game():
    result = run("--json")
    [line] = result.stdout.splitlines()
    data = json.loads(line)
    assert data["verdict"] == "black_loses"
    assert data["rule_ids"] == ["S0-XQ-37"]
    assert data["defects"] == []
    two = run("-", "--json", data=b'[Red "a"]\n\n1. h2e2 *\n\n[Red "b"]\n\n1. h2e2 h9g7 *\n')
    assert [json.loads(line)["plies"] for line in two.stdout.splitlines()] == [1, 2]


def test_rules_and_settings():
    assert "棋例 axf" in run("--rules", "axf").stdout
    moves = " ".join([CHECKING] * 3)
    early = run("--fen", CHECK, "--moves", moves, "--set", "perpetual_check_after_loops=3")
    assert "判红方负" in early.stdout
    warned = run("--fen", CHECK, "--moves", moves, "--set", "perpetual_check_warned=true")
    assert "红方必须变着" in warned.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rules", "fide"),
        ("--set", "nonsense"),
        ("--set", "no_such=1"),
        ("--set", "grace_loops=x"),
        ("game.pgn", "--moves", "h2e2"),
        ("--nonsense",),
    ],
)
def test_a_wrong_command_line(arguments):
    assert run(*arguments).exit_code == ExitCode.USAGE


def test_an_illegal_move_is_told_and_the_rest_ruled_on():
    moves = " ".join([CHECKING] * 4 + ["d9d8"])
    for result in (
        run("--fen", CHECK, "--moves", moves),
        run("-", data=f'[FEN "{CHECK}"]\n\n{moves}'.encode()),
    ):
        assert result.exit_code == ExitCode.BAD_INPUT
        assert "判红方负" in result.stdout
        assert "注意" in result.stderr
        assert "第 17 着" in result.stderr
        assert "d9d8" in result.stderr
    data = json.loads(run("--fen", CHECK, "--moves", moves, "--json").stdout)
    assert data["defects"][0]["ply"] == 17


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "空"),
        (b" \n\n", "空"),
        (b"\xff\xfe\x00", "标准输入"),
        (b"XQ\x12" + bytes(2000), "标准输入"),
        (b"this is no game at all", "标准输入"),
        (bytes(1000), "标准输入"),
        (b"1. no game, but prose: 2. with numbers, and d9 in it", "不像棋谱"),
        (random.Random(12).randbytes(60000), "不像棋谱"),
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(data, words):
    result = run("-", data=data)
    assert isinstance(result.exception, InvalidRecord)
    assert words in str(result.exception)


def test_files_that_cannot_be_read(tmp_path):
    cases = {
        "没有这个文件": tmp_path / "missing.pgn",
        "是空的": tmp_path / "empty.pgn",
        "超过": tmp_path / "huge.pgn",
        "打不开": Path("a\0b"),
    }
    (tmp_path / "empty.pgn").touch()
    with (tmp_path / "huge.pgn").open("wb") as file:
        file.truncate(LARGEST + 1)
        file.seek(0)
        file.write(b"1. h2e2")
    for words, path in cases.items():
        result = run(str(path))
        assert isinstance(result.exception, InvalidRecord), (path, result.exception)
        assert words in str(result.exception)
        assert str(result.exception).count("：") == 1


def test_a_wrong_encoding_is_refused_or_told():
    data = "1. 炮二平五 马８进７".encode("gb18030")
    unknown = run("-", "--encoding", "no-such-codec", data=data)
    assert isinstance(unknown.exception, InvalidRecord)
    garbled = run("-", "--encoding", "utf-8", data=data)
    assert isinstance(garbled.exception, InvalidRecord)
    assert "编码" in str(garbled.exception)


@pytest.mark.parametrize("fen", ["", "nonsense", "4k4/9/9/9/9/9/9/9/9/4K4 w", "9/" * 400])
def test_a_wrong_position_is_refused(fen):
    result = run("--fen", fen)
    assert isinstance(result.exception, ValueError)
    assert str(result.exception)


# ---------------------------------------------------------------- what an arbiter does with a game

CHASE = ("--fen", "4k4/9/9/9/R8/9/5n3/9/9/3K5 w", "--moves", " ".join(["a5a3 f3g5 a3a5 g5f3"] * 3))


def test_an_override_on_the_command_line():
    result = run(*CHASE, "--rules", "axf", "--override", "3=闲:黑马有根")
    assert result.exit_code == ExitCode.OK
    assert "判和棋" in result.stdout
    assert "裁判认定为闲：黑马有根（程序判为捉）" in result.stdout
    data = json.loads(run(*CHASE, "--rules", "axf", "--override", "3=X:y", "--json").stdout)
    assert data["overrides"][0]["nature"] == "idle"


def test_a_correction_on_the_command_line():
    result = run("--moves", "炮二平五 马8进7 马二进三 车9平2 车一平二", "--correct", "4=车9平8")
    assert result.exit_code == ExitCode.OK
    assert "第 4 着：棋谱为 车9平2，更正为 车9平8" in result.stdout
    assert "第 5 着走完" in result.stdout
    stopped = run("--moves", "炮二平五 马8进7 炮五进四", "--correct", "1=兵七进一")
    assert stopped.exit_code == ExitCode.BAD_INPUT
    assert "第 3 着" in stopped.stderr
    assert "炮五进四" in stopped.stderr


def test_claims_on_the_command_line():
    text = run(*CHASE, "--rules", "axf", "--claim", "黑@8=repetition", "--claim", "红=must_change")
    assert "黑方提出：循环反复，请求裁定。成立" in text.stdout
    assert "红方提出：对方应变着。不成立" in text.stdout
    data = json.loads(run(*CHASE, "--claim", "red=natural_limit", "--json").stdout)
    assert data["claims"][0]["foul"]["rule_id"] == "S0-XQ-34"


def test_forbidden_moves_on_the_command_line():
    moves = " ".join([CHECKING] * 4)[: -len(" e4d4")]
    result = run("--fen", CHECK, "--moves", moves, "--forbidden")
    assert "forbidden now: e4d4" in result.stdout
    data = json.loads(run("--fen", CHECK, "--forbidden", "--json").stdout)
    assert data["forbidden"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--override", "3=飞:x"), "3=飞:x"),
        (("--override", "99=闲:x"), "没有第 99 着"),
        (("--correct", "3"), "PLY=MOVE"),
        (("--correct", "3=车一进九"), "更正第 3 着"),
        (("--claim", "谁=repetition"), "SIDE@PLY=WHAT"),
        (("--claim", "red@99=repetition"), "没有第 99 着"),
    ],
)
def test_what_an_arbiter_mistypes(arguments, words):
    result = run(*CHASE, *arguments)
    assert isinstance(result.exception, ValueError)
    assert words in str(result.exception)


def test_one_game_of_a_collection():
    two = b'[Red "a"]\n\n1. h2e2 *\n\n[Red "b"]\n\n1. h2e2 h9g7 *\n'
    [line] = run("-", "--game", "2", "--json", data=two).stdout.splitlines()
    assert (json.loads(line)["game"], json.loads(line)["plies"]) == (2, 2)
    assert run("-", "--game", "3", data=two).exit_code == ExitCode.USAGE
    assert run("-", "--forbidden", data=two).exit_code == ExitCode.USAGE
    assert run("-", "--correct", "1=h2d2", "--correct", "1=h2e2", data=two).exit_code == 2


def test_a_report_is_written_once(tmp_path):
    pytest.importorskip("jinja2", reason="Jinja2 is not installed")
    path = tmp_path / "r.html"
    assert run("--report", str(path)).exit_code == ExitCode.OK
    assert "判黑方负" in path.read_text("utf-8")
    assert isinstance(run("--report", str(path)).exception, InvalidRecord)
    assert run("--report", str(path), "--force").exit_code == ExitCode.OK
    assert run("--report", str(tmp_path / "r.doc")).exit_code == ExitCode.USAGE
    assert isinstance(run("--report", str(tmp_path / "no" / "r.html")).exception, InvalidRecord)
