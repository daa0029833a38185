"""``x[mask]`` in LLVM's terms: the elements where a mask of the same sizes says so, or the rows.

In: ``index`` with an array of bools. Out: a new array with one axis in place of those of the mask.
The mask is walked along twice, 64 elements at a time: once to count, and once to copy, bit by bit
of those that are set. Of a mask with fewer axes than the array each bit stands for a row.
Where sizes differ, or one of both doesn't lie in the order of its axes without gaps, the kernel is
called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.copies import copy_bytes
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I8, I64, POINTER, Native, size_in_memory
from staticpy.backends.llvm.layouts import is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.vectors import constant, declare_intrinsic, moved
from staticpy.ir import Operation

_AT_ONCE = 64


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rule, by its op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        if operation.attrs["spec"] != ("array",):
            return None
        array, mask = operands
        if any(each.form.kind != "array" for each in operands) or not _is_mask(mask):
            return None
        if not 0 < mask.form.rank <= array.form.rank:
            return None
        is_quick = reduce(cx.builder.and_, _checks(cx, array, mask))
        total, row = reduce(cx.builder.mul, mask.sizes), array.sizes[mask.form.rank :]
        length = cx.builder.select(is_quick, total, I64(0))
        count = cx.builder.call(_counter(cx), [mask.data, length])

        def fill(made: Native) -> None:
            itemsize = size_in_memory(array.form)
            copier = _copier(cx, None if row else itemsize)
            step = reduce(cx.builder.mul, row, I64(itemsize))
            cx.builder.call(copier, [array.data, mask.data, length, made.data, count, step])

        outcome = Outcome(cx, boxes, operation.results[0].type)
        return [made_or_kernel(boxes, cx, outcome, [count, *row], is_quick, fill)]

    return {"index": rule}


def _is_mask(mask: Native) -> bool:
    return mask.form.dtype is not None and mask.form.dtype.kind == "b"


def _checks(cx: Context, array: Native, mask: Native) -> Iterator[ir.Value]:
    yield I1(1)
    for size, wanted in zip(mask.sizes, array.sizes, strict=False):
        yield cx.builder.icmp_signed("==", size, wanted)
    for each in (array, mask):
        yield is_dense(cx.builder, each.sizes, each.strides, size_in_memory(each.form))


def _bits(builder: ir.IRBuilder, place: ir.Value) -> ir.Value:
    """One bit for each of the bools at a place."""
    bytes_ = builder.load(place, typ=ir.VectorType(I8, _AT_ONCE), align=1)
    truths = builder.icmp_unsigned("!=", bytes_, constant(bytes_.type, 0))
    return builder.bitcast(truths, I64)


def _counter(cx: Context) -> ir.Function:
    """``count(mask, length)``."""
    function, body = cx.loop_function("selected.count", ir.FunctionType(I64, [POINTER, I64]))
    if body is not None:
        builder = ir.IRBuilder(body.append_basic_block())
        mask, length = body.args
        total, whole = builder.alloca(I64), builder.and_(length, I64(-_AT_ONCE))
        builder.store(I64(0), total)
        ones = declare_intrinsic(builder.module, "llvm.ctpop", I64, 1)

        def add(number: ir.Value) -> None:
            builder.store(builder.add(builder.load(total, typ=I64), number), total)

        with counted(builder, I64(0), whole, _AT_ONCE) as index:
            add(builder.call(ones, [_bits(builder, moved(builder, mask, index, I64(1)))]))
        with counted(builder, whole, length) as index:
            add(builder.zext(_is_true(builder, mask, index), I64))
        builder.ret(builder.load(total, typ=I64))
    return function


def _is_true(builder: ir.IRBuilder, mask: ir.Value, index: ir.Value) -> ir.Value:
    byte = builder.load(moved(builder, mask, index, I64(1)), typ=I8, align=1)
    return builder.icmp_unsigned("!=", byte, I8(0))


def _copier(cx: Context, itemsize: int | None) -> ir.Function:
    """``copy(source, mask, length, target, count, step)``, of elements of one size, or of rows."""
    type_ = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, I64, POINTER, I64, I64])
    function, body = cx.loop_function(f"selected.{itemsize or 'rows'}", type_)
    if body is not None:
        _Copier(body, itemsize).emit()
    return function


class _Copier:
    """Emits one such function. Should another thread write to the mask meanwhile, so that it says
    more than were counted, these are left out.
    """

    def __init__(self, body: ir.Function, itemsize: int | None) -> None:
        self._builder = ir.IRBuilder(body.append_basic_block())
        self._source, self._mask, self._length, self._target, self._count, step = body.args
        self._itemsize = itemsize
        self._step = I64(itemsize) if itemsize else step
        self._done = self._builder.alloca(I64)
        self._left = self._builder.alloca(I64)

    def emit(self) -> None:
        """Everything."""
        builder = self._builder
        lowest = ir.FunctionType(I64, [I64, I1])
        trailing = builder.module.declared("llvm.cttz.i64", lowest)
        builder.store(I64(0), self._done)
        whole = builder.and_(self._length, I64(-_AT_ONCE))
        with counted(builder, I64(0), whole, _AT_ONCE) as start:
            builder.store(_bits(builder, moved(builder, self._mask, start, I64(1))), self._left)
            with self._while_left() as bits:
                self._copy(builder.add(start, builder.call(trailing, [bits, I1(1)])))
                rest = builder.and_(bits, builder.sub(bits, I64(1)))
                builder.store(rest, self._left)
        with counted(builder, whole, self._length) as index:
            is_one = _is_true(builder, self._mask, index)
            with builder.if_then(builder.and_(is_one, self._has_place())):
                self._copy(index)
        builder.ret_void()

    def _has_place(self) -> ir.Value:
        done = self._builder.load(self._done, typ=I64)
        return self._builder.icmp_signed("<", done, self._count)

    @contextmanager
    def _while_left(self) -> Iterator[ir.Value]:
        """What is emitted within runs as long as a bit is set."""
        builder = self._builder
        head, body, rest = (builder.append_basic_block() for _ in range(3))
        builder.branch(head)
        builder.position_at_end(head)
        bits = builder.load(self._left, typ=I64)
        is_set = builder.icmp_signed("!=", bits, I64(0))
        builder.cbranch(builder.and_(is_set, self._has_place()), body, rest)
        builder.position_at_end(body)
        yield bits
        builder.branch(head)
        builder.position_at_end(rest)

    def _copy(self, index: ir.Value) -> None:
        builder = self._builder
        done = builder.load(self._done, typ=I64)
        source = moved(builder, self._source, index, self._step)
        target = moved(builder, self._target, done, self._step)
        if self._itemsize is None:
            builder.call(copy_bytes(builder.module), [target, source, self._step, I1(0)])
        else:
            element = builder.load(source, typ=ir.IntType(8 * self._itemsize), align=1)
            builder.store(element, target, align=1)
        builder.store(builder.add(done, I64(1)), self._done)
