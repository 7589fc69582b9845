"""The shelf of puzzles: every claim of the file, by the prover and by plain minimax."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from ai.puzzles import Puzzle, making, puzzles, solving
from ai.puzzles.grading import grade, measure
from ai.puzzles.themes import material, pattern
from tests.twins import xiangqi as rules
from tests.twins.xiangqi_minimax import Minimax
from xiangqi import Board, Move
from xiangqi.mates import Prover

SHORT = [one for one in puzzles() if one.moves <= 3]
SAMPLE = sorted(Random(1).sample(SHORT, 12), key=lambda one: one.number)


def final(one: Puzzle) -> Board:
    board = Board(one.fen)
    for text in one.line:
        board.push(text)
    return board


def proved_by_minimax(one: Puzzle, twin: Minimax) -> None:
    """The length is exact and no other first move mates within ``sure``, after rules of their
    own; at every move of the solution Black holds out as long as can be."""
    pos = rules.position(one.fen)
    right = Move.parse(one.line[0])
    assert twin.mates(pos, one.moves), one.number
    assert one.moves == 1 or not twin.mates(pos, one.moves - 1), one.number
    assert not twin.mates(pos, one.sure, tuple(right)), one.number
    for ply, text in enumerate(one.line):
        left = one.moves - ply // 2
        if pos.red_to_move:
            assert twin.mates(pos, left), (one.number, ply)
            assert left == 1 or not twin.mates(pos, left - 1), (one.number, ply)
        move = Move.parse(text)
        assert tuple(move) in rules.legal_moves(pos), (one.number, ply)
        pos = rules.make(pos, tuple(move))
    assert not list(rules.legal_moves(pos)), one.number


def proved(one: Puzzle, prover: Prover) -> None:
    board, right = Board(one.fen), Move.parse(one.line[0])
    assert prover.distance(board, one.moves) == one.moves, one.number
    assert prover.mate(board, one.moves) == right, one.number
    assert prover.mate(board, one.sure, barred=right) is None, one.number


def test_there_are_enough_of_every_grade_and_length() -> None:
    assert len(puzzles()) >= 120
    assert min(Counter(one.grade for one in puzzles()).values()) >= 10
    assert {one.moves for one in puzzles()} >= {1, 2, 3, 4, 5, 6}
    assert making.SHELF.stat().st_size < 200 << 10


def test_every_row_is_a_puzzle() -> None:
    prover = Prover()
    for number, one in enumerate(puzzles(), start=1):
        board, right = Board(one.fen), Move.parse(one.line[0])
        assert one.number == number
        assert board.is_valid()
        assert board.turn == 0
        assert not board.is_check()
        assert board.fen(counters=False) == one.fen
        assert len(one.line) == 2 * one.moves - 1
        assert one.moves <= one.sure <= one.moves + 2
        end = final(one)
        assert not len(end.legal_moves)
        name = pattern(end)
        assert one.theme == material(board) + (f"·{name}" if name else "")
        numbers = measure(prover, board, right, one.moves)
        assert one.grade == grade(numbers), one.number
        assert numbers.spoils < 5, "a hanging piece is no puzzle"
        assert numbers.tempting >= 1


def test_no_two_are_the_same() -> None:
    keys = [key for one in puzzles() for key in {Board(one.fen).key, Board(one.fen).mirror().key}]
    assert len(set(keys)) == len(keys)
    easy_first = [one.grade for one in puzzles()]
    assert easy_first == sorted(easy_first)


def test_a_sample_is_proved_twice() -> None:
    prover, twin = Prover(), Minimax()
    for one in SAMPLE:
        proved(one, prover)
        proved_by_minimax(one, twin)


@pytest.mark.full
@pytest.mark.timeout(7200)
def test_all_are_proved_twice() -> None:
    prover, twin = Prover(1 << 20), Minimax()
    for one in puzzles():
        proved(one, prover)
        proved_by_minimax(one, twin)


def test_the_prover_and_minimax_notice_a_wrong_claim() -> None:
    one = next(one for one in SHORT if one.moves == 2)
    for wrong in (replace(one, moves=3), replace(one, line=(str(other(one)),))):
        with pytest.raises(AssertionError):
            proved(wrong, Prover())
        with pytest.raises(AssertionError):
            proved_by_minimax(wrong, Minimax())


def other(one: Puzzle) -> Move:
    """A wrong first move that leaves Black a move."""
    board = Board(one.fen)
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        if str(move) != one.line[0] and len(after.legal_moves):
            return move
    raise AssertionError(one.number)


# ---------------------------------------------------------------- solving


def test_the_solution_is_played_against_the_longest_defence() -> None:
    prover = Prover()
    for one in SAMPLE:
        board = Board(one.fen)
        while len(board.legal_moves):
            left = one.moves - len(board.move_stack) // 2
            attack = solving.attack(one, board, prover)
            assert attack.left == left
            board.push(attack.move)
            if len(board.legal_moves):
                reply = solving.defend(one, board, prover)
                assert reply.left == left - 1
                board.push(reply.move)
        assert [str(move) for move in board.move_stack] == list(one.line)


def test_beside_the_line_the_defence_is_still_the_longest() -> None:
    """Where Red has another fast move later on, Black's answer is searched, not looked up."""
    prover, tried = Prover(), 0
    for one in (one for one in SHORT if one.moves == 3):
        board = Board(one.fen)
        for text in one.line[:2]:
            board.push(text)
        second = prover.mate(board, 2, barred=Move.parse(one.line[2]))
        if second is None:
            continue
        board.push(second)
        if not len(board.legal_moves):
            continue
        reply = solving.defend(one, board, prover)
        assert reply.left == prover.resistance(board, 2) == 1
        tried += 1
    assert tried >= 1


