"""How native code writes down how long its kernels take, see ``backends.timing``.

In: where a kernel begins and ends. Out: calls around it, which read the clock and write to the
memory of a Timings, whose address is put into a variable of the module when the code is there. As a
loop over numbers is a kernel only if there is none in it, what these calls do is said at the end.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.engine import Code
from staticpy.backends.llvm.forms import I32, I64, POINTER
from staticpy.backends.llvm.function import FunctionLowering
from staticpy.backends.timing import CAPACITY, CLOCK, EVENT, TOTALS, TimedKernel, Timings

_MEMORY = "timings"
_NOW = ir.FunctionType(I64, [])
_STOP = ir.FunctionType(ir.VoidType(), [I64])


@dataclass(eq=False, slots=True)
class Measure:
    """Something that is timed, if it is a kernel.

    Attributes:
        number: how many had begun before it.
        begun: when it began.
    """

    number: int
    start: ir.Function
    stop: ir.Function
    begun: ir.Value
    kernel: TimedKernel | None = None
    is_loop: bool = False


class Clock:
    """Times the kernels of a function."""

    def __init__(self) -> None:
        self._measures: list[Measure] = []

    def start(self, cx: Context) -> Measure:
        """Something begins."""
        number = len(self._measures)
        functions = []
        for name, type_ in (("start", _NOW), ("stop", _STOP)):
            function = ir.Function(cx.module, type_, f"clock.{name}.{number}")
            function.linkage = "internal"
            function.attributes.add("alwaysinline")
            functions.append(function)
        start, stop = functions
        measure = Measure(number, start, stop, cx.builder.call(start, []))
        self._measures.append(measure)
        return measure

    def stop(self, cx: Context, measure: Measure, kernel: TimedKernel, *, is_loop: bool) -> None:
        """It has ended."""
        inside = self._measures[measure.number + 1 :]
        if is_loop and any(each.kernel is not None and not each.is_loop for each in inside):
            return
        for each in inside:
            each.kernel = None
        measure.kernel, measure.is_loop = kernel, is_loop
        cx.builder.call(measure.stop, [measure.begun])

    def finish(self, module: ir.Module) -> Sequence[str]:
        """Define all functions.

        Returns:
            the names that the machine code has to export.
        """
        memory = ir.GlobalVariable(module, POINTER, _MEMORY)
        memory.initializer = ir.Constant(POINTER, None)
        now = _define_now(module)
        record = _define_record(module, memory, now)
        number = 0
        for measure in self._measures:
            is_kernel = measure.kernel is not None
            builder = ir.IRBuilder(measure.start.append_basic_block())
            builder.ret(builder.call(now, []) if is_kernel else I64(0))
            builder = ir.IRBuilder(measure.stop.append_basic_block())
            if is_kernel:
                builder.call(record, [I64(number), *measure.stop.args])
                number += 1
            builder.ret_void()
        return (_MEMORY,)

    def timings(self, code: Code) -> Timings:
        """What ``code`` writes to."""
        made = Timings([each.kernel for each in self._measures if each.kernel is not None])
        ctypes.c_size_t.from_address(code.address(_MEMORY)).value = made.address
        return made


class TimedLowering(FunctionLowering):
    """Emits a function whose kernels are timed by ``clock``."""

    def __init__(self, clock: Clock, *given: Any) -> None:
        self._clock = clock
        super().__init__(*given)

    def start(self) -> Measure:
        """See FunctionLowering."""
        return self._clock.start(self)

    def stop(self, begun: Any, kernel: TimedKernel, *, is_loop: bool = False) -> None:
        """See FunctionLowering."""
        self._clock.stop(self, begun, kernel, is_loop=is_loop)


def _define(module: ir.Module, name: str, type_: ir.FunctionType) -> ir.Function:
    function = ir.Function(module, type_, f"clock.{name}")
    function.linkage = "internal"
    function.attributes.add("noinline")
    return function


def _define_now(module: ir.Module) -> ir.Function:
    """``now()``, in nanoseconds."""
    function = _define(module, "now", _NOW)
    builder = ir.IRBuilder(function.append_basic_block())
    pair = builder.alloca(ir.ArrayType(I64, 2))
    builder.call(declare(module, "clock_gettime"), [I32(CLOCK), pair])
    seconds = builder.load(pair, typ=I64)
    rest = builder.load(builder.gep(pair, [I64(1)], source_etype=I64), typ=I64)
    builder.ret(builder.add(builder.mul(seconds, I64(1_000_000_000)), rest))
    return function


def _define_record(module: ir.Module, memory: ir.GlobalVariable, now: ir.Function) -> ir.Function:
    """``record(number, start)``, as ``Timings.record``."""
    function = _define(module, "record", ir.FunctionType(ir.VoidType(), [I64, I64]))
    number, start = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    end = builder.call(now, [])
    table = builder.load(memory, typ=POINTER)

    def place(index: ir.Value) -> ir.Value:
        return builder.gep(table, [index], source_etype=I64)

    def add(index: ir.Value, value: ir.Value) -> None:
        builder.store(builder.add(builder.load(place(index), typ=I64), value), place(index))

    total = builder.add(I64(TOTALS), builder.mul(number, I64(2)))
    add(total, I64(1))
    add(builder.add(total, I64(1)), builder.sub(end, start))
    count = builder.load(table, typ=I64)
    with builder.if_then(builder.icmp_signed("<", count, I64(CAPACITY))):
        first = builder.add(I64(1), builder.mul(count, I64(EVENT)))
        thread = builder.call(declare(module, "PyThread_get_thread_ident"), [])
        for offset, value in enumerate((number, thread, start, end)):
            builder.store(value, place(builder.add(first, I64(offset))))
        builder.store(builder.add(count, I64(1)), table)
    builder.ret_void()
    return function
