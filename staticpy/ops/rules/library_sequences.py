"""Rules of NumPy's functions that take a sequence of arrays, or put elements beside others."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ops.library import unpacked
from staticpy.ops.rules.arrays import made, places, refuse, row, row_of, shape
from staticpy.ops.rules.base import rank_of, reapply
from staticpy.ops.rules.library import composed, tuple_of
from staticpy.ops.store import numpy_function
from staticpy.ops.traced import is_traced, leader

Array = Any


# --- joining --------------------------------------------------------------------------------------


def _joined_rows(rows: Array, axis: int | None = 0, **_: Any) -> Array:
    """``np.concatenate`` of the arrays that stand along the first axis of one array: that axis
    goes before the one along which they are joined, and both become one.
    """
    if axis is None:
        return np.ravel(rows)
    place = axis % (rank_of(rows) - 1)
    moved = np.moveaxis(rows, 0, place)
    sizes = shape(moved)
    joined = sizes[place] * sizes[place + 1]
    return np.reshape(moved, (*sizes[:place], joined, *sizes[place + 2 :]))


def _stacked_rows(arrays: Array, axis: int = 0, **_: Any) -> Array:
    return np.moveaxis(arrays, 0, axis)


def _vstack(tup: Any, **_: Any) -> Array:
    if isinstance(tup, tuple | list):
        return np.vstack(tup)
    if rank_of(tup) == 1:
        return tup[:, None]
    return tup if rank_of(tup) == 2 else _joined_rows(tup)


def _hstack(tup: Any, **_: Any) -> Array:
    if isinstance(tup, tuple | list):
        return np.hstack(tup)
    return _joined_rows(tup, int(rank_of(tup) > 2)) if rank_of(tup) > 1 else tup


def _column_stack(tup: Any) -> Array:
    if not isinstance(tup, tuple | list):
        flat = tup[:, None] if rank_of(tup) == 1 else tup
        return np.swapaxes(flat, 0, 1) if rank_of(flat) == 2 else _joined_rows(flat, 1)
    like = leader((tup,))
    columns = [x if rank_of(x) > 1 else np.reshape(row_of(x, like), (-1, 1)) for x in tup]
    return np.concatenate(columns, axis=1)


def _dstack(tup: Any) -> Array:
    if not isinstance(tup, tuple | list):
        tables = tup[(slice(None), *(None,) * (3 - rank_of(tup)), ...)]
        return np.moveaxis(tables, 0, 2) if rank_of(tup) < 4 else _joined_rows(tup, 2)
    like = leader((tup,))
    tables = [x if rank_of(x) > 1 else row_of(x, like)[None, :] for x in tup]
    return np.concatenate([x if rank_of(x) > 2 else x[:, :, None] for x in tables], axis=2)


def _append(arr: Any, values: Any, axis: int | None = None) -> Any:
    both = arr if is_traced(arr) else values
    parts = [row_of(arr, both), row_of(values, both)] if axis is None else [arr, values]
    return np.concatenate(parts, axis=0 if axis is None else axis)


def _block(arrays: Any) -> Array:
    """Inner lists are joined along the last axis, those around them along the one before."""
    like = leader((arrays,))
    rank = max([_depth(arrays), *map(rank_of, unpacked((arrays,)))])

    def join(tree: Any, depth: int) -> Array:
        if isinstance(tree, list):
            return np.concatenate([join(each, depth - 1) for each in tree], axis=rank - depth)
        if not rank_of(tree):
            return made(like, np.full, (1,) * rank, tree)
        return tree[(*(None,) * (rank - rank_of(tree)), ...)]

    return join(arrays, _depth(arrays)) if isinstance(arrays, list) else np.copy(arrays)


def _depth(tree: Any) -> int:
    return 1 + max(map(_depth, tree)) if isinstance(tree, list) else 0


def _multi_dot(arrays: Any) -> Array:
    like = leader((arrays,))
    factors = _items(arrays, "linalg.multi_dot", "arrays")
    return functools.reduce(np.matmul, (row(like, each) for each in factors))


def _items(arrays: Any, function: str, name: str) -> list[Array]:
    """The arrays of a tuple or list, or along the first axis of an array of known size."""
    if isinstance(arrays, tuple | list):
        return list(arrays)
    if not isinstance(shape(arrays)[0], int):
        raise refuse(f"np.{function}()", name)
    return [arrays[number] for number in range(shape(arrays)[0])]


composed("concatenate", _joined_rows)
composed("stack", _stacked_rows)
composed("vstack", _vstack)
composed("row_stack", _vstack)
composed("hstack", _hstack)
composed("column_stack", _column_stack)
composed("dstack", _dstack)
composed("append", _append)
composed("block", _block)
composed("linalg.multi_dot", _multi_dot)


# --- choosing -------------------------------------------------------------------------------------


def _choose(a: Any, choices: Any, mode: str = "raise") -> Array:
    last = _count(choices) - 1
    numbers = {"wrap": lambda: a % (last + 1), "clip": lambda: np.clip(a, 0, last)}
    taken = numbers[mode]() if mode in numbers else a
    if not isinstance(choices, tuple | list):
        return _chosen(choices, taken)
    found = np.where(taken == last, choices[last], 0)
    for number in reversed(range(last)):
        found = np.where(taken == number, choices[number], found)
    return found


def _count(arrays: Any) -> Any:
    return len(arrays) if isinstance(arrays, tuple | list) else shape(arrays)[0]


def _chosen(choices: Array, numbers: Array) -> Array:
    """Of the arrays along the first axis of ``choices``, each element from the one that
    ``numbers`` tells there; both broadcast.
    """
    rank = rank_of(choices)
    others = [places(choices, at)[(..., *(None,) * (rank - 1 - at))] for at in range(1, rank)]
    return choices[(numbers + 0, *others)]  # bools are numbers here, too


def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Array:
    """The choice of the first condition that holds."""
    if isinstance(condlist, tuple | list) or isinstance(choicelist, tuple | list):
        return _select_of(condlist, choicelist, default)
    first = np.argmax(condlist, axis=0)
    return np.where(np.any(condlist, axis=0), _chosen(choicelist, first), default)


def _select_of(condlist: Any, choicelist: Any, default: Any) -> Array:
    """The same, where one of both is a tuple or list, so that the count is known."""
    found, count = default, len(condlist if isinstance(condlist, tuple | list) else choicelist)
    for number in reversed(range(count)):
        found = np.where(condlist[number], choicelist[number], found)
    return found


composed("choose", _choose)
composed("select", _select)


# --- inserting and cutting ------------------------------------------------------------------------


def _insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Array:
    """The values stand behind the rows; then all are taken in the order that NumPy gives to their
    numbers.
    """
    like = arr if is_traced(arr) else values
    whole = axis is None or rank_of(arr) == 0
    rows, place = (row_of(arr, like), 0) if whole else (arr, axis % rank_of(arr))  # type: ignore[operator]
    rank = rank_of(rows)
    given = row_of(values, like) if rank == 1 else _with_rank(values, rank, like)
    if not isinstance(obj, tuple | list | slice) and not rank_of(obj) and rank_of(values) < rank:
        given = np.moveaxis(given, 0, place)
    moved, items = np.moveaxis(rows, place, 0), np.moveaxis(given, place, 0)
    items = np.broadcast_to(items, (*shape(items)[:1], *shape(moved)[1:]))
    numbers = np.insert(places(moved, 0), obj, shape(moved)[0] + places(items, 0))
    return np.moveaxis(np.take(np.concatenate([moved, items]), numbers, axis=0), 0, place)


def _with_rank(x: Any, rank: int, like: Any) -> Array:
    """``x`` with axes of size 1 in front."""
    if not rank_of(x):
        return made(like, np.full, (1,) * rank, x)
    return x[(*(None,) * (rank - rank_of(x)), ...)]


def without_zeros(x: Array, *, first: bool, last: bool, least: int = 0) -> Array:
    """A row without the zeros that it begins or ends with, but for the ``least`` it has to have."""
    is_number, size = x != 0, shape(x)[0]
    start = np.sum(np.cumsum(is_number) == 0) if first else 0
    stop = size - np.sum(np.cumsum(is_number[::-1]) == 0) if last else size
    return x[
        (np.minimum(start, size - least) if first else 0) : (
            np.maximum(stop, least) if last else size
        )
    ]


def _trim_zeros(filt: Any, trim: str = "fb") -> Array:
    if rank_of(filt) != 1:
        raise refuse("np.trim_zeros()", "filt")
    return without_zeros(filt, first="f" in trim.lower(), last="b" in trim.lower())


def _sliding_window_view(
    x: Any,
    window_shape: Any,
    axis: Any = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> Array:
    del subok, writeable
    sizes = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    axes = range(rank_of(x)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    rank = rank_of(x)
    for size, each in zip(sizes, axes, strict=True):
        place = each % rank
        starts = made(x, np.arange, shape(x)[place] - size + 1)
        found = np.take(x, starts[:, None] + made(starts, np.arange, size), axis=place)
        x = np.moveaxis(found, place + 1, -1)
    return x


composed("insert", _insert)
composed("trim_zeros", _trim_zeros)
composed("lib.stride_tricks.sliding_window_view", _sliding_window_view)


# --- sets -----------------------------------------------------------------------------------------


def _elements(name: str, count: int) -> Callable[..., Any]:
    """A function of which the first result consists of elements of its ``count`` operands: they are
    taken from where they are found.
    """

    def function(*operands: Any, **attrs: Any) -> Any:
        held = [reapply("stop_gradient", x) for x in operands[:count]]
        result = made(leader(operands), numpy_function(name), *held, *operands[count:], **attrs)
        first, *others = tuple_of(result)
        rows = np.concatenate([row_of(x, leader(operands)) for x in operands[:count]])
        order = np.argsort(rows, kind="stable")
        return (rows[order[np.searchsorted(rows[order], first)]], *others)

    return function


for _name in ("intersect1d", "setdiff1d", "setxor1d", "union1d"):
    composed(_name, _elements(_name, 2))
for _name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
    composed(_name, _elements(_name, 1))
