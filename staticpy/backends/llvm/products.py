"""Products of matrices and vectors in LLVM's terms: calls of the BLAS, as NumPy would call it.

In: ``matmul``, ``dot``, ``inner`` and ``vdot`` of arrays of floats. Out: the same call of the same
function that NumPy makes, without its way there: a transposed operand is a flag. What NumPy
computes in another way goes to the kernel, which raises where sizes don't fit: sizes of 0 and 1,
strides that the BLAS can't take, and ``x @ x.T``, of which NumPy computes one half. A product that
``np.einsum`` was written for goes there, too, where its result would not lie in C order.

    a: f32[b, m, k], b: f32[b, k, n]        for each b: sgemm
    a: f32[m, k],    b: f32[k]              sgemv
    a: f32[k],       b: f32[k]              sdot
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import NULL, Context, Rule
from staticpy.backends.llvm.forms import I1, I64, POINTER, Form, Native, form_of
from staticpy.backends.llvm.gemm import defined, matrix_vector_product, vector_product
from staticpy.backends.llvm.layouts import in_order, is_upwards, sums_in_order
from staticpy.backends.llvm.lock import without_lock
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.packed_matrices import emit_packed
from staticpy.backends.llvm.stack_axes import axes_table
from staticpy.backends.llvm.stacks import STACK
from staticpy.backends.llvm.status import CLEAR_FLAGS, KEEP_FLAGS
from staticpy.ir import Operation, Value, walk
from staticpy.ops import einsum_matmul

_EINSUM = einsum_matmul.name

PRODUCTS = ("matmul", "dot", "inner", "vdot", _EINSUM)
"""The ops."""

_LONG = 1 << 18
"""For products of more multiplications than these the lock of the interpreter is released."""


_NOTHING = (NULL, NULL, NULL, I1(0))
"""That nothing follows a product."""

_LARGE = 1024
"""From so many elements on of each matrix what follows is done to one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """An operand: one matrix for each index of the axes before the last two.

    ``sizes`` and ``strides`` are those of all axes, in bytes; a vector is one row or column.
    """

    data: ir.Value
    sizes: tuple[ir.Value, ...]
    strides: tuple[ir.Value, ...]

    @property
    def transposed(self) -> Matrices:
        """Each matrix transposed."""
        (*outer, m, n), (*outer_strides, dm, dn) = self.sizes, self.strides
        return Matrices(self.data, (*outer, n, m), (*outer_strides, dn, dm))


def product_rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules of the ops that multiply matrices."""
    return {name: partial(_product, boxes) for name in PRODUCTS}


def _product(
    boxes: Boxes, cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    left, right = operands
    if not _has_form(operation, left.form, right.form):
        return None
    lowering = ProductLowering(boxes, cx, operation, left, right)
    return [lowering.lower()]


def has_product_form(operation: Operation) -> bool:
    """Whether an operation is a product of matrices that the BLAS computes."""
    if operation.op.name not in PRODUCTS:
        return False
    forms = [form_of(value.type) for value in operation.operands]
    return all(each.rank > 1 for each in forms) and _has_form(operation, *forms)


def shows_flags(product: Operation) -> bool:
    """Whether NumPy looks at the flags of floats; it doesn't at those of vdot, and einsum."""
    return product.op.name not in ("vdot", _EINSUM)


def products_by_one_matrix(loop: Operation) -> list[Operation]:
    """The products in a loop whose matrix on the right is there before, the same in all rounds."""
    inside = [each for region in loop.regions for each in walk(region.block)]
    regions = [*loop.regions, *(region for each in inside for region in each.regions)]
    made: set[Value] = {value for each in inside for value in each.results}
    made.update(argument for region in regions for argument in region.block.args)
    products = [each for each in inside if has_product_form(each)]
    return [
        each
        for each in products
        if form_of(each.operands[1].type).rank == 2 and each.operands[1] not in made
    ]


def _has_form(operation: Operation, left: Form, right: Form) -> bool:
    forms, name = (left, right), operation.op.name
    if any(form.kind != "array" or not form.is_float for form in forms):
        return False
    if left.dtype != right.dtype:
        return False
    ranks = left.rank, right.rank
    if name == "vdot":
        return ranks == (1, 1)
    if name == _EINSUM and "axes" in operation.attrs:
        return False
    return ranks in _RANKS or (name in ("matmul", _EINSUM) and min(ranks) >= 2)


