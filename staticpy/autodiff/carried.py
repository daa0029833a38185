"""What is read of exceptions that the program makes itself, carried beside them.

Before:                                            After:
                                                       %d = dict.make {type = !dict[int, float]}
    object.set_slot %e, %x {name = "limit"}            object.set_slot %e, %x {name = "limit"}
                                                       %i = exception.identity %e : int
                                                       dict.setitem %d, %i, %x
    raise_value %e                                     raise_value %e
    ...                                                ...
    %y = exception.getattr %f {name = "limit"}         %j = exception.identity %f : int
                                                       %y = dict.getitem %d, %j

Derivatives flow by way of dicts, and not by way of exceptions. One that is not found comes from
outside: nothing of it is differentiated by.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from staticpy import ops
from staticpy.autodiff.activity import Activity, writes, writes_to_holder
from staticpy.autodiff.boxes import is_number
from staticpy.autodiff.moves import SETTERS, exception_of
from staticpy.ir import (
    INT,
    OBJECT,
    Block,
    Builder,
    DictType,
    Operation,
    TensorType,
    Type,
    Value,
    accepts,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY

_CHANGES = (*SETTERS, "object.delattr")


def carry_attributes(block: Block, sources: Iterable[Value]) -> None:
    """Let numbers and arrays that handlers read of exceptions be read of dicts."""
    reads = [each for each in walk(block) if each.name == "exception.getattr"]
    if not reads or any(each.op is ops.call for each in walk(block)):
        return
    activity = Activity(block.operations[:-1], sources)
    changes = [each for each in walk(block) if each.name in _CHANGES]
    for key in dict.fromkeys(map(_name_and_type, reads)):
        name, type_ = key
        own = [each for each in reads if _name_and_type(each) == key]
        named = [each for each in changes if each.attrs["name"] == name]
        if not any(each.result in activity.varied for each in own):
            continue
        if not is_number(type_) and not _is_unwritten(type_, named, activity):
            continue
        classes = {each for read in own for each in members_of(read.operands[0].type)}
        if all(map(_is_of_caught, own)) and all(_is_put(x, type_, classes) for x in named):
            _carry(block, own, named, type_)


def _is_unwritten(type_: Type, changes: list[Operation], activity: Activity) -> bool:
    """Whether exceptions keep arrays that nobody writes to, by way of what is caught neither."""
    writing = [each for each in activity.visible if writes(each) and not writes_to_holder(each)]
    writing = [each for each in writing if not _raises(each)]
    handlers = [each.regions[1:] for each in activity.visible if each.op is ops.try_]
    caught = [region.block.args[0] for regions in handlers for region in regions]
    memory = [*(each.operands[1] for each in changes), *caught]
    is_written = any(activity.may_write(each, value) for each in writing for value in memory)
    return isinstance(type_, TensorType) and not is_written


def _raises(operation: Operation) -> bool:
    """Whether an operation makes an exception, or raises it, and does no more to what it holds."""
    return operation.name == "raise_value" or exception_of(operation) is not None


def _name_and_type(read: Operation) -> tuple[str, Type]:
    return read.attrs["name"], read.result.type


def _is_of_caught(read: Operation) -> bool:
    """Whether a handler reads what it has caught."""
    known = read.operands[0].defining_op
    return known is not None and known.name == "exception.known"


def _is_put(change: Operation, type_: Type, classes: Container[Type]) -> bool:
    """Whether a change gives an exception an attribute that is carried, or is one of something
    that is of none of the ``classes``.
    """
    if _changed(change) is None:
        target = change.operands[0].type
        return target != OBJECT and target not in classes
    return change.name in SETTERS and accepts(type_, change.operands[1].type)


def _changed(change: Operation) -> Value | None:
    """The exception that an operation gives an attribute: one that is raised, or was caught."""
    made = change.operands[0].defining_op
    is_caught = made is not None and made.name == "exception.known"
    return made.operands[0] if made is not None and is_caught else exception_of(change)


def _carry(block: Block, reads: list[Operation], changes: list[Operation], type_: Type) -> None:
    builder = Builder(block)
    builder.index = 0
    carried = builder.emit(REGISTRY["dict.make"], [], {"type": DictType(INT, type_)}).result
    for change in changes:
        exception = _changed(change)
        if exception is not None:
            assert change.block is not None
            builder = Builder(change.block)
            builder.after(change)
            key = builder.emit(REGISTRY["exception.identity"], [exception]).result
            builder.emit(
                REGISTRY["dict.setitem"], [carried, key, _apart(builder, change.operands[1])]
            )
    for read in reads:
        _read(read, carried)


def _apart(builder: Builder, kept: Value) -> Value:
    """What an exception keeps; an array is not changed by way of the exception."""
    is_array = isinstance(kept.type, TensorType)
    return builder.emit(ops.unwritten, [kept]).result if is_array else kept


def _read(read: Operation, carried: Value) -> None:
    assert read.block is not None
    known = read.operands[0].defining_op
    assert known is not None
    builder = Builder(read.block)
    builder.before(read)
    caught = builder.emit(REGISTRY["exception.identity"], known.operands[:1]).result
    is_there = builder.emit(REGISTRY["dict.contains"], [carried, caught]).result
    with builder.region() as then:
        found = builder.emit(REGISTRY["dict.getitem"], [carried, caught]).result
        builder.emit(ops.region_yield, [found])
    with builder.region() as orelse:
        plain = builder.emit(read.op, read.operands, read.attrs).result
        stopped = builder.emit(ops.stop_gradient, [plain]).result
        builder.emit(ops.region_yield, [_apart(builder, stopped)])
    made = builder.emit(ops.if_, [is_there], {}, [then, orelse])
    rewriter.replace(read, made.results)
