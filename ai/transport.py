"""Lines in, lines out: the floor on which every engine protocol stands, on either side of a pipe.

A thread of its own reads, so that ``stop`` and ``quit`` arrive while the engine thinks, and so
that whoever waits for a line can wait with a timeout. Every line is flushed as it is written.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

_LINE_END = re.compile(rb"[\r\n]+")
LONGEST_LINE = 1 << 20
"""Bytes of a line that are kept; the rest of a longer line is dropped."""


class LineTransport:
    """Text lines over a pair of binary streams (pipes, sockets' files, ``io.BytesIO``).

    LF, CR LF and CR end a line; empty lines are skipped; text is UTF-8, and bytes that are not
    become U+FFFD. Writing to a reader that has gone away does not raise: it ends the input, so
    that the loop over the lines ends and the process with it.

    >>> import io
    >>> out = io.BytesIO()
    >>> link = LineTransport(io.BytesIO(b"uci\\r\\n\\nquit"), out)
    >>> list(link)
    ['uci', 'quit']
    >>> link.send("id name x", "uciok"); out.getvalue()
    b'id name x\\nuciok\\n'
    """

    def __init__(self, source: Any, sink: Any) -> None:
        self._read = getattr(source, "read1", source.read)
        self._sink = sink
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self._connected = True
        threading.Thread(target=self._pump, name="line-reader", daemon=True).start()

    @classmethod
    def over_stdio(cls) -> LineTransport:
        """The transport of a process that is an engine: its own stdin and stdout.

        Unbuffered files on the same descriptors: Python's own ``sys.stdin`` has a lock that a
        reader still waiting for input would hold while the interpreter shuts down.
        """
        return cls(
            open(0, "rb", buffering=0, closefd=False),
            open(1, "wb", buffering=0, closefd=False),
        )

    @property
    def connected(self) -> bool:
        """False once writing has failed or :meth:`hang_up` was called."""
        return self._connected

    def send(self, *lines: str) -> None:
        """Write and flush lines; from any thread, never mixed with another call's lines."""
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        with self._writing:
            try:
                while data:
                    # a raw file may take a part; a buffered one takes all
                    data = data[self._sink.write(data) or 0 :]
                self._sink.flush()
            except (OSError, ValueError):  # ValueError: closed on our side
                self.hang_up()

    def hang_up(self) -> None:
        """End the input for whoever waits for lines; what was read before still comes."""
        self._connected = False
        self._lines.put(None)

    def receive(self, timeout: float | None = None) -> str | None:
        """The next line, or ``None`` at the end of the input (and ever after).

        Raises:
            TimeoutError: nothing came within ``timeout`` seconds.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"no line within {timeout} s") from None
        if line is None:
            self._lines.put(None)
        return line

    def receive_by(self, deadline: float | None) -> str | None:
        """The next line as :meth:`receive`, by a point of time of ``time.monotonic()``."""
        if deadline is None:
            return self.receive()
        return self.receive(max(deadline - time.monotonic(), 0.0))

    def __iter__(self) -> Iterator[str]:
        while (line := self.receive()) is not None:
            yield line

    def _pump(self) -> None:
        pending = b""
        try:
            while chunk := self._read(1 << 16):
                *whole, pending = _LINE_END.split(pending + chunk)
                for line in whole:
                    self._put(line)
                pending = pending[:LONGEST_LINE]
        except (OSError, ValueError):
            pass  # a stream closed under a blocked reader is an end like any other
        self._put(pending)
        self._lines.put(None)

    def _put(self, line: bytes) -> None:
        text = line[:LONGEST_LINE].decode("utf-8", "replace").lstrip("\ufeff").strip()
        if text:
            self._lines.put(text)
