"""Clusters in LLVM's terms: sizes, memory for the outputs, and a call of the loops.

In: a Cluster whose inputs are there. Out: its outputs. The loops run where all arrays have the
sizes of the domain, or are stretched to them, and lie in the order of its axes, or all in the
reverse one (see ``mirrored``), so that NumPy's results would lie in that order, too. Elsewhere the
kernels are called one by one, which raise what there is to raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir, layouts
from staticpy.backends.llvm.boxes import Boxes, load_number
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.copies import Walked, copy, fill
from staticpy.backends.llvm.elements import memory_type
from staticpy.backends.llvm.epilogues import Head
from staticpy.backends.llvm.exponents import is_no_root
from staticpy.backends.llvm.forms import I1, I64, register_type
from staticpy.backends.llvm.gathers import Tables
from staticpy.backends.llvm.loops import Loops
from staticpy.backends.llvm.members import (
    depends_on_direction,
    dtype_of,
    made_of,
    operands_of,
    work_of,
)
from staticpy.backends.llvm.mirrored import Mirror, may_be_mirrored
from staticpy.backends.llvm.numbers import converted
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.parts import LONG, LOOPS, Shape, run_long, words_of
from staticpy.backends.llvm.reduced_rows import reduction_checks
from staticpy.backends.llvm.targets import Targets, is_copy
from staticpy.ir import UNKNOWN, Dim, PythonType, TensorType, Value, dims_of
from staticpy.ops import Effect, broadcast
from staticpy.passes import (
    Cluster,
    Schedule,
    effects_by_op,
    is_accumulation,
    is_reduction,
    is_row_gather,
    reduced_axes,
)

_TOGETHER, _TOGETHER_REDUCED, _TOGETHER_WRITTEN = 1 << 8, 1 << 7, 1 << 12
"""How many elements of a row one thread has at least where rows are cut: of any rows, of as many as
are reduced, one after the other, and of such that are written as well.
"""


def lower_cluster(
    cx: Context, cluster: Cluster, name: str, boxes: Boxes, head: Head | None = None
) -> None:
    """Compute the outputs of ``cluster``, and the product that is its head, which has begun."""
    _Lowering(cx, cluster, name, boxes, head).lower()


class _Lowering:
    def __init__(
        self, cx: Context, cluster: Cluster, name: str, boxes: Boxes, head: Head | None
    ) -> None:
        self._cx = cx
        self._head = head
        self._cluster = cluster
        cluster.expect(cx.hints)
        self._schedule = Schedule(cluster)
        self._name = name
        self._boxes = boxes
        self._rank = len(cluster.domain)
        inputs = [each for each in cluster.inputs if self._is_read(each)]
        self._written = [each for each in inputs if each in cluster.firsts]
        inputs = [each for each in inputs if each not in cluster.firsts]
        self._arrays = [v for v in inputs if isinstance(v.type, TensorType) and dims_of(v.type)]
        self._numbers = {
            value: self._dtype_of_number(value) for value in inputs if value not in self._arrays
        }
        self._tables = Tables(cx, cluster)
        self._checks: list[ir.Value] = []

    def _dtype_of_number(self, value: Value) -> np.dtype:
        """In which dtype the loops get a number: one of Python's comes in that of the target."""
        if isinstance(value.type, PythonType):
            sinks = [sink for sink in self._cluster.sinks if sink.operands[1] is value]
            value = sinks[0].operands[0]
        return dtype_of(value)

    def _number_given(self, value: Value) -> ir.Value:
        """An input that is a number; one may come in an array without axes."""
        native, dtype = self._cx.get(value), self._numbers[value]
        if native.form.kind == "array":
            return load_number(self._cx.builder, native.data, register_type(dtype))
        return converted(self._cx, native, dtype)

    def _is_read(self, value: Value) -> bool:
        """Whether the loops read an input."""
        members = self._cluster.operations
        if any(value in each.operands for each in members if is_row_gather(each)):
            return True
        read = (each for member in members for each in operands_of(member))
        return any(self._cluster.written(each) is value for each in read)

    def lower(self) -> None:
        """Emit everything."""
        cx, cluster = self._cx, self._cluster
        for operation in cluster.operations:
            cx.warns |= Effect.WARNS in effects_by_op(operation)
        outputs = [Outcome(cx, self._boxes, value.type) for value in cluster.outputs]
        for sink in cluster.sinks:
            for result in sink.results:  # of ``x += y``: x itself
                cx.set(result, cx.shared(cx.get(sink.operands[0])))
        self._targets = Targets(cx, self._boxes, cluster, self._checks.append)
        sizes = [self._size(axis) for axis in range(self._rank)]
        every = [self._walked(value, sizes) for value in (*self._arrays, *self._written)]
        self._mirror = self._mirrored(every, sizes)
        sizes = self._mirror.turned(sizes)
        every = [self._mirror.walked(each) for each in every]
        self._targets.turn(self._mirror)
        walked = every[: len(self._arrays)]
        read = dict(zip(self._arrays, walked, strict=True))
        self._targets.check(sizes, read, list(self._numbers))
        self._check_order(every, sizes)
        self._checks += self._tables.checks(sizes)
        for operation in cluster.operations:
            if operation.op.name == "power":
                exponent = self._schedule.source(operation.operands[1])
                if exponent in self._arrays or exponent in self._numbers:
                    self._checks += is_no_root(cx.builder, cx.get(exponent))
        pairs = list(read.items())
        self._checks += reduction_checks(cx.builder, self._schedule, cluster, pairs, sizes)
        self._check_made(sizes)
        fits = reduce(cx.builder.and_, self._checks, I1(1))
        quick, slow, rest = cx.new_block("loops"), cx.new_block("one_by_one"), cx.new_block()
        self._slow = slow
        cx.builder.cbranch(fits, quick, slow).set_weights([1 << 20, 1])
        cx.go_to(quick)
        if is_copy(cluster):
            self._run_copy(sizes, walked)
        else:
            self._run(sizes, walked, outputs)
        cx.builder.branch(rest)
        cx.go_to(slow)
        if self._head is not None:
            self._head.finish()
        cx.together(cluster.operations, cluster.outputs, outputs)
        cx.builder.branch(rest)
        cx.go_to(rest)
        for value, output in zip(cluster.outputs, outputs, strict=True):
            cx.set(value, output.get())

    # --- sizes and strides ------------------------------------------------------------------------

    def _axes(self, value: Value) -> Iterator[tuple[int, int, Dim]]:
        """For each axis of an array the axis of the domain, its own, and its size: of those of the
        domain the last ones, or what has been left when others were reduced.
        """
        dims = dims_of(value.type)
        axes = list(range(self._rank - len(dims), self._rank))
        reduced = self._reduced_axes(value) if self._cluster.makes(value) else ()
        if reduced and len(dims) < self._rank:
            axes = [axis for axis in range(self._rank) if axis not in reduced]
        for own, (axis, dim) in enumerate(zip(axes, dims, strict=True)):
            yield axis, own, dim

    def _along(self, axis: int, arrays: Iterable[Value]) -> Iterator[tuple[Value, int, Dim]]:
        """The arrays with an axis of the domain that isn't of size 1, their own, and its size."""
        for value in arrays:
            for place, own, dim in self._axes(value):
                if place == axis and dim != 1:
                    yield value, own, dim

    def _size(self, axis: int) -> ir.Value:
        """The size of an axis of the domain; of sinks alone, that of their targets."""
        cx, dim = self._cx, self._cluster.domain[axis]
        if len(self._cluster.sinks) == len(self._cluster.operations):
            return next(iter(self._targets)).native.sizes[axis]
        if isinstance(dim, int):
            return I64(dim)
        candidates = list(self._along(axis, (*self._arrays, *self._written)))
        for table in self._tables.of_rows:
            if axis == self._rank - 1:
                return cx.get(table).sizes[1]
        for value, own, known in candidates:
            if known == dim and (dim != UNKNOWN or not self._cluster.is_stretchable(value)):
                return cx.get(value).sizes[own]
        for target in self._targets:
            if not self._cluster.is_written_last:
                return target.native.sizes[axis]
        size: ir.Value = I64(1)
        for value, own, _ in candidates:
            is_one = cx.builder.icmp_signed("==", size, I64(1))
            size = cx.builder.select(is_one, cx.get(value).sizes[own], size)
        return size

    def _walked(self, value: Value, sizes: Sequence[ir.Value]) -> Walked:
        cx, native = self._cx, self._cx.get(value)
        builder = cx.builder
        strides: list[ir.Value] = [I64(0)] * self._rank
        is_stretchable = self._cluster.is_stretchable(value)
        for axis, own, dim in self._axes(value):
            wanted = self._cluster.domain[axis]
            size, stride = native.sizes[own], native.strides[own]
            if dim == 1:
                if wanted != 1 and not is_stretchable:
                    self._checks.append(builder.icmp_signed("==", sizes[axis], I64(1)))
                continue
            strides[axis] = stride
            if value in self._cluster.columns and axis == self._rank - 1:
                self._checks.append(builder.icmp_signed("==", size, I64(1)))
                strides[axis] = I64(0)
                continue
            if dim == wanted and dim != UNKNOWN:
                continue
            same = builder.icmp_signed("==", size, sizes[axis])
            if is_stretchable:
                one = builder.icmp_signed("==", size, I64(1))
                strides[axis] = builder.select(same, stride, I64(0))
                same = builder.or_(same, one)
            self._checks.append(same)
        domain, itemsize = self._cluster.domain, dtype_of(value).itemsize
        return Walked(native.data, layouts.without_ones(builder, sizes, strides, domain, itemsize))

    def _mirrored(self, walked: Sequence[Walked], sizes: Sequence[ir.Value]) -> Mirror:
        """Whether the axes are walked along in the reverse order."""
        cluster, arrays = self._cluster, (*self._arrays, *self._written)
        pairs = zip(arrays, walked, strict=True)
        whole = [array for value, array in pairs if dims_of(value.type) == cluster.domain]
        whole += [target.walked for target in self._targets]
        may_be = whole and self._head is None
        if may_be and may_be_mirrored(cluster, arrays, self._laid_out(), self._leaves):
            return Mirror.of(self._cx.builder, sizes, whole)
        return Mirror(self._cx.builder)

    def _check_order(self, walked: Sequence[Walked], sizes: Sequence[ir.Value]) -> None:
        """NumPy lets its results lie as its operands do: here in the order of the axes. That is so
        if all do, or one that is as large as the result: of ``x + x.T`` it is ``x``. What is
        computed of complex numbers backwards may have roundings of its own.
        """
        builder, arrays = self._cx.builder, (*self._arrays, *self._written)
        ordered: dict[Value, ir.Value] = {}
        decides: dict[Value, ir.Value] = {}
        for value, array in zip(arrays, walked, strict=True):
            own = [(axis, dim) for axis, _, dim in self._axes(value) if dim != 1]
            steps = [array.strides[axis] for axis, _ in own]
            told = layouts.told_sizes(builder, [(sizes[axis], dim) for axis, dim in own], steps)
            ordered[value] = reduce(builder.and_, layouts.in_order(builder, told, steps), I1(1))
            if dims_of(value.type) == self._cluster.domain and UNKNOWN not in self._cluster.domain:
                moves = (builder.icmp_signed("!=", step, I64(0)) for step in array.strides)
                decides[value] = reduce(builder.and_, moves, ordered[value])
            if any(map(depends_on_direction, self._cluster.operations)):
                self._checks += layouts.is_upwards(builder, array.strides)
        if len(decides) < 2 or len(self._cluster.domain) < 2:
            self._checks += ordered.values()
            return
        for made, whole in dict.fromkeys(map(self._leaves, self._laid_out())):
            every = reduce(builder.and_, (ordered[each] for each in made), I1(1))
            one = (decides[each] for each in whole if each in decides)
            self._checks.append(reduce(builder.or_, one, every))

    def _leaves(self, value: Value) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """The arrays that a value is made of, and those of them that are no part of a reduction."""
        arrays, source = (*self._arrays, *self._written), self._schedule.source
        every, whole = (
            made_of(value, arrays, self._cluster, source, along_rows=is_whole)
            for is_whole in (False, True)
        )
        return tuple(every), tuple(whole)

    def _laid_out(self) -> Iterator[Value]:
        """The values of which can be seen how NumPy lets them lie: by who reads them, by the order
        in which they are reduced, and, as it writes what is computed of them to them if they are
        large and nobody else has them, by that.
        """
        for operation in self._cluster.operations:
            yield from operation.operands[1:] if operation in self._cluster.sinks else ()
            if is_reduction(operation) or is_accumulation(operation):
                yield operation.operands[0]
            elif operation.op is not broadcast:
                yield from operation.results

    def _check_made(self, sizes: Sequence[ir.Value]) -> None:
        """Where only the run knows a size of the domain, what is reduced or given out may be
        shorter than what else is computed: one of the arrays that it is made of has to be as long.
        """
        builder = self._cx.builder
        reducing = [each.operands[0] for walk in self._schedule.walks for each in walk.reducing]
        for value in (*self._cluster.outputs, *reducing):
            unknown = [axis for axis, _, dim in self._axes(value) if dim == UNKNOWN]
            for axis in unknown:
                arrays = self._made_of(value, axis)
                if len(arrays) == len(self._arrays) + len(self._written):
                    continue
                own = [self._cx.get(each).sizes[own] for each, own, _ in self._along(axis, arrays)]
                as_long = [builder.icmp_signed("==", size, sizes[axis]) for size in (*own, I64(1))]
                self._checks.append(reduce(builder.or_, as_long))

    def _made_of(self, value: Value, axis: int) -> list[Value]:
        """The arrays by which a value is as long as it is along an axis."""
        is_row = axis >= self._rank - self._cluster.row_axes
        source = self._schedule.source
        arrays = *self._arrays, *self._written
        return made_of(value, arrays, self._cluster, source, along_rows=is_row)

    # --- the loops --------------------------------------------------------------------------------

    def _run(
        self,
        sizes: list[ir.Value],
        walked: Sequence[Walked],
        outputs: Sequence[Outcome],
    ) -> None:
        cx = self._cx
        pairs = zip(self._cluster.outputs, outputs, strict=True)
        places = [self._allocate(value, sizes, output) for value, output in pairs]
        written = self._targets.written(sizes)
        domain = self._flattened(sizes, [*walked, *written])
        arrays = [*walked, *places, *written]
        shape = self._shape([*self._arrays, *self._cluster.outputs])
        table = self._table(shape, domain, arrays)
        loops = self._loops([*self._arrays, *self._cluster.outputs])
        is_dense = self._is_dense(walked, domain)
        with self._alone(sizes, loops, table, shape, is_dense), self._tables.watched(self._slow):
            quick = cx.builder.and_(self._is_short(domain, shape), is_dense)
            with cx.builder.if_else(quick, likely=True) as (then, otherwise):
                with then:
                    cx.builder.call(loops, [table])
                with otherwise:
                    is_done = run_long(cx.builder, loops, table, shape)
                    with cx.builder.if_then(cx.builder.not_(is_done), likely=False):
                        cx.builder.branch(self._slow)
        self._targets.write_back(sizes, written)
        for place, output in zip(places, outputs, strict=True):
            if output.form.is_scalar:
                output.take_parts((cx.builder.load(place.data, typ=output.form.parts[0]),))

    def _alone(
        self,
        sizes: Sequence[ir.Value],
        loops: ir.Function,
        table: ir.Value,
        shape: Shape,
        fits: ir.Value,
    ) -> AbstractContextManager[None]:
        """Where the loops aren't done together with the product that is the head."""
        if self._head is None:
            return nullcontext()
        for each in self._targets.extents:
            fits = self._cx.builder.and_(fits, self._head.is_apart(each))
        for size, own in zip(sizes, self._head.sizes, strict=True):  # it isn't stretched
            is_whole = self._cx.builder.icmp_signed("==", size, own)
            fits = self._cx.builder.and_(fits, is_whole)
        keeps_rows = bool(self._cluster.rows)
        return self._head.finished(loops, table, shape, fits, keeps_rows=keeps_rows)

    def _run_copy(self, sizes: list[ir.Value], walked: Sequence[Walked]) -> None:
        """``x[...] = y`` where rows have gaps, element by element; a number is stretched."""
        cx, (target,) = self._cx, self._targets
        with cx.builder.if_else(self._targets.is_direct) as (then, otherwise):
            with then:
                for array in walked:
                    copy(cx, sizes, target.itemsize, target.walked, array)
                for value, dtype in self._numbers.items():
                    number = self._number_given(value)
                    if dtype.kind == "b":
                        number = cx.builder.zext(number, memory_type(dtype, 1))
                    fill(cx, sizes, target.walked, number)
            with otherwise:
                self._run(sizes, walked, [])

    def _table(
        self, shape: Shape, domain: Sequence[ir.Value], arrays: Sequence[Walked]
    ) -> ir.Value:
        """What the loops are given."""
        cx = self._cx
        parts = [part for each in arrays for part in (each.data, *each.strides)]
        numbers = [self._number_given(value) for value in self._numbers]
        table, place = cx.variable(ir.ArrayType(I64, shape.words)), 0
        for part in (*domain, *parts, *numbers, *self._tables.parts()):
            cx.builder.store(part, cx.at(table, 8 * place), align=8)
            place += words_of(part.type)
        return table

    def _shape(self, values: Sequence[Value]) -> Shape:
        """What is to be known of the table by those who don't know the cluster. Of one number for
        each row, and of what is written, rows are as they are.
        """
        cluster = self._cluster
        itemsizes = [
            0 if cluster.is_constant_along_row(value) else dtype_of(value).itemsize
            for value in self._arrays
        ]
        others = len(values) - len(itemsizes) + len(self._targets)
        return Shape(
            self._rank,
            cluster.row_axes,
            (*itemsizes, *[0] * others),
            sum(words_of(register_type(dtype)) for dtype in self._numbers.values())
            + self._tables.words,
            cluster.parallel_axes,
            work=len(values) + sum(map(work_of, cluster.operations)),
            together=self._together,
        )

    @property
    def _together(self) -> int:
        """How many elements of a row one thread has at least where rows are cut."""
        cluster = self._cluster
        if len(cluster.parallel_axes) == self._rank:
            return _TOGETHER
        writes = self._targets or not all(map(cluster.is_accumulated, cluster.outputs))
        return _TOGETHER_WRITTEN if writes else _TOGETHER_REDUCED

    def _is_short(self, domain: Sequence[ir.Value], shape: Shape) -> ir.Value:
        """Whether the loops take no longer than is worth a look at it."""
        total = reduce(self._cx.builder.mul, domain)
        limit = min(LONG, shape.limit) if shape.axes else LONG
        return self._cx.builder.icmp_signed("<=", total, I64(limit))

    def _loops(self, values: Sequence[Value]) -> ir.Function:
        """The function of the loops over these arrays."""
        cx = self._cx
        Loops(cx.loop_module, self._name, self._cluster, values, self._numbers)
        return ir.Function(cx.module, LOOPS, self._name)

    def _allocate(self, value: Value, sizes: Sequence[ir.Value], output: Outcome) -> Walked:
        """Memory for an output, as the loops see it; a number has no ndarray."""
        cx, form = self._cx, output.form
        if form.is_scalar:
            return Walked(cx.variable(form.parts[0]), [I64(0)] * self._rank)
        reduced = self._reduced_axes(value)
        keeps = form.rank == self._rank
        wanted = [I64(1) if n in reduced else size for n, size in enumerate(sizes)]
        if not keeps:
            wanted = [size for n, size in enumerate(sizes) if n not in reduced]
        wanted = self._mirror.turned(wanted)
        native = self._boxes.new_array(cx, form, wanted, self._mirror.is_on)
        output.take(native.value)
        own = iter(self._mirror.turned(native.strides))
        strides = [next(own) if keeps or n not in reduced else I64(0) for n in range(self._rank)]
        return Walked(
            native.data, [I64(0) if n in reduced else each for n, each in enumerate(strides)]
        )

    def _reduced_axes(self, value: Value) -> Sequence[int]:
        """The axes of the domain that an output doesn't have."""
        if self._cluster.is_row_value(value):
            return range(self._rank)[-self._cluster.row_axes :]
        assert value.defining_op is not None
        return reduced_axes(value.defining_op) if self._cluster.is_accumulated(value) else ()

    def _flattened(self, sizes: list[ir.Value], walked: Sequence[Walked]) -> Sequence[ir.Value]:
        """The sizes of the walk: one long row where all arrays are without gaps."""
        builder = self._cx.builder
        cluster = self._cluster
        is_whole = all(
            len(dims) == self._rank
            and all(dim != 1 or size == 1 for dim, size in zip(dims, cluster.domain, strict=True))
            for dims in (dims_of(value.type) for value in self._arrays)
        )
        is_split = bool(cluster.rows or cluster.accumulations or self._head)
        if self._rank == 1 or is_split or not is_whole:
            return sizes
        without_gaps: ir.Value = I1(1)
        for array in walked:
            for axis in range(self._rank - 1):
                next_ = builder.mul(array.strides[axis + 1], sizes[axis + 1])
                same = builder.icmp_signed("==", array.strides[axis], next_)
                without_gaps = builder.and_(without_gaps, same)
        flat = [I64(1)] * self._rank
        flat[-cluster.row_axes] = reduce(builder.mul, sizes)  # after it there are ones alone
        pairs = zip(flat, sizes, strict=True)
        return [builder.select(without_gaps, *pair) for pair in pairs]

    def _is_dense(self, walked: Sequence[Walked], sizes: Sequence[ir.Value]) -> ir.Value:
        builder, count, dense = self._cx.builder, self._cluster.row_axes, I1(1)
        for value, array in zip(self._arrays, walked, strict=True):
            if not self._cluster.is_constant_along_row(value):
                rows = sizes[-count:], array.strides[-count:], dtype_of(value).itemsize
                dense = builder.and_(dense, layouts.is_dense(builder, *rows))
        return dense
