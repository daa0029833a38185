"""How calls run: the process-wide mode, and ``disable_jit`` for debugging.

Read at the start of every call of a jitted function. The mode never touches a decorated function:
that one runs as a graph unless ``disable_jit`` is open in the caller's context.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import Any, Final


class Mode(IntEnum):
    """How code that carries no decorator runs."""

    GRAPH = 0
    PYNATIVE = 1


GRAPH_MODE: Final = Mode.GRAPH
"""Code that carries no decorator may be made a graph too, where staticpy itself calls it."""

PYNATIVE_MODE: Final = Mode.PYNATIVE
"""Code that carries no decorator runs as plain Python, one operation at a time (the default)."""

_CONTEXT: dict[str, Any] = {"mode": PYNATIVE_MODE}
_DISABLED: ContextVar[bool] = ContextVar("staticpy_disable_jit", default=False)
_LOCK = threading.Lock()


class OpenBlocks:
    """How many ``disable_jit`` and ``profile`` blocks are open in the whole process.

    While there are none, a call need not ask the context variable, which is five times as slow.
    ``native`` is the same number where native code can read it. ``profile`` gives what is called
    instead of a compiled function, within a ``profile``.
    """

    count = 0
    native = ctypes.c_int64()
    profile: Callable[[Any], Any] | None = None


def open_block(change: int, profile: Callable[[Any], Any] | None) -> None:
    """A ``profile`` begins (1) or ends (-1).

    Raises:
        RuntimeError: another one is open.
    """
    with _LOCK:
        if change > 0 and OpenBlocks.profile is not None:
            raise RuntimeError(
                "a profile is open already, here or in another thread: there is one at a time"
            )
        OpenBlocks.profile = profile
        _count(change)


def _count(change: int) -> None:
    OpenBlocks.count += change
    OpenBlocks.native.value = OpenBlocks.count


def instead_of(function: Any) -> Any:
    """What is called instead of a compiled function while blocks are open, or None."""
    if is_jit_disabled():
        return function.__wrapped__
    profile = OpenBlocks.profile
    return None if profile is None else profile(function)


def set_context(*, mode: Mode | int) -> None:
    """Set the mode of the process to ``GRAPH_MODE`` or ``PYNATIVE_MODE``.

    A decorated function is a graph in either, and a plain function is Python's in either. What
    depends on the mode is a ``nn.Cell`` that is called: its ``construct`` is compiled in
    ``GRAPH_MODE``.

    Raises:
        ValueError: ``mode`` is neither.
    """
    _CONTEXT["mode"] = Mode(mode)


def get_context(key: str) -> Any:
    """The value that ``set_context`` gave to ``key``; the one key of this version is ``"mode"``.

    Raises:
        KeyError: there is no such key.
    """
    return _CONTEXT[key]


@contextmanager
def disable_jit(disable: bool = True) -> Iterator[None]:
    """Run jitted functions as plain Python inside the ``with``, so that a debugger can step in.

    Holds for the current thread or task only, and nests: ``disable_jit(False)`` turns graphs on.
    """
    token = _DISABLED.set(disable)
    with _LOCK:
        _count(1)
    try:
        yield
    finally:
        with _LOCK:
            _count(-1)
        _DISABLED.reset(token)


def is_jit_disabled() -> bool:
    """Whether a jitted function that is called here runs as plain Python."""
    return _DISABLED.get()
