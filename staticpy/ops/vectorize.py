"""``vmap``: a piece of the graph, run for each example along an axis.

%out = vmap %n, %x {axes = (0,), outs = (0,)} (%x.1: f64) { ... region_yield %y }

A pass replaces it by operations on all examples at once, or by a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    INT,
    UNKNOWN,
    DictType,
    Dim,
    ListType,
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    Value,
    array_type,
    dims_of,
    join_dims,
    members_of,
    union_of,
)
from staticpy.ops.index_functions import getitem
from staticpy.ops.opdef import Effect, defop
from staticpy.source import SourceSpan

ROWS = "rows"
"""What stands for the axis of a result that is not stacked: it is a list of what the examples give.
"""

_STRONG = {"bool": np.bool_, "int": np.int64, "float": np.float64, "complex": np.complex128}


def is_stackable(type_: Type | None) -> bool:
    """Whether values of a type can be stacked along a new axis: numbers, bools and arrays. Which
    dtype and rank the array has may depend on the values.
    """
    members = () if type_ is None else members_of(type_)
    return bool(members) and all(_dtype_of(member) is not None for member in members)


def require_rows(type_: Type, span: SourceSpan | None) -> None:
    """Refuse a list, dict or tuple of an example that can't be stacked item by item.

    Raises:
        DiagnosticError: NOT_VECTORIZED.
    """
    if isinstance(type_, ListType):
        require_rows(type_.item, span)
    elif isinstance(type_, DictType):
        require_rows(type_.value, span)
    elif isinstance(type_, TupleType):
        for item in type_.items:
            require_rows(item, span)
    else:
        require_stackable(type_, span)


def _dtype_of(type_: Type) -> np.dtype | None:
    """The dtype of an array of values of a type that is no union; None if there is none."""
    if isinstance(type_, PythonType):
        return np.dtype(_STRONG[type_.kind]) if type_.kind in _STRONG else None
    return type_.dtype.newbyteorder("=") if isinstance(type_, ScalarType | TensorType) else None


def example_type(type_: Type, axis: int) -> Type:
    """The type of one example of an array along ``axis``, which may be negative."""
    assert isinstance(type_, TensorType)
    place = axis % type_.rank
    return array_type(type_.dtype, (*type_.dims[:place], *type_.dims[place + 1 :]))


def example(array: Any, number: Any, axis: int) -> Value:
    """Emit ``array[number]`` along ``axis``."""
    place = axis % len(dims_of(array.type))
    made: Value = getitem(array, (*[slice(None)] * place, number) if place else number)
    return made


def stacked_type(type_: Type, axis: int) -> Type:
    """The type of the array that values of ``type_`` make along a new axis. Of values of several
    types NumPy makes an array of what they promote to, whichever of them there are.

    Raises:
        DiagnosticError: NOT_VECTORIZED: there are no such arrays.
    """
    require_stackable(type_)
    found: dict[tuple[np.dtype, int], tuple[Dim, ...]] = {}
    for member in members_of(type_):
        dtype, dims = _dtype_of(member), dims_of(member)
        known = [(each, sizes) for (each, rank), sizes in found.items() if rank == len(dims)]
        for other, sizes in [(dtype, dims), *known]:
            key = np.result_type(dtype, other), len(dims)
            found[key] = join_dims(join_dims(found.get(key, dims), sizes), dims)
    return union_of(
        TensorType(dtype, _with_examples(dims, axis)) for (dtype, _), dims in found.items()
    )


def _with_examples(dims: tuple[Dim, ...], axis: int) -> tuple[Dim, ...]:
    place = axis % (len(dims) + 1)
    return (*dims[:place], UNKNOWN, *dims[place:])


def require_stackable(
    type_: Type | None, span: SourceSpan | None = None, shown: str = "something"
) -> None:
    """Refuse a result of an example that can't be stacked; ``shown`` says what has no type.

    Raises:
        DiagnosticError: NOT_VECTORIZED.
    """
    if not is_stackable(type_):
        what = shown if type_ is None else f"what may be of type {type_}"
        what = f"the function returns {what}, and results are numbers, bools and arrays"
        raise DiagnosticError(catalog.NOT_VECTORIZED, span, what=what)


def _infer(
    size: Type, *batched: Type, regions: Sequence[Region], axes: Any, outs: Any, **_: Any
) -> tuple[Type, ...]:
    del size, batched, axes
    yielded = regions[0].block.terminator.operands
    pairs = zip(yielded, outs, strict=True)
    return tuple(_result_type(value.type, axis) for value, axis in pairs)


def _result_type(type_: Type, axis: int | str | None) -> Type:
    if isinstance(axis, int):
        return stacked_type(type_, axis)
    return ListType(type_) if axis == ROWS else type_


def _verify(operation: Operation) -> None:
    block, (size, *batched) = operation.regions[0].block, operation.operands
    rows = zip(block.args, batched, operation.attrs["axes"], strict=True)
    fits = len(block.args) == len(batched) == len(operation.attrs["axes"])
    if not fits or size.type != INT:
        detail = "vmap takes a size and the arrays of which its region gets an example each"
        raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)
    for argument, array, axis in rows:
        if example_type(array.type, axis) != argument.type:
            detail = f"the region of vmap takes {argument.type} for an example of {array.type}"
            raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)


vmap = defop("vmap", infer=_infer, verify=_verify, effects=Effect.RAISES)
"""Runs its region for each of ``size`` examples, which it takes from each of the other operands
along its axis of ``axes``; gives what they yield, stacked along the axes ``outs``. A result whose
axis is None is the same for all, and of one whose axis is ROWS they are handed on in a list."""
