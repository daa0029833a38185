"""``math.hypot`` of two numbers, with CPython's bits.

In: two doubles. Out: the root of the sum of their squares, as CPython computes it (``vector_norm``
in ``Modules/mathmodule.c``): scaled by a power of two, so that nothing overflows, the squares and
their sum with what rounding leaves of each, and the root corrected once (Borges 2019, "An improved
algorithm for hypot(a, b)"). What is left after that is so small that it makes no difference whether
the products are split, as CPython up to 3.11 does, or fused.
"""

from __future__ import annotations

from functools import partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.engine import has_fma
from staticpy.backends.llvm.forms import F64, I64, Native
from staticpy.backends.llvm.library import intrinsic, magnitude
from staticpy.ir import Operation

_LEAST, _MOST = 2.0**-900, 2.0**900
"""Between these a number's scale, and the length, are numbers that have all their bits."""

_EXPONENT = 0x7FF << 52


def hypot(cx: Context, operation: Operation, x: ir.Value, y: ir.Value) -> Native | None:
    """The rule for ``math.hypot``; the kernel where the larger number is very small or large, or
    is none.
    """
    if not has_fma():
        return None
    builder = cx.builder
    x, y = magnitude(cx, x), magnitude(cx, y)
    largest = builder.select(builder.fcmp_ordered(">", x, y), x, y)
    is_zero = builder.fcmp_ordered("==", builder.fadd(x, y), F64(0.0))
    is_regular = builder.and_(
        builder.fcmp_ordered("<", builder.fadd(x, y), F64(_MOST)),
        builder.or_(is_zero, builder.fcmp_ordered(">", largest, F64(_LEAST))),
    )
    return cx.where(is_regular, partial(_length, cx, x, y, largest))


def _length(cx: Context, x: ir.Value, y: ir.Value, largest: ir.Value) -> ir.Value:
    builder, fma = cx.builder, partial(cx.builder.call, intrinsic(cx, "llvm.fma", F64, 3))
    exponent = builder.and_(builder.bitcast(largest, I64), I64(_EXPONENT))
    # ``frexp`` gives numbers below 1, so that the scale is 2 ** -(exponent + 1).
    down = builder.bitcast(builder.sub(I64(0x7FD << 52), exponent), F64)
    up = builder.bitcast(builder.add(exponent, I64(1 << 52)), F64)
    total: ir.Value = F64(1.0)
    rests: list[ir.Value] = [F64(0.0), F64(0.0)]

    def add(a: ir.Value, b: ir.Value) -> None:
        nonlocal total, rests
        product = builder.fmul(a, b)
        rest = fma([a, b, builder.fneg(product)])
        sum_ = builder.fadd(total, product)
        lost = builder.fadd(builder.fsub(total, sum_), product)
        total = sum_
        rests = [builder.fadd(*pair) for pair in zip(rests, (rest, lost), strict=True)]

    def whole() -> ir.Value:
        return builder.fadd(builder.fsub(total, F64(1.0)), builder.fadd(*rests))

    for each in (x, y):
        scaled = builder.fmul(each, down)
        add(scaled, scaled)
    root = builder.call(intrinsic(cx, "llvm.sqrt", F64, 1), [whole()])
    add(builder.fneg(root), root)
    is_zero = builder.fcmp_ordered("==", root, F64(0.0))
    twice = builder.select(is_zero, F64(1.0), builder.fmul(F64(2.0), root))
    root = builder.fadd(root, builder.fdiv(whole(), twice))
    return builder.fmul(root, up)
