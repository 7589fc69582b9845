"""What the hall says: a clip for every move and result, and the page plays the right ones."""

from __future__ import annotations

import io
import json
import re
import wave
from importlib.resources import files
from typing import Any

import httpx
import numpy as np
import pytest

from qikit.outcome import Termination
from qiyuan.hall import voice
from tests.hall.conftest import Hall
from tests.xiangqi.boards import boards

STATIC = files("qiyuan.hall.static")


def index() -> Any:
    return json.loads((STATIC / "voice.json").read_text("utf-8"))


def samples() -> np.ndarray:
    """All clips, full scale = 1, and with them the format of the file."""
    with wave.open(io.BytesIO((STATIC / "voice.wav").read_bytes())) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 1)
        assert file.getframerate() == index()["rate"]
        data = file.readframes(file.getnframes())
    return (np.frombuffer(data, np.uint8).astype(float) - 128) / 127


def texts() -> set[str]:
    """What moves are called in positions of random games, and in composed ones full of pawns."""
    return {board.chinese(move) for board in boards(9, 400) for move in board.legal_moves}


def cut(text: str) -> bool:
    """Whether a text is made of words that there are clips of."""
    one = "|".join(map(re.escape, index()["words"]))
    return re.fullmatch(f"(?:{one})+", text) is not None


def test_every_move_can_be_spoken() -> None:
    found = texts()
    assert len(found) > 400
    assert {text[0] for text in found} >= set("帅将仕士相象马车炮兵卒前中后一二三四五")
    assert [text for text in found if not cut(text)] == []


def test_every_result_can_be_spoken() -> None:
    """The page says 绝杀 for 将死, and 您赢了 or 红方 胜 for who has won."""
    first = list(Termination).index(Termination.INSUFFICIENT_MATERIAL)
    words = [one.zh for one in list(Termination)[: first + 1] if one is not Termination.CHECKMATE]
    words += ["红方胜", "黑方胜", "和棋", "绝杀", "您赢了", "电脑赢了", "对方认输", "双方同意和棋"]
    assert [text for text in words if not cut(text)] == []


def test_the_clips_are_sound() -> None:
    """Each lies in the file, is a second or three at most, loud, and begins and ends in silence."""
    sound, rate = samples(), index()["rate"]
    assert index()["words"].keys() == voice.WORDS.keys()
    assert len(sound) < 800_000
    for word, (start, length) in index()["words"].items():
        clip = sound[start : start + length]
        assert len(clip) == length, word
        assert 0.2 < length / rate < 3, word
        assert 0.08 < np.sqrt((clip**2).mean()) < 0.2, word
        assert np.abs(clip[[0, -1]]).max() < 0.02, word
    spans = sorted({tuple(span) for span in index()["words"].values()})
    ends = [start + length for start, length in spans]
    assert [start for start, _ in spans] == [0, *ends[:-1]]
    assert ends[-1] == len(sound)


def test_the_clips_can_be_made_again() -> None:
    try:
        program = voice.speaker()
    except voice.NoSpeaker as error:
        pytest.skip(str(error))
    if program != index()["made_with"]:
        pytest.skip(f"this is {program}, the clips are by {index()['made_with']}")
    sound, table = voice.clips()
    assert table == (STATIC / "voice.json").read_bytes()
    assert sound == (STATIC / "voice.wav").read_bytes()


def test_without_espeak_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert voice.main() == 4
    assert "espeak-ng" in capsys.readouterr().err


def test_the_clips_are_served_as_sound(hall: Hall) -> None:
    answer = httpx.get(f"{hall.url}/static/voice.wav")
    assert answer.headers["content-type"] == "audio/wav"
    assert answer.content[:4] == b"RIFF"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "media-src" not in policy  # clips come by fetch, from the page's own host only
