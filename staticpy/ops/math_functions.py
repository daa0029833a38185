"""The functions of ``math`` and ``cmath`` as ops and adapters.

In: Values and compile-time numbers. Out: Python's own numbers, whatever
the box of the operand (``math.sqrt(np.float32(2))`` is a ``float``). Every kernel is the function
itself, so conditions and classes of errors are its own.
"""

from __future__ import annotations

import cmath
import inspect
import math
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
    members_of,
)
from staticpy.ops.apply import emit
from staticpy.ops.arguments import describe, is_number
from staticpy.ops.opdef import Attrs, Effect, OpDef, Samples, defop
from staticpy.ops.probe import sample_of

_LARGEST_STATIC = 1000
"""Up to here the functions that grow fast are computed while compiling."""


# --- type rule, effects ---------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _type_error(kernel: Callable[..., Any], types: tuple[Type, ...]) -> str:
    """What Python says to operands of these types; empty where it takes them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kernel(*map(sample_of, types))
    except TypeError as error:
        return str(error) or "operands of these types are not taken"
    except (ValueError, ArithmeticError):
        return ""  # the types are right, and only the sample is not
    return ""


def check_types(name: str, kernel: Callable[..., Any], types: tuple[Type, ...]) -> None:
    """Refuse operands that are of no type that ``kernel`` takes.

    A union may have members for which Python raises TypeError: the kernel does so at run time.

    Raises:
        DiagnosticError: Python raises TypeError for every combination of the members.
    """
    combinations: list[tuple[Type, ...]] = [()]
    for type_ in types:
        members = type_.members if isinstance(type_, UnionType) else (type_,)
        numbers = [member for member in members if _is_numeric(member)]
        combinations = [(*known, member) for known in combinations for member in numbers]
    if not combinations:
        described = ", ".join(map(str, types))
        raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=name, types=described)
    reasons = [_type_error(kernel, combination) for combination in combinations]
    if all(reasons):
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=f"{name}()", reason=reasons[0])


def _is_numeric(type_: Type) -> bool:
    if isinstance(type_, PythonType):
        return type_ in (BOOL, INT, FLOAT, COMPLEX)
    return isinstance(type_, ScalarType | TensorType)


def _rule(
    name: str, kernel: Callable[..., Any], result: Type | tuple[Type, ...]
) -> Callable[..., Type | tuple[Type, ...]]:
    def infer(*operands: Type) -> Type | tuple[Type, ...]:
        check_types(name, kernel, operands)
        return result

    return infer


def conversion_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    """Effects of what isn't defined everywhere; NumPy warns where it drops an imaginary part."""
    return Effect.RAISES | Effect.WARNS if any(map(_may_be_complex, operands)) else Effect.RAISES


def _may_be_complex(type_: Type) -> bool:
    return any(
        isinstance(member, ScalarType | TensorType) and member.dtype.kind == "c"
        for member in members_of(type_)
    )


def _unless_real(operands: Sequence[Type], attrs: Attrs) -> Effect:
    """Effects of what is defined for all floats: an int may be too large to become one."""
    return Effect.NONE if all(map(_is_real, operands)) else conversion_effects(operands, attrs)


def _is_real(type_: Type) -> bool:
    if isinstance(type_, ScalarType):
        return type_.dtype.kind in "biuf"
    return type_ in (BOOL, FLOAT)


# --- ops ------------------------------------------------------------------------------------------

_REALS: tuple[Any, ...] = (0.5, 1, True, np.float32(0.25), np.int8(1), np.float64(0.75))
_WHOLE: tuple[Any, ...] = (6, 4, True, np.int64(5), np.uint8(3))
_COMPLEXES: tuple[Any, ...] = (0.5 - 1j, 0.5, np.complex64(2j), np.float64(0.25))


def _samples(values: tuple[Any, ...], count: int) -> Samples:
    def samples(_: Any) -> Any:
        for first in range(len(values)):
            yield tuple(values[(first + i) % len(values)] for i in range(count)), {}

    return samples


