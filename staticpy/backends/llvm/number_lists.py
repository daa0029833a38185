"""Lists of numbers that nobody outside of the function sees, as memory that grows.

In: ``[]``, ``[0] * n`` or ``[a, b, c]`` to which numbers are appended, and whose items are read and
set: what the rounds of a loop save for the way back, or a table. Out: stores and loads; no number
becomes an object. The memory is that of an ndarray, which is kept like any other reference, so that
each exit lets go of it, and taken again when it is large; that of a short list which doesn't grow
is the function's own. An index out of bounds goes to the kernel, which gets a list of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import DATA, Boxes, item_size, load_item, store_item
from staticpy.backends.llvm.context import NULL, Context, Rule
from staticpy.backends.llvm.copies import copy_bytes, move_bytes
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import cast
from staticpy.backends.llvm.forms import I1, I64, POINTER, Form, Native, form_of
from staticpy.backends.llvm.places import is_in_loop, required_place
from staticpy.backends.llvm.status import RAISED
from staticpy.ir import NONE, ListType, Operation, Type, Value
from staticpy.ops import constant_value, list_vector, return_

_FIRST, _FEW, _MANY = 64, 1 << 12, 1 << 20
"""For how many numbers there is room at first. From ``_FEW`` to ``_MANY`` on there is room for 16
times as many next: pages that nobody has written to take no memory, and lists of other lengths take
the same memory again. Before and after there is room for twice as many."""

_FRAME = 512
"""Up to so many bytes a list has that is part of the function's own memory."""

_LONGEST = 1 << 36
"""No list is longer; the kernel says so."""

_BYTES = Form("array", (), np.dtype(np.uint8), 1)

_TAKES = {"list.append": 1, "list.setitem": 2}
"""Where the ops that write to a list have the item."""
_READS = ("list.getitem", "list.len")
_PLACED = ("list.getitem", "list.setitem")


def item_form(items: Type) -> Form | None:
    """The form of the items of a list, if each is a number."""
    if not isinstance(items, ListType):
        return None
    form = form_of(items.item)
    return form if form.is_scalar else None


def is_own(value: Value, others: Collection[tuple[Operation, int]] = ()) -> bool:
    """Whether all that is done with a list, but for ``others``, is to append, read and set items,
    to make another such list of it, and at last to return a list of the numbers, or to sum them up.
    """
    is_of_numbers = item_form(value.type) is not None
    return is_of_numbers and all(use in others or _is_simple(value, *use) for use in value.uses)


def _is_simple(value: Value, user: Operation, place: int) -> bool:
    if _is_copied(value, user):
        return True
    if joined(user):
        return _can_join(user)
    if place != 0 or user.name not in (*_TAKES, *_READS, "list.pop", "list.repeat"):
        return False
    if user.name == "list.repeat":
        return _can_repeat(value, user)
    if user.name == "list.pop":
        return is_last(user) or is_place(user.operands[1])
    assert isinstance(value.type, ListType)
    if user.name in _TAKES and not is_item(user.operands[_TAKES[user.name]], value.type):
        return False
    return user.name not in _PLACED or is_place(user.operands[1])


def _is_copied(value: Value, user: Operation) -> bool:
    """Whether an operation gets a list that is made for it, once in a call, or a vector."""
    if user.op is list_vector:
        return True
    if user.op is return_:
        return list(user.operands).count(value) == 1
    return user.op.name in ("list.sum", "list.rows") and not is_in_loop(user)


def _can_repeat(value: Value, repeat: Operation) -> bool:
    """Whether a list that is repeated has as many items as it was made of."""
    made = value.defining_op
    is_as_made = made is not None and made.op.name == "list.make" and not _changes_length(value)
    return is_as_made and form_of(repeat.operands[1].type).kind == "int" and is_own(repeat.result)


def is_last(pop: Operation) -> bool:
    """Whether an operation takes the last item out of a list."""
    return all(constant_value(each) == -1 for each in pop.operands[1:])


