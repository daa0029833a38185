"""Which floats somebody can tell from others of equal content.

In: a Function. Out: whether it compares floats as containers do, by identity first. A NaN equals
nothing, but ``v in items`` finds it if it is the same object: so one read of ``x[0]`` must not take
the place of another. Without such a comparison equal numbers are interchangeable.
"""

from __future__ import annotations

import numpy as np

from staticpy.ir import (
    DictType,
    Function,
    ListType,
    Operation,
    PythonType,
    ScalarType,
    TupleType,
    Type,
    UnionType,
    walk,
)

_COMPARES = {
    "object.same_or_equal": 0,
    "list.contains": 1,
    "list.index": 1,
    "list.count": 1,
    "list.remove": 1,
    "list.eq": 0,
    "dict.contains": 1,
    "dict.getitem": 1,
    "dict.get": 1,
    "dict.setitem": 1,
    "dict.delitem": 1,
    "dict.pop": 1,
}
"""Ops that look at identity first, with the operand that is compared. Of ``list.eq`` and
``same_or_equal`` either side will do: a nan equals none of another type, whatever that holds."""


def compares_floats(function: Function) -> bool:
    """Whether ``function`` has a comparison that tells a nan from another."""
    return any(map(_compares_floats, walk(function.block)))


def _compares_floats(operation: Operation) -> bool:
    place = _COMPARES.get(operation.name)
    return place is not None and _may_hold_nan(operation.operands[place].type)


def _may_hold_nan(type_: Type) -> bool:
    match type_:
        case ListType():
            return _may_hold_nan(type_.item)
        case DictType():
            return _may_hold_nan(type_.key) or _may_hold_nan(type_.value)
        case TupleType(items) | UnionType(items):
            return any(map(_may_hold_nan, items))
    return is_inexact(type_)


def is_inexact(type_: Type) -> bool:
    """Whether ``type_`` is a number, of Python or NumPy, that may be nan."""
    if isinstance(type_, ScalarType):
        return bool(np.issubdtype(type_.dtype, np.inexact))
    return isinstance(type_, PythonType) and type_.kind in ("float", "complex")
