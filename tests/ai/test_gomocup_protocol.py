"""Transcripts of the gomoku engine: Gomocup, and the extensions of Yixin and Rapfi."""

from __future__ import annotations

import io
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Budget, Choice
from ai.player import Report
from ai.protocols.gomocup import SIMPLE_PLAYERS, GomocupEngine
from ai.simple import RandomPlayer
from ai.transport import LineTransport
from gomoku import Board, Move
from gomoku.records import loads
from qikit import StopFlag
from tests.ai.gomocup_manager import Engine, play
from tests.gomoku.data import FOLDER, rows

MOVE = r"\d+,\d+$"


class Thinker(RandomPlayer):
    """Thinks until it is stopped; ``begun`` is set when it starts."""

    def __init__(self) -> None:
        super().__init__(1)
        self.begun = threading.Event()
        self.budgets: list[Budget] = []

    def choose(
        self,
        board: Any,
        budget: Budget = Budget(),  # noqa: B008
        *,
        stop: StopFlag | None = None,
        moves: Sequence[Any] | None = None,
        report: Report | None = None,
    ) -> Choice | None:
        self.budgets.append(budget)
        if stop is not None and budget.nodes is None:
            self.begun.set()
            while not stop.is_set():
                time.sleep(0.001)
        return super().choose(board, moves=moves)


class Table:
    """A manager's end of a conversation with an engine on a thread of its own."""

    def __init__(self, player: str = "threats") -> None:
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        self.thinker = Thinker()
        players: dict[str, Callable[[int | None], Any]] = {
            **SIMPLE_PLAYERS,
            "thinker": lambda seed: self.thinker,
        }
        self._source, self._sink = os.fdopen(down_read, "rb", 0), os.fdopen(up_write, "wb", 0)
        self._out, self._in = os.fdopen(down_write, "wb", 0), os.fdopen(up_read, "rb", 0)
        engine = GomocupEngine(
            LineTransport(self._source, self._sink), players, player=player, seed=1
        )
        self.thread = threading.Thread(target=self._run, args=(engine,), daemon=True)
        self.thread.start()
        self.link = LineTransport(self._in, self._out)

    def _run(self, engine: GomocupEngine) -> None:
        engine.run()
        self._sink.close()

    def send(self, *lines: str) -> None:
        self.link.send(*lines)

    def reply(self, timeout: float = 60.0) -> str:
        line = self.link.receive(timeout)
        assert line is not None, "the engine has gone"
        return line

    def ask(self, *lines: str) -> str:
        self.send(*lines)
        return self.reply()

    def silent(self, seconds: float = 0.1) -> bool:
        try:
            line = self.link.receive(seconds)
        except TimeoutError:
            return True
        raise AssertionError(f"unexpected: {line}")

    def close(self) -> None:
        self._out.close()
        self.thread.join(10)
        assert not self.thread.is_alive()
        self._source.close()
        list(self.link)
        self._in.close()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    table.send("INFO timeout_turn 200", "INFO timeout_match 0")
    yield table
    table.close()


@pytest.fixture
def thinking() -> Iterator[Table]:
    table = Table("thinker")
    table.send("INFO timeout_turn 60000")
    assert table.ask("START 15") == "OK"
    yield table
    table.close()


def test_begin_in_the_centre(table: Table) -> None:
    """gm11: an engine must be able to open a game."""
    assert table.ask("START 15") == "OK"
    assert table.ask("BEGIN") == "7,7"
    assert re.match(MOVE, table.ask("TURN 8,8"))


@pytest.mark.parametrize("size", [5, 15, 19, 20])
def test_sizes(table: Table, size: int) -> None:
    assert table.ask(f"START {size}") == "OK"
    answer = table.ask("BEGIN")
    assert all(0 <= int(n) < size for n in answer.split(","))
    assert table.ask(f"RECTSTART {size},{size}") == "OK"
    assert table.ask("RESTART") == "OK"
    assert re.match(MOVE, table.ask("TURN 0,0"))


@pytest.mark.parametrize("line", ["START 4", "START 21", "START x", "RECTSTART 15,16", "RECTSTART"])
def test_sizes_that_are_refused(table: Table, line: str) -> None:
    assert table.ask(line).startswith("ERROR")
    assert table.ask("START 15") == "OK"


