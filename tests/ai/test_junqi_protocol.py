"""The protocols of 军棋: CCGC's for two players, and the text protocol for one of the seats."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from random import Random

import pytest

from ai.protocols.ccgc import name_of, point_of
from ai.protocols.junqi import serve
from ai.transport import LineTransport
from junqi import Board, Fight, Move, Rules, breaches, random_army


def talk(*lines: str, **options: object) -> list[str]:
    """What the engine answers until the input ends."""
    out = io.BytesIO()
    serve(LineTransport(io.BytesIO("\n".join(lines).encode()), out), **options)  # type: ignore[arg-type]
    return out.getvalue().decode().splitlines()


class Engine:
    """A process of ``qiyuan engine junqi``."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "qiyuan", "engine", "junqi", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self, begin: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(begin):
                return line.strip()
        raise AssertionError(self.process.stderr.read() if self.process.stderr else "")

    def close(self, word: str) -> str:
        _, err = self.process.communicate(word + "\n", timeout=60)
        assert self.process.returncode == 0, err
        return err


# ---- CCGC --------------------------------------------------------------------------------------


def test_points_of_the_referee() -> None:
    names = {name_of(point) for point in (*range(30), *range(60, 90))}
    assert len(names) == 60
    assert all(name_of(point_of(name)) == name for name in names)
    # the own right column at the front faces the opponent's left one
    assert (point_of("G4"), point_of("F4")) == (4, 60)


def test_a_ccgc_game_between_two_processes() -> None:
    """Two engines play; the referee checks every move and tells each side in its own points."""
    codes = {Fight.REPELLED: 0, Fight.CAPTURE: 1, Fight.BOTH: 2, Fight.MOVE: 3}
    engines = [Engine("--seed", str(seed)) for seed in (1, 2)]
    armies = []
    for seat, engine in enumerate(engines):
        engine.send("INFO 1.0")
        assert engine.answer("NAME") == "NAME Qiyuan"
        engine.send(f"START {seat} 1000 31")
        armies.append(engine.answer("ARRAY").split()[1])
        assert breaches(armies[-1]) == ()
    board = Board.from_armies(armies, rules="ccgc")
    last = ["0000 0 00", ""]

    def seen_by(seat: int, point: int) -> str:
        # seat 1 sees the board from the other side, as seat 0 would see it turned round
        return name_of(point if seat == 0 else (point + 60) % 120)

    while board.outcome() is None and board.ply < 60:
        seat = board.turn
        engines[seat].send(f"GO {last[seat]}")
        text = engines[seat].answer("BESTMOVE").split()[1]
        points = [point_of(text[:2]), point_of(text[2:])]
        move = Move(*(p if seat == 0 else (p + 60) % 120 for p in points))
        board.push(move)
        event = board.events[-1]
        assert event.fight is not None
        flags = dict(event.shown)
        for reader in (0, 1):
            flag = flags.get(1 - reader)
            tail = f"{codes[event.fight]}" + (
                f" {seen_by(reader, flag)}" if flag is not None else ""
            )
            if reader == seat:
                engines[reader].send(f"RESULT {tail}")
            else:
                last[reader] = "".join(seen_by(reader, p) for p in move) + f" {tail}"
    for engine in engines:
        assert "the referee tells" not in engine.close("END")


def test_ccgc_engines_know_what_the_referee_knows() -> None:
    """Follow a whole game from one side's lines and compare the view with the referee's."""
    from ai.protocols.ccgc import CcgcEngine
    from junqi import View

    class Listed:
        """Plays a given list of moves."""

        name = "listed"

        def __init__(self, moves: list[Move]) -> None:
            self.moves = moves

        def choose(self, board: View, *args: object, **options: object) -> object:
            from ai.player import Choice

            return Choice(self.moves.pop(0))

        hint = choose

    codes = {Fight.REPELLED: 0, Fight.CAPTURE: 1, Fight.BOTH: 2, Fight.MOVE: 3}
    for seed in range(4):
        rng = Random(seed)
        mine = random_army(Random(seed))
        board = Board.from_armies([mine, random_army(rng)], rules=Rules.preset("ccgc"))
        while board.outcome() is None and board.ply < 120:
            moves = list(board.legal_moves)
            fights = [move for move in moves if board.piece_at(move.to_point)]
            board.push(rng.choice(fights if fights and rng.random() < 0.5 else moves))
        if board.outcome() is not None:
            board.pop()
        lines, told, own = ["INFO 1", "START 0 1000 31"], "0000 0 00", []
        for event in board.events:
            assert event.move is not None
            assert event.fight is not None
            flag = dict(event.shown).get(1)
            tail = f"{codes[event.fight]}" + (f" {name_of(flag)}" if flag is not None else "")
            if event.seat == 0:
                lines += [f"GO {told}", f"RESULT {tail}"]
                own.append(event.move)
            else:
                told = "".join(name_of(point) for point in event.move) + f" {tail}"
        out = io.BytesIO()
        engine = CcgcEngine(LineTransport(io.BytesIO(), out), Listed(own), Random(seed))  # type: ignore[arg-type]
        engine.run(lines)
        events = board.events if board.events[-1].seat == 0 else board.events[:-1]
        known = engine._view()
        assert known.events == events
        if len(events) == len(board.events):
            assert known == board.view(0)