_RANKS = ((1, 1), (1, 2), (2, 1), (2, 2))
"""Those of which all functions give the same."""


class ProductLowering:
    """One product. What is emitted for two arrays is two functions of the module: one gives an
    array, or NULL where the kernel has to be asked, the other fills it.
    """

    def __init__(
        self, boxes: Boxes, cx: Context, operation: Operation, left: Native, right: Native
    ) -> None:
        assert left.form.dtype is not None
        self._boxes = boxes
        self._cx = cx
        self._operation = operation
        self._dtype: np.dtype = left.form.dtype
        self._forms = left.form, right.form
        self._ranks = left.form.rank, right.form.rank
        self._parts = [*left.parts[1:], *right.parts[1:]]
        self._take(left, right)

    def _take(self, left: Native, right: Native) -> None:
        self._left = _matrices(left, is_row=True)
        self._right = _matrices(right, is_row=False)
        if self._operation.op.name == "inner" and right.form.rank == 2:
            self._right = self._right.transposed

    def lower(self) -> Native:
        """The product, of the BLAS where NumPy asks it, else of the kernel."""
        if form_of(self._operation.results[0].type).is_scalar:
            return self._number()
        made, is_begun = self.begin()
        with self._cx.builder.if_then(is_begun, likely=True):
            self.finish(made.data)
        return made

    def begin(self) -> tuple[Native, ir.Value]:
        """The array of the product, and whether it is still to be computed: by ``finish``. If not,
        the kernel has made it.
        """
        cx, output = self._cx, Outcome(self._cx, self._boxes, self._operation.results[0].type)
        cx.warns |= self._shows_flags

        def emit(builder: ir.IRBuilder, _: Sequence[ir.Value]) -> None:
            fits = reduce(builder.and_, self._conditions())
            with builder.if_then(builder.not_(fits), likely=False):
                builder.ret(NULL)
            builder.ret(self._array(output.form))

        made = cx.builder.call(self._function("begun", [], POINTER, emit), self._parts)
        output.take(made)
        is_begun = cx.builder.icmp_unsigned("!=", made, NULL)
        with cx.builder.if_then(cx.builder.not_(is_begun), likely=False):
            cx.kernel_into(output)
        return output.get(), is_begun

    def finish(self, data: ir.Value, follow: Sequence[ir.Value] = _NOTHING) -> None:
        """Compute the product that was begun, and do to each part of it what follows: ``loops,
        table, shape``, see ``parts``, and whether these take rows as a whole.
        """

        def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
            self._compute(args[0], args[1:])
            builder.ret_void()

        types = [*[POINTER] * 2, *(each.type for each in _NOTHING)]
        function = self._function("finish", types, ir.VoidType(), emit)
        with self._keeping_flags():
            self._cx.builder.call(function, [*self._parts, data, self._packed(), *follow])

    @contextmanager
    def _keeping_flags(self) -> Iterator[None]:
        """Within, a product sets flags. If NumPy doesn't look at its own nobody may see them; where
        all can be run again the twin warns of what there is, and not of them.
        """
        is_hidden = not self._shows_flags and not self._cx.can_run_again
        self._cx.sets_flags |= not (self._shows_flags or is_hidden)
        if is_hidden:
            self._cx.around_kernel(KEEP_FLAGS)
        yield
        if is_hidden:
            self._cx.around_kernel(CLEAR_FLAGS)

    def _packed(self) -> ir.Value:
        """The matrix on the right as a loop keeps it, or NULL."""
        slot = self._cx.packed.get(self._operation)
        if slot is None:
            return NULL

        def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
            sizes = self._left.sizes[-2], self._right.sizes[-1], self._left.sizes[-1]
            right = self._right.data, *self._right.strides
            emit_packed(self._cx, self._boxes, self._dtype, sizes, right, args[0])

        function = self._function("packed", [POINTER], POINTER, emit)
        return self._cx.builder.call(function, [*self._parts, slot])

    def is_large(self) -> ir.Value:
        """Whether what follows is worth a call for each matrix."""
        builder = self._cx.builder
        size = builder.mul(self._left.sizes[-2], self._right.sizes[-1])
        return builder.icmp_signed(">=", size, I64(_LARGE))

    def _number(self) -> Native:
        """The product of two vectors."""
        cx, output = self._cx, Outcome(self._cx, self._boxes, self._operation.results[0].type)
        cx.warns |= self._shows_flags
        fits = reduce(cx.builder.and_, self._conditions())
        return output.take_where(fits, lambda: output.take_parts((self._vectors(),)))

    def _function(
        self,
        name: str,
        more: Sequence[ir.Type],
        result: ir.Type,
        emit: Callable[[ir.IRBuilder, Sequence[ir.Value]], None],
    ) -> ir.Function:
        """A function of the parts of both arrays, and of more; ``emit`` is given these alone."""
        cx, forms = self._cx, self._forms
        ranks = ".".join(map(str, self._ranks))
        full = f"{self._operation.op.name}.{self._dtype}.{ranks}.{name}"
        types = [type_ for each in forms for type_ in each.parts[1:]]

        def define(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
            outside = cx.builder, self._left, self._right
            cx.builder = builder
            count, total = len(forms[0].parts) - 1, len(types)
            given = ((NULL, *args[:count]), (NULL, *args[count:total]))
            self._take(
                *(Native(each, tuple(parts)) for each, parts in zip(forms, given, strict=True))
            )
            emit(builder, args[total:])
            cx.builder, self._left, self._right = outside

        return defined(cx.module, full, [*types, *more], result, define)

    # --- what must hold ---------------------------------------------------------------------------

    def _conditions(self) -> Iterator[ir.Value]:
        builder = self._cx.builder
        (*outer, m, k), (*other_outer, deep, n) = self._left.sizes, self._right.sizes
        yield builder.icmp_signed("==", k, deep)
        if self._ranks == (1, 1):
            yield builder.icmp_signed(">", k, I64(0))
            yield from (self._is_step(each) for each in self._steps())
            return
        long = [k] + [m] * (self._ranks[0] > 1) + [n] * (self._ranks[1] > 1)
        yield from (builder.icmp_signed(">", size, I64(1)) for size in long)
        left_step, right_step = self._steps()
        yield self._is_step(left_step) if self._ranks[0] == 1 else self._is_matrix(self._left)
        yield self._is_step(right_step) if self._ranks[1] == 1 else self._is_matrix(self._right)
        if self._operation.op.name == _EINSUM:
            yield from self._lies_in_order()
        elif min(self._ranks) > 1:
            yield builder.icmp_unsigned("!=", self._left.data, self._right.data)
        for one, other in zip(reversed(outer), reversed(other_outer), strict=False):
            ones = [builder.icmp_signed("==", size, I64(1)) for size in (one, other)]
            same = builder.icmp_signed("==", one, other)
            yield builder.or_(same, builder.or_(*ones))
        for each in (self._left, self._right):
            yield from (builder.icmp_signed(">", size, I64(0)) for size in each.sizes[:-2])
            yield from in_order(builder, each.sizes[:-2], each.strides[:-2])

    def _lies_in_order(self) -> Iterator[ir.Value]:
        """What must hold so that the result of ``np.einsum`` is in C order."""
        left, right = self._left, self._right.transposed
        for each in (left, right):
            yield from is_upwards(self._cx.builder, each.strides)
        yield from sums_in_order(
            self._cx.builder, [(each.sizes, each.strides) for each in (left, right)]
        )

    def _steps(self) -> tuple[ir.Value, ir.Value]:
        """From element to element of what is multiplied and summed."""
        return self._left.strides[-1], self._right.strides[-2]

    def _is_step(self, stride: ir.Value) -> ir.Value:
        """Whether NumPy gives the BLAS vectors with such steps."""
        forward = self._cx.builder.icmp_signed(">", stride, I64(0))
        return self._cx.builder.and_(forward, self._is_multiple(stride))

    def _is_multiple(self, stride: ir.Value) -> ir.Value:
        rest = self._cx.builder.and_(stride, I64(self._dtype.itemsize - 1))
        return self._cx.builder.icmp_signed("==", rest, I64(0))

    def _is_matrix(self, matrices: Matrices) -> ir.Value:
        """Whether the BLAS can take the matrices, as they are or transposed."""
        turned = self._has_rows(matrices.transposed)
        return self._cx.builder.or_(self._has_rows(matrices), turned)

    def _has_rows(self, matrices: Matrices) -> ir.Value:
        builder, item = self._cx.builder, I64(self._dtype.itemsize)
        dense = builder.icmp_signed("==", matrices.strides[-1], item)
        row = builder.mul(matrices.sizes[-1], item)
        long = builder.icmp_signed(">=", matrices.strides[-2], row)
        return builder.and_(builder.and_(dense, long), self._is_multiple(matrices.strides[-2]))

    # --- the call ---------------------------------------------------------------------------------

    @property
    def _shows_flags(self) -> bool:
        return shows_flags(self._operation)

    def _vectors(self) -> ir.Value:
        cx = self._cx
        if not self._shows_flags:
            cx.around_kernel(KEEP_FLAGS)
        function = vector_product(cx.module, self._dtype)
        steps, count = self._steps(), self._left.sizes[-1]
        arguments = [self._left.data, steps[0], self._right.data, steps[1], count]
        found = cx.builder.call(function, arguments)
        if not self._shows_flags:
            cx.around_kernel(CLEAR_FLAGS)
        return found

    def _array(self, form: Form) -> ir.Value:
        """A new array for the product. Where there is no memory for it the kernel says so."""
        cx, builder = self._cx, self._cx.builder
        m, n = self._left.sizes[-2], self._right.sizes[-1]
        inner = [m] * (self._ranks[0] > 1) + [n] * (self._ranks[1] > 1)
        made = self._boxes.made_array(cx, form, [*self._outer_sizes(), *inner])
        with builder.if_then(builder.icmp_unsigned("==", made, NULL), likely=False):
            cx.call("PyErr_Clear")
        return made

    def _compute(self, data: ir.Value, follow: Sequence[ir.Value]) -> None:
        """Compute the product, without the lock of the interpreter where it takes long."""
        builder = self._cx.builder
        sizes = [*self._outer_sizes(), *self._left.sizes[-2:], self._right.sizes[-1]]
        work = reduce(builder.mul, sizes)
        with without_lock(builder, builder.icmp_signed(">", work, I64(_LONG))):
            if min(self._ranks) > 1:
                self._products(data, follow)
            else:
                self._vector(data)

    def _vector(self, made: ir.Value) -> None:
        """A matrix and a vector; the vector may come first."""
        is_first = self._ranks[0] == 1
        matrix, vector = (
            (self._right.transposed, self._left.transposed)
            if is_first
            else (self._left, self._right)
        )
        function = matrix_vector_product(self._cx.module, self._dtype)
        arguments = [matrix.data, *matrix.strides, vector.data, vector.strides[0], made]
        self._cx.builder.call(function, [*arguments, *matrix.sizes])

    def _outer_sizes(self) -> list[ir.Value]:
        builder = self._cx.builder
        outer: list[ir.Value] = []
        shapes = [each.sizes[-3::-1] for each in (self._left, self._right)]
        for axis in range(max(map(len, shapes))):
            sizes = [shape[axis] for shape in shapes if axis < len(shape)]
            is_one = builder.icmp_signed("==", sizes[0], I64(1))
            outer.insert(0, builder.select(is_one, sizes[-1], sizes[0]))
        return outer

    def _products(self, made: ir.Value, follow: Sequence[ir.Value]) -> None:
        builder, outer = self._cx.builder, self._outer_sizes()
        both = (self._left, self._right)
        axes = axes_table(builder, outer, *(self._outer_strides(each, len(outer)) for each in both))
        arguments = [I64(self._dtype.itemsize), self._left.sizes[-2], self._right.sizes[-1]]
        arguments.append(self._left.sizes[-1])
        for each in both:
            arguments += [each.data, *each.strides[-2:]]
        STACK.call(builder, *arguments, made, *follow, *axes)

    def _outer_strides(self, each: Matrices, count: int) -> list[ir.Value]:
        """Of all outer axes of the product, from matrix to matrix: 0 where an operand has one."""
        builder = self._cx.builder
        known = [
            builder.select(builder.icmp_signed("==", size, I64(1)), I64(0), stride)
            for size, stride in zip(each.sizes[:-2], each.strides[:-2], strict=True)
        ]
        return [I64(0)] * (count - len(known)) + known


def _matrices(native: Native, *, is_row: bool) -> Matrices:
    sizes, strides = native.sizes, native.strides
    if native.form.rank > 1:
        return Matrices(native.data, sizes, strides)
    zero = I64(0)
    if is_row:
        return Matrices(native.data, (I64(1), *sizes), (zero, *strides))
    return Matrices(native.data, (*sizes, I64(1)), (*strides, zero))
