"""NumPy's functions and methods that rearrange or join arrays, as adapters over the ops of
``shape``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    PythonType,
    ScalarType,
    TensorType,
    Value,
    current_builder,
    dims_of,
)
from staticpy.ops import join, promote, shape
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    is_number,
    needs_static,
    number_type,
    reduced_axes,
    shape_values,
    split_shape,
    static_axes,
    static_axis,
    static_axis_tuple,
    static_bool,
    static_dtype,
    static_int,
    static_text,
)
from staticpy.ops.calls import into
from staticpy.ops.library import numpy_view
from staticpy.ops.library_functions import library_call
from staticpy.ops.nested import as_array, as_numpy, as_sized, sizes, strong_dtype
from staticpy.ops.opdef import OpDef
from staticpy.ops.promote import broadcast_together
from staticpy.ops.shape import shape_of


def _refuse(function: str, reason: str) -> DiagnosticError:
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


def _unsupported(function: str, argument: str) -> DiagnosticError:
    spec = catalog.UNSUPPORTED_FUNCTION_ARGUMENT
    return DiagnosticError(spec, function=function, argument=argument)


def rank_of_array(value: Value) -> int:
    """The number of axes."""
    return len(dims_of(value.type))


# --- reshape --------------------------------------------------------------------------------------


def _order(order: Any, function: str) -> dict[str, Any]:
    """The attribute ``order``, unless it is the default."""
    return {} if static_text(order, function, "order") == "C" else {"order": order}


_TAKES_COPY = "copy" in inspect.signature(np.reshape).parameters
"""Whether ``np.reshape`` has ``copy=``: so it is from NumPy 2.1 on."""


def reshape_to(a: Any, sizes_: Any, function: str, order: Any = "C", copy: Any = None) -> Any:
    """``a`` in another shape; each size an int or a Value."""
    value = as_numpy(a, function)
    in_order = _order(order, function)
    attrs, operands = split_shape(shape_values(sizes_, function), strong_dtype(value.type))
    if copy is not None:
        if not _TAKES_COPY or (copy and order not in ("C", "F")):
            raise _unsupported("reshape", "copy" if not _TAKES_COPY else "order")
        if static_bool(copy, function, "copy"):  # the elements in order, and then a view of them
            value = emit(shape.flatten, value, **in_order)
        else:
            attrs["copy"] = False
    return emit(shape.reshape, value, *operands, **attrs, **in_order)


@adapter("reshape")
def reshape(a: Any, /, shape: Any, order: Any = "C", *, copy: Any = None) -> Any:
    """``np.reshape``."""
    return reshape_to(a, shape, "np.reshape()", order, copy)


@adapter("reshape")
def reshape_method(a: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
    """``a.reshape(2, 3)`` or ``a.reshape((2, 3))``."""
    return reshape_to(a, shape[0] if len(shape) == 1 else shape, "a.reshape()", order, copy)


@adapter("ravel")
def ravel(a: Any, order: Any = "C") -> Any:
    """``np.ravel``."""
    function = "np.ravel()"
    return emit(shape.ravel, as_numpy(a, function), **_order(order, function))


@adapter("flatten")
def flatten(a: Any, order: Any = "C") -> Any:
    """``a.flatten``."""
    return emit(shape.flatten, a, **_order(order, "a.flatten()"))


@adapter("broadcast_to", "array, shape, subok=False")
def broadcast_to(array: Any, shape: Any) -> Any:
    """``np.broadcast_to``."""
    return _broadcast_to(array, shape)


def _broadcast_to(array: Any, target: Any) -> Any:
    function = "np.broadcast_to()"
    value = as_numpy(array, function)
    wanted = shape_values(target, function)
    attrs, operands = split_shape(wanted, strong_dtype(value.type))
    facts = current_builder().facts
    for dim, size in zip(reversed(sizes(value)), reversed(wanted), strict=False):
        if isinstance(size, int) and size != 1:
            facts.assume_broadcast(dim, size)
    return emit(shape.broadcast_to, value, *operands, **attrs)


@adapter("broadcast_arrays", "*args, subok=False")
def broadcast_arrays(*args: Any) -> tuple[Any, ...]:
    """``np.broadcast_arrays``: the arrays themselves where they have one shape already."""
    values = [as_array(each, "np.broadcast_arrays()") for each in args]
    return tuple(broadcast_together(values, promote.broadcast_arrays)) if values else ()


# --- order of axes --------------------------------------------------------------------------------


def permute(value: Value, axes: Sequence[int]) -> Any:
    """``value`` with its axes in another order; a NumPy scalar is returned as it is."""
    if isinstance(value.type, ScalarType):
        return value
    return emit(shape.transpose, value, axes=tuple(axes))


def transpose_to(a: Any, axes: Any, function: str) -> Any:
    """``a`` with its axes reversed, or in the order ``axes``."""
    value = as_numpy(a, function)
    rank = rank_of_array(value)
    if axes is None:
        return permute(value, tuple(reversed(range(rank))))
    if not isinstance(axes, tuple | list):
        axes = (axes,)
    order = [static_axis(axis, rank, function) for axis in axes]
    if sorted(order) != list(range(rank)):
        raise _refuse(function, f"{tuple(axes)} does not name each of the {rank} axes once")
    return permute(value, order)


@adapter("transpose")
def transpose(a: Any, axes: Any = None) -> Any:
    """``np.transpose``."""
    return transpose_to(a, axes, "np.transpose()")


@adapter("transpose")
def transpose_method(a: Any, *axes: Any) -> Any:
    """``a.transpose(1, 0)``, ``a.transpose((1, 0))`` or ``a.transpose()``."""
    given = axes[0] if len(axes) == 1 else axes
    return transpose_to(a, given if axes else None, "a.transpose()")


@adapter("swapaxes")
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """``np.swapaxes``."""
    value = as_numpy(a, "np.swapaxes()")
    order = list(range(rank_of_array(value)))
    first, second = (static_axis(axis, len(order), "np.swapaxes()") for axis in (axis1, axis2))
    order[first], order[second] = second, first
    return permute(value, order)


@adapter("swapaxes")
def swapaxes_method(a: Any, axis1: Any, axis2: Any, /) -> Any:
    """``a.swapaxes(axis1, axis2)``, whose axes have no names."""
    return swapaxes(a, axis1, axis2)


@adapter("rollaxis")
def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    """``np.rollaxis``."""
    function = "np.rollaxis()"
    value = as_numpy(a, function)
    rank = rank_of_array(value)
    moved, place = static_axis(axis, rank, function), static_int(start, function, "start")
    if not -rank <= place <= rank:
        raise _refuse(function, f"'start' must be from {-rank} to {rank}, not {place}")
    place = place % rank if place < 0 else place
    order = [each for each in range(rank) if each != moved]
    order.insert(place - (moved < place), moved)
    return permute(value, order)


@adapter("moveaxis")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """``np.moveaxis``."""
    function = "np.moveaxis()"
    value = as_numpy(a, function)
    rank = rank_of_array(value)
    pairs = [static_axes(each, rank, function) for each in (source, destination)]
    if None in pairs:
        raise _refuse(function, "'source' and 'destination' must be axes")
    taken, given = ((axis,) if isinstance(axis, int) else axis or () for axis in pairs)
    if len(taken) != len(given):
        raise _refuse(function, "'source' and 'destination' have different lengths")
    order = [axis for axis in range(rank) if axis not in taken]
    for position, axis in sorted(zip(given, taken, strict=True)):
        order.insert(position, axis)
    return permute(value, order)


# --- axes of size one -----------------------------------------------------------------------------


@adapter("expand_dims")
def expand_dims(a: Any, axis: Any) -> Any:
    """``np.expand_dims``."""
    function = "np.expand_dims()"
    value = as_numpy(a, function)
    count = len(axis) if isinstance(axis, tuple | list) else 1
    axes = static_axes(axis, rank_of_array(value) + count, function)
    if axes is None:
        raise _refuse(function, "'axis' must be an int or a tuple of ints")
    return emit(shape.expand_dims, value, axis=axes)


@adapter("squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    """``np.squeeze``."""
    function = "np.squeeze()"
    value = as_numpy(a, function)
    if isinstance(value.type, ScalarType):
        reduced_axes(axis, 0, function)
        return value
    facts, dims = current_builder().facts, sizes(value)
    if axis is None:
        return _squeeze_all(value)
    if not dims and reduced_axes(axis, 0, function) == 0:
        return emit(shape.squeeze, value, axis=())
    given = static_axis_tuple(axis, len(dims), function)
    axes = (given,) if isinstance(given, int) else given or ()
    axes = axes if dims else ()  # a number without axes has an axis 0, too
    for position in axes:
        facts.assume_equal(dims[position], 1)
    return emit(shape.squeeze, value, axis=tuple(sorted(axes)))


def _squeeze_all(value: Value) -> Any:
    """Without the axes of size one. A size that is another one at the call at hand is taken to be
    so at every call; where it turns out to be one, the call is refused (SPY627).
    """
    for size in sizes(value):
        current_builder().facts.assume_equal(size, 1)
    dims = sizes(value)
    axes = tuple(position for position, size in enumerate(dims) if size == 1)
    if all(isinstance(size, int) for size in dims):
        return emit(shape.squeeze, value, axis=axes)
    kept = TensorType(strong_dtype(value.type), tuple(size for size in dims if size != 1))
    return emit(numpy_view, value, function="squeeze", results=(kept,))


# --- joining --------------------------------------------------------------------------------------


def _sequence(arrays: Any, function: str) -> list[Value]:
    if not isinstance(arrays, tuple | list) or not arrays:
        raise _refuse(function, "it needs at least one array, in a tuple or list")
    return [as_numpy(item, function) for item in arrays]


def _of_rows(function: str, arrays: Value, **named: Any) -> Any:
    """A join of the items of a list of the running program, or of the rows of an array."""
    dotted = function.removeprefix("np.").removesuffix("()")
    axis = named.get("axis", 0)
    if isinstance(axis, Value):
        raise needs_static(function, "axis")
    return library_call(dotted, arrays, **named)


def _join(op: OpDef, values: Sequence[Value], axis: int, skip: int | None) -> Any:
    """Join, with the sizes that must agree (all but that of the axis ``skip``) taken to be
    equal.
    """
    facts = current_builder().facts
    first = sizes(values[0])
    for value in values[1:]:
        for position, (left, right) in enumerate(zip(first, sizes(value), strict=False)):
            if position == skip:
                continue
            facts.assume_equal(left, right)
            known = {facts.resolve(size) for size in (left, right)}
            if len(known) == 2 and all(isinstance(size, int) for size in known):
                types = ", ".join(str(facts.resolve_type(v.type)) for v in values)
                raise DiagnosticError(
                    catalog.SHAPE_MISMATCH, types=types, way_out=catalog.FIT_JOINED
                )
    return emit(op, *values, axis=axis) if axis else emit(op, *values)


def concatenate_all(values: Sequence[Value], axis: Any, function: str) -> Any:
    """``np.concatenate`` of arrays of one rank."""
    index = static_axis(axis, max(rank_of_array(values[0]), 1), function)
    return _join(join.concatenate, values, index, index)


def _joined_into(
    function: str, values: Sequence[Value], axis: int, out: Any, dtype: Any, casting: Any
) -> Any:
    """A join with ``out=``, ``dtype=`` or ``casting=``, as NumPy's own call."""
    attrs: dict[str, Any] = {"axis": axis} if axis else {}
    name = f"np.{function}()"
    wanted = static_dtype(dtype, name)
    if wanted is not None:
        attrs["dtype"] = wanted
    if static_text(casting, name, "casting") != "same_kind":
        attrs["casting"] = casting
    if out is not None:
        return into(out, function, *values, takes_sequence=True, **attrs)
    op = join.concatenate if function == "concatenate" else join.stack
    return emit(op, *values, **attrs)


