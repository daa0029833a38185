"""``//`` and ``%`` of NumPy's integers, on one element or on a vector of them.

In: a dividend and a divisor of one dtype. Out: the quotient, rounded down, or what is left, which
has the divisor's sign. By 0 both are 0, and the lowest integer by -1 is itself; NumPy warns of
these, so that flags of the processor are raised for them, as they are for floats. A divisor that
is known while compiling is left to LLVM, which makes a multiplication of it. Integers of up to 32
bits are divided as floats with at least twice as many bits: where the quotient isn't whole, it is
farther from the next integer than the rounding.
"""

from __future__ import annotations

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.engine import register_bytes
from staticpy.backends.llvm.forms import F32, F64, I64
from staticpy.backends.llvm.vectors import (
    all_computed,
    any_of,
    constant,
    constrained,
    declare_intrinsic,
    known_number,
    lanes,
    like,
)


def divided(
    builder: ir.IRBuilder, dtype: np.dtype, x: ir.Value, y: ir.Value, *, gives_rest: bool
) -> ir.Value:
    """``x // y``, or ``x % y``."""
    known = known_number(y)
    if known is not None and known > 0:
        return _by_known(builder, dtype, x, (y, known), gives_rest=gives_rest)
    if dtype == np.int64 and lanes(y) == 1:
        return _of_two(builder, x, y, gives_rest=gives_rest)
    is_zero = builder.icmp_signed("==", y, constant(y.type, 0))
    _raise_if(builder, is_zero, "zero")
    unsafe = is_zero
    if dtype.kind == "i":
        lowest = builder.icmp_signed("==", x, constant(x.type, int(np.iinfo(dtype).min)))
        is_beyond = builder.and_(lowest, builder.icmp_signed("==", y, constant(y.type, -1)))
        if not gives_rest:
            _raise_if(builder, is_beyond, "overflow")
        unsafe = builder.or_(is_zero, is_beyond)
    divisor = builder.select(unsafe, constant(y.type, 1), y)
    if not gives_rest:  # 0 by 1
        x = builder.select(is_zero, constant(x.type, 0), x)
    if dtype.itemsize == 8:
        quotient = _rounded_down(builder, dtype, x, divisor)
    else:
        quotient = _as_floats(builder, dtype, x, divisor)
    return builder.sub(x, builder.mul(quotient, divisor)) if gives_rest else quotient


def _of_two(builder: ir.IRBuilder, x: ir.Value, y: ir.Value, *, gives_rest: bool) -> ir.Value:
    """That of two integers of 64 bits. By 0 and -1 it is done out of the way, and not the division
    of the processor, which takes long: what is divided waits for no choice.
    """
    is_unusual = builder.icmp_unsigned("<=", builder.add(y, I64(1)), I64(1))
    ways: list[tuple[ir.Value, ir.Block]] = []
    with builder.if_else(is_unusual, likely=False) as (unusual, usual):
        with unusual:
            ways.append((_by_zero_or_turned(builder, x, y, gives_rest=gives_rest), builder.block))
        with usual:
            ways.append((_by_other(builder, x, y, gives_rest=gives_rest), builder.block))
    found = builder.phi(x.type)
    for value, block in ways:
        found.add_incoming(value, block)
    return found


def _by_zero_or_turned(
    builder: ir.IRBuilder, x: ir.Value, y: ir.Value, *, gives_rest: bool
) -> ir.Value:
    """By 0 or -1."""
    is_zero = builder.icmp_signed("==", y, I64(0))
    _raise_if(builder, is_zero, "zero")
    if gives_rest:
        return I64(0)
    lowest = builder.icmp_signed("==", x, I64(-(2**63)))
    _raise_if(builder, builder.and_(lowest, builder.not_(is_zero)), "overflow")
    return builder.select(is_zero, I64(0), builder.sub(I64(0), x))


def _by_other(builder: ir.IRBuilder, x: ir.Value, y: ir.Value, *, gives_rest: bool) -> ir.Value:
    """By any other integer. Whether it is rounded down, if something is left, is known before."""
    has_other_sign = builder.icmp_signed("<", builder.xor(x, y), I64(0))
    rest = builder.srem(x, y)
    is_whole = builder.icmp_signed("==", rest, I64(0))
    if gives_rest:
        added = builder.add(rest, builder.select(has_other_sign, y, I64(0)))
        return builder.select(is_whole, rest, added)
    is_below = builder.and_(has_other_sign, builder.not_(is_whole))
    return builder.add(builder.sdiv(x, y), builder.sext(is_below, I64))


def _by_known(
    builder: ir.IRBuilder,
    dtype: np.dtype,
    x: ir.Value,
    divisor: tuple[ir.Value, int],
    *,
    gives_rest: bool,
) -> ir.Value:
    """A division by a number above 0; powers of two need none."""
    y, known = divisor
    if known & (known - 1) == 0:
        if gives_rest:
            return builder.and_(x, constant(x.type, known - 1))
        shift = builder.ashr if dtype.kind == "i" else builder.lshr
        return shift(x, constant(x.type, known.bit_length() - 1))
    quotient = _rounded_down(builder, dtype, x, y)
    return builder.sub(x, builder.mul(quotient, y)) if gives_rest else quotient


def _rounded_down(builder: ir.IRBuilder, dtype: np.dtype, x: ir.Value, y: ir.Value) -> ir.Value:
    """The quotient of integers; that of the processor is rounded towards 0."""
    if dtype.kind == "u":
        return builder.udiv(x, y)
    zero = constant(x.type, 0)
    quotient = builder.sdiv(x, y)
    rest = builder.sub(x, builder.mul(quotient, y))
    has_other_sign = builder.icmp_signed("<", builder.xor(rest, y), zero)
    is_below = builder.and_(builder.icmp_signed("!=", rest, zero), has_other_sign)
    return builder.add(quotient, builder.sext(is_below, x.type))


def _as_floats(builder: ir.IRBuilder, dtype: np.dtype, x: ir.Value, y: ir.Value) -> ir.Value:
    """The quotient of integers of up to 32 bits. The divisor is one that LLVM takes as it is: of a
    choice it would divide by both, and by 0 that raises flags.
    """
    type_ = like(F64 if dtype.itemsize == 4 else F32, x)
    is_signed = dtype.kind == "i"
    convert = builder.sitofp if is_signed else builder.uitofp
    divisor = all_computed(builder, convert(y, type_), 8 * register_bytes())
    quotient = builder.fdiv(convert(x, type_), divisor)
    floor = declare_intrinsic(builder.module, "llvm.floor", type_, 1)
    whole = builder.call(floor, [quotient])
    return (builder.fptosi if is_signed else builder.fptoui)(whole, x.type)


# --- what NumPy warns of --------------------------------------------------------------------------


def _raise_if(builder: ir.IRBuilder, condition: ir.Value, what: str) -> None:
    """Raise a flag where a condition holds, of any element."""
    with builder.if_then(any_of(builder, condition), likely=False):
        builder.call(_flag_function(builder.module, what), [])


_CAUSES = {"zero": ("fdiv", 1.0, 0.0), "overflow": ("fmul", 1e300, 1e300)}


def _flag_function(module: ir.Module, what: str) -> ir.Function:
    """A function that does nothing but raise a flag."""
    name = f"raise_flag.{what}"
    known: ir.Function | None = module.globals.get(name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), []), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    operator, *numbers = _CAUSES[what]
    builder = ir.IRBuilder(function.append_basic_block())
    operands = [ir.Constant(F64, number) for number in numbers]
    constrained(builder, operator, F64, operands, "round.dynamic", "strict")
    builder.ret_void()
    return function
