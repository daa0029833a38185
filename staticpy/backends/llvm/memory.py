"""Elements and views of arrays in LLVM's terms.

In: ``dim``, ``index``, ``store`` and the ops that rearrange axes. Out: loads, stores and address
arithmetic. An index out of bounds, a read-only array and whatever else NumPy refuses goes to the
kernel, which raises. Selections by arrays and writes of arrays are left to the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import (
    as_checked,
    can_be_written,
    element_address,
    in_row,
    is_one_element,
    is_writeable,
)
from staticpy.backends.llvm.boxes import load_number, store_number
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.elements import cast
from staticpy.backends.llvm.forms import I64, Form, Native, View, form_of
from staticpy.backends.llvm.numbers import as_element, can_convert
from staticpy.backends.llvm.places import from_front, required_place
from staticpy.backends.llvm.slices import Demand, slice_of
from staticpy.backends.llvm.steady import steady_element
from staticpy.ir import Operation
from staticpy.passes import FIRST_INDEX, is_masked


def _dim(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    if operands[0].form.kind != "array":
        return None
    size = operands[0].sizes[operation.attrs["axis"]]
    return [Native(form_of(operation.results[0].type), (size,))]


# --- elements and slices --------------------------------------------------------------------------


def _index(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    array, *numbers = operands
    spec: tuple[Any, ...] = operation.attrs["spec"]
    form = form_of(operation.results[0].type)
    if array.form.kind != "array" or not _is_basic(spec, numbers):
        return None
    steady = steady_element(cx, operation)
    if steady is not None:
        return [steady]
    access = cx.checked.get(operation)
    if access is not None:
        array = as_checked(array, access)
    handed = None if cx.handed_on is None else cx.handed_on.read(operation)
    if handed is not None:
        return [Native(form, (handed,))]
    if access is not None and access.entries is not None:
        data = element_address(cx, access, array)
        return [Native(form, (load_number(cx.builder, data, form.parts[0]),))]
    if form.is_scalar and array.form.rank and cx.new_arrays.get(operation.operands[0]):
        array = in_row(array)
    data, sizes, strides = _walk(cx, array, operation, numbers)
    if form.is_scalar:
        return [Native(form, (load_number(cx.builder, data, form.parts[0]),))]
    if form.kind != "array" or form.rank != len(sizes):
        return None
    return [cx.new_view(form, (array.value, data, *sizes, *strides))]


def _is_basic(spec: tuple[Any, ...], numbers: Sequence[Native]) -> bool:
    """Whether an index consists of ints and slices."""
    if "array" in spec or not all(map(_is_index, numbers)):
        return False
    return all(entry[2] != 0 for entry in spec if isinstance(entry, tuple))


def can_view(sink: Operation) -> bool:
    """Whether ``viewed`` has a form."""
    array, value, *numbers = (form_of(operand.type) for operand in sink.operands)
    if sink.op.name != "store":
        return value.rank <= array.rank
    if is_masked(sink):
        return True
    spec = sink.attrs["spec"]
    kept = [entry for entry in spec if entry in ("newaxis", "ellipsis")]
    taken = sum(not isinstance(entry, tuple) for entry in spec) - len(kept)
    if value.rank > array.rank - taken + kept.count("newaxis"):
        return False  # NumPy drops leading axes of size 1
    return _is_basic(spec, [Native(form, ()) for form in numbers])


def viewed(cx: Context, sink: Operation, demand: Demand) -> Native:
    """The part of an array that ``x[...] = v`` or ``x += v`` writes to, where what is demanded
    holds.
    """
    array = cx.get(sink.operands[0])
    if sink.op.name != "store" or is_masked(sink):
        return array
    numbers = [cx.get(value) for value in sink.operands[2:]]
    data, sizes, strides = _walk(cx, array, sink, numbers, demand)
    form = Form("array", (), array.form.dtype, len(sizes))
    return Native(form, (array.value, data, *sizes, *strides), view=View(cx.builder.block))


def _is_index(number: Native) -> bool:
    """Whether an operand is an integer of at most 64 bits with a sign, or fewer without."""
    dtype = number.form.dtype
    if number.form.kind == "int":
        return True
    return (
        number.form.kind == "number"
        and dtype is not None
        and dtype.kind in "iu"
        and dtype.char not in "LQ"
    )


def _as_index(cx: Context, number: Native) -> ir.Value:
    if number.form.dtype is None:
        return number.value
    return cast(cx.builder, number.value, number.form.dtype, np.dtype(np.int64))


def _walk(
    cx: Context,
    array: Native,
    operation: Operation,
    numbers: Sequence[Native],
    demand: Demand | None = None,
) -> tuple[ir.Value, list[ir.Value], list[ir.Value]]:
    """The address, sizes and strides of a view. That an index is in bounds is demanded; required
    if nothing is said.
    """
    spec: tuple[Any, ...] = operation.attrs["spec"]
    rest = iter([_as_index(cx, each) for each in numbers])
    values = iter(operation.operands[FIRST_INDEX[operation.op.name] :])
    data, axis = array.data, 0
    sizes: list[ir.Value] = []
    strides: list[ir.Value] = []
    taken = sum(entry not in ("newaxis", "ellipsis") for entry in spec)
    entries = list(spec) if "ellipsis" in spec else [*spec, "ellipsis"]
    for entry in entries:
        if entry == "newaxis":
            sizes.append(I64(1))
            strides.append(I64(0))
            continue
        if entry == "ellipsis":
            stop = axis + array.form.rank - taken
            sizes += array.sizes[axis:stop]
            strides += array.strides[axis:stop]
            axis = stop
            continue
        size, stride = array.sizes[axis], array.strides[axis]
        axis += 1
        if isinstance(entry, tuple):
            parts = [next(rest) if part == "value" else part for part in entry]
            values = islice(values, entry.count("value"), None)
            first, size, step = slice_of(cx.builder, parts, size, demand or cx.require)
            sizes.append(size)
            strides.append(stride if step is None else cx.builder.mul(stride, step))
        elif entry == "value":
            is_from_front = cx.is_not_negative(next(values), operation)
            first = _position(cx, next(rest), size, demand, is_from_front=is_from_front)
        else:
            first = _position(cx, I64(entry), size, demand)
        data = cx.at(data, cx.builder.mul(first, stride))
    return data, sizes, strides


def _position(
    cx: Context,
    index: ir.Value,
    size: ir.Value,
    demand: Demand | None,
    *,
    is_from_front: bool = False,
) -> ir.Value:
    """An index from the front. One that is known to be one is compared as an int with a sign: so
    LLVM sees where a condition of the program has asked the same.
    """
    builder = cx.builder
    if is_from_front:
        (demand or cx.require)(builder.icmp_signed("<", index, size))
        return index
    if demand is None:
        return required_place(cx, index, size)
    place = from_front(builder, index, size)
    demand(builder.icmp_unsigned("<", place, size))
    return place


def stored(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``x[i] = v``."""
    array, value, *numbers = operands
    spec: tuple[Any, ...] = operation.attrs["spec"]
    if not is_one_element(spec, array.form) or not value.form.is_scalar:
        return None
    if not _is_basic(spec, numbers):
        return None
    dtype = array.form.dtype
    assert dtype is not None
    if not can_convert(value.form, dtype):
        return None
    access = cx.checked.get(operation)
    if access is not None:
        array = as_checked(array, access)
    if access is not None and access.entries is not None:
        place = element_address(cx, access, array)
        number = as_element(cx, value, dtype)
        store_number(cx.builder, number, place)
        if cx.handed_on is not None:
            cx.handed_on.written(operation, number)
        return ()
    if not can_be_written(cx, operation.operands[0]):
        cx.require(is_writeable(cx, array))
    if array.form.rank and cx.new_arrays.get(operation.operands[0]):
        array = in_row(array)
    place, _, _ = _walk(cx, array, operation, numbers)
    store_number(cx.builder, as_element(cx, value, dtype), place)
    return ()


