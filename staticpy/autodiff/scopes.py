"""What regions take from around themselves, and which of them go on behind."""

from __future__ import annotations

from collections.abc import Iterator

from staticpy import ops
from staticpy.ir import Block, BlockArgument, Operation, OpResult, Value, is_mutable_memory, walk

_RAISING = (ops.raise_, ops.raise_value, ops.reraise)


def always_raises(operation: Operation) -> bool:
    """Whether no handler of a ``try`` goes on behind it."""
    handlers = [region.block for region in operation.regions[1:]]
    return all(any(each.op in _RAISING for each in block.operations) for block in handlers)


def memory_around(block: Block) -> list[Value]:
    """The memory from around a block that is used in it."""
    return [value for value in free_values(block) if is_mutable_memory(value.type)]


def free_values(block: Block) -> list[Value]:
    """What is used in a block and comes from around it."""
    operations = list(walk(block))
    own: set[Value] = {result for operation in operations for result in operation.results}
    blocks = [block, *(region.block for each in operations for region in each.regions)]
    own.update(argument for inner in blocks for argument in inner.args)
    read = dict.fromkeys(value for operation in operations for value in operation.operands)
    return [value for value in read if value not in own]


def block_of(value: Value) -> Block | None:
    """The block in which a value is defined."""
    if isinstance(value, BlockArgument):
        return value.block
    assert isinstance(value, OpResult)
    return value.owner.block


def is_in(value: Value, block: Block) -> bool:
    """Whether a value is defined in a block, or in a region there."""
    current = block_of(value)
    while current is not None and current is not block:
        parent = current.region.parent if current.region is not None else None
        current = parent.block if parent is not None else None
    return current is block


def is_caught(value: Value) -> bool:
    """Whether a value is what a handler gets, on every path on which it is there."""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen or ops.is_undef(current):
            continue
        seen.add(current)
        sources = list(_sources(current))
        if not sources and not _is_of_handler(current):
            return False
        pending += sources
    return True


def _is_of_handler(value: Value) -> bool:
    region = value.block.region if isinstance(value, BlockArgument) else None
    around = region.parent if region is not None else None
    return around is not None and around.op is ops.try_ and region is not around.regions[0]


def _sources(value: Value) -> Iterator[Value]:
    """What a value is on some path, if it leaves regions or is carried by a loop."""
    around = value.defining_op
    if isinstance(value, BlockArgument):
        around = value.block.region.parent if value.block.region is not None else None
    if around is None or not around.regions:
        return
    yield from (source for source, target in ops.through_regions(around) if target is value)


def blocks_around(operation: Operation) -> Iterator[Block]:
    """The block of an operation and those around it, up to the body of the innermost loop."""
    current: Operation | None = operation
    while current is not None and current.block is not None:
        yield current.block
        parent = current.parent
        if parent is None or parent.op in (ops.for_, ops.while_):
            return
        current = parent
