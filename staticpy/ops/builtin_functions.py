"""Python's builtin functions as adapters: ``abs``, ``min``, ``len``, ``int``, ``round``, ``sum``
and others.

In: Values, compile-time numbers, and tuples or lists of them. Out: what Python gives for operands
of these boxes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import NEVER, ScalarType, TensorType, Value
from staticpy.ops import dynamic, python_functions
from staticpy.ops.apply import emit
from staticpy.ops.arguments import describe, is_number
from staticpy.ops.dynamic import is_dynamic
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.opdef import OpDef
from staticpy.ops.operators import apply_dynamic, as_type, binary
from staticpy.ops.promote import elementwise
from staticpy.ops.python_scalars import apply_scalar, is_python_scalar
from staticpy.ops.shape import dim_value


def _refuse(function: str, *operands: Any) -> DiagnosticError:
    types = ", ".join(map(describe, operands))
    return DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=function, types=types)


def _check(function: str, *operands: Any) -> None:
    if not all(map(is_number, operands)):
        raise _refuse(function, *operands)


def abs_(x: Any, /) -> Any:
    """``abs(x)``."""
    if is_dynamic(x):
        return apply_dynamic(dynamic.UNARY["abs"], "abs", x)
    _check("abs", x)
    if is_python_scalar(x):
        return apply_scalar(python_functions.abs_, x)
    if isinstance(x, Value) and isinstance(x.type, ScalarType) and x.type.dtype.kind in "ic":
        return emit(dynamic.UNARY["abs"], x)  # it warns, and rounds, otherwise than the ufunc
    return elementwise(UFUNC_OPS[np.absolute], x)


def len_(obj: Any, /) -> Any:
    """``len(obj)`` of a compile-time structure or an array."""
    if not isinstance(obj, Value):
        if isinstance(obj, tuple | list | dict | str | bytes | range):
            return len(obj)
        raise _refuse("len", obj)
    if not isinstance(obj.type, TensorType) or not obj.type.dims:
        raise _refuse("len", obj)
    return dim_value(obj, 0)


def _conversion(target: type, default: Any) -> Callable[..., Any]:
    def call(x: Any = default, /) -> Any:
        return python_functions.to_python(target, x)

    return call


def complex_(real: Any = 0, imag: Any = None) -> Any:
    """``complex(real, imag)``."""
    if imag is None:
        return python_functions.to_python(complex, real)
    given = (real, imag)
    if not all(map(is_number, given)) or any(map(_has_axes, given)):
        raise _refuse("complex", real, imag)
    if not any(isinstance(part, Value) for part in given):
        try:
            return complex(real, imag)
        except OverflowError:
            return emit(python_functions.complex_of, real, imag)
    return emit(python_functions.complex_of, real, imag)


def _has_axes(operand: Any) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, TensorType)


def bool_(x: Any = False, /) -> Any:
    """``bool(x)``."""
    return python_functions.truth(x)


def _selection(op: OpDef, function: Any) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        given = (
            list(args[0]) if len(args) == 1 and isinstance(args[0], tuple | list) else list(args)
        )
        if not given or not all(map(_is_operand, given)):
            raise _refuse(function.__name__, *args)
        if len(given) == 1 and args[0] is not given[0]:
            return given[0]
        if len(given) == 1 and is_python_scalar(given[0]):
            raise _refuse(function.__name__, *args)
        if not any(isinstance(item, Value) for item in given):
            if any(type(item) is complex for item in given):
                raise _refuse(function.__name__, *given)
            return function(given)
        return apply_dynamic(op, function.__name__, *given)

    return call


def _is_operand(operand: Any) -> bool:
    return is_number(operand) or is_dynamic(operand)


def round_(number: Any, ndigits: Any = None) -> Any:
    """``round(number)`` and ``round(number, ndigits)``; NumPy arrays have no such method."""
    given = (number,) if ndigits is None else (number, ndigits)
    if any(map(is_dynamic, given)):
        return apply_dynamic(python_functions.round_, "round", *given)
    _check("round", *given)
    if NEVER in python_functions.round_.result_types(list(map(as_type, given)), {}):
        raise _refuse("round", *given)
    if all(map(is_python_scalar, given)):
        return apply_scalar(python_functions.round_, *given)
    return emit(python_functions.round_, *given)


def divmod_(x: Any, y: Any, /) -> Any:
    """``divmod(x, y)``."""
    if is_dynamic(x) or is_dynamic(y):
        return apply_dynamic(dynamic.divmod_, "divmod", x, y)
    _check("divmod", x, y)
    if is_python_scalar(x) and is_python_scalar(y):
        return apply_scalar(python_functions.divmod_, x, y)
    if not any(map(_has_axes, (x, y))):  # the warnings of scalars are not those of 'np.divmod'
        return apply_dynamic(dynamic.divmod_, "divmod", x, y)
    return tuple(elementwise(UFUNC_OPS[np.divmod], x, y))


def pow_(base: Any, exp: Any, mod: Any = None) -> Any:
    """``pow(base, exp)`` and ``pow(base, exp, mod)``."""
    if mod is None:
        return binary("**", base, exp)
    given = (base, exp, mod)
    if not all(map(is_python_scalar, given)):
        raise _refuse("pow", *given)
    return apply_scalar(python_functions.pow_mod, *given)


def sum_(iterable: Any, /, start: Any = 0) -> Any:
    """``sum(iterable, start)`` of a tuple or list: Python's own summation as long as all are, or
    may be, Python's numbers, then one addition after the other.
    """
    if not isinstance(iterable, tuple | list):
        raise _refuse("sum", iterable)
    items = [start, *iterable]
    leading = 0
    while leading < len(items) and (is_python_scalar(items[leading]) or is_dynamic(items[leading])):
        leading += 1
    head = items[:leading]
    if not all(map(_is_operand, items)):
        raise _refuse("sum", *items)
    if any(map(is_dynamic, head)):
        total = apply_dynamic(python_functions.sum_, "sum", *head)
    else:
        total = apply_scalar(python_functions.sum_, *head) if leading else items[0]
    for item in items[max(leading, 1) :]:
        total = binary("+", total, item)
    return total


BUILTINS: dict[Any, Callable[..., Any]] = {
    abs: abs_,
    len: len_,
    bool: bool_,
    int: _conversion(int, 0),
    float: _conversion(float, 0.0),
    complex: complex_,
    min: _selection(python_functions.min_, min),
    max: _selection(python_functions.max_, max),
    round: round_,
    divmod: divmod_,
    pow: pow_,
    sum: sum_,
}
"""The adapter of each builtin that works on numbers and arrays, by the builtin itself."""
