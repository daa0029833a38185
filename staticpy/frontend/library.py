"""Functions of Python's library and NumPy's, written in Python for the compiler to compile."""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def cached(function: Callable[..., Any]) -> Callable[..., Any]:
    """``functools.cache(function)``, of positional arguments."""
    results: dict[Any, Any] = {}

    @functools.wraps(function)
    def from_cache(*args: Any) -> Any:
        key: Any = args
        if len(args) == 1 and (type(args[0]) is int or type(args[0]) is str):
            key = args[0]
        if key in results:
            return results[key]
        result = function(*args)
        results[key] = result
        return result

    return from_cache


def cached_purely(function: Callable[..., Any]) -> Callable[..., Any]:
    """A ``functools.lru_cache`` that outlives the call, of a function without effects: nobody can
    tell it from one that is empty when the call begins.
    """
    results: dict[Any, Any] = {}

    @functools.wraps(function)
    def from_lasting_cache(*args: Any) -> Any:
        if require_exact(args) in results:
            return results[args]
        results[args] = require_immutable(function(*args))
        return results[args]

    return from_lasting_cache


def require_exact(args: Any) -> Any:
    """Refuse, while compiling, keys of a cache that are equal to others of another type."""
    return args


def require_immutable(result: Any) -> Any:
    """Refuse, while compiling, results of a cache that somebody may change."""
    return result


def require_same_size(size: int, other: int) -> None:
    """Two arrays that are gone through side by side have as many examples."""
    if size != other:
        raise ValueError(
            f"vmap got inconsistent sizes for array axes to be mapped: {size} and {other}"
        )


def require_examples(size: int) -> None:
    """There are results to stack."""
    if size < 1:
        raise ValueError("need at least one array to stack")


def stacked_lists(stacked: Any, rows: Any) -> Any:
    """One list of those that the examples of ``vmap`` gave, item by item."""
    count = len(rows[0])
    for row in rows:
        if len(row) != count:
            raise ValueError("vmap: the results of the examples differ in their structure")
    return [stacked([row[place] for row in rows]) for place in range(count)]


def stacked_dicts(stacked: Any, rows: Any) -> Any:
    """As ``stacked_lists``, by the keys."""
    first = rows[0]
    for row in rows:
        if len(row) != len(first):
            raise ValueError("vmap: the results of the examples differ in their structure")
        for key in first:
            if key not in row:
                raise ValueError("vmap: the results of the examples differ in their structure")
    return {key: stacked([row[key] for row in rows]) for key in first}


def stacked_tuples(stacked: Any, rows: Any) -> Any:
    """As ``stacked_lists``, with a function for each of the items."""
    return tuple(stacked[place]([row[place] for row in rows]) for place in range(len(stacked)))


def first_row(rows: Any) -> Any:
    """What all examples gave."""
    return rows[0]


def stacked_numbers(axis: int, least: int, stacked: Any, rows: Any) -> Any:
    """The numbers or arrays of the examples, along a new axis that needs ``least`` of them."""
    rank = np.ndim(rows[0])
    if least > rank + 1:
        raise ValueError(f"vmap out_axes is {axis}, but each result has {rank} axes")
    return stacked(rows)


def require_same_shape(primal: Any, tangent: Any) -> None:
    """Check the tangent of an array."""
    if primal.shape != tangent.shape:
        raise ValueError(f"a primal of shape {primal.shape} has a tangent of shape {tangent.shape}")


def float_like(primal: Any, tangent: Any) -> Any:
    """The tangent of a number of float64, which may be one of Python's."""
    return float(tangent) if type(primal) is float else np.float64(tangent)


def columns(rows: Any) -> Iterator[Any]:
    """``zip(*rows)`` of as many rows as there are."""
    place = 0
    while rows:
        column = []
        for row in rows:
            if place >= len(row):
                return
            column.append(row[place])
        yield tuple(column)
        place += 1


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """``np.unstack(x, axis=axis)``."""
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(np.moveaxis(x, axis, 0))


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """``np.apply_along_axis(func1d, axis, arr)``: the first row says what the others give."""
    arr = np.asarray(arr)
    rows = np.moveaxis(arr, axis, -1)
    outer = rows.shape[:-1]
    if 0 in outer:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    first: Any = (*(0 for _ in outer), ...)
    result = np.asarray(func1d(rows[first], *args, **kwargs))
    made = np.zeros_like(result, shape=outer + result.shape)
    made[first] = result
    for number, place in enumerate(places(outer)):
        if number > 0:
            made[(*place, ...)] = np.asarray(func1d(rows[(*place, ...)], *args, **kwargs))
    count, at = len(outer), axis % arr.ndim
    axes = list(range(made.ndim))
    return np.transpose(made, axes[:at] + axes[count:] + axes[at:count])


def shuffle_list(shuffle: Any, items: Any) -> None:
    """``rng.shuffle(items)`` of a list: the places are drawn as those of an array."""
    order = np.arange(len(items))
    shuffle(order)
    items[:] = [items[place] for place in order]


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """``np.apply_over_axes(func, a, axes)``."""
    found = np.asarray(a)
    count = a.ndim
    for axis in [axes] if np.ndim(axes) == 0 else axes:
        at = axis + count if axis < 0 else axis
        result = func(found, at)
        if result.ndim != found.ndim:
            result = np.expand_dims(result, at)
        if result.ndim != found.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        found = result
    return found


