"""Finding and ordering elements: ``sort``, ``argsort``, ``unique``, ``nonzero``, ``take``,
``searchsorted`` and their kind.

In: an array. Out: a new array; where its size depends on the elements, nothing is known of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, PythonType, TensorType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    axis_of_many,
    not_an_array,
    reduced_axes,
    static_axis,
    static_bool,
    static_int,
    static_text,
)
from staticpy.ops.calls import into
from staticpy.ops.library_functions import library_call
from staticpy.ops.nested import as_array, as_numpy, as_operand
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.probed import Dims, probed_op, unknown_dims

# --- sorting --------------------------------------------------------------------------------------


def _sorted_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims = dims_of(operands[0]) or (1,)  # argsort makes a row of a number
    if attrs.get("axis", -1) is not None or len(dims) == 1:
        return dims
    numbers = [dim for dim in dims if isinstance(dim, int)]
    return (int(np.prod(numbers)) if len(numbers) == len(dims) else UNKNOWN,)


def _sort_samples(rng: np.random.Generator) -> Any:
    x = rng.integers(0, 9, (3, 4))
    yield (x,), {}
    yield (x.astype("f4"),), {"axis": 0, "kind": "stable"}
    yield (x,), {"axis": None}


sort_op = probed_op("sort", np.sort, _sorted_dims, _sort_samples, numpy="sort")
argsort_op = probed_op("argsort", np.argsort, _sorted_dims, _sort_samples, numpy="argsort")
"""``np.argsort(x, axis, kind)``."""


def _partition_samples(rng: np.random.Generator) -> Any:
    yield (rng.random(5),), {"kth": 2}
    yield (rng.random((3, 4)),), {"kth": (0, 1), "axis": 0}


def _partition(name: str) -> OpDef:
    return defop(
        name,
        infer=partial(_infer_partition, name),
        kernel=getattr(np, name),
        effects=Effect.RAISES,
        numpy=name,
        samples=_partition_samples,
    )


def _infer_partition(name: str, operand: Type, *, kth: Any, **attrs: Any) -> Type:
    first = 0 if isinstance(kth, int) else (0,) * len(kth)
    (found,) = probe(f"np.{name}()", getattr(np, name), (operand,), {"kth": first, **attrs})
    assert isinstance(found, TensorType)
    return TensorType(found.dtype, _sorted_dims((operand,), attrs))


partition_op = _partition("partition")
argpartition_op = _partition("argpartition")
"""``np.argpartition(x, kth, axis)``."""


_GIVEN_NOTHING: Any = ...
_TAKES_DESCENDING = "descending" in inspect.signature(np.sort).parameters
"""Whether NumPy sorts in descending order: so it does from 2.5 on."""


def _sort(op: OpDef, a: Any, axis: Any, kind: Any, **options: Any) -> Any:
    function = f"np.{op.name}()"
    if options["descending"] is not _GIVEN_NOTHING and not _TAKES_DESCENDING:
        spec = catalog.UNSUPPORTED_FUNCTION_ARGUMENT
        raise DiagnosticError(spec, function=op.name, argument="descending")
    value = as_numpy(a, function)
    attrs = _axis_attr(axis, len(dims_of(value.type)), function)
    if kind is not None:
        attrs["kind"] = static_text(kind, function, "kind")
    for name, given in options.items():
        if given is not None and given is not _GIVEN_NOTHING:
            attrs[name] = static_bool(given, function, name)
    return emit(op, value, **attrs)


def _axis_attr(axis: Any, rank: int, function: str) -> dict[str, Any]:
    """The attribute ``axis``, unless it is the last one."""
    place = reduced_axes(axis, rank, function)
    return {} if place is not None and place == rank - 1 else {"axis": place}


@adapter("sort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=...")
def sort(
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    *,
    stable: Any = None,
    descending: Any = _GIVEN_NOTHING,
) -> Any:
    """``np.sort``."""
    return _sort(sort_op, a, axis, kind, stable=stable, descending=descending)


@adapter("argsort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=...")
def argsort(
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    *,
    stable: Any = None,
    descending: Any = _GIVEN_NOTHING,
) -> Any:
    """``np.argsort``."""
    return _sort(argsort_op, a, axis, kind, stable=stable, descending=descending)


def _partitioned(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name, "a, kth, axis=-1, kind='introselect', order=None")
    def call(a: Any, kth: Any, axis: Any = -1) -> Any:
        function = f"np.{op.name}()"
        value = as_numpy(a, function)
        several = isinstance(kth, tuple | list)
        given = [static_int(each, function, "kth") for each in (kth if several else [kth])]
        attrs = _axis_attr(axis, len(dims_of(value.type)), function)
        return emit(op, value, kth=tuple(given) if several else given[0], **attrs)

    return call


# --- what is there, and where ---------------------------------------------------------------------

_UNIQUE_EXTRAS = ("return_index", "return_inverse", "return_counts")


def _infer_unique(operand: Type, **attrs: Any) -> tuple[Type, ...]:
    found = probe("np.unique()", np.unique, (operand,), attrs)
    return tuple(TensorType(t.dtype, (UNKNOWN,) * t.rank) for t in found)  # type: ignore[attr-defined]


unique_op = defop(
    "unique",
    infer=_infer_unique,
    kernel=np.unique,
    numpy="unique",
    samples=lambda rng: [
        ((rng.integers(0, 3, (2, 3)),), {}),
        ((rng.integers(0, 3, 5),), {"return_index": True, "return_counts": True}),
        ((rng.integers(0, 3, (2, 3)),), {"return_inverse": True}),
        ((rng.integers(0, 3, (2, 3)),), {"axis": 0}),
    ],
)
"""``np.unique(x, …)``: one result, or one more for each of ``return_index``, ``return_inverse`` and
``return_counts``."""


@adapter(
    "unique",
    "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
    "equal_nan=True, sorted=True",
)
def unique(  # noqa: PLR0913
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    sorted: Any = True,  # noqa: A002
) -> Any:
    """``np.unique``."""
    function = "np.unique()"
    value = as_array(ar, function)
    wanted = (return_index, return_inverse, return_counts)
    attrs: dict[str, Any] = {
        name: True
        for name, given in zip(_UNIQUE_EXTRAS, wanted, strict=True)
        if static_bool(given, function, name)
    }
    if axis is not None:
        attrs["axis"] = static_axis(axis, len(dims_of(value.type)), function)
    if not static_bool(equal_nan, function, "equal_nan"):
        attrs["equal_nan"] = False
    if not static_bool(sorted, function, "sorted"):
        attrs["sorted"] = False
    return emit(unique_op, value, **attrs)


nonzero_op = probed_op(
    "nonzero",
    np.nonzero,
    unknown_dims,
    lambda rng: [((rng.integers(0, 2, (2, 3)),), {}), ((rng.random((2, 2, 2)) > 0.5,), {})],
    numpy="nonzero",
)
"""``np.nonzero(x)`` of two axes or more: one array of indices for each axis."""

flatnonzero_op = probed_op(
    "flatnonzero",
    np.flatnonzero,
    unknown_dims,
    lambda rng: [((rng.integers(0, 2, 5),), {}), ((rng.random((2, 3)) > 0.5,), {})],
    numpy="flatnonzero",
)
"""``np.flatnonzero(x)``."""


def _argwhere_dims(operands: Sequence[Type], _attrs: Attrs) -> Dims:
    return UNKNOWN, len(dims_of(operands[0]))


argwhere_op = probed_op(
    "argwhere",
    np.argwhere,
    _argwhere_dims,
    lambda rng: [((rng.integers(0, 2, (2, 3)),), {}), ((np.array(3),), {})],
    numpy="argwhere",
)
"""``np.argwhere(x)``: one row of indices for each element that is not zero."""


@adapter("nonzero")
def nonzero(a: Any) -> tuple[Any, ...]:
    """``np.nonzero``: a tuple of arrays."""
    value = as_array(a, "np.nonzero()")
    if len(dims_of(value.type)) == 1:
        return (emit(flatnonzero_op, value),)
    return tuple(emit(nonzero_op, value))


@adapter("flatnonzero")
def flatnonzero(a: Any) -> Any:
    """``np.flatnonzero``."""
    return emit(flatnonzero_op, as_array(a, "np.flatnonzero()"))


@adapter("argwhere")
def argwhere(a: Any) -> Any:
    """``np.argwhere``."""
    return emit(argwhere_op, as_array(a, "np.argwhere()"))


# --- taking ---------------------------------------------------------------------------------------


def _take(operand: Any, indices: Any, **attrs: Any) -> Any:
    return np.take(operand, indices, **attrs)


def _infer_take(operand: Type, indices: Type, **attrs: Any) -> Type:
    probed = {**attrs, "mode": "clip"}  # the index of the probe is out of bounds
    (found,) = probe("np.take()", _take, (operand, indices), probed)
    if not isinstance(found, TensorType):
        return found
    dims, axis = dims_of(operand), attrs.get("axis")
    if axis is None:
        return TensorType(found.dtype, dims_of(indices))
    return TensorType(found.dtype, (*dims[:axis], *dims_of(indices), *dims[axis + 1 :]))


take_op = defop(
    "take",
    infer=_infer_take,
    kernel=_take,
    effects=Effect.RAISES,
    numpy="take",
    samples=lambda rng: [
        ((rng.random((2, 3)), np.array([0, 5])), {}),
        ((rng.random((2, 3)), np.array([[0], [1]])), {"axis": 1}),
        ((rng.random((2, 3)), 1), {"axis": 0}),
        ((rng.random(3), np.int8(9)), {"mode": "wrap"}),
    ],
)
"""``np.take(x, indices, axis, mode)``."""


def _along_dims(operands: Sequence[Type], attrs: Attrs) -> Dims:
    dims, axis = dims_of(operands[1]), attrs["axis"]
    if axis is None:
        return dims
    return tuple(dim if at == axis else UNKNOWN for at, dim in enumerate(dims))


def _infer_along(operand: Type, indices: Type, *, axis: int | None) -> Type:
    assert isinstance(operand, TensorType)
    assert isinstance(indices, TensorType)
    return TensorType(operand.dtype, _along_dims((operand, indices), {"axis": axis}))


take_along_axis_op = defop(
    "take_along_axis",
    infer=_infer_along,
    kernel=lambda x, indices, *, axis: np.take_along_axis(x, indices, axis),
    effects=Effect.RAISES,
    samples=lambda rng: [
        ((rng.random((2, 3)), np.array([[0], [2]])), {"axis": 1}),
        ((rng.random((2, 3)), np.array([0, 5])), {"axis": None}),
    ],
)
"""``np.take_along_axis(x, indices, axis)``."""


@adapter("take")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
    """``np.take`` and ``a.take``."""
    function = "np.take()"
    value = as_numpy(a, function)
    attrs: dict[str, Any] = axis_of_many(axis, len(dims_of(value.type)), function)
    if static_text(mode, function, "mode") != "raise":
        attrs["mode"] = mode
    given = as_operand(indices, function)
    if out is not None:
        return into(out, "take", value, given, **attrs)
    return emit(take_op, value, given, **attrs)


@adapter("take_along_axis")
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """``np.take_along_axis``."""
    function = "np.take_along_axis()"
    if isinstance(arr, tuple | list) or isinstance(indices, tuple | list):
        raise not_an_array(function, arr if isinstance(arr, tuple | list) else indices)
    value, given = as_array(arr, function), as_array(indices, function)
    is_python = not isinstance(arr, Value) or isinstance(arr.type, PythonType)
    if axis is None and is_python:  # NumPy asks it for its elements
        raise not_an_array(function, arr)
    place = None if axis is None else static_axis(axis, len(dims_of(value.type)), function)
    return emit(take_along_axis_op, value, given, axis=place)


def _searchsorted_dims(operands: Sequence[Type], _attrs: Attrs) -> Dims:
    return dims_of(operands[1])


searchsorted_op = probed_op(
    "searchsorted",
    np.searchsorted,
    _searchsorted_dims,
    lambda rng: [
        ((np.arange(5), np.array([0.5, 3, 9])), {}),
        ((np.arange(5.0), 2), {"side": "right"}),
    ],
    numpy="searchsorted",
)
"""``np.searchsorted(x, values, side)``."""


@adapter("searchsorted")
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """``np.searchsorted``."""
    function = "np.searchsorted()"
    if sorter is not None:
        return library_call("searchsorted", as_array(a, function), v, side=side, sorter=sorter)
    attrs = {} if static_text(side, function, "side") == "left" else {"side": side}
    return emit(searchsorted_op, as_array(a, function), as_operand(v, function), **attrs)


ADAPTERS: dict[str, Callable[..., Any]] = {
    "sort": sort,
    "argsort": argsort,
    "partition": _partitioned(partition_op),
    "argpartition": _partitioned(argpartition_op),
    "unique": unique,
    "nonzero": nonzero,
    "flatnonzero": flatnonzero,
    "argwhere": argwhere,
    "take": take,
    "take_along_axis": take_along_axis,
    "searchsorted": searchsorted,
}
"""The functions by NumPy's name."""

METHODS: dict[str, Callable[..., Any]] = {
    "argsort": argsort,
    "argpartition": ADAPTERS["argpartition"],
    "nonzero": nonzero,
    "take": take,
    "searchsorted": searchsorted,
}
"""The methods of arrays and NumPy scalars."""