def _define(
    function: Callable[..., Any],
    result: Type | tuple[Type, ...],
    values: tuple[Any, ...],
    count: int = 1,
    effects: Any = conversion_effects,
) -> OpDef:
    name = f"{function.__module__}.{function.__name__}"
    return defop(
        name,
        infer=_rule(name, function, result),
        kernel=function,
        effects=effects,
        samples=_samples(values, count),
    )


_Row = tuple[str, Type | tuple[Type, ...], tuple[Any, ...], int, Any]

_OTHER_REALS: dict[str, tuple[Any, ...]] = {
    "acosh": (1.5, 2, True, np.float32(1.25)),
    "atanh": (0.5, 0, False, np.float32(-0.25)),
}
"""The samples of what is not defined for the usual ones."""

_TOTAL = "atan asinh cbrt degrees erf erfc fabs radians tanh ulp"
_PARTIAL = (
    "acos acosh asin atanh cos cosh exp exp2 expm1 gamma lgamma log log10 log1p log2 sin sinh "
    "sqrt tan"
)
_CMATH = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh"

_MATH_ROWS: list[_Row] = [
    *((name, FLOAT, _REALS, 1, _unless_real) for name in _TOTAL.split()),
    *((name, FLOAT, _OTHER_REALS.get(name, _REALS), 1, conversion_effects)
      for name in _PARTIAL.split()),
    *((name, BOOL, _REALS, 1, _unless_real) for name in ("isfinite", "isinf", "isnan")),
    *((name, FLOAT, _REALS, 2, _unless_real) for name in ("atan2", "copysign", "nextafter")),
    *((name, FLOAT, _REALS, 2, conversion_effects) for name in ("fmod", "pow", "remainder")),
    *((name, INT, (2.5, -7, True, np.float64(-0.5)), 1, conversion_effects)
      for name in ("ceil", "floor", "trunc")),
    *((name, INT, _WHOLE, 1, conversion_effects) for name in ("factorial", "isqrt")),
    *((name, INT, _WHOLE, 2, conversion_effects) for name in ("comb", "perm", "gcd", "lcm")),
    ("hypot", FLOAT, _REALS, 3, conversion_effects),
    ("frexp", (FLOAT, INT), _REALS, 1, conversion_effects),
    ("modf", (FLOAT, FLOAT), _REALS, 1, _unless_real),
    ("fma", FLOAT, _REALS, 3, conversion_effects),
]  # fmt: skip
_CMATH_ROWS: list[_Row] = [
    *((name, COMPLEX, _COMPLEXES, 1, Effect.RAISES) for name in _CMATH.split()),
    *((name, BOOL, _COMPLEXES, 1, Effect.RAISES) for name in ("isfinite", "isinf", "isnan")),
    ("phase", FLOAT, _COMPLEXES, 1, Effect.RAISES),
    ("polar", (FLOAT, FLOAT), _COMPLEXES, 1, Effect.RAISES),
    ("rect", COMPLEX, _REALS, 2, conversion_effects),
]

OPS: dict[Any, OpDef] = {
    getattr(module, name): _define(getattr(module, name), *row)
    for module, rows in ((math, _MATH_ROWS), (cmath, _CMATH_ROWS))
    for name, *row in rows
    if hasattr(module, name)  # some came after Python 3.11
}
"""The ops of the functions that take their numbers one by one."""


def _ldexp_samples(_: Any) -> Any:
    yield from (((x, i), {}) for x in _REALS for i in (3, -2, True))


OPS[math.ldexp] = defop(
    "math.ldexp",
    infer=_rule("math.ldexp", math.ldexp, FLOAT),
    kernel=math.ldexp,
    effects=conversion_effects,
    samples=_ldexp_samples,
)


def _isclose(a: Any, b: Any, rel_tol: Any, abs_tol: Any, *, module: str) -> bool:
    close: bool = _MODULES[module].isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    return close


def _infer_isclose(*operands: Type, module: str) -> Type:
    check_types("isclose", partial(_isclose, module=module), operands)
    return BOOL


