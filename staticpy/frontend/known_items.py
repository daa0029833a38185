"""The items of what is known to have so many."""

from __future__ import annotations

import enum
import itertools
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_lookup, is_enum_member
from staticpy.frontend.counting import Counting
from staticpy.frontend.values import (
    DictRef,
    DictView,
    EnumerateIterable,
    KnownIterable,
    ListRef,
    ReversedIterable,
    SetRef,
    ZipIterable,
    ZipLongestIterable,
)


def is_ordered_set(items: frozenset[Any]) -> bool:
    """Whether CPython goes through a set of these in an order that does not depend on the run."""
    if len(items) <= 1:
        return True
    return all(type(item) is int and 0 <= item < 8 for item in items)


class KnownItems(Counting):
    """Finds the items of iterables where their number is known while compiling."""

    def static_items(self, iterable: Any, node: Any) -> list[Any] | None:
        """The items of an iterable whose number is known; None where it is not."""
        if isinstance(iterable, SetRef | frozenset):
            items = self.content(iterable) if isinstance(iterable, SetRef) else iterable
            if not is_ordered_set(items):
                self.error(catalog.SET_ORDER, node)
            return sorted(items) if len(items) > 1 else list(items)
        if isinstance(iterable, DictView):
            found = self.known_items(iterable.ref)
            return None if found is None else list(self._view_items(iterable))
        if isinstance(iterable, tuple | str | bytes | ListRef | DictRef | range):
            return self.known_items(iterable)  # type: ignore[no-any-return]
        is_flag = isinstance(iterable, enum.Flag)
        if is_flag and class_lookup(type(iterable), "__iter__")[1] is enum.Flag:
            return list(iterable)
        if isinstance(iterable, type) and is_enum_member(next(iter(_members(iterable)), None)):
            return _members(iterable)
        return self._made_items(iterable, node)

    def _made_items(self, iterable: Any, node: Any) -> list[Any] | None:
        """The items of what makes them out of others."""
        if isinstance(iterable, EnumerateIterable):
            items = self.static_items(iterable.iterable, node)
            if items is None:
                return None
            numbers = [ops.binary("+", iterable.start, index) for index in range(len(items))]
            return list(zip(numbers, items, strict=True))
        if isinstance(iterable, ZipIterable):
            return self._static_zip(iterable, node)
        if isinstance(iterable, ZipLongestIterable):
            known = self._static_columns(iterable.iterables, node)
            return known and list(itertools.zip_longest(*known, fillvalue=iterable.fill))
        if isinstance(iterable, KnownIterable):
            return list(iterable.items)
        if isinstance(iterable, ReversedIterable):
            items = self.static_items(iterable.iterable, node)
            return None if items is None else items[::-1]
        return None

    def _static_zip(self, iterable: ZipIterable, node: Any) -> list[Any] | None:
        known = self._static_columns(iterable.iterables, node)
        if known is None:
            return None
        if iterable.strict and len({len(column) for column in known}) > 1:
            return None
        return list(zip(*known, strict=False))

    def _static_columns(self, iterables: Any, node: Any) -> list[list[Any]] | None:
        columns = [self.static_items(column, node) for column in iterables]
        known = [column for column in columns if column is not None]
        return known if len(known) == len(columns) else None


def _members(class_: Any) -> list[Any]:
    """The members of an Enum class; nothing for any other class."""
    found = getattr(class_, "__members__", {})
    return list(dict.fromkeys(found.values())) if isinstance(class_, type) else []
