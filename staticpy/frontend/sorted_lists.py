"""``heapq`` and ``bisect``: lists that a program keeps in order.

The list is one in memory from the first of these calls on, since where an item goes depends on the
others.
"""

from __future__ import annotations

import bisect
import heapq
from typing import Any, ClassVar

from staticpy import ops
from staticpy.frontend import library, library_heaps
from staticpy.frontend.sorting import Sorting
from staticpy.frontend.values import ListRef
from staticpy.ir import TensorType, Value


class SortedLists(Sorting):
    """Calls the functions of ``heapq`` and ``bisect``."""

    # --- heaps ------------------------------------------------------------------------------------

    def call_heapify(self, node: Any, heap: Any, /) -> None:
        if self.compilation.derivatives:
            self._of_library(library_heaps.heapify, [heap], node)
        else:
            self._change(heapq.heapify, heap, [], node)

    def call_heappop(self, node: Any, heap: Any, /) -> Any:
        if self.compilation.derivatives:
            return self._of_library(library_heaps.heappop, [heap], node)
        return self._change(heapq.heappop, heap, [], node)

    def call_heappush(self, node: Any, heap: Any, item: Any, /) -> None:
        self._on_heap("heappush", heap, item, node)

    def call_heapreplace(self, node: Any, heap: Any, item: Any, /) -> Any:
        return self._on_heap("heapreplace", heap, item, node)

    def call_heappushpop(self, node: Any, heap: Any, item: Any, /) -> Any:
        return self._on_heap("heappushpop", heap, item, node)

    def _on_heap(self, name: str, heap: Any, item: Any, node: Any) -> Any:
        """A function of a heap and an item. Derivatives follow the items by Python's own steps."""
        if self.compilation.derivatives:
            return self._of_library(getattr(library_heaps, name), [heap, item], node)
        return self._add(getattr(heapq, name), heap, item, [], node)

    def call_nlargest(self, node: Any, n: Any, iterable: Any, key: Any = None) -> Any:
        return self._of_library(library.nlargest, [n, iterable, key], node)

    def call_nsmallest(self, node: Any, n: Any, iterable: Any, key: Any = None) -> Any:
        return self._of_library(library.nsmallest, [n, iterable, key], node)

    def call_n_largest(self, node: Any, n: Any, items: Any, keys: Any) -> Any:
        return self._chosen_by("list.nlargest", n, items, keys, node)

    def call_n_smallest(self, node: Any, n: Any, items: Any, keys: Any) -> Any:
        return self._chosen_by("list.nsmallest", n, items, keys, node)

    def _chosen_by(self, op: str, n: Any, items: ListRef, keys: ListRef, node: Any) -> ListRef:
        count = self.to_value(self.index_value(n, node, "list"))
        return self.new_list(self.emit(op, [count, self.list_value(items), self.list_value(keys)]))

    # --- bisection --------------------------------------------------------------------------------

    def call_bisect_left(
        self, node: Any, a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None
    ) -> Any:
        if key is not None:
            return self._by_key(library.bisect_left, bisect.bisect_left, (a, x, key), lo, hi, node)
        return self._bisected("list.bisect_left", a, x, self._limits(lo, hi, node), node)

    def call_bisect_right(
        self, node: Any, a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None
    ) -> Any:
        if key is not None:
            function = bisect.bisect_right
            return self._by_key(library.bisect_right, function, (a, x, key), lo, hi, node)
        return self._bisected("list.bisect_right", a, x, self._limits(lo, hi, node), node)

    def call_insort_left(
        self, node: Any, a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None
    ) -> None:
        if key is not None:
            self._by_key(library.insort_left, bisect.insort_left, (a, x, key), lo, hi, node)
            return
        self._add(bisect.insort_left, a, x, self._limits(lo, hi, node), node)

    def call_insort_right(
        self, node: Any, a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None
    ) -> None:
        if key is not None:
            self._by_key(library.insort_right, bisect.insort_right, (a, x, key), lo, hi, node)
            return
        self._add(bisect.insort_right, a, x, self._limits(lo, hi, node), node)

    def _bisected(self, op: str, a: Any, x: Any, limits: list[Value], node: Any) -> Any:
        is_array = isinstance(a, Value) and isinstance(a.type, TensorType)
        if not is_array:
            a = self.list_value(a if isinstance(a, ListRef) else self.call_list(node, a))
        return self.emit(op, [a, self.to_value(x), *limits])

    def _limits(self, low: Any, high: Any, node: Any) -> list[Value]:
        last = None if high is None else self.index_value(high, node, "list")
        return [self.to_value(self.index_value(low, node, "list")), self.to_value(last)]

    def _by_key(
        self, function: Any, of_python: Any, args: tuple[Any, ...], lo: Any, hi: Any, node: Any
    ) -> Any:
        if (lo, hi) != (0, None):
            return self.refuse_call(of_python, node)
        return self._of_library(function, list(args), node)

    # --- both -------------------------------------------------------------------------------------

    def _change(self, function: Any, items: Any, operands: list[Value], node: Any) -> Any:
        if not isinstance(items, ListRef):
            return self.refuse_call(function, node)
        op = ops.REGISTRY[f"list.{function.__name__}"]
        results = self.builder.emit(op, [self.list_value(items), *operands], {}).results
        return self.open(results[0]) if results else None

    def _add(self, function: Any, items: Any, item: Any, operands: list[Value], node: Any) -> Any:
        if not isinstance(items, ListRef):
            return self.refuse_call(function, node)
        value = self.to_value(item)
        self.widen_list(items, value.type)
        return self._change(function, items, [value, *operands], node)

    def _of_library(self, function: Any, args: list[Any], node: Any) -> Any:
        return self.call_function(self.user_function(function), args, {}, node)

    BUILTINS: ClassVar[dict[Any, str]] = {
        **Sorting.BUILTINS,
        heapq.heapify: "call_heapify",
        heapq.heappop: "call_heappop",
        heapq.heappush: "call_heappush",
        heapq.heapreplace: "call_heapreplace",
        heapq.heappushpop: "call_heappushpop",
        heapq.nlargest: "call_nlargest",
        heapq.nsmallest: "call_nsmallest",
        library.n_largest: "call_n_largest",
        library.n_smallest: "call_n_smallest",
        bisect.bisect_left: "call_bisect_left",
        bisect.bisect_right: "call_bisect_right",
        bisect.insort_left: "call_insort_left",
        bisect.insort_right: "call_insort_right",
    }
