"""Opening books against a plain count over the same games; openings out of records."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from ai.openings import openings, parse, read
from ai.openings.book import Book, Builder, InvalidBook
from ai.openings.lines import first_moves
from qikit import InvalidRecord
from tests.xiangqi.test_records import RECORDS, needs_records
from xiangqi import Board, Game, Move, records

FILES = "abcdefghi"


def games(seed: int, count: int) -> list[Game]:
    """Games that meet again and again: few moves to choose from, and images of one another."""
    rng = Random(seed)
    made = []
    for number in range(count):
        board = Board()
        texts = []
        for _ in range(rng.randint(1, 14)):
            moves = sorted(map(str, board.legal_moves))
            texts.append(rng.choice(moves[:: len(moves) // 3]))
            board.push(texts[-1])
        if number % 3 == 2:
            texts = [image(text) for text in texts]
        made.append(Game.from_moves(texts, result=rng.choice(["1-0", "0-1", "1/2-1/2", "*"])))
    return made


def image(text: str) -> str:
    """A coordinate move or a FEN, left and right exchanged, letter by letter."""
    if " " not in text:
        return "".join(FILES[8 - FILES.index(c)] if c in FILES else c for c in text)
    placement, side = text.split()[:2]
    return "/".join(row[::-1] for row in placement.split("/")) + " " + side


def plain_counts(some: Iterable[Game], plies: int) -> dict[str, Counter[tuple[str, str]]]:
    """Position (as text) -> how often each move was played, with what the mover got of it."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    for game in some:
        board = game.board()
        for text in map(str, game.moves()[:plies]):
            if game.result == "*":
                got = "?"
            elif game.result == "1/2-1/2":
                got = "draw"
            else:
                got = "won" if (game.result == "1-0") == (board.turn == 0) else "lost"
            here = " ".join(board.fen().split()[:2])
            for seen, said in {(here, text), (image(here), image(text))}:
                found.setdefault(seen, Counter())[said, got] += 1
            board.push(text)
    return found


def book_of(some: Iterable[Game], path: Path, **settings: int) -> Book:
    builder = Builder(**settings)
    for game in some:
        builder.add(game)
    path.write_bytes(builder.data())
    return Book(path)


def check(book: Book, some: list[Game], plies: int) -> int:
    """Compare a book with the plain count in every position; returns how many there are."""
    counts = plain_counts(some, plies)
    for fen, counter in counts.items():
        wanted: dict[str, list[int]] = {}
        for (text, got), number in counter.items():
            row = wanted.setdefault(text, [0, 0, 0, 0])
            row[0] += number
            if got != "?":
                row[("won", "draw", "lost").index(got) + 1] += number
        own = image(fen) == fen
        found = {str(one.move): one for one in book.moves(Board(fen))}
        if own:  # of each pair of images the book has one
            assert {text for one in found for text in (one, image(one))} == set(wanted)
            assert all(one >= image(one) for one in found)
        else:
            assert set(found) == set(wanted)
        for text, one in found.items():
            assert [one.games, one.wins, one.draws, one.losses] == wanted[text], (fen, text)
    assert len(book) == len({min(fen, image(fen)) for fen in counts})
    return len(counts)


def test_a_book_counts_as_a_plain_reader_does(tmp_path: Path) -> None:
    some = games(seed=3, count=150)
    with book_of(some, tmp_path / "a.book", plies=10) as book:
        assert check(book, some, 10) > 300
        assert book.facts["games"] == "150"


@needs_records
def test_the_public_records_are_counted_right(tmp_path: Path) -> None:
    builder, taken = Builder(plies=16), []
    for path in sorted(path for path in RECORDS.rglob("*") if path.is_file()):
        try:
            found = records.read(path)
        except InvalidRecord:
            continue
        for game in found:
            try:
                builder.add(game)
            except InvalidRecord:
                continue
            taken.append(game)
    path = tmp_path / "public.book"
    path.write_bytes(builder.data())
    with Book(path) as book:
        assert check(book, taken, 16) > 500
    assert len(taken) > 50


def test_a_game_and_its_image_are_the_same_opening(tmp_path: Path) -> None:
    left = Game.from_moves(["b2e2", "b9c7"], result="1-0")
    right = Game.from_moves(["h2e2", "h9g7"], result="0-1")
    with book_of([left, right], tmp_path / "a.book") as book:
        [one] = book.moves(Board())
        assert (str(one.move), one.games, one.wins, one.losses) == ("h2e2", 2, 1, 1)
        assert one.score == 0.5
        for first, second in (("h2e2", "h9g7"), ("b2e2", "b9c7")):
            board = Board()
            board.push(first)
            assert [str(one.move) for one in book.moves(board)] == [second]


def test_rare_moves_are_left_out(tmp_path: Path) -> None:
    some = [Game.from_moves(["h2e2"])] * 3 + [Game.from_moves(["c3c4"])] * 2
    with book_of(some, tmp_path / "a.book", min_games=3) as book:
        assert [(str(one.move), one.games) for one in book.moves(Board())] == [("h2e2", 3)]
        assert book.moves(Board())[0].score is None


FAULTY = "[Event 'x']\n\n1. h2e2 h9g7 2. h0g2 a9a5 3. i0h0 *\n"


def test_what_is_of_no_use_is_named() -> None:
    builder = Builder(plies=4)
    whole = Game.from_moves(["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"])
    builder.add(whole)
    [faulty] = records.read(FAULTY.encode())
    for game, reason in (
        (Game("4k4/9/9/9/9/9/9/9/4A4/4K4 w"), "不是从开局开始"),
        (Game(Board().fen().replace(" w", " b")), "不是从开局开始"),
        (Game(), "没有着法"),
        (faulty, "第 4 着"),
        (whole.copy(), "与前面的一局相同"),
    ):
        with pytest.raises(InvalidRecord, match=reason):
            builder.add(game)
    assert builder.games == 1
    short = Builder(plies=3)
    short.add(faulty)  # its fault lies behind the opening
    for one in (builder, short):
        one.data()


