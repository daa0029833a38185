"""Lists of numbers that nobody outside of the function sees, as memory that grows.

In: ``list.make`` of an empty list to which numbers of one type are appended, and whose items are
read and set: what the rounds of a loop save for the way back, for one. Out: stores and loads; no
number becomes an object. The memory is that of a ``bytes`` object, which is kept like any other
reference, so that each exit lets go of it. An index out of bounds goes to the kernel, which gets a
list of the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import load_number, store_number
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL, RAISED, Context, Rule
from staticpy.backends.llvm.elements import cast
from staticpy.backends.llvm.forms import I64, POINTER, Form, Native, form_of, size_in_memory
from staticpy.ir import ListType, Operation, Value

_FIRST = 64
"""For how many numbers there is room at first."""

_CONTENT = 32
"""Where a ``bytes`` object keeps its content (``PyBytesObject``)."""

_TAKES = {"list.append": 1, "list.setitem": 2}
"""Where the ops that write to a list have the item."""
_READS = ("list.getitem", "list.len")


def _item_form(value: Value) -> Form | None:
    """The form of the items of a list, if each is a number in one register."""
    if not isinstance(value.type, ListType):
        return None
    form = form_of(value.type.item)
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
    item = _item_form(value)
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


def _append(cx: Context, _: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    items, item = operands
    if not _is_of_numbers(items):
        return None
    data, length, room = items.parts
    assert items.slot is not None
    size = size_in_memory(item.form)
    used = cx.builder.load(length, typ=I64)
    is_full = cx.builder.icmp_signed("==", used, cx.builder.load(room, typ=I64))
    with cx.builder.if_then(is_full, likely=False):
        more = cx.builder.call(_grow_function(cx.module), [items.slot, used, I64(size)])
        cx.exit_if(cx.builder.icmp_signed("==", more, I64(0)), RAISED)
        cx.builder.store(more, room)
        content = cx.at(cx.builder.load(items.slot, typ=POINTER), _CONTENT)
        cx.builder.store(content, data)
    place = cx.at(cx.builder.load(data, typ=POINTER), cx.builder.mul(used, I64(size)))
    store_number(cx.builder, item.value, place)
    cx.builder.store(cx.builder.add(used, I64(1)), length)
    return []


def _grow_function(module: ir.Module) -> ir.Function:
    """``numbers.grow(slot, count, size)``: room for twice as many numbers of so many bytes, kept in
    ``slot``; for how many there is room, 0 if Python has raised.
    """
    known: ir.Function | None = module.globals.get("numbers.grow")
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(I64, [POINTER, I64, I64]), "numbers.grow")
    function.linkage = "internal"
    function.attributes.add("noinline")
    slot, count, size = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    is_first = builder.icmp_signed("==", count, I64(0))
    wanted = builder.select(is_first, I64(_FIRST), builder.mul(count, I64(2)))
    length = builder.mul(wanted, size)
    with builder.if_then(is_first):
        made = builder.call(declare(module, "PyBytes_FromStringAndSize"), [NULL, length])
        builder.store(made, slot)
        failed = builder.icmp_unsigned("==", made, NULL)
        builder.ret(builder.select(failed, I64(0), wanted))
    status = builder.call(declare(module, "_PyBytes_Resize"), [slot, length])
    failed = builder.icmp_signed("!=", status, status.type(0))
    builder.ret(builder.select(failed, I64(0), wanted))
    return function


def _place(cx: Context, items: Native, index: Native) -> ir.Value | None:
    """The address of an item. That the index is in bounds is required."""
    position = index.value
    if index.form.kind == "number" and index.form.dtype is not None:
        if index.form.dtype.kind not in "iu":
            return None
        position = cast(cx.builder, position, index.form.dtype, np.dtype(np.int64))
    elif index.form.kind != "int":
        return None
    data, length, _ = items.parts
    builder = cx.builder
    used = builder.load(length, typ=I64)
    below = builder.icmp_signed("<", position, I64(0))
    position = builder.select(below, builder.add(position, used), position)
    cx.require(builder.icmp_unsigned("<", position, used))
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


RULES: dict[str, Rule] = {
    "list.make": _make,
    "list.append": _append,
    "list.getitem": _getitem,
    "list.setitem": _setitem,
    "list.len": _len,
}
