"""What a ``for`` goes over: compile-time items, or a count and a rule for each item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.lower_call import Calls
from staticpy.frontend.lower_expr import kind_of
from staticpy.frontend.values import EnumerateIterable, RangeIterable, ZipIterable
from staticpy.ir import BOOL, INT, ScalarType, TensorType, Type, Value


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop over ``range(*bounds)``; ``item`` makes what the target gets from the index."""

    bounds: tuple[Any, Any, Any]
    item: Callable[[Value], Any]
    index_is_item: bool = False
    index_type: Type = INT


class Iteration(Calls):
    """Finds out how an iterable is gone through."""

    def static_items(self, iterable: Any) -> list[Any] | None:
        """The items of an iterable whose number is known; None where it is not."""
        if isinstance(iterable, tuple | list | dict | str | bytes | range | _VIEWS):
            return list(iterable)
        if isinstance(iterable, EnumerateIterable):
            items = self.static_items(iterable.iterable)
            if items is None or isinstance(iterable.start, Value):
                return None
            return list(enumerate(items, iterable.start))
        if isinstance(iterable, ZipIterable):
            columns = [self.static_items(column) for column in iterable.iterables]
            if any(column is None for column in columns):
                return None
            return list(zip(*[column for column in columns if column is not None], strict=False))
        return None

    def counted(self, iterable: Any, node: Any) -> Counted:
        """How to count through an iterable of a run-time length.

        Raises:
            DiagnosticError: it has none.
        """
        if isinstance(iterable, range | RangeIterable):
            bounds = (iterable.start, iterable.stop, iterable.step)
            start, stop, step = (self.index_bound(bound, node) for bound in bounds)
            return Counted((start, stop, step), lambda index: index, index_is_item=True)
        length, item = self.indexed(iterable, node)
        return Counted((0, length, 1), item)

    def index_bound(self, bound: Any, node: Any) -> Any:
        """A bound of a range as a Python int."""
        if isinstance(bound, int) and not isinstance(bound, bool):
            return bound
        type_ = bound.type if isinstance(bound, Value) else None
        if type_ == INT:
            return bound
        is_integer = isinstance(type_, ScalarType) and type_.dtype.kind in "iu"
        if is_integer or type_ == BOOL or isinstance(bound, bool):
            return ops.BUILTINS[int](bound)
        return self.error(catalog.NOT_ITERABLE, node, type=f"range of {kind_of(bound)}")

    def indexed(self, iterable: Any, node: Any) -> tuple[Any, Callable[[Value], Any]]:
        """The length of an iterable, and its item at an index."""
        if isinstance(iterable, Value):
            return self._rows(iterable, node)
        if isinstance(iterable, range | RangeIterable):
            return self._range(iterable, node)
        if isinstance(iterable, EnumerateIterable):
            length, item = self.indexed(iterable.iterable, node)
            start = iterable.start
            return length, lambda index: (ops.binary("+", index, start), item(index))
        if isinstance(iterable, ZipIterable) and iterable.iterables:
            parts = [self.indexed(column, node) for column in iterable.iterables]
            shortest = parts[0][0]
            for length, _ in parts[1:]:
                shortest = ops.BUILTINS[min](shortest, length)
            return shortest, lambda index: tuple(item(index) for _, item in parts)
        if self.static_items(iterable) is not None:
            return self.error(catalog.UNSUPPORTED_ITERABLE, node, type=kind_of(iterable))  # type: ignore[no-any-return]
        return self.error(catalog.NOT_ITERABLE, node, type=kind_of(iterable))  # type: ignore[no-any-return]

    def _rows(self, value: Value, node: Any) -> tuple[Any, Callable[[Value], Any]]:
        if not (isinstance(value.type, TensorType) and value.type.rank):
            self.error(catalog.NOT_ITERABLE, node, type=kind_of(value))
        return ops.BUILTINS[len](value), lambda index: ops.getitem(value, index)

    def _range(self, iterable: Any, node: Any) -> tuple[Any, Callable[[Value], Any]]:
        bounds = (iterable.start, iterable.stop, iterable.step)
        start, stop, step = (self.index_bound(bound, node) for bound in bounds)
        if isinstance(step, Value) or step == 0:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the step of this range")

        def item(index: Value) -> Any:
            return ops.binary("+", start, ops.binary("*", index, step))

        if isinstance(iterable, range):
            return len(iterable), item
        distance = ops.binary("-", stop, start) if step > 0 else ops.binary("-", start, stop)
        rounded = ops.binary("+", distance, abs(step) - 1)
        length = ops.binary("//", rounded, abs(step))
        return ops.BUILTINS[max](0, length), item


_VIEWS: Any = type({}.keys()) | type({}.values()) | type({}.items())
