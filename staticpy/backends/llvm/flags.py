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
from staticpy.backends.llvm.forms import I32, POINTER

_INVALID, _DIVIDED, _OVERFLOWED, UNDERFLOWED = 1, 4, 8, 16

WITNESSES: dict[int, Callable[[], object]] = {
    _DIVIDED: lambda: np.divide(1.0, 0.0),
    _OVERFLOWED: lambda: np.multiply(1e308, 1e308),
    _INVALID: lambda: np.subtract(np.inf, np.inf),
    UNDERFLOWED: lambda: np.multiply(1e-308, 1e-308),
}
"""What raises each flag: NumPy then does what it is told to do."""

FLAGS_OF_FLOATS = _INVALID | _DIVIDED | _OVERFLOWED | UNDERFLOWED


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


def warn(found: int) -> None:
    """Warn of what the flags of the processor tell, as ``np.errstate`` says.

    Raises:
        FloatingPointError: where it says so.
    """
    for flag, compute in WITNESSES.items():
        if found & flag:
            compute()


# MXCSR holds the flags in its lowest bits.


def keep_flags(builder: ir.IRBuilder, place: ir.Value) -> None:
    """Emit that the flags that are raised are so at ``place``, with those that are there."""
    register = builder.alloca(I32)
    move_register(builder, "st", register)
    found = builder.and_(builder.load(register, typ=I32), I32(FLAGS_OF_FLOATS))
    builder.store(builder.or_(builder.load(place, typ=I32), found), place)


def clear_flags(builder: ir.IRBuilder) -> None:
    """Emit that no flag is raised."""
    register = builder.alloca(I32)
    move_register(builder, "st", register)
    old = builder.load(register, typ=I32)
    builder.store(builder.and_(old, I32(~FLAGS_OF_FLOATS & 0xFFFFFFFF)), register)
    move_register(builder, "ld", register)


def move_register(builder: ir.IRBuilder, action: str, place: ir.Value) -> None:
    """Emit that the register is stored (``st``) to a place, or loaded (``ld``) from it."""
    type_ = ir.FunctionType(ir.VoidType(), [POINTER])
    builder.call(builder.module.declared(f"llvm.x86.sse.{action}mxcsr", type_), [place])
