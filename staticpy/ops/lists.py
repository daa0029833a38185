"""Lists of the running program.

%l = list.make %a, %b {type = !list[f64]} : list[f64]
list.append %l, %c
%d = list.getitem %l, %i : f64

A list is memory: writes stay in program order, and every alias of the list sees them. An item that
is read is the very object that was stored. Each item is of the item type; the lowering makes that
wide enough before it stores anything else.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.ir import BOOL, INT, NONE, OBJECT, ListType, Type, union_of
from staticpy.ops.containers import (
    EMPTY_LIST,
    WRITES,
    comparison_effects,
    invalid,
    item_type,
    require,
    require_bounds,
    require_index,
    user_effects,
)
from staticpy.ops.opdef import Attrs, Effect, defop


def list_type(type_: Type) -> ListType:
    """``type_``, which must be that of a list."""
    if not isinstance(type_, ListType):
        raise invalid(f"a list is due, not {type_}")
    return type_


# --- making ---------------------------------------------------------------------------------------


def _infer_make(*items: Type, type: Type) -> Type:  # noqa: A002
    if isinstance(type, ListType):
        require(type.item, *items)
    elif type != OBJECT:
        raise invalid(f"a list is due, not {type}")
    return type


def _make_samples(_: Any) -> Any:
    yield (1, 2), {"type": ListType(INT)}
    yield (1, None), {"type": ListType(union_of((INT, NONE)))}
    yield (), {"type": EMPTY_LIST}
    yield ("a", np.arange(3)), {"type": OBJECT}


make = defop(
    "list.make",
    infer=_infer_make,
    kernel=lambda *items, type: list(items),  # noqa: A006
    samples=_make_samples,
)
"""``[a, b]``: of a list type, or as an object of which the graph reads nothing."""

copy = defop(
    "list.copy",
    infer=list_type,
    kernel=lambda items: items.copy(),
    view=True,
    samples=lambda _: [(([1, 2],), {}), (([],), {})],
)
"""``l.copy()``: a new list of the same items."""


def _infer_concat(left: Type, right: Type) -> Type:
    return ListType(union_of((list_type(left).item, list_type(right).item)))


concat = defop(
    "list.concat",
    infer=_infer_concat,
    kernel=operator.add,
    symbol="+",
    view=True,
    samples=lambda _: [(([1, 2], [2.5]), {}), (([], []), {})],
)
"""``a + b``: a new list."""


def _infer_repeat(items: Type, count: Type) -> Type:
    require_index(count)
    return list_type(items)


repeat = defop(
    "list.repeat",
    infer=_infer_repeat,
    kernel=operator.mul,
    effects=Effect.RAISES,
    symbol="*",
    view=True,
    samples=lambda _: [(([1, 2], 3), {}), (([1.5], -1), {}), (([1], 10**30), {})],
)
"""``l * n``: a new list; MemoryError or OverflowError if it would be too long."""


# --- reading --------------------------------------------------------------------------------------


def _infer_len(items: Type) -> Type:
    list_type(items)
    return INT


length = defop(
    "list.len", infer=_infer_len, kernel=len, samples=lambda _: [(([1, 2],), {}), (([],), {})]
)
"""``len(l)``."""


def _getitem(items: Any, index: Any, *, saved: str = "") -> Any:
    del saved
    return items[index]


def _infer_getitem(items: Type, index: Type, *, saved: str = "") -> Type:
    del saved
    require_index(index)
    return list_type(items).item


def _index_samples(_: Any) -> Any:
    for index in (0, 1, -1, -2, 2, -3, True, np.int64(1)):
        yield ([1.5, 2.5], index), {}
    yield ([np.arange(2), np.ones(3, int)], 1), {}
    yield ([(1, 2), (3, 4)], 0), {}


getitem = defop(
    "list.getitem",
    infer=_infer_getitem,
    kernel=_getitem,
    effects=Effect.RAISES,
    view=True,
    samples=_index_samples,
)
"""``l[i]``; IndexError.

Attributes:
    saved: the list is a tape, of which the rounds of a loop that counts down read an item each.
        Nothing is put into it or taken out of it while that runs. "all" if the first round reads
        the last item; else "some".
