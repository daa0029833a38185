"""Elements and views of arrays in LLVM's terms.

In: ``dim``, ``index``, ``store`` and the ops that rearrange axes. Out: loads, stores and address
arithmetic. An index out of bounds, a read-only array and whatever else NumPy refuses goes to the
kernel, which raises. Selections by arrays and writes of arrays are left to the kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from staticpy.backends.llvm.boxes import FLAGS, WRITEABLE, load_number, store_number
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.elements import cast
from staticpy.backends.llvm.forms import I32, I64, Form, Native, View, form_of
from staticpy.backends.llvm.numbers import can_convert, converted
from staticpy.ir import Operation

Demand = Callable[[ir.Value], None]
"""What is done about a condition without which an access would be wrong."""


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
    data, sizes, strides = _walk(cx, array, spec, numbers, cx.require)
    if form.is_scalar:
        return [Native(form, (load_number(cx.builder, data, form.parts[0]),))]
    if form.kind != "array" or form.rank != len(sizes):
        return None
    return [cx.new_view(form, (array.value, data, *sizes, *strides))]


def _is_basic(spec: tuple[Any, ...], numbers: Sequence[Native]) -> bool:
    """Whether an index consists of ints and slices with known steps."""
    if "array" in spec or not all(map(_is_index, numbers)):
        return False
    slices = [entry for entry in spec if isinstance(entry, tuple)]
    return all(step not in ("value", 0) for _, _, step in slices)


def can_view(sink: Operation) -> bool:
    """Whether ``viewed`` has a form."""
    if sink.op.name != "store":
        return True
    spec = sink.attrs["spec"]
    array, value, *numbers = (form_of(operand.type) for operand in sink.operands)
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
    if sink.op.name != "store":
        return array
    numbers = [cx.get(value) for value in sink.operands[2:]]
    data, sizes, strides = _walk(cx, array, sink.attrs["spec"], numbers, demand)
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
    spec: tuple[Any, ...],
    numbers: Sequence[Native],
    demand: Demand,
) -> tuple[ir.Value, list[ir.Value], list[ir.Value]]:
    """The address, sizes and strides of a view. That an index is in bounds is demanded."""
    rest = iter([_as_index(cx, each) for each in numbers])
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
            first, size, step = _slice(cx, entry, rest, size)
            sizes.append(size)
            strides.append(cx.builder.mul(stride, I64(step)) if step != 1 else stride)
        else:
            index = next(rest) if entry == "value" else I64(entry)
            first = _position(cx, index, size, demand)
        data = cx.at(data, cx.builder.mul(first, stride))
    return data, sizes, strides


def _position(cx: Context, index: ir.Value, size: ir.Value, demand: Demand) -> ir.Value:
    """An index from the front."""
    builder = cx.builder
    negative = builder.icmp_signed("<", index, I64(0))
    index = builder.select(negative, builder.add(index, size), index)
    demand(builder.icmp_unsigned("<", index, size))
    return index


def _slice(
    cx: Context,
    entry: tuple[int | str | None, int | str | None, int | str | None],
    numbers: Iterator[ir.Value],
    size: ir.Value,
) -> tuple[ir.Value, ir.Value, int]:
    """The first index, the count and the step of a slice (CPython's ``PySlice_AdjustIndices``)."""
    start, stop, step = entry
    step = 1 if step is None else step
    assert isinstance(step, int)
    builder = cx.builder
    low, high = (I64(0), size) if step > 0 else (I64(-1), builder.sub(size, I64(1)))
    first_default, last_default = (low, high) if step > 0 else (high, low)
    first = _bound(builder, start, numbers, (size, low, high), first_default)
    last = _bound(builder, stop, numbers, (size, low, high), last_default)
    if start is None and stop is None and abs(step) == 1:
        return first, size, step
    distance = builder.sub(last, first) if step > 0 else builder.sub(first, last)
    if abs(step) != 1:
        distance = builder.sdiv(builder.add(distance, I64(abs(step) - 1)), I64(abs(step)))
    count = builder.select(builder.icmp_signed(">", distance, I64(0)), distance, I64(0))
    return first, count, step


def _bound(
    builder: ir.IRBuilder,
    part: int | str | None,
    numbers: Iterator[ir.Value],
    limits: tuple[ir.Value, ir.Value, ir.Value],
    default: ir.Value,
) -> ir.Value:
    if part is None:
        return default
    size, low, high = limits
    value = next(numbers) if part == "value" else I64(part)
    negative = builder.icmp_signed("<", value, I64(0))
    value = builder.select(negative, builder.add(value, size), value)
    value = builder.select(builder.icmp_signed("<", value, low), low, value)
    return builder.select(builder.icmp_signed(">", value, high), high, value)


def _store(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    array, value, *numbers = operands
    spec: tuple[Any, ...] = operation.attrs["spec"]
    if array.form.kind != "array" or not value.form.is_scalar or not _is_basic(spec, numbers):
        return None
    if len(spec) != array.form.rank or not all(isinstance(e, int) or e == "value" for e in spec):
        return None
    assert array.form.dtype is not None
    if not can_convert(value.form, array.form.dtype):
        return None
    flags = cx.builder.load(cx.at(array.value, FLAGS), typ=I32)
    writeable = cx.builder.and_(flags, I32(WRITEABLE))
    cx.require(cx.builder.icmp_signed("!=", writeable, I32(0)))
    place, _, _ = _walk(cx, array, spec, numbers, cx.require)
    store_number(cx.builder, converted(cx, value, array.form.dtype), place)
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


RULES: dict[str, Rule] = {
    "dim": _dim,
    "index": _index,
    "store": _store,
    "transpose": _transpose,
    "unbox": _unbox,
}
