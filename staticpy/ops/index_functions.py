"""``x[key]`` with a key as it stands in a program, and functions that are an index in disguise."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    INT,
    NEVER,
    ListType,
    ScalarType,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
    members_of,
)
from staticpy.ops import create
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import adapter, describe, is_int_type, static_axes
from staticpy.ops.index import Entry, Slice, Spec, consumed, index, is_mask, with_operands
from staticpy.ops.nested import as_numpy, build, sizes, strong_dtype


def _refuse(type_: Type, index: str) -> DiagnosticError:
    return DiagnosticError(catalog.UNSUPPORTED_SUBSCRIPT, type=str(type_), index=index)


def getitem(value: Value, key: Any) -> Any:
    """``value[key]``.

    ``key`` is an int or bool, a slice of ints, None, Ellipsis, an array of integers or bools, a
    list of these, a range, or a tuple of all that; numbers and lists may be known while compiling
    or not.

    Raises:
        DiagnosticError: the value can't be indexed, or not so.
    """
    if not isinstance(value.type, ScalarType | TensorType):
        raise _refuse(value.type, "[]")
    spec, operands = split_key(value, key)
    return emit(index, value, *operands, spec=spec)


def split_key(value: Value, key: Any) -> tuple[Spec, list[Value]]:
    """The ``spec`` and the operands by which the ops ``index`` and ``store`` are told ``key``.

    Raises:
        DiagnosticError: an array can't be indexed so.
    """
    operands: list[Value] = []
    keys = key if isinstance(key, tuple) else (key,)
    spec = tuple(_entry(item, operands, value.type) for item in keys)
    if spec.count("ellipsis") > 1:
        reason = "an index can have one '...' only"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="x[...]", reason=reason)
    _assume_mask_sizes(value, spec, operands)
    return spec, operands


def _entry(item: Any, operands: list[Value], type_: Type) -> Entry:
    """The entry of the spec for one part of a key; what is known only at run time goes to
    ``operands``.
    """
    if item is None:
        return "newaxis"
    if item is Ellipsis:
        return "ellipsis"
    if isinstance(item, slice):
        return _slice(item, operands, type_)
    if isinstance(item, list | tuple):
        # NumPy takes an empty list for integers.
        item = build(item, "x[...]", None if _has_leaves(item) else np.dtype(np.intp))
    if isinstance(item, bool | np.bool_):
        item = as_value(item)
    if isinstance(item, range) and all(-(2**63) <= each < 2**63 for each in _bounds(item)):
        item = _array_of(item)
    if isinstance(item, Value):
        return _run_time_entry(item, operands, type_)
    if isinstance(item, int | np.integer):
        return int(item)
    raise _refuse(type_, f"an index of type {describe(item)}")


def _array_of(items: range) -> Value:
    """The integers that NumPy makes of a range that is an index."""
    made = TensorType(np.dtype(np.int64), (len(items),))
    array: Value = emit(create.arange, *_bounds(items), dtype=made.dtype, result_type=made)
    return array


def _bounds(items: range) -> tuple[int, int, int]:
    return items.start, items.stop, items.step


def _has_leaves(items: Any) -> bool:
    return not isinstance(items, list | tuple) or any(map(_has_leaves, items))


def _run_time_entry(item: Value, operands: list[Value], type_: Type) -> Entry:
    if isinstance(item.type, ListType) and not all(map(_is_flat, members_of(item.type.item))):
        item = build(item, "x[...]")
    operands.append(item)
    if is_int_type(item.type):
        return "value"
    if isinstance(item.type, ListType):
        is_index = True
    elif isinstance(item.type, TensorType | ScalarType):
        is_index = item.type.dtype.kind in "iub"
    else:
        is_index = item.type == BOOL
    if not is_index:
        raise _refuse(type_, f"an index of type {item.type}")
    return "array"


def _is_flat(item: Type) -> bool:
    """Whether a list of such items is an index as it is: of bools and ints of any box."""
    return item in (INT, BOOL, NEVER) or (isinstance(item, ScalarType) and item.dtype.kind in "iub")


def _slice(item: slice, operands: list[Value], type_: Type) -> Slice:
    parts = tuple(_bound(part, operands, type_) for part in (item.start, item.stop, item.step))
    if parts[2] == 0 and type(parts[2]) is int:
        reason = "slice step cannot be zero"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="x[...]", reason=reason)
    return parts  # type: ignore[return-value]


def _bound(part: Any, operands: list[Value], type_: Type) -> int | str | None:
    if part is None:
        return None
    if not isinstance(part, Value):
        try:
            return operator.index(part)
        except TypeError:
            raise _refuse(type_, f"a slice with a bound of type {describe(part)}") from None
    found = part.type
    is_numpys = isinstance(found, ScalarType | TensorType) and not dims_of(found)
    if found in (INT, BOOL) or (is_numpys and strong_dtype(found).kind in "iu"):
        operands.append(part)
        return "value"
    raise _refuse(type_, f"a slice with a bound of type {part.type}")


def _assume_mask_sizes(value: Value, spec: Spec, operands: list[Value]) -> None:
    """A mask has the sizes of the axes that it takes."""
    facts = current_builder().facts
    if "ellipsis" in spec:
        return
    axis = 0
    for entry, type_ in with_operands(spec, [operand.type for operand in operands]):
        count = consumed(entry, type_)
        if type_ is not None and entry == "array" and is_mask(type_):
            for left, right in zip(dims_of(type_), sizes(value)[axis:], strict=False):
                facts.assume_equal(left, right)
        axis += count


@adapter("flip")
def flip(m: Any, axis: Any = None) -> Any:
    """``np.flip``: a view with the order of some axes turned round."""
    value = as_numpy(m, "np.flip()")
    rank = len(dims_of(value.type))
    given = static_axes(axis, rank, "np.flip()")
    axes = tuple(range(rank)) if given is None else given if isinstance(given, tuple) else (given,)
    back, whole = (None, None, -1), (None, None, None)
    spec = tuple(back if position in axes else whole for position in range(rank))
    return emit(index, value, spec=spec)


ADAPTERS: dict[str, Callable[..., Any]] = {"flip": flip}
"""The functions by NumPy's name."""
