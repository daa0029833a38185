"""Programs that call themselves in a ``try``, or give what is an array on some paths only; see
``recursive_programs``.
"""

from __future__ import annotations

import numpy as np

from tests.autodiff.programs import X
from tests.autodiff.recursive_programs import recursive


@recursive((X, 2), (X, 3))
def written_on_the_way(x, n):
    y = x * 1.0

    def rec(k):
        if k == 0:
            if n == 2:
                raise ValueError("a")
            return y[0] * 2
        y[k] = y[k - 1] * x[k]
        return rec(k - 1) * y[k]

    try:
        t = rec(n)
    except (ValueError, IndexError):
        t = y[1]
    return t * y.sum()


@recursive((X, 0), (X, 2))
def lists_that_grow_in_a_try(x, n):
    items = []

    def rec(k):
        items.append(x[k] * k)
        if k < 6:
            rec(k + 1 + n)
        items.append(items[0] * x[0])
        return items[-1]

    t = 1.0
    for i in range(2):
        try:
            t = t * rec(i)
            items.pop(0)
        except IndexError:
            t = t * items[-1] + 1
            items.append(t)
    for v in items:
        t = t * v + v
    return t


@recursive((X, 0), (X, 2), (X, 5))
def two_functions_in_a_try(x, n):
    y = x * 1.0

    def even(k):
        y[k] += x[0]
        if k == n:
            return y[k]
        return odd(k + 1) * 2

    def odd(k):
        y[k] *= x[1]
        if k == n:
            return y[k] * 3
        return even(k + 1) * y[0]

    try:
        t = even(0)
    except IndexError:
        t = y[2] * 3
    return t * y.sum()


# --- arrays on some paths only ------------------------------------------------------------------


@recursive((X, 0), (X, 2))
def a_number_in_the_end(x, n):
    def rec(k):
        if k == 0:
            return 1.0
        return rec(k - 1) * x

    return np.sum(rec(n)) * x[0]


@recursive((X, 0), (X, 1), (X, 3))
def nothing_in_the_end(x, n):
    def rec(k):
        if k == 0:
            return None
        r = rec(k - 1)
        return x * 2 if r is None else r * x

    r = rec(n)
    return x[0] if r is None else r.sum()


@recursive((X, 0), (X, 3))
def a_number_at_first(x, n):
    def rec(k, a):
        if k == 0:
            return np.sum(a)
        return rec(k - 1, a * x) + k

    return rec(n, 1.0) * x[1]


@recursive((X, 0), (X, 1), (X, 3))
def numbers_and_arrays_in_turns(x, n):
    def rec(k, a):
        if k == 0:
            return a
        return rec(k - 1, a * x if k % 2 else a + 1)

    return np.sum(rec(n, x[0])) * x[1]


@recursive((X, 0), (X, 1), (X, 3))
def one_or_the_other(x, n):
    def rec(k):
        if k == 0:
            return x[0]
        if k == 1:
            return x * 2
        return rec(k - 1) * rec(k - 2)

    return np.sum(rec(n)) * x[1]


@recursive((X, 0), (X, 1), (X, 3))
def views_on_some_paths(x, n):  # writes
    y = x * 1.0

    def rec(k, a):
        if k == 0:
            return a
        y[k] = y[k - 1] * x[k]
        r = rec(k - 1, y[:k] if k % 2 else None)
        return y * 2 if r is None else r

    r = rec(n, None)
    return x[0] if r is None else r.sum() * y.sum()


@recursive((X, 0), (X, 1), (X, 3))
def tuples_of_both(x, n):
    def rec(k, a):
        if k == 0:
            return (a, x[0])
        u, v = rec(k - 1, None if k % 2 else x * k)
        return (x if u is None else u * v, v * x[1])

    u, v = rec(n, None)
    return v if u is None else (u * v).sum()


class Limit(ValueError):
    """What the programs raise, with what was computed so far."""

    def __init__(self, limit):
        self.limit = limit


@recursive((X, 0.5), (X, 2.0))
def attributes_beside_calls(x, bound):
    def rec(k):
        return x[k] if k == 0 else np.sin(rec(k - 1)) * x[k]

    try:
        if x[0] > bound:
            raise Limit(np.sin(x[0]))
        y = x[1] * rec(2)
    except Limit as error:
        y = error.limit
    return y * rec(3)
