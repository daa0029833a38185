"""Lists and dicts from outside that get what is differentiated, replaced by some of one's own.

Before:                                            After:
    %l = object.cast %o {type = !list[float]}          %l = list.make {type = !list[float]}
    list.append %l, %x                                 ... append a copy of each item of %o
    %y = list.getitem %l, %i                           list.append %l, %x
                                                       object.call %o, %x {method = "append"}
                                                       %y = list.getitem %l, %i

Nothing says which shadow, or tangent, belongs to what stands in memory from outside. A list that is
made here has one; so what is done to the list from outside is done to this one, which is read, and
then to that of the caller. The arrays in it are the same, and must not be written to. Tuples,
lists and dicts in it are made anew as well, and none that may be from outside must be changed; what
the function has made and put in is the same in both. Where a loop only begins with a list from
outside, and goes on with others, it begins with one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    is_differentiable,
    puts_into_object,
    writes,
    writes_to_holder,
    written,
)
from staticpy.autodiff.boxes import is_number
from staticpy.autodiff.exports import is_exported
from staticpy.autodiff.keyed import has_number_keys
from staticpy.autodiff.moves import SETTERS, holds_operands
from staticpy.autodiff.origins import Origins
from staticpy.autodiff.scopes import block_of
from staticpy.ir import (
    INT,
    NONE,
    OBJECT,
    Block,
    Builder,
    DictType,
    ListType,
    Operation,
    Region,
    TensorType,
    TupleType,
    Type,
    Value,
    builder_before,
    is_mutable_memory,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, object_call

_METHODS = {
    "list": (
        *("append", "extend", "insert", "pop", "__setitem__", "__delitem__"),
        *("clear", "reverse", "sort"),
    ),
    "dict": ("pop", "__setitem__", "__delitem__", "update", "clear"),
}
"""The methods of lists and dicts that an op does the work of, which is named as they are."""
_CHANGES = {
    f"{family}.{method.strip('_')}": method
    for family, methods in _METHODS.items()
    for method in methods
}
_OF_SLICES = {"list.setslice": "__setitem__", "list.delslice": "__delitem__"}
"""The same for those that take a slice."""


def own_lists(block: Block, sources: Iterable[Value]) -> None:
    """Let the region of a transform work on lists of its own in the place of those from outside, as
    far as all that it does to them is known. They are copied before it.
    """
    transform = block.parent
    casts = [each for each in walk(block) if _is_cast(each)]
    handles = dict.fromkeys(each.operands[0] for each in casts)
    handles = {each: None for each in handles if _is_around(each, transform)}
    if transform is None or not handles:
        return
    activity, origins = Activity(block.operations[:-1], sources), Origins(block.operations)
    _take_out_of_branches(block, casts)
    changed, read = [], []
    for handle in handles:
        taken = [each for each in casts if each.operands[0] is handle]
        within = _uses_within(block, handle)
        is_due = any(each.result in activity.varied for each in taken)
        is_known = is_due and _is_known(handle, taken, within)
        if is_known and _contents_stay(activity, origins, handle, taken):
            changed.append((handle, taken))
        elif within == taken and _is_only_read(activity, origins, taken, transform):
            read.append(taken)
    for handle, taken in changed:
        _own(transform, handle, taken, _uses_within(block, handle))
    for taken in read:
        _, made = _copied(transform, taken[0])
        for cast in taken:
            rewriter.replace_all_uses(cast.result, made)
            rewriter.erase(cast)


def _uses_within(block: Block, value: Value) -> list[Operation]:
    return [each for each in walk(block) if value in each.operands]


def _is_only_read(
    activity: Activity, origins: Origins, casts: list[Operation], transform: Operation
) -> bool:
    """Whether a loop begins with a list or dict from outside, or a branch gives it, in the place of
    which there may be another one; nobody changes it, or what it holds, or gives it to others.
    """
    own = {each.result for each in casts}
    begins = any(user.regions or user.op.is_terminator for each in own for user in each.users)
    if not begins or _has_containers(_held_type(casts[0].result.type)):
        return False
    homes = activity.outer | {activity.home_of(each) for each in own}
    writers = (each for each in activity.visible if writes(each) and not _sets_attribute(each))
    changed = (value for x in writers for value in (x.operands[:1] if _joins(x) else written(x)))
    if len({each.type for each in own}) > 1 or any(
        activity.home_of(value) in homes and _may_be_held(origins, value) for value in changed
    ):
        return False
    return not any(origins.may_be_of(each, own, lambda _: True) for each in _handed_on(transform))


def _handed_on(transform: Operation) -> Iterator[Value]:
    """The lists and dicts that the region of a transform puts into something or gives to others."""
    block = transform.regions[0].block
    ends = zip(block.terminator.operands, transform.results, strict=False)
    given = [value for value, result in ends if _is_read(result)]
    for operation in walk(block):
        if operation.op is object_call or _sets_attribute(operation):
            given += operation.operands[1:]
        elif operation.op is ops.call or (holds_operands(operation) and not _joins(operation)):
            given += operation.operands
    return (each for each in given if not isinstance(each.type, TensorType))


def _is_read(result: Value) -> bool:
    """Whether anybody reads a result of a transform: another one around may only hand it on."""
    for user in result.users:
        around = user.parent if user.op.is_terminator else None
        if around is None or around.op in (ops.if_, ops.for_, ops.while_):
            return True
        ends = zip(user.operands, around.results, strict=False)
        if any(value is result and _is_read(end) for value, end in ends):
            return True
    return False


def _joins(operation: Operation) -> bool:
    """Whether an operation puts the items of a list into another one, and not the list itself."""
    is_one = operation.name in ("list.concat", "list.extend", "list.setslice")
    return is_one and isinstance(operation.operands[1].type, ListType)


def _contents_stay(
    activity: Activity, origins: Origins, handle: Value, casts: list[Operation]
) -> bool:
    """Whether nobody changes what a list or dict may hold, or anything from outside, which may be,
    or share memory with, that.
    """
    held = _held_type(casts[0].result.type)
    if is_number(held):
        return True
    own = [each.result for each in casts]
    homes = activity.outer | {activity.home_of(own[0])}
    for operation in activity.visible:
        if not writes(operation) or _is_method(operation, handle) or _sets_attribute(operation):
            continue
        is_of_holder = writes_to_holder(operation) or puts_into_object(operation)
        for value in written(operation):
            if activity.home_of(value) not in homes or (is_of_holder and value in own):
                continue
            if not is_of_holder or (_has_containers(held) and _may_be_held(origins, value)):
                return False
    return True


def _sets_attribute(operation: Operation) -> bool:
    """Whether an operation gives an object another attribute: no list, dict or array changes."""
    return operation.name in SETTERS or is_exported(operation)


def _may_be_held(origins: Origins, value: Value) -> bool:
    """Whether a list or dict may be from outside, and not one that the function has made."""
    return origins.may_be_of(value, (), lambda _: True)


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
    """Whether an operation takes an object for a list or dict of numbers or arrays, or of tuples,
    lists and dicts of such.
    """
    if operation.name != "object.cast" or operation.operands[0].type != OBJECT:
        return False
    type_ = _held_type(operation.result.type)
    return _has_derivative(type_) and _can_be_copied(type_)


def _has_derivative(type_: Type) -> bool:
    """Whether a value is a number or an array with a cotangent, or holds one of them."""
    if inner := _inner_types(type_):
        return any(map(_has_derivative, inner))
    return is_number(type_) or (isinstance(type_, TensorType) and is_differentiable(type_))


def _can_be_copied(type_: Type) -> bool:
    """Whether a value of this type can be made once more of what is in it."""
    if has_number_keys(type_):
        return False
    if inner := _inner_types(type_):
        return all(map(_can_be_copied, inner))
    return isinstance(type_, TensorType) or not is_mutable_memory(type_)


def _has_containers(type_: Type) -> bool:
    """Whether there are lists or dicts in a value of this type, or it is one."""
    return isinstance(type_, ListType | DictType) or any(map(_has_containers, _inner_types(type_)))


def _inner_types(type_: Type) -> tuple[Type, ...]:
    """The types of what a tuple, list or dict holds."""
    if isinstance(type_, TupleType):
        return type_.items
    return (_held_type(type_),) if isinstance(type_, ListType | DictType) else ()


def _held_type(type_: Type) -> Type:
    """The type of the items of a list, or of the values of a dict."""
    if isinstance(type_, DictType):
        return type_.value
    return type_.item if isinstance(type_, ListType) else NONE


def _family(value: Value) -> str:
    return "dict" if isinstance(value.type, DictType) else "list"


def _is_known(handle: Value, casts: list[Operation], within: list[Operation]) -> bool:
    """Whether all that is done to a list is a method of lists, or reads it."""
    if len({each.result.type for each in casts}) > 1:
        return False
    family = _family(casts[0].result)
    of_handle = all(
        each in casts or _is_end(each) or _is_method(each, handle, family) for each in within
    )
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


def _is_method(operation: Operation, handle: Value, family: str | None = None) -> bool:
    """Whether an operation does to an object what a method of lists, or of dicts, does."""
    is_call = operation.op is object_call and "result" not in operation.attrs
    is_of_it = is_call and handle not in operation.operands[1:] and operation.operands[0] is handle
    if family is None:
        return is_of_it
    return is_of_it and operation.attrs["method"] in _METHODS[family] and _fits(operation)


def _fits(operation: Operation) -> bool:
    """Whether what is put in is known as a number or an array, or as several."""
    method, more = operation.attrs["method"], operation.operands[1:]
    if method == "update":
        return len(more) == 1 and isinstance(more[0].type, DictType)
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
    is_change = operation.name in _CHANGES or operation.name in _OF_SLICES
    is_reader = operation.name.startswith(f"{_family(items)}.") and not writes(operation)
    return is_change or is_reader


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
    """A list or dict from outside, and one with its items that the region of a transform makes."""
    assert transform.block is not None
    before, family = Builder(transform.block), _family(cast.result)
    before.before(transform)
    given = before.emit(cast.op, cast.operands, cast.attrs).result
    kept = before.emit(REGISTRY[f"{family}.copy"], [given]).result
    builder = Builder(transform.regions[0].block)
    builder.index, builder.span = 0, cast.span
    return given, _made_anew(builder, kept)


def _made_anew(builder: Builder, kept: Value) -> Value:
    """A list or dict of what another one holds."""
    family = _family(kept)
    places = builder.emit(REGISTRY["dict.keys"], [kept]).result if family == "dict" else kept
    made = builder.emit(REGISTRY[f"{family}.make"], [], {"type": kept.type}).result
    with builder.current():
        bounds = [ops.as_value(0), ops.emit(REGISTRY["list.len"], places), ops.as_value(1)]
    body = Block([INT])
    with builder.inside(body):
        item = builder.emit(REGISTRY["list.getitem"], [places, body.args[0]]).result
        if family == "dict":
            value = builder.emit(REGISTRY["dict.getitem"], [kept, item]).result
            builder.emit(REGISTRY["dict.setitem"], [made, item, _apart(builder, value)])
        else:
            builder.emit(REGISTRY["list.append"], [made, _apart(builder, item)])
        builder.emit(ops.region_yield, [])
    builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])
    return made


def _apart(builder: Builder, item: Value) -> Value:
    """What a list or dict holds, which is no memory from outside to derivatives; a tuple, list or
    dict is made anew of its items, as nobody changes it.
    """
    if isinstance(item.type, TensorType):
        return builder.emit(ops.unwritten, [item]).result
    if isinstance(item.type, ListType | DictType):
        return _made_anew(builder, item)
    if not isinstance(item.type, TupleType) or not is_mutable_memory(item.type):
        return item
    items = builder.emit(REGISTRY["tuple.items"], [item]).results
    return builder.emit(REGISTRY["tuple.make"], [_apart(builder, each) for each in items]).result


def _do_to_list(call: Operation, made: Value) -> None:
    """Do to a list, before, what a method does to the list from outside."""
    builder = builder_before(call)
    name, more = f"{_family(made)}.{call.attrs['method'].strip('_')}", call.operands[1:]
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
    elif operation.name in _CHANGES:
        builder.emit(object_call, [handle, *more], {"method": _CHANGES[operation.name]})
