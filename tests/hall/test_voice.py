"""What the hall says: a clip for every move and result, and the page plays the right ones."""

from __future__ import annotations

import io
import json
import re
import wave
from importlib.resources import files
from random import Random
from typing import Any

import httpx
import numpy as np
import pytest

from qikit.outcome import Termination
from qiyuan.hall import voice
from qiyuan.hall.faces import face
from qiyuan.hall.faces.checkers import COLORS
from tests.hall.conftest import Hall
from tests.hall.test_pages import play, said, two
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


def test_moves_of_other_games_can_be_spoken() -> None:
    """五子棋 and 跳棋 as the hall words them; 军棋 and 康乐棋 say too much for clips."""
    for game in ("gomoku", "checkers"):
        shape = face(game)
        rng = Random(3)
        options = shape.chosen({})
        board = shape.start("", options)
        said = {*shape.seats(board)}
        for _ in range(60):
            legal = list(board.legal_moves)
            said |= {shape.move_view(board, move)["zh"] for move in legal}
            board.push(rng.choice(legal))
        clauses = {part for text in said for part in text.replace(" ", "").split("，")}
        assert [text for text in clauses if not cut(text)] == []
    assert len(said) > 200
    assert all(cut(color) for color in COLORS)


def test_every_result_can_be_spoken() -> None:
    last = list(Termination).index(Termination.INSUFFICIENT_MATERIAL)
    words = [one.zh for one in list(Termination)[: last + 1]]
    words += [
        "红方胜",
        "黑方胜",
        "和棋",
        "您赢了",
        "电脑赢了",
        "红方认输",
        "黑方认输",
        "双方同意和棋",
    ]
    assert [text for text in words if not cut(text)] == []


def test_the_clips_are_sound() -> None:
    """Each lies in the file, is a second or three at most, loud, and begins and ends in silence."""
    sound, rate = samples(), index()["rate"]
    assert index()["words"].keys() == voice.WORDS.keys()
    assert len(sound) < 800_000  # bytes, too: it lies in the repository
    spans = sorted({tuple(span) for parts in index()["words"].values() for span in parts})
    for start, length in spans:
        clip = sound[start : start + length]
        assert len(clip) == length
        assert 0.15 < length / rate < 3
        assert 0.08 < np.sqrt((clip**2).mean()) < 0.2
        assert np.abs(clip[[0, -1]]).max() < 0.02
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


LISTEN = """() => {
  window.heard = []; window.gains = []; window.uttered = [];
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when, from, length) {
    heard.push([when, from, length]);
    return start.call(this, when, from, length);
  };
  const Gain = GainNode;
  window.GainNode = class extends Gain {
    constructor(context, options) { super(context, options); gains.push(options.gain); }
  };
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  speechSynthesis.speak = (words) => uttered.push(words);
}"""
VOICES = "(voices) => { speechSynthesis.getVoices = () => voices; }"


