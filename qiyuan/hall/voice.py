"""The clips that the hall speaks with where a browser has no Chinese voice of its own.

``python -m qiyuan.hall.voice`` makes them again with espeak-ng: ``static/voice.wav``, all words
one after the other, and ``static/voice.json``, where each of them lies. The page cuts a sentence
into these words, the longest first, and plays them without a gap.

They are given in pinyin, because the sound depends on the game: 车 is *ju* here and 将 has one
tone as a piece and another in 将军.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qiyuan.exit_codes import ExitCode

DIGITS = {
    "1": "yi1", "2": "er4", "3": "san1", "4": "si4", "5": "wu3",
    "6": "liu4", "7": "qi1", "8": "ba1", "9": "jiu3",
}  # fmt: skip
WORDS = {
    # pieces
    "帅": "shuai4", "将": "jiang4", "仕": "shi4", "士": "shi4", "相": "xiang4", "象": "xiang4",
    "马": "ma3", "车": "ju1", "炮": "pao4", "兵": "bing1", "卒": "zu2",
    # numbers and points; a third tone before another third tone rises
    **DIGITS,
    **{zh: DIGITS[digit] for zh, digit in zip("一二三四五六七八九", DIGITS, strict=True)},
    "10": "shi2", **{f"1{one}": f"shi2 {text}" for one, text in DIGITS.items()},
    **{letter: letter for letter in "ABCDEFGHIJKLMNOPQ"},
    "马五": "ma2wu3", "马5": "ma2wu3", "马九": "ma2jiu3", "马9": "ma2jiu3",
    # ways and places
    "进": "jin4", "退": "tui4", "平": "ping2", "前": "qian2", "中": "zhong1", "后": "hou4",
    "走到": "zou3dao4", "跳到": "tiao4dao4", "连跳": "lian2tiao4", "次": "ci4",
    "停一着": "ting2yi4zhao1",
    # seats
    "红方": "hong2 fang1", "黑方": "hei1 fang1", "白方": "bai2 fang1", "橙方": "cheng2 fang1",
    "浅蓝方": "qian3 lan2 fang1", "深蓝方": "shen1 lan2 fang1", "黄方": "huang2 fang1",
    # calls
    "吃": "chi1", "将军": "jiang1jun1", "开局": "kai1ju2", "请走棋": "qing2zou3qi2",
    "该您走了": "gai1nin2zou3le5", "已经悔棋": "yi3jing1hui2qi2", "提出": "ti2chu1",
    "建议": "jian4yi4", "建议走": "jian4yi4 zou3", "建议下": "jian4yi4 xia4",
    "第": "di4", "名": "ming2", "全部到家": "quan2bu4dao4jia1",
    # results, as `qikit.Termination` and the hall word them
    "胜": "sheng4", "和棋": "he2qi2", "您赢了": "nin2ying2le5", "电脑赢了": "dian4nao3ying2le5",
    "将死": "jiang1si3", "困毙": "kun4bi4", "长将": "chang2jiang1", "长捉": "chang2zhuo1",
    "循环犯规": "xun2huan2 fan4gui1", "循环作和": "xun2huan2 zuo4he2",
    "自然限着": "zi4ran2xian4zhao1", "对方认输": "dui4fang1 ren4shu1", "认输": "ren4shu1",
    "双方均无可能取胜": "shuang1fang1 jun1wu2ke3neng2qu3sheng4",
    "双方同意": "shuang1fang1 tong2yi4",
    "五连": "wu3lian2", "禁手": "jin4shou3", "满盘": "man3pan2",
    "占满对面阵地": "zhan4man3dui4mian4zhen4di4",
}  # fmt: skip
"""Word -> its clips: pinyin with tone numbers (5 = light), or a letter; blanks between clips."""

VOICES = ("cmn-latn-pinyin", "en")
"""espeak-ng's voice that reads pinyin (those for characters know too few), and that for letters."""
PACE = 150
"""Words a minute: slow enough for old ears."""
RATE = 16_000
"""Samples a second that are kept: enough for every sound of speech."""
LOUDNESS = 0.16
"""Root mean square of every clip, full scale = 1."""
SILENCE = 0.01
"""What is quieter than this at either end is cut off."""
FADE = 0.004
"""Seconds over which an end fades, so that nothing clicks."""

Sound = NDArray[np.float64]
FOLDER = Path(__file__).parent / "static"