def fromiter(iter: Any, dtype: Any, count: Any) -> Any:  # noqa: A002
    """``np.fromiter(iter, dtype, count)``: all items for -1, none for what is less."""
    if count == -1:
        return np.fromiter(list(iter), dtype)
    found = np.fromiter(list(itertools.islice(iter, max(count, 0))), dtype)
    if found.size < count:
        raise ValueError(
            f"iterator too short: Expected {count} but iterator had only {found.size} items."
        )
    return found


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """``np.piecewise(x, condlist, funclist)``: a function is called where there is an element."""
    x = np.asarray(x)
    is_one = np.isscalar(condlist) or (
        not isinstance(condlist[0], (list, np.ndarray)) and x.ndim != 0
    )
    conditions = np.asarray([condlist] if is_one else condlist, dtype=bool)
    count = len(funclist)
    if len(conditions) == count - 1:
        others = ~np.any(conditions, axis=0, keepdims=True)
        conditions = np.concatenate([conditions, others], axis=0)
    elif len(conditions) != count:
        given = len(conditions)
        said = f"with {given} condition(s), either {given} or {given + 1} functions are expected"
        raise ValueError(said)
    y = np.zeros_like(x)
    for number in range(count):
        condition, function = conditions[number], funclist[number]
        if not callable(function):
            y[condition] = function
        else:
            values = x[condition]
            if values.size > 0:
                y[condition] = function(values, *args, **kw)
    return y


def fromfunction(function: Any, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """``np.fromfunction(function, shape, dtype=dtype)``."""
    grid = np.indices(shape, dtype=dtype)
    return function(*[grid[axis] for axis in range(len(shape))], **kwargs)


def ndindex(*shape: Any) -> Iterator[Any]:
    """``np.ndindex(*shape)`` or ``np.ndindex(shape)``."""
    if len(shape) == 1 and isinstance(shape[0], tuple):
        (shape,) = shape
    for size in shape:
        if size < 0:
            raise ValueError("negative dimensions are not allowed")
    return places(shape)


def ndenumerate(arr: Any) -> Iterator[Any]:
    """``np.ndenumerate(arr)``."""
    return numbered_places(np.asarray(arr))


def numbered_places(arr: Any) -> Iterator[Any]:
    """The indices of the elements of an array, each with the element as it then is."""
    for place in places(arr.shape):
        yield place, arr[place]


def places(shape: Any) -> Iterator[Any]:
    """The indices of the elements of an array of this shape, the last one fastest."""
    yield from itertools.product(*[range(size) for size in shape])


def nlargest(n: Any, iterable: Any, key: Any = None) -> Any:
    """``heapq.nlargest``."""
    if n <= 0:
        return []
    items = list(iterable)
    return n_largest(n, items, items if key is None else [key(item) for item in items])


def nsmallest(n: Any, iterable: Any, key: Any = None) -> Any:
    """``heapq.nsmallest``."""
    if n <= 0:
        return []
    items = list(iterable)
    return n_smallest(n, items, items if key is None else [key(item) for item in items])


def n_largest(n: int, items: list[Any], keys: list[Any]) -> list[Any]:
    """The ``n`` items of the largest keys."""
    found = heapq.nlargest(n, range(len(items)), key=keys.__getitem__)
    return [items[position] for position in found]


def n_smallest(n: int, items: list[Any], keys: list[Any]) -> list[Any]:
    """The ``n`` items of the smallest keys."""
    found = heapq.nsmallest(n, range(len(items)), key=keys.__getitem__)
    return [items[position] for position in found]


def bisect_left(a: Any, x: Any, key: Any) -> int:
    """``bisect.bisect_left(a, x, key=key)``."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if key(a[middle]) < x:
            low = middle + 1
        else:
            high = middle
    return low


def bisect_right(a: Any, x: Any, key: Any) -> int:
    """``bisect.bisect_right(a, x, key=key)``."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if x < key(a[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def insort_left(a: Any, x: Any, key: Any) -> None:
    """``bisect.insort_left(a, x, key=key)``."""
    a.insert(bisect_left(a, key(x), key), x)


def insort_right(a: Any, x: Any, key: Any) -> None:
    """``bisect.insort_right(a, x, key=key)``."""
    a.insert(bisect_right(a, key(x), key), x)


def combinations(pool: Any, r: int, start: int = 0) -> Iterator[Any]:
    """``itertools.combinations(pool, r)`` of the items from ``start`` on."""
    if r == 0:
        yield ()
    else:
        for i in range(start, len(pool)):
            for rest in combinations(pool, r - 1, i + 1):
                yield (pool[i], *rest)


def combinations_with_replacement(pool: Any, r: int, start: int = 0) -> Iterator[Any]:
    """``itertools.combinations_with_replacement(pool, r)`` of the items from ``start`` on."""
    if r == 0:
        yield ()
    else:
        for i in range(start, len(pool)):
            for rest in combinations_with_replacement(pool, r - 1, i):
                yield (pool[i], *rest)


def permutations(pool: Any, r: int, taken: tuple[int, ...] = ()) -> Iterator[Any]:
    """``itertools.permutations(pool, r)`` of the items that are not ``taken``."""
    if r == 0:
        yield ()
    else:
        for i in range(len(pool)):
            if i not in taken:
                for rest in permutations(pool, r - 1, (*taken, i)):
                    yield (pool[i], *rest)
