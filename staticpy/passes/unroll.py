"""Loops of a few known rounds within another loop become their rounds, one after the other.

In: a Module, and which types of numbers a backend computes with. Out: the same Module. No pass of
the pipeline: to Python the loop is as good, and it is what the user wrote.

Before:
    for %1, %n, %1 (%i: int) {
      %t = for %0, %2, %1, %0 {breaks = false} : i64|int (%a: int, %s: i64|int) {
        %3 = py.add %i, %a : int
        %4 = index %x, %3 {spec = ("value",)} : i64
        %5 = any.add %s, %4 : i64
        region_yield %5
      }
      ...
After, with the numbers folded and the types that they have known (``unions``):
    for %1, %n, %1 (%i: int) {
      %4 = index %x, %i {spec = ("value",)} : i64
      %5 = add %4, %0 : i64
      %6 = py.add %i, %1 : int
      %7 = index %x, %6 {spec = ("value",)} : i64
      %8 = add %5, %7 : i64
      ...

What is around is an innermost loop then, of which a backend knows which elements a round reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from staticpy.ir import (
    Block,
    Builder,
    Module,
    Operation,
    Type,
    UnionType,
    Value,
    builder_before,
    copy_body,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import constant, constant_range, dynamic, for_, if_, store, while_
from staticpy.passes.dce import dce
from staticpy.passes.fold import fold
from staticpy.passes.independence import FIRST_INDEX

_ROUNDS = 8
"""A loop of more rounds stays."""

_MOST = 200
"""About how many operations may come of one loop: each has to be compiled."""


def unroll(module: Module, is_number: Callable[[Type], bool]) -> None:
    """Unroll the loops of ``module`` that compute with numbers, those for whose types ``is_number``
    holds, and elements of arrays.
    """
    loops = [
        loop
        for function in module.functions.values()
        for loop in _inner_loops(function.block)
        if _gains(loop) and _size(loop, is_number) <= _MOST
    ]
    for loop in loops:
        _unroll(loop)
    if loops:
        fold(module)
        dce(module)


def _inner_loops(block: Block) -> Iterator[Operation]:
    """The loops of a block that are within others; what is inside another comes before it."""
    for operation in block.operations:
        is_loop = operation.op in (for_, while_)
        for region in operation.regions:
            if is_loop:
                yield from reversed([each for each in walk(region.block) if each.op is for_])
            else:
                yield from _inner_loops(region.block)


def _gains(loop: Operation) -> bool:
    """Whether more is known of each round than of the loop, or of one in it: which elements are
    read at a sum of indexes, which way a branch goes, what type a number has. Others LLVM unrolls
    as well.
    """
    inside = [each for each in walk(loop.regions[0].block) if each.op is for_]
    for each in (loop, *inside):
        index, *carried = each.regions[0].block.args
        computes = any(user.op.name not in FIRST_INDEX for user in index.users)
        if computes or any(isinstance(argument.type, UnionType) for argument in carried):
            return True
    return False


def _size(operation: Operation, is_number: Callable[[Type], bool]) -> float:
    """How many operations come of one, its loops unrolled; without end where they can't be."""
    inside = sum(
        _size(each, is_number) for region in operation.regions for each in region.block.operations
    )
    if operation.op is for_:
        indexes = constant_range(operation)
        is_short = indexes is not None and len(indexes) <= _ROUNDS and not operation.attrs["breaks"]
        return inside * len(indexes) if indexes is not None and is_short else float("inf")
    made = [each for result in operation.results for each in members_of(result.type)]
    if operation.op is store:
        made.append(operation.operands[1].type)
    is_plain = operation.op in (if_, store) or operation.op.is_terminator
    is_plain |= bool(made) and not operation.regions
    return 1 + inside if is_plain and all(map(is_number, made)) else float("inf")


def _unroll(loop: Operation) -> None:
    """Replace a loop by copies of its block."""
    indexes, block, builder = constant_range(loop), loop.regions[0].block, builder_before(loop)
    assert indexes is not None
    carried = loop.operands[3:]
    for index in indexes:
        builder.span = loop.span
        taken: list[Value] = [builder.emit(constant, (), {"value": index}).result]
        taken += _as_types(builder, carried, [each.type for each in block.args[1:]])
        values: dict[Value, Value] = dict(zip(block.args, taken, strict=True))
        carried = copy_body(block, builder, values, lambda span: span)
    builder.span = loop.span
    types = [result.type for result in loop.results]
    rewriter.replace(loop, _as_types(builder, carried, types))


def _as_types(builder: Builder, values: list[Value], types: list[Type]) -> list[Value]:
    """The values, each as one of the types that it could have in any round."""
    return [
        value
        if value.type == type_
        else builder.emit(dynamic.narrow, [value], {"type": type_}).result
        for value, type_ in zip(values, types, strict=True)
    ]
