"""``np.roll`` in LLVM's terms: two moves for each row.

    x: f64[n, m]    np.roll(x, 1, axis=1)    out[i, 1:] = x[i, :-1]; out[i, :1] = x[i, -1:]

In: an array in C order, a shift, and one axis, or all elements as a row. Out: a new array. A row is
what an axis has, with those after it; the function that moves bytes is one for all arrays, and long
ones are cut into parts. Arrays that lie otherwise, and shifts along several axes, are the kernel's.

    rolled(target, source, row, first, total)       the bytes of all, of a row, and of its beginning
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import copy_bytes
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I1, I64, POINTER, Native, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.pool import emit_turns
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import load_fields, moved, store_fields
from staticpy.backends.llvm.workers import PART
from staticpy.ir import Operation

_PIECE = 1 << 15
"""How many bytes one turn moves."""

_CONTEXT = ir.LiteralStructType([POINTER, POINTER, I64, I64, I64])
"""The arguments of ``rolled``."""


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rule, by op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        array, *shifts = operands
        axes = _axes_of(operation)
        if array.form.kind != "array" or not array.form.rank or len(axes) > 1:
            return None
        if [each.form.kind for each in shifts] != ["int"]:
            return None
        builder, itemsize = cx.builder, size_in_memory(array.form)
        sizes = array.sizes if axes else [reduce(builder.mul, array.sizes)]
        axis = axes[0] if axes else 0
        step = reduce(builder.mul, sizes[axis + 1 :], I64(itemsize))
        row = builder.mul(sizes[axis], step)
        total = reduce(builder.mul, sizes[:axis], row)
        is_quick = is_dense(builder, array.sizes, array.strides, itemsize)
        is_quick = builder.and_(is_quick, builder.icmp_signed(">", total, I64(0)))

        def fill(made: Native) -> None:
            first = builder.mul(_wrapped(builder, shifts[0].value, sizes[axis]), step)
            _ROLLED.call(builder, made.data, array.data, row, first, total)

        outcome = Outcome(cx, boxes, operation.results[0].type)
        return [made_or_kernel(boxes, cx, outcome, array.sizes, is_quick, fill)]

    return {"roll": rule}


def _axes_of(operation: Operation) -> tuple[int, ...]:
    """The axes along which elements move; none if they do as in a vector."""
    axes = operation.attrs.get("axis", ())
    return axes if isinstance(axes, tuple) else (axes,)


def _wrapped(builder: ir.IRBuilder, shift: ir.Value, count: ir.Value) -> ir.Value:
    """A shift as one from 0 on, by less than there are."""
    rest = builder.srem(shift, count)
    is_negative = builder.icmp_signed("<", rest, I64(0))
    return builder.select(is_negative, builder.add(rest, count), rest)


# --- what is the same for all arrays --------------------------------------------------------------


def _define_part(module: ir.Module) -> ir.Function:
    """``part(context, begin, end)``: these pieces of the target."""
    function = ir.Function(module, PART, "part")
    function.linkage = "internal"
    context, begin, end = function.args
    entry, head, body, rest = (function.append_basic_block() for _ in range(4))
    builder = ir.IRBuilder(entry)
    target, source, row, first, total = load_fields(builder, context, _CONTEXT)
    start, stop = (builder.mul(each, I64(_PIECE)) for each in (begin, end))
    stop = _least(builder, stop, total)
    builder.branch(head)
    builder.position_at_end(head)
    place = builder.phi(I64)
    place.add_incoming(start, entry)
    builder.cbranch(builder.icmp_signed("<", place, stop), body, rest)
    builder.position_at_end(body)
    within = builder.srem(place, row)
    is_first = builder.icmp_signed("<", within, first)
    length = builder.sub(builder.select(is_first, first, row), within)
    length = _least(builder, length, builder.sub(stop, place))
    behind = builder.select(is_first, builder.sub(first, row), first)
    there = moved(builder, source, builder.sub(place, behind), I64(1))
    here = moved(builder, target, place, I64(1))
    builder.call(copy_bytes(module), [here, there, length, I1(0)])
    place.add_incoming(builder.add(place, length), builder.block)
    builder.branch(head)
    builder.position_at_end(rest)
    builder.ret_void()
    return function


def _least(builder: ir.IRBuilder, one: ir.Value, other: ir.Value) -> ir.Value:
    return builder.select(builder.icmp_signed("<", one, other), one, other)


@once
def compiled() -> Code:
    """The code of ``rolled``."""
    module = ir.Module("rolls")
    part = _define_part(module)
    function = ir.Function(module, _ROLLED.type, "rolled")
    builder = ir.IRBuilder(function.append_basic_block())
    context = builder.alloca(_CONTEXT)
    store_fields(builder, context, _CONTEXT, function.args)
    total = function.args[-1]
    pieces = builder.sdiv(builder.add(total, I64(_PIECE - 1)), I64(_PIECE))
    emit_turns(builder, part, context, pieces, total)
    builder.ret_void()
    return compile_modules([(module, Effort.RARELY)], ["rolled"])


_ROLLED = LinkedFunction(
    "rolls.rolled",
    ir.FunctionType(ir.VoidType(), _CONTEXT.elements),
    lambda: compiled().address("rolled"),
)
