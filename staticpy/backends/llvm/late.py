"""Native functions that are compiled once for a process, when they are called for the first time
if not before.

In: what compiles one of them. Out: a function of the module that calls it. Two cells, which modules
know by name, hold its address, 0 at first, and that of a function of Python which compiles it and
does nothing else: were it interrupted, by Ctrl-C or as there is no memory, only the first cell
says whether there is something to call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import provide
from staticpy.backends.llvm.forms import I64


class LateFunction:
    """One of them, which gives 1, or 0 if it has done nothing.

    Args:
        name: that of the cell in modules.
        arguments: their types.
        compile_: compiles it, and gives its address.
    """

    def __init__(
        self, name: str, arguments: Sequence[ir.Type], compile_: Callable[[], int]
    ) -> None:
        self._name = name
        self.type = ir.FunctionType(I64, arguments)
        self._compile = compile_
        self._prepare = _PREPARE(self._prepared)
        self._cell = ctypes.c_size_t(0)
        self._prepare_cell = ctypes.c_void_p(ctypes.cast(self._prepare, ctypes.c_void_p).value)
        provide(name, lambda: ctypes.addressof(self._cell))
        provide(f"{name}.prepare", lambda: ctypes.addressof(self._prepare_cell))

    def _prepared(self) -> None:
        with suppress(Exception):  # above all, there is no memory: what calls this can't raise
            self.compile()

    def compile(self) -> None:
        """Compile it, before anybody calls it or when somebody does."""
        self._cell.value = self._compile()

    def prepare(self, builder: ir.IRBuilder) -> None:
        """Emit that it is compiled if it isn't yet, where threads begin that aren't Python's."""
        builder.call(self._found(builder.module), [])

    def call(self, builder: ir.IRBuilder, *arguments: ir.Value) -> ir.Value:
        """Emit a call: whether it was done, which it isn't if it can't be compiled."""
        function = builder.module.globals.get(f"{self._name}.call")
        done = builder.call(function or self._defined(builder.module), arguments)
        return builder.icmp_signed("!=", done, I64(0))

    def _defined(self, module: ir.Module) -> ir.Function:
        function = ir.Function(module, self.type, f"{self._name}.call")
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block())
        address = builder.call(self._found(module), [])
        with builder.if_then(builder.icmp_signed("==", address, I64(0)), likely=False):
            builder.ret(I64(0))
        native = builder.inttoptr(address, ir.PointerType(self.type))
        builder.ret(builder.call(native, function.args))
        return function

    def _found(self, module: ir.Module) -> ir.Function:
        """Where it is; 0 if it can't be compiled."""
        known: ir.Function | None = module.globals.get(f"{self._name}.found")
        if known is not None:
            return known
        function = ir.Function(module, ir.FunctionType(I64, []), f"{self._name}.found")
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block())
        cell = ir.GlobalVariable(module, I64, self._name)
        prepare = ir.GlobalVariable(module, I64, f"{self._name}.prepare")
        is_missing = builder.icmp_signed("==", builder.load(cell, I64), I64(0))
        with builder.if_then(is_missing, likely=False):
            address = builder.load(prepare, I64)
            builder.call(builder.inttoptr(address, ir.PointerType(_NOTHING)), [])
        builder.ret(builder.load(cell, I64))
        return function


_PREPARE = ctypes.CFUNCTYPE(None)
_NOTHING = ir.FunctionType(ir.VoidType(), [])
