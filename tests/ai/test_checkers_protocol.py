"""The text protocol of 跳棋 and the player that runs home."""

from __future__ import annotations

import io
import re

import pytest

from ai.evaluation import evaluation
from ai.protocols.checkers import CheckersEngine, serve
from ai.racer import RacingPlayer
from ai.simple import GreedyPlayer, RandomPlayer
from ai.transport import LineTransport
from checkers import Board, Move, solo_distance
from qikit import Termination

NEAR = "1/2/3/4/13/12/11/10/9/10/11/12/8A4/AAA1/AAA/AA/A A A 10"
PASSED = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/7A5/AAAA/A1A/AA/A A AD 10"


def talk(*lines: str, **options: object) -> list[str]:
    """What the engine answers until the input ends."""
    out = io.BytesIO()
    serve(LineTransport(io.BytesIO("\n".join(lines).encode()), out), **options)  # type: ignore[arg-type]
    return out.getvalue().decode().splitlines()


def test_handshake_names_rules_and_players() -> None:
    said = talk("uci", "isready")
    assert said[0].startswith("id name Qiyuan")
    assert said[-2:] == ["uciok", "readyok"] or "uciok" in said
    assert any("var fair" in line for line in said)


def test_position_perft_and_legal_moves() -> None:
    said = talk("position startpos moves c1>e5 n1-m5", "go perft 2", "legal", "d")
    board = Board()
    board.push("c1:e5")
    board.push("n1:m5")
    assert f"Nodes searched: {board.perft(2)}" in said
    assert f"legal {len(board.legal_moves)} " in "\n".join(said)
    assert f"Fen: {board.fen(counters=True)}" in said


def test_go_answers_a_legal_turn_with_its_way() -> None:
    for player in ("racer", "greedy", "random"):
        said = talk("go", player=player, seed=3)
        best = re.fullmatch(r"bestmove (\S+)", said[-1])
        assert best is not None
        assert Move.parse(best[1]) in Board().legal_moves
        assert re.search(r" pv \w\d+[->]", said[-2])


def test_searchmoves_and_infinite() -> None:
    said = talk("go infinite searchmoves d1-e5 a1:i5", "stop")
    assert said[-1] == "bestmove d1:e5"
    assert any("a1:i5" in line for line in said if line.startswith("info string"))


def test_solo_and_race() -> None:
    said = talk(f"position fen {NEAR}", "solo", f"position fen {PASSED}", "race", "go")
    assert "solo turns 1 exact true bound 1 proof search line m9:n4" in said
    assert "race winner 0 exact true turns 1 1 line m8:o2" in said
    assert said[-1] == "bestmove m8:o2"


def test_seats_and_rules() -> None:
    said = talk("setoption name Rules value party", "position startpos seats 3 moves d1-e5", "d")
    assert any(line.startswith("Fen: ") and " C ACE 10" in line for line in said)


@pytest.mark.parametrize(
    "line",
    [
        "position fen nonsense",
        "position startpos moves a1:i5",
        "position startpos seats five",
        "position",
        "setoption name Rules value chess",
        "setoption name Nothing value 1",
        "setoption",
        "race",
        "fly",
        "go depth",
    ],
)
def test_nonsense_is_answered_and_changes_nothing(line: str) -> None:
    said = talk(line, "d")
    assert any(text.startswith("info string") for text in said)
    if not line.startswith("go"):
        assert said[-1] == f"Fen: {Board().fen(counters=True)}"


def test_game_over_has_no_turn() -> None:
    over = PASSED.replace("7A5/AAAA/A1A", "13/AAAA/AAA")
    assert talk(f"position fen {over}", "go")[-1] == "bestmove (none)"


def test_engine_goes_on_after_a_quit_free_input() -> None:
    link = LineTransport(io.BytesIO(b"quit\n"), io.BytesIO())
    CheckersEngine(link).run()


def test_racer_runs_the_shortest_line() -> None:
    board = Board(PASSED.replace("7A5/AAAA/A1A", "8A4/AAAA/A1A"))
    player = RacingPlayer(RandomPlayer(1))
    least = solo_distance(board).turns
    for _ in range(least):
        choice = player.choose(board)
        assert choice is not None
        board.push(choice.move)
        if board.outcome() is None:
            board.push(next(iter(board.legal_moves)))
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_evaluation_prefers_progress_and_the_middle() -> None:
    evaluate = evaluation("checkers")
    board = Board()
    assert evaluate(board, 0) == evaluate(board, 1) == 0.0
    for sixths in range(6):
        turned = board.rotate(sixths)
        turned.push_unchecked(next(iter(turned.legal_moves)))
        assert evaluate(turned, 0) > 0 > evaluate(turned, 1)


def test_simple_players_finish_a_game() -> None:
    board = Board(rules="fair")
    players = [RacingPlayer(GreedyPlayer(evaluation("checkers"), seed)) for seed in (1, 2)]
    while (outcome := board.outcome()) is None:
        choice = players[board.turn].choose(board)
        assert choice is not None
        board.push(choice.move)
    assert outcome.termination in (
        Termination.GOAL_FILLED,
        Termination.REPETITION,
        Termination.NATURAL_LIMIT,
        Termination.MOVE_LIMIT,
    )


def test_deep_counts_are_refused() -> None:
    said = talk(
        "setoption name Rules value party",
        "position startpos seats 6",
        *(f"go perft {depth}" for depth in ("1500", "257", "-1", "9" * 400)),
        "go perft 1",
    )
    assert sum("perft: a depth from 0 to 256" in line for line in said) == 4
    assert "Nodes searched: 14" in said


@pytest.mark.parametrize(
    "rest", ["seats x", "seats", "seats 5", "seats ²", "seats 2 3", "chairs 6"]
)
def test_bad_seats_keep_the_position(rest: str) -> None:
    said = talk("position startpos seats 3", f"position startpos {rest}", "d")
    (line,) = [line for line in said if line.startswith("info string")]
    assert "position not changed" in line
    assert "literal" not in line
    assert " A ACE 10" in said[-1]


def test_a_bad_field_is_told_in_a_sentence() -> None:
    for field in ("ply=1e9", "finished=X", "ply=" + "9" * 5000):
        said = talk(f"position fen {Board().fen()} {field}", "d")
        (line,) = [line for line in said if line.startswith("info string")]
        assert "literal" not in line
        assert "substring" not in line
        assert "position not changed" in line


def test_times_of_hundreds_of_digits(capfd: pytest.CaptureFixture[str]) -> None:
    for words in ("movetime", "nodes 1 movetime", "wtime", "movetime 5 nodes"):
        said = talk(f"go {words} {'9' * 400}", player="greedy", seed=1)
        assert said[-1].startswith("bestmove ")
    assert not capfd.readouterr().err
