"""Python's and NumPy's own answer to "what comes out of this call?".

In: a kernel, the types of its operands and its attributes. Out: the boxes, dtypes and ranks of its
results, found by running it once on arrays of one element. Only the sizes are left to the type
rule.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import PythonType, ScalarType, TensorType, TupleType, Type, attribute_key, type_of

_SAMPLES: dict[str, Any] = {
    "bool": True,
    "int": 1,
    "float": 1.0,
    "complex": 1 + 0j,
    "None": None,
    "str": "1",
}
_UNKNOWN_DTYPE = "its result has a dtype that staticpy does not have"


def sample_of(type_: Type) -> Any:
    """A value of type ``type_`` in which every number is one and every size is one."""
    if isinstance(type_, PythonType):
        return _SAMPLES[type_.kind]
    if isinstance(type_, ScalarType):
        return type_.dtype.type(1)
    if isinstance(type_, TupleType):
        return tuple(map(sample_of, type_.items))
    if not isinstance(type_, TensorType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a number is due, not {type_}")
    return np.ones((1,) * type_.rank, type_.dtype)


def probe(
    function: str, kernel: Callable[..., Any], types: tuple[Type, ...], attrs: Mapping[str, Any]
) -> tuple[Type, ...]:
    """The types of the results of ``kernel``; each size is what one-element operands give.

    Raises:
        DiagnosticError: NumPy refuses the call.
    """
    given = tuple(sorted(attrs.items()))
    outcome = _probe(kernel, types, given, attribute_key(given))
    if isinstance(outcome, str):
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=outcome)
    return outcome


def probe_if_defined(
    function: str, kernel: Callable[..., Any], types: tuple[Type, ...]
) -> tuple[Type, ...]:
    """As ``probe``; nothing where the kernel raises for operands of these types.

    Raises:
        DiagnosticError: it gives what staticpy has no type for.
    """
    outcome = _probe(kernel, types, (), ())
    if outcome == _UNKNOWN_DTYPE:
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=outcome)
    return () if isinstance(outcome, str) else outcome


@lru_cache(maxsize=4096)
def _probe(
    kernel: Callable[..., Any],
    types: tuple[Type, ...],
    attrs: tuple[tuple[str, Any], ...],
    _key: Hashable,
) -> tuple[Type, ...] | str:
    """The result types, or NumPy's error message.

    The key of the attributes keeps 1 and True apart, and int64 and longlong.
    """
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = kernel(*map(sample_of, types), **dict(attrs))
    except (TypeError, ValueError, IndexError) as error:
        return str(error)
    results = result if isinstance(result, tuple) else (result,)
    found = tuple(type_of(item) for item in results)
    return _UNKNOWN_DTYPE if None in found else tuple(item for item in found if item is not None)
