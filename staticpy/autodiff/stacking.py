"""What examples give that is a number for some numbers of rounds and an array for others, stacked.

Before:
    %y = list.stack %l {axis = 0, type = …} : f64[?, n]|f64[?]           # %l : list[f64[n]|float]
After, where all items have one number of axes, which NumPy demands:
    %y = if %are_arrays : f64[?, n]|f64[?] {
      %l.1 = list.make : list[f64[n]]                                    # the items, narrowed
      %1 = list.stack %l.1 {axis = 0, type = …} : f64[?, n]
      region_yield %1
    } {
      %l.2 = list.make : list[float]
      ...

Derivatives then meet lists of arrays, and lists of numbers.
"""

from __future__ import annotations

from functools import reduce

from staticpy import ops
from staticpy.ir import (
    BOOL,
    INT,
    Block,
    Builder,
    ListType,
    Operation,
    Region,
    Type,
    UnionType,
    Value,
    dims_of,
    members_of,
    rewriter,
    union_of,
)
from staticpy.ops import REGISTRY, list_array

_OTHER_SHAPES = "all input arrays must have the same shape"


def is_stack_of_ranks(operation: Operation) -> bool:
    """Whether an operation stacks items that may have one number of axes or another."""
    return operation.name == "list.stack" and len(_by_rank(operation.operands[0])) > 1


def spell_out_stack(builder: Builder, operation: Operation) -> None:
    """Replace such an operation by one for each number of axes."""
    (items,) = operation.operands
    types = _by_rank(items)
    tests = [_are_all(builder, items, type_) for type_ in types]
    _require_one_rank(builder, tests)
    axis = operation.attrs["axis"]

    def stacked(number: int) -> Value:
        if number == len(types) - 1:
            return _stacked(builder, items, types[number], axis)
        with builder.region() as then:
            builder.emit(ops.region_yield, [_stacked(builder, items, types[number], axis)])
        with builder.region() as orelse:
            builder.emit(ops.region_yield, [stacked(number + 1)])
        return builder.emit(ops.if_, [tests[number]], {}, [then, orelse]).result

    made = stacked(0)
    if made.type != operation.result.type:
        attrs = {"type": operation.result.type}
        made = builder.emit(ops.dynamic.narrow, [made], attrs).result
    rewriter.replace(operation, [made])


def _by_rank(items: Value) -> list[Type]:
    """The types that the items of a list may be of, those with one number of axes as one."""
    assert isinstance(items.type, ListType)
    found: dict[int, list[Type]] = {}
    for member in members_of(items.type.item):
        found.setdefault(len(dims_of(member)), []).append(member)
    return [union_of(members) for members in found.values()]


def _are_all(builder: Builder, items: Value, type_: Type) -> Value:
    """Whether all items of a list are of a type."""
    body = Block([INT, BOOL])
    number, are_so_far = body.args
    with builder.inside(body):
        item = builder.emit(REGISTRY["list.getitem"], [items, number]).result
        tests: list[Value] = [
            builder.emit(ops.dynamic.is_, [item], {"type": each}).result
            for each in members_of(type_)
        ]
        is_one = _any(tests)
        builder.emit(ops.region_yield, [ops.as_value(ops.binary("&", are_so_far, is_one))])
    return _loop(builder, items, body, [ops.as_value(True)]).result


def _any(tests: list[Value]) -> Value:
    return reduce(lambda one, other: ops.as_value(ops.binary("|", one, other)), tests)


def _loop(builder: Builder, items: Value, body: Block, given: list[Value]) -> Operation:
    """A loop over the places of a list."""
    length = builder.emit(REGISTRY["list.len"], [items]).result
    bounds = [ops.as_value(0), length, ops.as_value(1)]
    return builder.emit(ops.for_, [*bounds, *given], {"breaks": False}, [Region(body)])


def _require_one_rank(builder: Builder, tests: list[Value]) -> None:
    is_one = _any(tests)
    with builder.region() as then:
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        attrs = {"exception": "ValueError", "args": (_OTHER_SHAPES,)}
        builder.emit(ops.raise_, [], attrs)
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [is_one], {}, [then, orelse])


def _stacked(builder: Builder, items: Value, type_: Type, axis: int) -> Value:
    """The stack of a list of which all items are of a type."""
    made: Value = builder.emit(REGISTRY["list.make"], [], {"type": ListType(type_)}).result
    body = Block([INT])
    with builder.inside(body):
        item = builder.emit(REGISTRY["list.getitem"], [items, body.args[0]]).result
        narrow = builder.emit(ops.dynamic.narrow, [item], {"type": type_}).result
        builder.emit(REGISTRY["list.append"], [made, narrow])
        builder.emit(ops.region_yield)
    _loop(builder, items, body, [])
    stacked = ops.stacked_type(type_, axis)
    if not isinstance(stacked, UnionType) and not dims_of(type_):
        return list_array(made)
    attrs = {"axis": axis, "type": stacked}
    return builder.emit(REGISTRY["list.stack"], [made], attrs).result
