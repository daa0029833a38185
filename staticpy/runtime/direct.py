"""Lets native code take the calls of a compiled function, with no frame of Python's between.

In: a callable and its specialisations. Out: nothing; from then on the dispatcher of the backend
gets the calls, and tries their plans (``direct_plans``). What fits none, calls with keywords and
calls within ``disable_jit`` go on to a Python function as before.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Callable, Sequence
from typing import Any

from staticpy.backends import DirectCalls, has_known_fields
from staticpy.runtime.mode import OpenBlocks
from staticpy.runtime.native_callable import NativeCallable, set_native_call, speaks
from staticpy.runtime.specialization import Specialization, spans_of
from staticpy.runtime.tracebacks import raised_natively

_MEMORY = "_direct_calls"
"""The attribute by which a callable keeps what the dispatcher reads."""


class _PublishedCalls(DirectCalls):
    """What the dispatcher reads of one callable."""

    def __init__(
        self,
        function: types.FunctionType,
        slow: Callable[..., Any],
        specializations: Sequence[Specialization],
    ) -> None:
        super().__init__(function, [each.direct for each in specializations if each.direct])
        self.specializations = tuple(specializations)
        self.calls.slow = self.keep(slow)
        self.calls.failed = self.keep(_failed)
        self.calls.disabled = ctypes.addressof(OpenBlocks.native)


def _failed(memory: _PublishedCalls, error: BaseException) -> BaseException:
    """The exception to raise instead of one that native code has raised."""
    return raised_natively(error, spans_of(memory.specializations))


def publish(
    callable_: NativeCallable,
    function: types.FunctionType,
    slow: Callable[..., Any],
    specializations: Sequence[Specialization],
) -> None:
    """Let native code take the calls of ``callable_`` that fit one of ``specializations``.

    Args:
        callable_: what is called.
        function: the user's function; once it has other code or defaults, every call is slow.
        slow: the Python function that gets ``callable_`` and the arguments of any other call.
        specializations: what there is, the one to try first at the front.
    """
    native = next((each.executable.native for each in specializations if each.direct), None)
    if native is None or not speaks(type(callable_)) or not has_known_fields(function):
        return
    memory = _PublishedCalls(function, slow, specializations)
    set_native_call(callable_, native.dispatcher(), memory.address)
    setattr(callable_, _MEMORY, memory)


def withdraw(callable_: NativeCallable) -> None:
    """Let every call go to ``__call__`` again."""
    if speaks(type(callable_)):
        set_native_call(callable_, None, None)
    vars(callable_).pop(_MEMORY, None)
