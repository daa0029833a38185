"""``x.copy()`` and ``np.zeros_like(x)`` in LLVM's terms.

In: ``copy``, ``zeros_like``. Out: a new array in C order, whose memory may be what another array
has left, and what fills it. Where it has to lie otherwise the kernel is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import Walked, copy, set_bytes
from staticpy.backends.llvm.forms import I1, I8, I64, Native, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
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
        outcome = Outcome(cx, boxes, operation.results[0].type)
        quick, slow, rest = cx.new_block("copy"), cx.new_block("kernel"), cx.new_block()
        cx.builder.cbranch(_lies_as_asked(cx, operation, array), quick, slow)
        cx.go_to(quick)
        made = boxes.new_array(cx, outcome.form, array.sizes)
        outcome.take(made.value)
        fill(cx, made, array)
        cx.builder.branch(rest)
        cx.go_to(slow)
        cx.kernel_into(outcome)
        cx.builder.branch(rest)
        cx.go_to(rest)
        return [outcome.get()]

    return rule


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


def _clear(cx: Context, made: Native, _: Native) -> None:
    length: ir.Value = I64(size_in_memory(made.form))
    for size in made.sizes:
        length = cx.builder.mul(length, size)
    cx.builder.call(set_bytes(cx.module), [made.data, I8(0), length, I1(0)])


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {"copy": _like(boxes, _copy), "zeros_like": _like(boxes, _clear)}
