"""Which type a value of several types has, in LLVM's terms.

In: ``any.is`` and ``any.narrow``. Out: a comparison, and the value itself in the form of the type
that it was found to be.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.capi import declare_object
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.either import is_one, unwrapped, wrapped
from staticpy.backends.llvm.forms import I1, Native, form_of
from staticpy.ir import NONE, Operation


def _is(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native] | None:
    (operand,) = operands
    type_ = operation.attrs["type"]
    result, wanted = form_of(operation.results[0].type), form_of(type_)
    if operand.form.kind == "either" and wanted in operand.form.members:
        return [Native(result, (is_one(cx.builder, operand, wanted),))]
    if operand.form.is_scalar and operand.form.kind != "either":
        return [Native(result, (I1(operand.form == wanted),))]
    if operand.form.kind == "object" and type_ == NONE:
        none = declare_object(cx.module, "_Py_NoneStruct")
        return [Native(result, (cx.builder.icmp_unsigned("==", operand.value, none),))]
    return None


def _narrow(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (operand,) = operands
        form = form_of(operation.results[0].type)
        if operand.form == form:
            return [cx.shared(operand)]
        if form.kind == "either" and operand.form.is_scalar:
            return [wrapped(cx.builder, operand, form)]
        if operand.form.kind == "either" and form in operand.form.members:
            return [unwrapped(cx.builder, operand, form)]
        if operand.form.kind == "object" and form.kind in ("float", "bool", "number"):
            return [boxes.unbox(cx, form, operand.value)]
        return None

    return rule


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {"any.is": _is, "any.narrow": _narrow(boxes)}
