"""Loading kernel modules: numba is imported, and kernels compile, at first use and only then."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from threading import RLock
from types import ModuleType
from typing import Any

KERNEL_GROUP = "qiyuan.kernels"
_lock = RLock()


def modules(*rooms: str) -> tuple[str, ...]:
    """Kernel modules of all installed rooms (entry point group ``qiyuan.kernels``), sorted.

    Args:
        rooms: only those registered under one of these names or as ``name_...``.

    Raises:
        ValueError: a room has no kernels.

    >>> "xiangqi.kernel" in modules("xiangqi"), "gomoku.kernel" in modules("xiangqi")
    (True, False)
    """
    points = entry_points(group=KERNEL_GROUP)
    for room in rooms:
        if not any(f"{point.name}_".startswith(f"{room}_") for point in points):
            known = ", ".join(sorted(point.name for point in points))
            raise ValueError(f"没有名为 {room!r} 的内核 (no such kernels); 现有 (known): {known}")
    return tuple(
        sorted(
            {
                point.value
                for point in points
                if not rooms or any(f"{point.name}_".startswith(f"{room}_") for room in rooms)
            }
        )
    )


class _Progress:
    """A bar on stderr that appears only when something really has to be compiled."""

    def __init__(self, module: str, total: int, announce: bool) -> None:
        self.module, self.total, self.announce = module, total, announce
        self.done = 0
        self.bar: Any = None

    def miss(self) -> None:
        if self.bar is None:
            from tqdm import tqdm

            if self.announce:
                sys.stderr.write(
                    f"棋苑：首次运行，正在编译 {self.module}（只需一次，约半分钟）… "
                    "compiling kernels once; `qiyuan warm` does it ahead.\n"
                )
            self.bar = tqdm(
                total=self.total,
                initial=self.done,
                desc=self.module,
                unit="kernel",
                disable=None,
                leave=False,
            )

    def tick(self) -> None:
        self.done += 1
        if self.bar is not None:
            self.bar.update()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


@contextmanager
def _later_interrupt() -> Iterator[None]:
    """Keep Ctrl-C until one kernel is compiled: inside LLVM's callbacks it would be swallowed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual):  # ignored, or not installed from Python
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if asked:
        raise KeyboardInterrupt


@cache
def load(module: str, announce: bool = True) -> ModuleType:
    """The kernel module, imported and with every entry point compiled or read from the cache.

    Threads that ask at the same time wait for one compilation. With ``announce``, a line on stderr
    says so when something really has to be compiled.

    Raises:
        ModuleNotFoundError: no such module.

    >>> load("xiangqi.kernel").__name__
    'xiangqi.kernel'
    """
    with _lock:
        loaded = import_module(module)
        from qikit import jit
        from qikit.cache import KernelCache, directory

        progress = _Progress(module, len(jit.waiting), announce)
        KernelCache.on_miss = progress.miss
        try:
            while jit.waiting:
                entry = jit.waiting[0]
                with _later_interrupt():
                    entry.dispatcher.compile(entry.signature)
                entry.dispatcher.disable_compile()
                jit.waiting.pop(0)
                progress.tick()
        finally:
            KernelCache.on_miss = None
            progress.close()
        with suppress(OSError):
            os.utime(directory(module))  # so that pruning sees that it is in use
        return loaded
