"""The lock of the interpreter, let go of while a long computation runs.

In: a condition. Out: code around what is emitted within, which touches no Python object.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import POINTER


@contextmanager
def without_lock(cx: Context, condition: ir.Value) -> Iterator[None]:
    """Other threads of Python may run during what is emitted within, where ``condition`` holds."""
    builder = cx.builder
    with builder.goto_entry_block():
        place = builder.alloca(POINTER)
    builder.store(NULL, place)
    with builder.if_then(condition, likely=False):
        builder.store(cx.call("PyEval_SaveThread"), place)
    yield
    state = builder.load(place, typ=POINTER)
    with builder.if_then(builder.icmp_unsigned("!=", state, NULL), likely=False):
        cx.call("PyEval_RestoreThread", state)
