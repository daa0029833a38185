"""Calls with lists, one after the other, against Python.

Each driver calls a function several times, so that what one call leaves behind meets the code that
an earlier one has compiled. It returns everything that there is to see.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from tests.support.calling import Driver, Drivers, Function, differences, on, outcomes

DRIVERS = Drivers()
called_by = DRIVERS.called_by


# --- lists ----------------------------------------------------------------------------------------


@called_by(on(([1, 2], 3), ([1, 2], 3.5), ([], 1), ([1.0], None), ([None, "a"], 2), ([[1]], [2])))
def append(items: Any, item: Any) -> Any:
    items.append(item)
    return items, len(items)


@called_by(on(([1, 2, 3],), ([1.5, 2, True],), ([],), ([np.float32(1), 2],), ([1, 2],)))
def total(items: Any) -> Any:
    result = 0
    for item in items:
        result = result + item
    return result


@called_by(on(([1, 2, 3], 0), ([1, 2, 3], -1), ([1], 1), ([1, 2.5, np.ones(2)], 2)))
def read(items: Any, index: Any) -> Any:
    return items[index]


@called_by(on(([1, 2], 0, 5), ([1, 2], 1, 2.5), ([1, 2], 2, 5), ([1, 2], -2, np.ones(2))))
def write(items: Any, index: Any, item: Any) -> Any:
    items[0] = item
    items[index] = items[-1]
    return items


@called_by(on(([[1, 2], [3]],), ([[1], [2], [3]],), ([[]],), ([],)))
def nested(rows: Any) -> Any:
    for row in rows:
        row.append(len(row))
    rows.reverse()
    return rows, [row[0] for row in rows]


@called_by(on(([np.ones(2), np.zeros((2, 2))],), ([np.arange(3)],), ([],)))
def arrays_of_list(items: Any) -> Any:
    for item in items:
        item += 1  # noqa: PLW2901
    return items


@called_by(on(([3, 1, 2],), ([2.5, 1],), (["b", "a"],), ([],)))
def several_writes(items: Any) -> Any:
    items.sort()
    items.extend(items)
    items.insert(1, 7)
    del items[:1]
    last = items.pop()
    items[1:1] = [last, last]
    return items.count(7), items


def _aliases(function: Function) -> Any:
    shared: list[int] = [1]
    return outcomes(function, ([1], [1]), (shared, shared), ([2], [3]), (shared, shared))


@called_by(_aliases)
def write_one_read_other(left: Any, right: Any) -> Any:
    left.append(5)
    return len(right), left == right


@called_by(_aliases)
def identity(left: Any, right: Any) -> Any:
    return left is right, left


def _shared_items(function: Function) -> Any:
    row = [0]
    return outcomes(function, ([row, row],), ([[0], [0]],), ([row, [0]],), ([[0], row, row],))


@called_by(_shared_items)
def write_row(rows: Any) -> Any:
    rows[0].append(1)
    return rows, len(rows[-1])


def _growing(function: Function) -> Any:
    log: list[Any] = []
    return [function(log, number) for number in range(6)], log


@called_by(_growing)
def keep_log(log: Any, number: Any) -> Any:
    log.append(number)
    return sum(log), len(log)


@called_by(lambda function: [function(1), function(2), function(3.5)])
def mutable_default(x: Any, seen: Any = []) -> Any:  # noqa: B006
    seen.append(x)
    return list(seen)


@called_by(on(([1, 2], 0), ([1, 2], 1), ([1], 0)))
def raise_after_write(items: Any, index: Any) -> Any:
    items.append(9)
    if items[index] > 1:
        raise ValueError("too large", index)
    items.append(10)
    return items[5]


# --- long lists -----------------------------------------------------------------------------------


class Holder:
    def __init__(self, tags: Any) -> None:
        self.tags = tags


LONG = [float(i) for i in range(40)]


def _lengths(function: Function) -> Any:
    lists: list[list[Any]] = [LONG, LONG[:17], LONG * 30, [*LONG, 1], list(range(50)), LONG * 31]
    lists += [[*LONG * 30, 1], [True] * 20, ["a"] * 20, [np.float32(i) for i in range(20)]]
    return outcomes(function, *[(list(items), 2) for items in [*lists, *lists]])


@called_by(_lengths)
def use_long(items: Any, index: Any) -> Any:
    found = items[index], len(items), items[-1]
    items[index] = items[0]
    items.append(items[1])
    count = 0
    for item in items:
        if item == items[0]:
            count += 1
    return found, count, items


@called_by(_lengths)
def sum_long(items: Any, start: Any) -> Any:
    if isinstance(items[0], str):
        return "".join(items)
    return sum(items, start), max(items), sorted(items)[:3], items[::7]


@called_by(on((LONG, 0.5), (LONG, 1), (LONG, "a"), (LONG, None), (LONG * 30, 1)))
def widen_long(items: Any, item: Any) -> Any:
    items.append(item)
    items.insert(0, item)
    return items.pop(), len(items), items


@called_by(on((LONG,), (LONG[:20],), (LONG[:3],)))
def take_apart(items: Any) -> Any:
    first, *_, last = items
    table = {f"{position}": position for position in range(len(items))}
    return tuple(items), first, last, table


def _long_aliases(function: Function) -> Any:
    shared = list(LONG)
    holder = Holder(shared)
    pairs = [(list(LONG), [1.0]), (shared, shared), (LONG[:20], LONG[:30]), (shared, holder.tags)]
    return outcomes(function, *pairs), holder


@called_by(_long_aliases)
def write_long_read_other(left: Any, right: Any) -> Any:
    left[0] = 100.0
    left.append(7.0)
    return right[0], len(right), left is right, left == right


@called_by(lambda f: outcomes(f, (Holder(LONG * 2),), (Holder([*LONG * 2, 1.0]),)))
def long_attribute(holder: Any) -> Any:
    for number in range(3):
        holder.tags.append(number)
        if len(holder.tags) > 82:
            holder.tags = []
    return len(holder.tags), holder


def test_a_long_list_is_compiled_once() -> None:
    @staticpy.jit
    def total(items: Any) -> Any:
        result = 0.0
        for item in items:
            result += item
        return result

    for count in range(20, 200, 30):
        assert total([0.5] * count) == count / 2
    assert total.cache_size == 1
    assert total([1] * 20) == 20
    assert total.cache_size == 2


@pytest.mark.parametrize(("function", "driver"), DRIVERS.entries, ids=lambda each: each.__name__)
def test_as_python_does(function: Function, driver: Driver) -> None:
    assert differences(function, driver) == []
