"""How far a sequence has been gone through, as a state that two variables hold.

In: an iterable whose items have places: an array, a list, a range, a text, a dict. Out: a tuple
that says what it is, and ``at``, which says how far; whether there is a next item, and what it is.
Both are what paths and loops can merge and carry.

    (RANGE, stop, step)     a range, or ``itertools.count``; ``at`` is the next number
    (ITEMS, source)         the items of a source from the place ``at`` on
    (REVERSED, source)      its first ``at`` items, the last one first
    (KEYS, source, keys)    a dict or a set that held these keys, or one backwards
"""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.constant_loops import LONGEST_UNROLLED
from staticpy.frontend.dict_iteration import dicts_in
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lazy_iteration import LazyIteration
from staticpy.frontend.values import (
    ListRef,
    Marker,
    RangeIterable,
    ReversedIterable,
    SetRef,
)
from staticpy.ir import STR, Value

RANGE, ITEMS, REVERSED, KEYS = (Marker(name) for name in ("range", "items", "reversed", "keys"))
"""What a sequence is: nothing that a run-time value could stand for."""

Sequence = tuple[Any, ...]
"""What is gone through."""


class Positions(LazyIteration):
    """Goes through sequences step by step."""

    def sequence_of(self, iterable: Any, node: Any) -> tuple[Sequence, Any]:
        """A sequence, and where it begins."""
        if isinstance(iterable, RunTimeTuple):
            iterable = iterable.items
        if isinstance(iterable, range | RangeIterable):
            return self._range_of(iterable, node)
        if isinstance(iterable, ReversedIterable) and not dicts_in(iterable):
            length, _ = self.indexed(iterable.iterable, node)
            return (REVERSED, iterable.iterable), length
        if isinstance(iterable, ListRef):
            return (ITEMS, iterable), 0
        if isinstance(iterable, Value):
            return (ITEMS, self._in_places(iterable, node)), 0
        items = self.static_items(iterable, node)
        if items is None:
            self.indexed(iterable, node)  # it says what is no iterable at all
            self.error(catalog.UNSUPPORTED_ITERABLE, node, type=kind_of(iterable))
        if dicts_in(iterable):
            return (KEYS, iterable, self._keys(iterable)), 0
        return (ITEMS, tuple(items or ())), 0

    def _range_of(self, iterable: Any, node: Any) -> tuple[Sequence, Any]:
        start, stop, step = iterable.start, iterable.stop, iterable.step
        if stop is None:
            return (RANGE, None, step), start
        start, stop, step = (self.index_bound(bound, node) for bound in (start, stop, step))
        if isinstance(iterable, range) and len(iterable) > LONGEST_UNROLLED:
            start = ops.as_value(start)  # a loop at run time
        return (RANGE, stop, step), start

    def _in_places(self, value: Value, node: Any) -> Any:
        if value.type == STR:
            return self.new_list(self.emit("str.items", [value]))
        self.indexed(value, node)  # it has a length, or raises
        return value

    def _keys(self, iterable: Any) -> Any:
        """The keys that a dict or a set holds now; those of a dict have an order."""
        ref = dicts_in(iterable)[0]
        keys = self.known_items(ref) or []
        return frozenset(keys) if isinstance(ref, SetRef) else tuple(keys)

    # --- one step ---------------------------------------------------------------------------------

    def has_next(self, sequence: Sequence, at: Any, node: Any) -> Any:
        """Whether something is left: a bool, or a Value."""
        kind, source = sequence[:2]
        if kind is RANGE:
            return source is None or self._is_before(at, source, sequence[2])
        if kind is REVERSED:
            is_left = ops.compare(">", at, 0)
            if not isinstance(source, ListRef):
                return is_left
            return self.both(is_left, ops.compare("<=", at, self.length(source, node)))
        if kind is KEYS:
            return ops.compare("<", at, len(self._items_by_key(sequence, node)))
        is_left = ops.compare("<", at, self._count(source, node))
        is_list = isinstance(source, ListRef)
        return self.both(is_left, ops.compare(">=", at, 0)) if is_list else is_left

    def _is_before(self, at: Any, stop: Any, step: Any) -> Any:
        if not isinstance(step, Value):
            return ops.compare("<" if step > 0 else ">", at, stop)
        up = self.both(ops.compare(">", step, 0), ops.compare("<", at, stop))
        down = self.both(ops.compare("<", step, 0), ops.compare(">", at, stop))
        return self.either(up, down)

    def next_of(self, sequence: Sequence, at: Any, node: Any) -> tuple[Any, Any]:
        """The next item, and where the one after it is."""
        kind, source = sequence[:2]
        if kind is RANGE:
            return at, ops.binary("+", at, sequence[2])
        if kind is REVERSED:
            at = ops.binary("-", at, 1)
            return self._item_at(source, at, node), at
        if kind is KEYS:
            source = tuple(self._items_by_key(sequence, node))
        return self._item_at(source, at, node), ops.binary("+", at, 1)

    def end_of(self, sequence: Sequence, at: Any) -> Any:
        """Where a sequence is of which nothing was left: at its end, also if a list grows."""
        is_list = isinstance(sequence[1], ListRef)
        return -1 if sequence[0] is ITEMS and is_list else 0 if sequence[0] is REVERSED else at

    def _count(self, source: Any, node: Any) -> Any:
        if isinstance(source, tuple | ListRef):
            return self.length(source, node)
        return self.indexed(source, node)[0]

    def _items_by_key(self, sequence: Sequence, node: Any) -> list[Any]:
        _, iterable, keys = sequence
        if self._keys(iterable) != keys:
            self.error(catalog.UNSUPPORTED_ITERABLE, node, type="a dict or set that changes")
        return self.static_items(iterable, node) or []

    def _item_at(self, source: Any, place: Any, node: Any) -> Any:
        if isinstance(source, tuple):
            source = source if not isinstance(place, Value) else self.items_ref(source)
        if isinstance(source, tuple):
            return source[place]
        if isinstance(source, ListRef):
            return self.list_item(source, place, node)
        return self.indexed(source, node)[1](ops.as_value(place))