class NoSpeaker(RuntimeError):
    """espeak-ng is not on this machine or cannot speak."""


def speaker() -> str:
    """Name and version of the program that speaks, as kept beside the clips.

    Raises:
        NoSpeaker: it is missing.
    """
    return _espeak("--version").decode().partition("  ")[0].strip()


def spoken(text: str) -> Sound:
    """One clip, pinyin or a capital letter, as samples of -1 to 1, :data:`RATE` a second.

    Raises:
        NoSpeaker: espeak-ng is missing or fails.
    """
    voice = VOICES[text.isupper()]
    data = _espeak("-v", voice, "-s", str(PACE), "--stdout", text)
    start = data.index(b"data") + 8  # the header of a stream does not know its length
    made = np.frombuffer(data[start:], "<i2").astype(np.float64) / 32768
    return trimmed(resampled(made, int.from_bytes(data[24:28], "little"), RATE))


def resampled(sound: Sound, rate: int, wanted: int) -> Sound:
    """A sound at a lower rate; what that cannot hold is left out.

    >>> wave = np.sin(2 * np.pi * 50 * np.arange(2000) / 2000)
    >>> np.allclose(resampled(wave, 2000, 1000), wave[::2])
    True
    """
    count = len(sound) * wanted // rate
    waves = np.fft.rfft(sound)[: count // 2 + 1]
    lower: Sound = np.fft.irfft(waves, count) * (count / len(sound))
    return lower


def trimmed(sound: Sound) -> Sound:
    """A sound without the silence around it, equally loud, its ends faded.

    >>> tone = np.concatenate([np.zeros(500), 0.3 * np.sin(np.arange(4000)), np.zeros(900)])
    >>> short = trimmed(tone)
    >>> 3990 <= len(short) <= 4000, round(float(np.sqrt((short**2).mean())), 2)
    (True, 0.16)
    """
    loud = np.flatnonzero(np.abs(sound) > SILENCE)
    cut = sound[loud[0] : loud[-1] + 1].copy()
    ramp = np.linspace(0.0, 1.0, int(FADE * RATE))
    cut[: len(ramp)] *= ramp
    cut[-len(ramp) :] *= ramp[::-1]
    cut *= min(LOUDNESS / np.sqrt((cut**2).mean()), 1.0 / np.abs(cut).max())
    return cut


def clips() -> tuple[bytes, bytes]:
    """The sounds as WAV (mono, 8 bits), and JSON that says where the clips of each word lie.

    Raises:
        NoSpeaker: espeak-ng is missing or fails.
    """
    places: dict[str, tuple[int, int]] = {}
    sounds: list[Sound] = []
    at = 0
    for text in dict.fromkeys(part for parts in WORDS.values() for part in parts.split()):
        sounds.append(spoken(text))
        places[text] = at, len(sounds[-1])
        at += len(sounds[-1])
    index = {
        "made_with": speaker(),
        "rate": RATE,
        "words": {word: [places[text] for text in parts.split()] for word, parts in WORDS.items()},
    }
    table = json.dumps(index, ensure_ascii=False, separators=(",", ":")) + "\n"
    return _wav(sounds), table.encode()


def _wav(sounds: Sequence[Sound]) -> bytes:
    samples = np.concatenate(sounds)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(1)
        out.setframerate(RATE)
        out.writeframes(np.round(128 + 127 * samples).astype(np.uint8).tobytes())
    return file.getvalue()


def _espeak(*arguments: str) -> bytes:
    program = shutil.which("espeak-ng")
    if program is None:
        raise NoSpeaker("没有 espeak-ng，请先安装 (install espeak-ng first)")
    done = subprocess.run([program, *arguments], capture_output=True, check=False)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip()
        raise NoSpeaker(f"espeak-ng 没有成功 (failed): {why}")
    return done.stdout


def main() -> int:
    """Make the clips again."""
    try:
        sound, index = clips()
    except NoSpeaker as error:
        print(f"错误：{error}", file=sys.stderr)
        return ExitCode.MISSING
    (FOLDER / "voice.wav").write_bytes(sound)
    (FOLDER / "voice.json").write_bytes(index)
    print(f"{len(WORDS)} 个词 words, {len(sound) // 1024} KB")
    return ExitCode.OK


if __name__ == "__main__":
    sys.exit(main())
