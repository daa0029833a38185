"""Lists, tuples and dicts of Python in LLVM's terms, and arrays that are made of numbers.

In: ``list.*`` and ``dict.*`` ops on one item, ``tuple.*``, ``array``. Out: reads and writes of the
objects themselves, by CPython's layout of lists and tuples and its C functions for dicts. An index
out of bounds and a key that isn't there go to the kernel, which raises. Keys are ints and strings:
comparing them runs no code of the program's, and two that are equal are one key.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import (
    CLASS,
    HEADER,
    Boxes,
    load_number,
    store_number,
    tuple_item,
)
from staticpy.backends.llvm.capi import declare_object
from staticpy.backends.llvm.carried import Carried
from staticpy.backends.llvm.context import NULL, Context, Rule
from staticpy.backends.llvm.forms import I32, I64, POINTER, Form, Native, form_of
from staticpy.backends.llvm.number_lists import is_last, position_in_list
from staticpy.backends.llvm.numbers import converted
from staticpy.backends.llvm.status import RAISED
from staticpy.ir import NONE, STR, DictType, Operation, Type

_SIZE = HEADER
"""Where lists and dicts keep the number of their items (``PyListObject``, ``PyDictObject``)."""

_ITEMS = HEADER + 8
"""Where a list keeps the address of its table of items."""


def _size(cx: Context, container: Native) -> ir.Value:
    return load_number(cx.builder, cx.at(container.value, _SIZE), I64)


def _len(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    return [Native(form_of(operation.results[0].type), (_size(cx, operands[0]),))]


# --- lists ----------------------------------------------------------------------------------------


def _place(cx: Context, items: Native, index: Native) -> ir.Value | None:
    """The address of an item in the table of a list. That the index is in bounds is required."""
    position = position_in_list(cx, index, lambda: _size(cx, items))
    if position is None:
        return None
    table = cx.builder.load(cx.at(items.value, _ITEMS), typ=POINTER)
    return cx.at(table, cx.builder.mul(position, I64(8)))


def _list_make(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    references = [cx.box(each) for each in operands]
    made = cx.call("PyList_New", I64(len(references)))
    cx.exit_if(cx.builder.icmp_unsigned("==", made, NULL), RAISED)
    if references:
        table = cx.builder.load(cx.at(made, _ITEMS), typ=POINTER)
        for place, reference in enumerate(references):
            cx.builder.store(reference, cx.at(table, 8 * place))
    return [cx.owned(Native(form_of(operation.result.type), (made,)))]


def _list_getitem(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        place = _place(cx, *operands)
        if place is None:
            return None
        reference = cx.builder.load(place, typ=POINTER)
        return [cx.shared(boxes.unbox(cx, form_of(operation.results[0].type), reference))]

    return rule


def _list_setitem(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    items, index, value = operands
    place = _place(cx, items, index)
    if place is None:
        return None
    reference = cx.box(value)
    old = cx.builder.load(place, typ=POINTER)
    cx.builder.store(reference, place)
    cx.call("Py_DecRef", old)
    return []


def _list_append(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    items, value = operands
    reference = cx.box(value)
    failed = cx.call("PyList_Append", items.value, reference)
    cx.call("Py_DecRef", reference)
    _leave_if_raised(cx, failed)
    return []


def _list_pop(boxes: Boxes) -> Rule:
    """The last item. What it is is read before it is taken out, as an int may not fit."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        items, *_ = operands
        if not is_last(operation):
            return None
        size = _size(cx, items)
        cx.require(cx.builder.icmp_signed(">", size, I64(0)))
        last = cx.builder.sub(size, I64(1))
        table = cx.builder.load(cx.at(items.value, _ITEMS), typ=POINTER)
        reference = cx.builder.load(cx.at(table, cx.builder.mul(last, I64(8))), typ=POINTER)
        form = form_of(operation.results[0].type)
        result = cx.shared(boxes.unbox(cx, form, reference))
        failed = cx.call("PyList_SetSlice", items.value, last, size, NULL)
        _leave_if_raised(cx, failed)
        return [result]

    return rule


def _leave_if_raised(cx: Context, result: ir.Value) -> None:
    """Leave the function where a C function has given a negative number."""
    cx.exit_if(cx.builder.icmp_signed("<", result, I32(0)), RAISED)


# --- tuples ---------------------------------------------------------------------------------------


