"""Products whose elements are read by one cluster alone: computed with its loops, part by part.

In: the product, and the loops of the cluster. Out: both are done. The array of the product is there
before, so that the cluster can look at its sizes. Each part of the product, as a thread computes
it, is walked along by the loops while it is in the cache of its processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import I1, POINTER
from staticpy.backends.llvm.layouts import are_apart, extent
from staticpy.backends.llvm.parts import Shape
from staticpy.backends.llvm.products import ProductLowering
from staticpy.ir import Operation


class Head:
    """One product, which begins when this is made."""

    def __init__(self, cx: Context, boxes: Boxes, operation: Operation) -> None:
        self._cx = cx
        self._operands = [cx.get(value) for value in operation.operands]
        self._lowering = ProductLowering(boxes, cx, operation, *self._operands)
        self._made, self._is_begun = self._lowering.begin()
        cx.set(operation.result, self._made)

    @property
    def sizes(self) -> tuple[ir.Value, ...]:
        """The sizes of the product."""
        return self._made.sizes

    def is_apart(self, written: tuple[ir.Value, ir.Value]) -> ir.Value:
        """Whether no operand, of which each part reads, is where the loops write."""
        builder, apart = self._cx.builder, I1(1)
        for each in self._operands:
            assert each.form.dtype is not None
            itemsize = each.form.dtype.itemsize
            read = extent(builder, each.data, each.sizes, each.strides, itemsize)
            apart = builder.and_(apart, are_apart(builder, written, read))
        return apart

    def finish(self) -> None:
        """Compute the product alone."""
        with self._cx.builder.if_then(self._is_begun):
            self._lowering.finish(self._made.data)

    @contextmanager
    def finished(
        self,
        loops: ir.Function,
        table: ir.Value,
        shape: Shape,
        fits: ir.Value,
        *,
        keeps_rows: bool,
    ) -> Iterator[None]:
        """What is emitted within does the loops where they aren't done with the product: it isn't
        large, it is there already, or what is known of the arrays doesn't fit.
        """
        builder = self._cx.builder
        fits = builder.and_(fits, self._lowering.is_large())
        with builder.if_then(self._is_begun, likely=True):
            chosen = builder.select(fits, builder.bitcast(loops, POINTER), NULL)
            follow = [chosen, table, shape.constant(builder.module), I1(keeps_rows)]
            self._lowering.finish(self._made.data, follow)
        with builder.if_then(builder.not_(builder.and_(self._is_begun, fits))):
            yield
