"""Ints without a sign (``unsigned``) in LLVM's terms.

In: operations on Python's ints, of which some operand or the result is one. Out: the same number as
CPython's. Where all that is read of a result are its low bits, it is computed as if it had no more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.forms import F64, I64, UNSIGNED, Native, form_of
from staticpy.backends.llvm.low_bits import has_low_bits_read
from staticpy.backends.llvm.python_numbers import RULES as SIGNED
from staticpy.backends.llvm.python_numbers import as_int, leave_if, shifted
from staticpy.ir import FLOAT, Operation, Value
from staticpy.ops import constant_value

_UNSIGNED = form_of(UNSIGNED)
_FLOAT = form_of(FLOAT)


def _bits(cx: Context, native: Native) -> ir.Value:
    """The low 64 bits of an int or bool."""
    return native.value if native.form == _UNSIGNED else as_int(cx, native)


def _as_float(cx: Context, native: Native) -> Native:
    """The float nearest to an int without a sign; others as they are."""
    if native.form != _UNSIGNED:
        return native
    return Native(_FLOAT, (cx.builder.uitofp(native.value, F64),))


def _made(operation: Operation, value: ir.Value) -> list[Native]:
    return [Native(form_of(operation.results[0].type), (value,))]


def _of_unsigned(rule: Rule) -> Rule:
    """A rule where some operand, or the result, is such an int."""

    def some(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        forms = [form_of(operation.results[0].type), *(each.form for each in operands)]
        return rule(cx, operation, operands) if _UNSIGNED in forms else None

    return some


def _wrapping(instruction: str) -> Rule:
    """What is made of low bits, or a float of a float and such an int."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if operation.results[0].type == FLOAT:
            return _with_floats(cx, operation, operands)
        name = operation.op.name
        if name not in _COMBINING and not has_low_bits_read(operation):
            return None
        parts = [_bits(cx, each) for each in operands]
        if name == "py.lshift":
            return _made(operation, shifted(cx, "shl", *parts))
        if name == "py.neg":
            parts.insert(0, I64(0))
        return _made(operation, getattr(cx.builder, instruction)(*parts))

    return _of_unsigned(rule)


_COMBINING = ("py.and", "py.or", "py.xor")
"""What has no bits that its operands haven't."""


def _with_floats(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """Python rounds the int first; a quotient of two ints is rounded once."""
    if all(each.form != _FLOAT for each in operands):
        return None
    return SIGNED[operation.op.name](cx, operation, [_as_float(cx, each) for each in operands])


def _division(instruction: str, least: int) -> Rule:
    """A quotient or a remainder by an int from ``least`` on, which is no more than that one."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        value, divisor = operands
        if value.form != _UNSIGNED or divisor.form.kind != "int":
            return None
        fits = cx.builder.icmp_signed(">=", divisor.value, I64(least))
        numbers = value.value, divisor.value
        return [cx.where(fits, lambda: getattr(cx.builder, instruction)(*numbers))]

    return _of_unsigned(rule)


def _rshift(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    value, distance = operands
    if value.form != _UNSIGNED or distance.form.kind != "int":
        return None
    return _made(operation, shifted(cx, "lshr", value.value, distance.value))


def _comparison(symbol: str) -> Rule:
    """With an int below 0 it is as with -1."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if any(each.form.kind not in ("unsigned", "int", "bool") for each in operands):
            return None
        builder = cx.builder
        left, right = (_bits(cx, each) for each in operands)
        found = builder.icmp_unsigned(symbol, left, right)
        for place, native in enumerate(operands):
            if native.form.kind == "int" and not _is_not_negative(cx, operation, place):
                is_below = builder.icmp_signed("<", native.value, I64(0))
                always = symbol in (("<", "<=", "!=") if place == 0 else (">", ">=", "!="))
                found = builder.select(is_below, ir.IntType(1)(always), found)
        return _made(operation, found)

    return _of_unsigned(rule)


def _is_not_negative(cx: Context, operation: Operation, place: int) -> bool:
    value: Value = operation.operands[place]
    known = constant_value(value)
    return (isinstance(known, int) and known >= 0) or cx.is_not_negative(value, operation)


def _truth(symbol: str) -> Rule:
    def rule(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native]:
        return _made(operation, cx.builder.icmp_unsigned(symbol, operands[0].value, I64(0)))

    return _of_unsigned(rule)


def _float(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native]:
    return [_as_float(cx, operands[0])]


def _cast(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    """An int that the other form doesn't hold leaves the function."""
    (native,) = operands
    value = _bits(cx, native)
    is_sure = native.form.kind == "bool"
    is_sure |= native.form.kind == "int" and _is_not_negative(cx, operation, 0)
    if not is_sure:
        leave_if(cx, cx.builder.icmp_signed("<", value, I64(0)))
    return _made(operation, value)


def _from_numpy(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``int(x)`` of NumPy's uint64."""
    return _made(operation, operands[0].value)


def _to_numpy(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """NumPy's uint64, which holds each of these."""
    form = form_of(operation.results[0].type)
    return _made(operation, operands[0].value) if form.dtype == np.dtype(np.uint64) else None


RULES: dict[str, Rule] = {
    "py.and": _wrapping("and_"),
    "py.or": _wrapping("or_"),
    "py.xor": _wrapping("xor"),
    "py.add": _wrapping("add"),
    "py.sub": _wrapping("sub"),
    "py.mul": _wrapping("mul"),
    "py.truediv": _of_unsigned(_with_floats),
    "py.lshift": _wrapping("shl"),
    "py.neg": _wrapping("sub"),
    "py.invert": _wrapping("not_"),
    "py.rshift": _of_unsigned(_rshift),
    "py.floordiv": _division("udiv", 2),
    "py.mod": _division("urem", 1),
    "py.lt": _comparison("<"),
    "py.le": _comparison("<="),
    "py.gt": _comparison(">"),
    "py.ge": _comparison(">="),
    "py.eq": _comparison("=="),
    "py.ne": _comparison("!="),
    "py.bool": _truth("!="),
    "truth": _truth("!="),
    "py.not": _truth("=="),
    "py.float": _of_unsigned(_float),
    "py.int": _of_unsigned(_from_numpy),
    "from_python": _of_unsigned(_to_numpy),
    "object.cast": _of_unsigned(_cast),
}
