"""Comparisons of floats for loops of which LLVM is to make vectors, where a NaN raises no flag.

In: two floats, which may be NaN. Out: whether one is less than the other, by instructions that LLVM
has for vectors and doesn't join to such that raise flags: NaNs are taken out before.
"""

from __future__ import annotations

from math import isnan

from staticpy.backends.llvm import ir

_INVERSE = {"<": ">=", ">": "<="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def compared(builder: ir.IRBuilder, symbol: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """``x < y``, or one of its kind; beside 0 LLVM would see that NaNs need not be taken out."""
    if symbol in _TURNED and _is_zero(y):
        return _with_zero(builder, symbol, x)
    if symbol in _TURNED and _is_zero(x):
        return _with_zero(builder, _TURNED[symbol], y)
    is_nan, zero = builder.fcmp_unordered("uno", x, y), x.type(0.0)
    both = (builder.select(is_nan, zero, each) for each in (x, y))
    return builder.and_(builder.fcmp_ordered(symbol, *both), builder.not_(is_nan))


def extremum_beside_known(
    builder: ir.IRBuilder, symbol: str, x: ir.Value, y: ir.Value, *, numbers_win: bool
) -> ir.Value | None:
    """``maximum``, ``fmin`` and their kind, where one is known to be no NaN: of both comparisons,
    which are false where the other is, the one that gives what is wanted then.
    """
    known = [isinstance(each, ir.Constant) and not isnan(each.constant) for each in (x, y)]
    if not any(known):
        return None
    if known[numbers_win]:
        return builder.select(compared(builder, symbol, x, y), x, y)
    return builder.select(compared(builder, _INVERSE[symbol], x, y), y, x)


def _is_zero(value: ir.Value) -> bool:
    return isinstance(value, ir.Constant) and value.constant == 0


def _with_zero(builder: ir.IRBuilder, symbol: str, x: ir.Value) -> ir.Value:
    """``x < 0``, or one of its kind: the bits of a positive number are those from 1 on, up to those
    of infinity; a negative one has one more bit.
    """
    kind = ir.IntType(64 if isinstance(x.type, ir.DoubleType) else 32)
    sign = 1 << (kind.width - 1)
    infinity = kind(0x7FF << 52 if kind.width == 64 else 0xFF << 23)
    bits = builder.bitcast(x, kind)
    side, other = (kind(0), kind(sign)) if symbol in (">", ">=") else (kind(sign), kind(0))
    from_zero = builder.sub(bits, side)
    if symbol in ("<", ">"):
        return builder.icmp_unsigned("<", builder.sub(from_zero, kind(1)), infinity)
    is_other_zero = builder.icmp_signed("==", bits, other)
    return builder.or_(builder.icmp_unsigned("<=", from_zero, infinity), is_other_zero)
