"""What is read of exceptions that the program makes itself, and of objects from outside that it
gives attributes in a ``try``, carried beside them.

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
outside: nothing of it is differentiated by. A checkpoint that exceptions neither enter nor leave
has dicts of its own, since it runs twice. An attribute of an object from outside has one, too, with
one key.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable

from staticpy import ops
from staticpy.autodiff.activity import Activity, puts_into_object, writes, writes_to_holder
from staticpy.autodiff.boxes import is_number
from staticpy.autodiff.calls import DerivedFunctions
from staticpy.autodiff.moves import SETTERS, caught_by, exception_of
from staticpy.autodiff.scopes import memory_around
from staticpy.ir import (
    INT,
    OBJECT,
    Block,
    BlockArgument,
    Builder,
    DictType,
    ObjectType,
    Operation,
    TensorType,
    Type,
    Value,
    accepts,
    builder_before,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY

_CHANGES = (*SETTERS, "object.delattr")
_READS = ("exception.getattr", "object.getattr")
_KeyOf = Callable[[Builder, Operation], Value]
"""Emits the key of what an operation gives an attribute, or reads one of."""


def carry_attributes(block: Block, sources: Collection[Value], functions: DerivedFunctions) -> None:
    """Let numbers and arrays that handlers read of exceptions, and of objects from outside, be read
    of dicts. Those of a block are not known in the functions that it calls: what these give an
    exception which gets here is left alone, and so is what they read of an object, or give it.
    """
    reads = [each for each in walk(block) if each.name in _READS]
    if not reads or any(_may_be_exception(each.type) for each in sources):
        return
    around = set(memory_around(block))
    calls = [each for each in walk(block) if each.op is ops.call]
    handing = [each for each in calls if _may_hand_on(each, block, around)]
    called = [each for call in calls for each in functions.called_by(call)]
    handed = [each for call in handing for each in functions.called_by(call)]
    activity = Activity(block.operations[:-1], sources)
    changes = [each for each in walk(block) if each.name in _CHANGES]
    for key in dict.fromkeys(map(_key, reads)):
        op, name, type_ = key
        own = [each for each in reads if _key(each) == key]
        named = [each for each in changes if each.attrs["name"] == name]
        if not any(each.result in activity.varied for each in own):
            continue
        if not is_number(type_) and not _is_unwritten(own, named, activity):
            continue
        if op == "object.getattr":
            unknown = [each for each in called if each.op is ops.object_call]
            unknown += [each for each in _of_name(name, called) if each.name in _READS + _CHANGES]
            if not unknown:
                _carry_of_objects(block, own, named, around)
            continue
        classes = {each for read in own for each in members_of(read.operands[0].type)}
        are_caught = all(caught_by(each.operands[0]) is not None for each in own)
        named = [each for each in named if _may_be_of(each, classes)]
        elsewhere = [each for each in _of_name(name, handed) if each.name in _CHANGES]
        if any(_may_be_of(each, classes) for each in elsewhere):
            continue
        if are_caught and all(_is_put(each, type_) for each in named):
            _carry_of_exceptions(block, own, named, around)


def _of_name(name: str, operations: Iterable[Operation]) -> list[Operation]:
    """Those operations that are about the attribute of a name."""
    return [each for each in operations if each.attrs.get("name") == name]


def _may_hand_on(call: Operation, block: Block, around: Container[Value]) -> bool:
    """Whether a handler in ``block`` may get exceptions that a call has made or changed: it takes
    some, gives some, or raises some in a ``try``. What is from ``around`` are classes.
    """
    classes = [each for each in call.operands if each.type == OBJECT]
    classes = [each for each in classes if each in around or each in block.args]
    passed = [*(each for each in call.operands if each not in classes), *call.results]
    return _is_tried(call, block) or any(_may_be_exception(each.type) for each in passed)


def _carry_of_exceptions(
    block: Block, reads: list[Operation], changes: list[Operation], around: Container[Value]
) -> None:
    """Carry an attribute of exceptions, in each checkpoint apart that they stay in."""
    checkpoints = [each for each in walk(block) if each.op is ops.checkpoint]
    apart = [each for each in checkpoints if not (_enter(each, around) or _may_leave(each, block))]
    rooms = [block, *(each.regions[0].block for each in apart)]
    found: dict[Block, tuple[list[Operation], list[Operation]]] = {x: ([], []) for x in rooms}
    for place, operations in enumerate((reads, changes)):
        for each in operations:
            found[_room_of(each, rooms)][place].append(each)
    for room, (own, given) in found.items():
        if own:
            _carry(room, own, given, _identity)


def _room_of(operation: Operation, rooms: Container[Block]) -> Block:
    """The innermost of some blocks around an operation."""
    while operation.block not in rooms:
        assert operation.parent is not None
        operation = operation.parent
    assert operation.block is not None
    return operation.block


def _enter(checkpoint: Operation, outside: Container[Value]) -> bool:
    """Whether exceptions that are made around a checkpoint may be raised in it: what it reads from
    ``outside`` are their classes.
    """
    block = checkpoint.regions[0].block
    read = [x for x in memory_around(block) if not (x.type == OBJECT and x in outside)]
    giving = [each for each in walk(block) if each.name.startswith(("object.", "call"))]
    given = [x for each in giving if exception_of(each) is None for x in each.results]
    return any(_may_be_exception(each.type) for each in (*read, *given))


def _may_leave(checkpoint: Operation, block: Block) -> bool:
    """Whether exceptions that are made in a checkpoint may get to a handler around it, in
    ``block``.
    """
    is_given = any(_may_be_exception(each.type) for each in checkpoint.results)
    return is_given or _is_tried(checkpoint, block)


def _is_tried(inner: Operation, block: Block) -> bool:
    """Whether a handler in ``block`` may catch what an operation raises."""
    while inner.block is not block:
        assert inner.parent is not None
        if inner.parent.op is ops.try_ and inner.block is inner.parent.regions[0].block:
            return True
        inner = inner.parent
    return False


def _may_be_exception(type_: Type) -> bool:
    """Whether a value of a type may be, or hold, an exception."""
    return any(isinstance(each, ObjectType) for each in ops.parts_of_type(type_))


def _carry_of_objects(
    block: Block, reads: list[Operation], changes: list[Operation], around: Container[Value]
) -> None:
    """Carry an attribute of each object from ``around`` the block, if it is sure which operations
    give it that attribute, or read it. What it is before that is read before the block.
    """
    transform = block.parent
    if transform is None:
        return
    handles = dict.fromkeys(each.operands[0] for each in (*reads, *changes))
    are_several = all(map(_is_another, handles))
    for handle in handles:
        own, given = ([x for x in each if x.operands[0] is handle] for each in (reads, changes))
        inner = [each for each in walk(block) if handle in each.operands]
        is_seen = handle in around and not any(each.op is ops.object_call for each in inner)
        if not own or not is_seen or (len(handles) > 1 and not are_several):
            continue
        type_ = own[0].result.type
        if all(each.name in SETTERS and accepts(type_, each.operands[1].type) for each in given):
            _carry(block, own, given, _nought, _before(transform, own[0]))


def _is_another(handle: Value) -> bool:
    """Whether no other value is the same object: one that is passed twice has one name, but for
    functions that call themselves.
    """
    block = handle.block if isinstance(handle, BlockArgument) else None
    if block is None or block.region is None or block.region.parent is not None:
        return False
    return not any(each.op is ops.call for each in walk(block))


def _nought(builder: Builder, _: Operation) -> Value:
    return builder.emit(ops.constant, [], {"value": 0}).result


def _before(transform: Operation, read: Operation) -> Value:
    """What an operation in the region of a transform would read before that; undefined, if it isn't
    there yet.
    """
    builder = builder_before(transform)
    with builder.region() as body:
        builder.emit(ops.region_yield, builder.emit(read.op, read.operands, read.attrs).results)
    with builder.region([OBJECT]) as missing:
        undefined = builder.emit(ops.undef, [], {"type": read.result.type})
        builder.emit(ops.region_yield, undefined.results)
    attrs = {"handlers": (("AttributeError",),)}
    return builder.emit(ops.try_, [], attrs, [body, missing]).result


def _is_unwritten(reads: list[Operation], changes: list[Operation], activity: Activity) -> bool:
    """Whether what is read are arrays that nobody writes to, by way of what keeps them neither."""
    writing = [each for each in activity.visible if writes(each) and not writes_to_holder(each)]
    writing = [each for each in writing if not (_raises(each) or puts_into_object(each))]
    handlers = [each.regions[1:] for each in activity.visible if each.op is ops.try_]
    caught = [region.block.args[0] for regions in handlers for region in regions]
    objects = [each.operands[0] for each in reads if each.name == "object.getattr"]
    memory = [*(each.operands[1] for each in changes), *caught, *objects]
    is_written = any(activity.may_write(each, value) for each in writing for value in memory)
    return isinstance(reads[0].result.type, TensorType) and not is_written


def _raises(operation: Operation) -> bool:
    """Whether an operation makes an exception, or raises it, and does no more to what it holds."""
    return operation.name == "raise_value" or exception_of(operation) is not None


def _key(read: Operation) -> tuple[str, str, Type]:
    return read.name, read.attrs["name"], read.result.type


def _is_put(change: Operation, type_: Type) -> bool:
    """Whether a change gives an exception an attribute that is carried."""
    is_set = _changed(change) is not None and change.name in SETTERS
    return is_set and accepts(type_, change.operands[1].type)


def _may_be_of(change: Operation, classes: Container[Type]) -> bool:
    """Whether what a change gives an attribute may be of one of the ``classes``."""
    target = change.operands[0].type
    return target == OBJECT or any(each in classes for each in members_of(target))


def _changed(change: Operation) -> Value | None:
    """The exception that an operation gives an attribute: one that is raised, or was caught."""
    return caught_by(change.operands[0]) or exception_of(change)


def _identity(builder: Builder, operation: Operation) -> Value:
    """A number of the exception that an operation changes, or of the caught one that it reads."""
    is_read = operation.name == "exception.getattr"
    exception = caught_by(operation.operands[0]) if is_read else _changed(operation)
    assert exception is not None
    return builder.emit(REGISTRY["exception.identity"], [exception]).result


def _carry(
    block: Block,
    reads: list[Operation],
    changes: list[Operation],
    key_of: _KeyOf,
    before: Value | None = None,
) -> None:
    """Let ``reads`` be of a dict, to which ``changes`` add. What is not there is ``before``, where
    that is given, or is read as it was.
    """
    builder = Builder(block)
    builder.index = 0
    type_ = DictType(INT, reads[0].result.type)
    carried = builder.emit(REGISTRY["dict.make"], [], {"type": type_}).result
    for change in changes:
        assert change.block is not None
        builder, given = Builder(change.block), change.operands[1]
        if before is not None:  # nothing is read of the object itself any more
            builder.before(change)
            rewriter.set_operand(change, 1, _apart(builder, given))
        builder.after(change)
        item = _apart(builder, given)
        builder.emit(REGISTRY["dict.setitem"], [carried, key_of(builder, change), item])
    for read in reads:
        _read(read, carried, key_of, before)


def _apart(builder: Builder, kept: Value) -> Value:
    """What is kept; an array is not changed by way of what keeps it."""
    is_array = isinstance(kept.type, TensorType)
    return builder.emit(ops.unwritten, [kept]).result if is_array else kept


def _read(
    read: Operation,
    carried: Value,
    key_of: _KeyOf,
    before: Value | None,
) -> None:
    builder = builder_before(read)
    key = key_of(builder, read)
    is_there = builder.emit(REGISTRY["dict.contains"], [carried, key]).result
    with builder.region() as then:
        found = builder.emit(REGISTRY["dict.getitem"], [carried, key]).result
        builder.emit(ops.region_yield, [found])
    with builder.region() as orelse:
        plain = before or builder.emit(read.op, read.operands, read.attrs).result
        stopped = builder.emit(ops.stop_gradient, [plain]).result
        builder.emit(ops.region_yield, [_apart(builder, stopped)])
    made = builder.emit(ops.if_, [is_there], {}, [then, orelse])
    rewriter.replace(read, made.results)
