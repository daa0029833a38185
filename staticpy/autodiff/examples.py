"""``vmap`` as a loop over the examples, which is right whatever its region does.

Before:
    %out = vmap %n, %x {axes = (0,), outs = (0,)} (%x.1: f64) {
      %y = sin %x.1 : f64
      region_yield %y
    }
After:
    %rows = list.make {type = !list[f64]} : list[f64]
    for 0, %n, 1 (%i: int) {
      %x.1 = index %x, %i {spec = ("value",)} : f64
      %y = sin %x.1 : f64
      list.append %rows, %y
      region_yield
    }
    %out = list.array %rows {dtype = none, element = f64, rank = 1} : f64[?]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.dependence import Dependence
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import INT, Block, Builder, ListType, Operation, Region, UnionType, Value, rewriter
from staticpy.ops import REGISTRY, Traced, untrace


def loop_over_examples(operation: Operation) -> None:
    """Replace a ``vmap`` by a loop that runs its region once for each example."""
    builder = Builder(Block())
    builder.before(operation)
    region, (size, *arrays) = operation.regions[0], operation.operands
    yielded = region.block.terminator.operands
    with builder.current():
        rows = [
            builder.emit(REGISTRY["list.make"], [], {"type": ListType(y.type)}).result
            for y in yielded
        ]
        start, step = ops.as_value(0), ops.as_value(1)
        body = Block([INT])
        with builder.inside(body):
            pairs = zip(arrays, operation.attrs["axes"], strict=True)
            examples = [ops.example(array, body.args[0], axis) for array, axis in pairs]
            end = builder.emit(ops.region_yield, [])
        yielded = rewriter.inline_region(region, examples, end)
        with builder.inside(body):
            body.operations.pop()
            for row, value in zip(rows, yielded, strict=True):
                builder.emit(REGISTRY["list.append"], [row, value])
            builder.emit(ops.region_yield, [])
        builder.before(operation)
        builder.emit(ops.for_, [start, size, step], {"breaks": False}, [Region(body)])
        outs = zip(rows, operation.attrs["outs"], strict=True)
        results = [_stacked(row, axis) for row, axis in outs]
    rewriter.replace(operation, results)


def require_alike(operation: Operation) -> None:
    """Refuse a result that is to be the same for all examples, and may not be."""
    block, outs = operation.regions[0].block, operation.attrs["outs"]
    if None in outs:
        dependent = Dependence(block, block.args).dependent
        pairs = zip(block.terminator.operands, outs, strict=True)
        if any(axis is None and value in dependent for value, axis in pairs):
            what = "out_axes is None for a result that depends on the example"
            raise DiagnosticError(catalog.NOT_VECTORIZED, operation.span, what=what)


def _stacked(rows: Value, axis: int | str | None) -> Value:
    if isinstance(axis, str):  # ROWS
        return rows
    if axis is None:
        last = ops.as_value(-1)
        return ops.emit(REGISTRY["list.getitem"], rows, last)  # type: ignore[no-any-return]
    return stacked_rows(rows, axis)


def stacked_rows(rows: Value, axis: int) -> Value:
    """``np.stack`` of a list of what the examples gave."""
    assert isinstance(rows.type, ListType)
    type_ = ops.stacked_type(rows.type.item, axis)
    if isinstance(type_, UnionType):
        return ops.emit(REGISTRY["list.stack"], rows, axis=axis, type=type_)  # type: ignore[no-any-return]
    return moved(ops.list_array(rows), axis)


def moved(array: Value, axis: int) -> Value:
    """An array whose first axis is put in the place ``axis``."""
    place = axis % array.type.rank  # type: ignore[attr-defined]
    if place == 0:
        return array
    made: Any = np.moveaxis(Traced(array), 0, place)  # type: ignore[type-var]
    return ops.emit(ops.copy, untrace(made), order="C")  # type: ignore[no-any-return]
