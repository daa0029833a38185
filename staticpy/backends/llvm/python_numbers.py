"""The operators and functions of Python's own numbers in LLVM's terms.

In: ``py.*`` and ``math.*`` on ints, floats and bools in registers. Out: the same number as
CPython's. An int is 64 bits wide here: a result that isn't leaves the function (OVERFLOWED).
Where CPython raises, and in corners that are rare and long to say, the kernel is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.deferred import is_made_whole, note, summed
from staticpy.backends.llvm.elements import Emit, cast, compare, truncated
from staticpy.backends.llvm.forms import F64, I1, I64, Native, form_of
from staticpy.backends.llvm.int_divisions import int_division, modulo, without_signs
from staticpy.backends.llvm.known_powers import power
from staticpy.backends.llvm.library import copysign, intrinsic, magnitude
from staticpy.backends.llvm.low_bits import has_low_bits_read
from staticpy.backends.llvm.places import is_in_loop
from staticpy.backends.llvm.status import OVERFLOWED
from staticpy.ir import INT, Operation, Value
from staticpy.ops import constant_value

_BITS = 64

EXACT = 1 << 53
"""Up to here every int is a double."""


def _made(operation: Operation, value: ir.Value) -> list[Native]:
    return [Native(form_of(operation.results[0].type), (value,))]


def _are_real(operands: Sequence[Native]) -> bool:
    return all(each.form.kind in ("int", "float", "bool") for each in operands)


def as_int(cx: Context, native: Native) -> ir.Value:
    """An int or bool as i64."""
    return cx.builder.zext(native.value, I64) if native.form.kind == "bool" else native.value


def as_double(cx: Context, native: Native) -> ir.Value:
    """A number of Python as double, rounded as ``float(n)`` rounds."""
    if native.form.kind == "float":
        return native.value
    return cx.builder.sitofp(as_int(cx, native), F64)


def as_float(cx: Context, native: Native) -> ir.Value | None:
    """A real number, NumPy's too, as the double that ``float`` makes of it; None for others."""
    if _are_real([native]):
        return as_double(cx, native)
    dtype = native.form.dtype
    if native.form.kind != "number" or dtype is None or dtype.kind not in "fiub":
        return None
    return cast(cx.builder, native.value, dtype, np.dtype(np.float64))


def whole(cx: Context, x: ir.Value, rounding: str = "trunc") -> Native:
    """A double as an int; the kernel where 64 bits don't hold it."""
    fits = cx.builder.fcmp_ordered("<", magnitude(cx, x), F64(2.0**63))

    def rounded() -> ir.Value:
        if rounding == "trunc":
            return _as_i64(cx, x)
        return _as_i64(cx, cx.builder.call(intrinsic(cx, f"llvm.{rounding}", F64, 1), [x]))

    if cx.overflown is not None and is_made_whole(cx.operation):
        note(cx, cx.builder.not_(fits))
        x = cx.builder.select(fits, x, F64(0.0))
        return _made(cx.operation, rounded())[0]
    return cx.where(fits, rounded)


def _as_i64(cx: Context, x: ir.Value) -> ir.Value:
    """A double that fits. Of one that doesn't the instruction raises a flag: where nothing can be
    done again it stays behind the condition.
    """
    return truncated(cx.builder, x, I64) if cx.shows else cx.builder.fptosi(x, I64)


def _has_float(operands: Sequence[Native]) -> bool:
    return any(each.form.kind == "float" for each in operands)


# --- arithmetic -----------------------------------------------------------------------------------


