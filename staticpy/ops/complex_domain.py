"""``np.emath``: functions that give complex numbers where real ones have no answer.

In: the types of the operands. Out: every type that the result may have, which depends on the
numbers: ``np.emath.sqrt`` of an array of floats is one of floats, or of complex numbers as soon as
one of them is negative.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    UNKNOWN,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    join,
    map_tensors,
    members_of,
    type_of,
    union_of,
)
from staticpy.ops.library import Known, Operand, Sequenced, call_numpy

FUNCTIONS = tuple(
    f"emath.{name}"
    for name in ("arccos", "arcsin", "arctanh", "log", "log10", "log2", "logn", "power", "sqrt")
)
"""The functions by their dotted names."""
_NUMBERS = (1, 2, -2)
"""Inside the domain of all of these, above it and below it."""
_TWINS = {"float32": "complex64", "float64": "complex128"}
_TWINS |= {complex_: real for real, complex_ in _TWINS.items()}
_PYTHON: dict[str, Callable[..., Any]] = {"int": int, "float": float, "complex": complex}


def _sample(type_: Operand, number: int) -> Any:
    if isinstance(type_, Known):
        return type_.value
    if isinstance(type_, Sequenced):
        return type_.kind(_sample(item, number) for item in type_.items)
    if isinstance(type_, TupleType):
        return tuple(_sample(item, number) for item in type_.items)
    if isinstance(type_, ListType):
        return [_sample(item, number) for item in members_of(type_.item)]
    if isinstance(type_, ScalarType | TensorType):
        number = abs(number) if type_.dtype.kind in "bu" else number
        made = np.full((1,) * (type_.rank if isinstance(type_, TensorType) else 0), number)
        found = made.astype(type_.dtype)
        return found if isinstance(type_, TensorType) else found[()]
    if isinstance(type_, PythonType) and type_.kind in _PYTHON:
        return _PYTHON[type_.kind](number)
    raise TypeError(f"it takes no {type_}")


def _any_size(type_: TensorType) -> TensorType:
    return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)


@lru_cache(maxsize=1024)
def _types_of(function: str, types: tuple[Operand, ...], keywords: tuple[str, ...]) -> Type | str:
    found: list[Type] = []
    for numbers in itertools.product(_NUMBERS, repeat=len(types)):
        try:
            given = list(map(_sample, types, numbers))
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = type_of(call_numpy(*given, function=function, keywords=keywords))
        except (TypeError, ValueError) as error:
            return str(error)
        assert result is not None
        found.append(map_tensors(_any_size, result))
    return union_of(found)


def result_type(function: str, types: Sequence[Operand], keywords: tuple[str, ...]) -> Type:
    """The types that the result of ``np.emath.…`` may have, as one.

    Raises:
        DiagnosticError: NumPy refuses operands of these types.
    """
    found = _types_of(function, tuple(types), keywords)
    if isinstance(found, str):
        name = f"np.{function}()"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=name, reason=found)
    return found


def or_complex(type_: Type) -> Type:
    """The type of what is real or complex."""
    found: Type = type_
    if isinstance(type_, TensorType) and type_.dtype.name in _TWINS:
        twin = np.dtype(_TWINS[type_.dtype.name]).newbyteorder(type_.dtype.byteorder)
        found = join(type_, TensorType(twin, type_.dims))
    return found
