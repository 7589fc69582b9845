"""Where compiled kernels are kept, and the key that decides whether they are still good.

Numba's own cache has two faults for a library: a change in *another* file that a kernel calls
goes unnoticed, and its place can only be moved by an environment variable that is ignored once a
host program has imported numba. Both are mended for our own functions alone: the directory is
named after the content of the kernel's module and of everything of ours that it imports.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.caching import Cache, CompileResultCacheImpl, NullCache, _CacheLocator
from platformdirs import user_cache_path

ENVIRONMENT_VARIABLE = "QIYUAN_CACHE_DIR"
_FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite", "platformdirs"}


def root() -> Path:
    """The directory of all compiled kernels: ``$QIYUAN_CACHE_DIR`` or the user's cache folder."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    return Path(chosen) if chosen else user_cache_path("qiyuan", appauthor=False) / "kernels"


def _source(module: str) -> str | None:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    loader = spec.loader if spec else None
    read = getattr(loader, "get_source", None)
    return read(module) if read else None


def _imports(module: str, source: str) -> set[str]:
    """Modules of ours that ``module`` names in its import statements, wherever they stand."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".")[: -node.level]
                base = ".".join([*package, base] if base else package)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                ours = base.split(".")[0] not in _FOREIGN
                found.add(inner if ours and _source(inner) is not None else base)
    return {name for name in found if name.split(".")[0] not in _FOREIGN}


def closure(module: str) -> dict[str, str]:
    """Source text of ``module`` and of all modules of ours that it imports, directly or not.

    Constants that a kernel freezes come from these files and nowhere else: kernels may read
    module globals only of modules that they import.
    """
    sources: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in sources:
            continue
        source = _source(name)
        if source is not None:
            sources[name] = source
            waiting.extend(_imports(name, source))
    return sources


@cache
def directory(module: str) -> Path:
    """The cache directory of the kernels of ``module``, named after all that decides their code.

    The processor is not in the name: numba stores it beside every entry.
    """
    digest = hashlib.sha256()
    for name, source in sorted(closure(module).items()):
        digest.update(f"{name}\0{source}\0".encode())
    build = (
        sys.version_info[:3],
        numba.__version__,
        llvmlite.__version__,
        bool(config.BOUNDSCHECK),
        str(config.OPT),
        bool(config.DEBUGINFO_DEFAULT),
    )
    digest.update(repr(build).encode())
    return root() / f"{module}-{digest.hexdigest()[:20]}"


class _ContentLocator(_CacheLocator):  # type: ignore[misc]
    """Tells numba to keep a function's code in :func:`directory` of its module."""

    def __init__(self, function: FunctionType) -> None:
        self._py_file = function.__code__.co_filename
        self._path = directory(function.__module__)
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: FunctionType, path: str) -> _ContentLocator:
        locator = cls(function)
        locator.ensure_cache_path()
        return locator


class _ContentCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_ContentLocator]


class KernelCache(Cache):  # type: ignore[misc]
    """Numba's function cache with our place and key; tells a listener when it has to compile."""

    _impl_class = _ContentCacheImpl
    on_miss: Any = None

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            result = super().load_overload(signature, context)
        except Exception:
            # A torn or foreign file in the cache must cost a compilation, never the program; the
            # index is emptied, since numba reads it again before it saves.
            result = None
            with suppress(OSError):
                self.flush()
        if result is None and KernelCache.on_miss is not None:
            KernelCache.on_miss()
        return result

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except Exception as error:  # what cannot be kept is compiled again next time, no more
            _say_unwritable(error)


@cache
def _say_unwritable_once(place: str, reason: str) -> None:
    sys.stderr.write(
        f"棋苑：编译缓存无法写入 {place}（{reason}），本次在内存中编译，下次仍需等待。\n"
        f"qiyuan: kernel cache not writable; set {ENVIRONMENT_VARIABLE} to a writable folder.\n"
    )


def _say_unwritable(error: Exception) -> None:
    _say_unwritable_once(str(root()), getattr(error, "strerror", None) or type(error).__name__)


def cache_for(function: FunctionType) -> Any:
    """The cache to give to the dispatcher of ``function``; a null cache where none can be kept."""
    try:
        root().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root()):
            return KernelCache(function)
    except OSError as error:
        _say_unwritable(error)
        return NullCache()


def prune(days: float = 30.0) -> int:
    """Delete cache directories not used for ``days``; returns how many were deleted."""
    limit = time.time() - days * 86400
    count = 0
    for place in root().glob("*-*") if root().is_dir() else ():
        if place.is_dir() and place.stat().st_mtime < limit:
            shutil.rmtree(place, ignore_errors=True)
            count += 1
    return count
