"""Lines over pipes: endings, partial writes, dead readers, timeouts."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.transport import LONGEST_LINE, LineTransport
from ai.worker import Task, Worker


class Pipes:
    """Two pipes with a transport at each end."""

    def __init__(self) -> None:
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        self.files = [
            os.fdopen(down_read, "rb", 0),
            os.fdopen(up_write, "wb", 0),
            os.fdopen(up_read, "rb", 0),
            os.fdopen(down_write, "wb", 0),
        ]
        self.engine = LineTransport(self.files[0], self.files[1])
        self.program = LineTransport(self.files[2], self.files[3])


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    made = Pipes()
    yield made
    made.files[3].close()  # ends the engine's reader
    made.files[1].close()  # and the program's
    list(made.engine)
    list(made.program)
    for file in made.files:
        file.close()


def test_both_ways(pipes: Pipes) -> None:
    pipes.program.send("uci", "isready")
    assert [pipes.engine.receive(5), pipes.engine.receive(5)] == ["uci", "isready"]
    pipes.engine.send("uciok")
    assert pipes.program.receive(5) == "uciok"


def test_line_arrives_in_pieces(pipes: Pipes) -> None:
    raw = pipes.files[3]
    for piece in (b"posi", b"tion start", b"pos\r", b"\n\r\n", b"go\r", b"stop\n\n\n", b"quit"):
        raw.write(piece)
    pipes.program.hang_up()
    assert [pipes.engine.receive(5) for _ in range(3)] == ["position startpos", "go", "stop"]
    with pytest.raises(TimeoutError):
        pipes.engine.receive(0.01)
    raw.close()
    assert pipes.engine.receive(5) == "quit", "the last line needs no end"
    assert pipes.engine.receive(5) is None
    assert pipes.engine.receive(5) is None, "and it stays ended"


def test_bytes_that_are_no_text(pipes: Pipes) -> None:
    pipes.files[3].write(b"\xef\xbb\xbfuci\n\xff\xfe\x00go\n")
    assert pipes.engine.receive(5) == "uci"
    assert (pipes.engine.receive(5) or "").endswith("go")


def test_overlong_line_is_cut(pipes: Pipes) -> None:
    writer = threading.Thread(
        target=pipes.files[3].write, args=(b"x" * (LONGEST_LINE // 4),), daemon=True
    )
    writer.start()
    writer.join(10)
    for _ in range(7):
        pipes.files[3].write(b"x" * (LONGEST_LINE // 4))
    pipes.files[3].write(b"\nquit\n")
    assert len(pipes.engine.receive(10) or "") <= LONGEST_LINE
    assert pipes.engine.receive(10) == "quit"


def test_dead_reader_ends_the_input_instead_of_raising(pipes: Pipes) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb", 0) as sink:
        link = LineTransport(pipes.files[0], sink)
        link.send("info depth 1")
        assert not link.connected
        assert list(link) == []


def test_lines_of_two_threads_do_not_mix(pipes: Pipes) -> None:
    def talk(word: str) -> None:
        for _ in range(200):
            pipes.engine.send(word * 50, word * 50)

    talkers = [threading.Thread(target=talk, args=(word,)) for word in "ab"]
    for talker in talkers:
        talker.start()
    lines = [pipes.program.receive(5) for _ in range(800)]
    for talker in talkers:
        talker.join()
    assert {line[0] * 50 for line in lines if line} == set(lines)
    assert all(first == second for first, second in zip(lines[::2], lines[1::2], strict=True))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1)))
def test_what_is_sent_is_received(lines: list[str]) -> None:
    out = io.BytesIO()
    LineTransport(io.BytesIO(), out).send(*lines)
    kept = [line.lstrip("\ufeff") for line in lines]
    assert list(LineTransport(io.BytesIO(out.getvalue()), io.BytesIO())) == [k for k in kept if k]


def test_stop_before_the_search_began_is_not_lost() -> None:
    worker = Worker(on_failure=lambda: None)
    gate = threading.Event()
    seen: list[bool] = []
    worker.submit(lambda task: gate.wait(5))
    worker.submit(lambda task: seen.append(task.stop.is_set()), search=True)
    assert worker.searching
    assert worker.halt()
    gate.set()
    assert worker.wait(5)
    assert seen == [True]
    assert not worker.halt(), "nothing left to stop"


def test_held_answer_waits_for_its_release() -> None:
    worker = Worker(on_failure=lambda: None)
    said: list[str] = []

    def think(task: Task) -> None:
        task.when_released(lambda: said.append("clock runs"))
        task.wait_for_release()
        said.append("stopped" if task.stop.is_set() else "answer")

    worker.submit(think, search=True, held=True)
    assert not worker.wait(0.05)
    worker.release()
    assert worker.wait(5)
    assert said == ["clock runs", "answer"]
    early = worker.submit(think, search=True, held=True)
    early.release()
    assert worker.wait(5)
    worker.submit(think, search=True, held=True)
    worker.halt()
    assert worker.wait(5)
    assert said[2:] == ["clock runs", "answer", "stopped"] or said[-1] == "stopped"


def test_failure_in_a_task_is_kept() -> None:
    failed = threading.Event()
    worker = Worker(on_failure=failed.set)

    def break_down(task: Task) -> None:
        raise RuntimeError("no king")

    worker.submit(break_down)
    assert failed.wait(5)
    assert isinstance(worker.failure, RuntimeError)
    assert worker.wait(5)