def joined(operation: Operation) -> Sequence[Value]:
    """The lists that an operation makes a new one of, as they are: ``a + b``, ``a.copy()``,
    ``a[:]``; none if it does something else.
    """
    if operation.name == "list.getslice":
        is_whole = all(each.type == NONE for each in operation.operands[1:])
        return operation.operands[:1] if is_whole else ()
    return operation.operands if operation.name in ("list.concat", "list.copy") else ()


def makes_numbers(operation: Operation) -> bool:
    """Whether an operation makes a list that can be one of numbers."""
    return operation.name in ("list.make", "list.repeat") or bool(joined(operation))


def _can_join(join: Operation) -> bool:
    """Whether lists are copied to such a list that are ones themselves, for all that is known."""
    parts = joined(join)
    are_made = all(each.defining_op and makes_numbers(each.defining_op) for each in parts)
    return are_made and all(each.type == join.result.type for each in parts) and is_own(join.result)


def is_item(value: Value, items: ListType) -> bool:
    """Whether a number is one of those that a list is of."""
    form, item = form_of(value.type), form_of(items.item)
    if item.kind != "either" or form.kind != "either":
        return value.type == items.item or form in item.members
    return set(form.members) <= set(item.members)


def is_place(index: Value) -> bool:
    """Whether an index is an integer. With another one the kernel would set an item of a list that
    it gets for itself.
    """
    form = form_of(index.type)
    is_numpys = form.kind == "number" and form.dtype is not None and form.dtype.kind in "iu"
    return form.kind == "int" or is_numpys


def _grows(value: Value) -> bool:
    return any(user.op.name == "list.append" for user in value.users)


def _changes_length(value: Value) -> bool:
    return _grows(value) or any(user.op.name == "list.pop" for user in value.users)


