"""FEN in every dialect, and what is said about texts that are none."""

from __future__ import annotations

import pytest

from qikit import InvalidPosition
from tests.twins import xiangqi as twin
from tests.xiangqi.positions import codes, reference_fens, sample
from xiangqi import BLACK, RED, START_FEN, Board
from xiangqi.fen import Setup, parse_fen, write_fen

PLACEMENT = START_FEN.split()[0]


def same(a: Setup, b: Setup) -> bool:
    return a.codes.tolist() == b.codes.tolist() and a[1:4] == b[1:4]


@pytest.mark.parametrize(
    "text",
    [
        START_FEN,
        PLACEMENT,
        f"{PLACEMENT} w",
        f"{PLACEMENT} r",
        f"{PLACEMENT} R",
        f"{PLACEMENT} W - -",
        f"{PLACEMENT} w 0 1",
        f"{PLACEMENT} w - - 0 1",
        f"{PLACEMENT} - - 0 1",
        f"{PLACEMENT} 0 1",
        f"{PLACEMENT}[] w - - 0 1",
        f"{PLACEMENT}[-] w",
        f"{PLACEMENT} [] w",
        f"  {PLACEMENT}\tw  -  -  0  1\n",
        START_FEN.replace(" ", "_"),
        START_FEN.translate(str.maketrans("bBnN", "eEhH")).replace(" e", " w"),
        PLACEMENT.translate(str.maketrans("kKpPaA", "gGsSmM")),
        PLACEMENT.translate(str.maketrans("BN", "EH")),
        START_FEN.replace("9", "54").replace("1c5c1", "1c32c1"),
        f"{PLACEMENT} w - - 0 0",
        "ｒ" + START_FEN[1:],
    ],
)
def test_dialects_of_the_start(text: str) -> None:
    assert same(parse_fen(text), parse_fen(START_FEN))
    assert Board(text).fen() == START_FEN


def test_side_and_counters() -> None:
    setup = parse_fen("4k4/9/9/9/9/9/9/9/4P4/4K4 B - - 37 81")
    assert setup[1:] == (BLACK, 37, 81, True)
    setup = parse_fen("4k4/9/9/9/9/9/9/9/4P4/4K4")
    assert setup[1:] == (RED, 0, 1, False)
    assert parse_fen("4k4/9/9/9/9/9/9/9/4P4/4K4 b 7").halfmove_clock == 7


def test_the_no_capture_count_goes_on_from_field_5() -> None:
    board = Board("4k4/9/9/9/4p4/4R4/9/9/4P4/4K4 w - - 37 81")
    board.push("e4d4")
    board.push("e9e8")
    assert (board.halfmove_clock, board.fullmove_number) == (39, 82)
    board.push("d4d5")
    board.push("e8e9")
    board.push("d5e5")
    assert board.halfmove_clock == 0


def test_both_letters_are_written() -> None:
    setup = parse_fen(START_FEN)
    assert write_fen(setup) == START_FEN
    assert write_fen(setup, "he") == (
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1"
    )
    assert write_fen(setup, counters=False) == f"{PLACEMENT} w"
    with pytest.raises(ValueError, match="dialect"):
        write_fen(setup, "xx")


def test_reading_agrees_with_the_slow_reader_and_writing_is_its_inverse() -> None:
    fens = [*reference_fens(), *(twin.placement(pos) for pos in sample(7, games=10, every=5))]
    for fen in fens:
        setup = parse_fen(fen)
        pos = twin.position(fen)
        assert setup.codes.tolist() == codes(pos), fen
        assert (setup.turn == RED) == pos.red_to_move
        assert write_fen(setup, counters=False) == twin.placement(pos)
        for dialect in ("nb", "he"):
            assert same(parse_fen(write_fen(setup, dialect)), setup)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "空"),
        ("   ", "空"),
        ("hello", "1 行，应为 10 行"),
        (START_FEN.replace("/9/", "/", 1), "9 行，应为 10 行"),
        (START_FEN.replace("1c5c1", "1c5c"), "第 3 行 '1c5c' 只有 8 个点"),
        (START_FEN.replace("1C5C1", "1C6C1"), "第 8 行 '1C6C1' 有 10 个点"),
        (START_FEN.replace("/9/1c", "/x8/1c"), "第 2 行有不认识的字符 'x'"),
        (START_FEN.replace("/9/1c", "/08/1c"), "第 2 行有不认识的字符 '0'"),
        (START_FEN.replace(" w", " x"), "行棋方"),
        (START_FEN.replace(" 0 1", " -3 1"), "整数"),
        (START_FEN.replace(" 0 1", " zero 1"), "整数"),
        (START_FEN + " 5", "太多"),
        (START_FEN.replace("- -", "- - -"), "太多"),
        (START_FEN.replace(" w", "[Pp] w"), "手中"),
        (START_FEN.replace("A", "M"), "A 与 M"),
        (START_FEN.replace("P1P", "S1S"), "P 与 S"),
        (START_FEN.replace("K", "G"), "K 与 G"),
        ("k" * 100000, "1 行"),
        (START_FEN + "9" * 5000, "整数"),
    ],
)
def test_errors_name_the_place(text: str, complaint: str) -> None:
    with pytest.raises(InvalidPosition, match=complaint) as caught:
        parse_fen(text)
    assert caught.value.text == text
    assert len(str(caught.value)) < 250
