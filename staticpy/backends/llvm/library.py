"""Functions of the C library, called with numbers.

In: doubles. Out: what the library gives, asked once as long as it is asked for the same: what no
round of a loop changes, as ``dx ** 2``, is computed in each of them, since it may raise an
exception, and Python's bits are the library's.
"""

from __future__ import annotations

from math import nan

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import F64, I1, I64
from staticpy.backends.llvm.steady_operations import steady_loop
from staticpy.backends.llvm.vectors import declare_intrinsic


def called(cx: Context, function: str, *numbers: ir.Value) -> ir.Value:
    """What a function of the library gives for numbers that are none of them NaN."""
    if steady_loop(cx.operation) is None:
        return cx.call(function, *numbers)
    last = [cx.variable(F64, F64(nan)) for _ in numbers]
    result = cx.variable(F64, F64(nan))
    is_other: ir.Value = I1(0)
    for number, variable in zip(numbers, last, strict=True):
        bits, before = (
            cx.builder.bitcast(each, I64) for each in (number, cx.builder.load(variable, typ=F64))
        )
        is_other = cx.builder.or_(is_other, cx.builder.icmp_unsigned("!=", bits, before))
    with cx.builder.if_then(is_other, likely=False):
        cx.builder.store(cx.call(function, *numbers), result)
        for number, variable in zip(numbers, last, strict=True):
            cx.builder.store(number, variable)
    return cx.builder.load(result, typ=F64)


def intrinsic(cx: Context, name: str, type_: ir.Type, count: int) -> ir.Function:
    """An intrinsic function of ``count`` arguments of the type of its result."""
    return declare_intrinsic(cx.module, name, type_, count)


def magnitude(cx: Context, x: ir.Value) -> ir.Value:
    """A double without its sign."""
    return cx.builder.call(intrinsic(cx, "llvm.fabs", F64, 1), [x])


def copysign(cx: Context, magnitude: ir.Value, sign: ir.Value) -> ir.Value:
    """The first number with the sign of the second."""
    return cx.builder.call(intrinsic(cx, "llvm.copysign", magnitude.type, 2), [magnitude, sign])


def is_finite(cx: Context, x: ir.Value) -> ir.Value:
    """Whether a double is neither infinite nor NaN."""
    return cx.builder.fcmp_ordered("<", magnitude(cx, x), F64(float("inf")))
