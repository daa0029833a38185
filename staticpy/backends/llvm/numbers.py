"""NumPy's scalars in LLVM's terms, and the conversions between Python's numbers and NumPy's.

In: elementwise ops on ScalarTypes, ``from_python``, ``cast``, ``truth``, ``item``. Out: the number.
Integers that overflow, and whatever else NumPy warns of one scalar at a time, go to the kernel;
what floats warn of is seen by the flags of the processor when the function ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.complex_numbers import complex_of, resized
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.elements import (
    ON_BOTH_SIDES,
    Emit,
    arithmetic_rule,
    can_cast,
    cast,
    compare,
    element_rule,
)
from staticpy.backends.llvm.elements import Rule as ElementRule
from staticpy.backends.llvm.exponents import is_no_root, known_exponent, power_name
from staticpy.backends.llvm.forms import (
    F32,
    F64,
    I1,
    I64,
    Form,
    Native,
    form_of,
    register_type,
    size_in_memory,
)
from staticpy.backends.llvm.known_powers import as_pow
from staticpy.backends.llvm.members import is_known, is_of_arrays, may_be_known
from staticpy.backends.llvm.places import is_in_loop
from staticpy.backends.llvm.python_numbers import as_double, as_float, checked, whole
from staticpy.backends.llvm.unforeseen import hidden
from staticpy.ir import Operation, ScalarType
from staticpy.ops import COMPARE_INT, REGISTRY, Effect
from staticpy.passes import effects_by_op

_DOUBLE = np.dtype(np.float64)

_DTYPES = {"int": np.dtype(np.int64), "float": _DOUBLE}
"""What the numbers of Python are in registers."""

_OPERATORS = {"add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide"}

_OVERFLOWING = {"add": "add", "subtract": "sub", "multiply": "mul"}


def _made(operation: Operation, value: ir.Value) -> list[Native]:
    return [Native(form_of(operation.results[0].type), (value,))]


# --- elementwise ----------------------------------------------------------------------------------


def _scalar_rule(name: str, dtype: np.dtype) -> ElementRule | None:
    """What an op is on a scalar. Products of complex ones have other bits than those of elements:
    see ``complex_numbers``.
    """
    return None if dtype.kind == "c" else element_rule(name, dtype)


def _elementwise(name: str) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        dtypes = {each.form.dtype for each in operands}
        if any(each.form.kind != "number" for each in operands) or len(dtypes) != 1:
            return None
        (dtype,) = dtypes
        assert dtype is not None
        emit = _scalar_rule(name, dtype)
        if emit is None or len(operation.results) != 1:
            return None
        values = [each.value for each in operands]
        if name in _OVERFLOWING and dtype.kind in "iu" and not is_of_arrays(operation):
            return [_unless_overflow(cx, name, dtype, values)]
        if Effect.WARNS in effects_by_op(operation):
            if all(map(is_known, operation.operands)):
                return None  # LLVM would compute it, and no flag of the processor would tell
            if not (cx.can_run_again and name in ON_BOTH_SIDES):
                # Products that overflow before a loop without a round are rare, and such that can't
                # be done before are no part of vectors.
                is_early = name == "true_divide" and cx.may_come_early()
                rule = arithmetic_rule(name, dtype) if cx.is_in_branch or is_early else None
                emit = rule or emit
                values = values if rule else [cx.read_here(each) for each in values]
        if name == "power":
            cx.warns = True
            (is_plain,) = is_no_root(cx.builder, operands[1])
            return [cx.where(is_plain, lambda: emit(Emit(cx.builder, dtype), *values))]
        if name in ("negative", "absolute") and dtype.kind in "iu":
            return [_turned(cx, name, dtype, values[0])]
        result = emit(Emit(cx.builder, dtype, cx.makes_vectors), *values)
        if Effect.WARNS in effects_by_op(operation):
            cx.warns = True
            if form_of(operation.results[0].type).is_float:
                cx.pin_flags(result)
        return _made(operation, result)

    return rule


def _pow(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    """The operator ``**`` of one of NumPy's numbers: as that of elements, and else C's function, as
    NumPy's is. Integers wrap round without a word.
    """
    base, exponent = operands
    form = form_of(operation.results[0].type)
    if form.dtype is None or form.dtype.kind not in "fiu" or form.kind != "number":
        return None
    if all(map(is_known, operation.operands)):
        return None
    if base.form != form:  # 2 ** x
        if form.dtype != _DOUBLE or base.form.dtype is not None or not _is_double(base.form):
            return None
        base = Native(form, (converted(cx, base, form.dtype),))
    if form.dtype.kind in "iu":
        times = known_exponent(operation)
        if times not in (2, 3, 4):
            return None
        factors = [base.value] * int(times)
        return _made(operation, reduce(cx.builder.mul, factors))
    name = power_name(operation)
    is_double = form.dtype == _DOUBLE and _is_double(exponent.form)
    are_elements = name in _SIMPLE_POWERS or not is_double
    emit = element_rule(name, form.dtype) if are_elements and name not in _LIBRARY else None
    value = cx.read_here(base.value)
    if emit is not None:
        result = emit(Emit(cx.builder, form.dtype), value)
    elif is_double:
        number = converted(cx, exponent, form.dtype)
        result = as_pow(cx, value, lambda: cx.call("pow", value, cx.read_here(number)))
    else:
        return None
    cx.warns = True
    cx.pin_flags(result)
    return _made(operation, result)


_SIMPLE_POWERS = ("square", "reciprocal", "positive")

_LIBRARY = ("power", "sqrt")
"""Where NumPy's scalars call C's function, and its arrays don't."""