def _weak_dtype(items: Sequence[Any], values: Sequence[Value]) -> np.dtype | None:
    """The dtype of a join of flattened arrays; None where no number of Python's is among them.

    Only there such numbers are weak, as in arithmetic.
    """
    weak = {"bool": True, "int": 0, "float": 0.0, "complex": 0j}
    types = [
        number_type(item) if is_number(item) else value.type
        for item, value in zip(items, values, strict=True)
    ]
    kinds = [type_.kind if isinstance(type_, PythonType) else None for type_ in types]
    if not any(kinds) or all(kinds):
        return None
    pairs = zip(types, kinds, strict=True)
    return np.result_type(*(weak[kind] if kind else strong_dtype(type_) for type_, kind in pairs))


@adapter("concatenate")
def concatenate(
    arrays: Any,
    /,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    """``np.concatenate``; ``axis=None`` joins the flattened arrays."""
    function = "np.concatenate()"
    if isinstance(arrays, Value):
        return _of_rows(function, arrays, axis=axis, out=out, dtype=dtype, casting=casting)
    values = _sequence(arrays, function)
    if axis is None:
        dtype = _weak_dtype(arrays, values) if dtype is None else dtype
        values = [emit(shape.ravel, value) for value in values]
        axis = 0
    if out is None and dtype is None and casting == "same_kind":
        return concatenate_all(values, axis, function)
    index = static_axis(axis, max(rank_of_array(values[0]), 1), function)
    return _joined_into("concatenate", values, index, out, dtype, casting)


@adapter("stack")
def stack(
    arrays: Any,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Any:
    """``np.stack``."""
    if isinstance(arrays, Value):
        return _of_rows("np.stack()", arrays, axis=axis, out=out, dtype=dtype, casting=casting)
    values = _sequence(arrays, "np.stack()")
    index = static_axis(axis, rank_of_array(values[0]) + 1, "np.stack()")
    if out is None and dtype is None and casting == "same_kind":
        return _join(join.stack, values, index, None)
    return _joined_into("stack", values, index, out, dtype, casting)


def _at_least_1d(value: Value) -> Value:
    return value if rank_of_array(value) else emit(shape.reshape, value, shape=(1,))


def _at_least_2d(value: Value) -> Value:
    row = _at_least_1d(value)
    return row if rank_of_array(row) > 1 else emit(shape.expand_dims, row, axis=0)


def _pile(name: str, along: Callable[[list[Value]], tuple[list[Value], int]]) -> Any:
    """The adapter of a function that joins arrays after it has given each some axes more."""
    function = f"np.{name}()"

    @adapter(name)
    def call(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
        if isinstance(tup, Value):
            return _of_rows(function, tup, dtype=dtype, casting=casting)
        values, axis = along(_sequence(tup, function))
        if dtype is None and casting == "same_kind":
            return concatenate_all(values, axis, function)
        return _joined_into("concatenate", values, axis, None, dtype, casting)

    return call


def _as_rows(values: list[Value]) -> tuple[list[Value], int]:
    return [_at_least_2d(value) for value in values], 0


def _side_by_side(values: list[Value]) -> tuple[list[Value], int]:
    found = [_at_least_1d(value) for value in values]
    return found, 0 if rank_of_array(found[0]) == 1 else 1


# --- sizes ----------------------------------------------------------------------------------------


@adapter("shape")
def shape_function(a: Any) -> Any:
    """``np.shape``."""
    return shape_of(as_sized(a, "np.shape()"))


@adapter("ndim")
def ndim_function(a: Any) -> int:
    """``np.ndim``."""
    return rank_of_array(as_sized(a, "np.ndim()"))


ADAPTERS: dict[str, Callable[..., Any]] = {
    "reshape": reshape,
    "ravel": ravel,
    "broadcast_to": broadcast_to,
    "broadcast_arrays": broadcast_arrays,
    "transpose": transpose,
    "permute_dims": transpose,
    "swapaxes": swapaxes,
    "rollaxis": rollaxis,
    "moveaxis": moveaxis,
    "expand_dims": expand_dims,
    "squeeze": squeeze,
    "concatenate": concatenate,
    "concat": concatenate,
    "stack": stack,
    "vstack": _pile("vstack", _as_rows),
    "hstack": _pile("hstack", _side_by_side),
    "shape": shape_function,
    "ndim": ndim_function,
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {
    "reshape": reshape_method,
    "ravel": ravel,
    "flatten": flatten,
    "transpose": transpose_method,
    "swapaxes": swapaxes_method,
    "squeeze": squeeze,
}
"""The methods of arrays and NumPy scalars."""
