"""Reverse mode through what writes to memory and reads parts of it, by way of its shadow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable, writes
from staticpy.autodiff.boxes import add_to, add_to_array, by_member, is_number
from staticpy.autodiff.cotangents import as_cotangent, conjugated, widest, with_sizes, zero, zero_in
from staticpy.autodiff.held import takes_last
from staticpy.autodiff.moves import exception_of
from staticpy.autodiff.overwriting import OverwritingReverse, summed
from staticpy.autodiff.refusals import CHANGES_OTHERS
from staticpy.autodiff.views import source_of
from staticpy.ir import (
    INT,
    Block,
    ListType,
    Operation,
    Region,
    TensorType,
    Value,
    accepts,
    dims_of,
    members_of,
)
from staticpy.ops import COPIED, REGISTRY, Traced, trace, untrace


class MemoryReverse(OverwritingReverse):
    """Reverse mode of memory that has shadows."""

    def memory_operation(self, operation: Operation, given: list[Any]) -> bool:
        """Pull back through an operation on memory that has a shadow; False if it is none."""
        if operation in self.shadows.moved:
            self.take_back(operation)
            return True
        if exception_of(operation) is not None:
            return True
        if operation in self.shadows.read:
            self._of_items(operation, given[0])
            return True
        if operation in self.shadows.asked:
            self._of_a_copy(operation)
            return True
        target = operation.operands[0] if operation.operands else None
        shadow = None if target is None else self.shadows.of.get(target)
        rule: Callable[..., None] | None = self._RULES.get(operation.name)
        if shadow is not None and rule is not None:
            rule(self, operation, shadow, given[0] if given else None)
            return True
        if operation.name == "list.make":
            self._make(operation, given[0])
            return True
        is_array = target is not None and isinstance(target.type, TensorType)
        if is_array and writes(operation) and not is_differentiable(target.type):  # type: ignore[union-attr]
            return rule is not None  # an array of ints, say, which nothing flows through
        if operation in self.shadows.changing:
            self.refuse(operation, CHANGES_OTHERS)
        is_view = bool(operation.results) and operation.results[0] in self.shadows.of
        return is_view and given[0] is None

    # --- arrays -----------------------------------------------------------------------------------

    def _of_a_copy(self, operation: Operation) -> None:
        """Where an operation has given a copy and no view, what has flown to that flows on."""
        base, source = operation.operands[0], source_of(operation)
        with self.builder.region() as then:
            self.builder.emit(ops.region_yield)
        with self.builder.region() as orelse:
            flowing = self.by_rule(source, [conjugated(Traced(self.shadows.of[operation.result]))])
            part = flowing[source.operands.index(base)]
            is_stretched = self.shadows.is_stretched(base)
            add_to(self.shadows.of[base], part, base.type, is_stretched=is_stretched)
            self.builder.emit(ops.region_yield)
        is_shared = self.shadows.asked[operation]
        self.builder.emit(ops.if_, [is_shared], {}, [then, orelse])

    def _index(self, operation: Operation, shadow: Value, g: Any) -> None:
        """A read adds to its part of the shadow."""
        if g is None:
            return
        more, attrs = self._index_of(operation, 1), operation.attrs
        added = _value(conjugated(g))
        is_array = isinstance(operation.result.type, TensorType)
        is_stretched = is_array and self.shadows.is_stretched(operation.operands[0])
        if is_stretched or any(isinstance(each.type, TensorType | ListType) for each in more):
            at = {"ufunc": "add", "spec": attrs["spec"], "count": 1}
            self.builder.emit(REGISTRY["ufunc.at"], [shadow, added, *more], at)
            return
        before = self.builder.emit(ops.index, [shadow, *more], attrs).result
        total = _value(trace(before) + Traced(added))
        self.builder.emit(ops.store, [shadow, total, *more], attrs)

    # --- in place ---------------------------------------------------------------------------------

    def _iadd(self, operation: Operation, shadow: Value, _: Any) -> None:
        value = operation.operands[1]
        self.add(value, summed(self._copied(shadow), value))

    def _isub(self, operation: Operation, shadow: Value, _: Any) -> None:
        value = operation.operands[1]
        self.add(value, summed(-self._copied(shadow), value))

    # --- lists ------------------------------------------------------------------------------------

    def _make(self, operation: Operation, g: Any) -> None:
        """A list of known length: on the way back its shadow has that length again."""
        if g is None:
            return
        for number, item in enumerate(operation.operands):
            if item in self.activity.varied and item not in self.shadows.of:
                position = ops.as_value(number)
                flowing = self.builder.emit(REGISTRY["list.getitem"], [g.value, position]).result
                self.add(item, Traced(flowing))

    def _append(self, operation: Operation, shadow: Value, _: Any) -> None:
        value = operation.operands[1]
        item = self.builder.emit(REGISTRY["list.pop"], [shadow, ops.as_value(-1)]).result
        if value not in self.shadows.of:
            self.add(value, Traced(item))

    def _pop(self, operation: Operation, shadow: Value, g: Any) -> None:
        if not takes_last(operation):
            self.refuse(operation, ", but for the last item")
        item = self.shadows.of.get(operation.result)  # which is what others know it by
        if item is None:
            item = zero(operation.result) if g is None else _value(g)
        self.builder.emit(REGISTRY["list.append"], [shadow, self._fitting(shadow, item)])

    def _getitem(self, operation: Operation, shadow: Value, g: Any) -> None:
        if g is None or operation.result in self.shadows.of:
            return
        position = operation.operands[1]
        before = self.builder.emit(REGISTRY["list.getitem"], [shadow, position]).result
        total = self._fitting(shadow, _value(trace(before) + g))
        self.builder.emit(REGISTRY["list.setitem"], [shadow, position, total])

    def _setitem(self, operation: Operation, shadow: Value, _: Any) -> None:
        _, position, value = operation.operands
        if value in self.shadows.of:
            self.refuse(operation, CHANGES_OTHERS)
        item = self.builder.emit(REGISTRY["list.getitem"], [shadow, position]).result
        self.builder.emit(REGISTRY["list.setitem"], [shadow, position, zero_in(shadow.type, value)])
        self.add(value, Traced(item))

    def _array(self, operation: Operation, shadow: Value, g: Any) -> None:
        """``np.array(l)`` and its like: each item gets its part."""
        (items,) = operation.operands
        if g is not None:
            self._require_no_lists(operation, items)
            parts = self._parts(operation, g)
            self._for_each(shadow, lambda n: self._add_to_item(items, shadow, n, parts))

    def _parts(self, operation: Operation, g: Any) -> Callable[[Value, Value], Any]:
        """What an item gets of the cotangent of an array that is made of a list, by the number of
        the item, and the cotangent that it has.
        """
        axis = operation.attrs.get("axis", 0)
        if operation.name != "list.concatenate":
            rows = np.moveaxis(g, axis, 0) if axis else g
            return lambda number, item: summed(rows[Traced(number)], item)
        zero_, type_ = ops.as_value(0), ListType(INT)
        cell = self.builder.emit(REGISTRY["list.make"], [zero_], {"type": type_}).result

        def slice_of(_: Value, item: Value) -> Any:
            start = trace(self.builder.emit(REGISTRY["list.getitem"], [cell, zero_]).result)
            size = by_member(item, lambda each: ops.as_value(ops.shape_of(each)[axis]))
            stop = start + Traced(size)
            self.builder.emit(REGISTRY["list.setitem"], [cell, zero_, _value(stop)])
            before = (slice(None),) * (axis % len(dims_of(members_of(item.type)[0])))
            return summed(g[(*before, slice(start, stop))], item)

        return slice_of

    def _of_items(self, operation: Operation, g: Any) -> None:
        """What is computed of the items of a list with boxes: ``np.array`` and sums."""
        items, shadows = operation.operands[0], self.shadows.read[operation]
        if g is None:
            return
        self._require_no_lists(operation, items)
        assert isinstance(items.type, ListType)
        type_, is_stretched = items.type.item, self.shadows.is_stretched(items)
        parts = self._parts(operation, g) if operation.name in COPIED else None

        def add(number: Value) -> None:
            shadow = self.builder.emit(REGISTRY["list.getitem"], [shadows, number]).result
            part = summed(g, shadow) if parts is None else parts(number, shadow)
            if not add_to(shadow, part, type_, is_stretched=is_stretched):
                self.refuse(operation, f" of items of type {type_}")

        self._for_each(shadows, add)
        if operation.name == "list.sum":
            start = operation.operands[1]
            self.add(start, summed(g, start))

    def _require_no_lists(self, operation: Operation, items: Value) -> None:
        if isinstance(items.type, ListType) and isinstance(items.type.item, ListType):
            self.refuse(operation, " of lists in lists")

    def _for_each(self, items: Value, change: Callable[[Value], None]) -> None:
        """A loop over the numbers of the items of a list."""
        count = self.builder.emit(REGISTRY["list.len"], [items]).result
        start, step = ops.as_value(0), ops.as_value(1)
        body = Block([INT])
        with self.builder.inside(body):
            change(body.args[0])
            self.builder.emit(ops.region_yield, [])
        self.builder.emit(ops.for_, [start, count, step], {"breaks": False}, [Region(body)])

    def _add_to_item(
        self, items: Value, shadow: Value, number: Value, parts: Callable[[Value, Value], Any]
    ) -> None:
        """Add its part to an item of the shadow of a list, which may be a shadow itself."""
        item = self.builder.emit(REGISTRY["list.getitem"], [shadow, number]).result
        part = as_cotangent(parts(number, item), item.type)
        if self.activity.holds_shadowed(items) and isinstance(item.type, TensorType):
            add_to_array(item, part, is_stretched=self.shadows.is_stretched(items))
            return
        total = self._fitting(shadow, _value(trace(item) + part))
        self.builder.emit(REGISTRY["list.setitem"], [shadow, number, total])

    def _fitting(self, shadow: Value, item: Value) -> Value:
        """A cotangent for a list of them, which may know more sizes, or have fewer types."""
        assert isinstance(shadow.type, ListType)
        type_ = shadow.type.item
        if is_number(type_) and not accepts(type_, item.type):
            item = _value(as_cotangent(Traced(item), widest(type_)))
        return with_sizes(item, type_)

    _RULES = {  # noqa: RUF012 - methods, by the op that they are for
        **OverwritingReverse.OVERWRITING,
        "index": _index,
        "iadd": _iadd,
        "isub": _isub,
        "list.append": _append,
        "list.pop": _pop,
        "list.getitem": _getitem,
        "list.setitem": _setitem,
        **dict.fromkeys(COPIED, _array),
    }


def _value(item: Any) -> Value:
    return ops.as_value(untrace(item))
