"""Reductions whose order can't be seen, of the elements of a row.

In: elements, as many as are read at a time. Out: what has been reduced so far in each column of
these, and what all columns give together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.elements import Emit, cast, element_rule
from staticpy.backends.llvm.forms import F64
from staticpy.backends.llvm.members import dtype_of
from staticpy.backends.llvm.reductions import Reduction, reduction_of
from staticpy.backends.llvm.totals import mean
from staticpy.backends.llvm.vectors import halves, like
from staticpy.ir import Operation


def folded(builder: ir.IRBuilder, operation: Operation, old: ir.Value, value: ir.Value) -> ir.Value:
    """The columns so far and more elements, reduced."""
    reduction = reduction_of(operation)
    value = cast(builder, value, dtype_of(operation.operands[0]), reduction.dtype)
    return _reduced(builder, reduction, old, value)


def together(
    builder: ir.IRBuilder, operation: Operation, one: ir.Value, other: ir.Value
) -> ir.Value:
    """What two parts of a row, or their columns, are reduced to."""
    return _reduced(builder, reduction_of(operation), one, other)


def joined(
    builder: ir.IRBuilder, operation: Operation, columns: Mapping[int, ir.Value]
) -> ir.Value:
    """The columns of each width as one number."""
    reduction, width = reduction_of(operation), max(columns)
    number = columns[width]
    while width > 1:
        width //= 2
        number = _reduced(builder, reduction, *halves(builder, number))
        if width in columns:
            number = _reduced(builder, reduction, number, columns[width])
    return number


def folded_up(
    builder: ir.IRBuilder,
    operation: Operation,
    elements: Sequence[ir.Value],
    size: ir.Value,
    before: ir.Value | None,
) -> ir.Value:
    """The same of all elements of a row, or of as many rows as there are in a register."""
    dtypes = dtype_of(operation.operands[0]), reduction_of(operation).dtype
    number = cast(builder, elements[0], *dtypes)
    for each in elements[1:]:
        number = folded(builder, operation, number, each)
    return of_row(builder, operation, number, size, before)


def of_row(
    builder: ir.IRBuilder,
    operation: Operation,
    number: ir.Value,
    size: ir.Value,
    before: ir.Value | None,
) -> ir.Value:
    """What a row of ``size`` gives, of which all elements together are a number; with what has been
    reduced ``before`` of other rows.
    """
    if before is not None:
        number = _reduced(builder, reduction_of(operation), before, number)
    if operation.op.name == "mean":
        total = builder.sitofp(number, like(F64, number))
        number = mean(builder, total, size, is_complex=False)
    return number


def _reduced(
    builder: ir.IRBuilder, reduction: Reduction, one: ir.Value, other: ir.Value
) -> ir.Value:
    rule = element_rule(reduction.name, reduction.dtype)
    assert rule is not None
    return rule(Emit(builder, reduction.dtype), one, other)
