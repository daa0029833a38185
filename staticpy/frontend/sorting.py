"""``sorted`` and ``list.sort``: by Python itself where all keys are known, else at run time."""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.consumers import Consumers
from staticpy.frontend.kinds import is_run_time
from staticpy.frontend.memory import NoValue
from staticpy.frontend.values import (
    ListRef,
    MapIterable,
    ObjectRef,
    SetRef,
)
from staticpy.frontend.variants import Variant, joined_options, options_of

_MOST_OPTIONS = 16
"""How many objects are put in order: what is done with one of them is lowered for each."""


class Sorting(Consumers):
    """Puts items in order."""

    def call_sorted(
        self, node: Any, iterable: Any, /, *, key: Any = None, reverse: Any = False
    ) -> Any:
        self._require_order(reverse, node)
        if isinstance(iterable, SetRef | frozenset):
            items = self.content(iterable) if isinstance(iterable, SetRef) else iterable
            return self.new_list(self._sorted_known(list(items), key, reverse, node))
        if isinstance(iterable, ListRef):
            made = self.call_method_of(iterable, "copy", [], node)
        else:
            made = self.call_list(node, iterable)
        return self.sorted_list(made, key, reverse, node)

    def _require_order(self, reverse: Any, node: Any) -> None:
        """Versions of Python differ in what they take for ``reverse`` besides ints."""
        if not isinstance(reverse, int):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the argument 'reverse'")

    def _sorted_known(self, items: list[Any], key: Any, reverse: Any, node: Any) -> list[Any]:
        keys = [
            item if key is None else self.call_function(key, [item], {}, node) for item in items
        ]
        if is_run_time(tuple(keys)):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the order of a set")
        return self._ordered(items, [self.plain(each) for each in keys], reverse, node)

    def _ordered(self, items: list[Any], keys: list[Any], reverse: Any, node: Any) -> list[Any]:
        try:
            order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(reverse))
        except TypeError as error:
            self.fails("TypeError", str(error), node)
        return [items[position] for position in order]

    def sorted_list(self, items: ListRef, key: Any, reverse: Any, node: Any) -> ListRef:
        """A list in order: by Python itself where all keys are known, else at run time."""
        self._require_order(reverse, node)
        if isinstance(key, Variant) and None in key.options:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="whether there is a key")
        keys = items
        if key is not None:
            keys = self.collect(MapIterable(key, items, is_starred=False), node)
        contents = [self.content(items), self.content(keys)]
        if all(isinstance(content, tuple) for content in contents):
            plain = [self.plain(each) for each in contents[1]]
            if not is_run_time(tuple(plain)) and not _holds_objects(contents[1]):
                return self.new_list(self._ordered(list(contents[0]), plain, reverse, node))
            if len(plain) < 2:
                return self.new_list(contents[0])
            options = self._options(contents[0]) if keys is not items else None
            if options is not None:
                return self._sorted_options(contents[0], options, keys, bool(reverse))
        return self._sorted_at_run_time(items, keys, bool(reverse), node)

    def _options(self, items: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The different objects of the caller's that a list holds; None where it holds others."""
        options: tuple[Any, ...] | None = options_of(items[0])
        for item in items[1:]:
            options = options and joined_options(Variant(options, 0), item)
        is_outer = options and all(isinstance(x, ObjectRef) and x.path for x in options)
        return options if is_outer and len(options or ()) <= _MOST_OPTIONS else None

    def _sorted_options(
        self, items: tuple[Any, ...], options: tuple[Any, ...], keys: ListRef, reverse: bool
    ) -> ListRef:
        """Objects of the caller's in order, each of which is then one of all of them."""
        numbers = self.new_list([self.index_among(item, options) for item in items])
        values = [self.list_value(numbers), self.list_value(keys)]
        order = self.emit("list.sorted_by", values, reverse=reverse)
        places = [self.emit("list.getitem", [order, ops.as_value(at)]) for at in range(len(items))]
        return self.new_list([Variant(options, place) for place in places])

    def _sorted_at_run_time(
        self, items: ListRef, keys: ListRef, reverse: bool, node: Any
    ) -> ListRef:
        try:
            values = [self.list_value(items), self.list_value(keys)]
        except NoValue:
            return self.error(catalog.NEEDS_COMPILE_TIME, node, what="the order of these items")  # type: ignore[no-any-return]
        if items is keys:
            made = self.emit("list.copy", values[:1])
            self.builder.emit(ops.REGISTRY["list.sort"], [made], {"reverse": reverse})
        else:
            made = self.emit("list.sorted_by", values, reverse=reverse)
        return self.new_list(made)


def _holds_objects(items: tuple[Any, ...]) -> bool:
    """Whether the order of items is for methods of the user's to say."""
    return any(type(item).__name__ == "ObjectRef" for item in items)
