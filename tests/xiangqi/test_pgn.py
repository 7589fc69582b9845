"""PGN and move lists: what is read from texts of many kinds, and games written and read again."""

from __future__ import annotations

import random

import pytest

from tests.xiangqi.boards import boards
from xiangqi import START_FEN, Game, Node
from xiangqi.pgn import NOTATIONS, dumps, loads

OPENING = ["h2e2", "h9g7", "h0g2", "i9h9"]


def one(text: str, **options: int) -> Game:
    [game] = loads(text, **options)
    return game


def moves(game: Game) -> list[str]:
    return [str(move) for move in game.moves()]


def tree(node: Node) -> str:
    """Main line first, further moves at the same point in brackets."""
    words = []
    while node.variations:
        parent, node = node, node.variations[0]
        words.append(str(node.move) + (f" {{{node.comment}}}" if node.comment else ""))
        words += [
            f"({other.move}" + (f" {{{other.comment}}}" if other.comment else "") + rest(other)
            for other in parent.variations[1:]
        ]
    return " ".join(words)


def rest(node: Node) -> str:
    following = tree(node)
    return f" {following})" if following else ")"


@pytest.mark.parametrize(
    "text",
    [
        "1. 炮二平五 马8进7 2. 马二进三 车9平8",
        "1.炮二平五 马8进7 2.马二进三 车9平8 *",
        "1．炮二平五　马８进７\r\n2．马二进三　车９平８\r\n",
        "1、炮二平五 马8进7 2、马二进三 车9平8",
        "炮二平五 马8进7 马二进三 车9平8",
        "炮二平五，马8进7；马二进三，车9平8。",
        "炮二平五马8进7马二进三车9平8",
        "1 炮二平五 马8进7 2 马二进三 车9平8",
        "1) 炮二平五 马8进7 2) 马二进三 车9平8",
        "  1. 砲二平五\n  1.          馬8進7\n  2. 馬二進三 車9平8",
        "1. 炮二平五 1... 马8进7 2. 马二进三 2. … 车9平8",
        "1. C2.5 h8+7 2. H2+3 r9.8",
        "1.Ｃ２＝５ Ｈ８＋７ 2.Ｈ２＋３ Ｒ９＝８",
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "h2e2 h9g7 h0g2 i9h9",
        "h2e2,h9g7,h0g2,i9h9",
        "h3e3 h10g8 h1g3 i10h10",
        "position startpos moves h2e2 h9g7 h0g2 i9h9",
        f"position fen {START_FEN} moves h2e2 h9g7 h0g2 i9h9",
        f"{START_FEN}\nh2e2 h9g7 h0g2 i9h9",
        f"{START_FEN.replace(' ', '_')} h2e2 h9g7 h0g2 i9h9",
        f"{START_FEN.split()[0]} 1. h2e2 h9g7 2. h0g2 i9h9",
        "1. Che2 Hg7 2. Hg2 Rh9 {+0,10/7 1,9}",
        "1. Che3 Nhg8 2. Nhg3 Rih10",
        '[Red "甲"]\n[Black "乙"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n==========\n广告',
    ],
)
def test_one_opening_in_many_hands(text: str) -> None:
    game = one(text)
    assert moves(game) == OPENING
    assert game.defects == []


def test_ranks_from_1_need_a_sign_or_an_option() -> None:
    game = one("h3e3 h8e8")
    assert moves(game) == []
    assert "h3 上没有棋子" in game.defects[0].reason
    assert moves(one("h3e3 h8e8", base=1)) == ["h2e2", "h7e7"]


def test_remarks_variations_and_glyphs() -> None:
    game = one(
        "{开局} 1. 炮二平五! {中炮} (1. 兵七进一 {仙人指路} 卒7进1 (1... 炮8平5 2. 炮二平五)"
        " 2. 马八进七) (1. 相三进五) 1... 马8进7 $6 {再评} {三评} 2. 马二进三 1/2-1/2"
    )
    assert game.defects == []
    assert game.root.comment == "开局"
    assert tree(game.root) == (
        "h2e2 {中炮} (c3c4 {仙人指路} g6g5 (h7e7 h2e2) b0c2) (g0e2) h9g7 {再评\n三评} h0g2"
    )
    assert [node.nags for node in game.mainline()] == [(1,), (6,), ()]
    assert game.result == "1/2-1/2"


def test_black_begins() -> None:
    fen = "4k4/9/9/9/9/9/9/9/4P4/4K4"
    for text in (
        f'[FEN "{fen} b"]\n1. ... 将5进1 2. 兵五进一',
        f'[FEN "{fen} b"]\n1.        将5进1\n2. 兵五进一',
        f'[FEN "{fen}"]\n1... 将5进1 2. 兵五进一',
        f'[FEN "{fen}"]\n1. … 将5进1 2. 兵五进一',
    ):
        game = one(text)
        assert moves(game) == ["e9e8", "e1e2"], text
        assert game.board().fen().split()[1] == "b"


