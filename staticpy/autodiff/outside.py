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
    OBJECT,
    Block,
    Builder,
    ListType,
    Operation,
    Region,
    TupleType,
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
_OF_SLICES = {"list.setslice": "__setitem__", "list.delslice": "__delitem__"}
"""The same for those that take a slice."""


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
    _take_out_of_branches(block, casts)
    for handle in handles:
        own = [each for each in casts if each.operands[0] is handle]
        within = [each for each in walk(block) if handle in each.operands]
        is_due = any(each.result in varied for each in own)
        if is_due and _is_known(handle, own, within):
            _own(transform, handle, own, within)


def _take_out_of_branches(block: Block, casts: list[Operation]) -> None:
    """Let what both sides of a branch take the same object for be taken for that behind it."""
    for operation in reversed([each for each in walk(block) if each.op is ops.if_]):
        ends = [region.block.terminator.operands for region in operation.regions]
        for result, *yielded in zip(operation.results, *ends, strict=True):
            made = [each.defining_op for each in yielded]
            if all(each in casts for each in made) and len({x.operands[0] for x in made}) == 1:
                assert operation.block is not None
                builder = Builder(operation.block)
                builder.after(operation)
                cast = builder.emit(made[0].op, made[0].operands, made[0].attrs)
                rewriter.replace_all_uses(result, cast.result)
                casts.append(cast)


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


def _is_end(operation: Operation, items: Value | None = None) -> bool:
    """Whether an operation hands the list itself on to the caller, or to nobody."""
    parent = operation.parent
    if not operation.op.is_terminator or parent is None or parent.op in (ops.for_, ops.while_):
        return operation.op.is_terminator and parent is None
    if parent.op is not ops.if_:
        return True
    places = [place for place, each in enumerate(operation.operands) if each is items]
    return bool(places) and not any(parent.results[place].uses for place in places)


def _is_method(operation: Operation, handle: Value) -> bool:
    is_call = operation.op is object_call and "result" not in operation.attrs
    is_of_it = is_call and handle not in operation.operands[1:] and operation.operands[0] is handle
    return is_of_it and operation.attrs["method"] in _LISTS and _fits(operation)


def _fits(operation: Operation) -> bool:
    """Whether what is put in is known as a number, or as numbers."""
    method, more = operation.attrs["method"], operation.operands[1:]
    if _slice_of(operation) is not None:
        return method == "__delitem__" or isinstance(more[1].type, ListType | TupleType)
    if method == "extend":
        return isinstance(more[0].type, ListType | TupleType)
    return all(each.type != OBJECT for each in more)


def _slice_of(operation: Operation) -> Operation | None:
    """What has made the slice that a method of lists gets."""
    is_of_slice = operation.attrs["method"] in _OF_SLICES.values()
    made = operation.operands[1].defining_op if is_of_slice else None
    return made if made is not None and made.name == "slice.make" else None


def _is_of_list(operation: Operation, items: Value) -> bool:
    if _reads_object(operation, items):
        return True
    if items in operation.operands[1:]:
        return False
    is_change = operation.name in _METHODS or operation.name in _OF_SLICES
    return is_change or (operation.name.startswith("list.") and not writes(operation))


def _reads_object(operation: Operation, items: Value) -> bool:
    """Whether an operation shows a list, or hands it on, and is to get that from outside."""
    return operation.op is ops.print_ or _is_end(operation, items)


def _own(
    transform: Operation, handle: Value, casts: list[Operation], within: list[Operation]
) -> None:
    given, made = _copied(transform, casts[0])
    for operation in within:
        if operation.op is object_call:
            _do_to_list(operation, made)
    for cast in casts:
        for reader in list(cast.result.users):
            is_of_list = not _reads_object(reader, cast.result)
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
    name, more = _LISTS[call.attrs["method"]], call.operands[1:]
    made_slice = _slice_of(call)
    if made_slice is not None:
        name = "list.setslice" if len(more) > 1 else "list.delslice"
        more = [*more[1:], *made_slice.operands]
    attrs = {"reverse": False} if name == "list.sort" else {}
    builder.emit(REGISTRY[name], [made, *more], attrs)


def _do_to_object(operation: Operation, handle: Value) -> None:
    """Do to the list from outside, behind, what an operation does to a list."""
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.after(operation)
    more = operation.operands[1:]
    if operation.name in _OF_SLICES:
        first = len(more) - 3
        made = builder.emit(REGISTRY["slice.make"], more[first:]).result
        attrs = {"method": _OF_SLICES[operation.name]}
        builder.emit(object_call, [handle, made, *more[:first]], attrs)
    elif operation.name in _METHODS:
        builder.emit(object_call, [handle, *more], {"method": _METHODS[operation.name]})
