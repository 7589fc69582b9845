"""Whatever a parser is given, it answers or raises one of our errors: nothing else comes out.

Some hundreds of generated inputs a parser by default, 100,000 in the full suite.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qikit import GameError
from tests.xiangqi.boards import boards
from tests.xiangqi.positions import START, reference_fens
from xiangqi import Board, Move
from xiangqi.encoding import decode
from xiangqi.fen import parse_fen
from xiangqi.notation import (
    chinese,
    iccs,
    is_move_text,
    parse_any,
    parse_chinese,
    parse_coordinates,
    parse_san,
    parse_wxf,
    san,
    split_moves,
    uci,
    wxf,
)
from xiangqi.pgn import dumps, loads
from xiangqi.records import read

RECORDS = Path(__file__).parents[2] / ".." / "shared" / "data" / "xiangqi_records" / "pgn"
SAMPLES = (
    '[Game "Chinese Chess"]\n[Event "甲"]\n[FEN "4k4/9/9/9/9/9/9/9/4P4/4K4 b"]\n{评}\n'
    "  1. ... 将5进1\n  2. 兵五进一 $1 (2. 帅五进一 将5退1 {变}) 将5平6! 1-0 {红胜}\n=====\n广告\n",
    "1. C2=5 h8+7 2. H2+3 r9.8 *\n\n1. Che2 Hg7 {+0,10/7} 2. Hg2 Rh9\n",
    "position startpos moves h2e2 h9g7 h0g2 i9h9\nposition fen 3k5/6P2/2P3P2/2P3P2/9/9/9/9/9/4K4 w"
    " - - 0 1 moves 33.4 K4+1 后兵平四 将5平4",
)
MOVE_SIGNS = (
    "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前中后後进進退平一二三四五六七八九１２３４５６７８９123456789"
    "KABNRCPEHkabnrcpeh+-=.．＋－＝xabcdefghi0#!?— 　"
)
FRAGMENTS = (
    *('[Event "x"]\n', '[FEN "4k4/9/9/9/9/9/9/9/4P4/4K4 b"]\n', '[FEN "', '[Result "1-0"]\n'),
    *("{", "}", "(", ")", "（", ";", "\n", "\r\n", " ", "$1", "$", "=====\n", "1-0", "*", "红胜"),
    *("1.", "1. ", "2. ", "1...", "…", "12", "1)", "[", "]", '"', "\\", "�", "\0", "！"),
    *("炮二平五", "马8进7", "马２进３", "前炮退二", "一兵平五", "h2e2", "h9g7", "H2-E2", "h3h10"),
    *("C2=5", "h8+7", "33.4", "26=5", "Che2", "Hg7", "c4", "axa3", "position", "startpos", "fen"),
    *("moves", "4k4/9/9/9/9/9/9/9/4P4/4K4", " b - - 0 1", "欢迎", "炮二平五马8进7"),
)


@cache
def real_texts() -> tuple[str, ...]:
    """Own samples, and the public records where they are at hand."""
    files = sorted(RECORDS.glob("*.pgn")) if RECORDS.is_dir() else []
    return (*SAMPLES, *(decode(path.read_bytes()).text[:1500] for path in files))


@cache
def positions() -> tuple[Board, ...]:
    return tuple(boards(3, 12))


@cache
def real_moves() -> tuple[str, ...]:
    writers: tuple[Callable[[Board, Move], str], ...] = (
        chinese,
        wxf,
        san,
        lambda board, move: iccs(move),
        lambda board, move: uci(move, 1),
        lambda board, move: wxf(board, move, "2018"),
        lambda board, move: chinese(board, move, traditional=True, full_width=True),
    )
    return tuple(
        dict.fromkeys(
            write(board, move)
            for board in positions()
            for move in board.legal_moves
            for write in writers
        )
    )


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str], signs: str) -> str:
    """A real text with some places deleted, doubled, replaced or filled."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(text)))
        end = at + draw(st.integers(0, 4))
        new = draw(st.one_of(st.just(""), st.text(signs, max_size=3), st.just(text[at:end] * 2)))
        text = text[:at] + new + text[end:]
    return text


@st.composite
def mutated_bytes(draw: st.DrawFn) -> bytes:
    """A real text in some encoding with some bytes changed."""
    encoding = draw(st.sampled_from(("utf-8", "utf-8-sig", "gb18030", "big5", "utf-16", "latin-1")))
    data = draw(st.sampled_from(real_texts())).encode(encoding, "replace")
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.binary(max_size=3)) + data[at + draw(st.integers(0, 3)) :]
    return data


def read_everything(text: str) -> None:
    for game in loads(text):
        for notation in ("chinese", "wxf2018", "san"):
            assert dumps(game, notation)


def read_move(where: tuple[int, str]) -> None:
    number, text = where
    board = positions()[number]
    is_move_text(text)
    assert "".join(split_moves(text)) == text
    for parse in (parse_any, parse_chinese, parse_coordinates, parse_san, parse_wxf):
        with contextlib.suppress(GameError):
            assert parse(board, text) in board.legal_moves


def read_bytes(source: tuple[bytes, str | None]) -> None:
    data, encoding = source
    assert read(data, encoding)


FENS = st.sampled_from((START, *reference_fens()))
MOVES = st.one_of(
    st.text(MOVE_SIGNS, max_size=8),
    mutated(st.deferred(lambda: st.sampled_from(real_moves())), MOVE_SIGNS),
    st.text(max_size=12),
)
PARSERS: dict[str, tuple[st.SearchStrategy, Callable]] = {
    "fen": (
        st.one_of(
            mutated(FENS, "kabnrcpKABNRCPEHGSMehgsm123456789/ wbr-_[]0"),
            st.text("kabnrcpKABNRCPEHGSM123456789/ wbr-_[]", max_size=120),
            st.text(max_size=100),
        ),
        lambda text: (parse_fen(text), Board(text)),
    ),
    "move": (st.tuples(st.integers(0, 11), MOVES), read_move),
    "pgn": (
        st.one_of(
            mutated(
                st.deferred(lambda: st.sampled_from(real_texts())), '{}()[]"; \n.1炮马8进7*$h2e'
            ),
            st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join),
            st.text(max_size=80),
        ),
        read_everything,
    ),
    "move list": (
        st.lists(
            st.one_of(MOVES, st.deferred(lambda: st.sampled_from(real_moves()))), max_size=12
        ).map(" ".join),
        read_everything,
    ),
    "bytes": (
        st.tuples(
            st.one_of(mutated_bytes(), st.binary(max_size=200)),
            st.sampled_from(
                (None, None, None, "gb18030", "utf-8", "big5", "latin-1", "utf-16", "rot13", "x")
            ),
        ),
        read_bytes,
    ),
}


def fuzz(name: str, examples: int) -> None:
    inputs, parse = PARSERS[name]

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(inputs)
    def check(value: object) -> None:
        with contextlib.suppress(GameError):
            parse(value)

    check()


@pytest.mark.parametrize("name", PARSERS)
def test_generated_inputs(name: str) -> None:
    fuzz(name, 300)


@pytest.mark.full
@pytest.mark.parametrize("name", PARSERS)
def test_100000_generated_inputs(name: str) -> None:
    fuzz(name, 100_000)
