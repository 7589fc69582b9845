"""PGN and move text of random game trees: what is written is read again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qikit import InvalidRecord
from tests.xiangqi.game_trees import games, seeded, shape, texts
from xiangqi import Game
from xiangqi.records import EXTENSIONS, NOTATIONS, WRITERS, read, to_bytes, write

TAGS = ("Title", "Event", "Site", "Date", "Round", "Red", "Black", "ECCO", "Annotator")


def plain(text: str) -> str:
    """A remark as PGN can hold it."""
    return text.replace("}", "｝")


@settings(max_examples=200, deadline=None)
@given(games(TAGS, 40), texts(20), st.sampled_from(sorted({*NOTATIONS} - {"san"})))
def test_pgn(game: Game, closing: str, notation: str) -> None:
    game.closing = closing if game.moves() else ""
    data, losses = to_bytes(game, "pgn", notation=notation)
    [again] = read(data)
    assert losses == []
    assert again.defects == []
    assert again.board() == game.board()
    assert shape(again) == [(move, plain(text), n) for move, text, n in shape(game)]
    assert {name: again.headers[name] for name in game.headers} == game.headers
    assert (again.result, again.closing) == (game.result, plain(game.closing))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(games(), min_size=1, max_size=4),
    st.sampled_from(sorted({*NOTATIONS} - {"san"})),
    st.sampled_from(["utf-8", "gb18030"]),
)
def test_move_text(several: list[Game], notation: str, encoding: str) -> None:
    data, _ = to_bytes(several, "moves", notation=notation, encoding=encoding)
    again = read(data, encoding)
    assert [game.moves() for game in again] == [game.moves() for game in several]
    assert [game.board() for game in again] == [game.board() for game in several]
    assert [game.result for game in again] == [game.result for game in several]


def test_the_name_of_a_file_decides(tmp_path) -> None:
    game = seeded(8)
    for ending in (*EXTENSIONS, ".any"):
        write(tmp_path / f"game{ending}", game)
        assert read(tmp_path / f"game{ending}")[0].moves() == game.moves()
    assert read(tmp_path / "game.any") == read(tmp_path / "game.pgn")
    assert write(tmp_path / "game.any", game, form="moves")[0].startswith("标签")


def test_refusals() -> None:
    with pytest.raises(ValueError, match="能写的格式"):
        to_bytes(Game(), "cbr")
    with pytest.raises(ValueError, match="记谱法"):
        to_bytes(Game(), "pgn", notation="x")
    with pytest.raises(InvalidRecord, match="一局"):
        to_bytes([Game(), Game()], "xqf")
    for form in WRITERS:
        with pytest.raises(InvalidRecord, match="编码"):
            to_bytes(seeded(8), form, encoding="no-such-codec")
