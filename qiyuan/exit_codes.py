"""Exit codes of every ``qiyuan`` command; the README's table is checked against this list."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command tells the shell."""

    OK = 0
    """The command did what it was asked."""
    MISMATCH = 1
    """A check ran and its answer differs (a perft count, a bench answer)."""
    USAGE = 2
    """The command line itself is wrong (unknown option, missing argument)."""
    BAD_INPUT = 3
    """A file or text could not be read, or is no legal game or position."""
    MISSING = 4
    """Something outside is missing: a peer program, an optional package."""
    INTERNAL = 70
    """A fault of the program itself (after a traceback); please report it."""
    INTERRUPTED = 130
    """Stopped by the user (Ctrl-C)."""