_MODULES: dict[str, Any] = {"math": math, "cmath": cmath}

isclose_ = defop(
    "math.isclose",
    infer=_infer_isclose,
    kernel=_isclose,
    effects=conversion_effects,
    samples=lambda _: [
        ((0.5, np.float32(0.5), 1e-9, 0), {"module": "math"}),
        ((0.5j, 1, 1e-9, 0.0), {"module": "cmath"}),
    ],
)
"""``isclose(a, b, rel_tol=…, abs_tol=…)`` of the module ``math`` or ``cmath``."""


# --- application ----------------------------------------------------------------------------------


def is_operand(operand: Any) -> bool:
    """Whether ``operand`` is a Value, a compile-time Python number or a NumPy scalar."""
    return is_number(operand) or isinstance(operand, np.generic)


def apply_function(op: OpDef, *operands: Any, **attrs: Any) -> Any:
    """Compute where all is static, nothing raises and nothing gets huge, else emit.

    Raises:
        DiagnosticError: Python raises TypeError for operands of these types.
    """
    if not all(map(is_operand, operands)):
        raise refusal(op.name, *operands)
    if any(isinstance(operand, Value) for operand in operands) or _is_huge(op, operands):
        return emit(op, *operands, **attrs)
    assert op.kernel is not None
    try:
        return op.kernel(*operands, **attrs)
    except (ArithmeticError, ValueError):
        return emit(op, *operands, **attrs)
    except TypeError as error:
        raise DiagnosticError(
            catalog.INVALID_ARRAY_CALL, function=f"{op.name}()", reason=str(error)
        ) from None


def refusal(function: str, *operands: Any) -> DiagnosticError:
    """What to raise where a function does not take its operands."""
    types = ", ".join(map(describe, operands))
    return DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=function, types=types)


_GROW = {"math.factorial", "math.comb", "math.perm"}


def _is_huge(op: OpDef, operands: tuple[Any, ...]) -> bool:
    return op.name in _GROW and any(abs(operand) > _LARGEST_STATIC for operand in operands)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a function written in C; before Python 3.13 some don't tell theirs."""
    parameter = inspect.Parameter
    if function is math.hypot:
        return inspect.Signature([parameter("coordinates", parameter.VAR_POSITIONAL)])
    if function in (math.log, cmath.log):
        base = parameter("base", parameter.POSITIONAL_ONLY, default=math.e)
        return inspect.Signature([parameter("x", parameter.POSITIONAL_ONLY), base])
    return inspect.signature(function)


def _adapter_of(op: OpDef) -> Callable[..., Any]:
    """The function that the frontend calls, with the parameters of the function itself."""

    def call(*operands: Any) -> Any:
        return apply_function(op, *operands)

    function = op.kernel
    assert function is not None
    call.__name__ = function.__name__
    call.__doc__ = f"``{op.name}`` of numbers of any box."
    call.__dict__["__signature__"] = _signature(function)
    return call


def _isclose_adapter(module: str) -> Callable[..., Any]:
    def isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
        return apply_function(isclose_, a, b, rel_tol, abs_tol, module=module)

    return isclose


def _nextafter(x: Any, y: Any, /) -> Any:
    """``math.nextafter(x, y)``; the ``steps`` of Python 3.12 are not taken."""
    return apply_function(OPS[math.nextafter], x, y)


def _perm(n: Any, k: Any = None, /) -> Any:
    """``math.perm(n, k)``; without ``k``, the factorial of ``n``."""
    given = (n,) if k is None else (n, k)
    return apply_function(OPS[math.perm], *given)


ADAPTERS: dict[Any, Callable[..., Any]] = {
    **{function: _adapter_of(op) for function, op in OPS.items()},
    math.isclose: _isclose_adapter("math"),
    cmath.isclose: _isclose_adapter("cmath"),
    math.nextafter: _nextafter,
    math.perm: _perm,
}
"""The adapter of each function of ``math`` and ``cmath`` that takes its numbers one by one."""