def test_info_before_start_and_unknown_keys(table: Table) -> None:
    """gm13: INFO may come first, and nothing is said about keys that nobody knows."""
    table.send("INFO timeout_turn 300", "INFO colour blue", "INFO", "INFO rule")
    assert table.ask("START 15") == "OK"
    assert table.silent()


def test_command_right_behind_a_move(table: Table) -> None:
    """gm12: what comes at once after the move is not swallowed."""
    assert table.ask("START 15") == "OK"
    assert re.match(MOVE, table.ask("TURN 7,7"))
    for n in range(3):
        answer = table.ask("INFO time_left 9000", f"TURN {n},14")
        assert re.match(MOVE, answer)
    assert re.match(MOVE, table.ask("INFO time_left 9000\r\n\r\nturn 14,13\r"))


def test_two_commands_in_one_write(table: Table) -> None:
    table.send("START 15\nBEGIN\nTURN 0,0\nTAKEBACK 0,0")
    answers = [table.reply() for _ in range(4)]
    assert answers[:2] == ["OK", "7,7"]
    assert re.match(MOVE, answers[2])
    assert answers[3] == "OK"


def test_board_gm09(table: Table) -> None:
    row = next(r for r in rows("bugs") if r["id"] == "gm09")
    commands = row["trigger"]["commands"]
    assert table.ask(*commands[:1]) == "OK"
    began = time.monotonic()
    answer = table.ask(*commands[1:])
    assert time.monotonic() - began < 2.0
    assert re.match(MOVE, answer)
    taken = {line.rsplit(",", 1)[0] for line in commands if line.count(",") == 2}
    assert answer not in taken
    # the engine moves second: its own fours count for white; the other side's four must be met
    assert table.ask("TAKEBACK " + answer) == "OK"


def test_empty_board_is_begin(table: Table) -> None:
    assert table.ask("START 15") == "OK"
    assert table.ask("BOARD", "DONE") == "7,7"


def test_board_in_any_order_and_unbalanced(table: Table) -> None:
    assert table.ask("START 15") == "OK"
    four = ["3,3,2", "4,3,2", "0,0,1", "5,3,2", "6,3,2", "2,3,1"]
    assert table.ask("BOARD", *four, "DONE") == "7,3"
    assert re.match(MOVE, table.ask("BOARD", "3,3,2", "9,9,2", "5,5,2", "7,7,3", "DONE"))


@pytest.mark.parametrize("lines", [["15,0,1"], ["0,-1,1"], ["1,1"], ["1,1,1", "1,1,2"], ["1,1,7"]])
def test_bad_board_is_refused_and_the_engine_lives(table: Table, lines: list[str]) -> None:
    assert table.ask("START 15") == "OK"
    assert table.ask("BOARD", *lines, "DONE").startswith("ERROR")
    assert table.ask("BEGIN") == "7,7"


@pytest.mark.parametrize("point", ["15,0", "-1,3", "7", "a,b", "7,7", ""])
def test_bad_turns(table: Table, point: str) -> None:
    assert table.ask("START 15") == "OK"
    assert table.ask("BEGIN") == "7,7"
    assert table.ask(f"TURN {point}").startswith("ERROR")
    assert re.match(MOVE, table.ask("TURN 8,8"))


def test_takeback(table: Table) -> None:
    assert table.ask("START 15") == "OK"
    assert table.ask("TAKEBACK 7,7").startswith("ERROR")
    assert table.ask("BEGIN") == "7,7"
    reply = table.ask("TURN 0,0")
    assert table.ask(f"TAKEBACK {reply}", "TAKEBACK 0,0") == "OK"
    assert table.reply() == "OK"
    assert re.match(MOVE, table.ask("TURN 0,0"))


def test_play_in_analysis_mode(table: Table) -> None:
    assert table.ask("INFO analysis_mode 1", "START 15") == "OK"
    assert table.ask("BEGIN") == "SUGGEST 7,7"
    assert table.ask("PLAY 7,8") == "7,8"
    assert table.ask("TURN 7,8").startswith("ERROR")


def test_about_and_unknown(table: Table) -> None:
    assert table.ask("about").startswith('name="Qiyuan", version="')
    assert table.ask("FROBNICATE 1").startswith("UNKNOWN")
    assert table.ask("YXQUERYDATABASEALL").startswith("ERROR")
    assert table.ask("LOADMODEL x").startswith("ERROR")


