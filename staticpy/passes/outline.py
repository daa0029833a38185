"""Outlining: an operation with regions becomes a function of its own. The reverse of inlining.

In: a Module. Out: the same Module with a function more, or a copy of it. No pass of the pipeline: a
backend outlines what it has to keep apart.

Before:
    %r = for %0, %n, %1, %x {breaks = false} : f64 (%i: int, %a: f64) { ... }
After:
    %r = call %0, %n, %1, %x {callee = "f.part1", result_types = (!f64,)} : f64
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.ir import (
    Block,
    BlockArgument,
    Builder,
    Function,
    Module,
    Operation,
    OpResult,
    Value,
    builder_before,
    copy_module,
    copy_operations,
    rewriter,
    walk,
)
from staticpy.ops import call, constant, return_
from staticpy.source import NO_SPAN


def with_replaced(
    module: Module, is_one: Callable[[Operation], bool], replace: Callable[[Operation], None]
) -> Module:
    """``module``, or a copy in which each operation of its entry that is one is replaced."""
    if not any(map(is_one, walk(module.main.block))):
        return module
    copy = copy_module(module)
    for operation in list(filter(is_one, walk(copy.main.block))):
        replace(operation)
    return copy


def extract(
    name: str, operations: Sequence[Operation], results: Sequence[Value]
) -> tuple[Function, list[Value]]:
    """A function that does what ``operations`` do, which stand in one block and stay there.

    Returns:
        the function, which gives ``results``, and the values that it takes. What is constant it
        has of its own.
    """
    made = {result for operation in operations for result in operation.results}
    read = dict.fromkeys(value for operation in operations for value in operation.operands)
    outside = [value for value in read if value not in made]
    constants = [value for value in outside if _is_constant(value)]
    free = [value for value in outside if not _is_constant(value)]
    block = Block([value.type for value in free], [value.name for value in free])
    builder = Builder(block)
    values: dict[Value, Value] = dict(zip(free, block.args, strict=True))
    defining = [value.defining_op for value in constants if value.defining_op is not None]
    copy_operations([*defining, *operations], builder, values)
    builder.span = operations[-1].span
    builder.emit(return_, [values[value] for value in results])
    return Function(name, block, operations[0].span), free


def _is_constant(value: Value) -> bool:
    return value.defining_op is not None and value.defining_op.op is constant


def outline(module: Module, function: Function, operation: Operation) -> Operation:
    """Move ``operation`` of ``function`` into a new function of ``module``.

    Returns:
        the call of the new function, which stands in its place.
    """
    uses = _free_uses(operation)
    free = list(dict.fromkeys(value for value, _, _ in uses))
    name = f"{function.name}.part{len(module.functions)}"
    block = Block([value.type for value in free], [value.name for value in free])
    made = _replace_by_call(operation, name, free)
    builder = Builder(block)
    end = builder.emit(return_, [])
    rewriter.move_before(operation, end)
    rewriter.set_operands(end, operation.results)
    arguments = dict(zip(free, block.args, strict=True))
    for value, user, position in uses:
        rewriter.set_operand(user, position, arguments[value])
    module.add(Function(name, block, operation.span))
    return made


def _replace_by_call(operation: Operation, name: str, free: list[Value]) -> Operation:
    builder = builder_before(operation)
    builder.span = NO_SPAN  # the program has no call there, which a traceback could show
    types = tuple(result.type for result in operation.results)
    made = builder.emit(call, free, {"callee": name, "result_types": types})
    for old, new in zip(operation.results, made.results, strict=True):
        rewriter.replace_all_uses(old, new)
    return made


def _free_uses(operation: Operation) -> list[tuple[Value, Operation, int]]:
    """Each value from outside that an operation or its regions read, where it is read."""
    inner = [operation]
    for region in operation.regions:
        inner += walk(region.block)
    own = set(inner)
    blocks = {region.block for each in inner for region in each.regions}
    return [
        (operand, user, position)
        for user in inner
        for position, operand in enumerate(user.operands)
        if not _is_inside(operand, own, blocks)
    ]


def _is_inside(value: Value, operations: set[Operation], blocks: set[Block]) -> bool:
    if isinstance(value, BlockArgument):
        return value.block in blocks
    assert isinstance(value, OpResult)
    return value.owner in operations
