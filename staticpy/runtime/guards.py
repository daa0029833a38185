"""Guards as Python text: the conditions under which compiled code is not valid for a call.

In: a Guard or the Type of an Input, and the expression that reaches the object. Out: an expression
that is true where the call must look for another specialisation. The entry function (``entry``) is
made of these.
"""

from __future__ import annotations

import itertools
import math
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from staticpy.frontend import Guard
from staticpy.ir import (
    OBJECT,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    members_of,
)

Pool = Callable[[str, object], str]
"""Gives an object a name in the namespace of the entry function: ``pool(hint, object) -> name``."""

_PYTHON = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "str": str,
    "None": type(None),
}
MOST_PAIRED = 8
"""Up to so many objects are told apart pair by pair, more by a set of their ids."""


def same_value(left: Any, right: Any) -> bool:
    """Whether two compile-time values are of one type and can't be told apart by a program.

    A float is compared with its sign of zero, and nan equals nan; containers item by item.
    """
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return _same_float(left, right)
    if isinstance(left, complex):
        return _same_float(left.real, right.real) and _same_float(left.imag, right.imag)
    if isinstance(left, np.generic):
        return bool(left.dtype == right.dtype) and left.tobytes() == right.tobytes()
    if isinstance(left, tuple | list):
        return len(left) == len(right) and all(map(same_value, left, right))
    if isinstance(left, set | frozenset):
        return same_items(left, {item: item for item in right})
    if isinstance(left, slice | range):
        return same_value((left.start, left.stop, left.step), (right.start, right.stop, right.step))
    if isinstance(left, np.ndarray):
        same_type = left.dtype == right.dtype and left.shape == right.shape
        return bool(same_type) and left.tobytes() == right.tobytes()
    if isinstance(left, dict):
        return same_value(list(left.items()), list(right.items()))
    return (left == right) is True


def same_items(items: set[Any] | frozenset[Any], expected: Mapping[Any, Any]) -> bool:
    """Whether a set holds the keys of ``expected``, each of the type of the value there: to a set
    1, True and 1.0 are one.
    """
    if len(items) != len(expected):
        return False
    return all(item in expected and same_value(item, expected[item]) for item in items)


def _same_float(left: float, right: float) -> bool:
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return left == right and math.copysign(1.0, left) == math.copysign(1.0, right)


def same_method(left: object, right: types.MethodType) -> bool:
    """Whether ``left`` is the bound method ``right``, a new object each time it is read."""
    if not isinstance(left, types.MethodType):
        return False
    return left.__func__ is right.__func__ and left.__self__ is right.__self__


def guard_fails(guard: Guard, expression: str, pool: Pool) -> str:
    """The condition under which ``guard`` doesn't hold of the object that ``expression`` names.

    Raises:
        ValueError: a kind of guard that nobody has defined.
    """
    expected, type_ = guard.expected, f"{pool('type', type)}({expression})"
    match guard.kind:
        case "is" if isinstance(expected, types.MethodType):
            same = pool("same_method", same_method)
            return f"not {same}({expression}, {pool('method', expected)})"
        case "is":
            return f"{expression} is not {pool('object', expected)}"
        case "equals":
            return _differs(expression, expected, pool)
        case "type":
            return f"{type_} is not {pool(expected.__name__, expected)}"
        case "tuple" | "list":
            container = tuple if guard.kind == "tuple" else list
            exact = f"{type_} is not {pool(guard.kind, container)}"
            return f"{exact} or {pool('len', len)}({expression}) != {expected}"
        case "set":
            exact = f"{type_} is not {pool('set', set)}"
            items = pool("items", {item: item for item in expected})
            return f"{exact} or not {pool('same_items', same_items)}({expression}, {items})"
        case "size":
            return f"{pool('len', len)}({expression}) != {expected}"
        case "dict":
            exact = f"{type_} is not {pool('dict', dict)}"
            return f"{exact} or {_keys_differ(expression, expected, pool)}"
    raise ValueError(f"unknown kind of guard: {guard.kind!r}")


def distinct_fails(expressions: Sequence[str], pool: Pool) -> str:
    """The condition under which two of several expressions name one object."""
    if len(expressions) <= MOST_PAIRED:
        pairs = itertools.combinations(expressions, 2)
        return " or ".join(f"{left} is {right}" for left, right in pairs)
    ids = ", ".join(f"{pool('id', id)}({expression})" for expression in expressions)
    return f"{pool('len', len)}({{{ids}}}) != {len(expressions)}"