def _make(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        value = operation.results[0]
        if not is_own(value):
            return None
        assert isinstance(value.type, ListType)
        if not all(is_item(each, value.type) for each in operation.operands):
            return None
        made = _of_length(cx, boxes, value, I64(len(operands)))
        for place, operand in enumerate(operands):
            _store(cx, made, I64(place), cx.convert(operand, value.type.item))
        return [made]

    return rule


def _repeat(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        items, count = operands
        made = operation.operands[0].defining_op
        if not _is_of_numbers(items) or made is None:
            return None
        length, times = len(made.operands), count.value
        if isinstance(times, ir.Constant):
            times = I64(max(times.constant, 0))
        else:
            is_some = cx.builder.icmp_signed(">", times, I64(0))
            times = cx.builder.select(is_some, times, I64(0))
        cx.require(cx.builder.icmp_signed("<=", times, I64(_LONGEST // max(length, 1))))
        found = _of_length(cx, boxes, operation.result, _times(cx, times, length))
        numbers = [_load(cx, items, I64(place)) for place in range(length)]
        with counted(cx.builder, I64(0), times) as turn:
            first = cx.builder.mul(turn, I64(length))
            for place, number in enumerate(numbers):
                _store(cx, found, cx.builder.add(first, I64(place)), number)
        return [found]

    return rule


def _join(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        parts = operands[: len(joined(operation))]
        if not parts or not all(map(_is_of_numbers, parts)) or not is_own(operation.result):
            return None
        lengths = [cx.builder.load(each.parts[1], typ=I64) for each in parts]
        made = _of_length(cx, boxes, operation.result, reduce(cx.builder.add, lengths))
        target = cx.builder.load(made.parts[0], typ=POINTER)
        for each, length in zip(parts, lengths, strict=True):
            target = _copy(cx, target, each, length)
        return [made]

    return rule


def _copy(cx: Context, target: ir.Value, items: Native, length: ir.Value) -> ir.Value:
    """Write the numbers of a list to memory; where they end there."""
    size = cx.builder.mul(length, I64(item_size(items.form.members[0])))
    source = cx.builder.load(items.parts[0], typ=POINTER)
    cx.builder.call(copy_bytes(cx.module), [target, source, size, I1(0)])
    return cx.at(target, size)


def _vector(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (items,) = operands
        if not _is_of_numbers(items):
            return None
        length = cx.builder.load(items.parts[1], typ=I64)
        made = cx.owned(boxes.new_array(cx, form_of(operation.result.type), [length]))
        _copy(cx, made.data, items, length)
        return [made]

    return rule


def _times(cx: Context, times: ir.Value, length: int) -> ir.Value:
    if isinstance(times, ir.Constant):
        return I64(times.constant * length)
    return cx.builder.mul(times, I64(length))


def _of_length(cx: Context, boxes: Boxes, value: Value, length: ir.Value) -> Native:
    """A list of so many numbers, which are not set yet."""
    item = item_form(value.type)
    assert item is not None
    size, slot = item_size(item), None
    data, used, room = (cx.variable(part) for part in (POINTER, I64, I64))
    known = length.constant if isinstance(length, ir.Constant) else None
    if known is not None and not _grows(value) and known * size <= _FRAME:
        cx.builder.store(cx.variable(ir.ArrayType(I64, known * size // 8 + 1)), data)
    else:
        slot = cx.new_slot()
        cx.keep(NULL, slot)  # of the last round, if it is made in a loop
        cx.builder.store(NULL, data)
        if known != 0:
            made = boxes.new_array(cx, _BYTES, [cx.builder.mul(length, I64(size))])
            cx.keep(made.value, slot)
            cx.builder.store(made.data, data)
    for variable in (used, room):
        cx.builder.store(length, variable)
    form = Form("numbers", (POINTER, POINTER, POINTER), members=(item,))
    return Native(form, (data, used, room), slot=slot)


def _is_of_numbers(items: Native) -> bool:
    return items.form.kind == "numbers"


def _append(boxes: Boxes) -> Rule:
    def rule(cx: Context, _: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
        items, item = operands
        if not _is_of_numbers(items):
            return None
        data, length, room = items.parts
        assert items.slot is not None
        size = I64(item_size(items.form.members[0]))
        used = cx.builder.load(length, typ=I64)
        is_full = cx.builder.icmp_signed("==", used, cx.builder.load(room, typ=I64))
        with cx.builder.if_then(is_full, likely=False):
            more = cx.builder.call(_grow_function(cx, boxes), [items.slot, used, size])
            cx.exit_if(cx.builder.icmp_signed("==", more, I64(0)), RAISED)
            cx.builder.store(more, room)
            array = cx.builder.load(items.slot, typ=POINTER)
            cx.builder.store(cx.builder.load(cx.at(array, DATA), typ=POINTER), data)
        _store(cx, items, used, cx.convert(item, _item_type(cx.operation)))
        cx.builder.store(cx.builder.add(used, I64(1)), length)
        return []

    return rule


def _grow_function(cx: Context, boxes: Boxes) -> ir.Function:
    """``numbers.grow(slot, count, size)``: room for more numbers of so many bytes, kept in ``slot``
    with those that are there; for how many there is room, 0 if Python has raised.
    """
    known: ir.Function | None = cx.module.globals.get("numbers.grow")
    if known is not None:
        return known
    function = ir.Function(cx.module, ir.FunctionType(I64, [POINTER, I64, I64]), "numbers.grow")
    function.linkage = "internal"
    function.attributes.add("noinline")
    slot, count, size = function.args
    with cx.inside(function):
        builder = cx.builder
        wanted = _room(builder, count)
        made = boxes.made_array(cx, _BYTES, [builder.mul(wanted, size)])
        with builder.if_then(builder.icmp_unsigned("==", made, NULL), likely=False):
            builder.ret(I64(0))
        with builder.if_then(builder.icmp_signed(">", count, I64(0))):
            old, new = (
                builder.load(cx.at(each, DATA), typ=POINTER)
                for each in (builder.load(slot, typ=POINTER), made)
            )
            copied = [new, old, builder.mul(count, size), I1(0)]
            builder.call(copy_bytes(cx.module), copied)
        cx.keep(made, slot)
        builder.ret(wanted)
    return function


def _room(builder: ir.IRBuilder, count: ir.Value) -> ir.Value:
    """For how many numbers there is room where there was some for ``count``."""
    is_between = builder.and_(
        builder.icmp_signed(">=", count, I64(_FEW)), builder.icmp_signed("<", count, I64(_MANY))
    )
    factor = builder.select(is_between, I64(16), I64(2))
    is_first = builder.icmp_signed("==", count, I64(0))
    return builder.select(is_first, I64(_FIRST), builder.mul(count, factor))


def position_in_list(cx: Context, index: Native, size: Callable[[], ir.Value]) -> ir.Value | None:
    """An index of a list of so many items, from the front. That it is in bounds is required."""
    form, position = index.form, index.value
    if form.kind == "number" and form.dtype is not None and form.dtype.kind in "iu":
        position = cast(cx.builder, position, form.dtype, np.dtype(np.int64))
    elif form.kind != "int":
        return None
    return required_place(cx, position, size())


def _place(cx: Context, items: Native, index: Native) -> ir.Value | None:
    """Which item an index is of."""
    return position_in_list(cx, index, lambda: cx.builder.load(items.parts[1], typ=I64))


def _item_type(operation: Operation) -> Type:
    """That of the items of the list that an operation is on."""
    items = operation.operands[0].type
    assert isinstance(items, ListType)
    return items.item


def _load(cx: Context, items: Native, place: ir.Value) -> Native:
    data = cx.builder.load(items.parts[0], typ=POINTER)
    return load_item(cx, items.form.members[0], data, place)


def _store(cx: Context, items: Native, place: ir.Value, item: Native) -> None:
    data = cx.builder.load(items.parts[0], typ=POINTER)
    store_item(cx, item, data, place)


def _getitem(cx: Context, _: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    items, index = operands
    place = _place(cx, items, index) if _is_of_numbers(items) else None
    return None if place is None else [_load(cx, items, place)]


def _setitem(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    items, index, item = operands
    place = _place(cx, items, index) if _is_of_numbers(items) else None
    if place is None:
        return None
    _store(cx, items, place, cx.convert(item, _item_type(operation)))
    return []


def _len(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    (items,) = operands
    if not _is_of_numbers(items):
        return None
    used = cx.builder.load(items.parts[1], typ=I64)
    return [Native(form_of(operation.results[0].type), (used,))]


def _pop(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    items = operands[0]
    if not _is_of_numbers(items):
        return None
    used = cx.builder.load(items.parts[1], typ=I64)
    last = cx.builder.sub(used, I64(1))
    if is_last(operation):
        cx.require(cx.builder.icmp_signed(">", used, I64(0)))
        cx.builder.store(last, items.parts[1])
        return [_load(cx, items, last)]
    place = _place(cx, items, operands[1])
    assert place is not None
    found, size = _load(cx, items, place), I64(item_size(items.form.members[0]))
    here = cx.at(cx.builder.load(items.parts[0], typ=POINTER), cx.builder.mul(place, size))
    rest = cx.builder.mul(cx.builder.sub(last, place), size)
    cx.builder.call(move_bytes(cx.module), [here, cx.at(here, size), rest, I1(0)])
    cx.builder.store(last, items.parts[1])
    return [found]


def _place_of(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    index, count = operands
    place = position_in_list(cx, index, lambda: count.value)
    return None if place is None else [Native(form_of(operation.results[0].type), (place,))]


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {
        "list.make": _make(boxes),
        "list.repeat": _repeat(boxes),
        "list.concat": _join(boxes),
        "list.copy": _join(boxes),
        "list.getslice": _join(boxes),
        "list.vector": _vector(boxes),
        "list.append": _append(boxes),
        "list.getitem": _getitem,
        "list.setitem": _setitem,
        "list.len": _len,
        "list.pop": _pop,
        "list.place": _place_of,
    }
