"""Copies of operations, regions included, and of whole modules.

In: a block and what takes the place of the values that it reads. Out: the same operations again, at
the position of a Builder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.ir.builder import Builder
from staticpy.ir.core import Block, Function, Module, Operation, Region, Value
from staticpy.source import SourceSpan


def copy_module(module: Module) -> Module:
    """A copy of ``module``, which may be changed."""
    copy = Module(module.entry)
    copy.hints = module.hints
    for function in module.functions.values():
        block = Block(function.arg_types, [argument.name for argument in function.args])
        values: dict[Value, Value] = dict(zip(function.args, block.args, strict=True))
        copy_operations(function.block.operations, Builder(block), values)
        copy.add(Function(function.name, block, function.span))
    return copy


def copy_body(
    source: Block,
    builder: Builder,
    values: dict[Value, Value],
    respan: Callable[[SourceSpan], SourceSpan],
) -> list[Value]:
    """Copy ``source`` without its terminator, and return what the copy hands to the terminator.

    ``values`` maps the arguments of ``source`` to what takes their place, and gets an entry for
    each value that is copied; a value without an entry stands for itself. ``respan`` gives the span
    of a copy.
    """
    copy_operations(source.operations[:-1], builder, values, respan)
    return [values.get(value, value) for value in source.terminator.operands]


def copy_operations(
    operations: Sequence[Operation],
    builder: Builder,
    values: dict[Value, Value],
    respan: Callable[[SourceSpan], SourceSpan] = lambda span: span,
) -> None:
    """Copy operations that stand in one block; see ``copy_body`` for ``values``."""
    pending = _copy_operations(operations, builder, values, respan)
    while pending:
        original, copy = pending.pop()
        pending += _copy_operations(original.operations, Builder(copy), values, respan)


def _copy_operations(
    operations: Sequence[Operation],
    builder: Builder,
    values: dict[Value, Value],
    respan: Callable[[SourceSpan], SourceSpan],
) -> list[tuple[Block, Block]]:
    """Copy operations with empty regions; return each block to be copied and where to."""
    pending: list[tuple[Block, Block]] = []
    for operation in operations:
        blocks = [_empty_copy(region.block, values) for region in operation.regions]
        builder.span = respan(operation.span)
        copy = builder.emit_typed(
            operation.op,
            [values.get(operand, operand) for operand in operation.operands],
            [result.type for result in operation.results],
            operation.attrs,
            [Region(block) for block in blocks],
        )
        for result, twin in zip(operation.results, copy.results, strict=True):
            twin.name = result.name
            values[result] = twin
        originals = [region.block for region in operation.regions]
        pending += zip(originals, blocks, strict=True)
    return pending


def _empty_copy(block: Block, values: dict[Value, Value]) -> Block:
    copy = Block([arg.type for arg in block.args], [arg.name for arg in block.args])
    values.update(zip(block.args, copy.args, strict=True))
    return copy
