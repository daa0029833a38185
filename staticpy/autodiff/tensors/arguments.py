"""The arguments that a call of a plain function is differentiated by.

In: a function, the arguments of a call, and the numbers and names that the user asks for. Out: for
each the position of an argument, or the name of a keyword.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from staticpy import ops


def chosen(
    fun: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    argnums: Any,
    argnames: Any,
) -> tuple[list[int | str], bool]:
    """The arguments ``argnums`` and ``argnames``, each None, one or several; and whether one was
    asked for, and not several, of which there may be one.

    Raises:
        TypeError: a number is none.
        ValueError: a number is out of range, there is no argument of a name, or one is given twice.
    """
    keys: list[int | str] = [*_numbers(_items(argnums), len(args))]
    keys += [_key(fun, name, len(args), kwargs) for name in _items(argnames)]
    if len(set(keys)) < len(keys):
        raise ValueError(ops.ARGUMENT_TWICE)
    asked = [each for each in (argnums, argnames) if each is not None]
    return keys, len(asked) == 1 and type(asked[0]) in (int, str)


def _items(asked: Any) -> tuple[Any, ...]:
    if asked is None:
        return ()
    return tuple(asked) if isinstance(asked, tuple | list | range) else (asked,)


def _numbers(numbers: Sequence[int], count: int) -> list[int]:
    if not all(type(number) is int for number in numbers):
        raise TypeError(ops.no_argnums(numbers))
    if not all(-count <= number < count for number in numbers):
        raise ValueError(ops.no_such_number(numbers, count))
    return [number % count for number in numbers]


def _key(fun: Callable[..., Any], name: str, count: int, kwargs: Mapping[str, Any]) -> int | str:
    """The argument that a function gets for a parameter."""
    if name in kwargs:
        return name
    names = _parameter_names(fun)[:count]
    if name not in names:
        raise ValueError(ops.no_such_name(name))
    return names.index(name)


def _parameter_names(fun: Callable[..., Any]) -> list[str]:
    """The names of the parameters that take positional arguments."""
    function = getattr(fun, "__staticpy_function__", fun)
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):  # some functions of Python's own have none
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [each.name for each in signature.parameters.values() if each.kind in kinds]
