"""Files damaged in every way: what comes out is games or a refusal, soon and within bounds."""

from __future__ import annotations

import gzip
import random
import resource
import struct
import time
from functools import cache

import pytest

from qikit import GameError, InvalidRecord
from tests.xiangqi.game_trees import seeded
from tests.xiangqi.record_files import cbf, cbl, cbr, heading
from tests.xiangqi.test_records import RECORDS
from xiangqi import Board, Game, records, xqf
from xiangqi.records import read, to_bytes

FENS = (None, "2b6/3ka4/2Pab4/5Np2/9/6P2/9/3A5/4A4/4K4 w", "4k4/4a4/9/9/9/9/9/4p4/4A4/3K1R3 b")
SIZES = (-1, 0, 1, 0x7F, 0xFF, 0xFFFF, 2**31 - 1, -(2**31), 2**30, 10**6)


@cache
def sound_files() -> tuple[bytes, ...]:
    """Files of every format, most of them small, as our writers and builders make them."""
    rng = random.Random(4)
    files = []
    for seed in range(12):
        fen = FENS[seed % 3]
        game = seeded(seed, 8 + 5 * (seed % 4), None if fen is None else Board(fen))
        game.headers["Event"] = "第一届公开赛"
        for version in (0x0A, 0x0B, 0x12):
            files.append(xqf.write(game, version=version, secret=rng.randbytes(8)).data)
        files.append(cbr(game))
        files.append(cbf(game))
        files.append(to_bytes(game, "dhtmlxq").data)
        files.append(to_bytes(game, "dhtmlxq", encoding="gb18030").data)
        files.append(to_bytes([game, seeded(seed + 50)], "pgn", notation="iccs").data)
        files.append(to_bytes(game, "moves", encoding="gb18030").data)
    library = cbl([heading("甲组"), cbr(seeded(1)), cbr(seeded(2))])
    files.append(library[:64] + library[101952:])  # the index, which no reader needs, left out
    files.append(gzip.compress(files[0]))
    return tuple(files)


@cache
def all_files() -> tuple[bytes, ...]:
    """The sound files, and the public records where they are at hand."""
    paths = sorted(RECORDS.glob("[cdx]*/*.[cux]*")) if RECORDS.is_dir() else []
    small = [path for path in paths if path.suffix != ".gz"]
    return (*sound_files(), *(path.read_bytes() for path in small))


def damaged(rng: random.Random) -> bytes:
    """A file with one to six faults."""
    files = all_files()
    data = bytearray(rng.choice(files))
    for _ in range(rng.randint(1, 6)):
        size = len(data)
        # most faults where it matters: in the header, or behind it
        at = rng.randrange(min(size, 64) if rng.random() < 0.2 else size) if size else 0
        kind = rng.randrange(8)
        if kind == 0 and size:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and size:
            data[at] = rng.randrange(256)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            data[at:at] = rng.randbytes(rng.randint(1, 40))
        elif kind == 4:
            del data[at : at + rng.randint(1, 40)]
        elif kind == 5:
            data[at : at + 4] = struct.pack("<i", rng.choice(SIZES))
        elif kind == 6:
            other = rng.choice(files)
            data[: min(at, len(other))] = other[: min(at, len(other))]
        else:
            data[at:at] = data[at : at + rng.randint(1, 400)]
    return bytes(data)


def check(seed: int, count: int) -> None:
    rng = random.Random(seed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    read_games = 0
    for number in range(count):
        data = damaged(rng)
        encoding = rng.choice((None,) * 8 + ("gb18030", "big5", "utf-16", "cp1258", "hex"))
        began = time.process_time()
        try:
            games = read(data, encoding)
        except GameError:
            games = []
        else:
            assert games
        for game in games[:3]:
            read_games += 1
            for form in rng.sample(("pgn", "dhtmlxq", "xqf", "moves"), 1):
                assert to_bytes(game, form, encoding="utf-8").data
        spent = time.process_time() - began
        assert spent < 20, f"{spent:.1f} s CPU for file {number} of seed {seed}"
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 300_000, f"{grown} KiB more"
    assert read_games > count // 3


def test_damaged_files() -> None:
    check(1, 1_500)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_100000_damaged_files(seed: int) -> None:
    check(100 + seed, 10_000)


def test_every_sound_file_reads_without_a_defect() -> None:
    for data in sound_files():
        assert all(not game.defects for game in read(data)), data[:60]


def test_packed_files() -> None:
    game = seeded(3)
    data = to_bytes(game, "pgn").data
    packed = gzip.compress(data)
    assert read(packed) == read(data)
    long = to_bytes([seeded(seed) for seed in range(30)], "pgn").data
    packed = gzip.compress(long)
    half = read(packed[: len(packed) // 2])
    assert half[:5] == read(long)[:5]
    assert "压缩文件损坏" in half[-1].defects[-1].reason
    for broken in (packed[:12], b"\x1f\x8b" + bytes(50)):
        with pytest.raises(InvalidRecord, match="压缩文件损坏"):
            read(broken)


def test_a_packed_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_UNPACKED", 2**20)
    with pytest.raises(InvalidRecord, match="解压后超过 1 MB"):
        read(gzip.compress(bytes(2**24)))


def test_as_many_records_as_fit_in_a_library_take_no_long_time() -> None:
    began = time.process_time()
    magic = b"CCBridge Record\0"
    data = b"CCBridgeLibrary\0" + magic * 200_000
    with pytest.raises(InvalidRecord):
        read(data)
    [game] = read(data + cbr(Game.from_moves(["h2e2"])))
    assert "200000" in game.defects[0].reason
    assert time.process_time() - began < 20
