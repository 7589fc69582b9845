"""Another program that answers ``go perft``, and the processor time that it takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass

_NODES = re.compile(r"Nodes searched\s*:\s*(\d+)", re.IGNORECASE)
_GAMES_FOLDER = "/usr/games"
"""Debian puts engines there, outside many PATHs."""


class PeerError(RuntimeError):
    """The program cannot be started, or does not answer as a UCI engine with perft does."""


def find(name: str) -> str | None:
    """The program on ``PATH`` or in Debian's folder for games."""
    return shutil.which(name) or shutil.which(name, path=_GAMES_FOLDER)


@dataclass
class Peer:
    """A UCI engine. Each count runs in a fresh process; start-up time is measured and taken off.

    Attributes:
        path: the program.
        name: what it calls itself, known after the first count.
        variant: what ``UCI_Variant`` is set to where the program plays several games.
        timeout: seconds of wall time for one count.
    """

    path: str
    variant: str = "xiangqi"
    name: str = ""
    timeout: float = 900.0

    def measure(self, fen: str, depth: int) -> tuple[int, float]:
        """Nodes, and seconds of processor time of the program without its start-up.

        Raises:
            PeerError: see the class.
        """
        _, start_up = self._run(fen, 1)
        nodes, spent = self._run(fen, depth)
        return nodes, max(spent - start_up, 1e-6)

    def _run(self, fen: str, depth: int) -> tuple[int, float]:
        before = os.times()
        try:
            process = subprocess.Popen(
                [self.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise PeerError(f"{self.path}: {error.strerror}") from error
        watchdog = threading.Timer(self.timeout, process.kill)
        watchdog.start()
        try:
            nodes = self._talk(process, fen, depth)
        except BrokenPipeError:
            raise PeerError(f"{self.path} 没有应答 uci (ended without an answer)") from None
        except BaseException:  # Ctrl-C above all
            process.kill()
            raise
        finally:
            watchdog.cancel()
            with suppress(BrokenPipeError), process:
                pass  # closes the pipes and waits
        after = os.times()
        spent = (after.children_user + after.children_system) - (
            before.children_user + before.children_system
        )
        return nodes, spent

    def _talk(self, process: subprocess.Popen[str], fen: str, depth: int) -> int:
        assert process.stdin is not None
        assert process.stdout is not None

        def send(*lines: str) -> None:
            assert process.stdin is not None
            process.stdin.write("".join(f"{line}\n" for line in lines))
            process.stdin.flush()

        send("uci")
        for line in process.stdout:
            if line.startswith("id name "):
                self.name = line[8:].strip()
            elif line.startswith("option name UCI_Variant ") and f" var {self.variant} " in (
                line.rstrip() + " "
            ):
                send(f"setoption name UCI_Variant value {self.variant}")
            elif line.startswith("uciok"):
                break
        send("isready", f"position fen {fen}", f"go perft {depth}")
        for line in process.stdout:
            if match := _NODES.search(line):
                send("quit")
                return int(match[1])
        raise PeerError(
            f"{self.path} 没有应答 go perft (no answer to go perft {depth} "
            f"within {self.timeout:.0f} s, or it ended)"
        )