def _tuple_make(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        made = boxes.tuple_of(cx, operands)
        return [cx.owned(Native(form_of(operation.results[0].type), (made,)))]

    return rule


def _tuple_items(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (items,) = operands
        class_ = cx.builder.load(cx.at(items.value, CLASS), typ=POINTER)
        is_tuple = cx.builder.icmp_unsigned("==", class_, declare_object(cx.module, "PyTuple_Type"))
        cx.require(is_tuple)  # a named one, or what stands where there is none yet, is not
        found = []
        for place, result in enumerate(operation.results):
            reference = cx.builder.load(tuple_item(cx, items.value, place), typ=POINTER)
            found.append(cx.shared(boxes.unbox(cx, form_of(result.type), reference)))
        return found

    return rule


# --- dicts ----------------------------------------------------------------------------------------


def _is_plain(type_: Type) -> bool:
    """Whether keys of this type are equal wherever their numbers or texts are."""
    return form_of(type_).is_whole or type_ == STR


def _has_form(operation: Operation) -> bool:
    dict_, key = (operand.type for operand in operation.operands[:2])
    return isinstance(dict_, DictType) and _is_plain(dict_.key) and _is_plain(key)


def _found(cx: Context, items: Native, key: Native) -> ir.Value:
    """A borrowed reference to the value of a key; NULL where there is none."""
    reference = cx.box(key)
    found = cx.call("PyDict_GetItemWithError", items.value, reference)
    cx.call("Py_DecRef", reference)
    return found


def _dict_getitem(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _has_form(operation):
            return None
        found = _found(cx, *operands)
        cx.require(cx.builder.icmp_unsigned("!=", found, NULL))
        return [cx.shared(boxes.unbox(cx, form_of(operation.results[0].type), found))]

    return rule


def _dict_get(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if not _has_form(operation):
            return None
        items, key, *default = operands
        none = Native(form_of(NONE), (declare_object(cx.module, "_Py_NoneStruct"),))
        result = Carried(cx, operation.results[0].type)
        found = _found(cx, items, key)
        value = cx.variable(POINTER)
        cx.builder.store(found, value)
        there, missing, rest = (cx.new_block() for _ in range(3))
        cx.builder.cbranch(cx.builder.icmp_unsigned("!=", found, NULL), there, missing)
        cx.go_to(there)
        native = boxes.unbox(cx, form_of(_value_type(operation)), found)
        result.set(result.prepared(native))
        cx.builder.branch(rest)
        cx.go_to(missing)
        result.set(result.prepared(default[0] if default else none))
        cx.builder.branch(rest)
        cx.go_to(rest)
        return [result.get()]

    return rule


def _value_type(operation: Operation) -> Type:
    type_ = operation.operands[0].type
    assert isinstance(type_, DictType)
    return type_.value


def _dict_contains(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    if not _has_form(operation):
        return None
    found = cx.builder.icmp_unsigned("!=", _found(cx, *operands), NULL)
    return [Native(form_of(operation.results[0].type), (found,))]


def _dict_setitem(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    if not _has_form(operation):
        return None
    items, *others = operands
    references = [cx.box(each) for each in others]
    failed = cx.call("PyDict_SetItem", items.value, *references)
    for reference in references:
        cx.call("Py_DecRef", reference)
    _leave_if_raised(cx, failed)
    return []


# --- arrays of numbers ----------------------------------------------------------------------------


def _array(boxes: Boxes) -> Rule:
    """``np.array([a, b])`` of numbers."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        form = form_of(operation.results[0].type)
        shape: tuple[int, ...] = operation.attrs["shape"]
        if form.kind != "array" or form.rank != len(shape) or not operands or form.dtype is None:
            return None
        if not all(_is_element(each.form, form.dtype) for each in operands):
            return None
        numbers = [converted(cx, each, form.dtype) for each in operands]
        made = cx.owned(boxes.new_array(cx, form, [I64(size) for size in shape]))
        for position, number in enumerate(numbers):
            place = cx.at(made.data, position * form.dtype.itemsize)
            store_number(cx.builder, number, place)
        return [made]

    return rule


def _is_element(form: Form, dtype: np.dtype) -> bool:
    """Whether a number of this form becomes an element of ``dtype`` without being cut."""
    if form.kind == "number":
        return form.dtype == dtype
    return dtype.char in {"int": "ld", "float": "d", "bool": "?", "complex": "D"}.get(form.kind, "")


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {
        "array": _array(boxes),
        "list.len": _len,
        "list.make": _list_make,
        "list.getitem": _list_getitem(boxes),
        "list.setitem": _list_setitem,
        "list.append": _list_append,
        "list.pop": _list_pop(boxes),
        "tuple.make": _tuple_make(boxes),
        "tuple.items": _tuple_items(boxes),
        "dict.len": _len,
        "dict.getitem": _dict_getitem(boxes),
        "dict.get": _dict_get(boxes),
        "dict.contains": _dict_contains,
        "dict.setitem": _dict_setitem,
    }
