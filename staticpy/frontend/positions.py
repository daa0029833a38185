"""How far a sequence has been gone through, as a state that one variable holds.

In: an iterable whose items have places: an array, a list, a range, a text, a dict. Out: a tuple
that says what is left of it; whether there is a next item, and what it is. The tuple holds nothing
but what paths and loops can merge and carry.

    ("range", start, stop, step)    what is left of a range
    ("count", start, None, step)    … of ``itertools.count``
    ("items", source, at)           the items of a source from the place ``at`` on
    ("reversed", source, left)      its first ``left`` items, the last one first
    ("keys", (source, keys), at)    a dict or a set that held these keys
"""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.iteration import LONGEST_UNROLLED
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lazy_iteration import LazyIteration
from staticpy.frontend.values import (
    DictRef,
    DictView,
    ListRef,
    RangeIterable,
    ReversedIterable,
    SetRef,
)
from staticpy.ir import STR, UnionType, Value

Rest = tuple[Any, ...]
"""What is left of a sequence."""


class Positions(LazyIteration):
    """Goes through sequences step by step."""

    def rest_of(self, iterable: Any, node: Any) -> Rest:
        """All of a sequence."""
        if isinstance(iterable, RunTimeTuple):
            iterable = iterable.items
        if isinstance(iterable, range | RangeIterable):
            return self._rest_of_range(iterable, node)
        if isinstance(iterable, ReversedIterable):
            length, _ = self.indexed(iterable.iterable, node)
            return ("reversed", iterable.iterable, length)
        if isinstance(iterable, ListRef):
            return ("items", iterable, 0)
        if isinstance(iterable, Value):
            return ("items", self._in_places(iterable, node), 0)
        items = self.static_items(iterable, node)
        if items is None:
            self.indexed(iterable, node)  # it says what is no iterable at all
            self.error(catalog.UNSUPPORTED_ITERABLE, node, type=kind_of(iterable))
        if isinstance(iterable, DictRef | DictView | SetRef):
            return ("keys", (iterable, frozenset(self._keys(iterable))), 0)
        return ("items", tuple(items or ()), 0)

    def _rest_of_range(self, iterable: Any, node: Any) -> Rest:
        start, stop, step = iterable.start, iterable.stop, iterable.step
        if stop is None:
            return ("count", start, None, step)
        start, stop, step = (self.index_bound(bound, node) for bound in (start, stop, step))
        if isinstance(iterable, range) and len(iterable) > LONGEST_UNROLLED:
            start = ops.as_value(start)  # a loop at run time
        return ("range", start, stop, step)

    def _in_places(self, value: Value, node: Any) -> Any:
        if value.type == STR:
            return self.new_list(self.emit("str.items", [value]))
        if isinstance(value.type, UnionType):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the type of this value")
        self.indexed(value, node)  # it has a length, or raises
        return value

    def _keys(self, iterable: Any) -> list[Any]:
        holder = iterable.ref if isinstance(iterable, DictView) else iterable
        return self.known_items(holder) or []

    # --- one step ---------------------------------------------------------------------------------

    def has_next(self, rest: Rest, node: Any) -> Any:
        """Whether something is left: a bool, or a Value."""
        if rest[0] == "count":
            return True
        if rest[0] == "range":
            _, start, stop, step = rest
            if not isinstance(step, Value):
                return ops.compare("<" if step > 0 else ">", start, stop)
            up = self.both(ops.compare(">", step, 0), ops.compare("<", start, stop))
            down = self.both(ops.compare("<", step, 0), ops.compare(">", start, stop))
            return self.either(up, down)
        kind, source, at = rest
        if kind == "reversed":
            is_left = ops.compare(">", at, 0)
            if not isinstance(source, ListRef):
                return is_left
            return self.both(is_left, ops.compare("<=", at, self.length(source, node)))
        if kind == "keys":
            return ops.compare("<", at, len(self._items_by_key(source, node)))
        is_left = ops.compare("<", at, self._count(source, node))
        return (
            self.both(is_left, ops.compare(">=", at, 0)) if isinstance(source, ListRef) else is_left
        )

    def next_of(self, rest: Rest, node: Any) -> tuple[Any, Rest]:
        """The next item, and what is left after it."""
        if rest[0] in ("range", "count"):
            kind, start, stop, step = rest
            return start, (kind, ops.binary("+", start, step), stop, step)
        kind, source, at = rest
        step = -1 if kind == "reversed" else 1
        place = ops.binary("-", at, 1) if kind == "reversed" else at
        return self._item_at(kind, source, place, node), (kind, source, ops.binary("+", at, step))

    def exhausted(self, rest: Rest) -> Rest:
        """What is left of a sequence where nothing was left: nothing, also if a list grows."""
        if rest[0] == "items" and isinstance(rest[1], ListRef):
            return ("items", rest[1], -1)
        return ("reversed", rest[1], 0) if rest[0] == "reversed" else rest

    def _count(self, source: Any, node: Any) -> Any:
        if isinstance(source, tuple | ListRef):
            return self.length(source, node)
        return self.indexed(source, node)[0]

    def _items_by_key(self, source: tuple[Any, Any], node: Any) -> list[Any]:
        iterable, keys = source
        if frozenset(self._keys(iterable)) != keys:
            self.error(catalog.UNSUPPORTED_ITERABLE, node, type="a dict or set that changes")
        return self.static_items(iterable, node) or []

    def _item_at(self, kind: str, source: Any, place: Any, node: Any) -> Any:
        if kind == "keys":
            source = tuple(self._items_by_key(source, node))
        if isinstance(source, tuple):
            source = source if not isinstance(place, Value) else self.new_list(source)
        if isinstance(source, tuple):
            return source[place]
        if isinstance(source, ListRef):
            return self.list_item(source, place, node)
        return self.indexed(source, node)[1](ops.as_value(place))
