"""Exceptions of the program's handlers of signals, which may come while a function is compiled.

In: an exception. Out: whether a handler has raised it: ``TimeoutError`` after ``signal.alarm``, for
one, is nothing that a stage did, and goes on to the program as it is.
"""

from __future__ import annotations

import functools
import inspect
import signal
import traceback
from types import CodeType


def is_of_a_handler(error: BaseException) -> bool:
    """Whether the handler of a signal has raised an exception, or what it has called."""
    handlers = {_code_of(signal.getsignal(each)) for each in signal.valid_signals()}
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code in handlers for frame, _ in frames)


def _code_of(handler: object) -> CodeType | None:
    """The code of a function, a method, or an object that can be called."""
    while isinstance(handler, functools.partial):
        handler = handler.func
    for each in (handler, inspect.getattr_static(type(handler), "__call__", None)):
        code = getattr(each, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None
