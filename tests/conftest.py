"""What every test relies on: Ctrl-C works, and no child outlives the test that waits for it."""

from __future__ import annotations

import signal
import subprocess

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script: children would inherit that Ctrl-C is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _children_end_with_their_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """``with Popen(...)`` waits for ever where a test gives up on its child; end the child then."""
    leave = subprocess.Popen.__exit__

    def end(process, kind, error, trace):
        if kind is not None:
            process.kill()
        return leave(process, kind, error, trace)

    monkeypatch.setattr(subprocess.Popen, "__exit__", end)
