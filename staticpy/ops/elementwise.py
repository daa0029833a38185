"""NumPy's elementwise functions: one op for each ufunc.

In: operands of the dtypes of one ufunc loop, all of one shape (``promote.elementwise`` brings them
there). Out: one result of that shape, or two. The kernel is the ufunc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.ir import ScalarType, Type, type_of
from staticpy.ops.opdef import REGISTRY, Attrs, Effect, OpDef, Samples, defop
from staticpy.ops.promote import elementwise_type, loop_dtypes

_SYMBOLS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "true_divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "left_shift": "<<",
    "right_shift": ">>",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
    "negative": "-",
    "positive": "+",
    "invert": "~",
}

_SILENT = [
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "equal",
    "not_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
    "bitwise_count",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "copysign",
    "negative",
    "positive",
    "conjugate",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "fabs",
]
"""Never a warning, whatever the dtype."""

_INTEGER_WARNINGS = ["true_divide", "floor_divide", "remainder", "fmod", "divmod", "reciprocal"]
"""A warning for integers too: division by zero."""

_FLOAT_WARNINGS = [
    "add",
    "subtract",
    "multiply",
    "power",
    "float_power",
    "sqrt",
    "square",
    "cbrt",
    "absolute",
    "sign",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "logaddexp",
    "logaddexp2",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "arctan2",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "hypot",
    "deg2rad",
    "rad2deg",
    "degrees",
    "radians",
    "heaviside",
    "nextafter",
    "spacing",
    "ldexp",
    "frexp",
    "modf",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "gcd",
    "lcm",
]
"""A warning for floating-point operands; for integers only where Python's operator on scalars
overflows."""

_SCALAR_OVERFLOW = ("add", "subtract", "multiply", "negative", "absolute", "power")

_UFUNCS: dict[str, np.ufunc] = {
    name: getattr(np, name)
    for name in (*_SILENT, *_INTEGER_WARNINGS, *_FLOAT_WARNINGS)
    if hasattr(np, name)
}


def _effects(ufunc: np.ufunc, name: str) -> Callable[[Sequence[Type], Attrs], Effect]:
    def effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
        inexact = any(_dtype(operand).kind in "fc" for operand in operands)
        if name == "power" and not inexact:
            return Effect.RAISES  # "Integers to negative integer powers are not allowed"
        if name in _SCALAR_OVERFLOW and isinstance(operands[0], ScalarType):
            return Effect.WARNS
        if name in _SILENT:
            return Effect.NONE
        makes_float = loop_dtypes(ufunc, operands)[ufunc.nin].kind in "fc"
        warns = inexact or makes_float or name in _INTEGER_WARNINGS
        return Effect.WARNS if warns else Effect.NONE

    return effects


def _dtype(type_: Type) -> np.dtype:
    return type_.dtype  # type: ignore[attr-defined, no-any-return]


_SAMPLE_DTYPES = [
    "bool",
    "int8",
    "uint64",
    "int64",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


def _samples(ufunc: np.ufunc) -> Samples:
    """One array of each dtype for which there is a loop, then scalars of it."""

    def samples(rng: np.random.Generator) -> Any:
        for dtype in map(np.dtype, _SAMPLE_DTYPES):
            operands = [rng.integers(0, 3, (2, 3)).astype(dtype) for _ in range(ufunc.nin)]
            try:
                loop = ufunc.resolve_dtypes((*[dtype] * ufunc.nin, *[None] * ufunc.nout))
            except TypeError:
                continue
            if any(type_of(loop_dtype.type(1)) is None for loop_dtype in loop):
                continue
            converted = [x.astype(d) for x, d in zip(operands, loop, strict=False)]
            yield tuple(converted), {}
            yield tuple(x[0, 0] for x in converted), {}

    return samples


def _multiply(left: Any, right: Any) -> Any:
    # Python's operator on two complex scalars rounds otherwise than the loop of the ufunc.
    scalars = isinstance(left, np.complexfloating) and isinstance(right, np.complexfloating)
    return left * right if scalars else np.multiply(left, right)


def _define(name: str, ufunc: np.ufunc) -> OpDef:
    return defop(
        name,
        infer=elementwise_type(ufunc),
        kernel=_multiply if name == "multiply" else ufunc,
        effects=_effects(ufunc, name),
        ufunc=ufunc,
        symbol=_SYMBOLS.get(name, ""),
        numpy=name,
        samples=_samples(ufunc),
    )


UFUNC_OPS: dict[np.ufunc, OpDef] = {ufunc: _define(name, ufunc) for name, ufunc in _UFUNCS.items()}
"""The op of each ufunc. ``np.abs``, ``np.divide``, ``np.mod`` and the like are other names of the
same ufuncs."""

complex_multiply = defop(
    "complex_multiply",
    infer=elementwise_type(np.multiply),
    kernel=np.multiply,
    effects=Effect.WARNS,
    ufunc=np.multiply,
    numpy="multiply",
    samples=lambda _: [((np.complex64(1 + 2j), np.complex64(0.3 - 1j)), {})],
)
"""``np.multiply`` of complex numbers of rank 0, which ``*`` of NumPy scalars rounds otherwise."""


def op_named(name: str) -> OpDef:
    """The op of the ufunc ``np.<name>``."""
    return REGISTRY[name]
