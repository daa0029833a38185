"""The lock of the interpreter, let go of while a long computation runs.

In: a condition. Out: code around what is emitted within, which touches no Python object.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.forms import POINTER


@contextmanager
def without_lock(builder: ir.IRBuilder, condition: ir.Value) -> Iterator[None]:
    """Other threads of Python may run during what is emitted within, where ``condition`` holds."""
    save, restore = (
        declare(builder.module, name) for name in ("PyEval_SaveThread", "PyEval_RestoreThread")
    )
    with builder.goto_entry_block():
        place = builder.alloca(POINTER)
    builder.store(NULL, place)
    with builder.if_then(condition, likely=False):
        builder.store(builder.call(save, []), place)
    yield
    state = builder.load(place, typ=POINTER)
    with builder.if_then(builder.icmp_unsigned("!=", state, NULL), likely=False):
        builder.call(restore, [state])
