"""What an arbiter changes by hand: natures of moves, and moves that the record has wrong."""

from __future__ import annotations

import pytest

import arbiter
from arbiter.correction import corrected, parse
from arbiter.overriding import Override
from qikit.errors import GameError
from tests.arbiter.games import ASIDE, CHASE, CHASING, CHECK, CHECKING, played
from tests.xiangqi.positions import rows
from xiangqi import records
from xiangqi.game import Game
from xiangqi.repetition import Nature

# ---------------------------------------------------------------- overrides


def test_an_override_turns_a_ruling_and_stands_in_it():
    board = played(CHASE, CHASING * 5)
    assert arbiter.judge(board, "axf").verdict == "red_loses"
    idle = Override(7, Nature.IDLE, "黑马有根")
    ruling = arbiter.judge(board, "axf", overrides=[idle])
    assert (ruling.verdict, ruling.ply) == ("draw", 8)
    assert ruling.loop.plies[2].nature == "idle"
    assert "裁判认定为闲：黑马有根（程序判为捉）" in ruling.loop.plies[2].sentences()
    [record] = ruling.overrides
    assert record.was == "chase"
    assert "黑马有根" in ruling.text()
    assert ruling.to_dict()["overrides"][0] == {
        "ply": 7, "move": "车九进二", "nature": "idle", "victims": [], "reason": "黑马有根",
        "was": "chase",
    }  # fmt: skip


@pytest.mark.parametrize("ply", [3, 7, 11])
def test_an_override_holds_for_the_same_move_wherever_it_is_repeated(ply):
    board = played(CHASE, CHASING * 5)
    ruling = arbiter.judge(board, "axf", overrides=[Override(ply, Nature.IDLE, "理由")])
    assert ruling.verdict == "draw"
    # an override beyond the ply of the ruling reaches back to the same move
    natures = {p.ply: p.nature for p in ruling.loop.plies}
    assert natures[3] == natures[7] == "idle"


def test_a_chase_under_the_asian_rules_needs_its_victim():
    board = played(CHASE, ASIDE * 3)
    assert arbiter.judge(board, "axf").verdict == "draw"
    moves = {p.ply for p in arbiter.judge(board, "axf").loop.plies if p.nature == "idle"}
    assert 1 in moves
    with pytest.raises(GameError, match="@"):
        arbiter.judge(board, "axf", overrides=[Override(1, Nature.CHASE, "理由")])
    with pytest.raises(GameError, match="没有对方的子"):
        arbiter.judge(board, "axf", overrides=[Override(1, Nature.CHASE, "理由", (0,))])
    chase = Override.parse("1=捉@f3:理由")
    assert arbiter.judge(board, "axf", overrides=[chase]).verdict == "red_loses"


def test_natures_under_the_club_rules():
    board = played(CHASE, CHASING * 5)
    threats = [Override(1, Nature.MATE_THREAT, "要杀"), Override(3, Nature.CHASE, "捉马")]
    idle = Override(2, Nature.IDLE, "逃")
    ruling = arbiter.judge(board, overrides=[*threats, idle])
    assert [(e.ply, e.verdict) for e in ruling.events] == [
        (12, "red_must_change"),
        (16, "red_loses"),
    ]
    ruling = arbiter.judge(board, overrides=[Override(1, Nature.IDLE, "不是捉"), idle])
    assert ruling.verdict == "draw"


@pytest.mark.parametrize("rules", ["axf", "club2008", "cxa2020"])
def test_confirming_the_program_changes_no_verdict(rules):
    """Every reference loop with each move found to be what the program found."""
    for row in rows("xiangqi_repetition.jsonl"):
        if not row["cycle"]:
            continue
        board = played(row["fen"], row["setup"] + row["cycle"] * 4)
        ruling = arbiter.judge(board, rules)
        first = range(len(row["setup"]) + 1, len(row["setup"] + row["cycle"]) + 1)
        plies = ruling.loop.plies if ruling.loop else ()
        same = [
            Override(p.ply, p.nature, "同意")
            for p in plies
            if p.ply in first and p.nature is not Nature.CHECK
        ]
        again = arbiter.judge(board, rules, overrides=same)
        assert (again.verdict, again.ply) == (ruling.verdict, ruling.ply), row["id"]


def test_an_override_that_changes_nothing_says_so():
    board = played(CHASE, CHASING)
    ruling = arbiter.judge(board, "axf", overrides=[Override(2, Nature.IDLE, "理由")])
    assert ruling.overrides[0].was is None
    assert "没有影响" in ruling.text()


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ([Override(21, Nature.IDLE, "x")], "没有第 21 着"),
        ([Override(3, Nature.IDLE, "x"), Override(3, Nature.CHASE, "x")], "改定了两次"),
        ([Override(3, Nature.IDLE, "x"), Override(7, Nature.CHASE, "x")], "同一局面的同一着"),
    ],
)
def test_overrides_that_cannot_be(overrides, words):
    with pytest.raises(GameError, match=words):
        arbiter.judge(played(CHASE, CHASING * 5), "axf", overrides=overrides)


