"""``cumsum``, ``cumprod`` and ``np.maximum.accumulate`` in LLVM's terms.

    x: f64[n, m]    along the last axis     total = x[i, 0]; for each j > 0: total += x[i, j]
                    along the first         out[i, j] = out[i - 1, j] + x[i, j]

In: an array of real numbers, whose dtype every value of the result's holds. Out: a new array in C
order, each element that before it and one more, as NumPy does it. Along the last axis the one
before is in a register; along others rows are combined, of which LLVM makes vectors. Where NumPy's
result lies otherwise, the kernel is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.array_copies import made_or_kernel
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.choices import Choice
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.elements import (
    Emit,
    cast,
    element_rule,
    element_type,
    from_memory,
    in_memory,
    memory_type,
)
from staticpy.backends.llvm.forms import I1, I64, POINTER, Native
from staticpy.backends.llvm.layouts import in_order, is_dense
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.vectors import constant, moved
from staticpy.ir import Operation

_UFUNCS = {"cumsum": "add", "cumprod": "multiply"}
_EXTREMA = {"maximum": (">=", np.inf), "minimum": ("<=", -np.inf)}
_ACCUMULATED = ("add", "multiply", *_EXTREMA)


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rules, by op."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        name, axis = _way_of(operation)
        (array, *_), outcome = operands, Outcome(cx, boxes, operation.results[0].type)
        if name is None or array.form.kind != "array" or not array.form.rank:
            return None
        source, target = array.form.dtype, outcome.form.dtype
        if source is None or target is None or not _has_form(source, target):
            return None
        sizes, strides = array.sizes, array.strides
        is_quick = reduce(cx.builder.and_, in_order(cx.builder, sizes, strides), I1(1))
        if axis is None and array.form.rank > 1:
            is_quick = is_dense(cx.builder, sizes, strides, source.itemsize)
            sizes, strides = (reduce(cx.builder.mul, sizes),), strides[-1:]
        running = _Running(name, source, target, len(sizes), axis or 0)
        cx.warns |= running.may_warn

        def fill(made: Native) -> None:
            cx.builder.call(running.function(cx), [made.data, array.data, *sizes, *strides])

        return [made_or_kernel(boxes, cx, outcome, sizes, is_quick, fill)]

    return {"cumsum": rule, "cumprod": rule, "ufunc.method": rule}


def _way_of(operation: Operation) -> tuple[str | None, int | None]:
    """The ufunc that makes one element of two, if there is one, and the axis; None is all."""
    axis = operation.attrs.get("axis")
    if operation.op.name in _UFUNCS:
        return _UFUNCS[operation.op.name], axis
    ufunc, _, method = operation.attrs["function"].partition(".")
    is_one = method == "accumulate" and ufunc in _ACCUMULATED
    return (ufunc if is_one else None), axis or 0


def _has_form(source: np.dtype, target: np.dtype) -> bool:
    kinds = {source.kind, target.kind}
    return kinds <= set("biuf") and np.can_cast(source, target)


@dataclass(frozen=True, slots=True)
class _Running:
    """What one element of two makes, along an axis, of arrays of one kind."""

    ufunc: str
    source: np.dtype
    target: np.dtype
    rank: int
    axis: int

    @property
    def may_warn(self) -> bool:
        """Whether there are sums or products that NumPy warns of."""
        return self.target.kind == "f" and self.ufunc in ("add", "multiply")

    def function(self, cx: Context) -> ir.Function:
        """``running(target, source, *sizes, *strides)``; rows without gaps become vectors."""
        name = f"running.{self.ufunc}.{self.source.char}.{self.target.char}.{self.rank}.{self.axis}"
        type_ = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, *[I64] * (2 * self.rank)])
        function, body = cx.loop_function(name, type_)
        if body is not None:
            target, source, *rest = body.args
            builder = ir.IRBuilder(body.append_basic_block())
            sizes, (*strides, last) = rest[: self.rank], rest[self.rank :]
            loops, itemsize = _Loops(self, builder, sizes), I64(self.source.itemsize)
            with builder.if_else(builder.icmp_signed("==", last, itemsize)) as ways:
                for way, step in zip(ways, (itemsize, last), strict=True):
                    with way:
                        loops.along(0, target, source, [*strides, step])
            builder.ret_void()
        return function


class _Loops:
    """Emits the loops of one such function, one within another."""

    def __init__(self, kind: _Running, builder: ir.IRBuilder, sizes: Sequence[ir.Value]) -> None:
        self._kind, self._builder, self._sizes = kind, builder, sizes
        self._last = builder.alloca(element_type(kind.target, 1))
        steps: list[ir.Value] = [I64(kind.target.itemsize)]
        for size in reversed(sizes[1:]):
            steps.insert(0, builder.mul(steps[0], size))
        self._steps = steps

    def along(
        self,
        axis: int,
        target: ir.Value,
        source: ir.Value,
        strides: Sequence[ir.Value],
        *,
        is_first: bool = True,
    ) -> None:
        """What is at one place of the axes before ``axis``; ``is_first`` where nothing is before it
        that it is combined with.
        """
        builder = self._builder
        if axis == self._kind.rank:
            self._element(target, source, is_first=is_first)
            return
        start, size = I64(0), self._sizes[axis]
        ends = [(start, size, is_first)]
        if axis == self._kind.axis:
            is_some = builder.icmp_signed(">", size, start)
            end = builder.select(is_some, I64(1), start)
            ends = [(start, end, True), (end, size, False)]
        for first, stop, begins in ends:
            with counted(builder, first, stop) as index:
                places = (
                    moved(builder, target, index, self._steps[axis]),
                    moved(builder, source, index, strides[axis]),
                )
                self.along(axis + 1, *places, strides, is_first=begins)

    def _element(self, target: ir.Value, source: ir.Value, *, is_first: bool) -> None:
        builder, kind = self._builder, self._kind
        loaded = builder.load(source, typ=memory_type(kind.source, 1), align=1)
        value = from_memory(builder, kind.source, loaded)
        value = cast(builder, value, kind.source, kind.target)
        if not is_first:
            value = self._combined(self._before(target), value)
        if self._is_in_register:
            builder.store(value, self._last)
        builder.store(in_memory(builder, kind.target, value), target)

    def _combined(self, before: ir.Value, value: ir.Value) -> ir.Value:
        """An element and what is before it. Of two zeros NumPy's largest is the later one."""
        builder, kind = self._builder, self._kind
        if self._is_in_register and kind.target.kind == "f" and kind.ufunc in _EXTREMA:
            symbol, most = _EXTREMA[kind.ufunc]
            is_nan = builder.fcmp_unordered("uno", value, value)
            key = builder.select(is_nan, constant(value.type, most), value)
            # Nothing but this waits for the one before; no key is more than a NaN there.
            return Choice(builder, symbol, key, before).of(value, before)
        rule = element_rule(kind.ufunc, kind.target)
        assert rule is not None
        return rule(Emit(builder, kind.target), before, value)

    @property
    def _is_in_register(self) -> bool:
        """Whether the element before is the one that was computed last."""
        return self._kind.axis == self._kind.rank - 1

    def _before(self, target: ir.Value) -> ir.Value:
        builder, kind = self._builder, self._kind
        if self._is_in_register:
            return builder.load(self._last, typ=element_type(kind.target, 1))
        place = moved(builder, target, I64(-1), self._steps[kind.axis])
        loaded = builder.load(place, typ=memory_type(kind.target, 1))
        return from_memory(builder, kind.target, loaded)
