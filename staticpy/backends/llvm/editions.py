"""Two editions of a function: a lean one, and a whole one that is compiled when it is needed.

In: what compiles the whole one. Out: what the lean one calls where it can't go on. Of loops it has
only the forms whose rounds ask nothing, and those on several threads. Where what they take for
granted doesn't hold (an index counts from the end, say, or rows don't lie dense), and nobody has
seen anything yet, it leaves all to the whole edition, which has every form. From then on that takes
all calls. Most functions never need it, and half of what LLVM would compile is not there.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from staticpy.backends.base import Executable
from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import in_row, is_writeable
from staticpy.backends.llvm.dense_arguments import dense_arguments
from staticpy.backends.llvm.engine import Code
from staticpy.backends.llvm.forms import I64, Form, Native
from staticpy.backends.llvm.function import FunctionLowering

CELL = "whole"
"""Where a lean edition keeps the address of the whole one; 0 until that is compiled."""


class LeanLowering(FunctionLowering):
    """Emits the lean edition of a function."""

    is_lean = True

    def begin(self) -> None:
        """See FunctionLowering."""
        self._dense = dense_arguments(self.function)

    def argument(self, number: int, form: Form) -> Native:
        """What an argument is, of which the lean edition may know how it lies."""
        native, value = super().argument(number, form), self.function.args[number]
        if value in self._dense.read:
            dense = in_row(native)
            pair = native.strides[-1], dense.strides[-1]
            self.leave_out_unless(self.builder.icmp_signed("==", *pair))
            native = replace(native, parts=dense.parts)
        if value in self._dense.written:
            self.leave_out_unless(is_writeable(self, native))
            self.writeable = {*self.writeable, value}
        return native


class Whole:
    """The whole edition, called as the function is.

    Args:
        compile_: compiles it.
        parts: those of the lean edition. It becomes one of them, so that the lines of an exception
            are found in it as well.
    """

    def __init__(self, compile_: Callable[[], Executable], parts: list[Executable]) -> None:
        self._compile = compile_
        self._parts = parts
        self._lock = threading.Lock()
        self._made: Executable | None = None
        self._cell: ctypes.c_size_t | None = None

    def __call__(self, *args: Any) -> Any:
        """Call it, compiled if it isn't yet."""
        with self._lock:
            if self._made is None:
                self._made = self._compile()
                self._parts.append(self._made)
                assert self._cell is not None
                assert self._made.native is not None
                self._cell.value = self._made.native.entry
        return self._made.function(*args)

    def stands_behind(self, lean: Code) -> None:
        """Take all calls of the lean edition once there is a whole one."""
        self._cell = ctypes.c_size_t.from_address(lean.address(CELL))


def cell(module: ir.Module) -> ir.Value:
    """That of a module."""
    made = ir.GlobalVariable(module, I64, CELL)
    made.initializer = ir.Constant(I64, 0)
    return made
