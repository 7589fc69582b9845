"""Pictures: well-formed, complete, readable without colour and without eyes."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins import xiangqi as twin
from tests.xiangqi.positions import codes, sample
from xiangqi import Arrow, Board, Move
from xiangqi.diagram import ascii_diagram, chinese_diagram
from xiangqi.svg import TRADITIONAL, board_svg

SVG = "{http://www.w3.org/2000/svg}"


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def pieces(root: ET.Element) -> dict[str, tuple[str, str]]:
    """Name and side of the drawn pieces by their point."""
    found = {}
    for group in of_class(root, "piece"):
        text = group.find(f"{SVG}text")
        assert text is not None
        assert text.text
        found[group.get("data-square", "")] = (text.text, group.get("class", "").split()[1])
    return found


def test_every_piece_is_drawn_at_its_point() -> None:
    for pos in sample(40, games=6, every=19):
        board = Board(twin.placement(pos))
        root = ET.fromstring(board.svg())
        expected = {
            f"{'abcdefghi'[sq % 9]}{sq // 9}": (piece.zh, ("red", "black")[piece.color])
            for sq, piece in board.piece_map().items()
        }
        assert pieces(root) == expected


def test_sides_differ_without_colour() -> None:
    """Red has two rings on light ground, Black one on dark ground; seven names differ in print."""
    root = ET.fromstring(Board().svg(script="traditional"))
    for side, rings in (("red", 2), ("black", 1)):
        groups = of_class(root, side)
        assert len(groups) == 16
        assert all(len(group.findall(f"{SVG}circle")) == rings for group in groups)
    red, black = (set(names.strip()) for names in TRADITIONAL)
    assert not red & black


def centre(root: ET.Element, name: str) -> tuple[float, float]:
    (group,) = (g for g in of_class(root, "piece") if g.get("data-square") == name)
    circle = group.find(f"{SVG}circle")
    assert circle is not None
    return float(circle.get("cx", "")), float(circle.get("cy", ""))


def test_flipped_is_half_a_turn() -> None:
    upright, flipped = (ET.fromstring(Board().svg(flipped=f)) for f in (False, True))
    for a, b in (("a0", "i9"), ("b2", "h7"), ("e9", "e0")):
        assert centre(upright, a) == centre(flipped, b)
    assert centre(upright, "a0")[1] > centre(upright, "a9")[1]
    assert centre(upright, "a0")[0] < centre(upright, "i0")[0]


def labels(root: ET.Element) -> str:
    return "".join(element.text or "" for element in of_class(root, "file"))


def test_labels_and_river() -> None:
    upright, flipped = (ET.fromstring(Board().svg(flipped=f)) for f in (False, True))
    assert labels(upright) == "１九２八３七４六５五６四７三８二９一"
    assert labels(flipped) == "一９二８三７四６五５六４七３八２九１"
    assert "".join(e.text or "" for e in of_class(upright, "river")) == "楚河汉界"
    assert not of_class(upright, "coordinate")
    marked = ET.fromstring(Board().svg(coordinates=True))
    assert {e.text for e in of_class(marked, "coordinate")} == set("abcdefghi0123456789")


def test_marks() -> None:
    board = Board()
    board.push_uci("h2e2")
    root = ET.fromstring(board.svg(arrows=[(0, 9), Arrow(4, 4, "green")], marks=[40, 41]))
    assert len(of_class(root, "last-from")) == len(of_class(root, "last-to")) == 1
    assert len(of_class(root, "arrow")) == len(of_class(root, "mark")) == 2
    assert not of_class(root, "check")
    checked = ET.fromstring(Board("3k5/9/9/9/9/9/9/9/3R5/4K4 b").svg())
    assert of_class(checked, "check")
    assert not of_class(ET.fromstring(board.svg(last_move=None)), "last-from")


def test_described_in_words() -> None:
    root = ET.fromstring(Board("3k5/9/9/9/9/9/9/9/3R5/4K4 b").svg(caption="残局"))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "残局"
    assert root.findtext(f"{SVG}desc") == (
        "红方：帅 e0、车 d1。黑方：将 d9。d9 被将军。轮到黑方走棋。"
    )


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_escaped(caption: str, color: str) -> None:
    root = ET.fromstring(Board().svg(caption=caption, arrows=[Arrow(0, 9, color)]))
    assert len(of_class(root, "piece")) == 32


def test_wrong_options() -> None:
    for options in (
        {"marks": [90]},
        {"arrows": [(0, -1)]},
        {"last_move": (0, 90)},
        {"check": 99},
        {"script": "latin"},
    ):
        with pytest.raises(ValueError, match=r"not a point|no such script"):
            board_svg([0] * 90, **options)  # type: ignore[arg-type]


def test_size_keeps_the_proportions() -> None:
    root = ET.fromstring(Board().svg(size=258))
    assert (root.get("width"), root.get("height")) == ("258", "283")


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_text_diagram_stays_in_its_columns() -> None:
    for pos in sample(41, games=4, every=19):
        for flipped in (False, True):
            lines = chinese_diagram(codes(pos), flipped=flipped).splitlines()
            assert len(lines) == 22
            for line in lines[1:20]:
                bare = line.replace("[", " ").replace("]", " ").replace(")", " ").rstrip()
                assert width(bare) == 37, line
            text = "".join(lines[1:20])
            reds = sum(letter.isupper() for letter in pos.points)
            assert text.count("(") == reds
            assert text.count("[") == sum(p != "." for p in pos.points) - reds


def test_text_diagram_of_the_start() -> None:
    lines = str(Board()).splitlines()
    assert lines[0] == "   １  ２  ３  ４  ５  ６  ７  ８  ９"
    assert lines[1] == "9 [车][马][象][士][将][士][象][马][车]"
    assert lines[2] == "   ｜  ｜  ｜  ｜＼｜／｜  ｜  ｜  ｜"
    assert lines[10] == "   ｜      楚  河      汉  界      ｜"
    assert lines[19] == "0 (车)(马)(相)(仕)(帅)(仕)(相)(马)(车)"
    assert lines[20] == "   九  八  七  六  五  四  三  二  一"
    assert lines[22] == "  轮到红方走棋"
    assert Board().diagram(flipped=True).splitlines()[1].startswith("0 (车)")


def test_ascii_diagram() -> None:
    for pos in sample(42, games=2, every=19):
        rows = ascii_diagram(codes(pos)).splitlines()
        assert [row.split() for row in rows] == [
            list(pos.points[9 * rank : 9 * rank + 9]) for rank in range(9, -1, -1)
        ]
        assert ascii_diagram(codes(pos), flipped=True) == "\n".join(r[::-1] for r in rows[::-1])


def test_notebooks_get_a_picture() -> None:
    board = Board()
    board.push(Move.parse("b0c2"))
    assert board._repr_svg_().startswith("<svg")