def test_games_without_any_border_but_a_tag() -> None:
    games = loads('[Event "a"]\n1. 炮二平五\n[Event "b"]\n1. 炮八平五 炮2平5\n\n[Event "c"]\n')
    assert [(game.headers["Event"], moves(game)) for game in games] == [
        ("a", ["h2e2"]),
        ("b", ["b2e2", "b7e7"]),
        ("c", []),
    ]


def test_games_without_moves() -> None:
    games = loads('[Event "a"]\n[Red "甲"]\n\n[Event "b"]\n[Red "乙"]\n')
    assert [game.headers["Red"] for game in games] == ["甲", "乙"]
    assert all(game.defects == [] for game in games)
    [game] = loads('[Event "a"]\n[Red "甲"]\n[Red "乙"]\n')
    assert "标签重复" in game.defects[0].reason


def test_games_without_tags() -> None:
    games = loads("1. 炮二平五 1-0\n\n1. 炮八平五 炮2平5 和棋\n广告 1.5 元")
    assert [(moves(game), game.result) for game in games] == [
        (["h2e2"], "1-0"),
        (["b2e2", "b7e7"], "1/2-1/2"),
    ]
    games = loads("position startpos moves h2e2\nposition startpos moves b2e2 b7e7\n")
    assert [moves(game) for game in games] == [["h2e2"], ["b2e2", "b7e7"]]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1. 炮二平五 1-0", "1-0"),
        ("1. 炮二平五 红胜", "1-0"),
        ("1. 炮二平五 黑勝", "0-1"),
        ("1. 炮二平五 ½-½", "1/2-1/2"),
        ("1. 炮二平五 １－０", "1-0"),
        ("1. 炮二平五", "*"),
        ('[Result "0-1"]\n1. 炮二平五', "0-1"),
        ('[Result "红胜"]\n1. 炮二平五 *', "1-0"),
        ('[Result "*"]\n1. 炮二平五 0-1', "0-1"),
    ],
)
def test_results(text: str, result: str) -> None:
    game = one(text)
    assert game.result == result
    assert game.defects == []


def test_result_conflict_is_reported() -> None:
    game = one('[Result "1-0"]\n1. 炮二平五 0-1')
    assert game.result == "1-0"
    assert [defect.text for defect in game.defects] == ["0-1"]


def test_tags() -> None:
    game = one(
        '[Event "第"一"届"]\n[Site "C:\\\\x \\"y\\""]\n[Round ""]\n[Plain text]\n1. 炮二平五'
    )
    assert game.headers == {"Event": '第"一"届', "Site": 'C:\\x "y"', "Round": "", "Plain": "text"}


def test_an_illegal_move_ends_its_line_and_is_named() -> None:
    game = one("1. 炮二平五 马8进7 2. 马二进四 {坏} 车9平8 3. 兵七进一 1-0")
    assert moves(game) == ["h2e2", "h9g7"]
    assert game.result == "1-0"
    [defect] = game.defects
    assert (defect.ply, defect.text) == (3, "马二进四")
    assert "马腿被 g0 的相挡住" in defect.reason
    assert "其后 2 着没有读" in defect.reason


def test_a_missing_move_of_black_is_noticed() -> None:
    """The moves behind the gap are legal for the other side too: reading on would be wrong."""
    game = one("1. 炮二平五 马8进7 2. 马二进三 3. 车一平二 车9平8 4. 兵七进一 卒7进1")
    assert moves(game) == ["h2e2", "h9g7", "h0g2"]
    assert [(defect.ply, defect.text) for defect in game.defects] == [(4, "3. 车一平二")]
    assert "第 2 回合缺黑方着法" in game.defects[0].reason
    every_move_numbered = one("1. h2e2 2. h9g7 3. h0g2 4. i9h9")
    assert moves(every_move_numbered) == OPENING
    assert every_move_numbered.defects == []


def test_a_bad_variation_leaves_the_main_line() -> None:
    game = one("1. 炮二平五 (1. 炮二平六 炮8进9 (1... 炮8平5)) 1... 马8进7")
    assert tree(game.root) == "h2e2 (h2d2 h7e7) h9g7"
    assert [(defect.ply, defect.text) for defect in game.defects] == [(2, "炮8进9")]


def test_an_unreadable_word_is_not_skipped() -> None:
    """Else the next move would be taken for the other side's."""
    game = one("1. 炮二平？ 马8进7 2. 马二进三")
    assert moves(game) == []
    assert game.defects[0].ply == 1


def test_prose_before_the_moves_is_a_remark() -> None:
    game = one("某年某月 红方 黑方\n1. 炮二平五 马8进7")
    assert moves(game) == ["h2e2", "h9g7"]
    assert game.root.comment == "某年某月 红方 黑方"
    assert game.defects == []


def test_wrong_fen() -> None:
    game = one('[Red "甲"]\n[FEN "9/9/9 w"]\n1. 炮二平五')
    assert game.headers["Red"] == "甲"
    assert moves(game) == []
    assert "3 行，应为 10 行" in game.defects[0].reason
    assert '[FEN "9/9/9 w"]' in dumps(game)


