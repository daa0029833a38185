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

from staticpy import ops
from staticpy.ir import Builder, Operation, Type, UnionType, Value, dims_of, rewriter
from staticpy.ops import REGISTRY, list_array

_OTHER_SHAPES = "all input arrays must have the same shape"


def is_stack_of_ranks(operation: Operation) -> bool:
    """Whether an operation stacks items that may have one number of axes or another."""
    return operation.name == "list.stack" and ops.is_list_of_ranks(operation.operands[0].type)


def spell_out_stack(builder: Builder, operation: Operation) -> None:
    """Replace such an operation by one for each number of axes."""
    (items,) = operation.operands
    types = ops.types_by_rank(items)
    tests = [ops.are_all_of(items, type_) for type_ in types]
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


def _require_one_rank(builder: Builder, tests: list[Value]) -> None:
    is_one = ops.any_of(tests)
    with builder.region() as then:
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        attrs = {"exception": "ValueError", "args": (_OTHER_SHAPES,)}
        builder.emit(ops.raise_, [], attrs)
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [is_one], {}, [then, orelse])


def _stacked(builder: Builder, items: Value, type_: Type, axis: int) -> Value:
    """The stack of a list of which all items are of a type."""
    made = ops.items_as(items, type_)
    stacked = ops.stacked_type(type_, axis)
    if not isinstance(stacked, UnionType) and not dims_of(type_):
        return list_array(made)
    attrs = {"axis": axis, "type": stacked}
    return builder.emit(REGISTRY["list.stack"], [made], attrs).result
