"""Functions of a module that call the BLAS: matrix by matrix, matrix by vector, vector by vector.

In: data, sizes, and strides in bytes that the BLAS can take. Out: what NumPy's functions make of
them (``matmul.c.src``): a matrix whose rows lie dense is given as it is, any other transposed.
Fortran's matrices lie column by column, so that what it computes is the transposed product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.blas import declare_blas, integer_type
from staticpy.backends.llvm.forms import I8, I64, POINTER, register_type
from staticpy.backends.llvm.vectors import constant

_STRIDED = [POINTER, I64, I64]
PRODUCT = [*[I64] * 4, *_STRIDED, *_STRIDED, POINTER]
"""``m, n, k, columns, a, its strides, b, its strides, c``."""

_AS_IT_IS, _TRANSPOSED = I8(ord("N")), I8(ord("T"))


class _Call:
    """Emits a call of one function of the BLAS, all of whose arguments are in memory."""

    def __init__(self, builder: ir.IRBuilder, dtype: np.dtype) -> None:
        self._builder = builder
        self._dtype = dtype
        self._letter = "s" if dtype.itemsize == 4 else "d"

    def place(self, value: ir.Value) -> ir.Value:
        """Where a value is."""
        place = self._builder.alloca(value.type)
        self._builder.store(value, place)
        return place

    def size(self, value: ir.Value) -> ir.Value:
        """Where a size is, or a stride in elements."""
        type_ = integer_type()
        return self.place(value if type_ == I64 else self._builder.trunc(value, type_))

    def step(self, stride: ir.Value) -> ir.Value:
        """Where a stride is, which comes in bytes."""
        return self.size(self._builder.sdiv(stride, I64(self._dtype.itemsize), flags=("exact",)))

    def number(self, number: float) -> ir.Value:
        """Where a constant is."""
        return self.place(constant(register_type(self._dtype), number))

    def call(self, name: str, *places: ir.Value) -> ir.Value:
        """The call."""
        function = declare_blas(self._builder.module, self._letter + name)
        return self._builder.call(function, places)


def defined(
    module: ir.Module,
    name: str,
    types: Sequence[ir.Type],
    result: ir.Type,
    emit: Callable[[ir.IRBuilder, Sequence[ir.Value]], None],
) -> ir.Function:
    """A function of the module, which ``emit`` defines if it isn't there yet."""
    known: ir.Function | None = module.globals.get(name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(result, types), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    emit(ir.IRBuilder(function.append_basic_block()), function.args)
    return function


def vector_product(module: ir.Module, dtype: np.dtype) -> ir.Function:
    """``f(a, step, b, step, count)``, the sum of the products."""
    number = register_type(dtype)

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        call = _Call(builder, dtype)
        a, a_step, b, b_step, count = args
        found = call.call("dot", call.size(count), a, call.step(a_step), b, call.step(b_step))
        # NumPy adds it to 0: so -0 becomes 0.
        builder.ret(builder.fadd(found, constant(number, 0)))

    return defined(module, f"dot.{dtype}", [POINTER, I64, POINTER, I64, I64], number, emit)


def matrix_vector_product(module: ir.Module, dtype: np.dtype) -> ir.Function:
    """``f(a, row stride, column stride, x, step, y, rows, columns)``, which stores to ``y``."""

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        call = _Call(builder, dtype)
        a, row, column, x, step, y, rows, columns = args
        dense = _has_rows(builder, dtype, row, column, columns)
        kind = call.place(builder.select(dense, _TRANSPOSED, _AS_IT_IS))
        sizes = builder.select(dense, columns, rows), builder.select(dense, rows, columns)
        lead = call.step(builder.select(dense, row, column))
        one, zero, next_ = call.number(1), call.number(0), call.size(I64(1))
        places = [*map(call.size, sizes), one, a, lead, x, call.step(step), zero, y, next_]
        call.call("gemv", kind, *places)
        builder.ret_void()

    types = [POINTER, I64, I64, POINTER, I64, POINTER, I64, I64]
    return defined(module, f"gemv.{dtype}", types, ir.VoidType(), emit)


def single_product(module: ir.Module, dtype: np.dtype) -> ir.Function:
    """``f(m, n, k, columns, a, its strides, b, its strides, c)``, which stores to ``c``, a part of
    a matrix of so many columns.
    """

    def emit(builder: ir.IRBuilder, args: Sequence[ir.Value]) -> None:
        call = _Call(builder, dtype)
        m, n, k, columns, a, a_row, a_column, b, b_row, b_column, c = args
        operands = []
        for data, row, column, width in ((b, b_row, b_column, n), (a, a_row, a_column, k)):
            dense = _has_rows(builder, dtype, row, column, width)
            kind = call.place(builder.select(dense, _AS_IT_IS, _TRANSPOSED))
            operands.append((kind, data, call.step(builder.select(dense, row, column))))
        kinds = [kind for kind, _, _ in operands]
        sizes = [call.size(size) for size in (n, m, k)]
        pairs = [part for _, *pair in operands for part in pair]
        call.call(
            "gemm", *kinds, *sizes, call.number(1), *pairs, call.number(0), c, call.size(columns)
        )
        builder.ret_void()

    return defined(module, f"gemm.{dtype}", PRODUCT, ir.VoidType(), emit)


def _has_rows(
    builder: ir.IRBuilder, dtype: np.dtype, row: ir.Value, column: ir.Value, columns: ir.Value
) -> ir.Value:
    """Whether rows lie dense, one after the other; else columns do."""
    item = I64(dtype.itemsize)
    dense = builder.icmp_signed("==", column, item)
    return builder.and_(dense, builder.icmp_signed(">=", row, builder.mul(columns, item)))