def _is_double(form: Form) -> bool:
    """Whether a number is one of Python's, or a float of 64 bits."""
    return form.kind in ("int", "float") or (form.kind == "number" and form.dtype == _DOUBLE)


def _beside_a_bool(name: str) -> Rule:
    """An operator of a number and one of NumPy's bools. A bool on the left leaves it to the
    function for arrays, which warns of no integer that overflows.
    """

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        dtype = form_of(operation.results[0].type).dtype
        forms = [each.form for each in operands]
        if dtype is None or not any(form.dtype == np.dtype(bool) for form in forms):
            return None
        emit = _scalar_rule(name, dtype)
        is_known_here = all(map(is_known, operation.operands))
        if emit is None or is_known_here or not all(can_convert(form, dtype) for form in forms):
            return None
        values = [cx.read_here(converted(cx, each, dtype)) for each in operands]
        if name in _OVERFLOWING and dtype.kind in "iu" and forms[0].dtype == dtype:
            return [_unless_overflow(cx, name, dtype, values)]
        result = emit(Emit(cx.builder, dtype), *values)
        if dtype.kind == "f":
            cx.warns = True
            cx.pin_flags(result)
        return _made(operation, result)

    return rule


def _beside_an_int(symbol: str) -> Rule:
    """A comparison of one of NumPy's integers with an int of Python's, by their values."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        number, integer = operands
        dtype = number.form.dtype
        if number.form.kind != "number" or dtype is None or integer.form.kind != "int":
            return None
        builder, signed = cx.builder, np.dtype(np.int64)
        value = cast(builder, number.value, dtype, signed)
        result = compare(Emit(builder, signed), symbol, value, integer.value)
        if dtype == np.dtype(np.uint64):  # of which the larger half is above every int there is
            is_above = builder.icmp_signed("<", value, I64(0))
            result = builder.select(is_above, I1(symbol in (">", ">=", "!=")), result)
        return _made(operation, result)

    return rule


def _unless_overflow(cx: Context, name: str, dtype: np.dtype, values: list[ir.Value]) -> Native:
    """The sum, difference or product of two integers; the kernel warns where it overflows.

    In a loop that can be done again the twin does: a loop that calls nothing is what LLVM knows
    the memory of, so that it keeps elements in registers.
    """
    if cx.operation in cx.within:
        plain = getattr(cx.builder, _OVERFLOWING[name])(*values, flags=("nsw",))
        return Native(form_of(cx.operation.results[0].type), (plain,))
    operation = f"{'s' if dtype.kind == 'i' else 'u'}{_OVERFLOWING[name]}"
    if cx.can_run_again and is_in_loop(cx.operation):
        form = form_of(cx.operation.results[0].type)
        return Native(form, (checked(cx, operation, *values),))
    builder = cx.builder
    pair = getattr(builder, f"{operation}_with_overflow")(*values)
    fits = builder.not_(builder.extract_value(pair, 1))
    return cx.where(fits, lambda: cx.builder.extract_value(pair, 0))


def _turned(cx: Context, name: str, dtype: np.dtype, value: ir.Value) -> Native:
    """``-n`` or ``abs(n)`` of an integer: the lowest overflows, and of those without a sign each
    but 0 where it is turned.
    """
    form = form_of(cx.operation.results[0].type)
    if name == "absolute" and dtype.kind == "u":
        return Native(form, (value,))
    negative = _unless_overflow(cx, "subtract", dtype, [value.type(0), value])
    if name == "negative":
        return negative
    is_below = cx.builder.icmp_signed("<", value, value.type(0))
    return Native(form, (cx.builder.select(is_below, negative.value, value),))


def _convert(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``np.float64(n)`` and its kind."""
    (operand,) = operands
    form = form_of(operation.results[0].type)
    dtype, given = form.dtype, operand.form.dtype
    if form.kind != "number" or dtype is None or dtype.kind not in "fi":
        return None
    is_pythons = operand.form.kind in ("int", "float", "bool")
    is_numpys = operand.form.kind == "number" and given is not None and given.kind in "fiub"
    if not is_pythons and not is_numpys:
        return None
    is_wider = given is not None and np.can_cast(given, dtype)
    if dtype.kind == "f" or is_wider or operand.form.kind in ("int", "bool"):
        return _made(operation, _hidden(cx, operation, converted(cx, operand, dtype)))
    x = as_float(cx, operand) if operand.form.is_float and dtype.itemsize == 8 else None
    return None if x is None else [whole(cx, x)]


