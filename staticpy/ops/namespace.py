"""The names of NumPy, of arrays and of Python that a compiled function can use.

``FUNCTIONS`` is keyed by the NumPy function or class, ``UFUNC_METHODS`` by ufunc and method,
``BUILTINS`` by Python's own, ``METHODS`` and ``ATTRIBUTES`` by name. Each value is an adapter: a
function with the parameters of what it stands for, to which the frontend binds the arguments of a
call. Adapters of methods and attributes get the array first.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import DTYPES, FLOAT, PythonType, TensorType, Value, dims_of
from staticpy.ops import (
    closeness,
    create_functions,
    index_functions,
    linalg,
    math_functions,
    math_sequences,
    operator_functions,
    python_functions,
    rearrange,
    reduce_functions,
    search,
    selection,
    shape_functions,
    store_functions,
    ufunc_functions,
    views,
)
from staticpy.ops.apply import emit
from staticpy.ops.arguments import adapter, describe
from staticpy.ops.builtin_functions import BUILTINS
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.nested import as_array, strong_dtype
from staticpy.ops.promote import elementwise
from staticpy.ops.python_scalars import BINARY, apply_scalar
from staticpy.ops.shape import shape_of
from staticpy.ops.ufunc_functions import UFUNC_METHODS

Adapter = Callable[..., Any]


FUNCTIONS: dict[Any, Adapter] = dict(ufunc_functions.UFUNCS)
"""The adapter of each NumPy function and scalar class, by the object itself."""

for _table in (
    shape_functions.ADAPTERS,
    index_functions.ADAPTERS,
    linalg.ADAPTERS,
    reduce_functions.ADAPTERS,
    create_functions.ADAPTERS,
    selection.ADAPTERS,
    store_functions.ADAPTERS,
    views.ADAPTERS,
    search.ADAPTERS,
    rearrange.ADAPTERS,
    closeness.ADAPTERS,
):
    # Some names came after NumPy 2.0.
    FUNCTIONS.update({getattr(np, name): f for name, f in _table.items() if hasattr(np, name)})

for _functions in (math_functions, math_sequences, operator_functions):
    BUILTINS.update(_functions.ADAPTERS)

FUNCTIONS.update({dtype.type: create_functions.conversion_to(dtype) for dtype in DTYPES.values()})


# --- sizes ----------------------------------------------------------------------------------------


def _size(value: Value) -> Any:
    """``x.size``: a plain int where all sizes are known."""
    total: Any = 1
    for size in shape_of(value):
        total = (
            size if type(total) is int and total == 1 else apply_scalar(BINARY["*"], total, size)
        )
    return total


@adapter("size")
def size_function(a: Any, axis: Any = None) -> Any:
    """``np.size(a)``."""
    value = as_array(a, "np.size()") if not isinstance(a, Value) else a
    if axis is None:
        return _size(value)
    raise DiagnosticError(catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function="size", argument="axis")


FUNCTIONS[np.size] = size_function


# --- attributes -----------------------------------------------------------------------------------


def _dtype(value: Value) -> np.dtype:
    return strong_dtype(value.type)


def _nbytes(value: Value) -> Any:
    return apply_scalar(BINARY["*"], _size(value), _dtype(value).itemsize)


def _numpy_only(name: str, call: Adapter) -> Adapter:
    """An adapter of something that arrays and NumPy scalars have, and Python's numbers have not."""

    @functools.wraps(call)
    def checked(value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, Value) or isinstance(value.type, PythonType):
            raise DiagnosticError(catalog.UNSUPPORTED_ATTRIBUTE, name=name, type=describe(value))
        return call(value, *args, **kwargs)

    return checked


_ARRAY_ATTRIBUTES: dict[str, Adapter] = {
    "shape": shape_of,
    "ndim": lambda x: len(dims_of(x.type)),
    "dtype": _dtype,
    "size": _size,
    "itemsize": lambda x: _dtype(x).itemsize,
    "nbytes": _nbytes,
    "T": lambda x: shape_functions.transpose_to(x, None, "x.T"),
}

ATTRIBUTES: dict[str, Adapter] = {
    **{name: _numpy_only(name, call) for name, call in _ARRAY_ATTRIBUTES.items()},
    "real": lambda x: selection.part_of(x, "real"),
    "imag": lambda x: selection.part_of(x, "imag"),
}
"""The attributes of run-time values by name; an adapter gets the value."""


# --- methods --------------------------------------------------------------------------------------


@adapter("conjugate", "a, out=None")
def conjugate(a: Any) -> Any:
    """``a.conjugate()``: an array that is not complex is returned as it is."""
    if isinstance(a.type, PythonType):
        return emit(python_functions.conjugate, a)
    if isinstance(a.type, TensorType) and a.type.dtype.kind != "c":
        return a
    return _conjugated(a)


def _conjugated(value: Value) -> Any:
    """As ``ufunc``, which makes 0-d arrays scalars, but the method keeps their box."""
    found = elementwise(UFUNC_OPS[np.conjugate], value)
    if isinstance(value.type, TensorType) and not value.type.dims:
        return create_functions.asarray(found)
    return found


@adapter("item")
def item(a: Any) -> Any:
    """``a.item()``."""
    return emit(python_functions.item, a)


@adapter("is_integer")
def is_integer(x: Any) -> Any:
    """``x.is_integer()`` of a Python float."""
    if x.type != FLOAT:
        raise DiagnosticError(catalog.UNSUPPORTED_ATTRIBUTE, name="is_integer", type=str(x.type))
    return emit(python_functions.is_integer, x)


_ARRAY_METHODS: dict[str, Adapter] = {
    **reduce_functions.METHODS,
    **shape_functions.METHODS,
    **create_functions.METHODS,
    **selection.METHODS,
    **store_functions.METHODS,
    **views.METHODS,
    **search.METHODS,
    **rearrange.METHODS,
    "dot": linalg.dot,
    "item": item,
}

METHODS: dict[str, Adapter] = {
    **{name: _numpy_only(name, call) for name, call in _ARRAY_METHODS.items()},
    "conj": conjugate,
    "conjugate": conjugate,
    "is_integer": is_integer,
}
"""The methods of run-time values by name; an adapter gets the value first."""


# --- suggestions ----------------------------------------------------------------------------------


def _known_names() -> list[str]:
    names = {name for name, value in vars(np).items() if _is_key(value)}
    return sorted(names | set(METHODS) | set(ATTRIBUTES))


def _is_key(value: object) -> bool:
    try:
        return value in FUNCTIONS
    except TypeError:  # not hashable
        return False


def nearest(name: str) -> str | None:
    """The name of a supported function, method or attribute that looks most like ``name``."""
    found = difflib.get_close_matches(name, _known_names(), n=1)
    return found[0] if found else None


__all__ = ["ATTRIBUTES", "BUILTINS", "FUNCTIONS", "METHODS", "UFUNC_METHODS", "nearest"]