def test_braces_that_do_not_end() -> None:
    games = loads('[Event "a"]\n1. 炮二平五 {没完\n马8进7\n[Event "b"]\n1. 炮八平五 {完} *')
    assert [moves(game) for game in games] == [["h2e2"], ["b2e2"]]
    assert next(games[0].mainline()).comment == "没完\n马8进7"
    assert "右花括号" in games[0].defects[0].reason
    game = one("1. 炮二平五 {没完 马8进7")
    assert next(game.mainline()).comment == "没完 马8进7"
    assert game.defects


def test_brackets_that_do_not_match() -> None:
    assert "右括号" in one("1. 炮二平五 (1. 炮八平五").defects[0].reason
    assert "右括号" in one("1. 炮二平五 ) 马8进7").defects[0].reason
    assert "变着之前没有着法" in one("1. (炮八平五) 炮二平五").defects[0].reason
    prose = one("(橘中秘) 炮二平五 马8进7")
    assert (prose.root.comment, len(prose.moves()), prose.defects) == ("( 橘中秘 )", 2, [])
    deep = one("1. 炮二平五 " + "(" * 5000)
    assert moves(deep) == ["h2e2"]


def test_remark_behind_the_result_is_kept() -> None:
    game = one("1. 炮二平五 1-0 {红胜} {完}")
    assert game.closing == "红胜\n完"
    assert game.defects == []
    assert one(dumps(game)).closing == game.closing


def test_an_ambiguous_move_is_settled_by_those_behind_it() -> None:
    """Two chariots can go to e3; only one of them leaves a chariot that can go to a9 next."""
    fen = "3k5/9/9/9/9/9/R7R/9/9/4K4 w"
    game = one(f'[FEN "{fen}"]\n1. Re3 Kd8 2. Ra9 Kd7 3. Ra7')
    assert moves(game) == ["i3e3", "d9d8", "a3a9", "d8d7", "a9a7"]
    assert "按后续着法取 i3e3" in game.defects[0].reason
    game = one(f'[FEN "{fen}"]\n1. Re3 Kd8 2. Kf0')
    assert moves(game) == []
    assert "a3e3、i3e3" in game.defects[0].reason


def test_notations_may_change_within_a_game() -> None:
    assert moves(one("炮二平五 H8+7 h0g2 Rh9")) == OPENING


@pytest.mark.parametrize("notation", NOTATIONS)
def test_written_games_read_the_same(notation: str) -> None:
    rng = random.Random(5)
    for board in boards(11, 30):
        game = random_tree(rng, Game(board))
        text = dumps(game, notation)
        again = one(text, base=0)
        headers = {"Game": "Chinese Chess", **game.headers}
        for source in (headers, again.headers):
            for added in ("FEN", "Format", "Result"):
                source.pop(added, None)
        assert again.defects == [] or all(
            "按后续着法取" in defect.reason for defect in again.defects
        ), text
        game.headers = again.headers = headers
        assert again == game, text


def random_tree(rng: random.Random, game: Game) -> Game:
    """Up to 40 moves hung on random nodes, with remarks and glyphs; valid for every notation."""
    game.headers = {"Event": '引号" 与 \\ 斜线', "Red": "甲"}
    game.result = rng.choice(("1-0", "0-1", "1/2-1/2", "*"))
    game.root.comment = rng.choice(("", "开局的话\n第二行"))
    game.closing = rng.choice(("", "终局的话"))
    nodes = [game.root]
    for _ in range(rng.randrange(1, 40)):
        parent = nodes[-1] if rng.random() < 0.8 else rng.choice(nodes)
        moves = [move for move in parent.board().legal_moves if parent.child(move) is None]
        if not moves:
            continue
        node = parent.add_unchecked(rng.choice(moves))
        node.comment = rng.choice(("", "", "好棋 (应该)", "1. 炮二平五 *", "两行\n[Event]"))
        node.nags = rng.choice(((), (), (1,), (3, 14)))
        nodes.append(node)
    return game


def test_wxf_1997_and_2018_are_told_apart_or_reported() -> None:
    """A text that both styles read differently ends the line rather than guess."""
    fen = "3k5/6P2/2P3P2/2P3P2/9/9/9/9/9/4K4 w"
    game = one(f'[FEN "{fen}"]\n[Format "WXF"]\n1. 33.4 K4+1')
    assert moves(game) == []
    assert "g7f7" in game.defects[0].reason
    assert "g6f6" in game.defects[0].reason


def test_a_long_game_with_deep_variations_can_be_written() -> None:
    """Variations within variations a thousand deep: neither side of the way recurses."""
    game = Game("3k5/9/9/9/9/9/9/9/9/R4K3 w")
    lines = (("a0b0", "a0a1"), ("d9e9", "d9d8"), ("a1b1", "a1a0"), ("d8e8", "d8d9"))
    board, node = game.board(), game.root
    for ply in range(1200):
        main, aside = (board.parse(text) for text in lines[ply % 4])
        node.add_unchecked(main)
        node = node.add_unchecked(aside)
        board.push_unchecked(aside)
    text = dumps(game, "iccs")
    assert [item.move for item in one(text).root.walk()] == [item.move for item in game.root.walk()]


def test_unknown_notation() -> None:
    with pytest.raises(ValueError, match="iccs"):
        dumps(Game(), "morse")