"""


def _infer_getslice(items: Type, *bounds: Type) -> Type:
    require_bounds(*bounds)
    return list_type(items)


def _slice_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    return Effect.NONE if operands[-1] == NONE else Effect.RAISES


def _slice_samples(_: Any) -> Any:
    for bounds in ((1, None, None), (None, -1, None), (None, None, -1), (3, 0, -2), (0, 1, 0)):
        yield ([1, 2, 3, 4], *bounds), {}


getslice = defop(
    "list.getslice",
    infer=_infer_getslice,
    kernel=lambda items, start, stop, step: items[start:stop:step],
    effects=_slice_effects,
    view=True,
    samples=_slice_samples,
)
"""``l[start:stop:step]``, a new list; each of the three may be None."""


def _infer_search(result: Type) -> Any:
    def infer(items: Type, item: Type, *bounds: Type) -> Type:
        list_type(items)
        require_index(*bounds)
        return result

    return infer


def _search_samples(_: Any) -> Any:
    yield ([1, 2.0, True], 1), {}
    yield ([1, 2], 2.0), {}
    yield (["a", None], None), {}
    yield ([], 3), {}
    yield ([np.arange(3)], 1), {}


contains = defop(
    "list.contains",
    infer=_infer_search(BOOL),
    kernel=operator.contains,
    effects=comparison_effects,
    samples=_search_samples,
)
"""``item in l``; the operands are the list and the item."""


def _find_samples(rng: Any) -> Any:
    yield from _search_samples(rng)
    yield ([1, 2, 1, 2], 2, 2), {}
    yield ([1, 2, 1, 2], 2, -3, 2), {}


find = defop(
    "list.index",
    infer=_infer_search(INT),
    kernel=lambda items, *operands: items.index(*operands),
    effects=lambda operands, _: Effect.RAISES | user_effects(operands),
    samples=_find_samples,
)
"""``l.index(item, start, stop)``, the last two if given; ValueError."""

count = defop(
    "list.count",
    infer=_infer_search(INT),
    kernel=operator.countOf,
    effects=comparison_effects,
    samples=_search_samples,
)
"""``l.count(item)``."""


def _infer_eq(*_: Type) -> Type:
    return BOOL


def _eq_samples(_: Any) -> Any:
    yield ([1, 2], [1.0, 2]), {}
    yield ([1, 2], [1]), {}
    yield ((1, [2]), (1, [2])), {}
    yield ({"a": 1}, {"a": 1}), {}
    yield ([np.arange(2)], [np.arange(2)]), {}


eq = defop(
    "list.eq",
    infer=_infer_eq,
    kernel=operator.eq,
    effects=comparison_effects,
    symbol="==",
    samples=_eq_samples,
)
"""``a == b`` of two containers of Python's own."""


# --- writing --------------------------------------------------------------------------------------


def _infer_setitem(items: Type, index: Type, item: Type) -> tuple[Type, ...]:
    require_index(index)
    require(list_type(items).item, item)
    return ()


setitem = defop(
    "list.setitem",
    infer=_infer_setitem,
    kernel=operator.setitem,
    effects=WRITES,
    samples=lambda _: [(([1, 2], index, 5), {}) for index in (0, -1, 2)],
)
"""``l[i] = item``; IndexError."""


def _infer_delitem(items: Type, index: Type) -> tuple[Type, ...]:
    list_type(items)
    require_index(index)
    return ()


delitem = defop(
    "list.delitem",
    infer=_infer_delitem,
    kernel=operator.delitem,
    effects=WRITES,
    samples=lambda _: [(([1, 2], index), {}) for index in (0, -1, 2)],
)
"""``del l[i]``; IndexError."""


def _infer_delslice(items: Type, *bounds: Type) -> tuple[Type, ...]:
    list_type(items)
    require_bounds(*bounds)
    return ()


def _delslice(items: Any, start: Any, stop: Any, step: Any) -> None:
    del items[start:stop:step]


def _delslice_samples(_: Any) -> Any:
    yield ([1, 2, 3], 0, 2, None), {}
    yield ([1, 2, 3], None, None, -2), {}
    yield ([1, 2, 3], 2, 1, None), {}
    yield ([1, 2, 3], None, None, 0), {}


delslice = defop(
    "list.delslice",
    infer=_infer_delslice,
    kernel=_delslice,
    effects=WRITES,
    samples=_delslice_samples,
)
"""``del l[start:stop:step]``; the operands are the list and the three bounds, each of which may be
None. A write of nothing can't stand for it: a slice with a step takes as many items as it has."""


def _infer_setslice(items: Type, source: Type, *bounds: Type) -> tuple[Type, ...]:
    require_bounds(*bounds)
    require(list_type(items).item, item_type(source))
    return ()