# --- conversions ----------------------------------------------------------------------------------


def can_convert(form: Form, dtype: np.dtype) -> bool:
    """Whether ``converted`` has a form."""
    if not form.is_scalar or form.kind == "either":
        return False
    return not (form.is_float and dtype.kind in "iu") and (dtype.kind == "c" or not form.is_complex)


def converted(cx: Context, native: Native, dtype: np.dtype) -> ir.Value:
    """A number as an element of ``dtype``, as a store converts it; ``can_convert`` must hold.

    A Python int that doesn't fit goes to the kernel of the current operation, which raises.
    """
    form, value = native.form, native.value
    if dtype.kind == "c":
        return _as_complex(cx, native, form_of(ScalarType(dtype)))
    if form.is_float and dtype.itemsize < size_in_memory(form):
        value = cx.read_here(value)
    if form.dtype is not None:
        cx.warns |= form.is_float and form.dtype.itemsize > dtype.itemsize
        return cast(cx.builder, value, form.dtype, dtype)
    if form.kind == "float":
        cx.warns |= dtype.itemsize < 8
        return cast(cx.builder, value, np.dtype(np.float64), dtype)
    if form.kind == "bool":
        return cast(cx.builder, value, np.dtype(bool), dtype)
    if dtype.kind in "iu":
        cx.require(_fits(cx, value, dtype))
        return cast(cx.builder, value, np.dtype(np.int64), dtype)
    if dtype.kind == "f":  # NumPy takes a double of it first
        return cast(cx.builder, as_double(cx, native), np.dtype(np.float64), dtype)
    return cast(cx.builder, value, np.dtype(np.int64), dtype)


def _hidden(cx: Context, operation: Operation, value: ir.Value) -> ir.Value:
    """What a conversion gives, as a float that LLVM doesn't know."""
    is_real = value.type in (F32, F64) and not isinstance(value, ir.Constant)
    return hidden(cx.builder, value) if is_real and may_be_known(operation.operands[0]) else value


def as_element(cx: Context, native: Native, dtype: np.dtype) -> ir.Value:
    """A number as ``a[i] = number`` converts it: an integer of NumPy's that signed ones of
    ``dtype`` don't hold goes to the kernel, which raises; others wrap round, and in ``a[:]`` all.
    """
    given = native.form.dtype
    is_integer = given is not None and given.kind in "iu"
    if given is not None and is_integer and dtype.kind == "i" and not np.can_cast(given, dtype):
        wide = cast(cx.builder, native.value, given, np.dtype(np.int64))
        if given == np.dtype(np.uint64):
            cx.require(cx.builder.icmp_signed(">=", wide, I64(0)))
        cx.require(_fits(cx, wide, dtype))
    return converted(cx, native, dtype)


