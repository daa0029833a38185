"""What regions take from around themselves, and which of them go on behind."""

from __future__ import annotations

from staticpy import ops
from staticpy.ir import Block, Operation, Value, is_mutable_memory, walk

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