def _differs(expression: str, expected: Any, pool: Pool) -> str:
    if expected is None or expected is Ellipsis or type(expected) is bool:
        return f"{expression} is not {'...' if expected is Ellipsis else expected}"
    if has_exact_literal(expected):
        exact = f"{pool('type', type)}({expression}) is not {pool('expected', type(expected))}"
        return f"{exact} or {expression} != {expected!r}"
    return f"not {pool('same_value', same_value)}({expression}, {pool('expected', expected)})"


def has_exact_literal(value: object) -> bool:
    """Whether ``!=`` against the literal of ``value`` tells it from every other of its type."""
    if type(value) is float:  # -0.0 == 0.0, and nan has no literal
        return math.isfinite(value) and value != 0
    if type(value) is int:
        return abs(value) < 2**63  # the literal of a huge int may be too long to parse
    return type(value) in (str, bytes)


def _keys_differ(expression: str, keys: tuple[Any, ...], pool: Pool) -> str:
    actual = f"{pool('tuple', tuple)}({expression})"
    if all(type(key) is str for key in keys):
        return f"{actual} != {pool('keys', keys)}"
    return f"not {pool('same_value', same_value)}({actual}, {pool('keys', keys)})"


def type_fails(type_: Type, expression: str, pool: Pool) -> str:
    """The condition under which an object is not in the box, dtype and rank of ``type_``. Empty for
    OBJECT: the guards say what of it matters.
    """
    if type_ == OBJECT:
        return ""
    actual = f"{pool('type', type)}({expression})"
    if isinstance(type_, PythonType | ScalarType):
        class_ = class_of(type_)
        return f"{actual} is not {pool(class_.__name__, class_)}"
    if isinstance(type_, ListType):
        return f"{actual} is not {pool('list', list)} or {_items_fail(type_, expression, pool)}"
    assert isinstance(type_, TensorType)
    dtype = pool(str(type_.dtype), type_.dtype)
    wrong = [
        f"{actual} is not {pool('ndarray', np.ndarray)}",
        # Equal dtypes are nearly always one object, and "is" costs a quarter of "!=". Those of
        # int64 and longlong are equal, too, and what NumPy makes of either tells them apart.
        f"({expression}.dtype is not {dtype} and ({expression}.dtype != {dtype}"
        f" or {expression}.dtype.num != {dtype}.num))",
        f"{expression}.ndim != {type_.rank}",
    ]
    return " or ".join(wrong)


def class_of(type_: Type) -> type:
    """The class of the numbers, strings or None of a type."""
    assert isinstance(type_, PythonType | ScalarType)
    return _PYTHON[type_.kind] if isinstance(type_, PythonType) else type_.dtype.type


def _items_fail(type_: ListType, expression: str, pool: Pool) -> str:
    """The condition under which an item of a list is not of the item type."""
    known = pool("classes", frozenset(map(class_of, members_of(type_.item))))
    return f"not {known}.issuperset({pool('map', map)}({pool('type', type)}, {expression}))"


class SizeChecks:
    """The checks of sizes of one entry: numbers must match, and a symbol that repeats be equal."""

    def __init__(self, types: list[Type]) -> None:
        dims = [dim for type_ in types if isinstance(type_, TensorType) for dim in type_.dims]
        self._checked = {dim for dim in dims if isinstance(dim, int) or dims.count(dim) > 1} - {"?"}
        self._first: dict[str, str] = {}

    def needed(self, type_: Type) -> bool:
        """Whether the shape of an input of this type has to be read at all."""
        return isinstance(type_, TensorType) and not self._checked.isdisjoint(type_.dims)

    def fails(self, type_: TensorType, shape: str) -> str:
        """The condition under which the sizes in the tuple ``shape`` don't match; may be empty.

        Called once for each input, in order: the first size that has a symbol defines it.
        """
        wrong = []
        for axis, dim in enumerate(type_.dims):
            if dim not in self._checked:
                continue
            size = f"{shape}[{axis}]"
            known = str(dim) if isinstance(dim, int) else self._first.setdefault(dim, size)
            if known != size:
                wrong.append(f"{size} != {known}")
        return " or ".join(wrong)
