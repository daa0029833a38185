"""What NumPy itself says of a call on Tensors that is refused.

In: the adapter of a function, operator, method or index, and its arguments. Out: the exception that
NumPy raises for the arrays that they hold, if it raises one: so shapes, axes, indexes and dtypes
that don't fit are what they are without Tensors, for a program that catches them as well. What
NumPy would have done stays refused.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from staticpy.ops import (
    BUILTINS,
    FUNCTIONS,
    METHODS,
    TENSOR_METHODS,
    UFUNC_METHODS,
    Traced,
    binary,
    compare,
    dynamic,
    getitem,
    unary,
)

_OPERATORS = {symbol: op.kernel for symbol, op in (dynamic.BINARY | dynamic.COMPARE).items()}
_UNARY = {symbol: op.kernel for symbol, op in dynamic.UNARY.items()}


def error_of_numpy(adapter: Callable[..., Any], args: Any, kwargs: Any) -> Exception | None:
    """The exception of NumPy for a call of ``adapter``; None where it raises none, or can't be
    asked.
    """
    try:
        function, given = _function_of(adapter, args)
        given, named = [_plain(item) for item in given], {k: _plain(x) for k, x in kwargs.items()}
    except LookupError:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(*given, **named)
        except Exception as error:  # whatever it is
            return error.with_traceback(None)
    return None


def _function_of(adapter: Callable[..., Any], args: Any) -> tuple[Any, Any]:
    """What NumPy, or Python, has for a call of an adapter.

    Raises:
        LookupError: it has nothing.
    """
    if adapter in (binary, compare):
        return _OPERATORS[args[0]], args[1:]
    if adapter is unary:
        return _UNARY[args[0]], args[1:]
    return _functions()[adapter], args


@cache
def _functions() -> dict[Callable[..., Any], Callable[..., Any]]:
    """The function of each adapter."""
    found: dict[Callable[..., Any], Callable[..., Any]] = {getitem: operator.getitem}
    for function, adapter in (*FUNCTIONS.items(), *BUILTINS.items()):
        found.setdefault(adapter, function)
    for (ufunc, name), adapter in UFUNC_METHODS.items():
        found.setdefault(adapter, getattr(ufunc, name))
    for name, adapter in METHODS.items():
        if adapter not in TENSOR_METHODS.values():
            found.setdefault(adapter, _method(name))
    return found


def _method(name: str) -> Callable[..., Any]:
    return lambda array, *args, **kwargs: getattr(array, name)(*args, **kwargs)


def _plain(item: Any) -> Any:
    """An argument with arrays in the place of Tensors: copies, as NumPy may write to them.

    Raises:
        LookupError: it is, or holds, what NumPy can't be asked about again.
    """
    if hasattr(type(item), "__staticpy_array__"):
        item = item.content
    if isinstance(item, np.ndarray):
        return item.copy(order="K")
    if type(item) in (tuple, list):
        return type(item)(map(_plain, item))
    if isinstance(item, slice):
        return slice(*map(_plain, (item.start, item.stop, item.step)))
    is_known = isinstance(item, type | np.ufunc | np.dtype)
    if isinstance(item, Traced) or (callable(item) and not is_known) or hasattr(item, "__next__"):
        raise LookupError
    return item
