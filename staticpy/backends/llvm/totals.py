"""Reductions over axes before the last: what is done before and after the loops that take in rows.

    x: f64[n, m]    sum over n          total[j] = 0; for each row: total[j] += x[i, j]

In: the accumulations of a cluster, and where their results are, which are stretched along what is
reduced. Out: loops over the results, which store what they begin with, and divide for means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.complex_elements import joined, part, quotient
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import element_type, memory_type
from staticpy.backends.llvm.forms import F64, I1, I8, I64
from staticpy.backends.llvm.reductions import MEANS, reduction_of
from staticpy.backends.llvm.vectors import constant, lanes, like, splat
from staticpy.ir import Operation
from staticpy.passes import Schedule, reduced_axes


def mean(builder: ir.IRBuilder, total: ir.Value, count: ir.Value, *, is_complex: bool) -> ir.Value:
    """The quotient, which NumPy computes in doubles; of a complex number that by another one."""
    divisor = builder.sitofp(count, F64)
    if is_complex:
        return _complex_mean(builder, total, divisor)
    divisor, wide = splat(builder, divisor, lanes(total)), like(F64, total)
    if total.type == wide:
        return builder.fdiv(total, divisor)
    return builder.fptrunc(builder.fdiv(builder.fpext(total, wide), divisor), total.type)


def summed_up(
    builder: ir.IRBuilder,
    operation: Operation,
    total: ir.Value,
    size: ir.Value,
    before: ir.Value | None,
) -> ir.Value:
    """What a sum or mean of a row is, of ``size`` and with that ``total``; or, with what is known
    of the rows before it, that of all until here.
    """
    if before is not None:
        return builder.fadd(before, total)
    total = builder.fadd(constant(total.type, 0), total)  # so that -0 becomes 0
    if operation.op.name not in MEANS:
        return total
    count, is_complex = degrees(builder, operation, size), _is_complex(operation)
    return mean(builder, total, count, is_complex=is_complex)


def _is_complex(operation: Operation) -> bool:
    return reduction_of(operation).dtype.kind == "c"


def degrees(builder: ir.IRBuilder, operation: Operation, count: ir.Value) -> ir.Value:
    """What a mean of ``count`` elements divides by."""
    ddof = operation.attrs.get("ddof", 0) if operation.op.name == "var.quotient" else 0
    return builder.sub(count, I64(ddof)) if ddof else count


def _complex_mean(builder: ir.IRBuilder, total: ir.Value, divisor: ir.Value) -> ir.Value:
    is_wide = total.type.element == F64
    wide = total if is_wide else builder.fpext(total, ir.VectorType(F64, 2))
    parts = part(builder, wide, 0), part(builder, wide, 1)
    divided = quotient(builder, parts, (divisor, F64(0.0)), I1(1), divides_once=True)
    found = joined(builder, *divided)
    return found if is_wide else builder.fptrunc(found, total.type)


class Totals:
    """Emits the loops of one cluster.

    Args:
        sizes: those of the domain.
        strides: of each array, in bytes.
        places: where each array begins.
    """

    def __init__(
        self,
        builder: ir.IRBuilder,
        sizes: Sequence[ir.Value],
        strides: Mapping[object, Sequence[ir.Value]],
        places: Mapping[object, ir.Value],
    ) -> None:
        self._builder = builder
        self._sizes = sizes
        self._strides = strides
        self._places = places

    def begin(self, schedule: Schedule) -> None:
        """Store what changes no element."""
        for operation in _accumulations(schedule):
            reduction = reduction_of(operation)
            start = constant(memory_type(reduction.dtype, 1), reduction.start)
            self._each(operation, partial(self._store, start))

    def end(self, schedule: Schedule) -> None:
        """Divide sums of which the mean is asked."""
        for operation in _accumulations(schedule):
            if operation.op.name in MEANS:
                axes = (axis for axis in reduced_axes(operation) if axis < len(self._sizes))
                sizes = [self._sizes[axis] for axis in axes]  # those of a row are one
                count = degrees(self._builder, operation, reduce(self._builder.mul, sizes))
                self._each(operation, partial(self._divide, operation, count))

    def _store(self, number: ir.Value, place: ir.Value) -> None:
        self._builder.store(number, place, align=1)

    def _divide(self, operation: Operation, count: ir.Value, place: ir.Value) -> None:
        type_, is_complex = element_type(reduction_of(operation).dtype, 1), _is_complex(operation)
        total = self._builder.load(place, typ=type_, align=1)
        self._store(mean(self._builder, total, count, is_complex=is_complex), place)

    def _each(self, operation: Operation, emit: Callable[[ir.Value], None]) -> None:
        """Let ``emit`` do something with the place of each result."""
        (result,) = operation.results
        left = [n for n in range(len(self._sizes)) if n not in reduced_axes(operation)]
        self._loops(left, self._strides[result], self._places[result], emit)

    def _loops(
        self,
        axes: Sequence[int],
        strides: Sequence[ir.Value],
        place: ir.Value,
        emit: Callable[[ir.Value], None],
    ) -> None:
        if not axes:
            emit(place)
            return
        axis, *rest = axes
        with counted(self._builder, I64(0), self._sizes[axis]) as index:
            offset = self._builder.mul(index, strides[axis])
            here = self._builder.gep(place, [offset], source_etype=I8)
            self._loops(rest, strides, here, emit)


def _accumulations(schedule: Schedule) -> Sequence[Operation]:
    return [operation for walk in schedule.walks for operation in walk.accumulations]
