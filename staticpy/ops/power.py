"""The types of ``base ** exponent``, and the op for NumPy's part of it.

The class and dtype of a power depend on the value of the exponent: ``2 ** 3`` is an int and
``2 ** -3`` a float; an array of bools squared is ``i8``. In: types. Out: all types that the
operator can give for them, asked of Python and NumPy themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import BOOL, COMPLEX, FLOAT, INT, PythonType, TensorType, Type, dims_of
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.probe import probe
from staticpy.ops.reduce import sized

EXPONENTS: dict[str, tuple[Any, ...]] = {
    "b": (False, True),
    "i": (0, 1, 2, 3),
    "u": (0, 1, 2, 3),
    "f": (0.0, 0.5, 1.0, 2.0, 3.0, -1.0),
    "c": (0j, 1 + 0j, 2 + 0j, 0.5j),
}
"""For each kind of exponent the values of which one decides about the type of a power."""


def python_power_types(base: Type, exponent: Type) -> tuple[Type, ...]:
    """The types that a power of two Python numbers can have."""
    if COMPLEX in (base, exponent):
        return (COMPLEX,)
    if exponent == FLOAT:
        return (FLOAT,) if base == BOOL else (FLOAT, COMPLEX)
    if base == FLOAT:
        return (FLOAT,)
    return (INT, FLOAT) if exponent == INT else (INT,)


def _pow_of(base: Any, *, exponent: Type, value: Any) -> Any:
    if isinstance(exponent, PythonType):
        return base**value
    array = np.array(value, strong_dtype(exponent))
    return base ** (array if isinstance(exponent, TensorType) else array[()])


def power_type(base: Type, exponent: Type, value: Any) -> Type:
    """The type that the operator gives for an exponent without axes of this value."""
    (found,) = probe("**", _pow_of, (small(base),), {"exponent": exponent, "value": value})
    return found


def small(type_: Type) -> Type:
    """``type_`` with all sizes one, so that equal questions are asked once."""
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype, (1,) * type_.rank)
    return type_


@lru_cache(maxsize=1024)
def power_types(base: Type, exponent: Type) -> tuple[Type, ...]:
    """The types that a power of NumPy's can have: for some the value of the exponent decides.

    The exponent has no axes; each size is one.
    """
    values = EXPONENTS[strong_dtype(exponent).kind]
    return tuple(dict.fromkeys(power_type(base, exponent, value) for value in values))


def _infer_pow(base: Type, exponent: Type, *, result_type: Type | None = None) -> Type:
    if dims_of(exponent) or (isinstance(base, PythonType) and isinstance(exponent, PythonType)):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"pow cannot take {base}, {exponent}")
    return result_type or sized(power_types(small(base), exponent)[0], dims_of(base))


def _pow(base: Any, exponent: Any, **_: Any) -> Any:
    return base**exponent


def _pow_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    base, exponent = operands
    if all(strong_dtype(type_).kind in "biu" for type_ in operands):
        return Effect.RAISES
    return Effect.RAISES | Effect.WARNS if INT in (base, exponent) else Effect.WARNS


def _pow_samples(rng: np.random.Generator) -> Any:
    for dtype in ("int8", "int64", "float32", "float64", "complex64"):
        x = rng.integers(1, 4, (2, 3)).astype(dtype)
        whole = (2, 3, np.dtype(dtype).type(2), np.array(2, dtype))
        for exponent in whole if dtype.startswith("int") else (*whole, 0.5, -1.0):
            yield (x, exponent), {}
            yield (x[0, 0], exponent), {}
    yield (np.array([True, False]), 2), {"result_type": TensorType(np.dtype("int8"), (2,))}
    yield (np.array([1.5, -2.0]), -1), {}
    yield (2, np.float64(0.5)), {}


pow_ = defop(
    "pow",
    infer=_infer_pow,
    kernel=_pow,
    effects=_pow_effects,
    symbol="**",
    samples=_pow_samples,
)
"""``base ** exponent`` of NumPy values with an exponent without axes, given as it is, and the dtype
of the result where the types leave it open: the operator squares, takes roots and inverts where the
exponent is 2, 0.5 or -1, which ``np.power`` rounds otherwise."""
