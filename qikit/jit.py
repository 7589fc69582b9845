"""The one place that decides how kernels are compiled.

``_nrt=False`` (no reference counting round calls that take arrays) alone makes move generation
2.4 times as fast; it also means that a kernel cannot allocate: arrays come from the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numba

from qikit.cache import cache_for

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class EntryPoint:
    """A kernel with an explicit signature that waits to be compiled or loaded."""

    dispatcher: Any
    signature: str


waiting: list[EntryPoint] = []
"""Entry points decorated since :func:`qikit.kernels.load` last emptied the list."""


def jit(signature: str | None = None, *, inline: bool = False) -> Callable[[F], F]:
    """Decorator for kernels: module-level functions over numbers and preallocated arrays.

    Args:
        signature: numba signature (``"int64(int64[::1], int64)"``) of an entry point, which is
            compiled when its module is loaded by :func:`qikit.kernels.load`, accepts no other
            types, and is kept on disk. Without it the function is an inner part, compiled into
            the entry points that call it.
        inline: force LLVM to inline it (for small inner parts).

    A self-recursive entry point must call itself without literal arguments (numba issue 6061):
    write ``int64(0)``.
    """

    def decorate(function: F) -> F:
        dispatcher = numba.njit(nogil=True, _nrt=False, forceinline=inline)(function)
        if signature is not None:
            dispatcher._cache = cache_for(cast(Any, function))
            waiting.append(EntryPoint(dispatcher, signature))
        return cast(F, dispatcher)

    return decorate
