"""``x.copy()`` in LLVM's terms.

In: ``copy``. Out: a new array in C order, whose memory may be what another array has left, and the
loops that fill it. Where it has to lie otherwise the kernel is called.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import Walked, copy
from staticpy.backends.llvm.forms import I1, Native
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.ir import Operation


def _copy(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (array,) = operands
        if array.form.kind != "array":
            return None
        outcome = Outcome(cx, boxes, operation.results[0].type)
        quick, slow, rest = cx.new_block("copy"), cx.new_block("kernel"), cx.new_block()
        cx.builder.cbranch(_lies_as_asked(cx, operation, array), quick, slow)
        cx.go_to(quick)
        assert array.form.dtype is not None
        made = boxes.new_array(cx, outcome.form, array.sizes)
        outcome.take(made.value)
        target, source = (Walked(each.data, each.strides) for each in (made, array))
        copy(cx, array.sizes, array.form.dtype.itemsize, target, source)
        cx.builder.branch(rest)
        cx.go_to(slow)
        cx.kernel_into(outcome)
        cx.builder.branch(rest)
        cx.go_to(rest)
        return [outcome.get()]

    return rule


def _lies_as_asked(cx: Context, operation: Operation, array: Native) -> ir.Value:
    """Whether the copy is in C order."""
    order = operation.attrs["order"]
    if order == "C" or not array.form.rank:
        return I1(1)
    if order == "F":
        return I1(0)
    assert array.form.dtype is not None
    return is_dense(cx.builder, array.sizes, array.strides, array.form.dtype.itemsize)


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {"copy": _copy(boxes)}
