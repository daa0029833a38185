"""Tuples, sets and slices, and the rules that the ops of all containers share.

%t = tuple.make %a, %b : (int, f64[n])
%c, %d = tuple.items %t : int, f64[n]

A container of the graph is a real one of Python: its items are references, and the kernels are
Python's own operations. What reads a list, a dict or an object has no effect of its own, but an
operand of mutable memory: no pass lets such a read cross a write.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    INT,
    NEVER,
    NONE,
    OBJECT,
    STR,
    DictType,
    ListType,
    ObjectType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    accepts,
    array_type,
    join,
    type_of,
    union_of,
)
from staticpy.ops.opdef import Attrs, Effect, defop

WRITES = Effect.WRITES | Effect.RAISES
"""The effects of what changes memory: it may raise, too."""


def invalid(detail: str) -> DiagnosticError:
    """The error of a type rule whose operands don't fit: a bug of the compiler."""
    return DiagnosticError(catalog.INVALID_IR, detail=detail)


def unsupported(symbol: str, *types: Type) -> DiagnosticError:
    """The error for operands that Python would refuse with TypeError."""
    shown = " and ".join(map(str, types))
    return DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=shown)


def require(target: Type, *sources: Type) -> None:
    """Check that each of ``sources`` may stand where ``target`` is asked for."""
    for source in sources:
        if not accepts(target, source):
            raise invalid(f"a value of type {source} is no {target}")


def require_index(*types: Type) -> None:
    """Check that all of ``types`` can be an index of a sequence."""
    for type_ in types:
        is_integer = isinstance(type_, ScalarType) and type_.dtype.kind in "iu"
        if type_ not in (INT, BOOL) and not is_integer:
            raise invalid(f"an index is due, not {type_}")


def item_type(iterable: Type) -> Type:
    """The type of what iteration over a value of this type gives."""
    if isinstance(iterable, ListType):
        return iterable.item
    if isinstance(iterable, DictType):
        return iterable.key
    if isinstance(iterable, TupleType):
        return union_of(iterable.items)
    if isinstance(iterable, TensorType) and iterable.rank:
        return array_type(iterable.dtype, iterable.dims[1:])
    if iterable == STR:
        return STR
    raise unsupported("iter", iterable)


def parts_of_type(type_: Type) -> list[Type]:
    """The types that a value of this type is made of, its own included."""
    found: list[Type] = []
    pending = [type_]
    while pending:
        part = pending.pop()
        found.append(part)
        if isinstance(part, TupleType):
            pending += part.items
        elif isinstance(part, UnionType):
            pending += part.members
        elif isinstance(part, ListType):
            pending.append(part.item)
        elif isinstance(part, DictType):
            pending += (part.key, part.value)
    return found


def user_effects(types: Sequence[Type]) -> Effect:
    """What a hook such as ``__eq__`` of values of these types can do: an object runs the user's
    own.
    """
    parts = [part for type_ in types for part in parts_of_type(type_)]
    if any(isinstance(part, ObjectType) for part in parts):
        return WRITES
    return Effect.NONE


def comparison_effects(types: Sequence[Type], _attrs: Attrs) -> Effect:
    """What ``==`` of such values, items included, can do. It raises for arrays of several elements
    and for Python ints that a NumPy number can't be compared with.
    """
    parts = [part for type_ in types for part in parts_of_type(type_)]
    raises = any(isinstance(part, ScalarType | TensorType) for part in parts)
    return user_effects(types) | (Effect.RAISES if raises else Effect.NONE)


def is_hashable(type_: Type) -> bool:
    """Whether ``hash`` of such a value is sure to work."""
    unhashable = (TensorType, ListType, DictType, ObjectType)
    return not any(isinstance(part, unhashable) for part in parts_of_type(type_))


def key_effects(keys: Sequence[Type]) -> Effect:
    """What finding or storing these keys can do."""
    hashing = Effect.NONE if all(map(is_hashable, keys)) else Effect.RAISES
    return hashing | user_effects(keys)


def sample_type(value: object) -> Type:
    """The type of an operand of a sample. Lists and dicts get the join of their items' types."""
    if type(value) is tuple:
        return TupleType(tuple(map(sample_type, value)))
    if type(value) is list:
        return ListType(union_of(map(sample_type, value)))
    if type(value) is dict:
        types = union_of(map(sample_type, value)), union_of(map(sample_type, value.values()))
        return DictType(*types)
    return type_of(value) or OBJECT


# --- tuples, sets, slices -------------------------------------------------------------------------


def _infer_tuple(*items: Type) -> Type:
    return TupleType(items)


def _samples_of_items(_: Any) -> Any:
    yield (1, 2.5), {}
    yield ("a", None, np.float32(1)), {}
    yield ((1, 2),), {}
    yield (), {}


tuple_make = defop(
    "tuple.make",
    infer=_infer_tuple,
    kernel=lambda *items: items,
    samples=_samples_of_items,
)
"""``(a, b)``."""


