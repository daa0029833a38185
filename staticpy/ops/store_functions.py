"""Stores as they stand in a program: ``x[key] = item``, ``x.imag = item``, and the functions and
methods of NumPy that write to an array.

In: the array and what is stored, each a Value or a compile-time object. Out: nothing; the
operation is emitted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    ListType,
    TensorType,
    Type,
    Value,
    current_builder,
    dims_of,
    union_of,
)
from staticpy.ops import containers, lists, store
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import (
    adapter,
    describe,
    static_axis,
    static_bool,
    static_text,
    target_array,
)
from staticpy.ops.control import is_constant
from staticpy.ops.index import Spec, index_type
from staticpy.ops.index_functions import split_key
from staticpy.ops.nested import sizes
from staticpy.ops.promote import assume_fit, misfit


def as_item(item: Any) -> Value:
    """``item`` as one Value: a tuple or list that is known while compiling becomes a real one.

    Raises:
        DiagnosticError: it holds what is neither a number nor an array.
    """
    if isinstance(item, tuple):
        return emit(containers.tuple_make, *map(as_item, item))  # type: ignore[no-any-return]
    if isinstance(item, list):
        items = [as_item(each) for each in item]
        resolve = current_builder().facts.resolve_type
        type_ = ListType(union_of(resolve(each.type) for each in items))
        return emit(lists.make, *items, type=type_)  # type: ignore[no-any-return]
    if not isinstance(item, Value) and not is_constant(item):
        raise DiagnosticError(catalog.NOT_AN_ARRAY, function="x[…] = v", type=describe(item))
    return as_value(item)


# --- x[key] = item --------------------------------------------------------------------------------


def setitem(value: Value, key: Any, item: Any) -> None:
    """``value[key] = item``: NumPy casts and stretches the item.

    Raises:
        DiagnosticError: the value is no array, can't be indexed so, or the item never fits.
    """
    if not isinstance(value.type, TensorType):
        what = f"an item of a value of type {value.type}"
        raise DiagnosticError(catalog.UNSUPPORTED_STORE, what=what)
    spec, operands = split_key(value, key)
    source = as_item(item)
    _check_fit(value, spec, operands, source)
    emit(store.store, value, source, *operands, spec=spec)


def _check_fit(value: Value, spec: Spec, operands: list[Value], source: Value) -> None:
    facts = current_builder().facts
    resolved = facts.resolve_type(value.type)
    target = index_type(resolved, *(operand.type for operand in operands), spec=spec)
    _refuse_dtype(resolved, source.type)
    assume_fit(dims_of(target), source)
    dims, given = dims_of(facts.resolve_type(target)), sizes(source)
    extra = given[: max(len(given) - len(dims), 0)]
    shrinks = any(
        isinstance(size, int) and size != 1 and to == 1
        for size, to in zip(reversed(given), reversed(dims), strict=False)
    )
    if shrinks or misfit(dims, given) or any(isinstance(size, int) and size != 1 for size in extra):
        types = f"{facts.resolve_type(target)}, {facts.resolve_type(source.type)}"
        raise DiagnosticError(catalog.SHAPE_MISMATCH, types=types, way_out=catalog.FIT_STRETCHED)


def _refuse_dtype(target: Type, source: Type) -> None:
    reason = _certain_error(target, source)
    if reason is not None:
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="x[...] = v", reason=reason)


@lru_cache(maxsize=4096)
def _certain_error(target: Type, source: Type) -> str | None:
    return store.certain_error(_assign, (target, source))


def _assign(array: Any, item: Any) -> None:
    array[...] = item


# --- x.attribute = item ---------------------------------------------------------------------------

_WAYS_OUT = {
    "shape": "make a new array object: 'x = x.reshape(…)'",
    "dtype": "read the bytes as another dtype: 'x = x.view(…)'",
    "strides": "make another view: 'x = x[::2]', 'x = x.T'",
    "T": "write through the view: 'x.T[...] = v'",
}
_OTHER_WAY = "NumPy raises AttributeError here too: keep the value in a variable of its own"


def set_attribute(value: Value, name: str, item: Any) -> None:
    """``value.name = item`` of an array.

    Raises:
        DiagnosticError: it is no attribute that writes to the elements, or the item never fits.
    """
    if not isinstance(value.type, TensorType) or name not in ("real", "imag", "flat"):
        way_out = _WAYS_OUT.get(name, _OTHER_WAY)
        raise DiagnosticError(
            catalog.ATTRIBUTE_OF_ARRAY, name=name, type=str(value.type), way_out=way_out
        )
    emit(store.set_array_attribute, value, as_item(item), name=name)


# --- methods --------------------------------------------------------------------------------------


@adapter("fill")
def fill(a: Any, value: Any) -> None:
    """``a.fill(value)``."""
    emit(store.fill, target_array(a, "a.fill()"), as_item(value))


def _order(target: Value, axis: Any, kind: Any, function: str) -> dict[str, Any]:
    """The attributes of a sort, without those at their default."""
    attrs: dict[str, Any] = {}
    place = static_axis(axis, len(dims_of(target.type)), function)
    if place != len(dims_of(target.type)) - 1:
        attrs["axis"] = place
    if kind is not None:
        attrs["kind"] = static_text(kind, function, "kind")
    return attrs


@adapter("sort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=None")
def sort(a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> None:
    """``a.sort(axis, kind)``."""
    target = target_array(a, "a.sort()")
    attrs = _order(target, axis, kind, "a.sort()")
    if stable is not None:
        attrs["stable"] = static_bool(stable, "a.sort()", "stable")
    emit(store.sort_in_place, target, **attrs)


@adapter("partition", "a, kth, axis=-1, kind='introselect', order=None")
def partition(a: Any, kth: Any, axis: Any = -1) -> None:
    """``a.partition(kth, axis)``."""
    target = target_array(a, "a.partition()")
    attrs = _order(target, axis, None, "a.partition()")
    emit(store.partition_in_place, target, as_item(kth), **attrs)


# --- functions ------------------------------------------------------------------------------------


@adapter("put")
def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """``np.put``."""
    function = "np.put()"
    given = static_text(mode, function, "mode")
    attrs = {} if given == "raise" else {"mode": given}
    emit(store.put, target_array(a, function), as_item(ind), as_item(v), **attrs)


@adapter("put")
def put_method(a: Any, indices: Any, values: Any, mode: Any = "raise") -> None:
    """``a.put``, whose parameters have other names."""
    put(a, indices, values, mode)


@adapter("copyto")
def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """``np.copyto``."""
    function = "np.copyto()"
    target, source = target_array(dst, function), as_item(src)
    given = static_text(casting, function, "casting")
    attrs = {} if given == "same_kind" else {"casting": given}
    assume_fit(dims_of(target.type), source)
    masks = [] if where is True else [as_item(where)]
    emit(store.copyto, target, source, *masks, **attrs)


@adapter("place")
def place(arr: Any, mask: Any, vals: Any) -> None:
    """``np.place``."""
    emit(store.place, target_array(arr, "np.place()"), as_item(mask), as_item(vals))


@adapter("putmask")
def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """``np.putmask``."""
    emit(store.putmask, target_array(a, "np.putmask()"), as_item(mask), as_item(values))


@adapter("fill_diagonal")
def fill_diagonal(a: Any, val: Any, wrap: Any = False) -> None:
    """``np.fill_diagonal``."""
    function = "np.fill_diagonal()"
    attrs = {"wrap": True} if static_bool(wrap, function, "wrap") else {}
    emit(store.fill_diagonal, target_array(a, function), as_item(val), **attrs)


@adapter("put_along_axis")
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """``np.put_along_axis``."""
    function = "np.put_along_axis()"
    target = target_array(arr, function)
    place_ = None if axis is None else static_axis(axis, len(dims_of(target.type)), function)
    emit(store.put_along_axis, target, as_item(indices), as_item(values), axis=place_)


ADAPTERS: dict[str, Callable[..., Any]] = {
    "put": put,
    "copyto": copyto,
    "place": place,
    "putmask": putmask,
    "fill_diagonal": fill_diagonal,
    "put_along_axis": put_along_axis,
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {
    "fill": fill,
    "sort": sort,
    "partition": partition,
    "put": put_method,
}
"""The methods of arrays."""