def _arithmetic(of_ints: str, of_floats: str) -> Rule:
    """``+``, ``-`` and ``*``."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _are_real(operands):
            return None
        if _has_float(operands):
            left, right = (as_double(cx, each) for each in operands)
            return _made(operation, getattr(cx.builder, of_floats)(left, right))
        left, right = (as_int(cx, each) for each in operands)
        if has_low_bits_read(operation):
            return _made(operation, getattr(cx.builder, of_ints[1:])(left, right))
        if operation in cx.within:
            return _made(operation, getattr(cx.builder, of_ints[1:])(left, right, ("nsw",)))
        line = line_of(operation)
        if line is not None:
            value, factor, offset = line
            of = as_int(cx, cx.get(value))
            leave_if(cx, _is_beyond(cx.builder, of, factor, offset))
            return _made(operation, getattr(cx.builder, of_ints[1:])(left, right))
        if of_ints == "smul" and is_asked_by_sums(operation):
            return _made(operation, cx.builder.mul(left, right))
        if of_ints == "ssub" and cx.overflown is None and _are_not_negative(cx, operation):
            # Where both sides of a branch are computed, what conditions say need not hold.
            flags = ("nsw",) if cx.leaving is None else ()
            return _made(operation, cx.builder.sub(left, right, flags))
        return _made(operation, checked(cx, of_ints, left, right))

    return rule


def _are_not_negative(cx: Context, operation: Operation) -> bool:
    """Whether it is known that no operand is below 0."""
    return all(cx.is_not_negative(each, operation) for each in operation.operands)


def line_of(operation: Operation) -> tuple[Value, int, int] | None:
    """``x, a, b`` of an operation that is ``a * x + b`` of an int, with known numbers."""
    if operation.op.name not in ("py.add", "py.sub"):
        return None
    sign = 1 if operation.op.name == "py.add" else -1
    pairs = [operation.operands, operation.operands[::-1]][: 1 if sign < 0 else 2]
    for product, number in pairs:
        offset = constant_value(number)
        scaled = _scaled(product.defining_op)
        if isinstance(offset, int) and scaled is not None:
            return *scaled, sign * offset
    return None


def _scaled(product: Operation | None) -> tuple[Value, int] | None:
    """``x, a`` of an operation that is ``a * x``."""
    if product is None or product.op.name != "py.mul":
        return None
    for value, number in (product.operands, product.operands[::-1]):
        factor = constant_value(number)
        if isinstance(factor, int) and factor > 1 and value.type == INT:
            return value, factor
    return None


def is_asked_by_sums(product: Operation) -> bool:
    """Whether nobody reads a product but sums that ask for both whether they leave 64 bits."""
    users = list(product.result.users)
    return bool(users) and all(line_of(each) is not None for each in users)


def checked(cx: Context, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """An operation on i64 that leaves the function where it overflows. Nobody reads the result then
    and LLVM is to know it: ``j < n + 1`` follows from ``j <= n``. Where both sides of a branch are
    computed, it doesn't, as what comes next is computed of the result all the same.
    """
    if cx.overflown is not None and name in ("sadd", "ssub"):
        return summed(cx, name, left, right)
    if name == "smul" and isinstance(left, ir.Constant):
        left, right = right, left
    flags = () if cx.leaving is not None else ("nuw" if name.startswith("u") else "nsw",)
    result: ir.Value = getattr(cx.builder, name[1:])(left, right, flags)
    if name == "smul" and isinstance(right, ir.Constant) and right.constant > 1:
        leave_if(cx, _is_beyond(cx.builder, left, right.constant))
        return result
    pair = getattr(cx.builder, f"{name}_with_overflow")(left, right)
    if _is_known(left, right) and is_in_loop(cx.operation):
        # Of a number that is known LLVM would ask before the sum, which takes longer.
        result = cx.builder.extract_value(pair, 0)
    leave_if(cx, cx.builder.extract_value(pair, 1))
    return result


def _is_known(*values: ir.Value) -> bool:
    return any(isinstance(each, ir.Constant) for each in values)


def leave_if(cx: Context, overflows: ir.Value) -> None:
    """Leave the function where an int is one that 64 bits don't hold."""
    if cx.leaving is None:
        cx.exit_if(overflows, OVERFLOWED)
    else:
        cx.leaving.append(overflows)


