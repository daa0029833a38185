"""`functools.cache` and `lru_cache`, and `staticpy.jit` inside of what is compiled."""

from __future__ import annotations

import functools

import numpy as np

import staticpy
from staticpy import jit, i64
from tests.support.cases import case

COSTS = np.array([[1, 3, 1], [1, 5, 1], [4, 2, 1]])


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.lru_cache
def distance(left, right):
    """How many edits there are between two texts."""
    if not left or not right:
        return len(left) + len(right)
    replaced = distance(left[1:], right[1:]) + (left[0] != right[0])
    return min(distance(left[1:], right) + 1, distance(left, right[1:]) + 1, replaced)


@functools.lru_cache(maxsize=32)
def choices(n, k):
    if k in (0, n):
        return 1
    return choices(n - 1, k - 1) + choices(n - 1, k)


def twice_cached(n):
    return 2 * fibonacci(n)


# --- a cache that outlives the call ---------------------------------------------------------------


# Without the cache this would not end.
@case((70,), (1,), (0,))
def number_far_up(n: int):
    return fibonacci(n), fibonacci(n + 1)


@case((20,), (0,))
def cached_in_a_loop(n: int):
    return sum(fibonacci(i) for i in range(n)), twice_cached(n)


@case((1,))
def cached_while_compiling(n: int):
    return np.zeros(fibonacci(6)).size + n, fibonacci(60)


@case(("abc", "adcd"), ("", "x"))
def edit_distance(left: str, right: str):
    return distance(left, right)


@case((10, 3), (5, 0))
def binomial(n: int, k: int):
    return choices(n, k)


# --- a cache of a nested function -----------------------------------------------------------------


# What is kept isn't computed, or printed, again.
@case((12,), (3,), (1,))
def effects_of_a_cached_function(n: int):
    @functools.cache
    def shown(k):
        print("computed", k)
        return k * 2

    return shown(n) + shown(n) + shown(3) + shown(n % 2)


@case((COSTS,))
def cheapest_path(costs: i64["m", "n"]):
    @functools.cache
    def best(i, j):
        if i == 0 and j == 0:
            return int(costs[0, 0])
        if i < 0 or j < 0:
            return 10**9
        return int(costs[i, j]) + min(best(i - 1, j), best(i, j - 1))

    return best(costs.shape[0] - 1, costs.shape[1] - 1)


# `1`, `1.0` and `True`: the first is a key of its own, the others are one.
@case((3,))
def keys_of_several_types(n: int):
    @functools.cache
    def doubled(k):
        return k * 2

    return doubled(1), doubled(1.0), doubled(True), doubled(n), doubled(float(n))


@case((30,), (1,))
def cached_by_a_call(n: int):
    @functools.lru_cache(maxsize=None)
    def ways(k):
        return 1 if k < 2 else ways(k - 1) + ways(k - 2)

    scaled = functools.cache(lambda v: v * n)
    return ways(n), scaled(2), scaled(n)


@case((3,))
def key_that_has_no_hash(n: int):
    @functools.cache
    def first(values):
        return values[0]

    try:
        return first(np.ones(n))
    except TypeError as error:
        return str(error)


# --- jit in jit -----------------------------------------------------------------------------------


@case((4.0,))
def jitted_inside(x: float):
    @staticpy.jit
    def doubled(y):
        return y * 2

    @jit(static_argnames="n")
    def repeated(y, n):
        return (y,) * n

    shifted = jit(lambda v: v + x)
    return doubled(x), repeated(x, 3), shifted(x)


# What a dict of lists gives is the same list each time.
@case((2,))
def lists_are_kept(n: int):
    kept = {}
    for i in range(n):
        kept[i] = [i]
    first = kept[0]
    return first is kept[0], first is kept[1], kept[1] is not kept[1]