def test_win_at_once_and_block_at_once(table: Table) -> None:
    assert table.ask("INFO timeout_turn 0", "START 15") == "OK"
    own = ["1,1,1", "2,1,1", "3,1,1", "4,1,1", "0,1,2", "9,9,2", "9,10,2", "9,11,2", "9,12,2"]
    assert table.ask("BOARD", *own, "DONE") == "5,1"
    other = ["1,1,2", "2,1,2", "3,1,2", "4,1,2", "0,1,1", "9,9,1", "9,11,1"]
    assert table.ask("BOARD", *other, "DONE") == "5,1"


@pytest.mark.parametrize("left", ["-500", "0", "1", "400", "2147483647"])
def test_clock_values(table: Table, left: str) -> None:
    assert table.ask("INFO timeout_turn 300", "START 15") == "OK"
    began = time.monotonic()
    table.send(f"INFO time_left {left}", "INFO timeout_match 100000")
    assert table.ask("BEGIN") == "7,7"
    assert re.match(MOVE, table.ask(f"INFO time_left {left}", "TURN 3,3"))
    assert time.monotonic() - began < 5.0


def test_limits_become_a_budget(thinking: Table) -> None:
    thinking.send("INFO timeout_turn 5000", "INFO timeout_match 100000", "INFO time_left 3100")
    thinking.send("BEGIN")
    assert thinking.thinker.begun.wait(5)
    budget = thinking.thinker.budgets[-1]
    assert budget.time is not None
    assert budget.time == pytest.approx(0.2, abs=0.01)
    thinking.send("STOP")
    assert re.match(MOVE, thinking.reply())


def test_stop_and_end_while_thinking(thinking: Table) -> None:
    thinking.send("BEGIN")
    assert thinking.thinker.begun.wait(5)
    assert thinking.ask("yxstop").count(",") == 1
    thinking.thinker.begun.clear()
    thinking.send("TURN 0,1")
    assert thinking.thinker.begun.wait(5)
    began = time.monotonic()
    thinking.send("END")
    thinking.thread.join(5)
    assert not thinking.thread.is_alive()
    assert time.monotonic() - began < 2.0


def test_forced_forbidden_point_gm02(table: Table) -> None:
    """Black's only block is forbidden: a legal move must still come, at once."""
    row = next(r for r in rows("bugs") if r["id"] == "gm02")
    moves = [Move.parse(m) for m in row["trigger"]["moves"]]
    assert table.ask("INFO rule 4", "START 15") == "OK"
    lines = [f"{m.x},{14 - m.y},{1 + place % 2}" for place, m in enumerate(moves)]
    began = time.monotonic()
    x, y = map(int, table.ask("BOARD", *lines, "DONE").split(","))
    assert time.monotonic() - began < 5.0
    board = Board(rules="renju")
    for move in moves:
        board.push(move)
    board.push(Move(x, 14 - y))
    assert row["right"]["white_five_point"] == "g7"
    assert board.stone_at("g7") is None


def test_full_board_is_an_error(table: Table) -> None:
    assert table.ask("START 5") == "OK"
    pattern = ["11221", "22112", "11221", "22112", "11221"]
    lines = [f"{x},{y},{pattern[y][x]}" for y in range(5) for x in range(5)]
    assert "满盘" in table.ask("BOARD", *lines, "DONE")
    assert table.ask("RESTART") == "OK"


def test_show_forbidden_points(table: Table) -> None:
    assert table.ask("INFO rule 4", "START 15") == "OK"
    table.send("YXBOARD", "5,7,1", "0,0,2", "6,7,1", "0,14,2", "7,8,1", "14,0,2", "7,9,1")
    table.send("14,14,2", "DONE")
    assert table.ask("YXSHOWFORBID") == "FORBID 0707."
    assert table.ask("SHOWFORBID", "5,7,1", "6,7,1", "7,8,1", "7,9,1", "DONE") == "FORBID 7,7"
    assert table.ask("INFO rule 0", "YXSHOWFORBID") == "FORBID ."


