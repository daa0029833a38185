"""A value that is computed in one of two ways, by native code or by a kernel.

In: on each way what it is. Out: what it is where the ways meet: of an array its ndarray, of which
the data, sizes and strides are read there, once for both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import POINTER, Native, form_of
from staticpy.ir import Type


class Outcome:
    """An array or a number."""

    def __init__(self, cx: Context, boxes: Boxes, type_: Type) -> None:
        self._cx = cx
        self._boxes = boxes
        self.form = form_of(type_)
        self._slot = None if self.form.is_scalar else cx.new_slot()
        self._variables = [cx.variable(part) for part in self.form.parts if self._slot is None]

    def take(self, reference: ir.Value) -> None:
        """It is what this new reference is to; NULL says that it isn't known yet."""
        cx = self._cx
        if self._slot is not None:
            cx.keep(reference, self._slot)
            return
        self.take_parts(self._boxes.unbox_number(cx, self.form, reference).parts)

    def take_parts(self, parts: tuple[ir.Value, ...]) -> None:
        """It is a number, with these parts."""
        for part, variable in zip(parts, self._variables, strict=True):
            self._cx.builder.store(part, variable)

    def take_where(self, condition: ir.Value, take: Callable[[], None]) -> Native:
        """It is what ``take`` lets it be where a condition holds, as mostly, else what the kernel
        of the current operation gives.
        """
        cx = self._cx
        quick, slow, rest = cx.new_block("made"), cx.new_block("kernel"), cx.new_block()
        cx.builder.cbranch(condition, quick, slow).set_weights([1 << 20, 1])
        cx.go_to(quick)
        take()
        cx.builder.branch(rest)
        cx.go_to(slow)
        cx.kernel_into(self)
        cx.builder.branch(rest)
        cx.go_to(rest)
        return self.get()

    def get(self) -> Native:
        """The value, where the ways have met."""
        builder = self._cx.builder
        if self._slot is None:
            pairs = zip(self.form.parts, self._variables, strict=True)
            return Native(self.form, tuple(builder.load(place, typ=part) for part, place in pairs))
        reference = builder.load(self._slot, typ=POINTER)
        return replace(self._boxes.unbox(self._cx, self.form, reference), slot=self._slot)
