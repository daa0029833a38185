"""Powers of floats with a small exponent that is known, with the bits of C's ``pow``.

In: a double, and an exponent such as 3, 0.5 or -2. Out: the power, which is computed to some 100
bits, in two doubles, and rounded; where ``pow`` might round otherwise, that is called.

``pow`` doesn't round correctly: glibc's errs by up to 0.511 units of the last place, and by as much
more as ``log`` of the result times 1.5 * 2**-15 says. Where the power isn't that near to the
middle of two doubles, both are the one that is nearest to it; elsewhere, some three times out of a
hundred, ``pow`` has to be asked. So it has of what is no usual number, or very large or small, and
always where the C library is another one.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from functools import cache, partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.engine import has_fma
from staticpy.backends.llvm.forms import F64, I64, Native, form_of
from staticpy.backends.llvm.library import called, intrinsic, is_finite, magnitude
from staticpy.ir import Operation
from staticpy.ops import constant_value

_MOST = 8
"""How large an exponent may be: from there on ``pow`` takes hardly longer."""

_RANGE = 128
"""Results are between ``2 ** -_RANGE`` and its inverse, where ``pow`` errs by less than 0.513."""

_MARGIN = 1 + 1 / 32
"""By this what rounding leaves may grow without being rounded otherwise, where ``pow`` may err by
0.515.
"""

_OFTEN = 32
"""In so many rounds that is asked once."""

_Pair = tuple[ir.Value, ir.Value]
"""The sum of two doubles, the second of which is some units of the first's last place, or less."""


def power(cx: Context, x: ir.Value, y: ir.Value) -> Native:
    """A power of doubles as Python's; the kernel where it isn't a finite number."""
    builder = cx.builder
    whole = builder.fcmp_ordered("==", builder.call(intrinsic(cx, "llvm.floor", F64, 1), [y]), y)
    nonzero = builder.fcmp_ordered("!=", x, F64(0.0))
    positive = builder.fcmp_ordered(">", x, F64(0.0))
    regular = builder.or_(positive, builder.and_(whole, nonzero))
    regular = builder.and_(regular, builder.and_(is_finite(cx, x), is_finite(cx, y)))

    def fast() -> ir.Value:
        found = called(cx, "pow", x, y)
        cx.where_also(is_finite(cx, found))
        return found

    form = form_of(cx.operation.results[0].type)
    return Native(form, (as_pow(cx, x, lambda: cx.where(regular, fast).value),))


def as_pow(cx: Context, x: ir.Value, otherwise: Callable[[], ir.Value]) -> ir.Value:
    """What the current operation makes of ``x``, its base, with the bits of ``pow``; what
    ``otherwise`` emits where these aren't known.
    """
    exponent = _exponent(cx.operation)
    if exponent is None or not (has_fma() and _has_glibc()):
        return otherwise()
    is_usual, base = _usual(cx, x, exponent)
    found, rest = _rounded(cx, _power(cx, base, exponent))
    fma = intrinsic(cx, "llvm.fma", F64, 3)
    further = cx.builder.call(fma, [rest, F64(_MARGIN), found])
    is_known = cx.builder.and_(is_usual, cx.builder.fcmp_unordered("==", further, found))
    result = cx.variable(F64)
    cx.builder.store(found, result)
    with cx.on(cx.builder.not_(is_known), "pow", weights=(1, _OFTEN)):
        cx.builder.store(otherwise(), result)
    return cx.builder.load(result, typ=F64)


@cache
def _has_glibc() -> bool:
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    except (AttributeError, ValueError, OSError):  # another library, or another system
        return False


def _exponent(operation: Operation) -> float | None:
    """That of a power, if it is a small one that is known."""
    number = constant_value(operation.operands[1])
    if not isinstance(number, int | float) or not 0 < abs(number) <= _MOST:
        return None
    return float(number) if (2.0 * number).is_integer() else None


def _usual(cx: Context, x: ir.Value, exponent: float) -> tuple[ir.Value, ir.Value]:
    """Whether a number and its power are usual ones; and itself, or 1 where they aren't: others
    would raise flags of the processor.
    """
    builder, most = cx.builder, 2.0 ** int(_RANGE / max(abs(exponent), 1))
    bits = builder.bitcast(magnitude(cx, x) if exponent.is_integer() else x, I64)
    first, last = _bits(1 / most), _bits(most)
    is_usual = builder.icmp_unsigned("<", builder.sub(bits, I64(first)), I64(last - first))
    return is_usual, builder.select(is_usual, x, F64(1.0))


def _bits(number: float) -> int:
    """Those of a positive double, which are ordered as the numbers are."""
    (found,) = struct.unpack("<q", struct.pack("<d", number))
    assert isinstance(found, int)
    return found


def _power(cx: Context, x: ir.Value, exponent: float) -> _Pair:
    is_root = not exponent.is_integer()
    pair = _root(cx, x) if is_root else (x, F64(0.0))
    for _ in range(int(abs(exponent)) - (not is_root)):
        pair = _product(cx, pair, x)
    return pair if exponent > 0 else _inverse(cx, pair)


def _rounded(cx: Context, pair: _Pair) -> _Pair:
    high, low = pair
    found = cx.builder.fadd(high, low)
    return found, cx.builder.fadd(cx.builder.fsub(high, found), low)


def _product(cx: Context, pair: _Pair, x: ir.Value) -> _Pair:
    fma = partial(cx.builder.call, intrinsic(cx, "llvm.fma", F64, 3))
    high, low = pair
    product = cx.builder.fmul(high, x)
    rest = fma([high, x, cx.builder.fneg(product)])
    return product, rest if isinstance(low, ir.Constant) else fma([low, x, rest])


def _root(cx: Context, x: ir.Value) -> _Pair:
    builder, fma = cx.builder, intrinsic(cx, "llvm.fma", F64, 3)
    root = builder.call(intrinsic(cx, "llvm.sqrt", F64, 1), [x])
    rest = builder.call(fma, [builder.fneg(root), root, x])
    return root, builder.fdiv(builder.fmul(rest, F64(0.5)), root)


def _inverse(cx: Context, pair: _Pair) -> _Pair:
    builder, fma = cx.builder, partial(cx.builder.call, intrinsic(cx, "llvm.fma", F64, 3))
    high, low = pair
    inverse = builder.fdiv(F64(1.0), high)
    turned = builder.fneg(inverse)
    rest = fma([turned, low, fma([turned, high, F64(1.0)])])
    return inverse, builder.fmul(inverse, rest)