def test_the_choice_follows_the_weights(tmp_path: Path) -> None:
    some = [
        *[Game.from_moves(["h2e2"], result="1-0")] * 3,  # weight 6
        *[Game.from_moves(["c3c4"], result="1/2-1/2")] * 2,  # 2: g3g4 stands for both
        *[Game.from_moves(["g0e2"])] * 1,  # 1
        *[Game.from_moves(["h0g2"], result="0-1")] * 5,  # 0
    ]
    board = Board()
    with book_of(some, tmp_path / "a.book") as book:
        rng = Random(7)
        count = 3000
        drawn = Counter(str(book.probe(board, rng)) for _ in range(count))
        assert set(drawn) == {"h2e2", "g3g4", "g0e2"}
        for text, weight in (("h2e2", 6), ("g3g4", 2), ("g0e2", 1)):
            share = weight / 9
            sigma = (count * share * (1 - share)) ** 0.5
            assert abs(drawn[text] - count * share) < 4 * sigma, drawn
        again = [[str(book.probe(board, Random(5))) for _ in range(20)] for _ in range(2)]
        assert again[0] == again[1]
        assert str(book.probe(board, among=[Move.parse("g0e2")])) == "g0e2"
        assert book.probe(board, among=[Move.parse("h0g2"), Move.parse("a0a1")]) is None
        board.push("a0a1")
        assert book.probe(board) is None


def test_the_same_games_give_the_same_file() -> None:
    some = games(seed=4, count=40)
    files = []
    for _ in range(2):
        builder = Builder(plies=12)
        for game in some:
            builder.add(game)
        files.append(builder.data())
    assert files[0] == files[1]


def test_the_file_is_as_documented(tmp_path: Path) -> None:
    """Read by SQL alone, as another language would."""
    path = tmp_path / "a.book"
    book_of([Game.from_moves(["h2e2", "h9g7"], result="1-0")], path).close()
    base = sqlite3.connect(path)
    try:
        start = Board()
        rows = base.execute(
            "select move, games, wins, draws, losses from moves where position = ?", [start.key]
        ).fetchall()
        assert rows == [("h2e2", 1, 1, 0, 0)]
        start.push("h2e2")
        seen = start.mirror()
        position = min(start.key, seen.key)
        [(move,)] = base.execute("select move from moves where position = ?", [position])
        assert move == ("h9g7" if start.key < seen.key else "b9c7")
        assert base.execute("pragma user_version").fetchall() == [(1,)]
    finally:
        base.close()


def test_files_that_are_no_book_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good.book"
    book_of(games(seed=5, count=30), good, plies=8).close()
    data = good.read_bytes()
    other = tmp_path / "other.db"
    base = sqlite3.connect(other)
    base.execute("create table moves (a)")
    base.commit()
    base.execute("pragma user_version = 1")
    base.close()
    newer = tmp_path / "newer.db"
    newer.write_bytes(data)
    base = sqlite3.connect(newer)
    base.execute("pragma user_version = 2")
    base.close()
    cases = {
        "missing": None, "empty": b"", "text": b"1. h2e2 h9g7\n", "half": data[: len(data) // 2],
        "head": data[:100],
    }  # fmt: skip
    for name, content in cases.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    for name in (*cases, "other.db", "newer.db", "."):
        with pytest.raises(InvalidBook, match=r"打不开|不是开局库|已损坏|是第 2 版"):
            Book(tmp_path / name)


def test_damaged_bytes_never_do_worse_than_a_sentence(tmp_path: Path) -> None:
    whole = games(seed=6, count=30)
    path = tmp_path / "a.book"
    book_of(whole, path, plies=8).close()
    data = path.read_bytes()
    rng = Random(1)
    refused = 0
    for _ in range(600):
        bad = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        path.write_bytes(bad)
        board = Board()
        try:
            with Book(path) as book:
                for text in map(str, rng.choice(whole).moves()):
                    assert all(board.is_legal(one.move) for one in book.moves(board))
                    book.probe(board, rng)
                    board.push(text)
        except InvalidBook:
            refused += 1
    assert refused > 30


def test_openings_come_out_of_records(tmp_path: Path) -> None:
    some = games(seed=8, count=12)
    for name, form in (("a.pgn", "pgn"), ("a.txt", "moves")):
        path = tmp_path / name
        path.write_bytes(records.to_bytes(some, form, notation="chinese").data)
        wanted = dict.fromkeys(tuple(map(str, game.moves()[:6])) for game in some)
        assert read(path, 6) == tuple(wanted)
    lines = tmp_path / "lines.txt"
    lines.write_text("# remarks\nh2e2 h9g7 # 中炮\n\nc3c4\n", "utf-8")
    assert read(lines) == parse(lines.read_text("utf-8")) == (("h2e2", "h9g7"), ("c3c4",))
    (tmp_path / "set.pgn").write_text('[FEN "4k4/9/9/9/9/9/9/9/4A4/4K4 w"]\n\n1. e1d0 *\n', "utf-8")
    with pytest.raises(InvalidRecord, match="不是从开局开始"):
        read(tmp_path / "set.pgn")


def test_an_opening_that_cannot_be_played_is_named(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("h2e2 h9g7\nh2e2 h2e2\n", "utf-8")
    with pytest.raises(InvalidRecord, match="opening 2"):
        read(path)


def test_the_openings_that_ship_are_lines(tmp_path: Path) -> None:
    for moves in openings():
        assert len(first_moves(Game.from_moves(moves), 20)) == len(moves)
