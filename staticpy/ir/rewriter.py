"""Rewriter: the one way an existing graph changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from staticpy.ir.core import Block, Function, Operation, Region, Value, walk


def replace_all_uses(old: Value, new: Value) -> None:
    """Let every reader of ``old`` read ``new``; ``new`` inherits the name if it has none."""
    if old is not new:
        for use in old.uses:
            operation, position = use
            operation.operands[position] = new
        new.uses.update(old.uses)
        old.uses.clear()
    new.name = new.name or old.name


def set_operand(operation: Operation, position: int, value: Value) -> None:
    """Replace one operand."""
    del operation.operands[position].uses[operation, position]
    operation.operands[position] = value
    value.uses[operation, position] = None


def set_operands(operation: Operation, operands: Sequence[Value]) -> None:
    """Replace all operands; their number may change."""
    _drop_uses(operation)
    operation.operands = list(operands)
    for position, operand in enumerate(operands):
        operand.uses[operation, position] = None


def set_attribute(operation: Operation, name: str, value: object) -> None:
    """Replace one attribute, or add it."""
    operation.attrs[name] = value


def erase(operation: Operation) -> None:
    """Remove an operation whose results nobody reads, its regions included.

    Raises:
        ValueError: a result still has a reader.
    """
    if any(result.uses for result in operation.results):
        raise ValueError(f"{operation.name} is still in use")
    assert operation.block is not None
    del operation.block.operations[operation.block.position(operation)]
    operation.block = None
    detach(operation)


def erase_all(operations: Iterable[Operation]) -> None:
    """Remove operations that only each other read, their regions included.

    Takes time in proportion to the blocks they stand in, however many they are.

    Raises:
        ValueError: another operation reads a result of one of them.
    """
    dropped = set(operations)
    if not dropped:
        return
    for operation in dropped:
        detach(operation)
    for operation in dropped:
        if any(result.uses for result in operation.results):
            raise ValueError(f"{operation.name} is still in use")
    for block in {operation.block for operation in dropped if operation.block is not None}:
        block.operations = [inner for inner in block.operations if inner not in dropped]
    for operation in dropped:
        operation.block = None


def replace(operation: Operation, values: Sequence[Value]) -> None:
    """Let ``values`` stand for the results of ``operation``, and erase it."""
    for result, value in zip(operation.results, values, strict=True):
        replace_all_uses(result, value)
    erase(operation)


def detach(operation: Operation) -> None:
    """Make an operation that is thrown away, and all in its regions, forget what it reads."""
    pending = [operation]
    while pending:
        dropped = pending.pop()
        _drop_uses(dropped)
        for region in dropped.regions:
            pending.extend(region.block.operations)


def refresh_uses(function: Function) -> None:
    """Record the uses of every value of ``function`` anew, after operations were thrown away."""
    operations = list(walk(function.block))
    blocks = [function.block]
    blocks += [region.block for operation in operations for region in operation.regions]
    values = [argument for block in blocks for argument in block.args]
    for value in (*values, *(result for op in operations for result in op.results)):
        value.uses.clear()
    for operation in operations:
        for position, operand in enumerate(operation.operands):
            operand.uses[operation, position] = None


def move_before(operation: Operation, target: Operation) -> None:
    """Move an operation to just before ``target``, into the block of ``target``."""
    assert operation.block is not None
    assert target.block is not None
    del operation.block.operations[operation.block.position(operation)]
    target.block.operations.insert(target.block.position(target), operation)
    operation.block = target.block


def move_all_before(operations: Sequence[Operation], target: Operation) -> None:
    """Move operations of one block, in their order, to just before ``target``."""
    if not operations:
        return
    source, block = operations[0].block, target.block
    assert source is not None
    assert block is not None
    moved = set(operations)
    source.operations = [inner for inner in source.operations if inner not in moved]
    at = block.position(target)
    block.operations[at:at] = operations
    for operation in operations:
        operation.block = block


def inline_region(region: Region, arguments: Sequence[Value], target: Operation) -> list[Value]:
    """Move what a region holds to just before ``target``, and return what it yields.

    ``arguments`` take the place of the arguments of its block. The region is left empty.
    """
    block = region.block
    for argument, value in zip(block.args, arguments, strict=True):
        replace_all_uses(argument, value)
    terminator = block.operations.pop()
    yielded = terminator.operands
    detach(terminator)
    move_all_before(list(block.operations), target)
    return yielded


def remove_results(operation: Operation, dropped: Collection[int]) -> None:
    """Remove the results with these numbers, which nobody reads.

    Raises:
        ValueError: one of them still has a reader.
    """
    if any(operation.results[index].uses for index in dropped):
        raise ValueError(f"a result of {operation.name} is still in use")
    kept = [result for result in operation.results if result.index not in dropped]
    operation.results = tuple(kept)
    for index, result in enumerate(kept):
        result.index = index


def remove_args(block: Block, dropped: Collection[int]) -> None:
    """Remove the arguments of a block with these numbers, which nobody reads.

    Raises:
        ValueError: one of them still has a reader.
    """
    if any(block.args[index].uses for index in dropped):
        raise ValueError("a block argument is still in use")
    block.args = [argument for argument in block.args if argument.index not in dropped]
    for position, argument in enumerate(block.args):
        argument.index = position


def _drop_uses(operation: Operation) -> None:
    for position, operand in enumerate(operation.operands):
        operand.uses.pop((operation, position), None)
