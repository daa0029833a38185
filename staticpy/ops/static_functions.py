"""NumPy's functions that are answered while compiling: ``np.isscalar(x)``, ``np.result_type(x)``.

In: arguments as NumPy takes them, of which only the types count. Out: a compile-time object.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import INT, ListType, PythonType, ScalarType, TensorType, Value
from staticpy.ops.arguments import describe, needs_static
from staticpy.ops.probe import sample_of


def _sample(argument: Any, function: str) -> Any:
    """A value of the type of a run-time argument; what is known as it is."""
    if isinstance(argument, tuple | list):  # a named tuple is a sequence like any other here
        kind = tuple if isinstance(argument, tuple) else list
        return kind(_sample(item, function) for item in argument)
    if not isinstance(argument, Value):
        if type(argument).__module__.startswith("staticpy.frontend"):  # an iterator, say
            raise DiagnosticError(catalog.NOT_AN_ARRAY, function=function, type=describe(argument))
        return argument
    if isinstance(argument.type, ListType):
        return []
    if isinstance(argument.type, PythonType | ScalarType | TensorType):
        return sample_of(argument.type)
    raise DiagnosticError(catalog.NOT_AN_ARRAY, function=function, type=describe(argument))


def _is_any_int(argument: Any) -> bool:
    return isinstance(argument, Value) and argument.type == INT


def _static(function: Callable[..., Any]) -> Callable[..., Any]:
    name = f"np.{function.__name__}()"

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [_sample(argument, name) for argument in args]
        named = {key: _sample(argument, name) for key, argument in kwargs.items()}
        is_empty = any(type(each) is list and not each for each in given)
        if is_empty and function.__name__ in _OF_DTYPES:  # the dtype of a record without fields
            raise DiagnosticError(catalog.UNSUPPORTED_DTYPE, name=name, dtype="[]")
        if function is np.result_type and all(map(_is_any_int, args)) and args:
            raise needs_static(name, "arrays_and_dtypes")  # beyond 64 bits it is another dtype
        try:
            return function(*given, **named)
        except (AttributeError, TypeError, ValueError) as error:
            raise DiagnosticError(
                catalog.INVALID_ARRAY_CALL, function=name, reason=str(error)
            ) from None

    wrapped = functools.update_wrapper(call, function, updated=())
    try:
        inspect.signature(wrapped)
    except ValueError:  # of functions in C, some versions of NumPy do not tell the parameters
        del wrapped.__wrapped__
    return wrapped


_NAMES = (
    "can_cast",
    "common_type",
    "iscomplexobj",
    "isdtype",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "iterable",
    "mintypecode",
    "promote_types",
    "result_type",
)
"""Functions whose answer depends on the types of their arguments alone."""
_OF_DTYPES = ("can_cast", "isdtype", "issubdtype", "promote_types", "result_type")
"""Those to which a list is the dtype of a record."""


def _axes(function: Callable[..., Any]) -> Callable[..., Any]:
    """The adapter of a function that counts axes from the front, of axes that are known."""
    answer = _static(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [*args, *kwargs.values()]
        leaves = [leaf for each in given for leaf in (each if isinstance(each, tuple) else [each])]
        if any(isinstance(leaf, Value) for leaf in leaves):
            raise needs_static(f"np.{function.__name__}()", "axis")
        return answer(*args, **kwargs)

    return functools.update_wrapper(call, answer, updated=())


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    function: _axes(function)
    for function in (
        np.lib.array_utils.normalize_axis_index,
        np.lib.array_utils.normalize_axis_tuple,
    )
}
"""The functions that are no names of ``numpy`` itself, by NumPy's own."""


def min_scalar_type(a: Any, /) -> Any:
    """``np.min_scalar_type(a)``: of a number it depends on the number itself."""
    is_array = isinstance(a, Value) and isinstance(a.type, TensorType) and a.type.dims
    if isinstance(a, Value) and not is_array:
        raise needs_static("np.min_scalar_type()", "a")
    return _static(np.min_scalar_type)(a)


ADAPTERS: dict[str, Callable[..., Any]] = {
    "min_scalar_type": min_scalar_type,
} | {name: _static(getattr(np, name)) for name in _NAMES if hasattr(np, name)}
"""The functions by NumPy's name."""
