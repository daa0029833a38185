"""The sizes that arrays most likely have: those of the call that a module was made for.

In: a value, and what the symbols of the module stood for. Out: for each axis a size; None where
there is nothing to tell it by. Nothing depends on it but how quick code is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Operation, TensorType, Type, Value, dims_of
from staticpy.ops import OpDef, broadcast
from staticpy.passes.loop_kinds import is_elementwise, is_view

Sizes = tuple[int | None, ...]

_FARTHEST = 4
"""Through how many operations: each may have several operands, of which each is looked at."""


def expected_sizes(value: Value, hints: Mapping[str, int]) -> Sizes:
    """The size of each axis of an array, as what made it tells."""
    dims = dims_of(_expected_type(value, hints, _FARTHEST))
    return tuple(dim if isinstance(dim, int) else None for dim in dims)


def stretched_sizes(operands: Sequence[Sizes]) -> Sizes:
    """Those of arrays that are stretched to each other."""
    axes = zip_longest(*(each[::-1] for each in operands), fillvalue=1)
    return tuple(_stretched(axis) for axis in axes)[::-1]


def _stretched(sizes: Sequence[int | None]) -> int | None:
    longer = [size for size in sizes if size != 1]
    known = [size for size in longer if size is not None]
    return known[0] if known else None if longer else 1


def _expected_type(value: Value, hints: Mapping[str, int], reach: int) -> Type:
    """The type with the sizes for dims: by the type rules of ops, ``reach`` operations back."""
    type_, made = value.type, value.defining_op
    if not isinstance(type_, TensorType):
        return type_
    type_ = replace(type_, dims=tuple(hints.get(str(dim), dim) for dim in type_.dims))
    is_known = all(isinstance(dim, int) for dim in type_.dims)
    if is_known or not reach or made is None or not _tells_sizes(made):
        return type_
    assert isinstance(made.op, OpDef)
    operands = [_expected_type(each, hints, reach - 1) for each in made.operands]
    try:
        types = made.op.result_types(operands, made.attrs)
    except DiagnosticError:  # the sizes of that call do not fit here
        return type_
    pairs = zip(type_.dims, dims_of(types[made.results.index(value)]), strict=True)
    dims = tuple(own if isinstance(own, int) else computed for own, computed in pairs)
    return replace(type_, dims=dims)


def _tells_sizes(operation: Operation) -> bool:
    return operation.op is broadcast or is_elementwise(operation) or is_view(operation)
