"""Reductions whose order can't be seen, of the elements of a row.

In: elements, as many as are read at a time. Out: what has been reduced so far in each column of
these, and what all columns give together.
"""

from __future__ import annotations

from collections.abc import Mapping

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.elements import Emit, cast, element_rule
from staticpy.backends.llvm.forms import F64
from staticpy.backends.llvm.members import dtype_of
from staticpy.backends.llvm.reductions import Reduction, reduction_of
from staticpy.backends.llvm.totals import mean
from staticpy.backends.llvm.vectors import halves
from staticpy.ir import Operation


def folded(builder: ir.IRBuilder, operation: Operation, old: ir.Value, value: ir.Value) -> ir.Value:
    """The columns so far and more elements, reduced."""
    reduction = reduction_of(operation)
    value = cast(builder, value, dtype_of(operation.operands[0]), reduction.dtype)
    return _reduced(builder, reduction, old, value)


def joined(
    builder: ir.IRBuilder,
    operation: Operation,
    columns: Mapping[int, ir.Value],
    size: ir.Value,
    before: ir.Value | None = None,
) -> ir.Value:
    """The columns of each width, the widest first, as one number, of a row of ``size``; with what
    has been reduced ``before`` of other rows.
    """
    reduction, width = reduction_of(operation), max(columns)
    number = columns[width]
    while width > 1:
        width //= 2
        number = _reduced(builder, reduction, *halves(builder, number))
        if width in columns:
            number = _reduced(builder, reduction, number, columns[width])
    if before is not None:
        number = _reduced(builder, reduction, before, number)
    if operation.op.name == "mean":
        number = mean(builder, builder.sitofp(number, F64), size)
    return number


def _reduced(
    builder: ir.IRBuilder, reduction: Reduction, one: ir.Value, other: ir.Value
) -> ir.Value:
    rule = element_rule(reduction.name, reduction.dtype)
    assert rule is not None
    return rule(Emit(builder, reduction.dtype), one, other)
