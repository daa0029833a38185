"""``zip(*rows)`` where the program running knows how many rows there are.

In: a list in memory whose items are rows. Out: of tuples of one length, which are a tuple of the
program for each of their places, if there is a row at all; of lists, arrays and texts, a generator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend import library
from staticpy.frontend.constant_loops import Live, Take
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.iterator_calls import IteratorCalls
from staticpy.frontend.paths import nothing
from staticpy.frontend.starred_calls import Fill
from staticpy.frontend.values import Getter, IteratorRef, ListRef, MapIterable
from staticpy.ir import STR, ListType, TensorType, TupleType

_COLUMNS: Any = library.columns


@dataclass(frozen=True, slots=True)
class ColumnsIterable:
    """``zip(*rows)``; ``count`` is how long the tuples are, or None for other rows."""

    rows: ListRef
    count: int | None


class Columns(IteratorCalls):
    """Goes through columns."""

    def filling(self, function: Any, node: Any) -> Fill | None:
        if function is zip and len(node.args) == 1 and not node.keywords:
            return lambda _, items: [self._columns(items, node)]
        return super().filling(function, node)

    def _columns(self, items: ListRef, node: Any) -> ColumnsIterable:
        item = self.list_type(self.content(items)).item
        count = len(item.items) if isinstance(item, TupleType) else None
        if count is None and not isinstance(item, ListType | TensorType) and item != STR:
            self.refuse_starred(node)
        rows = self.call_method_of(items, "copy", [], node)  # each is an argument of the call
        return ColumnsIterable(rows, count)

    def call_zip(self, node: Any, *iterables: Any, strict: Any = False) -> Any:
        if not (iterables and isinstance(iterables[0], ColumnsIterable)):
            return super().call_zip(node, *iterables, strict=strict)
        (columns,) = iterables
        if columns.count is not None:
            return columns
        function = self.user_function(_COLUMNS)
        made = self.call_function(function, [columns.rows], {}, node)
        made.class_ = zip
        return made

    def known_columns(self, columns: ColumnsIterable, node: Any) -> list[Any]:
        """The columns, where there is a row."""
        places = range(columns.count or 0)
        return [self._column_at(columns.rows, place, node) for place in places]

    def _column_at(self, rows: ListRef, place: int, node: Any) -> RunTimeTuple:
        items = MapIterable(Getter("itemgetter", (place,)), rows, is_starred=False)
        return RunTimeTuple(self.collect(items, node))

    def has_rows(self, columns: ColumnsIterable, node: Any) -> Any:
        return ops.compare(">", self.length(columns.rows, node), 0)

    def for_each(self, iterable: Any, take: Take, node: Any, live: Live = None) -> None:
        if not isinstance(iterable, ColumnsIterable):
            super().for_each(iterable, take, node, live)
            return
        each = lambda: self.unroll(self.known_columns(iterable, node), take)  # noqa: E731
        self.if_else(self.has_rows(iterable, node), each, nothing)

    def one_shot(self, value: Any) -> Any:
        if not isinstance(value, ColumnsIterable):
            return super().one_shot(value)
        node = self.frame.prepared.node

        def start(consume: Callable[[Any], Any]) -> None:
            self.for_each(value, consume, node)

        def steps() -> IteratorRef:
            return self.error(catalog.UNSUPPORTED_ITERABLE, node, type="zip(*rows)")  # type: ignore[no-any-return]

        made = self.new_generator(start, "zip", steps)
        made.class_ = zip
        return made

    def unpacked_columns(self, columns: ColumnsIterable, targets: list[Any], node: Any) -> Any:
        """The columns for so many targets: ValueError where there is no row."""
        if any(isinstance(each, gast.Starred) for each in targets):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the number of columns")
        message = f"not enough values to unpack (expected {len(targets)}, got 0)"
        is_empty = ops.compare("==", self.length(columns.rows, node), 0)
        self.forbid(is_empty, "ValueError", message, node)
        return tuple(self.known_columns(columns, node))