def until(page: Any, condition: str) -> None:
    """Wait; Playwright's own way needs eval, which the policy of our pages forbids."""
    for _ in range(400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {condition}")


class Ear:
    """What a page plays, as words."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate(LISTEN)

    def hears(self, *words: str) -> None:
        """Wait for the clips of these words, without a gap but between clauses (``/``)."""
        spans = index()["words"]
        clauses, rate = " ".join(words).split("/"), index()["rate"]
        wanted = [[span for word in clause.split() for span in spans[word]] for clause in clauses]
        flat = [span for clause in wanted for span in clause]
        until(self.page, f"heard.length >= {len(flat)}")
        heard = self.page.evaluate("heard.splice(0)")
        assert [[round(start * rate), round(length * rate)] for _, start, length in heard] == flat
        breaks = np.cumsum([len(clause) for clause in wanted])[:-1]
        ends = [when + length for when, _, length in heard]
        gaps = [later[0] - end for later, end in zip(heard[1:], ends, strict=False)]
        for number, gap in enumerate(gaps, 1):
            assert gap == pytest.approx(0.25 if number in breaks else 0, abs=1e-6), (words, number)


def test_the_page_speaks_moves_and_results(open_page: Any) -> None:
    """Clip by clip, without gaps; the switch and the volume are remembered."""
    page = open_page()
    ear = Ear(page)
    two(page)
    play(page, "h2e2")
    page.click("#more")
    page.click("#speech")
    ear.hears("请走棋")  # nothing was spoken before the switch
    play(page, "d9e8")
    ear.hears("黑方", "/", "士", "4", "进", "5")
    play(page, "e2e6")
    ear.hears("红方", "/", "炮", "五", "进", "四", "/", "吃", "卒", "/", "将军")
    page.click("#back")
    ear.hears("已经悔棋")
    page.click("#volume")
    ear.hears("请走棋")
    assert page.evaluate("gains.slice(-2)") == [0.6, 1]
    page.reload()
    page.locator("#moves button").nth(1).wait_for()
    ear = Ear(page)
    page.click("#more")
    assert page.text_content("#volume") == "音量：大"
    assert page.text_content("#speech") == "读棋：开"
    page.click("#draw")
    ear.hears("红方", "提出", "和棋")
    page.click("#ask-yes")
    ear.hears("和棋", "/", "双方同意", "和棋")
    assert page.evaluate("gains.at(-1)") == 1
    page.click("#speech")
    page.click("#back")
    said(page, "已经悔棋")
    assert page.evaluate("heard.length") == 0


def test_against_the_computer_its_moves_are_spoken(open_page: Any) -> None:
    page = open_page()
    ear = Ear(page)
    page.evaluate("localStorage.setItem('qiyuan.speech', 'true')")
    page.click("#start-computer")
    page.locator("#turn", has_text="您").wait_for()
    play(page, "a0a1")
    page.locator("#moves button").nth(1).wait_for()
    side, answer, *more = re.findall("[^：，。！ ]+", page.text_content("#say"))
    assert (side, answer) == ("黑方", page.locator("#moves button").nth(1).text_content())
    calls = [part for call in more for part in ("/", *(["将军"] if call == "将军" else call))]
    ear.hears(side, "/", *answer, *calls)
    page.click("#back")
    ear.hears("已经悔棋", "/", "该您走了")
    page.click("#more")
    page.click("#resign")
    page.click("#ask-yes")
    ear.hears("黑方", "胜", "/", "红方", "认输", "/", "电脑赢了")


def test_a_voice_of_this_machine_comes_first(open_page: Any) -> None:
    """None that sends the text to another host, none of another language, none of espeak."""
    page = open_page()
    ear = Ear(page)
    page.evaluate("localStorage.setItem('qiyuan.speech', 'true')")
    away = {"lang": "zh-CN", "localService": False, "name": "Cloud"}
    robot = {"lang": "zh-CN", "localService": True, "name": "Chinese (Mandarin) espeak-ng"}
    english = {"lang": "en-US", "localService": True, "name": "English"}
    canton = {"lang": "zh-HK", "localService": True, "name": "Sin-ji"}
    page.evaluate(VOICES, [away, robot, english, canton])
    two(page)
    play(page, "a0a1")
    ear.hears("红方", "/", "车", "九", "进", "一")
    moves = {"zh-CN": "a9a8", "zh_CN": "a1d1", "cmn-Hans-CN": "a8d8"}
    for lang, move in moves.items():
        native = {"lang": lang, "localService": True, "name": "Tingting"}
        page.evaluate(VOICES, [away, canton, native])
        play(page, move)
    until(page, "uttered.length == 3")
    spoken = page.evaluate("uttered.map((one) => [one.voice.lang, one.text])")
    texts = ("黑方：居1进1。", "红方：居九平六。", "黑方：居1平4。")
    assert spoken == [list(pair) for pair in zip(moves, texts, strict=True)]
    assert page.evaluate("heard.length") == 0


def test_the_page_cuts_texts_as_the_clips_need(open_page: Any) -> None:
    """Its way of cutting, the longest word first, loses no move; foreign clauses are left out."""
    page = open_page()
    moves = sorted(texts())
    found = page.evaluate(
        """async (texts) => {
          const { clauses } = await import('/static/voice.js');
          const { words } = await (await fetch('/static/voice.json')).json();
          return texts.map((text) => clauses(text, words));
        }""",
        [*moves, "黑方：马5进7。将军！ 您看，这步棋不好。", "", "橙方：C1 跳到 E12，连跳 3 次。"],
    )
    assert [["".join(words) for words in one] for one in found[:-3]] == [[one] for one in moves]
    assert found[-3:-1] == [[["黑方"], ["马5", "进", "7"], ["将军"]], []]
    assert found[-1] == [["橙方"], ["C", "1", "跳到", "E", "12"], ["连跳", "3", "次"]]
