"""What a backend makes of a list of rows of numbers: one list of all numbers, and two that say
where rows begin and how long they are.

    %p = list.place %j, %n {writes = false}          t[i][j] is numbers[starts[i] + p]
    %t = list.rows %numbers, %starts, %lengths       the list of lists
    %v = list.vector %numbers                        an array of them
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from staticpy.ir import INT, UNKNOWN, ListType, TensorType, Type
from staticpy.ops.containers import require_index
from staticpy.ops.lists import list_type
from staticpy.ops.opdef import Effect, defop


def _place(index: Any, count: int, *, writes: bool) -> int:
    place = operator.index(index)
    place += count if place < 0 else 0
    if not 0 <= place < count:
        raise IndexError(f"list {'assignment ' if writes else ''}index out of range")
    return place


def _infer_place(index: Type, count: Type, *, writes: bool) -> Type:
    del writes
    require_index(index, count)
    return INT


list_place = defop(
    "list.place",
    infer=_infer_place,
    kernel=_place,
    effects=Effect.RAISES,
    samples=lambda _: [
        ((index, 2), {"writes": writes})
        for index in (0, -2, 2, -3, np.int8(-1))
        for writes in (False, True)
    ],
)
"""Which item of a list of so many an index is of, from the front; IndexError as of the list.

Attributes:
    writes: whether the item is set.
"""


def _rows(numbers: list[Any], starts: list[int], lengths: list[int]) -> list[list[Any]]:
    bounds = zip(starts, lengths, strict=True)
    return [numbers[start : start + length] for start, length in bounds]


def _infer_rows(numbers: Type, starts: Type, lengths: Type) -> Type:
    list_type(starts), list_type(lengths)
    return ListType(list_type(numbers))


list_rows = defop(
    "list.rows",
    infer=_infer_rows,
    kernel=_rows,
    samples=lambda _: [(([1.0, 2.0, 3.0], [0, 1, 1], [1, 0, 2]), {})],
)
"""A new list of new lists, each of which is a part of one."""


def _infer_vector(items: Type, *, dtype: np.dtype) -> Type:
    list_type(items)
    return TensorType(dtype, (UNKNOWN,))


list_vector = defop(
    "list.vector",
    infer=_infer_vector,
    kernel=lambda items, *, dtype: np.array(items, dtype),
    samples=lambda _: [
        (([1, 2],), {"dtype": np.dtype(np.int64)}),
        (([0.5, -0.0],), {"dtype": np.dtype(np.float64)}),
        (([],), {"dtype": np.dtype(np.bool_)}),
    ],
)
"""An array of the numbers of a list, which are of its dtype."""