def _is_beyond(builder: ir.IRBuilder, value: ir.Value, factor: int, offset: int = 0) -> ir.Value:
    """Whether ``factor * value + offset`` leaves 64 bits, for a factor above 1: asked of the
    operand, so that what reads the sum waits for no more than a shift and additions.
    """
    bits = value.type
    assert isinstance(bits, ir.IntType)
    least, most = -(1 << bits.width - 1), (1 << bits.width - 1) - 1
    lower, upper = -((offset - least) // factor), (most - offset) // factor
    above = builder.sub(value, bits(lower))
    return builder.icmp_unsigned(">", above, bits(upper - lower))


def _truediv(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    if not _are_real(operands):
        return None
    builder = cx.builder
    left, right = (as_double(cx, each) for each in operands)
    fits = builder.fcmp_unordered("!=", right, F64(0.0))
    if not _has_float(operands):  # the quotient of two ints is rounded once
        for each in operands:
            fits = builder.and_(fits, is_exact(cx, each))
    return [cx.where(fits, lambda: cx.builder.fdiv(left, right))]


def is_exact(cx: Context, native: Native) -> ir.Value:
    """Whether an int is small enough to be a double."""
    if native.form.kind == "bool":
        return I1(1)
    shifted = cx.builder.add(native.value, I64(EXACT))
    return cx.builder.icmp_unsigned("<=", shifted, I64(2 * EXACT))


def _division(is_modulo: bool) -> Rule:
    """``//`` and ``%``: the remainder has the sign of the divisor."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _are_real(operands):
            return None
        if _has_float(operands):
            left, right = (as_double(cx, each) for each in operands)
            cx.require(cx.builder.fcmp_unordered("!=", right, F64(0.0)))
            return _made(operation, float_division(cx, left, right)[is_modulo])
        left, right = (as_int(cx, each) for each in operands)
        cx.require(cx.builder.icmp_signed("!=", right, I64(0)))
        is_plain = cx.leaving is None and _are_not_negative(cx, operation)
        divided = partial(int_division, cx)
        if is_plain:
            divided = partial(without_signs, cx.builder)
        found = modulo(cx, left, right, divided) if is_modulo else divided(left, right)[0]
        return _made(operation, found)

    return rule


def float_division(cx: Context, left: ir.Value, right: ir.Value) -> tuple[ir.Value, ir.Value]:
    """``left // right`` and ``left % right`` of doubles, as in CPython's ``float_divmod``."""
    builder, zero = cx.builder, F64(0.0)
    rest = cx.call("fmod", left, right)
    quotient = builder.fdiv(builder.fsub(left, rest), right)
    has_rest = builder.fcmp_unordered("!=", rest, zero)
    negative = builder.fcmp_ordered("<", right, zero)
    differs = builder.xor(negative, builder.fcmp_ordered("<", rest, zero))
    adjust = builder.and_(has_rest, differs)
    rest_adjusted = builder.select(adjust, builder.fadd(rest, right), rest)
    modulo = builder.select(has_rest, rest_adjusted, copysign(cx, zero, right))
    quotient = builder.select(adjust, builder.fsub(quotient, F64(1.0)), quotient)
    floored = builder.call(intrinsic(cx, "llvm.floor", F64, 1), [quotient])
    above = builder.fcmp_ordered(">", builder.fsub(quotient, floored), F64(0.5))
    floored = builder.select(above, builder.fadd(floored, F64(1.0)), floored)
    is_zero = builder.fcmp_unordered("==", quotient, zero)
    signed = copysign(cx, zero, builder.fdiv(left, right))
    isnan = builder.fcmp_unordered("uno", quotient, quotient)
    whole = builder.select(builder.and_(is_zero, builder.not_(isnan)), signed, floored)
    return whole, modulo


def _shift(is_left: bool) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not all(each.form.kind in ("int", "bool") for each in operands):
            return None
        builder = cx.builder
        left, right = (as_int(cx, each) for each in operands)
        if not is_left:
            cx.require(builder.icmp_signed(">=", right, I64(0)))
            builder = cx.builder
            far = builder.icmp_signed(">", right, I64(63))
            return _made(operation, builder.ashr(left, builder.select(far, I64(63), right)))
        if has_low_bits_read(operation):
            return _made(operation, shifted(cx, "shl", left, right))
        small = builder.icmp_unsigned("<", right, I64(63))

        def fast() -> ir.Value:
            shifted = cx.builder.shl(left, right)
            back = cx.builder.ashr(shifted, right)
            cx.where_also(cx.builder.icmp_signed("==", back, left))
            return shifted

        return [cx.where(small, fast)]

    return rule


def shifted(cx: Context, instruction: str, value: ir.Value, distance: ir.Value) -> ir.Value:
    """The bits of a number, by a distance that may be more than there are; the kernel raises where
    it is below 0.
    """
    if not isinstance(distance, ir.Constant):
        cx.require(cx.builder.icmp_signed(">=", distance, I64(0)))
    shift: Callable[..., ir.Value] = getattr(cx.builder, instruction)
    if isinstance(distance, ir.Constant) and 0 <= distance.constant < _BITS:
        return shift(value, distance)
    is_far = cx.builder.icmp_signed(">=", distance, I64(_BITS))
    found = shift(value, cx.builder.select(is_far, I64(0), distance))
    return cx.builder.select(is_far, I64(0), found)


def _bitwise(name: str) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not all(each.form.kind in ("int", "bool") for each in operands):
            return None
        parts = [each.value for each in operands]
        if form_of(operation.results[0].type).kind == "int":
            parts = [as_int(cx, each) for each in operands]
        return _made(operation, getattr(cx.builder, name)(*parts))

    return rule


def _pow(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    result = form_of(operation.results[0].type)
    base, exponent = operands
    known = exponent.value.constant if isinstance(exponent.value, ir.Constant) else None
    if result.kind == "int" and exponent.form.kind == "int" and known in (0, 1, 2, 3):
        assert isinstance(known, int)
        return _made(operation, _int_power(cx, as_int(cx, base), known))
    if result.kind != "float" or not _are_real(operands) or not _has_float(operands):
        return None
    return [power(cx, *(as_double(cx, each) for each in operands))]


def _int_power(cx: Context, base: ir.Value, exponent: int) -> ir.Value:
    power: ir.Value = I64(1) if exponent == 0 else base
    for _ in range(exponent - 1):
        power = checked(cx, "smul", power, base)
    return power


# --- comparison -----------------------------------------------------------------------------------


def _comparison(symbol: str) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _are_real(operands):
            return None
        if not _has_float(operands):
            left, right = (as_int(cx, each) for each in operands)
            return _made(operation, cx.builder.icmp_signed(symbol, left, right))
        x, y = (as_double(cx, each) for each in operands)
        exact: ir.Value = I1(1)
        for each in operands:
            if each.form.kind == "int":  # Python compares without rounding
                exact = cx.builder.and_(exact, is_exact(cx, each))
        if isinstance(exact, ir.Constant):
            return _made(operation, compare_floats(cx, symbol, x, y))
        return [cx.where(exact, lambda: compare_floats(cx, symbol, x, y))]

    return rule


def compare_floats(cx: Context, symbol: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """A comparison, which a NaN makes false, and ``!=`` true, without a flag for one."""
    return compare(Emit(cx.builder, np.dtype(np.float64), cx.makes_vectors), symbol, x, y)


def _truth_of(cx: Context, native: Native) -> ir.Value:
    if native.form.kind == "bool":
        return native.value
    if native.form.kind == "float":
        return cx.builder.fcmp_unordered("!=", native.value, F64(0.0))
    return cx.builder.icmp_signed("!=", native.value, I64(0))


def _bool(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    return _made(operation, _truth_of(cx, operands[0])) if _are_real(operands) else None


def _not(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    if not _are_real(operands):
        return None
    return _made(operation, cx.builder.not_(_truth_of(cx, operands[0])))


# --- unary ----------------------------------------------------------------------------------------


def _neg(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    if not _are_real(operands):
        return None
    (operand,) = operands
    if operand.form.kind == "float":
        return _made(operation, cx.builder.fneg(operand.value))
    value = as_int(cx, operand)
    is_safe = cx.overflown is None and _are_not_negative(cx, operation)
    if is_safe or has_low_bits_read(operation):
        return _made(operation, cx.builder.sub(I64(0), value))
    return _made(operation, checked(cx, "ssub", I64(0), value))


def _pos(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    if not _are_real(operands):
        return None
    (operand,) = operands
    is_float = operand.form.kind == "float"
    return _made(operation, operand.value if is_float else as_int(cx, operand))


def _invert(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    if operands[0].form.kind not in ("int", "bool"):
        return None
    return _made(operation, cx.builder.not_(as_int(cx, operands[0])))


def _abs(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    if not _are_real(operands):
        return None
    (operand,) = operands
    if operand.form.kind == "float":
        return _made(operation, magnitude(cx, operand.value))
    value = as_int(cx, operand)
    negative = checked(cx, "ssub", I64(0), value)
    below = cx.builder.icmp_signed("<", value, I64(0))
    return _made(operation, cx.builder.select(below, negative, value))


def _int(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    (operand,) = operands
    if operand.form.kind in ("int", "bool"):
        return _made(operation, as_int(cx, operand))
    if operand.form.kind not in ("float", "number"):
        return None
    dtype = operand.form.dtype
    if dtype is not None and dtype.kind in "biu" and dtype != np.uint64:
        return _made(operation, cast(cx.builder, operand.value, dtype, np.dtype(np.int64)))
    x = as_float(cx, operand) if operand.form.is_float else None
    return None if x is None else [whole(cx, x)]


def _float(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    found = as_float(cx, operands[0])
    return None if found is None else _made(operation, found)


RULES: dict[str, Rule] = {
    "py.add": _arithmetic("sadd", "fadd"),
    "py.sub": _arithmetic("ssub", "fsub"),
    "py.mul": _arithmetic("smul", "fmul"),
    "py.truediv": _truediv,
    "py.floordiv": _division(is_modulo=False),
    "py.mod": _division(is_modulo=True),
    "py.lshift": _shift(is_left=True),
    "py.rshift": _shift(is_left=False),
    "py.and": _bitwise("and_"),
    "py.or": _bitwise("or_"),
    "py.xor": _bitwise("xor"),
    "py.pow": _pow,
    "py.lt": _comparison("<"),
    "py.le": _comparison("<="),
    "py.gt": _comparison(">"),
    "py.ge": _comparison(">="),
    "py.eq": _comparison("=="),
    "py.ne": _comparison("!="),
    "py.bool": _bool,
    "py.not": _not,
    "py.neg": _neg,
    "py.pos": _pos,
    "py.invert": _invert,
    "py.abs": _abs,
    "py.int": _int,
    "py.float": _float,
}
