"""What regions take from around themselves, and which of them go on behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from staticpy import ops
from staticpy.ir import (
    Block,
    BlockArgument,
    Dim,
    Operation,
    OpResult,
    Value,
    dims_of,
    is_mutable_memory,
    walk,
)

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
        parent = current.parent
        current = parent.block if parent is not None else None
    return current is block


def reached(start: Iterable[Value], step: Callable[[Value], Iterable[Value]]) -> set[Value]:
    """Some values, what ``step`` gives for each of them, and so on."""
    found: set[Value] = set()
    pending = list(start)
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += step(value)
    return found


def sources_of(values: Iterable[Value]) -> set[Value]:
    """The values that some others are on some path, those included."""
    return reached(values, _sources)


def is_caught(value: Value) -> bool:
    """Whether a value is what a handler gets, on every path on which it is there."""
    first = (each for each in sources_of([value]) if next(_sources(each), None) is None)
    return all(ops.is_undef(each) or _is_of_handler(each) for each in first)


TAKES_ITEM = ("list.getitem", "list.pop")
"""The ops by which what a loop has saved, or what flows to it, is read of a list."""


def may_lack(value: Value) -> bool:
    """Whether a value may be one that a single branch has, and the other one leaves undefined: what
    is read of it on the way back is read behind the same condition.
    """
    return any(map(_is_of_other_branch, reached([value], _before)))


def may_be_undefined(value: Value) -> bool:
    """Whether a value may be one that nothing has been assigned to yet, as a variable that a loop
    carries and binds itself is in the first round.
    """
    found = reached([value], lambda each: (*_before(each), *_sources(each)))
    return any(map(ops.is_undef, found))


def _is_of_other_branch(value: Value) -> bool:
    parent = value.defining_op.parent if value.defining_op is not None else None
    return ops.is_undef(value) and parent is not None and parent.op is ops.if_


def _before(value: Value) -> Sequence[Value]:
    """What an ``if`` gives for a value, or was put into the lists that a value may be read of."""
    made = value.defining_op
    if made is not None and made.op is ops.if_:
        place = made.results.index(value)
        return [region.block.terminator.operands[place] for region in made.regions]
    return items_put(made.operands[0]) if made is not None and made.name in TAKES_ITEM else ()


def items_put(items: Value) -> list[Value]:
    """What is appended to a list, or to those that it may be: a loop in a loop has tapes that are
    read of a list of lists.
    """
    lists = [items]
    for each in lists:
        lists += (value for value in _before(each) if value not in lists)
    appends = (user for each in lists for user in each.users if user.name == "list.append")
    return [append.operands[1] for append in appends if append.operands[0] in lists]


def size_by_argument(dim: Dim, value: Value) -> tuple[Value, int] | None:
    """An argument around a value that has an axis of the size ``dim``, and the number of that."""
    for block in blocks_from(block_of(value)):
        for argument in block.args:
            if isinstance(dim, str) and dim in dims_of(argument.type):
                return argument, dims_of(argument.type).index(dim)
    return None


def blocks_from(block: Block | None) -> Iterator[Block]:
    """A block and those around it, but for the bodies of loops and branches."""
    while block is not None:
        parent = block.parent
        if parent is None or parent.op not in (ops.for_, ops.while_, ops.if_, ops.try_):
            yield block
        block = parent.block if parent is not None else None


def _is_of_handler(value: Value) -> bool:
    region = value.block.region if isinstance(value, BlockArgument) else None
    around = region.parent if region is not None else None
    return around is not None and around.op is ops.try_ and region is not around.regions[0]


def _sources(value: Value) -> Iterator[Value]:
    """What a value is on some path, if it leaves regions or is carried by a loop."""
    around = value.defining_op
    if isinstance(value, BlockArgument):
        around = value.block.parent
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