def _as_complex(cx: Context, native: Native, form: Form) -> ir.Value:
    """A number as one of the complex ``form``."""
    assert form.dtype is not None
    double = np.dtype(np.float64)
    if native.form.is_complex:
        cx.warns |= native.form.parts != form.parts
        return resized(cx.builder, native.value, form)
    is_narrow = form.dtype.itemsize < 2 * double.itemsize
    part = np.dtype(np.float32) if is_narrow and native.form.dtype is not None else double
    re = resized(cx.builder, converted(cx, native, part), form)
    cx.warns |= is_narrow
    return complex_of(cx.builder, re, re.type(0.0))


def _fits(cx: Context, value: ir.Value, dtype: np.dtype) -> ir.Value:
    """Whether an i64 is one of the integers of ``dtype``."""
    if dtype.kind == "u" and dtype.itemsize == 8:
        return cx.builder.icmp_signed(">=", value, I64(0))
    if dtype.itemsize == 8:
        return I1(1)
    limits = np.iinfo(dtype)
    above = cx.builder.icmp_signed(">=", value, I64(int(limits.min)))
    return cx.builder.and_(above, cx.builder.icmp_signed("<=", value, I64(int(limits.max))))


def _from_python(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    form = form_of(operation.results[0].type)
    special = operation.attrs.get("checked") or operation.attrs.get("wraps")
    if special or form.dtype is None or not can_convert(operands[0].form, form.dtype):
        return None
    if form.dtype.char in "fF" and is_known(operation.operands[0]):
        return None  # it may overflow
    return _made(operation, _hidden(cx, operation, converted(cx, operands[0], form.dtype)))


def _cast(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    form = form_of(operation.results[0].type)
    source = operands[0].form
    if source.kind != "number" or form.dtype is None or source.dtype is None:
        return None
    if form.is_complex:
        return _made(operation, converted(cx, operands[0], form.dtype))
    if not can_cast(source.dtype, form.dtype):
        return None
    is_integer = form.dtype.kind in "iu"
    value = operands[0].value
    if source.is_float and (is_integer or form.dtype.itemsize < source.dtype.itemsize):
        cx.warns = True
        value = cx.read_here(value)
    found = cast(cx.builder, value, source.dtype, form.dtype)
    return _made(operation, found if source.is_float else _hidden(cx, operation, found))


def _truth(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    (operand,) = operands
    if operand.form.kind == "bool":
        return [operand]
    if operand.form.kind == "either" and operand.form.parts[1] == I1:
        return _made(operation, operand.parts[1])
    if operand.form.kind not in ("number", "int", "float"):
        return None
    dtype = operand.form.dtype or _DTYPES[operand.form.kind]
    if dtype.kind == "c":
        return None
    if dtype.kind == "b":
        return _made(operation, operand.value)
    zero = ir.Constant(register_type(dtype), 0)
    return _made(operation, compare(Emit(cx.builder, dtype), "!=", operand.value, zero))


def _item(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    (operand,) = operands
    form = form_of(operation.results[0].type)
    if operand.form.kind != "number" or operand.form.dtype is None or not form.is_scalar:
        return None
    dtype = operand.form.dtype
    if form.kind == "float" and dtype.kind == "f":
        return _made(operation, cast(cx.builder, operand.value, dtype, np.dtype(np.float64)))
    if form.kind == "bool" and dtype.kind == "b":
        return _made(operation, operand.value)
    if form.kind != "int" or dtype.kind not in "iu" or dtype == np.dtype(np.uint64):
        return None
    return _made(operation, cast(cx.builder, operand.value, dtype, np.dtype(np.int64)))


RULES: dict[str, Rule] = {
    **{name: _elementwise(name) for name, op in REGISTRY.items() if op.ufunc is not None},
    **{f"any.{operator}": _beside_a_bool(name) for operator, name in _OPERATORS.items()},
    **{op.name: _beside_an_int(symbol) for symbol, op in COMPARE_INT.items()},
    "pow": _pow,
    "any.abs": _elementwise("absolute"),
    "convert": _convert,
    "from_python": _from_python,
    "cast": _cast,
    "truth": _truth,
    "item": _item,
}
