"""Arrays made of lists of lists or tuples, row by row, so that each row gets its part.

Before:
    %y = list.array %l : f64[?, ?]                 # %l : list[list[f64]]
After:
    %r = list.make : list[f64[?]]
    for … { |%i|
      %row = list.getitem %l, %i
      %1 = list.array %row : f64[?]
      list.append %r, %1
    }
    %y = list.array %r : f64[?, ?]

Rows of rows become arrays in the same way, inner ones first, and so do rows that are tuples.
"""

from __future__ import annotations

import numpy as np

from staticpy import ops
from staticpy.autodiff.boxes import by_member, is_number
from staticpy.ir import (
    INT,
    Block,
    Builder,
    ListType,
    Operation,
    Region,
    TupleType,
    Type,
    Value,
    rewriter,
)
from staticpy.ops import REGISTRY, array_attrs

_ROWS = (ListType, TupleType)


def has_rows(operation: Operation) -> bool:
    """Whether an operation makes an array of a list of lists or tuples."""
    return operation.name == "list.array" and _is_of_rows(operation.operands[0].type)


_JOINING = ("stack", "concatenate", "vstack", "hstack", "column_stack", "dstack")


def joins_rows(operation: Operation) -> bool:
    """Whether a call of NumPy's makes arrays of the rows of a list, and joins them."""
    is_joining = operation.attrs["function"] in _JOINING and bool(operation.operands)
    return is_joining and _is_of_rows(operation.operands[0].type)


def arrays_of_rows(builder: Builder, items: Value) -> Value:
    """The list of the arrays of the rows of a list."""
    return _rows(builder, items, None)


def _is_of_rows(type_: Type) -> bool:
    return isinstance(type_, ListType) and isinstance(type_.item, _ROWS)


def spell_out_rows(builder: Builder, operation: Operation) -> None:
    """Replace such an operation by one of a list of arrays, or of numbers."""
    made = _array(builder, operation.operands[0], operation.attrs["dtype"])
    rewriter.replace(operation, [made])


def _array(builder: Builder, items: Value, dtype: np.dtype | None) -> Value:
    """``np.array(items, dtype)`` of a list, or of a tuple."""
    if isinstance(items.type, TupleType):
        parts = builder.emit(REGISTRY["tuple.items"], [items]).results
        given = [_array(builder, x, dtype) if isinstance(x.type, _ROWS) else x for x in parts]
        return ops.as_value(ops.FUNCTIONS[np.asarray](given, dtype))
    attrs = array_attrs(items.type, dtype)
    if _is_of_rows(items.type):
        if isinstance(attrs["element"], tuple) and is_number(_innermost(items.type)):
            return _array_of_numbers(builder, items, np.result_type(*attrs["element"]))
        items = _rows(builder, items, dtype)
        attrs = array_attrs(items.type, dtype)
    return builder.emit(REGISTRY["list.array"], [items], attrs).result


def _rows(builder: Builder, items: Value, dtype: np.dtype | None) -> Value:
    """The list of the arrays of the rows of a list."""
    body = Block([INT])
    with builder.inside(body):
        array = _array(builder, _item(builder, items, body), dtype)
    made = builder.emit(REGISTRY["list.make"], [], {"type": ListType(array.type)}).result
    with builder.inside(body):
        builder.emit(REGISTRY["list.append"], [made, array])
    _loop(builder, items, body)
    return made


def _array_of_numbers(builder: Builder, items: Value, widest: np.dtype) -> Value:
    """An array of ints or of floats, by what all the numbers are, of which a row knows its own.
    NumPy says what is wrong with the lengths of the rows.
    """
    alike = builder.emit(REGISTRY["list.array"], [items], array_attrs(items.type, widest)).result
    kind = {"type": ListType(_innermost(items.type))}
    numbers = builder.emit(REGISTRY["list.make"], [], kind).result
    _collect(builder, items, numbers)
    made = builder.emit(REGISTRY["list.array"], [numbers], array_attrs(numbers.type)).result
    reshape, shape = ops.FUNCTIONS[np.reshape], ops.shape_of(alike)
    return by_member(made, lambda array: ops.as_value(reshape(array, shape)))


def _innermost(type_: Type) -> Type:
    while isinstance(type_, ListType):
        type_ = type_.item
    return type_


def _collect(builder: Builder, items: Value, numbers: Value) -> None:
    """Append all numbers in a list of lists to another list."""
    body = Block([INT])
    with builder.inside(body):
        item = _item(builder, items, body)
        if isinstance(item.type, ListType):
            _collect(builder, item, numbers)
        else:
            builder.emit(REGISTRY["list.append"], [numbers, item])
    _loop(builder, items, body)


def _item(builder: Builder, items: Value, body: Block) -> Value:
    """The item that a round of a loop over a list has to do with."""
    return builder.emit(REGISTRY["list.getitem"], [items, body.args[0]]).result


def _loop(builder: Builder, items: Value, body: Block) -> None:
    """A loop over the numbers of the items of a list."""
    with builder.inside(body):
        builder.emit(ops.region_yield, [])
    count = builder.emit(REGISTRY["list.len"], [items]).result
    bounds = [ops.as_value(0), count, ops.as_value(1)]
    builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])