def _infer_items(value: Type) -> tuple[Type, ...]:
    if not isinstance(value, TupleType):
        raise invalid(f"a tuple is due, not {value}")
    return value.items


def _item_samples(_: Any) -> Any:
    yield ((1, 2.5),), {}
    yield ((np.arange(3), None),), {}
    yield ((2.5,),), {}


tuple_items = defop(
    "tuple.items",
    infer=_infer_items,
    kernel=lambda value: value,
    view=True,
    samples=_item_samples,
)
"""``a, b = t``: one result for each item."""


def _infer_set(*_: Type, type: Type) -> Type:  # noqa: A002
    if type != OBJECT:
        raise invalid(f"a set is an object, not {type}")
    return type


def _set_samples(_: Any) -> Any:
    yield (1, 2, 1), {"type": OBJECT}
    yield (), {"type": OBJECT}
    yield (1, np.arange(2)), {"type": OBJECT}


set_make = defop(
    "set.make",
    infer=_infer_set,
    kernel=lambda *items, type: set(items),  # noqa: A006
    effects=lambda items, _: key_effects(items),
    samples=_set_samples,
)
"""``{a, b}``, an object."""


def _infer_slice(*bounds: Type) -> Type:
    if len(bounds) != 3:
        raise invalid("a slice has three parts")
    return OBJECT


slice_make = defop(
    "slice.make",
    infer=_infer_slice,
    kernel=slice,
    samples=lambda _: [((1, 5, 2), {}), ((None, 2, None), {})],
)
"""``slice(start, stop, step)``, an object; each of the three may be None."""


def require_bounds(*bounds: Type) -> None:
    """Check the types of ``start``, ``stop`` and ``step``: each is an int, or None, or either."""
    if len(bounds) != 3:
        raise invalid("a slice has three parts")
    require_index(*(bound for bound in bounds if bound not in (NONE, join(INT, NONE))))


# --- comparison -----------------------------------------------------------------------------------


def _infer_bool(*_: Type) -> Type:
    return BOOL


def _same_samples(_: Any) -> Any:
    nan = float("nan")
    yield (1, 1.0), {}
    yield (nan, nan), {}
    yield ("a", None), {}
    yield (np.arange(3), np.arange(3)), {}


same_or_equal = defop(
    "object.same_or_equal",
    infer=_infer_bool,
    kernel=lambda left, right: (left,) == (right,),
    effects=comparison_effects,
    samples=_same_samples,
)
"""Whether two values are one object, or else equal, as containers compare their items."""

object_is = defop(
    "object.is",
    infer=_infer_bool,
    kernel=operator.is_,
    samples=lambda _: [((np.zeros(2), np.zeros(2)), {}), ((None, 2), {})],
)
"""``a is b``."""

_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ORDERED = {"==": operator.eq, "!=": operator.ne, **_ORDER}
"""Python's comparisons by symbol."""


def _infer_compare(left: Type, right: Type, *, symbol: str) -> Type:
    """The first items that differ are compared, and their comparison is the result."""
    if symbol not in ORDERED:
        raise invalid(f"{symbol!r} is no comparison")
    if symbol in ("==", "!="):
        return BOOL
    parts = parts_of_type(left) + parts_of_type(right)
    if any(isinstance(part, ObjectType) or getattr(part, "dims", ()) for part in parts):
        raise unsupported(symbol, left, right)
    if any(isinstance(part, ScalarType | TensorType) for part in parts):
        return union_of((BOOL, ScalarType(np.dtype(bool))))
    return BOOL


def _compare_effects(types: Sequence[Type], attrs: Attrs) -> Effect:
    if attrs["symbol"] in ("==", "!="):
        return comparison_effects(types, attrs)
    return Effect.RAISES | user_effects(types)


def _compare_samples(_: Any) -> Any:
    for symbol in ORDERED:
        yield ((1, 2.5), (1, 3)), {"symbol": symbol}
        yield (("a", 1), ("a",)), {"symbol": symbol}
        yield ((1, np.float64(2)), (1, np.float64(2))), {"symbol": symbol}
        yield ([1, 2], [1]), {"symbol": symbol}


object_compare = defop(
    "object.compare",
    infer=_infer_compare,
    kernel=lambda left, right, *, symbol: ORDERED[symbol](left, right),
    effects=_compare_effects,
    samples=_compare_samples,
)
"""``a < b`` of two tuples or two lists; ``symbol`` is the comparison."""


def is_python(type_: Type, *kinds: str) -> bool:
    """Whether ``type_`` is a type of Python's own of one of ``kinds``."""
    return isinstance(type_, PythonType) and type_.kind in kinds


def no_results(*_: Type, **__: Any) -> tuple[Type, ...]:
    """The type rule of what only has an effect."""
    return ()


EMPTY_LIST = ListType(NEVER)
"""The type of a list that nothing was ever put into."""
