"""Lists of numbers that nobody outside of the function sees, as memory that grows.

In: ``list.make`` of an empty list to which numbers of one type are appended, and whose items are
read and set: what the rounds of a loop save for the way back, for one. Out: stores and loads; no
number becomes an object. The memory is that of an ndarray, which is kept like any other reference,
so that each exit lets go of it, and taken again when it is large. An index out of bounds goes to
the kernel, which gets a list of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import DATA, Boxes, load_number, store_number
from staticpy.backends.llvm.context import NULL, Context, Rule
from staticpy.backends.llvm.copies import copy_bytes
from staticpy.backends.llvm.elements import cast
from staticpy.backends.llvm.forms import I1, I64, POINTER, Form, Native, form_of, size_in_memory
from staticpy.backends.llvm.status import RAISED
from staticpy.ir import ListType, Operation, Type, Value

_FIRST, _FEW, _MANY = 64, 1 << 12, 1 << 20
"""For how many numbers there is room at first. From ``_FEW`` to ``_MANY`` on there is room for 16
times as many next: pages that nobody has written to take no memory, and lists of other lengths take
the same memory again. Before and after there is room for twice as many."""

_BYTES = Form("array", (), np.dtype(np.uint8), 1)

_TAKES = {"list.append": 1, "list.setitem": 2}
"""Where the ops that write to a list have the item."""
_READS = ("list.getitem", "list.len")


def item_form(items: Type) -> Form | None:
    """The form of the items of a list, if each is a number in one register."""
    if not isinstance(items, ListType):
        return None
    form = form_of(items.item)
    return form if form.is_scalar and form.kind != "either" else None


def _is_own(value: Value) -> bool:
    """Whether all that is done with a list is to append, read and set items of one type."""
    assert isinstance(value.type, ListType)
    for user, place in value.uses:
        if place != 0 or user.op.name not in (*_TAKES, *_READS):
            return False
        taken = _TAKES.get(user.op.name)
        if taken is not None and user.operands[taken].type != value.type.item:
            return False
    return True


def _make(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    value = operation.results[0]
    item = item_form(value.type)
    if operands or item is None or not _is_own(value):
        return None
    data, length, room = cx.variable(POINTER), cx.variable(I64), cx.variable(I64)
    slot = cx.new_slot()
    cx.keep(NULL, slot)  # of the last round, if it is made in a loop
    for variable, start in ((data, NULL), (length, I64(0)), (room, I64(0))):
        cx.builder.store(start, variable)
    form = Form("numbers", (POINTER, POINTER, POINTER), members=(item,))
    return [Native(form, (data, length, room), slot=slot)]


def _is_of_numbers(items: Native) -> bool:
    return items.form.kind == "numbers"


def _append(boxes: Boxes) -> Rule:
    def rule(cx: Context, _: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
        items, item = operands
        if not _is_of_numbers(items):
            return None
        data, length, room = items.parts
        assert items.slot is not None
        size = I64(size_in_memory(item.form))
        used = cx.builder.load(length, typ=I64)
        is_full = cx.builder.icmp_signed("==", used, cx.builder.load(room, typ=I64))
        with cx.builder.if_then(is_full, likely=False):
            more = cx.builder.call(_grow_function(cx, boxes), [items.slot, used, size])
            cx.exit_if(cx.builder.icmp_signed("==", more, I64(0)), RAISED)
            cx.builder.store(more, room)
            array = cx.builder.load(items.slot, typ=POINTER)
            cx.builder.store(cx.builder.load(cx.at(array, DATA), typ=POINTER), data)
        place = cx.at(cx.builder.load(data, typ=POINTER), cx.builder.mul(used, size))
        store_number(cx.builder, item.value, place)
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
    count = size()
    below = cx.builder.icmp_signed("<", position, I64(0))
    position = cx.builder.select(below, cx.builder.add(position, count), position)
    cx.require(cx.builder.icmp_unsigned("<", position, count))
    return position


def _place(cx: Context, items: Native, index: Native) -> ir.Value | None:
    """The address of an item."""
    data, length, _ = items.parts
    position = position_in_list(cx, index, lambda: cx.builder.load(length, typ=I64))
    if position is None:
        return None
    size = I64(size_in_memory(items.form.members[0]))
    return cx.at(cx.builder.load(data, typ=POINTER), cx.builder.mul(position, size))


def _getitem(cx: Context, _: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    items, index = operands
    place = _place(cx, items, index) if _is_of_numbers(items) else None
    if place is None:
        return None
    (form,) = items.form.members
    return [Native(form, (load_number(cx.builder, place, form.parts[0]),))]


def _setitem(cx: Context, _: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    items, index, item = operands
    place = _place(cx, items, index) if _is_of_numbers(items) else None
    if place is None:
        return None
    store_number(cx.builder, item.value, place)
    return []


def _len(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    (items,) = operands
    if not _is_of_numbers(items):
        return None
    used = cx.builder.load(items.parts[1], typ=I64)
    return [Native(form_of(operation.results[0].type), (used,))]


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {
        "list.make": _make,
        "list.append": _append(boxes),
        "list.getitem": _getitem,
        "list.setitem": _setitem,
        "list.len": _len,
    }
