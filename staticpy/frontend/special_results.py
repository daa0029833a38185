"""What special methods may give: Python looks at the result of those that convert an object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import instance_class
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import BoundFunction, is_liftable, leaf_type
from staticpy.ir import BOOL, COMPLEX, FLOAT, INT, PythonType, ScalarType, Type, UnionType


@dataclass(frozen=True, slots=True)
class _Result:
    """The result that a method must have.

    Attributes:
        type: its type.
        message: what TypeError says of others; ``name`` and ``type`` are filled in.
        subclass: NumPy's number that is one of Python's; ``convert`` makes it exact.
    """

    type: Type
    message: str
    convert: Any
    subclass: str = ""


_RESULTS = {
    "__bool__": _Result(BOOL, "__bool__ should return bool, returned {type}", bool),
    "__index__": _Result(INT, "__index__ returned non-int (type {type})", int),
    "__int__": _Result(INT, "__int__ returned non-int (type {type})", int),
    "__float__": _Result(FLOAT, "{name}.__float__ returned non-float (type {type})", float, "f8"),
    "__complex__": _Result(
        COMPLEX, "__complex__ returned non-complex (type {type})", complex, "c16"
    ),
    "__len__": _Result(INT, "'{type}' object cannot be interpreted as an integer", int, "iu"),
}


_NO_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


def as_index(low: Any, instance: Any, node: Any) -> Any:
    """``instance.__index__()`` as the index of an array; the instance itself where its class has no
    such method. NumPy has an IndexError of its own for another result than an int.
    """
    method = low.special(instance, "__index__")
    if not isinstance(method, BoundFunction):
        found = low.call_special(instance, "__index__", [], node)
        return instance if found is NotImplemented else found
    found = low.call_function(method, [], {}, node)
    if is_liftable(found) and isinstance(leaf_type(found), PythonType | ScalarType):
        return found if leaf_type(found) == INT else low.fails("IndexError", _NO_INDEX, node)
    return low.error(catalog.UNSUPPORTED_OPERANDS, node, symbol="__index__", types=kind_of(found))


def as_asked(low: Any, instance: Any, name: str, found: Any, node: Any) -> Any:
    """The result of a special method, as what asks for it takes it.

    ``low`` is the lowerer. A result of another type is the TypeError that it is in Python, or
    refused where the type depends on the path.
    """
    wanted = _RESULTS.get(name)
    if wanted is None or found is NotImplemented:
        return found
    type_ = leaf_type(found) if is_liftable(found) else None
    if type_ == wanted.type:
        return found
    if isinstance(type_, ScalarType) and _is_subclass(type_.dtype, wanted.subclass):
        return ops.BUILTINS[wanted.convert](found)
    if isinstance(type_, UnionType) or (type_ == BOOL and wanted.type == INT):
        return low.error(catalog.UNSUPPORTED_OPERANDS, node, symbol=name, types=kind_of(found))
    low.refuse_unless_certain(found, node)
    named = {"name": instance_class(instance).__name__, "type": type_name(found)}
    return low.fails("TypeError", wanted.message.format(**named), node)


def _is_subclass(dtype: np.dtype, subclass: str) -> bool:
    return dtype.kind in subclass if subclass == "iu" else dtype.str[1:] == subclass