def _setslice(items: Any, source: Any, start: Any, stop: Any, step: Any) -> None:
    items[start:stop:step] = source


def _setslice_samples(_: Any) -> Any:
    yield ([1, 2, 3], [7], 0, 2, None), {}
    yield ([1, 2, 3], [7, 8], None, None, 2), {}
    yield ([1, 2, 3], [7], None, None, 2), {}
    yield ([1, 2, 3], [], 1, None, None), {}
    yield ([1, 2, 3], (7,), 1, 1, None), {}


setslice = defop(
    "list.setslice",
    infer=_infer_setslice,
    kernel=_setslice,
    effects=WRITES,
    samples=_setslice_samples,
)
"""``l[start:stop:step] = source``; the operands are the list, the source and the three bounds, each
of which may be None."""


def _infer_append(items: Type, item: Type) -> tuple[Type, ...]:
    require(list_type(items).item, item)
    return ()


append = defop(
    "list.append",
    infer=_infer_append,
    kernel=lambda items, item: items.append(item),
    effects=WRITES,
    samples=lambda _: [(([1, 2], 3), {}), (([2.5], 1.0), {})],
)
"""``l.append(item)``."""


def _infer_extend(items: Type, source: Type) -> tuple[Type, ...]:
    require(list_type(items).item, item_type(source))
    return ()


extend = defop(
    "list.extend",
    infer=_infer_extend,
    kernel=lambda items, source: items.extend(source),
    effects=WRITES,
    samples=lambda _: [(([1, 2], [3]), {}), (([2.5], (1.0, 2.0)), {}), (([1], []), {})],
)
"""``l.extend(source)``; the source is a list, a tuple, a dict (its keys) or an array (its rows)."""


def _infer_insert(items: Type, index: Type, item: Type) -> tuple[Type, ...]:
    require_index(index)
    require(list_type(items).item, item)
    return ()


insert = defop(
    "list.insert",
    infer=_infer_insert,
    kernel=lambda items, index, item: items.insert(index, item),
    effects=WRITES,
    samples=lambda _: [(([1, 2], index, 9), {}) for index in (0, 1, -1, 7, -7, 10**30)],
)
"""``l.insert(i, item)``."""


def _infer_pop(items: Type, *index: Type) -> Type:
    if len(index) > 1:
        raise invalid("pop takes one index")
    require_index(*index)
    return list_type(items).item


def _pop_samples(_: Any) -> Any:
    yield ([1, 2],), {}
    for index in (0, -1, 2):
        yield ([1, 2], index), {}
    yield ([np.arange(2)],), {}


pop = defop(
    "list.pop",
    infer=_infer_pop,
    kernel=lambda items, *index: items.pop(*index),
    effects=WRITES,
    view=True,
    samples=_pop_samples,
)
"""``l.pop()`` or ``l.pop(i)``; IndexError."""


def _infer_remove(items: Type, item: Type) -> tuple[Type, ...]:
    list_type(items)
    return ()


remove = defop(
    "list.remove",
    infer=_infer_remove,
    kernel=lambda items, item: items.remove(item),
    effects=WRITES,
    samples=lambda _: [(([1, 2, 1], 1), {}), (([1, 2], 3), {})],
)
"""``l.remove(item)``; ValueError."""


def _infer_write(items: Type) -> tuple[Type, ...]:
    list_type(items)
    return ()


clear = defop(
    "list.clear",
    infer=_infer_write,
    kernel=lambda items: items.clear(),
    effects=WRITES,
    samples=lambda _: [(([1, 2],), {}), (([],), {})],
)
"""``l.clear()``."""

reverse = defop(
    "list.reverse",
    infer=_infer_write,
    kernel=lambda items: items.reverse(),
    effects=WRITES,
    samples=lambda _: [(([1, 2, 3],), {})],
)
"""``l.reverse()``."""


def _infer_sort(items: Type, *, reverse: bool) -> tuple[Type, ...]:
    list_type(items)
    return ()


def _sort_samples(_: Any) -> Any:
    for reverse in (False, True):
        yield ([3, 1, 2],), {"reverse": reverse}
        yield ([1, "a"],), {"reverse": reverse}


sort = defop(
    "list.sort",
    infer=_infer_sort,
    kernel=lambda items, *, reverse: items.sort(reverse=reverse),
    effects=WRITES,
    samples=_sort_samples,
)
"""``l.sort()`` or ``l.sort(reverse=True)``; TypeError if two items have no order."""
