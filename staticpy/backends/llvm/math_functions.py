"""Functions of ``math``, and of numbers to ints, in LLVM's terms.

In: numbers of Python's, and NumPy's that are taken as ``float`` takes them. Out: what CPython
gives. Where an argument or the result isn't finite the kernel says what that means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.deferred import note
from staticpy.backends.llvm.float_signs import is_never_negative
from staticpy.backends.llvm.forms import F64, Native, form_of
from staticpy.backends.llvm.known_powers import power
from staticpy.backends.llvm.lengths import hypot
from staticpy.backends.llvm.library import called, copysign, intrinsic, is_finite, magnitude
from staticpy.backends.llvm.python_numbers import as_float, as_int, whole
from staticpy.backends.llvm.quiet import compared
from staticpy.ir import Operation


def _of_doubles(count: int, emit: Callable[..., Native | None]) -> Rule:
    """A function that takes its arguments as doubles."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if len(operands) != count or operation.attrs:
            return None
        values = [as_float(cx, each) for each in operands]
        made = None if None in values else emit(cx, operation, *values)
        return None if made is None else [made]

    return rule


def _of_the_library(name: str, function: str) -> Callable[..., Native]:
    """A function of the C library, as CPython calls it."""

    def emit(cx: Context, _: Operation, x: ir.Value) -> Native:
        def fast() -> ir.Value:
            result = called(cx, function, x)
            cx.where_also(is_finite(cx, result))
            return result

        regular = is_finite(cx, x)
        if name in ("log", "log2", "log10"):
            regular = cx.builder.and_(regular, cx.builder.fcmp_ordered(">", x, F64(0.0)))
        return cx.where(regular, fast)

    return emit


def _sqrt(cx: Context, operation: Operation, x: ir.Value) -> Native:
    """The kernel raises below 0, and says what the root of NaN is."""

    def fast() -> ir.Value:
        return cx.builder.call(intrinsic(cx, "llvm.sqrt", F64, 1), [x])

    is_sure = is_never_negative(operation.operands[0])
    if cx.overflown is not None and not is_sure:
        note(cx, compared(cx.builder, "<", x, F64(0.0)))
    if cx.overflown is not None or is_sure:
        return Native(form_of(operation.results[0].type), (fast(),))
    return cx.where(cx.builder.fcmp_ordered(">=", x, F64(0.0)), fast)


def _of_two(function: str) -> Callable[..., Native]:
    """A function of the C library of two numbers, the second of which isn't 0."""

    def emit(cx: Context, _: Operation, x: ir.Value, y: ir.Value) -> Native:
        regular = cx.builder.and_(is_finite(cx, x), is_finite(cx, y))
        regular = cx.builder.and_(regular, cx.builder.fcmp_ordered("!=", y, F64(0.0)))
        return cx.where(regular, lambda: called(cx, function, x, y))

    return emit


def _plain(emit: Callable[..., ir.Value]) -> Callable[..., Native]:
    """What is right for all numbers."""

    def emit_it(cx: Context, operation: Operation, *values: ir.Value) -> Native:
        return Native(form_of(operation.results[0].type), (emit(cx, *values),))

    return emit_it


def _is_nan(cx: Context, x: ir.Value) -> ir.Value:
    return cx.builder.fcmp_unordered("uno", x, x)


def _is_infinite(cx: Context, x: ir.Value) -> ir.Value:
    return cx.builder.fcmp_ordered("==", magnitude(cx, x), F64(math.inf))


def _times(factor: float) -> Callable[..., Native]:
    return _plain(lambda cx, x: cx.builder.fmul(x, F64(factor)))


def _rounded(name: str) -> Rule:
    """A float, Python's or NumPy's, as an int."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        form = form_of(operation.results[0].type)
        if len(operands) != 1 or operation.attrs or form.kind != "int":
            return None
        (operand,) = operands
        if operand.form.kind in ("int", "bool"):
            return [Native(form, (as_int(cx, operand),))]
        x = as_float(cx, operand) if operand.form.is_float else None
        return None if x is None else [whole(cx, x, name)]

    return rule


_LIBRARY = {
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1")},
    **{name: name for name in ("exp2", "cbrt", "erf", "erfc")},
    **{name: name for name in ("log", "log2", "log10", "log1p")},
    **{f"a{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}

RULES: dict[str, Rule] = {
    **{
        f"math.{name}": _of_doubles(1, _of_the_library(name, function))
        for name, function in _LIBRARY.items()
    },
    "math.hypot": _of_doubles(2, hypot),
    "math.sqrt": _of_doubles(1, _sqrt),
    "math.atan2": _of_doubles(2, _of_two("atan2")),
    "math.fmod": _of_doubles(2, _of_two("fmod")),
    "math.pow": _of_doubles(2, lambda cx, _, x, y: power(cx, x, y)),
    "math.copysign": _of_doubles(2, _plain(copysign)),
    "math.fabs": _of_doubles(1, _plain(magnitude)),
    "math.isnan": _of_doubles(1, _plain(_is_nan)),
    "math.isinf": _of_doubles(1, _plain(_is_infinite)),
    "math.isfinite": _of_doubles(1, _plain(is_finite)),
    "math.degrees": _of_doubles(1, _times(180.0 / math.pi)),
    "math.radians": _of_doubles(1, _times(math.pi / 180.0)),
    "math.floor": _rounded("floor"),
    "math.ceil": _rounded("ceil"),
    "math.trunc": _rounded("trunc"),
    "py.round": _rounded("roundeven"),
}