def test_a_check_is_no_matter_of_opinion():
    board = played(CHECK, CHECKING * 4)
    with pytest.raises(GameError, match="事实"):
        arbiter.judge(board, overrides=[Override(2, Nature.IDLE, "不算")])
    with pytest.raises(GameError, match="事实"):
        Override(2, Nature.CHECK, "算将")


@pytest.mark.parametrize("letter", ["捉", "chase", "CHASE", "Z", "z"])
def test_natures_are_read_in_every_spelling(letter):
    if letter == "CHASE":
        with pytest.raises(GameError):
            Override.parse(f"3={letter}:x")
    else:
        assert Override.parse(f" 3 ＝ {letter}@e5,a0：有 理由 ") == Override(
            3, Nature.CHASE, "有 理由", (49, 0)
        )


@pytest.mark.parametrize(
    "text",
    ["", "3", "3=捉", "3=捉:", "3=飞:x", "捉:x", "0=捉:x", "3=闲@e5:x", "3=捉@z9:x", "3=将:x"],
)
def test_overrides_that_cannot_be_read(text):
    with pytest.raises(GameError):
        Override.parse(text)


# ---------------------------------------------------------------- corrections


def moves(game):
    return [str(move) for move in game.moves()]


def test_points_are_kept_where_they_still_make_sense():
    game = Game.from_moves(["炮二平五", "马8进7", "马二进三", "车9平8", "兵三进一"])
    new, changes = corrected(game, {1: "炮八平五"})
    assert moves(new) == ["b2e2", *moves(game)[1:]]
    assert [(c.ply, c.was, c.now) for c in changes] == [(1, "炮二平五", "炮八平五")]
    assert moves(game)[0] == "h2e2"


def test_a_later_move_of_the_same_piece_is_read_again_by_its_text():
    game = Game.from_moves(
        [
            "炮二平五",
            "马8进7",
            "马二进三",
            "车9平8",
            "车一平二",
            "卒7进1",
            "车二进六",
            "炮2进1",
            "车二退二",
        ]
    )
    new, changes = corrected(game, {7: "车二进五"})
    assert moves(new)[6:] == ["h0h5", "b7b6", "h5h3"]
    assert [c.typed for c in changes] == [True, False]
    assert "重读" in changes[1].sentence()
    ruling = arbiter.judge(new, corrections=changes)
    assert "第 7 着：棋谱为 车二进六，更正为 车二进五" in ruling.text()
    assert ruling.to_dict()["corrections"][0]["now"] == "车二进五"


def test_the_moves_behind_an_illegal_one_come_back():
    [game] = records.loads("1. 炮二平五 马8进7 2. 马二进三 车9平2 3. 车一平二 卒7进1 *")
    assert len(game.moves()) == 3
    assert game.defects[0].rest == ("车一平二", "卒7进1")
    new, changes = corrected(game, {4: "车9平8"})
    assert moves(new) == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "g6g5"]
    assert new.defects == []
    assert changes[0].was == "车9平2"


def test_a_continuation_that_cannot_be_played_is_named():
    game = Game.from_moves(["炮二平五", "马8进7", "炮五进四", "马7进5"])
    new, _ = corrected(game, {1: "兵七进一"})
    assert moves(new) == ["c3c4", "h9g7"]
    [defect] = new.defects
    assert (defect.ply, defect.text) == (3, "炮五进四")
    assert "其后 1 着" in defect.reason


def test_a_move_may_be_added_at_the_end():
    game = Game.from_moves(["炮二平五"])
    new, changes = corrected(game, {2: "马8进7"})
    assert moves(new) == ["h2e2", "h9g7"]
    assert changes[0].was == "（无）"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({0: "炮二平五"}, "没有第 0 着"),
        ({3: "炮二平五"}, "没有第 3 着"),
        ({1: "车一进三"}, "更正第 1 着"),
        ({1: "zz"}, "更正第 1 着"),
        ({1: ""}, "更正第 1 着"),
    ],
)
def test_corrections_that_cannot_be(given, words):
    with pytest.raises(GameError, match=words):
        corrected(Game.from_moves(["炮二平五"]), given)


@pytest.mark.parametrize("text", ["", "3", "=x", "0=x", "x=3", "3=", "1 2=x"])
def test_corrections_that_cannot_be_read(text):
    with pytest.raises(GameError):
        parse(text)
