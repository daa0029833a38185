"""Where functions of a program are defined: what is wrong with their derivatives is said there."""

from __future__ import annotations

import functools
import types
from typing import Any

from staticpy.source import NO_SPAN, OWN_FILES, SourceSpan, line_span


def definition(fun: Any) -> SourceSpan:
    """The first line of a function; of one that this package has made, as ``grad`` does, that of
    the function which it is made of.
    """
    while (inner := _inner(fun)) is not None:
        fun = inner
    code = getattr(fun, "__code__", None)
    if code is None or code.co_filename.startswith(OWN_FILES):
        return NO_SPAN
    return line_span(code.co_filename, code.co_firstlineno)


def _inner(fun: Any) -> Any:
    """The function that another one calls; None of a plain function."""
    if isinstance(fun, types.FunctionType):
        is_own = fun.__code__.co_filename.startswith(OWN_FILES)
        held = (cell.cell_contents for cell in fun.__closure__ or () if is_own)
        return next((each for each in held if callable(each)), None)
    if isinstance(fun, functools.partial):
        return fun.func
    return getattr(fun, "__func__", None) or getattr(fun, "__wrapped__", None)