def test_rule_two_is_renju_for_yixin_only(table: Table) -> None:
    stones = ["5,7,1", "0,0,2", "6,7,1", "0,14,2", "7,8,1", "14,0,2", "7,9,1", "14,14,2"]
    assert table.ask("INFO rule 2", "START 15") == "OK"
    assert table.ask("SHOWFORBID", *stones, "DONE") == "FORBID"
    assert table.ask("YXSHOWINFO") == "MESSAGE INFO MAX_THREAD_NUM 1"
    assert table.reply().startswith("MESSAGE INFO MAX_HASH_SIZE")
    assert table.ask("SHOWFORBID", *stones, "DONE") == "FORBID 7,7"


def test_blocked_root_moves_and_nbest(table: Table) -> None:
    assert table.ask("START 15") == "OK"
    table.send("YXBLOCK", "7,7", "DONE")
    assert table.ask("BEGIN") != "7,7"
    assert table.ask("YXBLOCKRESET", "START 15") == "OK"
    table.send("YXNBEST 3")
    lines = [table.reply() for _ in range(4)]
    assert [line[:10] for line in lines[:3]] == ["MESSAGE 1.", "MESSAGE 2.", "MESSAGE 3."]
    assert re.match(MOVE, lines[3])


def test_swap2_board(table: Table) -> None:
    assert table.ask("START 15") == "OK"
    three = table.ask("SWAP2BOARD", "DONE").split()
    assert len(set(three)) == 3
    for answer in (table.ask("SWAP2BOARD", *three, "DONE"),):
        assert answer == "SWAP" or len(answer.split()) in (1, 2)
    strong = ["7,7", "0,0", "8,8", "14,0", "6,7"]
    assert table.ask("SWAP2BOARD", *strong, "DONE") == "SWAP"
    weak = ["0,0", "7,7", "14,14", "8,8", "0,14"]
    assert re.match(MOVE, table.ask("SWAP2BOARD", *weak, "DONE"))
    assert table.ask("SWAP2BOARD", "1,1", "DONE").startswith("ERROR")
    assert table.ask("SWAP2BOARD", "1,1", "1,1", "2,2", "DONE").startswith("ERROR")


def test_yixin_opening_dialogues(table: Table) -> None:
    assert table.ask("INFO rule 4", "START 15") == "OK"
    table.send("yxswap2step1")
    stones = [re.match(r"MESSAGE SWAP2 MOVE(\d) (\d+) (\d+)$", table.reply()) for _ in range(3)]
    assert [match[1] for match in stones if match] == ["1", "2", "3"]
    lines = [f"{m[2]},{m[3]},{1 + i % 2}" for i, m in enumerate(stones) if m]
    table.send("yxboard", *lines, "done", "yxswap2step2")
    assert re.match(r"MESSAGE SWAP2 SWAP1 (YES|NO)$", table.reply())
    table.send("yxsoosorvstep1")
    answers = [table.reply() for _ in range(1)]
    while not answers[-1].startswith("MESSAGE SOOSORV MOVE3"):
        answers.append(table.reply())
    table.send("yxboard", "7,7,2", "7,6,1", "8,6,2", "done", "yxsoosorvstep2")
    assert re.match(r"MESSAGE SOOSORV SWAP1 (YES|NO)$", table.reply())
    table.send("yxsoosorvstep3")
    assert table.reply().startswith("MESSAGE SOOSORV MOVE4")
    assert table.reply() == "MESSAGE SOOSORV MOVE5NUM 2"


def test_realtime_lines_only_when_asked(table: Table) -> None:
    assert table.ask("INFO show_detail 1", "START 15") == "OK"
    assert table.ask("BEGIN") == "MESSAGE REALTIME BEST 7,7"
    assert table.reply().startswith("MESSAGE h8")
    assert table.reply() == "7,7"


def test_small_memory(table: Table) -> None:
    assert table.ask("INFO max_memory 1", "START 15") == "OK"
    assert table.ask("BEGIN") == "7,7"


def conversation(*lines: str) -> list[str]:
    """All answers to lines that come in one piece."""
    out = io.BytesIO()
    data = "\n".join(["INFO timeout_turn 0", *lines]).encode()
    GomocupEngine(LineTransport(io.BytesIO(data), out), seed=1).run()
    return out.getvalue().decode().splitlines()


@pytest.mark.parametrize("key", ["max_depth", "max_node", "max_memory", "timeout_match", "rule"])
@pytest.mark.parametrize("value", ["-1", "0", "-999999999999999999", "999999999999999999"])
def test_limits_out_of_range_are_none(key: str, value: str) -> None:
    answers = conversation(f"INFO {key} {value}", "START 15", "TURN 7,7", "ABOUT")
    assert answers[0] == "OK"
    assert re.match(MOVE, answers[1])
    assert answers[2].startswith("name=")


