"""``x.reshape(sizes)`` and ``x.ravel()`` in LLVM's terms.

In: ``reshape``, ``ravel``. Out: of an array in C order a view of it, in C order as well; as a
vector in the order of its memory (``"K"``) one in Fortran's order is a view, too. What lies
otherwise, which may have to be copied, is empty or can't have these sizes goes to the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import is_small, of_sizes
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.forms import I1, I64, Native
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.ir import Operation


def _reshape(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        array, *numbers = operands
        outcome = Outcome(cx, boxes, operation.results[0].type)
        is_of_arrays = array.form.kind == outcome.form.kind == "array" and array.form.rank > 0
        is_plain = operation.attrs.get("order", "C") == "C" and "copy" not in operation.attrs
        if not (is_of_arrays and is_plain) or any(each.form.kind != "int" for each in numbers):
            return None
        assert array.form.dtype is not None
        itemsize = array.form.dtype.itemsize
        sizes, fits = _sizes(cx.builder, operation.attrs["shape"], array, numbers)
        for condition in (
            is_dense(cx.builder, array.sizes, array.strides, itemsize),
            is_small(cx.builder, sizes, itemsize),
        ):
            fits = cx.builder.and_(fits, condition)

        def make() -> None:
            strides: list[ir.Value] = [I64(itemsize)]
            for size in reversed(sizes[1:]):
                strides.insert(0, cx.builder.mul(strides[0], size))
            parts = (array.value, array.data, *sizes, *strides[: len(sizes)])
            outcome.take(boxes.new_view(cx, Native(outcome.form, parts)))

        return [of_sizes(outcome.take_where(fits, make), sizes)]

    return rule


def _sizes(
    builder: ir.IRBuilder, shape: Sequence[int | None], array: Native, numbers: Sequence[Native]
) -> tuple[list[ir.Value], ir.Value]:
    """The sizes that are asked for, and whether as many elements as there are have them; there is
    one at least.
    """
    total = reduce(builder.mul, array.sizes)
    given = iter(numbers)
    sizes = [next(given).value if size is None else I64(size) for size in shape]
    fits = builder.icmp_signed("!=", total, I64(0))
    if -1 not in shape:
        wanted = reduce(builder.mul, sizes, I64(1))
        return sizes, builder.and_(fits, builder.icmp_signed("==", wanted, total))
    place = shape.index(-1)
    wanted = reduce(builder.mul, (*sizes[:place], *sizes[place + 1 :]), I64(1))
    is_some = builder.icmp_signed(">", wanted, I64(0))
    divisor = builder.select(is_some, wanted, I64(1))
    sizes[place] = builder.sdiv(total, divisor)
    is_whole = builder.icmp_signed("==", builder.mul(sizes[place], divisor), total)
    return sizes, reduce(builder.and_, [fits, is_some, is_whole], I1(1))


def _ravel(boxes: Boxes) -> Rule:
    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        (array,) = operands
        order = operation.attrs.get("order", "C")
        if array.form.kind != "array" or not array.form.rank or order not in "CK":
            return None
        assert array.form.dtype is not None
        outcome, itemsize = Outcome(cx, boxes, operation.results[0].type), array.form.dtype.itemsize
        fits = is_dense(cx.builder, array.sizes, array.strides, itemsize)
        if order == "K" and array.form.rank > 1:
            mirrored = is_dense(cx.builder, array.sizes[::-1], array.strides[::-1], itemsize)
            fits = cx.builder.or_(fits, mirrored)
        total = reduce(cx.builder.mul, array.sizes)
        fits = cx.builder.and_(fits, cx.builder.icmp_signed("!=", total, I64(0)))

        def make() -> None:
            parts = (array.value, array.data, total, I64(itemsize))
            outcome.take(boxes.new_view(cx, Native(outcome.form, parts)))

        return [of_sizes(outcome.take_where(fits, make), [total])]

    return rule


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""
    return {"reshape": _reshape(boxes), "ravel": _ravel(boxes)}
