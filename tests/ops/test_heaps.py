"""The ops of ``heapq`` and ``bisect``, against Python: what they give, raise and leave behind."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import FLOAT, INT, NONE, STR, ListType, TupleType
from staticpy.ops import REGISTRY, Effect
from tests.support.memory import check

NAN = float("nan")
LISTS: list[list[Any]] = [[3, 1, 2], [1.5, NAN, 0.5], [(1, 2), (1, 1), (0, 5)], [1, "a"], [2]]
_LIMITS = [(0, None), (1, 3), (-1, None), (2, 99), (3, 1), (0, -1)]
CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (heapq.heapify, [(items,) for items in ([], *LISTS)]),
    (heapq.heappop, [(items,) for items in ([], *LISTS)]),
    (heapq.heappush, [(items, item) for items in LISTS for item in items]),
    (heapq.heapreplace, [(items, item) for items in LISTS for item in items]),
    (heapq.heappushpop, [(items, item) for items in LISTS for item in items]),
    (bisect.insort_left, [(items, items[-1], 0, None) for items in LISTS]),
    (bisect.insort_right, [([1, 2, 2, 5], 2, *limits) for limits in _LIMITS]),
    (bisect.bisect_left, [([1, 2, 2, 5], 2, *limits) for limits in _LIMITS]),
    (bisect.bisect_right, [(np.arange(4.0), x, 0, None) for x in (-1, 2, NAN, 9)]),
    (bisect.bisect_right, [([1, 2], "a", 0, None), (np.zeros((2, 2)), 1, 0, None)]),
]


@pytest.mark.parametrize(("function", "calls"), CASES)
def test_does_what_python_does(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    for call in calls:
        check(f"list.{function.__name__}", function, *call)


@pytest.mark.parametrize("choose", [heapq.nlargest, heapq.nsmallest])
@pytest.mark.parametrize("count", [-1, 0, 1, 2, 7])
@pytest.mark.parametrize("keys", [[2, 1, 2, 0], [NAN, 1.0, -0.0, 0.0], [1, "a", None, 2]])
def test_extreme_items(choose: Callable[..., Any], count: int, keys: list[Any]) -> None:
    items = ["a", "b", "c", "d"]

    def plain(n: int, items: list[str], keys: list[Any]) -> list[str]:
        return [items[i] for i in choose(n, range(len(items)), key=keys.__getitem__)]

    check(f"list.{choose.__name__}", plain, count, items, keys)


def test_types() -> None:
    pairs = ListType(TupleType((FLOAT, INT)))
    assert REGISTRY["list.heappop"].result_types([pairs], {}) == (pairs.item,)
    assert REGISTRY["list.nsmallest"].result_types([INT, pairs, pairs], {}) == (pairs,)
    assert REGISTRY["list.bisect_left"].result_types([pairs, INT, INT, NONE], {}) == (INT,)
    with pytest.raises(DiagnosticError):
        REGISTRY["list.heappush"].result_types([ListType(INT), FLOAT], {})
    with pytest.raises(DiagnosticError):
        REGISTRY["list.bisect_left"].result_types([STR, INT, INT, NONE], {})


def test_effects() -> None:
    numbers = ListType(INT)
    assert Effect.WRITES in REGISTRY["list.heappop"].effects_of([numbers], {})
    assert Effect.WRITES not in REGISTRY["list.bisect_left"].effects_of([numbers, INT], {})
