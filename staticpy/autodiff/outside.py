"""Lists of numbers from outside that get what is differentiated, replaced by lists of one's own.

Before:                                            After:
    %l = object.cast %o {type = !list[float]}          %l = list.make {type = !list[float]}
    list.append %l, %x                                 ... append a copy of each item of %o
    %y = list.getitem %l, %i                           list.append %l, %x
                                                       object.call %o, %x {method = "append"}
                                                       %y = list.getitem %l, %i

Nothing says which shadow, or tangent, belongs to what stands in memory from outside. A list that is
made here has one; so what is done to the list from outside is done to this one, which is read, and
then to that of the caller.
"""

from __future__ import annotations

from collections.abc import Iterable

from staticpy import ops
from staticpy.autodiff.activity import Activity, block_of, writes
from staticpy.autodiff.boxes import is_number
from staticpy.ir import (
    INT,
    NONE,
    OBJECT,
    Block,
    Builder,
    ListType,
    Operation,
    Region,
    Value,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, object_call

_METHODS = {
    "list.append": "append",
    "list.extend": "extend",
    "list.insert": "insert",
    "list.pop": "pop",
    "list.setitem": "__setitem__",
    "list.delitem": "__delitem__",
    "list.clear": "clear",
    "list.reverse": "reverse",
    "list.sort": "sort",
}
"""The ops that change a list, and the methods of lists that do the same."""
_LISTS = {method: name for name, method in _METHODS.items()}


def own_lists(block: Block, sources: Iterable[Value]) -> None:
    """Let the region of a transform work on lists of its own in the place of those from outside, as
    far as all that it does to them is known. They are copied before it.
    """
    transform = block.region.parent if block.region is not None else None
    casts = [each for each in walk(block) if _is_cast(each)]
    handles = dict.fromkeys(each.operands[0] for each in casts)
    handles = {each: None for each in handles if _is_around(each, transform)}
    if transform is None or not handles:
        return
    varied = Activity(block.operations[:-1], sources).varied
    for handle in handles:
        own = [each for each in casts if each.operands[0] is handle]
        within = [each for each in walk(block) if handle in each.operands]
        is_due = any(each.result in varied for each in own)
        if is_due and _is_known(handle, own, within):
            _own(transform, handle, own, within)


def _is_around(value: Value, transform: Operation | None) -> bool:
    """Whether a value is there before a transform."""
    around = block_of(value)
    current = transform
    while current is not None and current.block is not around:
        current = current.parent
    return current is not None


def _is_cast(operation: Operation) -> bool:
    """Whether an operation takes an object for a list of numbers."""
    if operation.name != "object.cast" or operation.operands[0].type != OBJECT:
        return False
    type_ = operation.result.type
    return isinstance(type_, ListType) and is_number(type_.item)


def _is_known(handle: Value, casts: list[Operation], within: list[Operation]) -> bool:
    """Whether all that is done to a list is a method of lists, or reads it."""
    if len({each.result.type for each in casts}) > 1:
        return False
    of_handle = all(each in casts or _is_end(each) or _is_method(each, handle) for each in within)
    lists = [each.result for each in casts]
    readers = [(reader, items) for items in lists for reader in items.users]
    return of_handle and all(_is_of_list(reader, items) for reader, items in readers)


def _is_end(operation: Operation) -> bool:
    """Whether an operation hands the list itself on to the caller."""
    parent = operation.parent
    is_inner = parent is not None and parent.op in (ops.if_, ops.for_, ops.while_)
    return operation.op.is_terminator and not is_inner


def _is_method(operation: Operation, handle: Value) -> bool:
    is_call = operation.op is object_call and "result" not in operation.attrs
    is_of_it = is_call and handle not in operation.operands[1:] and operation.operands[0] is handle
    return is_of_it and operation.attrs["method"] in _LISTS and _fits(operation)


def _fits(operation: Operation) -> bool:
    """Whether what is put in is known as a number, or as numbers."""
    method, more = operation.attrs["method"], operation.operands[1:]
    if method == "extend":
        return isinstance(more[0].type, ListType)
    return method not in ("append", "insert", "__setitem__") or more[-1].type != OBJECT


def _is_of_list(operation: Operation, items: Value) -> bool:
    if _reads_object(operation):
        return True
    if items in operation.operands[1:]:
        return False
    if operation.name == "list.setslice":
        return all(each.type == NONE for each in operation.operands[2:])
    if operation.name in _METHODS:
        return True
    return operation.name.startswith("list.") and not writes(operation)


def _reads_object(operation: Operation) -> bool:
    """Whether an operation shows a list, or hands it on, and is to get that from outside."""
    return operation.op is ops.print_ or _is_end(operation)


def _own(
    transform: Operation, handle: Value, casts: list[Operation], within: list[Operation]
) -> None:
    given, made = _copied(transform, casts[0])
    for operation in within:
        if operation.op is object_call:
            _do_to_list(operation, made)
    for cast in casts:
        for reader in list(cast.result.users):
            is_of_list = not _reads_object(reader)
            for place, operand in enumerate(reader.operands):
                if operand is cast.result:
                    rewriter.set_operand(reader, place, made if is_of_list else given)
            if is_of_list:
                _do_to_object(reader, handle)
        rewriter.erase(cast)


def _copied(transform: Operation, cast: Operation) -> tuple[Value, Value]:
    """A list from outside, and one with its items that the region of a transform makes."""
    assert transform.block is not None
    before = Builder(transform.block)
    before.before(transform)
    given = before.emit(cast.op, cast.operands, cast.attrs).result
    kept = before.emit(REGISTRY["list.copy"], [given]).result
    builder = Builder(transform.regions[0].block)
    builder.index, builder.span = 0, cast.span
    made = builder.emit(REGISTRY["list.make"], [], {"type": given.type}).result
    with builder.current():
        bounds = [ops.as_value(0), ops.emit(REGISTRY["list.len"], kept), ops.as_value(1)]
    body = Block([INT])
    with builder.inside(body):
        item = builder.emit(REGISTRY["list.getitem"], [kept, body.args[0]]).result
        builder.emit(REGISTRY["list.append"], [made, item])
        builder.emit(ops.region_yield, [])
    builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])
    return given, made


def _do_to_list(call: Operation, made: Value) -> None:
    """Do to a list, before, what a method does to the list from outside."""
    assert call.block is not None
    builder = Builder(call.block)
    builder.before(call)
    name = _LISTS[call.attrs["method"]]
    attrs = {"reverse": False} if name == "list.sort" else {}
    builder.emit(REGISTRY[name], [made, *call.operands[1:]], attrs)


def _do_to_object(operation: Operation, handle: Value) -> None:
    """Do to the list from outside, behind, what an operation does to a list."""
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.after(operation)
    more = operation.operands[1:]
    if operation.name == "list.setslice":
        builder.emit(object_call, [handle], {"method": "clear"})
        builder.emit(object_call, [handle, more[0]], {"method": "extend"})
    elif operation.name in _METHODS:
        builder.emit(object_call, [handle, *more], {"method": _METHODS[operation.name]})
