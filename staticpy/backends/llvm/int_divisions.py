"""``//`` and ``%`` of Python's ints, in 64 bits: the remainder has the sign of the divisor.

In: a dividend, and a divisor that is not 0. Out: the quotient, rounded down, and what is left.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64
from staticpy.backends.llvm.status import OVERFLOWED

Divided = Callable[[ir.Value, ir.Value], tuple[ir.Value, ir.Value]]


def modulo(cx: Context, left: ir.Value, right: ir.Value, divided: Divided) -> ir.Value:
    """``left % right``, which is ``left`` most of the time where an index goes round; elsewhere by
    ``divided``.
    """
    if isinstance(right, ir.Constant):
        return divided(left, right)[1]
    found = cx.variable(I64)
    cx.builder.store(left, found)
    is_inside = cx.builder.icmp_signed("<", left, right)
    is_inside = cx.builder.and_(is_inside, cx.builder.icmp_signed(">=", left, I64(0)))
    with cx.on(cx.builder.not_(is_inside), "divided"):
        cx.builder.store(divided(left, right)[1], found)
    return cx.builder.load(found, typ=I64)


def int_division(cx: Context, left: ir.Value, right: ir.Value) -> tuple[ir.Value, ir.Value]:
    """``left // right`` and ``left % right`` of ints; the lowest by -1 leaves 64 bits."""
    builder = cx.builder
    known = right.constant if isinstance(right, ir.Constant) else 0
    if known > 0 and known & (known - 1) == 0:
        shift, mask = I64(known.bit_length() - 1), I64(known - 1)
        return builder.ashr(left, shift), builder.and_(left, mask)
    if known in (0, -1):
        lowest = builder.icmp_signed("==", left, I64(-(2**63)))
        overflows = builder.and_(lowest, builder.icmp_signed("==", right, I64(-1)))
        cx.exit_if(overflows, OVERFLOWED)
    return floored(cx.builder, left, right)


def without_signs(
    builder: ir.IRBuilder, left: ir.Value, right: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """``left // right`` and ``left % right`` of ints that are not negative: nothing is rounded down
    but by the processor.
    """
    return builder.udiv(left, right), builder.urem(left, right)


def floored(builder: ir.IRBuilder, left: ir.Value, right: ir.Value) -> tuple[ir.Value, ir.Value]:
    """``left // right`` and ``left % right`` of ints, where nothing is wrong with them."""
    quotient, rest = builder.sdiv(left, right), builder.srem(left, right)
    differs = builder.icmp_signed("<", builder.xor(rest, right), I64(0))
    adjust = builder.and_(differs, builder.icmp_signed("!=", rest, I64(0)))
    whole = builder.sub(quotient, builder.zext(adjust, I64))
    return whole, builder.add(rest, builder.select(adjust, right, I64(0)))