def test_numbers_without_end() -> None:
    nines = "9" * 5000
    answers = conversation(
        *("START 15", f"START {nines}", f"RECTSTART {nines},{nines}", f"TURN {nines},1"),
        *(f"INFO rule {nines}", f"INFO timeout_turn {nines[:400]}", f"INFO evaluate {nines},1"),
        *(f"YXNBEST {nines}", "BOARD", f"1,1,{nines}", "DONE", "BOARD", f"{nines},1,1", "DONE"),
        *(f"TAKEBACK {nines},1", "TURN 7,7"),
    )
    assert answers[0] == "OK"
    assert re.match(MOVE, answers[-1])
    assert len(answers) == 11
    assert all(line.startswith("ERROR") and len(line) < 250 for line in answers[1:-1])


def test_bench_on_a_full_board(table: Table) -> None:
    assert table.ask("START 5") == "OK"
    pattern = ["11221", "22112", "11221", "22112", "11221"]
    lines = [f"{x},{y},{pattern[y][x]}" for y in range(5) for x in range(5)]
    table.send("YXBOARD", *lines, "DONE")
    assert table.ask("BENCH").startswith("ERROR")
    assert table.ask("RESTART") == "OK"
    assert table.ask("BENCH").startswith("MESSAGE")


def test_more_best_moves_than_there_are() -> None:
    answers = conversation("START 5", "YXNBEST 999")
    assert len(answers) == 1 + 25 + 1
    assert len({line.split()[2] for line in answers[1:-1]}) == 25


def test_stop_ends_the_list_of_best_moves(thinking: Table) -> None:
    thinking.send("YXNBEST 20")
    assert thinking.thinker.begun.wait(5)
    assert thinking.ask("STOP").startswith("MESSAGE 1.")
    assert re.match(MOVE, thinking.reply())


def test_end_in_the_same_breath() -> None:
    answers = conversation("START 15", "BEGIN", "END")
    assert answers == ["OK", "7,7"]


WORDS = (
    *("START", "RESTART", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK", "PLAY", "SWAP2BOARD"),
    *("INFO", "timeout_turn", "time_left", "rule", "max_memory", "analysis_mode", "show_detail"),
    *("ABOUT", "STOP", "5", "15", "20", "0", "1", "2", "4", "9", "-1", "7,7", "8,8", "0,0", "4,4"),
    *("7,7,1", "8,8,2", "4,4,1", "99,1", ",", ",,", "yxshowforbid", "yxboard", "yxnbest"),
    *("yxblock", "yxswap2step2", "yxsoosorvstep5", "yxbalanceone", "yxbalancetwo", "SHOWFORBID"),
    *("RECTSTART", "5,5", "PONDER", "bench", "traceboard", "\x00", "禁手"),
)
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), max_size=9)


@settings(max_examples=40, deadline=None)
@given(LINES | st.lists(st.text(max_size=20), max_size=5))
def test_no_conversation_breaks_the_engine(lines: list[str]) -> None:
    out = io.BytesIO()
    data = "\n".join(["INFO timeout_turn 0", *lines]).encode("utf-8", "replace")
    GomocupEngine(LineTransport(io.BytesIO(data), out), seed=1).run()


def games(count: int, turn_ms: int) -> list[float]:
    """Play an engine against itself from the balanced openings, colours exchanged in turn."""
    openings = [g.mainline() for g in loads((FOLDER / "gomoku_openings.txt").read_text("utf-8"))]
    slowest = []
    with Engine("--seed", "1") as first, Engine("--seed", "2") as second:
        for number in range(count):
            rule = ("freestyle", "renju", "standard", "freestyle", "caro_exact")[number % 5]
            pair = (first, second) if number % 2 == 0 else (second, first)
            opening = openings[number // 2 % len(openings)]
            played = play(*pair, opening, rule, turn_ms)
            assert played.board.is_over()
            slowest.append(played.slowest)
    return slowest


def test_games_against_itself() -> None:
    games(3, 100)


@pytest.mark.full
def test_200_games_against_itself() -> None:
    """No crash, no illegal move, and no move later than its limit."""
    assert max(games(200, 1000)) < 1.0