# --- axes -----------------------------------------------------------------------------------------


def _transpose(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    (array,) = operands
    if array.form.kind != "array":
        return None
    axes = operation.attrs.get("axes") or tuple(reversed(range(array.form.rank)))
    sizes = [array.sizes[axis] for axis in axes]
    strides = [array.strides[axis] for axis in axes]
    form = form_of(operation.results[0].type)
    return [cx.new_view(form, (array.value, array.data, *sizes, *strides))]


def _unbox(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    form = form_of(operation.results[0].type)
    if operands[0].form.kind != "array" or not form.is_scalar:
        return None
    return [Native(form, (load_number(cx.builder, operands[0].data, form.parts[0]),))]


# --- parts of complex numbers ---------------------------------------------------------------------


def _part(place: int) -> Rule:
    """``x.real``, or ``x.imag``, of complex numbers; of others it isn't always a view."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (array,) = operands
        form = form_of(operation.results[0].type)
        if array.form.kind != "array" or not array.form.is_complex or form.dtype is None:
            return None
        data = cx.at(array.data, I64(place * form.dtype.itemsize))
        return [cx.new_view(form, (array.value, data, *array.sizes, *array.strides))]

    return rule


RULES: dict[str, Rule] = {
    "dim": _dim,
    "imag": _part(1),
    "index": _index,
    "real": _part(0),
    "store": stored,
    "transpose": _transpose,
    "unbox": _unbox,
}
