"""A stop flag that a running kernel sees at once.

The kernel reads ``flag.array`` with :func:`qikit.bits.load_volatile`; a plain read in a tight loop
would be hoisted out of it by the compiler.
"""

from __future__ import annotations

from threading import TIMEOUT_MAX, Timer
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray


class StopFlag:
    """One int64 word, 0 = go on, 1 = stop. Safe to set from any thread.

    >>> flag = StopFlag()
    >>> flag.set(); flag.is_set(), int(flag.array[0])
    (True, 1)
    >>> with StopFlag().after(60.0) as timed:  # a watchdog, cancelled when the block ends
    ...     timed.is_set()
    False
    """

    def __init__(self) -> None:
        self.array: NDArray[np.int64] = np.zeros(1, np.int64)
        self._timer: Timer | None = None

    def set(self) -> None:
        """Ask the kernel to stop."""
        self.array[0] = 1

    def clear(self) -> None:
        """Allow the next run."""
        self.array[0] = 0

    def is_set(self) -> bool:
        """Whether a stop was asked for."""
        return bool(self.array[0])

    def after(self, seconds: float) -> Self:
        """Set the flag after ``seconds`` of wall time unless :meth:`cancel` comes first."""
        self.cancel()
        self._timer = Timer(min(seconds, TIMEOUT_MAX), self.set)
        self._timer.daemon = True
        self._timer.start()
        return self

    def cancel(self) -> None:
        """Call off the watchdog of :meth:`after`; the flag itself keeps its value."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cancel()
