"""``x.copy()``, ``np.zeros_like(x)`` and ``np.zeros(shape)`` in LLVM's terms.

In: ``copy``, ``zeros_like``, ``zeros``. Out: a new array in C order, whose memory may be what
another array has left, and what fills it: nothing where ``np.empty`` was asked for. Where it has to
lie otherwise, can't be made or is so large that memory is better left untouched until it is used,
the kernel is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import Walked, copy, set_bytes
from staticpy.backends.llvm.forms import I1, I8, I64, Native, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.recycling import LARGEST
from staticpy.ir import Operation

Fill = Callable[[Context, Native, Native], None]
"""Emits what fills an array: the new one, and that which it is like."""


def _like(boxes: Boxes, fill: Fill) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        array = operands[0]
        if array.form.kind != "array" or operation.attrs.get("shape") is not None:
            return None
        is_quick = _lies_as_asked(cx, operation, array)
        outcome = Outcome(cx, boxes, operation.results[0].type)
        made = made_or_kernel(
            boxes, cx, outcome, array.sizes, is_quick, lambda made: fill(cx, made, array)
        )
        return [of_sizes(made, array.sizes)]

    return rule


def made_or_kernel(
    boxes: Boxes,
    cx: Context,
    outcome: Outcome,
    sizes: Sequence[ir.Value],
    is_quick: ir.Value,
    fill: Callable[[Native], None],
) -> Native:
    """A new array of these sizes; where it can't be quick, the kernel's."""

    def make() -> None:
        made = boxes.new_array(cx, outcome.form, sizes)
        outcome.take(made.value)
        fill(made)

    return outcome.take_where(is_quick, make)


def of_sizes(made: Native, sizes: Sequence[ir.Value]) -> Native:
    """An array whose sizes are known, whoever has made it."""
    reference, data, *_ = made.parts
    return replace(made, parts=(reference, data, *sizes, *made.strides))


def _zeros(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        outcome = Outcome(cx, boxes, operation.results[0].type)
        dtype = outcome.form.dtype
        if outcome.form.kind != "array" or dtype is None or dtype.kind not in "biufc":
            return None
        if operation.attrs.get("order", "C") != "C" or not operation.attrs["shape"]:
            return None
        if any(each.form.kind != "int" for each in operands):
            return None
        rest = iter(operands)
        shape = operation.attrs["shape"]
        sizes = [next(rest).value if size is None else I64(size) for size in shape]
        fits = is_small(cx.builder, sizes, dtype.itemsize)
        fill = partial(_clear_if_due, cx, operation)
        made = made_or_kernel(boxes, cx, outcome, sizes, fits, fill)
        return [of_sizes(made, sizes)]

    return rule


def is_small(builder: ir.IRBuilder, sizes: Sequence[ir.Value], itemsize: int) -> ir.Value:
    """Whether an array can be made of memory that others have left."""
    fits: ir.Value = I1(1)
    length: ir.Value = I64(itemsize)
    for size in sizes:
        length = builder.mul(length, size)
        for each in (size, length):  # no product of two that are as small is beyond 64 bits
            fits = builder.and_(fits, builder.icmp_unsigned("<=", each, I64(LARGEST)))
    return fits


def _lies_as_asked(cx: Context, operation: Operation, array: Native) -> ir.Value:
    """Whether the new array is in C order."""
    order = operation.attrs.get("order", "K")
    if order == "C" or not array.form.rank:
        return I1(1)
    if order == "F":
        return I1(0)
    assert array.form.dtype is not None
    return is_dense(cx.builder, array.sizes, array.strides, array.form.dtype.itemsize)


def _copy(cx: Context, made: Native, array: Native) -> None:
    target, source = (Walked(each.data, each.strides) for each in (made, array))
    copy(cx, array.sizes, size_in_memory(array.form), target, source)


def clear(cx: Context, made: Native) -> None:
    """Let a new array hold zeros."""
    length: ir.Value = I64(size_in_memory(made.form))
    for size in made.sizes:
        length = cx.builder.mul(length, size)
    cx.builder.call(set_bytes(cx.module), [made.data, I8(0), length, I1(0)])


def _clear_if_due(cx: Context, operation: Operation, made: Native) -> None:
    """Clear an array, unless it is that of ``np.empty``. One of bools is always cleared: all code
    here takes each of them for 0 or 1.
    """
    assert made.form.dtype is not None
    if not operation.attrs.get("unset") or made.form.dtype.kind == "b":
        clear(cx, made)


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {
        "copy": _like(boxes, _copy),
        "zeros_like": _like(boxes, lambda cx, made, _: _clear_if_due(cx, cx.operation, made)),
        "zeros": _zeros(boxes),
    }
