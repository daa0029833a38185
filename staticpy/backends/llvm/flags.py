"""The flags that the processor raises, and which of them NumPy would speak of.

In: flags, as bits. Out: whether something is to be said of them. Of what underflows NumPy says
nothing unless ``np.errstate`` tells it to: only where that flag is raised is it asked.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.constants import Constants
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import I1, I32, I64, POINTER

_INVALID, _DIVIDED, _OVERFLOWED, _UNDERFLOWED = 1, 4, 8, 16

WITNESSES: dict[int, Callable[[], object]] = {
    _DIVIDED: lambda: np.divide(1.0, 0.0),
    _OVERFLOWED: lambda: np.multiply(1e308, 1e308),
    _INVALID: lambda: np.subtract(np.inf, np.inf),
    _UNDERFLOWED: lambda: np.multiply(1e-308, 1e-308),
}
"""What raises each flag: NumPy then does what it is told to do."""

FLAGS_OF_FLOATS = _INVALID | _DIVIDED | _OVERFLOWED | _UNDERFLOWED


def minds_underflow() -> bool:
    """Whether NumPy says something of what underflows."""
    return np.geterr()["under"] != "ignore"


TOLD: contextvars.ContextVar[Any] | None = getattr(
    np._core._ufunc_config,  # noqa: SLF001
    "_extobj_contextvar",
    None,
)
"""By what ``np.errstate`` tells NumPy what to do; None where this NumPy has no such variable."""


def stops() -> bool:
    """Whether NumPy is told to raise, or to call somebody, as soon as an operation has a flag."""
    return _stops.__wrapped__(None) if TOLD is None else _stops(TOLD.get())


@lru_cache(maxsize=4)
def _stops(_: object) -> bool:
    """The same, of what has been told, which never changes."""
    return not set(np.geterr().values()) <= {"ignore", "warn"}


def is_due(cx: Context, constants: Constants, found: ir.Value) -> ir.Value:
    """Whether NumPy says something of these flags, with the lock of the interpreter held. An
    exception that is set stays so.
    """
    name = "flags.due"
    known = cx.module.globals.get(name) or _define(cx, constants, name)
    return cx.builder.call(known, [found])


def _define(cx: Context, constants: Constants, name: str) -> ir.Function:
    function = ir.Function(cx.module, ir.FunctionType(I1, [I32]), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    outer, cx.builder = cx.builder, ir.IRBuilder(function.append_basic_block())
    builder, (found,) = cx.builder, function.args
    others = builder.and_(found, I32(FLAGS_OF_FLOATS & ~_UNDERFLOWED))
    with builder.if_then(builder.icmp_signed("!=", others, I32(0))):
        builder.ret(I1(1))
    with builder.if_then(builder.icmp_signed("==", found, I32(0))):
        builder.ret(I1(0))
    raised = [builder.alloca(POINTER) for _ in range(3)]
    cx.call("PyErr_Fetch", *raised)
    asked = constants.load(cx, minds_underflow)
    answer = cx.call("PyObject_Vectorcall", asked, NULL, I64(0), NULL)
    is_minded = cx.call("PyObject_IsTrue", answer)
    cx.call("Py_DecRef", answer)
    cx.call("PyErr_Restore", *(builder.load(each, typ=POINTER) for each in raised))
    builder.ret(builder.icmp_signed("!=", is_minded, I32(0)))
    cx.builder = outer
    return function
