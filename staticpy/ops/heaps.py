"""Lists in order: what ``heapq`` and ``bisect`` do with them.

    list.heappush %heap, %item
    %least = list.heappop %heap : (float, int)
    %i = list.bisect_left %l, %x, %lo, %hi : int

The kernels are Python's own functions, so that items are compared as often, in that order, and with
that result: NaNs and tuples of equal first items among them.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.ir import INT, NONE, ListType, TensorType, Type, join
from staticpy.ops.containers import WRITES, invalid, require, require_index, user_effects
from staticpy.ops.lists import list_type
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop

_ITEMS: tuple[list[Any], ...] = (
    [1, 3, 2, 7, 5],
    [(0.5, 3), (1.5, 1), (1.5, 2)],
    [2.0, float("nan"), 1.0],
    [1, "a"],
    [],
)


def _compares(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    return Effect.RAISES | user_effects(operands)


# --- heaps ----------------------------------------------------------------------------------------


def _infer_push(items: Type, item: Type) -> tuple[Type, ...]:
    require(list_type(items).item, item)
    return ()


def _infer_exchange(items: Type, item: Type) -> Type:
    require(list_type(items).item, item)
    return list_type(items).item


def _infer_heapify(items: Type) -> tuple[Type, ...]:
    list_type(items)
    return ()


def _heaps(_: Any) -> Any:
    for items in _ITEMS:
        yield (list(items),), {}


def _heaps_and_items(_: Any) -> Any:
    for items in _ITEMS[:-1]:
        yield (list(items), items[-1]), {}


def _defheap(function: Callable[..., Any], infer: Callable[..., Any], samples: Any) -> OpDef:
    name = f"list.{function.__name__}"
    return defop(name, infer=infer, kernel=function, effects=WRITES, view=True, samples=samples)


heapify = _defheap(heapq.heapify, _infer_heapify, _heaps)
"""``heapq.heapify(l)``; TypeError if two items have no order."""

heappush = _defheap(heapq.heappush, _infer_push, _heaps_and_items)
"""``heapq.heappush(l, item)``."""

heappop = _defheap(heapq.heappop, lambda items: list_type(items).item, _heaps)
"""``heapq.heappop(l)``; IndexError."""

heapreplace = _defheap(heapq.heapreplace, _infer_exchange, _heaps_and_items)
"""``heapq.heapreplace(l, item)``; IndexError."""

heappushpop = _defheap(heapq.heappushpop, _infer_exchange, _heaps_and_items)
"""``heapq.heappushpop(l, item)``."""


def _infer_chosen(count: Type, items: Type, keys: Type) -> ListType:
    require_index(count)
    list_type(keys)
    return list_type(items)


def _chosen_samples(_: Any) -> Any:
    for count in (-1, 0, 1, 2, 9, np.int64(3)):
        yield (count, ["a", "b", "c", "d"], [2, 1, 2, 0]), {}
        yield (count, [1, 2, 3], [2.5, float("nan"), -0.0]), {}
    yield (2, [1, 2, 3], [1, "a", None]), {}


def _defchosen(function: Callable[..., Any]) -> OpDef:
    def kernel(count: Any, items: list[Any], keys: list[Any]) -> list[Any]:
        found = function(count, range(len(items)), key=keys.__getitem__)
        return [items[position] for position in found]

    return defop(
        f"list.{function.__name__}",
        infer=_infer_chosen,
        kernel=kernel,
        effects=_compares,
        view=True,
        samples=_chosen_samples,
    )


nlargest = _defchosen(heapq.nlargest)
"""``heapq.nlargest(n, items, key)``, where ``keys`` are the keys of the items: a new list."""

nsmallest = _defchosen(heapq.nsmallest)
"""``heapq.nsmallest(n, items, key)``, where ``keys`` are the keys of the items: a new list."""


# --- bisection ------------------------------------------------------------------------------------


def _require_limits(low: Type, high: Type) -> None:
    """Check the types of the two limits: each is an int, the upper one perhaps None."""
    require_index(low)
    if high not in (NONE, join(INT, NONE)):
        require_index(high)


def _infer_bisect(items: Type, item: Type, low: Type, high: Type) -> Type:
    _require_limits(low, high)
    if not isinstance(items, ListType | TensorType):
        raise invalid(f"a list or an array is due, not {items}")
    return INT


def _infer_insort(items: Type, item: Type, low: Type, high: Type) -> tuple[Type, ...]:
    _require_limits(low, high)
    require(list_type(items).item, item)
    return ()


def _bisections(_: Any) -> Any:
    for bounds in ((0, None), (1, 3), (np.int64(2), 9), (-1, None), (3, 1)):
        yield ([1, 2, 2, 5], 2, *bounds), {}
        yield ([1.5, 2.5], float("nan"), *bounds), {}
    yield ([1, "b"], "a", 0, None), {}


def _bisections_of_arrays(rng: Any) -> Any:
    yield from _bisections(rng)
    yield ([], 3, 0, None), {}
    yield (np.arange(5.0), 2, 0, None), {}
    yield (np.arange(6).reshape(2, 3), 2, 0, None), {}


bisect_left = defop(
    "list.bisect_left",
    infer=_infer_bisect,
    kernel=bisect.bisect_left,
    effects=_compares,
    samples=_bisections_of_arrays,
)
"""``bisect.bisect_left(a, x, lo, hi)``, of a list or an array; ``hi`` may be None."""

bisect_right = defop(
    "list.bisect_right",
    infer=_infer_bisect,
    kernel=bisect.bisect_right,
    effects=_compares,
    samples=_bisections_of_arrays,
)
"""``bisect.bisect_right(a, x, lo, hi)``, of a list or an array; ``hi`` may be None."""

insort_left = defop(
    "list.insort_left",
    infer=_infer_insort,
    kernel=bisect.insort_left,
    effects=WRITES,
    samples=_bisections,
)
"""``bisect.insort_left(l, x, lo, hi)``; ``hi`` may be None."""

insort_right = defop(
    "list.insort_right",
    infer=_infer_insort,
    kernel=bisect.insort_right,
    effects=WRITES,
    samples=_bisections,
)
"""``bisect.insort_right(l, x, lo, hi)``; ``hi`` may be None."""
