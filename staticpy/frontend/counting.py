"""What can be counted through: a length, and the item at an index.

In: an iterable of run-time length. Out: how a loop of the graph goes through it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import is_object
from staticpy.frontend.inputs import RunTimeTuple, Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_loop import Counted
from staticpy.frontend.ranges import Ranges
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import (
    DictRef,
    DictView,
    EnumerateIterable,
    FlatIterator,
    ListRef,
    RangeIterable,
    ReversedIterable,
    SetRef,
    ZipIterable,
)
from staticpy.ir import BOOL, INT, STR, ScalarType, TensorType, UnionType, Value, members_of


class _Items(ListRef):
    """Items one of which an index chooses: no list that the program makes, though at its place."""

    __slots__ = ()


class Counting(Ranges):
    """Finds the length of iterables and their item at an index."""

    def items_ref(self, items: tuple[Any, ...]) -> ListRef:
        """The items of a tuple or a text, to be indexed at run time."""
        return self.make(_Items(self.builder.span), items)

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
        if is_object(bound):
            found = self.call_special(bound, "__index__", [], node)
            bound = bound if found is NotImplemented else found
        if isinstance(bound, int) and not isinstance(bound, bool):
            return int(bound)  # of an IntEnum
        type_ = bound.type if isinstance(bound, Value) else None
        if type_ == INT:
            return bound
        is_integer = isinstance(type_, ScalarType | TensorType) and type_.dtype.kind in "iu"
        if (is_integer and not getattr(type_, "dims", ())) or type_ == BOOL or type(bound) is bool:
            return ops.BUILTINS[int](bound)
        is_union = isinstance(bound, Value) and isinstance(bound.type, UnionType)
        if is_union or isinstance(bound, Variant):
            return self.dispatch(bound, lambda each: self.index_bound(each, node), node)
        self.refuse_unless_certain(bound, node)
        shown = type_name(bound)
        return self.fails(
            "TypeError", f"'{shown}' object cannot be interpreted as an integer", node
        )

    def indexed(self, iterable: Any, node: Any) -> tuple[Any, Callable[[Value], Any]]:
        """The length of an iterable, and its item at an index."""
        if isinstance(iterable, RunTimeTuple):
            iterable = iterable.items
        if isinstance(iterable, Value):
            return self._rows(iterable, node)
        if isinstance(iterable, FlatIterator):
            return self._flat_items(iterable, node)
        if isinstance(iterable, range | RangeIterable):
            return self.places_of(iterable, node)
        if isinstance(iterable, EnumerateIterable):
            length, item = self.indexed(iterable.iterable, node)
            start = iterable.start
            return length, lambda index: (ops.binary("+", index, start), item(index))
        if isinstance(iterable, ReversedIterable):
            length, item = self.indexed(iterable.iterable, node)
            last = ops.binary("-", length, 1)
            return length, lambda index: item(ops.as_value(ops.binary("-", last, index)))
        if isinstance(iterable, ZipIterable) and iterable.iterables and not iterable.strict:
            parts = [self.indexed(column, node) for column in iterable.iterables]
            shortest = parts[0][0]
            for length, _ in parts[1:]:
                shortest = ops.BUILTINS[min](shortest, length)
            return shortest, lambda index: tuple(item(index) for _, item in parts)
        if isinstance(iterable, ListRef | tuple | str | bytes):
            ref = iterable if isinstance(iterable, ListRef) else self.items_ref(tuple(iterable))
            return self.length(ref, node), lambda index: self.list_item(ref, index, node)
        if isinstance(iterable, DictRef | DictView):
            return self.indexed(self.dict_list(iterable, node), node)
        if iterable is None:  # often of a union, on a path that the program never takes
            return self.fails("TypeError", "'NoneType' object is not iterable", node)  # type: ignore[no-any-return]
        is_known = isinstance(iterable, str | bytes | ZipIterable | SetRef)
        spec = catalog.UNSUPPORTED_ITERABLE if is_known else catalog.NOT_ITERABLE
        return self.error(spec, node, type=kind_of(iterable))  # type: ignore[no-any-return]

    def dict_list(self, iterable: DictRef | DictView, node: Any) -> ListRef:
        """What a dict in memory holds, as a list."""
        view = iterable if isinstance(iterable, DictView) else DictView(iterable, "keys")
        memory = self.list_value(view.ref)
        return self.new_list(self.emit(f"dict.{view.kind}", [memory]))

    def _rows(self, value: Value, node: Any) -> tuple[Any, Callable[[Value], Any]]:
        if value.type == STR:
            return self.indexed(self.new_list(self.emit("str.items", [value])), node)
        members = members_of(value.type)
        if len(members) > 1 and all(isinstance(each, TensorType) and each.rank for each in members):
            length = self.dispatch(value, ops.BUILTINS[len], node)
            row = lambda index: self.dispatch(value, lambda x: ops.getitem(x, index), node)  # noqa: E731
            return length, row
        if not (isinstance(value.type, TensorType) and value.type.rank):
            self.refuse_unless_certain(value, node)
            shown = type_name(value)
            text = f"'{shown}' object is not iterable"
            if isinstance(value.type, TensorType):
                text = "iteration over a 0-d array"
            self.fails("TypeError", text, node)
        return ops.BUILTINS[len](value), lambda index: ops.getitem(value, index)

    def _flat_items(self, flat: FlatIterator, node: Any) -> tuple[Any, Callable[[Value], Any]]:
        if flat.is_consumed:
            self.error(catalog.ESCAPING_GENERATOR, node, name="flat")
        flat.is_consumed = True
        size = ops.ATTRIBUTES["size"](flat.array)
        return size, lambda index: ops.flat_getitem(flat.array, index)
