"""What Python's functions make of a list: ``sorted`` by keys that are known, and ``sum``.

%s = list.sorted_by %l, %keys {reverse = false} : list[f64]
%t = list.sum %l, %start : float|int

The keys are a list of their own, one for each item: the calls of the user's key function come
before, in the order in which CPython makes them.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.ir import (
    BOOL,
    INT,
    NEVER,
    ListType,
    TensorType,
    Type,
    is_mutable_memory,
    join,
    map_tensors,
)
from staticpy.ops.containers import unsupported, user_effects
from staticpy.ops.dynamic import operator_types
from staticpy.ops.lists import list_type
from staticpy.ops.opdef import Attrs, Effect, defop


def _infer_sorted(items: Type, keys: Type, *, reverse: bool) -> ListType:
    list_type(keys)
    return list_type(items)


def _sorted(items: list[Any], keys: list[Any], *, reverse: bool) -> list[Any]:
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
    return [items[position] for position in order]


def _sorted_samples(_: Any) -> Any:
    for reverse in (False, True):
        yield (["a", "b", "c", "d"], [2, 1, 2, 0]), {"reverse": reverse}
        yield ([3, 1, 2], [2.5, float("nan"), -0.0]), {"reverse": reverse}
        yield ([1, 2], [(1, "b"), (1, "a")]), {"reverse": reverse}
        yield ([1, 2], [1, "a"]), {"reverse": reverse}
        yield ([1, 2], [np.arange(2), np.arange(2)]), {"reverse": reverse}
        yield ([], []), {"reverse": reverse}


sorted_by = defop(
    "list.sorted_by",
    infer=_infer_sorted,
    kernel=_sorted,
    effects=lambda operands, _: Effect.RAISES | Effect.WARNS | user_effects(operands),
    view=True,
    samples=_sorted_samples,
)
"""``sorted(items, key=…)``, where ``keys`` are the keys of the items: a new list, equal keys in the
order of the items; TypeError if two keys have no order."""


def _sizes_unknown(type_: TensorType) -> TensorType:
    return TensorType(type_.dtype, ("?",) * type_.rank)


_ROUNDS = 8
"""More than the boxes and ranks that a sum can go through; a sum of tuples would never end."""


def _infer_sum(items: Type, start: Type) -> Type:
    """Whatever the partial sums can be: the type of ``start``, and of it plus items."""
    item = map_tensors(_sizes_unknown, list_type(items).item)
    if is_mutable_memory(start):
        raise unsupported("sum", items, start)
    if item == NEVER or (item in (BOOL, INT) and start == INT):
        return start
    total = start
    for _ in range(_ROUNDS):
        added = operator_types("+", operator.add, (total, item))[0]
        if added == NEVER:
            break
        known, total = total, join(total, added)
        if known == total:
            return total
    raise unsupported("sum", items, start)


def _sum_effects(operands: Sequence[Type], _: Attrs) -> Effect:
    items, start = operands
    is_sure = isinstance(items, ListType) and items.item in (BOOL, INT) and start == INT
    return Effect.NONE if is_sure else Effect.RAISES | Effect.WARNS


def _sum_samples(_: Any) -> Any:
    yield ([1, 2, 10**30], 0), {}
    yield ([True, False], 0), {}
    yield ([0.1] * 10, 0), {}
    yield ([-0.0], -0.0), {}
    yield ([1, 2.5, 1j], 0), {}
    yield ([np.float32(1), np.int8(100), np.int8(100)], 0), {}
    yield ([np.arange(3), np.ones(3)], 0), {}
    yield ([np.arange(3), np.ones((2, 1))], 0), {}
    yield ([], 0), {}


sum_ = defop(
    "list.sum",
    infer=_infer_sum,
    kernel=sum,
    effects=_sum_effects,
    view=True,
    samples=_sum_samples,
)
"""``sum(items, start)``."""