def test_ccgc_lines_that_make_no_sense(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        said = talk("INFO", "GO 0000 0 00", "START x", "GO A0B0 9", "HELLO", "GO", "END", seed=1)
    assert said[0] == "NAME Qiyuan"
    assert sum(line.startswith("BESTMOVE") for line in said) == 2
    assert len(caplog.records) >= 3


# ---- the text protocol -------------------------------------------------------------------------


def test_handshake() -> None:
    said = talk("uci", "isready", "quit")
    assert said[0].startswith("id name Qiyuan")
    assert said[-1] in ("uciok", "readyok")
    assert any("var event_s3b" in line for line in said)


def test_four_engines_at_a_table() -> None:
    """Each knows its army and the events, and says at the end what the referee's view says."""
    rng = Random(3)
    armies = [random_army(rng) for _ in range(4)]
    board = Board.from_armies(armies, turn=1)
    heads = [[f"newgame seat {seat} first 1", f"army {seat} {armies[seat]}"] for seat in range(4)]
    lines: list[str] = []
    while board.outcome() is None and board.ply < 40:
        # the engine is deterministic by its seed, so its answer can be asked for again each time
        if board.ply % 13 == 5:
            seat = board.turn
            best = talk(*heads[seat], *lines, "go", seed=board.ply)[-1]
            board.push(best.removeprefix("bestmove "))
        else:
            board.push(rng.choice(list(board.legal_moves)))
        lines.append("event " + json.dumps(board.events[-1].to_dict()))
    board.timeout()
    lines.append("event " + json.dumps(board.events[-1].to_dict()))
    for seat in range(4):
        said = talk(*heads[seat], *lines, "view", "legal", "candidates W62", "d")
        view = board.view(seat)
        assert said[0] == "view " + view.to_bytes().decode()
        assert said[1].split()[1] == str(len(view.legal_moves))
        assert said[2] == f"candidates W62 {view.candidates('W62')}".rstrip()
        assert [line.strip() for line in said[3:]] == [
            line.strip() for line in str(view).splitlines() if line.strip()
        ]


def test_partners_see_each_other_in_open_pairs() -> None:
    rng = Random(4)
    armies = [random_army(rng) for _ in range(4)]
    board = Board.from_armies(armies, rules=Rules(mode="allies"))
    head = ["newgame seat 2 mode allies", f"army 2 {armies[2]}"]
    assert "army of seat 0" in talk(*head, "legal")[-1]
    assert "must not know" in talk(*head, f"army 1 {armies[1]}")[-1]
    said = talk(*head, f"army 0 {armies[0]}", "view")
    assert said[-1] == "view " + board.view(2).to_bytes().decode()


def test_set_ups_and_rules() -> None:
    said = talk("newgame seat 1", "setup", seed=5)
    assert breaches(said[0].split()[2]) == ()
    assert talk("newgame seat 1", "setup", seed=5) == said
    said = talk("setoption name Rules value luzhan", "newgame seat 1 first 1", "go", seed=1)
    assert Move.parse(said[-1].split()[1]).from_point >= 60


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("newgame seat 4", "no such seat"),
        ("newgame chair 1", "unknown words"),
        ("newgame seat 0 mode half", "mode"),
        ("army 0 aaaa", "布阵"),
        ("army x y", "info string"),
        ("event {", "info string"),
        ('event {"seat":0,"from":"S11","to":"W55","outcome":"both"}', "no piece could"),
        ("candidates Q11", "no such point"),
        ("setoption name Rules value nothing", "info string"),
        ("setoption name Colour value red", "unknown option"),
        ("hello", "unknown command"),
    ],
)
def test_lines_that_make_no_sense(line: str, words: str) -> None:
    said = talk("newgame seat 0", line, "legal", seed=1)
    assert any(line.startswith("info string") and words in line for line in said), said
    assert said[-1].startswith("legal ")