def test_a_wrong_first_move_gives_the_mate_away() -> None:
    one = SAMPLE[-1]
    board = Board(one.fen)
    board.push(other(one))
    assert solving.defend(one, board, Prover()) == solving.Step(None, None)
    board.push(next(iter(board.legal_moves)))
    step = solving.attack(one, board, Prover())
    assert (step.move is None) == (step.left is None)


def test_a_board_of_another_puzzle_is_refused() -> None:
    first, second = puzzles()[:2]
    with pytest.raises(ValueError, match="残局"):
        solving.attack(replace(first, line=second.line[:0]), Board(first.fen), Prover())


# ---------------------------------------------------------------- words

PATTERNS = {
    "马后炮": "4k4/9/4N4/4C4/9/9/9/9/9/3K5 b",
    "重炮": "3aka3/9/9/9/4C4/9/9/4C4/9/3K5 b",
    "闷宫": "2Caka3/4c4/9/9/9/9/9/9/9/3K5 b",
    "铁门栓": "3Rk4/4a4/4b4/9/9/9/9/4C4/9/3K5 b",
    "卧槽马": "4k4/4a1N2/9/9/5R3/9/9/9/9/3K5 b",
    "挂角马": "2P1ka3/R8/3N5/9/9/9/9/9/9/3K5 b",
    "钓鱼马": "R3k4/9/6N2/9/9/9/9/9/9/3K5 b",
    "双车错": "R3k4/1R7/9/9/9/9/9/9/9/5K3 b",
    "白脸将": "3k5/9/9/3R5/9/9/9/9/9/4K4 b",
    "双将": "9/9/3aka3/4R4/4C4/9/9/9/9/3K5 b",
    "困毙": "3k5/R8/9/9/3P5/9/9/9/9/4K4 b",
}


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns(name: str) -> None:
    board = Board(PATTERNS[name])
    assert pattern(board) == name
    assert pattern(board.mirror()) == name


def test_no_pattern_is_claimed_where_none_is() -> None:
    assert pattern(Board("4k4/9/9/9/9/9/9/9/9/3K5 b")) is None  # no mate at all
    assert pattern(Board("1R1k1a3/2P6/9/9/9/9/9/9/4A4/4K4 b")) is None  # a chariot and a pawn
    # a chariot, a horse and the second chariot that share the work
    assert pattern(Board("R3k4/1R7/6N2/9/9/9/9/9/9/5K3 b")) is None


def test_material() -> None:
    assert material(Board("2bak4/4a4/4b4/9/9/9/9/9/4c4/3K2NR1 w")) == "车马胜炮士象全"
    assert material(Board("4k4/9/4b4/3PPP3/9/9/9/9/9/3K5 w")) == "三兵胜单象"


# ---------------------------------------------------------------- making

QUICK = replace(making.BROAD, name="quick", tries=60, games=1)


def test_a_seed_finds_the_same_again() -> None:
    first, second = (making.Maker(QUICK, 7).search() for _ in range(2))
    assert first
    assert first == second
    prover = Prover()
    for one in first:
        board, right = Board(one.fen), Move.parse(one.line[0])
        assert prover.distance(board, one.measure.moves) == one.measure.moves
        assert prover.mate(board, one.sure, barred=right) is None


def test_making_continues_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "BROAD", QUICK)
    shelf = tmp_path / "shelf.json"

    def make(seeds: int) -> None:
        arguments = [str(tmp_path / "finds"), "--broad", str(seeds), "--tense", "0"]
        done = CliRunner().invoke(making.main, [*arguments, "--shelf", str(shelf)])
        assert done.exit_code == 0, done.output

    make(1)
    [kept] = (tmp_path / "finds").iterdir()
    stamp = kept.stat().st_mtime_ns
    assert json.loads(shelf.read_text("utf-8"))
    make(2)
    assert kept.stat().st_mtime_ns == stamp
    assert len(list((tmp_path / "finds").iterdir())) == 2


def test_the_shelf_takes_no_two_alike() -> None:
    one = making.Found(
        puzzles()[0].fen, 1, puzzles()[0].line, "车胜单将",
        making.Measure(1, 3, False, 0, 0, 0, 4),
    )  # fmt: skip
    twin = replace(one, fen=Board(one.fen).mirror().fen(counters=False))
    assert len(making.choose([one, twin, one])) == 1
