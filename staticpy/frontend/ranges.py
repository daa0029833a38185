"""Ranges whose bounds are run-time values: their length, items, slices and comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.lower_loop import RunTimeLoops
from staticpy.frontend.values import RangeIterable
from staticpy.ir import INT, Value

_ENDLESS = 2**62

Range = range | RangeIterable


class Ranges(RunTimeLoops):
    """Computes with ranges as Python does, on their bounds alone."""

    def index_bound(self, bound: Any, node: Any) -> Any:
        raise AssertionError("defined by Counting")

    def places_of(self, items: Range, node: Any) -> tuple[Any, Callable[[Any], Any]]:
        """The length of a range, and its item at a place."""
        bounds = (items.start, items.stop, items.step)
        if items.stop is None:
            return _ENDLESS, lambda index: ops.binary(
                "+", bounds[0], ops.binary("*", index, bounds[2])
            )
        start, stop, step = (self.index_bound(bound, node) for bound in bounds)

        def item(index: Any) -> Any:
            return ops.binary("+", start, ops.binary("*", index, step))

        if isinstance(items, range):
            return len(items), item
        distance = ops.binary("-", stop, start)
        if isinstance(step, Value):  # rounded up: all but one of the last step, either way
            upward = ops.BUILTINS[int](ops.compare(">", step, 0))
            sign = ops.binary("-", ops.binary("*", 2, upward), 1)
            whole = ops.binary("-", ops.binary("+", distance, step), sign)
        else:
            whole = ops.binary("+", distance, step - 1 if step > 0 else step + 1)
        return ops.BUILTINS[max](0, ops.binary("//", whole, step)), item

    def range_length(self, items: Range, node: Any) -> Any:
        return self.places_of(items, node)[0]

    def range_item(self, items: Range, index: Any, node: Any) -> Any:
        """An item or a slice of a range."""
        length, item = self.places_of(items, node)
        if isinstance(index, slice):
            return self._range_slice(items, index, (length, item), node)
        index = self.index_value(index, node, "range")
        if isinstance(index, Value) or index < 0:
            is_negative = ops.compare("<", index, 0)
            shift = ops.binary("*", ops.BUILTINS[int](is_negative), length)
            index = ops.binary("+", index, shift)
        inside = self.both(ops.compare(">=", index, 0), ops.compare("<", index, length))
        message = "range object index out of range"
        fail = lambda: self.emit_raise("IndexError", (message,))  # noqa: E731
        self.require(ops.as_value(inside), fail)
        return item(index)

    def _range_slice(
        self, items: Range, index: slice, places: tuple[Any, Callable[[Any], Any]], node: Any
    ) -> RangeIterable:
        """What ``slice.indices`` says, as a range of these places."""
        length, item = places
        parts = [self.index_or_none(p, node) for p in (index.start, index.stop, index.step)]
        if any(isinstance(part, Value) and part.type != INT for part in parts):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="whether this bound is None")
        start, stop, step = parts
        step = 1 if step is None else step
        if isinstance(step, Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the step of a slice of a range")
        if step == 0:
            self.fails("ValueError", "slice step cannot be zero", node)
        low, high = (0, length) if step > 0 else (-1, ops.binary("-", length, 1))

        def place(part: Any, default: Any) -> Any:
            if part is None:
                return default
            is_negative = ops.BUILTINS[int](ops.compare("<", part, 0))
            counted = ops.binary("+", part, ops.binary("*", is_negative, length))
            return ops.BUILTINS[min](ops.BUILTINS[max](counted, low), high)

        first, last = (low, high) if step > 0 else (high, low)
        ends = item(place(start, first)), item(place(stop, last))
        return RangeIterable(*ends, ops.binary("*", items.step, step))

    def same_ranges(self, left: Range, right: Range, node: Any) -> Any:
        """``left == right``: whether they have the same items."""
        lengths = [self.range_length(side, node) for side in (left, right)]
        same = ops.compare("==", *lengths)
        starts = ops.compare("==", left.start, right.start)
        steps = ops.compare("==", left.step, right.step)
        alike = self.both(starts, self.either(ops.compare("<=", lengths[0], 1), steps))
        return self.both(same, self.either(ops.compare("==", lengths[0], 0), alike))
