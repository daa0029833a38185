"""Room for deep recursion: a thread with a large stack of its own.

In: a function. Out: what it returns or raises. CPython compiles programs that are nested thousands
of levels deep, and its parser, its compiler and some of our stages recurse over them; on the stack
of the caller that would end in a RecursionError, or worse.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")

_STACK_BYTES = (1 << 30, 1 << 28, 1 << 26)
"""The sizes to be tried: address space, of which only what is used takes memory."""

_BYTES_PER_CALL = 1 << 13
"""More than a call takes, so that the recursion limit is reached before the end of the stack.
CPython 3.11 lets its compiler recurse three times as deep as the limit, in smaller steps.
"""

_STARTING = threading.Lock()
_HERE = threading.local()


class _Limit:
    """The process's recursion limit: the highest that somebody needs now, or what it was before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._needed: list[int] = []
        self._saved = 0

    def need(self, limit: int) -> None:
        with self._lock:
            if not self._needed:
                self._saved = sys.getrecursionlimit()
            self._needed.append(limit)
            sys.setrecursionlimit(max(self._saved, *self._needed))

    def release(self, limit: int) -> None:
        with self._lock:
            self._needed.remove(limit)
            sys.setrecursionlimit(max([self._saved, *self._needed]))


_LIMIT = _Limit()


@contextmanager
def recursion_limit(limit: int) -> Iterator[None]:
    """Let Python recurse as deep as ``limit``, in any number of threads."""
    _LIMIT.need(limit)
    try:
        yield
    finally:
        _LIMIT.release(limit)


def has_deep_stack() -> bool:
    """Whether this code runs by ``run_deep``."""
    return getattr(_HERE, "is_deep", False)


def run_deep(function: Callable[[], _T], *, raise_limit: bool = True) -> _T:
    """Call ``function`` where recursion may go deep, and return what it returns.

    It runs in a copy of the caller's context (``contextvars``), in another thread. Without
    ``raise_limit`` it may recurse as deep as at the start of a program.
    """
    if has_deep_stack():
        return function()
    context = contextvars.copy_context()
    results: list[_T] = []
    errors: list[BaseException] = []

    def run(stack: int) -> None:
        _HERE.is_deep = True
        try:
            with recursion_limit(stack // _BYTES_PER_CALL if raise_limit else 0):
                results.append(context.run(function))
        except BaseException as error:
            errors.append(error)

    _start(run).join()
    if errors:
        raise errors[0]
    return results[0]


def _start(run: Callable[[int], None]) -> threading.Thread:
    """Start a thread with as large a stack as the system gives.

    Raises:
        RuntimeError: it gives none.
    """
    with _STARTING:
        for size in _STACK_BYTES:
            saved = threading.stack_size(size)
            thread = threading.Thread(target=run, args=(size,), name="staticpy", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                if size == _STACK_BYTES[-1]:
                    raise
            else:
                break
            finally:
                threading.stack_size(saved)
    return thread
