"""Calls of NumPy's functions on a path where None is given for a number or an array.

In: an adapter and its arguments. Out: the operands and the attributes of a ``numpy.of_none``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.frontend.inputs import tree_leaves
from staticpy.ir import Value


def none_call(
    adapter: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]] | None:
    """The operands and attributes for the call of NumPy's own function; None where it can't be
    called, as it may write to an array before it raises. A ufunc looks at the types first.
    """
    function = ops.numpy_name(adapter)
    if function is None or (
        kwargs.get("out") is not None and not isinstance(getattr(np, function, None), np.ufunc)
    ):
        return None
    attrs: dict[str, Any] = {}
    given: list[Any] = list(args)
    names: list[str] = []
    for name, value in kwargs.items():
        if _is_operand(value):
            given.append(value)
            names.append(name)
        elif _is_dtype(value):
            attrs[name] = np.dtype(value)
        else:
            return None
    if not all(map(_is_operand, given)):
        return None
    attrs["function"] = function
    if names:
        attrs["keywords"] = tuple(names)
    if any(isinstance(each, tuple | list) for each in given):
        attrs["nesting"] = ops.nesting_of(given)
    return tree_leaves(tuple(given)), attrs


def _is_operand(value: Any) -> bool:
    """Whether a value is one of the running program, or a constant of it, or consists of such."""
    if isinstance(value, tuple | list):
        return all(map(_is_operand, value))
    return value is None or isinstance(value, Value | bool | int | float | complex | str)


def _is_dtype(value: Any) -> bool:
    is_class = isinstance(value, type) and issubclass(value, np.generic | bool | int | float)
    return is_class or isinstance(value, np.dtype)
